"""How long a game should be: what the first turn is worth, how often nobody wins, and whether the end still matters."""

from __future__ import annotations

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from aabalance.analysis.frames import expect
from aabalance.errors import UsageError
from aabalance.play.result import actions_a_turn
from aabalance.report.plots import canvas
from aabalance.report.plots.canvas import COLOURS, INK, MARKERS

SIZE = (canvas.WIDTH, 7.2)
PANELS = {"first_turn_gap": "first turn is worth", "p_draw": "drawn", "p_early": "end before the limit"}
BAND = 0.16
"""How dense the colour of an interval is."""


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

        figure = pyplot.figure(figsize=SIZE, layout="constrained", facecolor="white")
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
