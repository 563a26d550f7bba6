"""Pictures of frames made by hand: where each mark and word stands, and what it says.

How they look (sizes, widths, what lies above what) is for `test_images.py` to hold.
"""

from __future__ import annotations

import struct

import numpy as np
import pandas as pd
import pytest
from frames import DUEL, HEXES, ONE, OTHER, THIRD, curves, economies, grid, readings, units, worths
from matplotlib import pyplot
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

from aabalance.errors import UsageError
from aabalance.report import plots
from aabalance.report.plots import canvas, economy, kills


@pytest.fixture
def ax():
    return Figure(figsize=(7, 5)).subplots()


@pytest.fixture(autouse=True)
def closed():
    yield
    pyplot.close("all")


def words(axis):
    """Return the words along an axis."""
    return [label.get_text() for label in axis.get_ticklabels()]


def legend(ax):
    """Return the words of the legend."""
    return [text.get_text() for text in ax.get_legend().get_texts()]


def pixels(png):
    """Return the width and the height of a PNG, which stand behind the first 16 bytes."""
    return struct.unpack(">II", png[16:24])


# --- kills against the range


def test_kill_lines__over_inches_the_axes_reach_from_the_first_to_a_little_behind_the_last(ax):
    kills.kill_lines(curves(DUEL, [0, 6, 12, 18]), ax)
    (left, right), (bottom, top) = ax.get_xlim(), ax.get_ylim()
    assert (left, bottom) == (0, 0)
    assert right > 18
    assert top > 1
    assert words(ax.xaxis) == ["0", "6", "12", "18"]
    assert words(ax.yaxis) == ["0%", "25%", "50%", "75%", "100%"]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("range, inches", "destroyed within 4 turns, exact")
    assert [text.get_text() for text in ax.texts] == ["a fires", "b fires"]
    assert [text.get_color() for text in ax.texts] == [line.get_color() for line in ax.lines]
    assert ax.get_legend() is None


@pytest.mark.parametrize(("last", "ticks"), [(12, list(range(13))), (13, [0, 6, 12])])
def test_kill_lines__a_tick_an_inch_up_to_a_foot_beyond_that_every_six(ax, last, ticks):
    kills.kill_lines(curves([("a", "b", [1.0, 0.5])], [0, last]), ax)
    assert ax.get_xticks().tolist() == ticks


def test_kill_lines__a_hex_is_a_step_of_its_own(ax):
    """Each level from half a hex before to half a hex behind; names in a corner, above the curves."""
    kills.kill_lines(curves(DUEL, [1, 2, 3, 4]), ax, length=HEXES)
    first, second = ax.lines
    assert list(first.get_xdata()) == list(second.get_xdata()) == [0.5, 1.5, 2.5, 3.5, 4.5]
    assert list(first.get_ydata()) == [1, 1, 0.5, 0.25, 0]
    assert list(second.get_ydata()) == [0.75, 0.75, 0.5, 0.5, 0.25]
    assert ax.get_xlim()[0] == 0.5
    assert words(ax.xaxis) == ["1", "2", "3", "4"]
    assert ax.get_xlabel() == "range, hexes"
    assert legend(ax) == ["a fires", "b fires"]
    assert not ax.texts


def test_kill_lines__one_range_alone_has_a_width(ax):
    kills.kill_lines(curves([("a", "b", [0.5])], [3]), ax)
    low, high = ax.get_xlim()
    assert low == 3 < high


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([("a", "b", [1.0, 0.5]), ("b", "a", [1.0, 0.5])], ["A and b alike"]),
        ([("a", "b", [1.0, 0.5]), ("b", "a", [1.0, 0.4])], ["A fires", "b fires"]),
        ([("a", "c", [1.0, 0.5]), ("a", "b", [1.0, 0.4])], ["A destroys c", "A destroys b"]),
        ([("a", "b", [1.0, 0.5])], ["A destroys b"]),
        (
            [("a", "b", [1.0, 0.5]), ("a", "c", [1.0, 0.4]), ("c", "a", [1.0, 0.5])],
            ["A destroys b\nc destroys A", "A destroys c"],
        ),
    ],
)
def test_kill_lines__say_who_fires_or_who_destroys_whom(ax, rows, said):
    kills.kill_lines(curves(rows, [6, 12]), ax, {"a": "A"})
    assert [text.get_text() for text in ax.texts] == said
    assert len(ax.lines) == len(said)


def test_kill_lines__each_curve_has_a_colour_and_the_ninth_is_refused(ax):
    rows = [("a", f"t{n}", [1.0, 1 - n / 10]) for n in range(9)]
    kills.kill_lines(curves(rows[:8], [1, 2]), ax, length=HEXES)
    assert len({line.get_color() for line in ax.lines}) == 8
    with pytest.raises(UsageError, match="versus: found more than 8 different curves, expected a colour for each"):
        kills.kill_lines(curves(rows, [1, 2]), ax, length=HEXES)


def test_kill_lines__one_turn_is_one(ax):
    kills.kill_lines(curves(DUEL, [0, 6, 12, 18], turns=1), ax)
    assert ax.get_ylabel() == "destroyed within 1 turn, exact"


def panels(count, spread=1.0, **options):
    rows = [row for n in range(count) for row in ((f"a{n}", f"b{n}", [spread, 0]), (f"b{n}", f"a{n}", [1, 0]))]
    return kills.kill_panels(curves(rows, [6, 24], 2, "1 wall"), {"a0": "Ape"}, "Where from.", **options)


@pytest.mark.slow
@pytest.mark.parametrize(("count", "shape"), [(1, (1, 1)), (2, (1, 2)), (3, (2, 2)), (4, (2, 2))])
def test_kill_panels__two_across_and_as_many_down_as_it_takes(count, shape):
    figure = panels(count)
    assert figure.axes[0].get_gridspec().get_geometry() == shape
    assert len(figure.axes) == count, "no empty panel"


def test_kill_panels__say_who_fires_and_outer_ones_alone_what_the_axes_are():
    shown = panels(3).axes
    assert [[text.get_text() for text in panel.texts] for panel in shown[:2]] == [
        ["Ape and b0 alike"],
        ["a1 and b1 alike"],
    ]
    assert [panel.get_ylabel() != "" for panel in shown] == [True, False, True]
    assert [panel.get_xlabel() != "" for panel in shown] == [False, True, True], "below the second there is none"
    assert shown[0].get_xlim() == shown[2].get_xlim()
    assert {panel.get_title(loc="left") for panel in shown} == {""}, "a title would say it again"


def test_kill_panels__who_can_not_hurt_each_other_has_no_panel_and_is_named_below():
    rows = [*DUEL, ("a", "c", [0.0] * 4), ("c", "a", [0.0] * 4)]
    figure = kills.kill_panels(curves(rows, [0, 6, 12, 18]), {"c": "Cart"})
    assert len(figure.axes) == 1
    assert "At no range can they destroy each other: a and Cart." in figure.get_supxlabel()
    assert len(kills.kill_panels(curves(rows[2:], [0, 6, 12, 18])).axes) == 1, "unless nobody can"


def test_kill_panels__over_hexes_have_their_names_above_the_curves():
    (panel,) = panels(1, 0.9, length=HEXES).axes
    assert [text.get_text() for text in panel.get_legend().get_texts()] == ["Ape fires", "b0 fires"]


@pytest.mark.parametrize(("spread", "finding"), [(0.51, "Distance decides: chance"), (0.5, "Chance")])
def test_kill_panels__the_title_says_whether_every_curve_falls_by_more_than_half(spread, finding):
    figure = panels(1, spread)
    assert (
        figure.get_suptitle().replace("\n", " ")
        == f"{finding} to destroy the enemy within 2 turns of holding, by range"
    )
    assert figure.get_supxlabel() == "Target fresh, 1 wall, returns no fire. Where from."


def test_kill_panels__who_fires_at_one_that_does_not_fire_back_says_at_whom():
    rows = [("a", "b", [1.0, 0.5]), ("a", "c", [0.9, 0.5]), ("d", "e", [1.0, 0.5]), ("e", "d", [0.9, 0.5])]
    figure = kills.kill_panels(curves(rows, [1, 2]), length=HEXES)
    assert [legend(panel) for panel in figure.axes] == [["a destroys b"], ["a destroys c"], ["d fires", "e fires"]]


def test_kill_panels__plain_moments_need_no_words():
    figure = kills.kill_panels(curves(DUEL, [0, 6, 12, 18]))
    assert figure.get_supxlabel() == "Target fresh, returns no fire."


# --- who wins


def painted(image):
    """Return the red, green, blue and cover of each cell."""
    return image.cmap(image.norm(image.get_array()))


def test_matchup_heatmap__orange_loses_white_is_even_blue_wins(ax):
    plots.matchup_heatmap(grid([[0.0, 0.5], [1.0, 0.5]]), ax)
    (image,) = ax.images
    lost, even, won = painted(image)[0, 0], painted(image)[0, 1], painted(image)[1, 0]
    assert tuple(lost[:3]) == to_rgb("#8c3b00")
    assert tuple(won[:3]) == to_rgb("#0b3c68")
    assert even[:3] == pytest.approx((1, 1, 1), abs=0.01)
    bar = ax.figure.axes[1]
    assert bar.get_xticks().tolist() == [0, 0.25, 0.5, 0.75, 1]
    assert words(bar.xaxis) == ["row loses", "25%", "even", "75%", "row wins"]
    assert bar.get_xlabel() == "exact; a draw counts half", "nothing is grey"


def test_matchup_heatmap__half_or_more_drawn_is_grey_and_a_note_under_the_bar_says_so(ax):
    plots.matchup_heatmap(grid([[0.5, 0.2], [0.3, 0.5]], [[0.0, 0.5], [0.49, 0.0]]), ax)
    grey = painted(ax.images[1])
    assert tuple(grey[0, 1]) == (*to_rgb(canvas.DRAW), 1)
    assert grey[..., 3].tolist() == [[0, 1], [0, 0]], "the others are seen through"
    note = ax.figure.axes[1].xaxis.label
    assert note.get_text().split("\n")[1:] == ["grey: half or more drawn"]


@pytest.mark.parametrize(
    ("shape", "aspect"), [((2, 3), 1), ((1, 2), 1), ((2, 1), 1), ((1, 3), "auto"), ((3, 1), "auto")]
)
def test_matchup_heatmap__cells_are_square_unless_there_are_over_twice_as_many_one_way(ax, shape, aspect):
    plots.matchup_heatmap(grid(np.full(shape, 0.5), np.full(shape, 0.5)), ax)
    assert ax.get_aspect() == aspect


def test_matchup_heatmap__names_a_row_and_a_column_each_above_and_turned(ax):
    plots.matchup_heatmap(grid([[0.5, 0.2], [0.8, 0.5]]), ax, price={"u0": 7.5, "u1": 3}, currency="points")
    assert words(ax.xaxis) == words(ax.yaxis) == ["u1 (3)", "u0 (7.5)"]
    assert ax.get_xticks().tolist() == ax.get_yticks().tolist() == [0, 1]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("target (points)", "attacker (points)")
    assert ax.xaxis.get_label_position() == ax.xaxis.get_ticks_position() == "top"
    assert [{label.get_rotation() for label in axis.get_ticklabels()} for axis in (ax.xaxis, ax.yaxis)] == [{90}, {0}]


def test_matchup_heatmap__what_is_not_in_the_table_is_pale_grey_below_the_note_on_draws(ax):
    frame = grid([[0.5, 0.2], [0.8, 0.5]], [[1.0, 0.0], [0.0, 0.0]])
    plots.matchup_heatmap(frame.drop(index=1), ax)
    assert tuple(ax.get_facecolor()[:3]) == to_rgb(canvas.GRID)
    assert painted(ax.images[0])[..., 3].tolist() == [[1, 0], [1, 1]]
    said = ax.figure.axes[1].get_xlabel().split("\n")
    assert said[1:] == ["grey: half or more drawn", "pale grey: not in the table"]


def test_matchup_heatmap__without_costs_says_names_alone(ax):
    plots.matchup_heatmap(grid([[0.5, 0.2], [0.8, 0.5]]), ax, names={"u1": "One"})
    assert words(ax.yaxis) == ["u0", "One"]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("target", "attacker")


@pytest.mark.parametrize(("units", "are_named"), [(30, True), (31, False)])
def test_matchup_heatmap__names_thirty_at_most(ax, units, are_named):
    plots.matchup_heatmap(grid(np.full((units, units), 0.5)), ax)
    assert words(ax.yaxis) == ([f"u{n}" for n in range(units)] if are_named else [])
    assert (ax.get_ylabel() == "attacker, each row a unit, in the table's order") != are_named
    assert (ax.get_xlabel() == "target, each column a unit, in the table's order") != are_named


def test_matchup_heatmap__of_many_says_spans_of_cost_between_lines(ax):
    """Six of six units each: a line between the last row of one and the first of the next."""
    price = {f"u{n}": 10 * (n + 1) for n in range(36)}
    plots.matchup_heatmap(grid(np.full((36, 36), 0.5)), ax, price=price, currency="points")
    spans = ["10–60", "70–120", "130–180", "190–240", "250–300", "310–360"]
    assert words(ax.xaxis) == words(ax.yaxis) == spans
    assert ax.get_xticks().tolist() == ax.get_yticks().tolist() == [2.5, 8.5, 14.5, 20.5, 26.5, 32.5]
    down = [line.get_ydata()[0] for line in ax.lines if line.get_xdata()[1] == 1]
    across = [line.get_xdata()[0] for line in ax.lines if line.get_ydata()[1] == 1]
    assert down == across == [5.5, 11.5, 17.5, 23.5, 29.5]
    assert (ax.get_xlabel(), ax.get_ylabel()) == (
        "target's points, each column a unit", "attacker's points, each row a unit",
    )  # fmt: skip


def test_matchup_heatmap__equal_costs_go_by_id_and_no_cost_at_all_is_none(ax):
    plots.matchup_heatmap(grid(np.full((4, 4), 0.5)), ax, price={"u3": 5, "u1": 5, "u0": 0, "u2": -1})
    assert words(ax.yaxis) == ["u0 (0)", "u1 (5)", "u3 (5)"]


# --- ratios against cost


def test_cost_effectiveness__limits_leave_room_around_points_zero_and_infinity(ax):
    plots.cost_effectiveness(units(), ax, currency="points")
    assert ax.get_xscale() == ax.get_yscale() == "log"
    shown = np.vstack([group.get_offsets() for group in ax.collections])
    for points, (low, high) in zip(shown.T, (ax.get_xlim(), ax.get_ylim()), strict=True):
        assert low < min(points) < max(points) < high
    nothing, *between, endless = ax.get_yticks()
    assert between == pytest.approx([0.2, 0.5, 1, 2])
    assert (nothing, endless) == (min(shown[:, 1]), max(shown[:, 1]))
    assert words(ax.yaxis) == ["0: 1", "×0.2", "×0.5", "×1", "×2", "∞: 1"], "with how many there are"
    assert words(ax.xaxis) == ["20", "50", "100", "200"]
    assert ax.get_xlabel() == "points (log scale)"
    assert ax.get_ylabel() == "points destroyed for each point lost,\none against one, exact (log scale)"
    assert not [*ax.xaxis.get_minorticklocs(), *ax.yaxis.get_minorticklocs()]


@pytest.mark.parametrize("ratios", [[1.0] * 5, [0.4, 1, 1, 1, 4], [np.nan, 1, 1, 1, 0.6]])
def test_cost_effectiveness__half_and_twice_are_always_on_the_scale(ax, ratios):
    plots.cost_effectiveness(units(requisition_exchange_ratio=ratios), ax)
    low, high = ax.get_ylim()
    assert low < 0.5 < 2 < high
    assert not {"0", "∞"} & {word[0] for word in words(ax.yaxis)}


def test_cost_effectiveness__ticks_are_round_numbers_over_any_span(ax):
    plots.cost_effectiveness(
        units(requisition=[1, 5000, 10, 20, 30], requisition_exchange_ratio=[1e-6, 5e6, 1, 1, 1]), ax
    )
    assert ax.get_yticks() == pytest.approx([float(f"1e{n}") for n in range(-6, 7)])
    assert words(ax.xaxis) == ["1", "10", "100", "1000"]


@pytest.mark.parametrize(
    ("prices", "ticks"),
    [([20, 23, 24, 25], "20 25 30"), ([100, 118, 110, 110], "100 120 140"), ([9, 60, 30, 20], "10 20 50")],
)
def test_cost_effectiveness__ticks_are_those_within_the_limits_three_at_least(ax, prices, ticks):
    """From 0.85 of the cheapest to 1.3 times the dearest: 17 to 32.5, 85 to 153.4, 7.65 to 78."""
    plots.cost_effectiveness(units().head(4).assign(requisition=prices), ax)
    assert words(ax.xaxis) == ticks.split()


def test_cost_effectiveness__even_is_a_line_that_the_legend_explains(ax):
    plots.cost_effectiveness(units(), ax)
    assert list(ax.lines[0].get_ydata()) == [1, 1]
    assert legend(ax)[:2] == ["destroys what it loses", "trend of its price"]
    assert {text.get_text() for text in ax.texts} <= set(units()["name"]), "no other words where points are"


def test_cost_effectiveness__the_trend_goes_from_the_cheapest_to_the_dearest(ax):
    plots.cost_effectiveness(units(), ax)
    _, trend = ax.lines
    assert list(trend.get_xdata()) == [20, 30, 50, 100, 200]
    assert list(trend.get_ydata()) == [0.3, 0.5, 0.8, 2.0, 4.0]
    assert trend.is_dashed()


@pytest.mark.parametrize("frame", [units().head(1), units(peer_exchange_ratio=np.nan)], ids=["one unit", "no trend"])
def test_cost_effectiveness__without_a_trend_has_no_words_of_it(ax, frame):
    plots.cost_effectiveness(frame, ax)
    assert len(ax.lines) == 1
    assert "trend of its price" not in legend(ax)


def test_cost_effectiveness__counts_those_beyond_the_scale_where_they_stand(ax):
    ratios = [0.0, 0.0, np.inf, 1.0, np.inf]
    plots.cost_effectiveness(units(requisition_exchange_ratio=ratios), ax)
    assert (words(ax.yaxis)[0], words(ax.yaxis)[-1]) == ("0: 2", "∞: 2")
    nothing, endless = ax.get_yticks()[0], ax.get_yticks()[-1]
    shown = np.vstack([group.get_offsets() for group in ax.collections])
    assert {x: y for x, y in shown} == pytest.approx({20: nothing, 50: nothing, 100: endless, 30: 1, 200: endless})


def test_cost_effectiveness__a_mark_and_a_colour_for_each_nation_in_the_order_of_the_legend(ax):
    many = pd.concat([units().head(1).assign(nation=f"N{n}", requisition=10 + n) for n in (8, *range(8))])
    plots.cost_effectiveness(many.reset_index(drop=True), ax)
    assert legend(ax)[-9:] == [f"N{n}" for n in range(9)]
    looks = [(*group.get_facecolor()[0], group.get_paths()[0].vertices.tobytes()) for group in ax.collections]
    assert len(set(looks)) == 8, "the ninth is as the first"
    assert looks[8] == looks[0]
    assert [group.get_offsets()[0][0] for group in ax.collections] == [10 + n for n in range(9)]


@pytest.mark.parametrize(
    ("frame", "groups"),
    [
        (units(category=list("abcab")), ["X", "Y"]),
        (units(nation="", category=list("abcab")), ["a", "b", "c"]),
        (units(nation=np.nan), []),
    ],
)
def test_cost_effectiveness__groups_are_nations_or_else_categories(ax, frame, groups):
    assert legend(plots.cost_effectiveness(frame, ax))[2:] == groups


# --- what units are worth against what they cost


def test_worth__a_mark_at_price_and_worth_with_its_interval(ax):
    plots.worth(worths(), ax, currency="points")
    assert ax.get_xscale() == ax.get_yscale() == "log"
    assert sorted(tuple(at) for group in ax.collections[1:] for at in group.get_offsets()) == [(20, 50), (100, 80)]
    assert [line.tolist() for line in ax.collections[0].get_segments()] == [
        [[20, 40], [20, 60]],
        [[100, 70], [100, 100]],
    ]
    assert words(ax.xaxis) == ["20", "50", "100"]
    assert words(ax.yaxis) == ["40", "60", "80", "100", "120"]
    assert ax.get_xlabel() == "points asked (log scale)"
    assert ax.get_ylabel() == "points worth, with 90 % interval (log scale)"
    assert legend(ax) == ["worth what it costs", "X", "Y"]


def test_worth__the_line_is_where_the_two_are_equal(ax):
    plots.worth(worths(), ax)
    [line] = ax.lines
    assert list(line.get_xdata()) == list(line.get_ydata())
    assert min(line.get_xdata()) <= ax.get_xlim()[0]
    assert max(line.get_xdata()) >= ax.get_xlim()[1]


def test_worth__names_who_is_furthest_from_its_price_first_and_nobody_who_is_at_it(ax):
    """What costs 20 is worth two and a half times that; 80 is much, but of 100 no more than a fifth less."""
    plots.worth(worths(), ax)
    assert [text.get_text() for text in ax.texts] == ["One", "Two"]
    fair = plots.worth(worths(worth=[50.0, 100.0, np.nan, np.inf]))
    assert [text.get_text() for text in fair.texts] == ["One"]


def test_worth__of_one_opponent_has_no_interval(ax):
    plots.worth(worths(worth_low=np.nan, worth_high=np.nan), ax)
    assert all(low[1] == high[1] for low, high in ax.collections[0].get_segments())


def test_worth__without_nations_goes_by_category_and_without_both_says_what_the_line_is(ax):
    plots.worth(worths(nation="", category=["a", "b", "b", "b"]), ax)
    assert legend(ax)[1:] == ["a", "b"]
    assert legend(plots.worth(worths(nation="", category=""))) == ["worth what it costs"]


@pytest.mark.parametrize("frame", [worths(worth=np.nan), worths(requisition=0)])
def test_worth__refuses_a_frame_without_a_worth(frame):
    with pytest.raises(UsageError, match="worth: found no unit with a worth, expected one at least"):
        plots.worth(frame)


# --- readings


def test_sensitivity__draws_the_sixteen_largest_from_above(ax):
    plots.sensitivity(readings([n / 100 for n in range(20)]), ax)
    assert words(ax.yaxis) == [f"r{n}" for n in range(19, 3, -1)]
    assert ax.get_yticks().tolist() == list(range(16))
    assert [bar.get_width() for bar in ax.patches] == pytest.approx([n / 100 for n in range(19, 3, -1)])
    assert [bar.get_y() + bar.get_height() / 2 for bar in ax.patches] == pytest.approx(range(16))
    assert (ax.texts[0].get_text(), ax.texts[0].xy) == ("19; 38 in one pair", (0.19, 0))


def test_sensitivity__counts_in_percentage_points(ax):
    plots.sensitivity(readings([0.0, 0.1]), ax)
    assert [ax.xaxis.get_major_formatter()(x) for x in (0, 0.05, 0.125)] == ["0", "5", "12.5"]
    assert ax.get_xlabel() == "change of the chance to win a duel, percentage points,\nmean over all pairs, exact"


def test_sensitivity__nothing_moves(ax):
    plots.sensitivity(readings([0.0, 0.0]), ax)
    assert words(ax.yaxis) == []
    assert ax.get_xlabel().endswith("no reading changes any")


def test_sensitivity__equal_changes_stay_in_the_table_s_order(ax):
    plots.sensitivity(readings([0.1] * 20), ax)
    assert words(ax.yaxis) == [f"r{n}" for n in range(16)]


# --- the same dress for all


def lines(ax):
    return kills.kill_lines(curves(DUEL, [0, 6, 12, 18]), ax)


def costs(ax):
    return plots.cost_effectiveness(units(), ax)


def changes(ax):
    return plots.sensitivity(readings([0.0, 0.1]), ax)


def wins(ax):
    return plots.matchup_heatmap(grid([[0.5, 0.2], [0.8, 0.5]]), ax)


@pytest.mark.parametrize("draw", [lines, wins, costs, changes])
def test_pictures__without_axes_given_are_a_new_figure(draw):
    figure = draw(None).figure
    assert pyplot.get_fignums() == [figure.number]
    assert figure.get_layout_engine().__class__.__name__ == "ConstrainedLayoutEngine"


def test_canvas__is_white_and_of_no_window():
    figure = canvas.axes((5, 3)).figure
    assert figure.get_size_inches().tolist() == [5, 3]
    assert figure.get_facecolor() == (1, 1, 1, 1)
    assert pyplot.get_fignums() == []


def test_whole__is_the_figure_of_axes_in_a_part():
    figure = canvas.axes((5, 3)).figure
    part = figure.subfigures(1, 2)[0].subplots()
    assert canvas.whole(part) is figure


@pytest.mark.parametrize(("second", "lines"), [(39, 2), (40, 3)])
def test_entitle__breaks_a_footnote_where_eighty_small_letters_fill_five_inches(second, lines):
    figure = canvas.figure((5, 3))
    footnote = f"{'x' * 40} {'y' * second}\nsource"
    canvas.entitle(figure, "What was found", footnote)
    assert figure.get_suptitle() == "What was found"
    assert len(figure.get_supxlabel().split("\n")) == lines
    assert figure.get_supxlabel().split() == footnote.split()


def test_png__a_hundred_and_fifty_dots_an_inch_or_as_asked_and_no_maker_s_name():
    figure = canvas.axes((2, 1)).figure
    assert pixels(canvas.png(figure)) == (300, 150)
    assert pixels(canvas.png(figure, 10)) == (20, 10)
    assert b"Software" not in canvas.png(figure, 10)


# --- the action economy


def band(ax, n=0):
    """Return the height of a band from its lowest to its highest, where it is at x 1."""
    corners = ax.collections[n].get_paths()[0].vertices
    return sorted({float(y) for x, y in corners if x in (0.5, 1)})


def test_action_curve__of_one_pair_have_a_curve_for_each_policy(ax):
    assert economy.action_curve(economies(ONE, OTHER), ax) is ax
    curves = [line for line in ax.lines if len(line.get_xdata()) == 3]
    assert [list(line.get_ydata()) for line in curves] == [ONE[3], OTHER[3]]
    assert [text.get_text() for text in ax.texts] == ["A ahead", "B ahead", "value", "focus"]
    assert [text.get_color() for text in ax.texts[2:]] == [line.get_color() for line in curves]
    assert [line.get_marker() for line in curves] == ["o", "s"], "told apart without colours, too"
    assert not ax.collections, "exact scores have no interval"
    assert words(ax.yaxis) == ["0%", "25%", "50%", "75%", "100%"]
    assert words(ax.xaxis) == ["1", "2", "3"]
    assert ax.get_ylim() == (-0.1, 1.1)
    assert (ax.get_xlabel(), ax.get_ylabel()) == (
        "action limit of each side's turn,\nexact",
        "wins of the first list, draws half",
    )


def test_action_curve__policies_of_one_score_share_a_curve_and_rolled_ones_have_a_band(ax):
    economy.action_curve(economies(ONE, ("A", "B", "focus", *ONE[3:]), ends=0.05), ax)
    assert [text.get_text() for text in ax.texts] == ["A ahead", "B ahead", "value\nand focus"]
    assert band(ax) == pytest.approx([0.85, 0.95])
    assert ax.get_xlabel().endswith("exact but for the bands")


def test_action_curve__of_several_pairs_have_a_curve_each_and_bands_over_the_policies(ax):
    economy.action_curve(economies(ONE, OTHER, THIRD), ax)
    assert [text.get_text() for text in ax.texts] == ["first ahead", "second ahead", "A\nv B", "C\nv D"]
    assert [list(line.get_ydata()) for line in ax.lines if len(line.get_xdata()) == 3] == [ONE[3], THIRD[3]]
    assert len(ax.collections) == 1
    assert band(ax) == pytest.approx([0.8, 0.9])


def test_action_price__has_a_curve_for_each_side_with_its_whole_units_under_any_policy(ax):
    economy.action_price(economies(ONE, OTHER), ax, currency="points")
    assert [list(line.get_ydata()) for line in ax.lines] == [ONE[4], ONE[4]]
    assert [text.get_text() for text in ax.texts] == ["A", "B"]
    assert band(ax) == [25, 45]
    assert ax.get_ylabel() == "one action more, in points"


def test_action_price__steps_meet_in_the_middle_between_limits_that_are_apart(ax):
    economy.action_price(economies(ONE, limits=(1, 2, 6)), ax)
    corners = ax.collections[0].get_paths()[0].vertices
    assert sorted({float(x) for x, _ in corners}) == [0.5, 1.5, 4, 6.5]


def test_action_price__what_has_no_end_is_a_gap(ax):
    economy.action_price(economies(("A", "B", "value", [0.5] * 3, [np.inf, 10.0, 5.0])), ax)
    assert np.isnan(ax.lines[0].get_ydata()[0])
    assert list(ax.lines[0].get_ydata()[1:]) == [10, 5]


@pytest.mark.parametrize(("harm", "lowest"), [(10.0, 0), (-20.0, -25)])
def test_action_price__begins_at_nothing_or_shows_all_of_what_does_harm(ax, harm, lowest):
    """The whole units around a price are five less and five more."""
    economy.action_price(economies(("A", "B", "value", [0.5] * 3, [30.0, harm, 10.0])), ax)
    assert ax.get_ylim()[0] == lowest


def test_action_curve__two_policies_are_named_in_the_order_of_the_lists(ax):
    economy.action_curve(economies(ONE).assign(policy_b="focus"), ax)
    assert [text.get_text() for text in ax.texts] == ["A ahead", "B ahead", "value v focus"]


@pytest.mark.slow
def test_panels__a_row_for_each_pair():
    figure = economy.panels(economies(ONE, OTHER, THIRD), "What it shows", "Where from.", currency="points")
    first, price, second, other = figure.axes
    assert [text.get_text() for text in first.texts] == ["A ahead", "B ahead", "value", "focus"]
    assert [text.get_text() for text in second.texts] == ["C ahead", "D ahead", "value"]
    assert [legend(panel) for panel in (price, other)] == [["A", "B"], ["C", "D"]]
    assert [panel.get_xlabel() != "" for panel in figure.axes] == [False, False, True, True]
    assert price.get_ylabel() == "one action more, in points"
    assert (figure.get_suptitle(), figure.get_supxlabel()) == ("What it shows", "Where from.")


def test_action_curve__of_no_such_frame_say_where_one_comes_from():
    frame = economies(ONE, THIRD)
    for draw in (economy.action_curve, economy.action_price):
        with pytest.raises(UsageError, match=r"^frame: found no column actions, expected the frame of aab.actions\("):
            draw(frame.drop(columns="actions"))
    with pytest.raises(UsageError, match="frame: found several pairs of lists, expected a picture for each"):
        economy.action_price(frame)
