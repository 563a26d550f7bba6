"""Where the guns of a whole roster have their steps: what a point of penetration more does, in one pass."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from aabalance.analysis import cells
from aabalance.analysis.frames import tidy
from aabalance.analysis.situations import Situations
from aabalance.game import Game
from aabalance.jobs import sweeps
from aabalance.pricing.points import penetration_of

POINTS = 3
SAME = 1e-12
"""Two effects that rounding tells apart."""


def penetration_of_all(game: Game, situations: Situations) -> pd.DataFrame:
    """Return how many opponents a point more of penetration makes a difference to, unit by unit.

    `aabalance.penetration_steps` asks the same of one unit, at all distances. Here attacks are made at the distance
    that counts most.

    Parameters
    ----------
    game : Game
        The game: a ruleset with its cards and variant.
    situations : Situations
        The distance is that of largest weight; faces and all other fields are those of its situations there.

    Returns
    -------
    DataFrame
        A row for each unit whose penetration the game's `Roster.increments` raises, and each point. ``more_against``
        counts the opponents against which an attack is expected to do more than with a point less. A unit alone has no
        rows.
    """
    guns = {unit: gun for unit in game.cards if (gun := penetration_of(game, unit)) is not None}
    if not guns or len(game.cards) < 2:
        return tidy("penetration_steps", {})
    by_range: dict[float, float] = {}
    for moment, weight in zip(situations.moments, situations.weights, strict=True):
        by_range[moment.range_in] = by_range.get(moment.range_in, 0.0) + weight
    usual = max(by_range, key=lambda at: by_range[at])
    moments = [moment for moment in situations.moments if moment.range_in == usual]
    place = {unit: at for at, unit in enumerate(game.cards)}
    others = np.array([[at != place[unit] for at in range(len(place))] for unit in guns])
    targets = list(game.cards.values())

    terms = cells.Terms(game.ruleset.name, game.variant, tuple(moments))

    def done(of: Game) -> Any:
        answers = sweeps.answer(cells.ask(of, terms, list(guns), list(game.cards), against=game))
        shape = len(guns), len(targets), len(terms.columns), len(moments)
        return answers.numbers().reshape(shape)[:, :, terms.columns.index("expected_damage")]

    before, rows = done(game), []
    for more in range(1, POINTS + 1):
        changes = [f"{unit}.{field}={now + more}" for unit, (field, now) in guns.items()]
        after = done(game.with_(changes=changes))
        gains = ((after > before + SAME).any(axis=2) & others).sum(axis=1)
        harmless = ((after == 0).all(axis=2) & others).sum(axis=1)
        rows += [
            {
                "unit": unit,
                "what_if": f"{field}={now + more}",
                "expected_damage": float(after[at][others[at]].mean()),
                "more_against": int(gains[at]),
                "harmless_to": int(harmless[at]),
            }
            for at, (unit, (field, now)) in enumerate(guns.items())
        ]
        before = after
    return tidy("penetration_steps", rows)
