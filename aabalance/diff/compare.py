"""Two games compared: what differs in cards and rules, and the effect on duels, worth, prices and groups."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from aabalance.analysis.battles import several
from aabalance.analysis.cells import WORDS
from aabalance.analysis.cost import cost_effectiveness, field_of, first_requisition
from aabalance.analysis.frames import costs, names_of, tidy
from aabalance.analysis.matchups import matchups
from aabalance.analysis.pairs import chances
from aabalance.diff.changes import CHANGED, card_changes, rule_changes
from aabalance.engine.sampling import Advance
from aabalance.errors import UsageError, check_kind
from aabalance.game import Game
from aabalance.pricing.contest import Contest, eligible_units
from aabalance.pricing.indifference import MIDDLE, bootstrap
from aabalance.pricing.roles import score_by
from aabalance.pricing.roster import EVEN, Roster
from aabalance.pricing.tuning import tune

CLOSE = 1e-6
"""Difference up to which two numbers are equal: the tables of a report have six digits."""
GROUPINGS = ("nation", "category")
ENDS = ("before", "after")
NOTHING = "Nothing differs."
SHOWN = 5
"""Rows of each table that a notebook shows."""


@dataclass(frozen=True, eq=False, repr=False)
class Comparison:
    """The differences between two games, and their effects.

    Attributes
    ----------
    cards : DataFrame
        Table ``card_changes``: a row for each field that differs, and one for a unit that is added or removed.
    rules : DataFrame
        Table ``rule_changes``: a row for each switch that differs.
    matchups : DataFrame
        Table ``matchup_changes``: a row for each two units whose duels have other chances; flips first, then
        the largest difference.
    units : DataFrame
        Table ``unit_changes``: a row for each unit of either side that has a worth or a ratio.
    groups : DataFrame
        Table ``group_changes``: a row for each two nations, and each two classes, whose scores differ.
    met : int
        Number of pairs whose duels were compared: those on which the differences may have an effect.
    no_proposal : str
        Why one side or both have no proposed prices; empty if both have.
    provenance : (dict, dict)
        Where the numbers of either side come from.
    """

    cards: pd.DataFrame
    rules: pd.DataFrame
    matchups: pd.DataFrame
    units: pd.DataFrame
    groups: pd.DataFrame
    met: int
    no_proposal: str
    provenance: tuple[dict[str, Any], dict[str, Any]]

    @property
    def matters(self) -> bool:
        """Whether any number of a unit of both sides differs, or a side has a unit that the other hasn't."""
        numbers = len(self.matchups) + len(self.groups) + int(moved(self.units).sum())
        return numbers > 0 or not self.cards["what"].isin([CHANGED]).all()

    def _differing(self) -> dict[str, pd.DataFrame]:
        """Return what differs, by what it is and how much of it; without tables that are empty."""
        tables = {
            "fields and units that differ": self.cards,
            "rules that differ": self.rules,
            f"pairs of {self.met} whose duels end otherwise": self.matchups,
            "units that moved": self.units[moved(self.units)],
            "groups that score otherwise": self.groups,
        }
        return {f"{what}: {len(table)}": table for what, table in tables.items() if len(table)}

    def __repr__(self) -> str:
        return "\n".join(self._differing()) or NOTHING

    def _repr_html_(self) -> str:
        parts = [
            f"<p>{what}{', of which these are the first' * (len(table) > SHOWN)}</p>"
            f"{table.head(SHOWN).to_html(index=False, float_format='{:.3g}'.format)}"
            for what, table in self._differing().items()
        ]
        return "".join(parts) or f"<p>{NOTHING}</p>"


def compare(
    before: Game,
    after: Game,
    *,
    categories: Iterable[str] | None = None,
    seed: int = 0,
    advance: Advance = lambda steps: None,
) -> Comparison:
    """Compare two games of one ruleset: what differs in their cards and rules, and what that did.

    Duels are those of the standard situations, in the mean of either unit being the attacker. Worth comes from the
    battles that price units; a game without such battles is compared by exchange ratios and the cost formula. A card
    that is the same on both sides is worked out once.

    Parameters
    ----------
    before, after : Game
        A what-if is ``aab.compare(game, game.with_(changes=["de_tiger1.hp=50"]))``.
    categories : iterable of str, optional
        Categories of the units that exchange ratio and formula are worked out for; by default all.
    seed : int
        Seed of the draws behind the intervals, and of battles that have to be rolled; the same for both sides.
    advance : callable
        Called with the number of steps done since the last call; `total` says how many there are.

    Returns
    -------
    Comparison
        Its intervals are those of the differences, over other opponents like these, the same on both sides.

    Raises
    ------
    UsageError
        They are two rulesets, or a card has no price.

    Examples
    --------
    >>> import aabalance as aab
    >>> game = aab.Game()
    >>> few = game.with_(cards=game.cards.only(["us_m4a1", "de_pz4h", "su_t34_85", "de_tiger1"]))
    >>> found = aab.compare(few, few.with_(changes=["de_tiger1.hp=50"]))
    >>> found.matters
    True
    >>> found.units[["unit", "worth_before", "worth_after"]].round(1)
            unit  worth_before  worth_after
    0    us_m4a1          52.3         54.6
    1    de_pz4h          67.8         71.7
    2  su_t34_85         103.7        107.3
    3  de_tiger1         156.9        142.6
    """
    for side, game in (("before", before), ("after", after)):
        check_kind(side, game, Game, "a Game")
    chosen = None if categories is None else several(categories, "categories")
    if before.ruleset.name != after.ruleset.name:
        raise UsageError(f"compare: found {before.ruleset.name} and {after.ruleset.name}, expected one game")
    cards, rules = card_changes(before, after), rule_changes(before, after)
    no_proposal, met = "", 0
    units, groups, duels = (tidy(name, {}) for name in ("unit_changes", "group_changes", "matchup_changes"))
    if len(cards) + len(rules):
        fights, common = _fights(before, after), [unit for unit in before.cards if unit in after.cards]
        if before.ruleset.limits_actions:
            units, groups, no_proposal = _by_battles(before, after, seed, advance)
            tables = [_duels_of(game, fights, common) for game in (before, after)] if fights else []
        else:
            tables = [matchups(game, advance=advance) for game in (before, after)]
            units, no_proposal = _by_formula(before, after, tables, chosen)
        if tables:
            duels = matchup_changes(tables[0], tables[1], fights, common)
        units = with_duels(units, duels, common)
        met = len({frozenset((a, b)) for a in fights for b in common if a != b})
    said = before.provenance().said(), after.provenance().said()
    return Comparison(cards, rules, duels, units, groups, met, no_proposal, said)


def total(before: Game, after: Game) -> int:
    """Return the number of steps of `compare`, which it counts by calling `advance`: pairs of units, or attackers."""
    if not len(card_changes(before, after)) + len(rule_changes(before, after)):
        return 0
    if not before.ruleset.limits_actions:
        return len(before.cards) + len(after.cards)
    contest = Contest.standard(before)
    sides = [eligible_units(game, contest) for game in (before, after)]
    return sum(n * (n - 1) // 2 for n in map(len, sides))


def _fights(before: Game, after: Game) -> list[str]:
    """Return the ids of units of both games whose fights may differ."""
    common = [unit for unit in before.cards if unit in after.cards]
    if before.variant != after.variant:
        return common
    ignored = {*WORDS, before.ruleset.labels.currency}

    def fighting(game: Game, unit: str) -> dict[str, Any]:
        return {name: value for name, value in game.cards.tables[unit].items() if name not in ignored}

    return [unit for unit in common if fighting(before, unit) != fighting(after, unit)]


# --- duels


def _duels_of(game: Game, units: Sequence[str], others: Sequence[str]) -> pd.DataFrame:
    """Return the matchups of some units with others, in both roles."""
    if len(units) == len(others):
        return matchups(game, attackers=others, targets=others)
    roles = ((units, others), (others, units))
    tables = [matchups(game, attackers=some, targets=targets) for some, targets in roles]
    return pd.concat(tables, ignore_index=True)


def duel_scores(table: pd.DataFrame) -> pd.Series[float]:
    """Return the chance to win and half of that to draw, by attacker and target, from matchups or their means."""
    if "weight" in table:
        table = chances(table)
    means = table.astype({"attacker": str, "target": str}).set_index(["attacker", "target"])
    return means["p_win"] + means["p_draw"] / 2


def matchup_changes(
    before: pd.DataFrame, after: pd.DataFrame, units: Collection[str], others: Iterable[str]
) -> pd.DataFrame:
    """Return the pairs whose duels have other chances; flips first, then the largest difference.

    Parameters
    ----------
    before, after : DataFrame
        Matchups, or their means over the situations, of each of the pairs in both roles.
    units, others : iterable of str
        Ids; a pair of two of `units` counts once.
    """
    first = set(units)
    pairs = [(a, b) for a in units for b in others if a != b and not (b in first and b < a)]
    index = pd.MultiIndex.from_tuples(pairs, names=["attacker", "target"])
    old, new = (
        (scores.reindex(index).to_numpy() + 1 - scores.reindex(index.swaplevel()).to_numpy()) / 2
        for scores in map(duel_scores, (before, after))
    )
    table = pd.DataFrame(
        {
            "unit": [a for a, _ in pairs],
            "opponent": [b for _, b in pairs],
            "duel_score_before": old,
            "duel_score_after": new,
            "duel_score_difference": new - old,
            "flipped": (np.abs(old - EVEN) > CLOSE) & (np.abs(new - EVEN) > CLOSE) & ((old > EVEN) != (new > EVEN)),
        }
    )
    table = table[table["duel_score_difference"].abs() > CLOSE]
    order = np.lexsort((table["opponent"], table["unit"], -table["duel_score_difference"].abs(), ~table["flipped"]))
    return tidy("matchup_changes", table.iloc[order].reset_index(drop=True))


def with_duels(units: pd.DataFrame, duels: pd.DataFrame, common: Collection[str]) -> pd.DataFrame:
    """Return units with ``duel_score_difference``, the mean over their duels with all others.

    Parameters
    ----------
    units, duels : DataFrame
        Tables ``unit_changes`` and ``matchup_changes``.
    common : collection of str
        Ids of the units that meet on both sides; nan for others.
    """
    if not len(units):
        return units
    rise = duels.groupby("unit")["duel_score_difference"].sum()
    rise = rise.sub(duels.groupby("opponent")["duel_score_difference"].sum(), fill_value=0) / max(len(common) - 1, 1)
    mean = rise.reindex(list(common), fill_value=0.0).reindex(units["unit"])
    return tidy("unit_changes", units.assign(duel_score_difference=mean.to_numpy()))


# --- what units are worth


def _by_battles(before: Game, after: Game, seed: int, advance: Advance) -> tuple[pd.DataFrame, pd.DataFrame, str]:
    """Return the changes of units and of groups, and why there are no proposed prices."""
    contest = Contest.standard(before)
    if not all(eligible_units(game, contest) for game in (before, after)):
        return tidy("unit_changes", {}), tidy("group_changes", {}), "a side has no unit that battles can price"
    both = Roster(before, seed=seed, advance=advance), Roster(after, seed=seed, advance=advance)
    sides, drawn, why = [], [], ""
    for game, roster in zip((before, after), both, strict=True):
        found = bootstrap(roster, seed)
        side = pd.DataFrame({"requisition": roster.prices, "score": found.score}, index=roster.units)
        side.loc[~roster.priced] = np.nan  # what it scores at no price, nobody knows
        side["worth"] = found.worth
        try:
            prices = tune(game, roster=roster).to_frame().set_index("unit")
            side["proposal"] = prices["new_requisition"].astype(float)
        except UsageError as error:
            side["proposal"], why = np.nan, str(error)
        sides.append(side.assign(rank=rank(side["score"])))
        each = {"score": found.drawn_score, "worth": found.drawn_worth}
        drawn.append({name: pd.DataFrame(draws, columns=roster.units) for name, draws in each.items()})
    table = unit_changes(sides[0], sides[1], names_of(before) | names_of(after))
    for name in ("score", "worth"):
        change = (drawn[1][name] - drawn[0][name]).reindex(columns=table["unit"])
        table[f"{name}_difference_low"], table[f"{name}_difference_high"] = np.quantile(change, MIDDLE, axis=0)
    return tidy("unit_changes", table), _group_changes(before, after, both), why


def rank(score: pd.Series[float]) -> pd.Series[float]:
    """Return the places of scores, the largest first; scores that are equal up to rounding share a place."""
    return score.round(9).rank(ascending=False, method="min")


def unit_changes(before: pd.DataFrame, after: pd.DataFrame, names: dict[str, str]) -> pd.DataFrame:
    """Return the units of two sides, with the differences of score and worth.

    Parameters
    ----------
    before, after : DataFrame
        Numbers of units, indexed by id, with ``requisition``, ``rank`` and others.
    names : dict of str to str
        Names of the units, by id.
    """
    units = list(dict.fromkeys([*after.index, *before.index]))
    table = pd.DataFrame({"unit": units, "name": [names[unit] for unit in units]})
    for name in dict.fromkeys([*before, *after]):
        for end, side in zip(ENDS, (before, after), strict=True):
            table[f"{name}_{end}"] = side[name].reindex(units).to_numpy() if name in side else np.nan
        if name in ("score", "worth"):
            with np.errstate(invalid="ignore"):
                table[f"{name}_difference"] = table[f"{name}_after"] - table[f"{name}_before"]
    return tidy("unit_changes", table)


def moved(units: pd.DataFrame) -> pd.Series[bool]:
    """Return, by row of `unit_changes`, whether a number differs; false for a unit that only one side has."""
    names = [name.removesuffix("_before") for name in map(str, units) if name.endswith("_before")]
    old, new = (units[[f"{name}_{end}" for name in names]].to_numpy(float) for end in ENDS)
    both = ~np.isnan(old).all(axis=1) & ~np.isnan(new).all(axis=1)
    differs = both & ~np.isclose(old, new, rtol=CLOSE, atol=CLOSE, equal_nan=True).all(axis=1)
    return pd.Series(differs, units.index)


def _group_changes(before: Game, after: Game, both: tuple[Roster, Roster]) -> pd.DataFrame:
    keys, rows = ["group", "opponent_group"], []
    for grouping in GROUPINGS:
        if grouping == "nation" and not any(getattr(card, "nation", None) for card in before.cards.values()):
            continue
        old, new = (
            score_by(game, grouping, roster=roster).set_index(keys)["score"]
            for game, roster in zip((before, after), both, strict=True)
        )
        table = pd.DataFrame({"score_before": old, "score_after": new}).dropna().reset_index()
        table["score_difference"] = table["score_after"] - table["score_before"]
        differs = (table["group"] < table["opponent_group"]) & (table["score_difference"].abs() > CLOSE)
        table = table[differs].assign(grouping=grouping)
        order = np.lexsort((table["opponent_group"], table["group"], -table["score_difference"].abs()))
        rows.append(table.iloc[order])
    return tidy("group_changes", pd.concat(rows, ignore_index=True))


def _by_formula(
    before: Game, after: Game, tables: Sequence[pd.DataFrame], categories: Sequence[str] | None
) -> tuple[pd.DataFrame, str]:
    """Return the changes of units of a game without worth, and why the cost formula proposes no prices."""
    sides, why = [], ""
    for game, table in zip((before, after), tables, strict=True):
        field = field_of(game, categories)
        ranked = cost_effectiveness(table, field).set_index("unit")
        side = pd.DataFrame(
            {
                "requisition": costs(game)[field],
                "requisition_exchange_ratio": ranked["requisition_exchange_ratio"].reindex(field),
                "rank": rank(ranked["requisition_exchange_ratio"]).reindex(field),
            }
        )
        try:
            asked = first_requisition(game, table, field).set_index("unit")["proposal"]
            side["proposal"] = asked.reindex(field).astype(float)
        except UsageError as error:
            side["proposal"], why = np.nan, str(error)
        sides.append(side)
    return unit_changes(sides[0], sides[1], names_of(before) | names_of(after)), why
