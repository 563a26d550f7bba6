"""Optional hooks: functions of rolled battles, and of the turns of solved ones, that not every battle needs.

In the modules that call these functions, their names are `aabalance.engine.jit.NO_HOOK`, which is None. Where a battle
is compiled, the functions that it needs take the places of their names. What is behind a name that stays None isn't
compiled, so that a first battle waits for its own hooks alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from aabalance.engine.battle import cargo, domination, help, moving, policies, postures
from aabalance.engine.battle.actions import returns_fire
from aabalance.engine.battle.columns import Sides
from aabalance.engine.battle.lanes import detail, kernel, workspace

Hooks = dict[str, Callable[..., Any]]

STANDARD = "value"
"""Most battles are rolled with this policy on both sides: then no other is compiled. In any other case all are."""
OF_RIDERS: Hooks = {
    "board": cargo.board,
    "drive_for": cargo.drive_for,
    "get_out": cargo.get_out,
    "shelter": cargo.shelter,
    "hide": cargo.hide,
    "wreck": cargo.wreck,
    "uncount_rests": cargo.uncount_rests,
    "ways_to_crash": cargo.ways_to_crash,
    "crash": cargo.crash,
}
OF_HELP: Hooks = {"keep_helped": help.keep_helped, "spend_help": help.spend_help}
OF_MOVES: Hooks = {
    "set_out": moving.set_out,
    "find_moments": moving.find_moments,
    "regain": moving.regain,
}
OF_POINTS: Hooks = {"score": domination.score, "winner_by": domination.winner_by}
OF_DETAIL: Hooks = {
    "of_run": detail.of_run,
    "note_end": detail.note_end,
    "note_strikes": detail.note_strikes,
    "note_actions": detail.note_actions,
}
OF_LOG: Hooks = {
    "note_choice": detail.note_choice,
    "note_dice": detail.note_dice,
    "note_moves": detail.note_moves,
    "note_wrecks": detail.note_wrecks,
}


def of_turns(sides: Sides) -> Hooks:
    """Return the hooks of a side's turns, which solved and rolled battles have in common.

    Parameters
    ----------
    sides : pair of Side
        As `aabalance.engine.battle.battle.Battle.sides`.
    """
    hooks: Hooks = dict(policies.by_number())
    if len(sides[0].paces):
        hooks |= postures.by_number()
    if any(len(side.riders) for side in sides):
        hooks |= OF_RIDERS
    return hooks | OF_HELP if any(map(help.needs_help, sides)) else hooks


def of_rolls(sides: Sides, followed: tuple[int, int], *, detailed: bool) -> Hooks:
    """Return the hooks of a battle that is rolled.

    Parameters
    ----------
    sides : pair of Side
        As `aabalance.engine.battle.battle.Battle.sides`.
    followed : (int, int)
        Numbers of the policies that the sides follow.
    detailed : bool
        Whether more is counted than a tally.
    """
    hooks = of_turns(sides)
    standard = policies.numbers([STANDARD])
    if {*followed} == {*standard}:
        hooks = {name: part for name, part in hooks.items() if name not in policies.by_number()}
        hooks[f"policy_{standard[0]}"] = policies.POLICIES[STANDARD]
    if has_line(sides):
        hooks["move_line"] = workspace.move_line
    if len(sides[0].paces):
        hooks |= OF_MOVES
        # Where points decide, turns that change nothing go on to score.
        if not len(sides[0].objectives):
            hooks["note_idle"] = moving.note_idle
    if len(sides[0].objectives):
        hooks |= OF_POINTS
    if any(map(returns_fire, sides)):
        hooks["return_fire"] = kernel.fire_back
    return hooks | OF_DETAIL if detailed else hooks


def has_line(sides: Sides) -> bool:
    """Return whether a battle has a line: its units move, score points, or begin inside others.

    Parameters
    ----------
    sides : pair of Side
        As `aabalance.engine.battle.battle.Battle.sides`.
    """
    return any(len(part) for side in sides for part in (side.paces, side.objectives, side.riders))
