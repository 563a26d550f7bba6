"""Rolled battles: thousands of them at once, a lane each."""
