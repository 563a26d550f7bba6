"""What a change of cards or rules did: `compare` works it out, `sentences`, `tables` and `files` tell it."""
