"""One attack: two cards and a situation -> disruption points and suppression.

- `sheets`: what the attacker brings and what the target shows: their dice, and the modifiers that these come from
- `pools`: pools of D6 against target numbers, and one pool against another
- `resolve`: the two halves put together at a range; what fire does, explained

No die of an attack is rolled again. The rules have one reroll, of equal initiative: `initiative` in the room `battle`.
"""
