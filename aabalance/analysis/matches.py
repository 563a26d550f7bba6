"""Matches as tables: many pairs of lists, on several boards, in missions of any length."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from aabalance.analysis.battles import both, by_name, each_once, ends_of, pairs_of, terms_once
from aabalance.analysis.by_player import Scored, depends
from aabalance.analysis.frames import InWords, expect, tidy
from aabalance.analysis.meetings import meeting, play
from aabalance.analysis.without import LEAST
from aabalance.definitions.report import Report
from aabalance.engine.arrays import Floats
from aabalance.engine.sampling import Advance, student_quantile
from aabalance.errors import UsageError, counted, whole_number
from aabalance.game import Game, List, game_of
from aabalance.play.match import MATCHES
from aabalance.play.match_counts import change
from aabalance.play.policy import in_words
from aabalance.play.result import actions_a_turn, interval_of, percent_in_row, shares_in_words
from aabalance.play.sample import MOST_TRIALS

Pair = tuple[List, List]
KEY = "list_a", "list_b", "board", "mission", "rounds", "actions_a", "actions_b", "player_a", "player_b"
"""Columns that say how matches were played."""
CHANGE = "score_change"
"""The column that rows of all but the first of several players have."""
WITHOUT_LUCK = "score_without_luck"
"""The column that rows have if `luck` is set."""
AMOUNTS = "player_turns", "value_a", "value_b"
SAME = "player_a", "player_b", "requisition_a", "requisition_b", "p_a", "p_b", "p_draw", "p_early", *AMOUNTS
"""What a row has under the same name as a result."""
MEANS = "p_draw", "p_early", "first_turn_gap", "zone_gap", "came_back", "player_turns", "lead_changes"
"""What a row on several pairs of lists has the mean of, with its interval."""
CHANCES = "p_a", "p_b", "p_draw", "score_a", "first_turn_gap", "zone_gap", "p_early"
"""Columns that have an interval, also of matches that nobody watches."""
WATCHED = 20
"""Matches of a row that are watched where nobody says how many."""
MOST_WATCHED = 10_000


@dataclass(frozen=True, eq=False, repr=False)
class Matches(InWords):
    """Tables of matches.

    Attributes
    ----------
    matches : DataFrame
        A row for each pair of lists on a board: who won, and what the first turn and the zone are worth.
    leads : DataFrame
        Who is ahead at the end of each round, of the matches that were watched.
    units : DataFrame
        What each unit did for its side in them.
    actions : DataFrame
        How often each side did what.

    Examples
    --------
    >>> import aabalance as aab
    >>> game = aab.Game("skirmish_wars")
    >>> found = aab.matches(game, boards=["crossing_armies"], rounds=[6], simulate=20, watched=2)
    >>> found.units[["side", "unit", "units_a_match", "n"]].head(2)
      side      unit  units_a_match  n
    0    a  infantry            2.0  2
    1    a     recon            1.0  2
    """

    matches: pd.DataFrame
    leads: pd.DataFrame
    units: pd.DataFrame
    actions: pd.DataFrame

    def sentences(self) -> list[str]:
        """Return what first turn and zone are worth on each board, and whether results depend on who plays."""
        return [*sentences(match_boards(self.matches)), *skill(self.matches)]

    def to_frame(self) -> pd.DataFrame:
        """Return table ``matches``."""
        return self.matches


def matches(
    game: Game | str,
    pairs: Iterable[Pair] | None = None,
    *,
    boards: Iterable[str],
    lists: Mapping[str, List] | None = None,
    missions: Iterable[str | None] = (None,),
    rounds: Iterable[int | None] = (None,),
    actions: Iterable[int | tuple[int, int] | None] = (None,),
    players: Iterable[str | tuple[str, str]] = ("greedy",),
    simulate: int = MATCHES,
    watched: int = WATCHED,
    luck: bool = False,
    seed: int = 0,
    advance: Advance = lambda done: None,
    **options: Any,
) -> Matches:
    """Return tables of matches: every pair of lists on every board, in every mission, length, limit and by all players.

    Parameters
    ----------
    game : Game or str
        The game: a ruleset with its cards, boards and variant.
    pairs : iterable of (list, list), optional
        Sides a and b: a list as `Game.match` takes it, or its name in ``lists``. By default every one of them against
        every other; without lists, what the boards bring.
    boards : iterable of str
        Where they play.
    lists : mapping of str to list, optional
        Lists by name.
    missions, rounds, actions, players : iterable
        As for `Game.match`, each value in turn; of limits and players, one for both sides or a pair.
    simulate : int
        Number of matches in each row.
    watched : int
        How many of them are watched, decision by decision, in plain Python: less than a tenth of a second each.
    luck : bool
        Whether the score is told without the luck of dice, too, as `aabalance.without_luck` does it. The interval
        narrows where dice decide; each match is played once more.
    seed : int
        As for `Game.match`.
    advance : callable
        Called with the number of rows done since the last call.
    **options
        What else the game lets players agree on.

    Returns
    -------
    Matches
        Columns as ``aabalance.columns`` declares them; those that hang on `watched` are left out if it is 0.

    Raises
    ------
    UsageError
        What `Game.match` refuses.

    Examples
    --------
    >>> import aabalance as aab
    >>> game = aab.Game("skirmish_wars")
    >>> met = [("infantry*2,tank", "infantry*2,artillery")]
    >>> found = aab.matches(game, met, boards=["crossing"], rounds=[2, 4], simulate=20, watched=0)
    >>> found.matches[["board", "rounds", "n"]]
          board  rounds   n
    0  crossing     2.0  20
    1  crossing     4.0  20
    """
    game = game_of(game)
    named = by_name(lists)
    met = pairs_of(pairs, named) if named or pairs is not None else [((), ())]
    simulate = whole_number("simulate", simulate, LEAST if luck else 1, MOST_TRIALS)
    watched = min(whole_number("watched", watched, 0, MOST_WATCHED), simulate)
    rows = []
    for pair, board, mission, limit, acts, who in itertools.product(
        each_once(met, "pairs"),
        each_once(boards, "boards"),
        terms_once(missions, "missions"),
        terms_once(rounds, "rounds"),
        terms_once(actions, "actions"),
        each_once(players, "players"),
    ):
        player_a, player_b = both(who)
        agreed = {"mission": mission, "rounds": limit, "actions": acts, **options}
        a, b = (named.get(side, side) if isinstance(side, str) else side for side in pair)
        names = tuple(side if isinstance(side, str) and side in named else None for side in pair)
        question = game.match_question(a, b, board=board, player_a=player_a, player_b=player_b, **agreed)
        rows.append((names, meeting(question, simulate, seed, watched=watched, luck=luck)))
    found = zip((names for names, _ in rows), play(game, [row for _, row in rows], advance), strict=True)
    return _tables(game, list(found))


def defined(game: Game, definition: Report, advance: Advance = lambda done: None) -> Matches:
    """Return the tables of the matches of a report definition.

    Parameters
    ----------
    game : Game
        The game.
    definition : Report
        Its ``[matches]`` say what is played.
    advance : callable
        As for `matches`.

    Raises
    ------
    UsageError
        The definition has no matches.
    CardError
        They can't be played.
    """
    definition.check(game.ruleset, game.variant, game.cards)
    of = definition.matches
    if of is None:
        raise UsageError(f"matches: found no [matches] in {definition.name}, expected them; docs/matches.md shows some")
    own = {name: getattr(of, name) or (None,) for name in ("missions", "rounds", "actions")}  # without any, the game's
    asked = {name: value for name, value in of if name != "options"} | own
    try:
        return matches(game, advance=advance, **asked, **of.options)
    except UsageError as error:
        raise definition.fault_of("matches", str(error)) from None


def count(definition: Report) -> int:
    """Return how many rows the matches of a definition have."""
    if (of := definition.matches) is None:
        return 0
    met = len(of.lists) * (len(of.lists) - 1) // 2 if of.pairs is None else len(of.pairs)
    several = (len(one) or 1 for one in (of.missions, of.rounds, of.actions))
    return max(met, 1) * len(of.boards) * len(of.players) * math.prod(several)


def match_boards(found: pd.DataFrame) -> pd.DataFrame:
    """Return means over lists, by board, mission, rounds, limits and players.

    Parameters
    ----------
    found : DataFrame
        `Matches.matches`.

    Returns
    -------
    DataFrame
        Table ``match_boards`` of ``aabalance.columns``. The interval of a mean is that of the dice: the rows are those
        that were asked about, and no sample of others.

    Examples
    --------
    >>> import aabalance as aab
    >>> game = aab.Game("skirmish_wars")
    >>> found = aab.matches(game, boards=["last_stand"], rounds=[2, 3], simulate=10, watched=0)
    >>> aab.match_boards(found.matches)[["board", "rounds", "p_draw"]]
            board  rounds  p_draw
    0  last_stand     2.0     1.0
    1  last_stand     3.0     1.0
    """
    found = expect(found, ("board", "first_turn_gap"), "aabalance.matches(...).matches")
    keys = [name for name in KEY if name in found and not name.startswith("list")]
    if "lead_changes" in found:
        # Of a few matches that are all alike nobody knows how others would be.
        half = found["lead_changes_se"].replace(0, math.nan) * found["watched"].map(
            lambda n: student_quantile(n) if n > 1 else math.nan
        )
        low, high = (found["lead_changes"] - half).clip(0), found["lead_changes"] + half
        found = found.assign(lead_changes_ci_low=low, lead_changes_ci_high=high)
    rows = []
    for key, own in found.groupby(keys, sort=False, dropna=False):
        row = {**dict(zip(keys, key, strict=True)), "zone": own["zone"].iloc[0], "n": int(own["n"].sum())}
        for name in [name for name in MEANS if name in own]:
            told = own[own[name].notna()]  # some rows can't tell: where no match is decided, nobody came back
            mean = row[name] = float(told[name].mean())
            for end, sign in (("low", -1), ("high", 1)):
                away = (told[f"{name}_ci_{end}"] - told[name]).to_numpy()
                row[f"{name}_ci_{end}"] = mean + sign * math.hypot(*away) / max(len(told), 1)
        rows.append(row)
    return tidy("match_boards", rows, found.attrs)


def sentences(boards: pd.DataFrame) -> list[str]:
    """Return what the table of `match_boards` says, a sentence for each row."""
    return [_sentence(row) for row in boards.to_dict("records")]


def skill(found: pd.DataFrame) -> list[str]:
    """Return whether results depend on who plays, a sentence for each pair of lists that several players played.

    Parameters
    ----------
    found : DataFrame
        `Matches.matches`; the first player is compared with the last.
    """
    said = []
    keys = [name for name in KEY if name in found and not name.startswith("player")]
    for _, rows in found.groupby(keys, sort=False, dropna=False):
        first, last = rows.to_dict("records")[0], rows.to_dict("records")[-1]
        if len(rows) > 1:
            lists = f"{first['list_a']} v {first['list_b']}"
            words = depends(_scored(first), _scored(last), _scored(last, CHANGE))
            said.append(f"{_where(first)}, {lists}: from {_who(first)} to {_who(last)}, {words}")
    return said


def _scored(row: Mapping[Any, Any], name: str = "score_a") -> Scored:
    return row[name], interval_of(row, name)


def _compare(rows: Sequence[dict[str, Any]], scores: Sequence[Sequence[float]]) -> None:
    """Write by how much a's score changes from the first player of the same matches, whose `scores` each row has."""
    firsts: dict[tuple[Any, ...], tuple[dict[str, Any], Floats]] = {}
    for row, of in zip(rows, scores, strict=True):
        key = tuple(row[name] for name in KEY if name in row and not name.startswith("player"))
        first, of_first = firsts.setdefault(key, (row, np.array(of)))
        if first is not row:
            row[CHANGE], interval = change(of_first, np.array(of))
            row |= ends_of({CHANGE: interval})


def _who(row: Mapping[Any, Any]) -> str:
    return in_words((row["player_a"], row["player_b"]))


def _where(row: Mapping[Any, Any]) -> str:
    rounds = counted(int(row["rounds"]), "round") if _is(row, "rounds") else ""
    actions = actions_a_turn(int(row[name]) for name in ("actions_a", "actions_b") if _is(row, name))
    return ", ".join(filter(None, (f"On {row['board']}", row["mission"], rounds, actions)))


def _sentence(row: Mapping[Any, Any]) -> str:
    said = [_worth("going first", row, "first_turn_gap")]
    if row["zone"]:
        said.append(_worth(f"zone {row['zone']}", row, "zone_gap"))
    drawn = f"{percent_in_row(row, 'p_draw')} are drawn, {percent_in_row(row, 'p_early')} end early"
    back = ""
    if _is(row, "came_back"):
        often = f"({row['lead_changes_ci_low']:.1f} to {row['lead_changes_ci_high']:.1f}) times a match"
        if not _is(row, "lead_changes_ci_low"):  # they agree, or a single one was watched
            often = "times in each match watched"
        back = f"; at the ends of rounds the lead by value changes {row['lead_changes']:.1f} {often}, and "
        back += f"{percent_in_row(row, 'came_back')} of winners were behind in it at one of them"
    return f"{_where(row)}, by {_who(row)}: {', '.join(said)}; {drawn}{back}."


def _is(row: Mapping[Any, Any], name: str) -> bool:
    return name in row and math.isfinite(row[name])


def _worth(what: str, row: Mapping[Any, Any], name: str) -> str:
    low, mean, high = (100 * row[at] for at in (f"{name}_ci_low", name, f"{name}_ci_high"))
    if math.isnan(mean):
        return f"{what} can't be told"
    sure = "" if low > 0 or high < 0 else ", maybe nothing"
    return f"{what} is worth {mean:+z.1f} points in 100 ({low:+z.1f} to {high:+z.1f}{sure})"


def _tables(game: Game, found: Sequence[tuple[tuple[str | None, ...], dict[str, Any]]]) -> Matches:
    rows: list[dict[str, Any]] = []
    more: dict[str, list[dict[str, Any]]] = {"leads": [], "units": [], "actions": []}
    for names, result in found:
        row, tally = _row(names, result), result["tally"]
        if tally:
            row |= {name: value for name, value in tally.items() if name not in more}
            key = {name: row[name] for name in KEY if name in row}
            for table, its in more.items():
                its += [{**key, **one} for one in tally[table]]
        rows.append(row)
    _compare(rows, [result["scores"] for _, result in found])
    for one in more["units"]:
        one["name"] = game.cards[one["unit"]].name if one["unit"] in game.cards else one["unit"]
    return Matches(tidy("matches", rows), *(tidy(f"match_{name}", some) for name, some in more.items()))


def _row(names: tuple[str | None, ...], result: Mapping[str, Any]) -> dict[str, Any]:
    """Return the row of a result; what its game, board or set-up doesn't have is empty or nan."""
    limits = dict(zip(("actions_a", "actions_b"), result["actions"] or (), strict=False))
    row = {
        "list_a": names[0] or result["a"],
        "list_b": names[1] or result["b"],
        "board": result["board"],
        "mission": result["mission"] or "",
        "rounds": math.inf if result["rounds"] is None else result["rounds"],
        **limits,
        "score_a": result["p_a"] + result["p_draw"] / 2,
        "zone": next(iter(result["zones"]), ""),
        "ended_by": shares_in_words(result["reasons"], result["reasons_ci"]),
        **{name: result[name] for name in SAME},
        "n": result["trials"],
    }
    for name in ("first_turn_gap", "zone_gap"):
        row[name] = math.nan if result[name] is None else result[name]
    row |= ends_of({name: result[f"{name}_ci"] for name in (*CHANCES, *AMOUNTS)})
    if less := result["luck"]:
        row |= {WITHOUT_LUCK: less["score_a"]} | ends_of({WITHOUT_LUCK: less["score_a_ci"]})
    return row
