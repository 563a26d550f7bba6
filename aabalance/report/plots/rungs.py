"""Where a log axis is marked: at round numbers, a few at least and no more than have room."""

from __future__ import annotations

import math

from matplotlib.axis import Axis
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

FEW, MOST = 3, 9
ROUND = [m * 10.0**n for n in range(-6, 7) for m in (1, 2, 5)]


def mark(axis: Axis) -> None:
    """Mark a log axis at `rungs` within its limits."""
    axis.set_major_locator(FixedLocator(rungs(*sorted(axis.get_view_interval()))))
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axis.set_minor_locator(NullLocator())


def rungs(least: float, most: float) -> list[float]:
    """Return round numbers within two limits, `least` above 0.

    They are 1, 2, 5 and their tenfolds; only powers of ten where these are too many; and where they are too few, the
    multiples of the largest of them that has enough.
    """
    within = [rung for rung in ROUND if least <= rung <= most]
    if len(within) > MOST:
        return [rung for rung in ROUND[::3] if least <= rung <= most]
    if len(within) >= FEW:
        return within
    multiples = ([n * step for n in _whole(least / step, most / step)] for step in reversed(ROUND))
    return next((marks for marks in multiples if len(marks) >= FEW), within)


def _whole(least: float, most: float) -> range:
    return range(math.ceil(least), math.floor(most) + 1)
