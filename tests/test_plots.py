"""Pictures: the Axes that were given, and the data that was given."""

from __future__ import annotations

import io
from types import SimpleNamespace
from typing import Any

import matplotlib
import numpy as np
import pandas as pd
import pytest
from handmade import at, vehicle
from matplotlib import pyplot
from matplotlib.figure import Figure

import aabalance as aab
from aabalance.analysis.pairs import kill_curves
from aabalance.game import Game
from aabalance.report import build, plots, summary
from aabalance.report.plots import canvas, heatmap, kills, prices
from aabalance.rulesets import OURS

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


@pytest.mark.slow
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
    ax = kills.kill_lines(curves)
    assert len(ax.lines) == 1
    assert [text.get_text() for text in ax.texts] == ["a destroys t\nb destroys t"]


@pytest.mark.slow
def test_kill_panels__one_panel_a_couple(game):
    versus = [*VERSUS, ("de_pz4h", "us_m4a1")]
    figure = kills.kill_panels(kill_curves(game, versus), footnote="where from")
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


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"price": pd.DataFrame({"a": [1]})}, "^price: found .*, expected a Series or mapping by id$"),
        ({"names": 3}, "^names: found 3, expected a Series or mapping by id$"),
        ({"price": {"a": "dear", "b": None}}, "^price: found none of the frame's units, expected what each costs"),
    ],
)
def test_matchup_heatmap__refuses_prices_and_names_of_another_kind(duels, given, said):
    with pytest.raises(aab.UsageError, match=said):
        plots.matchup_heatmap(duels, **given)


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
    bars: Any = ax.patches
    assert [bar.get_width() for bar in bars] == [0.04, 0.00001]
    assert [text.get_text() for text in ax.texts] == ["4.0; 50 in one pair", "<0.01; 0.10 in one pair"]
    still = plots.sensitivity(frame.iloc[[0, 3]])
    assert not list(still.patches)
    assert still.get_xlabel().endswith("no reading changes any")
    alone = plots.sensitivity(frame.head(1))
    assert not list(alone.patches)
    assert alone.get_xlabel().endswith("no other reading was tried")
    assert summary._most_moved(frame.head(1)) == "No other reading of the rules was tried"
    assert summary._most_moved(frame.iloc[[0, 3]]) == "No other reading of the rules changes who wins"


@pytest.mark.parametrize(
    ("ahead", "said"),
    [
        (("a", "b", 3, 6), "Actions decide: Few ahead up to 3 actions a turn, Many from 6 on"),
        (("b", "b", 9, 1), "Many ahead under every limit"),
        (("a", "a", 3, 3), "Few ahead with 3 actions a turn"),
    ],
)
def test_first_lead__says_whether_actions_decide(ahead, said):
    names = ["ahead_with_few", "ahead_with_many", "few_to", "many_from"]
    leads = pd.DataFrame([ahead], columns=names).assign(list_a="Few", list_b="Many")
    assert summary._first_lead(leads) == said


def test_gains__three_at_either_end_the_most_moved_first_and_none_that_would_read_as_nothing():
    """In points of a hundred: a change of 0.04 would be printed as 0.0."""
    game = Game("skirmish_wars")
    changes = [0.0004, 0.2, -0.1, 0.1, -0.3, 0.3, -0.2, 0.25, -0.0004]
    gains = dict(zip(game.cards, changes, strict=True))
    table = pd.DataFrame()
    table.attrs["gains"] = {"a=1": gains, "b=1": dict(zip(game.cards, [0.0004] * 4 + [-0.01] * 5, strict=True))}
    found = summary._gains(game, SimpleNamespace(sensitivity=table))
    said = {way: [row["change_of_p_win"] for row in rows] for way, rows in found["a=1"].items()}
    assert said == {"gain": [0.3, 0.25, 0.2], "lose": [-0.3, -0.2, -0.1]}
    assert all(row["name"] == game.cards[row["unit"]].name for rows in found["a=1"].values() for row in rows)
    assert found["b=1"]["gain"] == []
    assert len(found["b=1"]["lose"]) == 3


def test_titles__who_destroys_just_what_it_loses_doesn_t_destroy_more():
    results = SimpleNamespace(
        verdict=pd.DataFrame({"p_dearer_wins": [0.6], "p_cheaper_wins": [0.3]}),
        rated=[],
        priced=False,
        cost_effectiveness=pd.DataFrame({"requisition_exchange_ratio": [1.0, 1.5, 0.5, np.inf]}),
        sensitivity=pd.DataFrame({"reading": ["default rules"], "mean_change_of_p_win": [0.0]}),
        leads=[],
    )
    assert summary.titles(Game("skirmish_wars"), results) == {
        "matchup_heatmap": "Who wins: the dearer unit in 60.0 % of duels, the cheaper in 30.0 %",
        "cost_effectiveness": "2 of 4 units destroy more cost than they lose, one against one",
        "sensitivity": "No other reading of the rules was tried",
    }


def test_longest__names_the_attacker_first(game):
    duel = {"attacker": "de_tiger1", "target": "su_t34_85", "range_in": 24, "facing": "front", "player_turns": 12.34}
    said = '12.3 player turns on average: Tiger I (Ausf. E) v T-34-85 (1944), 24", front'
    assert summary._longest(game, pd.DataFrame([duel])) == said


@pytest.mark.slow
def test_battles_section__of_the_largest_span_and_what_each_list_costs(game):
    """One shot: by value it takes the dear one of b, by focus the weak one, which decides the first pair alone."""
    one = vehicle(at(99, 10), hp=10, requisition=30)
    two = [vehicle(at(1, 1), hp=8, requisition=3), vehicle(at(1, 1), hp=10, requisition=40)]
    pairs, how = [([one], two[:1]), ([one], two)], {"modes": [("timed", 1)], "policies": ["value", "focus"]}
    fought = aab.battles(game, pairs, situations=[{"range_in": 6}], actions=[1], **how)
    fought = fought.assign(list_a="one", list_b=["weak"] * 2 + ["both"] * 2)
    spec = SimpleNamespace(lists={"one": "x", "weak": "y", "both": "z"}, policies=["value", "focus"])
    results = SimpleNamespace(
        battles=fought, leads=pd.DataFrame(), rolled=False, actions=pd.DataFrame({"situation": [], "actions": []})
    )
    said = summary._battles(spec, game, results)
    assert said["terms"] == '6", front, timed, 1 round'
    assert (said["span"], said["span_of"]) == (1, "one v both under 1 action a turn")
    assert said["costs"] == {"one": 30, "weak": 3, "both": 43}


def test_situation__in_words_has_all_but_its_weight(game):
    row = {"weight": 0.5, "range_in": 6, "walls": 1, "hidden": True}
    assert build._in_words(row, game.ruleset.labels) == '6", walls 1, hidden'


def test_ladder__the_strongest_is_above_and_scores_stand_in_the_row_of_their_player(ax):
    rows = [("weak", "strong", 0.1), ("strong", "weak", 0.9), ("weak", "other", 0.3), ("other", "weak", 0.7)]
    rows += [("strong", "other", 0.6), ("other", "strong", 0.4)]
    plots.ladder(pd.DataFrame(rows, columns=["player", "against", "score_against"]), ax)
    assert named(ax.yaxis) == named(ax.xaxis) == ["strong", "other", "weak"]
    assert {text.get_position(): text.get_text() for text in ax.texts} == {
        (2, 0): "0.90", (1, 0): "0.60", (0, 1): "0.40", (2, 1): "0.70", (0, 2): "0.10", (1, 2): "0.30",
    }  # fmt: skip
    assert cells(ax)[0, 2] == 0.9


def test_gains_of_worth__those_that_change_most_are_first_either_way():
    rows = {"a": (50, 60), "b": (50, 55), "c": (50, 45), "d": (50, 30)}  # as who_gains has them: the largest loss last
    frame = pd.DataFrame(
        [(unit, *worths) for unit, worths in rows.items()], columns=["unit", "worth_before", "worth_after"]
    )
    found = summary._gains_of_worth(frame)
    assert {way: [row["unit"] for row in some] for way, some in found.items()} == {
        "gain": ["a", "b"],
        "lose": ["d", "c"],
    }


def test_cost_effectiveness__draws_every_unit_and_puts_zero_and_infinity_at_the_edge(ranking, ax):
    assert plots.cost_effectiveness(ranking, ax) is ax
    points = np.vstack([np.asarray(group.get_offsets()) for group in ax.collections])
    assert sorted(points[:, 0]) == [20, 30, 50, 100, 200]
    by_price = {x: y for x, y in points}
    assert [by_price[x] for x in (20, 50, 100)] == [0.2, 1.5, 2.0]
    assert by_price[30] < 0.2
    assert by_price[200] > 2.0
    assert "Two" in [text.get_text() for text in ax.texts]
    assert ax.get_ylim()[0] < by_price[30] < by_price[200] < ax.get_ylim()[1]


def test_cost_effectiveness__names_overlap_neither_each_other_nor_points(ranking):
    ax = plots.cost_effectiveness(ranking)
    boxes = [text.get_window_extent() for text in ax.texts if text.get_text() in set(ranking["name"])]
    assert boxes
    assert not any(a.overlaps(b) for i, a in enumerate(boxes) for b in boxes[:i])


# --- chains: from what the package answers to a picture, without a step between


FIELD = ["su_t34_85", "de_pantherg", "us_m4a1", "de_tiger1"]


@pytest.fixture(scope="module")
def met(game):
    return aab.matchups(game, attackers=FIELD, targets=FIELD)


@pytest.fixture(autouse=True)
def closed():
    yield
    pyplot.close("all")


def cells(ax):
    return np.ma.filled(ax.images[0].get_array(), np.nan)


def named(axis):
    return [label.get_text() for label in axis.get_ticklabels()]


@pytest.mark.parametrize(
    ("least", "most", "marks"),
    [
        (1, 1200, [1, 10, 100, 1000]),
        (30, 700, [50, 100, 200, 500]),
        (85, 190, [100, 120, 140, 160, 180]),
        (46, 147, [60, 80, 100, 120, 140]),
        (98, 103, [98, 100, 102]),
    ],
)
def test_rungs__are_round_numbers_and_three_at_least(least, most, marks):
    assert prices.rungs(least, most) == marks


def test_plots__show_plots_only():
    assert dir(aab.plots) == [
        "action_curve",
        "action_price",
        "cost_effectiveness",
        "damage_distribution",
        "duel_timeline",
        "game_length",
        "kill_probability",
        "ladder",
        "list_units",
        "matchup_heatmap",
        "sensitivity",
        "tuning",
        "worth",
    ]
    everything = {}
    exec("from aabalance.report.plots import *", everything)
    assert set(everything) - {"__builtins__"} == set(dir(aab.plots))


@pytest.mark.slow
@pytest.mark.parametrize("units", [FIELD, FIELD[:2], FIELD[:1], None], ids=["4", "2", "1", "all"])
def test_matchup_heatmap__of_matchups_draws_means_over_the_situations(game, units):
    met = aab.matchups(game, attackers=units, targets=units)
    ax = plots.matchup_heatmap(met)
    size = len(units or game.cards)
    assert cells(ax).shape == (size, size)
    if units == FIELD:
        asked = sorted((int(game.cards[unit].requisition), unit) for unit in FIELD)
        assert named(ax.yaxis) == [f"{unit} ({price})" for price, unit in asked]
        rows = met[(met["attacker"] == "su_t34_85") & (met["target"] == "de_pantherg")]
        expected = np.dot(rows["weight"], rows["p_win"] + rows["p_draw"] / 2)
        assert cells(ax)[1, 2] == pytest.approx(expected, rel=1e-12)


def test_matchup_heatmap__some_attackers_against_others(met):
    ax = plots.matchup_heatmap(met[met["attacker"].isin(FIELD[:2])])
    assert cells(ax).shape == (2, 4)
    assert named(ax.yaxis) == [f"{unit} ({aab.Game().cards[unit].requisition})" for unit in FIELD[:2]]
    assert not np.isnan(cells(ax)).any()
    against_one = plots.matchup_heatmap(met[met["target"] == "de_tiger1"])
    assert cells(against_one).shape == (4, 1)
    apart = plots.matchup_heatmap(met[(met["attacker"] == "us_m4a1") & (met["target"] != "us_m4a1")])
    assert cells(apart).shape == (1, 3)


def test_matchup_heatmap__pairs_that_are_not_in_the_table_are_not_even(met):
    ax = plots.matchup_heatmap(met[met["attacker"] != met["target"]])
    np.testing.assert_array_equal(np.isnan(cells(ax)), np.eye(4, dtype=bool))
    assert matplotlib.colors.to_hex(ax.get_facecolor()) != "#ffffff"
    assert "pale grey: not in the table" in ax.figure.axes[1].get_xlabel()


def test_matchup_heatmap__of_frames_made_over(game, met):
    expected = cells(plots.matchup_heatmap(met))
    back = pd.read_csv(io.StringIO(met.to_csv(index=False)))
    for made in (back, met.astype({"attacker": str, "target": str}), met.set_index(["attacker", "target"])):
        np.testing.assert_allclose(cells(plots.matchup_heatmap(made)), expected, rtol=1e-12)
    chances = met[["attacker", "target", "weight", "p_win", "p_draw"]]
    ax = plots.matchup_heatmap(chances, price=game.cards.frame()["requisition"], names=game.cards.frame()["name"])
    np.testing.assert_allclose(cells(ax), expected, rtol=1e-12)
    assert named(ax.yaxis)[0] == f"M4A1 Sherman (75 mm) ({game.cards['us_m4a1'].requisition})"
    assert named(plots.matchup_heatmap(chances).yaxis) == FIELD
    assert cells(plots.matchup_heatmap(chances, price={"us_m4a1": 2, "de_tiger1": 1})).shape == (2, 2)


def test_matchup_heatmap__a_large_roster_without_prices_has_no_names_on_each_other(game):
    ids = list(game.cards)[: heatmap.MOST_NAMED + 1]
    rows = [(a, b, 0.5, 0.0) for a in ids for b in ids]
    ax = plots.matchup_heatmap(pd.DataFrame(rows, columns=["attacker", "target", "p_win", "p_draw"]))
    assert named(ax.xaxis) == named(ax.yaxis) == []


@pytest.mark.slow
def test_cost_effectiveness__of_the_table_s_own_answer(game, met):
    ax = plots.cost_effectiveness(aab.cost_effectiveness(met))
    assert {"us_m4a1", "de_tiger1"} <= {text.get_text() for text in ax.texts}
    table = aab.cost_effectiveness(met).set_index("unit")
    assert sum(len(group.get_offsets()) for group in ax.collections) == len(FIELD)
    assert [text.get_text() for text in plots.cost_effectiveness(table).texts] == [t.get_text() for t in ax.texts]
    joined = plots.cost_effectiveness(game.cards.frame().join(table.drop(columns="requisition"), how="right"))
    assert "Tiger I (Ausf. E)" in {text.get_text() for text in joined.texts}
    assert [text.get_text() for text in joined.get_legend().get_texts()][-3:] == ["Germany", "USA", "USSR"]


@pytest.mark.parametrize("units", [FIELD[:1], FIELD[:2]], ids=["1", "2"])
def test_cost_effectiveness__names_the_few_that_no_trend_goes_through(game, units):
    ax = plots.cost_effectiveness(aab.cost_effectiveness(aab.matchups(game, attackers=units, targets=units)))
    assert set(units) <= {text.get_text() for text in ax.texts}


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in OURS if name != "armored_advance"])
def test_chains__work_in_every_game(name):
    other = aab.Game(name)
    units = list(other.cards)[:5]
    met = aab.matchups(other, attackers=units, targets=units)
    assert len(plots.matchup_heatmap(met).get_yticklabels()) == len(units)
    assert sum(len(group.get_offsets()) for group in plots.cost_effectiveness(aab.cost_effectiveness(met)).collections)
    assert plots.kill_probability(other, [units[:2]], ranges=range(5)).lines


@pytest.mark.slow
@pytest.mark.parametrize("ratio", [0.0, np.inf, np.nan])
def test_cost_effectiveness__all_of_one_ratio_beyond_the_scale(met, ratio):
    ax = plots.cost_effectiveness(aab.cost_effectiveness(met).assign(requisition_exchange_ratio=ratio))
    ax.figure.canvas.draw()
    assert sum(len(group.get_offsets()) for group in ax.collections) == len(set(met["attacker"]))


def test_cost_effectiveness__leaves_out_what_costs_nothing(met):
    table = aab.cost_effectiveness(met)
    table.loc[table["unit"] == "us_m4a1", "requisition"] = 0.0
    ax = plots.cost_effectiveness(table)
    assert sum(len(group.get_offsets()) for group in ax.collections) == 3
    with pytest.raises(aab.UsageError, match="found no unit that costs anything"):
        plots.cost_effectiveness(table.assign(requisition=0.0))


def test_cost_effectiveness__reads_the_report_s_csv_again(met, game):
    table = aab.cost_effectiveness(met).assign(name="x", nation="", category="vehicle")
    back = pd.read_csv(io.StringIO(table.to_csv(index=False)))
    assert back["nation"].isna().all()
    ax = plots.cost_effectiveness(back)
    assert [text.get_text() for text in ax.get_legend().get_texts()][-1] == "vehicle"


def test_sensitivity__a_filtered_table_loses_no_reading():
    frame = pd.DataFrame(
        {
            "reading": ["default rules", "x=2", "y=1"],
            "mean_change_of_p_win": [0, 0.04, 0.01],
            "largest_change_of_p_win": [0, 0.5, 0.2],
        }
    )
    for part in (frame[frame["mean_change_of_p_win"] > 0], frame[::-1]):
        assert named(plots.sensitivity(part).yaxis) == ["x=2", "y=1"]


def test_kill_probability__goes_as_far_as_the_games_own_report():
    few = Game("modern_land_battles")
    a, b = [*few.cards][:2]
    assert plots.kill_probability(few, [(a, b)]).get_xlim()[1] < 4


def test_kill_probability__takes_cards_pairs_twice_and_ranges_in_any_order(game):
    expected = plots.kill_probability(game, VERSUS, ranges=[6, 18, 30]).lines
    cards = [(game.cards[a], game.cards[b]) for a, b in VERSUS]
    for pairs in (cards, np.array(VERSUS), [*VERSUS, *VERSUS]):
        lines = plots.kill_probability(game, pairs, ranges=[30, 6, 18, 6]).lines
        assert [list(line.get_ydata()) for line in lines] == [list(line.get_ydata()) for line in expected]
        assert list(lines[0].get_xdata()) == [6, 18, 30]


A, B = VERSUS[0]


@pytest.mark.parametrize(
    ("versus", "named", "place"),
    [
        ([], {}, "versus"),
        ((A, B), {}, "versus"),
        (A, {}, "versus"),
        (5, {}, "versus"),
        ([(A, B, A)], {}, "versus"),
        (pd.DataFrame({"attacker": [A], "target": [B]}), {}, "versus"),
        ([(A, B)], {"ranges": []}, "ranges"),
        ([(A, B)], {"ranges": 18}, "ranges"),
        ([(A, B)], {"ranges": [18]}, "ranges"),
        ([(A, B)], {"range_in": 18}, "range_in"),
        ([(A, B)], {"turns": 0}, "turns"),
        ([(A, B)], {"turns": None}, "turns"),
        ([(A, B)], {"turns": "6"}, "turns"),
        ([(A, B)], {"turns": 2.5}, "turns"),
        ([(A, B)], {"ax": np.array([None])}, "ax"),
        ([(A, B)], {"facing": "top"}, "situation facing"),
    ],
)
def test_kill_probability__says_in_a_line_what_it_can_not_draw(game, versus, named, place):
    with pytest.raises(aab.UsageError, match=rf"^{place}: found .*, expected .*") as refused:
        plots.kill_probability(game, versus, **named)
    assert "\n" not in str(refused.value)


def test_pictures_of_a_game__take_its_name(ax):
    name = "armored_advance"
    assert plots.kill_probability(name, VERSUS, ranges=[6, 18], ax=ax).lines
    assert plots.duel_timeline(name, *VERSUS[0], range_in=18).lines
    with pytest.raises(aab.UsageError, match="game: found 5, expected a Game or the name of one"):
        plots.duel_timeline(5, *VERSUS[0], range_in=18)


def test_kill_probability__a_condition_that_no_turn_begins_with_is_refused():
    with pytest.raises(aab.UsageError, match=r"^situation target_suppressed: found a field of one attack"):
        plots.kill_probability(aab.Game("armour_battles"), [("de_stug3", "de_panther")], target_suppressed=True)


def test_kill_probability__two_cards_of_one_unit_are_two_pictures(game):
    changed = aab.Game(changes=[f"{A}.hp=1"]).cards[A]
    with pytest.raises(aab.UsageError, match="different cards"):
        plots.kill_probability(game, [(A, B), (changed, B)])


def test_pictures__of_what_is_no_such_frame_say_where_one_comes_from(game, met):
    ranked = aab.cost_effectiveness(met)
    for draw, source, wrong in (
        (plots.matchup_heatmap, "aab.matchups(game)", (None, game, ranked, met.drop(columns="p_win"), met.head(0))),
        (plots.cost_effectiveness, "aab.cost_effectiveness(matchups)", (None, game, met, ranked.head(0))),
        (plots.sensitivity, "aab.sensitivity(game)", (None, game, met, ranked)),
    ):
        for frame in wrong:
            with pytest.raises(aab.UsageError, match=r"^frame: found .* expected") as refused:
                draw(frame)
            assert str(refused.value).endswith(source)
    with pytest.raises(aab.UsageError, match="several rows of su_t34_85 against su_t34_85 and no column weight"):
        plots.matchup_heatmap(met.drop(columns="weight"))
    with pytest.raises(aab.UsageError, match=r"^price: found none"):
        plots.matchup_heatmap(met, price=pd.Series({"x": 1.0}))
    with pytest.raises(aab.UsageError, match=r"^ax: found a ndarray"):
        plots.matchup_heatmap(met, np.array([1]))


@pytest.mark.slow
def test_png__same_bytes_twice_and_no_setting_changed(game):
    before = dict(matplotlib.rcParams)
    first, second = (canvas.png(kills.kill_panels(kill_curves(game, VERSUS))) for _ in range(2))
    assert first == second
    assert first.startswith(b"\x89PNG")
    assert dict(matplotlib.rcParams) == before
