"""The sides of a battle: what each unit of a list may do in its turn, and what that does to each unit of the other.

Both sides hold their ground and fire at advantage. Field guns are manned, squads count as active all the time, and
nobody throws grenades or sets up an indirect gun, which fires indirectly only if it is set up at the start.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from aabalance import dice
from aabalance.dice import Pmf
from aabalance.errors import UsageError
from aabalance.rulesets.armored_advance.battle import missions
from aabalance.rulesets.armored_advance.battle.actions import actions_left
from aabalance.rulesets.armored_advance.battle.infantry import squad_actions
from aabalance.rulesets.armored_advance.card import InfantryCard, Unit, toughness
from aabalance.rulesets.armored_advance.duel.fire import ACCURATE_ACTIONS
from aabalance.rulesets.armored_advance.shot import halves
from aabalance.rulesets.armored_advance.shot.resolve import resolve
from aabalance.rulesets.armored_advance.shot.sheets import Attack, Defence, Offence
from aabalance.rulesets.armored_advance.situation import Moment, Situation
from aabalance.rulesets.armored_advance.variant import Variant
from aabalance.rulesets.base import Dice, Fighter, Force, Gun, Strike, Views

SPENT = 1000
"""A limit of actions that is used up."""

Shown = tuple[Defence, ...]
"""What a unit shows in each of the situations."""
Thrown = tuple[tuple[Fraction, Dice], ...]


def forces(
    lists: tuple[Sequence[Unit], Sequence[Unit]], views: Views, range_in: float, variant: Variant
) -> tuple[Force, Force]:
    """Return both sides of a battle; see `aabalance.rulesets.base.Ruleset.forces`."""
    back: dict[Situation, Fraction] = {}
    for situation, share in views.items():
        if situation.scout_in is not None:
            raise UsageError("scout_in: found a scout of no list, expected none in a battle")
        other = situation.returned(range_in)
        back[other] = back.get(other, Fraction(0)) + share
    return (
        _force(lists[0], lists[1], _at(views, range_in), variant),
        _force(lists[1], lists[0], _at(back, range_in), variant),
    )


def _at(views: Views, range_in: float) -> Views:
    """Return the moments of attacks in these situations by units that hold."""
    return {Moment(**dict(situation), range_in=range_in): share for situation, share in views.items()}


def _force(own: Sequence[Unit], enemies: Sequence[Unit], moments: Views, variant: Variant) -> Force:
    """Return a side; equal cards, of which a list has many, are worked out once."""
    shown = [tuple(halves.defence(card, moment, variant) for moment in moments) for card in enemies]
    made: dict[int, Fighter] = {}
    for card in own:
        if id(card) not in made:
            made[id(card)] = _fighter(card, shown, moments, variant)
    return tuple(made[id(card)] for card in own)


def _fighter(card: Unit, shown: Sequence[Shown], moments: Views, variant: Variant) -> Fighter:
    offences = [halves.offence(card, moment) for moment in moments]
    offence = offences[0]
    most = toughness(card)
    strikes = []
    guns = offence.guns[0][1]
    for row, (least, _) in enumerate(offence.guns):
        for ways in zip(*(_ways(card, offence, row) for offence in offences), strict=True):
            made, gun, takes, actions = ways[0]
            effects, thrown = _effects([way.attack for way in ways], shown, moments, variant)
            strikes.append(Strike(made.weapon, gun, takes, actions, least, most, effects, thrown))
        most = least - 1
    primary = Gun(offence.primary_attacks, offence.reloads)
    return Fighter(
        name=card.name,
        toughness=toughness(card),
        actions=squad_actions(card, variant) if isinstance(card, InfantryCard) else card.actions,
        free=actions_left(card, 0, SPENT, SPENT) > 0,
        worth=missions.requisition([card]),
        counts=missions.annihilation([card], [], variant) == "a",
        guns=(primary, *[Gun()] * (len(guns) - 1)) if guns else (),
        strikes=tuple(strikes),
    )


class _Way(NamedTuple):
    """An attack, the gun that it is made with, and what it takes of the gun's attacks and of the unit's actions."""

    attack: Attack
    gun: int
    takes: int = 1
    actions: int = 1


def _ways(card: Unit, offence: Offence, row: int) -> list[_Way]:
    """Return the attacks that a unit may choose from, in the order of its card."""
    ways = [_Way(one, gun) for gun, attacks in enumerate(offence.guns[row][1]) for one in attacks]
    lobs, aims = (offence.lobs, offence.aimed_lobs) if offence.set_up else ((), ())
    if offence.aimed:
        # A single shot: the gun fires no other in that turn (p. 12).
        ways += [_Way(one, 0, offence.primary_attacks, ACCURATE_ACTIONS) for one in (*offence.aims[row], *aims)]
    ways += [_Way(one, 0) for one in lobs]
    names = [weapon.name for weapon in card.weapons]
    return sorted(ways, key=lambda way: names.index(way.attack.weapon.removesuffix(" (indirect)")))


def _effects(
    attacks: Sequence[Attack], shown: Sequence[Shown], moments: Views, variant: Variant
) -> tuple[tuple[Pmf, ...], tuple[Thrown, ...]]:
    """Return what an attack, as it is made in each situation, does to each enemy, and how it is rolled."""
    known: dict[Shown, tuple[Pmf, Thrown]] = {}
    for target in shown:
        if target not in known:
            found = [
                resolve(one, face, situation.range_in, variant)
                for one, face, situation in zip(attacks, target, moments, strict=True)
            ]
            shares = dict(enumerate(moments.values()))
            effect = dice.mixture(shares, [one.effect for one in found].__getitem__)
            thrown: dict[Dice, Fraction] = {}
            for one, share in zip(found, moments.values(), strict=True):
                thrown[one.dice] = thrown.get(one.dice, Fraction(0)) + share
            rollable = all(one.rollable for one in found)
            known[target] = effect, tuple((share, rolled) for rolled, share in thrown.items()) if rollable else ()
    effects, rolled = zip(*(known[target] for target in shown), strict=True)
    return effects, rolled
