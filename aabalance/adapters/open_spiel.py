"""A match as a game of OpenSpiel (Lanctot et al. 2019, arXiv:1908.09453); needs ``aabalance[open_spiel]``.

Each die is a chance node: an action is tried with the faces so far, until it rolls no more of them. An action is the
place of one of ours among the legal ones, which depend on what the side sees alone.
"""

from __future__ import annotations

import json
from types import MappingProxyType
from typing import Any

import numpy as np

from aabalance.adapters import LACKING
from aabalance.engine import jit
from aabalance.engine.match import players
from aabalance.engine.match.players.workspace import MATCH, SEEN, TRUE, workspaces
from aabalance.play.match_question import MatchQuestion, prepared
from aabalance.rulesets.base.match import DRAWN, NOT_OVER, WON_BY_A, WON_BY_B, script
from aabalance.rulesets.base.match_rules import sees_all

try:
    import pyspiel
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(LACKING.format(error.name, "open_spiel"), name=error.name) from None

SCORES = {NOT_OVER: [0.0, 0.0], WON_BY_A: [1.0, -1.0], WON_BY_B: [-1.0, 1.0], DRAWN: [0.0, 0.0]}
MOST_SIDES, LONGEST = 1024, 1_000_000
"""More than the sides of any die, with a deck of cards among them, and than the decisions of any match."""


class MatchGame(pyspiel.Game):  # type: ignore[misc]  # pyspiel has no types
    """A match; player 0 is a, player 1 is b.

    Parameters
    ----------
    question : MatchQuestion
        What `aabalance.game.Game.match_question` returns; its players don't matter. Where who moves first is rolled
        off, that is the first chance node.
    """

    def __init__(self, question: MatchQuestion) -> None:
        played = prepared(question, 0)
        self.match, self.names = played.match, played.names
        rules, of = self.match.rules, pyspiel.GameType
        self.options = self.match.bound(players.options, jit.compiled)
        self.apply = jit.compiled(rules.apply)
        information = of.Information
        kind = of(
            short_name=f"aabalance_{question.ruleset.name}",
            long_name=question.ruleset.labels.title,
            dynamics=of.Dynamics.SEQUENTIAL,
            chance_mode=of.ChanceMode.EXPLICIT_STOCHASTIC,
            information=(
                information.PERFECT_INFORMATION if rules.view is sees_all else information.IMPERFECT_INFORMATION
            ),
            utility=of.Utility.ZERO_SUM,
            reward_model=of.RewardModel.TERMINAL,
            max_num_players=2,
            min_num_players=2,
            provides_information_state_string=True,
            provides_information_state_tensor=False,
            provides_observation_string=False,
            provides_observation_tensor=False,
        )
        info = pyspiel.GameInfo(
            num_distinct_actions=rules.most_actions,
            max_chance_outcomes=MOST_SIDES,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=LONGEST,
        )
        super().__init__(kind, info, {})

    def new_initial_state(self) -> MatchState:
        """Return the state before the first decision."""
        return MatchState(self)

    def make_py_observer(self, kind: Any = None, params: Any = None) -> Observer:
        """Return who says what a side sees, for information states."""
        return Observer()


class MatchState(pyspiel.State):  # type: ignore[misc]  # pyspiel has no types
    """A state of a `MatchGame`. pyspiel copies what it holds, so that tables and rules stay with the game.

    Parameters
    ----------
    game : MatchGame
        The game.
    """

    def __init__(self, game: MatchGame) -> None:
        super().__init__(game)
        self._start, self._action, self._faces, self._legal = 0, -1, list[int](), np.empty(0, np.int64)
        self._sides = len(game.match.starts) if len(game.match.starts) > 1 else 0
        self._states = np.zeros(2, game.match.starts[0][1].dtype)
        self._states[TRUE] = game.match.starts[0][1]
        if not self._sides:
            self._begin(game, 0)

    def current_player(self) -> int:
        """Return who decides."""
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        rules = self.get_game().match.rules
        return int(pyspiel.PlayerId.CHANCE) if self._sides else int(rules.to_move(self._states[TRUE]))

    def is_terminal(self) -> bool:
        """Return whether there is a result."""
        return self._result() != NOT_OVER

    def returns(self) -> list[float]:
        """Return 1 for who has won and -1 for who has lost, else 0."""
        return SCORES[self._result()]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the faces of the next die, from 0 on, each alike."""
        return [(face, 1 / self._sides) for face in range(self._sides)]

    def seen(self, side: int) -> str:
        """Return what a side sees, in words."""
        seen = self._states[TRUE].copy()
        self.get_game().match.rules.view(self._tables(), seen, side)
        return json.dumps({"you": "ab"[side], **self._words(seen)}, default=int)

    def __str__(self) -> str:
        """Return the whole state in words, and dice that are still being rolled."""
        words = self._words(self._states[TRUE])
        return json.dumps({**words, "action": self._action, "faces": self._faces}, default=int)

    def _legal_actions(self, player: int) -> list[int]:
        return list(range(len(self._legal)))

    def _action_to_string(self, player: int, action: int) -> str:
        game = self.get_game()
        if player == pyspiel.PlayerId.CHANCE:
            return f"{action + 1} of {self._sides}"
        rules, legal = game.match.rules, int(self._legal[action])
        text: str = rules.text(self._tables(), self._states[SEEN], legal, game.names)
        return text

    def _apply_action(self, action: int) -> None:
        game = self.get_game()
        if not len(self._legal):
            self._begin(game, action)
            return
        if self._sides:
            self._faces.append(action + 1)
        else:
            self._action, self._faces = int(self._legal[action]), []
        dice, after = script(self._faces), self._states.copy()
        game.apply(self._tables(), after[TRUE], self._action, dice)
        self._sides = int(dice.sides[dice.given]) if dice.rolled > dice.given else 0
        if not self._sides:
            self._states, self._action, self._faces = after, -1, []
            self._look(game)

    def _begin(self, game: MatchGame, start: int) -> None:
        self._start, self._sides = start, 0
        self._states[TRUE] = game.match.starts[start][1]
        self._look(game)

    def _look(self, game: MatchGame) -> None:
        if not self.is_terminal():
            work = workspaces(self._states[TRUE], game.match.rules.most_actions)[MATCH]
            self._legal = work.actions[0, : game.options(self._tables(), work)].copy()
            self._states[SEEN] = work.states[SEEN]

    def _tables(self) -> Any:
        return self.get_game().match.starts[self._start][0]

    def _result(self) -> int:
        return int(self.get_game().match.rules.result(self._states[TRUE]))

    def _words(self, state: Any) -> dict[str, Any]:
        game = self.get_game()
        words: dict[str, Any] = game.match.rules.words(self._tables(), state, game.names)
        return words


class Observer:
    """Says what a side sees of a state, in words: what it saw before, and did, isn't in it."""

    tensor, dict = None, MappingProxyType[str, Any]({})

    def set_from(self, state: MatchState, player: int) -> None:
        """There are no numbers to set."""

    def string_from(self, state: MatchState, player: int) -> str:
        """Return what `player` sees."""
        return state.seen(player)
