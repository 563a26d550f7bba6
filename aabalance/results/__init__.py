"""What games answer with: results with a plain repr, a small table for notebooks, plain values and a frame.

`base` is what all share; `shot`, `duel` and `battle` have one result each, `account` what a battle tells of its units
and its turns, `explanation` why a result is what it is.
"""

from __future__ import annotations

from aabalance.results.base import FACES, ROUNDING, distance, percent, words
from aabalance.results.battle import BattleResult
from aabalance.results.duel import DuelResult
from aabalance.results.explanation import Explanation
from aabalance.results.shot import ShotResult

__all__ = [
    "FACES",
    "ROUNDING",
    "BattleResult",
    "DuelResult",
    "Explanation",
    "ShotResult",
    "distance",
    "percent",
    "words",
]
