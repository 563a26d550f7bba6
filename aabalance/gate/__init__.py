"""Claims on balance: bands for numbers of units, matchups and battles, and whether the cards keep them.

`definition` is the schema of a gate's file, and `read` reads it. `evidence` works out what claims need of a game, once
for all of them; `cases` takes from it the numbers that one claim is about, a function for each kind of claim. `judge`
compares them with the claim's band. Battles that are too large to be solved are rolled by the test in `sequential`.
`accepted` reads and writes accepted numbers, `outputs` writes verdicts.
"""
