"""Whether a fight is simulated, how often, and what that says of its result."""

from __future__ import annotations

from collections.abc import Callable
from numbers import Real
from typing import Any, NamedTuple, cast

from aabalance.engine.outcome import BattleTally, Tally
from aabalance.errors import UsageError, shown, whole_number

MOST_TRIALS = 10**10
MOST_SEED = 2**64 - 1
LEAST_ERROR = 1e-5


class Sample(NamedTuple):
    """Whether a duel is rolled, and how.

    Attributes
    ----------
    trials : int or None
        How many duels are rolled in all.
    target_error : float or None
        In place of `trials`: duels are rolled until the interval of P(a wins) is this narrow to either side. If both
        are None, the duel is solved exactly.
    seed : int
        Seed of the dice.
    advance : callable
        Called with the number of duels rolled since the last call.
    """

    trials: int | None
    target_error: float | None
    seed: int
    advance: Callable[[int], None]

    def checked(self) -> Sample:
        """Return the sample with the number of trials at most, 0 to solve; see `most_trials` for errors."""
        seed = whole_number("seed", self.seed, 0, MOST_SEED)
        return self._replace(trials=most_trials(self.trials, self.target_error), seed=seed)


def most_trials(simulate: int | None, target_error: float | None) -> int:
    """Return how many duels are rolled at most; 0 if they are solved.

    Parameters
    ----------
    simulate : int or None
        The number that the user gives.
    target_error : float or None
        The half-width that the user gives.

    Raises
    ------
    UsageError
        Both are given, or either is out of range.
    """
    if simulate is not None and target_error is not None:
        raise UsageError("simulate and target_error: found both, expected one")
    if simulate is not None:
        return whole_number("simulate", simulate, 1, MOST_TRIALS)
    if target_error is None:
        return 0
    given: object = target_error
    if not (isinstance(given, Real) and LEAST_ERROR <= cast("float", given) < 1):
        expected = f"expected a half-width from {LEAST_ERROR} to below 1"
        raise UsageError(f"target_error: found {shown(given)}, {expected}")
    from aabalance.engine import sampling

    return sampling.most_trials(target_error)


def simulated(counts: Tally[int] | BattleTally, seed: int) -> dict[str, Any]:
    """Return a result's fields on a simulation: engine, trials, seed and Wilson's intervals.

    Parameters
    ----------
    counts : Tally or BattleTally
        Counts of all trials, as a sees them.
    seed : int
        Seed of the dice.
    """
    from aabalance.engine import sampling

    ends = {"p_a_ci": counts.wins_a, "p_b_ci": counts.wins_b, "p_draw_ci": counts.draws}
    intervals = {name: sampling.wilson(number, counts.trials) for name, number in ends.items()}
    return {"engine": "monte_carlo", "trials": counts.trials, "seed": seed, **intervals}
