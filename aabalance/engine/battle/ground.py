"""Where units may get to in a battle, and what their strikes do from there, as arrays of integers.

A ruleset says what strikes do at each *moment*: the steps between the two units, whether the attacker has moved in this
turn, and the class of the target's last move. Moments are numbered in that order, the class changing fastest. Moments
at which all strikes of a side do the same are one *aspect*.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from aabalance.engine.battle.columns import CLASS_BIT, NOBODY, PLACE_BIT
from aabalance.engine.battle.postures import POSTURES, TO_THE_BEST
from aabalance.engine.battle.wishes import wishes_of
from aabalance.rulesets.base import Fighter, Force, Objectives, Strike

STAYED, MOVED = 0, 1


class Ground(NamedTuple):
    """The ground on which two lines move.

    Attributes
    ----------
    postures : (str, str)
        The posture of each side, by its name in `aabalance.engine.battle.postures.POSTURES`.
    stops : (int, int)
        The distance in steps that each posture has; 0 if it has none.
    depth : int
        Number of steps from one edge to the other.
    start : int
        Number of steps from an edge to the line of the side that begins there.
    step_in : Fraction
        Length of a step in inches.
    gone : tuple of int
        Number of steps from which on a move belongs to the third class of moves, and to each class after it.
    classes : int
        Number of classes of a target's last move: it stayed, it moved, and one more for each of `gone`; 1 if the move
        makes no difference.
    objectives : Objectives or None
        The objectives between the lines, if points decide.
    """

    postures: tuple[str, str]
    stops: tuple[int, int]
    depth: int
    start: int
    step_in: Fraction
    gone: tuple[int, ...]
    classes: int
    objectives: Objectives | None = None

    def moment(self, steps: int, moved: int, kind: int) -> int:
        """Return the number of a moment.

        Parameters
        ----------
        steps : int
            Steps between attacker and target.
        moved : int
            `MOVED` if the attacker moved in this turn, else `STAYED`.
        kind : int
            The class of the target's last move.
        """
        return (2 * steps + moved) * self.classes + kind

    def steps(self, inches: float) -> int:
        """Return a length in steps; it has to be a multiple of a step."""
        return int(Fraction(str(inches)) / self.step_in)

    def moves(self, side: int, unit: Fighter) -> bool:
        """Return whether a unit of a side may ever move."""
        goes = max(unit.pace.ahead_in, unit.pace.back_in) > 0 and unit.pace.actions <= unit.actions
        return goes and self.postures[side] != next(iter(POSTURES))


class WaysToMove(NamedTuple):
    """How a side moves.

    Attributes
    ----------
    parts : tuple of arrays
        The side's parts from `aabalance.engine.battle.columns.PACES` to `ORDERS`.
    hurts : list of int
        For each strike, the enemies that it can hurt from any place that both may get to: a bit each.
    """

    parts: tuple[Any, ...]
    hurts: list[int]


def by_aspect(force: Force, ground: Ground | None) -> tuple[Force, list[int]]:
    """Return a side whose strikes have one effect for each aspect, and the aspect of each moment of a ground."""
    # Rulesets hand out the same object again and again, and what holds fractions is slow to compare.
    by_value: dict[Any, int] = {}
    number: dict[int, int] = {}
    aspects: dict[tuple[int, ...], int] = {}

    def numbered(given: Any) -> int:
        if id(given) not in number:
            value = tuple(sorted(given.items())) if isinstance(given, Mapping) else given
            number[id(given)] = by_value.setdefault(value, len(by_value))
        return number[id(given)]

    rows = {
        (id(effects), id(dice)): (effects, dice)
        for unit in {id(unit): unit for unit in force}.values()
        for strike in unit.strikes
        for effects, dice in zip(strike.effects, strike.dice, strict=True)
    }
    cells = [
        [(numbered(effect), numbered(thrown)) for effect, thrown in zip(effects, dice, strict=True)]
        for effects, dice in rows.values()
    ]
    if not cells:
        return force, [0] * (ground.moment(ground.depth + 1, STAYED, 0) if ground else 1)
    of_moment = [aspects.setdefault(column, len(aspects)) for column in zip(*cells, strict=True)]
    first = [of_moment.index(aspect) for aspect in range(len(aspects))]
    if len(first) == len(of_moment):
        return force, of_moment

    rows_kept: dict[int, tuple[Any, ...]] = {}

    def kept(of_enemies: tuple[Any, ...]) -> tuple[Any, ...]:
        for of_enemy in of_enemies:
            if id(of_enemy) not in rows_kept:
                rows_kept[id(of_enemy)] = tuple(of_enemy[moment] for moment in first)
        return tuple(rows_kept[id(of_enemy)] for of_enemy in of_enemies)

    def fewer(strike: Strike) -> Strike:
        return strike._replace(effects=kept(strike.effects), dice=kept(strike.dice), steps=kept(strike.steps))

    units = {id(unit): unit._replace(strikes=tuple(map(fewer, unit.strikes))) for unit in force}
    return tuple(units[id(unit)] for unit in force), of_moment


def without_classes(ground: Ground, aspects: tuple[list[int], list[int]]) -> tuple[Ground, tuple[list[int], list[int]]]:
    """Return the ground and the aspects by moment, with a single class of moves if the class makes no difference."""
    fewer = aspects[0][:: ground.classes], aspects[1][:: ground.classes]
    same = (
        all(aspect == few[at // ground.classes] for at, aspect in enumerate(every))
        for few, every in zip(fewer, aspects, strict=True)
    )
    return (ground._replace(gone=(), classes=1), fewer) if all(same) else (ground, aspects)


def ways_to_move(
    forces: Sequence[Force],
    side: int,
    rank: Any,
    aspects: Sequence[Sequence[int]],
    ground: Ground,
    bits: list[int],
) -> WaysToMove:
    """Pack how a side moves, and whom its strikes hurt.

    Parameters
    ----------
    forces : pair of Force
        Both sides, with effects by aspect.
    side : int
        The side.
    rank : array, shape (strikes, enemies, aspects, toughness)
        The ranks of the side's gains.
    aspects : pair of sequence of int
        For each side, the number of the aspect at each moment.
    ground : Ground
        What units move on.
    bits : list of int
        A single number: how many bits of a state are in use. Those of places and classes are added.
    """
    own, enemies = forces[side], forces[1 - side]
    # By strike, enemy and aspect.
    harmful = np.stack([rank[:, at, :, enemy.toughness] > 0 for at, enemy in enumerate(enemies)], axis=1)
    unit_of = [at for at, unit in enumerate(own) for _ in unit.strikes]
    table = np.array(aspects[side], dtype=np.uint16)
    # By strike, enemy and moment.
    at_moment = harmful[:, :, table]
    moves = [ground.moves(side, unit) for unit in own], [ground.moves(1 - side, enemy) for enemy in enemies]
    met = {(one, other): _moments(ground, side, one, other) for one in set(moves[0]) for other in set(moves[1])}
    # By strike and enemy, whether it hurts at any moment that they may get to.
    ever: dict[tuple[bool, bool], Any] = {which: at_moment[:, :, moments].any(axis=2) for which, moments in met.items()}
    hurts = [
        _bits(ever[moves[0][unit_of[strike]], other][strike, at] for at, other in enumerate(moves[1]))
        for strike in range(len(at_moment))
    ]
    place_bits, class_bits = ground.depth.bit_length(), (ground.classes - 1).bit_length()
    paces = np.array([[*_pace(ground, side, unit), NOBODY, NOBODY] for unit in own], dtype=np.int64).reshape(-1, 5)
    for unit in range(len(own)):
        if not paces[unit, :2].any() and own[unit].ride is None:
            continue
        paces[unit, PLACE_BIT], paces[unit, CLASS_BIT] = bits[0], bits[0] + place_bits
        bits[0] += place_bits + class_bits
    goes_to_the_best = ground.postures[side] in TO_THE_BEST
    wishes = np.zeros((len(own), len(enemies) if goes_to_the_best else 0, 3), dtype=np.int64)
    if goes_to_the_best:
        standing = [
            [of_side[ground.moment(steps, STAYED, 0)] for steps in range(ground.depth + 1)] for of_side in aspects
        ]
        begin, ways = ground.depth - 2 * ground.start, paces[:, :2].tolist()
        wishes[:] = wishes_of(forces, side, standing, begin, ways)
    number = list(POSTURES).index(ground.postures[side])
    orders = [number, ground.stops[side], ground.depth, ground.start, ground.classes, place_bits, class_bits]
    known: dict[bytes, list[tuple[int, int, int, int]]] = {}
    spans = []
    for strike, by_enemy in enumerate(at_moment):
        for enemy, harmful_at in enumerate(by_enemy):
            # Equal units and equal strikes have the same.
            if (key := harmful_at.tobytes()) not in known:
                known[key] = list(_spans(harmful_at, ground))
            spans += [[least, most, enemy, strike, *when] for least, most, *when in known[key]]
    return WaysToMove(
        (
            paces,
            np.array(spans, dtype=np.int64).reshape(-1, 6),
            table,
            wishes,
            np.array([*orders, *ground.gone], dtype=np.int64),
        ),
        hurts,
    )


def _bits(wanted: Any) -> int:
    return sum(1 << at for at, one in enumerate(wanted) if one)


def _pace(ground: Ground, side: int, unit: Fighter) -> tuple[int, int, int]:
    if not ground.moves(side, unit):
        return 0, 0, 0
    back = ground.steps(unit.pace.back_in) if ground.postures[side] in TO_THE_BEST else 0
    return ground.steps(unit.pace.ahead_in), back, unit.pace.actions


def _moments(ground: Ground, side: int, moves: bool, enemy_moves: bool) -> list[int]:
    """Return the moments that a pair of enemies may get to."""
    begin = ground.depth - 2 * ground.start
    movers = [of for of, one in ((side, moves), (1 - side, enemy_moves)) if one]
    least, most = begin, begin
    if movers:
        least = min(begin, *(ground.stops[of] for of in movers))
    if any(ground.postures[of] in TO_THE_BEST for of in movers):
        least, most = 0, ground.depth
    moved = (STAYED, MOVED) if side in movers else (STAYED,)
    kinds = range(ground.classes) if 1 - side in movers else (0,)
    return [ground.moment(steps, m, kind) for steps in range(least, most + 1) for m in moved for kind in kinds]


def _spans(harmful: Any, ground: Ground) -> Iterator[tuple[int, int, int, int]]:
    """Yield the least and the most steps at which a strike hurts an enemy, and the moves after which it does.

    The last two numbers are whether the attacker moved (`STAYED` or `MOVED`) and the class of the target's move;
    `NOBODY` stands for a move that makes no difference.
    """
    by_moved = harmful.reshape(ground.depth + 1, 2, ground.classes)
    for moved in (STAYED, MOVED):
        same_moved = bool((by_moved[:, STAYED] == by_moved[:, MOVED]).all())
        if same_moved and moved == MOVED:
            continue
        for kind in range(ground.classes):
            column = by_moved[:, moved]
            same_kind = bool((column == column[:, :1]).all())
            if same_kind and kind > 0:
                continue
            for least, most in _runs(column[:, kind]):
                yield least, most, NOBODY if same_moved else moved, NOBODY if same_kind else kind


def _runs(wanted: Any) -> Iterator[tuple[int, int]]:
    """Yield where truths in a row begin and end."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], wanted, [False]]).astype(np.int8)))
    yield from ((int(first), int(last) - 1) for first, last in edges.reshape(-1, 2))
