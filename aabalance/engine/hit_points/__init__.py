"""Hit-point duels: units lose toughness, turn by turn, and may move."""
