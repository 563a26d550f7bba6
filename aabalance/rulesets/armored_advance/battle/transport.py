"""Squads in transports: how many, getting in, and what is left when one is destroyed (p. 12 APC, p. 18 Embarkation)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import prod

from aabalance import dice
from aabalance.dice import Pmf
from aabalance.errors import UsageError
from aabalance.rulesets.armored_advance import keywords
from aabalance.rulesets.armored_advance.battle.infantry import crews, squad_actions
from aabalance.rulesets.armored_advance.card import InfantryCard, Unit
from aabalance.rulesets.armored_advance.shot.damage import casualties
from aabalance.rulesets.armored_advance.shot.needs import D6
from aabalance.rulesets.armored_advance.variant import Variant
from aabalance.rulesets.base import Ride

EMBARKING_ACTIONS = 1
TRANSPORT_LOSSES = "D3-1"


def capacity(card: Unit) -> int:
    """Return how many squads a unit carries (p. 12 APC)."""
    return int(card.keywords.get("apc", 0))


def rides(cards: Sequence[Unit], carriers: Mapping[int, int], variant: Variant) -> dict[int, Ride]:
    """Return how squads ride that begin a battle inside transports of their list, by place.

    Parameters
    ----------
    cards : sequence of card
        Cards of the units.
    carriers : mapping of int to int
        By the place of each squad, that of its transport.
    variant : Variant
        The rule switches.

    Raises
    ------
    UsageError
        No squad, one that mans a gun, or a transport without room for it.
    """
    riding: dict[int, Ride] = {}
    gun_of = {squad: gun for gun, squad in crews(cards).items()}
    for at, by in carriers.items():
        card, transport = cards[at], cards[by]
        if not isinstance(card, InfantryCard):
            raise UsageError(f"found {card.name} inside {transport.name}, expected squads there")
        if at in gun_of:
            gun = cards[gun_of[at]].name
            raise UsageError(f"found {card.name} inside {transport.name}, expected it behind {gun}, which it mans")
        aboard = sum(ride.carrier == by for ride in riding.values())
        if not keywords.apc(capacity(transport), aboard):
            raise UsageError(
                f"found {card.name} as squad {aboard + 1} inside {transport.name}, "
                f"expected at most {capacity(transport)}, as its keyword apc says"
            )
        wreck = {card.strength - men: p for (men,), p in survivors([card.strength]).items()}
        rests = card.actions - squad_actions(card, variant, disembarked=True, lost_transport=True)
        riding[at] = Ride(by, wreck, rests)
    return riding


def embark(transport: Unit, aboard: int, actions: int) -> int:
    """Return the actions that a transport has left of `actions` after it took in one more squad (p. 12, p. 18).

    Each squad takes an action of the transport; getting out takes none.

    Parameters
    ----------
    transport : card
        The transport's card.
    aboard : int
        Squads that are inside already.
    actions : int
        Actions that it has left before.

    Raises
    ------
    UsageError
        The transport has no room, or no action left.
    """
    if not keywords.apc(capacity(transport), aboard):
        raise UsageError(f"apc: found {aboard} squads aboard, {transport.name} carries {capacity(transport)}")
    if actions < EMBARKING_ACTIONS:
        raise UsageError(f"apc: found {actions} actions, expected {EMBARKING_ACTIONS} to embark a squad")
    return actions - EMBARKING_ACTIONS


def survivors(strengths: Sequence[int]) -> dict[tuple[int, ...], Fraction]:
    """Return the chances of what is left of the squads aboard when their transport is destroyed (p. 12, p. 18).

    Each loses D3-1 men by a die of its own (AA-51), gets out, and loses its next action (see `infantry.squad_actions`).

    Parameters
    ----------
    strengths : sequence of int
        Men of each squad.

    Returns
    -------
    dict of tuple of int to Fraction
        By the men left of each squad.
    """
    each = [_survivors(strength).items() for strength in strengths]
    return {
        tuple(men for men, _ in outcome): prod((p for _, p in outcome), start=Fraction(1)) for outcome in product(*each)
    }


def _survivors(strength: int) -> Pmf:
    lost = casualties(TRANSPORT_LOSSES, strength)
    return dice.transform(dice.die(D6), lambda face: strength - lost[face - 1])
