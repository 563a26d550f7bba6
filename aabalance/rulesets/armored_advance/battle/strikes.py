"""The strikes of a unit: each attack that it may choose, alone and with a scout, at each enemy from each distance."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import NamedTuple

from aabalance import dice
from aabalance.once import once_per_object
from aabalance.rulesets.armored_advance.battle.cells import NO_ATTACK, Attacks, Cell, Cells, Row, Shown
from aabalance.rulesets.armored_advance.card import Unit, is_primary, toughness
from aabalance.rulesets.armored_advance.duel.fire import ACCURATE_ACTIONS
from aabalance.rulesets.armored_advance.keywords import scout_bonus
from aabalance.rulesets.armored_advance.shot import halves
from aabalance.rulesets.armored_advance.shot.sheets import Attack, Offence
from aabalance.rulesets.armored_advance.situation import Moment
from aabalance.rulesets.base import Gun, Strike

Moments = Mapping[Moment, Fraction]
"""Moments of attacks, with the share of the attacks that are made in each: the views."""


class Seen(NamedTuple):
    """A list as the other sees it.

    Attributes
    ----------
    shown : tuple of Shown
        By unit; equal units have the same one.
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


class _Choice(NamedTuple):
    """An attack, the gun that it is made with, and what it takes of the gun's attacks and of the unit's actions."""

    attack: Attack
    gun: int
    takes: int = 1
    actions: int = 1


Offences = tuple[Offence, ...]
"""A unit's fire in each view."""


def with_scout(moment: Moment, range_in: float) -> Moment:
    """Return a moment with a scout in the line of an attacker at this distance."""
    return moment.model_copy(update={"scout_in": range_in})


def arms(card: Unit, moments: Moments, seen: Seen, cells: Cells, *, scout: bool) -> Arms:
    """Return what a unit fires.

    Parameters
    ----------
    card : card
        The unit's card.
    moments : Moments
        The views of attacks, with their shares.
    seen : Seen
        Its enemies.
    cells : Cells
        What attacks do.
    scout : bool
        Its list has a scout.
    """
    still = halves.offence(card, next(iter(moments)))
    carried = [Gun()] * len(still.guns[0][1])
    carried[:1] = [Gun(still.primary_attacks, still.reloads)] * (len(carried[:1]) + _apart(card))
    thrown = [Gun(once=True)] * still.grenades  # p. 18
    return Arms((*carried, *thrown), tuple(_arms(card, still, moments, seen, cells, scout)))


def _arms(card: Unit, still: Offence, moments: Moments, seen: Seen, cells: Cells, scout: bool) -> Iterator[Arm]:
    """Yield the strikes of a unit that fires like `still` without a scout, by itself and with one."""
    alone = _offences(card, moments, cells, scout=False)
    aided = _offences(card, moments, cells, scout=True) if scout else [None] * len(alone)
    most = toughness(card)
    for row, (least, _) in enumerate(still.guns):
        choices = _choices(card, still, row)
        made = []
        for choice, attacks, with_aid in zip(
            choices, _attacks(card, alone, choices, row, cells), _attacks(card, aided, choices, row, cells), strict=True
        ):
            plain = Strike(choice.attack.weapon, choice.gun, choice.takes, choice.actions, least, most, (), ())
            made.append((choice, attacks, with_aid, _at(plain, attacks, seen.shown, cells)))
        direct = [strike for choice, *_, strike in made if choice.attack.kind != "indirect"]
        for choice, attacks, with_aid, strike in made:
            if choice.attack.kind == "indirect" and not still.set_up:
                yield Arm(_only(strike, _pays(strike, direct))._replace(prepare=card.actions))
                strike = strike._replace(prepared=True)
            better = _at(strike, with_aid, seen.shown, cells) if scout else None
            if better is not None and not any(differs(better, strike, enemy) for enemy in range(len(seen.shown))):
                better = None
            yield Arm(strike, better)
            for squad, (shield, bare) in seen.behind.items():
                shown = (*seen.shown[:squad], bare, *seen.shown[squad + 1 :])
                bared = _at(strike, attacks, shown, cells)
                if bared.effects != strike.effects:
                    yield Arm(at_one(bared, squad)._replace(gone=shield))
        most = least - 1


def _offences(card: Unit, moments: Moments, cells: Cells, *, scout: bool) -> list[Offences | None]:
    """Return a unit's fire from each distance; None where no scout sees the enemy (p. 11)."""
    known: dict[int, Offences] = {}
    offences: list[Offences | None] = []
    for range_in in cells.ranges:
        if scout and not sees(moments, range_in):
            offences.append(None)
            continue
        bonus = scout_bonus(range_in) if scout else 0
        if bonus not in known:
            seen = (with_scout(moment, range_in) if scout else moment for moment in moments)
            known[bonus] = tuple(halves.offence(card, moment) for moment in seen)
        offences.append(known[bonus])
    return offences


def sees(moments: Moments, range_in: float) -> bool:
    """Return whether a scout in the attacker's line sees an enemy, who is at most 60 inches away (p. 11)."""
    return all(with_scout(moment, range_in).scouted and not moment.hidden for moment in moments)


def _attacks(
    card: Unit, by_distance: Sequence[Offences | None], choices: Sequence[_Choice], row: int, cells: Cells
) -> list[list[Attacks | None]]:
    """Return the attacks of each choice by distance; None where the unit can't make it."""
    made = map(once_per_object(partial(_of, card, choices, row, cells)), by_distance)
    return [list(of_way) for of_way in zip(*made, strict=True)]


def _of(
    card: Unit, choices: Sequence[_Choice], row: int, cells: Cells, offences: Offences | None
) -> list[Attacks | None]:
    if offences is None:
        return [None] * len(choices)
    left = zip(*(_choices(card, offence, row) for offence in offences), strict=True)
    made: list[Attacks | None] = []
    for choice in choices:
        aimed = choice.actions == ACCURATE_ACTIONS
        attacks = None
        if not aimed or offences[0].aimed:
            # What an attack does depends on no weapon's name or place, and many attacks differ in nothing else.
            attacks = cells.kept(replace(one.attack, weapon="", place=0) for one in next(left))
        made.append(attacks)
    return made


def _at(strike: Strike, attacks: Sequence[Attacks | None], shown: Sequence[Shown], cells: Cells) -> Strike:
    """Return a strike with what its attacks, by distance, do to each enemy."""
    return _with_rows(strike, cells.rows(attacks, shown), explain=cells.explain)


def _with_rows(strike: Strike, rows: Sequence[Row], *, explain: bool) -> Strike:
    return strike._replace(
        effects=tuple([row.effects for row in rows]),
        dice=tuple([row.dice for row in rows]),
        steps=tuple([row.steps for row in rows]) if explain else (),
    )


def differs(one: Strike, other: Strike, enemy: int) -> bool:
    """Return whether a strike, wherever it has an effect on an enemy, has another one than the other strike."""
    pairs = zip(one.effects[enemy], other.effects[enemy], strict=True)
    return any(effect != instead and max(effect) > 0 for effect, instead in pairs)


def at_one(strike: Strike, enemy: int) -> Strike:
    """Return a strike at one enemy, without effect on the others."""
    return _only(strike, lambda at, _: at == enemy)


def _only(strike: Strike, where: Callable[[int, int], bool]) -> Strike:
    """Return a strike at some enemies from some distances, without effect elsewhere."""
    steps = strike.steps or [[()] * len(row) for row in strike.dice]
    rows = [
        Row.of(Cell(*cell) if where(enemy, at) else NO_ATTACK for at, cell in enumerate(zip(*row, strict=True)))
        for enemy, row in enumerate(zip(strike.effects, strike.dice, steps, strict=True))
    ]
    return _with_rows(strike, rows, explain=bool(strike.steps))


def _pays(lob: Strike, others: Sequence[Strike]) -> Callable[[int, int], bool]:
    """Return at which enemies, and from which distances, indirect fire does more than others of its gun and actions.

    Then a duel sets the gun up too (p. 15; AA-32).
    """
    rivals = [other.effects for other in others if (other.gun, other.actions) == (lob.gun, lob.actions)]
    mean = once_per_object(dice.mean)  # cells hand out the same object again and again

    def pays(enemy: int, distance: int) -> bool:
        instead = max((mean(effects[enemy][distance]) for effects in rivals), default=Fraction(0))
        return mean(lob.effects[enemy][distance]) > instead

    return pays


def _choices(card: Unit, offence: Offence, row: int) -> list[_Choice]:
    """Return the attacks that a unit may choose from, in the order of its card."""
    carried, apart = offence.guns[row][1], _apart(card)
    choices = [
        _Choice(one, gun + (apart and (gun > 0 or one.kind == "ai")))
        for gun, attacks in enumerate(carried)
        for one in attacks
    ]
    if offence.aimed:
        # A single shot: the gun fires no other in that turn (p. 12).
        aims = (*offence.aims[row], *offence.aimed_lobs)
        choices += [_Choice(one, 0, offence.primary_attacks, ACCURATE_ACTIONS) for one in aims]
    choices += [_Choice(one, 0) for one in offence.lobs]
    choices.sort(key=lambda choice: choice.attack.place)
    grenade, first = offence.grenade, len(carried) + apart
    return choices + [_Choice(grenade, first + n) for n in range(offence.grenades) if grenade is not None]


def _apart(card: Unit) -> int:
    """Return 1 if the primary gun may fire at vehicles and at infantry in one turn, an action each (p. 13; AA-61)."""
    against_men = {weapon.kind == "ai" for at, weapon in enumerate(card.weapons) if is_primary(card, at)}
    return int("autocannon" in card.keywords and len(against_men) > 1)
