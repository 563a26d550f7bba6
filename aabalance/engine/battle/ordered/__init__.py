"""Ordered battles: the units of each side fall one after the other, in an order that is known."""
