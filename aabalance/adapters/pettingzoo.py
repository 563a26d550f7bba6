"""A match as an environment of PettingZoo (Terry et al. 2021, arXiv:2009.14471); needs ``aabalance[pettingzoo]``.

An action is the place of one of ours among the legal ones, which come first in the mask.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from numpy.lib.recfunctions import structured_to_unstructured

from aabalance.adapters import LACKING
from aabalance.engine import jit
from aabalance.engine.arrays import Floats
from aabalance.engine.match import arena, players
from aabalance.engine.match.players.workspace import MATCH, SEEN, TRUE
from aabalance.play.match_question import MatchQuestion, prepared
from aabalance.rulesets.base.match import RESULT, WON_BY_A, WON_BY_B, Record

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(LACKING.format(error.name, "pettingzoo"), name=error.name) from None

AGENTS = "player_0", "player_1"


class MatchEnv(AECEnv):  # type: ignore[misc]  # pettingzoo isn't there where types are checked
    """A match; player_0 is a, player_1 is b. The winner gets 1, the loser -1, both 0 in a draw.

    An observation has what a side sees, as the numbers of the state's record, and the mask of its actions.

    Parameters
    ----------
    question : MatchQuestion
        What `aabalance.game.Game.match_question` returns; its players don't matter.
    render_mode : {"ansi"}, optional
        With it, `render` returns the state in words.
    """

    metadata = {"name": "aabalance_v0", "render_modes": ["ansi"], "is_parallelizable": False}  # noqa: RUF012

    def __init__(self, question: MatchQuestion, render_mode: str | None = None) -> None:
        super().__init__()
        played = prepared(question, 0)
        self._match, self._names = played.match._replace(players=(self._chosen, self._chosen)), played.names
        self._options = self._match.bound(players.options, jit.compiled)
        self._number, self._action, self._count = -1, 0, 0
        self.render_mode, self.possible_agents = render_mode, list(AGENTS)
        most, seen = played.match.rules.most_actions, _numbers(np.array([played.match.starts[0][1]]))
        bound = np.finfo(seen.dtype).max
        self._seen = spaces.Dict(
            {
                "observation": spaces.Box(-bound, bound, seen.shape, seen.dtype),
                "action_mask": spaces.Box(0, 1, (most,), np.int8),
            }
        )
        self._actions = {agent: spaces.Discrete(most) for agent in AGENTS}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of observations, the same for both."""
        return self._seen

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of actions, as large for both."""
        return self._actions[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin the match with the number `seed`, or the next one."""
        self._number = self._number + 1 if seed is None else seed
        self._course = arena.Course(self._match, self._number, jit.compiled)
        self.agents = list(AGENTS)
        self.rewards, self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0), dict.fromkeys(AGENTS, 0.0)
        self.terminations, self.truncations = dict.fromkeys(AGENTS, False), dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self._look()

    def step(self, action: Any) -> None:
        """Decide for the side that is to move."""
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self._action = action
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._course.go(1)
        if self._course.is_over:
            won = int(self._course.facts[RESULT])
            score = float(won == WON_BY_A) - float(won == WON_BY_B)
            self.rewards = dict(zip(AGENTS, (score, -score), strict=True))
            self.terminations = dict.fromkeys(AGENTS, True)
        self._look()
        self._accumulate_rewards()

    def observe(self, agent: str) -> dict[str, Any]:
        """Return what a side sees, and which actions it has: none, if it isn't to move."""
        seen, mask = self._course.states[:1].copy(), np.zeros(self._match.rules.most_actions, np.int8)
        self._match.rules.view(self._course.tables, seen[0], AGENTS.index(agent))
        if agent == self.agent_selection:
            mask[: self._count] = 1
        return {"observation": _numbers(seen), "action_mask": mask}

    def render(self) -> str | None:
        """Return the state in words."""
        if self.render_mode is None:
            return None
        words = self._match.rules.words(self._course.tables, self._course.states[TRUE], self._names)
        return json.dumps(words, default=int)

    def close(self) -> None:
        """Nothing is open."""

    def text(self, action: int) -> str:
        """Return an action of the side to move as people write it."""
        course = self._course
        chosen = int(course.actions[action])
        text: str = self._match.rules.text(course.tables, course.states[SEEN], chosen, self._names)
        return text

    def _chosen(self, tables: Record, seen: Record, actions: list[int]) -> int:
        return actions[self._action]

    def _look(self) -> None:
        self._count = 0
        if not self._course.is_over:
            self._count = self._options(self._course.tables, self._course.works[MATCH])
            self.agent_selection = AGENTS[self._match.rules.to_move(self._course.states[TRUE])]


def _numbers(states: Record) -> Floats:
    numbers: Floats = structured_to_unstructured(states, np.float64)[0]
    return numbers
