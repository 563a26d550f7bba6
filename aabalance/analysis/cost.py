"""What units destroy in duels for their cost, and the cost formula; their worth in battles stands in `pricing`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import pandas as pd

from aabalance.analysis.frames import by_id, costs, expect, tidy
from aabalance.definitions.settings import TOLERANCE
from aabalance.errors import UsageError
from aabalance.game import Game, Unit, game_of

FOUGHT = ("attacker", "target", "weight", "expected_damage_per_action", "expected_shots_to_kill")
MET = (*FOUGHT, "attacker_requisition", "p_win", "p_loss")


def field_of(game: Game, categories: Iterable[str] | None) -> list[str]:
    """Return the ids of the units of these categories; of all units if `categories` is None."""
    chosen = None if categories is None else list(categories)
    return [i for i, card in game.cards.items() if chosen is None or game.ruleset.roster.category(card) in chosen]


def _over_situations(matchups: pd.DataFrame, attackers: list[str], targets: list[str]) -> Callable[[Any], Any]:
    """Return a function that takes a column, and returns its mean over the situations by attacker and target.

    The mean is nan where two units don't meet.
    """

    def places(role: str, ids: list[str]) -> Any:
        numbers, names = pd.factorize(matchups[role])
        return pd.Index(ids).get_indexer(names.astype(str))[numbers]

    row, column = places("attacker", attackers), places("target", targets)
    met = (row >= 0) & (column >= 0)
    cell, weight = (row * len(targets) + column)[met], matchups["weight"].to_numpy()[met]
    shape = len(attackers), len(targets)
    never = np.bincount(cell, minlength=shape[0] * shape[1]) == 0

    def mean(values: Any) -> Any:
        sums = np.bincount(cell, weight * np.asarray(values)[met], len(never))
        return np.where(never, np.nan, sums).reshape(shape)

    return mean


def _every_pair(matchups: pd.DataFrame, attackers: list[str], targets: list[str]) -> Callable[[Any], Any]:
    """Return the function of `_over_situations`, for a table with every pair; some situations may be left out of it.

    Raises
    ------
    UsageError
        One of `attackers` doesn't meet one of `targets`, or not in the situations in which others meet.
    """
    mean = _over_situations(matchups, attackers, targets)
    weights = mean(np.ones(len(matchups)))
    for a, b in np.argwhere(np.isnan(weights)):
        expected = "expected every unit against every unit of the field"
        raise UsageError(f"frame: found no row of {attackers[a]} against {targets[b]}, {expected}")
    usual = np.median(weights)
    for a, b in np.argwhere(~np.isclose(weights, usual, atol=TOLERANCE)):
        expected = "expected the same situations for every pair"
        raise UsageError(f"frame: found rows of {attackers[a]} against {targets[b]} left out, {expected}")
    return mean if abs(usual - 1) <= TOLERANCE else lambda values: mean(values) / usual


def named(game: Game, table: pd.DataFrame) -> pd.DataFrame:
    """Return `table` with the name, nation and category of each unit of its column ``unit``."""
    cards = [game.cards[i] for i in table["unit"]]
    columns = {
        "name": [card.name for card in cards],
        "nation": [getattr(card, "nation", "") for card in cards],
        "category": [game.ruleset.roster.category(card) for card in cards],
    }
    return tidy("cost_effectiveness", table.assign(**columns))


def cost_effectiveness(matchups: pd.DataFrame, field: Iterable[Unit] | None = None) -> pd.DataFrame:
    """Return what each unit achieves for its requisition: weighted means over situations and over its opponents.

    Parameters
    ----------
    matchups : DataFrame
        From `aabalance.matchups`, every unit of the field against every other and itself.
    field : iterable of str or card, optional
        The units to rate, which are also the opponents; each counts alike. By default every unit in `matchups`.

    Returns
    -------
    DataFrame
        A row for each unit of the field, the largest requisition exchange ratio first. Dear units lead, since they
        meet their enemies one at a time (see `with_peers`). Exchange ratios are ratios of means over both roles,
        attacker and target. A ratio is infinite for a unit that loses nothing, and 0 for one that destroys nothing.

    Raises
    ------
    UsageError
        The frame has other columns, or not every unit of the field meets every other.

    Examples
    --------
    >>> import aabalance as aab
    >>> game = aab.Game()
    >>> few = game.with_(cards=game.cards.only(["us_m4a1", "us_m4a3_75w", "de_stug3g", "de_pz4h"]))
    >>> ranked = aab.cost_effectiveness(aab.matchups(few))
    >>> ranked[["unit", "requisition", "requisition_exchange_ratio", "rank"]].round(2)
              unit  requisition  requisition_exchange_ratio  rank
    0  us_m4a3_75w         75.0                        1.59     1
    1    de_stug3g         70.0                        1.00     2
    2      de_pz4h         60.0                        0.83     3
    3      us_m4a1         70.0                        0.75     4
    """
    matchups = expect(matchups, MET, "aab.matchups(game)")
    units = list(by_id([*matchups["attacker"], *matchups["target"]] if field is None else field, "field"))
    mean = _every_pair(matchups, units, units)
    price = matchups.groupby("attacker", observed=True, sort=False)["attacker_requisition"].first()[units].to_numpy()
    wins, losses = mean(matchups["p_win"]), mean(matchups["p_loss"])
    kill_rate = mean(1 / matchups["expected_shots_to_kill"])
    per_action = mean(matchups["expected_damage_per_action"]).mean(axis=1)
    kills = wins.mean(axis=1) + losses.mean(axis=0)
    deaths = losses.mean(axis=1) + wins.mean(axis=0)
    destroyed = (wins * price).mean(axis=1) + (losses * price[:, None]).mean(axis=0)
    table = pd.DataFrame(
        {
            "unit": units,
            "requisition": price,
            "expected_damage_per_action": per_action,
            "expected_damage_per_requisition": 100 * per_action / price,
            "p_kill_per_action": kill_rate.mean(axis=1),
            "requisition_destroyed_per_action": (kill_rate * price).mean(axis=1),
            "loss_exchange_ratio": _ratio(kills, deaths),
            "requisition_exchange_ratio": _ratio(destroyed, deaths * price),
        }
    )
    order = table.sort_values(["requisition_exchange_ratio", "unit"], ascending=[False, True], ignore_index=True)
    order["rank"] = np.arange(1, len(order) + 1)
    return tidy("cost_effectiveness", order, matchups.attrs)


def _ratio(above: Any, below: Any) -> Any:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(above == 0, 0.0, above / below)


def with_peers(table: pd.DataFrame) -> pd.DataFrame:
    """Return a table of cost effectiveness with two more columns that compare each unit with others of its price.

    In a duel a dear unit meets its enemies one at a time, so the requisition exchange ratio grows with the requisition.
    A trend takes that out: a power law, fitted to the logarithms by least squares. A unit above the trend gives more
    than others of its price. Units whose ratio is 0 or infinite don't count for the trend. If fewer than three units
    count, or all have one price, there is no trend, and both columns are NaN.

    Parameters
    ----------
    table : DataFrame
        From `cost_effectiveness`.
    """
    price, ratio = table["requisition"].to_numpy(float), table["requisition_exchange_ratio"].to_numpy(float)
    use = (ratio > 0) & np.isfinite(ratio) & (price > 0)
    trend = np.full(len(table), np.nan)
    if len(np.unique(price[use])) > 1 and use.sum() > 2:
        slope, level = np.polyfit(np.log(price[use]), np.log(ratio[use]), 1)
        trend[price > 0] = np.exp(level + slope * np.log(price[price > 0]))
    return tidy("cost_effectiveness", table.assign(peer_exchange_ratio=trend, exchange_ratio_to_peers=ratio / trend))


def first_requisition(game: Game | str, matchups: pd.DataFrame, field: Iterable[Unit] | None = None) -> pd.DataFrame:
    """Return this project's first requisition values: ``step * round_half_up(k * sqrt(attack * endurance) / step)``.

    `attack` is the mean expected damage per action against the field. `endurance` is the mean number of the field's
    attacks that the unit survives: the inverse of the mean of 1 / E[attacks to kill]. `k` is chosen so that the game's
    reference unit gets its cost. Surcharges are added, and units that can hurt nobody in the field are priced by a
    table (`RosterRules.price`).

    Parameters
    ----------
    game : Game or str
        The game: a ruleset with its cards and variant.
    matchups : DataFrame
        From `aabalance.shots` or `aabalance.matchups`: every unit attacks every unit of the field, and is
        attacked by it.
    field : iterable of str or card, optional
        The opponents; each counts alike. By default every unit in `matchups`.

    Returns
    -------
    DataFrame
        A row for each unit of `matchups`: what it costs now, attack, endurance and proposal.

    Raises
    ------
    UsageError
        The frame has other columns, or not every unit meets every unit of the field. Or the reference unit is missing,
        can't hurt anybody or can't be hurt, so that nothing fixes the scale.

    Examples
    --------
    >>> import aabalance as aab
    >>> game = aab.Game()
    >>> few = game.with_(cards=game.cards.only(["us_m4a1", "de_pz4h", "su_t34_85", "de_tiger1"]))
    >>> prices = aab.first_requisition(few, aab.shots(few))
    >>> prices[["unit", "requisition", "attack", "endurance", "proposal"]].round(2)
            unit  requisition  attack  endurance  proposal
    0    us_m4a1         70.0    4.04       4.91        65
    1    de_pz4h         60.0    6.92       3.47        70
    2  su_t34_85        100.0    8.99       5.51       100
    3  de_tiger1        145.0    9.68       9.45       135
    """
    game = game_of(game)
    matchups = expect(matchups, FOUGHT, "aab.shots(game)")
    met = {*matchups["attacker"], *matchups["target"]}
    strangers = sorted(met - set(game.cards))
    if strangers:
        raise UsageError(f"frame: found {strangers[0]}, expected units of {game.ruleset.name}")
    ids = [unit_id for unit_id in game.cards if unit_id in met]
    opponents = ids if field is None else list(by_id(field, "field"))
    fire, return_fire = _every_pair(matchups, ids, opponents), _every_pair(matchups, opponents, ids)
    attack = pd.Series(fire(matchups["expected_damage_per_action"]).mean(axis=1), ids)
    deaths = return_fire(1 / matchups["expected_shots_to_kill"]).mean(axis=0)
    with np.errstate(divide="ignore"):
        endurance = pd.Series(1 / deaths, ids)  # without end where nobody can destroy it
    value = np.sqrt(attack * endurance)
    reference, cost = game.ruleset.roster.reference
    if reference not in ids or not 0 < value[reference] < np.inf:
        raise UsageError(f"no proposal: {reference}, whose {cost} points fix the scale, doesn't fight in this roster")
    scale = (cost - game.ruleset.roster.price(game.cards[reference]).surcharge) / value[reference]
    proposals, step = [], game.ruleset.roster.price_step
    for unit_id in ids:
        price = game.ruleset.roster.price(game.cards[unit_id])
        fights = attack[unit_id] > 0 and np.isfinite(endurance[unit_id])
        worth = step * int(scale * value[unit_id] / step + 0.5) if fights else price.flat
        proposals.append(worth + price.surcharge)
    return tidy(
        "requisition",
        {
            "unit": ids,
            "name": [game.cards[unit_id].name for unit_id in ids],
            "requisition": costs(game)[ids].to_numpy(),
            "attack": attack[ids].to_numpy(),
            "endurance": endurance[ids].to_numpy(),
            "proposal": proposals,
        },
    )
