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
    from aabalance.diff.compare import compare
    from aabalance.errors import AabalanceError, CardError, OutputError, UnknownUnitError, UsageError
    from aabalance.explorer import explore
    from aabalance.game import Game
    from aabalance.jobs.sweeps import sweeping
    from aabalance.pricing.breakpoints import penetration_steps, toughness_steps, worth_of_changes
    from aabalance.pricing.movement import worth_moving
    from aabalance.pricing.roster import dominated, score_by
    from aabalance.pricing.tuning import tune
    from aabalance.pricing.worth import worth, worth_explained, worth_reasons
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
    "compare",
    "cost_effectiveness",
    "dominated",
    "explore",
    "first_requisition",
    "leads",
    "matchups",
    "penetration_steps",
    "plots",
    "score_by",
    "sensitivity",
    "shots",
    "survivors_of_duel",
    "sweeping",
    "toughness_steps",
    "tune",
    "turns_of_duel",
    "worth",
    "worth_explained",
    "worth_moving",
    "worth_of_changes",
    "worth_reasons",
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
    "compare": "diff.compare",
    "cost_effectiveness": "analysis.cost",
    "dominated": "pricing.roster",
    "explore": "explorer",
    "first_requisition": "analysis.cost",
    "leads": "analysis.actions",
    "matchups": "analysis.matchups",
    "penetration_steps": "pricing.breakpoints",
    "score_by": "pricing.roster",
    "sensitivity": "analysis.sensitivity",
    "shots": "analysis.matchups",
    "survivors_of_duel": "analysis.duels",
    "sweeping": "jobs.sweeps",
    "toughness_steps": "pricing.breakpoints",
    "tune": "pricing.tuning",
    "turns_of_duel": "analysis.duels",
    "worth": "pricing.worth",
    "worth_explained": "pricing.worth",
    "worth_moving": "pricing.movement",
    "worth_of_changes": "pricing.breakpoints",
    "worth_reasons": "pricing.worth",
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
