"""Turns rules into numbers: integer tables, an exact solver over them, and the only importer of numba."""
