"""What happened to the units of simulated battles, and in their turns: tables of means, and one battle in words.

In all functions `replay` is the battle, `batches` is the result of `Replay.batches`, and `strikes` that of
`Replay.strikes`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from aabalance.columns import TABLES, describe
from aabalance.play.explanation import Explanation, Legend
from aabalance.play.replay import GETS_OUT, RESTS, WRECKED, Replay, Struck, named
from aabalance.play.result import SIDES, distance

if TYPE_CHECKING:
    import pandas as pd

    from aabalance.engine.outcome import BattleDetail

EXPLAINED = ("player_turn", "side", "unit", "weapon", "enemy", "before", "needed", "rolled", "taken", "rules")
"""Fields of `Struck` in the table of an explanation."""


def units(replay: Replay, batches: Sequence[BattleDetail]) -> pd.DataFrame:
    """Return the table of what each unit did."""
    import numpy as np

    from aabalance.engine.sampling import wilson

    trials = sum(batch.trials for batch in batches)
    rows = []
    for side, force in enumerate(replay.forces):
        enemies = replay.forces[1 - side]
        price = np.array([enemy.cost / enemy.toughness for enemy in enemies])
        shares = [_ratio(batch.actions[side], batch.actions[side].sum()) for batch in batches]
        destroyed = [batch.taken[side] @ price / batch.trials for batch in batches]
        kills = [batch.kills[side].sum(axis=1) / batch.trials for batch in batches]
        alive = np.sum([batch.alive[side] for batch in batches], axis=0)
        for at, (unit, name) in enumerate(zip(force, named(force), strict=True)):
            survived = int(alive[np.arange(len(alive)) >> at & 1 == 1].sum())
            low, high = wilson(survived, trials)
            credit, credit_se = _mean([one[at] for one in destroyed], batches)
            share, share_se = _mean([one[at] for one in shares], batches)
            killed, killed_se = _mean([one[at] for one in kills], batches)
            counted = survived / trials, low, high, share, share_se, credit, credit_se, killed, killed_se
            earned = _ratio(credit, unit.cost), _ratio(credit_se, unit.cost)
            rows.append((SIDES[side], at + 1, name, unit.cost, *counted, *earned, trials))
    return _frame("battle_units", rows, replay)


def timeline(replay: Replay, batches: Sequence[BattleDetail]) -> pd.DataFrame:
    """Return the table of what is left after each player turn; the first row is before any turn.

    After the last row's turn all battles have ended, so that nothing changes any more.
    """
    import numpy as np

    from aabalance.engine.sampling import wilson

    trials = sum(batch.trials for batch in batches)
    ended = np.cumsum(sum(batch.turns for batch in batches))
    worth = [[unit.cost for unit in force] for force in replay.forces]
    left = [
        [sum(of) - np.cumsum(one.fallen[side] @ of) / one.trials for one in batches] for side, of in enumerate(worth)
    ]
    rows = []
    for turn in range(int(np.argmax(ended == trials)) + 1):
        low, high = wilson(trials - ended[turn], trials)
        both = [number for side in left for number in _mean([one[turn] for one in side], batches)]
        rows.append((turn, *both, 1 - ended[turn] / trials, low, high, trials))
    return _frame("battle_timeline", rows, replay)


def requisition_left(replay: Replay, batches: Sequence[BattleDetail]) -> pd.DataFrame:
    """Return the table of how often each side has so much requisition left at the end."""
    import numpy as np

    from aabalance.engine.sampling import wilson

    trials = sum(batch.trials for batch in batches)
    rows = []
    for side, force in enumerate(replay.forces):
        battles: dict[int, int] = {}
        for bits, number in enumerate(np.sum([batch.alive[side] for batch in batches], axis=0).tolist()):
            if number:
                worth = sum(unit.cost for at, unit in enumerate(force) if bits >> at & 1)
                battles[worth] = battles.get(worth, 0) + number
        rows += [
            (SIDES[side], worth, number / trials, *wilson(number, trials), trials)
            for worth, number in sorted(battles.items())
        ]
    return _frame("battle_left", rows, replay)


def log(replay: Replay, strikes: Sequence[Struck]) -> pd.DataFrame:
    """Return the strikes of a battle as a table."""
    return _frame("battle_log", [(number, *one) for number, one in enumerate(strikes, 1)], replay)


def explain(replay: Replay, policies: tuple[str, str], strikes: Sequence[Struck]) -> Explanation:
    """Return the strikes of a battle in words, turn by turn; `policies` are those of a and of b."""
    from aabalance.engine.battle.policies import POLICIES

    lines, legend = [f"battle 1 of seed {replay.seed}"], Legend()
    for side, force, policy in zip(SIDES, replay.forces, policies, strict=True):
        why = (POLICIES[policy].__doc__ or "").partition("\n")[0]
        names = named(force)
        listed = [
            f"{name} (inside {names[unit.ride.carrier]})" if unit.ride else name
            for name, unit in zip(names, force, strict=True)
        ]
        lines += [f"{side}: {', '.join(listed)}", f"   {policy}: {why}"]
    for turn, made in groupby(strikes, key=lambda one: one.player_turn):
        for at, one in enumerate(made):
            if at == 0:
                lines.append(f"turn {turn}, {one.side}")
            if one.moved_in:
                way = "ahead" if one.moved_in > 0 else "back"
                steps, apart = (distance(inches, replay.length) for inches in (abs(one.moved_in), one.range_in))
                lines.append(f"  {one.unit}: moves {steps} {way}, {apart} from {one.enemy}")
                continue
            if one.weapon in (GETS_OUT, WRECKED, RESTS):
                lost = f", and {one.taken} of {one.before}" if one.weapon == WRECKED else ""
                lines.append(f"  {one.unit}: {one.weapon}{lost}")
                continue
            help_ = f", with {one.helpers}" if one.helpers else ""
            away = f"{distance(one.range_in, replay.length)} away, " if replay.moving else ""
            why = f"{away}{one.before} of {one.toughness} left, {one.gain:.3g} {replay.currency} expected per action"
            lines.append(f"  {one.unit}: {one.weapon}{help_} at {one.enemy} ({why})")
            dice = (f"needs {one.needed}; " if one.needed else "") + (f"rolled {one.rolled}: " if one.rolled else "")
            left = one.before - one.taken
            did = f"takes {one.taken}, " + (f"{left} left" if left else "destroyed") if one.taken else "no effect"
            lines.append(f"    {dice}{did}{legend.cite(one.rules)}")
    if not strikes:
        lines.append("nobody can hurt anybody")
    lines += [f"left of {side}: {left}" for side, left in zip(SIDES, _left(replay, strikes), strict=True)]
    rows = [tuple(getattr(one, name) for name in EXPLAINED) for one in strikes]
    return Explanation("\n".join([*lines, *legend.lines()]), lines[0], EXPLAINED, rows)


def _left(replay: Replay, strikes: Sequence[Struck]) -> Iterator[str]:
    """Yield what each side has left after some strikes, in words."""
    lost = [one for one in strikes if one.taken and one.taken == one.before]
    # A rider that falls with its transport has a row of its own; else a row is the striker's.
    other = dict(zip(SIDES, reversed(SIDES), strict=True))
    fallen = {(one.side, one.unit) if one.weapon == WRECKED else (other[one.side], one.enemy) for one in lost}
    for side, force in zip(SIDES, replay.forces, strict=True):
        alive = [(unit, name) for unit, name in zip(force, named(force), strict=True) if (side, name) not in fallen]
        worth = sum(unit.cost for unit, _ in alive)
        yield f"{worth} {replay.currency} ({', '.join(name for _, name in alive)})" if alive else "nobody"


def _mean(values: Sequence[float], batches: Sequence[BattleDetail]) -> tuple[float, float]:
    """Return the mean of the batches' values, weighted by their trials, and its standard error from how they differ."""
    weights = [batch.trials for batch in batches]
    mean = math.fsum(w * x for w, x in zip(weights, values, strict=True)) / sum(weights)
    if len(values) == 1:
        return mean, math.nan
    spread = math.fsum(w * (x - mean) ** 2 for w, x in zip(weights, values, strict=True)) / sum(weights)
    return mean, math.sqrt(spread / (len(values) - 1))


def _ratio(part: Any, whole: Any) -> Any:
    return part / whole if whole else part * math.nan


def _frame(table: str, rows: Sequence[tuple[Any, ...]], replay: Replay) -> pd.DataFrame:
    """Return rows as a declared table; its ``attrs`` have the seed."""
    import pandas as pd

    declared = describe(TABLES[table].columns)
    frame = pd.DataFrame(rows, columns=[column.name for column in declared])
    frame = frame.astype({column.name: column.dtype for column in declared if column.dtype != "str"})
    frame.attrs["seed"] = replay.seed
    return frame
