"""Two cards and a situation -> the effect of an attack, with its steps.

In the order in which an attack goes through them:

- ``sheets``: what the attacker brings and what the target shows, which keywords and terrain change
- ``halves``: from a card and a situation to its half of an attack
- ``tables``: the natural rolls needed (range bands, penetration, HE hit dice, the reroll at advantage), and what a hit
  takes (high explosive, casualties, indirect fire at a target that moved)
- ``resolve``: from the two halves and a distance to the effect, with each step as it is decided
- ``choose``: the best attack of a unit, or the one that is asked for, explained
"""
