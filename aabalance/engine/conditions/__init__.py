"""Duels as Markov chains: units have conditions, and a turn leads from one pair of conditions to another."""
