"""The raw generator: Philox blocks alone, both words of each added up, as many as duels need at least."""

from __future__ import annotations

from typing import Any

import numpy as np

from aabalance.engine import jit
from aabalance.engine.rng import philox

U = np.uint64


def draw(key: int, blocks: int) -> int:
    """Draw so many blocks of two words; return their sum, so that none can be left out."""
    return int(jit.compiled(_draw)(U(key), U(blocks)))


def _draw(key: Any, blocks: Any) -> Any:
    total = U(0)
    for k in range(blocks):
        low, high = philox(key, U(0), k)
        total += low ^ high
    return total
