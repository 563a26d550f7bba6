"""How surprising the results of games are among all that could have been; and what a log of games says, in words."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from aabalance.engine.arrays import Floats
from aabalance.engine.sampling import tail
from aabalance.errors import counted, listed
from aabalance.play.result import number_with_interval
from aabalance.pricing.board_fits import TARGET
from aabalance.pricing.inference import QUANTILE

SURPRISING = 0.05
"""Games with a p-value below this aren't as predicted."""
SEEN = 0.05
"""Luck below this isn't told."""
MOST_GAMES = 100_000
"""Largest number of games that is looked at for `games_needed`."""
TOLD = 5
"""Units that a sentence names at most."""
LOSS, DRAW, WIN = range(3)
MIDDLE = 0.025, 0.975
AT_ONCE = 1 + 1e-9
"""Chances, and distances, that differ by no more than this factor are alike."""


def exact_test(chances: Floats, which: Any) -> tuple[float, float, float]:
    """Return what one side scored, what was expected, and how likely a score is that is as far from that, or farther.

    Parameters
    ----------
    chances : array of float, shape (games, 3)
        That it loses, draws and wins.
    which : array of int, shape (games,)
        What it did.
    """
    masses = np.ones(1)
    for one in chances:
        masses = np.convolve(masses, one)
    scored, expected = float(which.sum()) / WIN, float((chances @ [0, 0.5, 1]).sum())
    away = np.abs(np.arange(len(masses)) / WIN - expected)
    return scored, expected, min(1.0, float(masses[AT_ONCE * away >= abs(scored - expected)].sum()))


class Verdict(NamedTuple):
    """What one side scored, what was expected, how likely a score as far from that is, and how sure that is.

    Attributes
    ----------
    low, high : float
        Interval of `p`: the simulated matches leave chances open.
    least : float
        The least `p` that any score could have had.
    """

    scored: float
    expected: float
    p: float
    low: float
    high: float
    least: float


def verdict(possible: Floats, which: Any) -> Verdict:
    """Return the verdict on results.

    Parameters
    ----------
    possible : array of float, shape (1 + draws, games, 3)
        The chances that the side loses, draws and wins; then others that are possible, too.
    which : array of int, shape (games,)
        What it did.
    """
    low, high = np.quantile([exact_test(chances, which)[2] for chances in possible[1:]], MIDDLE)
    least = min(exact_test(possible[0], np.full(len(which), end))[2] for end in (LOSS, WIN))
    return Verdict(*exact_test(possible[0], which), float(low), float(high), least)


def sentences(found: pd.DataFrame, sides: pd.DataFrame, units: pd.DataFrame, likeliest: Verdict) -> list[str]:
    """Return what the tables say.

    Parameters
    ----------
    found, sides, units : DataFrame
        The tables of a `Playtest`.
    likeliest : Verdict
        On the number of games that ended as was likeliest.
    """
    simulated = int(found["n"].iloc[0])
    few = f"by {simulated} simulated match{'es' * (simulated != 1)}"
    if likeliest.least >= SURPRISING:
        agree = "so few games can't show whether they are as predicted"
    elif likeliest.high < SURPRISING:
        agree = "so these games are not what is predicted, or the dice did something rare"
    elif likeliest.low < SURPRISING:
        between = f"{few} from {likeliest.low:.2g} to {likeliest.high:.2g}"
        agree = f"{between}, which can't tell whether these games are as predicted"
    else:
        agree = "so these games are as predicted, as far as this many tell"
    said = [
        f"{likeliest.scored:g} of {counted(len(found), 'game')} ended as was likeliest, where {likeliest.expected:.2f} "
        f"were expected: p = {likeliest.p:.2g}, {agree}."
    ]
    if odd := found[found["p_value_high"] < SURPRISING].to_dict("records"):
        some = ", ".join(f"{row['game']} (p = {row['p_value']:.2g})" for row in odd[:TOLD])
        least, anyway = min(odd, key=lambda row: row["p_value_high"]), "one in twenty is surprising anyway"
        if 1 < len(found) < SURPRISING / least["p_value_high"]:
            anyway = f"even as one of {len(found)}, game {least['game']} is rare"
        said.append(f"Surprising: {len(odd)} of them, such as game {some}; {anyway}.")
    rare, among = SURPRISING / max(len(sides), 1), f" for one of {len(sides)}" if len(sides) > 1 else ""
    for row in sides.to_dict("records"):
        luck, low, high = row["luck"], row["p_value_low"], row["p_value_high"]
        how = f"{'lucky, or better' if luck > 0 else 'unlucky, or worse'} than that, by {abs(luck):.2f}"
        how = f"{how if abs(luck) >= SEEN else 'neither lucky nor unlucky'} (p = {row['p_value']:.2g})"
        if high >= rare:
            how += f", {few} from {low:.2g} to {high:.2g}" if low < rare else f", which isn't unusual{among}"
        said.append(
            f"{row['player']} scored {row['scored']:g} of {counted(row['games'], 'game')}, {row['expected']:.2f} were "
            f"expected: {how}."
        )
    for alike in _alike([str(name) for name in sides.get("player", ())]):
        said.append(f"{listed(alike)} count as different players: give one person one spelling.")
    said.append(_moved(units))
    needed = float(units["games_needed"].median())
    many = f"about {float(f'{needed:.2g}'):,.0f}" if math.isfinite(needed) else f"over {MOST_GAMES:,}"
    takes = f"takes {many} game{'s' * (needed != 1)}, with lists that change: wins and losses teach little."
    if len(units) > 1:
        said.append(
            f"To know the worth of half of these units, compared with the others, to {100 * TARGET:g} % {takes}"
        )
    else:
        said.append("These games have only one unit, so they can't compare its worth with that of others.")
    return said


def _alike(names: Sequence[str]) -> list[list[str]]:
    """Return groups of names that differ only in capitals or spaces."""
    by_letters: dict[str, list[str]] = {}
    for name in names:
        by_letters.setdefault("".join(name.casefold().split()), []).append(name)
    return [alike for alike in by_letters.values() if len(alike) > 1]


def _moved(units: pd.DataFrame) -> str:
    """Return how far the games move the worth that they move most."""
    if units["prior"].isna().any():
        return "Nothing is known about worth before these games: no simulated match was decided."
    moved = units.to_dict("records")[int((units["worth"] / units["prior"] - 1).abs().argmax())]
    before, after = (math.log(moved[f"{column}_high"] / moved[column]) / QUANTILE for column in ("prior", "worth"))
    # Games take so much of what was uncertain, and by this variance they move the mean if all is as the model has it.
    usual = math.sqrt(max(before**2 - after**2, 0.0))
    sure = abs(math.log(moved["worth"] / moved["prior"])) > NormalDist().inv_cdf(tail(len(units))) * usual
    known, found_now = (_in_words(moved, column) for column in ("prior", "worth"))
    how_far = "more than chance would" if sure else "which may be chance"
    most = f"The games move the worth of {moved['name']} most, from {known} to {found_now}, {how_far}."
    return most if known != found_now else "The games move the worth of no unit."


def _in_words(row: Any, column: str) -> str:
    return number_with_interval(row[column], row[f"{column}_low"], row[f"{column}_high"])


def notes(found: pd.DataFrame, assumed: Sequence[str], player: str) -> list[str]:
    """Return what a reader should know of the log.

    Parameters
    ----------
    found : DataFrame
        Table ``playtest_games``.
    assumed : sequence of str
        The boards of the games that name none.
    player : str
        Who played the matches that predict.
    """
    uneven = (found["requisition_a"] - found["requisition_b"]).abs()
    said = [f"What was expected is what {player} on both sides comes to, which people may not."]
    if assumed:
        said.append(f"{counted(len(assumed), 'game')} without a board: assumed to be played on {assumed[0]}.")
    if n := int((uneven > 0).sum()):
        said.append(
            f"{counted(n, 'game')} with lists of unequal cost, by {uneven.max():g} at most; "
            "the predictions allow for that."
        )
    return said
