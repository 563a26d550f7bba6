"""Whether a fight is simulated, and how often."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from numbers import Real
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast

from aabalance.engine import outcome
from aabalance.engine.outcome import BattleTally, Tally
from aabalance.errors import UsageError, shown, whole_number
from aabalance.play.result import BY_ORDER, SIDES, AnyEnd, Interval

if TYPE_CHECKING:
    from aabalance.engine.sampling import Run

MOST_TRIALS = 10**10
MOST_SEED = 2**64 - 1
LEAST_ERROR = 1e-5

AnyCounts = TypeVar("AnyCounts", Tally[int], BattleTally)


class Sample(NamedTuple):
    """Whether a fight is simulated, and how.

    Attributes
    ----------
    trials : int or None
        How many fights are simulated in all.
    target_error : float or None
        In place of `trials`: fights are simulated until the interval of P(a wins) is this narrow to either side. If
        both are None, the fight is solved exactly.
    seed : int
        Seed of the dice.
    advance : callable
        Called with the number of fights simulated since the last call.
    """

    trials: int | None
    target_error: float | None
    seed: int
    advance: Callable[[int], None]

    def checked(self) -> Sample:
        """Return the sample with the number of trials at most, 0 to solve; see `most_trials` for errors."""
        seed = whole_number("seed", self.seed, 0, MOST_SEED)
        return self._replace(trials=most_trials(self.trials, self.target_error), seed=seed)


def check_half_width(target_error: object, least: float, below: float) -> None:
    """Refuse a `target_error` that is no half-width from `least` to below `below`."""
    if not (isinstance(target_error, Real) and least <= cast("float", target_error) < below):
        expected = f"expected a half-width from {least} to below {below}"
        raise UsageError(f"target_error: found {shown(target_error)}, {expected}")


def most_trials(simulate: int | None, target_error: float | None) -> int:
    """Return how many fights are simulated at most; 0 if they are solved.

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
    check_half_width(target_error, LEAST_ERROR, 1)
    from aabalance.engine import sampling

    return sampling.most_trials(target_error)


def simulated(
    runs: Mapping[str, Run[AnyCounts]], sample: Sample, shares: Callable[[AnyCounts], AnyEnd]
) -> tuple[dict[str, AnyEnd], AnyCounts, dict[str, Any]]:
    """Simulate a fight.

    Parameters
    ----------
    runs : mapping of {"a", "b"} to Run
        The fight, by who moves first.
    sample : Sample
        How often it is simulated.
    shares : callable
        Takes counts, returns an outcome.

    Returns
    -------
    outcomes : dict of {"a", "b"} to outcome
        As a sees them, by who moves first.
    counts : tally
        Counts of all trials, of both orders of first turn together.
    how : dict
        The result's fields about the simulation, with its intervals.
    """
    from aabalance.engine import sampling

    counts = sampling.estimate(runs, sample.trials or 0, sample.target_error, sample.advance)
    seen = {who: outcome.seen_by_a(who, count) for who, count in counts.items() if count.trials}
    both = outcome.total(seen.values())
    how: dict[str, Any] = {"engine": "monte_carlo", "trials": both.trials, "seed": sample.seed}
    ends = {"p_a": (both.wins_a, both), "p_b": (both.wins_b, both), "p_draw": (both.draws, both)}
    ends |= {name: (seen[who].wins_a, seen[who]) for who, name in zip(SIDES, BY_ORDER, strict=True) if who in seen}
    how |= {f"{name}_ci": sampling.wilson(number, of.trials) for name, (number, of) in ends.items()}
    if shares(both).player_turns < math.inf:
        how["player_turns_ci"] = sampling.student(both.player_turns, both.squares, both.trials)
    if len(seen) == len(SIDES):
        how["first_turn_gap_ci"] = sampling.newcombe(*(_score(seen[who]) for who in SIDES))[1]
    return {who: shares(count) for who, count in seen.items()}, both, how


def _score(counts: AnyCounts) -> tuple[float, Interval]:
    """Return a's score, nobody's win being half a win, with its interval."""
    from aabalance.engine import sampling

    return sampling.share(counts.wins_a + (counts.draws + counts.both) / 2, counts.trials)
