"""The probability algebra, on numbers that fit on the back of an envelope."""

from __future__ import annotations

from fractions import Fraction as F

import pytest

from aabalance import dice

D3_LESS_1 = {0: F(1, 3), 1: F(1, 3), 2: F(1, 3)}


def test_die__has_equal_faces() -> None:
    assert dice.die(3) == {1: F(1, 3), 2: F(1, 3), 3: F(1, 3)}
    assert dice.constant(7) == {7: F(1)}


@pytest.mark.parametrize(
    ("need", "p"),
    [(-3, 1), (1, 1), (2, F(5, 6)), (3, F(2, 3)), (4, F(1, 2)), (5, F(1, 3)), (6, F(1, 6)), (7, 0), (9, 0)],
)
def test_at_least__counts_faces(need: int, p: F) -> None:
    assert dice.at_least(6, need) == p


@pytest.mark.parametrize(("need", "p"), [(2, F(35, 36)), (3, F(7, 9)), (4, F(7, 12)), (5, F(7, 18)), (6, F(7, 36))])
def test_at_least__one_failing_face_rolled_again_gives_seven_sixths(need: int, p: F) -> None:
    assert dice.at_least(6, need, reroll=need - 1) == p
    assert dice.at_least(6, need, reroll=1) == p


@pytest.mark.parametrize(("need", "reroll"), [(1, 0), (4, 0), (4, 4), (4, 6), (4, 7), (7, 6), (1, 1), (4, -1)])
def test_at_least__face_that_succeeds_or_isnt_there_changes_nothing(need: int, reroll: int) -> None:
    assert dice.at_least(6, need, reroll=reroll) == dice.at_least(6, need)


def test_at_least__limits_of_the_reroll() -> None:
    assert dice.at_least(6, 4, reroll=3, limit=0) == F(1, 2)
    assert dice.at_least(6, 4, reroll=3, limit=1) == F(7, 12)
    assert dice.at_least(6, 4, reroll=3, limit=2) == F(43, 72)
    assert dice.at_least(6, 4, reroll=3, limit=None) == F(3, 5)


def test_bernoulli__puts_the_rest_on_nothing() -> None:
    assert dice.bernoulli(F(1, 4), {0: F(1, 2), 3: F(1, 2)}) == {0: F(7, 8), 3: F(1, 8)}
    assert dice.bernoulli(F(1), {3: F(1)}) == {3: F(1)}
    assert dice.bernoulli(F(0), {3: F(1)}) == {0: F(1)}


def test_convolve__two_dice_make_a_triangle() -> None:
    total = dice.convolve(dice.die(6), dice.die(6))
    assert total[7] == F(6, 36)
    assert total[2] == total[12] == F(1, 36)
    assert sum(total.values()) == 1


def test_pool__sums_its_parts() -> None:
    assert dice.pool([]) == {0: F(1)}
    assert dice.pool([D3_LESS_1, D3_LESS_1]) == {0: F(1, 9), 1: F(2, 9), 2: F(3, 9), 3: F(2, 9), 4: F(1, 9)}


def test_transform__merges_outcomes() -> None:
    assert dice.transform(dice.die(6), lambda face: max(0, face - 4)) == {0: F(2, 3), 1: F(1, 6), 2: F(1, 6)}


def test_mean_and_chance_of_at_least() -> None:
    assert dice.mean(dice.die(6)) == F(7, 2)
    assert dice.chance_of_at_least(dice.die(6), 5) == F(1, 3)
    assert dice.chance_of_at_least(dice.die(6), 7) == 0
