"""What all results share, and how they put numbers into words."""

from __future__ import annotations

import html
import math
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    import pandas as pd
    from pydantic import BaseModel


SIDES = ("a", "b")
"""The two sides of a duel or a battle."""
First = Literal["a", "b", "roll_off"]
FIRSTS = (*SIDES, "roll_off")
"""Who may have the first turn."""
FACES = ("facing", "own_facing")
"""Fields of a situation in games that have faces: the face that the target shows, and the attacker's own."""


def words(circumstances: BaseModel, *, faces: bool = True) -> str:
    """Return a situation or a moment in words: the facing, if there is one, and all fields that have no default value.

    The distance is left out; without `faces`, so are the faces of both units.
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
    """Return a distance in words; `length` is the plural, which loses its ending after 1: ``1 hex``."""
    one = length.removesuffix("es" if length.endswith("xes") else "s")
    return f"{range_in:g}{one if range_in == 1 else length}"


class Result(ABC):
    """What all results share: a frame and a small table for notebooks, both from `to_dict`.

    Examples
    --------
    >>> import aabalance as aab
    >>> duel = aab.Game().duel("us_m4a3_75w", "de_stug3g", range_in=18)
    >>> duel.to_dict()["p_a"] == duel.to_frame()["p_a"].item()
    True
    """

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain values, as the command line's ``--json`` prints it."""

    @abstractmethod
    def _lines(self) -> list[tuple[str, str]]:
        """Return the lines of the repr, each a name and a value."""

    def to_frame(self) -> pd.DataFrame:
        """Return the result as a DataFrame of one row.

        Whole numbers are Int64, which allows missing values. A pair has a column for each of its two values.
        Distributions are left out, since they don't fit into a cell.

        Examples
        --------
        >>> import aabalance as aab
        >>> game = aab.Game()
        >>> game.duel("us_m4a3_75w", "de_stug3g", range_in=18).to_frame()[["a", "b", "p_a", "p_b"]].round(2)
                           a                 b   p_a   p_b
        0  M4A3(75)W Sherman  StuG III Ausf. G  0.54  0.46
        """
        import pandas as pd

        row: dict[str, Any] = {}
        for name, value in self.to_dict().items():
            if isinstance(value, tuple):
                ends = ("low", "high") if name.endswith("_ci") else "ab"
                row |= {f"{name}_{end}": part for end, part in zip(ends, value, strict=True)}
            elif not isinstance(value, dict):
                row[name] = value
        kinds = {name: str(field.type) for name, field in vars(type(self))["__dataclass_fields__"].items()}
        # A column that isn't a field is the roll that a die needs, which may be missing, or one of a pair, which isn't.
        given = {name: kinds.get(name, "int" if value is None else "") for name, value in row.items()}
        whole = {name: "Int64" for name, kind in given.items() if kind.startswith("int") or type(row[name]) is int}
        broken = {name: "float64" for name, kind in given.items() if kind.startswith("float")}
        return pd.DataFrame([row]).astype(whole | broken)

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


Interval = tuple[float, float]

SIMULATED = ("trials", "seed", "p_a_ci", "p_b_ci", "p_draw_ci")
ROUNDING = 1e-12
"""How much a sum of many rounded products may differ from an exact 1."""
EVEN = 0.5
LEAST_CHANCE, LEAST_SHARE = 0.00005, 0.0005
"""Smallest chance that four decimal places still show, and smallest share that one decimal place of percent does."""


def with_interval(p: str, interval: Interval | None) -> str:
    """Return the text of a chance with its interval behind it, if there is one."""
    return p if interval is None else f"{p} [{chance(interval[0])}, {chance(interval[1])}]"


def chance(p: float, rest: float | None = None) -> str:
    """Return a chance with four decimal places; a small one isn't shown as 0, nor a large one as 1.

    `rest` is the chance of all other outcomes, if it is known: it tells a chance a little below 1 from a rounded 1.
    """
    if p < EVEN:
        return "<0.0001" if 0 < p < LEAST_CHANCE else f"{max(p, 0) + 0.0:.4f}"
    return ">0.9999" if 0 < (short_of_certain(p) if rest is None else rest) < LEAST_CHANCE else f"{p:.4f}"


def by_first_turn(moving_first: float | None, moving_second: float | None) -> list[tuple[str, str]]:
    """Return the repr's line on a's chances when it moves first and second; no line if only one order is known."""
    if moving_first is None or moving_second is None:
        return []
    return [("p_a moving first / second", f"{chance(moving_first)} / {chance(moving_second)}")]


def percent(share: float) -> str:
    """Return a share in percent; a small one isn't shown as 0 %, nor a large one as 100 %."""
    if math.isnan(share):
        return "–"
    if -ROUNDING < share <= 0:
        return "0.0 %"
    if abs(share) < LEAST_SHARE:
        return "<0.1 %" if share > 0 else ">-0.1 %"
    if 0 < short_of_certain(share) < LEAST_SHARE:
        return ">99.9 %"
    return f"{100 * share:.1f} %"


def ratio_in_words(ratio: float) -> str:
    """Return the text of a ratio of two means; a dash for nan, which is 0 / 0."""
    return "–" if math.isnan(ratio) else f"{ratio:.3g}"


def short_of_certain(p: float) -> float:
    """Return how much is missing to a chance of 1; 0 if rounding alone explains it."""
    return 0.0 if abs(1 - p) < ROUNDING else 1 - p
