"""What tuning does to prices: before and after, with the interval of the fair price."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from aabalance.analysis.frames import expect
from aabalance.columns import CURRENCY
from aabalance.errors import UsageError
from aabalance.report.plots import canvas, rungs
from aabalance.report.plots.canvas import COLOURS, DRAW, INK, MUTED

MOST_UNITS = 24
LEAST_ROWS = 3
BEFORE, AFTER = "requisition", "new_requisition"


def tuning(frame: pd.DataFrame, ax: Axes | None = None, *, currency: str = CURRENCY) -> Axes:
    """Draw the prices of units before and after tuning, those that change most, with the interval of the fair price.

    Parameters
    ----------
    frame : DataFrame
        From `aabalance.tune`: its `to_frame`.
    ax : Axes, optional
        Where to draw; new Axes by default.
    currency : str
        The game's word for what units cost.

    Raises
    ------
    UsageError
        The frame has other columns, or no unit in it costs anything.

    Examples
    --------
    >>> import aabalance as aab
    >>> game = aab.Game()
    >>> few = game.with_(cards=game.cards.only(["us_m4a1", "de_pz4h", "su_t34_85", "de_tiger1"]))
    >>> ax = aab.plots.tuning(aab.tune(few).to_frame())
    """
    table = expect(frame, ["name", BEFORE, AFTER, "fair_low", "fair_high"], "aab.tune(game).to_frame()")
    table = table[(table[BEFORE] > 0) & (table[AFTER] > 0)]
    if table.empty:
        raise UsageError("frame: found no unit that costs anything, expected one at least")
    factor = abs(np.log(table[AFTER].astype(float)) - np.log(table[BEFORE].astype(float)))
    shown = table.iloc[np.argsort(-np.asarray(factor), kind="stable")[:MOST_UNITS]]
    ax = canvas.axes_of(ax, (canvas.WIDTH, 1.5 + 0.26 * max(len(shown), LEAST_ROWS)))
    y = np.arange(len(shown))
    before, after = shown[BEFORE].to_numpy(float), shown[AFTER].to_numpy(float)
    low, high = (shown[name].fillna(shown[AFTER]).to_numpy(float) for name in ("fair_low", "fair_high"))
    ax.set_xscale("log")
    ax.hlines(y, low, high, color=DRAW, lw=5, alpha=0.45, zorder=2, label="90 % interval of the fair price")
    ax.hlines(y, before, after, color=COLOURS[0], lw=1.2, zorder=3)
    ax.scatter(before, y, s=72, facecolor="white", edgecolor=INK, linewidth=1.2, zorder=4, label="before")
    ax.scatter(after, y, s=34, color=COLOURS[0], marker="s", zorder=5, label="after")
    least, most = min(before.min(), low.min()), max(before.max(), high.max(), after.max())
    ax.set_xlim(least * 0.85, most * 1.15)
    ax.set_yticks(y, shown["name"])
    ax.set_ylim(max(len(shown), LEAST_ROWS) - 0.4, -0.6)
    rungs.mark(ax.xaxis)
    count = f"; {len(shown)} of {len(table)}, those that change most" if len(shown) < len(table) else ""
    none = "" if (before != after).any() else "; none changes"
    ax.set_xlabel(f"{currency} (log scale){count}{none}", color=MUTED)
    canvas.plain(ax)
    canvas.legend_above(ax)
    return ax
