"""A question and its result in one file: `shot`, `duel`, `battle`.

- `duel_trace`, `replay`, `replay_tables`: what happens in a duel and in a battle, beyond the outcome
- `result`: what all results share; whether a fight is simulated, and how often
- `explanation`: why a result is what it is
"""
