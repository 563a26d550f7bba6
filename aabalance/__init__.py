"""aabalance: balance analysis of tabletop wargames, exact where it can be.

>>> import aabalance as aab
>>> game = aab.Game("armored_advance")
>>> game.shot("de_tiger1", "su_t34_85", range_in=18).need
3
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from aabalance.analysis.actions import actions, leads
    from aabalance.analysis.battles import battles
    from aabalance.analysis.best_play import best_play
    from aabalance.analysis.cost import cost_effectiveness, first_requisition
    from aabalance.analysis.duels import survivors_of_duel, turns_of_duel
    from aabalance.analysis.matchups import matchups, shots
    from aabalance.analysis.sensitivity import sensitivity
    from aabalance.analysis.situations import Situations
    from aabalance.errors import AabalanceError, CardError, OutputError, UnknownUnitError, UsageError
    from aabalance.game import Game
    from aabalance.report import plots
    from aabalance.results import BattleResult, DuelResult, ShotResult

__all__ = [
    "AabalanceError",
    "BattleResult",
    "CardError",
    "DuelResult",
    "Game",
    "OutputError",
    "ShotResult",
    "Situations",
    "UnknownUnitError",
    "UsageError",
    "__version__",
    "actions",
    "battles",
    "best_play",
    "cost_effectiveness",
    "first_requisition",
    "leads",
    "matchups",
    "plots",
    "sensitivity",
    "shots",
    "survivors_of_duel",
    "turns_of_duel",
]

_HOME = {
    "AabalanceError": "errors",
    "BattleResult": "results",
    "CardError": "errors",
    "DuelResult": "results",
    "Game": "game",
    "OutputError": "errors",
    "ShotResult": "results",
    "Situations": "analysis.situations",
    "UnknownUnitError": "errors",
    "UsageError": "errors",
    "actions": "analysis.actions",
    "battles": "analysis.battles",
    "best_play": "analysis.best_play",
    "cost_effectiveness": "analysis.cost",
    "first_requisition": "analysis.cost",
    "leads": "analysis.actions",
    "matchups": "analysis.matchups",
    "sensitivity": "analysis.sensitivity",
    "shots": "analysis.matchups",
    "survivors_of_duel": "analysis.duels",
    "turns_of_duel": "analysis.duels",
}


def __getattr__(name: str) -> Any:
    """Import the public names on first use, so that ``import aabalance`` costs next to nothing."""
    if name == "__version__":
        from importlib import metadata

        return metadata.version("aabalance")
    if name == "plots":
        return import_module("aabalance.report.plots")
    if name in _HOME:
        return getattr(import_module(f"aabalance.{_HOME[name]}"), name)
    raise AttributeError(f"module 'aabalance' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
