"""Hooks: functions of rolled battles, and of the turns of solved ones, that not every battle needs.

In the modules that call them, their names are `aabalance.engine.jit.NO_HOOK`, which is None. Where a battle is
compiled, the functions that it needs take the places of their names. What is behind a name that stays None isn't
compiled, so that a first battle waits for its own hooks alone.
"""

from __future__ import annotations

from aabalance.engine.arrays import Loop
from aabalance.engine.battle import actions, policies
from aabalance.engine.battle.actions import returns_fire
from aabalance.engine.battle.columns import Sides
from aabalance.engine.battle.lanes import detail, kernel

Hooks = dict[str, Loop]

STANDARD = "value"
"""Most battles are rolled with this policy on both sides: then no other is compiled. In any other case all are."""
OF_HELP: Hooks = {"keep_helped": actions.drop_unhelped, "spend_help": actions.take_help}
OF_DETAIL: Hooks = {
    "of_run": detail.of_run,
    "note_end": detail.note_end,
    "note_strikes": detail.note_strikes,
    "note_actions": detail.note_actions,
}
OF_LOG: Hooks = {"note_choice": detail.note_choice, "note_dice": detail.note_dice}


def of_turns(sides: Sides) -> Hooks:
    """Return the hooks of a side's turns, which solved and rolled battles have in common.

    Parameters
    ----------
    sides : pair of Side
        As `aabalance.engine.battle.battle.Battle.sides`.
    """
    hooks: Hooks = dict(policies.by_number())
    return hooks | OF_HELP if any(map(actions.needs_help, sides)) else hooks


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
    if any(map(returns_fire, sides)):
        hooks["return_fire"] = kernel.fire_back
    return hooks | OF_DETAIL if detailed else hooks
