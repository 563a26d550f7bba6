"""What rolled battles tell of their units and turns: tables of counts, and one battle in words.

Throughout, `fought` is the battle; `batches` are what `Fought.batches` gives, and `strikes` what `Fought.strikes` does.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from aabalance.columns import TABLES, describe
from aabalance.results.base import distance
from aabalance.results.explanation import Explanation, Legend

if TYPE_CHECKING:
    import pandas as pd

    from aabalance.engine.outcome import BattleDetail
    from aabalance.rulesets.base import Force

SIDES = "ab"
GETS_OUT, WRECKED, RESTS = "gets out", "loses its transport", "rests, its transport lost"
"""In place of a weapon: a unit gets out of another; or was inside one that was destroyed, and loses what was taken; and
then has no action in its next turn."""

TOLD = ("player_turn", "side", "unit", "weapon", "enemy", "before", "needed", "rolled", "taken", "rules")
"""Of a strike, in a table that a person reads."""


class Struck(NamedTuple):
    """A strike of a battle, a move, or what happens to units inside others, told.

    Attributes
    ----------
    player_turn : int
        From 1.
    side : {"a", "b"}
    unit, weapon, enemy : str
        Who acts on whom, with the number in its list; a move has no weapon, and what is no strike is told by the
        foremost enemy.
    range_in, moved_in : float
        The distance between the two, after a move; and how far the unit has moved, below 0 if back, 0 for a strike.
    helpers : str
        Units that help, joined by commas.
    before, toughness : int
        What the enemy had before, and at full strength.
    gain : float
        What it is expected to take of the enemy's worth, per action.
    needed, rolled : str
        In words; empty if nothing is rolled.
    taken : int
        What it took from the enemy.
    rules : str
        Sections of the rulebook; empty if a game doesn't say.
    """

    player_turn: int
    side: str
    unit: str
    weapon: str
    enemy: str
    range_in: float
    moved_in: float
    helpers: str = ""
    before: int = 0
    toughness: int = 0
    gain: float = 0.0
    needed: str = ""
    rolled: str = ""
    taken: int = 0
    rules: str = ""


class Fought(Protocol):
    """A battle that can be rolled once more.

    Attributes
    ----------
    forces : pair of Force
    seed : int
    currency : str
        What worth is called.
    length : str
        What distances are counted in.
    moving : bool
        Whether units may move.
    """

    @property
    def forces(self) -> tuple[Force, Force]:
        """See above."""

    @property
    def seed(self) -> int:
        """See above."""

    @property
    def currency(self) -> str:
        """See above."""

    @property
    def length(self) -> str:
        """See above."""

    @property
    def moving(self) -> bool:
        """See above."""

    def batches(self) -> list[BattleDetail]:
        """Roll the battle, in batches of about equally many trials."""

    def strikes(self) -> list[Struck]:
        """Return the strikes of the first trial."""


def named(force: Force) -> list[str]:
    """Return the names of a side's units, numbered in the order of the list where several have one name."""
    names = [unit.name for unit in force]
    return [
        f"{name} #{names[: at + 1].count(name)}" if names.count(name) > 1 else name for at, name in enumerate(names)
    ]


def units(fought: Fought, batches: Sequence[BattleDetail]) -> pd.DataFrame:
    """Return what each unit did, a row each."""
    import numpy as np

    from aabalance.engine.sampling import wilson

    trials = sum(batch.trials for batch in batches)
    rows = []
    for side, force in enumerate(fought.forces):
        enemies = fought.forces[1 - side]
        price = np.array([enemy.worth / enemy.toughness for enemy in enemies])
        shares = [_ratio(batch.actions[side], batch.actions[side].sum()) for batch in batches]
        destroyed = [batch.taken[side] @ price / batch.trials for batch in batches]
        kills = [batch.kills[side].sum(axis=1) / batch.trials for batch in batches]
        alive = sum(batch.alive[side] for batch in batches)
        for at, (unit, name) in enumerate(zip(force, named(force), strict=True)):
            survived = int(alive[np.arange(len(alive)) >> at & 1 == 1].sum())
            low, high = wilson(survived, trials)
            credit, credit_se = _mean([one[at] for one in destroyed], batches)
            share, share_se = _mean([one[at] for one in shares], batches)
            killed, killed_se = _mean([one[at] for one in kills], batches)
            counted = survived / trials, low, high, share, share_se, credit, credit_se, killed, killed_se
            earned = _ratio(credit, unit.worth), _ratio(credit_se, unit.worth)
            rows.append((SIDES[side], at + 1, name, unit.worth, *counted, *earned, trials))
    return _frame("battle_units", rows, fought)


def timeline(fought: Fought, batches: Sequence[BattleDetail]) -> pd.DataFrame:
    """Return what is left after each player turn, a row each from before the first; the last stands for later ones."""
    import numpy as np

    from aabalance.engine.sampling import wilson

    trials = sum(batch.trials for batch in batches)
    ended = np.cumsum(sum(batch.turns for batch in batches))
    worth = [[unit.worth for unit in force] for force in fought.forces]
    left = [
        [sum(of) - np.cumsum(one.fallen[side] @ of) / one.trials for one in batches] for side, of in enumerate(worth)
    ]
    rows = []
    for turn in range(int(np.argmax(ended == trials)) + 1):
        low, high = wilson(trials - ended[turn], trials)
        both = [number for side in left for number in _mean([one[turn] for one in side], batches)]
        rows.append((turn, *both, 1 - ended[turn] / trials, low, high, trials))
    return _frame("battle_timeline", rows, fought)


def requisition_left(fought: Fought, batches: Sequence[BattleDetail]) -> pd.DataFrame:
    """Return how often either side has how much left at the end, a row each."""
    from aabalance.engine.sampling import wilson

    trials = sum(batch.trials for batch in batches)
    rows = []
    for side, force in enumerate(fought.forces):
        battles: dict[int, int] = {}
        for bits, number in enumerate(sum(batch.alive[side] for batch in batches).tolist()):
            if number:
                worth = sum(unit.worth for at, unit in enumerate(force) if bits >> at & 1)
                battles[worth] = battles.get(worth, 0) + number
        rows += [
            (SIDES[side], worth, number / trials, *wilson(number, trials), trials)
            for worth, number in sorted(battles.items())
        ]
    return _frame("battle_left", rows, fought)


def log(fought: Fought, strikes: Sequence[Struck]) -> pd.DataFrame:
    """Return strikes as a table, a row each."""
    return _frame("battle_log", [(number, *one) for number, one in enumerate(strikes, 1)], fought)


def explain(fought: Fought, policies: tuple[str, str], strikes: Sequence[Struck]) -> Explanation:
    """Return strikes in words, turn by turn; `policies` are those of a and of b."""
    from aabalance.engine.battle.policies import POLICIES

    lines, legend = [f"battle 1 of seed {fought.seed}"], Legend()
    for side, force, policy in zip(SIDES, fought.forces, policies, strict=True):
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
                steps, apart = (distance(inches, fought.length) for inches in (abs(one.moved_in), one.range_in))
                lines.append(f"  {one.unit}: moves {steps} {way}, {apart} from {one.enemy}")
                continue
            if one.weapon in (GETS_OUT, WRECKED, RESTS):
                lost = f", and {one.taken} of {one.before}" if one.weapon == WRECKED else ""
                lines.append(f"  {one.unit}: {one.weapon}{lost}")
                continue
            help_ = f", with {one.helpers}" if one.helpers else ""
            away = f"{distance(one.range_in, fought.length)} away, " if fought.moving else ""
            why = f"{away}{one.before} of {one.toughness} left, {one.gain:.3g} {fought.currency} expected per action"
            lines.append(f"  {one.unit}: {one.weapon}{help_} at {one.enemy} ({why})")
            dice = (f"needs {one.needed}; " if one.needed else "") + (f"rolled {one.rolled}: " if one.rolled else "")
            left = one.before - one.taken
            did = f"takes {one.taken}, " + (f"{left} left" if left else "destroyed") if one.taken else "no effect"
            lines.append(f"    {dice}{did}{legend.cite(one.rules)}")
    if not strikes:
        lines.append("nobody can hurt anybody")
    rows = [tuple(getattr(one, name) for name in TOLD) for one in strikes]
    return Explanation("\n".join([*lines, *legend.lines()]), lines[0], TOLD, rows)


def _mean(values: Sequence[float], batches: Sequence[BattleDetail]) -> tuple[float, float]:
    """Return the mean of what batches gave, by their trials, and its standard error from how far they differ."""
    weights = [batch.trials for batch in batches]
    mean = math.fsum(w * x for w, x in zip(weights, values, strict=True)) / sum(weights)
    if len(values) == 1:
        return mean, math.nan
    spread = math.fsum(w * (x - mean) ** 2 for w, x in zip(weights, values, strict=True)) / sum(weights)
    return mean, math.sqrt(spread / (len(values) - 1))


def _ratio(part: Any, whole: Any) -> Any:
    return part / whole if whole else part * math.nan


def _frame(table: str, rows: Sequence[tuple[Any, ...]], fought: Fought) -> pd.DataFrame:
    """Return a declared table, whose attributes say the seed."""
    import pandas as pd

    declared = describe(TABLES[table].columns)
    frame = pd.DataFrame(rows, columns=[column.name for column in declared])
    frame = frame.astype({column.name: column.dtype for column in declared if column.dtype != "str"})
    frame.attrs["seed"] = fought.seed
    return frame
