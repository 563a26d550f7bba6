"""The solver by states: every state that can be reached, and how the battle ends from it.

What is left of both sides, which guns have to reload or are prepared, and whose turn it is make up a state. A state has
one choice if the side to move follows a policy. If it follows none, the state has a choice for each strike that is
ready, and one more to stop; then states also differ by what the side has spent of its turn. `solve.reach` finds the
states and the transitions between them, in plain loops that also compile; `absorbing` or `best_reply` solves them.
"""
