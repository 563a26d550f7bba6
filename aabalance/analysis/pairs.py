"""Pairs of units: means over the situations, how often the dearer unit wins, and how soon one destroys the other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from aabalance import rulesets
from aabalance.analysis.cells import CELLS, CellTerms, fighting
from aabalance.analysis.frames import tidy
from aabalance.analysis.situations import Situations
from aabalance.definitions.fields import RANGES, WITHIN_TURNS
from aabalance.engine import fights, grid
from aabalance.game import Game, Unit
from aabalance.jobs import sweeps
from aabalance.jobs.job import CellResults, Job, Work
from aabalance.play.result import FACES, words

MEANS = ["p_damage", "expected_damage_per_action", "p_kill_turn"]
CHANCES = ["p_win", "p_draw", "p_loss"]

ONE_SIDED = 0.9
TURNS = 12
SAMPLED = 8
"""So many targets, from all over the roster, tell where distance makes a difference; all attackers fire at them."""


def pairs(matchups: pd.DataFrame) -> pd.DataFrame:
    """Return one row per ordered pair: weighted means over the situations, and the faces that are shown in them.

    ``expected_turns_to_kill`` is the inverse of the mean rate, so that one hopeless situation doesn't make it infinite.

    Parameters
    ----------
    matchups : DataFrame
        From `aabalance.analysis.matchups.matchups`.
    """
    rates = matchups.assign(rate=1 / matchups["expected_turns_to_kill"])
    means = _means(rates, [*MEANS, "rate", *CHANCES])
    with np.errstate(divide="ignore"):
        turns = 1 / means.pop("rate").to_numpy()
    faces = {name: "/".join(matchups[name].unique()) for name in FACES if name in matchups}
    return tidy("pairs", means.assign(expected_turns_to_kill=turns, **faces))


def chances(matchups: pd.DataFrame) -> pd.DataFrame:
    """Return one row per ordered pair: the mean chances to win and to draw, weighted by situation.

    Parameters
    ----------
    matchups : DataFrame
        From `aabalance.analysis.matchups.matchups`.
    """
    return tidy("chances", _means(matchups.astype({"attacker": str, "target": str}), ["p_win", "p_draw"]))


def _means(matchups: pd.DataFrame, names: list[str]) -> pd.DataFrame:
    """Return the means of columns over the situations, by their weights: a row for each ordered pair."""
    keys, weight = [matchups["attacker"], matchups["target"]], matchups["weight"]
    sums = matchups[names].mul(weight, axis=0).groupby(keys, observed=True, sort=False).sum()
    return sums.div(weight.groupby(keys, observed=True, sort=False).sum(), axis=0).reset_index()


def price_and_victory(game: Game, table: pd.DataFrame, field: Iterable[str]) -> pd.DataFrame:
    """Return, in one row, how often the dearer of two units of the field wins, and how many pairs are one-sided.

    A pair is one-sided if one unit wins at least the share `ONE_SIDED` of the duels that don't end in a draw.

    Parameters
    ----------
    game : Game
        The game: a ruleset with its cards and variant.
    table : DataFrame
        From `pairs`.
    field : iterable of str
        Ids of the units that count.
    """
    units = list(field)
    price = {i: game.ruleset.cost(game.cards[i]) for i in units}
    met = table[table["attacker"].isin(units) & table["target"].isin(units)]
    a, b = met["attacker"].astype(str), met["target"].astype(str)
    dearer = np.sign((a.map(price) - b.map(price)).to_numpy())
    won = np.where(dearer > 0, met["p_win"], met["p_loss"])[dearer != 0]
    lost = np.where(dearer > 0, met["p_loss"], met["p_win"])[dearer != 0]
    others = met[(a != b).to_numpy()]
    one_sided = decided(others) >= ONE_SIDED
    return tidy(
        "price_and_victory",
        {
            "p_dearer_wins": [float(won.mean()) if len(won) else np.nan],
            "p_cheaper_wins": [float(lost.mean()) if len(lost) else np.nan],
            "share_one_sided": [float(one_sided.mean())],
        },
    )


def decided(pairs: pd.DataFrame) -> pd.Series[float]:
    """Return, by row of `pairs`, the better side's share of the duels that somebody wins; 0 where nobody ever wins."""
    chances = pairs[["p_win", "p_loss"]]
    return (chances.max(axis=1) / chances.sum(axis=1)).fillna(0.0)


def kill_curves(
    game: Game,
    versus: Iterable[Sequence[Unit]],
    ranges: Iterable[float] = RANGES,
    turns: int = WITHIN_TURNS,
    **situation: Any,
) -> pd.DataFrame:
    """Return, by range, the chance that a unit which holds destroys another within some turns.

    Parameters
    ----------
    game : Game
        The game: a ruleset with its cards and variant.
    versus : iterable of (str, str)
        Pairs of attacker and target, as ids or cards.
    ranges : iterable of float
        Distances in inches, or in whatever the game counts.
    turns : int
        Number of the attacker's turns.
    **situation
        Fields of the game's `Moment` other than the range; in games with conditions of its `Situation`, as turns begin
        there without what holds for one attack.
    """
    ruleset = game.ruleset
    tables = fights.tables(ruleset.fight)
    if fights.conditions(ruleset.fight):
        game.situation(**situation)  # refuses fields of one attack
    rows: list[dict[str, Any]] = []
    plans, toughness = [], []
    for attacker, target in versus:
        a, t = game.card(attacker), game.card(target)
        moments = [game.moment(range_in=range_in, **situation) for range_in in ranges]
        # Neither half of an attack reads the range.
        offence, defence = ruleset.offence(a, moments[0], game.variant), ruleset.defence(t, moments[0], game.variant)
        for moment in moments:
            plans.append(tables.pack(ruleset.survey(offence, defence, moment.range_in, game.variant))[0])
            toughness.append(ruleset.toughness(t))
            rows.append({"attacker": a.id, "target": t.id, "range_in": moment.range_in, "situation": words(moment)})
    within = tables.kills(np.array(plans), np.array(toughness), (turns,))[:, 1]
    return tidy("kill_probability", pd.DataFrame(rows).assign(turns=turns, p_kill_within=within))


class KillTables(NamedTuple):
    """Chances to destroy a fresh target that returns no fire. Cases that are alike are worked out once.

    Attributes
    ----------
    units : list of str
        Ids, of attackers and targets alike.
    faces : list of str
        Faces that the target shows; one empty text in a game without faces.
    starts : list of float
        The distances with which each step begins: within it no attack changes.
    end : float
        The last distance of the last step.
    chances : array of float, shape (cases, turns)
        Within 1, 2, ... turns of holding.
    case : array of int, shape (units, units, faces, starts)
        By attacker, target, face and step, its row of `chances`.
    """

    units: list[str]
    faces: list[str]
    starts: list[float]
    end: float
    chances: Any
    case: Any


def kill_tables(game: Game, situations: Situations, ranges: Sequence[float]) -> KillTables:
    """Return how soon the units of a roster destroy each other, at all of `ranges`.

    Parameters
    ----------
    game : Game
        The game: a ruleset with its cards and variant.
    situations : Situations
        Situations whose faces the targets show; all other fields have their defaults.
    ranges : sequence of float
        Distances, rising.
    """
    faces = list(dict.fromkeys(str(getattr(moment, "facing", "")) for moment in situations.moments))
    starts = range_steps(game, ranges)
    fields: list[dict[str, Any]] = [{"facing": face} if face else {} for face in faces]
    moments = tuple(game.moment(range_in=start, **field) for field in fields for start in starts)
    found = sweeps.results(
        _job(game, kills, CellTerms(game.ruleset.name, game.variant, moments, rounds=TURNS), len(game.cards))
    )
    chances, case = _together(found, len(moments), TURNS)
    return KillTables(
        list(game.cards), faces, starts, float(ranges[-1]), chances, case.reshape(*case.shape[:2], len(faces), -1)
    )


def range_steps(game: Game, ranges: Sequence[float], sampled: int = SAMPLED) -> list[float]:
    """Return the first of `ranges`, and those at which the turn of any unit differs from its turn at the range before.

    Parameters
    ----------
    game : Game
        The game: a ruleset with its cards and variant.
    ranges : sequence of float
        Distances, rising.
    sampled : int
        Number of targets that are tried.
    """
    moments = tuple(game.moment(range_in=range_in) for range_in in ranges)
    job = _job(game, steps, CellTerms(game.ruleset.name, game.variant, moments), sampled, (len(moments) - 1,))
    differs: Any = sweeps.results(job).any(axis=(0, 1))
    return [float(at) for at, new in zip(ranges, [True, *differs.tolist()], strict=True) if new]


def _job(game: Game, work: Work, terms: CellTerms, sampled: int, shape: tuple[int, ...] | None = None) -> Job:
    """Return the job of all attackers against about `sampled` targets from all over the roster."""
    cards = list(game.cards.values())
    targets = cards[:: max(1, len(cards) // sampled)]
    of_task = max(CELLS // len(terms.moments), 1)
    return Job(work, terms, cards, targets, shape, of_task, key=fighting(game.ruleset))


def steps(terms: CellTerms, attackers: Sequence[Any], targets: Sequence[Any]) -> Any:
    """Return whether an attacker's turns differ from those at the previous moment: the work of a job.

    Parameters
    ----------
    terms : CellTerms
        The settings of the cells.
    attackers, targets : sequence of card
        Cards of the units that attack, and of their targets.

    Returns
    -------
    array of bool, shape (attackers, targets, moments - 1)
        True where they differ.
    """
    plan = grid.grid(rulesets.load(terms.game), attackers, targets, terms.moments, terms.variant).plan
    return plan[..., 1:] != plan[..., :-1]


def kills(terms: CellTerms, attackers: Sequence[Any], targets: Sequence[Any]) -> list[bytes]:
    """Return, for each cell, its different rows of chances by turn, and which row each moment has.

    It is the work of a job.

    Parameters
    ----------
    terms : CellTerms
        The settings of the cells.
    attackers, targets : sequence of card
        Cards of the units that attack, and of their targets.
    """
    ruleset = rulesets.load(terms.game)
    cells = grid.grid(ruleset, attackers, targets, terms.moments, terms.variant)
    toughness = np.array([ruleset.toughness(card) for card in targets], dtype=np.int64)
    # A plan against a target of some toughness is a case, and has one number.
    most = int(toughness.max()) + 1
    numbers, case = np.unique(cells.plan * most + toughness[None, :, None], return_inverse=True)
    chances = cells.tables.kills(numbers // most, numbers % most, tuple(range(1, (terms.rounds or 0) + 1)))[:, 1:]
    found = []
    for cell in case.reshape(-1, len(terms.moments)).tolist():
        place = {one: at for at, one in enumerate(dict.fromkeys(cell))}
        places = np.array([place[one] for one in cell], dtype="<f8")
        found.append(places.tobytes() + chances[list(place)].astype("<f8").tobytes())
    return found


def _together(found: CellResults, moments: int, turns: int) -> tuple[Any, Any]:
    """Return the different rows of chances of all cells, and which row each cell has at each moment."""
    rows, before = [], 0
    case = np.empty((*found.shape, moments), dtype=np.int64)
    for cell in np.ndindex(found.shape):
        values = np.frombuffer(found[cell], "<f8")
        case[cell] = before + values[:moments].astype(np.int64)
        rows.append(values[moments:].reshape(-1, turns))
        before += len(rows[-1])
    chances, which = np.unique(np.concatenate(rows), axis=0, return_inverse=True)
    return chances, which.reshape(-1)[case]
