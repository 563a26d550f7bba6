"""What units are worth on several boards and missions together: random effects (DerSimonian and Laird 1986)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from aabalance.engine.arrays import Floats
from aabalance.pricing.board_fits import Fitted
from aabalance.pricing.inference import QUANTILE

APART = 0.05
"""Chance that some unit seems to vary more between boards than the others though none does."""


class Together(NamedTuple):
    """What all boards and missions together say of units.

    Attributes
    ----------
    mean, error : mapping of str to float
        Logarithm of the worth of each unit in prices, and its standard error.
    between : mapping of str to float
        Spread of it between boards and missions. All units share one, but for those with a far larger spread.
    apart : sequence of str
        Units with a spread of their own: what they are worth depends on board or mission.
    """

    mean: Mapping[str, float]
    error: Mapping[str, float]
    between: Mapping[str, float]
    apart: Sequence[str]


def together(fits: Sequence[Fitted]) -> Together:
    """Return what all boards and missions together say of each unit, by a model of random effects."""
    logs: dict[str, list[tuple[float, float]]] = {}
    for fit in sorted(fits, key=lambda fit: not fit.decided):
        for unit, mean, error in zip(fit.units, fit.estimate.mean, fit.estimate.error, strict=True):
            if fit.decided or unit not in logs:
                logs.setdefault(unit, []).append((float(mean), float(error)))
    found = {unit: np.array(one) for unit, one in logs.items()}
    excess = {
        unit: float(one[:, 0].var(ddof=1) - (one[:, 1] ** 2).mean()) for unit, one in found.items() if len(one) > 1
    }
    apart = [unit for unit in excess if _stands_apart(unit, found, excess)]
    alike = {unit: one for unit, one in found.items() if unit not in apart}
    between = _shared([more for unit, more in excess.items() if unit in alike])
    mean, error, wider = {}, {}, _wider(_free(alike))
    for unit, one in alike.items():
        weights = 1 / (one[:, 1] ** 2 + between * wider)
        mean[unit], error[unit] = float(weights @ one[:, 0] / weights.sum()), 1 / math.sqrt(weights.sum())
    for unit in apart:
        own = found[unit][:, 0]
        mean[unit] = float(own.mean())
        error[unit] = math.sqrt(own.var(ddof=1) / len(own) * _wider(len(own) - 1))
    spread = {unit: math.sqrt(max(0.0, excess[unit]) if unit in apart else between) for unit in found}
    return Together({unit: mean[unit] for unit in found}, error, spread, apart)


def _shared(excess: Sequence[float]) -> float:
    """Return the variance between boards that units share, from what each varies more than its errors say."""
    return max(0.0, float(np.mean(excess))) if excess else 0.0


def _free(found: Mapping[str, Floats]) -> int:
    """Return how many differences between boards are free: each board's units are together worth their prices."""
    times = [len(one) for one in found.values()]
    return sum(times) - len(times) - (max(times) - 1) if times else 0


def _stands_apart(unit: str, found: Mapping[str, Floats], excess: Mapping[str, float]) -> bool:
    """Return whether a unit varies more between boards than the others, by an F-test, 5 % for all units together."""
    from scipy.special import fdtrc

    own, others = found[unit], {other: one for other, one in found.items() if other != unit}
    usual = (own[:, 1] ** 2).mean() + _shared([more for other, more in excess.items() if other != unit])
    free = _free(others)
    return free > 0 and float(fdtrc(len(own) - 1, free, own[:, 0].var(ddof=1) / usual)) < APART / len(found)


def _wider(free: int) -> float:
    """Return what a variance from so few free differences counts for, as it may be larger: by Student's t."""
    from scipy.special import stdtrit

    return float(stdtrit(free, 0.95) / QUANTILE) ** 2 if free else 1.0
