"""One match in words, decision by decision, with dice and rules."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from aabalance.play.explanation import Explanation, Legend

if TYPE_CHECKING:
    from aabalance.play.match_log import MatchLog, MatchStep
    from aabalance.rulesets.base.board import Scene
    from aabalance.rulesets.base.match_rules import MatchRules

COLUMNS = "round", "side", "action", "dice", "what_it_does", "rules"

TOLD = 0.02
"""Luck from which on it is told of a decision: two points of 100."""


def explained(log: MatchLog, rules: MatchRules, head: str) -> Explanation:
    """Return a match in words, and as a table.

    Parameters
    ----------
    log : MatchLog
        The match.
    rules : MatchRules
        Those of the game.
    head : str
        What the match is, in a line.
    """
    legend, rows, lines = Legend(), [], [head]
    before, turn = log.scene, (-1, "")
    for step in log.steps:
        number = before.round if before else 0
        if (number, step.side) != turn:
            turn = number, step.side
            lines += ["", f"round {number}, {step.side}" if number else f"before round 1, {step.side}"]
        dice, done = _dice(step), "; ".join([*_losses(before, step.scene), *_luck(step)])
        section = next((rules.sections[word] for word in step.action.split() if word in rules.sections), "")
        rows.append((number, step.side, step.told, dice, done, section))
        told = ": ".join(filter(None, (", ".join(filter(None, (step.told, dice))), done)))
        lines.append(f"  {told}{legend.cite(section)}")
        before = step.scene
    winner, reason = log.result["winner"], log.result["reason"]
    tail = f"{f'{winner} wins' if winner else 'a draw'}: {reason}"
    return Explanation("\n".join([*lines, "", tail, *luck_of(log), "", *legend.lines()]), head, COLUMNS, rows, tail)


def luck_of(log: MatchLog) -> Iterator[str]:
    """Yield what the dice of both sides did to their chances to win, beyond the mean, if a match had any."""
    if any(step.luck for step in log.steps):
        a, b = (sum(step.luck for step in log.steps if step.side == side) for side in "ab")
        yield f"luck of a's dice {_points(a)}, of b's {_points(-b)}, in points of 100 of the chance to win"


def _points(luck: float) -> str:
    """Return a change of a chance in points of 100, without a negative zero."""
    return f"{round(100 * luck, 1) + 0.0:+.1f}"


def _luck(step: MatchStep) -> Iterator[str]:
    """Yield what the dice did to the chance of their side to win, if that is worth a word."""
    if abs(step.luck) >= TOLD:
        yield f"luck {_points(step.luck if step.side == 'a' else -step.luck)}"


def _dice(step: MatchStep) -> str:
    """Return what the dice showed: ``D6 4, 2``."""
    said: list[str] = []
    for at, (face, sides) in enumerate(zip(step.dice, step.sides, strict=True)):
        said.append(str(face) if at and step.sides[at - 1] == sides else f"D{sides} {face}")
    return ", ".join(said)


def _losses(before: Scene | None, after: Scene | None) -> Iterator[str]:
    """Yield in words which units lose and gain strength, and which are gone."""
    if before is None or after is None:
        return
    left = {piece.mark: piece for piece in after.pieces}
    for piece in before.pieces:
        now = left[piece.mark].strength if piece.mark in left else 0
        if not now:
            yield f"{piece.mark} {piece.card} is destroyed"
        elif now != piece.strength:
            yield f"{piece.mark} {piece.card} {piece.strength} to {now}"
