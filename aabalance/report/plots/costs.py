"""Requisition exchange ratios of units against their cost, with the trend, and names for the outliers."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from aabalance.analysis.cost import with_peers
from aabalance.analysis.frames import expect
from aabalance.columns import CURRENCY
from aabalance.errors import UsageError
from aabalance.report.plots import canvas, rungs
from aabalance.report.plots.canvas import COLOURS, INK, MARKERS, MUTED
from aabalance.report.plots.names import name_outliers, settle

SIZE = (canvas.WIDTH, 5.4)


def cost_effectiveness(frame: pd.DataFrame, ax: Axes | None = None, *, currency: str = CURRENCY) -> Axes:
    """Draw requisition exchange ratios against requisition, with the trend and names for the outliers.

    Parameters
    ----------
    frame : DataFrame
        From `aabalance.cost_effectiveness`. If it has these columns, points are named by ``name`` and coloured by
        ``nation`` or else ``category``. Units that cost nothing have no place on the scale and are left out; who
        destroys nothing or loses nothing stands at its edge, and is counted there.
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
    >>> units = ["de_tiger1", "su_t34_85", "us_m4a1"]
    >>> met = aab.matchups(aab.Game(), attackers=units, targets=units)
    >>> ax = aab.plots.cost_effectiveness(aab.cost_effectiveness(met))
    """
    frame = _ranked(frame)
    ax = canvas.axes_of(ax, SIZE)
    price = frame["requisition"].to_numpy(float)
    ratio = frame["requisition_exchange_ratio"].to_numpy(float)
    inside = np.isfinite(ratio) & (ratio > 0)
    low = min(ratio[inside].min(initial=1.0), 0.5) / 1.5
    high = max(ratio[inside].max(initial=1.0), 2.0) * 1.5
    floor, ceiling = low / 1.6, high * 1.6  # where zeros and infinities stand, outside of the scale
    has_zero, has_inf = bool((ratio == 0).any()), bool(np.isinf(ratio).any())
    shown = np.where(ratio == 0, floor, np.where(np.isinf(ratio), ceiling, ratio))
    ax.set_xscale("log")
    ax.set_yscale("log")
    ax.set_xlim(price.min() * 0.85, price.max() * 1.3)
    ax.set_ylim(low / 2.2 if has_zero else low, high * 2.2 if has_inf else high)
    ax.axhline(1, color=INK, lw=1, zorder=1, label="destroys what it loses")
    trend = frame["peer_exchange_ratio"].to_numpy(float)
    if np.isfinite(trend).all() and len(frame) > 1:
        order = np.argsort(price, kind="stable")
        peers = "trend of its price"
        ax.plot(price[order], trend[order], color=MUTED, lw=1.2, ls=(0, (5, 3)), zorder=1, label=peers)
    groups = next((frame[name] for name in ("nation", "category") if frame[name].astype(bool).any()), frame["nation"])
    for n, group in enumerate(sorted(groups.unique())):
        members = (groups == group).to_numpy()
        ax.scatter(
            price[members], shown[members], s=34, marker=MARKERS[n % len(MARKERS)], color=COLOURS[n % len(COLOURS)],
            edgecolor="white", linewidth=0.6, label=group or None, zorder=3, alpha=0.9,
        )  # fmt: skip
    ax.yaxis.set_major_locator(FixedLocator([floor] * has_zero + rungs.rungs(low, high) + [ceiling] * has_inf))
    nothing, endless = f"0: {int((ratio == 0).sum())}", f"∞: {int(np.isinf(ratio).sum())}"
    ax.yaxis.set_major_formatter(
        FuncFormatter(lambda y, _: nothing if y < low else endless if y > high else f"×{y:.6g}")
    )
    ax.yaxis.set_minor_locator(NullLocator())
    rungs.mark(ax.xaxis)
    ax.set_xlabel(f"{currency} (log scale)", color=MUTED)
    ax.set_ylabel(f"{currency} destroyed for each point lost,\none against one, exact (log scale)", color=MUTED)
    canvas.plain(ax)
    canvas.legend_above(ax)
    settle(ax)
    name_outliers(ax, frame["name"].tolist(), frame["exchange_ratio_to_peers"].to_numpy(float), price, shown, INK)
    return ax


def _ranked(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the units that cost anything, with what the picture needs: name, nation, category and the trend."""
    own = ["requisition", "requisition_exchange_ratio"]
    table = expect(frame, own, "aab.cost_effectiveness(matchups)")
    table = table[table["requisition"] > 0]
    if table.empty:
        raise UsageError("requisition: found no unit that costs anything, expected one at least")
    words = {
        name: table[name].astype(object).fillna("").astype(str) if name in table else ""
        for name in ("nation", "category")
    }
    called = next((table[column] for column in ("name", "unit") if column in table), table.index.to_series())
    peers = ["peer_exchange_ratio", "exchange_ratio_to_peers"]
    trend = table if set(peers) <= set(table) else with_peers(table[own])
    return table.assign(name=called.astype(str), **words, **{name: trend[name] for name in peers})
