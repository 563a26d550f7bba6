"""A question and its result in one file: `shot`, `duel`, `battle`, `match`.

- `duel_trace`, `replay`, `replay_tables`: what happens in a duel and in a battle, beyond the outcome
- `match_question`: the question of a match, and its matches, ready to be played; `match_counts`: what many come to
- `match_log`: one match with all that happened, also in words; `match_page`: the same as a page
- `match_tally`: what happened in some matches, decision by decision
- `policy`: a player that a designer writes in Python
- `result`: what all results share; `sample`: whether a fight is simulated, and how often
- `explanation`: why a result is what it is
"""
