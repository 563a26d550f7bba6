"""What list builders write: what one owns, what lists may have, fields of lists as opponents; a table of searches."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal, Self, TypeVar

from pydantic import BeforeValidator, Field, RootModel, ValidationInfo, field_validator

from aabalance.cards import Cards
from aabalance.cards.faults import File, read_as
from aabalance.cards.tables import Place, PlacedFault, with_lines
from aabalance.definitions import fields
from aabalance.definitions.fields import MOST_REQUISITION, as_fault
from aabalance.definitions.lists import Chosen, chosen, unit_list
from aabalance.definitions.tables import NotNegative, unknown_units
from aabalance.errors import CardError
from aabalance.rulesets.base import Keys, Ruleset, Text

Amount = (
    Annotated[int, Field(ge=0, le=MOST_REQUISITION, strict=True)] | Annotated[str, Field(pattern=r"^\d+(\.\d+)? ?%$")]
)
"""Points, or a part of the budget: ``30 %``."""
Owned = dict[str, Annotated[int, Field(ge=0, strict=True)]]
"""How many one has of a unit, by id or name."""
ENDING = ".field.toml"
T = TypeVar("T")
Several = Annotated[tuple[T, ...], BeforeValidator(lambda one: one if isinstance(one, list | tuple) else (one,))]
"""A value, or several."""
Points = Annotated[int, Field(ge=1, strict=True)]
Policy = Literal["value", "focus"]


class Limit(Keys):
    """What a list spends on some units.

    Attributes
    ----------
    units : dict
        Values of fields of their cards: ``{ class = "field_gun" }``.
    least, most : int or str or None
        Points, or a part of the budget.
    """

    units: dict[str, Any] = Field(min_length=1)
    least: Amount | None = None
    most: Amount | None = None

    def bounds(self, budget: int) -> tuple[float, float]:
        """Return the least and the most in points; without a limit, nothing and the whole budget."""
        least, most = 0 if self.least is None else self.least, budget if self.most is None else self.most
        return _points(least, budget), _points(most, budget)

    @field_validator("most")
    @classmethod
    def _not_below_least(cls, most: int | str | None, given: ValidationInfo) -> int | str | None:
        least = given.data.get("least")
        if most is not None and type(most) is type(least) and _points(most, 100) < _points(least, 100):
            raise ValueError(f"{least} or more, which is least")
        return most


def _points(amount: Any, budget: int) -> float:
    return budget * float(amount.rstrip("% ")) / 100 if isinstance(amount, str) else amount


class Limits(Keys):
    """What a list may have besides its budget.

    Attributes
    ----------
    most_units, most_copies : int
        The most units, and the most of a kind.
    limits : tuple of Limit
        Least and most points by group of units.
    """

    most_units: int = Field(12, ge=1, le=16, strict=True)
    most_copies: int = Field(16, ge=1, le=16, strict=True)
    limits: tuple[Limit, ...] = ()


class Own(RootModel[Owned]):
    """A collection."""


class Opponent(Keys):
    """A list of a field.

    Attributes
    ----------
    units : str
        As on the command line.
    weight : float
        Its share of the field; shares needn't sum to 1.
    """

    units: str
    weight: float = Field(1.0, gt=0, le=1e6)


class FieldFile(Keys):
    """Lists as opponents, with weights.

    Attributes
    ----------
    title : str
        What people call it.
    points, actions : int
        The budget of its lists, and the limit of actions for which they were chosen.
    made : str
        How it was found.
    lists : tuple of Opponent
        The lists.
    """

    title: Text = ""
    points: int = Field(ge=1)
    actions: int = Field(4, ge=1)
    made: Text = ""
    lists: tuple[Opponent, ...] = Field(min_length=1)


def read_for(
    ruleset: Ruleset, cards: Cards, model: type[File], path: Path, legal: Callable[[str], Any] | None = None
) -> File:
    """Read a file whose units have to be in a roster.

    Parameters
    ----------
    ruleset : Ruleset
        The game's rules.
    cards : Cards
        The roster.
    model : type
        `Limits`, `Own` or `FieldFile`.
    path : Path
        The file.
    legal : callable, optional
        Takes a list of a field; raises UsageError for one that can't fight.

    Raises
    ------
    CardError
        Its faults, each with its line.
    """
    file = read_as(model, path)
    legal = legal or partial(unit_list, cards=cards)
    units: list[tuple[Place, Callable[[], Any]]] = []
    if isinstance(file, Own):
        units = [((unit,), partial(cards.id_of, unit)) for unit in file.root]
    elif isinstance(file, Limits):
        units = [(("limits", n, "units"), partial(chosen, ruleset, cards, x.units)) for n, x in enumerate(file.limits)]
    elif isinstance(file, FieldFile):
        units = [(("lists", n, "units"), partial(legal, x.units)) for n, x in enumerate(file.lists)]
    if wrong := [fault for place, find in units for fault in as_fault(place, find, "list")]:
        raise CardError(with_lines(path, wrong))
    return file


class Metagame(Keys):
    """How `aabalance metagame` searches for lists that are hard to exploit, and a file of such lists.

    Attributes
    ----------
    field : str or None
        A file that `aabalance metagame --out` wrote, in the folder of the definition or shipped. A report describes its
        lists, unless the roster lacks one of their units.
    points : int or tuple of int
        Budget of a list. Several budgets, limits, policies or distances are combined, each combination with its own
        searches.
    actions : int or tuple of int
        Limit of actions in a turn.
    policy : str or tuple of str
        Policy of both sides: ``value`` or ``focus``.
    range_in : float or tuple of float
        The distance of all attacks; none for the shares of `situations`.
    nation : str or None
        Only units of this nation.
    own : dict or None
        The only units to use, by id or name, and how many of each there are.
    must : str or tuple of str
        Units that every list must have.
    limits : table or None
        ``most_units``, ``most_copies`` and ``limits``, as in the file of ``--limits``.
    battles : int
        About how many battles all searches of a combination take; scoring the lists found takes more.
    """

    field: str | None = None
    points: Several[Points] = Field((300,), min_length=1)
    actions: Several[fields.Actions] = Field((4,), min_length=1)
    policy: Several[Policy] = Field(("value",), min_length=1)
    range_in: Several[NotNegative] = ()
    nation: str | None = None
    own: Owned | None = None
    must: Several[str] = ()
    limits: Limits | None = None
    battles: int = Field(20_000_000, ge=50_000)

    def changed(self, **changes: Any) -> Self:
        """Return a copy with other values.

        Raises
        ------
        UsageError
            A value is wrong.
        """
        return fields.changed(self, "metagame", changes) if changes else self

    def searches(self) -> list[tuple[int, int, str, float | None]]:
        """Return points, actions, policy and distance of each search, all combinations; None for all distances."""
        return list(itertools.product(self.points, self.actions, self.policy, self.range_in or (None,)))

    def unknown(self, ruleset: Ruleset, cards: Cards) -> Iterator[PlacedFault]:
        """Yield faults of units that the roster doesn't have, each with its place in the table."""
        named: list[tuple[Place, Chosen]] = [(("own", unit), unit) for unit in self.own or ()]
        named += [(("nation",), {"nation": self.nation})] if self.nation is not None else []
        groups = self.limits.limits if self.limits else ()
        named += [(("limits", "limits", n, "units"), one.units) for n, one in enumerate(groups)]
        for place, units in named:
            yield from fields.as_fault(place, partial(chosen, ruleset, cards, units))
        yield from ((("must", n), why) for n, units in enumerate(self.must) for why in unknown_units(cards, units))
