"""Pictures. Each function draws a frame on `ax`, or on a new pyplot figure, and returns the Axes; the only matplotlib.

No rcParams are touched and nothing is shown: a notebook shows a new figure by itself. What a report draws on (`canvas`)
belongs to no window and needs no closing.
"""

from __future__ import annotations

import io
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator, PercentFormatter

from aabalance.analysis.cost import with_peers
from aabalance.analysis.matchups import expect
from aabalance.analysis.pairs import RANGES, WITHIN_TURNS, chances, kill_curves
from aabalance.columns import CURRENCY
from aabalance.errors import UsageError
from aabalance.game import Game, Unit
from aabalance.report.labels import (
    name_curves,
    name_outliers,
    names_of,
    points,
    price_groups,
    span_of,
)
from aabalance.rulesets.base import INCHES, Length

__all__ = ["cost_effectiveness", "kill_probability", "matchup_heatmap", "sensitivity"]

INK = "#1b1f24"
MUTED = "#5b6470"
GRID = "#dfe3e8"
DRAW = "#8d949e"
DPI = 150

# Okabe and Ito's colours, which the colour-blind tell apart, darkened where they were too pale for text on white.
COLOURS = ("#0072b2", "#d55e00", "#008a64", "#b3579a", "#a37800", "#7a7f87", "#1b1f24", "#56b4e9")
MARKERS = ("o", "s", "^", "D", "v", ">", "p", "<")

# Blue and orange differ for every kind of colour blindness; white is an even fight.
HEATMAP_SIZE = (9.5, 7.4)
COST_SIZE = (10.0, 6.2)
READINGS_SIZE = (10.0, 6.0)
MOST_READINGS = 16
MOST_NAMED = 30

WINS = LinearSegmentedColormap.from_list(
    "wins", ["#8c3b00", "#e07b1f", "#f8d9b5", "#ffffff", "#bcd8ec", "#3a86bd", "#0b3c68"]
)


def __dir__() -> list[str]:
    """Name the pictures of what the package answers, alone: not what the report draws them on."""
    return __all__


def kill_probability(
    game: Game,
    versus: Iterable[Sequence[Unit]],
    *,
    ax: Axes | None = None,
    ranges: Iterable[float] = RANGES,
    turns: int = WITHIN_TURNS,
    **situation: Any,
) -> Axes:
    """Draw the chance that a holding attacker destroys its target within some turns, against the range.

    Parameters
    ----------
    versus : iterable of (str, str)
        Attacker and target, ids or cards, a curve each.
    ax : Axes, optional
    ranges : iterable of float
        Inches.
    turns : int
        Of the attacker.
    **situation
        Fields of the game's `Moment` beside the range.

    Raises
    ------
    UsageError
        No pairs of units, no ranges, no turns, or a wrong situation.
    """
    if "range_in" in situation:
        raise UsageError("range_in: found one range, expected ranges=..., which the picture goes along")
    if turns < 1 or turns != int(turns):
        raise UsageError(f"turns: found {turns}, expected a whole number from 1")
    along: list[float] = [] if isinstance(ranges, (int, float)) else sorted(set(ranges))
    if len(along) < 2:
        raise UsageError(f"ranges: found {ranges!r}, expected two distances at least")
    curves = kill_curves(game, _couples(game, versus), along, turns, **situation)
    return kill_lines(curves, ax, names=names_of(game), length=game.ruleset.labels.length)


def _couples(game: Game, versus: Any) -> list[tuple[Unit, Unit]]:
    """Return pairs of attacker and target, each once."""
    found: dict[tuple[str, str], tuple[Unit, Unit]] = {}
    pairs: list[Any] = list(versus) if np.iterable(versus) else [versus]
    for pair in pairs:
        sides = [] if isinstance(pair, str) or not np.iterable(pair) else list(pair)
        if len(sides) != 2:
            raise UsageError(f"versus: found {pair!r}, expected pairs: [(attacker, target), ...]")
        a, b = map(game.card, sides)
        if found.setdefault((a.id, b.id), (a, b)) != (a, b):
            raise UsageError(f"versus: found {a.id} against {b.id} with different cards, expected a picture for each")
    if not found:
        raise UsageError("versus: found no pair, expected pairs: [(attacker, target), ...]")
    return list(found.values())


def kill_lines(
    curves: pd.DataFrame, ax: Axes | None = None, names: dict[str, str] | None = None, *, length: Length = INCHES
) -> Axes:
    """Draw a frame of `aabalance.analysis.pairs.kill_curves`, each curve named beside one of its steps.

    The value at an inch holds back to the inch before, as range bands reach up to and with their last inch; `length`
    is what the game counts in.
    """
    ax = _axes(ax, (7, 4.4))
    _name(ax, *_steps(curves, ax, names, length), length)
    return ax


def _name(ax: Axes, x: Any, drawn: list[tuple[Any, list[str]]], length: Length) -> None:
    """Name the curves: beside one of their steps over inches; over a few hexes or squares there is no room for that."""
    if not length.whole:
        name_curves(ax, x, drawn, COLOURS)
    else:
        ax.legend(ax.lines, ["\n".join(said) for _, said in drawn], loc="upper right", frameon=False, fontsize=9)
        ax.set_ylim(0, 1.12 + 0.12 * len(drawn))


def _steps(
    curves: pd.DataFrame, ax: Axes, names: dict[str, str] | None, length: Length
) -> tuple[Any, list[tuple[Any, list[str]]]]:
    """Draw the curves; return the ranges, and each different curve's values with what to call it."""
    called = names or {}
    couple = len({frozenset(pair) for pair in zip(curves["attacker"], curves["target"], strict=True)}) == 1
    x = np.unique(curves["range_in"].to_numpy())
    # A band reaches up to its last inch, which others begin behind; a hex or a square is a step of its own.
    ahead = 0.5 if length.whole else 0.0
    drawn: list[tuple[Any, list[str]]] = []
    for (attacker, target), curve in curves.groupby(["attacker", "target"], sort=False, observed=True):
        a, b = called.get(str(attacker), attacker), called.get(str(target), target)
        values = curve["p_kill_within"].to_numpy()
        same = next((texts for other, texts in drawn if np.array_equal(other, values)), None)
        if same is None:
            drawn.append((values, [f"{a} fires" if couple else f"{a} destroys {b}"]))
        else:
            same[:] = ["both alike"] if couple else [*same, f"{a} destroys {b}"]
        n = len(drawn) - 1
        if same is None:
            at = curve["range_in"].to_numpy() + ahead
            if ahead:
                at, values = np.r_[x[0] - ahead, at], np.r_[values[0], values]
            ax.plot(at, values, drawstyle="steps-pre", color=COLOURS[n % len(COLOURS)], lw=2.4, zorder=3)
    reach, span = float(x[-1]), float(x[-1] - x[0]) or 1.0
    ax.set_xlim(x[0] - ahead, reach + ahead + 0.02 * span)
    ax.set_ylim(0, 1.12)
    step = 6 if span > 12 else 1
    ax.xaxis.set_major_locator(FixedLocator(list(np.arange(x[0], reach + 1, step))))
    ax.yaxis.set_major_locator(FixedLocator([0, 0.25, 0.5, 0.75, 1]))
    ax.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    ax.set_xlabel(f"range, {length.name}", color=MUTED)
    turns = int(curves["turns"].iloc[0])
    ax.set_ylabel(f"destroyed within {turns} turns", color=MUTED)
    _plain(ax)
    return x + ahead, drawn


def kill_panels(
    curves: pd.DataFrame, names: dict[str, str] | None = None, footnote: str = "", *, length: Length = INCHES
) -> Figure:
    """Return a figure of one panel for each couple of opponents in a frame of kill curves."""
    couples: dict[frozenset[str], list[int]] = {}
    keys = list(zip(curves["attacker"].astype(str), curves["target"].astype(str), strict=True))
    for row, (attacker, target) in enumerate(keys):
        couples.setdefault(frozenset((attacker, target)), []).append(row)
    across = min(3, max(1, len(couples)))
    down = max(1, -(-len(couples) // across))
    figure = _figure((max(8.0, 4.2 * across), 3.7 * down + 0.9))
    panels = figure.subplots(down, across, sharex=True, sharey=True, squeeze=False)
    called = names or {}
    unnamed = []
    for ax, rows in zip(panels.flat, couples.values(), strict=False):
        part = curves.iloc[rows]
        unnamed.append((ax, *_steps(part, ax, names, length)))
        first = part.iloc[0]
        pair = [called.get(str(first[side]), str(first[side])) for side in ("attacker", "target")]
        ax.set_title(" v ".join(pair), loc="left", fontsize=11, color=INK)
        ax.label_outer()
    for ax in list(panels.flat)[len(couples) :]:
        ax.set_visible(False)
    turns, where = int(curves["turns"].iloc[0]), str(curves["situation"].iloc[0])
    reach = curves.groupby(["attacker", "target"], observed=True)["p_kill_within"].agg(["max", "min"])
    finding = "Distance decides: c" if (reach["max"] - reach["min"]).min() > 0.5 else "C"
    title = f"{finding}hance to destroy the enemy within {turns} turns of holding, by range"
    _frame(figure, title, f"Target fresh{', ' * bool(where)}{where}, returns no fire. {footnote}")
    for ax, x, drawn in unnamed:  # last, when the panels have their final size
        _name(ax, x, drawn, length)
    return figure


def matchup_heatmap(
    frame: pd.DataFrame,
    ax: Axes | None = None,
    *,
    price: pd.Series[float] | Mapping[str, float] | None = None,
    currency: str = CURRENCY,
    names: Mapping[str, str] | None = None,
) -> Axes:
    """Draw who wins: attackers down, targets across, both from the cheapest to the dearest.

    A draw counts half, so that a cell and its mirror image are equally far from even.

    Parameters
    ----------
    frame : DataFrame
        From `aabalance.matchups`, of which means over the situations are drawn; or a row a pair, with columns
        ``attacker``, ``target``, ``p_win`` and ``p_draw``.
    price : Series or mapping, optional
        What each unit costs, by id; units without a price are left out. By default what the frame says; if it says
        nothing, units stand in its order.
    names : mapping, optional
        What to call each unit, ids by default; where there are few enough for it, rows and columns are named.

    Raises
    ------
    UsageError
        A frame of something else, several rows for a pair without a weight, or no unit with a price.
    """
    table = expect(frame, ("attacker", "target", "p_win", "p_draw"), "aab.matchups(game)")
    cost: Mapping[Any, float] = _prices(table) if price is None else pd.Series(price).to_dict()
    table = _row_a_pair(table)
    rows, columns = (_in_order(table[side], cost) for side in ("attacker", "target"))
    if not rows or not columns:
        raise UsageError("price: found none of the frame's units, expected what each costs by id")
    ax = _axes(ax, HEATMAP_SIZE)
    wins = table.pivot(index="attacker", columns="target", values="p_win").reindex(index=rows, columns=columns)
    draws = table.pivot(index="attacker", columns="target", values="p_draw").reindex(index=rows, columns=columns)
    chance = (wins + draws / 2).to_numpy()
    shape: Literal["equal", "auto"] = "equal" if max(chance.shape) <= 2 * min(chance.shape) else "auto"
    image = ax.imshow(chance, cmap=WINS, vmin=0, vmax=1, interpolation="nearest", aspect=shape)
    notes = []
    drawn = np.where(draws.to_numpy() >= 0.5, 1.0, np.nan)
    if np.isfinite(drawn).any():
        grey = LinearSegmentedColormap.from_list("draw", [DRAW, DRAW])
        ax.imshow(drawn, cmap=grey, vmin=0, vmax=1, interpolation="nearest", aspect=shape)
        notes.append("grey: half or more drawn,\nneither harms the other")
    if np.isnan(chance).any():
        ax.set_facecolor(GRID)
        notes.append("pale grey: not in the table")
    bar = ax.figure.colorbar(image, ax=ax, shrink=0.55, pad=0.02, aspect=26)
    bar.outline.set_visible(False)
    bar.set_ticks([0, 0.25, 0.5, 0.75, 1], labels=["row loses", "25%", "even", "75%", "row wins"])
    bar.ax.tick_params(length=0, labelsize=9, colors=INK)
    if notes:
        bar.ax.annotate(
            "\n".join(notes), (0, 0), (0, -12), xycoords="axes fraction",
            textcoords="offset points", va="top", fontsize=9, color=MUTED,
        )  # fmt: skip
    called = {} if names is None else names
    _mark(ax, "attacker", rows, cost, called, currency)
    _mark(ax, "target", columns, cost, called, currency)
    ax.xaxis.tick_top()
    ax.xaxis.set_label_position("top")
    ax.tick_params(length=0, labelsize=9, colors=INK)
    for spine in ax.spines.values():
        spine.set_visible(False)
    return ax


def _prices(frame: pd.DataFrame) -> dict[str, float]:
    """Return what a frame says of the units' costs, by id."""
    found: dict[str, float] = {}
    for side in ("target", "attacker"):
        if f"{side}_requisition" in frame:
            found |= dict(zip(frame[side].astype(str), frame[f"{side}_requisition"], strict=True))
    return found


def _row_a_pair(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a frame of one row per pair: means, if there are situations with weights."""
    table = frame.assign(attacker=frame["attacker"].astype(str), target=frame["target"].astype(str))
    twice = table[table.duplicated(["attacker", "target"])]
    if twice.empty:
        return table
    if "weight" not in table:
        pair = " against ".join(twice[["attacker", "target"]].iloc[0])
        raise UsageError(f"frame: found several rows of {pair} and no column weight, expected a row a pair")
    return chances(table)


def _in_order(units: pd.Series[str], price: Mapping[str, float]) -> list[str]:
    """Return the units that have a price from the cheapest to the dearest, or all in their order if there are none."""
    ids = list(dict.fromkeys(units))
    return sorted((i for i in ids if price.get(i, np.nan) >= 0), key=lambda i: (price[i], i)) if price else ids


def _mark(
    ax: Axes, who: str, ids: list[str], price: Mapping[str, float], names: Mapping[str, str], currency: str
) -> None:
    """Say along the axis of attackers or targets who stands there: names, or spans of cost where there are too many."""
    down = who == "attacker"
    axis = ax.yaxis if down else ax.xaxis
    each = f"each {'row' if down else 'column'} a unit"
    if len(ids) <= MOST_NAMED:
        said = [f"{names.get(i, i)} ({price[i]:g})" if price else str(names.get(i, i)) for i in ids]
        turned: dict[str, Any] = {} if down else {"rotation": 60, "ha": "left", "rotation_mode": "anchor"}
        axis.set_ticks(range(len(ids)), said, **turned)
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


def cost_effectiveness(frame: pd.DataFrame, ax: Axes | None = None, *, currency: str = CURRENCY) -> Axes:
    """Draw requisition exchange ratios against requisition, with the trend and the names of what stands out.

    Parameters
    ----------
    frame : DataFrame
        From `aabalance.cost_effectiveness`. Points are called by a column ``name`` and coloured by ``nation`` or else
        ``category``, if it has these. Units that cost nothing have no place on the scale and are left out.

    Raises
    ------
    UsageError
        A frame of something else, or no unit in it that costs anything.
    """
    frame = _ranked(frame)
    ax = _axes(ax, COST_SIZE)
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
    ax.axhline(1, color=INK, lw=1, zorder=1)
    trend = frame["peer_exchange_ratio"].to_numpy(float)
    if np.isfinite(trend).all() and len(frame) > 1:
        order = np.argsort(price, kind="stable")
        ax.plot(price[order], trend[order], color=MUTED, lw=1.2, ls=(0, (5, 3)), zorder=1)
    groups = next((frame[name] for name in ("nation", "category") if frame[name].astype(bool).any()), frame["nation"])
    for n, group in enumerate(sorted(groups.unique())):
        mine = (groups == group).to_numpy()
        ax.scatter(
            price[mine], shown[mine], s=34, marker=MARKERS[n % len(MARKERS)], color=COLOURS[n % len(COLOURS)],
            edgecolor="white", linewidth=0.6, label=group, zorder=3, alpha=0.9,
        )  # fmt: skip
    steps = [m * 10.0**n for n in range(-6, 7) for m in (1, 2, 5) if low <= m * 10.0**n <= high]
    ax.yaxis.set_major_locator(FixedLocator([floor] * has_zero + steps + [ceiling] * has_inf))
    ax.yaxis.set_major_formatter(FuncFormatter(lambda y, _: "0" if y < low else "∞" if y > high else f"×{y:.6g}"))
    ax.yaxis.set_minor_locator(NullLocator())
    for edge, units, text in ((floor, ratio == 0, "destroy nothing"), (ceiling, np.isinf(ratio), "lose nothing")):
        if units.any():
            count = int(units.sum())
            ax.annotate(
                f"{text}: {count}",
                (price[units].max(), edge), (9, 0), textcoords="offset points", va="center", fontsize=8.5, color=MUTED,
            )  # fmt: skip
    rungs = [1, 2, 3, 5, 10, 15, 25, 50, 75, 100, 150, 200, 300, 500, 1000, 2000, 5000]
    ax.xaxis.set_major_locator(FixedLocator([r for r in rungs if price.min() * 0.85 <= r <= price.max() * 1.3]))
    ax.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:g}"))
    ax.xaxis.set_minor_locator(NullLocator())
    ax.set_xlabel(f"{currency} (log scale)", color=MUTED)
    ax.set_ylabel(f"{currency} destroyed for each point lost (log scale)", color=MUTED)
    _plain(ax)
    if groups.any():
        ax.legend(loc="best", frameon=False, ncols=2, fontsize=9, labelcolor=INK, handletextpad=0.3, columnspacing=1.2)
    end = ax.get_xlim()[1]
    for text, up in (("destroys more than it loses,\none against one", True), ("destroys less than it loses", False)):
        ax.annotate(
            text, (end, 1), (-4, 5 if up else -5), textcoords="offset points", ha="right",
            va="bottom" if up else "top", fontsize=9, color=MUTED,
        )  # fmt: skip
    if np.isfinite(trend).all() and len(frame) > 1:
        # At the end that is further from 1, where the other words stand.
        ends = [int(np.argmin(price)), int(np.argmax(price))]
        at = max(ends, key=lambda i: abs(np.log(trend[i])))
        ax.annotate(
            "trend: above it\na unit gives more\nthan its price's peers",
            (price[at], trend[at]),
            (-4 if at == ends[1] else 4, -24 if at == ends[1] else -6),
            textcoords="offset points",
            fontsize=9,
            color=MUTED,
            va="top",
            ha="center" if at == ends[1] else "left",
        )
    name_outliers(ax, frame, price, shown, INK)
    return ax


def _ranked(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the units that cost anything, with what a picture says of them: name, groups and their peers' ratio."""
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


def sensitivity(frame: pd.DataFrame, ax: Axes | None = None) -> Axes:
    """Draw how much each other reading of the rules changes the chance to win, the largest first.

    Parameters
    ----------
    frame : DataFrame
        From `aabalance.sensitivity`.

    Raises
    ------
    UsageError
        A frame of something else.
    """
    mean = "mean_change_of_p_win"
    table = expect(frame, ("reading", mean, "largest_change_of_p_win"), "aab.sensitivity(game)")
    ax = _axes(ax, READINGS_SIZE)
    moved = table[table[mean] > 0].sort_values(mean, ascending=False, kind="stable").head(MOST_READINGS)
    change, largest = moved[mean].to_numpy(), moved["largest_change_of_p_win"].to_numpy()
    y = np.arange(len(moved))
    ax.barh(y, change, height=0.62, color=COLOURS[0], zorder=3)
    for at, usual, most in zip(y, change, largest, strict=True):
        text = f"{points(usual)}, at most {points(most)} for one pair"
        ax.annotate(text, (usual, at), (6, 0), textcoords="offset points", va="center", fontsize=9, color=INK)
    ax.set_yticks(y, moved["reading"])
    ax.set_ylim(max(len(moved), 1) - 0.4, -0.6)
    ax.set_xlim(0, max(1.45 * change.max(initial=0.0), 0.001))
    ax.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{100 * x:g}"))
    ax.set_xlabel("change of the chance to win a duel, percentage points up or down, mean over all pairs", color=MUTED)
    _plain(ax)
    ax.grid(axis="y", visible=False)
    return ax


def figure_of(ax: Axes, title: str, footnote: str) -> Figure:
    """Return the figure of an Axes, with a title that says what was found and a footnote on where it comes from."""
    figure = ax.figure.get_figure(root=True)
    assert isinstance(figure, Figure)
    _frame(figure, title, footnote)
    return figure


def png(figure: Figure, dpi: int = DPI) -> bytes:
    """Return the picture; the same figure gives the same bytes on any day."""
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=dpi, metadata={"Software": None})
    return buffer.getvalue()


def _figure(size: tuple[float, float]) -> Figure:
    figure = Figure(figsize=size, layout="constrained", facecolor="white")
    FigureCanvasAgg(figure)
    return figure


def canvas(size: tuple[float, float]) -> Axes:
    """Return empty Axes of so many inches, outside pyplot."""
    return _figure(size).subplots()


def _axes(ax: Axes | None, size: tuple[float, float]) -> Axes:
    if isinstance(ax, Axes):
        return ax
    if ax is not None:
        raise UsageError(f"ax: found a {type(ax).__name__}, expected one Axes")
    from matplotlib import pyplot

    _, new = pyplot.subplots(figsize=size, layout="constrained")
    return new


def _plain(ax: Axes) -> None:
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        ax.spines[side].set_color(DRAW)
    ax.tick_params(colors=INK, labelsize=9, length=3)
    ax.grid(color=GRID, lw=0.8, zorder=0)
    ax.set_axisbelow(True)


def _frame(figure: Figure, title: str, footnote: str) -> None:
    figure.suptitle(title, x=0.01, ha="left", fontsize=13, fontweight="bold", color=INK)
    letters = int(16 * figure.get_figwidth())  # of this size, to an inch
    lines = [textwrap.fill(line, letters) for line in footnote.splitlines()]
    figure.supxlabel("\n".join(lines), x=0.01, ha="left", fontsize=8, color=MUTED, multialignment="left")
