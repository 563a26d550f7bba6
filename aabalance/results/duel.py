"""The result of a duel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from aabalance.results.base import SIMULATED, Interval, Result, by_first_turn, chance, distance, with_interval


@dataclass(frozen=True, repr=False)
class DuelResult(Result):
    """A duel of two units, solved exactly or simulated.

    Attributes
    ----------
    a, b : str
        Names as on the cards.
    range_in : float
    length : str
        What the distance is counted in.
    situation : str
        The rest of it in words, seen from a.
    first : {"a", "b", "roll_off"}
    rounds : int or None
        Turn limit, turns of each side.
    posture_a, posture_b : str
    p_a, p_b, p_draw : float
        Chances that only a is left, only b, or both when the limit is reached or neither can destroy the other.
    p_both_destroyed : float or None
        Chance that none is left; None in games whose units never strike at the same time.
    player_turns : float or None
        Expected number of player turns, both sides counted, the last included; None if there may be no end.
    p_a_moving_first, p_a_moving_second : float or None
        What the first turn is worth; None if only one order was simulated.
    engine : {"exact", "monte_carlo"}
    trials, seed : int or None
        Of a simulation.
    p_a_ci, p_b_ci, p_draw_ci : (float, float) or None
        Wilson intervals at 95 % of a simulation.

    Examples
    --------
    >>> import aabalance as aab
    >>> duel = aab.Game().duel("us_m4a3_75w", "de_stug3g", range_in=24)
    >>> [round(p, 3) for p in (duel.p_a, duel.p_a_moving_first, duel.p_a_moving_second)], duel.engine
    ([0.737, 0.798, 0.676], 'exact')
    """

    a: str
    b: str
    range_in: float
    length: str
    situation: str
    first: str
    rounds: int | None
    posture_a: str
    posture_b: str
    p_a: float
    p_b: float
    p_draw: float
    player_turns: float | None
    p_a_moving_first: float | None
    p_a_moving_second: float | None
    engine: str
    p_both_destroyed: float | None = None
    trials: int | None = None
    seed: int | None = None
    p_a_ci: Interval | None = None
    p_b_ci: Interval | None = None
    p_draw_ci: Interval | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain values; those of a simulation only if it was one.

        Examples
        --------
        >>> import aabalance as aab
        >>> duel = aab.Game().duel("us_m4a3_75w", "de_stug3g", range_in=18, simulate=1000, seed=7)
        >>> {name: duel.to_dict()[name] for name in ("p_a", "engine", "trials", "seed")}
        {'p_a': 0.532, 'engine': 'monte_carlo', 'trials': 1000, 'seed': 7}
        """
        values = {name: getattr(self, name) for name in self.__dataclass_fields__ if name != "length"}
        if self.p_both_destroyed is None:
            del values["p_both_destroyed"]
        if self.engine == "exact":
            return {name: value for name, value in values.items() if name not in SIMULATED}
        return values

    def _lines(self) -> list[tuple[str, str]]:
        limit = "to the end" if self.rounds is None else f"{self.rounds} round{'s' * (self.rounds != 1)}"
        first = "both at once" if self.p_both_destroyed is not None else self.first
        where = ", ".join(filter(None, (distance(self.range_in, self.length), self.situation)))
        turns = "without end" if self.player_turns is None else f"{self.player_turns:.2f}"
        chances = {"p_a": self.p_a, "p_b": self.p_b, "p_draw": self.p_draw}
        if self.p_both_destroyed is not None:
            chances["p_both_destroyed"] = self.p_both_destroyed
        said = {
            name: chance(p, sum(max(other, 0) for others, other in chances.items() if others != name))
            for name, p in chances.items()
        }
        lines = [
            ("duel", f"{self.a} v {self.b}, {where}, first: {first}, {limit}"),
            ("postures", f"{self.posture_a} v {self.posture_b}"),
            *((name, with_interval(text, getattr(self, f"{name}_ci", None))) for name, text in said.items()),
            ("player_turns", turns),
            *by_first_turn(self.p_a_moving_first, self.p_a_moving_second),
        ]
        how = self.engine if self.trials is None else f"{self.engine}, {self.trials} trials, seed {self.seed}"
        return [*lines, ("engine", how)]
