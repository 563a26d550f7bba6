"""Movement: what squares cost, how far units get, and riding in an APC (3.3)."""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence, Set

from aabalance.rulesets.skirmish_wars.card import Card
from aabalance.rulesets.skirmish_wars.chart import Ground
from aabalance.rulesets.skirmish_wars.combat import DIRECT, fire

Square = tuple[int, int]

AS_ROAD = ("city", "factory", "hq")


def movement_cost(card: Card, ground: Ground) -> int | None:
    """Return the movement points that a square costs to enter, None if it is closed to the unit (3.3b)."""
    cost: int | None = getattr(card.movement_cost, "road" if ground in AS_ROAD else ground)
    return cost


def distance(one: Square, other: Square) -> int:
    """Return the distance in squares, counted orthogonally, as range is (3.4a) and movement (3.3b)."""
    return abs(one[0] - other[0]) + abs(one[1] - other[1])


def reach(
    card: Card, board: Mapping[Square, Ground], start: Square, occupied: Set[Square] = frozenset()
) -> dict[Square, int]:
    """Return the squares that a unit can move to and the movement points that each takes (3.3b).

    It moves orthogonally, never through another unit.
    """
    spent = {start: 0}
    waiting = [(0, start)]
    while waiting:
        points, square = heapq.heappop(waiting)
        for after in neighbours(square):
            cost = None if after in occupied or after not in board else movement_cost(card, board[after])
            if cost is not None and points + cost < spent.get(after, card.mp + 1):
                spent[after] = points + cost
                heapq.heappush(waiting, (points + cost, after))
    return spent


def neighbours(square: Square) -> tuple[Square, ...]:
    """Return the four squares orthogonally adjacent."""
    x, y = square
    return (x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)


def may_fire_after_moving(card: Card) -> bool:
    """Return whether a unit may move and then fire: direct fire units only, indirect ones do either (3.3a)."""
    return fire(card) == DIRECT


def may_load(carrier: Card, cargo: Sequence[Card], unit: Card) -> bool:
    """Return whether a unit may move into a carrier: foot units, while there is room (3.3c, 3.3d)."""
    return unit.symbol == "foot" and len(cargo) < carrier.carries


def unload_squares(
    unit: Card, board: Mapping[Square, Ground], carrier: Square, occupied: Set[Square] = frozenset()
) -> tuple[Square, ...]:
    """Return where a unit can be set down: free adjacent squares that are open to it (3.3d)."""
    return tuple(
        square
        for square in neighbours(carrier)
        if square in board and square not in occupied and movement_cost(unit, board[square]) is not None
    )


def destroyed_with(carrier: Card, cargo: Sequence[Card]) -> tuple[Card, ...]:
    """Return the units that are lost if a carrier is destroyed: itself and all inside (3.3c)."""
    return (carrier, *cargo)
