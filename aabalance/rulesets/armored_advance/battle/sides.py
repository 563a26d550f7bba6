"""The sides of a battle: what each unit of a list may do in its turn, and what that does to each unit of the other.

Both sides hold their ground and fire at advantage; squads count as active all the time. What a unit needs of others is
taken from its own list:

- A field gun is manned by a squad that stands behind it, and does nothing once that is gone (p. 17). The gun's plates
  keep anti-infantry fire from the squad until the gun itself is gone. A gun for which the list has no squad brings a
  crew of its own, that isn't fired at.
- A scout gives a friend its bonus against one enemy, which lasts to the end of the turn, for an action (p. 11; AA-43).
- An indirect gun is set up in a turn of its unit that takes all the actions of its pool (p. 15; AA-32), and for the
  reason that a duel has: if the unit does more a turn afterwards.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from aabalance.errors import UsageError
from aabalance.rulesets.armored_advance.battle import missions
from aabalance.rulesets.armored_advance.battle.actions import actions_left
from aabalance.rulesets.armored_advance.battle.infantry import crew_is_immune, crews, squad_actions
from aabalance.rulesets.armored_advance.battle.strikes import (
    Arms,
    Moments,
    Seen,
    Shown,
    arms,
    at_those,
    with_scout,
)
from aabalance.rulesets.armored_advance.card import InfantryCard, Unit, VehicleCard, toughness
from aabalance.rulesets.armored_advance.shot import halves
from aabalance.rulesets.armored_advance.situation import Moment, Situation
from aabalance.rulesets.armored_advance.variant import Variant
from aabalance.rulesets.base import Fighter, Force, Help, Strike, Views

SPENT = 1000
"""A limit of actions that is used up."""


def forces(
    lists: tuple[Sequence[Unit], Sequence[Unit]],
    views: Views,
    range_in: float,
    variant: Variant,
    *,
    explain: bool = False,
) -> tuple[Force, Force]:
    """Return both sides of a battle; see `forces` and `explained_forces` of `aabalance.rulesets.base.Ruleset`."""
    back: dict[Situation, Fraction] = {}
    for situation, share in views.items():
        if situation.scout_in is not None:
            raise UsageError("scout_in: found a scout of no list, expected none in a battle")
        other = situation.returned(range_in)
        back[other] = back.get(other, Fraction(0)) + share
    return (
        _force(lists[0], lists[1], _at(views, range_in), variant, explain),
        _force(lists[1], lists[0], _at(back, range_in), variant, explain),
    )


def _at(views: Views, range_in: float) -> Moments:
    """Return the moments of attacks in these situations by units that hold."""
    return {Moment(**dict(situation), range_in=range_in): share for situation, share in views.items()}


def _force(own: Sequence[Unit], enemies: Sequence[Unit], moments: Moments, variant: Variant, explain: bool) -> Force:
    """Return a side; equal cards, of which a list has many, are worked out once."""
    seen = _seen(enemies, moments, variant)
    manned, scouts = crews(own), _scouts(own, moments)
    made: dict[tuple[int, str], Arms] = {}
    force = []
    for at, card in enumerate(own):
        crew = own[manned[at]] if at in manned else None
        squad = crew.squad if isinstance(crew, InfantryCard) else ""
        if (id(card), squad) not in made:
            crewed = _with(moments, artillery_crew=squad == "artillery_crew") if squad else moments
            made[id(card), squad] = arms(card, crewed, seen, variant, scout=bool(scouts), explain=explain)
        firing: tuple[Help, ...] = ()
        if isinstance(crew, InfantryCard):
            firing = (Help((manned[at],), crew.actions - squad_actions(crew, variant, fired_gun=True)),)
        # A crew that fires its gun with its one action has none to scout with.
        busy = {at, *(by for one in firing if one.actions for by in one.units)}
        others = tuple(by for by in scouts if by not in busy)
        force.append(_fighter(card, made[id(card), squad], firing, others, variant))
    return tuple(force)


def _with(moments: Moments, **fields: object) -> Moments:
    return {moment.model_copy(update=fields): share for moment, share in moments.items()}


def _scouts(cards: Sequence[Unit], moments: Moments) -> tuple[int, ...]:
    """Return the places of the scouts that see the enemy, who is at most 60 inches away (p. 11)."""
    see = all(with_scout(moment).scouted and not moment.hidden for moment in moments)
    return tuple(at for at, card in enumerate(cards) if see and "scout" in card.keywords)


def _seen(cards: Sequence[Unit], moments: Moments, variant: Variant) -> Seen:
    """Return a list as its enemies see it, its crews behind their guns."""
    gun_of = {squad: gun for gun, squad in crews(cards).items()}
    shown = []
    behind = {}
    for at, card in enumerate(cards):
        shields = [moment.gun_shield for moment in moments]
        if at in gun_of:
            gun = cards[gun_of[at]]
            shields = [_shield(gun, moment) if isinstance(gun, VehicleCard) else 0 for moment in moments]
            if any(shields):
                behind[at] = gun_of[at], _shown(card, moments, [0] * len(moments), variant)
        shown.append(_shown(card, moments, shields, variant))
    return Seen(tuple(shown), behind)


def _shield(gun: VehicleCard, moment: Moment) -> int:
    """Return the armour of a gun that its crew is behind."""
    return int(getattr(gun.armor, moment.facing)) if crew_is_immune(gun, moment.facing) else 0


def _shown(card: Unit, moments: Moments, shields: Sequence[int], variant: Variant) -> Shown:
    return tuple(
        halves.defence(card, moment.model_copy(update={"gun_shield": shield}), variant)
        for moment, shield in zip(moments, shields, strict=True)
    )


def _fighter(card: Unit, made: Arms, firing: tuple[Help, ...], scouts: tuple[int, ...], variant: Variant) -> Fighter:
    """Return a unit.

    Parameters
    ----------
    card : card
    made : Arms
    firing : tuple of Help
        What firing takes of its crew, if a squad of the list mans it.
    scouts : tuple of int
        The places of those who can scout for it.
    variant : Variant
    """
    return Fighter(
        name=card.name,
        toughness=toughness(card),
        actions=squad_actions(card, variant) if isinstance(card, InfantryCard) else card.actions,
        free=actions_left(card, 0, SPENT, SPENT) > 0,
        worth=missions.requisition([card]),
        counts=missions.annihilation([card], [], variant) == "a",
        guns=made.guns,
        strikes=tuple(strike for strike in _strikes(card, made, firing, scouts, variant) if _has_effect(strike)),
    )


def _has_effect(strike: Strike) -> bool:
    return any(max(effect) > 0 for effect in strike.effects)


def _strikes(
    card: Unit, made: Arms, firing: tuple[Help, ...], scouts: tuple[int, ...], variant: Variant
) -> Iterator[Strike]:
    """Yield the strikes of a unit with the help that they take."""
    price = int(variant.scout_costs_action)
    scouted = {arm.scouted.gun for arm in made.strikes if arm.scouted is not None}
    lasts = price > 0 and card.actions > 1 and sum(made.guns[gun].attacks for gun in scouted) > 1
    for alone, better in made.strikes:
        manned = tuple(one._replace(actions=0) for one in firing) if alone.prepare else firing
        yield alone._replace(helps=manned)
        if better is None or not scouts:
            continue
        yield better._replace(helps=(*manned, Help(scouts, price, lasts)))
        for enemy, effect in enumerate(better.effects):
            if lasts and effect != alone.effects[enemy]:
                yield at_those(better, {enemy})._replace(helps=manned, helped_at=enemy)
