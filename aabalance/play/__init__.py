"""A question and its result in one file: `shot`, `duel`, `battle`.

- `duel_question`, `battle_question`: what is asked of a duel and of a battle, checked
- `duel_trace`, `replay`, `replay_tables`: what happens in a duel and in a battle, beyond the outcome
- `sample`: whether a fight is simulated, and how often
- `ground`: what units move on in a battle
- `result`, `explanation`: what all results share
"""
