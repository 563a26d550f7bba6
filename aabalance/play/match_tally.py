"""What happened in some matches, decision by decision: who led, what was done, and what each unit did for its side."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from aabalance.engine import sampling
from aabalance.rulesets.base import match as base

if TYPE_CHECKING:
    from aabalance.boards import Board
    from aabalance.engine.arrays import Ints
    from aabalance.engine.match.arena import Match
    from aabalance.rulesets.base.board import Piece, Scene, Square
    from aabalance.rulesets.base.match_rules import MatchRules

MARK = re.compile(r"[ab]\d+")
"""What a unit is called in the words of an action, up to a full stop."""
DID = "destroyed", "held", "carried", "scouted", "survived"
"""What a unit did for its side: the cost of what it took from enemies; rounds at whose end it stood on or beside what
its side held, and at whose end it carried others; how often it scouted; and whether it was left at the end."""
SCOUT = "scout"


class Watched(NamedTuple):
    """A match, decision by decision.

    Attributes
    ----------
    winner : int
        As the game's `result`.
    leads : list of int
        Who was ahead by `value` at the end of each round: 1 for a, -1 for b, 0 for neither.
    actions : Counter of (str, str)
        How often each side did what, by side and verb.
    units : mapping of str to (Piece, mapping of str to float)
        By mark, a unit as it came into the match, and what it did, by the words of `DID`.
    stood, fired, fell : Counter of (str, Square)
        By side and square: player turns at whose end a unit stood there, attacks from there, and units lost there.
    """

    winner: int
    leads: list[int]
    actions: Counter[tuple[str, str]]
    units: dict[str, tuple[Piece, defaultdict[str, float]]]
    stood: Counter[tuple[str, Square]]
    fired: Counter[tuple[str, Square]]
    fell: Counter[tuple[str, Square]]


def watched(
    match: Match, names: Any, number: int, made: Ints | None, board: Board, costs: Mapping[str, float]
) -> Watched:
    """Play one match again in plain Python, by the decisions that were made, and note what happened.

    Parameters
    ----------
    match : Match
        What was played.
    names : object
        The names from the game's `start`.
    number : int
        Which match it is, from 0.
    made : array of int64 or None
        Its decisions, from `aabalance.engine.match.arena.decisions`; None if the players have to decide again.
    board : Board
        Where it was played.
    costs : mapping of str to float
        What a unit costs, by the name of its card.
    """
    from aabalance.engine.match import arena

    rules, (tables, state) = match.rules, map(base.readable, match.start(number))
    before, turn = rules.scene(tables, state, names), _turn(rules, tables, state)
    seen = Watched(base.NOT_OVER, [], Counter(), {}, Counter(), Counter(), Counter())
    _meet(seen, before)
    last: dict[str, str] = {}
    for step in arena.trajectory(match, number, made):
        side, words = "ab"[step.side], rules.text(tables, state, step.action, names).split()
        state, turn_before = base.readable(step.after), turn
        after = rules.scene(tables, state, names)
        marks = marks_of(words)
        # Who acts may have been said in an earlier decision of the same action.
        last[side] = actor = next((mark for mark in marks if mark[0] == side), last.get(side, ""))
        target = next((mark for mark in marks if mark[0] != side), "")
        last[target] = actor
        verb = next((word for word in words if word in rules.sections), words[0])
        seen.actions[side, verb] += 1
        if verb == SCOUT and actor in seen.units:
            seen.units[actor][1]["scouted"] += 1
        took = _take(seen, before, after, last, side, words, costs)
        _meet(seen, after)
        over, turn = rules.result(state) >= 0, _turn(rules, tables, state)
        same = turn == turn_before
        square = next((piece.at for piece in before.pieces if piece.mark == actor), None)
        # Where the other side answers an attack, dice fall only then.
        if square is not None and target and (took or step.faces or (same and rules.to_move(state) != step.side)):
            seen.fired[side, square] += 1
        if before.round > 0 and (over or not same):
            seen.stood.update((piece.side, piece.at) for piece in after.pieces if piece.at is not None)
        if over or after.round > before.round > 0:
            _end_round(seen, after, board)
            if not over:
                a, b = (rules.value(tables, state, of, base.NO_UNIT) for of in (0, 1))
                seen.leads.append(int(np.sign(a - b)))
        before = after
    for piece in before.pieces:
        seen.units[piece.mark][1]["survived"] = 1
    return seen._replace(winner=rules.result(state))


def _turn(rules: MatchRules, tables: base.Record, state: base.Record) -> int:
    """Return the number of a player turn: the other side may decide within it, as reactions do."""
    facts = np.zeros(len(base.FACTS), np.int64)
    rules.facts(tables, state, facts)
    return int(facts[base.PLAYER_TURNS])


def marks_of(words: Iterable[str]) -> list[str]:
    """Return the units that the words of an action name, in their order."""
    return [mark for word in words if MARK.fullmatch(mark := word.partition(".")[0])]


def _meet(seen: Watched, scene: Scene) -> None:
    """Note units that have come into the match."""
    for piece in scene.pieces:
        if piece.mark not in seen.units:
            seen.units[piece.mark] = piece, defaultdict(float)


def _take(
    seen: Watched,
    before: Scene,
    after: Scene,
    last: dict[str, str],
    side: str,
    words: Sequence[str],
    costs: Mapping[str, float],
) -> bool:
    """Note what a decision took, and return whether it was the work of who acts.

    An enemy's loss is the work of who acts; an own loss that of the enemy whom the words name, who strikes back. Where
    they name nobody, the loss was dealt before: by who attacked that unit last, or else by the enemy named last. `last`
    has both, by the unit and by the side. Where they name the square, all who stand there were attacked, friends too,
    whose loss is to nobody's credit.
    """
    marks = marks_of(words)
    left = {piece.mark: piece.strength for piece in after.pieces}
    took = False
    for piece in before.pieces:
        lost = piece.strength - left.get(piece.mark, 0)
        if lost > 0:
            enemy = "ab"[piece.side == "a"]
            there = piece.at is not None and "{},{}".format(*piece.at) in words
            own = marks and (side == enemy or there)
            named = last[side] if own else next((mark for mark in marks if mark[0] == enemy), "")
            by = last[piece.mark] = named or last.get(piece.mark) or last.get(enemy, "")
            took = took or by == last[side]
            if by in seen.units and by[0] == enemy:
                seen.units[by][1]["destroyed"] += costs[piece.card] * lost / piece.most
            if piece.mark not in left and piece.at is not None:
                seen.fell[piece.side, piece.at] += 1
    return took


def _end_round(seen: Watched, scene: Scene, board: Board) -> None:
    """Note which units stand on or beside what their side holds, and which carry others."""
    squares = {piece.mark: piece.at for piece in scene.pieces}
    near = {at: board.around(*at) if board.objectives else {at} for at in scene.owners}
    for piece in scene.pieces:
        at = squares.get(piece.inside) if piece.inside else piece.at
        if any(side == piece.side and at in near[of] for of, side in scene.owners.items()):
            seen.units[piece.mark][1]["held"] += 1
    for mark in {piece.inside for piece in scene.pieces if piece.inside in squares}:
        seen.units[mark][1]["carried"] += 1


def tally(matches: Sequence[Watched]) -> dict[str, Any]:
    """Return what some matches come to, as plain values.

    Returns
    -------
    dict
        ``watched``, how many they are; ``lead_changes``, and ``came_back``, the share of the matches with a winner in
        which it was behind at the end of a round; ``leads``, ``units`` and ``actions``, rows of
        ``aabalance.columns``'s ``match_leads``, ``match_units`` and ``match_actions``.
    """
    won = [(1 if one.winner == base.WON_BY_A else -1, one.leads) for one in matches if one.winner < base.DRAWN]
    back = sum(any(lead == -winner for lead in leads) for winner, leads in won)
    changes = [_changes(one.leads) for one in matches]
    rounds = max((len(one.leads) for one in matches), default=0)
    return {
        "watched": len(matches),
        **_mean("lead_changes", changes),
        **_share("came_back", back, len(won)),
        "leads": [
            _round(at, [one.leads for one in matches if len(one.leads) > at], [one for one in won if len(one[1]) > at])
            for at in range(rounds)
        ],
        "units": list(_units(matches)),
        "actions": [
            {"side": side, "action": verb, **_mean("a_match", [one.actions[side, verb] for one in matches])}
            for side, verb in sorted({key for one in matches for key in one.actions})
        ],
    }


def _changes(leads: Iterable[int]) -> int:
    ahead = [lead for lead in leads if lead]
    return sum(one != other for one, other in pairwise(ahead))


def _round(at: int, leads: Sequence[Sequence[int]], won: Sequence[tuple[int, Sequence[int]]]) -> dict[str, Any]:
    behind = sum(lead[at] == -winner for winner, lead in won)
    return {
        "round": at + 1,
        **_share("p_a_ahead", sum(lead[at] > 0 for lead in leads), len(leads)),
        **_share("p_winner_behind", behind, len(won)),
        "n": len(leads),
    }


def _units(matches: Sequence[Watched]) -> Iterable[dict[str, Any]]:
    """Yield a row for each card of a side: means of its units in a match, over the matches that had some."""
    found: dict[tuple[str, str], list[list[dict[str, float]]]] = {}
    for one in matches:
        own: dict[tuple[str, str], list[dict[str, float]]] = {}
        for piece, did in one.units.values():
            own.setdefault((piece.side, piece.card), []).append(did)
        for key, some in own.items():
            found.setdefault(key, []).append(some)
    for (side, card), each in sorted(found.items()):
        yield {
            "side": side,
            "unit": card,
            "units_a_match": sum(map(len, each)) / len(matches),
            **{
                name: value
                for what in DID
                for name, value in _mean(
                    what, [math.fsum(did[what] for did in some) / len(some) for some in each]
                ).items()
            },
            "n": len(each),
        }


def _mean(name: str, values: Sequence[float]) -> dict[str, float]:
    """Return a mean with its standard error, which a single value doesn't tell."""
    error = float(np.std(values, ddof=1)) / len(values) ** 0.5 if len(values) > 1 else float("nan")
    return {name: float(np.mean(values)), f"{name}_se": error}


def _share(name: str, count: int, of: int) -> dict[str, float]:
    low, high = sampling.wilson(count, of) if of else (0.0, 1.0)
    return {name: count / of if of else float("nan"), f"{name}_ci_low": low, f"{name}_ci_high": high}
