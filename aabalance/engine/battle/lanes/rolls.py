"""Battles ready to be rolled: the kernel's tables, in which the dice of each strike at each enemy are thresholds.

`rolls` makes the tables of a battle, and `Rolls` holds them and calls the kernel. Where no policy reads the gains of a
side, units with equal strikes share them, since each strike takes a pass over the lanes.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate
from math import lcm, prod
from typing import Any, NamedTuple

import numpy as np

from aabalance.engine import jit
from aabalance.engine.arrays import Ints
from aabalance.engine.battle import ends, policies
from aabalance.engine.battle.actions import answers
from aabalance.engine.battle.columns import (
    ALL,
    ALONE,
    ATTACKS,
    GUN,
    HELP,
    HELPS,
    LANE,
    LANE_BITS,
    MEMBERS,
    OF_GUN,
    OF_POOL,
    ROW,
    RUNS_OUT,
    SIDE_UNITS,
    SPAN_STRIKE,
    TOUGHNESS,
    UNIT,
    WORD_RANKS,
    Side,
    Sides,
    dearness_of,
)
from aabalance.engine.battle.lanes import detail, kernel, parts, rows, throws
from aabalance.engine.battle.lanes.parts import has_line
from aabalance.engine.digits import DIE_AND_REROLL, threshold
from aabalance.engine.outcome import BattleTally
from aabalance.engine.volleys import fits
from aabalance.errors import UsageError
from aabalance.rulesets.base import Dice, Strike

MOST_SHARES = 1 << 10
MOST_TOUGHNESS = 4095
MOST_GAINS = int(ALL)
"""Largest numbers that the tables can hold: of parts of a share, of toughness of a unit, and of different gains."""
FACES = 6
ANY_BASE = 180
"""Number of values of a digit that can also stand for a die of which one face is rerolled without end: 5 x 36."""
GIVEN_UP_ROUNDS = 10_000
"""Number of rounds after which a battle that goes on between sides worth the same is given up as a draw."""
MOST_LOGGED = 10_000
"""Largest number of rows of a log."""
LANES = 4096
"""Largest number of lanes: with fewer, the fixed cost of a pass shows; with more, the rows don't stay in the cache."""


class Rolls(NamedTuple):
    """One battle ready to be rolled.

    Attributes
    ----------
    tables : tuple
        The parameters of `aabalance.engine.battle.lanes.kernel.battles` from `sides` to `factors`.
    logged : tuple
        The same for a log, in which strikes have the numbers of `aabalance.engine.battle.battle.Battle.strikes`.
    detailed : bool
        Whether to count what `aabalance.engine.battle.lanes.detail` has, besides the tally.
    """

    tables: tuple[Any, ...]
    logged: tuple[Any, ...]
    detailed: bool = False

    @property
    def harmless(self) -> Any:
        """False for the one battle: the kernel itself ends one in which no unit that counts can be hurt."""
        return np.zeros(1, dtype=bool)

    def tally(self, counts: Ints) -> BattleTally:
        """Return a row of counts with names."""
        return BattleTally(*counts.tolist())

    def part(self, first: int, end: int) -> Rolls:
        """Return the battles ``first .. end - 1``: all, since there is only one."""
        return self

    def roll(self, runs: Any) -> Any:
        """Roll the trials of some runs, and return a row of counts for each run.

        A row has `ends.TALLY` fields, then the parts of `detail` if they are counted.

        Parameters
        ----------
        runs : array of uint64, shape (runs, 5)
            As for `aabalance.engine.fights.Rolls.roll`.
        """
        widths = [ends.TALLY, *(width * self.detailed for width in detail.widths(*self.units))]
        counts = [np.zeros((len(runs), width), dtype=np.int64) for width in widths]
        _, _, _, trials, _ = runs.T
        lanes = min(LANES, int(trials.max(initial=1)))
        tables, room, details = self.tables, _room(self.tables, lanes), ()
        if not has_line(tables[0]):
            # The fewer arrays, the sooner it is compiled.
            tables, room = (tuple(kernel.arms_of(side) for side in tables[0]), *tables[1:]), (*room[:-1], ())
        if self.detailed:
            details = detail.parts(counts[1:])
        loops = jit.compiled(kernel.battles, **self._parts)
        loops(*tables, GIVEN_UP_ROUNDS, runs, room, (), counts[0], details)
        return np.concatenate(counts, axis=1)

    def log(self, run: Any) -> Any:
        """Return the log of a run of one trial, with the columns of `detail.LOG` and at most `MOST_LOGGED` rows.

        Parameters
        ----------
        run : array of uint64, shape (5,)
            One of the runs of `roll`.
        """
        log = np.zeros((MOST_LOGGED + 1, detail.LOG), dtype=np.int64)
        # A single trial takes less time than to compile what is written down of it.
        loops = jit.plain(kernel.battles, **self._parts, **parts.OF_LOG)
        tally = np.zeros((1, ends.TALLY), dtype=np.int64)
        # Words and masks wrap around, as they do in compiled loops.
        with np.errstate(over="ignore"):
            loops(*self.logged, GIVEN_UP_ROUNDS, run[None, :], _room(self.logged, 1), log, tally, ())
        return log[1 : log[0, 0] + 1]

    @property
    def dice(self) -> Any:
        """The numbers that hold for all dice, at the indices of `throws` from `BASE` on."""
        return self.tables[9]

    @property
    def units(self) -> tuple[int, int]:
        """The number of units of each side."""
        a, b = self.tables[0]
        return len(a.units), len(b.units)

    @property
    def _parts(self) -> parts.Parts:
        return parts.of_rolls(self.tables[0], self.tables[4], detailed=self.detailed)


def _room(tables: tuple[Any, ...], lanes: int) -> tuple[Any, ...]:
    return rows.room_for(tables[0], -(-len(tables[-1]) // throws.BLOCK_DIGITS), lanes)


def rolls(
    sides: Sides, strikes: Sequence[Sequence[Strike]], terms: Any, first: int, *, detailed: bool = False
) -> Rolls:
    """Return a battle ready to be rolled.

    Parameters
    ----------
    sides : pair of Side
        As `aabalance.engine.battle.packing.Packed.sides`.
    strikes : pair of sequence of Strike
        The strikes of both sides, in the order of their rows in `sides`.
    terms : aabalance.engine.battle.terms.Terms
        The conditions of the battle.
    first : int
        The side that moves first.
    detailed : bool
        Whether to count what `aabalance.engine.battle.lanes.detail` has, besides the tally.

    Raises
    ------
    UsageError
        The battle is too large for the tables, a game doesn't say the dice of an attack, or shares are too fine.
    """
    for name, side in zip("ab", sides, strict=True):
        fits(f"rolled battle: units of list {name}", len(side.units), SIDE_UNITS)
        fits("simulate: toughness", int(side.units[:, TOUGHNESS].max()), MOST_TOUGHNESS)
        fits("simulate: different gains", int(side.rank.max(initial=0)), MOST_GAINS)
    # Rulesets hand out the same object again and again.
    every = {
        id(thrown): thrown for of_side in strikes for strike in of_side for seen in strike.dice for thrown in seen
    }.values()
    if not all(every):
        raise UsageError("simulate: found an attack that isn't rolled die by die, expected fewer units, to be solved")
    shares = lcm(*(share.denominator for thrown in every for share, _ in thrown))
    fits("simulate: parts of a share", shares, MOST_SHARES)
    cuts = sorted({up_to for thrown in every for up_to in accumulate(share for share, _ in thrown)})
    each = [one for thrown in every for _, one in thrown]
    base = DIE_AND_REROLL if all((one.first * DIE_AND_REROLL).denominator == 1 for one in each) else ANY_BASE
    full = int(any(_needs_two(one) for one in each))
    for one in each:
        fits("simulate: sequences of an attack", one.sequences, int(throws.SEQUENCES))
        fits("simulate: effect of a sequence", max(one.effects), int(throws.EFFECT))
    moments = len(sides[0].aspects)
    slots = max(max(int((side.guns[:, ATTACKS] * _owners(side)).sum()) for side in sides), 1)
    digits = max((one.sequences for one in each), default=0) * (1 + full) + (shares > 1)
    thrown_in_all = digits * slots * (1 + any(map(answers, sides)))
    riders = max(len(side.riders) for side in sides)
    fits("simulate: parts of what riders lose", max(side.wrecks.shape[1] for side in sides), base)
    places = np.arange(-(-max(thrown_in_all + riders, 1) // throws.BLOCK_DIGITS) * throws.BLOCK_DIGITS)
    of_shares = (places % max(digits * slots, 1) < slots) & (shares > 1) & (places < thrown_in_all)
    drawn = np.where(of_shares, shares, base).reshape(-1, throws.WORD_DIGITS)
    factors = np.ones(drawn.shape, dtype=np.uint64)
    factors[:, 1:] = drawn.cumprod(axis=1)[:, :-1]
    asks = _asked(sides[0], terms.policies[0]), _asked(sides[1], terms.policies[1])
    tables = (
        tuple(sides if detailed else map(_uncounted, sides)),
        (*ends.standing_of(sides[first].units), *ends.standing_of(sides[1 - first].units)),
        dearness_of(sides),
        terms.limits,
        policies.numbers(terms.policies),
        asks,
        first,
        terms.by_worth,
        ends.known_of(sides, terms.limits, slots),
        np.array(
            [
                base,
                shares,
                slots,
                digits,
                full,
                (1 << int(throws.FACE_BITS)) // (base // FACES) + 1,
                moments,
                thrown_in_all,
            ],
            dtype=np.int64,
        ),
        tuple(
            (*_tables(_entries(of_side, cuts, base, side.aspects)), _in_words(side.rank))
            for side, of_side in zip(sides, strikes, strict=True)
        ),
        np.array([int(cut * shares) for cut in cuts[:-1]], dtype=np.uint64),
        factors.ravel(),
    )
    shared = [
        (made, of_side) if policies.keeps_gains(asks, side) else _shared(made, of_side)
        for side, (made, of_side) in enumerate(zip(tables[0], tables[10], strict=True))
    ]
    made, of_both = zip(*shared, strict=True)
    return Rolls((made, *tables[1:10], of_both, *tables[11:]), tables, detailed)


def _uncounted(side: Side) -> Side:
    """Return a side without counts of the actions of units that can't run out of them."""
    strikes = side.strikes.copy()
    strikes[strikes[:, RUNS_OUT] == 0, OF_POOL] = 0
    return side._replace(strikes=strikes)


def _shared(side: Side, entries: Any) -> tuple[Side, Any]:
    """Return a side and its entries with one strike in place of equal ones of several units.

    No policy may read the gains of the side, each unit of which has one strike at most.
    """
    strikes, guns, helpers = side.strikes, side.guns, side.helpers
    rows = entries[0].reshape(len(strikes) + 1, -1)
    alike: dict[tuple[Any, ...], list[int]] = {}
    for at, strike in enumerate(strikes):
        its_own = strike.copy()
        its_own[[MEMBERS, GUN, HELP, UNIT]] = 0
        helps = helpers[strike[HELP] : strike[HELP] + strike[HELPS]]
        parts = its_own, guns[strike[GUN], :ROW], helps, rows[at]
        alike.setdefault(tuple(part.tobytes() for part in parts), []).append(at)
    kept = [first for first, *_ in alike.values()]
    fewer, fewer_guns, spans = strikes[kept], guns[strikes[kept, GUN]], side.spans
    for now, every in enumerate(alike.values()):
        fewer[now, MEMBERS], fewer[now, GUN] = strikes[every, MEMBERS].sum(), now
    fewer_guns[:, ROW] = fewer_guns[:, ATTACKS].cumsum() - fewer_guns[:, ATTACKS]
    of_kept = [spans[spans[:, SPAN_STRIKE] == at] for at in kept]
    for now, of_one in enumerate(of_kept):
        of_one[:, SPAN_STRIKE] = now
    made = side._replace(
        strikes=fewer, guns=fewer_guns, rank=side.rank[kept], spans=np.concatenate([spans[:0], *of_kept])
    )
    return made, (*_tables(rows[[*kept, len(strikes)]].ravel()), entries[2])


def _asked(side: Side, policy: str) -> int:
    """Return the gains that a policy reads: `OWN` in place of `CHOICES` if a unit can choose between strikes."""
    asked = policies.ASKS[policy]
    return policies.OWN if asked == policies.CHOICES and not side.strikes[:, ALONE].all() else asked


def _entries(strikes: Sequence[Strike], cuts: Sequence[Fraction], base: int, aspects: Any) -> Any:
    """Return the entries of a side, by strike, enemy, moment and share; the last row, for no strike, is 0.

    They are listed by moment, not by aspect, since a second look-up for the aspect would take as long as the first.
    """
    table = np.zeros((len(strikes) + 1, SIDE_UNITS, int(aspects.max()) + 1, len(cuts)), dtype=np.uint64)
    # Equal units and equal aspects have the same.
    entries: dict[int, list[int]] = {}
    rows: dict[int, list[list[int]]] = {}
    for row, strike in zip(table, strikes, strict=False):
        if strike.prepare:
            continue
        for enemy, seen in enumerate(strike.dice):
            if id(seen) not in rows:
                for thrown in seen:
                    if id(thrown) not in entries:
                        up_to = list(accumulate(share for share, _ in thrown))
                        entries[id(thrown)] = [_entry(thrown[bisect_left(up_to, cut)][1], base) for cut in cuts]
                rows[id(seen)] = [entries[id(thrown)] for thrown in seen]
            row[enemy, : len(seen)] = rows[id(seen)]
    return table[:, :, aspects].ravel()


def _tables(entries: Any) -> tuple[Any, Any]:
    """Return entries, and the `lowest` of `aabalance.engine.battle.lanes.throws.look_up_low`."""
    shifts = np.uint64(LANE_BITS) * np.arange(4, dtype=np.uint64)[:, None]
    return entries, (entries & LANE) << shifts


def _in_words(rank: Any) -> Any:
    """Return a side's `rank` as `regain_there` looks ranks up: `WORD_RANKS` strikes to a word."""
    words = np.zeros((-(-len(rank) // WORD_RANKS), prod(rank.shape[1:])), dtype=np.uint64)
    for strike, ranks in enumerate(rank):
        words[strike // WORD_RANKS] |= ranks.ravel().astype(np.uint64) << np.uint64(LANE_BITS * (strike % WORD_RANKS))
    return np.stack([words, words << np.uint64(LANE_BITS * WORD_RANKS)])


def _entry(dice: Dice, base: int) -> int:
    # A sequence whose second die can't succeed isn't rolled at all.
    if not dice.second:
        return 0
    entry = threshold(dice.first, base) | dice.sequences << int(throws.SEQUENCES_AT)
    if _needs_two(dice):
        entry |= threshold(dice.second, base) << int(throws.SECOND_AT)
    for face in range(FACES):
        effect = dice.effects[face] if _needs_two(dice) else dice.effects[0]
        entry |= effect << int(throws.EFFECTS_AT) + throws.EFFECT_BITS * face
    return entry


def _needs_two(dice: Dice) -> bool:
    return len(set(dice.effects)) > 1 or dice.second not in (0, 1)


def _owners(side: Side) -> Any:
    """Return the number of units that have each gun."""
    return np.array([(side.spots[:, OF_GUN] == gun).sum() for gun in range(len(side.guns))], dtype=np.int64)
