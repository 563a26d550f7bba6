"""The cards: the schema of a Force card (Force Card Details), and what Action cards do (Action Cards).

What Action cards do is taken from their detailed rules; the numbers in their corners aren't in the rulebook (M-12).
"""

from __future__ import annotations

from typing import Annotated, Literal, NamedTuple, get_args

from pydantic import Field

from aabalance.rulesets.base import Line, StrictKeys

# --- Force cards ------------------------------------------------------------------------------------------------------

MOST = 100
"""Largest number that a field may have: far above any printed one."""

UNARMED = "unarmed"
SYMBOLS = ("small_arms", "cannon", "missile", "artillery")

Count = Annotated[int, Field(ge=1, le=MOST)]
Modifier = Annotated[int, Field(ge=-MOST, le=MOST)]

Printable = Literal[
    "armor",
    "maneuver",
    "vp",
    "weapons.small_arms",
    "weapons.cannon",
    "weapons.missile",
    "weapons.artillery.range",
    "weapons.artillery.modifier",
]


class Artillery(StrictKeys):
    """An Artillery symbol."""

    range: Count = Field(description="Rows")
    modifier: Modifier = Field(description="added to each Attack die")


class Weapons(StrictKeys):
    """The Attack symbols, each with the modifier that is added to its Attack dice."""

    small_arms: Modifier | None = None
    cannon: Modifier | None = None
    missile: Modifier | None = None
    artillery: Artillery | None = None


class Card(StrictKeys):
    """A Force card."""

    id: str = Field("", exclude=True)
    name: Line
    nation: Line
    type: Literal["tank", "fighting_vehicle", "transport", "missile_carrier", "artillery"]
    armor: Count = Field(title="armour", description="an Attack die hits with this or more")
    maneuver: Count | None = Field(None, description="a Maneuver die succeeds with this or more; none: no such symbol")
    headquarters: bool = Field(False, description="adds an Action card to the hand")
    vp: Count = Field(description="Victory Points")
    weapons: Weapons = Weapons()
    printed: Annotated[tuple[Printable, ...], Field(strict=False)] = Field(
        (),
        title="numbers from the rulebook",
        description="fields whose numbers the rulebook prints; every other number is this project's",
    )
    note: str | None = Field(None, description="where the rulebook says so")


def gun_class(card: Card) -> str:
    """Return the last Attack symbol of a card, in the order Small Arms, Cannon, Missile, Artillery."""
    armed = [symbol for symbol in SYMBOLS if getattr(card.weapons, symbol) is not None]
    return armed[-1] if armed else UNARMED


# --- Action cards -----------------------------------------------------------------------------------------------------

AttackCard = Literal[
    "assault", "barrage", "cannon", "combined_arms", "cover_fire", "missile", "overwatch", "raid", "small_arms"
]


class Play(NamedTuple):
    """An Action card that is played for an Attack.

    Attributes
    ----------
    symbols : tuple of str
        The Force card needs one of these Attack symbols, and attacks with it.
    extra_dice, extra_in_breakthrough : int
        Number of Attack dice that it adds anywhere, and in the Breakthrough Area only.
    first_to_any_row : bool
        Whether the attack is made from the first Row only, and reaches any Row.
    """

    symbols: tuple[str, ...]
    extra_dice: int = 0
    extra_in_breakthrough: int = 0
    first_to_any_row: bool = False


ATTACKS: dict[AttackCard, Play] = {
    "assault": Play(("cannon", "small_arms"), extra_dice=1),
    "barrage": Play(("cannon",)),
    "cannon": Play(("cannon",), extra_in_breakthrough=1),
    "combined_arms": Play(("cannon", "small_arms", "missile")),
    "cover_fire": Play(("small_arms",)),
    "missile": Play(("missile",), extra_in_breakthrough=1),
    "overwatch": Play(("missile",)),
    "raid": Play(("small_arms",), first_to_any_row=True),
    "small_arms": Play(("small_arms",), extra_in_breakthrough=1),
}


class Stop(NamedTuple):
    """An Action card that is played as a reaction, to stop Hits or Maneuver successes.

    Attributes
    ----------
    hits, successes : int
        Largest number of Hits that it stops of an attack, and of successes that it stops of a Maneuver.
    symbol : str or None
        Attack symbol of a Force card that is needed for the reaction, in range of the attacker; None: none is needed.
    """

    hits: int
    successes: int
    symbol: str | None = None


STOPS = {
    "barrage": Stop(1, 1, "cannon"),
    "cover": Stop(1, 0),
    "cover_fire": Stop(2, 2, "small_arms"),
    "overwatch": Stop(1, 1, "missile"),
    "pull_back": Stop(2, 0),
    "reaction_force": Stop(3, 3),
}

MOST_STOPPED = max(card.hits for card in STOPS.values())

ActionCard = Literal[
    "assault", "barrage", "cannon", "close_air_support", "combined_arms", "counter_fire", "cover", "cover_fire",
    "engineers", "minefield", "missile", "overrun", "overwatch", "pull_back", "raid", "reaction_force", "recon_drone",
    "regroup", "screening_force", "small_arms",
]  # fmt: skip
ACTION_CARDS: tuple[ActionCard, ...] = get_args(ActionCard)
"""All kinds of Action cards, in the order of the alphabet."""


def extra_dice(card: AttackCard, area: str) -> int:
    """Return how many Attack dice an Action card adds in an Area (Assault, Cannon, Missile, Small Arms)."""
    played = ATTACKS[card]
    return played.extra_dice + played.extra_in_breakthrough * (area == "breakthrough")
