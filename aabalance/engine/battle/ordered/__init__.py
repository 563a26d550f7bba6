"""Ordered battles: the units of both sides fall one after the other, in an order that is known. Results say `chain`.

Equal units always do. A unit that was hit is shot at until it falls, since what a strike is expected to take of a
target, as a share of what the target has left, never shrinks as less is left. Among units that were not hit, the first
one is shot at.

Both sides are lined up and armed (`sides`), what their turns may do is listed (`turns`), and the states are solved
(`payoffs`). Nothing is truncated.
"""
