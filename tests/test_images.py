"""Pictures look as they did: sizes, colours, widths of lines, and what lies above what."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from drawn import DPI, IMAGES, PICTURES, TOLERANCE, by_rounds, png
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
