"""What units cost against what they do: exchange ratios, worth, and prices before and after tuning."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from aabalance.analysis.cost import with_peers
from aabalance.analysis.frames import expect
from aabalance.columns import CURRENCY
from aabalance.errors import UsageError
from aabalance.report.plots import canvas
from aabalance.report.plots.canvas import COLOURS, DRAW, INK, MARKERS, MUTED
from aabalance.report.plots.names import lay_out, name_outliers

RATIOS, WORTH = (canvas.WIDTH, 5.4), (canvas.WIDTH, 5.8)
"""Sizes of the pictures of exchange ratios and of worth, in inches."""
MOST_UNITS, LEAST_ROWS = 24, 3
"""Units, and room for units, in the picture of new prices."""
BEFORE, AFTER = "requisition", "new_requisition"

FEW, MOST = 3, 9
"""Marks of an axis."""
ROUND = [m * 10.0**n for n in range(-6, 7) for m in (1, 2, 5)]


@canvas.as_written()
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
    ax = canvas.axes_of(ax, RATIOS)
    price = frame["requisition"].to_numpy(float)
    ratio = frame["requisition_exchange_ratio"].to_numpy(float)
    inside = np.isfinite(ratio) & (ratio > 0)
    low = min(ratio[inside].min(initial=1.0), 0.5) / 1.5
    high = max(ratio[inside].max(initial=1.0), 2.0) * 1.5
    floor, ceiling = low / 1.6, high * 1.6  # where zeros and infinities stand, outside of the scale
    has_zero, has_inf = bool((ratio == 0).any()), bool(np.isinf(ratio).any())
    shown = np.where(ratio == 0, floor, np.where(np.isinf(ratio), ceiling, ratio))
    _set_log(ax, price, low / 2.2 if has_zero else low, high * 2.2 if has_inf else high)
    ax.axhline(1, color=INK, lw=1, zorder=1, label="destroys what it loses")
    trend = frame["peer_exchange_ratio"].to_numpy(float)
    if np.isfinite(trend).all() and len(frame) > 1:
        order = np.argsort(price, kind="stable")
        peers = "trend of its price"
        ax.plot(price[order], trend[order], color=MUTED, lw=1.2, ls=(0, (5, 3)), zorder=1, label=peers)
    _mark_units(ax, frame, price, shown)
    ax.yaxis.set_major_locator(FixedLocator([floor] * has_zero + rungs(low, high) + [ceiling] * has_inf))
    nothing, endless = f"0: {int((ratio == 0).sum())}", f"∞: {int(np.isinf(ratio).sum())}"
    ax.yaxis.set_major_formatter(
        FuncFormatter(lambda y, _: nothing if y < low else endless if y > high else f"×{y:.6g}")
    )
    ax.yaxis.set_minor_locator(NullLocator())
    _mark(ax.xaxis)
    canvas.plain(
        ax, f"{currency} (log scale)", f"{currency} destroyed for each point lost,\none against one, exact (log scale)"
    )
    canvas.legend_above(ax)
    lay_out(ax)
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


@canvas.as_written()
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
    ax = canvas.axes_of(ax, WORTH)
    price, is_worth = table["requisition"].to_numpy(float), table["worth"].to_numpy(float)
    low, high = (table[name].fillna(table["worth"]).to_numpy(float) for name in ("worth_low", "worth_high"))
    _set_log(ax, price, low.min() * 0.8, high.max() * 1.25)
    ends = np.array([min(price.min(), low.min()) / 2, max(price.max(), high.max()) * 2])
    ax.plot(ends, ends, color=INK, lw=1, zorder=1, label="worth what it costs")
    ax.vlines(price, low, high, color=DRAW, lw=1, alpha=0.6, zorder=2)
    _mark_units(ax, table, price, is_worth)
    for axis in (ax.xaxis, ax.yaxis):
        _mark(axis)
    canvas.plain(ax, f"{currency} asked (log scale)", f"{currency} worth, with 90 % interval (log scale)")
    canvas.legend_above(ax)
    lay_out(ax)
    name_outliers(ax, table["name"].tolist(), is_worth / price, price, is_worth, INK)
    return ax


@canvas.as_written()
def tuning(frame: pd.DataFrame, ax: Axes | None = None, *, currency: str = CURRENCY) -> Axes:
    """Draw the prices of units before and after tuning, with the largest changes and the interval of the fair price.

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
    _mark(ax.xaxis)
    count = f"; {len(shown)} of {len(table)}, the largest changes" if len(shown) < len(table) else ""
    none = "" if (before != after).any() else "; none changes"
    canvas.plain(ax, f"{currency} (log scale){count}{none}")
    canvas.legend_above(ax)
    return ax


def _set_log(ax: Axes, price: Any, low: float, high: float) -> None:
    """Give Axes log scales, with room for names behind the dearest unit."""
    ax.set_xscale("log")
    ax.set_yscale("log")
    ax.set_xlim(price.min() * 0.85, price.max() * 1.3)
    ax.set_ylim(low, high)


def _mark_units(ax: Axes, table: pd.DataFrame, x: Any, y: Any) -> None:
    """Draw a mark for each unit, whose colour and shape say its nation, or else its category."""
    groups = next((table[name] for name in ("nation", "category") if table[name].astype(bool).any()), table["nation"])
    for n, group in enumerate(sorted(groups.unique())):
        members = (groups == group).to_numpy()
        ax.scatter(
            x[members], y[members], s=34, marker=MARKERS[n % len(MARKERS)], color=COLOURS[n % len(COLOURS)],
            edgecolor="white", linewidth=0.6, label=group or None, zorder=3, alpha=0.9,
        )  # fmt: skip


def _mark(axis: Axis) -> None:
    """Mark a log axis at `rungs` within its limits."""
    axis.set_major_locator(FixedLocator(rungs(*sorted(axis.get_view_interval()))))
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axis.set_minor_locator(NullLocator())


def rungs(least: float, most: float) -> list[float]:
    """Return round numbers within two limits, `least` above 0.

    They are 1, 2, 5 and their tenfolds; only powers of ten where these are too many; and where they are too few, the
    multiples of the largest of them that has enough.
    """
    within = [rung for rung in ROUND if least <= rung <= most]
    if len(within) > MOST:
        return [rung for rung in ROUND[::3] if least <= rung <= most]
    if len(within) >= FEW:
        return within
    multiples = (
        [n * step for n in range(math.ceil(least / step), math.floor(most / step) + 1)] for step in reversed(ROUND)
    )
    return next((marks for marks in multiples if len(marks) >= FEW), within)
