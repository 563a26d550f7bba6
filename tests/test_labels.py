"""Names beside curves and points, and words along axes of costs."""

from __future__ import annotations

import shutil
from itertools import combinations

import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.transforms import Bbox

from aabalance.analysis.frames import names_of
from aabalance.cards.literals import as_option
from aabalance.files import data_folder
from aabalance.game import Game
from aabalance.report import summary, tables
from aabalance.report.plots import heatmap
from aabalance.report.plots import names as naming

BLACK, RED = "#000000", "#ff0000"
RIGHT, LEFT = ((7.0, 0.0), "left"), ((-7.0, 0.0), "right")
X = np.array([0.0, 10.0, 20.0, 30.0, 40.0])


@pytest.fixture
def ax():
    """Give Axes of 720 x 360 pixels, of a point each, that count from 0 to 40 and from 0 to 1.2."""
    ax = Figure(figsize=(10, 5), dpi=72).add_axes((0, 0, 1, 1))
    ax.set(xlim=(0, 40), ylim=(0, 1.2))
    return ax


def beside(text):
    return text.xyann, text.get_ha()


# --- curves


def called(ax, *curves):
    for curve in curves:
        ax.plot(X, curve, drawstyle="steps-pre")
    naming.name_curves(ax, X, [(np.array(curve), [f"curve {n}"]) for n, curve in enumerate(curves)], (BLACK, RED))
    return ax.texts


@pytest.mark.parametrize(
    ("curve", "at", "side"),
    [
        ([1.0, 0.9, 0.2, 0.1, 0.1], (10, 0.9), RIGHT),  # at its largest step, where it ends to fall
        ([1.0, 1.0, 0.9, 0.8, 0.1], (30, 0.8), RIGHT),
        ([0.9, 0.2, 0.2, 0.2, 0.2], (0, 0.9), RIGHT),
        ([0.1, 0.1, 0.9, 0.9, 0.9], (10, 0.9), LEFT),  # where it rises, the curve itself is on the right
        ([0.2, 0.9, 0.9, 0.9, 0.9], (0, 0.55), RIGHT),  # there is nothing left of the first step
    ],
)
def test_name_curves__at_the_top_of_the_largest_step_where_the_curve_is_not(ax, curve, at, side):
    (text,) = called(ax, curve)
    assert (text.xy, beside(text), text.get_va()) == (at, side, "center")


def test_name_curves__a_level_one_is_named_a_third_along(ax):
    (text,) = called(ax, [0.5] * 5)
    (side, up), ha = beside(text)
    assert (text.xy, side, ha) == ((0, 0.5), 7, "left")
    assert up > 5, "above the line, not on it"


def test_name_curves__not_beyond_the_edge(ax):
    """The step at 30 has no room on its right; beside its middle, the curve on the left is well above."""
    naming.name_curves(ax, X, [(np.array([1, 1, 1, 1, 0.1]), ["a name of quite some length, and more"])], (BLACK,))
    assert (ax.texts[0].xy, beside(ax.texts[0])) == ((30, 0.55), LEFT)


@pytest.mark.parametrize(
    ("curve", "limits", "at"),
    [
        ([1.19, 1.19, 0.6, 0.6, 0.6], (0, 1.2), (10, 0.895)),  # beside the middle of the step, as its top is too high
    ],
)
def test_name_curves__not_above_the_picture(ax, curve, limits, at):
    ax.plot(X, curve, drawstyle="steps-pre")
    ax.set_ylim(limits)
    naming.name_curves(ax, X, [(np.array(curve), ["curve 0"])], (BLACK, RED))
    (text,) = ax.texts
    assert (text.xy, beside(text)) == (pytest.approx(at), RIGHT)


def test_name_curves__on_no_other_curve_and_no_other_name(ax):
    one, other = called(ax, [1.0, 1.0, 0.1, 0.1, 0.1], [0.98, 0.98, 0.15, 0.15, 0.15])
    assert (one.xy, beside(one)) == ((10, 1.0), RIGHT)
    assert (other.xy, beside(other)) == ((10, pytest.approx(0.565)), RIGHT)


@pytest.mark.parametrize(("gap", "free"), [(0.33, False), (0.37, True)])
def test_name_curves__a_third_of_a_line_from_any_other_curve(ax, gap, free):
    """A name is as far from a curve that passes above it as is a line of text of 1.7 times its height."""
    curve = [0.8, 0.8, 0.1, 0.1, 0.1]
    (alone,) = called(ax, curve)
    box = alone.get_window_extent()
    alone.remove()
    named = called(ax, curve, [(box.y1 + gap * box.height) / 300] * 5)[0]
    assert (named.xy == (10, 0.8)) == free


@pytest.mark.parametrize("seed", range(4))
def test_name_curves__each_is_free_where_there_is_room(ax, seed):
    heights = np.random.default_rng(seed).uniform(0.05, 1, (3, 5))
    curves = np.sort(heights, axis=1)[:, ::-1]
    texts = called(ax, *curves)
    assert [text.get_text() for text in texts] == ["curve 0", "curve 1", "curve 2"]
    boxes = [text.get_window_extent() for text in texts]
    assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))
    for curve in curves:
        for n in range(1, 5):
            level = ax.transData.transform([(X[n - 1], curve[n]), (X[n], curve[n])])
            upright = ax.transData.transform([(X[n - 1], curve[n - 1]), (X[n - 1], curve[n])])
            for (x0, y0), (x1, y1) in (level, upright[::-1]):
                assert not any(box.x0 < x1 and box.x1 > x0 and box.y0 < y1 and box.y1 > y0 for box in boxes)


def test_name_curves__in_the_curve_s_colour_and_several_names_below_each_other(ax):
    curves = [(np.linspace(1, 0.1, 5) / n, ["one", "other"]) for n in (1, 2, 3)]
    naming.name_curves(ax, X, curves, (BLACK, RED))
    assert [text.get_color() for text in ax.texts] == [BLACK, RED, BLACK]
    assert {text.get_text() for text in ax.texts} == {"one\nother"}
    assert not any(text.get_in_layout() for text in ax.texts), "they must not move the panel that they were placed in"


@pytest.fixture(params=["laid out before", "not laid out"])
def narrow(request):
    """Give Axes that long words along the side leave two thirds of a part of a figure, once it is laid out."""
    figure = Figure(figsize=(10, 5), dpi=72, layout="constrained")
    ax = figure.subfigures(1, 2)[0].subplots()
    ax.set(xlim=(0, 40), ylim=(0, 1.2), yticks=[0], yticklabels=["words that take quite some room"])
    if request.param == "laid out before":
        figure.draw_without_rendering()
    return ax


def test_name_curves__in_axes_as_they_will_be(narrow):
    """On the right of the step the name has room only before the words on the left have theirs."""
    naming.lay_out(narrow)
    naming.name_curves(narrow, X, [(np.array([1, 1, 1, 1, 0.1]), ["ten letters"])], (BLACK,))
    assert (narrow.texts[0].xy, beside(narrow.texts[0])) == ((30, 0.55), LEFT)


# --- points


def named(ax, points, peers, names=None):
    x, y = (np.array(values, dtype=float) for values in zip(*points, strict=True))
    names = [f"u{n}" for n in range(len(points))] if names is None else names
    naming.lay_out(ax)
    naming.name_outliers(ax, names, np.array(peers), x, y, BLACK)
    return {text.get_text(): text for text in ax.texts}


GRID = [(4 * column + 2, 0.2 * row + 0.1) for column in range(9) for row in range(6)]


def test_name_outliers__the_twelve_furthest_from_the_trend(ax):
    """Half as much as one's peers is as far out as twice as much; who is at the trend isn't out at all."""
    peers = [2.0 ** (n * (-1) ** n / 10) for n in range(len(GRID))]
    assert set(named(ax, GRID, peers)) == {f"u{n}" for n in range(42, 54)}


def test_name_outliers__the_furthest_first(ax):
    assert list(named(ax, GRID[:5], [1.5, 0.1, 1.0, 4.0, 2.0])) == ["u1", "u3", "u4", "u0"]


def test_name_outliers__none_at_the_trend_or_without_a_place_beside_it(ax):
    assert set(named(ax, GRID[:5], [1.0, 0.0, np.inf, np.nan, 0.5])) == {"u4"}


@pytest.mark.parametrize("peers", [np.nan, 0.0, np.inf])
def test_name_outliers__all_where_there_is_no_trend(ax, peers):
    assert set(named(ax, GRID[:5], [peers] * 5)) == {f"u{n}" for n in range(5)}


SPOTS = [(7, 0), (-7, 0), (6, 7), (6, -7), (-6, 7), (-6, -7)]
"""Points from a unit, right and left of it, then above and below."""


@pytest.mark.slow
@pytest.mark.parametrize("taken", range(len(SPOTS)))
def test_name_outliers__the_first_of_six_places_that_is_free(ax, taken):
    (free,) = named(ax, [(20, 0.5)], [2.0]).values()
    width = free.get_window_extent().width
    free.remove()
    for dx, dy in SPOTS[:taken]:  # a dot in the way, and so in one place alone
        middle = (400 + dx + np.sign(dx) * width / 2, 200 + dy)
        ax.annotate(".", ax.transData.inverted().transform(middle), fontsize=1, va="center", ha="center")
    found = named(ax, [ax.transData.inverted().transform((400, 200))], [2.0])
    dx, dy = SPOTS[taken]
    assert (found["u0"].xyann, found["u0"].get_ha()) == ((dx, dy), "left" if dx > 0 else "right")


@pytest.mark.slow
@pytest.mark.parametrize("side", ["x0", "x1", "y0", "y1"])
@pytest.mark.parametrize(("gap", "free"), [(3.97, False), (4.03, True)])
def test_name_outliers__four_points_from_any_other_unit(ax, side, gap, free):
    (alone,) = named(ax, [(20, 0.5)], [2.0]).values()
    box = alone.get_window_extent()
    alone.remove()
    x, y = (box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2
    off = gap if side in ("x1", "y1") else -gap
    other = (getattr(box, side) + off, y) if side[0] == "x" else (x, getattr(box, side) + off)
    found = named(ax, [(20, 0.5), ax.transData.inverted().transform(other)], [2.0, 1.0])
    assert (beside(found["u0"]) == RIGHT) == free


@pytest.mark.parametrize(
    ("at", "place"),
    [((39.9, 0.6), (-7, 0)), ((20, 1.195), (6, -7)), ((20, 0.005), (6, 7))],
    ids=["right", "top", "bottom"],
)
def test_name_outliers__within_the_picture(ax, at, place):
    assert named(ax, [at], [2.0])["u0"].xyann == place


def test_name_outliers__not_on_a_legend(ax):
    ax.plot([0], [2], label="a group of units")
    legend = ax.legend(loc="center")
    found = named(ax, [(20, 0.6), (1, 0.1)], [4.0, 2.0])
    boxes = [text.get_window_extent() for text in found.values()]
    assert "u1" in found
    assert not Bbox.intersection(legend.get_window_extent(), boxes[0])


def test_name_outliers__not_on_another_name(ax):
    """The second unit, 8 points above the first, is out of the way of the first's name, but its own name isn't."""
    found = named(ax, [(20, 0.5), (20, 0.5 + 8 / 300)], [4.0, 2.0])
    assert [beside(found[name]) for name in ("u0", "u1")] == [RIGHT, LEFT]


def test_name_outliers__in_axes_as_they_will_be(narrow):
    assert beside(named(narrow, [(30, 0.5)], [2.0], ["ten letters"])["ten letters"]) == LEFT


def test_name_outliers__a_name_without_room_is_left_out(ax):
    assert named(ax, [(20, 0.6)], [2.0], ["a name far wider than the picture " * 9]) == {}


# --- names at the ends of curves


def ended(ax, *ends, x=40):
    naming.lay_out(ax)
    naming.name_ends(
        ax, x, [(y, name, colour) for y, name, colour in zip(ends, "abc", (BLACK, RED, BLACK), strict=False)]
    )
    return ax.texts


def middle(text):
    box = text.get_window_extent()
    return (box.y0 + box.y1) / 2


def test_name_ends__each_on_the_right_of_its_curve_in_its_colour(ax):
    low, high = ended(ax, 0.2, 0.8)
    assert [(text.get_text(), text.get_color(), text.xy) for text in (low, high)] == [
        ("a", BLACK, (40, 0.2)), ("b", RED, (40, 0.8)),
    ]  # fmt: skip
    assert [middle(text) for text in (low, high)] == pytest.approx([60, 240], abs=1)
    assert all(
        text.get_window_extent().x0 == pytest.approx(ax.transData.transform((40, 0))[0] + 9, abs=1) for text in ax.texts
    )
    assert (low.get_va(), low.get_in_layout()) == ("center", False)


def test_name_ends__make_room_on_the_right_and_no_more_than_they_need(ax):
    ended(ax, 0.5)
    narrow = ax.get_xlim()[1]
    assert 40 < narrow < 43
    naming.name_ends(ax, 40, [(0.5, "a name that is quite long", BLACK)])
    assert ax.texts[-1].get_window_extent().x1 < ax.get_window_extent().x1
    assert ax.get_xlim()[0] == 0
    wide = ax.get_xlim()[1]
    naming.name_ends(ax, 40, [(0.5, "a", BLACK)])
    assert ax.get_xlim()[1] == wide, "others may need the room"


@pytest.mark.parametrize("ends", [(0.5, 0.5, 0.5), (0.0, 0.0, 0.01), (1.2, 1.2, 1.19), (0.5, 0.52, 0.9)])
def test_name_ends__do_not_overlap_and_stay_inside_in_the_order_of_their_curves(ax, ends):
    texts = ended(ax, *ends)
    boxes = [text.get_window_extent() for text in texts]
    assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))
    view = ax.get_window_extent()
    assert all(box.y0 >= view.y0 and box.y1 <= view.y1 for box in boxes)
    order = sorted(range(3), key=lambda n: ends[n])
    assert sorted(range(3), key=lambda n: middle(texts[n])) == order


@pytest.mark.parametrize(
    ("few", "few_to", "many", "many_from", "said"),
    [
        ("a", 1, "b", 2, "A ahead up to 1 action a turn, B from 2 on"),
        ("b", 5, "a", 9, "B ahead up to 5 actions a turn, A from 9 on"),
        ("neither", 3, "a", 4, "neither side ahead up to 3 actions a turn, A from 4 on"),
        ("a", 12, "a", 1, "A ahead under every limit"),
        ("a", 4, "a", 4, "A ahead with 4 actions a turn"),  # the only one
        ("neither", 1, "neither", 1, "neither side ahead with 1 action a turn"),
        ("a", 2, "a", 5, "A ahead up to 2 actions a turn, A from 5 on"),
    ],
)
def test_lead_in_words__who_and_up_to_where_and_from_where_on(few, few_to, many, many_from, said):
    lead = {"ahead_with_few": few, "few_to": few_to, "ahead_with_many": many, "many_from": many_from}
    assert tables.lead_in_words({"list_a": "A", "list_b": "B", **lead}) == said


# --- axes of costs


@pytest.mark.parametrize(
    ("prices", "groups", "edges"),
    [
        (range(12), 6, [0, 2, 4, 6, 8, 10, 12]),
        (range(7), 3, [0, 2, 4, 7]),
        ([1, 1, 1, 1, 1, 2], 2, [0, 5, 6]),
        ([1, 1, 1, 1, 2, 3], 3, [0, 4, 6]),
        ([1, 1, 2], 3, [0, 2, 3]),
        ([1, 1, 2, 3], 4, [0, 2, 3, 4]),
        ([5] * 9, 3, [0, 9]),
        ([1, 2], 6, [0, 1, 2]),
        ([7], 6, [0, 1]),
    ],
)
def test_price_groups__of_near_equal_size_and_no_price_in_two(prices, groups, edges):
    assert heatmap.price_groups(list(prices), groups) == edges


def test_price_groups__are_six():
    assert heatmap.price_groups(list(range(60))) == [0, 10, 20, 30, 40, 50, 60]


@pytest.mark.parametrize(("low", "high", "text"), [(5, 5, "5"), (5, 7.5, "5–7.5"), (2.5, 2.5, "2.5")])
def test_span_of__one_cost_or_two(low, high, text):
    assert heatmap.span_of(low, high) == text


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (0.00009, "<0.01"),
        (0.0001, "0.010"),
        (0.0123, "1.2"),
        (0.01, "1.0"),
        (0.0994, "9.9"),
        (0.0996, "10"),
        (0.123, "12"),
        (0.996, "100"),
        (1, "100"),
    ],
)
def test_points_of_chance__two_digits_below_ten(change, text):
    assert tables.points_of_chance(change) == text


@pytest.mark.parametrize(
    ("value", "said"), [("true", "yes"), ("false", "no"), ("none", "none"), ("two_dice", "two dice")]
)
def test_plain__a_switch_and_its_value_are_words(value, said):
    assert tables.plain(f"roll_again={value}") == f"roll again: {said}"


def test_options_of__another_game_and_other_rules_by_their_switches():
    assert summary.options_of(Game()) == ""
    game = Game(variant={"resolution": "two_dice", "hit_mods_affect_penetration": False})
    said = summary.options_of(game)
    assert sorted(said.split(" --variant ")[1:]) == ["hit_mods_affect_penetration=false", "resolution=two_dice"]
    assert summary.options_of(Game("skirmish_wars")) == " --game skirmish_wars"


def test_options_of__other_cards(tmp_path):
    shutil.copytree(data_folder("unitdb") / "skirmish_wars", tmp_path / "mine")
    game = Game("skirmish_wars", cards=tmp_path / "mine", changes=["tank.cost*=1.1"])
    assert summary.options_of(game) == " --game skirmish_wars --cards DIR"
    assert summary.options_of(Game(changes=["de_tiger1.hp=50"])) == ""


@pytest.mark.parametrize(
    ("switch", "value", "said"),
    [
        ("he_n", 1, "he_n=1"),
        ("reroll_limit", None, "reroll_limit=none"),
        ("a", True, "a=true"),
        ("a", ("é", 1), 'a=["é", 1]'),
        ("a", {}, "a={}"),
        ("a", {"b-c": 1, "d e": 2, "é": 3}, 'a={ b-c = 1, "d e" = 2, "é" = 3 }'),
    ],
)
def test_as_option__as_the_command_line_takes_it(switch, value, said):
    assert as_option(switch, value) == said


@pytest.mark.parametrize(("value", "said"), [(True, "true"), (False, "false"), ("strict", "strict")])
def test_reading__switches_as_the_command_line_takes_them(value, said):
    switch = "range_boundary" if isinstance(value, str) else "natural_six_hits" if value else "he_advantage"
    assert Game(variant={switch: value}).reading == f"{switch}={said}"


def test_names_of__by_id():
    assert names_of(Game())["de_tiger1"] == "Tiger I (Ausf. E)"
