"""Claims on what is balanced: bands for units, matchups and battles, and whether the cards keep them.

`definition` is the grammar of a gate's file, `evidence` what is worked out of a game, once for all claims, `cases` the
numbers that a claim is about, `sequential` the test of what has to be rolled, and `judge` the verdicts.
"""
