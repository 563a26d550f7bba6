"""The bounds of a roster's prices: which are fixed, which set the scale, and how far the others may move."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import numpy as np

from aabalance.errors import UsageError
from aabalance.game import Game
from aabalance.pricing.definition import Tuning
from aabalance.pricing.prices import Bounds
from aabalance.pricing.score import Roster

ANCHOR = "anchor"
NOT_ASKED = "not asked for"
CLOSE = 1e-9
"""Difference up to which two prices count as equal."""


def bounds_of(
    game: Game, roster: Roster, tuning: Tuning, chosen: Collection[str] | None
) -> tuple[Bounds, dict[int, str]]:
    """Return the bounds of all prices; and by place in the roster, in words, why a unit's price is fixed.

    Parameters
    ----------
    game : Game
        The game: a ruleset with its cards and variant.
    roster : Roster
        The units that are compared with each other.
    tuning : Tuning
        The table ``[tuning]`` of a report definition.
    chosen : collection of str or None
        Ids of the units that should get new prices; None for all.

    Raises
    ------
    UsageError
        As for `aabalance.pricing.tune.tune`.
    """
    place = {unit: at for at, unit in enumerate(roster.units)}
    for unit, at in place.items():
        if not roster.prices[at] > 0:
            raise UsageError(f"{unit}: found a price of {roster.prices[at]:g}, expected one above 0")
    met = (roster.mutual & (roster.weights > 0)).any(axis=1)
    if not met.any():
        found = ", ".join(roster.units[:3]) or "no unit"
        raise UsageError(f"tune: found {found}, expected two units at least that can hurt each other")
    kept = {at: _unlevelled(roster, at) for at in np.flatnonzero(~met).tolist()}
    anchors = _anchors(game, roster, tuning, chosen)
    for name, some in (("anchors", anchors), ("units", chosen or ())):
        for unit in some:
            if unit not in place:
                raise UsageError(f"{name}: found {unit}, expected one of the units that are compared")
            if place[unit] in kept:
                raise UsageError(f"{name}: found {unit}, but {kept[place[unit]]}, expected one that a price can level")
    for unit in chosen or ():
        if unit in anchors or unit in tuning.locked:
            raise UsageError(f"units: found {unit}, whose price is fixed, expected units whose price may move")
    if chosen is not None:
        kept |= {at: NOT_ASKED for unit, at in place.items() if unit not in chosen and at not in kept}
    kept |= {place[unit]: "locked" for unit in tuning.locked if unit in place}
    given = {place[unit]: price for unit, price in anchors.items()}
    kept |= dict.fromkeys(given, ANCHOR)
    units = np.arange(len(roster.units))
    sets = np.isin(units, list(given or kept)) & met & (roster.weights > 0)
    if not sets.any():
        raise UsageError("anchors: found none, expected a unit that counts, with a price that sets the scale")
    far = ~_tied(roster, sets) & ~np.isin(units, list(kept))
    kept |= dict.fromkeys(np.flatnonzero(far).tolist(), "it meets nobody whose price sets the scale")
    if len(kept) == len(units):
        raise UsageError("tune: found no unit whose price may move, expected one that is neither anchor nor locked")
    low, high = _within(roster, tuning, kept, given)
    return Bounds(low, high, sets), kept


def _within(roster: Roster, tuning: Tuning, kept: Collection[int], given: Mapping[int, float]) -> tuple[Any, Any]:
    """Return the least and the largest price of each unit."""
    old = roster.prices
    change = np.inf if tuning.largest_change is None else tuning.largest_change
    nearest, farthest = old * (1 - change), old * (1 + change)
    low, high = np.maximum(nearest, tuning.least), np.minimum(farthest, tuning.largest)
    for at in kept:
        low[at] = high[at] = given.get(at, old[at])
        if not nearest[at] - CLOSE <= low[at] <= farthest[at] + CLOSE:
            allowed = f"{nearest[at]:g} to {farthest[at]:g}, the largest change"
            raise UsageError(f"anchors.{roster.units[at]}: found {low[at]:g}, expected a price from {allowed}")
    for at in np.flatnonzero(low > high).tolist():
        raise UsageError(
            f"largest_change: found {change:g}, with which {roster.units[at]} at {old[at]:g} can't get to a price from "
            f"{tuning.least:g} to {tuning.largest:g}, expected a larger one, or the unit locked"
        )
    return low, high


def _tied(roster: Roster, sets: Any) -> Any:
    """Return which units meet a unit that sets the scale, or one that meets such a unit, and so on."""
    counts = roster.weights > 0
    meets = roster.mutual & (counts | counts[:, None])
    reached = sets
    while (further := reached | meets[reached].any(axis=0)).sum() > reached.sum():
        reached = further
    return reached


def _anchors(game: Game, roster: Roster, tuning: Tuning, chosen: Collection[str] | None) -> dict[str, float]:
    """Return the given anchors; if there are none, and all units get new prices, the game's reference unit."""
    if tuning.anchors is not None:
        return tuning.anchors
    if chosen is not None:
        return {}
    unit, _ = game.ruleset.roster.reference
    if unit not in roster.units:
        raise UsageError(f"anchors: found none, and no {unit}, which sets the scale by default, expected one at least")
    return {unit: float(roster.prices[roster.units.index(unit)])}


def _unlevelled(roster: Roster, at: int) -> str:
    """Return why no price can level a unit."""
    others = np.arange(len(roster.units)) != at
    hurts, hurt = roster.tables.hurts[at, others], roster.tables.hurts[others, at]
    if not hurts.any():
        return "it can hurt nobody"
    if not hurt.any():
        return "nobody can hurt it"
    return "nobody that counts and that it can hurt can hurt it"
