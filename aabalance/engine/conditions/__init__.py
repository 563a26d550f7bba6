"""Condition duels: units have conditions, and a turn leads from one pair of conditions to another, a Markov chain."""
