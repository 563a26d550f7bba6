"""The exact solver: how a battle ends from each state of its graph, from the last states back to the first.

Plain loops that also compile. A turn that hurts nobody is the only one that leaves what is left as it was, so among the
states of one number everything is a line into a cycle: the cycle is summed as a geometric series, the line followed
back. Nothing is truncated.
"""

from __future__ import annotations

from typing import Any

from aabalance.engine.outcome import DRAW, TURNS

ENDS = 9
"""What is known of a state: five fields of an outcome in its order, then what is left of either side: its worth, and
its units."""
VALUE = 5

NEW, ON_WAY, DONE = range(3)


def settle(
    order: Any, group: Any, first: Any, to: Any, p: Any, standing: Any, done: Any, after: Any, stay: Any, ends: Any
) -> None:
    """Work out how battles end that go on until they are over.

    Parameters
    ----------
    order : array of int64, shape (n,)
        States by rising number.
    group : array of int64, shape (n,)
        What is left in each state; equal for those of one number.
    first : array of int64, shape (n + 1,)
        `begins` of `aabalance.engine.battle.graph.Graph`.
    to, p : arrays
        As there.
    standing : array of float, shape (n, ENDS - VALUE)
        What is left of both sides.
    done : array of int8, shape (n,)
        `DONE` for states whose row of `ends` is known already, else `NEW`; all are `DONE` afterwards.
    after, stay : array of int32 and of float, shape (n,)
        Written: where a turn leads that hurts nobody, and its chance.
    ends : array of float, shape (n, ENDS)
        Written. A battle that nobody ever ends is a draw, after turns without end.
    """
    begin = 0
    while begin < len(order):
        stop = begin
        while stop < len(order) and group[order[stop]] == group[order[begin]]:
            at = order[stop]
            stop += 1
            if done[at] == DONE:
                continue
            after[at], stay[at] = -1, 0.0
            for x in range(ENDS):
                ends[at, x] = 0.0
            ends[at, TURNS] = 1.0
            for way in range(first[at], first[at + 1]):
                node = to[way]
                if group[node] == group[at] and done[node] != DONE:
                    after[at], stay[at] = node, p[way]
                else:
                    for x in range(ENDS):
                        ends[at, x] += p[way] * ends[node, x]
        for place in range(begin, stop):
            at = order[place]
            finish(at, after, stay, standing, done, ends)
        begin = stop


def finish(at: Any, after: Any, stay: Any, standing: Any, done: Any, ends: Any) -> None:
    """Work out how a state ends, and those on the way from it, of which all is known but what that way adds.

    Parameters
    ----------
    at : int
    after, stay, standing, done, ends
        As for `settle`; `after` is -1 where no way goes on within the number.
    """
    begin = at
    while done[at] == NEW and after[at] >= 0:
        done[at] = ON_WAY
        at = after[at]
    closes = done[at] == ON_WAY
    if closes:
        _close(at, after, stay, standing, ends)
    done[at] = DONE
    if closes:
        _follow_back(after[at], after, stay, done, ends)
    _follow_back(begin, after, stay, done, ends)


def _follow_back(at: Any, after: Any, stay: Any, done: Any, ends: Any) -> None:
    """Work out the ends of a line of states, from the first that is known back to its beginning `at`."""
    while done[at] != DONE:
        last = at
        while done[after[last]] != DONE:
            last = after[last]
        for x in range(ENDS):
            ends[last, x] += stay[last] * ends[after[last], x]
        done[last] = DONE


def _close(at: Any, after: Any, stay: Any, standing: Any, ends: Any) -> None:
    """Work out the end of a state that a cycle leads back to."""
    loop = 1.0
    node = at
    while True:
        loop *= stay[node]
        node = after[node]
        if node == at:
            break
    if loop == 1.0:
        for x in range(ENDS):
            ends[at, x] = 0.0
        ends[at, DRAW], ends[at, TURNS] = 1.0, float("inf")
        for x in range(VALUE, ENDS):
            ends[at, x] = standing[at, x - VALUE]
        return
    share = stay[at]
    node = after[at]
    while node != at:
        for x in range(ENDS):
            ends[at, x] += share * ends[node, x]
        share *= stay[node]
        node = after[node]
    for x in range(ENDS):
        ends[at, x] /= 1.0 - loop


def play_rounds(rounds: int, movers: Any, second: int, first: Any, to: Any, p: Any, ends: Any) -> None:
    """Go back from the end of a round by so many turns of each side.

    Parameters
    ----------
    rounds : int
    movers : array of int8, shape (n,)
        Whose turn it is in each state; neither side's in one that is over.
    second : int
        Who moves second in a round.
    first : array of int64, shape (n + 1,)
        `begins` of `aabalance.engine.battle.graph.Graph`.
    to, p : arrays
        As there.
    ends : array of float, shape (n, ENDS)
        Of states that are over, and those in which a round begins, how battles end that have reached them at the end of
        the last round; changed to how they end from its beginning.
    """
    for turn in range(2 * rounds):
        mover = second if turn % 2 == 0 else 1 - second
        for at in range(len(movers)):
            if movers[at] != mover:
                continue
            for x in range(ENDS):
                ends[at, x] = 0.0
            ends[at, TURNS] = 1.0
            for way in range(first[at], first[at + 1]):
                for x in range(ENDS):
                    ends[at, x] += p[way] * ends[to[way], x]
