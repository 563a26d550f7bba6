"""Worth on the board: found again in results that the model itself made, and as a prediction of other matches."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress

import numpy as np

from aabalance import Game, board_worth, worth
from aabalance.analysis.meetings import meeting, play
from aabalance.engine.arrays import Floats
from aabalance.errors import UsageError
from aabalance.pricing.board_matches import Drawer
from aabalance.pricing.inference import QUANTILE, Estimate, MatchResults, estimate
from benchmarks.measure import FULL, Effort, Row, show
from benchmarks.recovery import COVERED

SPREAD, SCALE, BUDGET = 0.25, 0.013, 300
"""Of the logarithms of worth, of the odds by a point, and the price of a list."""
SEAT, ZONE = 0.4, 0.1
BOARD = "small"


def simulated(seed: int, units: int, matches: int) -> tuple[Floats, MatchResults, Floats]:
    """Return prices, results that the model itself made, and the logarithms of worth in prices that made them."""
    rng = np.random.default_rng(seed)
    prices = np.exp(rng.uniform(np.log(15), np.log(250), units)).round()
    worths = prices * np.exp(rng.normal(0, SPREAD, units))
    drawer = Drawer(prices, BUDGET, rng)
    difference = np.zeros((matches, units))
    for row in difference:
        np.add.at(row, drawer.draw(), 1)
        np.add.at(row, drawer.draw(), -1)
    effects = rng.choice([-0.5, 0.5], (matches, 2))
    logits = effects @ [SEAT, ZONE] + SCALE * difference @ worths
    score = (rng.random(matches) < 1 / (1 + np.exp(-logits))).astype(float)
    return (
        prices,
        MatchResults(difference, score, effects, np.arange(matches)),
        np.log(worths / prices * prices.sum() / worths.sum()),
    )


def covered(found: Estimate, truth: Floats) -> float:
    """Return the share of 90 % intervals that have the true worth."""
    return float((np.abs(found.mean - truth) <= QUANTILE * found.error).mean())


def rows(effort: Effort) -> Iterator[Row]:
    """Measure; a quick run is too short for any promise, and plays no matches."""
    many = 2 * effort.rosters
    yield from recovered(40, 3000, many, 0.08, effort)
    if effort.full:
        yield from recovered(131, 30_000, many // 10, 0.065, effort)
        yield from predictions(200, 200, 20_000)


def recovered(units: int, matches: int, many: int, most: float, effort: Effort) -> Iterator[Row]:
    """Say how well the worth of units is found again.

    Parameters
    ----------
    units, matches : int
        Units, and matches between lists of them.
    many : int
        How often they are drawn.
    most : float
        What is promised of the median error.
    effort : Effort
    """
    errors, inside = [], []
    for seed in range(many):
        prices, results, truth = simulated(seed, units, matches)
        found = estimate(prices, results)
        errors.append(float(np.median(np.abs(np.exp(found.mean - truth) - 1))))
        inside.append(covered(found, truth))
    case, share = f"{many} x {units} units, {matches:,} matches", float(np.mean(inside))
    yield Row("worth on the board: median error", case, float(np.mean(errors)), "", most=most if effort.full else None)
    yield Row("worth on the board: 90 % intervals that cover", case, share, "0-1", *(COVERED if effort.full else ()))


def predictions(pairs: int, matches: int, to_value: int) -> Iterator[Row]:
    """Compare what predicts matches of fresh lists of equal requisition: worth on the board and on the line, and cost.

    Parameters
    ----------
    pairs, matches : int
        Pairs of lists, and matches of each.
    to_value : int
        Matches of other lists by which units are valued on the board.
    """
    game = Game()
    on_line = worth(game).set_index("unit")["worth"]
    on_board = board_worth(game, boards=[BOARD], matches=to_value).set_index("unit")
    units = [unit for unit in on_board.index if unit in on_line.index and math.isfinite(on_line[unit])]
    cost = on_board.loc[units, "requisition"].to_numpy(np.float64)
    known = {
        "worth on the board": on_board.loc[units, "worth"].to_numpy(np.float64),
        "worth on the line": on_line[units].to_numpy(np.float64),
        "printed cost": cost,
    }
    rng = np.random.default_rng(1)
    drawer = Drawer(cost, BUDGET, rng)
    lists, met = [], []
    while len(lists) < pairs:
        pair = drawer.draw(), drawer.draw()
        a, b = ([units[at] for at in side] for side in pair)
        if abs(cost[pair[0]].sum() - cost[pair[1]].sum()) > 0.02 * BUDGET:
            continue
        with suppress(UsageError):  # more units than a match takes
            met.append(meeting(game.match_question(a, b, board=BOARD), matches, 1))
            lists.append(pair)
    score = np.array([found["p_a"] + found["p_draw"] / 2 for found in play(game, met)])
    yield from compared(known, lists, score, f"{BOARD}, {pairs} pairs x {matches}, valued by {to_value}")


def compared(
    known: Mapping[str, Floats], lists: Sequence[tuple[Floats, Floats]], score: Floats, case: str
) -> Iterator[Row]:
    """Yield correlation and log loss of each prediction.

    Parameters
    ----------
    known : mapping of str to array of float, shape (units,)
        What units are worth.
    lists : sequence of (array, array)
        The units of both lists of each pair.
    score : array of float, shape (pairs,)
        What a scored.
    case : str
        What the rows are about.
    """
    for name, worths in known.items():
        ahead = np.array([worths[a].sum() - worths[b].sum() for a, b in lists])
        scales = np.geomspace(1e-4, 0.3, 60)  # each has the steepness that suits it best
        odds = np.logaddexp(0, scales[:, None] * ahead) - score * scales[:, None] * ahead
        correlation = float(np.corrcoef(ahead, score)[0, 1]) if ahead.any() else 0.0
        yield Row(f"{name}: correlation with scores", case, correlation, "")
        yield Row(f"{name}: log loss", case, float(odds.mean(axis=1).min()), "")
    share = score.clip(1e-12, 1 - 1e-12)
    yield Row(
        "log loss, were scores known", case, float(-(share * np.log(share) + (1 - share) * np.log1p(-share)).mean()), ""
    )


if __name__ == "__main__":
    show(rows(FULL))
