"""`python -m benchmarks.list_builder`: how good a list a search of a million battles finds, on three fields.

It is compared with a search of twenty million battles. Both are scored on fresh dice. It takes some minutes.
"""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median

import numpy as np

from aabalance import Game
from aabalance.lists.allowance import Allowance
from aabalance.lists.fields import against
from aabalance.lists.payoffs import Field, Payoffs, score_against, scorer
from aabalance.lists.search import BATTLES, search
from benchmarks.matchups import SEED
from benchmarks.measure import Row, show

LONG, SEEDS, FRESH = 20 * BATTLES, 5, 100_000
RANDOM = 16
SINGLE = "su_kv1_41*3,su_t34_43"
LEAST = 0.97


def rows() -> Iterator[Row]:
    """Measure."""
    payoffs = Payoffs(Game())
    allowance, dice = Allowance(payoffs), np.random.default_rng(SEED)
    fields = {
        "the stated field": against(payoffs, allowance.points).field,
        f"{RANDOM} random lists": Field.of({allowance.random(dice): 1.0 for _ in range(RANDOM)}),
        "one list": Field((payoffs.units(SINGLE),), (1.0,)),
    }

    def found(field: Field, seed: int, battles: int) -> float:
        best = search(scorer(payoffs, field, seed), allowance, np.random.default_rng(seed), battles=battles)[0]
        return score_against(payoffs, best.units, field, SEED, FRESH).score

    for name, field in fields.items():
        scores = [found(field, seed, BATTLES) for seed in range(1, SEEDS + 1)]
        best = max(found(field, SEEDS + 1, LONG), *scores)
        for seed, score in enumerate(scores, 1):
            yield Row(f"list builder: score with seed {seed}", name, score, "0-1")
        yield Row("list builder: best score", name, best, "0-1")
        yield Row("list builder, v 20 times the battles", name, median(scores) / best, "x", least=LEAST)


if __name__ == "__main__":
    show(rows())
