"""Restricted play: what a kind of action is worth."""

from __future__ import annotations

import numpy as np
import pytest

import aabalance as aab
from aabalance.analysis.without import _worth
from aabalance.errors import UsageError
from aabalance.rulesets.base.match import DRAWN, FACTS, RESULT, WON_BY_A, WON_BY_B


def facts(*results: int) -> np.ndarray:
    table = np.zeros((len(results), len(FACTS)), np.int64)
    table[:, RESULT] = results
    return table


def test_worth__the_interval_is_that_of_differences_match_by_match() -> None:
    free, barred = [WON_BY_A] * 12 + [WON_BY_B] * 8, [WON_BY_A] * 6 + [DRAWN] * 2 + [WON_BY_B] * 12
    found = _worth(facts(*free), facts(*barred))
    changes = np.array([0] * 6 + [0.5] * 2 + [1] * 4 + [0] * 8)
    half = 2.0930 * changes.std(ddof=1) / np.sqrt(20)  # Student's t with 19 degrees of freedom
    assert found["loss"] == pytest.approx(0.25)
    assert (found["loss_ci_low"], found["loss_ci_high"]) == pytest.approx((0.25 - half, 0.25 + half), abs=1e-4)
    assert found["verdict"] == "needed"
    assert _worth(facts(*barred), facts(*free))["verdict"] == "trap"


def test_worth__what_nobody_chose_is_dead_and_equal_results_of_other_matches_are_open() -> None:
    one, other = facts(*[WON_BY_A] * 20), facts(*[WON_BY_A] * 20)
    assert _worth(one, other)["verdict"] == "dead"
    other[0, -1] = 3
    assert _worth(one, other)["verdict"] == "open"


def test_without__a_kind_that_is_none() -> None:
    with pytest.raises(UsageError, match=r"without: found 'fly', expected"):
        aab.without("skirmish_wars", ["fly"], board="last_stand", simulate=2)
