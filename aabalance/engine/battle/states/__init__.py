"""Battles by their states: every state that can be reached, the transitions between them, and how they are solved."""
