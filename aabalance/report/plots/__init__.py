"""Pictures. Each draws a frame on `ax`, or on a new pyplot figure, and returns the Axes; the only matplotlib.

`kills`, `duels`, `heatmap`, `prices`, `rows` and `economy` have a kind of picture each, `canvas` is what they are drawn
on, and `names` puts names where they cover nothing. All are drawn in dark ink on white, 6.4 inches wide, so that they
can be read on a phone and in a dark notebook.
"""

from __future__ import annotations

from aabalance.report.plots.duels import damage_distribution, duel_timeline
from aabalance.report.plots.economy import action_curve, action_price, game_length
from aabalance.report.plots.heatmap import ladder, matchup_heatmap
from aabalance.report.plots.kills import kill_probability
from aabalance.report.plots.prices import cost_effectiveness, tuning, worth
from aabalance.report.plots.rows import list_units, sensitivity

__all__ = [
    "action_curve",
    "action_price",
    "cost_effectiveness",
    "damage_distribution",
    "duel_timeline",
    "game_length",
    "kill_probability",
    "ladder",
    "list_units",
    "matchup_heatmap",
    "sensitivity",
    "tuning",
    "worth",
]


def __dir__() -> list[str]:
    """Name the pictures of what the package answers, alone: not what the report draws them on."""
    return __all__
