"""Figures and colours of all pictures, and a finished figure as PNG.

No rcParams are changed and nothing is shown: a notebook shows a new figure by itself. The figures of a report (`axes`)
belong to no window and needn't be closed.
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
    """Return the figure of `ax`, with a title and a footnote added."""
    whole = ax.figure.get_figure(root=True)
    assert isinstance(whole, Figure)
    entitle(whole, title, footnote)
    return whole


def png(figure: Figure, dpi: int = DPI) -> bytes:
    """Return a figure as PNG; the same figure always gives the same bytes."""
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=dpi, metadata={"Software": None})
    return buffer.getvalue()


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
        return ax
    if ax is not None:
        raise UsageError(f"ax: found a {type(ax).__name__}, expected one Axes")
    from matplotlib import pyplot

    _, new = pyplot.subplots(figsize=size, layout="constrained")
    return new


def plain(ax: Axes) -> None:
    """Leave two pale axis lines and a light grid on Axes."""
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
    letters = int(16 * figure.get_figwidth())  # 16 letters of this size take an inch
    lines = [textwrap.fill(line, letters) for line in footnote.splitlines()]
    figure.supxlabel("\n".join(lines), x=0.01, ha="left", fontsize=8, color=MUTED, multialignment="left")
