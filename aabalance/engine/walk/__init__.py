"""Duels as walks: units lose toughness, turn by turn, and may move."""
