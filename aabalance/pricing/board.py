"""What units are worth on a board: greedy players, random lists of about equal cost, and who wins.

It prices what no battle can: movement, cover, scouting, holding ground; and games without battles. No player of ours
loads squads or hitches guns, so that carrying is no part of it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from aabalance.analysis.battles import each_once, ends_of, several, terms_once
from aabalance.analysis.frames import ids_of, tidy
from aabalance.engine.arrays import Floats
from aabalance.engine.sampling import Advance, wilson
from aabalance.errors import counted, listed
from aabalance.game import Game, Unit, game_of
from aabalance.play.result import number_with_interval, percent_in_row, three_digits
from aabalance.pricing.board_fits import MATCHES, Fitted, board_fits, together
from aabalance.pricing.indifference import LEAST_OPPONENTS
from aabalance.pricing.inference import QUANTILE, Estimate

POOLED = ""
"""The name of the board in rows on all boards and missions together."""
AVERAGE = "on the average of these boards and missions"
"""What these rows say of, in words."""
MANY = 0.5
"""Share of draws above which something is said of it."""
NAMED = 5
"""Units that a sentence names."""
ONE_STEP = "Once prices have moved, measure again: who meets whom, and what players spare, goes by prices."
TOO_FEW = (
    f"A worth among {LEAST_OPPONENTS} units or fewer has no interval and says little, as together they are worth their "
    "prices: compare lists with aabalance match."
)


def board_worth(
    game: Game | str,
    units: Iterable[Unit] | None = None,
    *,
    boards: Iterable[str],
    missions: Iterable[str | None] = (None,),
    target: float | None = None,
    matches: int = MATCHES,
    budget: float | None = None,
    players: Sequence[str] = ("greedy",),
    seed: int = 0,
    advance: Advance = lambda matches: None,
    **terms: Any,
) -> pd.DataFrame:
    """Return what units are worth on boards: random lists of about equal cost play, and who wins says it.

    The worth of all units together is their price, so that a worth says how a unit compares with the others. In a
    mission that only some units can win, each list has one of them.

    Parameters
    ----------
    game : Game or str
        The game: a ruleset with its cards, boards and variant; lists are drawn from all of its cards that can play.
    units : iterable of str or card, optional
        Units that every match is to tell of; by default all alike.
    boards, missions : iterable of str
        Where they play, and what for; None is the game's own mission.
    target : float, optional
        Half-width of the 90 % interval that is enough, as a share of the price, or of the worth if that is more, on
        each board in each mission: by default .12 of each of `units`, or .15 of nine in ten of a roster, cheap ones
        aside.
    matches : int
        Most matches on each board in each mission.
    budget : float, optional
        What a list costs, about: by default five units of middling price, at most 32.
    players : sequence of str
        Who plays both sides. Another player, best a stronger one, plays some of the matches again, with the same lists
        and dice: 200, or a tenth if that is more. So units are marked whose worth depends on skill.
    seed : int
        Of lists, dice and players.
    advance : callable
        Called with the number of matches done since the last call.
    **terms
        What else `Game.match` lets players agree on: ``rounds``, ``actions`` and options.

    Returns
    -------
    DataFrame
        Table ``board_worth``: a row for each unit on each board in each mission, and, if there are several, one for all
        of them together, without a board: what the unit is worth on their average. Its ``attrs`` are the
        `Game.provenance`, and under ``matches`` the parameters by which they were played.

    Raises
    ------
    UsageError
        A unit can't play, and what `Game.match` refuses.

    Notes
    -----
    Laplace's method in the model of ``aabalance.pricing.inference``. On boards and missions together, worth is the
    geometric mean of all, each of which counts alike, and its interval tells nothing of others; whose worth differs
    between them is tested by Cochran's Q (1954), for all units together. What the first player's matches say is known
    before the other's: his differ from that by a spread of their own, so that few matches mark nobody by chance.

    Examples
    --------
    >>> import aabalance as aab
    >>> game = aab.Game("skirmish_wars")
    >>> found = aab.board_worth(game, ["tank"], boards=["crossing"], rounds=4, matches=40)
    >>> found[["unit", "board", "requisition", "n"]]
       unit     board  requisition  n
    0  tank  crossing          7.0 40
    """
    game = game_of(game)
    places = list(product(each_once(boards, "boards"), terms_once(missions, "missions")))
    players = several(players, "players")
    how: dict[str, Any] = {"target": target, "matches": matches, "budget": budget, "players": players, "seed": seed}
    fits = board_fits(game, units, places, **how, advance=advance, **terms)
    of_any = dict.fromkeys(unit for fit in fits for unit in fit.units)
    wanted = list(of_any) if units is None else ids_of(game, units, "units")
    rows = [row for fit in fits for row in _rows(game, wanted, fit)]
    if len(fits) > 1:
        rows = [row | {"depends_on_board": False} for row in rows] + _pooled(rows, fits, wanted)
    table = tidy("board_worth", rows)
    on = {
        name: list(dict.fromkeys(each))
        for name, each in zip(("boards", "missions"), zip(*places, strict=True), strict=True)
    }
    asked = {**on, "budget": budget, "players": list(players), "seed": seed, **terms}
    table.attrs.update(game.provenance(units=wanted).said() | {"matches": asked})
    return table


def played_in_words(game: Game, table: pd.DataFrame) -> str:
    """Return how the matches of a table from `board_worth` were played, in a sentence; `game` is theirs."""
    asked = table.attrs["matches"]
    lists = (
        "five units of middling price"
        if asked["budget"] is None
        else f"{asked['budget']:g} {game.ruleset.labels.currency}"
    )
    if asked["budget"] is not None and (table["requisition"] > asked["budget"]).any():
        lists += ", or what a dearer unit costs"
    of = {name: asked[name] for name in ("rounds", "actions") if asked.get(name)}
    limits = [f"{'/'.join(map(str, n)) if isinstance(n, tuple) else n} {name}" for name, n in of.items()]
    return f"{', '.join(['Random lists of about ' + lists, *limits])}, {asked['players'][0]} on both sides."


def worth_in_words(game: Game, table: pd.DataFrame, missions: Iterable[str | None]) -> list[str]:
    """Return who is worth something else than it costs, and whether the win rule reads that, in sentences.

    Parameters
    ----------
    game : Game
        The game.
    table : DataFrame
        From `board_worth`.
    missions : iterable of str
        As for `board_worth`.
    """
    own = on_all(table)
    few = bool((own["worth"].notna() & own["worth_low"].isna()).any())
    own = own[own["worth_low"].notna()]
    off = own[(own["requisition"] < own["worth_low"]) | (own["worth_high"] < own["requisition"])]
    one = 1 in (len(off), len(own))
    they = "is worth more or less than it costs" if one else "are worth more or less than they cost"
    where = f"{AVERAGE}, ".capitalize() if (own["board"] == POOLED).any() else ""
    by = f"{where}{len(off)} of {counted(len(own), 'unit')} {they}, by the 90 % interval"
    order = np.argsort(-np.abs(np.log((off["worth"] / off["requisition"]).to_numpy(np.float64))), kind="stable")
    named = [
        f"{row['name']} {number_with_interval(row['worth'], row['worth_low'], row['worth_high'])}, "
        f"costs {row['requisition']:g}"
        for row in off.iloc[order[:NAMED]].to_dict("records")
    ]
    first = f"{by}{', first' if len(off) > NAMED else ''}{': ' if named else ''}{'; '.join(named)}."
    said = [*[first] * (len(own) > 0), *[ONE_STEP] * (len(off) > 0), *[TOO_FEW] * few]
    return [*said, *filter(None, [_by_board(table), price_counts(game, missions)]), draws_in_words(table)]


def _by_board(table: pd.DataFrame) -> str:
    """Return whose worth depends on board or mission, in a sentence, with the least and the most; "" without any."""
    if "depends_on_board" not in table:
        return ""
    differs = table.loc[table["depends_on_board"], ["unit", "name"]].to_numpy().tolist()
    rows = table[table["board"] != POOLED].groupby("unit", observed=True)["worth"]
    least, most = rows.min(), rows.max()
    order = sorted(differs, key=lambda one: least[one[0]] / most[one[0]])
    ends = [f"{name} ({three_digits(least[unit])} to {three_digits(most[unit])})" for unit, name in order[:NAMED]]
    of = f"{len(differs)} units, most for " if len(differs) > NAMED else ""
    return f"Worth depends on the board or the mission for {of}{listed(ends)}." if ends else ""


def draws_in_words(table: pd.DataFrame) -> str:
    """Return a sentence on how many matches nobody won, on each board in each mission.

    Parameters
    ----------
    table : DataFrame
        From `board_worth`.
    """
    boards = table[table["board"] != POOLED].drop_duplicates(["board", "mission"]).to_dict("records")
    many = any(row["p_draw"] > MANY for row in boards)
    said = [
        percent_in_row(row, "p_draw")
        + f" of the matches on {row['board']}{', ' * bool(row['mission'])}{row['mission']}"
        for row in boards
    ]
    more = "; a draw says nothing about worth, so more rounds tell more" if many else ""
    if all(row["p_draw"] == 1 for row in boards):
        more = "; so nothing is known about worth: more rounds, or other units, may tell"
    return f"Nobody won {listed(said)}{more}."


def on_all(table: pd.DataFrame) -> pd.DataFrame:
    """Return the rows on all boards and missions together, or those on the only one."""
    pooled = table["board"] == POOLED
    return table[pooled] if pooled.any() else table


def price_counts(game: Game, missions: Iterable[str | None]) -> str:
    """Return a sentence on the missions, as for `board_worth`, whose win rule reads what units cost; "" without any."""
    rules = game.ruleset.match()
    found = [mission for mission in missions if rules and mission in rules.priced]
    where = " and ".join(filter(None, found))
    who = f"Who wins{f' in {where}' if where else ''}"
    return f"{who} depends on what units cost, which pulls their worth towards their cost." if found else ""


def skill_in_words(table: pd.DataFrame, player: str) -> str:
    """Return a sentence on whose worth depends on skill; "" without an interval of the first player's.

    Parameters
    ----------
    table : DataFrame
        From `board_worth`, of two players.
    player : str
        The second of them.
    """
    own = on_all(table)
    if own["worth_low"].isna().all():
        return ""
    sampled = f"{player} played {own['sampled'].max():,} of the matches again"
    if own["other_worth"].isna().all():
        return f"{sampled}, and nobody won any of them: they say nothing of skill."
    wide = 100 * float(((own["other_worth_high"] - own["other_worth_low"]) / own["other_worth"] / 2).median())
    names = ", ".join(own.loc[own["depends_on_skill"], "name"]) or "none that so few matches can show"
    return (
        f"Depends on skill: {names}. {sampled}, which gives worth to {wide:.0f} % either way, in the median; "
        "units that aren't marked may depend on it, too."
    )


def _rows(game: Game, units: Sequence[str], fit: Fitted) -> Iterator[dict[str, Any]]:
    """Yield the rows of units on a board in a mission."""
    found, again = _told(fit), fit.again and _told(fit.again)
    marks = depends_on_skill(found.mean, found.error, again.mean, again.error) if again else ()
    for unit in units:
        if unit not in fit.units:
            continue
        at, card = fit.units.index(unit), game.cards[unit]
        row = {"unit": unit, "board": fit.board, "mission": fit.mission, "name": card.name}
        row |= {"category": game.ruleset.roster.category(card), "requisition": fit.prices[at]}
        row |= as_worth(fit.prices[at], found.mean[at], found.error[at])
        row |= {"n": fit.matches, "appeared": int(fit.appeared[at]), **_drawn(fit.drawn, fit.matches)}
        if again and fit.again:
            row |= _by_other(fit.prices[at], again.mean[at], again.error[at], marks[at])
            row["sampled"] = fit.again.matches
        yield row


def _told(fit: Fitted) -> Estimate:
    """Return the estimate of a fit with nan for what its matches can't tell."""
    found, few = fit.estimate, len(fit.units) <= LEAST_OPPONENTS
    mean = found.mean if fit.decided else found.mean * math.nan
    return found._replace(mean=mean, error=found.error * math.nan if few else found.error)


def _drawn(draws: int, matches: int) -> dict[str, float]:
    """Return the columns of the share of matches that nobody won."""
    return {"p_draw": draws / matches, **ends_of({"p_draw": wilson(draws, matches)})}


def _by_other(price: float, mean: float, error: float, depends: bool) -> dict[str, Any]:
    """Return the columns of a worth if another player plays."""
    found = as_worth(price, mean, error)
    return {f"other_{name}": found[name] for name in ("worth", "worth_low", "worth_high")} | {
        "depends_on_skill": bool(depends)
    }


def depends_on_skill(mean: Floats, error: Floats, other: Floats, other_error: Floats) -> npt.NDArray[np.bool_]:
    """Return which units are worth something else if another player plays, and on another side of something.

    A worth differs if the 90 % interval of the difference leaves out 0. Something is what the unit costs, or what
    another unit is worth for its price. Intervals are those of independent matches: that both players have the same
    lists and dice, and that the other's worth starts from the first's, can only make them wider than necessary.

    Parameters
    ----------
    mean, error : array of float, shape (units,)
        Logarithm of the worth of each unit in prices, and its standard error.
    other, other_error : array of float, shape (units,)
        The same if another player plays.
    """
    differs = np.abs(other - mean) > QUANTILE * np.hypot(error, other_error)
    order = [np.sign(of[:, None] - np.append(of, 0.0)) for of in (mean, other)]
    return np.asarray(differs & (order[0] != order[1]).any(axis=1))


def as_worth(price: float, mean: float, error: float) -> dict[str, float]:
    """Return the columns of a worth.

    Parameters
    ----------
    price : float
        What the unit costs.
    mean, error : float
        Logarithm of its worth in prices, and the standard error.
    """
    worth = price * math.exp(mean)
    low, high = (worth * math.exp(sign * QUANTILE * error) for sign in (-1, 1))
    return {"worth": worth, "worth_low": low, "worth_high": high, "worth_change": worth / price - 1}


def _pooled(rows: Sequence[Mapping[str, Any]], fits: Sequence[Fitted], units: Sequence[str]) -> list[dict[str, Any]]:
    """Return rows on all boards and missions together."""
    ways = [fits, [fit.again for fit in fits if fit.again]]
    all_, other = (together(some) for some in ways)
    known, found = list(all_.mean), []
    of = [np.array([way[unit] for unit in known]) for one in (all_, other) if one.mean for way in one[:2]]
    marks = dict(zip(known, depends_on_skill(*of), strict=True)) if other.mean else {}
    for unit in units:
        own = [row for row in rows if row["unit"] == unit]
        number = {name: sum(row[name] for row in own) for name in ("n", "appeared", "sampled") if name in own[0]}
        draws = round(sum(one["p_draw"] * one["n"] for one in own))
        row = {**own[0], "board": POOLED, "mission": "", **number, **_drawn(draws, number["n"])}
        row |= {"between_boards": all_.between[unit], "depends_on_board": unit in all_.differs}
        row |= as_worth(row["requisition"], all_.mean[unit], all_.error[unit])
        if marks:
            row |= _by_other(row["requisition"], other.mean[unit], other.error[unit], marks[unit])
        untold = {name: math.nan for name in own[0] if all(one[name] != one[name] for one in own)}
        found.append(row | untold)
    return found
