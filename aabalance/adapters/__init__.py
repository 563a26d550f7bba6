"""Matches as other people's libraries want them, so that their algorithms play; each needs its extra."""
