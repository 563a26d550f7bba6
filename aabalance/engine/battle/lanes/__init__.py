"""Battles that are rolled, thousands of lanes at once.

`rolls` makes the tables of a battle and calls the kernel, `hooks` says which functions it needs.
"""
