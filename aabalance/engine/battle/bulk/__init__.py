"""Battles of many pairs of lists, a few of each pair: what a roster's cards do to each other is looked up."""
