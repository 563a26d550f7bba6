"""The rules around the attacks: roll-offs, deployment, actions, costs, how each mode is won (p. 4, p. 22-23)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Literal

from aabalance import dice
from aabalance.errors import UsageError
from aabalance.rulesets.armored_advance.battle.infantry import OBJECTIVE_IN, owner
from aabalance.rulesets.armored_advance.card import Unit
from aabalance.rulesets.armored_advance.shot.tables import D6
from aabalance.rulesets.armored_advance.variant import Variant
from aabalance.rulesets.base import DOMINATION, TIMED, Mission, Objectives

Side = Literal["a", "b"]
Outcome = Literal["a", "b", "draw"]
OBJECTIVES = 5
"""An odd number; of the example of p. 23, in which the sides own 3 and 2 (AA-71, GUESS)."""


def roll_off() -> Fraction:
    """Return the chance to win a roll-off, for the deployment zone or the first turn; ties are rolled again (p. 22)."""
    difference = dice.convolve(dice.die(D6), dice.transform(dice.die(D6), lambda face: -face))
    return dice.chance_of_at_least(difference, 1) / (1 - difference[0])


def deployment(units_first: int, units_second: int) -> tuple[Literal["first", "second"], ...]:
    """Return who places a unit, one after the other: by turns, then the rest of the larger force (p. 22 Deployment).

    Parameters
    ----------
    units_first, units_second : int
        Units of the winner of the roll-off, who chooses the zone, and of the other.
    """
    order: list[Literal["first", "second"]] = []
    for placed in range(max(units_first, units_second)):
        if placed < units_first:
            order.append("first")
        if placed < units_second:
            order.append("second")
    return tuple(order)


def actions_left(card: Unit, used: int, used_by_side: int, action_limit: int) -> int:
    """Return the actions that a unit may still take in its side's turn (p. 4, p. 17, p. 22).

    Pool and limit both bind vehicles and field guns (AA-50); infantry has its own action outside the limit, see also
    `aabalance.rulesets.armored_advance.battle.infantry.squad_actions`. Nobody has to use them up. A battle asks it who
    is outside the limit; the engine does the counting (`aabalance.engine.battle.lanes`).

    Parameters
    ----------
    card : card
        The unit's card.
    used : int
        Actions that it took this turn.
    used_by_side : int
        Actions that all vehicles and field guns of its side took this turn.
    action_limit : int
        Actions that these may take in a turn.
    """
    left = card.actions - used
    return left if card.class_ == "infantry" else max(0, min(left, action_limit - used_by_side))


def turn_is_over(units: Iterable[tuple[Unit, int]], action_limit: int) -> bool:
    """Return whether a side can take no more actions (p. 4 The Basics).

    Parameters
    ----------
    units : iterable of (card, int)
        Its units, and the actions that each took this turn.
    action_limit : int
        Actions that its vehicles and field guns may take in a turn.
    """
    units = list(units)
    used_by_side = sum(used for card, used in units if card.class_ != "infantry")
    return not any(actions_left(card, used, used_by_side, action_limit) for card, used in units)


def requisition(cards: Iterable[Unit], *, infantry_free: bool = False) -> int:
    """Return what units cost together (p. 22 List Building); domination fields infantry for nothing (p. 23)."""
    return sum(card.requisition for card in cards if not (infantry_free and card.class_ == "infantry"))


def annihilation(
    left_a: Sequence[Unit], left_b: Sequence[Unit], variant: Variant, *, stalemate: bool = False
) -> Outcome | None:
    """Return how a game of annihilation stands: decided once a mechanized force is gone (p. 23).

    Parameters
    ----------
    left_a, left_b : sequence of card
        Units not destroyed. Infantry is no mechanized force; field guns are one while ``annihilation_counts_guns``
        (AA-53, GUESS).
    variant : Variant
        The rule switches.
    stalemate : bool
        No unit left can defeat one of the other side.

    Returns
    -------
    {"a", "b", "draw"} or None
        The winner; None while the game goes on.
    """
    lost_a, lost_b = (not any(_mechanized(card, variant) for card in left) for left in (left_a, left_b))
    if lost_a != lost_b:
        return "b" if lost_a else "a"
    return "draw" if stalemate or lost_a else None


def _mechanized(card: Unit, variant: Variant) -> bool:
    return card.class_ == "vehicle" or (card.class_ == "field_gun" and variant.annihilation_counts_guns)


def mission(mode: str, turn_limit: int | None, variant: Variant) -> Mission:
    """Return how a battle of a mode ends besides the end of a mechanized force (p. 23).

    An annihilation may have a limit too; a game of domination lasts to its limit. See
    `aabalance.rulesets.base.Ruleset.mission`.

    Parameters
    ----------
    mode : str
        One of ``annihilation``, ``timed`` and ``domination``.
    turn_limit : int or None
        As for `rounds`; None for no limit.
    variant : Variant
        The rule switches.

    Raises
    ------
    UsageError
        One side would have a turn more than the other.
    """
    if turn_limit is None:
        return Mission()
    if mode == DOMINATION:
        return Mission(rounds(turn_limit, variant), objectives=_objectives(turn_limit, variant))
    return timed_annihilation(turn_limit, variant) if mode == TIMED else Mission(rounds(turn_limit, variant))


def timed_annihilation(turn_limit: int, variant: Variant) -> Mission:
    """Return how a game of timed annihilation ends, if no mechanized force is gone before (p. 23).

    At the limit the larger requisition wins, of all units left, damaged or not (AA-55). Equals play another turn each
    until they differ.

    Parameters
    ----------
    turn_limit, variant
        As for `rounds`.
    """
    return Mission(rounds(turn_limit, variant), by_cost=True)


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


def _objectives(turn_limit: int, variant: Variant) -> Objectives:
    """Return the objectives of a game of domination; parameters as for `rounds`."""

    def winner(points: tuple[int, int]) -> Outcome | None:
        player_turns = 2 * rounds(turn_limit, variant)
        return domination(points, variant, points_to_win=None, player_turns=player_turns, turn_limit=turn_limit)

    return Objectives(OBJECTIVES, OBJECTIVE_IN, owner, tally, winner)


def _leader(a: int, b: int) -> Side | None:
    if a == b:
        return None
    return "a" if a > b else "b"


def tally(points: tuple[int, int], owned: tuple[int, int], ended: Side) -> tuple[int, int]:
    """Return the victory points of both sides after a player turn of a game of domination (p. 23).

    The side whose opponent's turn it was scores the objectives that it owns beyond the opponent's.

    Parameters
    ----------
    points, owned : (int, int)
        Victory points so far and objectives owned, of a and b.
    ended : {"a", "b"}
        Whose turn it was.
    """
    a, b = points
    lead = owned[0] - owned[1]
    return (a, b + max(0, -lead)) if ended == "a" else (a + max(0, lead), b)


def domination(
    points: tuple[int, int], variant: Variant, *, points_to_win: int | None, player_turns: int, turn_limit: int | None
) -> Outcome | None:
    """Return how a game of domination stands after so many player turns: won by enough points, or most at the limit.

    The rulebook gives a match one of the two ends (p. 23); equal points at the limit are a draw.

    Parameters
    ----------
    points : (int, int)
        Victory points of a and b.
    variant : Variant
        The rule switches.
    points_to_win : int or None
        Victory points that win at once; None if the game lasts to its limit.
    player_turns : int
        Turns that both sides had, together.
    turn_limit : int or None
        As for `rounds`; None for no limit.
    """
    a, b = points
    reached = points_to_win is not None and max(a, b) >= points_to_win
    over = turn_limit is not None and player_turns >= 2 * rounds(turn_limit, variant)
    if not (reached or over):
        return None
    return _leader(a, b) or "draw"
