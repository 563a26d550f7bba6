"""What the Action cards do, by their detailed rules; the numbers in their corners are not in the rulebook (M-12)."""

from __future__ import annotations

from typing import Literal, NamedTuple

AttackCard = Literal[
    "assault", "barrage", "cannon", "combined_arms", "cover_fire", "missile", "overwatch", "raid", "small_arms"
]


class Play(NamedTuple):
    """An Action card as an Attack.

    Attributes
    ----------
    symbols : tuple of str
        The Force card has to have one of these, and attacks with it.
    extra_dice, extra_in_breakthrough : int
        Attack dice it adds; in the Breakthrough Area only.
    first_to_any_row : bool
        It attacks from the first Row, and reaches any.
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
    """An Action card as a reaction that stops something.

    Attributes
    ----------
    hits, successes : int
        Hits, or else Maneuver successes, that it stops at most.
    symbol : str or None
        Of the Force card that acts for it, which has to be in range of the attacker; None if any card or none will do.
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

MANEUVERING_MODIFIERS = {"barrage": 2, "cover": 4, "small_arms": 3}
"""Added to Maneuver rolls when played for it: the three that the rulebook's examples name."""


def extra_dice(card: AttackCard, area: str) -> int:
    """Return the Attack dice that an Action card adds in an Area (Assault, Cannon, Missile, Small Arms)."""
    played = ATTACKS[card]
    return played.extra_dice + played.extra_in_breakthrough * (area == "breakthrough")
