"""The equilibrium of a zero-sum game, given as a matrix of payoffs, by linear programming."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from aabalance.engine.arrays import Floats


class Equilibrium(NamedTuple):
    """A mix for each side that its opponent can't exploit.

    Attributes
    ----------
    value : float
        What the first side scores.
    rows, columns : array of float, shape (rows,) and (columns,)
        The weights of each side's choices.
    """

    value: float
    rows: Floats
    columns: Floats


def equilibrium(payoffs: Floats) -> Equilibrium:
    """Return an equilibrium; a game may have several, of the same value (von Neumann 1928).

    The largest v for which some mix of rows scores at least v against each column is found by the simplex method of
    HiGHS (Huangfu, Hall: Parallelizing the dual revised simplex method, 2018); its dual values are the columns' mix.

    Parameters
    ----------
    payoffs : array of float, shape (rows, columns)
        What the first side scores by its choice and by that of the second side, which wants it low.
    """
    from scipy.optimize import linprog  # 0.2 s to import

    rows, columns = payoffs.shape
    found = linprog(
        np.append(np.zeros(rows), -1.0),
        A_ub=np.hstack([-payoffs.T, np.ones((columns, 1))]),
        b_ub=np.zeros(columns),
        A_eq=np.append(np.ones(rows), 0.0)[None, :],
        b_eq=[1.0],
        bounds=[(0, None)] * rows + [(None, None)],
        method="highs-ds",
    )
    return Equilibrium(float(found.x[-1]), _weights(found.x[:-1]), _weights(-found.ineqlin.marginals))


def _weights(found: Floats) -> Floats:
    """Return weights that sum to 1, without what rounding leaves of none."""
    kept = np.where(found > 1e-13, found, 0.0)
    mix: Floats = kept / kept.sum()
    return mix
