"""Pictures. Each draws a frame on `ax`, or on a new pyplot figure, and returns the Axes; the only matplotlib.

`kills`, `heatmap`, `costs`, `prices`, `readings` and `economy` are a kind of picture each, `canvas` is what they are
drawn on.
"""

from __future__ import annotations

from aabalance.report.plots.costs import cost_effectiveness
from aabalance.report.plots.economy import action_price, actions
from aabalance.report.plots.heatmap import matchup_heatmap
from aabalance.report.plots.kills import kill_probability
from aabalance.report.plots.prices import worth
from aabalance.report.plots.readings import sensitivity

__all__ = [
    "action_price",
    "actions",
    "cost_effectiveness",
    "kill_probability",
    "matchup_heatmap",
    "sensitivity",
    "worth",
]


def __dir__() -> list[str]:
    """Name the pictures of what the package answers, alone: not what the report draws them on."""
    return __all__
