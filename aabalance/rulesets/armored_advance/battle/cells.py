"""The effects of a battle's attacks on their targets at each distance; equal ones are worked out once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple, TypeVar

from aabalance import dice
from aabalance.dice import Pmf
from aabalance.rulesets.armored_advance.shot import halves
from aabalance.rulesets.armored_advance.shot.resolve import NO_DICE, NOTHING, Resolution, reads_of_distance, resolve
from aabalance.rulesets.armored_advance.shot.sheets import Attack, Defence
from aabalance.rulesets.armored_advance.variant import Variant
from aabalance.rulesets.base import Dice, Step

Attacks = tuple[Attack, ...]
"""An attack as it is made in each view."""
Shown = tuple[Defence, ...]
"""What a unit shows in each view."""
Thrown = tuple[tuple[Fraction, Dice], ...]
Told = tuple[tuple[Step, ...], ...]
Resolved = tuple[Resolution, tuple[Step, ...]]
Sheet = TypeVar("Sheet", Attack, Defence)


class Cell(NamedTuple):
    """What an attack takes from its target, how it is rolled, and the steps of each of these dice."""

    effect: Pmf = NOTHING
    dice: Thrown = ((Fraction(1), NO_DICE),)
    steps: Told = ((),)


NO_ATTACK = Cell()


class Row(NamedTuple):
    """What an attack does to one target, by distance: the columns of the cells."""

    effects: tuple[Pmf, ...]
    dice: tuple[Thrown, ...]
    steps: tuple[Told, ...]

    @classmethod
    def of(cls, cells: Iterable[Cell]) -> Row:
        """Return the columns of cells."""
        return cls(*zip(*cells, strict=True))


class Cells:
    """What attacks do, by all that tells them apart.

    Parameters
    ----------
    ranges : sequence of float
        Distances in inches, in the order of an effect's distances.
    shares : sequence of Fraction
        The share of the attacks that are made in each view.
    variant : Variant
        The rule switches.
    explain : bool
        Cells have their steps. These name distances, and so no two distances are alike.
    """

    def __init__(self, ranges: Sequence[float], shares: Sequence[Fraction], variant: Variant, *, explain: bool) -> None:
        self.ranges = ranges
        self.explain = explain
        self._shares = shares
        self._variant = variant
        # What is kept is told apart by its id, since hashing it takes longer than the rest of a cell.
        self._kept: dict[Attack | Defence, Attack | Defence] = {}
        self._together: dict[tuple[int, ...], Any] = {}
        self._read: dict[tuple[int, str], Defence] = {}
        self._alike: dict[tuple[int, int, bool], Resolution] = {}
        self._views: dict[tuple[int, int], list[Resolved]] = {}
        self._same: dict[tuple[int, ...], list[Resolved]] = {}
        self._none = [NO_ATTACK] * len(ranges)
        self._by_distance: dict[tuple[int, ...], list[Cell]] = {}
        self._rows: dict[tuple[int, ...], Row] = {}
        self._known: dict[tuple[int, ...], dict[int, Row]] = {}
        self._mixtures: dict[tuple[int, ...], Cell] = {}

    def kept(self, sheets: Iterable[Sheet]) -> tuple[Sheet, ...]:
        """Return the one row of sheets that stands for all that are equal; others can't be asked for."""
        same = tuple([self._one(sheet) for sheet in sheets])
        row: tuple[Sheet, ...] = self._together.setdefault(tuple(map(id, same)), same)
        return row

    def _one(self, sheet: Sheet) -> Sheet:
        same: Sheet = self._kept.setdefault(sheet, sheet)  # type: ignore[assignment]
        return same

    def rows(self, attacks: Sequence[Attacks | None], shown: Sequence[Shown]) -> list[Row]:
        """Return what an attack, given by distance, does from each to each target; None where it can't be made."""
        known = self._known.setdefault(tuple(map(id, attacks)), {})
        different = {id(made): made for made in attacks}
        rows = []
        for target in shown:
            if id(target) not in known:
                does = {key: self._from_each(made, target) for key, made in different.items()}
                known[id(target)] = self._row([does[id(made)] for made in attacks])
            rows.append(known[id(target)])
        return rows

    def _row(self, does: Sequence[list[Cell]]) -> Row:
        """Return the row of what is done from each distance."""
        key = tuple([id(cells) for cells in does])
        if key not in self._rows:
            return self._rows.setdefault(key, Row.of(cells[at] for at, cells in enumerate(does)))
        return self._rows[key]

    def _from_each(self, attacks: Attacks | None, faces: tuple[Defence, ...]) -> list[Cell]:
        """Return what an attack does from each distance; the same list for the same."""
        if attacks is None:
            return self._none
        views = [self._resolved(attack, face) for attack, face in zip(attacks, faces, strict=True)]
        key = tuple([id(view) for view in views])
        if key not in self._by_distance:
            # What one thread was given stays, though another works out the same: ids of what is gone come again.
            return self._by_distance.setdefault(key, [self._cell(resolved) for resolved in zip(*views, strict=True)])
        return self._by_distance[key]

    def _resolved(self, attack: Attack, face: Defence) -> list[Resolved]:
        """Return what an attack in one view does from each distance."""
        target = self._reads(face, attack.kind)
        key = id(attack), id(target)
        if key in self._views:
            return self._views[key]
        by_distance: list[Resolved] = []
        before = None
        for range_in in self.ranges:
            read = range_in if self.explain else reads_of_distance(attack, target, range_in, self._variant)
            if read != before:
                steps: list[Step] | None = [] if self.explain else None
                one = resolve(attack, target, range_in, self._variant, steps)
                one = self._alike.setdefault((id(one.dice), id(one.effect), one.rollable), one)
                last = one, tuple(steps or ())
            by_distance.append(last)
            before = read
        # Of all that tells attacks apart, little tells apart what they do.
        same = tuple([id(one) for one, _ in by_distance])
        self._views[key] = by_distance if self.explain else self._same.setdefault(same, by_distance)
        return self._views[key]

    def _cell(self, resolved: Sequence[Resolved]) -> Cell:
        same = tuple([id(one) for one, _ in resolved])
        if self.explain or same not in self._mixtures:
            self._mixtures[same] = self._mixed(resolved)
        return self._mixtures[same]

    def _reads(self, face: Defence, kind: str) -> Defence:
        """Return a defence as attacks of a kind read it."""
        key = id(face), kind
        if key not in self._read:
            self._read[key] = self._one(halves.relevant(face, frozenset({"he" if kind == "indirect" else kind})))
        return self._read[key]

    def _mixed(self, resolved: Sequence[Resolved]) -> Cell:
        told: dict[Dice, tuple[Step, ...]] = {}
        thrown: dict[Dice, Fraction] = {}
        for (one, steps), share in zip(resolved, self._shares, strict=True):
            told.setdefault(one.dice, steps)
            thrown[one.dice] = thrown.get(one.dice, Fraction(0)) + share
        effects = [one.effect for one, _ in resolved]
        effect = dice.mixture(dict(enumerate(self._shares)), effects.__getitem__)
        rollable = all(one.rollable for one, _ in resolved)
        return Cell(
            effect, tuple((share, of) for of, share in thrown.items()) if rollable else (), tuple(told.values())
        )
