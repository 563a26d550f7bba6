"""The table ``[tuning]`` of a report definition: under which conditions units are compared, and bounds of prices."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from aabalance.cards import Cards
from aabalance.cards.faults import validation_faults
from aabalance.cards.lines import Place
from aabalance.definitions.fields import MOST_OF_A_KIND, Actions, PlacedFault
from aabalance.errors import UsageError
from aabalance.rulesets.base import Ruleset

BUDGETS = (100.0, 200.0, 400.0)
LIMITS = (3, 5, 8)
STEPS = {0.0: 1.0, 50.0: 5.0}
FLOOR_SHARE = 1 / 40
"""The least price, as a share of the largest budget: it bounds how many units a side may have."""
RATIO = MOST_OF_A_KIND - 1
"""Largest ratio of a price or budget to the least price: a battle has room for so many of the cheapest unit, and one
more."""

Positive = Annotated[float, Field(gt=0, allow_inf_nan=False)]
NotNegative = Annotated[float, Field(ge=0, allow_inf_nan=False)]


class Tuning(BaseModel):
    """The conditions under which units are compared, and the bounds of their prices.

    Attributes
    ----------
    budgets : tuple of float
        Requisition of either side; all count alike.
    limits : tuple of int
        Actions in a side's turn; all count alike.
    weights : dict
        How much units count as opponents, by id; 1 for those that aren't named.
    anchors : dict or None
        Prices that are given, by id: they set the scale. None for the game's reference unit at its cost.
    steps : dict
        Sizes of the steps that prices are multiples of, by the price from which on they hold; one holds from 0 on.
    floor : float or None
        The least price; None for a fortieth of the largest budget.
    largest_change : float or None
        How far prices may move, as a share of the present price: 0.25 for a quarter up or down. None for any.
    locked : tuple of str
        Units that keep their price.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    budgets: tuple[Positive, ...] = Field(BUDGETS, min_length=1)
    limits: tuple[Actions, ...] = Field(LIMITS, min_length=1)
    weights: dict[str, NotNegative] = {}
    anchors: dict[str, Positive] | None = Field(None, min_length=1)
    steps: dict[NotNegative, Positive] = STEPS
    floor: Positive | None = None
    largest_change: Positive | None = None
    locked: tuple[str, ...] = ()

    @field_validator("steps")
    @classmethod
    def _from_0(cls, steps: dict[float, float]) -> dict[float, float]:
        if 0 not in steps:
            raise ValueError("steps from 0 on")
        return steps

    def within(self, cards: Cards) -> Self:
        """Return a copy without units that the roster lacks, so that the shipped definition suits any roster."""
        anchors = None if self.anchors is None else {i: price for i, price in self.anchors.items() if i in cards}
        return self.model_copy(
            update={
                "weights": {unit: weight for unit, weight in self.weights.items() if unit in cards},
                "anchors": anchors or None,
                "locked": tuple(unit for unit in self.locked if unit in cards),
            }
        )

    def changed(self, cards: Cards, **changes: Any) -> Self:
        """Return a copy with other values; units may be given by id or name.

        Raises
        ------
        UsageError
            A value is wrong or contradicts another, there is no such field, or no such unit.
        """
        given = {name: value for name, value in self.model_dump().items() if name not in changes} | changes
        try:
            found = type(self).model_validate(given)
        except ValidationError as error:
            faults = validation_faults(error, list(type(self).model_fields), given, (), "tune")
            raise UsageError("\n".join(map(str, faults))) from None
        ids = cards.id_of
        anchors = None if found.anchors is None else {ids(unit): price for unit, price in found.anchors.items()}
        found = found.model_copy(
            update={
                "weights": {ids(unit): weight for unit, weight in found.weights.items()},
                "anchors": anchors,
                "locked": tuple(map(ids, found.locked)),
            }
        )
        if wrong := found.contradictions():
            raise UsageError("\n".join(f"{'.'.join(place)}: {message}" for place, message in wrong))
        return found

    @property
    def least(self) -> float:
        """The least price."""
        return FLOOR_SHARE * max(self.budgets) if self.floor is None else self.floor

    @property
    def largest(self) -> float:
        """The largest price: against a dearer unit, more of the cheapest would be needed than can be fought."""
        return RATIO * self.least

    def units(self) -> list[tuple[Place, str]]:
        """Return the units that are named, each with its place in the table."""
        named: list[tuple[Place, str]] = [(("weights", unit), unit) for unit in self.weights]
        named += [(("anchors", unit), unit) for unit in self.anchors or ()]
        return named + [(("locked", index), unit) for index, unit in enumerate(self.locked)]

    def contradictions(self) -> list[tuple[tuple[str, ...], str]]:
        """Return values that contradict each other: the place, and what was found and expected."""
        wrong: list[tuple[tuple[str, ...], str]] = []
        if self.largest < max(self.budgets):
            fits = max(self.budgets) / RATIO
            wrong.append((("floor",), f"found {self.least:g}, expected {fits:.4g} at least, or smaller budgets"))
        for unit, price in (self.anchors or {}).items():
            if not self.least <= price <= self.largest:
                bounds = f"from {self.least:g}, the floor, to {self.largest:g}"
                wrong.append((("anchors", unit), f"found {price:g}, expected a price {bounds}"))
            if unit in self.locked:
                wrong.append((("anchors", unit), "found a unit that is locked, too, expected one or the other"))
            if self.weights.get(unit) == 0:
                wrong.append((("anchors", unit), "found a unit of weight 0, expected one that counts"))
        return wrong


def faults(ruleset: Ruleset, table: Mapping[str, Any]) -> Iterator[PlacedFault]:
    """Yield the faults of a well-formed table of tuning that depend on the game, or on several of its fields."""
    if not ruleset.limits_actions:
        title = ruleset.labels.title
        yield (), f"found some, expected none: what is modelled of {title} has no battles under a limit of actions"
        return
    yield from Tuning.model_validate(table).contradictions()
