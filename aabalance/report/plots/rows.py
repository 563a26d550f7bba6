"""What has a row each: readings of the rules, by how much they change who wins; units of a list, by what they add."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, MaxNLocator

from aabalance.analysis.frames import expect
from aabalance.report.plots import canvas
from aabalance.report.plots.canvas import COLOURS, INK
from aabalance.report.tables import points_of_chance

MOST_READINGS = 16
MEAN, LARGEST = "mean_change_of_p_win", "largest_change_of_p_win"
LEAST_ROWS = 3
"""Rows for which there is room, so that one bar alone isn't a wall."""
KINDS = {"adds": ("one of it adds to the score", -0.14), "gain": ("the best found in its place would add", 0.18)}
"""What is drawn of each unit, and how far below the middle of its row."""


@canvas.as_written()
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

    Examples
    --------
    >>> import aabalance as aab
    >>> units = ["de_tiger1", "su_t34_85", "us_m4a1"]
    >>> changed = aab.sensitivity(aab.Game(), switches={"resolution": ["two_dice", "sum"]}, field=units)
    >>> ax = aab.plots.sensitivity(changed)
    """
    table = expect(frame, ("reading", MEAN, LARGEST), "aab.sensitivity(game)")
    ax = canvas.axes_of(ax, size_of_readings(table))
    moving = table[table[MEAN] > 0].sort_values(MEAN, ascending=False, kind="stable")
    moved = moving.head(MOST_READINGS)
    change, largest = moved[MEAN].to_numpy(), moved[LARGEST].to_numpy()
    y = np.arange(len(moved))
    ax.barh(y, change, height=0.62, color=COLOURS[0], zorder=3)
    for at, usual, most in zip(y, change, largest, strict=True):
        text = f"{points_of_chance(usual)}; {points_of_chance(most)} in one pair"
        ax.annotate(text, (usual, at), (6, 0), textcoords="offset points", va="center", fontsize=8.5, color=INK)
    ax.set_yticks(y, moved["reading"])
    ax.set_ylim(max(len(moved), LEAST_ROWS) - 0.4, -0.6)
    ax.set_xlim(0, max(1.6 * change.max(initial=0.0), 0.001))
    ax.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{100 * x:g}"))
    ax.xaxis.set_major_locator(MaxNLocator(5))
    count = f"\nthe {len(moved)} largest of {len(moving)}" if len(moved) < len(moving) else ""
    none = "" if len(moved) else "\nno reading changes any" if len(table) > 1 else "\nno other reading was tried"
    what = f"change of the chance to win a duel, percentage points,\nmean over all pairs, exact{count}{none}"
    canvas.plain(ax, what)
    ax.grid(axis="y", visible=False)
    return ax


def size_of_readings(frame: pd.DataFrame) -> tuple[float, float]:
    """Return the width and the height, in inches, of the picture of a frame: a row for each reading that it shows."""
    rows = min(int((frame[MEAN] > 0).sum()), MOST_READINGS)
    return canvas.WIDTH, 1.3 + 0.32 * max(rows, LEAST_ROWS)


@canvas.as_written()
def list_units(frame: pd.DataFrame, ax: Axes | None = None) -> Axes:
    """Draw what one of each unit adds to the score of its list, the most first, and what another in its place would.

    Parameters
    ----------
    frame : DataFrame
        From `aabalance.judge_list` or a list of `aabalance.best_lists`: its ``by_unit``.
    ax : Axes, optional
        Where to draw; new Axes by default.

    Raises
    ------
    UsageError
        The frame has other columns.

    Examples
    --------
    >>> import aabalance as aab
    >>> judged = aab.judge_list(aab.Game(), "su_t34_85*2,us_m8", counter="de_tiger1*2")
    >>> ax = aab.plots.list_units(judged.by_unit())
    """
    needed = [f"{kind}{end}" for kind in KINDS for end in ("", "_low", "_high")]
    table = expect(frame, ["name", "number", *needed], "aab.judge_list(game, ...).by_unit()")
    ax = canvas.axes_of(ax, size_of_units(table))
    for at, (kind, (label, down)) in enumerate(KINDS.items()):
        y = np.arange(len(table)) + down
        ax.hlines(y, table[f"{kind}_low"], table[f"{kind}_high"], color=COLOURS[at], lw=1.6, zorder=2)
        ax.scatter(table[kind], y, s=34, color=COLOURS[at], marker=canvas.MARKERS[at], zorder=3, label=label)
    ax.axvline(0, color=INK, lw=1, zorder=1)
    several = ["" if number == 1 else f"{number} " for number in table["number"]]
    ax.set_yticks(range(len(table)), [many + name for many, name in zip(several, table["name"], strict=True)])
    ax.set_ylim(max(len(table), LEAST_ROWS) - 0.4, -0.6)
    ax.xaxis.set_major_locator(MaxNLocator(5))
    ax.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{100 * x:g}"))
    canvas.plain(ax, "points of score; lines are 95 % intervals")
    canvas.legend_above(ax, columns=1)
    ax.grid(axis="y", visible=False)
    return ax


def size_of_units(frame: pd.DataFrame) -> tuple[float, float]:
    """Return the width and the height, in inches, of the picture of a frame: a row for each unit."""
    return canvas.WIDTH, 1.6 + 0.36 * max(len(frame), LEAST_ROWS)
