"""Fair prices under conditions that they weren't found under: ``python -m benchmarks.held_out``, a few minutes.

Prices come from some of the limits of actions, or from every second distance, and are scored under the others, over the
units above the floor. Beside each, how much of the first formula's error is gone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
import pandas as pd

from aabalance import Game
from aabalance.definitions.tables import LIMITS, Tuning
from aabalance.pricing.fair_prices import bounds_of, fair, par_weights, residuals
from aabalance.pricing.roster import Roster
from benchmarks.measure import Row, show

FIRST = Path(__file__).resolve().parents[1] / "reports" / "baseline" / "armored_advance" / "first_requisition.csv"
ONE_HALF, OTHER_HALF = ("6", "18", "30"), ("12", "24", "36")
MOST = 0.02
LEAST = 0.9


def rosters(
    game: Game, limits: tuple[int, ...] = LIMITS, ranges: Mapping[str, float] | None = None
) -> tuple[Roster, Tuning]:
    """Return the roster under some limits and distances, and the standard tuning."""
    tuning, situations = game.tuning, game.definition.situations
    if ranges is not None:
        situations = {**situations, "range_in": ranges}
    return Roster(game, tuning=tuning.model_copy(update={"limits": limits}), situations=situations), tuning


def thirds(ranges: tuple[str, ...]) -> dict[str, float]:
    """Return even shares of three distances, in hundredths: a share of a third has too many parts to be drawn."""
    return dict(zip(ranges, (0.33, 0.34, 0.33), strict=True))


def by_share(game: Game, ranges: tuple[str, ...]) -> dict[str, float]:
    """Return distances with the shares that the standard situations give them, scaled to sum to 1."""
    shares = {value: game.definition.situations["range_in"][value] for value in ranges}
    return {value: share / sum(shares.values()) for value, share in shares.items()}


def held_out(what: str, found_on: tuple[Roster, Tuning], scored_on: tuple[Roster, Tuning], game: Game) -> Iterator[Row]:
    """Say how far from level prices of one roster are under the conditions of another."""
    (first, tuning), (other, _) = found_on, scored_on
    bounds, _ = bounds_of(game, first, tuning, None)
    prices = fair(first, bounds)
    free = (bounds.low < bounds.high) & ~((prices.held < 0) & (prices.prices <= tuning.least))
    judged = free | bounds.sets
    even = par_weights(other, judged)
    before = pd.read_csv(FIRST, comment="#").set_index("unit")["requisition"].reindex(other.units).to_numpy(dtype=float)
    now, then = (residuals(other, at, judged, even) for at in (prices.prices, before))
    off = np.where(judged, np.abs(now.margins), 0)
    furthest = other.units[int(off.argmax())]
    rest = float(np.sqrt(np.mean(off[judged & (off < off.max())] ** 2)))
    yield Row("held out: off", what, now.rms, "", most=MOST)
    yield Row(f"held out: off, without {furthest}", what, rest, "")
    yield Row("held out: gone of the first formula's error", what, 1 - now.rms / then.rms, "0-1", least=LEAST)


def rows() -> Iterator[Row]:
    """Measure prices under conditions that they weren't found under; each time `MOST` and `LEAST` are promised."""
    game = Game()
    yield from held_out("limits 3 and 8, scored at 5", rosters(game, (3, 8)), rosters(game, (5,)), game)
    for shares, of in (("a third each", thirds), ("shares as they are", lambda ranges: by_share(game, ranges))):
        one, other = rosters(game, ranges=of(ONE_HALF)), rosters(game, ranges=of(OTHER_HALF))
        yield from held_out(f"{', '.join(ONE_HALF)} inches, scored at the rest, {shares}", one, other, game)
        yield from held_out(f"{', '.join(OTHER_HALF)} inches, scored at the rest, {shares}", other, one, game)


if __name__ == "__main__":
    show(rows())
