"""What users write down, read and checked: a game's report definition is read once for each `Game`.

- `settings`: rule switches; situations, single ones and tables of them with weights
- `lists`: lists of units, and choices by id or by fields of their cards
- `collections`: files of what one owns, of what lists may have, and of lists as opponents; a report's table of searches
- `games`: the log of games that people played at a table
- `report`, `gate`: a definition each, a TOML file
- `tables`: those of a report: battles, matches, tuning, pictures; `claims`: those of a gate
- `fields`: what definitions have in common: kinds of fields, and faults with file and line
"""
