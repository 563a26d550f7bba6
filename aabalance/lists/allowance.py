"""Which lists are legal: budget, number of units, what one owns, what has to be in, limits on groups of units."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from aabalance.definitions.collections import Limits
from aabalance.definitions.fields import MOST_REQUISITION, changed
from aabalance.definitions.lists import chosen, no_units
from aabalance.engine.battle.columns import SIDE_UNITS
from aabalance.errors import UsageError, check_kind, whole_number
from aabalance.game import List
from aabalance.lists.payoffs import FITTING, Payoffs, Units

TRIES = 500
"""Random lists that are drawn before limits are said to allow none."""
WAYS = 4
"""Lists, full or not, that are looked at to find all full ones, for each of these."""
POINTS = 300


class Group(NamedTuple):
    """Cards on which a list spends at least and at most so much."""

    units: npt.NDArray[np.bool_]
    least: float
    most: float


class Allowance:
    """The lists that one may choose from: they are filled until nothing more fits.

    Parameters
    ----------
    payoffs : Payoffs
        The roster.
    points : int
        The budget.
    nation : str, optional
        Only cards of this nation.
    own : mapping of str to int, optional
        How many of each card one has; lists have no other cards. A warning names the cards that no list can have, such
        as infantry.
    must : list, optional
        Units that are in every list.
    limits : Limits or mapping, optional
        What a list builder has besides: ``{"most_units": 10, "most_copies": 3, "limits": [...]}``.

    Raises
    ------
    UsageError
        A unit or a nation is unknown, or no list is legal.
    """

    def __init__(
        self,
        payoffs: Payoffs,
        points: int = POINTS,
        *,
        nation: str | None = None,
        own: Mapping[str, int] | None = None,
        must: List = (),
        limits: Limits | Mapping[str, Any] | None = None,
    ) -> None:
        self.payoffs, self.cost = payoffs, payoffs.cost
        self.points = whole_number("points", points, 1, MOST_REQUISITION)
        if not isinstance(limits, Limits):
            limits = {} if limits is None else limits
            check_kind("limits", limits, Mapping, "{'most_units': 10, 'most_copies': 3, ...}")
            limits = changed(Limits(), "limits", limits)
        self.most_units = min(limits.most_units, SIDE_UNITS)
        game = payoffs.game
        self.copies = np.full(len(payoffs.cards), limits.most_copies)
        self.own: Mapping[str, int] | None = None
        if own is not None:
            check_kind("own", own, Mapping, "how many of each unit: {'de_tiger1': 1, ...}")
            had: Counter[str] = Counter()
            for name, number in own.items():
                had[game.card(name).id] += whole_number(f"own: {name}", number, 0, MOST_REQUISITION)
            self.copies = np.minimum(self.copies, [had[one] for one in payoffs.ids])
            self.own = {one: number for one, number in had.items() if one in payoffs.ids}
            if out := ", ".join(game.cards[one].name for one in had if had[one] and one not in self.own):
                warnings.warn(f"own: lists have {FITTING}, and so not {out}", stacklevel=1)
            if not any(self.own.values()):
                raise UsageError("own: found no unit that a list may have, expected one at least")
        if nation is not None:
            some = set(chosen(game.ruleset, game.cards, {"nation": nation}))
            self.copies[[unit not in some for unit in payoffs.ids]] = 0
            if not self.copies.any():
                raise UsageError(f"nation: found no unit of {nation} that a list may have, expected one at least")
        self.groups = [
            Group(np.array([unit in some for unit in payoffs.ids]), *one.bounds(points))
            for one in limits.limits
            for some in (set(chosen(game.ruleset, game.cards, one.units)),)
        ]
        self.must = () if no_units(must) else payoffs.units(must)
        needed = self.payoffs.requisition(self.must) or int(self.cost[self.copies > 0].min())
        self.copies[self.cost > points] = 0
        self.allowed = np.flatnonzero(self.copies).tolist()
        self._costs, self._copies = self.cost.tolist(), self.copies.tolist()
        for unit, number in Counter(self.must).items():
            if number > self.copies[unit] and self.cost[unit] <= points:
                most = f"{self.copies[unit]} at most" if self.copies[unit] else "none"
                raise UsageError(f"must: found {number} {payoffs.ids[unit]}, of which a list may have {most}")
        if needed > points:
            what = "the units that have to be in" if self.must else "a single unit"
            raise UsageError(f"points: found {points}, expected {needed} at least, for {what}")
        for group in self.groups:
            if (spent := self._spent(self.must, group)) > group.most:
                raise UsageError(
                    f"limits: found {spent} points of units that have to be in, expected {group.most:g} at most"
                )
        self.random(np.random.default_rng(0))

    def legal(self, units: Units) -> bool:
        """Return whether a list is within all limits; whether more would fit isn't asked."""
        counts = Counter(units)
        if len(units) > self.most_units or self.payoffs.requisition(units) > self.points or not units:
            return False
        if any(n > self.copies[at] for at, n in counts.items()) or Counter(self.must) - counts:
            return False
        return all(group.least <= self._spent(units, group) <= group.most for group in self.groups)

    def _spent(self, units: Sequence[int], group: Group) -> int:
        return sum(int(self.cost[at]) for at in units if group.units[at])

    def _fits(self, units: Sequence[int], among: Sequence[int]) -> list[int]:
        """Return which of some cards can be added."""
        if len(units) >= self.most_units:
            return []
        # Whole numbers of Python: a search asks this a million times, and of few cards but at first.
        costs, left = self._costs, self.points - sum([self._costs[at] for at in units])
        full = {at for at in units if units.count(at) >= self._copies[at]}
        some = [at for at in among if costs[at] <= left and self._copies[at] and at not in full]
        for group in self.groups:
            left = group.most - self._spent(units, group)
            some = [at for at in some if costs[at] <= left or not group.units[at]]
        return some

    def filled(self, units: Sequence[int], rng: np.random.Generator) -> Units:
        """Return a list filled at random until nothing more fits; first with what groups still need."""
        full, fits = list(units), self.allowed
        while fits := self._fits(full, fits):
            some = fits
            for group in self.groups:
                if self._spent(full, group) < group.least:
                    some = [at for at in some if group.units[at]] or some
            full.append(some[rng.integers(len(some))])
        return self.payoffs.sorted(full)

    def like(self, units: Units, rng: np.random.Generator) -> Units:
        """Return what has to be in, with as much of a list as fits, filled by `rng` until nothing more fits."""
        some = list(self.must)
        for unit in units:
            some += self._fits(some, (unit,))
        return self.filled(some, rng)

    def random(self, rng: np.random.Generator) -> Units:
        """Return a legal list, filled unit by unit with what still fits, all alike.

        Raises
        ------
        UsageError
            None was found.
        """
        for _ in range(TRIES):
            units = self.filled(self.must, rng)
            if self.legal(units):
                return units
        raise UsageError("limits: found no legal list, expected limits, and units that one owns, that leave some")

    def every(self, most: int) -> list[Units]:
        """Return all legal lists to which nothing can be added; none if these, or the ways to them, are too many.

        Parameters
        ----------
        most : int
            The most lists; a hundred thousand take seconds.
        """
        full: list[Units] = []
        # Units are added the dearest first: each list once.
        place = np.argsort(np.argsort(-self.cost, kind="stable")).tolist()
        todo, looked = [(self.must, 0)], 0
        while todo:
            units, first = todo.pop()
            some, looked = self._fits(units, self.allowed), looked + 1
            full += [] if some else [units]
            if len(full) > most or looked > WAYS * most:
                return []
            todo += [((*units, at), place[at]) for at in some if place[at] >= first]
        return [self.payoffs.sorted(units) for units in full if self.legal(units)]

    def of_one_kind(self, rng: np.random.Generator) -> Iterator[Units]:
        """Yield lists of as many copies of one card as fit, filled at random."""
        for at in self.allowed:
            units = list(self.must)
            while self._fits(units, (at,)):
                units.append(at)
            full = self.filled(units, rng)
            if self.legal(full):
                yield full

    def near(self, units: Units, rng: np.random.Generator, most: int) -> list[Units]:
        """Return up to `most` legal lists, drawn by `rng`, with something else in the place of one or two units."""
        kept = Counter(self.must)
        free = list((Counter(units) - kept).elements())
        found: dict[Units, None] = {}
        for _ in range(4 * most):
            rest = list(units)
            for unit in rng.choice(free, min(len(free), 1 + int(rng.random() < 0.5)), replace=False) if free else ():
                rest.remove(int(unit))
            one = self.filled(rest, rng)
            if one != units and self.legal(one):
                found[one] = None
            if len(found) == most:
                break
        return list(found)

    def instead(self, units: Units, unit: int, rng: np.random.Generator) -> list[Units]:
        """Return legal lists that have something else in the place of one unit, filled again by `rng`."""
        rest = list(units)
        rest.remove(unit)
        some = [self.filled([*rest, at], rng) for at in self._fits(rest, self.allowed) if at != unit]
        return list(dict.fromkeys(one for one in some if self.legal(one)))
