"""One match with all that happened, for explanations and replays: played in plain Python, and yet the arena's match."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np

from aabalance.engine import jit
from aabalance.engine.arrays import Ints
from aabalance.engine.match import arena
from aabalance.engine.match.arena import Match
from aabalance.rulesets.base.board import Scene
from aabalance.rulesets.base.match import DECISIONS, FACTS, Record, readable


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

    steps, actions, state = [], [], start
    for step in arena.trajectory(match, number, made):
        text = rules.text(tables, state, step.action, names)
        weapon = rules.weapon(step.action, names) if rules.weapon else ""
        state = readable(step.after)
        steps.append(
            MatchStep("ab"[step.side], text, weapon, step.faces, step.sides, step.needs, step.pools, *seen(state))
        )
        actions.append(step.action)
    lucks = arena.luck(match, number, np.array(actions, np.int64), jit.plain)
    facts = np.zeros(len(FACTS), np.int64)
    rules.facts(tables, state, facts)
    facts[DECISIONS] = len(steps)
    steps = [replace(step, luck=float(luck)) for step, luck in zip(steps, lucks, strict=True)]
    return MatchLog(number, *seen(start), steps, rules.ended(tables, state), facts)
