"""Matches: players, and the arena in which they meet. They know no rule."""
