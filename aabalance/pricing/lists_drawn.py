"""Random lists of about equal cost, in which all units appear about alike often."""

from __future__ import annotations

import numpy as np

from aabalance.engine.arrays import Floats, Ints

AS_MANY = 5
"""Units of mean price that a list of the usual budget has."""
LEAST, MOST = 0.9, 1.1
"""The budget of each list is drawn between these shares of the nominal one."""
LEFT_OVER = 0.05
"""A share of the budget that may be left."""
LOOKED_AT = 3
"""So many units that fit are drawn, of which the one that has appeared least is taken."""


def usual_budget(prices: Floats) -> float:
    """Return the nominal budget where none is given: five units of mean price.

    Parameters
    ----------
    prices : array of float, shape (units,)
        Prices.
    """
    return AS_MANY * float(prices.mean())


class Drawer:
    """Draws lists; a seed settles them all.

    Parameters
    ----------
    prices : array of float, shape (units,)
        Prices.
    budget : float
        Nominal budget.
    rng : Generator
        Where chance comes from.
    """

    def __init__(self, prices: Floats, budget: float, rng: np.random.Generator) -> None:
        self.prices, self.budget, self.rng = prices, budget, rng
        self.appeared = np.zeros(len(prices))

    def draw(self, first: Ints, least: float = 0.0) -> Ints:
        """Return a list: the indices of its units, those that it begins with first.

        Parameters
        ----------
        first : array of int
            Units that it has to have; a list may cost more for them.
        least : float
            The nominal budget isn't below this.
        """
        budget = max(self.budget, least) * self.rng.uniform(LEAST, MOST)
        units = first.tolist()
        left = budget - float(self.prices[first].sum())
        while left > LEFT_OVER * budget:
            fit = np.flatnonzero(self.prices <= left)
            if not len(fit):
                break
            some = self.rng.choice(fit, LOOKED_AT)
            units.append(int(some[np.argmin(self.appeared[some])]))
            left -= float(self.prices[units[-1]])
        return np.array(units, dtype=np.int64)

    def rarest(self) -> Ints:
        """Return the unit that has appeared least, of those one that is drawn."""
        some = np.flatnonzero(self.appeared == self.appeared.min())
        return np.array([self.rng.choice(some)], dtype=np.int64)

    def note(self, units: Ints) -> None:
        """Note that a list is played."""
        np.add.at(self.appeared, units, 1)
