"""Names for the kinds of arrays that the engine's loops take, for type checkers: where numpy isn't loaded yet, import
them for those alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
Words = npt.NDArray[np.uint64]
"""Random words, states packed into words, and the runs of a simulation."""

Loop = Callable[..., Any]
"""A function of plain loops, as it is or compiled."""
Loops = Callable[..., Loop]
"""A function that makes loops ready to run: `aabalance.engine.jit.compiled` or `plain`."""

FIGHT, KEY, FIRST_TRIAL, TRIALS, ROUNDS = range(5)
"""Columns of the runs of a simulation: number of the fight, key of its dice, first trial, number of trials, and limit
of rounds."""

Item = TypeVar("Item")
Item_co = TypeVar("Item_co", covariant=True)


class Row(Protocol[Item_co]):
    """A list, or an array: what a loop reads that runs as it is on lists, and compiled on arrays."""

    def __len__(self) -> int:
        """Return the number of items."""

    def __getitem__(self, index: int, /) -> Item_co:
        """Return an item."""


class Room(Row[Item], Protocol[Item]):
    """A list, or an array, to which such a loop writes."""

    def __setitem__(self, index: int, value: Item, /) -> None:
        """Set an item."""
