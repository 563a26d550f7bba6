"""What a field of lists says of a roster: kinds of lists and who beats whom, and each unit's share beside its slope."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from aabalance.analysis.frames import tidy, with_ends
from aabalance.definitions.collections import FieldFile
from aabalance.engine.arrays import Floats, Ints
from aabalance.game import Game
from aabalance.lists.allowance import Allowance
from aabalance.lists.fields import field_of
from aabalance.lists.kinds import Archetype, archetypes, unit_shares, units_of
from aabalance.lists.metagame import cyclic_in_words, cyclic_share, resampled
from aabalance.lists.oracle import PAIR
from aabalance.lists.payoffs import Field, Payoffs, score_against
from aabalance.play.result import percent

NEAR, NEAR_BATTLES = 16, 384
"""Neighbours of each list of the field from which slopes are told, and the battles of each."""
FRESH = 20_000
"""Battles of a list of each kind against the field."""
MET = 8
"""Lists that have to have a unit, for a slope."""
RIDGE = 0.3
"""Sum of squared shares by which slopes are pulled towards 0: those of some ten lists."""
REDRAWN = 200
HALF_WIDTH = 1.96 * 0.5 / PAIR**0.5
STEP = 0.1
"""The part of a list's points that a slope is about."""


class Described(NamedTuple):
    """A field of lists in tables and in words.

    Attributes
    ----------
    said : list of str
        Sentences.
    kinds, map, units : DataFrame
        Tables ``metagame_kinds``, ``metagame_map`` and ``metagame_units``.
    """

    said: list[str]
    kinds: pd.DataFrame
    map: pd.DataFrame
    units: pd.DataFrame

    def written(self) -> dict[str, pd.DataFrame]:
        """Return the tables by name."""
        return {f"metagame_{name}": getattr(self, name) for name in ("kinds", "map", "units")}


def described(game: Game, file: FieldFile, seed: int = 0) -> Described:
    """Return what a field says; no list is searched for.

    Parameters
    ----------
    game : Game
        The game: a ruleset with its cards and variant.
    file : FieldFile
        The field.
    seed : int
        Seed of the dice.

    Raises
    ------
    UsageError, UnknownUnitError
        The game has no such battles, or lacks a unit of the field.
    """
    payoffs = Payoffs(game, actions=file.actions)
    mix, rng = field_of(payoffs, file), np.random.default_rng(seed)
    weights, matrix = np.array(mix.weights), payoffs.among(mix.lists, PAIR, seed)
    again = resampled(matrix, rng)
    kinds = archetypes(payoffs, mix.lists, weights, again)
    members = [list(one.members) for one in kinds]
    table = [[_met(matrix, weights, a, b) for b in members] for a in members]
    names = [one.name for one in kinds]
    scores = [score_against(payoffs, one.example, mix, seed, FRESH) for one in kinds]
    slopes = _slopes(Allowance(payoffs, file.points), mix, rng, seed)
    shares = units_of(payoffs, mix.lists, weights, again)
    units = shares[["unit", "name", "in_lists"]].assign(
        requisition=shares["unit"].map(dict(zip(payoffs.ids, payoffs.cost, strict=True))),
        **with_ends("requisition_share", (shares["share"], shares["low"], shares["high"])),
    )
    return Described(
        _sentences(file, kinds, table[0], cyclic_share(matrix), payoffs.terms),
        tidy(
            "metagame_kinds",
            [
                {
                    "archetype": one.name,
                    **with_ends("weight_of_kind", (one.share, one.low, one.high)),
                    "example": payoffs.text(one.example),
                    "example_requisition": float(payoffs.requisition(one.example)),
                    **with_ends("score_against_field", score),
                }
                for one, score in zip(kinds, scores, strict=True)
            ],
        ),
        tidy(
            "metagame_map",
            [
                {"archetype": a, "against_archetype": b, "score_of_kind": score}
                for a, row in zip(names, table, strict=True)
                for b, score in zip(names, row, strict=True)
            ],
        ),
        tidy("metagame_units", units.join(slopes, on="unit")),
    )


def _met(matrix: Floats, weights: Floats, a: Sequence[int], b: Sequence[int]) -> float:
    """Return what lists of a kind score against those of another."""
    return float(weights[a] @ matrix[np.ix_(a, b)] @ weights[b] / (weights[a].sum() * weights[b].sum()))


def _slopes(allowance: Allowance, mix: Field, rng: np.random.Generator, seed: int) -> pd.DataFrame:
    """Return by unit what a part of a list's points adds if it is spent on it: ridge regression on lists near the mix.

    Intervals are those of a bootstrap over the lists.
    """
    payoffs = allowance.payoffs
    near = (one for units in mix.lists for one in allowance.near(units, rng, NEAR))
    lists = list(dict.fromkeys([*mix.lists, *near]))
    score = payoffs.scores(lists, mix, NEAR_BATTLES, seed + 1)
    shares = unit_shares(payoffs, lists)
    some = np.flatnonzero((shares > 0).sum(axis=0) >= MET)

    def fit(rows: Ints) -> Floats:
        x, y = shares[np.ix_(rows, some)], score[rows]
        x = x - x.mean(axis=0)
        slope: Floats = np.linalg.solve(x.T @ x + RIDGE * np.eye(len(some)), x.T @ (y - y.mean()))
        return STEP * slope

    middle = fit(np.arange(len(lists)))
    drawn = np.array([fit(rng.integers(len(lists), size=len(lists))) for _ in range(REDRAWN)])
    low, high = np.quantile(drawn, [0.025, 0.975], axis=0)
    return pd.DataFrame(with_ends("share_slope", (middle, low, high)), [payoffs.ids[at] for at in some])


def _sentences(
    file: FieldFile, kinds: Sequence[Archetype], scores: Sequence[float], cyclic: float | None, terms: str
) -> list[str]:
    """Return what a field says, by its kinds, the first of which has these scores against all."""
    largest, worst, best = kinds[0], int(np.argmin(scores)), int(np.argmax(scores))
    lists = f"{len(file.lists)} lists of {file.points} points under {file.actions} actions a turn"
    return [
        f"{lists} are of {len(kinds)} kinds. {largest.name} has the largest share, {percent(largest.share)}.",
        f"It scores {percent(scores[best])} against {kinds[best].name} and {percent(scores[worst])} against "
        f"{kinds[worst].name}.",
        f"Each pair of lists fought {PAIR} battles: 95 % intervals of a kind's scores are {100 * HALF_WIDTH:.0f} "
        "points to either side at most.",
        cyclic_in_words(cyclic),
        "Not settled: other mixes may be as hard to beat. Kinds and shares are what searches agree on, and no unit "
        "without a share is proved useless. Movement, objectives, infantry and terrain are in none of this.",
        terms,
        *([f"Made by: {file.made}."] if file.made else ()),
    ]
