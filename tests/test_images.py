"""Pictures look as they did: sizes, colours, widths of lines, and what lies above what."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from drawn import DPI, IMAGES, PICTURES, TOLERANCE, by_rounds, listed, png
from frames import DUEL, curves
from matplotlib import pyplot
from matplotlib.testing.compare import compare_images

from aabalance.errors import UsageError
from aabalance.report import plots
from aabalance.report.plots import canvas, kills


@pytest.fixture(autouse=True)
def closed() -> Iterator[None]:
    yield
    pyplot.close("all")


def difference(name: str, made: bytes, folder: Path) -> str | None:
    actual = folder / f"{name}.png"
    actual.write_bytes(made)
    return compare_images(str(IMAGES / actual.name), str(actual), TOLERANCE)


@pytest.mark.slow
@pytest.mark.parametrize("name", PICTURES)
def test_images__are_as_the_references(name: str, tmp_path: Path) -> None:
    assert difference(name, png(name), tmp_path) is None, "if it is meant so: python tests/drawn.py"


def test_images__a_wider_line_is_noticed(tmp_path: Path) -> None:
    ax = kills.kill_lines(curves(DUEL, [0, 6, 12, 18]), canvas.axes((6.4, 4.2)))
    for line in ax.lines:
        line.set_linewidth(2 * line.get_linewidth())
    assert difference("kills_over_inches", canvas.png(ax.figure, DPI), tmp_path) is not None


def test_images__every_reference_is_compared() -> None:
    assert {path.stem for path in IMAGES.iterdir()} == set(PICTURES)


def test_game_length__has_a_curve_for_each_limit_and_refuses_several_boards() -> None:
    top, _, bottom = plots.game_length(by_rounds()).figure.axes
    assert [line.get_ydata().tolist() for line in top.lines[:2]] == [[-0.1, 0.05], [0.1, 0.25]]
    assert [text.get_text() for text in top.get_legend().get_texts()] == ["3 actions a turn", "5 actions a turn"]
    assert len(top.get_yticks()) > 3
    assert min(top.get_yticks()) < 0
    assert bottom.lines[1].get_ydata().tolist() == [0.5, 0.95]
    uneven = plots.game_length(by_rounds(actions_a=3, actions_b=[1, 1, 4, 4])).figure.axes[0]
    assert [text.get_text() for text in uneven.get_legend().get_texts()] == ["3/1 actions a turn", "3/4 actions a turn"]
    with pytest.raises(UsageError, match="4 boards"):
        plots.game_length(by_rounds(board=["a", "b", "c", "d"]))


def test_game_length__each_panel_says_what_it_shows_and_bands_reach_over_their_intervals() -> None:
    found = by_rounds()
    panels = plots.game_length(found).figure.axes
    assert [ax.get_ylabel() for ax in panels] == ["first turn is worth", "drawn", "end before the limit"]
    for ax, name in zip(panels, ("first_turn_gap", "p_draw", "p_early"), strict=True):
        few = found[found["actions_a"] == 3]
        ends = set(np.asarray(ax.collections[0].get_paths()[0].vertices)[:, 1].round(6).tolist())
        assert ends == {round(y, 6) for end in ("low", "high") for y in few[f"{name}_ci_{end}"]}


def test_list_units__names_how_many_there_are_and_has_what_one_adds_above_what_another_would() -> None:
    ax = plots.list_units(listed())
    assert [text.get_text() for text in ax.get_yticklabels()] == ["Heavy", "3 Medium", "2 Scout"]
    dots = {str(one.get_label()): np.asarray(one.get_offsets()) for one in ax.collections}
    adds, gain = dots["one of it adds to the score"], dots["the best found in its place would add"]
    assert adds[:, 0].tolist() == [0.3, 0.1, -0.02]
    assert (adds[:, 1] < gain[:, 1]).all()
    assert ax.get_ylim()[0] > ax.get_ylim()[1], "rows go down"
    assert ax.xaxis.get_major_formatter()(0.3) == "30", "points of score"
