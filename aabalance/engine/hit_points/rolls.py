"""Duels as the kernel takes them: the dice of every volley as thresholds, packed into words with the next node."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from aabalance.engine.digits import DIE_AND_REROLL, ENDLESS_REROLL, threshold
from aabalance.engine.hit_points import layout
from aabalance.engine.outcome import Tally
from aabalance.engine.volleys import fits
from aabalance.errors import UsageError
from aabalance.rulesets.base import Dice, Volley

if TYPE_CHECKING:
    from aabalance.engine.arrays import Bools, Ints, Words

MOST_TOUGHNESS = (1 << 16) - 1
MOST_NODES = 1 << 16
"""Toughness and node have 16 bits each in the word that is the state of a lane of the kernel."""
MOST_DIGITS = 1 << 11
"""Largest number of digits of a side in a round: one row of the kernel's scratch has a factor for each digit."""


class Rolls(NamedTuple):
    """Duels ready to be rolled.

    Attributes
    ----------
    entries : array of uint64
        Entries of all nodes; see the head of `aabalance.engine.hit_points.kernel`.
    sides : array of int64, shape (duels, 2, GROUPS_AT + GROUPS * GROUP_FIELDS)
        The rows of both sides; see `aabalance.engine.hit_points.layout`.
    numbers : array of int64
        Thresholds of brackets, then the effects of groups.
    harmless : array of bool, shape (duels,)
        Whether neither side can ever hurt the other, so that there is nothing to roll.
    """

    entries: Words
    sides: Ints
    numbers: Ints
    harmless: Bools

    def roll(self, runs: Words) -> Ints:
        """Roll some of the duels; parameter and result as in `aabalance.engine.fights.Rolls`."""
        import numpy as np

        from aabalance.engine import jit
        from aabalance.engine.hit_points import kernel

        counts = np.zeros((len(runs), len(Tally._fields)), dtype=np.int64)
        scratch = kernel.scratch_for(self.sides[runs[:, 0].astype(np.int64)])
        jit.compiled(kernel.duels)(self, runs, scratch, counts)
        return counts

    def tally(self, counts: Ints) -> Tally[int]:
        """Return a row of counts with names."""
        return Tally(*counts.tolist())

    def part(self, first: int, end: int) -> Rolls:
        """Return only the duels ``first .. end - 1``, so that less is sent to another process."""
        sides = self.sides[first:end].copy()
        begin = sides[0, 0, layout.AT]
        stop = self.sides[end, 0, layout.AT] if end < len(self.sides) else len(self.entries)
        sides[:, :, layout.AT] -= begin
        return Rolls(self.entries[begin:stop], sides, self.numbers, self.harmless[first:end])


class PackedDice(NamedTuple):
    """The dice of units' volleys.

    Attributes
    ----------
    thresholds : array of uint64
        The volleys of all units, one unit after another; the bits of the next node are still empty.
    groups : array of int64, shape (units, GROUPS * GROUP_FIELDS)
        The groups' part of a side's row, as the kernel takes it, except that indices of effects count from the start of
        `effects`.
    effects : array of int64
        The effects of all groups, each by the face of the second die.
    """

    thresholds: Words
    groups: Ints
    effects: Ints


def pack_dice(units: Sequence[Sequence[Volley]]) -> PackedDice:
    """Pack the volleys of units; each unit has its own groups of dice.

    Parameters
    ----------
    units : sequence of sequence of Volley
        The volleys of each unit.

    Raises
    ------
    UsageError
        A unit has more different attacks than the kernel has room for, or a chance that no die with its reroll has.
    """
    import numpy as np

    thresholds: list[int] = []
    rows: list[list[int]] = []
    effects: list[int] = []
    for volleys in units:
        groups = _groups(volleys)
        thresholds += [_packed(volley, groups) for volley in volleys]
        rows.append(_group_row(groups, effects))
    return PackedDice(np.array(thresholds, dtype=np.uint64), np.array(rows), np.array(effects, dtype=np.int64))


def check_sides(toughness: int, nodes: int) -> None:
    """Refuse duels in which the largest `toughness` or number of `nodes` of a side is too large for the kernel."""
    fits("simulate: toughness", toughness, MOST_TOUGHNESS)
    fits("simulate: turns of a unit", nodes, MOST_NODES)


def rolls(sides: Ints, least: Ints, dice: PackedDice, units: Ints, slot: Ints, after: Ints) -> Rolls:
    """Put packed dice and turns together; `check_sides` must have accepted the sides.

    Parameters
    ----------
    sides : array of int64, shape (duels, 2, 6)
        As in `aabalance.engine.hit_points.layout.Turns`.
    least : array of int64
        The thresholds of all brackets.
    dice : PackedDice
        The dice of all units.
    units : array of int64, shape (duels, 2)
        By side, the number of its unit in `dice`.
    slot, after : array of int64
        By entry: the number of its volley in `dice`, and the next node of the other side.
    """
    import numpy as np

    groups = dice.groups.copy()
    # Effects come behind the thresholds of the brackets.
    groups[:, layout.EFFECTS_AT :: layout.GROUP_FIELDS] += len(least)
    rows = np.concatenate([sides[:, :, : layout.GROUPS_AT], groups[units]], axis=2)
    entries = dice.thresholds[slot] | after.astype(np.uint64) << np.uint64(layout.NEXT_BITS)
    harmless = (sides[:, :, layout.QUANTUM] == 0).all(axis=1)
    return Rolls(entries, rows, np.concatenate([least, dice.effects]), harmless)


class _Group(NamedTuple):
    """The dice sequences of one attack of a weapon, which are alike. They take the same digits in every turn.

    `attack` is the number of the attack among those of the same weapon in a volley.
    """

    weapon: str
    attack: int
    sequences: int
    effects: tuple[int, ...]


def _attacks(volley: Volley) -> Iterator[tuple[_Group, Dice]]:
    """Yield each attack of a volley: its group, and its dice."""
    if len(volley.dice) < len(volley.weapons):
        raise UsageError("simulate: this game doesn't say which dice its attacks roll; its duels are solved exactly")
    for n, (weapon, thrown) in enumerate(zip(volley.weapons, volley.dice, strict=True)):
        yield _Group(weapon, volley.weapons[:n].count(weapon), thrown.sequences, thrown.effects), thrown


def _groups(volleys: Sequence[Volley]) -> dict[_Group, tuple[int, bool]]:
    """Return the groups of a unit, each with the base of its first digit and whether it takes a second digit."""
    groups: dict[_Group, tuple[int, bool]] = {}
    for volley in volleys:
        for group, thrown in _attacks(volley):
            base, full = groups.get(group, (DIE_AND_REROLL, len(set(thrown.effects)) > 1))
            whole = DIE_AND_REROLL % thrown.first.denominator == 0
            groups[group] = (base if whole else ENDLESS_REROLL, full or thrown.second not in (0, 1))
    if len(groups) > layout.GROUPS:
        raise UsageError(f"simulate: found {len(groups)} different attacks of a unit, expected at most {layout.GROUPS}")
    return groups


def _group_row(groups: dict[_Group, tuple[int, bool]], effects: list[int]) -> list[int]:
    """Return the groups' part of a side's row; their effects are appended to `effects`."""
    row = []
    fits("simulate: dice in a turn", sum(group.sequences << full for group, (_, full) in groups.items()), MOST_DIGITS)
    for group, (base, full) in groups.items():
        row += [group.sequences, int(full), base, len(effects)]
        effects += group.effects
    return row + [0, 0, DIE_AND_REROLL, 0] * (layout.GROUPS - len(groups))


def _packed(volley: Volley, groups: dict[_Group, tuple[int, bool]]) -> int:
    """Return a volley as a word: what both rolls of each group need, or that they never succeed."""
    fired = dict(_attacks(volley))
    entry = 0
    for n, (group, (base, _)) in enumerate(groups.items()):
        first = second = layout.NEVER
        # Without a second digit the kernel doesn't look whether the second roll succeeds.
        if group in fired and fired[group].second > 0:
            first = threshold(fired[group].first, base)
            second = threshold(fired[group].second, DIE_AND_REROLL)
        entry |= (first | second << layout.NEED_BITS) << n * layout.GROUP_BITS
    return entry
