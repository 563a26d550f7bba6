"""The strikes of a unit that holds: each attack that it may choose, by itself and with a scout, at each enemy."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from aabalance import dice
from aabalance.dice import Pmf
from aabalance.rulesets.armored_advance.card import Unit, toughness
from aabalance.rulesets.armored_advance.duel.fire import ACCURATE_ACTIONS
from aabalance.rulesets.armored_advance.shot import halves
from aabalance.rulesets.armored_advance.shot.resolve import NO_DICE, NOTHING, resolve
from aabalance.rulesets.armored_advance.shot.sheets import Attack, Defence, Offence
from aabalance.rulesets.armored_advance.situation import Moment
from aabalance.rulesets.armored_advance.variant import Variant
from aabalance.rulesets.base import Dice, Gun, Step, Strike

Shown = tuple[Defence, ...]
"""What a unit shows in each of the moments."""
Moments = Mapping[Moment, Fraction]
"""Moments of attacks, with the share of the attacks that are made in each."""
Thrown = tuple[tuple[Fraction, Dice], ...]
Told = tuple[tuple[Step, ...], ...]
NOT_THROWN: Thrown = ((Fraction(1), NO_DICE),)


class Seen(NamedTuple):
    """A list as the other sees it.

    Attributes
    ----------
    shown : tuple of Shown
        By unit.
    behind : dict of int to (int, Shown)
        By the place of a squad that a gun's plates shield: the gun's place, and what the squad shows once that is gone.
    """

    shown: tuple[Shown, ...]
    behind: dict[int, tuple[int, Shown]]


class Arm(NamedTuple):
    """A strike as a unit makes it by itself, and with a scout's bonus if that makes a difference."""

    alone: Strike
    scouted: Strike | None = None


class Arms(NamedTuple):
    """What a unit fires: its guns, the primary first and each grenade last, and its strikes, as its card has them."""

    guns: tuple[Gun, ...]
    strikes: tuple[Arm, ...]


class _Way(NamedTuple):
    """An attack, the gun that it is made with, and what it takes of the gun's attacks and of the unit's actions."""

    attack: Attack
    gun: int
    takes: int = 1
    actions: int = 1


def with_scout(moment: Moment) -> Moment:
    """Return a moment with a scout in the attacker's own line."""
    return moment.model_copy(update={"scout_in": moment.range_in})


def arms(card: Unit, moments: Moments, seen: Seen, variant: Variant, *, scout: bool, explain: bool) -> Arms:
    """Return what a unit fires.

    Parameters
    ----------
    card : card
    moments : Moments
    seen : Seen
        Its enemies.
    variant : Variant
    scout : bool
        Its list has a scout.
    explain : bool
        Strikes have their steps.
    """
    alone = [halves.offence(card, moment) for moment in moments]
    aided = [halves.offence(card, with_scout(moment)) for moment in moments] if scout else alone
    offence = alone[0]
    carried = [Gun()] * len(offence.guns[0][1])
    carried[:1] = [Gun(offence.primary_attacks, offence.reloads)] * len(carried[:1])
    thrown = [Gun(once=True)] * offence.grenades  # p. 18
    return Arms((*carried, *thrown), tuple(_arms(card, alone, aided, moments, seen, variant, explain)))


def _arms(
    card: Unit,
    alone: Sequence[Offence],
    aided: Sequence[Offence],
    moments: Moments,
    seen: Seen,
    variant: Variant,
    explain: bool,
) -> Iterator[Arm]:
    """Yield the strikes of a unit that fires like this at each moment, by itself and with a scout."""
    most = toughness(card)
    for row, (least, _) in enumerate(alone[0].guns):
        each = (zip(*(_ways(card, offence, row) for offence in offences), strict=True) for offences in (alone, aided))
        made = []
        for ways, aided_ways in zip(*each, strict=True):
            one, gun, takes, actions = ways[0]
            strike = Strike(
                one.weapon, gun, takes, actions, least, most, *_effects(ways, seen.shown, moments, variant, explain)
            )
            made.append((ways, aided_ways, strike))
        direct = [strike for ways, _, strike in made if ways[0].attack.kind != "indirect"]
        for ways, aided_ways, strike in made:
            if ways[0].attack.kind == "indirect" and not alone[0].set_up:
                yield Arm(at_those(strike, _pays(strike, direct))._replace(prepare=card.actions))
                strike = strike._replace(prepared=True)
            effects, thrown, told = _effects(aided_ways, seen.shown, moments, variant, explain)
            better = strike._replace(effects=effects, dice=thrown, steps=told)
            yield Arm(strike, None if effects == strike.effects else better)
            for squad, (shield, bare) in seen.behind.items():
                shown = (*seen.shown[:squad], bare, *seen.shown[squad + 1 :])
                effects, thrown, told = _effects(ways, shown, moments, variant, explain)
                if effects != strike.effects:
                    bared = strike._replace(effects=effects, dice=thrown, steps=told)
                    yield Arm(at_those(bared, {squad})._replace(gone=shield))
        most = least - 1


def at_those(strike: Strike, enemies: Collection[int]) -> Strike:
    """Return a strike at some of the enemies, without effect on the others."""
    effects = tuple(effect if enemy in enemies else NOTHING for enemy, effect in enumerate(strike.effects))
    thrown = tuple(rolled if enemy in enemies else NOT_THROWN for enemy, rolled in enumerate(strike.dice))
    return strike._replace(effects=effects, dice=thrown)


def _pays(lob: Strike, others: Sequence[Strike]) -> set[int]:
    """Return the enemies to whom indirect fire does more than the others of its gun that take as many actions.

    Then a duel sets the gun up too (p. 15; AA-32).
    """
    rivals = [other for other in others if (other.gun, other.actions) == (lob.gun, lob.actions)]
    return {
        enemy
        for enemy, effect in enumerate(lob.effects)
        if dice.mean(effect) > max((dice.mean(rival.effects[enemy]) for rival in rivals), default=0)
    }


def _ways(card: Unit, offence: Offence, row: int) -> list[_Way]:
    """Return the attacks that a unit may choose from, in the order of its card."""
    carried = offence.guns[row][1]
    ways = [_Way(one, gun) for gun, attacks in enumerate(carried) for one in attacks]
    if offence.aimed:
        # A single shot: the gun fires no other in that turn (p. 12).
        aims = (*offence.aims[row], *offence.aimed_lobs)
        ways += [_Way(one, 0, offence.primary_attacks, ACCURATE_ACTIONS) for one in aims]
    ways += [_Way(one, 0) for one in offence.lobs]
    names = [weapon.name for weapon in card.weapons]
    ways.sort(key=lambda way: names.index(way.attack.weapon.removesuffix(" (indirect)")))
    grenade = offence.grenade
    return ways + [_Way(grenade, len(carried) + n) for n in range(offence.grenades) if grenade is not None]


def _effects(
    ways: Sequence[_Way], shown: Sequence[Shown], moments: Moments, variant: Variant, explain: bool
) -> tuple[tuple[Pmf, ...], tuple[Thrown, ...], tuple[Told, ...]]:
    """Return what an attack, as it is made in each moment, does to each enemy, how it is rolled, and the steps."""
    known: dict[Shown, tuple[Pmf, Thrown, Told]] = {}
    for target in shown:
        if target not in known:
            found = []
            told: dict[Dice, tuple[Step, ...]] = {}
            for way, face, moment in zip(ways, target, moments, strict=True):
                steps: list[Step] | None = [] if explain else None
                one = resolve(way.attack, face, moment.range_in, variant, steps)
                told.setdefault(one.dice, tuple(steps or ()))
                found.append(one)
            shares = dict(enumerate(moments.values()))
            effect = dice.mixture(shares, [one.effect for one in found].__getitem__)
            thrown: dict[Dice, Fraction] = {}
            for one, share in zip(found, moments.values(), strict=True):
                thrown[one.dice] = thrown.get(one.dice, Fraction(0)) + share
            rollable = all(one.rollable for one in found)
            rolled = tuple((share, of) for of, share in thrown.items()) if rollable else ()
            known[target] = effect, rolled, tuple(told.values())
    effects, rolls, steps_of = zip(*(known[target] for target in shown), strict=True)
    return effects, rolls, steps_of if explain else ()
