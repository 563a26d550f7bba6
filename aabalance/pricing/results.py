"""The results that a report shows: battles, matchups and prices of a whole roster, a frame for each question."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from concurrent.futures import Executor, Future
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from aabalance.analysis import actions, battles, cost, duels, matches, pairs, sensitivity
from aabalance.analysis.frames import tidy
from aabalance.analysis.matchups import matchups
from aabalance.analysis.pairs import KillTables, kill_tables
from aabalance.analysis.situations import Situations
from aabalance.cards.literals import as_option
from aabalance.definitions.report import Report
from aabalance.definitions.tables import Battles
from aabalance.engine.sampling import Advance
from aabalance.errors import CardError, UsageError
from aabalance.game import Game
from aabalance.jobs import sweeps
from aabalance.pricing.battles import ORDERED, REACHED
from aabalance.pricing.board import POOLED, board_worth
from aabalance.pricing.board_fits import EACH
from aabalance.pricing.breakpoints import penetration_of_all, toughness_steps
from aabalance.pricing.roles import score_table
from aabalance.pricing.roster import Roster
from aabalance.pricing.tuning import tune
from aabalance.pricing.worth import who_gains, worth, worth_reasons

CSVS = ("cost_effectiveness", "pairs", "structure", "turns_to_kill", "sensitivity", "kill_probability")
BATTLE_CSVS = ("battles", "actions", "leads")
MATCH_CSVS = ("matches", "match_boards")
BOARD_CSVS = ("board_worth",)
WORTH_CSVS = ("worth", "worth_reasons", "prices")
"""Tables of a game with worth; others have `FORMULA_CSVS`."""
FORMULA_CSVS = ("requisition",)
SHOWN = ("scores", "toughness_steps", "penetration_steps")
"""Tables of a game with worth that only the page shows; they aren't written."""


def csvs(spec: Report, game: Game) -> tuple[str, ...]:
    """Return the names of a report's CSV files; `spec` and `game` as for `analyse`."""
    fought = BATTLE_CSVS if spec.meetings(game.cards) else ()
    matched, valued = MATCH_CSVS if spec.matches else (), BOARD_CSVS if spec.board_worth else ()
    return (*CSVS, *fought, *matched, *valued, *(WORTH_CSVS if game.ruleset.limits_actions else FORMULA_CSVS))


READINGS = 3
"""Readings of which it is worked out who gains by them in worth."""
GAINS = 8
"""Steps of a unit in each of them: it takes about as long as in so many others."""
Proposals = tuple[dict[str, Any], str]
"""Fields of `Results` on what units should cost; and why there is no proposal, empty if there is one."""


class Results(NamedTuple):
    """The results of the analysis.

    Attributes
    ----------
    cost_effectiveness, pairs, requisition, structure, turns_to_kill, sensitivity, kill_probability : DataFrame
        Written as CSV files of these names; `requisition` only if the game isn't `priced`.
    battles, actions, leads : DataFrame
        Written likewise; without rows, and not written, if the definition has no battles.
    matches, match_boards : DataFrame
        Written likewise; without rows, and not written, if the definition has no matches.
    board_worth : DataFrame
        Written likewise; without rows, and not written, if the definition doesn't ask for it.
    unplayable : str
        Why it has no rows although the definition asks for it.
    worth, worth_reasons, prices : DataFrame
        Written likewise; without rows, and not written, if the game isn't `priced`.
    scores, toughness_steps, penetration_steps : DataFrame
        Scores for equal requisition, breakpoints of toughness, and what more penetration does; without rows if the game
        isn't `priced`. Shown on the page, not written.
    matchups : DataFrame
        All units against all, in each of the standard situations. Shown, not written.
    kill_tables : KillTables
        How soon all units destroy all others, by face and distance. Shown, not written.
    who_gains : mapping of str to DataFrame
        For the readings that move most, by their names in `sensitivity`: the units that are worth more under it, and
        less; from `aabalance.pricing.worth.who_gains`. Empty if the game isn't `priced`.
    headlines, verdict : DataFrame
        One row each, on the roster as a whole.
    longest_duel : DataFrame
        One row; no row if no duel is sure to end.
    priced : bool
        Whether battles say what units are worth, which takes a game with a limit of actions.
    prices_leave : mapping of str to object
        How far from par units stay at the proposed prices, from `Tuned.summary`; empty without a proposal.
    no_proposal : str
        Why no requisition values can be proposed; empty if they can.
    situations : int
        Number of standard situations.
    csvs : tuple of str
        Names of the frames that become CSV files.
    """

    cost_effectiveness: pd.DataFrame
    pairs: pd.DataFrame
    requisition: pd.DataFrame
    structure: pd.DataFrame
    turns_to_kill: pd.DataFrame
    sensitivity: pd.DataFrame
    kill_probability: pd.DataFrame
    battles: pd.DataFrame
    actions: pd.DataFrame
    leads: pd.DataFrame
    matches: pd.DataFrame
    match_boards: pd.DataFrame
    board_worth: pd.DataFrame
    unplayable: str
    worth: pd.DataFrame
    worth_reasons: pd.DataFrame
    prices: pd.DataFrame
    scores: pd.DataFrame
    toughness_steps: pd.DataFrame
    penetration_steps: pd.DataFrame
    matchups: pd.DataFrame
    kill_tables: KillTables
    who_gains: Mapping[str, pd.DataFrame]
    headlines: pd.DataFrame
    verdict: pd.DataFrame
    longest_duel: pd.DataFrame
    priced: bool
    prices_leave: Mapping[str, Any]
    no_proposal: str
    situations: int
    csvs: tuple[str, ...]

    @property
    def rated(self) -> pd.DataFrame:
        """The rows of `worth` with a finite worth: without units that have no opponents, or lead at any price."""
        rated: pd.DataFrame = self.worth[np.isfinite(self.worth["worth"])]
        return rated

    @property
    def rolled(self) -> bool:
        """Whether a battle was too large to be solved."""
        return not {*self.battles["engine"], *self.actions["engine"]} <= {"exact"}

    @property
    def priced_by_dice(self) -> bool:
        """Whether one of the battles that price units was too large to be solved."""
        return bool(self.prices_leave.get("rolled")) or not {*self.scores["solver"]} <= {ORDERED, REACHED}

    def written(self) -> dict[str, pd.DataFrame]:
        """Return the frames that become CSV files, by name."""
        return {name: getattr(self, name) for name in self.csvs}


def total(spec: Report, game: Game) -> int:
    """Return the number of steps of `analyse`, which it counts by calling `advance`."""
    readings = 1 + sum(len(values) for values in spec.switches(game.variant).values())
    played = matches.count(spec) + _most_of_boards(spec)
    readings += GAINS * READINGS * game.ruleset.limits_actions
    return played + len(game.cards) + readings * len(cost.field_of(game, spec.field)) + _limits(spec, game)


def _most_of_boards(spec: Report) -> int:
    """Return how many matches there may be on the boards of `board_worth`."""
    of = spec.board_worth
    return 0 if of is None else len(of.boards) * max(len(of.missions), 1) * (of.matches // EACH) * EACH


def _limits(spec: Report, game: Game) -> int:
    """Return the limits of tables and curves, for each pair of lists and policy."""
    if spec.battles is None:
        return 0
    of_pair = len(spec.battles.policies) * (len(spec.battles.limits) + len(actions.LIMITS))
    return len(spec.meetings(game.cards)) * of_pair


def analyse(
    spec: Report,
    game: Game,
    field: list[str],
    situations: Situations,
    prices: Future[Proposals] | None,
    advance: Advance,
    worker: Executor,
) -> Results:
    """Run the analysis: battles, matchups of the whole roster once, then of the field for each reading of the rules.

    Parameters
    ----------
    spec : Report
        The report definition.
    game : Game
        The game: a ruleset with its cards and variant.
    field : list of str
        Ids of the units that per-unit means count.
    situations : Situations
        The standard situations.
    prices : Future or None
        What `price` returns; None where it doesn't apply.
    advance : callable
        As for `write`.
    worker : Executor
        Fights the battles of every second pair of lists; from `aabalance.jobs.sweeps.background`.
    """
    played = matches.defined(game, spec, advance).matches if spec.matches else tidy("matches", {})
    valued, unplayable = _board_worth(spec, game, advance)
    meetings = [(spec, spec.battles, game, pair) for pair in spec.meetings(game.cards)]
    fought = [*sweeps.shared(worker, _fight, meetings)]
    advance(_limits(spec, game))
    matchup_table = matchups(game, situations, advance=advance)
    pair_table = pairs.pairs(matchup_table)
    ranking = cost.named(game, cost.cost_effectiveness(matchup_table, field))
    if prices is None:
        ranking = cost.with_peers(ranking)
    versus = spec.curves(game.cards) or _examples(ranking)
    of_duels: dict[str, Any] = {
        "cost_effectiveness": ranking,
        "pairs": pair_table,
        "structure": sensitivity.shares_by_need(game, matchup_table, field),
        "turns_to_kill": sensitivity.turns_to_kill(game, matchup_table, field),
        "headlines": sensitivity.headlines(matchup_table, field),
        "kill_probability": pairs.kill_curves(game, versus, spec.plots.ranges, spec.plots.turns),
        "kill_tables": kill_tables(game, situations, spec.plots.ranges),
        "matchups": matchup_table,
        "verdict": pairs.price_and_victory(game, pair_table, field),
        "longest_duel": duels.longest_duel(matchup_table, field),
    }
    listed = spec.sensitivity_situations
    changes = sensitivity.sensitivity(
        game,
        Situations.listed(game, listed, spec.rounds, spec.postures) if listed else situations,
        switches=spec.switches(game.variant),
        field=field,
        advance=advance,
    )
    unknown: dict[str, Any] = {name: tidy(name, {}) for name in (*FORMULA_CSVS, *WORTH_CSVS, *SHOWN)}
    proposed, no_proposal = prices.result() if prices else _formula(game, field, matchup_table)
    tables: dict[str, Any] = {"prices_leave": {}} | unknown | proposed
    gains = {}
    if prices:
        for reading, gain in _who_gains(spec, game, changes, tables["worth"], worker):
            gains[reading] = gain.result()
            advance(GAINS * len(field))
        advance(GAINS * len(field) * (READINGS - len(gains)))
    battle_table, curve_table = _together([one.result() for one in fought])
    return Results(
        **of_duels,
        sensitivity=changes,
        who_gains=gains,
        battles=battle_table,
        actions=curve_table,
        leads=actions.leads(curve_table) if len(curve_table) else tidy("leads", {}),
        matches=played,
        match_boards=matches.match_boards(played) if len(played) else tidy("match_boards", {}),
        board_worth=valued,
        unplayable=unplayable,
        priced=prices is not None,
        no_proposal=no_proposal,
        situations=len(situations.moments),
        csvs=csvs(spec, game),
        **tables,
    )


def _board_worth(spec: Report, game: Game, advance: Advance) -> tuple[pd.DataFrame, str]:
    """Return what units are worth on the boards of the definition, if it asks for that; or why they can't play."""
    if (of := spec.board_worth) is None:
        return tidy("board_worth", {}), ""
    terms = of.model_dump(exclude={"missions"})
    try:
        found = board_worth(game, missions=of.missions or (None,), advance=advance, **terms)
    except (UsageError, CardError) as error:
        advance(_most_of_boards(spec))
        return tidy("board_worth", {}), spec.unplayable("board_worth", error)
    each = found[found["board"] != POOLED].drop_duplicates(["board", "mission"])
    advance(_most_of_boards(spec) - int(each["n"].sum()))  # worths were narrow enough before these were played
    return found, ""


def _formula(game: Game, field: list[str], matchup_table: pd.DataFrame) -> Proposals:
    """Return the table of prices by the cost formula, and why it is missing if it can't be made."""
    try:
        return {"requisition": cost.first_requisition(game, matchup_table, field)}, ""
    except UsageError as error:
        return {}, str(error)


def price(spec: Report, game: Game, situations: Situations) -> Proposals:
    """Return the tables on worth and fair prices, and why those are missing that can't be made.

    Without units that can be rated there are none; without units that set the scale there are still those on worth.

    Parameters
    ----------
    spec, game, situations
        As for `analyse`.
    """
    tables: dict[str, Any] = {}
    tuning = spec.tuning.within(game.cards)
    try:
        roster = Roster(game, tuning=tuning, situations=spec.situations)
        tables["worth"] = worth(game, roster=roster)
        tables["worth_reasons"] = worth_reasons(game, roster=roster)
        tables["scores"] = score_table(roster)
        tables["toughness_steps"] = toughness_steps(game, roster=roster)
        tables["penetration_steps"] = penetration_of_all(game, situations)
        tuned = tune(game, roster=roster)
        tables |= {"prices": tuned.to_frame(), "prices_leave": tuned.summary()}
    except UsageError as error:
        return tables, str(error)
    return tables, ""


def _who_gains(
    spec: Report, game: Game, changes: pd.DataFrame, own: pd.DataFrame, worker: Executor
) -> Iterator[tuple[str, Future[pd.DataFrame]]]:
    """Yield who gains and loses worth by the readings that move most in duels; `worker` takes every second reading."""
    tried = {
        as_option(name, value): {name: value}
        for name, values in spec.switches(game.variant).items()
        for value in values
    }
    most = [*changes.loc[changes["mean_change_of_p_win"] > 0, "reading"].head(READINGS)] if len(own) else []
    calls = [(spec, game.with_(variant=tried[reading]), own) for reading in most]
    return zip(most, sweeps.shared(worker, _gains, calls), strict=True)


def _gains(spec: Report, other: Game, own: pd.DataFrame) -> pd.DataFrame:
    """Return who gains or loses worth in the `other` game; `own` is the table ``worth`` of the present one."""
    return who_gains(own, Roster(other, tuning=spec.tuning.within(other.cards), situations=spec.situations))


def _fight(spec: Report, section: Battles, game: Game, pair: tuple[str, str]) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the table of the battles of a pair of lists of a definition's `section`, and of every action limit."""
    a, b = pair
    try:
        table = battles.battles(
            game,
            [pair],
            situations=[section.situation],
            actions=section.limits,
            lists=section.lists,
            policies=section.policies,
            modes=[section.mode if section.rounds is None else (section.mode, section.rounds)],
        )
        curve = actions.actions(
            game,
            section.lists[a],
            section.lists[b],
            policies=section.policies,
            mode=section.mode,
            rounds=section.rounds,
            **section.situation,
        )
    except UsageError as error:
        raise spec.fault_of_battle(pair, str(error)) from None
    return table, curve.assign(list_a=a, list_b=b)


def _together(fought: list[tuple[pd.DataFrame, pd.DataFrame]]) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Put the tables of all pairs under each other; rows of battles that were solved get 0 trials, and no intervals."""
    if not fought:
        return tidy("battles", {}), tidy("actions", {})
    tables, curves = (pd.concat(frames, ignore_index=True).fillna({"n": 0}) for frames in zip(*fought, strict=True))
    return tidy("battles", tables), tidy("actions", curves)


def _examples(ranking: pd.DataFrame) -> list[tuple[str, str]]:
    """Return the middle and the first unit of the ranking as pairs, for a roster without the definition's pairs.

    The middle one fires first, since the best destroys it from anywhere. Who loses nothing is left out if others are
    there: its duels say little of range.
    """
    units = ranking.loc[np.isfinite(ranking["requisition_exchange_ratio"]), "unit"]
    units = units if len(units) else ranking["unit"]
    first, middle = units.iloc[0], units.iloc[len(units) // 2]
    return [(middle, first), (first, middle)] if first != middle else [(first, first)]
