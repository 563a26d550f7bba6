"""What users write down, read and checked: a game's report definition is read once for each `Game`.

- `settings`: rule switches; situations, single ones and tables of them with weights
- `units`: lists of units, and choices by id or by fields of their cards
- `battles`: lists of units that fight each other, and how
- `tuning`: what prices are compared by
- `report`, `gate`: a definition each, a TOML file; `claims`: those of a gate
- `fields`: what definitions have in common: kinds of fields, and faults with file and line
"""
