"""The functions of a game that players ask: they know no rule.

Those of a game are bound in place of the names below: see `aabalance.rulesets.base.match.MatchRules` for what each
returns, and `aabalance.engine.jit.compiled`.
"""

from __future__ import annotations

from aabalance.engine import jit

legal = candidates = units = actor = apply = view = redraw = result = to_move = value = facts = jit.NO_HOOK
"""What a game's rules bring."""

CALLED = "legal", "candidates", "units", "actor", "apply", "view", "redraw", "result", "to_move", "value", "facts"
