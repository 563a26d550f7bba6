"""What many attackers do to many targets, packed into arrays by attacker, target and moment.

Each half of an attack is worked out once.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from pydantic import BaseModel

from aabalance.engine import fights, rng, sampling
from aabalance.engine.arrays import Bools, Floats, Ints
from aabalance.engine.fights import Fights, Tables
from aabalance.engine.outcome import Outcome, Tally
from aabalance.once import once_per_object
from aabalance.rulesets.base import Circumstances, Ruleset, Shot, Survey

Half = Callable[[BaseModel, Circumstances], Hashable]
"""What one of both units brings to an attack: an offence, or a defence."""

NO_ROLL = 0


class Grid(NamedTuple):
    """What attackers do to targets at moments: plans and best attacks.

    Attributes
    ----------
    tables : Tables
        The packed plans that `plan` and `attack` number.
    plan, attack : array of int, shape (attackers, targets, moments)
        Number of the plan of an attacker that holds, and of one that makes its best single attack every turn.
    need : array of int, same shape
        Natural roll that the best attack needs, on the hit die if there are two dice; one more than the die's faces if
        no roll succeeds; `NO_ROLL` if no single roll decides.
    p_damage, expected_damage : array of float, same shape
        Chance that the best attack has an effect, and its mean effect.
    per_action : array of float, same shape
        Expected damage of the best use of one action.
    out_of_reach : array of bool, same shape
        Whether no attack has an effect only because the distance is too large or too small.
    """

    tables: Tables
    plan: Ints
    attack: Ints
    need: Ints
    p_damage: Floats
    expected_damage: Floats
    per_action: Floats
    out_of_reach: Bools

    def of(self, moments: Sequence[int]) -> Grid:
        """Return the grid of only the moments with these numbers, in this order."""
        arrays: list[Any] = [array.take(moments, axis=2) for array in self[1:]]
        return Grid(self.tables, *arrays)


class _Cell(NamedTuple):
    plan: int
    attack: int
    need: int
    effect: int
    per_action: float
    out_of_reach: bool


def grid(
    ruleset: Ruleset,
    attackers: Sequence[BaseModel],
    targets: Sequence[BaseModel],
    moments: Sequence[Any],
    variant: BaseModel,
    tables: Tables | None = None,
) -> Grid:
    """Pack every attacker against every target at every moment.

    The cost grows with (different offences) x (different defences) x (ranges). It doesn't grow with the number of
    pairs, nor with moments that are the same for every attack.

    Parameters
    ----------
    ruleset : Ruleset
        The game's.
    attackers, targets : sequence of card
        Cards of the units.
    moments : sequence of Moment
        Situations and distances of the attacks.
    variant : Variant
        The rule switches.
    tables : Tables, optional
        Tables into which the plans are packed, so that plans of two grids can meet in a duel; new ones by default.
    """
    offences: dict[Hashable, int] = {}
    defences: dict[Hashable, int] = {}
    offence_at = _numbered(offences, attackers, moments, lambda card, at: ruleset.offence(card, at, variant))
    defence_at = _numbered(defences, targets, moments, lambda card, at: ruleset.defence(card, at, variant))
    tables = fights.tables(ruleset.fight) if tables is None else tables
    cells: dict[tuple[int, float], dict[int, int]] = {}
    views: dict[Hashable, list[int]] = {}
    values: list[_Cell] = []
    index = np.empty((len(attackers), len(targets), len(moments)), dtype=np.int64)
    offence_of, defence_of = list(offences), list(defences)
    relevance = [ruleset.relevance(offence) for offence in offence_of]
    seen: dict[Hashable, int] = {}
    alike: dict[Hashable, int] = {}
    same_as = [
        alike.setdefault((offence_at[:, m].tobytes(), defence_at[:, m].tobytes(), moment.range_in), m)
        for m, moment in enumerate(moments)
    ]
    for a in range(len(attackers)):
        for m in alike.values():
            range_in = moments[m].range_in
            o = int(offence_at[a, m])
            if relevance[o] not in views:
                # Numbers of the defences as this offence sees them: most offences can't tell many of them apart.
                views[relevance[o]] = [
                    seen.setdefault(ruleset.relevant(d, relevance[o]), len(seen)) for d in defence_of
                ]
            view, row = views[relevance[o]], cells.setdefault((o, range_in), {})
            shown = defence_at[:, m].tolist()
            new = {view[d]: defence_of[d] for d in shown if view[d] not in row}
            surveys = ruleset.surveys(offence_of[o], list(new.values()), range_in, variant)
            row.update({seen_as: n for n, seen_as in enumerate(new, len(values))})
            values += _cells(ruleset, tables, surveys)
            index[a, :, m] = [row[view[d]] for d in shown]
    index = index.take(same_as, axis=2)
    columns = list(zip(*values, strict=True))
    plan, attack, need, effect = (np.array(column, dtype=np.int64)[index] for column in columns[:4])
    per_action = np.array(columns[4], dtype=np.float64)[index]
    out_of_reach = np.array(columns[5], dtype=np.bool_)[index]
    p_damage, expected = np.array(tables.volleys.effective)[effect], np.array(tables.volleys.mean)[effect]
    return Grid(tables, plan, attack, need, p_damage, expected, per_action, out_of_reach)


def _numbered(
    seen: dict[Hashable, int], cards: Sequence[BaseModel], moments: Sequence[Circumstances], half: Half
) -> Ints:
    """Return the number of each half by (card, moment); it is made once for all ranges, since it depends on none."""
    numbers = np.empty((len(cards), len(moments)), dtype=np.int64)
    alike: dict[Circumstances, list[int]] = {}
    for m, moment in enumerate(moments):
        alike.setdefault(moment.model_copy(update={"range_in": 0.0}), []).append(m)
    for c, card in enumerate(cards):
        for moment, places in alike.items():
            numbers[c, places] = seen.setdefault(half(card, moment), len(seen))
    return numbers


def _cells(ruleset: Ruleset, tables: Tables, surveys: Sequence[Survey]) -> list[_Cell]:
    """Return the cells of surveys; those that are one object are packed once."""
    return list(map(once_per_object(partial(_cell, ruleset, tables)), surveys))


def _cell(ruleset: Ruleset, tables: Tables, survey: Survey) -> _Cell:
    effect = tables.volleys.add(survey.shot.effect)
    plan, attack = tables.pack(survey)
    return _Cell(plan, attack, _need(survey.shot, ruleset.die), effect, survey.per_action, survey.out_of_reach)


def _need(shot: Shot, die: int) -> int:
    if not (die and shot.needs):
        return NO_ROLL
    need = next(iter(shot.needs.values()))
    return die + 1 if need is None or None in shot.needs.values() else need


def duels(
    tables: Tables, plan_a: Ints, plan_b: Ints, hp_a: Ints, hp_b: Ints, rounds: int | None = None
) -> tuple[Outcome[Floats], Outcome[Floats]]:
    """Solve duels of units that hold, once with a moving first and once with b.

    Parameters
    ----------
    tables : Tables
        Packed duels with the plans of all units.
    plan_a, plan_b, hp_a, hp_b : array of int, broadcast to the shape of `plan_a`
        Numbers of the plans in `tables`, and toughness.
    rounds : int, optional
        Turns of each side after which a duel is a draw.

    Returns
    -------
    a_first, b_first : Outcome
        Arrays of that shape; equal in a game in which both strike at the same time.
    """
    shape = plan_a.shape
    a, b, life_a, life_b = _flat(shape, plan_a, plan_b, hp_a, hp_b)
    first = tables.fights(a, b, life_a, life_b).solve(rounds)
    second = first if tables.simultaneous else tables.fights(b, a, life_b, life_a).solve(rounds).swapped()
    a_first, b_first = (Outcome(*(column.reshape(shape) for column in end)) for end in (first, second))
    return a_first, b_first


def simulate(
    tables: Tables,
    plan_a: Ints,
    plan_b: Ints,
    hp_a: Ints,
    hp_b: Ints,
    names: tuple[Sequence[str], Sequence[str]],
    trials: int,
    seed: int,
    rounds: int | None = None,
) -> tuple[Tally[Ints], Tally[Ints]]:
    """Roll duels of units that hold; a moves first in half of the trials, b in the other half.

    Parameters
    ----------
    tables : Tables
        Packed duels with the plans of all units.
    plan_a, plan_b, hp_a, hp_b : array of int, broadcast to the shape of `plan_a`
        Numbers of the plans in `tables`, and toughness.
    names : pair of sequence of str
        Name of a and of b for each duel, in the order of the raveled arrays. A duel's dice depend on its names and on
        the seed alone.
    trials : int
        Trials of each duel, over both orders.
    seed : int
        Seed of the dice.
    rounds : int, optional
        Turns of each side after which a duel is a draw.

    Returns
    -------
    a_first, b_first : Tally
        What happened where a moved first, and where b did: arrays of shape (n,). ``wins_a`` counts wins of a in both.
    """
    a, b, life_a, life_b = _flat(plan_a.shape, plan_a, plan_b, hp_a, hp_b)
    with sampling.threads() as pool:

        def rolled(fights: Fights[Floats], who: str, share: int) -> Tally[Ints]:
            keys = rng.stream_keys(seed, *names, [who] * len(a))
            return sampling.roll(fights.rolls(), keys, share, rounds, executor=pool)

        first = rolled(tables.fights(a, b, life_a, life_b), "a", trials - trials // 2)
        second = rolled(tables.fights(b, a, life_b, life_a), "b", trials // 2)
    return first, second.swapped()


def _flat(shape: tuple[int, ...], *arrays: Ints) -> list[Ints]:
    return [np.ascontiguousarray(np.broadcast_to(array, shape).ravel(), dtype=np.int64) for array in arrays]


class Kills(NamedTuple):
    """How long it takes to destroy a target that does nothing.

    Attributes
    ----------
    p_kill, p_kill_turn : array of float
        Chance to destroy it with one attack, and in one turn of holding.
    shots, turns : array of float
        Expected number of attacks, and of turns of holding; infinite if it may never happen.
    """

    p_kill: Floats
    p_kill_turn: Floats
    shots: Floats
    turns: Floats


def kills(cells: Grid, hp: Ints) -> Kills:
    """Solve how long the attackers of a grid take to destroy its targets.

    Parameters
    ----------
    cells : Grid
        The grid: what the attackers do to the targets.
    hp : array of int, broadcast to the grid's shape
        Toughness of the targets.
    """
    shape = cells.plan.shape
    plan, attack, life = _flat(shape, cells.plan, cells.attack, hp)
    shots, p_kill = cells.tables.kills(attack, life).T.reshape(2, *shape)
    turns, p_kill_turn = cells.tables.kills(plan, life).T.reshape(2, *shape)
    return Kills(p_kill, p_kill_turn, shots, turns)
