"""CPU time of scoring lists in bulk: compared with `Game.battle`, and by the number of opponents."""

from __future__ import annotations

import time

import numpy as np

from aabalance import Game
from aabalance.lists.allowance import Allowance
from aabalance.lists.payoffs import Field, Payoffs
from benchmarks.matchups import SEED
from benchmarks.measure import FULL, Effort, Row, interleaved, show

RANGE_IN = 18
"""Of the battles one by one: that of battles in bulk is drawn, and about as far in the mean."""
PAIR, SCORE = 200, 4000
"""Battles of a pair, and of a score against a field."""
OWN, OPPONENTS, LISTS = 2, 20, 150


def rows(effort: Effort) -> list[Row]:
    """Measure random lists of 300 points; a quick run leaves out all of them against each other."""
    payoffs = Payoffs(Game())
    allowance, dice = Allowance(payoffs), np.random.default_rng(SEED)
    lists = [allowance.random(dice) for _ in range(LISTS)]
    own, foes = lists[:OWN], lists[OWN : OWN + OPPONENTS]
    field = Field(tuple(foes), (1 / OPPONENTS,) * OPPONENTS)
    times = interleaved(
        {
            "battle": lambda: [_battle(payoffs, a, b) for a in own for b in foes],
            # One pair more than of the battles: both own lists meet, too.
            "pair": lambda: payoffs.among([*foes, *own], PAIR, SEED, np.zeros((OPPONENTS, OPPONENTS))),
            "field": lambda: payoffs.scores(own, field, SCORE, SEED),
            "one": lambda: [payoffs.scores(own, Field((foe,), (1.0,)), SCORE, SEED) for foe in foes],
        },
        effort.slow_rounds,
    )
    v_battle, score, alone = times["battle"] / times["pair"], times["field"] / OWN, times["one"] / (OWN * OPPONENTS)
    found = [
        Row(f"lists: a pair, {PAIR} battles, v Game.battle", "300 points", v_battle, "x", least=15),
        Row(f"lists: a score, {OPPONENTS} opponents v one", f"{SCORE} battles", score / alone, "x", most=1.3),
        Row("lists: a score", f"{SCORE} battles", score * 1e3, "ms"),
    ]
    if effort.full:
        start = time.process_time()
        payoffs.among(lists, PAIR, SEED)
        case = f"{LISTS} x {LISTS} x {PAIR} battles"
        found.append(Row("lists: all against each other", case, time.process_time() - start, "s"))
    return found


def _battle(payoffs: Payoffs, a: tuple[int, ...], b: tuple[int, ...]) -> None:
    at = {"range_in": RANGE_IN, "facing": "mix", "actions": payoffs.actions}
    payoffs.game.battle(payoffs.text(a), payoffs.text(b), simulate=PAIR, **at)


if __name__ == "__main__":
    show(rows(FULL))
