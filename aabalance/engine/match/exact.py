"""Exact play: a small match is looked at to its end, with all ways in which its dice can fall (expectimax)."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from typing import Any

import numpy as np

from aabalance.engine import jit
from aabalance.engine.arrays import Floats, Ints, Loop, Loops
from aabalance.engine.match.players import EXACT, hooks
from aabalance.engine.match.players.dice import shake
from aabalance.engine.match.players.hooks import allowed, apply, legal, result
from aabalance.errors import UsageError
from aabalance.rulesets.base.match import ALL, DEPTH, DICE, ODOMETER, Actions, Record, chance, new, next_way
from aabalance.rulesets.base.match_rules import MatchRules, sees_all

MOST_STATES, MOST_WAYS = 500_000, 5_000_000
"""States that are looked at, and ways of actions and dice that lead to them: minutes."""
ROOMS = 4096, 65_536, MOST_STATES
"""States that may follow one, for which there is room: at first, and if they are more."""
SCORES = 1.0, 0.0, 0.5
"""What a has by the result of a match."""


class Exact:
    """The player `EXACT`: he takes what is best if both sides play on as well as can be, so that nobody is stronger.

    It is an `aabalance.engine.match.arena.Chooser`; of equal actions it takes the first.

    Parameters
    ----------
    rules : MatchRules
        The rules of the game.
    form : callable
        `jit.compiled` or `jit.plain`.

    Raises
    ------
    UsageError
        Hands are hidden in the game. Or, once it decides: the match has too many states.
    """

    def __init__(self, rules: MatchRules, form: Loops = jit.compiled) -> None:
        if rules.view is not sees_all:
            raise UsageError(f"player: found {EXACT} in a game of hidden hands, expected another: it has to see all")
        self._ways = 0
        self._rules, self._dice, self._out = rules, new(DICE), np.empty(rules.most_actions, np.int64)
        self._after = form(after, **hooks.of(rules))

    def __call__(self, tables: Record, seen: Record, actions: list[int]) -> int:
        """Return the best of the legal actions."""
        state = np.zeros(1, seen.dtype)
        state[0] = seen
        scores = self.scores(tables, state)
        return actions[int(scores.argmin() if self._rules.to_move(seen) else scores.argmax())]

    def scores(self, tables: Record, state: Any) -> Floats:
        """Return what a scores with each legal action of a state, P(win) + P(draw) / 2.

        Parameters
        ----------
        tables : record
            The tables of the match.
        state : array of records, shape (1,)
            The state.
        """
        self._ways = 0
        try:
            return self._scores(tables, state, _known(self._after, hashlib.blake2b(tables.tobytes()).digest()))
        except RecursionError:
            raise _too_large() from None

    def _scores(self, tables: Record, state: Any, known: dict[bytes, float]) -> Floats:
        for room in ROOMS:
            states, odds, of = np.empty(room, state.dtype), np.empty(room), np.empty((2, room), np.int64)
            found = self._after(tables, state, self._out, self._dice, states, odds, of)
            if found < room:
                break
        else:
            raise _too_large()
        self._ways += found
        if self._ways > MOST_WAYS:
            raise _too_large()
        scores = np.zeros(of[0, found - 1] + 1)
        for at in range(found):
            action, won = of[:, at]
            score = SCORES[won] if won >= 0 else self._score(tables, states[at : at + 1], known)
            scores[action] += odds[at] * score
        return scores

    def _score(self, tables: Record, state: Any, known: dict[bytes, float]) -> float:
        key = hashlib.blake2b(state.tobytes(), digest_size=16).digest()
        if key not in known:
            if len(known) == MOST_STATES:
                raise _too_large()
            scores = self._scores(tables, state, known)
            known[key] = float(scores.min() if self._rules.to_move(state[0]) else scores.max())
        return known[key]


@lru_cache(maxsize=2)
def _known(after: Loop, tables: bytes) -> dict[bytes, float]:
    """Return what is known of the states of matches with the rules that `after` is bound to, and with these tables.

    Many are played, and in both seats.
    """
    return {}


def _too_large() -> UsageError:
    many = f"more than {MOST_STATES:,} states, {MOST_WAYS:,} ways to them"
    found = f"{many}, some hundred decisions in a row, or {DEPTH} dice at once"
    return UsageError(f"player {EXACT}: found {found}, expected a smaller match: fewer squares, units or rounds")


def after(tables: Record, state: Record, out: Actions, dice: Record, states: Record, odds: Floats, of: Ints) -> int:
    """Write all states that may follow a state; return how many, or as many as there is room for if there are more.

    Parameters
    ----------
    tables, out, dice
        As for `aabalance.engine.match.players.decide`.
    state : array of records, shape (1,)
        The state.
    states, odds : array, shape (room,)
        Take the states, and how likely each is after its action.
    of : array of int64, shape (2, room)
        Takes the place of the action among the legal ones, and the result.
    """
    shake(dice, 0, 0, 0)
    found = 0
    for at in range(allowed(tables, state[0], ALL, out, legal(tables, state[0], ALL, out))):
        dice.source, dice.rolled, dice.given = ODOMETER, 0, 0
        more = True
        while more:
            if found == len(states):
                return found
            states[found] = state[0]
            apply(tables, states[found], out[at], dice)
            odds[found], of[0, found], of[1, found] = chance(dice), at, result(states[found])
            found += 1
            if dice.rolled > DEPTH:  # an odometer doesn't count so many: as if there were no room
                return len(states)
            more = next_way(dice)
    return found
