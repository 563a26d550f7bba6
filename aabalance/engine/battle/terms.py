"""The conditions of a battle."""

from __future__ import annotations

from typing import NamedTuple


class Terms(NamedTuple):
    """The conditions of a battle: all but the units.

    Attributes
    ----------
    limits : (int, int)
        Limit of actions of each side in a turn.
    policies : (str, str)
        Names in `aabalance.engine.battle.policies.POLICIES`; one of them may be `BEST`.
    rounds : int or None
        Limit of turns of each side, as in `aabalance.rulesets.base.Mission`.
    by_cost : bool
        Whether worth decides, as in `Mission`.
    """

    limits: tuple[int, int]
    policies: tuple[str, str]
    rounds: int | None = None
    by_cost: bool = False
