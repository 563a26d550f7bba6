"""How a battle of each mode ends (p. 23)."""

from __future__ import annotations

from aabalance.errors import UsageError
from aabalance.rulesets.armored_advance.variant import Variant
from aabalance.rulesets.base import TIMED, Mission


def mission(mode: str, turn_limit: int | None, variant: Variant) -> Mission:
    """Return how a battle of a mode ends besides the end of a mechanized force (p. 23).

    An annihilation may have a limit too. At the limit of a timed one the larger requisition wins, of all units left,
    damaged or not (AA-55); equals play another turn each until they differ. See
    `aabalance.rulesets.base.Ruleset.mission`.

    Parameters
    ----------
    mode : str
        One of ``annihilation`` and ``timed``.
    turn_limit : int or None
        As for `rounds`; None for no limit.
    variant : Variant
        The rule switches.

    Raises
    ------
    UsageError
        One side would have a turn more than the other.
    """
    return Mission() if turn_limit is None else Mission(rounds(turn_limit, variant), by_cost=mode == TIMED)


def rounds(turn_limit: int, variant: Variant) -> int:
    """Return how many turns each side has up to a turn limit.

    Parameters
    ----------
    turn_limit : int
        In turns of both sides, or of either, by ``turn_limit_counts`` (AA-54).
    variant : Variant
        The rule switches.

    Raises
    ------
    UsageError
        One side would have a turn more than the other.
    """
    if variant.turn_limit_counts == "rounds":
        return turn_limit
    if turn_limit % 2:
        raise UsageError(f"rounds: found a limit of {turn_limit} player turns, expected as many turns of either side")
    return turn_limit // 2
