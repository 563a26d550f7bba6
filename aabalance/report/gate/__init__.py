"""The gate: `read` reads its file, `accepted` the numbers that were accepted, `outputs` says what was found."""
