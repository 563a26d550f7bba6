"""What games answer with: results with a plain repr, a small table for notebooks, plain values and a frame."""

from __future__ import annotations

import html
import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from aabalance.rulesets.base import Step

if TYPE_CHECKING:
    import pandas as pd
    from pydantic import BaseModel


FACES = ("facing", "own_facing")
"""Fields of a situation, in games that have faces: what the target shows, and what the attacker does."""


def words(circumstances: BaseModel, *, faces: bool = True) -> str:
    """Return a situation or a moment without its distance in words: the facing if there is one, what is not as usual.

    Without `faces`, nothing is said of either unit's.
    """
    said = []
    for name, declared in type(circumstances).model_fields.items():
        value = getattr(circumstances, name)
        if name in FACES and not faces:
            continue
        if name == "facing":
            said.append(str(value))
        elif name != "range_in" and value != declared.default:
            said.append(name if value is True else f"{name}={value}")
    return ", ".join(said)


def distance(range_in: float, length: str) -> str:
    """Return a distance in words, one hex of them without the s."""
    return f"{range_in:g}{length.removesuffix('s') if range_in == 1 else length}"


class _Result(ABC):
    """What all results share: a frame and a small table for notebooks, both from `to_dict`."""

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain values, as the command line's ``--json`` prints it."""

    @abstractmethod
    def _lines(self) -> list[tuple[str, str]]:
        """Return what the repr says, a name and a value a line."""

    def to_frame(self) -> pd.DataFrame:
        """Return the result as a DataFrame of one row."""
        import pandas as pd

        return pd.DataFrame([self.to_dict()])

    def __repr__(self) -> str:
        lines = self._lines()
        width = max(len(name) for name, _ in lines)
        return "\n".join(f"{name:<{width}}  {value}" for name, value in lines)

    def _repr_html_(self) -> str:
        left = "style='text-align:left'"
        rows = "".join(
            f"<tr><th {left}>{html.escape(name)}</th><td {left}>{html.escape(value)}</td></tr>"
            for name, value in self._lines()
        )
        return f"<table>{rows}</table>"


@dataclass(frozen=True, repr=False)
class ShotResult(_Result):
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

    def explain(self) -> str:
        """Return the steps to the result, one a line, each with its rulebook section."""
        head = self._head()
        widths = [max((len(step[column]) for step in self.steps), default=0) for column in (0, 1)]
        lines = [f"  {s.label:<{widths[0]}}  {s.value:<{widths[1]}}  {s.rule}" for s in self.steps]
        tail = (
            f"  => damage {percent(self.p_damage)} of attacks, {self.expected_damage:.2f} expected, "
            f"{percent(self.p_kill)} destroyed by one attack"
        )
        return "\n".join([head, *lines, tail])

    def _head(self) -> str:
        where = filter(None, (distance(self.range_in, self.length), self.situation))
        return f"{self.attacker} -> {self.target}, {', '.join(where)}"

    def _lines(self) -> list[tuple[str, str]]:
        needs = [(name, "impossible" if value is None else f"{value}+") for name, value in self.needs.items()]
        return [
            ("shot", self._head()),
            ("weapon", self.weapon + (f", {self.attempts} sequences" if self.attempts > 1 else "")),
            *needs,
            ("p_damage", _chance(self.p_damage)),
            ("expected_damage", f"{self.expected_damage:.3f}"),
            ("p_kill", _chance(self.p_kill)),
            ("engine", self.engine),
        ]


Interval = tuple[float, float]


@dataclass(frozen=True, repr=False)
class DuelResult(_Result):
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
        """Return the result as plain values; those of a simulation only if it was one."""
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
            name: _chance(p, sum(max(other, 0) for others, other in chances.items() if others != name))
            for name, p in chances.items()
        }
        lines = [
            ("duel", f"{self.a} v {self.b}, {where}, first: {first}, {limit}"),
            ("postures", f"{self.posture_a} v {self.posture_b}"),
            *((name, _with_interval(text, getattr(self, f"{name}_ci", None))) for name, text in said.items()),
            ("player_turns", turns),
        ]
        if self.p_a_moving_first is not None and self.p_a_moving_second is not None:
            lines.append(
                ("p_a moving first / second", f"{_chance(self.p_a_moving_first)} / {_chance(self.p_a_moving_second)}")
            )
        how = self.engine if self.trials is None else f"{self.engine}, {self.trials} trials, seed {self.seed}"
        return [*lines, ("engine", how)]


@dataclass(frozen=True, repr=False)
class BattleResult(_Result):
    """A battle of two lists, solved exactly or simulated.

    Attributes
    ----------
    a, b : str
        Lists in words.
    range_in, length, situation
        As in `DuelResult`.
    actions : (int, int)
        Limits of a and of b.
    mode : str
    rounds : int or None
        Turn limit, turns of each side.
    first : {"a", "b", "roll_off"}
    policy_a, policy_b, posture_a, posture_b : str
    p_a, p_b, p_draw : float
    player_turns : float or None
        Expected number of player turns, both sides counted, the last included; None if there may be no end.
    value_a, value_b : float
        Expected requisition of the units left at the end.
    p_a_moving_first, p_a_moving_second : float or None
        What the first turn is worth; None if only one order was asked for.
    first_mover_advantage : float or None
        Half of what a's score, P(win) + P(draw) / 2, is more if it moves first than if b does; None likewise.
    engine : {"exact", "monte_carlo"}
    solver : str
        The form of the exact solution, or why there is none; empty if it wasn't asked for.
    trials, seed : int or None
        Of a simulation.
    p_a_ci, p_b_ci, p_draw_ci : (float, float) or None
        Wilson intervals at 95 % of a simulation.
    """

    a: str
    b: str
    range_in: float
    length: str
    situation: str
    actions: tuple[int, int]
    mode: str
    rounds: int | None
    first: str
    policy_a: str
    policy_b: str
    posture_a: str
    posture_b: str
    p_a: float
    p_b: float
    p_draw: float
    player_turns: float | None
    value_a: float
    value_b: float
    p_a_moving_first: float | None
    p_a_moving_second: float | None
    first_mover_advantage: float | None
    engine: str
    solver: str = ""
    trials: int | None = None
    seed: int | None = None
    p_a_ci: Interval | None = None
    p_b_ci: Interval | None = None
    p_draw_ci: Interval | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain values; those of a simulation only if it was one."""
        left_out = {"length", *(SIMULATED if self.engine == "exact" else ())}
        return {name: getattr(self, name) for name in self.__dataclass_fields__ if name not in left_out}

    def _lines(self) -> list[tuple[str, str]]:
        where = ", ".join(filter(None, (distance(self.range_in, self.length), self.situation)))
        limits = "/".join(map(str, dict.fromkeys(self.actions)))
        limit = "" if self.rounds is None else f", {self.rounds} round{'s' * (self.rounds != 1)}"
        chances = {"p_a": self.p_a, "p_b": self.p_b, "p_draw": self.p_draw}
        lines = [
            ("battle", f"{self.a} v {self.b}, {where}, first: {self.first}"),
            ("mode", f"{self.mode}{limit}, {limits} action{'s' * (limits != '1')} a turn"),
            ("policies", f"{self.policy_a} v {self.policy_b}"),
            ("postures", f"{self.posture_a} v {self.posture_b}"),
            *(
                (name, _with_interval(_chance(p, max(sum(chances.values()) - p, 0)), getattr(self, f"{name}_ci")))
                for name, p in chances.items()
            ),
            ("player_turns", "without end" if self.player_turns is None else f"{self.player_turns:.2f}"),
            ("value_a / value_b", f"{self.value_a:.1f} / {self.value_b:.1f}"),
        ]
        if self.p_a_moving_first is not None and self.p_a_moving_second is not None:
            lines.append(
                ("p_a moving first / second", f"{_chance(self.p_a_moving_first)} / {_chance(self.p_a_moving_second)}")
            )
        rolled = "" if self.trials is None else f"{self.trials} trials, seed {self.seed}"
        return [*lines, ("engine", ", ".join(filter(None, (self.engine, rolled, self.solver))))]


SIMULATED = ("trials", "seed", "p_a_ci", "p_b_ci", "p_draw_ci")
ROUNDING = 1e-12
"""What adding up many products may lose of an exact 1."""
EVEN = 0.5
LEAST_CHANCE, LEAST_SHARE = 0.00005, 0.0005
"""What four places, and one of percent, still show."""


def _with_interval(p: str, interval: Interval | None) -> str:
    return p if interval is None else f"{p} [{_chance(interval[0])}, {_chance(interval[1])}]"


def _chance(p: float, rest: float | None = None) -> str:
    """Return a chance to four places, in which rarely is not never and nearly always not always.

    `rest`, the chance of all else where that is known, tells a certainty whose last bits are rounded off.
    """
    if p < EVEN:
        return "<0.0001" if 0 < p < LEAST_CHANCE else f"{max(p, 0) + 0.0:.4f}"
    return ">0.9999" if 0 < (short_of_certain(p) if rest is None else rest) < LEAST_CHANCE else f"{p:.4f}"


def percent(share: float) -> str:
    """Return a share in percent; a trace of something never reads as nothing, nor nearly all as all."""
    if math.isnan(share):
        return "–"
    if -ROUNDING < share <= 0:
        return "0.0 %"
    if abs(share) < LEAST_SHARE:
        return "<0.1 %" if share > 0 else ">-0.1 %"
    if 0 < short_of_certain(share) < LEAST_SHARE:
        return ">99.9 %"
    return f"{100 * share:.1f} %"


def short_of_certain(p: float) -> float:
    """Return how much a chance lacks of 1, nothing where rounding accounts for it."""
    return 0.0 if abs(1 - p) < ROUNDING else 1 - p
