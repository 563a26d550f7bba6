"""Players, written once for all games over the functions of a game's rules. `search`, `greedy` and `random`.

In all functions `tables` are those of the match, `states` what is seen of its state and those in which a plan is
tried, `out` takes actions, `dice` are overwritten, `word` is a random word, `side` the side that decides, `now` what
its state is worth, `hopes` what the best plans of units were worth when they were last judged in this turn, and `key`,
`match` and `at` are the key of the random numbers, the number of the match, and that of the decision in it.
"""

from __future__ import annotations

from collections.abc import Callable

from aabalance.engine import jit
from aabalance.engine.arrays import Floats
from aabalance.engine.match.players.dice import own_word, pick, shake
from aabalance.engine.match.players.greedy import best_plan, no_hopes, note
from aabalance.engine.match.players.hooks import allowed, apply, facts, legal, result, to_move, view
from aabalance.errors import UsageError, one_of, shown
from aabalance.rulesets.base.match import ALL, DECISIONS, Actions, Record
from aabalance.rulesets.base.match_rules import Tuned

__all__ = ["EXACT", "PLAYERS", "STATES", "TOLD", "decide", "no_hopes", "note", "number", "options", "play", "shake"]

PLAYERS = "random", "greedy", "search"
"""Names of the players; playouts may follow that of the last: ``search:200``."""
EXACT = "exact"
"""Who plays as well as can be, where a match is small enough: see `aabalance.engine.match.exact`."""
TOLD, ANY, GREEDY, SEARCH = -1, 0, 1, 2
"""Numbers of players: their places in `PLAYERS`; `ANY` is random. `SEARCH` makes as many playouts as its game says; a
larger number is the number of playouts itself. `TOLD` makes the decisions that it is given."""
FEWEST_PLAYOUTS, MOST_PLAYOUTS = 16, 1_000_000
STATES = 8
"""The state, what the side that decides sees of it, those after the first and after the second action of a plan, and
the same four of a playout."""

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


def options(tables: Record, states: Record, out: Actions) -> int:
    """Write what the side to move may choose by what it sees, which becomes the second state; return how many."""
    states[1] = states[0]
    view(tables, states[1], to_move(states[1]))
    return allowed(tables, states[1], ALL, out[0], legal(tables, states[1], ALL, out[0]))


def decide(
    player: int,
    tables: Record,
    states: Record,
    out: Actions,
    dice: Record,
    hopes: Floats,
    tuned: Tuned,
    key: int,
    match: int,
    at: int,
) -> int:
    """Return the action that a player takes.

    Parameters
    ----------
    player : int
        From `number`.
    tables : record
        The tables of the match.
    states : array of records, shape (STATES,)
        The first is the state, of which the player looks at his `view` alone; the others are overwritten.
    out : array of int64, shape (2, actions)
        Overwritten.
    dice : record of `DICE`
        Overwritten.
    hopes : array of float, shape (MOST_UNITS,)
        From `no_hopes`; kept from decision to decision, and told by `note` of the action that is taken.
    tuned : Tuned
        `MatchRules.tuned`.
    key, match, at : int
        Key of the random numbers, number of the match, and number of the decision in it.
    """
    word, seen = own_word(key, match, at), states[1:]
    if player == ANY:
        return int(out[0, pick(word, options(tables, states, out))])
    seen[0] = states[0]
    view(tables, seen[0], to_move(seen[0]))
    if race is not None:  # noqa: SIM102  # numba leaves out what is behind a None that stands alone
        if player >= SEARCH:
            return int(race(tables, states, out, dice, tuned, player, word))
    return best_plan(tables, seen, out, dice, hopes, word)


def play(
    tables: Record,
    players: tuple[int, int],
    tuned: Tuned,
    key: int,
    match: int,
    at: int,
    until: int,
    states: Record,
    out: Actions,
    dice: Record,
    hopes: Floats,
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
    states, out, dice, hopes
        As for `decide`.
    made : array of int64, shape (until,)
        The decisions: taken from it where a side is `TOLD`, else written into it.
    found : array of int64, shape (facts,)
        Takes the `FACTS` of the match once it is over.
    """
    while result(states[0]) < 0 and at < until:
        side = to_move(states[0])
        if players[side] != TOLD:
            made[at] = decide(players[side], tables, states, out, dice, hopes, tuned, key, match, at)
        shake(dice, key, match, at)
        apply(tables, states[0], made[at], dice)
        note(hopes, made[at], dice)
        at += 1
    if result(states[0]) >= 0:
        facts(tables, states[0], found)
        found[DECISIONS] = at
    return at
