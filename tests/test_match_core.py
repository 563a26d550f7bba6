"""Dice, players and the loop of matches: the same in plain Python and compiled."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from golden.replay import Replay
from golden.test_matches import transcripts

from aabalance.engine import sampling
from aabalance.engine.match import arena, players
from aabalance.engine.match.arena import Match
from aabalance.rulesets.base import match as base


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


def test_roll_for__an_odometer_counts_faces_as_one_that_no_question_tells_apart() -> None:
    for low, high in ((3, 5), (4, 4), (1, 3), (2, 9), (0, 1), (8, 9)):
        dice = base.new(base.DICE)
        dice.source = base.ODOMETER
        found: dict[tuple[bool, bool], Fraction] = {}
        more = True
        while more:
            face = base.roll_for(dice, 6, low, high)
            assert (face >= low, face >= high) not in found
            found[face >= low, face >= high] = Fraction(base.chance(dice)).limit_denominator(100)
            more = base.next_way(dice)
        expected = Counter((face >= low, face >= high) for face in range(1, 7))
        assert found == {answer: Fraction(faces, 6) for answer, faces in expected.items()}


def test_next_way__dice_that_may_be_rolled_again_for_ever_come_to_an_end() -> None:
    dice = base.new(base.DICE)
    players.shake(dice, 7, 0, 0)
    dice.source = base.ODOMETER
    assert [base.roll(dice, 6) for _ in range(base.DEPTH)] == [1] * base.DEPTH
    assert len({base.roll(dice, 6) for _ in range(20)}) > 2
    assert base.next_way(dice)
    assert dice.given == base.DEPTH


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


def match(start: Replay, a: str, b: str) -> Match:
    """Return a match from where one stands."""
    return Match(start.rules, ((start.tables, start.now),), (a, b), 5)


def plain(match: Match, number: int) -> list[int]:
    """Play a match without compiling anything; return what is noted of it."""
    facts = np.zeros(len(base.FACTS), np.int64)
    steps = list(arena.steps(match, number))
    match.rules.facts(match.start(number)[0], steps[-1].after, facts)
    facts[base.DECISIONS] = len(steps)
    return list(facts)


def small(turns: int) -> Replay:
    """A match of Skirmish Wars on the smallest board of the transcripts, with few rounds."""
    setup = next(iter(transcripts("skirmish_wars").values()))["setup"]
    return Replay("skirmish_wars", setup | {"turn_limit": turns, "conquest": True, "medals": 3})


@pytest.mark.slow
def test_play__compiled_and_plain_matches_are_the_same() -> None:
    for sides, turns, count in (("random", "random"), 4, 6), (("greedy", "random"), 1, 1):
        played = match(small(turns), *sides)
        facts = arena.play(played, 0, count)
        assert [plain(played, number) for number in range(count)] == facts.tolist()
        assert all(fact[base.RESULT] in (0, 1, 2) and fact[base.DECISIONS] > 0 for fact in facts)


@pytest.mark.slow
def test_play__facts_depend_on_the_number_of_a_match_alone() -> None:
    one, other = small(4), small(4)
    other.tables.first = other.now.to_move = 1
    starts = (one.tables, one.now), (other.tables, other.now)
    played = Match(one.rules, starts, ("random", "random"), 5)
    facts = arena.play(played, 0, 23)
    assert facts[:, base.FIRST].tolist() == [0, 1] * 11 + [0]
    with ThreadPoolExecutor(3) as pool:
        parts = [arena.play(played, first, end - first, executor=pool) for first, end in ((0, 9), (9, 10), (10, 23))]
    assert np.concatenate(parts).tolist() == facts.tolist()


@pytest.mark.slow
def test_estimate__stops_when_the_interval_is_narrow_enough() -> None:
    played, seen = match(small(15), "greedy", "random"), list[int]()
    assert len(arena.estimate(played, 30, None, seen.append)) == sum(seen) == 30
    facts = arena.estimate(played, 0, 0.04)
    low, high = sampling.wilson(int((facts[:, base.RESULT] == base.WON_BY_A).sum()), len(facts))
    assert high - low <= 0.08
    assert arena.FIRST_LOOK <= len(facts) <= arena.most_matches(0.04)


@pytest.mark.slow
def test_play__who_looks_at_values_beats_who_acts_at_random() -> None:
    start = small(15)
    for side, players_ in enumerate((("greedy", "random"), ("random", "greedy"))):
        assert (arena.play(match(start, *players_), 0, 100)[:, base.RESULT] == side).sum() >= 90
