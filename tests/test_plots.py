"""Pictures: the Axes that were given, and the data that was given."""

from __future__ import annotations

import matplotlib
import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

from aabalance.analysis.pairs import kill_curves
from aabalance.game import Game
from aabalance.report import plots

VERSUS = [("de_tiger1", "su_t34_85"), ("su_t34_85", "de_tiger1")]


@pytest.fixture(scope="module")
def game():
    return Game()


@pytest.fixture
def ax():
    return Figure(figsize=(7, 5)).subplots()


@pytest.fixture
def duels():
    ids = ["a", "b", "c"]
    wins = [[0.5, 0.2, 0.0], [0.8, 0.5, 0.9], [0.0, 0.1, 0.5]]
    rows = [
        (x, y, wins[i][j], 1.0 if {x, y} == {"a", "c"} else 0.0) for i, x in enumerate(ids) for j, y in enumerate(ids)
    ]
    return pd.DataFrame(rows, columns=["attacker", "target", "p_win", "p_draw"])


@pytest.fixture
def ranking():
    return pd.DataFrame(
        {
            "name": ["One", "Two", "Three", "Zero", "Endless"],
            "nation": ["X", "Y", "X", "Y", "X"],
            "requisition": [20, 50, 100, 30, 200],
            "requisition_exchange_ratio": [0.2, 1.5, 2.0, 0.0, np.inf],
            "peer_exchange_ratio": [0.3, 0.8, 2.0, 0.5, 4.0],
            "exchange_ratio_to_peers": [0.67, 1.9, 1.0, 0.0, np.inf],
        }
    )


def test_kill_probability__draws_the_analysis_on_the_axes_given(game, ax):
    assert plots.kill_probability(game, VERSUS, ax=ax, turns=4) is ax
    curves = kill_curves(game, VERSUS, turns=4)
    for line, pair in zip(ax.lines, VERSUS, strict=True):
        mine = curves[(curves["attacker"] == pair[0]) & (curves["target"] == pair[1])]
        np.testing.assert_array_equal(line.get_ydata(), mine["p_kill_within"])
        np.testing.assert_array_equal(line.get_xdata(), mine["range_in"])
        assert line.get_drawstyle() == "steps-pre"
    assert {text.get_text() for text in ax.texts} == {"Tiger I (Ausf. E) fires", "T-34-85 (1944) fires"}


def test_kill_lines__equal_curves_share_a_line_and_a_name():
    one = {"target": "t", "range_in": [0.0, 6.0, 12.0], "situation": "", "turns": 6, "p_kill_within": [1.0, 0.5, 0.1]}
    curves = pd.concat([pd.DataFrame({"attacker": name, **one}) for name in ("a", "b")], ignore_index=True)
    ax = plots.kill_lines(curves)
    assert len(ax.lines) == 1
    assert [text.get_text() for text in ax.texts] == ["a destroys t\nb destroys t"]


def test_kill_panels__one_panel_a_couple(game):
    versus = [*VERSUS, ("de_pz4h", "us_m4a1")]
    figure = plots.kill_panels(kill_curves(game, versus), footnote="where from")
    assert [len(ax.lines) for ax in figure.axes if ax.get_visible()] == [2, 1]


def test_matchup_heatmap__draws_wins_by_price_and_marks_draws_which_count_half(duels, ax):
    price = pd.Series({"a": 100, "b": 10, "c": 50})
    assert plots.matchup_heatmap(duels, ax, price=price) is ax
    wins, draws = (np.asarray(image.get_array(), dtype=float) for image in ax.images)
    np.testing.assert_array_equal(wins, [[0.5, 0.9, 0.8], [0.1, 0.5, 0.5], [0.2, 0.5, 0.5]])
    np.testing.assert_array_equal(np.isfinite(np.ma.filled(ax.images[1].get_array(), np.nan)), draws == 1)
    assert np.argwhere(draws == 1).tolist() == [[1, 2], [2, 1]]


def test_matchup_heatmap__leaves_out_units_without_a_price(duels):
    ax = plots.matchup_heatmap(duels, price=pd.Series({"a": 100, "b": 10}))
    assert np.asarray(ax.images[0].get_array()).shape == (2, 2)


def test_matchup_heatmap__names_the_units_of_a_small_roster(duels):
    ax = plots.matchup_heatmap(duels, price=pd.Series({"a": 100, "b": 10}), names={"a": "Ape"})
    assert [label.get_text() for label in ax.get_yticklabels()] == ["b (10)", "Ape (100)"]


def test_sensitivity__draws_what_moves_in_the_table_s_order():
    frame = pd.DataFrame(
        {
            "reading": ["default rules", "x=2", "y=1", "z=0"],
            "mean_change_of_p_win": [0, 0.04, 0.00001, 0],
            "largest_change_of_p_win": [0, 0.5, 0.001, 0],
        }
    )
    ax = plots.sensitivity(frame)
    assert [label.get_text() for label in ax.get_yticklabels()] == ["x=2", "y=1"]
    assert [bar.get_width() for bar in ax.patches] == [0.04, 0.00001]
    assert [text.get_text() for text in ax.texts] == ["4, at most 50 for one pair", "<0.01, at most 0.1 for one pair"]
    assert not list(plots.sensitivity(frame.head(1)).patches)


def test_cost_effectiveness__draws_every_unit_and_puts_zero_and_infinity_at_the_edge(ranking, ax):
    assert plots.cost_effectiveness(ranking, ax) is ax
    points = np.vstack([np.asarray(group.get_offsets()) for group in ax.collections])
    assert sorted(points[:, 0]) == [20, 30, 50, 100, 200]
    by_price = {x: y for x, y in points}
    assert [by_price[x] for x in (20, 50, 100)] == [0.2, 1.5, 2.0]
    assert by_price[30] < 0.2
    assert by_price[200] > 2.0
    said = [text.get_text() for text in ax.texts]
    assert "destroy nothing: 1" in said
    assert "lose nothing: 1" in said
    assert "Two" in said
    assert ax.get_ylim()[0] < by_price[30] < by_price[200] < ax.get_ylim()[1]


def test_cost_effectiveness__names_overlap_neither_each_other_nor_points(ranking):
    ax = plots.cost_effectiveness(ranking)
    boxes = [text.get_window_extent() for text in ax.texts if text.get_text() in set(ranking["name"])]
    assert boxes
    assert not any(a.overlaps(b) for i, a in enumerate(boxes) for b in boxes[:i])


def test_png__same_bytes_twice_and_no_setting_changed(game):
    before = dict(matplotlib.rcParams)
    first, second = (plots.png(plots.kill_panels(kill_curves(game, VERSUS))) for _ in range(2))
    assert first == second
    assert first.startswith(b"\x89PNG")
    assert dict(matplotlib.rcParams) == before
