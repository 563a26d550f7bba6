"""One attack: from two cards and a situation to the target's hit counters.

- `sheets`: the two halves of an attack, the attacker's and the target's
- `rules`: the dice: successes, hits, counters, Cover Rolls, and what the casualty phase does with counters
- `defensive`: Defensive Fire: who may fire at a unit that moves, and with which chance that stops it
- `resolve`: both halves put together, for every form of attack, with the explanation
"""
