"""Tables worked out cell by cell: what a job is, who runs it, and what is kept of it."""
