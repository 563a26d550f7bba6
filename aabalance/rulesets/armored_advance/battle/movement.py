"""How far a unit gets in a turn over any ground (p. 4 Movement, p. 13 Towing, p. 20 Ground Type, p. 21 Tank Traps).

What its card alone says of it, that is on plain ground, is in `aabalance.rulesets.armored_advance.card`.

A unit faces where it likes at any time, and a pivot alone is no move: the rulebook has no rule for it, nor for climbing
and collisions (interpretation 1.3, GUESS).
"""

from __future__ import annotations

from typing import Literal, get_args

from aabalance.errors import UsageError, one_of
from aabalance.rulesets.armored_advance import keywords
from aabalance.rulesets.armored_advance.card import Unit, VehicleCard, backwards_in, free_in, moves_in

Ground = Literal["plain", "road", "mud", "water"]
"""What is driven over: no ground in particular, a continuous road, thick mud, moderately deep water."""

LIGHT_FREE_FROM_ROAD_IN = 3
BY_ACTION_IN = {("road", "tracked"): 1, ("road", "half_track"): 2, ("road", "wheeled"): 2, ("mud", "tracked"): -1}
"""Added to each movement action by ground and drive (p. 20)."""
SLOWED = {("mud", "wheeled"): 1 / 2, ("mud", "half_track"): 1 / 2 + 1 / 4}
"""What is left of each move where wheels count every inch as two, and half-tracks those of the second half (p. 20)."""

HITCHING_ACTIONS = 1

DEMOLITION_ACTIONS = 2
DEMOLITION_IN = 12
CLEARED_IN = 3


def reach_in(
    card: Unit,
    actions: int,
    *,
    ground: Ground = "plain",
    started_on_road: bool = False,
    towing: VehicleCard | None = None,
    backwards: bool = False,
) -> float:
    """Return the inches that a unit can move in a turn over one kind of ground.

    Parameters
    ----------
    card : card
        The unit's card.
    actions : int
        Actions spent on moving; a light vehicle's free move comes on top (p. 4).
    ground : Ground
        The ground of the whole way: every action on a road begins and ends on it (p. 20). Road and mud change each
        movement action, also the 2 inches of a heavy unit (interpretation 1.3, GUESS). The free move is no such action:
        on a road it gains only what `started_on_road` says, and in mud tracked units lose nothing of it.
    started_on_road : bool
        The turn began on a road, which makes a light vehicle's free move 3 inches (p. 20); always so on `ground` road.
    towing : VehicleCard or None
        A field gun in tow. A heavy gun halves every movement action, others change nothing (p. 13). Guns cross mud only
        in tow, and water not at all (p. 20).
    backwards : bool
        The unit keeps facing what it backs away from (p. 14).

    Raises
    ------
    UsageError
        No such ground, more actions than the pool has, or `card` can't tow `towing`.
    """
    if ground not in get_args(Ground):
        raise UsageError(f"ground: {one_of(ground, get_args(Ground))}")
    if not 0 <= actions <= card.actions:
        raise UsageError(f"actions: found {actions}, expected 0 to {card.actions}, the pool of {card.name}")
    if towing is not None:
        _check_tow(card, towing)
    by_hand = card.class_ == "field_gun" and ground in ("mud", "water")
    if by_hand or (towing is not None and ground == "water"):
        return 0.0
    if ground == "water":
        ground = "mud" if card.weight == "light" else "plain"
    slowed = SLOWED.get((ground, card.drive), 1)
    added = BY_ACTION_IN.get((ground, card.drive), 0)
    moves: list[float] = [moves_in(card, n + 1) - moves_in(card, n) for n in range(actions)]
    if towing is not None:
        moves = [keywords.towing(move, towing.weight) for move in moves]
    free = free_in(card)
    if free and (started_on_road or ground == "road"):
        free = LIGHT_FREE_FROM_ROAD_IN
    inches = free * slowed + sum(max(0.0, move * slowed + added) for move in moves if move)
    return backwards_in(card, inches) if backwards else inches


def hitch(tower: Unit, gun: VehicleCard, actions: int) -> int:
    """Return how many of its actions a unit has left after it took a gun in tow; letting go costs none (p. 13).

    Parameters
    ----------
    tower : card
        The unit that tows.
    gun : card
        The field gun.
    actions : int
        Actions that the unit has left before.

    Raises
    ------
    UsageError
        The unit can't tow the gun, or has no action left for it.
    """
    _check_tow(tower, gun)
    if actions < HITCHING_ACTIONS:
        raise UsageError(f"towing: found {actions} actions, expected {HITCHING_ACTIONS} to connect {gun.name}")
    return actions - HITCHING_ACTIONS


def _check_tow(tower: Unit, gun: VehicleCard) -> None:
    if "towing" not in tower.keywords:
        raise UsageError(f"towing: {tower.name} has no keyword towing")
    if gun.class_ != "field_gun":
        raise UsageError(f"towing: {gun.name} is a {gun.class_}, expected a field gun")


def stopped_by_tank_traps(card: Unit) -> bool:
    """Return whether tank traps bar the way: of vehicles, armoured or not, until they are demolished (p. 21)."""
    return card.class_ == "vehicle"


def demolishes(card: Unit, actions: int, range_in: float) -> bool:
    """Return whether a unit that fires at a tank trap brings it down, without a roll (p. 21; AA-48).

    Parameters
    ----------
    card : card
        The unit's card.
    actions : int
        Actions that it fires.
    range_in : float
        Inches between the unit and the trap.
    """
    support = card.class_ == "vehicle" and "support" in card.keywords
    return support and actions >= DEMOLITION_ACTIONS and range_in <= DEMOLITION_IN


def cleared(from_demolished_in: float) -> bool:
    """Return whether a trap so many inches from a demolished one goes with it (p. 21)."""
    return from_demolished_in <= CLEARED_IN
