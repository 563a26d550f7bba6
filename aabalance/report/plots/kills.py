"""Kill probability against the range: the curves in one picture, or in a panel for each pair of opponents."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator

from aabalance.analysis.battles import several
from aabalance.analysis.frames import names_of
from aabalance.analysis.pairs import kill_curves
from aabalance.definitions.fields import MOST_ROUNDS, WITHIN_TURNS
from aabalance.errors import UsageError, counted, shown, whole_number
from aabalance.game import Game, Unit, game_of
from aabalance.report.plots import canvas
from aabalance.report.plots.canvas import COLOURS
from aabalance.report.plots.names import lay_out, name_above, name_curves
from aabalance.rulesets.base import INCHES, Length

SIZE = (canvas.WIDTH, 4.2)
ACROSS = 2
LETTERS = 52
"""Of a name, on a line."""


def kill_probability(
    game: Game | str,
    versus: Iterable[Sequence[Unit]],
    *,
    ax: Axes | None = None,
    ranges: Iterable[float] | None = None,
    turns: int = WITHIN_TURNS,
    **situation: Any,
) -> Axes:
    """Draw the chance that an attacker which holds destroys its target within some turns, against the range.

    Parameters
    ----------
    game : Game or str
        The game: a ruleset with its cards and variant.
    versus : iterable of (str, str)
        Pairs of attacker and target, as ids or cards; each gets a curve.
    ax : Axes, optional
        Where to draw; new Axes by default.
    ranges : iterable of float, optional
        Distances, in inches or in whatever the game counts; by default those of the game's own report.
    turns : int
        Number of the attacker's turns.
    **situation
        Fields of the game's `Moment` other than the range.

    Raises
    ------
    UsageError
        There are no pairs of units, fewer than two ranges or no turns, or the situation is wrong.

    Examples
    --------
    >>> import aabalance as aab
    >>> versus = [("de_tiger1", "su_t34_85"), ("su_t34_85", "de_tiger1")]
    >>> ax = aab.plots.kill_probability(aab.Game(), versus, facing="side")
    """
    if "range_in" in situation:
        raise UsageError("range_in: found one range, expected ranges=..., which the picture goes along")
    turns = whole_number("turns", turns, 1, MOST_ROUNDS)
    game = game_of(game)
    ranges = game.definition.plots.ranges if ranges is None else ranges
    along = sorted({game.moment(range_in=one).range_in for one in several(ranges, "ranges")})
    if len(along) < 2:
        raise UsageError(f"ranges: found {shown(ranges)}, expected two distances at least")
    curves = kill_curves(game, _couples(game, versus), along, turns, **situation)
    return kill_lines(curves, ax, names=names_of(game), length=game.ruleset.labels.length)


def _couples(game: Game, versus: Any) -> list[tuple[Unit, Unit]]:
    """Return pairs of attacker and target, each once."""
    couples: dict[tuple[str, str], tuple[Unit, Unit]] = {}
    pairs: list[Any] = list(versus) if np.iterable(versus) else [versus]
    for pair in pairs:
        sides = [] if isinstance(pair, str) or not np.iterable(pair) else list(pair)
        if len(sides) != 2:
            raise UsageError(f"versus: found {shown(pair)}, expected pairs: [(attacker, target), ...]")
        a, b = map(game.card, sides)
        if couples.setdefault((a.id, b.id), (a, b)) != (a, b):
            raise UsageError(f"versus: found {a.id} against {b.id} with different cards, expected a picture for each")
    if not couples:
        raise UsageError("versus: found no pair, expected pairs: [(attacker, target), ...]")
    return list(couples.values())


@canvas.as_written()
def kill_lines(
    curves: pd.DataFrame, ax: Axes | None = None, names: dict[str, str] | None = None, *, length: Length = INCHES
) -> Axes:
    """Draw the curves of a frame, each named next to one of its steps.

    The value at an inch is drawn from the inch before it on, since range bands include their last inch.

    Parameters
    ----------
    curves : DataFrame
        From `aabalance.analysis.pairs.kill_curves`.
    ax : Axes, optional
        Where to draw; new Axes by default.
    names : dict, optional
        Name of each unit by id; ids by default.
    length : Length
        What the game counts distances in.
    """
    ax = canvas.axes_of(ax, SIZE)
    steps = _steps(curves, ax, names, length)
    lay_out(ax)
    _name(ax, *steps, length, LETTERS)
    return ax


def _name(ax: Axes, x: Any, drawn: list[tuple[Any, list[str]]], length: Length, letters: int) -> None:
    """Name the curves: next to their steps over inches, above them over hexes or squares, where there is less room."""
    fitted = [(values, [line for name in names for line in textwrap.wrap(name, letters)]) for values, names in drawn]
    if length.whole:
        name_above(ax, [words for _, words in fitted])
    else:
        name_curves(ax, x, fitted, COLOURS)


def _steps(
    curves: pd.DataFrame, ax: Axes, names: dict[str, str] | None, length: Length
) -> tuple[Any, list[tuple[Any, list[str]]]]:
    """Draw the curves; return the ranges, and the values of each different curve with the lines of its name."""
    called = names or {}
    pairs = {*zip(curves["attacker"], curves["target"], strict=True)}
    couple = len(pairs) == 2 and len({frozenset(pair) for pair in pairs}) == 1  # each names the other's target
    x = np.unique(curves["range_in"].to_numpy())
    # A band includes its last inch, and the next one begins behind it; a hex or a square is a step of its own.
    ahead = 0.5 if length.whole else 0.0
    drawn: list[tuple[Any, list[str]]] = []
    for (attacker, target), curve in curves.groupby(["attacker", "target"], sort=False, observed=True):
        a, b = called.get(str(attacker), attacker), called.get(str(target), target)
        values = curve["p_kill_within"].to_numpy()
        same = next((texts for other, texts in drawn if np.array_equal(other, values)), None)
        if same is None:
            drawn.append((values, [f"{a} fires" if couple else f"{a} destroys {b}"]))
        else:
            same[:] = [f"{b} and {a} alike"] if couple else [*same, f"{a} destroys {b}"]
        n = len(drawn) - 1
        if n == len(COLOURS):
            raise UsageError(
                f"versus: found more than {n} different curves, expected a colour for each: several pictures"
            )
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
    canvas.in_percent(ax)
    turns = int(curves["turns"].iloc[0])
    canvas.plain(ax, f"range, {length.name}", f"destroyed within {counted(turns, 'turn')}, exact")
    return x, drawn


def kill_panels(
    curves: pd.DataFrame, names: dict[str, str] | None = None, footnote: str = "", *, length: Length = INCHES
) -> Figure:
    """Return a figure with one panel for each pair of opponents in a frame of kill curves.

    Parameters
    ----------
    curves, names, length
        As for `kill_lines`.
    footnote : str
        Text below the figure.
    """
    couples: dict[frozenset[str], list[int]] = {}
    keys = list(zip(curves["attacker"].astype(str), curves["target"].astype(str), strict=True))
    for row, (attacker, target) in enumerate(keys):
        couples.setdefault(frozenset((attacker, target)), []).append(row)
    hopeless = [pair for pair, rows in couples.items() if not curves["p_kill_within"].iloc[rows].any()]
    called = names or {}
    shown = {pair: rows for pair, rows in couples.items() if pair not in hopeless} or couples
    across = min(ACROSS, len(shown))
    down = -(-len(shown) // across)
    figure = canvas.figure((canvas.WIDTH, 2.9 * down + 1.1))
    panels = figure.subplots(down, across, sharex=True, sharey=True, squeeze=False)
    unnamed = []
    for n, (ax, rows) in enumerate(zip(panels.flat, shown.values(), strict=False)):
        unnamed.append((ax, *_steps(curves.iloc[rows], ax, names, length)))
        below = n + across < len(shown)
        ax.tick_params(labelbottom=not below)
        if below:
            ax.set_xlabel("")
        if n % across:
            ax.tick_params(labelleft=False)
            ax.set_ylabel("")
    for ax in list(panels.flat)[len(shown) :]:
        ax.remove()
    turns, where = int(curves["turns"].iloc[0]), str(curves["situation"].iloc[0])
    reach = curves.groupby(["attacker", "target"], observed=True)["p_kill_within"].agg(["max", "min"])
    finding = "Distance decides: c" if (reach["max"] - reach["min"]).min() > 0.5 else "C"
    title = f"{finding}hance to destroy the enemy within {counted(turns, 'turn')} of holding, by range"
    harmless = [" and ".join(called.get(one, one) for one in sorted(pair)) for pair in hopeless if pair not in shown]
    never = f" At no range can they destroy each other: {'; '.join(harmless)}." if harmless else ""
    note = f"Target fresh{', ' * bool(where)}{where}, returns no fire.{never} {footnote}"
    canvas.entitle(figure, title, note.strip())
    lay_out(panels[0][0])
    for ax, x, drawn in unnamed:
        _name(ax, x, drawn, length, LETTERS // ACROSS)
    return figure
