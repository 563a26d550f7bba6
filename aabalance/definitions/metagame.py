"""The table of a report definition on lists under a budget: how they are searched for, and those of a file."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import partial
from typing import Annotated, Any, Literal, Self, TypeVar

from pydantic import BeforeValidator, Field

from aabalance.cards import Cards
from aabalance.cards.tables import Place, PlacedFault
from aabalance.definitions import fields
from aabalance.definitions.collections import Limits, Owned
from aabalance.definitions.lists import Chosen, chosen
from aabalance.definitions.tables import NotNegative, unknown_units
from aabalance.rulesets.base import Keys, Ruleset

T = TypeVar("T")
Several = Annotated[tuple[T, ...], BeforeValidator(lambda one: one if isinstance(one, list | tuple) else (one,))]
"""A value, or several."""
Points = Annotated[int, Field(ge=1, strict=True)]
Policy = Literal["value", "focus"]


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
