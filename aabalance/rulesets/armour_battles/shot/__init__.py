"""One attack: from two cards and a situation to disruption points and suppression.

- `sheets`: the two halves of an attack: the dice of the attacker and of the target, and their modifiers
- `pools`: pools of D6 against target numbers, and one pool against another
- `resolve`: both halves put together at a range; what fire does, with the explanation

No die of an attack is rolled again.
"""
