"""A duel of two units, solved exactly or rolled; every order of first turn is turned to a's point of view.

`aabalance.engine.fights` hands it to the game's kind of duel, and says at its head in which file each kind is decided.
What a duel doesn't know of a situation `aabalance.game.Game.situation` refuses.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import partial
from numbers import Real
from typing import Any, Literal, NamedTuple, cast

from aabalance.engine import fights, outcome
from aabalance.engine.fights import Fights
from aabalance.engine.hit_points.graph import TurnGraph
from aabalance.engine.outcome import BattleTally, Outcome, Tally
from aabalance.errors import UsageError, one_of, shown, whole_number
from aabalance.play.course import FoughtDuel
from aabalance.results import DuelResult, words
from aabalance.rulesets.base import HOLD, Player, Ruleset, Shot

First = Literal["a", "b", "roll_off"]

FIRSTS = ("a", "b", "roll_off")
MOST_TRIALS = 10**10
MOST_ROUNDS = 1000
MOST_SEED = 2**64 - 1
BEST_PLAY_ROUNDS = 12
LEAST_ERROR = 1e-5


class Sample(NamedTuple):
    """Whether a duel is rolled, and how.

    Attributes
    ----------
    trials : int or None
        How many duels are rolled in all.
    target_error : float or None
        In place of `trials`: duels are rolled until the interval of P(a wins) is this narrow to either side. If both
        are None, the duel is solved exactly.
    seed : int
        Seed of the dice.
    advance : callable
        Called with the number of duels rolled since the last call.
    """

    trials: int | None
    target_error: float | None
    seed: int
    advance: Callable[[int], None]


def duel(
    ruleset: Ruleset,
    variant: Any,
    cards: tuple[Any, Any],
    situation: Any,
    range_in: float,
    *,
    postures: tuple[str, str],
    first: str,
    rounds: int | None,
    sample: Sample,
) -> DuelResult:
    """Fight a duel of two cards; see `aabalance.game.Game.duel`."""
    if first not in FIRSTS:
        raise UsageError(f"first: {one_of(first, FIRSTS)}")
    if rounds is not None:
        rounds = whole_number("rounds", rounds, 1, MOST_ROUNDS)
    seed = whole_number("seed", sample.seed, 0, MOST_SEED)
    trials = most_trials(sample.trials, sample.target_error)
    pair = players(ruleset, variant, cards, situation, range_in, postures)
    chooses = any(player.chooses for player in pair)
    if rounds is None and chooses:
        rounds = BEST_PLAY_ROUNDS
    tables = fights.tables(ruleset.fight)
    orders = {
        who: tables.duel(pair if who == "a" else pair[::-1], range_in)
        for who in ("a", "b")
        if (who == "a" if tables.simultaneous else first in (who, "roll_off"))
    }
    if trials:
        names = tuple(card.id or card.name for card in cards)
        outcomes, how = _rolled(orders, names, rounds, sample._replace(trials=trials, seed=seed))
    else:
        outcomes, how = _solved(orders, rounds)
    mean = outcome.mean(outcomes.values())
    fought = FoughtDuel(
        names=(cards[0].name, cards[1].name),
        effect=ruleset.labels.effect,
        toughness=(ruleset.toughness(cards[0]), ruleset.toughness(cards[1])),
        orders=orders,
        rounds=rounds,
        p_draw=mean.p_draw,
        conditions=fights.conditions(ruleset.fight),
        chooses=chooses,
        explained=partial(_explained, ruleset, variant, cards, situation, range_in, postures),
        range_in=range_in,
    )
    return DuelResult(
        a=cards[0].name,
        b=cards[1].name,
        range_in=range_in,
        length=ruleset.labels.length.after,
        situation=words(situation),
        first=first,
        rounds=rounds,
        posture_a=postures[0],
        posture_b=postures[1],
        p_a=mean.p_a,
        p_b=mean.p_b,
        p_draw=mean.p_draw,
        player_turns=mean.player_turns if math.isfinite(mean.player_turns) else None,
        p_a_moving_first=outcomes["a"].p_a if "a" in outcomes and not tables.simultaneous else None,
        p_a_moving_second=outcomes["b"].p_a if "b" in outcomes else None,
        p_both_destroyed=mean.p_both if tables.simultaneous else None,
        fought=fought,
        **how,
    )


def _explained(
    ruleset: Ruleset,
    variant: Any,
    cards: tuple[Any, Any],
    situation: Any,
    range_in: float,
    postures: tuple[str, str],
) -> tuple[tuple[Player, Player], list[Shot], list[float]]:
    """Return the players, shots and expected damage of `FoughtDuel.explained`."""
    seen, asked = (situation, situation.mirrored(range_in)), (cards, cards[::-1])
    shots, expected = [], []
    for (card, enemy), view in zip(asked, seen, strict=True):
        moment = ruleset.initial_moment(view, range_in)
        offence, defence = ruleset.offence(card, moment, variant), ruleset.defence(enemy, moment, variant)
        shots.append(ruleset.shot(offence, defence, range_in, variant, None))
        expected.append(ruleset.survey(offence, defence, range_in, variant).per_action)
    return players(ruleset, variant, cards, situation, range_in, postures, explain=True), shots, expected


def most_trials(simulate: int | None, target_error: float | None) -> int:
    """Return how many duels are rolled at most; 0 if they are solved.

    Parameters
    ----------
    simulate : int or None
        How many the user asked for.
    target_error : float or None
        Half-width that the user asked for.

    Raises
    ------
    UsageError
        Both are given, or either is out of range.
    """
    if simulate is not None and target_error is not None:
        raise UsageError("simulate and target_error: found both, expected one")
    if simulate is not None:
        return whole_number("simulate", simulate, 1, MOST_TRIALS)
    if target_error is None:
        return 0
    given: object = target_error
    if not (isinstance(given, Real) and LEAST_ERROR <= cast("float", given) < 1):
        expected = f"expected a half-width from {LEAST_ERROR} to below 1"
        raise UsageError(f"target_error: found {shown(given)}, {expected}")
    from aabalance.engine import sampling

    return sampling.most_trials(target_error)


def players(
    ruleset: Ruleset,
    variant: Any,
    cards: tuple[Any, Any],
    situation: Any,
    range_in: float,
    postures: tuple[str, str],
    *,
    explain: bool = False,
) -> tuple[Player, Player]:
    """Return both sides of a duel; `situation` is seen from the first.

    Parameters
    ----------
    ruleset : Ruleset
        The game's rules.
    variant : BaseModel
        The rule switches.
    cards : pair of card
        Cards of both units.
    situation : Circumstances
        As the first of the two sees it; the second one's is turned round.
    range_in : float
        Distance at the start.
    postures : pair of str
        Posture of each unit.
    explain : bool
        Whether their volleys get their steps.

    Raises
    ------
    UsageError
        A posture that isn't text, or that the game doesn't have.
    """
    for posture in postures:
        if not isinstance(posture, str):
            raise UsageError(f"posture: found {shown(posture)}, expected a name such as {HOLD!r}")
    a, b = cards
    return (
        ruleset.player(a, b, situation, range_in, variant, postures[0], explain=explain),
        ruleset.player(b, a, situation.mirrored(range_in), range_in, variant, postures[1], explain=explain),
    )


def turn_graph(
    ruleset: Ruleset,
    variant: Any,
    cards: tuple[Any, Any],
    situation: Any,
    range_in: float,
    postures: tuple[str, str],
) -> TurnGraph:
    """Return a duel, in which the first unit moves first, as a graph of turns.

    Parameters as for `players`.

    Raises
    ------
    UsageError
        The game's units have conditions and don't move.
    """
    kind = fights.turn_graph(ruleset.fight, ruleset.name)
    return kind(players(ruleset, variant, cards, situation, range_in, postures), range_in)


def _solved(
    orders: Mapping[str, Fights[float]], rounds: int | None
) -> tuple[dict[str, Outcome[float]], dict[str, Any]]:
    """Return the outcomes, as a sees them, by who moves first; and the result's fields on the engine."""
    outcomes = {who: outcome.seen_by_a(who, fight.solve(rounds)) for who, fight in orders.items()}
    return outcomes, {"engine": "exact"}


def _rolled(
    orders: Mapping[str, Fights[float]], names: tuple[str, ...], rounds: int | None, sample: Sample
) -> tuple[dict[str, Outcome[float]], dict[str, Any]]:
    """Return the outcomes, as a sees them, by who moves first; and the result's fields on the simulation.

    The dice depend only on the seed, the names of the two units and who moves first.
    """
    from aabalance.engine import sampling

    runs = {who: sampling.prepare(fight, sample.seed, (*names, who), rounds) for who, fight in orders.items()}
    counts = sampling.estimate(runs, sample.trials or 0, sample.target_error, sample.advance)
    seen = {who: outcome.seen_by_a(who, count) for who, count in counts.items() if count.trials}
    shares = {who: count.outcome(limited=rounds is not None) for who, count in seen.items()}
    return shares, simulated(outcome.total(seen.values()), sample.seed)


def simulated(counts: Tally[int] | BattleTally, seed: int) -> dict[str, Any]:
    """Return a result's fields on a simulation: engine, trials, seed and Wilson's intervals.

    Parameters
    ----------
    counts : Tally or BattleTally
        Counts of all trials, as a sees them.
    seed : int
        Seed of the dice.
    """
    from aabalance.engine import sampling

    ends = {"p_a_ci": counts.wins_a, "p_b_ci": counts.wins_b, "p_draw_ci": counts.draws}
    intervals = {name: sampling.wilson(number, counts.trials) for name, number in ends.items()}
    return {"engine": "monte_carlo", "trials": counts.trials, "seed": seed, **intervals}
