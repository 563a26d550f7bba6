"""The ladder of players: a cell for each pairing, with the score in it."""

from __future__ import annotations

import pandas as pd
from matplotlib.axes import Axes

from aabalance.analysis.frames import expect
from aabalance.report.plots import canvas
from aabalance.report.plots.canvas import INK, MUTED
from aabalance.report.plots.heatmap import WINS

SIZE = (canvas.WIDTH, 4.8)
PALE = 0.5
"""How dense the colours are: dark ink can be read on all of them."""


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
    ax = canvas.axes_of(ax, SIZE)
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
