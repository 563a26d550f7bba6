"""What a side does in its turn: strikes, movement, transport, income, repair, capture and purchase.

In a battle all units hold, and every two enemies are the same number of squares apart. Each unit fires once in a turn,
at an enemy within its range (3.3a), who strikes back. Any number of units may act. A side without units has lost; this
is the conquest of 4.0, without the HQ. What a unit counts for is its printed cost.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from fractions import Fraction
from typing import Literal, NamedTuple

from aabalance import dice
from aabalance.rulesets.base import Aspect, Dice, Fighter, Force, Gun, SituationMix, Strike
from aabalance.rulesets.skirmish_wars import shot
from aabalance.rulesets.skirmish_wars.card import HIT_POINTS, Card
from aabalance.rulesets.skirmish_wars.duel import Health
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
    lists: tuple[Sequence[Card], Sequence[Card]],
    mix: SituationMix[Situation],
    aspects: Sequence[Aspect],
    variant: Variant,
) -> tuple[Force, Force]:
    """Return both sides of a battle; see `aabalance.rulesets.base.Ruleset.forces`. Units hold: there is one aspect."""
    [seen_by_a], [(range_in, *_)] = mix, aspects  # a single view, since units have no faces
    seen_by_b = seen_by_a.mirrored(range_in)
    return _force(*lists, _at(seen_by_a, range_in), variant), _force(*lists[::-1], _at(seen_by_b, range_in), variant)


def _at(situation: Situation, range_in: float) -> Moment:
    return Moment(**dict(situation), range_in=range_in)


def _force(own: Sequence[Card], enemies: Sequence[Card], moment: Moment, variant: Variant) -> Force:
    shown = [shot.defence(enemy, moment) for enemy in enemies]
    fighters = {card: _fighter(card, shown, moment, variant) for card in dict.fromkeys(own)}
    return tuple(fighters[card] for card in own)


def _fighter(card: Card, enemies: Sequence[shot.Defence], moment: Moment, variant: Variant) -> Fighter:
    return Fighter(
        name=card.name,
        toughness=moment.own_hp,
        actions=1,
        free=False,
        cost=card.cost,
        counts=True,
        guns=(Gun(),),
        strikes=tuple(_strikes(card, enemies, moment, variant)),
    )


def _strikes(card: Card, enemies: Sequence[shot.Defence], moment: Moment, variant: Variant) -> Iterator[Strike]:
    """Yield a unit's strikes: one at full strength, and one while it is reduced (3.4a)."""
    own = shot.offence(card, moment, variant)
    for reduced in (False, True):
        hit_points = [hp for hp in range(1, own.hp + 1) if shot.is_reduced(hp, own.kept_reduced) == reduced]
        if hit_points:
            cells = [shot.strike(own, enemy, moment.range_in, hit_points[0]) for enemy in enemies]
            yield Strike(
                weapon=own.weapon,
                gun=0,
                attacks=1,
                actions=1,
                least=hit_points[0],
                most=hit_points[-1],
                effects=tuple((shot.hits(cell),) for cell in cells),
                dice=tuple((((Fraction(1), thrown(cell)),),) for cell in cells),
                return_fire=True,
            )


def thrown(cell: shot.Cell) -> Dice:
    """Return the dice of a cell of the chart: a D6, with one more hit if it shows the cell's number or less."""
    return Dice(1, dice.ONE, dice.ONE, tuple(cell.hits + (face <= cell.die) for face in range(1, shot.D6 + 1)))


# --- movement ---------------------------------------------------------------------------------------------------------


def column(ground: Ground) -> Terrain:
    """Return the column of the chart for a square (3.4a); that of a factory isn't known, and read as a city's [S-1]."""
    return COLUMNS[ground]


def movement_cost(card: Card, ground: Ground) -> int | None:
    """Return how many movement points a unit needs to enter a square; None if the square is closed to it (3.3b)."""
    cost: int | None = getattr(card.movement_cost, "road" if ground in AS_ROAD else ground)
    return cost


def distance(a: Square, b: Square) -> int:
    """Return the distance in squares, counted orthogonally, as for range (3.4a) and movement (3.3b)."""
    return abs(a[0] - b[0]) + abs(a[1] - b[1])


def reach(
    card: Card, board: Mapping[Square, Ground], start: Square, occupied: Set[Square] = frozenset()
) -> dict[Square, int]:
    """Return the squares to which a unit can move, with the movement points that each takes (3.3b).

    It moves orthogonally, and never through another unit.

    Parameters
    ----------
    card : Card
        The unit's.
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
    """Return the four squares that are orthogonally adjacent to a square."""
    x, y = square
    return (x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)


def may_fire_after_moving(card: Card) -> bool:
    """Return whether a unit may move and then fire in one turn (3.3a): only a unit with direct fire."""
    return shot.fire(card) == shot.DIRECT


def may_load(carrier: Card, cargo: Sequence[Card], unit: Card) -> bool:
    """Return whether a unit may move into a carrier: it must be a foot unit, and there must be room (3.3c, 3.3d).

    Parameters
    ----------
    carrier : Card
        The carrier's.
    cargo : sequence of Card
        Units that it carries already.
    unit : Card
        The unit's.
    """
    return unit.symbol == "foot" and len(cargo) < carrier.carries


def unload_squares(
    unit: Card, board: Mapping[Square, Ground], carrier: Square, occupied: Set[Square] = frozenset()
) -> tuple[Square, ...]:
    """Return where a unit can be set down: on adjacent squares without a unit that it may enter (3.3d).

    Parameters
    ----------
    unit : Card
        The unit's.
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
    """Return the units that are lost if a carrier is destroyed: itself and all units inside (3.3c)."""
    return (carrier, *cargo)


# --- properties: income, repair, capture, purchase, and victory -------------------------------------------------------


class Property(NamedTuple):
    """A city, a factory or an HQ.

    Attributes
    ----------
    kind : {"city", "factory", "hq"}
        What it is.
    owner : str or None
        The player who owns it; None if it is neutral.
    captured : int
        Number of capture points that the unit on it has taken.
    """

    kind: Literal["city", "factory", "hq"]
    owner: str | None = None
    captured: int = 0


def is_friendly(place: Property, player: str) -> bool:
    """Return whether a property belongs to a player, and no capture of it is under way (3.2)."""
    return place.owner == player and place.captured == 0


def income(places: Iterable[Property], player: str) -> int:
    """Return how many $ a player collects: 5 for every friendly city and HQ, nothing for factories (3.1) [S-10]."""
    return INCOME * sum(is_friendly(place, player) and place.kind != "factory" for place in places)


def is_repaired_on(place: Property | None, player: str) -> bool:
    """Return whether a player's unit is repaired where it stands: on a friendly HQ, factory or city (3.2)."""
    return place is not None and is_friendly(place, player)


def repaired(health: Health, unreduce_on_repair: bool) -> Health:
    """Return a unit after the repair phase on a friendly property (3.2).

    It gets 2 hit points, up to 8, for nothing [S-10].
    """
    hp = min(HIT_POINTS, health.hp + REPAIR)
    return Health(hp, shot.is_reduced(hp, health.reduced and not unreduce_on_repair))


def may_capture(card: Card, place: Property, player: str) -> bool:
    """Return whether a unit may declare a capture: foot units may capture neutral and enemy properties (3.4b).

    Parameters
    ----------
    card : Card
        The unit's.
    place : Property
        Where the unit stands.
    player : str
        The unit's player.
    """
    return card.symbol == "foot" and place.owner != player


def capture(place: Property, player: str, reduced: bool) -> Property:
    """Return a property after a turn in which a unit captures it (3.4b).

    The unit takes 2 capture points, or 1 if it is reduced. With 4 in all (8 for an HQ) the property changes hands.

    Parameters
    ----------
    place : Property
        The property before that turn.
    player : str
        The unit's player.
    reduced : bool
        Whether the unit is reduced.
    """
    captured = place.captured + (CAPTURED_BY_REDUCED if reduced else CAPTURED_A_TURN)
    if captured >= CAPTURE_POINTS[place.kind]:
        return Property(place.kind, player)
    return place._replace(captured=captured)


def abandon(place: Property) -> Property:
    """Return a property after the capturing unit has left it: the capture points are lost (3.4b)."""
    return place._replace(captured=0)


def may_purchase(card: Card, money: int, place: Property, player: str, occupied: bool) -> bool:
    """Return whether a player can buy a unit at a place: at a friendly factory without a unit (3.5).

    Parameters
    ----------
    card : Card
        The new unit's.
    money : int
        How many $ the player has.
    place : Property
        Where the new unit is to stand.
    player : str
        The player who buys it.
    occupied : bool
        Whether a unit stands there.
    """
    return money >= card.cost and place.kind == "factory" and is_friendly(place, player) and not occupied


def conquest(enemy_units: int, enemy_hq: Property, player: str) -> bool:
    """Return whether a player has won by conquest: no enemy unit is left, or the enemy's HQ is taken (4.0).

    Parameters
    ----------
    enemy_units : int
        Number of units that the enemy has left.
    enemy_hq : Property
        The property that was the enemy's HQ.
    player : str
        The player in question.
    """
    return enemy_units == 0 or enemy_hq.owner == player


def victory_medals(eliminated: Iterable[Card], needed: int) -> bool:
    """Return whether a player has as many victory medals as are needed: one for each eliminated enemy unit (4.0)."""
    return sum(1 for _ in eliminated) >= needed


def city_conquest(places: Iterable[Property], player: str, needed: int) -> bool:
    """Return whether a player has as many cities as are needed to win (4.0).

    Parameters
    ----------
    places : iterable of Property
        All properties on the board.
    player : str
        The player in question.
    needed : int
        Number of cities that win the game.
    """
    return sum(place.kind == "city" and place.owner == player for place in places) >= needed
