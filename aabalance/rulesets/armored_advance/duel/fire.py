"""The attacks of a unit in a turn.

The state of a unit on which its next turn depends is one number, its memory: the sum of `EMPTIED`, `SET_UP`, and
`THROWN` for each grenade that it has thrown.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from aabalance import dice
from aabalance.dice import Pmf
from aabalance.rulesets.armored_advance.shot.choose import NO_SHOT, Option, as_shot, best_of, steps, value
from aabalance.rulesets.armored_advance.shot.resolve import NOTHING, Resolution, resolve, sum_of
from aabalance.rulesets.armored_advance.shot.sheets import Attack, Defence, Gun, Offence
from aabalance.rulesets.armored_advance.variant import Variant
from aabalance.rulesets.base import Bracket, Dice, Plan, Survey, Volley

ACCURATE_ACTIONS = 2

EMPTIED = 1
"""The primary gun fired last turn and has to reload (p. 14)."""
SET_UP = 2
"""The indirect gun is set up (p. 15)."""
THROWN = 4

SETTING_UP = Volley((), NOTHING, ())


class Stay(NamedTuple):
    """A turn of a unit that stays where it is: what it fires, its memory after the turn, and the turn in words."""

    volley: Volley
    memory: int
    orders: str


def start(offence: Offence) -> int:
    """Return the memory of a unit at the start of a duel."""
    return SET_UP if offence.set_up and offence.lobs else 0


class Engagement:
    """A unit that fires at a target from where it stands. The best attack of each gun is looked up once.

    In its methods, `row` is the index of an entry in ``offence.guns``, `memory` what the unit remembers, and `actions`
    how many it may spend.

    Parameters
    ----------
    offence : Offence
        What the attacker brings.
    target : Defence
        What the target shows.
    range_in : float
        Distance in inches.
    variant : Variant
        The rule switches.
    explain : bool
        Volleys of `fire`, and of what prepares for it, have their steps.
    """

    __slots__ = ("_careful", "_explain", "_options", "offence", "range_in", "target", "variant")

    def __init__(
        self, offence: Offence, target: Defence, range_in: float, variant: Variant, *, explain: bool = False
    ) -> None:
        self._explain = explain
        self.offence = offence
        self.target = target
        self.range_in = range_in
        self.variant = variant
        self._options: dict[int, list[Option]] = {}
        self._careful: dict[int, list[Option]] = {}

    def options(self, row: int, memory: int) -> list[Option]:
        """Return the attack of largest expected effect of each gun; of equal ones the first on the card."""
        key = row << SET_UP | memory & SET_UP
        best = self._options.get(key)
        if best is None:
            if memory & SET_UP:
                plain = self.options(row, 0)
                best = [max(plain[0], self._best(self.offence.lobs), key=value), *plain[1:]]
            else:
                best = [self._best(gun) for gun in self.offence.guns[row][1]]
            self._options[key] = best
        return best

    def careful(self, row: int, memory: int) -> list[Option]:
        """Return a list with the best accurate shot, empty if the unit may take none."""
        if not self.offence.aimed:
            return []
        key = row << SET_UP | memory & SET_UP
        if key not in self._careful:
            shots = self.offence.aims[row] + (self.offence.aimed_lobs if memory & SET_UP else ())
            self._careful[key] = [self._best(shots)] if shots else []
        return self._careful[key]

    def hold(self, row: int, memory: int) -> Stay:
        """Return a turn of a unit that holds: it prepares if that is better, and else fires with all its actions."""
        return self.prepare(memory) or self.fire(row, memory, self.offence.actions)

    def plan(self, memory: int) -> Plan:
        """Return the turns of a unit that holds from now on: first it prepares, then it repeats its turns of fire."""
        opening = []
        while stay := self.prepare(memory):
            opening.append(stay.volley)
            memory = stay.memory
        first = tuple(opening)
        return tuple(
            [
                Bracket(least, tuple([_volley(turn) for turn in self.cycle(row, memory)]), first)
                for row, (least, _) in enumerate(self.offence.guns)
            ]
        )

    def cycle(self, row: int, memory: int) -> list[list[Option]]:
        """Return the turns of fire that a unit repeats, each as the attacks that it makes."""
        turns = []
        for _ in range(1 + self.offence.reloads):
            turn, memory = self._turn(row, memory, self.offence.actions)
            turns.append(turn)
        return turns

    def fire(self, row: int, memory: int, actions: int) -> Stay:
        """Return a turn of fire with this many actions: the attacks of largest expected effect.

        Every gun fires once, the primary as often as the rules let it, or one accurate shot is taken if that is better;
        as many attacks as the actions pay for (p. 5 Shooting, p. 12-14).
        """
        turn, after = self._turn(row, memory, actions)
        volley = self._fired(turn)
        return Stay(volley, after, f"fire {', '.join(volley.weapons)}" if volley.weapons else "no fire")

    def prepare(self, memory: int) -> Stay | None:
        """Return a turn that a holding unit spends before it fires as usual, or None if it needs none.

        A squad throws its grenades first if a throw does more than its other attack at full strength (p. 18; AA-40). An
        indirect gun is set up for a full turn if it does more damage a turn afterwards (p. 15; AA-32).
        """
        if self.offence.grenade is None and not self.offence.lobs:
            return None  # true of most units, and asked for every cell of a table
        return next((stay for stay, gain in self._preparations(memory) if gain > 0), None)

    def stays(self, row: int, memory: int) -> Iterator[Stay]:
        """Yield every turn open to a unit that stays, except those in which it keeps its gun loaded."""
        yield self.fire(row, memory, self.offence.actions)
        for stay, _ in self._preparations(memory):
            yield stay

    def _preparations(self, memory: int) -> Iterator[tuple[Stay, float]]:
        """Yield what a unit may do in place of fire, each with its gain in expected effect."""
        rested = memory & ~EMPTIED
        grenade = self.offence.grenade
        if grenade is not None and memory // THROWN < self.offence.grenades:
            throw = self._best((grenade,))
            if throw.resolution.expected:
                stay = Stay(self._fired([throw]), rested + THROWN, "throw a grenade")
                yield stay, throw.resolution.expected - self._worth(memory)
        if self.offence.lobs and not memory & SET_UP:
            # Comparing whole turns takes time, so ask first whether the gun would use indirect fire at all.
            better = self.offence.aimed or self.options(0, SET_UP)[0] is not self.options(0, 0)[0]
            gain = self._worth(SET_UP) - self._worth(0) if better else 0.0
            yield Stay(SETTING_UP, rested | SET_UP, "set up"), gain

    def _worth(self, memory: int) -> float:
        """Return the mean expected effect of the turns of fire of a unit at full strength."""
        turns = self.cycle(0, memory)
        return math.fsum(_total(turn) for turn in turns) / len(turns)

    def _turn(self, row: int, memory: int, actions: int) -> tuple[list[Option], int]:
        """Return the best attacks of a turn, and the unit's memory after them."""
        options = self.options(row, memory)
        if memory & EMPTIED:
            return _largest(options[1:], actions), memory & ~EMPTIED
        primary, others = options[:1], options[1:]
        best = _largest(primary * self.offence.primary_attacks + others, actions)
        emptied = self.offence.reloads and any(option is primary[0] for option in best)
        if actions >= ACCURATE_ACTIONS:
            for option in self.careful(row, memory):
                careful = [option, *_largest(others, actions - ACCURATE_ACTIONS)]
                if _total(careful) > _total(best):
                    best, emptied = careful, self.offence.reloads
        return best, memory | (EMPTIED if emptied else 0)

    def _fired(self, options: list[Option]) -> Volley:
        volley = _volley(options)
        if not self._explain:
            return volley
        told = [steps(self.offence, one.attack, self.target, self.range_in, self.variant) for one in options]
        return volley._replace(steps=tuple(step for of_attack in told for step in of_attack))

    def _best(self, gun: Gun) -> Option:
        if len(gun) == 1:
            return Option(gun[0], resolve(gun[0], self.target, self.range_in, self.variant))
        return best_of([Option(attack, resolve(attack, self.target, self.range_in, self.variant)) for attack in gun])


def survey(offence: Offence, target: Defence, range_in: float, variant: Variant) -> Survey[Plan]:
    """Return the turns of a unit that holds, its best single attack, and the largest effect that an action buys.

    A long reload alternates between a turn with the primary gun and one without (p. 14), and so costs the next turn's
    action as well. A scouted attack costs the scout's action (AA-43). Indirect fire that has to be set up first, and
    grenades, are no single attacks to repeat.

    Parameters
    ----------
    offence : Offence
        What the attacker brings.
    target : Defence
        What the target shows.
    range_in : float
        Distance in inches.
    variant : Variant
        The rule switches.
    """
    engagement = Engagement(offence, target, range_in, variant)
    memory = start(offence)
    strongest = engagement.options(0, memory)
    spent = [1 + offence.reloads, *[1] * (len(strongest) - 1)]
    uses = [
        option.resolution.expected / (actions + _scouting(option, variant))
        for option, actions in zip(strongest, spent, strict=False)
        if option.resolution.expected
    ]
    uses += [
        option.resolution.expected / (ACCURATE_ACTIONS + offence.reloads + _scouting(option, variant))
        for option in engagement.careful(0, memory)
    ]
    best = best_of(strongest) if strongest else None
    shot = NO_SHOT if best is None else as_shot(best, variant)
    unreached = (best is None or not best.resolution.expected) and _out_of_reach(offence, target, range_in, variant)
    return Survey(engagement.plan(memory), shot, max(uses, default=0.0), unreached)


def surveys(offence: Offence, targets: Sequence[Defence], range_in: float, variant: Variant) -> list[Survey[Plan]]:
    """Return the `survey` of each target.

    Of all that tells targets apart, little tells apart what attacks do to them, and a survey depends on nothing else.

    Parameters
    ----------
    offence : Offence
    targets : sequence of Defence
    range_in : float
        Distance in inches.
    variant : Variant
    """
    attacks = _attacks(offence)
    asked = [(attack, range_in) for attack in attacks]
    # What doesn't reach this far is looked at from nearer, too: see `_out_of_reach`.
    asked += [(attack, 0.0) for attack in attacks if attack.reach is not None and range_in > attack.reach]
    known: dict[tuple[Resolution, ...], Survey[Plan]] = {}
    found = []
    for target in targets:
        done = tuple([resolve(attack, target, at, variant) for attack, at in asked])
        if done not in known:
            known[done] = survey(offence, target, range_in, variant)
        found.append(known[done])
    return found


def _attacks(offence: Offence) -> list[Attack]:
    """Return every attack that a unit may ever make."""
    guns = [gun for _, guns in offence.guns for gun in guns] + [offence.lobs, *offence.aims, offence.aimed_lobs]
    thrown = [] if offence.grenade is None else [offence.grenade]
    return [attack for gun in guns for attack in gun] + thrown


def _out_of_reach(offence: Offence, target: Defence, range_in: float, variant: Variant) -> bool:
    """Return whether an attack that doesn't reach this far would have an effect from nearer (p. 15 Limited Range)."""
    attacks = [attack for gun in offence.guns[0][1] for attack in gun] + [*(offence.lobs if offence.set_up else ())]
    short = (attack for attack in attacks if attack.reach is not None and range_in > attack.reach)
    return any(resolve(attack, target, 0, variant).expected for attack in short)


def _scouting(option: Option, variant: Variant) -> int:
    """Return the actions that a scout spends on an attack; indirect fire without a roll has no use for one (AA-43)."""
    if not option.attack.scouted:
        return 0
    needed = option.resolution.roll is not None or option.attack.kind == "ai"
    return int(needed and variant.scout_costs_action)


def _largest(options: list[Option], actions: int) -> list[Option]:
    useful = [option for option in options if option.resolution.expected]
    return sorted(useful, key=value, reverse=True)[:actions] if len(useful) > 1 else useful[:actions]


def _total(options: list[Option]) -> float:
    return math.fsum(option.resolution.expected for option in options)


def _volley(options: list[Option]) -> Volley:
    resolutions = [option.resolution for option in options]
    rolled = tuple([resolution.dice for resolution in resolutions if resolution.rollable])
    if len(resolutions) == 1:
        return Volley((options[0].attack.weapon,), resolutions[0].effect, rolled)
    effect = (
        _pooled(rolled)
        if len(rolled) == len(resolutions)
        else dice.pool([resolution.effect for resolution in resolutions])
    )
    return Volley(tuple([option.attack.weapon for option in options]), effect, rolled)


@lru_cache(maxsize=1024)
def _pooled(rolled: tuple[Dice, ...]) -> Pmf:
    """Return the summed effect of attacks; it is cached, since many turns of a duel have the same attacks."""
    return dice.pool([sum_of(*sequences)[0] for sequences in rolled])
