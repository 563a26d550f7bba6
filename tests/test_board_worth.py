"""Worth from results of matches: the model finds what made its own results, and matches are played by the book."""

from __future__ import annotations

import numpy as np
import pytest

import aabalance as aab
from aabalance.pricing.inference import Known, Results, estimate
from aabalance.pricing.lists_drawn import Drawer
from benchmarks.board_worth import BUDGET, SCALE, SEAT, covered, simulated


def test_estimate__finds_the_worth_that_made_the_results():
    errors, inside = [], []
    for seed in range(8):
        prices, results, truth = simulated(seed, 40, 3000)
        found = estimate(prices, results)
        errors.append(np.median(np.abs(np.exp(found.mean - truth) - 1)))
        inside.append(covered(found, truth))
        assert prices @ np.exp(found.mean) == pytest.approx(prices.sum(), rel=0.03)  # worth is normalised
        assert abs(found.effects[0] - SEAT) < 5 * found.effect_errors[0]
    assert np.mean(errors) <= 0.08
    assert 0.82 <= np.mean(inside) <= 0.97  # 8 repetitions; benchmarks have 100


@pytest.mark.parametrize(("units", "matches"), [(40, 12), (80, 240)])
def test_estimate__few_games_hardly_move_it_and_it_covers(units: int, matches: int):
    inside = []
    for seed in range(4):
        prices, results, truth = simulated(seed, units, matches)
        found = estimate(prices, results)
        inside.append(covered(found, truth))
        assert np.abs(found.mean).max() < matches / 40 + 0.3
        assert found.half_width.min() > 0.15
    assert np.mean(inside) > 0.85


def test_estimate__a_draw_counts_half():
    effects = np.zeros((4, 0))
    difference = np.array([[1.0, -1.0]] * 4)
    drawn = estimate(np.array([10.0, 10.0]), Results(difference, np.full(4, 0.5), effects))
    split = estimate(np.array([10.0, 10.0]), Results(difference, np.array([1.0, 1.0, 0.0, 0.0]), effects))
    np.testing.assert_allclose(drawn.mean, split.mean, atol=1e-3)
    np.testing.assert_allclose(drawn.mean, 0, atol=1e-3)


def test_estimate__starts_from_what_is_known():
    prices, results, _ = simulated(0, 10, 12)
    mean = np.linspace(-0.3, 0.3, 10)
    known = Known(mean, np.full(10, 0.05), np.log(SCALE), 0.3)
    found = estimate(prices, results, known)
    assert np.corrcoef(found.mean, mean)[0, 1] > 0.9


def test_drawer__units_appear_about_alike_often_and_lists_cost_about_the_budget():
    rng = np.random.default_rng(0)
    prices = rng.integers(15, 120, 30).astype(float)
    drawer = Drawer(prices, BUDGET, rng)
    cost = []
    for _ in range(1000):
        units = drawer.draw(np.empty(0, np.int64))
        drawer.note(units)
        cost.append(prices[units].sum())
    assert drawer.appeared.max() < 1.3 * drawer.appeared.min()
    assert 0.85 * BUDGET < min(cost) <= max(cost) <= 1.1 * BUDGET


@pytest.mark.slow
def test_board_worth__lists_and_matches_are_the_same_for_any_cache(tmp_path):
    game = aab.Game("skirmish_wars")
    asked = {"boards": ["crossing"], "rounds": 3, "matches": 60}
    plain = aab.board_worth(game, ["tank"], **asked)
    played: list[int] = []
    for _ in range(2):
        with aab.sweeping(cache=tmp_path):
            kept = aab.board_worth(game, ["tank"], advance=played.append, **asked)
        assert plain.equals(kept)
    assert sum(played) == 2 * 60


@pytest.mark.slow
def test_board_worth__boards_together_are_surer_than_one_if_they_agree():
    game = aab.Game("skirmish_wars")
    found = aab.board_worth(game, ["tank"], boards=["crossing", "crossing"], rounds=3, matches=40)
    assert found["board"].tolist() == ["crossing", "crossing", ""]
    widths = np.log(found["worth_high"] / found["worth_low"])
    assert widths[2] == pytest.approx(widths[0] / np.sqrt(2))


@pytest.mark.slow
def test_board_worth__what_cannot_be_played_is_refused():
    game = aab.Game("skirmish_wars")
    with pytest.raises(aab.UsageError, match="brings 10 units, a scenario"):
        aab.board_worth(game, ["tank"], boards=["two_towns"], matches=40)
    with pytest.raises(aab.UsageError, match="ghost"):
        aab.board_worth(game, ["ghost"], boards=["crossing"], matches=40)
    with pytest.raises(aab.UsageError, match="matches: found 0"):
        aab.board_worth(game, ["tank"], boards=["crossing"], matches=0)
