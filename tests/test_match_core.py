"""Dice, players and the loop of matches: the same in plain Python and compiled."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from golden.replay import Replay
from golden.test_matches import transcripts

from aabalance.engine import jit
from aabalance.engine.match import players
from aabalance.rulesets.base import match as base
from aabalance.rulesets.base.match import MatchRules

NAMES = "legal", "candidates", "actor", "apply", "result", "to_move", "value"
"""The functions of a game that players call."""


def exploding(dice: Any) -> int:
    """Roll a D6, and after a 6 a D3."""
    face = base.roll(dice, 6)
    return face + base.roll(dice, 3) if face == 6 else face


def test_next_way__goes_through_all_ways_once_with_their_chances() -> None:
    dice = base.new(base.DICE)
    dice.source = base.ODOMETER
    found: dict[int, Fraction] = {}
    more = True
    while more:
        total = exploding(dice)
        assert total not in found
        found[total] = Fraction(base.chance(dice)).limit_denominator(100)
        more = base.next_way(dice)
    assert found == {**dict.fromkeys(range(1, 6), Fraction(1, 6)), **dict.fromkeys((7, 8, 9), Fraction(1, 18))}


def test_roll__a_script_shows_its_faces_and_counts_what_is_missing() -> None:
    dice = base.script([6, 2])
    assert exploding(dice) == 8
    assert (dice.rolled, list(dice.sides[:2])) == (2, [6, 3])
    dice = base.script([6])
    assert exploding(dice) == 7
    assert dice.rolled > dice.given


def test_shake__dice_depend_on_key_match_and_decision_alone_and_are_fair() -> None:
    dice, faces = base.new(base.DICE), Counter[int]()
    for match in range(60):
        players.shake(dice, 7, match, 3)
        first = [base.roll(dice, 6) for _ in range(base.MOST_DICE)]
        players.shake(dice, 7, match, 3)
        assert [base.roll(dice, 6) for _ in range(base.MOST_DICE)] == first
        faces.update(first)
    thrown = 60 * base.MOST_DICE
    assert set(faces) == set(range(1, 7))
    # Chi squared with five degrees of freedom: above 20.5 once in a thousand times.
    assert sum((n - thrown / 6) ** 2 / (thrown / 6) for n in faces.values()) < 20.5
    players.shake(dice, 8, 0, 3)
    other = [base.roll(dice, 6) for _ in range(base.MOST_DICE)]
    players.shake(dice, 7, 0, 3)
    assert other != [base.roll(dice, 6) for _ in range(base.MOST_DICE)]


def results(rules: MatchRules, match: Replay, sides: tuple[int, int], count: int, bound: Any) -> list[list[int]]:
    """Play matches on from where one stands; return their results, and the numbers of decisions."""
    start = np.zeros(1, match.now.dtype).view(np.recarray)
    start[0] = match.now
    tables = np.zeros(1, match.tables.dtype).view(np.recarray)
    tables[0] = match.tables
    states = np.zeros(players.STATES, match.now.dtype).view(np.recarray)
    dice = np.zeros(1, base.DICE).view(np.recarray)
    played = np.zeros((count, 2), np.int64)
    out = np.empty((2, rules.most_actions), np.int64)
    play = bound(players.play, **{name: getattr(rules, name) for name in NAMES})
    play(tables[0], start, sides, 5, 0, states, out, dice[0], played)
    found: list[list[int]] = played.tolist()
    return found


def small(turns: int) -> Replay:
    """A match of Skirmish Wars on the smallest board of the transcripts, with few rounds."""
    setup = next(iter(transcripts("skirmish_wars").values()))["setup"]
    return Replay("skirmish_wars", setup | {"turn_limit": turns, "conquest": True, "medals": 3})


@pytest.mark.slow
def test_play__compiled_and_plain_matches_are_the_same() -> None:
    for sides, turns, count in (((0, 0), 4, 6), ((1, 0), 1, 1)):
        match = small(turns)
        plain = results(match.rules, match, sides, count, jit.plain)
        assert plain == results(match.rules, match, sides, count, jit.compiled)
        assert all(result in (0, 1, 2) and decisions > 0 for result, decisions in plain)


@pytest.mark.slow
def test_play__who_looks_at_values_beats_who_acts_at_random() -> None:
    match = small(15)
    won = Counter(result for result, _ in results(match.rules, match, (1, 0), 100, jit.compiled))
    assert won[0] >= 90
    won = Counter(result for result, _ in results(match.rules, match, (0, 1), 100, jit.compiled))
    assert won[1] >= 90
