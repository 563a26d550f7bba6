"""One match with all that happened, for explanations and replays: played in plain Python, and yet the arena's match."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from aabalance.engine import jit
from aabalance.engine.arrays import Ints
from aabalance.engine.match import arena
from aabalance.engine.match.arena import Match
from aabalance.play.explanation import Explanation, Legend
from aabalance.play.match_tally import marks_of
from aabalance.play.result import SIDES
from aabalance.rulesets.base.board import Scene
from aabalance.rulesets.base.match import DECISIONS, FACTS, Record, readable

if TYPE_CHECKING:
    from aabalance.rulesets.base.match_rules import MatchRules

COLUMNS = "round", "side", "action", "dice", "what_it_does", "rules"

TOLD, SAID = 0.02, 0.0005
"""Luck from which on it is told of a decision, two points of 100; and of a unit, what isn't written as nothing."""


class Roll(NamedTuple):
    """Dice that were rolled for the same thing.

    Attributes
    ----------
    sides, need : int
        As in `aabalance.rulesets.base.match.DICE`.
    faces : list of int
        What each of them showed.
    """

    sides: int
    need: int
    faces: list[int]

    @property
    def asked(self) -> str:
        """What each had to show, in words; empty where each face counts."""
        return f"{self.need}+" if self.need > 0 else f"{-self.need} or less" if self.need else ""

    @property
    def met(self) -> list[bool]:
        """Whether each showed that."""
        return [face >= self.need > 0 or face <= -self.need for face in self.faces]


@dataclass(frozen=True)
class MatchStep:
    """A decision, and what came of it.

    Attributes
    ----------
    side : {"a", "b"}
        Who decided.
    action : str
        What it was, in words.
    weapon : str
        Name of the weapon that it fired; empty without.
    dice, sides, needs, pools : sequence of int
        Of each die what it showed, how many sides it had, and its `need` and `pool`; see
        `aabalance.rulesets.base.match.DICE`.
    state : mapping
        The state after it in words, as the game's `words` has it.
    scene : Scene
        The state after it as it is drawn.
    luck : float
        By how much its dice raised a's chance to win beyond their mean; see `aabalance.engine.match.players.luck`.
    """

    side: str
    action: str
    weapon: str
    dice: Sequence[int]
    sides: Sequence[int]
    needs: Sequence[int]
    pools: Sequence[int]
    state: Mapping[str, Any]
    scene: Scene
    luck: float = 0.0

    @property
    def told(self) -> str:
        """The action for people, who want to know which weapon ``w0`` is."""
        return f"{self.action} ({self.weapon})" if self.weapon else self.action

    @property
    def rolls(self) -> list[Roll]:
        """The dice that were rolled for the same thing, one roll after another."""
        dice = groupby(zip(self.sides, self.needs, self.pools, self.dice, strict=True), key=lambda die: die[:3])
        return [Roll(sides, need, [face for *_, face in rolled]) for (sides, need, _), rolled in dice]


@dataclass(frozen=True)
class MatchLog:
    """A match from its start to its end.

    Attributes
    ----------
    number : int
        Which match of the seed it is, from 0.
    state : mapping
        The state at the start in words.
    scene : Scene
        The state at the start as it is drawn.
    steps : sequence of MatchStep
        All decisions.
    result : mapping
        How it ended, as the game's `ended` has it.
    facts : array of int64, shape (facts,)
        Its `aabalance.rulesets.base.match.FACTS`, as the arena returns them.
    """

    number: int
    state: Mapping[str, Any]
    scene: Scene
    steps: Sequence[MatchStep]
    result: Mapping[str, Any]
    facts: Ints


def record(match: Match, names: Any, number: int, made: Ints | None = None) -> MatchLog:
    """Play one match in plain Python, the same that the arena plays, and note all that happens.

    Parameters
    ----------
    match : Match
        What is played.
    names : object
        The names from the game's `start`.
    number : int
        Which match it is, from 0.
    made : array of int64, optional
        The decisions, as `aabalance.engine.match.arena.decisions` returns them, if they are at hand.
    """
    rules, (tables, start) = match.rules, map(readable, match.start(number))

    def seen(state: Record) -> tuple[dict[str, Any], Scene]:
        return rules.words(tables, state, names), rules.scene(tables, state, names)

    played = list(arena.trajectory(match, number, made))
    steps, state = [], start
    lucks = arena.luck(match, number, np.array([step.action for step in played], np.int64), jit.plain)
    for step, luck in zip(played, lucks.tolist(), strict=True):
        text = rules.text(tables, state, step.action, names)
        weapon = rules.weapon(step.action, names) if rules.weapon else ""
        state = readable(step.after)
        dice = step.faces, step.sides, step.needs, step.pools
        steps.append(MatchStep("ab"[step.side], text, weapon, *dice, *seen(state), luck))
    facts = np.zeros(len(FACTS), np.int64)
    rules.facts(tables, state, facts)
    facts[DECISIONS] = len(steps)
    return MatchLog(number, *seen(start), steps, rules.ended(tables, state), facts)


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
        if (before.round, step.side) != turn:
            turn = before.round, step.side
            lines += ["", f"round {before.round}, {step.side}" if before.round else f"before round 1, {step.side}"]
        # Where a game draws its own map, as that of areas of cards, places on it say nothing of a single unit.
        action = None if rules.board.map else step.action
        dice, done = _dice(step), "; ".join([*_changes(before, step.scene, action), *_luck(step)])
        section = next((rules.sections[word] for word in step.action.split() if word in rules.sections), "")
        rows.append((before.round, step.side, step.told, dice, done, section))
        told = ": ".join(filter(None, (", ".join(filter(None, (step.told, dice))), done)))
        lines.append(f"  {told}{legend.cite(section)}")
        before = step.scene
    winner, reason = log.result["winner"], log.result["reason"]
    tail = f"{f'{winner} wins' if winner else 'a draw'}: {reason}"
    score = [f"{what} {a:g} v {b:g}" for what, (a, b) in before.score.items()]
    ends = [tail, *[f"at the end: {', '.join(score)}"] * bool(score)]
    luck = [f"{what}: {said}" for what, said in luck_of(log).items()]
    return Explanation("\n".join([*lines, "", *ends, *luck, "", *legend.lines()]), head, COLUMNS, rows, tail)


def luck_of(log: MatchLog) -> dict[str, str]:
    """Return what the dice of both sides did to their chances to win, beyond the mean: in all, by round and by unit.

    A unit has the dice of a side's decisions from the one that names it to the next one that names another, in a row.
    """
    if all(abs(step.luck) < SAID for step in log.steps):
        return {}
    turn, unit, before = (0, ""), "", log.scene
    sides, rounds, units = Counter[str](), Counter[tuple[int, str]](), Counter[str]()
    for step in log.steps:
        if turn != (turn := (before.round, step.side)):
            unit = ""
        unit = next((mark for mark in marks_of(step.action.split()) if mark[0] == step.side), unit)
        luck: Any = step.luck if step.side == "a" else -step.luck  # counters count any numbers
        sides[step.side] += luck
        rounds[turn] += luck
        units[unit or f"{step.side}'s others"] += luck
        before = step.scene
    by_unit = sorted(units, key=lambda mark: (mark[0], len(mark), mark))
    said = {
        "luck": f"a {_points(sides['a'])}, b {_points(sides['b'])}, in points of 100 of the chance to win",
        "luck by round": "; ".join(
            f"{number or 'before'} a {_points(rounds[number, 'a'])}, b {_points(rounds[number, 'b'])}"
            for number in dict.fromkeys(number for (number, _), luck in rounds.items() if abs(luck) >= SAID)
        ),
        "luck by unit": ", ".join(f"{mark} {_points(units[mark])}" for mark in by_unit if abs(units[mark]) >= SAID),
    }
    return {what: text for what, text in said.items() if text}  # in a round, or of a unit, luck may cancel


def _points(luck: float) -> str:
    """Return a change of a chance in points of 100."""
    return f"{100 * luck:+z.1f}"


def _luck(step: MatchStep) -> Iterator[str]:
    """Yield what the dice did to the chance of their side to win, if that is worth a word."""
    if abs(step.luck) >= TOLD:
        yield f"luck {_points(step.luck if step.side == 'a' else -step.luck)}"


def _dice(step: MatchStep) -> str:
    """Return what the dice showed, and what they had to: ``D6 4, 2 for 4+, D6 5 for 3+``."""
    said = ((roll, ", ".join(map(str, roll.faces))) for roll in step.rolls)
    return ", ".join(f"D{roll.sides} {faces}{f' for {roll.asked}' if roll.asked else ''}" for roll, faces in said)


def _changes(before: Scene, after: Scene, action: str | None = None) -> Iterator[str]:
    """Yield in words what a decision changes: strength, condition, places not in `action`, holders, points, cards."""
    left = {piece.mark: piece for piece in after.pieces}
    for piece in before.pieces:
        now, unit = left.get(piece.mark), f"{piece.mark} {piece.card}"
        if now is None or not now.strength:
            yield f"{unit} is destroyed"
            continue
        said = [f"{piece.strength} to {now.strength} left"] if now.strength != piece.strength else []
        if now.condition != piece.condition:
            said.append(now.condition or f"no longer {piece.condition}")
        if action is not None and now.at and piece.at != now.at:
            place = f"{now.at[0]},{now.at[1]}"
            said += [f"now at {place}"] * (place not in action.split())
        if said:
            yield f"{unit} {', '.join(said)}"
    for at in {**before.owners, **after.owners}:
        if before.owners.get(at) != after.owners.get(at):
            holder = after.owners.get(at)
            yield f"{holder or 'nobody'} holds {at[0]},{at[1]}"
    points = zip(SIDES, before.score.get("points", ()), after.score.get("points", ()), strict=False)
    yield from (f"{side} scores {now - had:g}" for side, had, now in points if now > had)
    for side, hand in after.hands.items():
        if drawn := Counter(hand) - Counter(before.hands[side]):
            yield f"{side} draws {cards_in_words(drawn)}"


def cards_in_words(cards: Mapping[str, int]) -> str:
    """Return cards of a hand in words: ``barrage, 2 cover``."""
    return ", ".join(f"{many} {card}" if many > 1 else card for card, many in cards.items())
