"""The result of one attack."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from aabalance.results.base import Result, chance, distance, percent
from aabalance.results.explanation import Explanation
from aabalance.rulesets.base import Step


@dataclass(frozen=True, repr=False)
class ShotResult(Result):
    """One attack, resolved exactly.

    Attributes
    ----------
    attacker, target, weapon : str
        Names as on the cards.
    range_in : float
    length : str
        What the distance is counted in: ``"`` for inches.
    situation : str
        The rest of it in words, the facing first if the game has one.
    attempts : int
        Dice sequences in the attack.
    needs : dict of str to (int or None)
        Natural rolls needed; see `need`.
    damage : dict of int to float
        Probability of each amount taken from the target.
    p_damage, p_kill : float
        Chance of any effect, and of destroying a fresh target.
    expected_damage : float
        In what the game counts: hit points, men of a squad, hits, counters.
    engine : str
        ``"exact"``.
    steps : tuple of Step
    """

    attacker: str
    target: str
    weapon: str
    range_in: float
    length: str
    situation: str
    attempts: int
    needs: Mapping[str, int | None]
    damage: Mapping[int, float]
    p_damage: float
    expected_damage: float
    p_kill: float
    steps: tuple[Step, ...] = field(compare=False)
    engine: str = "exact"

    @property
    def need(self) -> int | None:
        """Natural roll of the one die; None if no roll succeeds, or if there isn't one such die (see `needs`)."""
        return self.needs.get("need")

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain values; keys of `damage` are text, as JSON wants them."""
        return {
            "attacker": self.attacker,
            "target": self.target,
            "weapon": self.weapon,
            "range_in": self.range_in,
            "situation": self.situation,
            "attempts": self.attempts,
            **self.needs,
            "p_damage": self.p_damage,
            "damage": {str(amount): p for amount, p in self.damage.items()},
            "expected_damage": self.expected_damage,
            "p_kill": self.p_kill,
            "engine": self.engine,
        }

    def explain(self) -> Explanation:
        """Return the steps to the result, one a line, each with its rulebook section."""
        head = self._head()
        widths = [max((len(step[column]) for step in self.steps), default=0) for column in (0, 1)]
        lines = [f"  {s.label:<{widths[0]}}  {s.value:<{widths[1]}}  {s.rule}" for s in self.steps]
        tail = (
            f"=> damage {percent(self.p_damage)} of attacks, {self.expected_damage:.2f} expected, "
            f"{percent(self.p_kill)} destroyed by one attack"
        )
        return Explanation("\n".join([head, *lines, f"  {tail}"]), head, ("step", "value", "rule"), self.steps, tail)

    def _head(self) -> str:
        where = filter(None, (distance(self.range_in, self.length), self.situation))
        return f"{self.attacker} -> {self.target}, {', '.join(where)}"

    def _lines(self) -> list[tuple[str, str]]:
        needs = [(name, "impossible" if value is None else f"{value}+") for name, value in self.needs.items()]
        return [
            ("shot", self._head()),
            ("weapon", self.weapon + (f", {self.attempts} sequences" if self.attempts > 1 else "")),
            *needs,
            ("p_damage", chance(self.p_damage)),
            ("expected_damage", f"{self.expected_damage:.3f}"),
            ("p_kill", chance(self.p_kill)),
            ("engine", self.engine),
        ]
