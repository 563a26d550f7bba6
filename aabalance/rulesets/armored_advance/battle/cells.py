"""What the attacks of a battle do to their targets in each aspect of it; what is alike is worked out once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple, TypeVar

from aabalance import dice
from aabalance.dice import Pmf
from aabalance.rulesets.armored_advance.duel.postures import STAYED, Gone, gone
from aabalance.rulesets.armored_advance.shot import halves
from aabalance.rulesets.armored_advance.shot.resolve import NO_DICE, NOTHING, Resolution, reads_of_distance, resolve
from aabalance.rulesets.armored_advance.shot.sheets import Attack, Defence
from aabalance.rulesets.armored_advance.variant import Variant
from aabalance.rulesets.base import Aspect, Dice, Step

MOVE_ACTIONS = 1
"""Of a movement action."""

Attacks = tuple[Attack, ...]
"""An attack as it is made in each view."""
Shown = Mapping[Gone, tuple[Defence, ...]]
"""What a unit shows in each view, by how it moved in its last turn."""
Thrown = tuple[tuple[Fraction, Dice], ...]
Told = tuple[tuple[Step, ...], ...]
Sheet = TypeVar("Sheet", Attack, Defence)


class Cell(NamedTuple):
    """What an attack takes from its target, how it is rolled, and the steps of each of these dice."""

    effect: Pmf = NOTHING
    dice: Thrown = ((Fraction(1), NO_DICE),)
    steps: Told = ((),)


NO_ATTACK = Cell()


class Cells:
    """What attacks do, by all that tells them apart.

    Parameters
    ----------
    aspects : sequence of Aspect
    shares : sequence of Fraction
        Of the attacks that are made in each view.
    variant : Variant
    explain : bool
        Cells have their steps. These name distances, and so no two distances are alike.
    """

    def __init__(
        self, aspects: Sequence[Aspect], shares: Sequence[Fraction], variant: Variant, *, explain: bool
    ) -> None:
        self.aspects = aspects
        self.explain = explain
        self._shares = shares
        self._variant = variant
        self._gone = [gone_of(aspect) for aspect in aspects]
        self._distances = list(dict.fromkeys(aspect.range_in for aspect in aspects))
        self._distance_of = [self._distances.index(aspect.range_in) for aspect in aspects]
        # Sheets that are kept are told apart by their id, since hashing them takes longer than the rest of a cell.
        self._kept: dict[Attack | Defence, Attack | Defence] = {}
        self._read: dict[tuple[int, str], Defence] = {}
        self._resolved: dict[tuple[int, int, float], tuple[Resolution, tuple[Step, ...]]] = {}
        self._alike: dict[tuple[Dice, bool, tuple[tuple[int, Fraction], ...]], Resolution] = {}
        self._cells: dict[tuple[tuple[int, int, float], ...], Cell] = {}
        self._rows: dict[tuple[tuple[int, int], ...], list[Cell]] = {}
        self._mixtures: dict[tuple[int, ...], Cell] = {}

    def kept(self, sheet: Sheet) -> Sheet:
        """Return the one sheet that stands for all that are equal; others can't be asked for."""
        same: Sheet = self._kept.setdefault(sheet, sheet)  # type: ignore[assignment]
        return same

    def row(self, attacks: Sequence[Attacks | None], target: Shown) -> tuple[Cell, ...]:
        """Return what an attack, given by aspect, does in each; None where it can't be made."""
        known: dict[tuple[int, int], list[Cell]] = {}
        cells = []
        for made, moved, at in zip(attacks, self._gone, self._distance_of, strict=True):
            if made is None:
                cells.append(NO_ATTACK)
                continue
            key = id(made), id(target[moved])
            if key not in known:
                known[key] = self._by_distance(made, target[moved])
            cells.append(known[key][at])
        return tuple(cells)

    def _by_distance(self, attacks: Attacks, faces: tuple[Defence, ...]) -> list[Cell]:
        """Return what an attack does from each distance."""
        met = [(attack, self._reads(face, attack.kind)) for attack, face in zip(attacks, faces, strict=True)]
        same = tuple([(id(attack), id(face)) for attack, face in met])
        if same in self._rows:
            return self._rows[same]
        cells: list[Cell] = []
        before: tuple[float, ...] = ()
        for range_in in self._distances:
            read = tuple(
                [range_in if self.explain else reads_of_distance(*one, range_in, self._variant) for one in met]
            )
            # Most distances are read as the one before.
            cells.append(cells[-1] if read == before else self._cell(met, read, range_in))
            before = read
        self._rows[same] = cells
        return cells

    def _cell(self, met: Sequence[tuple[Attack, Defence]], read: Sequence[float], range_in: float) -> Cell:
        cell = tuple((id(attack), id(target), of) for (attack, target), of in zip(met, read, strict=True))
        if cell not in self._cells:
            for (attack, target), key in zip(met, cell, strict=True):
                if key not in self._resolved:
                    steps: list[Step] | None = [] if self.explain else None
                    one = resolve(attack, target, range_in, self._variant, steps)
                    one = self._alike.setdefault((one.dice, one.rollable, tuple(one.effect.items())), one)
                    self._resolved[key] = one, tuple(steps or ())
            resolved = [self._resolved[key] for key in cell]
            # Of all that tells attacks apart, little tells apart what they do.
            same = tuple(id(one) for one, _ in resolved)
            if self.explain or same not in self._mixtures:
                self._mixtures[same] = self._mixed(resolved)
            self._cells[cell] = self._mixtures[same]
        return self._cells[cell]

    def _reads(self, face: Defence, kind: str) -> Defence:
        """Return a defence as attacks of a kind read it."""
        key = id(face), kind
        if key not in self._read:
            self._read[key] = self.kept(halves.shown(face, frozenset({"he" if kind == "indirect" else kind})))
        return self._read[key]

    def _mixed(self, resolved: Sequence[tuple[Resolution, tuple[Step, ...]]]) -> Cell:
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


def gone_of(aspect: Aspect) -> Gone:
    """Return how the target of an aspect moved in its last turn."""
    return gone(MOVE_ACTIONS, aspect.target_moved_in) if aspect.target_moved_in else STAYED
