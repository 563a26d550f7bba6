"""Battles ready to be rolled: the kernel's tables, and the calls of the kernel.

`rolls` makes the tables of a battle, in which the dice of each strike at each enemy are thresholds; `Rolls` holds them
and calls the kernel.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate
from math import lcm
from typing import NamedTuple, cast

import numpy as np
import numpy.typing as npt

from aabalance.engine import jit
from aabalance.engine.arrays import TRIALS, Ints, Words
from aabalance.engine.battle import columns as col
from aabalance.engine.battle import policies
from aabalance.engine.battle.actions import counting, mark_able, mark_over, returns_fire
from aabalance.engine.battle.columns import Columns, Counts, Side, Sides, Terms, W, cost_ranks
from aabalance.engine.battle.lanes import detail, dice, kernel
from aabalance.engine.battle.lanes.kernel import Standing
from aabalance.engine.battle.lanes.workspace import LANES, Workspace, allocate
from aabalance.engine.digits import DIE_AND_REROLL, threshold
from aabalance.engine.outcome import BattleTally
from aabalance.engine.volleys import TooLarge, fits
from aabalance.rulesets.base import Dice, Strike

MOST_SHARES = 1 << 10
"""Largest number of parts of a share."""
FACES = 6
ANY_BASE = 180
"""Number of values of a digit that can also stand for a die of which one face is rerolled without end: 5 x 36."""
GIVEN_UP_ROUNDS = 10_000
"""Rounds after which a battle between sides that cost the same ends in a draw."""
MOST_LOGGED = 10_000
"""Largest number of rows of a log."""
STANDARD = "value"
"""Most battles are rolled with this policy on both sides: then no other is compiled. In any other case all are."""
OF_DETAIL: policies.Hooks = {
    "of_run": detail.of_run,
    "note_end": detail.note_end,
    "note_strikes": detail.note_strikes,
    "note_actions": detail.note_actions,
}
OF_LOG: policies.Hooks = {"note_choice": detail.note_choice, "note_dice": detail.note_dice}


def of_rolls(sides: Sides, followed: tuple[int, int], *, detailed: bool) -> policies.Hooks:
    """Return the hooks of a battle that is rolled.

    Parameters
    ----------
    sides : pair of Side
        As `aabalance.engine.battle.battle.Battle.sides`.
    followed : (int, int)
        Numbers of the policies that the sides follow.
    detailed : bool
        Whether more is counted than a tally.
    """
    hooks: policies.Hooks = policies.of_turns(sides)
    standard = policies.numbers([STANDARD])
    if {*followed} == {*standard}:
        hooks = {name: part for name, part in hooks.items() if name not in policies.by_number()}
        hooks[f"policy_{standard[0]}"] = policies.POLICIES[STANDARD]
    if any(map(returns_fire, sides)):
        hooks["return_fire"] = kernel.fire_back
    return hooks | OF_DETAIL if detailed else hooks


class Rolls(NamedTuple):
    """One battle ready to be rolled.

    Attributes
    ----------
    tables : Tables
        The battle as the kernel rolls it.
    detailed : bool
        Whether to count what `aabalance.engine.battle.lanes.detail` has, besides the tally.
    """

    tables: kernel.Tables
    detailed: bool = False

    @property
    def harmless(self) -> npt.NDArray[np.bool_]:
        """False for the one battle: the kernel itself ends one in which no unit that counts can be hurt."""
        return np.zeros(1, dtype=bool)

    def tally(self, counts: Ints) -> BattleTally:
        """Return a row of counts with names."""
        return BattleTally(*counts.tolist())

    def part(self, first: int, end: int) -> Rolls:
        """Return the battles ``first .. end - 1``: all, since there is only one."""
        return self

    def roll(self, runs: Words) -> Counts:
        """Roll the trials of some runs, and return a row of counts for each run.

        A row has `kernel.TALLY` fields, then the parts of `detail` if they are counted.

        Parameters
        ----------
        runs : array of uint64, shape (runs, 5)
            As for `aabalance.engine.fights.Rolls.roll`.
        """
        widths = [kernel.TALLY, *(width * self.detailed for width in detail.widths(*self.units))]
        counts = [np.zeros((len(runs), width), dtype=np.int64) for width in widths]
        tables = self.tables
        # The fewer arrays, the sooner it is compiled.
        a, b = tables.sides
        tables = tables._replace(sides=cast("Sides", (a.arms, b.arms)))
        details = detail.parts(counts[1:]) if self.detailed else ()
        workspace = self._workspace(min(LANES, int(runs[:, TRIALS].max(initial=1))))
        loops = jit.compiled(kernel.battles, **self._hooks)
        loops(tables, GIVEN_UP_ROUNDS, runs, workspace, (), counts[0], details)
        return np.concatenate(counts, axis=1)

    def log(self, key: int, rounds: int) -> Counts:
        """Return the log of the first trial, with the columns of `detail.LOG` and at most `MOST_LOGGED` rows.

        Parameters
        ----------
        key : int
            The key of its dice.
        rounds : int
            Limit of rounds.
        """
        run = np.array([[0, key, 0, 1, rounds]], dtype=np.uint64)
        log = np.zeros((MOST_LOGGED + 1, detail.LOG), dtype=np.int64)
        # A single trial takes less time than to compile what is written down of it.
        loops = jit.plain(kernel.battles, **self._hooks, **OF_LOG)
        tally = np.zeros((1, kernel.TALLY), dtype=np.int64)
        # Subtraction of unsigned numbers wraps around, as it does in compiled loops.
        with np.errstate(over="ignore"):
            loops(self.tables, GIVEN_UP_ROUNDS, run, self._workspace(1), log, tally, ())
        return log[1 : log[0, 0] + 1]

    @property
    def dice(self) -> dice.Dice:
        """The tables by which all dice are thrown."""
        return self.tables.dice

    @property
    def units(self) -> tuple[int, int]:
        """The number of units of each side."""
        a, b = self.tables.sides
        return len(a.units), len(b.units)

    @property
    def _hooks(self) -> policies.Hooks:
        return of_rolls(self.tables.sides, self.tables.policies, detailed=self.detailed)

    def _workspace(self, lanes: int) -> Workspace:
        sides = self.tables.sides
        blocks = -(-len(self.dice.factors) // dice.BLOCK_DIGITS)
        return allocate(sides, blocks, lanes)


def rolls(
    sides: Sides, strikes: Sequence[Sequence[Strike]], terms: Terms, first: int, *, detailed: bool = False
) -> Rolls:
    """Return a battle ready to be rolled.

    Parameters
    ----------
    sides : pair of Side
        As `aabalance.engine.battle.packing.Packed.sides`.
    strikes : pair of sequence of Strike
        The strikes of both sides, in the order of their rows in `sides`.
    terms : aabalance.engine.battle.columns.Terms
        The conditions of the battle.
    first : int
        The side that moves first.
    detailed : bool
        Whether to count what `aabalance.engine.battle.lanes.detail` has, besides the tally.

    Raises
    ------
    TooLarge
        The battle is too large for the tables, a game doesn't say the dice of an attack, or shares are too fine.
    """
    for name, side in zip("ab", sides, strict=True):
        fits(f"rolled battle: units of list {name}", len(side.units), col.SIDE_UNITS)
        fits("simulate: toughness", int(side.units[:, col.TOUGHNESS].max()), col.MOST_TOUGHNESS)
        fits("simulate: different gains", int(side.rank.max(initial=0)), col.MOST_GAINS)
    # Rulesets hand out the same object again and again.
    every = {
        id(thrown): thrown for of_side in strikes for strike in of_side for seen in strike.dice for thrown in seen
    }.values()
    if not all(every):
        raise TooLarge("simulate: found an attack that isn't rolled die by die, expected fewer units, to be solved")
    shares = lcm(*(share.denominator for thrown in every for share, _ in thrown))
    fits("simulate: parts of a share", shares, MOST_SHARES)
    cuts = sorted({up_to for thrown in every for up_to in accumulate(share for share, _ in thrown)})
    each = [one for thrown in every for _, one in thrown]
    base = DIE_AND_REROLL if all((one.first * DIE_AND_REROLL).denominator == 1 for one in each) else ANY_BASE
    full = int(any(_needs_two(one) for one in each))
    for one in each:
        fits("simulate: sequences of an attack", one.sequences, int(dice.SEQUENCES))
        fits("simulate: effect of a sequence", max(one.effects), int(dice.EFFECT))
    slots = max(max(int((side.guns[:, col.ATTACKS] * _owners(side)).sum()) for side in sides), 1)
    digits = max((one.sequences for one in each), default=0) * (1 + full) + (shares > 1)
    thrown_in_all = digits * slots * (1 + any(map(returns_fire, sides)))
    places = np.arange(-(-max(thrown_in_all, 1) // dice.BLOCK_DIGITS) * dice.BLOCK_DIGITS)
    of_shares = (places % max(digits * slots, 1) < slots) & (shares > 1) & (places < thrown_in_all)
    drawn = np.where(of_shares, shares, base).reshape(-1, dice.WORD_DIGITS)
    factors = np.ones(drawn.shape, dtype=np.uint64)
    factors[:, 1:] = drawn.cumprod(axis=1)[:, :-1]
    entries = [_entries(own, cuts, base) for own in strikes]
    number_a, number_b = policies.numbers(terms.policies)
    most_a, most_b = (most_strikes(side.strikes, most, slots) for side, most in zip(sides, terms.limits, strict=True))
    tables = kernel.Tables(
        sides=sides,
        standing=(standing_of(sides[first].units), standing_of(sides[1 - first].units)),
        cost_ranks=cost_ranks(sides),
        limits=terms.limits,
        policies=(number_a, number_b),
        asks=(_asked(sides[0], terms.policies[0]), _asked(sides[1], terms.policies[1])),
        first=first,
        by_cost=terms.by_cost,
        goes_on=W(not _over_at_once(sides)),
        remembers=(_remembers(sides[0]), _remembers(sides[1])),
        most_strikes=(most_a, most_b),
        dice=dice.Dice(
            base=base,
            shares=shares,
            slots=slots,
            digits=digits,
            full=full,
            face=(1 << int(dice.FACE_BITS)) // (base // FACES) + 1,
            up_to=np.array([int(cut * shares) for cut in cuts[:-1]], dtype=np.uint64),
            factors=factors.ravel(),
        ),
        entries=(entries[0], entries[1]),
    )
    return Rolls(tables, detailed)


def standing_of(units: Columns) -> Standing:
    """Return what a side's units are worth and how many they are, by the bits of the units that are left."""
    columns = np.zeros((col.SIDE_UNITS, 2), dtype=np.int64)
    columns[: len(units)] = np.stack([units[:, col.COST], np.ones(len(units), dtype=np.int64)], axis=1)
    bits = np.arange(1 << 8)[:, None] >> np.arange(8) & 1
    return Standing(bits @ columns[:8], bits @ columns[8:], np.uint64(counting(units)))


def _over_at_once(sides: Sides) -> bool:
    """Return whether a battle is over at full strength."""
    left = [side.units[:, [col.TOUGHNESS]].astype(W) for side in sides]
    alive = [np.array([(1 << len(side.units)) - 1], dtype=W) for side in sides]
    able = [np.zeros((len(side.strikes), 1), dtype=W) for side in sides]
    for side in range(2):
        mark_able(sides[side], left[side], alive[side], alive[1 - side], able[side], 1)
    over = np.zeros(1, dtype=W)
    mark_over(sides, alive, able, over, 1)
    return bool(over[0])


def _remembers(side: Side) -> bool:
    """Return whether any gun of a side may stay unable to fire, or prepared, from one turn to the next."""
    guns, strikes = side.guns, side.strikes
    return bool(guns[:, [col.RELOADS, col.ONCE]].any() or (strikes[:, col.STAGE] == col.PREPARES).any())


def most_strikes(strikes: Columns, limit: int, slots: int) -> int:
    """Return how many strikes a side makes in a turn at most, by its `limit` of actions and the `slots` of its guns."""
    least = min((0 if strike[col.OF_FREE] else int(strike[col.ACTIONS]) for strike in strikes), default=limit + 1)
    return min(slots, limit // least) if least > 0 else slots


def _asked(side: Side, policy: str) -> int:
    """Return the gains that a policy reads: `OWN` in place of `CHOICES` if a unit can choose between strikes."""
    asked = policies.ASKS[policy]
    return policies.OWN if asked == policies.CHOICES and not side.strikes[:, col.ALONE].all() else asked


def _entries(strikes: Sequence[Strike], cuts: Sequence[Fraction], base: int) -> dice.Entries:
    """Return the entries of a side, by strike, enemy and share; the last row, for no strike, is 0."""
    table = np.zeros((len(strikes) + 1, col.SIDE_UNITS, len(cuts)), dtype=np.uint64)
    # Equal units have the same.
    entries: dict[int, list[int]] = {}
    for row, strike in zip(table, strikes, strict=False):
        if strike.prepare:
            continue
        for enemy, (thrown,) in enumerate(strike.dice):
            if id(thrown) not in entries:
                up_to = list(accumulate(share for share, _ in thrown))
                entries[id(thrown)] = [_entry(thrown[bisect_left(up_to, cut)][1], base) for cut in cuts]
            row[enemy] = entries[id(thrown)]
    return table


def _entry(of_one: Dice, base: int) -> int:
    """Return the dice of an attack in one integer, as `dice` takes it apart; `base` is that of `threshold`."""
    # A sequence whose second die can't succeed isn't rolled at all.
    if not of_one.second:
        return 0
    entry = threshold(of_one.first, base) | of_one.sequences << int(dice.SEQUENCES_AT)
    if _needs_two(of_one):
        entry |= threshold(of_one.second, base) << int(dice.SECOND_AT)
    for face in range(FACES):
        effect = of_one.effects[face] if _needs_two(of_one) else of_one.effects[0]
        entry |= effect << int(dice.EFFECTS_AT) + dice.EFFECT_BITS * face
    return entry


def _needs_two(of_one: Dice) -> bool:
    """Return whether a sequence's second die is rolled: it may fail, or its face decides the effect."""
    return len(set(of_one.effects)) > 1 or of_one.second not in (0, 1)


def _owners(side: Side) -> Columns:
    """Return the number of units that have each gun."""
    return np.array([(side.spots[:, col.OF_GUN] == gun).sum() for gun in range(len(side.guns))], dtype=np.int64)
