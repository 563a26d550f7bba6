"""What is called in battles in which nobody strikes back, moves or rides inside others, or no points are scored."""

from __future__ import annotations

from typing import Any

from aabalance.engine.battle.lanes import RANK, W, put_gains


def no_answer(
    side: Any,
    sides: Any,
    dice: Any,
    entries: Any,
    up_to: Any,
    factors: Any,
    slot: Any,
    key: Any,
    state: Any,
    asks: Any,
    room: Any,
    log: Any,
    detail: Any,
    lanes: Any,
) -> None:
    """Do nothing, in games in which nobody strikes back.

    Parameters
    ----------
    side, sides, dice, entries, up_to, factors, slot, key, state, asks, room, log, detail, lanes
        As for `aabalance.engine.battle.kernel.answer`.
    """


def stay(
    side: Any,
    sides: Any,
    line: Any,
    alive: Any,
    foes: Any,
    state: Any,
    left: Any,
    gains: Any,
    hurts: Any,
    asks: Any,
    lanes: Any,
) -> Any:
    """Return how many rows say whom a side hurts, where nobody moves.

    Parameters
    ----------
    side, sides, line, alive, foes, state, left, gains, hurts, asks, lanes
        As for `aabalance.engine.battle.moving.set_out`.
    """
    return len(hurts[side])


def one_moment(side: Any, sides: Any, line: Any, picked: Any, moment: Any, lanes: Any) -> None:
    """Leave the moments as they are, the first, where nobody moves.

    Parameters
    ----------
    side, sides, line, picked, moment, lanes
        As for `aabalance.engine.battle.moving.find_moments`.
    """


def regain_there(
    side: Any, sides: Any, line: Any, ranks: Any, gains: Any, aim: Any, after: Any, fresh: Any, lanes: Any
) -> None:
    """Look up the gains of all strikes of a side at the enemies aimed at, where nobody moves.

    Parameters
    ----------
    side, sides, line, gains, aim, after, fresh, lanes
        As for `aabalance.engine.battle.moving.regain`; what the enemy has left is written over.
    ranks : array of uint16, shape (strikes, enemies x toughness)
        The part `RANK` of the side, a row a strike.
    """
    tough, at = W(sides[side][RANK].shape[3]), after
    # Where to look becomes vectors, which looking doesn't. There is one aspect, so that it fits.
    for k in range(lanes):
        at[k] += W(aim[k] * tough)
    for strike in range(len(gains)):
        rank = ranks[strike]
        for k in range(lanes):
            fresh[k] = rank[at[k]]
        put_gains(gains[strike], aim, fresh, lanes)


def no_points(ended: Any, sides: Any, line: Any, left: Any, lanes: Any) -> None:
    """Do nothing, where no points are scored.

    Parameters
    ----------
    ended, sides, line, left, lanes
        As for `aabalance.engine.battle.domination.score`.
    """


def nobody_rides(side: Any, sides: Any, line: Any, alive: Any, state: Any, lanes: Any) -> None:
    """Do nothing, where nobody is inside others.

    Parameters
    ----------
    side, sides, line, alive, state, lanes
        As for `aabalance.engine.battle.cargo.board`.
    """


def own_way(side: Any, sides: Any, line: Any, unit: Any, foes: Any, ahead: Any, back: Any, lanes: Any) -> None:
    """Do nothing, where nobody is inside others.

    Parameters
    ----------
    side, sides, line, unit, foes, ahead, back, lanes
        As for `aabalance.engine.battle.cargo.drive_for`.
    """


def nobody_gets_out(side: Any, sides: Any, line: Any, foes: Any, lanes: Any) -> None:
    """Do nothing, where nobody is inside others.

    Parameters
    ----------
    side, sides, line, foes, lanes
        As for `aabalance.engine.battle.cargo.get_out`.
    """


def no_shelter(side: Any, sides: Any, line: Any, alive: Any, foes: Any, lanes: Any) -> None:
    """Do nothing, where nobody is inside others.

    Parameters
    ----------
    side, sides, line, alive, foes, lanes
        As for `aabalance.engine.battle.cargo.shelter`.
    """


def all_in_sight(side: Any, sides: Any, foes: Any, gains: Any, lanes: Any) -> None:
    """Do nothing, where nobody is inside others.

    Parameters
    ----------
    side, sides, foes, gains, lanes
        As for `aabalance.engine.battle.cargo.hide`.
    """


def no_wreck(
    side: Any, sides: Any, dice: Any, factors: Any, key: Any, asks: Any, room: Any, log: Any, detail: Any, lanes: Any
) -> None:
    """Do nothing, where nobody is inside others.

    Parameters
    ----------
    side, sides, dice, factors, key, asks, room, log, detail, lanes
        As for `aabalance.engine.battle.cargo.wreck`.
    """


def one_way(side: Any, sides: Any, line: Any, carrier: Any) -> int:
    """Return 1: nobody loses anything with a unit, where nobody is inside others.

    Parameters
    ----------
    side, sides, line, carrier
        As for `aabalance.engine.battle.cargo.ways_to_crash`.
    """
    return 1


def no_crash(side: Any, sides: Any, line: Any, carrier: Any, way: Any, number: Any, left: Any, alive: Any) -> Any:
    """Return 0: nobody loses anything with a unit, where nobody is inside others.

    Parameters
    ----------
    side, sides, line, carrier, way, number, left, alive
        As for `aabalance.engine.battle.cargo.crash`.
    """
    return 0
