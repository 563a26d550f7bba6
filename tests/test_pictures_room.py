"""Every picture on rosters of 1, 2, 20 and 131 units: no words on other words, none cut, numbers those of the table."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import matplotlib
import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.path import Path
from matplotlib.text import Text

import aabalance as aab
from aabalance.play.shot import ShotResult
from aabalance.report import plots
from aabalance.report.pictures import source_of
from aabalance.report.plots import canvas, economy, kills, names, rows

SIZES = (1, 2, 20, 131)
GAME = aab.Game()
UNITS = list(GAME.cards)[:131]
NAMES = [GAME.cards[unit].name for unit in UNITS]
ANY = np.random.default_rng(7)


@pytest.fixture(autouse=True)
def closed() -> Iterator[None]:
    yield
    pyplot.close("all")


# --- what is drawn from what


def ranked(size: int) -> pd.DataFrame:
    """A ranking, some of which destroy nothing or lose nothing if there are enough."""
    ratio = np.exp(ANY.normal(0, 0.6, size))
    if size >= 20:
        ratio[3], ratio[5] = 0, np.inf
    cards = [GAME.cards[unit] for unit in UNITS[:size]]
    return pd.DataFrame(
        {
            "unit": UNITS[:size],
            "name": NAMES[:size],
            "nation": [card.nation for card in cards],
            "category": [card.class_ for card in cards],
            "requisition": [card.requisition for card in cards],
            "requisition_exchange_ratio": ratio,
        }
    )


def priced(size: int) -> pd.DataFrame:
    """Worth and prices, each with an interval; a few without."""
    frame = ranked(size).drop(columns="requisition_exchange_ratio")
    worth = frame["requisition"].to_numpy(float) * np.exp(ANY.normal(0, 0.2, size))
    low, high = worth * 0.9, worth * 1.12
    if size >= 20:
        low[4] = high[4] = np.nan
    return frame.assign(
        worth=worth, worth_low=low, worth_high=high, new_requisition=np.round(worth) + 1, fair_low=low, fair_high=high
    )


def met(size: int) -> pd.DataFrame:
    wins = ANY.uniform(0, 1, (size, size))
    rows = [
        (UNITS[i], UNITS[j], wins[i, j] * 0.9, 0.1 if (i + j) % 5 else 0.6, GAME.cards[UNITS[i]].requisition)
        for i, j in itertools.product(range(size), repeat=2)
    ]
    columns = ["attacker", "target", "p_win", "p_draw", "attacker_requisition"]
    frame = pd.DataFrame(rows, columns=columns)
    costs = {unit: GAME.cards[unit].requisition for unit in UNITS}
    return frame.assign(target_requisition=frame["target"].map(costs))


def read(size: int) -> pd.DataFrame:
    change = np.sort(ANY.uniform(0.001, 0.3, size))[::-1]
    switches = list(type(GAME.variant).model_fields)
    return pd.DataFrame(
        {
            "reading": [f"{switches[n % len(switches)]}={n}" for n in range(size)],
            "mean_change_of_p_win": change,
            "largest_change_of_p_win": change * 3,
        }
    )


def economies(size: int, lists: tuple[str, str] = ("Tiger and 2 Panzer IV", "2 T-34-85 and Sherman")) -> pd.DataFrame:
    limits = np.arange(1, size + 1)
    frames = []
    for n, policy in enumerate(("value", "focus")):
        score = 0.5 + 0.45 * np.tanh((limits - size / 2) / (size + 1) + n / 10)
        price = 10.0 + limits + 3 * n
        ends = {f"score_a{end}": score for end in ("", "_low", "_high")}
        for side in "ab":
            ends |= {f"action_price_{side}{end}": price + shift for end, shift in (("", 0), ("_low", -5), ("_high", 5))}
        frames.append(
            pd.DataFrame({**ends, "actions": limits}).assign(
                list_a=lists[0], list_b=lists[1], policy_a=policy, policy_b=policy
            )
        )
    return pd.concat(frames, ignore_index=True)


def shot(size: int) -> ShotResult:
    chances = ANY.dirichlet(np.ones(size))
    damage = {2 * n: float(chance) for n, chance in enumerate(chances)}
    mean = sum(amount * chance for amount, chance in damage.items())
    where = (NAMES[0], NAMES[1], "10.5 cm leFH 18M/2 (indirect)", 18, '"', "hit points", "side", 1, 6)
    return ShotResult(*where, {}, damage, 1 - damage[0], mean, 0.1, ())


def curves(size: int) -> pd.DataFrame:
    """As many pairs as have a colour, both ways."""
    along = np.arange(0, 43, 6.0)
    rows = [
        (attacker, target, x, "", 6, float(np.clip(1 - x / (20 + 9 * n + side * 7), 0, 1)))
        for n in range(min(size, 4))
        for side, (attacker, target) in enumerate(((UNITS[n], UNITS[n + 9]), (UNITS[n + 9], UNITS[n])))
        for x in along
    ]
    return pd.DataFrame(rows, columns=["attacker", "target", "range_in", "situation", "turns", "p_kill_within"])


def alike(size: int) -> pd.DataFrame:
    """Pairs that do the same to each other at every range but the first pair, as long names as there are."""
    longest = sorted(UNITS, key=lambda unit: -len(GAME.cards[unit].name))
    frame = curves(1).replace({UNITS[0]: longest[0], UNITS[9]: longest[1]})
    same = curves(1).assign(p_kill_within=lambda table: np.tile(table["p_kill_within"].to_numpy()[:8], 2))
    others = [same.replace({UNITS[0]: longest[2 * n], UNITS[9]: longest[2 * n + 1]}) for n in range(1, size)]
    return pd.concat([frame, *others], ignore_index=True)


def climbed(size: int) -> pd.DataFrame:
    """Three players, as a ladder has them, or as many as fit into a column."""
    players = [*("random", "greedy", "search"), *(f"search:{2**n}" for n in range(5, 8))][: 3 if size < 20 else 6]
    rows = [(a, b, 0.1 + 0.8 * ANY.uniform()) for a, b in itertools.permutations(players, 2)]
    frame = pd.DataFrame(rows, columns=["player", "against", "score_against"])
    return frame.assign(
        score_against_ci_low=frame["score_against"] - 0.1, score_against_ci_high=frame["score_against"] + 0.1
    )


def lengths(size: int) -> pd.DataFrame:
    """Lengths of matches, under one limit of actions or all that are usual."""
    frames = []
    for actions in range(3, 4 if size < 20 else 9):
        rounds = np.arange(4, 4 + max(min(size, 9), 2))
        table = pd.DataFrame({"board": "small", "mission": "timed", "rounds": rounds})
        table["actions_a"] = table["actions_b"] = actions
        for name, start in (("first_turn_gap", 0.3), ("p_draw", 0.5), ("p_early", 0.2)):
            middle = start / rounds * actions
            table[name], table[f"{name}_ci_low"], table[f"{name}_ci_high"] = middle, middle - 0.02, middle + 0.02
        frames.append(table)
    return pd.concat(frames, ignore_index=True)


def listed(size: int) -> pd.DataFrame:
    """What the units of a list add, at most as many as a list has, and what others would; of one nothing was found."""
    size = min(size, 16)
    frame = pd.DataFrame({"name": NAMES[:size], "number": ANY.integers(1, 4, size)})
    for kind, mean in (("adds", 0.2), ("gain", 0.02)):
        frame[kind] = ANY.normal(mean, 0.1, size)
        frame[f"{kind}_low"], frame[f"{kind}_high"] = frame[kind] - 0.01, frame[kind] + 0.01
    frame.loc[0, ["gain", "gain_low", "gain_high"]] = np.nan
    return frame


PICTURES: dict[str, Callable[[int], Axes]] = {
    "cost_effectiveness": lambda size: plots.cost_effectiveness(ranked(size)),
    "worth": lambda size: plots.worth(priced(size)),
    "tuning": lambda size: plots.tuning(priced(size)),
    "matchup_heatmap": lambda size: plots.matchup_heatmap(met(size), names=dict(zip(UNITS, NAMES, strict=True))),
    "sensitivity": lambda size: plots.sensitivity(read(size)),
    "action_curve": lambda size: plots.action_curve(economies(size)),
    "action_price": lambda size: plots.action_price(economies(size)),
    "game_length": lambda size: plots.game_length(lengths(size)),
    "list_units": lambda size: plots.list_units(listed(size)),
    "ladder": lambda size: plots.ladder(climbed(size)),
    "damage_distribution": lambda size: plots.damage_distribution(shot(size)),
    "kill_probability": lambda size: kills.kill_lines(curves(size), names=dict(zip(UNITS, NAMES, strict=True))),
    "duel_timeline": lambda size: plots.duel_timeline(
        GAME.with_(changes=[f"de_tiger1.hp={7 * size}", f"su_t34_85.hp={7 * size}"]),
        "de_tiger1",
        "su_t34_85",
        range_in=24,
    ),
}

FIGURES: dict[str, Callable[[int], Figure]] = {
    "kill_panels": lambda size: kills.kill_panels(
        curves(size), dict(zip(UNITS, NAMES, strict=True)), "Where all of it comes from, in a line or two of its own."
    ),
    "kill_panels_alike": lambda size: kills.kill_panels(
        alike(min(size, 3)), dict(zip(UNITS, NAMES, strict=True)), "From."
    ),
    "economy_panels": lambda size: economy.panels(
        pd.concat(
            [
                economies(12),
                *([economies(12, ("5 Tigers", "7 T-34-85")), economies(12, ("3 Tigers", "7 Panzer IV"))] * (size > 1)),
            ]
        ),
        "Tiger and 2 Panzer IV ahead up to 3 actions a turn, 2 T-34-85 and Sherman from 4 on: a long title",
        "Where from.",
    ),
}


# --- the properties


def words(figure: Figure) -> list[Text]:
    """Return all that is written, tick labels within their limits too."""
    found: list[Text] = [text for text in figure.texts if text.get_visible()]
    for ax in figure.axes:
        if not ax.get_visible():
            continue
        left: Any = ax  # its title on the left has no public name
        found += [*ax.texts, ax.title, left._left_title, ax.xaxis.label, ax.yaxis.label]
        if ax.get_legend() is not None:
            found += ax.get_legend().get_texts()
        for axis in (ax.xaxis, ax.yaxis):
            low, high = sorted(axis.get_view_interval())
            for tick in axis.get_major_ticks():
                if low <= tick.get_loc() <= high:
                    found += [tick.label1, tick.label2]
    return [text for text in found if text.get_visible() and text.get_text().strip()]


def faults(figure: Figure) -> list[str]:
    """Return which words stand on others, on lines or beyond the figure."""
    figure.draw_without_rendering()
    written = words(figure)
    boxes = [Text.get_window_extent(text) for text in written]
    whole = figure.bbox
    found = [
        f"cut: {text.get_text()!r}"
        for text, box in zip(written, boxes, strict=True)
        if box.x0 < whole.x0 - 1 or box.x1 > whole.x1 + 1 or box.y0 < whole.y0 - 1 or box.y1 > whole.y1 + 1
    ]
    for (one, box), (other, over) in itertools.combinations(zip(written, boxes, strict=True), 2):
        width = min(box.x1, over.x1) - max(box.x0, over.x0)
        height = min(box.y1, over.y1) - max(box.y0, over.y0)
        if width > -2 and height > 1:  # words side by side keep two pixels apart
            found.append(f"{one.get_text()!r} on {other.get_text()!r}")
    for ax in figure.axes:
        lines = [Path(line) for line in names.drawn_lines(ax) if len(line) > 1]
        for text in ax.texts:
            box = Text.get_window_extent(text)
            if text.get_text() and any(line.intersects_bbox(box, filled=False) for line in lines):
                found.append(f"{text.get_text()!r} on a line")
    return found


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", PICTURES)
def test_pictures__no_words_on_others_and_none_cut(name: str, size: int) -> None:
    assert faults(canvas.whole(PICTURES[name](size))) == []


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", FIGURES)
def test_figures__no_words_on_others_none_cut_and_no_empty_panel(name: str, size: int) -> None:
    figure = FIGURES[name](size)
    assert faults(figure) == []
    assert all(ax.lines and ax.get_visible() for ax in figure.axes)
    widths = [ax.get_window_extent().width / figure.dpi for ax in figure.axes]
    assert min(widths) > 2.2, "inches"
    assert max(widths) - min(widths) < 0.4, "no panel squeezes another"


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
def test_titled__a_long_title_leaves_no_words_on_others(size: int) -> None:
    """The title takes room from the Axes, so that names have to be put after it."""
    said = "A sentence about units that destroy more than they lose, which takes two lines", "Where from.\n" * 6
    assert faults(canvas.titled(plots.cost_effectiveness, (8, 5.5), said, ranked(size))) == []


def test_titled__many_lines_below_leave_a_few_bars_their_room() -> None:
    frame = read(3)
    said = (
        "second_damaged=destroyed changes most: by 3.2 points in a pair's chance to win",
        source_of(aab.Game("forumini")),
    )
    figure = canvas.titled(plots.sensitivity, rows.size_of_readings(frame), said, frame)
    assert faults(figure) == []
    bars: Any = figure.axes[0].patches
    assert bars[0].get_window_extent().height / figure.dpi > 0.15, "inches"


def test_faults__finds_what_is_wrong() -> None:
    """The check itself can fail."""
    ax = canvas.axes((4, 3))
    ax.plot([0, 1], [0, 1])
    for at in ((0.5, 0.5), (0.52, 0.5), (2.5, 0.5)):
        ax.annotate("some words", at, annotation_clip=False).set_in_layout(False)
    found = faults(canvas.whole(ax))
    assert [fault.partition(":")[0] for fault in found][:1] == ["cut"]
    assert any(" on 'some words'" in fault for fault in found)
    assert any("on a line" in fault for fault in found)


@pytest.mark.slow
@pytest.mark.parametrize("name", PICTURES)
def test_pictures__have_no_formulas(name: str) -> None:
    """Words are written as they are: between two dollars matplotlib would look for a formula."""
    figure = canvas.whole(PICTURES[name](2))
    assert {text.get_parse_math() for text in words(figure)} == {False}


@pytest.mark.parametrize("name", ["Tank $$", r"Tank $\frac$", "Tank $x$"])
def test_heatmap__writes_dollars(name: str) -> None:
    ax = plots.matchup_heatmap(met(2), canvas.axes((6.4, 6.6)), names={UNITS[0]: name})
    assert canvas.png(canvas.whole(ax))
    with canvas.under({}):
        figure = kills.kill_panels(curves(1), {UNITS[0]: name})
        assert canvas.png(figure)
        assert {text.get_parse_math() for text in words(figure)} == {False}


def test_axes_of__words_of_axes_that_are_given_are_written_as_they_are() -> None:
    ax = Figure().subplots()
    assert ax.xaxis.label.get_parse_math()
    plots.duel_timeline(GAME, "us_m4a3_75w", "de_stug3g", range_in=18, ax=ax)
    written = [ax.xaxis.label, ax.yaxis.label, *ax.get_xticklabels(), *ax.get_yticklabels()]
    assert {text.get_parse_math() for text in written} == {False}


def test_as_written__keeps_what_is_set_meanwhile() -> None:
    """A notebook's backend, which comes with its first picture, sets that pictures are shown."""
    with matplotlib.rc_context({"interactive": False}):
        canvas.as_written()(matplotlib.interactive)(True)
        assert matplotlib.is_interactive()
        assert matplotlib.rcParams["text.parse_math"]


@pytest.mark.parametrize("size", [6, 20])
def test_heatmap__of_long_names_writes_their_beginnings(size: int) -> None:
    long = {unit: f"{unit} with a name that is longer than anybody reads, and goes on and on" for unit in UNITS}
    title = "Who wins: the dearer unit in 78.7 % of duels, the cheaper in 4.6 %", "Means.\nFrom."
    figure = canvas.titled(plots.matchup_heatmap, (6.4, 6.6), title, met(size), names=long)
    assert faults(figure) == []
    assert all("… (" in label.get_text() for label in figure.axes[0].get_yticklabels())


def test_pictures__are_every_public_one() -> None:
    assert set(PICTURES) == set(plots.__all__)


@pytest.mark.slow
@pytest.mark.parametrize("name", PICTURES)
def test_pictures__can_be_read_on_a_phone_and_in_a_dark_notebook(name: str) -> None:
    with pyplot.style.context("dark_background"):
        figure = canvas.whole(PICTURES[name](20))
        assert to_rgb(figure.get_facecolor()) == (1, 1, 1)
        figure.draw_without_rendering()
        for text in words(figure):
            assert contrast(text.get_color()) >= 3, text.get_text()
            # 390 pixels wide, letters are at least as high as those of 6.5 points on paper.
            assert text.get_fontsize() / 72 * 390 / figure.get_figwidth() >= 5.4, text.get_text()


def contrast(colour: Any) -> float:
    """Return the contrast of a colour on white, by the formula of WCAG 2."""
    channels = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(colour)]
    return 1.05 / (float(np.dot((0.2126, 0.7152, 0.0722), channels)) + 0.05)


@pytest.mark.slow
@pytest.mark.parametrize("name", PICTURES)
def test_pictures__say_that_they_are_exact_or_how_sure(name: str) -> None:
    figure = canvas.whole(PICTURES[name](2))
    said = " ".join(text.get_text() for text in words(figure))
    assert "exact" in said or "interval" in said or "band" in said


# --- the numbers


def test_tuning__draws_the_prices_of_the_table_those_that_change_most_first() -> None:
    frame = priced(131)
    ax = plots.tuning(frame)
    before, after = (np.asarray(dots.get_offsets()) for dots in ax.collections[-2:])
    shown = [label.get_text() for label in ax.get_yticklabels()]
    table = frame.set_index("name").loc[shown]
    assert before[:, 0].tolist() == table["requisition"].tolist()
    assert after[:, 0].tolist() == table["new_requisition"].tolist()
    change = np.abs(np.log((frame["new_requisition"] / frame["requisition"]).to_numpy()))
    assert np.abs(np.log(after[:, 0] / before[:, 0])).tolist() == pytest.approx(sorted(change)[::-1][:24])
    intervals: Any = ax.collections[0]
    spans = [segment[:, 0].tolist() for segment in intervals.get_segments()]
    low, high = (table[name].fillna(table["new_requisition"]) for name in ("fair_low", "fair_high"))
    assert spans == [list(pair) for pair in zip(low, high, strict=True)]
    assert ax.get_xlabel().endswith("24 of 131, the largest changes")
    same = plots.tuning(frame.assign(new_requisition=frame["requisition"]).head(3))
    assert same.get_xlabel().endswith("; none changes")


def test_duel_timeline__draws_the_turns_of_the_duel() -> None:
    ax = plots.duel_timeline(GAME, "us_m4a3_75w", "de_stug3g", range_in=18)
    table = aab.turns_of_duel(GAME, "us_m4a3_75w", "de_stug3g", range_in=18)
    a, b, open_ = (np.asarray(line.get_ydata(), dtype=float) for line in ax.lines)
    assert (a + b)[1:] == pytest.approx(table["p_ended"].to_numpy())
    assert (a + b + open_) == pytest.approx(np.ones(len(a)))
    # The README: 0.6366 if the Sherman moves first.
    assert a[-1] == pytest.approx(0.6366, abs=5e-5)
    assert np.diff(a)[1::2] == pytest.approx(0), "nobody wins in the enemy's turn"
    assert ax.lines[0].get_xdata().tolist() == [0, *table["player_turn"]]


def test_duel_timeline__of_a_game_of_conditions_says_so() -> None:
    with pytest.raises(aab.UsageError, match="found a game of conditions"):
        plots.duel_timeline(aab.Game("forumini"), "de_tiger_i", "su_t_34_85", range_in=4)


def test_damage_distribution__its_ticks_are_where_they_say() -> None:
    result = GAME.shot("us_m4_105", "de_pz4h", range_in=18, weapon="105 mm M4 howitzer HE")
    axis = plots.damage_distribution(result).yaxis
    drawn = [(at, label.get_text()) for at, label in zip(axis.get_ticklocs(), axis.get_ticklabels(), strict=True)]
    assert 0.175 in [round(at, 6) for at, _ in drawn]
    assert [float(said.rstrip("%")) for _, said in drawn] == pytest.approx([100 * at for at, _ in drawn])


def test_damage_distribution__a_bar_for_each_amount() -> None:
    result = GAME.shot("us_m7", "de_pz4h", range_in=18, weapon="105 mm M2A1 howitzer HE")
    ax = plots.damage_distribution(result)
    bars: Any = ax.patches
    drawn = {round(bar.get_x() + bar.get_width() / 2): bar.get_height() for bar in bars}
    assert drawn == {int(amount): pytest.approx(p) for amount, p in result.damage.items()}
    assert ax.lines[0].get_xdata()[0] == result.expected_damage
    with pytest.raises(aab.UsageError, match="found a dict"):
        plots.damage_distribution({})  # type: ignore[arg-type]


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
def test_sensitivity__bars_are_as_high_however_many_there_are(size: int) -> None:
    ax = plots.sensitivity(read(size))
    figure = canvas.whole(ax)
    figure.draw_without_rendering()
    assert len(ax.patches) == min(size, rows.MOST_READINGS)
    bar = ax.patches[0].get_window_extent().height / figure.dpi
    assert 0.15 < bar < 0.33, "inches"
    assert ("the 16 largest of 131" in ax.get_xlabel()) == (size == 131)


@pytest.mark.parametrize("size", [20, 131])
def test_outliers__the_five_furthest_out_have_names(size: int) -> None:
    frame = priced(size)
    named = [text.get_text() for text in plots.worth(frame).texts]
    out = np.argsort(-np.abs(np.log((frame["worth"] / frame["requisition"]).to_numpy())))[:5]
    assert [NAMES[n] for n in out] == named[:5]
