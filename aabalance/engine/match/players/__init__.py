"""Players, written once for all games over the functions of a game's rules. `search`, `greedy` and `random`.

In all functions `tables` are those of the match, and `key`, `match` and `at` are the key of the random numbers, the
number of the match, and that of the decision in it.
"""

from __future__ import annotations

from collections.abc import Callable

from aabalance.engine import jit
from aabalance.engine.match.players.dice import own_word, pick, shake
from aabalance.engine.match.players.greedy import best_plan, forget
from aabalance.engine.match.players.hooks import allowed, apply, facts, legal, result, see, to_move
from aabalance.engine.match.players.workspace import MATCH, SEEN, TRUE
from aabalance.errors import UsageError, one_of, shown
from aabalance.rulesets.base.match import ALL, DECISIONS, Actions, Record
from aabalance.rulesets.base.match_rules import Tuned

__all__ = ["EXACT", "PLAYERS", "TOLD", "decide", "forget", "number", "options", "play", "shake"]

PLAYERS = "random", "greedy", "search"
"""Names of the players; playouts may follow that of the last: ``search:200``."""
EXACT = "exact"
"""Who plays as well as can be, where a match is small enough: see `aabalance.engine.match.exact`."""
TOLD, (ANY, GREEDY, SEARCH) = -1, range(len(PLAYERS))
"""Numbers of players: their places in `PLAYERS`; `ANY` is random. `SEARCH` makes as many playouts as its game says; a
larger number is the number of playouts itself. `TOLD` makes the decisions that it is given."""
FEWEST_PLAYOUTS, MOST_PLAYOUTS = 16, 1_000_000

race = jit.NO_HOOK
"""`search.race`, where somebody searches."""


def number(name: str | Callable[..., object]) -> int:
    """Return the number of a player by his name; that of `EXACT` and of a policy in Python is `TOLD`.

    Raises
    ------
    UsageError
        There is no such player.
    """
    if callable(name) or name == EXACT:
        return TOLD
    player, colon, playouts = str(name).partition(":")
    if player not in PLAYERS or (colon and player != PLAYERS[-1]):
        raise UsageError(f"player: {one_of(name, (*PLAYERS, 'search:N', EXACT))}")
    if not colon:
        return PLAYERS.index(player)
    # A float, since int refuses thousands of digits with an error of its own.
    if not (playouts.isdecimal() and FEWEST_PLAYOUTS <= float(playouts) <= MOST_PLAYOUTS):
        expected = f"expected search:N, N playouts from {FEWEST_PLAYOUTS} to {MOST_PLAYOUTS:,}"
        raise UsageError(f"player: found {shown(name)}, {expected}")
    return int(playouts)


def options(tables: Record, work: Record) -> int:
    """Write what the side to move sees, and what it may choose by that, into a workspace; return how many actions."""
    see(tables, work)
    seen, actions = work.states[SEEN], work.actions[0]
    return allowed(tables, seen, ALL, actions, legal(tables, seen, ALL, actions))


def decide(player: int, tables: Record, works: Record, tuned: Tuned, key: int, match: int, at: int) -> int:
    """Return the action that a player takes.

    Parameters
    ----------
    player : int
        From `number`.
    tables : record
        The tables of the match.
    works : array of records, shape (2,)
        From `workspaces`. Of the state the player looks at his `view` alone. What is hoped of units is kept from
        decision to decision, and told by `forget` of the action that is taken; the rest is overwritten.
    tuned : Tuned
        `MatchRules.tuned`.
    key, match, at : int
        Key of the random numbers, number of the match, and number of the decision in it.
    """
    word, work = own_word(key, match, at), works[MATCH]
    if player == ANY:
        return int(work.actions[0, pick(word, options(tables, work))])
    see(tables, work)
    if race is not None:  # noqa: SIM102  # numba leaves out what is behind a None that stands alone
        if player >= SEARCH:
            return int(race(tables, works, tuned, player, word))
    return best_plan(tables, work, word)


def play(
    tables: Record,
    players: tuple[int, int],
    tuned: Tuned,
    key: int,
    match: int,
    at: int,
    until: int,
    works: Record,
    made: Actions,
    found: Actions,
) -> int:
    """Play a match on, to its end or until so many decisions are made; return how many are.

    Parameters
    ----------
    tables : record
        The tables of the match.
    players : (int, int)
        Numbers of the players of both sides.
    tuned : Tuned
        `MatchRules.tuned`.
    key, match : int
        Key of the random numbers, and number of the match.
    at, until : int
        How many decisions are made, and shall be.
    works
        As for `decide`.
    made : array of int64, shape (until,)
        The decisions: taken from it where a side is `TOLD`, else written into it.
    found : array of int64, shape (facts,)
        Takes the `FACTS` of the match once it is over.
    """
    work, state = works[MATCH], works[MATCH].states[TRUE]
    while result(state) < 0 and at < until:
        side = to_move(state)
        if players[side] != TOLD:
            made[at] = decide(players[side], tables, works, tuned, key, match, at)
        shake(work.dice, key, match, at)
        apply(tables, state, made[at], work.dice)
        forget(work, made[at])
        at += 1
    if result(state) >= 0:
        facts(tables, state, found)
        found[DECISIONS] = at
    return at
