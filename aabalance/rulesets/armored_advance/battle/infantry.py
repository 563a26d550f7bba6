"""Infantry beyond its fire: its actions, field guns, objectives and transports (p. 17-19 Infantry, p. 12 APC)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import prod
from typing import Literal

from aabalance import dice
from aabalance.dice import Pmf
from aabalance.errors import UsageError
from aabalance.rulesets.armored_advance import keywords
from aabalance.rulesets.armored_advance.card import InfantryCard, Unit, VehicleCard
from aabalance.rulesets.armored_advance.shot.tables import D6, casualties
from aabalance.rulesets.armored_advance.situation import Facing
from aabalance.rulesets.armored_advance.variant import Variant
from aabalance.rulesets.base import Ride

MANNING_IN = 1
OBJECTIVE_IN = MANNING_IN
"""Of squads that occupy an objective: as near as to a gun, for no distance is given (AA-72, GUESS)."""
CREWS = ("artillery_crew", "rifle")
"""Squads that man guns, the best first; teams with a weapon of their own stay with it (p. 19)."""
EMBARKING_ACTIONS = 1
TRANSPORT_LOSSES = "D3-1"


def may_bring_equipment(card: InfantryCard) -> bool:
    """Return whether a squad may carry a machine gun or grenades: special squads don't (p. 19)."""
    return card.squad == "rifle"


def squad_actions(
    card: InfantryCard,
    variant: Variant,
    *,
    disembarked: bool = False,
    lost_transport: bool = False,
    fired_gun: bool = False,
) -> int:
    """Return the actions that a squad has in a turn, apart from the side's action limit (p. 17, p. 18).

    Parameters
    ----------
    card : InfantryCard
        The squad's card.
    variant : Variant
        The rule switches.
    disembarked : bool
        It got out of a transport this turn, which costs nothing but leaves no other action.
    lost_transport : bool
        It was inside when its transport was destroyed, and hasn't had a turn since.
    fired_gun : bool
        The field gun that it mans fired this turn, which is the gun's action and not the squad's, unless
        ``gun_fire_uses_crew_action`` (AA-63, GUESS).
    """
    if disembarked or lost_transport or (fired_gun and variant.gun_fire_uses_crew_action):
        return 0
    return card.actions


def mans(range_in: float, *, behind: bool, manning_another: bool = False) -> bool:
    """Return whether a squad mans a field gun, which does nothing without one (p. 17 Field Guns).

    Parameters
    ----------
    range_in : float
        From the squad to the gun, inches.
    behind : bool
        The squad stands behind the gun.
    manning_another : bool
        It mans another piece of equipment already.
    """
    return range_in <= MANNING_IN and behind and not manning_another


def crews(cards: Sequence[Unit]) -> dict[int, int]:
    """Return which squad of a list stands behind which of its field guns, by their places in the list (p. 17).

    Guns come in the order of the list, artillery crews before rifle squads. A gun for which no squad is left has no
    entry.
    """
    squads = [
        at for squad in CREWS for at, card in enumerate(cards) if isinstance(card, InfantryCard) and card.squad == squad
    ]
    squad_of: dict[int, int] = {}
    for gun, card in enumerate(cards):
        if card.class_ == "field_gun":
            at_hand = (at for at in squads if mans(0, behind=True, manning_another=at in squad_of.values()))
            squad_of.update((gun, at) for at in list(at_hand)[:1])
    return squad_of


def crew_is_immune(gun: VehicleCard, facing: Facing) -> bool:
    """Return whether anti-infantry fire against a gun's `facing` leaves its crew alone: behind any plate (p. 17).

    The plate on the card counts; sandbags before the gun don't.
    """
    return int(getattr(gun.armor, facing)) > 0


def owner(men_a: Iterable[int], men_b: Iterable[int]) -> Literal["a", "b"] | None:
    """Return who owns an objective: the side with more individuals on it, in however many squads (p. 17 Objectives).

    Equal numbers leave it to nobody (interpretation 1.6, GUESS).

    Parameters
    ----------
    men_a, men_b : iterable of int
        Men of each squad that occupies it.
    """
    difference = sum(men_a) - sum(men_b)
    if not difference:
        return None
    return "a" if difference > 0 else "b"


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

    Each loses D3-1 men by a die of its own (AA-51), gets out, and loses its next action (see `squad_actions`).

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
