"""What a side does in its turn: strikes; movement, transport, income, repair, capture and purchase.

In a battle both sides hold their squares, the same number of squares apart: a unit fires at whom it reaches from there,
once a turn (3.3a), and is fired back at. There is no limit to how many units act. A side without a unit has lost: the
conquest of 4.0 without the HQ. What a unit counts for is its printed cost.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from fractions import Fraction
from typing import Literal, NamedTuple

from aabalance import dice
from aabalance.rulesets.base import Aspect, Dice, Fighter, Force, Gun, Strike, Views
from aabalance.rulesets.skirmish_wars.card import HIT_POINTS, Card
from aabalance.rulesets.skirmish_wars.duel import Health
from aabalance.rulesets.skirmish_wars.shot import (
    D6,
    DIRECT,
    Cell,
    Defence,
    defence,
    fire,
    hits,
    is_reduced,
    offence,
    strike,
)
from aabalance.rulesets.skirmish_wars.situation import Moment, Situation, Terrain
from aabalance.rulesets.skirmish_wars.variant import Variant

Square = tuple[int, int]
Ground = Literal["grass", "road", "forest", "river", "hill", "city", "factory", "hq"]

AS_ROAD = ("city", "factory", "hq")
COLUMNS: dict[Ground, Terrain] = {
    "grass": "grass",
    "road": "road_river",
    "forest": "forest",
    "river": "road_river",
    "hill": "hill_hq",
    "city": "city",
    "factory": "city",
    "hq": "hill_hq",
}

REPAIR = 2
INCOME = 5
CAPTURE_POINTS = {"city": 4, "factory": 4, "hq": 8}
CAPTURED_A_TURN, CAPTURED_BY_REDUCED = 2, 1


# --- the two sides ----------------------------------------------------------------------------------------------------


def forces(
    lists: tuple[Sequence[Card], Sequence[Card]], views: Views, aspects: Sequence[Aspect], variant: Variant
) -> tuple[Force, Force]:
    """Return both sides of a battle, in the one aspect of units that hold; see `aabalance.rulesets.base.Ruleset`."""
    [seen], [(range_in, *_)] = views, aspects  # units have no faces
    back = seen.returned(range_in)
    return _force(*lists, _at(seen, range_in), variant), _force(*lists[::-1], _at(back, range_in), variant)


def _at(situation: Situation, range_in: float) -> Moment:
    return Moment(**dict(situation), range_in=range_in)


def _force(own: Sequence[Card], enemies: Sequence[Card], moment: Moment, variant: Variant) -> Force:
    shown = [defence(enemy, moment) for enemy in enemies]
    made = {card: _fighter(card, shown, moment, variant) for card in dict.fromkeys(own)}
    return tuple(made[card] for card in own)


def _fighter(card: Card, enemies: Sequence[Defence], moment: Moment, variant: Variant) -> Fighter:
    return Fighter(
        name=card.name,
        toughness=moment.own_hp,
        actions=1,
        free=False,
        worth=card.cost,
        counts=True,
        guns=(Gun(),),
        strikes=tuple(_strikes(card, enemies, moment, variant)),
    )


def _strikes(card: Card, enemies: Sequence[Defence], moment: Moment, variant: Variant) -> Iterator[Strike]:
    """Yield a unit's strikes: at full strength, and reduced (3.4a)."""
    made = offence(card, moment, variant)
    for reduced in (False, True):
        at = [hp for hp in range(1, made.hp + 1) if is_reduced(hp, made.kept_reduced) == reduced]
        if at:
            cells = [strike(made, enemy, moment.range_in, at[0]) for enemy in enemies]
            yield Strike(
                weapon=made.weapon,
                gun=0,
                attacks=1,
                actions=1,
                least=at[0],
                most=at[-1],
                effects=tuple((hits(cell),) for cell in cells),
                dice=tuple((((Fraction(1), thrown(cell)),),) for cell in cells),
                answers=True,
            )


def thrown(cell: Cell) -> Dice:
    """Return the dice of a cell of the chart: one of six sides, and a hit more if it shows the number or less."""
    return Dice(1, dice.ONE, dice.ONE, tuple(cell.hits + (face <= cell.die) for face in range(1, D6 + 1)))


# --- movement ---------------------------------------------------------------------------------------------------------


def column(ground: Ground) -> Terrain:
    """Return the column of the chart for a square (3.4a); a factory's is not known, and read as a city's [S-1]."""
    return COLUMNS[ground]


def movement_cost(card: Card, ground: Ground) -> int | None:
    """Return the movement points that a square costs to enter, None if it is closed to the unit (3.3b)."""
    cost: int | None = getattr(card.movement_cost, "road" if ground in AS_ROAD else ground)
    return cost


def distance(a: Square, b: Square) -> int:
    """Return the distance in squares, counted orthogonally, as range is (3.4a) and movement (3.3b)."""
    return abs(a[0] - b[0]) + abs(a[1] - b[1])


def reach(
    card: Card, board: Mapping[Square, Ground], start: Square, occupied: Set[Square] = frozenset()
) -> dict[Square, int]:
    """Return the squares that a unit can move to and the movement points that each takes (3.3b).

    It moves orthogonally, never through another unit.

    Parameters
    ----------
    card : card
    board : mapping of (int, int) to Ground
        The ground of each square.
    start : (int, int)
        The unit's square.
    occupied : set of (int, int)
        Squares with other units.
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
    """Return whether a unit may move into a carrier: foot units, while there is room (3.3c, 3.3d).

    Parameters
    ----------
    carrier : card
    cargo : sequence of card
        Units that it carries already.
    unit : card
    """
    return unit.symbol == "foot" and len(cargo) < carrier.carries


def unload_squares(
    unit: Card, board: Mapping[Square, Ground], carrier: Square, occupied: Set[Square] = frozenset()
) -> tuple[Square, ...]:
    """Return where a unit can be set down: free adjacent squares that are open to it (3.3d).

    Parameters
    ----------
    unit : card
    board : mapping of (int, int) to Ground
        The ground of each square.
    carrier : (int, int)
        The carrier's square.
    occupied : set of (int, int)
        Squares with other units.
    """
    return tuple(
        square
        for square in neighbours(carrier)
        if square in board and square not in occupied and movement_cost(unit, board[square]) is not None
    )


def destroyed_with(carrier: Card, cargo: Sequence[Card]) -> tuple[Card, ...]:
    """Return the units that are lost if a carrier is destroyed: itself and all inside (3.3c)."""
    return (carrier, *cargo)


# --- properties, and what they give -----------------------------------------------------------------------------------


class Property(NamedTuple):
    """A city, a factory or an HQ.

    Attributes
    ----------
    kind : {"city", "factory", "hq"}
    owner : str or None
        A player; None if it is neutral.
    captured : int
        Capture points that the unit on it has taken.
    """

    kind: Literal["city", "factory", "hq"]
    owner: str | None = None
    captured: int = 0


def is_friendly(place: Property, player: str) -> bool:
    """Return whether a property is a player's and not in the middle of being captured (3.2)."""
    return place.owner == player and place.captured == 0


def income(places: Iterable[Property], player: str) -> int:
    """Return what a player collects: $5 for every friendly city and HQ, nothing for factories (3.1) [S-10]."""
    return INCOME * sum(is_friendly(place, player) and place.kind != "factory" for place in places)


def is_repaired_on(place: Property | None, player: str) -> bool:
    """Return whether a player's unit is repaired where it stands: on a friendly HQ, factory or city (3.2)."""
    return place is not None and is_friendly(place, player)


def repaired(health: Health, unreduce_on_repair: bool) -> Health:
    """Return a unit after the repair phase on a friendly property (3.2): 2 hit points more, 8 at most, free [S-10]."""
    hp = min(HIT_POINTS, health.hp + REPAIR)
    return Health(hp, is_reduced(hp, health.reduced and not unreduce_on_repair))


def may_capture(card: Card, place: Property, player: str) -> bool:
    """Return whether a unit may declare a capture: foot units, of neutral and enemy properties (3.4b).

    Parameters
    ----------
    card : card
    place : Property
    player : str
        The unit's player.
    """
    return card.symbol == "foot" and place.owner != player


def capture(place: Property, player: str, reduced: bool) -> Property:
    """Return a property after a unit's capture (3.4b): 2 points a turn, 1 by a reduced unit; 4 in all, 8 for an HQ.

    Parameters
    ----------
    place : Property
    player : str
        Who captures it.
    reduced : bool
        Whether the unit is reduced.
    """
    captured = place.captured + (CAPTURED_BY_REDUCED if reduced else CAPTURED_A_TURN)
    if captured >= CAPTURE_POINTS[place.kind]:
        return Property(place.kind, player)
    return place._replace(captured=captured)


def abandon(place: Property) -> Property:
    """Return a property that the capturing unit has moved off: its capture points are lost (3.4b)."""
    return place._replace(captured=0)


def may_purchase(card: Card, money: int, place: Property, player: str, occupied: bool) -> bool:
    """Return whether a player can buy a unit at a place: a friendly factory with no unit on top (3.5).

    Parameters
    ----------
    card : card
    money : int
        What the player has, in the currency of the cards' costs.
    place : Property
    player : str
    occupied : bool
        Whether a unit stands there.
    """
    return money >= card.cost and place.kind == "factory" and is_friendly(place, player) and not occupied


def conquest(enemy_units: int, enemy_hq: Property, player: str) -> bool:
    """Return whether a player has won by conquest: no enemy unit is left, or the enemy's HQ is taken (4.0).

    Parameters
    ----------
    enemy_units : int
        Units that the enemy has left.
    enemy_hq : Property
    player : str
    """
    return enemy_units == 0 or enemy_hq.owner == player


def victory_medals(eliminated: Iterable[Card], needed: int) -> bool:
    """Return whether a player has the victory medals to win, one for every enemy unit eliminated (4.0)."""
    return sum(1 for _ in eliminated) >= needed


def city_conquest(places: Iterable[Property], player: str, needed: int) -> bool:
    """Return whether a player has the cities to win (4.0).

    Parameters
    ----------
    places : iterable of Property
    player : str
    needed : int
        Cities that make for a victory.
    """
    return sum(place.kind == "city" and place.owner == player for place in places) >= needed
