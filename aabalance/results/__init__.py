"""The results that a game's methods return, with a plain repr, a small table for notebooks, plain values and a frame.

- `base`: what all results share
- `shot`, `duel`, `battle`: a result each
- `account`: what happened to the units of a battle, and in its turns
- `explanation`: why a result is what it is
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
