"""Claims on balance: bands for numbers of units, matchups and battles, and whether the cards keep them.

`evidence` works out what claims need of a game, once for all of them; `baseline` reads and writes accepted numbers;
`cases` takes from both the numbers that one claim is about, a function for each kind of claim. `judge` reads a gate
with its game, and compares the numbers with the bands. Battles that are too large to be solved are rolled, and
matches played, by the test in `sequential`. `outputs` writes verdicts.
"""
