"""What a mix of lists consists of: kinds of lists, and units, how sure their shares are; and what a list can't hurt."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from aabalance.analysis.battles import Score
from aabalance.analysis.frames import with_ends
from aabalance.definitions.settings import FRONT, situation_mix
from aabalance.engine.arrays import Floats
from aabalance.errors import counted
from aabalance.lists.payoffs import Field, Payoffs, Units
from aabalance.lists.search import overlap
from aabalance.play.result import distance

ALIKE = 0.55
"""Lists of one archetype have, on the mean, less than so much of their requisition apart."""
NAMED = 3
NOTEWORTHY = 0.01
"""Least share of a field's requisition that a weak point is told about."""


class Archetype(NamedTuple):
    """Lists of one kind.

    Attributes
    ----------
    name : str
        The cards that they spend most on.
    share, low, high : float
        Their part of the mix, and its 95 % interval if the payoffs were rolled again.
    example : Units
        The list with the largest weight.
    members : tuple of int
        Places of the lists in `Metagame.lists`.
    """

    name: str
    share: float
    low: float
    high: float
    example: Units
    members: tuple[int, ...]


def archetypes(payoffs: Payoffs, lists: Sequence[Units], weights: Floats, again: Floats) -> tuple[Archetype, ...]:
    """Return the kinds of lists of a mix, the largest share first; parameters as for `units_of`."""
    from scipy.cluster.hierarchy import fcluster, linkage
    from scipy.spatial.distance import squareform

    some = np.flatnonzero((weights > 0) | (again.mean(axis=0) > 0))
    if len(some) == 1:
        group = np.ones(1, dtype=int)
    else:
        apart = np.array([[1 - overlap(payoffs, lists[a], lists[b]) for b in some.tolist()] for a in some.tolist()])
        np.fill_diagonal(apart, 0)
        group = fcluster(linkage(squareform(apart, checks=False), "average"), ALIKE, "distance")
    found = []
    for number in np.unique(group):
        members = some[group == number]
        share = float(weights[members].sum())
        low, high = _ends(share, again[:, members].sum(axis=1))
        heavy = weights[members] + again[:, members].mean(axis=0)
        example = lists[members.tolist()[int(np.argmax(heavy))]]
        name = _name(payoffs, [lists[at] for at in members.tolist()], heavy)
        found.append(Archetype(name, share, float(low), float(high), example, tuple(members.tolist())))
    return tuple(sorted((one for one in found if one.high > 0), key=lambda one: -one.share))


def _ends(now: Any, again: Floats) -> Any:
    """Return the 95 % interval of what `again` drew, widened to hold `now`."""
    low, high = np.quantile(again, [0.025, 0.975], axis=0)
    return np.minimum(low, now), np.maximum(high, now)


def _name(payoffs: Payoffs, lists: Sequence[Units], weights: Floats) -> str:
    """Return the cards that lists spend most on: the first, and those on which they spend half as much."""
    spent: dict[int, float] = {}
    for units, weight in zip(lists, weights, strict=True):
        for at, share in payoffs.shares(units).items():
            spent[at] = spent.get(at, 0.0) + share * float(weight)
    order = sorted(spent, key=lambda at: -spent[at])
    return " + ".join(payoffs.names[at] for at in order[:3] if spent[at] >= spent[order[0]] / 2)


def unit_shares(payoffs: Payoffs, lists: Sequence[Units]) -> Floats:
    """Return the shares of the requisition of each of `lists`, shape (lists, cards); `payoffs` is the roster."""
    table = np.zeros((len(lists), len(payoffs.cards)))
    for row, units in zip(table, lists, strict=True):
        for at, share in payoffs.shares(units).items():
            row[at] = share
    return table


def units_of(payoffs: Payoffs, lists: Sequence[Units], weights: Floats, again: Floats) -> pd.DataFrame:
    """Return the share of requisition of each unit in a mix, the largest first.

    Parameters
    ----------
    payoffs : Payoffs
        The roster.
    lists, weights : sequence of Units, and array of float
        The mix.
    again : array of float, shape (mixes, lists)
        The same as it might have been, had the payoffs been rolled again.
    """
    table = unit_shares(payoffs, lists)
    share, has = weights @ table, weights @ (table > 0)
    (low, high), (least, most) = _ends(share, again @ table), _ends(has, again @ (table > 0))
    found = pd.DataFrame(
        {
            "unit": payoffs.ids,
            "name": [card.name for card in payoffs.cards],
            "share": share,
            "low": low,
            "high": high,
            **with_ends("in_lists", (has, least, most)),
        }
    )
    found = found.sort_values("share", ascending=False, kind="stable", ignore_index=True)
    return found[found["high"] > 0]


def classes_of(payoffs: Payoffs, lists: Sequence[Units], weights: Floats, again: Floats) -> dict[str, Score]:
    """Return the share of requisition of each class of units in a mix; parameters as for `units_of`."""
    names = np.array([payoffs.game.ruleset.roster.category(card) for card in payoffs.cards])
    table, found = unit_shares(payoffs, lists), {}
    for name in dict.fromkeys(names.tolist()):
        of_class = table[:, names == name].sum(axis=1)
        share = float(weights @ of_class)
        found[name] = Score(share, *map(float, _ends(share, again @ of_class)))
    return found


def agreement(payoffs: Payoffs, fields: Sequence[Field]) -> float:
    """Return how the shares of units correlate between mixes, on the mean; `payoffs` is the roster."""
    shares = np.array([np.array(one.weights) @ unit_shares(payoffs, one.lists) for one in fields])
    some = shares[:, shares.any(axis=0)]
    if some.shape[1] < 2:
        return 1.0
    one, other = np.triu_indices(len(some), 1)
    with np.errstate(invalid="ignore"):
        between = np.corrcoef(some)[one, other]
    # Equal shares of all units correlate with nothing: they agree with the same shares, and with no others.
    return float(np.where(np.isnan(between), np.isclose(some[one], some[other]).all(axis=1), between).mean())


def weak_points(payoffs: Payoffs, units: Units, field: Field) -> list[str]:
    """Return in words what of a field a list can't hurt, from where on, and how much of the field that is.

    Parameters
    ----------
    payoffs : Payoffs
        The roster.
    units, field : Units and Field
        The list, and its opponents.
    """
    game, ranges = payoffs.game, sorted(payoffs.contest.ranges)
    own = [payoffs.cards[at] for at in dict.fromkeys(units)]
    front = situation_mix(game.situation, FRONT)
    force = game.ruleset.one_on_one(own, payoffs.cards, front, tuple(ranges), game.variant)
    safe = np.ones((len(payoffs.cards), len(ranges)), dtype=bool)
    for unit in force:
        for strike in unit.strikes:
            for card, row in enumerate(strike.effects):
                safe[card] &= [max(effect) == 0 for effect in row]
    met = np.array(field.weights) @ unit_shares(payoffs, field.lists)
    said = []
    before = np.zeros(len(payoffs.cards), dtype=bool)
    for n, range_in in enumerate(ranges):
        always = safe[:, n:].all(axis=1)
        fresh = np.flatnonzero(always & ~before & (met > 0))
        before |= always
        if (part := met[fresh].sum()) >= NOTEWORTHY:
            most = sorted(fresh.tolist(), key=lambda at: -met[at])
            names = ", ".join(payoffs.names[at] for at in most[:NAMED])
            far = distance(range_in, game.ruleset.labels.length.after)
            nothing = f"From {far} on, nothing in it hurts" if n else "At no distance does it hurt"
            more = f" and {counted(len(fresh) - NAMED, 'other')}" if len(fresh) > NAMED else ""
            said.append(f"{nothing} the front of {names}{more}: {100 * part:.0f} % of the field's points.")
    return said
