"""What a unit fires in a turn.

A unit remembers from turn to turn what its next one depends on, in one number: `EMPTIED`, `SET_UP`, and `THROWN` for
each grenade that is gone.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from aabalance import dice
from aabalance.dice import Pmf
from aabalance.rulesets.armored_advance.shot.choose import NO_SHOT, Option, as_shot, best_of, value
from aabalance.rulesets.armored_advance.shot.resolve import NOTHING, resolve, sum_of
from aabalance.rulesets.armored_advance.shot.sheets import Defence, Gun, Offence
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
    """A turn of a unit that stays where it is, what it remembers after it, and the turn in words."""

    volley: Volley
    memory: int
    orders: str


def start(offence: Offence) -> int:
    """Return what a unit remembers at the start."""
    return SET_UP if offence.set_up and offence.lobs else 0


class Engagement:
    """A unit that fires at a target from where it stands; what each gun does best is looked up once.

    Parameters
    ----------
    offence : Offence
    target : Defence
    range_in : float
        Inches.
    variant : Variant
    """

    __slots__ = ("_careful", "_options", "offence", "range_in", "target", "variant")

    def __init__(self, offence: Offence, target: Defence, range_in: float, variant: Variant) -> None:
        self.offence = offence
        self.target = target
        self.range_in = range_in
        self.variant = variant
        self._options: dict[int, list[Option]] = {}
        self._careful: dict[int, list[Option]] = {}

    def options(self, row: int, memory: int) -> list[Option]:
        """Return each gun's attack of largest expected effect, of equals the first on the card.

        `row` is one of ``offence.guns``.
        """
        key = row << SET_UP | memory & SET_UP
        found = self._options.get(key)
        if found is None:
            if memory & SET_UP:
                plain = self.options(row, 0)
                found = [max(plain[0], self._best(self.offence.lobs), key=value), *plain[1:]]
            else:
                found = [self._best(gun) for gun in self.offence.guns[row][1]]
            self._options[key] = found
        return found

    def careful(self, row: int, memory: int) -> list[Option]:
        """Return the accurate shot of a unit that may take one: none, or one."""
        if not self.offence.aimed:
            return []
        key = row << SET_UP | memory & SET_UP
        if key not in self._careful:
            shots = self.offence.aims[row] + (self.offence.aimed_lobs if memory & SET_UP else ())
            self._careful[key] = [self._best(shots)] if shots else []
        return self._careful[key]

    def hold(self, row: int, memory: int) -> Stay:
        """Return a turn of a unit that holds: it prepares if that is better, else fires with every action."""
        return self.prepare(memory) or self.fire(row, memory, self.offence.actions)

    def plan(self, memory: int) -> Plan:
        """Return the turns of a unit that holds from here on: what it prepares, then what it fires round and round."""
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
        """Return the attacks of the turns that a unit which fires goes through again and again."""
        turns = []
        for _ in range(1 + self.offence.reloads):
            turn, memory = self._turn(row, memory, self.offence.actions)
            turns.append(turn)
        return turns

    def fire(self, row: int, memory: int, actions: int) -> Stay:
        """Return a turn of firing with so many actions: the attacks of largest expected effect.

        Every gun fires once, the primary as often as the rules let it, or one accurate shot is taken if that is better;
        as many attacks as the actions pay for (p. 5 Shooting, p. 12-14).
        """
        turn, after = self._turn(row, memory, actions)
        volley = _volley(turn)
        return Stay(volley, after, f"fire {', '.join(volley.weapons)}" if volley.weapons else "no fire")

    def prepare(self, memory: int) -> Stay | None:
        """Return what a holding unit does before it fires as ever, or None if it has nothing to do first.

        A squad throws its grenades first if a throw does more than its other attack at full strength (p. 18; AA-40). An
        indirect gun is set up for a full turn if it does more damage a turn afterwards (p. 15; AA-32).
        """
        if self.offence.grenade is None and not self.offence.lobs:
            return None  # as for most: tables ask this for every cell
        return next((stay for stay, gain in self._preparations(memory) if gain > 0), None)

    def stays(self, row: int, memory: int) -> Iterator[Stay]:
        """Yield every turn open to a unit that stays, but for those that keep something back."""
        yield self.fire(row, memory, self.offence.actions)
        for stay, _ in self._preparations(memory):
            yield stay

    def _preparations(self, memory: int) -> Iterator[tuple[Stay, float]]:
        """Yield what a unit may do in place of firing, and how much better that is."""
        rested = memory & ~EMPTIED
        grenade = self.offence.grenade
        if grenade is not None and memory // THROWN < self.offence.grenades:
            throw = self._best((grenade,))
            if throw.found.expected:
                stay = Stay(_volley([throw]), rested + THROWN, "throw a grenade")
                yield stay, throw.found.expected - self._worth(memory)
        if self.offence.lobs and not memory & SET_UP:
            # Comparing whole turns is what takes time, so first whether the gun would be fired indirectly at all.
            better = self.offence.aimed or self.options(0, SET_UP)[0] is not self.options(0, 0)[0]
            gain = self._worth(SET_UP) - self._worth(0) if better else 0.0
            yield Stay(SETTING_UP, rested | SET_UP, "set up"), gain

    def _worth(self, memory: int) -> float:
        """Return the expected effect of a unit's turns at full strength, on the mean."""
        turns = self.cycle(0, memory)
        return sum(_total(turn) for turn in turns) / len(turns)

    def _turn(self, row: int, memory: int, actions: int) -> tuple[list[Option], int]:
        """Return the best attacks of a turn, and what the unit remembers after them."""
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

    def _best(self, gun: Gun) -> Option:
        if len(gun) == 1:
            return Option(gun[0], resolve(gun[0], self.target, self.range_in, self.variant))
        return best_of([Option(attack, resolve(attack, self.target, self.range_in, self.variant)) for attack in gun])


def survey(offence: Offence, target: Defence, range_in: float, variant: Variant) -> Survey:
    """Return the turns of a unit that holds, its best single attack, and what an action buys.

    A long reload alternates between a turn with the primary gun and one without (p. 14), and so costs the next turn's
    action as well. A scouted attack costs the scout's action (AA-43). Indirect fire that has to be set up first, and
    grenades, are no single attacks to repeat.
    """
    engagement = Engagement(offence, target, range_in, variant)
    memory = start(offence)
    strongest = engagement.options(0, memory)
    spent = [1 + offence.reloads, *[1] * (len(strongest) - 1)]
    uses = [
        option.found.expected / (actions + _scouting(option, variant))
        for option, actions in zip(strongest, spent, strict=False)
        if option.found.expected
    ]
    uses += [
        option.found.expected / (ACCURATE_ACTIONS + offence.reloads + _scouting(option, variant))
        for option in engagement.careful(0, memory)
    ]
    best = best_of(strongest) if strongest else None
    shot = NO_SHOT if best is None else as_shot(best, variant)
    unreached = (best is None or not best.found.expected) and _out_of_reach(offence, target, range_in, variant)
    return Survey(engagement.plan(memory), shot, max(uses, default=0.0), unreached)


def _out_of_reach(offence: Offence, target: Defence, range_in: float, variant: Variant) -> bool:
    """Return whether an attack that doesn't reach so far would have an effect from nearer (p. 15 Limited Range)."""
    attacks = [attack for gun in offence.guns[0][1] for attack in gun] + [*(offence.lobs if offence.set_up else ())]
    short = (attack for attack in attacks if attack.reach is not None and range_in > attack.reach)
    return any(resolve(attack, target, 0, variant).expected for attack in short)


def _scouting(option: Option, variant: Variant) -> int:
    """Return the actions that a scout spends on an attack; indirect fire without a roll has no use for one (AA-43)."""
    if not option.attack.scouted:
        return 0
    needed = option.found.roll is not None or option.attack.kind == "ai"
    return int(needed and variant.scout_costs_action)


def _largest(options: list[Option], actions: int) -> list[Option]:
    useful = [option for option in options if option.found.expected]
    return sorted(useful, key=value, reverse=True)[:actions] if len(useful) > 1 else useful[:actions]


def _total(options: list[Option]) -> float:
    return sum(option.found.expected for option in options)


def _volley(options: list[Option]) -> Volley:
    found = [option.found for option in options]
    thrown = tuple([one.dice for one in found if one.rollable])
    if len(found) == 1:
        return Volley((options[0].attack.weapon,), found[0].effect, thrown)
    effect = _pooled(thrown) if len(thrown) == len(found) else dice.pool([one.effect for one in found])
    return Volley(tuple([option.attack.weapon for option in options]), effect, thrown)


@lru_cache(maxsize=1024)
def _pooled(thrown: tuple[Dice, ...]) -> Pmf:
    """Return what attacks do together; many turns of a walk hold the same ones."""
    return dice.pool([sum_of(*one)[0] for one in thrown])
