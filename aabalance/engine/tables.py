"""Duels as flat integer tables: all that the solver and the kernel know of any game.

A duel is a walk over nodes. A node belongs to one side and says what that side's turn is like: where it stands, what is
loaded. An entry, one for each node and bracket of the side's own toughness, names the volley that it fires and the
other side's node that comes next. Solver and kernel read the same entries: the solver the volley's distribution, the
kernel the thresholds of its dice.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Hashable, Iterator
from fractions import Fraction
from typing import Any, NamedTuple

from aabalance import dice
from aabalance.dice import Pmf
from aabalance.errors import UsageError
from aabalance.rulesets.base import Dice, Plan, Player, Turn, Volley

GROUPS = 4
GROUPS_AT = 4
GROUP_FIELDS = 4
GROUP_BITS = 12
NEED_BITS = 6
NEXT_BITS = 48
NEVER = 63
"""A threshold that no digit reaches."""
DIE_AND_REROLL = 36
ENDLESS_REROLL = 30
"""Bases of digits: 6 x (die - 1) + (reroll die - 1), and the same where a miss by one is rerolled without end."""


class Volleys:
    """The different volleys of a table.

    Attributes
    ----------
    start, amount, chance, stay : list
        Where each volley's outcomes begin (one more than there are volleys), amounts above 0 and their chances, and by
        volley the chance of no effect.
    effective, mean : list of float
        By volley: the chance of an effect, and the mean effect.
    """

    def __init__(self) -> None:
        self.start = [0]
        self.amount: list[int] = []
        self.chance: list[float] = []
        self.stay: list[float] = []
        self.effective: list[float] = []
        self.mean: list[float] = []
        self._ids: dict[tuple[tuple[int, float], ...], int] = {}
        self._seen: dict[int, tuple[Pmf, int]] = {}

    def add(self, effect: Pmf) -> int:
        """Pack a distribution and return its number; equal ones are stored once."""
        if id(effect) not in self._seen:
            # Rulesets hand out the same object again and again; held here, its identity stays its own.
            self._seen[id(effect)] = effect, self._add(effect)
        return self._seen[id(effect)][1]

    def _add(self, effect: Pmf) -> int:
        key = tuple((amount, float(p)) for amount, p in sorted(effect.items()))
        if key not in self._ids:
            for amount, p in key:
                if amount:
                    self.amount.append(amount)
                    self.chance.append(p)
            nothing = effect.get(0, Fraction(0))
            self.stay.append(float(nothing))
            self.effective.append(float(1 - nothing))
            self.mean.append(float(dice.mean(effect)))
            self.start.append(len(self.amount))
            self._ids[key] = len(self._ids)
        return self._ids[key]

    @property
    def outcomes(self) -> tuple[list[int], list[int], list[float], list[float]]:
        """`start`, `amount`, `chance` and `stay`, as the solver reads them."""
        return self.start, self.amount, self.chance, self.stay


class Duel:
    """One duel as tables, walked out from where two players stand.

    Parameters
    ----------
    players : pair of Player
        The first moves first.
    range_in : float

    Attributes
    ----------
    volleys : Volleys
    chooses : bool
        A side has a choice of turns.
    sides : list of list of int, shape (2, 6)
        By side: toughness, where its entries begin, its brackets, where their thresholds begin in `least`, its nodes,
        and the greatest common divisor of all that it can take at once (0: harmless).
    least : list of int
    choices : list of int
        By entry, and one more: where its turns begin; a player without a choice has one turn an entry.
    volley, after : list of int
        By turn: the volley, and the node of the other side that follows.
    turns : list of Turn
    nodes : pair of list of Node
    """

    def __init__(self, players: tuple[Player, Player], range_in: float) -> None:
        self.volleys = Volleys()
        self.chooses = any(player.chooses for player in players)
        numbers: tuple[dict[Node, int], dict[Node, int]] = ({}, {})
        rows: tuple[list[list[tuple[Turn, int]]], list[list[tuple[Turn, int]]]] = ([], [])
        start = Node(range_in, 0, 0, False)
        numbers[0][start] = 0
        waiting = [(0, start)]
        for side, node in waiting:
            player, enemy = players[side], players[1 - side]
            for row in range(len(player.least)):
                rows[side].append([])
                for turn in player.turns(node.range_in, node.memory, node.enemy_moved, row):
                    moved = turn.moved if enemy.sees_moves else False
                    after = Node(turn.range_in, node.enemy_memory, turn.memory, moved)
                    if after not in numbers[1 - side]:
                        numbers[1 - side][after] = len(numbers[1 - side])
                        waiting.append((1 - side, after))
                    rows[side][-1].append((turn, numbers[1 - side][after]))
        entries = [*rows[0], *rows[1]]
        self.nodes = list(numbers[0]), list(numbers[1])
        self.choices = [0, *itertools.accumulate(len(turns) for turns in entries)]
        self.turns = [turn for turns in entries for turn, _ in turns]
        self.volley = [self.volleys.add(turn.volley.effect) for turn in self.turns]
        self.after = [after for turns in entries for _, after in turns]
        self.least = [least for player in players for least in player.least]
        self.sides = [
            [
                player.toughness,
                side * len(rows[0]),
                len(player.least),
                side * len(players[0].least),
                len(numbers[side]),
                math.gcd(*(a for turns in rows[side] for turn, _ in turns for a in turn.volley.effect)),
            ]
            for side, player in enumerate(players)
        ]

    def kernel_tables(self) -> KernelTables:
        """Return the same walk as the kernel reads it, thresholds of dice in place of distributions.

        Raises
        ------
        UsageError
            More different attacks than the kernel has room for.
        """
        import numpy as np

        numbers = list(self.least)
        sides, entries = [], []
        for side in self.sides:
            toughness, at, brackets, least_at, nodes, _ = side
            span = range(at, at + nodes * brackets)
            groups = _groups([self.turns[entry].volley for entry in span])
            sides.append([toughness, at, brackets, least_at, *_group_row(groups, numbers)])
            entries += [_packed(self.turns[entry].volley, groups) | self.after[entry] << NEXT_BITS for entry in span]
        return KernelTables(
            np.array(entries, dtype=np.uint64),
            np.array([sides], dtype=np.int64),
            np.array(numbers, dtype=np.int64),
            np.array([not any(side[-1] for side in self.sides)]),
        )


class KernelTables(NamedTuple):
    """What `aabalance.engine.kernel` reads; see its `duels`.

    Attributes
    ----------
    entries, sides, numbers : array
    harmless : array of bool, shape (matchups,)
        Neither side can ever hurt the other, so there is nothing to roll.
    """

    entries: Any
    sides: Any
    numbers: Any
    harmless: Any


class _Group(NamedTuple):
    """Equal dice sequences that are always rolled in the same place: which attack of which weapon they are."""

    weapon: str
    attack: int
    sequences: int
    effects: tuple[int, ...]


def _attacks(volley: Volley) -> Iterator[tuple[_Group, Dice]]:
    if len(volley.dice) < len(volley.weapons):
        raise UsageError("simulate: this game doesn't say which dice its attacks roll; its duels are solved exactly")
    for n, (weapon, thrown) in enumerate(zip(volley.weapons, volley.dice, strict=True)):
        yield _Group(weapon, volley.weapons[:n].count(weapon), thrown.sequences, thrown.effects), thrown


def _groups(volleys: list[Volley]) -> dict[_Group, tuple[int, bool]]:
    """Return the groups of a side with the base of their first digit, and whether they take a second one."""
    groups: dict[_Group, tuple[int, bool]] = {}
    for volley in volleys:
        for group, thrown in _attacks(volley):
            base, full = groups.get(group, (DIE_AND_REROLL, len(set(thrown.effects)) > 1))
            whole = (thrown.first * DIE_AND_REROLL).denominator == 1
            groups[group] = (base if whole else ENDLESS_REROLL, full or thrown.second not in (0, 1))
    if len(groups) > GROUPS:
        raise UsageError(f"simulate: found {len(groups)} different attacks of a unit, expected at most {GROUPS}")
    return groups


def _group_row(groups: dict[_Group, tuple[int, bool]], numbers: list[int]) -> list[int]:
    """Return the groups' part of a side's row; their effects are put behind `numbers`."""
    row = []
    for group, (base, full) in groups.items():
        row += [group.sequences, int(full), base, len(numbers)]
        numbers += group.effects
    return row + [0, 0, DIE_AND_REROLL, 0] * (GROUPS - len(groups))


def _packed(volley: Volley, groups: dict[_Group, tuple[int, bool]]) -> int:
    fired = dict(_attacks(volley))
    entry = 0
    for n, (group, (base, _)) in enumerate(groups.items()):
        first = second = NEVER
        if group in fired:
            first = threshold(fired[group].first, base)
            second = threshold(fired[group].second, DIE_AND_REROLL)
        entry |= (first | second << NEED_BITS) << n * GROUP_BITS
    return entry


def threshold(p: Fraction, base: int) -> int:
    """Return the least digit of `base` that succeeds, with chance `p`."""
    needed = base * (1 - p)
    if needed.denominator != 1:
        raise UsageError(f"simulate: a chance of {p} can't be rolled with a die and its reroll; the exact solver can")
    return int(needed)


class Node(NamedTuple):
    """Where a side stands at the start of its turn."""

    range_in: float
    memory: int
    enemy_memory: int
    enemy_moved: Hashable


class PlanTables:
    """Packs plans; equal volleys and equal plans are stored once.

    Attributes
    ----------
    opening, cycle, brackets, least_at, volleys_at, quantum : list of int
        By plan: turns in its opening and in its cycle, its brackets, where their thresholds and their volleys begin,
        and the greatest common divisor of all that it can take at once (0: harmless).
    least, volley : list of int
    fired : list of Volley
        By slot, as `volley`.
    """

    def __init__(self) -> None:
        self.fired: list[Volley] = []
        self.volleys = Volleys()
        self.opening: list[int] = []
        self.cycle: list[int] = []
        self.brackets: list[int] = []
        self.least_at: list[int] = []
        self.volleys_at: list[int] = []
        self.quantum: list[int] = []
        self.least: list[int] = []
        self.volley: list[int] = []
        self._ids: dict[tuple[int, ...], int] = {}

    def add(self, plan: Plan) -> int:
        """Pack `plan` and return its number."""
        fired = [volley for bracket in plan for volley in (*bracket.opening, *bracket.cycle)]
        volleys = [self.volleys.add(volley.effect) for volley in fired]
        least = [bracket.least for bracket in plan]
        # The dice as well as the distribution: which of two like plans came first must not decide how it is rolled.
        key = (
            len(plan[0].opening),
            len(plan[0].cycle),
            *least,
            *volleys,
            *(id(dice) for volley in fired for dice in volley.dice),
        )
        if key not in self._ids:
            self.opening.append(len(plan[0].opening))
            self.cycle.append(len(plan[0].cycle))
            self.brackets.append(len(plan))
            self.least_at.append(len(self.least))
            self.volleys_at.append(len(self.volley))
            self.quantum.append(math.gcd(*(amount for volley in fired for amount in volley.effect)))
            self.least += least
            self.volley += volleys
            self.fired += fired
            self._ids[key] = len(self._ids)
        return self._ids[key]

    def dice(self) -> tuple[Any, Any, Any]:
        """Return the plans' dice as the kernel reads them.

        Returns
        -------
        thresholds : array of uint64
            By slot; the next node is still to be put in.
        groups : array of int64, shape (plans, GROUPS * GROUP_FIELDS)
            As in a side's row; effects are counted from the start of the third array.
        effects : array of int64
        """
        import numpy as np

        thresholds: list[int] = []
        rows: list[list[int]] = []
        effects: list[int] = []
        for plan, at in enumerate(self.volleys_at):
            fired = self.fired[at : at + (self.opening[plan] + self.cycle[plan]) * self.brackets[plan]]
            groups = _groups(fired)
            thresholds += [_packed(volley, groups) for volley in fired]
            rows.append(_group_row(groups, effects))
        return np.array(thresholds, dtype=np.uint64), np.array(rows), np.array(effects, dtype=np.int64)

    @property
    def columns(self) -> tuple[list[int], ...]:
        """All lists from `opening` to `quantum`, in their order above, and `volley`, as the solver reads them."""
        by_plan = self.opening, self.cycle, self.brackets, self.least_at, self.volleys_at, self.quantum
        return (*by_plan, self.volley)

    def arrays(self) -> tuple[Any, Any, Any]:
        """Return the columns of the plans, their thresholds and the outcomes as arrays, for the compiled solver."""
        import numpy as np

        plans = tuple(np.array(column, dtype=np.int64) for column in self.columns)
        start, amount, chance, stay = self.volleys.outcomes
        return (
            plans,
            np.array(self.least, dtype=np.int64),
            (np.array(start), np.array(amount, dtype=np.int64), np.array(chance), np.array(stay)),
        )


def expand(
    plans: Any, plan_a: Any, plan_b: Any, hp_a: Any, hp_b: Any, at: Any, sides: Any, slot: Any, after: Any
) -> None:
    """Write the duels of holding units as tables: nodes are the turns of both plans, a moves first.

    Parameters
    ----------
    plans : tuple of arrays
        From `aabalance.engine.tables.PlanTables.arrays`.
    plan_a, plan_b, hp_a, hp_b : array of int64, shape (n,)
    at : array of int64, shape (n,)
        Where each duel's entries begin.
    sides, slot, after : arrays of int64
        Written; `slot` is the place of each entry's volley among those of all plans, the others as for `Duel`.
    """
    opening, cycle, brackets, least_at, volleys_at, quantum, _ = plans
    for k in range(len(plan_a)):
        opened = max(opening[plan_a[k]], opening[plan_b[k]])
        nodes = cycle[plan_a[k]]
        while nodes % cycle[plan_b[k]] != 0:
            nodes += cycle[plan_a[k]]
        nodes += opened
        entry = at[k]
        for s in range(2):
            plan = plan_a[k] if s == 0 else plan_b[k]
            turns = opening[plan] + cycle[plan]
            side = sides[k][s]
            side[0] = hp_a[k] if s == 0 else hp_b[k]
            side[1] = entry
            side[2] = brackets[plan]
            side[3] = least_at[plan]
            side[4] = nodes
            side[5] = quantum[plan]
            for n in range(nodes):
                turn = n if n < turns else opening[plan] + (n - opening[plan]) % cycle[plan]
                for row in range(brackets[plan]):
                    slot[entry] = volleys_at[plan] + row * turns + turn
                    if s == 0:
                        after[entry] = n
                    else:
                        after[entry] = n + 1 if n + 1 < nodes else opened
                    entry += 1
