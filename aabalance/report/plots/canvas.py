"""Figures and colours of all pictures, and a finished figure as PNG.

No rcParams are changed and nothing is shown: a notebook shows a new figure by itself. The figures of a report (`axes`)
belong to no window and needn't be closed.
"""

from __future__ import annotations

import io
import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import matplotlib
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter

from aabalance.errors import UsageError

INK = "#1b1f24"
MUTED = "#5b6470"
GRID = "#dfe3e8"
DRAW = "#8d949e"
DPI = 150

TITLE_LETTERS, NOTE_LETTERS = 9.5, 16
"""Letters of a title and of a footnote that take an inch."""
WIDTH = 6.4
"""Inches: on a phone, 390 pixels wide, small letters are then still 7 pixels high."""

LEGEND_COLUMNS = 4

# Okabe and Ito's colours, which the colour-blind tell apart, darkened where they were too pale for text on white.
COLOURS = ("#0072b2", "#d55e00", "#008a64", "#b3579a", "#a37800", "#7a7f87", "#1b1f24", "#7a3b00")
MARKERS = ("o", "s", "^", "D", "v", ">", "p", "<")


def whole(ax: Axes) -> Figure:
    """Return the whole figure that Axes belong to."""
    figure = ax.figure.get_figure(root=True)
    assert isinstance(figure, Figure)
    return figure


def titled(
    draw: Callable[..., Axes], size: tuple[float, float], words: tuple[str, str], frame: pd.DataFrame, **given: Any
) -> Figure:
    """Return a figure of so many inches on which a frame is drawn, with a title and a footnote.

    Parameters
    ----------
    draw : callable
        Draws a frame on Axes.
    size : (float, float)
        Width and height in inches, which grows with each further line of title and footnote.
    words : (str, str)
        Title and footnote.
    frame : DataFrame
        The frame.
    **given
        Further arguments of `draw`.
    """
    ax = axes(size)
    figure = whole(ax)
    entitle(figure, *words)  # before names are put where they cover nothing: it takes room
    more = sum(text.get_text().count("\n") * float(text.get_fontsize()) for text in figure.texts)
    figure.set_figheight(size[1] + 1.25 * more / 72)
    draw(frame, ax, **given)
    return figure


def png(figure: Figure, dpi: int = DPI) -> bytes:
    """Return a figure as PNG; the same figure always gives the same bytes."""
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=dpi, metadata={"Software": None})
    return buffer.getvalue()


def settings() -> dict[str, Any]:
    """Return all settings of matplotlib that differ from their defaults, without the one that opens windows."""
    # Not by rcParams itself, which would begin to look for windows.
    now, usual = dict.items(matplotlib.rcParams), dict(dict.items(matplotlib.rcParamsDefault))
    return {name: value for name, value in now if name != "backend" and value != usual.get(name)}


@contextmanager
def under(settings: Any) -> Iterator[None]:
    """Draw what is drawn inside as somebody does who has these settings; see `settings`."""
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(settings)
        with as_written():
            yield


@contextmanager
def as_written() -> Iterator[None]:
    """Write words as they are: names may have dollars, between which matplotlib looks for a formula.

    All other settings stay: what shows pictures in a notebook makes some of its own with the first of them.
    """
    before = matplotlib.rcParams["text.parse_math"]
    matplotlib.rcParams["text.parse_math"] = False
    try:
        yield
    finally:
        matplotlib.rcParams["text.parse_math"] = before


def figure(size: tuple[float, float]) -> Figure:
    """Return an empty figure of so many inches, outside pyplot."""
    return Figure(figsize=size, layout="constrained", facecolor="white")


def axes(size: tuple[float, float]) -> Axes:
    """Return empty Axes, outside pyplot; `size` is their width and height in inches."""
    return figure(size).subplots()


def axes_of(ax: Axes | None, size: tuple[float, float]) -> Axes:
    """Return `ax`, or new Axes of pyplot's with this `size` if it is None; a notebook shows these.

    Raises
    ------
    UsageError
        `ax` is something else.
    """
    if isinstance(ax, Axes):
        for axis in (ax.xaxis, ax.yaxis):  # their texts were made before `as_written`
            axis.reset_ticks()
            axis.label.set_parse_math(False)
        return ax
    if ax is not None:
        raise UsageError(f"ax: found a {type(ax).__name__}, expected one Axes")
    from matplotlib import pyplot

    _, new = pyplot.subplots(figsize=size, layout="constrained", facecolor="white")
    return new


def plain(ax: Axes, across: str | None = None, up: str | None = None) -> None:
    """Give `ax` two pale axis lines and a light grid, on white, since ink is dark; name what is `across` and `up`."""
    for name, said in ((ax.set_xlabel, across), (ax.set_ylabel, up)):
        if said is not None:
            name(said, color=MUTED)
    if max(to_rgb(whole(ax).get_facecolor())) < 1:
        whole(ax).set_facecolor("white")
    ax.set_facecolor("white")
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        ax.spines[side].set_color(DRAW)
    ax.tick_params(colors=INK, labelsize=9, length=3)
    ax.grid(color=GRID, lw=0.8, zorder=0)
    ax.set_axisbelow(True)


def in_percent(ax: Axes, ticks: bool = True) -> None:
    """Mark the upright axis in percent, at quarters unless `ticks` is false."""
    if ticks:
        ax.yaxis.set_major_locator(FixedLocator([0, 0.25, 0.5, 0.75, 1]))
    ax.yaxis.set_major_formatter(FuncFormatter(lambda share, _: FuncFormatter.fix_minus(f"{100 * share:.6g}%")))


def legend_above(ax: Axes, columns: int = LEGEND_COLUMNS) -> None:
    """Say above Axes what their marks and lines mean, where nothing is drawn."""
    ax.legend(
        loc="lower left", bbox_to_anchor=(0, 1), frameon=False, ncols=columns, fontsize=8.5, labelcolor=INK,
        handletextpad=0.4, columnspacing=1.2, borderaxespad=0.3,
    )  # fmt: skip


def entitle(figure: Figure, title: str, footnote: str) -> None:
    """Put a title above a figure and a footnote below it."""
    heading = textwrap.fill(title, int(TITLE_LETTERS * figure.get_figwidth()))
    figure.suptitle(heading, x=0.01, ha="left", fontsize=12, fontweight="bold", color=INK)
    letters = int(NOTE_LETTERS * figure.get_figwidth())
    lines = [textwrap.fill(line, letters) for line in footnote.splitlines()]
    figure.supxlabel("\n".join(lines), x=0.01, ha="left", fontsize=8, color=MUTED, multialignment="left")
