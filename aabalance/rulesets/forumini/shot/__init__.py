"""One attack: two cards and a situation -> hit counters.

- `sheets`: what the attacker brings and what the target shows
- `rules`: the dice: successes, hits, counters, Cover Rolls, and what the casualty phase makes of counters
- `defensive`: Defensive Fire: who may fire at what moves, and what comes of it
- `resolve`: the two halves put together, in every form of attack; explained
"""
