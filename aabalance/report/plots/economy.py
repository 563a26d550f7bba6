"""The action economy by its limit, who is ahead and what one action more is worth; and how long a game should be."""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, MaxNLocator

from aabalance.analysis.frames import expect
from aabalance.columns import CURRENCY
from aabalance.engine.arrays import Floats, Ints
from aabalance.errors import UsageError
from aabalance.play.result import actions_a_turn
from aabalance.report.plots import canvas
from aabalance.report.plots.canvas import COLOURS, INK, MARKERS, MUTED
from aabalance.report.plots.names import lay_out, name_ends

SIZE = (canvas.WIDTH, 4.2)
SOURCE = "aab.actions(game, list_a, list_b, ...)"
LISTS = ["list_a", "list_b"]
POLICIES = ["policy_a", "policy_b"]
SCORE = "score_a"
MARGIN = 0.1
"""Room for words above and below all scores."""
MOST_TICKS = 12
LEVEL = 1e-9
"""Curves that differ by less are one."""
LENGTHS = (canvas.WIDTH, 7.2)
"""Size of the picture of how long a game should be, in inches."""
PANELS = {"first_turn_gap": "first turn is worth", "p_draw": "drawn", "p_early": "end before the limit"}
BAND = 0.16
"""How dense the colour of an interval is."""


class Curve(NamedTuple):
    """A curve against the action limit, with the ends of its intervals; nan where there is nothing."""

    name: str
    limits: Ints
    values: Floats
    low: Floats
    high: Floats


@canvas.as_written()
def action_curve(frame: pd.DataFrame, ax: Axes | None = None) -> Axes:
    """Draw who is ahead against the action limit: a's score, its wins and half of the draws.

    Of one pair of lists there is a curve for each policy, with its interval where battles were rolled. Of several there
    is one for each pair, under the first of the policies, and its band reaches over all of them.

    Parameters
    ----------
    frame : DataFrame
        From `aabalance.actions`, or several of them together.
    ax : Axes, optional
        Where to draw; new Axes by default.

    Raises
    ------
    UsageError
        The frame has other columns.

    Examples
    --------
    >>> import aabalance as aab
    >>> curve = aab.actions(aab.Game(), "de_tiger1", "us_m4a1*2", range_in=18, limits=range(1, 5))
    >>> ax = aab.plots.action_curve(curve)
    """
    table = _expected(frame, [SCORE])
    return _scores(table, canvas.axes_of(ax, SIZE))


@canvas.as_written()
def action_price(frame: pd.DataFrame, ax: Axes | None = None, *, currency: str = CURRENCY) -> Axes:
    """Draw what one action more is worth to either of two lists, against the action limit.

    The curves are those under the first of the policies; the bands are the whole units that they lie between, under
    any of them. Where no number of units that could be fought makes up for the action, there is a gap.

    Parameters
    ----------
    frame : DataFrame
        From `aabalance.actions`, of one pair of lists.
    ax : Axes, optional
        Where to draw; new Axes by default.
    currency : str
        The game's word for what units cost.

    Raises
    ------
    UsageError
        The frame has other columns, or several pairs of lists.

    Examples
    --------
    >>> import aabalance as aab
    >>> curve = aab.actions(aab.Game(), "de_tiger1", "us_m4a1*2", range_in=18, limits=range(1, 5))
    >>> ax = aab.plots.action_price(curve)
    """
    table = _expected(frame, ["action_price_a", "action_price_b"])
    if len(table[LISTS].drop_duplicates()) > 1:
        raise UsageError("frame: found several pairs of lists, expected a picture for each")
    return _prices(table, canvas.axes_of(ax, SIZE), currency)


def panels(frame: pd.DataFrame, title: str, footnote: str = "", *, currency: str = CURRENCY) -> Figure:
    """Return a figure with a row for each pair of lists: who is ahead, and what one action more is worth.

    Parameters
    ----------
    frame : DataFrame
        From `aabalance.actions`, of several pairs together.
    title, footnote : str
        Texts above and below.
    currency : str
        As for `action_price`.
    """
    parts = [part for _, part in frame.groupby(LISTS, sort=False, observed=True)]
    figure = canvas.figure((canvas.WIDTH, 3.1 * len(parts) + 1.4))
    rows = figure.subplots(len(parts), 2, sharex="col", squeeze=False)
    canvas.entitle(figure, title, footnote)
    for n, (part, (score, price)) in enumerate(zip(parts, rows, strict=True)):
        _scores(part, score, named=False)
        _prices(part, price, currency, named=False)
        canvas.legend_above(price, columns=1)
        for ax in (score, price):
            ax.xaxis.set_major_locator(MaxNLocator(MOST_TICKS // 2, integer=True))
            if n + 1 < len(parts):
                ax.tick_params(labelbottom=False)
                ax.set_xlabel("")
    lay_out(rows[0][0])
    for part, (score, _) in zip(parts, rows, strict=True):
        _name(score, part, _by_policy(part))
    return figure


def _expected(frame: pd.DataFrame, names: list[str]) -> pd.DataFrame:
    ends = [f"{name}{end}" for name in names for end in ("", "_low", "_high")]
    return expect(frame, [*LISTS, *POLICIES, "actions", *ends], SOURCE)


def _scores(table: pd.DataFrame, ax: Axes, *, named: bool = True) -> Axes:
    pairs = [part for _, part in table.groupby(LISTS, sort=False, observed=True)]
    if len(pairs) == 1:
        curves = _by_policy(table)
    else:
        names = ["\nv ".join(str(part[name].iloc[0]) for name in LISTS) for part in pairs]
        curves = [_over_policies(part, SCORE, name) for part, name in zip(pairs, names, strict=True)]
    ax.axhline(0.5, color=INK, lw=1, zorder=1)
    _draw(ax, curves)
    ax.set_ylim(-MARGIN, 1 + MARGIN)
    canvas.in_percent(ax)
    ax.set_ylabel("wins of the first list, draws half", color=MUTED)
    sides = [f"{table[name].iloc[0]} ahead" for name in LISTS] if len(pairs) == 1 else ["first ahead", "second ahead"]
    for text, up in zip(sides, (True, False), strict=True):
        ax.annotate(
            text, (0, 1 + MARGIN / 2 if up else -MARGIN / 2), (5, 0), xycoords=("axes fraction", "data"),
            textcoords="offset points", va="center", fontsize=9, color=MUTED,
        )  # fmt: skip
    if named:
        lay_out(ax)
        _name(ax, table, curves)
    return ax


def _prices(table: pd.DataFrame, ax: Axes, currency: str, *, named: bool = True) -> Axes:
    curves = [_over_policies(table, f"action_price_{side}", str(table[f"list_{side}"].iloc[0])) for side in "ab"]
    _draw(ax, curves, steps=True)
    ax.set_ylabel(f"one action more, in {currency}", color=MUTED)
    ax.set_ylim(bottom=min(0.0, *(float(np.nanmin(curve.low, initial=0.0)) for curve in curves)))
    if named:
        lay_out(ax)
        _name(ax, table, curves)
    return ax


def _draw(ax: Axes, curves: list[Curve], *, steps: bool = False) -> None:
    for n, (name, x, values, low, high) in enumerate(curves):
        colour = COLOURS[n % len(COLOURS)]
        if (high - low > LEVEL).any():
            at, lower, upper = _as_steps(x, low, high) if steps else (x, low, high)
            step: Literal["post"] | None = "post" if steps else None
            ax.fill_between(at, lower, upper, step=step, color=colour, alpha=BAND, lw=0, zorder=2)
        ax.plot(x, values, color=colour, lw=2, marker=MARKERS[n % len(MARKERS)], ms=4, zorder=3, label=name)
    x = curves[0].limits
    ax.set_xlim(x[0] - 0.5, x[-1] + 0.5)
    few = len(x) <= MOST_TICKS
    ax.xaxis.set_major_locator(FixedLocator(list(x)) if few else MaxNLocator(MOST_TICKS, integer=True))
    certain = "exact but for the bands" if ax.collections else "exact"
    canvas.plain(ax, f"action limit of each side's turn,\n{certain}")


def _as_steps(x: Ints, low: Floats, high: Floats) -> tuple[Floats, Floats, Floats]:
    """Return where the steps of a band begin, whose middles are the limits, and the end of the last one."""
    edges = np.r_[x[0] - 0.5, (x[1:] + x[:-1]) / 2, x[-1] + 0.5]
    return edges, np.r_[low, low[-1]], np.r_[high, high[-1]]


def _name(ax: Axes, table: pd.DataFrame, curves: list[Curve]) -> None:
    ends = [
        (float(values[np.isfinite(values)][-1]), name, COLOURS[n % len(COLOURS)])
        for n, (name, _, values, _, _) in enumerate(curves)
        if np.isfinite(values).any()
    ]
    name_ends(ax, float(table["actions"].max()), ends)


def _by_policy(table: pd.DataFrame) -> list[Curve]:
    """Return the scores of one pair of lists, a curve for each policy; policies of one score share one."""
    curves: list[Curve] = []
    for (policy_a, policy_b), part in table.groupby(POLICIES, sort=False, observed=True):
        name = policy_a if policy_a == policy_b else f"{policy_a} v {policy_b}"
        curve = _over_policies(part, SCORE, str(name))
        same = next((n for n, other in enumerate(curves) if _alike(curve, other)), None)
        if same is None:
            curves.append(curve)
        else:
            curves[same] = curves[same]._replace(name=f"{curves[same].name}\nand {name}")
    return curves


def _alike(one: Curve, other: Curve) -> bool:
    return all(
        len(x) == len(y) and np.allclose(x, y, rtol=0, atol=LEVEL) for x, y in zip(one[1:], other[1:], strict=True)
    )


def _over_policies(table: pd.DataFrame, name: str, called: str) -> Curve:
    """Return a curve under the first of the policies, with ends of intervals that reach over all of them."""
    by_limit = table.groupby("actions", observed=True)
    ends = by_limit[f"{name}_low"].min(), by_limit[f"{name}_high"].max()
    values = by_limit[name].first()
    value, low, high = (column.where(np.isfinite(column)).to_numpy(float) for column in (values, *ends))
    return Curve(called, values.index.to_numpy(), value, low, high)


@canvas.as_written()
def game_length(frame: pd.DataFrame, figure: Figure | None = None) -> Axes:
    """Draw what matches are like by their number of rounds, a curve for each limit of actions.

    Above, the score of the side that goes first, less that without; then the share that nobody wins; below, the share
    that ends before the limit of rounds. A good length has little of the first two, and ends late but not by the clock
    alone.

    Parameters
    ----------
    frame : DataFrame
        From `aabalance.match_boards`: one board, one mission, the same players, several numbers of rounds.
    figure : Figure, optional
        Where to draw; a new figure of pyplot's by default.

    Returns
    -------
    Axes
        The uppermost one; its figure has all three.

    Raises
    ------
    UsageError
        The frame has other columns, or several boards, missions or players.

    Examples
    --------
    >>> import aabalance as aab
    >>> game = aab.Game("skirmish_wars")
    >>> found = aab.matches(game, boards=["last_stand"], rounds=[2, 3, 4], simulate=10, watched=0)
    >>> ax = aab.plots.game_length(aab.match_boards(found.matches))
    """
    needed = [f"{name}{end}" for name in PANELS for end in ("", "_ci_low", "_ci_high")]
    table = expect(frame, ["board", "rounds", *needed], "aabalance.match_boards(...)")
    places = table[[name for name in ("board", "mission", "player_a", "player_b") if name in table]].drop_duplicates()
    if len(places) > 1:
        raise UsageError(f"frame: found {len(places)} boards, missions and players, expected a picture for each")
    if figure is None:
        from matplotlib import pyplot

        figure = pyplot.figure(figsize=LENGTHS, layout="constrained", facecolor="white")
    limits = [("", table)]
    if "actions_a" in table and table["actions_a"].notna().any():
        both = table[["actions_a", "actions_b"]].astype(int)
        limits = [(actions_a_turn(of), table[(both == of).all(axis=1)]) for of in both.drop_duplicates().to_numpy()]
    rows = figure.subplots(len(PANELS), 1, sharex=True)
    for ax, (name, said) in zip(rows, PANELS.items(), strict=True):
        _curves(ax, limits, name)
        canvas.in_percent(ax, ticks=ax is not rows[0])  # what the first turn is worth may be below 0
        canvas.plain(ax, None, said)
    top: Axes = rows[0]
    top.axhline(0, color=INK, lw=1, zorder=1)
    for ax in rows[1:]:
        ax.set_ylim(-0.04, 1.04)
    if len(limits) > 1:
        canvas.legend_above(top)
    rows[-1].xaxis.set_major_locator(MaxNLocator(integer=True))
    canvas.plain(rows[-1], "rounds; bands are 95 % intervals")
    return top


def _curves(ax: Axes, limits: list[tuple[str, pd.DataFrame]], name: str) -> None:
    for at, (label, part) in enumerate(limits):
        own, colour = part.sort_values("rounds"), COLOURS[at % len(COLOURS)]
        ends = own[f"{name}_ci_low"], own[f"{name}_ci_high"]
        ax.fill_between(own["rounds"], *ends, color=colour, alpha=BAND, lw=0, zorder=2)
        ax.plot(own["rounds"], own[name], color=colour, lw=2, marker=MARKERS[at % len(MARKERS)], ms=4, label=label)
