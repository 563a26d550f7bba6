"""One fight: how a duel runs, turn by turn, and what one attack may do."""

from __future__ import annotations

import textwrap
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from aabalance.analysis.duels import turns_of_duel
from aabalance.errors import UsageError
from aabalance.game import Game, Unit, game_of
from aabalance.play.result import distance, percent
from aabalance.play.shot import ShotResult
from aabalance.report.plots import canvas
from aabalance.report.plots.canvas import COLOURS, INK, MARKERS
from aabalance.report.plots.names import lay_out, name_ends

SIZE = (canvas.WIDTH, 4.0)
MOST_MARKED = 24
"""Turns, or amounts, that have room for a mark or a number each."""


@canvas.as_written()
def duel_timeline(
    game: Game | str,
    a: Unit,
    b: Unit,
    *,
    range_in: float,
    ax: Axes | None = None,
    posture_a: str = "hold",
    posture_b: str = "hold",
    **situation: Any,
) -> Axes:
    """Draw the chances that either unit has won a duel by each player turn, and that both still fight; a moves first.

    Parameters
    ----------
    game, a, b, range_in, posture_a, posture_b, **situation
        As for `aabalance.turns_of_duel`, whose numbers are drawn.
    ax : Axes, optional
        Where to draw; new Axes by default.

    Raises
    ------
    UsageError
        The game's units have conditions in place of toughness, or a posture is ``optimal``, which needs a turn limit.

    Examples
    --------
    >>> import aabalance as aab
    >>> game = aab.Game()
    >>> ax = aab.plots.duel_timeline(game, "us_m4a3_75w", "de_stug3g", range_in=18)
    """
    game = game_of(game)
    sides = [game.card(unit).name for unit in (a, b)]
    table = turns_of_duel(game, a, b, range_in=range_in, posture_a=posture_a, posture_b=posture_b, **situation)
    ax = canvas.axes_of(ax, SIZE)
    turn = np.r_[0, table["player_turn"].to_numpy()]
    ends = np.r_[0.0, table["p_end"].to_numpy()]
    # Nobody is lost in a turn of his own, so the odd turns are those in which a wins.
    won = [np.cumsum(np.where(turn % 2 == parity, ends, 0.0)) for parity in (1, 0)]
    curves = [*zip(("wins", "wins"), sides, won, strict=True), ("undecided", "", 1 - won[0] - won[1])]
    for n, (_, _, values) in enumerate(curves):
        mark = MARKERS[n] if len(turn) <= MOST_MARKED else ""
        ax.plot(turn, values, color=COLOURS[n], lw=2.2, marker=mark, ms=4, zorder=3)
    ax.set_xlim(0, turn[-1])
    ax.set_ylim(0, 1.05)
    ax.xaxis.set_major_locator(MaxNLocator(8, integer=True))
    canvas.in_percent(ax, ticks=False)
    canvas.plain(ax, f"player turns; the odd ones are those of {sides[0]}", "chance by then, exact")
    ends_at = [
        (float(values[-1]), f"{side}\n{what} {percent(values[-1])}".strip(), COLOURS[n])
        for n, (what, side, values) in enumerate(curves)
    ]
    lay_out(ax)
    name_ends(ax, float(turn[-1]), ends_at)
    return ax


@canvas.as_written()
def damage_distribution(shot: ShotResult, ax: Axes | None = None) -> Axes:
    """Draw the chance of each amount that one attack may take from its target, and the expected amount.

    Parameters
    ----------
    shot : ShotResult
        From `Game.shot`.
    ax : Axes, optional
        Where to draw; new Axes by default.

    Raises
    ------
    UsageError
        It is something else.

    Examples
    --------
    >>> import aabalance as aab
    >>> shot = aab.Game().shot("us_m7", "de_pz4h", range_in=18)
    >>> ax = aab.plots.damage_distribution(shot)
    """
    if not isinstance(shot, ShotResult):
        raise UsageError(f"shot: found a {type(shot).__name__}, expected the result of game.shot(...)")
    ax = canvas.axes_of(ax, SIZE)
    amounts = np.array(sorted(shot.damage))
    chances = np.array([shot.damage[amount] for amount in amounts])
    gap = float(np.diff(amounts).min(initial=max(amounts[-1], 1)))
    ax.bar(amounts, chances, width=0.8 * gap, color=COLOURS[0], zorder=3)
    said = f"expected: {shot.expected_damage:.3g}"
    ax.plot([shot.expected_damage], [0], color=COLOURS[1], marker="^", ms=9, ls="", clip_on=False, zorder=5, label=said)
    if len(amounts) <= MOST_MARKED / 2:
        for amount, chance in zip(amounts, chances, strict=True):
            ax.annotate(
                percent(chance), (amount, chance), (0, 3), textcoords="offset points", ha="center", va="bottom",
                fontsize=8.5, color=INK, zorder=5,
            )  # fmt: skip
    ax.set_xlim(min(amounts[0], 0) - gap, amounts[-1] + gap)
    ax.set_ylim(0, 1.15 * chances.max())
    ax.xaxis.set_major_locator(MaxNLocator(8, integer=True))
    canvas.in_percent(ax, ticks=False)
    where = ", ".join(filter(None, (distance(shot.range_in, shot.length), shot.situation)))
    letters = int(canvas.NOTE_LETTERS * canvas.WIDTH * 0.6)
    what = textwrap.fill(f"damage of one attack: {shot.attacker}, {shot.weapon}, at {shot.target}, {where}", letters)
    canvas.plain(ax, what, "chance, exact")
    canvas.legend_above(ax)
    return ax
