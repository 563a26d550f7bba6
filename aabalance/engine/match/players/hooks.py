"""The functions of a game that players ask: they know no rule.

Those of a game are bound in place of the names below: `aabalance.rulesets.base.match_rules.MatchRules` says what each
returns, `aabalance.engine.jit.compiled` how. `tables` and `state` are those of the match, `of`, `follows` and `out` as
in `MatchRules`.
"""

from __future__ import annotations

from typing import Any

from aabalance.engine import jit
from aabalance.engine.match.players.workspace import SEEN, TRUE
from aabalance.rulesets.base.match import ALL, Actions, Record, is_barred
from aabalance.rulesets.base.match_rules import MatchRules

legal = candidates = units = actor = apply = view = redraw = result = to_move = value = facts = jit.NO_HOOK
"""What a game's rules bring."""

CALLED = "legal candidates units actor apply view redraw result to_move value facts"


def of(rules: MatchRules) -> dict[str, Any]:
    """Return the functions of a game's rules by the names that they are bound to."""
    return {name: getattr(rules, name) for name in CALLED.split()}


def see(tables: Record, work: Record) -> None:
    """Write what the side to move sees of the state of a workspace."""
    work.states[SEEN] = work.states[TRUE]
    view(tables, work.states[SEEN], to_move(work.states[SEEN]))


def sensible(tables: Record, state: Record, of: int, follows: bool, out: Actions) -> int:
    """Write the candidates of `aabalance.rulesets.base.match_rules.MatchRules` that the side to move may choose.

    Where all that belong to no unit are barred, such as the end of a turn, whatever else is legal takes their place.
    Where a side has nothing else to do, as in its deployment, nothing is barred to it.
    """
    count: int = candidates(tables, state, of, follows, out)
    kept = allowed(tables, state, of, out, count)
    if count == 0 or (kept > 0 and not is_barred(tables, to_move(state), out[0])):
        return kept
    count = allowed(tables, state, ALL, out, legal(tables, state, ALL, out))
    if is_barred(tables, to_move(state), out[0]):
        count = candidates(tables, state, of, follows, out)
        return count
    return count if of < 0 else 0


def allowed(tables: Record, state: Record, of: int, out: Actions, count: int) -> int:
    """Leave out of `count` actions those of kinds that are barred to the side to move; return how many are left.

    Where a side has nothing else to do, it may do what is barred.
    """
    side = to_move(state)
    if tables.barred[side] == 0:
        return count
    kept = 0
    for at in range(count):
        if not is_barred(tables, side, out[at]):
            out[kept] = out[at]
            kept += 1
    return kept if kept > 0 or of >= 0 else count
