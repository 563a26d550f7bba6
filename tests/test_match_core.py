"""Dice of matches: random ones, scripts and odometers; records to read from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from math import comb
from typing import Any

import numpy as np
import pytest

from aabalance.engine.match import players
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


def test_higher__a_script_without_faces_ends() -> None:
    for faces in ([], [1], [5, 5]):
        dice = base.script(faces)
        base.higher(dice, 6)
        assert dice.rolled > dice.given


def test_roll__a_face_is_the_word_times_the_sides_of_a_die_and_a_deck_is_one() -> None:
    dice = base.new(base.DICE)
    players.shake(dice, 7, 0, 0)
    whole, sides = int(dice.words[0]), [90, 89, 6, 64, 65]
    for of in sides:
        face, whole = divmod(whole * of, 1 << 58)
        assert base.roll(dice, of) == face + 1
    assert list(dice.sides[:5]) == sides


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


def chances(throw: Callable[[Any], int]) -> dict[int, Fraction]:
    """Return the chances of what is thrown, as an odometer counts them."""
    dice, more, found = base.new(base.DICE), True, Counter[int]()
    dice.source = base.ODOMETER
    while more:
        answer = throw(dice)
        found[answer] += Fraction(base.chance(dice)).limit_denominator(10**6)  # type: ignore[assignment]
        more = base.next_way(dice)
    return dict(found)


@pytest.mark.parametrize(("count", "need"), [(1, 4), (3, 2), (3, 6), (4, 5), (3, 1), (2, 7)])
def test_roll_pool__an_odometer_counts_successes_by_the_binomial_distribution(count: int, need: int) -> None:
    p = Fraction(7 - need, 6)
    of_k = {k: comb(count, k) * p**k * (1 - p) ** (count - k) for k in range(count + 1)}
    found = chances(lambda dice: base.roll_pool(dice, 6, count, need))
    assert found == {k: share for k, share in of_k.items() if share}


def test_roll_under__has_as_many_chances_as_there_are_faces_up_to_its_need() -> None:
    for need in range(1, 6):
        under = chances(lambda dice, need=need: base.roll_under(dice, 6, need) <= need)  # type: ignore[misc]
        assert under == {True: Fraction(need, 6), False: Fraction(6 - need, 6)}


def test_higher__is_who_rolls_more_and_equal_dice_are_rolled_again() -> None:
    found = [base.higher(base.script(faces), 6) for faces in ([5, 2], [2, 5], [4, 4, 6, 1], [4, 4, 1, 1, 2, 3])]
    assert found == [0, 1, 0, 1]


def test_rolls__note_what_each_die_has_to_show_and_in_which_pool() -> None:
    dice = base.script([3, 4, 5, 6, 2, 1, 1])
    base.roll(dice, 6)
    assert base.roll_pool(dice, 6, 2, 5) == 1
    assert base.roll_pool(dice, 6, 2, 5) == 1
    assert base.roll_for(dice, 6, 5, 4) == 1
    base.roll(dice, 3)
    assert list(dice.need[:7]) == [0, 5, 5, 5, 5, 5, 0]
    pools = list(dice.pool[:7])
    assert (pools[0], pools[5], pools[6]) == (0, 0, 0)
    assert pools[1] == pools[2] != pools[3] == pools[4]
    dice.rolled = 0
    base.roll(dice, 6)
    base.roll(dice, 6)
    assert (dice.need[1], dice.pool[1]) == (0, 0)
    assert [base.roll_under(dice, 6, 3) for _ in range(3)] == [5, 6, 2]
    assert list(dice.need[2:5]) == [-3] * 3
    assert len({*dice.pool[2:5]}) == 3


@pytest.mark.parametrize("need", [1, 0, -1, -2])
def test_roll_for__notes_a_need_that_no_face_can_fail_as_1_or_more(need: int) -> None:
    dice = base.script([4])
    assert base.roll_for(dice, 6, need, need - 1) == 4
    assert dice.need[0] == 1


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


def test_readable__has_what_the_record_has() -> None:
    inner = base.record(base.fields(np.int16, "hp kind"), base.fields(np.int8, "fired", 3))
    kind = base.record(
        base.fields(np.int32, "turn"),
        base.fields(np.float64, "weight"),
        base.fields(np.int16, "left", 2),
        base.fields(np.int16, "chart", 2, 3),
        base.fields(inner, "one"),
        base.fields(inner, "unit", 2),
        base.fields(inner, "area", 2, 3),
    )
    record = np.random.default_rng(5).integers(0, 256, kind.itemsize, np.uint8).view(kind)[0]
    read = base.readable(record)
    assert same(read, record)
    assert type(read.unit[1].hp) is int  # numbers of numpy overflow, and are slow
    record.area[1, 2].hp ^= 1
    assert not same(read, record)


def same(read: Any, record: Any) -> bool:
    """Return whether all numbers of a readable record and of a record are equal, field by field."""
    if record.dtype.names is None:
        return bool(np.array_equal(read, record, equal_nan=True))
    if getattr(record, "ndim", 0):
        return len(read) == len(record) and all(map(same, read, record))
    return all(same(getattr(read, name), record[name]) for name in record.dtype.names)
