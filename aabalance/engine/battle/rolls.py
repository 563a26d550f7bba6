"""Battles as the kernel reads them: the dice of every strike at every enemy as thresholds."""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from typing import Any, NamedTuple

import numpy as np

from aabalance.engine import jit
from aabalance.engine.battle import kernel
from aabalance.engine.battle.policies import POLICIES
from aabalance.engine.digits import DIE_AND_REROLL, ENDLESS_REROLL, threshold
from aabalance.engine.volleys import fits
from aabalance.errors import UsageError
from aabalance.rulesets.base import Dice, Force

MOST_UNITS = 16
MOST_SHARES = 1 << 20
GIVEN_UP_ROUNDS = 10_000
"""Rounds after which equals that play on are given up as a draw."""

Thrown = tuple[tuple[Fraction, Dice], ...]


class Rolls(NamedTuple):
    """One battle ready to be rolled; see `aabalance.engine.battle.kernel.battles`.

    Attributes
    ----------
    sides : pair of tuple of arrays
    limits, policies : pair
    first : int
    by_worth : bool
    throw_at : pair of array
    throws : array of int64
    shares : int
    places : (int, int)
    """

    sides: Any
    limits: tuple[int, int]
    policies: tuple[str, str]
    first: int
    by_worth: bool
    throw_at: Any
    throws: Any
    shares: int
    places: tuple[int, int]

    @property
    def harmless(self) -> Any:
        """The kernel itself ends a battle in which nobody can hurt anybody that counts."""
        return np.zeros(1, dtype=bool)

    def part(self, first: int, end: int) -> Rolls:
        """Return the battles ``first .. end - 1``: there is one."""
        return self

    def roll(self, runs: Any) -> Any:
        """Roll some trials; parameter as in `aabalance.engine.fights.Rolls`, a row of `kernel.TALLY` fields a run."""
        counts = np.zeros((len(runs), kernel.TALLY), dtype=np.int64)
        chosen = {f"choose_{side}": POLICIES[name] for side, name in enumerate(self.policies)}
        tables = (
            self.sides,
            self.limits,
            self.first,
            self.by_worth,
            self.throw_at,
            self.throws,
            self.shares,
            self.places,
        )
        room = kernel.room_for(self.sides)
        jit.compiled(kernel.battles, **chosen)(*tables, GIVEN_UP_ROUNDS, runs, room, counts)
        return counts


def rolls(sides: Any, forces: tuple[Force, Force], terms: Any, first: int) -> Rolls:
    """Pack the dice of a battle.

    Raises
    ------
    UsageError
        More units than there is room for, an attack whose dice a game doesn't say, or shares too fine to be drawn.
    """
    for force in forces:
        fits("simulate: units of a list", len(force), MOST_UNITS)
    thrown = [[strike.dice for unit in force for strike in unit.strikes] for force in forces]
    every = [at for side in thrown for strike in side for at in strike]
    if not all(every):
        raise UsageError("simulate: found an attack that isn't rolled die by die, expected fewer units, to be solved")
    shares = lcm(*(share.denominator for at in every for share, _ in at))
    fits("simulate: parts of a share", shares, MOST_SHARES)
    rows: list[list[int]] = []
    throw_at = []
    for side in range(len(forces)):
        starts = np.zeros((len(thrown[side]), len(forces[1 - side]) + 1), dtype=np.int64)
        for strike, enemies in enumerate(thrown[side]):
            for enemy, at in enumerate(enemies):
                starts[strike, enemy] = len(rows)
                rows += _rows(at, shares)
            starts[strike, -1] = len(rows)
        throw_at.append(starts)
    digits = max((row[kernel.SEQUENCES] << row[kernel.FULL] for row in rows), default=1)
    words = -(-digits // kernel.WORD_DIGITS) + (shares > 1)
    strikes = max(sum(gun.attacks for unit in force for gun in unit.guns) for force in forces)
    table = np.array(rows, dtype=np.int64).reshape(-1, kernel.THROW_FIELDS)
    places = max(words, 1), max(strikes, 1)
    return Rolls(sides, terms.limits, terms.policies, first, terms.by_worth, tuple(throw_at), table, shares, places)


def _rows(thrown: Thrown, shares: int) -> list[list[int]]:
    rows = []
    up_to = Fraction(0)
    for share, dice in thrown:
        up_to += share
        base = DIE_AND_REROLL if (dice.first * DIE_AND_REROLL).denominator == 1 else ENDLESS_REROLL
        full = len(set(dice.effects)) > 1 or dice.second not in (0, 1)
        needs = [threshold(dice.first, base), base, int(full), threshold(dice.second, DIE_AND_REROLL)]
        # A second die that can't succeed, and isn't thrown.
        sequences = dice.sequences if dice.second else 0
        rows.append([int(up_to * shares), sequences, *needs, *dice.effects])
    return rows
