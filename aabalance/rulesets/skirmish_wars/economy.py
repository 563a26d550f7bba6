"""Properties and what they give: income, repairs, new units, and victory (3.1, 3.2, 3.4b, 3.5, 4.0)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

from aabalance.rulesets.skirmish_wars.card import Card

INCOME = 5
CAPTURE_POINTS = {"city": 4, "factory": 4, "hq": 8}
CAPTURED_A_TURN, CAPTURED_BY_REDUCED = 2, 1


class Property(NamedTuple):
    """A city, a factory or an HQ.

    Attributes
    ----------
    kind : {"city", "factory", "hq"}
    owner : str or None
        A player; None: neutral.
    captured : int
        Capture points taken by the unit on it.
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


def may_capture(card: Card, place: Property, player: str) -> bool:
    """Return whether a unit may declare a capture: foot units, of neutral and enemy properties (3.4b)."""
    return card.symbol == "foot" and place.owner != player


def capture(place: Property, player: str, reduced: bool) -> Property:
    """Return a property after a unit's capture (3.4b): 2 points a turn, 1 by a reduced unit; 4 in all, 8 for an HQ."""
    captured = place.captured + (CAPTURED_BY_REDUCED if reduced else CAPTURED_A_TURN)
    if captured >= CAPTURE_POINTS[place.kind]:
        return Property(place.kind, player)
    return place._replace(captured=captured)


def abandon(place: Property) -> Property:
    """Return a property that the capturing unit has moved off: its capture points are lost (3.4b)."""
    return place._replace(captured=0)


def may_purchase(card: Card, money: int, place: Property, player: str, occupied: bool) -> bool:
    """Return whether a player can buy a unit at a place: a friendly factory with no unit on top (3.5)."""
    return money >= card.cost and place.kind == "factory" and is_friendly(place, player) and not occupied


def conquest(enemy_units: int, enemy_hq: Property, player: str) -> bool:
    """Return whether a player has won by conquest: no enemy unit is left, or the enemy's HQ is taken (4.0)."""
    return enemy_units == 0 or enemy_hq.owner == player


def victory_medals(eliminated: Iterable[Card], needed: int) -> bool:
    """Return whether a player has the victory medals to win, one for every enemy unit eliminated (4.0)."""
    return sum(1 for _ in eliminated) >= needed


def city_conquest(places: Iterable[Property], player: str, needed: int) -> bool:
    """Return whether a player has the cities to win (4.0)."""
    return sum(place.kind == "city" and place.owner == player for place in places) >= needed
