"""What players work in: a record, which compiled functions hand on for nothing.

Numba counts the references to an array whenever a function takes it: that took two fifths of search in Skirmish Wars.
"""

from __future__ import annotations

from functools import cache
from mmap import mmap

import numpy as np

from aabalance.rulesets.base.match import DICE, MOST_UNITS, Record, fields, record

TRUE, SEEN, FIRST, SECOND = range(4)
"""Places of `states`: the state itself, what the side that decides sees of it, and those after the first and after the
second action of a plan."""
MATCH, PLAYOUT = range(2)
"""Places of `workspaces`."""
NOT_JUDGED = np.inf
"""What is hoped of a unit whose plans have not been judged yet."""


def workspaces(state: Record, most_actions: int) -> Record:
    """Return workspaces in which nothing has been judged yet: that of a `MATCH`, and that of each `PLAYOUT`.

    Parameters
    ----------
    state : record
        The state of the match.
    most_actions : int
        `MatchRules.most_actions`.

    Returns
    -------
    array of records, shape (2,)
        - `states`: those of `TRUE`, `SEEN`, `FIRST` and `SECOND`;
        - `actions`: what may be chosen first, and then;
        - `dice`: those of the action that was tried or taken last;
        - `hopes`: what the best plans of units were worth when they were last judged in this turn.
    """
    kind = _kind(state.dtype, most_actions)
    # Zeros that the system gives where they are touched: numpy would fill 30 MB for each match of Armored Advance.
    works = np.frombuffer(mmap(-1, 2 * kind.itemsize), kind)
    works["states"][:, TRUE], works["hopes"] = state, NOT_JUDGED
    return works


@cache
def _kind(state: np.dtype[np.void], most_actions: int) -> np.dtype[np.void]:
    """Return the kind of `workspaces`."""
    return record(
        fields(state, "states", 4),
        fields(np.int64, "actions", 2, most_actions),
        fields(DICE, "dice"),
        fields(np.float64, "hopes", MOST_UNITS),
    )
