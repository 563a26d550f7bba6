"""What all pictures are drawn on, and in which colours; a finished figure as PNG.

No rcParams are touched and nothing is shown: a notebook shows a new figure by itself. What a report draws on (`axes`)
belongs to no window and needs no closing.
"""

from __future__ import annotations

import io
import textwrap

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from aabalance.errors import UsageError

INK = "#1b1f24"
MUTED = "#5b6470"
GRID = "#dfe3e8"
DRAW = "#8d949e"
DPI = 150

# Okabe and Ito's colours, which the colour-blind tell apart, darkened where they were too pale for text on white.
COLOURS = ("#0072b2", "#d55e00", "#008a64", "#b3579a", "#a37800", "#7a7f87", "#1b1f24", "#56b4e9")
MARKERS = ("o", "s", "^", "D", "v", ">", "p", "<")


def figure_of(ax: Axes, title: str, footnote: str) -> Figure:
    """Return the figure of an Axes, with a title that says what was found and a footnote on where it comes from."""
    whole = ax.figure.get_figure(root=True)
    assert isinstance(whole, Figure)
    entitle(whole, title, footnote)
    return whole


def png(figure: Figure, dpi: int = DPI) -> bytes:
    """Return the picture; the same figure gives the same bytes on any day."""
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=dpi, metadata={"Software": None})
    return buffer.getvalue()


def figure(size: tuple[float, float]) -> Figure:
    """Return an empty figure of so many inches, outside pyplot."""
    return Figure(figsize=size, layout="constrained", facecolor="white")


def axes(size: tuple[float, float]) -> Axes:
    """Return empty Axes of so many inches, outside pyplot."""
    return figure(size).subplots()


def axes_of(ax: Axes | None, size: tuple[float, float]) -> Axes:
    """Return the Axes that somebody gave, or new ones of pyplot's, which a notebook shows.

    Raises
    ------
    UsageError
        What was given is something else.
    """
    if isinstance(ax, Axes):
        return ax
    if ax is not None:
        raise UsageError(f"ax: found a {type(ax).__name__}, expected one Axes")
    from matplotlib import pyplot

    _, new = pyplot.subplots(figsize=size, layout="constrained")
    return new


def plain(ax: Axes) -> None:
    """Give Axes two quiet axes and a light grid."""
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        ax.spines[side].set_color(DRAW)
    ax.tick_params(colors=INK, labelsize=9, length=3)
    ax.grid(color=GRID, lw=0.8, zorder=0)
    ax.set_axisbelow(True)


def entitle(figure: Figure, title: str, footnote: str) -> None:
    """Put a title above a figure and a footnote below it."""
    figure.suptitle(title, x=0.01, ha="left", fontsize=13, fontweight="bold", color=INK)
    letters = int(16 * figure.get_figwidth())  # of this size, to an inch
    lines = [textwrap.fill(line, letters) for line in footnote.splitlines()]
    figure.supxlabel("\n".join(lines), x=0.01, ha="left", fontsize=8, color=MUTED, multialignment="left")
