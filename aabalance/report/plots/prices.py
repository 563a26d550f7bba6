"""What units are worth against what they cost, with intervals, and names for those furthest from their price."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from aabalance.analysis.frames import expect
from aabalance.columns import CURRENCY
from aabalance.errors import UsageError
from aabalance.report.plots import canvas, rungs
from aabalance.report.plots.canvas import COLOURS, DRAW, INK, MARKERS, MUTED
from aabalance.report.plots.names import name_outliers, settle

SIZE = (canvas.WIDTH, 5.8)


def worth(frame: pd.DataFrame, ax: Axes | None = None, *, currency: str = CURRENCY) -> Axes:
    """Draw what units are worth against what they cost, both on a log scale, with the line on which the two are equal.

    Parameters
    ----------
    frame : DataFrame
        From `aabalance.worth`. Units without a finite worth are left out, since they have no place on the scale.
    ax : Axes, optional
        Where to draw; new Axes by default.
    currency : str
        The game's word for what units cost.

    Raises
    ------
    UsageError
        The frame has other columns, or no unit in it has a worth.

    Examples
    --------
    >>> import aabalance as aab
    >>> game = aab.Game()
    >>> few = game.with_(cards=game.cards.only(["us_m4a1", "de_pz4h", "su_t34_85", "de_tiger1"]))
    >>> ax = aab.plots.worth(aab.worth(few))
    """
    own = ["name", "nation", "category", "requisition", "worth", "worth_low", "worth_high"]
    table = expect(frame, own, "aab.worth(game)")
    table = table[np.isfinite(table["worth"]) & (table["requisition"] > 0)]
    if table.empty:
        raise UsageError("worth: found no unit with a worth, expected one at least")
    ax = canvas.axes_of(ax, SIZE)
    price, is_worth = table["requisition"].to_numpy(float), table["worth"].to_numpy(float)
    low, high = (table[name].fillna(table["worth"]).to_numpy(float) for name in ("worth_low", "worth_high"))
    ax.set_xscale("log")
    ax.set_yscale("log")
    ax.set_xlim(price.min() * 0.85, price.max() * 1.3)
    ax.set_ylim(low.min() * 0.8, high.max() * 1.25)
    ends = np.array([min(price.min(), low.min()) / 2, max(price.max(), high.max()) * 2])
    ax.plot(ends, ends, color=INK, lw=1, zorder=1, label="worth what it costs")
    ax.vlines(price, low, high, color=DRAW, lw=1, alpha=0.6, zorder=2)
    groups = next((table[name] for name in ("nation", "category") if table[name].astype(bool).any()), table["nation"])
    for n, group in enumerate(sorted(groups.unique())):
        members = (groups == group).to_numpy()
        ax.scatter(
            price[members], is_worth[members], s=34, marker=MARKERS[n % len(MARKERS)], color=COLOURS[n % len(COLOURS)],
            edgecolor="white", linewidth=0.6, label=group or None, zorder=3, alpha=0.9,
        )  # fmt: skip
    for axis in (ax.xaxis, ax.yaxis):
        rungs.mark(axis)
    ax.set_xlabel(f"{currency} asked (log scale)", color=MUTED)
    ax.set_ylabel(f"{currency} worth, with 90 % interval (log scale)", color=MUTED)
    canvas.plain(ax)
    canvas.legend_above(ax)
    settle(ax)
    name_outliers(ax, table["name"].tolist(), is_worth / price, price, is_worth, INK)
    return ax
