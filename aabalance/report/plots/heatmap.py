"""Who wins against whom: a cell for each pair of units, from the cheapest to the dearest; or each pair of players."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap

from aabalance.analysis.frames import expect
from aabalance.analysis.pairs import chances
from aabalance.columns import CURRENCY
from aabalance.errors import UsageError, check_kind
from aabalance.report.plots import canvas
from aabalance.report.plots.canvas import DRAW, GRID, INK, MUTED

SIZE = (canvas.WIDTH, 6.6)
FEW = 12
"""So many names have room for letters of the usual size."""
MOST_NAMED = 30
LETTERS = 26
"""Of a name; of a longer one the beginning is written."""

# Blue and orange differ for every kind of colour blindness; white is an even fight.
WINS = LinearSegmentedColormap.from_list(
    "wins", ["#8c3b00", "#e07b1f", "#f8d9b5", "#ffffff", "#bcd8ec", "#3a86bd", "#0b3c68"]
)
LADDER = (canvas.WIDTH, 4.8)
"""Size of the picture of the ladder, in inches."""
PALE = 0.5
"""How dense the colours are: dark ink can be read on all of them."""


@canvas.as_written()
def matchup_heatmap(
    frame: pd.DataFrame,
    ax: Axes | None = None,
    *,
    price: pd.Series[float] | Mapping[str, float] | None = None,
    currency: str = CURRENCY,
    names: pd.Series[str] | Mapping[str, str] | None = None,
) -> Axes:
    """Draw who wins: attackers down, targets across, both from the cheapest to the dearest.

    A draw counts half, so that a cell and its mirror image are equally far from even.

    Parameters
    ----------
    frame : DataFrame
        From `aabalance.matchups`, of which means over the situations are drawn; or a frame with one row for each pair
        and the columns ``attacker``, ``target``, ``p_win`` and ``p_draw``.
    ax : Axes, optional
        Where to draw; new Axes by default.
    price : Series or mapping, optional
        Cost of each unit by id; units without a price are left out. By default the costs in the frame; if it has none,
        units keep its order.
    currency : str
        The game's word for what units cost.
    names : Series or mapping, optional
        Name of each unit by id; ids by default. Rows and columns are named if there is room.

    Raises
    ------
    UsageError
        The frame has other columns, several rows for a pair without a weight, or no unit with a price.

    Examples
    --------
    >>> import aabalance as aab
    >>> units = ["de_tiger1", "su_t34_85", "us_m4a1"]
    >>> ax = aab.plots.matchup_heatmap(aab.matchups(aab.Game(), attackers=units, targets=units))
    """
    table = expect(frame, ("attacker", "target", "p_win", "p_draw"), "aab.matchups(game)")
    for what, given in (("price", price), ("names", names)):
        check_kind(what, given, pd.Series | Mapping | None, "a Series or mapping by id")
    own = _prices(table) if price is None else price
    cost: Mapping[Any, float] = pd.to_numeric(pd.Series(own), errors="coerce").to_dict()
    table = _row_a_pair(table)
    rows, columns = (_in_order(table[side], cost) for side in ("attacker", "target"))
    if not rows or not columns:
        raise UsageError("price: found none of the frame's units, expected what each costs by id")
    ax = canvas.axes_of(ax, SIZE)
    wins, draws = (
        table.pivot(index="attacker", columns="target", values=end).reindex(index=rows, columns=columns).to_numpy()
        for end in ("p_win", "p_draw")
    )
    chance = wins + draws / 2
    shape: Literal["equal", "auto"] = "equal" if max(chance.shape) <= 2 * min(chance.shape) else "auto"
    image = ax.imshow(chance, cmap=WINS, vmin=0, vmax=1, interpolation="nearest", aspect=shape)
    notes = []
    drawn = np.where(draws >= 0.5, 1.0, np.nan)
    if np.isfinite(drawn).any():
        grey = LinearSegmentedColormap.from_list("draw", [DRAW, DRAW])
        ax.imshow(drawn, cmap=grey, interpolation="nearest", aspect=shape)
        notes.append("grey: half or more drawn")
    if np.isnan(chance).any():
        ax.set_facecolor(GRID)
        notes.append("pale grey: not in the table")
    bar = ax.figure.colorbar(image, ax=ax, location="bottom", shrink=0.8, pad=0.03, aspect=34)
    bar.outline.set_visible(False)
    bar.set_ticks([0, 0.25, 0.5, 0.75, 1], labels=["row loses", "25%", "even", "75%", "row wins"])
    bar.ax.tick_params(length=0, labelsize=9, colors=INK)
    bar.ax.set_xlabel("\n".join(["exact; a draw counts half", *notes]), fontsize=9, color=MUTED)
    called: Mapping[Any, str] = {} if names is None else dict(names)
    _mark(ax, "attacker", rows, cost, called, currency)
    _mark(ax, "target", columns, cost, called, currency)
    ax.xaxis.tick_top()
    ax.xaxis.set_label_position("top")
    small = max(len(rows), len(columns)) > FEW and len(rows) <= MOST_NAMED
    ax.tick_params(length=0, labelsize=6.5 if small else 9, colors=INK)
    for spine in ax.spines.values():
        spine.set_visible(False)
    return ax


def _prices(frame: pd.DataFrame) -> dict[str, float]:
    """Return the costs of the units in a frame, by id; empty if it has none."""
    prices: dict[str, float] = {}
    for side in ("target", "attacker"):
        if f"{side}_requisition" in frame:
            prices |= dict(zip(frame[side].astype(str), frame[f"{side}_requisition"], strict=True))
    return prices


def _row_a_pair(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a frame with one row per pair: weighted means, if a pair has several rows."""
    table = frame.assign(attacker=frame["attacker"].astype(str), target=frame["target"].astype(str))
    twice = table[table.duplicated(["attacker", "target"])]
    if twice.empty:
        return table
    if "weight" not in table:
        pair = " against ".join(twice[["attacker", "target"]].iloc[0])
        raise UsageError(f"frame: found several rows of {pair} and no column weight, expected a row a pair")
    return chances(table)


def _in_order(units: pd.Series[str], price: Mapping[str, float]) -> list[str]:
    """Return the units that have a price, cheapest first; if `price` is empty, all units in their order."""
    ids = list(dict.fromkeys(units))
    return sorted((i for i in ids if price.get(i, np.nan) >= 0), key=lambda i: (price[i], i)) if price else ids


def _mark(
    ax: Axes, who: str, ids: list[str], price: Mapping[str, float], names: Mapping[str, str], currency: str
) -> None:
    """Label the axis of attackers or targets: with names, or with spans of cost if there are too many units."""
    down = who == "attacker"
    axis = ax.yaxis if down else ax.xaxis
    each = f"each {'row' if down else 'column'} a unit"
    if len(ids) <= MOST_NAMED:
        called = [str(names.get(i, i)) for i in ids]
        short = [name if len(name) <= LETTERS else f"{name[: LETTERS - 1].rstrip()}…" for name in called]
        texts = [f"{name} ({price[i]:g})" if price else name for i, name in zip(ids, short, strict=True)]
        turned: dict[str, Any] = {} if down else {"rotation": 90}
        axis.set_ticks(range(len(ids)), texts, **turned)
        axis.set_label_text(f"{who} ({currency})" if price else who, color=MUTED)
        return
    if not price:
        axis.set_ticks([])
        axis.set_label_text(f"{who}, {each}, in the table's order", color=MUTED)
        return
    edges = price_groups([float(price[i]) for i in ids])
    starts, ends = edges[:-1], edges[1:]
    for edge in starts[1:]:
        (ax.axhline if down else ax.axvline)(edge - 0.5, color=INK, lw=0.6, alpha=0.55)
    labels = [span_of(float(price[ids[a]]), float(price[ids[b - 1]])) for a, b in zip(starts, ends, strict=True)]
    axis.set_ticks([(a + b - 1) / 2 for a, b in zip(starts, ends, strict=True)], labels)
    axis.set_label_text(f"{who}'s {currency}, {each}", color=MUTED)


def price_groups(prices: list[float], groups: int = 6) -> list[int]:
    """Return where groups of nearly equal size begin and end in rising `prices`.

    Parameters
    ----------
    prices : list of float
        Rising; equal prices stay in one group.
    groups : int
        Largest number of groups.
    """
    changes = [i for i in range(1, len(prices)) if prices[i] != prices[i - 1]]
    even = [n * len(prices) // groups for n in range(1, groups)]
    return sorted({0, *(next((i for i in changes if i >= place), len(prices)) for place in even), len(prices)})


def span_of(low: float, high: float) -> str:
    """Return the text of a span of costs."""
    return f"{low:g}" if low == high else f"{low:g}–{high:g}"


@canvas.as_written()
def ladder(frame: pd.DataFrame, ax: Axes | None = None) -> Axes:
    """Draw how players score against each other: the player down, his opponent across.

    Parameters
    ----------
    frame : DataFrame
        The ``scores`` of `aabalance.ladder`.
    ax : Axes, optional
        Where to draw; new Axes by default.

    Raises
    ------
    UsageError
        The frame has other columns.

    Examples
    --------
    >>> import aabalance as aab
    >>> ax = aab.plots.ladder(aab.ladder(aab.Game("skirmish_wars"), ["random", "greedy"], simulate=10).scores)
    """
    table = expect(frame, ("player", "against", "score_against"), "aab.ladder(game).scores")
    ax = canvas.axes_of(ax, LADDER)
    names = list(table.groupby("player")["score_against"].mean().sort_values(ascending=False).index)
    cells = table.pivot(index="player", columns="against", values="score_against").reindex(index=names, columns=names)
    ax.imshow(cells.to_numpy(), cmap=WINS, vmin=0, vmax=1, interpolation="nearest", aspect="auto", alpha=PALE)
    for row in table.to_dict("records"):
        at = names.index(row["against"]), names.index(row["player"])
        span = (
            f"\n{row['score_against_ci_low']:.2f} to {row['score_against_ci_high']:.2f}"
            if "score_against_ci_low" in row
            else ""
        )
        ax.text(*at, f"{row['score_against']:.2f}{span}", ha="center", va="center", color=INK, fontsize=9)
    ax.set_xticks(range(len(names)), names)
    ax.set_yticks(range(len(names)), names)
    ax.set_xlabel("against; below each score its 95 % interval", color=MUTED)
    ax.set_ylabel("player", color=MUTED)
    ax.tick_params(length=0, labelsize=9, colors=INK)
    for spine in ax.spines.values():
        spine.set_visible(False)
    return ax
