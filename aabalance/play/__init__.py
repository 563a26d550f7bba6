"""A question and its result in one file: `shot`, `duel`, `battle`, `match`.

- `duel_trace`, `replay`, `replay_tables`: what happens in a duel and in a battle, beyond the outcome
- `match_question`: the question of a match; `match_played`: its matches, ready to be played; `match_counts`: what many
  matches come to
- `match_log`: one match with all that happened; `match_words`, `match_page`: the same in words, and as a page
- `match_tally`: what happened in some matches, decision by decision
- `policy`: a player that a designer writes in Python
- `result`: what all results share; `sample`: whether a fight is simulated, and how often
- `explanation`: why a result is what it is
"""
