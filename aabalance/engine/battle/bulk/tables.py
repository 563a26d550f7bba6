"""The tables of a roster: what each of its cards may do to each other one, from what the ruleset says of them."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate
from math import lcm

import numpy as np

from aabalance import dice
from aabalance.dice import Pmf
from aabalance.engine import volleys
from aabalance.engine.battle.bulk.layout import GUNS, MOST_ROWS, NO_HELP, Muster, Table
from aabalance.engine.battle.columns import ANY, NEEDS_PREPARED, PREPARES, SIDE_UNITS
from aabalance.errors import UsageError
from aabalance.rulesets.base import Fighter, Force, Strike

WORD = 1 << 32


def fits(unit: Fighter) -> bool:
    """Return whether the tables have room for what a unit does: no infantry, no return fire, few guns.

    Parameters
    ----------
    unit : Fighter
        As from `aabalance.rulesets.base.Ruleset.one_on_one`.
    """
    return (
        unit.counts
        and not unit.free
        and len(unit.guns) <= GUNS
        and not any(gun.once for gun in unit.guns)
        and not any(one.least > 1 or one.gone is not None or one.return_fire for one in unit.strikes)
    )


def muster(units: Force, shares: Sequence[Fraction]) -> Muster:
    """Return the tables of a roster.

    Parameters
    ----------
    units : Force
        The whole roster as one force: `Help.units` of its strikes are places in the roster.
    shares : sequence of Fraction
        The share of the attacks that are made from each distance.

    Raises
    ------
    UsageError
        A unit does what the tables have no room for, or a list of them might.
    """
    for unit in units:
        if not fits(unit):
            raise UsageError(f"list: found {unit.name}, expected vehicles and guns")
    most = sorted((len(unit.strikes) for unit in units), reverse=True)[:SIDE_UNITS]
    volleys.fits(f"roster: different attacks of the {len(most)} units that have most", sum(most), MOST_ROWS)
    strikes = [one for unit in units for one in unit.strikes]
    ends = np.cumsum([len(unit.strikes) for unit in units])
    effects = _Effects(shares)
    number = np.array([[effects.number(row) for row in one.effects] for one in strikes], dtype=np.int32)
    gains = _Gains(effects.distributions, units)
    gain, helped_gain = (
        np.array([gains.row(of, _actions(one, helped)) for one, of in zip(strikes, number.tolist(), strict=True)])
        for helped in (False, True)
    )
    guns = max(len(unit.guns) for unit in units)
    columns = [
        [unit.toughness, unit.actions, unit.cost, end - len(unit.strikes), len(unit.strikes)]
        for unit, end in zip(units, ends.tolist(), strict=True)
    ]
    helpers = {by for one in strikes for help_ in one.helps for by in help_.units}
    begin, up_to, amount = effects.cumulated()
    return Muster(
        cards=_table(columns),
        attacks=_table([[*(gun.attacks for gun in unit.guns), *[0] * guns][:guns] for unit in units]),
        reloads=_table([[*(int(gun.reloads) for gun in unit.guns), *[0] * guns][:guns] for unit in units]),
        helpers=_table([int(at in helpers) for at in range(len(units))]),
        strikes=_table([_columns(one) for one in strikes]),
        effect=number,
        gain=gain.astype(np.int32),
        helped_gain=helped_gain.astype(np.int32),
        ranks=gains.ranks(),
        begin=begin,
        up_to=up_to,
        amount=amount,
    )


def _table(rows: Sequence[object]) -> Table:
    return np.array(rows, dtype=np.int32)


def _actions(strike: Strike, helped: bool) -> int:
    """Return the actions that a strike's gain is shared out to, as `ranks_of` of `packing` has it."""
    return strike.actions + (0 if helped else sum(help_.actions for help_ in strike.helps))


def _columns(strike: Strike) -> list[int]:
    stage = PREPARES if strike.prepare else NEEDS_PREPARED if strike.prepared else ANY
    price = strike.helps[0].actions if strike.helps else NO_HELP  # a second would be a crew: infantry, not here
    lasts = int(any(help_.lasts for help_ in strike.helps))
    return [strike.gun, strike.attacks, strike.prepare or strike.actions, stage, price, lasts]


class _Effects:
    """Distributions of what attacks take, mixed over distances; equal ones are one. The first is nothing."""

    def __init__(self, shares: Sequence[Fraction]) -> None:
        self._shares = dict(enumerate(shares))
        self.distributions: list[Pmf] = [dice.constant(0)]
        self._known: dict[tuple[tuple[int, Fraction], ...], int] = {((0, Fraction(1)),): 0}
        self._rows: dict[tuple[int, ...], tuple[int, Sequence[Pmf]]] = {}

    def number(self, row: Sequence[Pmf]) -> int:
        """Return the number of what an attack takes, which is given by distance."""
        key = tuple(map(id, row))  # a ruleset hands out the same objects; kept, so that ids stay theirs
        if key not in self._rows:
            mixed = dice.mixture(self._shares, row.__getitem__)
            of = self._known.setdefault(tuple(sorted(mixed.items())), len(self.distributions))
            if of == len(self.distributions):
                self.distributions.append(mixed)
            self._rows[key] = of, row
        return self._rows[key][0]

    def cumulated(self) -> tuple[Table, np.ndarray[tuple[int], np.dtype[np.uint64]], Table]:
        """Return where each distribution begins, and for all of them, below which number of 32 bits what is drawn."""
        begin, up_to, amounts = [0], [], []
        for pmf in self.distributions:
            below = Fraction(0)
            for amount, p in sorted(pmf.items()):
                below += p
                up_to.append(round(below * WORD))
                amounts.append(amount)
            begin.append(len(amounts))
        return _table(begin), np.array(up_to, dtype=np.uint64), _table(amounts)


class _Gains:
    """Gains of strikes at cards, by the toughness that these have left: rows of numbers, of which equals are one."""

    def __init__(self, distributions: Sequence[Pmf], cards: Force) -> None:
        self._over = lcm(*(p.denominator for pmf in distributions for p in pmf.values()))
        self._taken = [self._expected(pmf, max(card.toughness for card in cards)) for pmf in distributions]
        self._cards = [(card.cost, card.toughness) for card in cards]
        self._rows: dict[tuple[int, int, int, int], int] = {}
        # Whole numbers divide to the nearest float: equal gains are equal floats.
        self._flat = [0.0] * (max(card.toughness for card in cards) + 1)

    def _expected(self, pmf: Pmf, most: int) -> list[int]:
        """Return what is expected to be taken of so much that is left, over the common denominator."""
        ends = [0] * (most + 1)
        for amount, p in pmf.items():
            ends[min(amount, most)] += p.numerator * (self._over // p.denominator)
        at_least = [*accumulate(reversed(ends))][::-1]
        return [*accumulate(at_least[1:], initial=0)]

    def row(self, effects: Sequence[int], actions: int) -> list[int]:
        """Return where the gains of a strike begin, card by card."""
        begins = []
        for of, (cost, toughness) in zip(effects, self._cards, strict=True):
            key = of, actions, cost, toughness
            if key not in self._rows:
                self._rows[key] = len(self._flat) if of else 0
                if of:
                    taken, over = self._taken[of], self._over * actions
                    self._flat.append(0.0)
                    self._flat += [cost * taken[left] / (over * left) for left in range(1, toughness + 1)]
            begins.append(self._rows[key])
        return begins

    def ranks(self) -> Table:
        """Return the ranks of all gains, times the most units of a side; 0 is that of none."""
        return SIDE_UNITS * np.unique(np.array(self._flat), return_inverse=True)[1].astype(np.int32)
