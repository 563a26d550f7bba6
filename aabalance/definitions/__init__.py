"""What users write down, read and checked: a game's report definition is read once for each `Game`.

- `settings`: rule switches and circumstances, checked against a game's schemas
- `lists`: a list of units, as text or as Python lists
- `selection`: a choice of units, by id or by fields of their cards
- `situations`: situations with their weights, and how duels in them are fought
- `battles`: lists of units that fight each other, and the faces that they show
- `tuning`: what prices are compared by
- `report`, `gate`: a definition each, a TOML file
- `fields`, `faults`: kinds of fields, and faults with file and line, that definitions have in common
"""
