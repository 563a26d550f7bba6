"""Random lists of about equal cost, of a few kinds and some copies of each; all units are in about as many lists.

Copies tell more of cheap units: what n of them decide is n times as much.
"""

from __future__ import annotations

import numpy as np

from aabalance.engine.arrays import Floats, Ints

AS_MANY = 5
"""Units of mean price that a list of the usual budget has; also the most copies of a unit that are drawn at once."""
LEAST, MOST = 0.9, 1.1
"""The budget of each list is drawn between these shares of the nominal one."""
SHARE_OF_ONE = 0.35
"""The copies of a unit that are drawn at once cost at most this share of the budget."""
LEFT_OVER = 0.05
"""A share of the budget that may be left."""
LOOKED_AT = 3
"""So many units that fit are drawn, of which the one that has appeared least is taken."""
NO_UNITS: Ints = np.empty(0, np.int64)


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
    needed : array of int
        Indices of units of which each list has one at least; any do if there are none.
    """

    def __init__(self, prices: Floats, budget: float, rng: np.random.Generator, needed: Ints = NO_UNITS) -> None:
        self.prices, self.budget, self.rng, self.needed = prices, budget, rng, needed
        self.appeared = np.zeros(len(prices))

    def draw(self, first: Ints = NO_UNITS, least: float = 0.0) -> Ints:
        """Return a list: the indices of its units, those that it begins with first.

        Parameters
        ----------
        first : array of int
            Indices of units that it has to have; a list may cost more for them.
        least : float
            The nominal budget isn't below this.
        """
        budget = max(self.budget, least) * self.rng.uniform(LEAST, MOST)
        units = first.tolist()
        if len(self.needed) and not np.isin(first, self.needed).any():
            units.append(self.rarest(self.needed))
        left = budget - float(self.prices[units].sum())
        while left > LEFT_OVER * budget:
            fit = np.flatnonzero(self.prices <= left)
            if not len(fit):
                break
            some = self.rng.choice(fit, LOOKED_AT)
            unit = int(some[np.argmin(self.appeared[some])])
            copies = self.copies(unit)[: int(left / self.prices[unit])].tolist()
            units += copies
            left -= len(copies) * float(self.prices[unit])
        return np.array(units, dtype=np.int64)

    def copies(self, unit: int) -> Ints:
        """Return one copy of a unit, or as many more as `AS_MANY` and `SHARE_OF_ONE` leave: each number as likely."""
        most = max(1, min(AS_MANY, int(SHARE_OF_ONE * self.budget / self.prices[unit])))
        return np.full(self.rng.integers(1, most + 1), unit)

    def rarest(self, among: Ints = NO_UNITS) -> int:
        """Return which unit has appeared in the fewest lists; if several have, one of them is drawn."""
        some = among if len(among) else np.arange(len(self.prices))
        return int(self.rng.choice(some[self.appeared[some] == self.appeared[some].min()]))

    def note(self, units: Ints) -> None:
        """Note that a list is played."""
        self.appeared[units] += 1
