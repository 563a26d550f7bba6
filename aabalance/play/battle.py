"""A battle of two lists under an action limit, solved exactly or rolled."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from aabalance.engine import outcome
from aabalance.engine.outcome import BattleOutcome, BattleTally
from aabalance.errors import UsageError, one_of, shown, whole_number
from aabalance.play.account import TRIALS, Fought, run_of
from aabalance.play.duel import FIRSTS, MOST_ROUNDS, MOST_SEED, Sample, most_trials, simulated
from aabalance.play.ground import ground
from aabalance.results import ROUNDING, BattleResult, percent, words
from aabalance.rulesets.base import DOMINATION, HOLD, MODES, NEED_ROUNDS, Aspect, Force, Ride, Ruleset, SituationMix

if TYPE_CHECKING:
    from aabalance.engine.battle.battle import Battle

SIDES = (0, 1)
FIRST_MOVERS = ("a", "b")
FRONT, MIX = "front", "mix"
SHARES = {"front": 0.65, "side": 0.3, "rear": 0.05}
"""Shares of faces that are shot at, as a rule of thumb, for `MIX`."""
MOST_ACTIONS = 1000
MOST_OF_A_KIND = 100
MOST_REQUISITION = 10**6
TOO_LARGE_ERROR = 0.005
"""Half-width to which a battle is rolled that is too large to be solved."""
NONE_LOST = 1e-9
"""Losses below are what rounding left of none."""
AGAINST = "v"
"""Stands between the names of both lists, on which the dice depend."""
EXAMPLE = "'de_tiger1,su_t34_85*2'"
INSIDE = "+"
"""Stands between a unit of a list and the units inside it."""


class Match(NamedTuple):
    """What is agreed on before a battle, besides the rules; see `aabalance.game.Game.battle`."""

    actions: int | tuple[int, int] | None
    mode: str
    rounds: int | None
    first: str
    policies: tuple[str, str]
    postures: tuple[str, str]
    requisition: int | None


def listed(given: Any) -> list[Any]:
    """Return the units of a list: ids, names or cards, or a text such as ``de_tiger1,su_t34_85*2``.

    Units that begin the battle inside another follow it, as in ``us_m3_ht+inf_rifle*2``, or in a list of their own:
    ``["us_m3_ht", ["inf_rifle", "inf_rifle"]]``.

    Raises
    ------
    UsageError
        No list, an empty one, or a number of units that can't be.
    """
    return [unit for unit, _ in _loaded(given)]


def carriers(given: Any) -> dict[int, int]:
    """Return which units of a list begin the battle inside which, by their places; parameter as for `listed`."""
    by: dict[int, int] = {}
    units = _loaded(given)
    last = 0
    for at, (_, inside) in enumerate(units):
        if inside:
            by[at] = last
        else:
            last = at
    return by


def _loaded(given: Any) -> list[tuple[Any, bool]]:
    """Return the units of a list, and whether each begins inside the last before it that doesn't."""
    if isinstance(given, str):
        return [unit for piece in given.split(",") for unit in _several(piece.strip(), given)]
    if not isinstance(given, Sequence) or not given:
        raise UsageError(f"list: found {shown(given)}, expected units, or a text such as {EXAMPLE}")
    units: list[tuple[Any, bool]] = []
    for one in given:
        if isinstance(one, str):
            units += _loaded(one)
        elif isinstance(one, Sequence):
            units += _inside(one, bool(units), given)
        else:
            units.append((one, False))
    return units


def _inside(cargo: Any, carried: bool, given: Any) -> list[tuple[Any, bool]]:
    units = _loaded(cargo)
    if not carried or any(inside for _, inside in units):
        raise UsageError(f"list: found {shown(given)}, expected units inside one that is itself in no other")
    return [(unit, True) for unit, _ in units]


def _several(piece: str, given: str) -> list[tuple[str, bool]]:
    first, *inside = (_of_a_kind(part.strip(), piece, given) for part in piece.split(INSIDE))
    if inside and len(first) > 1:
        raise UsageError(f"list: found {shown(piece)}, expected one unit before {INSIDE!r}, which others are inside")
    return [(unit, False) for unit in first] + [(unit, True) for units in inside for unit in units]


def _of_a_kind(part: str, piece: str, given: str) -> list[str]:
    unit, star, number = (text.strip() for text in part.partition("*"))
    if not unit or (star and not (number.isdecimal() and 1 <= int(number) <= MOST_OF_A_KIND)):
        wrong = shown(piece) if unit else shown(given)
        raise UsageError(f"list: found {wrong}, expected units such as {EXAMPLE}, 1 to {MOST_OF_A_KIND} of each")
    return [unit] * (int(number) if star else 1)


def views_of(situation: Any, facing: Any, **fields: Any) -> SituationMix:
    """Return the situations of a battle with their shares.

    Parameters
    ----------
    situation : callable
        Takes fields; returns a checked situation.
    facing : str or mapping of str to number
        The face that b's units show; or shares of faces that both sides' units show, drawn for each attack; or `MIX`.

    Raises
    ------
    UsageError
        Shares aren't above 0, or don't add up to 1.
    """
    if facing == MIX:
        facing = SHARES
    if not isinstance(facing, Mapping):
        # As usual unless said: not every game has faces.
        return {situation(**fields, **({} if facing == FRONT else {"facing": facing})): Fraction(1)}
    shares = {face: _share(face, share) for face, share in facing.items()}
    total = sum(shares.values())
    if total != 1:
        raise UsageError(f"facing: found shares that add up to {float(total):g}, expected 1")
    return {situation(**fields, facing=face, own_facing=face): share for face, share in shares.items()}


def _share(face: Any, share: Any) -> Fraction:
    # As it was written down: 0.3 is three tenths.
    if isinstance(share, bool) or not isinstance(share, int | float | Fraction) or not 0 < share <= 1:
        raise UsageError(f"facing: found {shown(share)} for {shown(face)}, expected a share above 0, at most 1")
    return share if isinstance(share, Fraction) else Fraction(str(share))


def battle(
    ruleset: Ruleset,
    variant: Any,
    lists: tuple[Sequence[Any], Sequence[Any]],
    carried: tuple[Mapping[int, int], Mapping[int, int]],
    views: SituationMix,
    range_in: float,
    match: Match,
    sample: Sample,
) -> BattleResult:
    """Fight a battle of two lists of cards, some perhaps inside others; see `aabalance.game.Game.battle`."""
    limits, turn_limit = _checked(match, ruleset)
    rides = [_rides(ruleset, variant, match, lists, carried, side) for side in SIDES]
    mission = ruleset.mission(match.mode, turn_limit, variant)
    on, aspects = ground(ruleset, lists, range_in, variant, match.postures, mission.objectives)
    forces = _riding(ruleset.forces(lists, views, aspects, variant), rides)
    worth = [sum(unit.cost for unit in force) for force in forces]
    for name, force in zip("ab", forces, strict=True):
        if mission.objectives is None and not any(unit.counts for unit in force):
            raise UsageError(f"list {name}: found no unit that counts, expected one at least: without, it has lost")
    for name, cards in zip("ab", lists, strict=True):
        cost = ruleset.list_cost(cards, match.mode)
        if match.requisition is not None and cost > match.requisition:
            limit = f"expected at most {match.requisition}"
            raise UsageError(f"list {name}: found {cost} {ruleset.labels.currency}, {limit}")
    from aabalance.engine.battle.battle import Battle
    from aabalance.engine.battle.states.solver import TooLarge
    from aabalance.engine.battle.terms import Terms

    if limits is None:
        limits = sum(unit.actions for unit in forces[0]), sum(unit.actions for unit in forces[1])
    seed = whole_number("seed", sample.seed, 0, MOST_SEED)
    trials = most_trials(sample.trials, sample.target_error)
    terms = Terms(limits, match.policies, mission.rounds, mission.by_cost, on)
    packed = Battle(forces, terms)
    orders = tuple(who for who in FIRST_MOVERS if match.first in (who, "roll_off"))
    sample = sample._replace(trials=trials, seed=seed)
    a, b = (tuple(card.id or card.name for card in cards) for cards in lists)
    names = (*a, AGAINST, *b)
    if trials:
        outcomes, how = _rolled(packed, orders, names, sample)
    else:
        try:
            outcomes = {who: packed.solve("ab".index(who)) for who in orders}
            how = {"engine": "exact", "solver": packed.solver}
        except TooLarge:
            outcomes, how = _rolled(packed, orders, names, sample._replace(target_error=TOO_LARGE_ERROR))
            how["solver"] = "too large to be solved"
    mean = outcome.mean(outcomes.values())
    fought = Fought(
        forces=forces,
        battle=packed,
        orders=orders,
        names=names,
        seed=seed,
        trials=how.get("trials", TRIALS),
        currency=ruleset.labels.currency,
        length=ruleset.labels.length.after,
        range_in=range_in,
        explained=partial(_explained, ruleset, lists, views, aspects, variant, rides),
    )
    return BattleResult(
        a=_names(forces[0]),
        b=_names(forces[1]),
        range_in=range_in,
        length=ruleset.labels.length.after,
        situation=_situation(views),
        actions=limits,
        mode=match.mode,
        rounds=mission.rounds,
        first=match.first,
        policy_a=match.policies[0],
        policy_b=match.policies[1],
        posture_a=match.postures[0],
        posture_b=match.postures[1],
        p_a=mean.p_a,
        p_b=mean.p_b,
        p_draw=mean.p_draw,
        player_turns=mean.player_turns if math.isfinite(mean.player_turns) else None,
        value_a=mean.value_a,
        value_b=mean.value_b,
        left_a=mean.left_a,
        left_b=mean.left_b,
        loss_exchange_ratio=_ratio(len(forces[1]) - mean.left_b, len(forces[0]) - mean.left_a),
        requisition_exchange_ratio=_ratio(worth[1] - mean.value_b, worth[0] - mean.value_a),
        p_a_moving_first=outcomes["a"].p_a if "a" in outcomes else None,
        p_a_moving_second=outcomes["b"].p_a if "b" in outcomes else None,
        first_mover_advantage=_of_first_turn(outcomes),
        fought=fought,
        **how,
    )


def _rides(
    ruleset: Ruleset,
    variant: Any,
    match: Match,
    lists: tuple[Sequence[Any], Sequence[Any]],
    carried: tuple[Mapping[int, int], Mapping[int, int]],
    side: int,
) -> Mapping[int, Ride]:
    """Return how units of a side ride inside others, by their places."""
    try:
        rides = ruleset.rides(lists[side], carried[side], variant)
        if rides and match.postures[side] == HOLD:
            raise UsageError(f"found units inside others with posture {HOLD!r}, expected one that says where they go")
    except UsageError as error:
        raise UsageError(f"list {'ab'[side]}: {error}") from None
    return rides


def _riding(forces: tuple[Force, Force], rides: Sequence[Mapping[int, Ride]]) -> tuple[Force, Force]:
    """Return both sides, with rides put into their units."""
    a, b = (
        tuple(unit._replace(ride=of_side.get(at)) for at, unit in enumerate(force)) if of_side else force
        for force, of_side in zip(forces, rides, strict=True)
    )
    return a, b


def _explained(
    ruleset: Ruleset,
    lists: tuple[Sequence[Any], Sequence[Any]],
    views: SituationMix,
    aspects: Sequence[Aspect],
    variant: Any,
    rides: Sequence[Mapping[int, Ride]],
) -> tuple[Force, Force]:
    """Return both sides with the steps of their strikes."""
    return _riding(ruleset.forces(lists, views, aspects, variant, explain=True), rides)


def _ratio(gain: float, loss: float) -> float:
    """Return a ratio of mean losses; infinite if only the lower one is 0, nan if both are."""
    if loss > NONE_LOST:
        return gain / loss if gain > NONE_LOST else 0.0
    return math.inf if gain > NONE_LOST else math.nan


def _of_first_turn(outcomes: Mapping[str, BattleOutcome]) -> float | None:
    """Return half the difference in a's score between moving first and second, from the outcomes as a sees them."""
    if len(outcomes) < len(FIRST_MOVERS):
        return None
    first, second = (outcomes[who].p_a + outcomes[who].p_draw / 2 for who in FIRST_MOVERS)
    half = float(first - second) / 2
    return half if abs(half) > ROUNDING else 0.0


def _rolled(
    packed: Battle, orders: Sequence[str], names: tuple[str, ...], sample: Sample
) -> tuple[dict[str, BattleOutcome], dict[str, Any]]:
    """Return the outcomes, as a sees them, by who moves first; and the result's fields on the simulation."""
    from aabalance.engine import sampling

    runs = {who: run_of(packed, who, names, sample.seed) for who in orders}
    counts = sampling.estimate(runs, sample.trials or 0, sample.target_error, sample.advance)
    rolled = cast("Mapping[str, BattleTally]", counts)
    seen = {who: outcome.seen_by_a(who, count) for who, count in rolled.items() if count.trials}
    shares = {who: count.outcome() for who, count in seen.items()}
    return shares, simulated(outcome.total(seen.values()), sample.seed)


def _checked(match: Match, ruleset: Ruleset) -> tuple[tuple[int, int] | None, int | None]:
    """Return both sides' limits of actions, and the turn limit, of a match that can be played."""
    from aabalance.engine.battle.policies import BEST, POLICIES

    if match.first not in FIRSTS:
        raise UsageError(f"first: {one_of(match.first, FIRSTS)}")
    if match.mode not in MODES:
        raise UsageError(f"mode: {one_of(match.mode, MODES)}")
    if match.mode in NEED_ROUNDS and match.rounds is None:
        raise UsageError(f"rounds: found none, expected 1 to {MOST_ROUNDS}, which a {match.mode} battle needs")
    for policy in match.policies:
        if policy not in (*POLICIES, BEST):
            raise UsageError(f"policy: {one_of(policy, (*POLICIES, BEST))}")
    if match.policies == (BEST, BEST):
        raise UsageError(f"policy: found {BEST!r} for both sides, expected a named one for one, to which it replies")
    if BEST in match.policies and match.mode == DOMINATION:
        raise UsageError(f"policy: found {BEST!r} in a battle for points, expected a named one")
    if BEST in match.policies and match.postures != (HOLD, HOLD):
        raise UsageError(f"policy: found {BEST!r} in a battle of units that move, expected a named one")
    if match.requisition is not None:
        whole_number("requisition", match.requisition, 1, MOST_REQUISITION)
    limits = None if match.actions is None and not ruleset.limits_actions else _limits(match.actions)
    return limits, None if match.rounds is None else whole_number("rounds", match.rounds, 1, MOST_ROUNDS)


def _limits(actions: int | tuple[int, int] | None) -> tuple[int, int]:
    if actions is None:
        raise UsageError(f"actions: found none, expected 1 to {MOST_ACTIONS}, the limit of a side's turn")
    pair = actions if isinstance(actions, Sequence) and not isinstance(actions, str) else None
    if pair is not None and len(pair) != len(FIRST_MOVERS):
        raise UsageError(f"actions: found {shown(actions)}, expected a number, or one for each side")
    a, b = pair or (actions, actions)
    return whole_number("actions", a, 1, MOST_ACTIONS), whole_number("actions", b, 1, MOST_ACTIONS)


def _names(force: Sequence[Any]) -> str:
    """Return a list in words: ``2 T-34/85, Tiger I``, ``M3 half-track, 2 rifle squad in M3 half-track``."""
    names = [f"{unit.name} in {force[unit.ride.carrier].name}" if unit.ride else unit.name for unit in force]
    return ", ".join(name if n == 1 else f"{n} {name}" for name, n in Counter(names).items())


def _situation(views: SituationMix) -> str:
    """Return the situations in words; faces that are drawn with their shares."""
    situations = list(views)
    if len(situations) == 1:
        return words(situations[0])
    faces = ", ".join(f"{situation.facing} {percent(float(share))}" for situation, share in views.items())
    return ", ".join(filter(None, (faces, words(situations[0], faces=False))))
