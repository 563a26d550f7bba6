"""How much each reading of the rules changes who wins."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter

from aabalance.analysis.matchups import expect
from aabalance.report.labels import percentage_points
from aabalance.report.plots import canvas
from aabalance.report.plots.canvas import COLOURS, INK, MUTED

SIZE = (10.0, 6.0)
MOST_READINGS = 16


def sensitivity(frame: pd.DataFrame, ax: Axes | None = None) -> Axes:
    """Draw how much each other reading of the rules changes the chance to win, the largest first.

    Parameters
    ----------
    frame : DataFrame
        From `aabalance.sensitivity`.
    ax : Axes, optional
        Where to draw; new Axes by default.

    Raises
    ------
    UsageError
        The frame has other columns.
    """
    mean = "mean_change_of_p_win"
    table = expect(frame, ("reading", mean, "largest_change_of_p_win"), "aab.sensitivity(game)")
    ax = canvas.axes_of(ax, SIZE)
    moved = table[table[mean] > 0].sort_values(mean, ascending=False, kind="stable").head(MOST_READINGS)
    change, largest = moved[mean].to_numpy(), moved["largest_change_of_p_win"].to_numpy()
    y = np.arange(len(moved))
    ax.barh(y, change, height=0.62, color=COLOURS[0], zorder=3)
    for at, usual, most in zip(y, change, largest, strict=True):
        text = f"{percentage_points(usual)}, at most {percentage_points(most)} for one pair"
        ax.annotate(text, (usual, at), (6, 0), textcoords="offset points", va="center", fontsize=9, color=INK)
    ax.set_yticks(y, moved["reading"])
    ax.set_ylim(max(len(moved), 1) - 0.4, -0.6)
    ax.set_xlim(0, max(1.45 * change.max(initial=0.0), 0.001))
    ax.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{100 * x:g}"))
    ax.set_xlabel("change of the chance to win a duel, percentage points up or down, mean over all pairs", color=MUTED)
    canvas.plain(ax)
    ax.grid(axis="y", visible=False)
    return ax
