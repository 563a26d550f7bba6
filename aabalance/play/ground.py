"""The ground of a battle in which units move: the size of its steps, and the moments at which attacks may be made."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, Any

from aabalance.definitions.tables import posture_of
from aabalance.errors import UsageError, shown
from aabalance.rulesets.base import HOLD, Aspect, Objectives, Ruleset

if TYPE_CHECKING:
    from aabalance.engine.battle.ground import Ground

DEEPEST_IN = 48
"""Depth of the ground unless the two lines are farther apart: the length of a large table."""
MOST_STEPS = 512


def ground(
    ruleset: Ruleset,
    lists: tuple[Sequence[Any], Sequence[Any]],
    range_in: float,
    variant: Any,
    postures: Sequence[str],
    objectives: Objectives | None = None,
) -> tuple[Ground | None, list[Aspect]]:
    """Return the ground of a battle, and all moments at which attacks may be made on it.

    Parameters
    ----------
    ruleset : Ruleset
        The game's rules.
    lists : pair of sequence of card
        Cards of both sides' units.
    range_in : float
        Distance between the two lines at the start.
    variant : Variant
        The rule switches.
    postures : pair of str
        ``hold``, ``close:6``, ``best_range`` or ``objectives``.
    objectives : Objectives, optional
        The objectives between the lines, in a battle for points.

    Returns
    -------
    ground : Ground or None
        None if nobody moves and there are no objectives.
    aspects : list of Aspect
        The moments, in the order of their numbers; a single one without a ground.

    Raises
    ------
    UsageError
        A posture is unknown, or goes for objectives where there are none; units of the game don't move in battles; or
        distances need steps that are too fine.
    """
    given = [posture_of(posture) for posture in postures]
    if all(name == HOLD for name, _ in given) and objectives is None:
        return None, [Aspect(range_in)]
    if not ruleset.units_move and objectives is None:
        moving = next(posture for posture in postures if posture != HOLD)
        raise UsageError(
            f"posture: found {shown(moving)}, expected {HOLD!r}: units of {ruleset.labels.title} don't move in a battle"
        )
    from aabalance.engine.battle.ground import Ground
    from aabalance.engine.battle.postures import TO_OBJECTIVES, TO_THE_BEST

    for posture, (name, _) in zip(postures, given, strict=True):
        if name in TO_OBJECTIVES and objectives is None:
            raise UsageError(f"posture: found {shown(posture)} in a battle without objectives, expected another")
    paces = [
        pace
        for (name, _), of_list in zip(given, ruleset.paces(lists, variant), strict=True)
        for pace in of_list
        if name != HOLD
    ]
    goes_back = any(name in TO_THE_BEST for name, _ in given)
    begin = _exact(range_in)
    behind = max(Fraction(DEEPEST_IN) - begin, Fraction(0)) / 2 if goes_back else Fraction(0)
    ways = {_exact(inches) for pace in paces for inches in (pace.ahead_in, pace.back_in)}
    between = [begin / (objectives.number - 1)] if objectives else []
    step = _common([begin, behind, *between, *(stop for _, stop in given), *ways])
    depth = int((begin + 2 * behind) / step)
    if depth > MOST_STEPS:
        raise UsageError(
            f"range_in: found {shown(range_in)}, and moves and stops that share no step above "
            f"{float(step):g}, expected at most {MOST_STEPS} steps from one edge to the other"
        )
    farthest = max(ways, default=Fraction(0))
    gone = [inches for inches in ruleset.gone_steps if inches <= farthest]
    on = Ground(
        postures=(given[0][0], given[1][0]),
        stops=(int(given[0][1] / step), int(given[1][1] / step)),
        depth=depth,
        start=int(behind / step),
        step_in=step,
        gone=tuple(math.ceil(_exact(inches) / step) for inches in gone),
        classes=2 + len(gone),
        objectives=objectives,
    )
    moved_in = [0.0, min([float(step), *gone]), *gone]
    return on, [
        Aspect(float(steps * step), moved, inches)
        for steps, moved, inches in product(range(depth + 1), (False, True), moved_in)
    ]


def _exact(inches: float) -> Fraction:
    # As it was written down: 0.3 is three tenths.
    return Fraction(str(inches))


def _common(lengths: Sequence[Fraction]) -> Fraction:
    """Return the longest step of which all lengths are a multiple."""
    over = math.lcm(*(length.denominator for length in lengths))
    return Fraction(math.gcd(*(int(length * over) for length in lengths)) or over, over)
