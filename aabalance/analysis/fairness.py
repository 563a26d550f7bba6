"""Is a board fair: equal lists drawn from the roster play on it, which shows what zone and first turn are worth."""

from __future__ import annotations

import html
import math
import random
import statistics
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from aabalance.analysis.battles import from_json, in_json
from aabalance.analysis.frames import InWords, tidy
from aabalance.analysis.meetings import Meeting, Rules, job, meeting, question_of
from aabalance.boards import Board
from aabalance.boards.drawing import middle, svg
from aabalance.engine import rng
from aabalance.engine.sampling import Advance
from aabalance.errors import UsageError, check_word, shown, whole_number
from aabalance.game import Game, game_of
from aabalance.play.match_counts import student
from aabalance.play.match_question import prepared
from aabalance.play.policy import in_words, name_of
from aabalance.play.result import interval_of, percent, percent_in_row, points_with_interval
from aabalance.play.sample import MOST_SEED, Sample, check_half_width
from aabalance.rulesets.base import match as base
from aabalance.rulesets.base.board import Square

EACH = 32
"""Matches of a list against itself: half of them begun by either side."""
BATCH = 96
"""Lists between two looks at the interval: looks at fewer would make it cover less where few lists decide."""
MOST_LISTS = 2400
UNITS = 5
"""Typical units in a list: it may cost so many times the median of the units from which it is drawn."""
ALL, KINDS = "all", ("any", "cheap", "dear")
"""Lists are drawn from the whole roster, from its cheaper half, and from its dearer half, in turn."""
MOSTLY_DRAWN = 0.75
"""Share of drawn matches from which on scores near one half are no sign of a fair board."""
TOLD = {"score_first": "first", "score_zone": "zone", "p_draw": "drawn"}
"""What has an interval, and what each list says of it."""
SEATS = 2
TRIES, SMALLER = 200, 0.8
"""Lists drawn until one may be played, before lists of so much of their cost are drawn."""
WATCHED = 30
"""Lists of whose matches two are watched, for the map: one that either side began."""
SEEN = 60
"""Squares between which lines of sight are drawn."""
LEAST, MOST = 0.6, 3.6
"""Radius of the smallest and the largest mark on the map; a square is ten wide."""
COLOURS = "#1b7837", "#b2182b"
Squares = Counter[Square]


@dataclass(frozen=True, eq=False, repr=False)
class Fairness(InWords):
    """What a board's first turn and zones are worth to equal lists.

    Attributes
    ----------
    board : Board
        The board.
    mission : str or None
        How matches were won; None in the game's own mission.
    players : (str, str)
        Who played side a, and side b.
    table : DataFrame
        Table ``fairness`` of ``aabalance.columns``: of all lists and of each kind, the score of the side that has the
        first turn, and of that in the zone.
    decided : mapping of str to Counter
        By ``stood``, ``fired`` and ``fell``, how much oftener the later winner did so on a square than the loser.
    not_reached : sequence of Square
        Objectives, if no unit ended a turn on them or next to them; and properties, if none ended a turn on them.
    watched : int
        Matches behind these two.
    sight : sequence of float
        Of some squares, the share of others that they see; empty in a game without lines of sight.

    Examples
    --------
    >>> import aabalance as aab
    >>> found = aab.fairness(aab.Game("skirmish_wars"), "last_stand", rounds=2, target_error=0.2)
    >>> found.table.loc[0, ["kind", "score_first"]].tolist()
    ['all', 0.5]
    """

    board: Board
    mission: str | None
    players: tuple[str, str]
    table: pd.DataFrame
    decided: Mapping[str, Squares]
    not_reached: Sequence[Square]
    watched: int
    sight: Sequence[float]

    def to_frame(self) -> pd.DataFrame:
        """Return table ``fairness``: of all lists and of each kind, what going first and the zone score."""
        return self.table

    def sentences(self) -> list[str]:
        """Return what was found, in words."""
        whole, *kinds = self.table.to_dict("records")
        brought = self.board.table.get("units")
        between = "of the armies that the board brings, which may be unequal" if brought else "between equal lists"
        gap, *ends = (2 * score - 1 for score in (whole["score_first"], *interval_of(whole, "score_first")))
        said = [
            f"{', '.join(filter(None, (self.board.key, self.mission)))}: of {whole['n']} matches {between}, "
            f"by {in_words(self.players)}, "
            f"{_share('the side that goes first', whole, 'score_first')}: a first turn worth "
            f"{points_with_interval(gap, (ends[0], ends[1]))}; {_share(_zone(whole), whole, 'score_zone')};"
            f" {percent_in_row(whole, 'p_draw')} are drawn."
        ]
        if whole["p_draw"] > MOSTLY_DRAWN:
            said.append(
                "Hardly anybody wins here, so these scores say little: allow more rounds, or choose other players."
            )
        said += [
            f"Lists of {row['kind']} units: {_share('first', row, 'score_first')}, "
            f"{_share(_zone(row), row, 'score_zone')}."
            for row in kinds
        ]
        if self.not_reached:
            where = ", ".join(f"{x},{y}" for x, y in self.not_reached)
            said.append(f"Nobody reached {where} in {self.watched} matches that were watched.")
        if self.sight:
            low, mid, high = (percent(share) for share in np.quantile(self.sight, (0.25, 0.5, 0.75)))
            quartiles = f"a quarter of the squares see {low} or less, half {mid} or less, a quarter {high} or more"
            alike = min(self.sight) == max(self.sight)
            said.append(f"Of the board {f'every square that was tried sees {mid}' if alike else quartiles}.")
        return said

    def to_dict(self) -> dict[str, Any]:
        """Return what was found as plain values, as the command line's ``--json`` prints it.

        Examples
        --------
        >>> import aabalance as aab
        >>> found = aab.fairness(aab.Game("skirmish_wars"), "last_stand", rounds=2, target_error=0.2)
        >>> found.to_dict()["kinds"][0]["lists"]
        24
        """
        return {
            "board": self.board.key,
            "mission": self.mission,
            "players": list(self.players),
            "kinds": self.table.to_dict("records"),
            "decided": {
                what: [[*at, more] for at, more in sorted(some.items())] for what, some in self.decided.items()
            },
            "not_reached": [list(at) for at in self.not_reached],
            "watched": self.watched,
            "sight": list(self.sight),
            "sentences": self.sentences(),
        }

    def svg(self, what: str = "stood") -> str:
        """Return the board with a mark on each square where winners and losers differ.

        Parameters
        ----------
        what : {"stood", "fired", "fell"}
            What they did there. Green: winners did so more often; red: losers.

        Examples
        --------
        >>> import aabalance as aab
        >>> found = aab.fairness(aab.Game("skirmish_wars"), "last_stand", rounds=2, target_error=0.2)
        >>> found.svg("fell")[:4]
        '<svg'
        """
        check_word("what", what, self.decided)
        squares = self.decided[what]
        most = max(map(abs, squares.values()), default=1) or 1
        drawn = []
        for (x, y), more in sorted(squares.items()):
            if more:
                cx, cy = middle(self.board, x, y)
                circle = _circle(LEAST + (MOST - LEAST) * math.sqrt(abs(more) / most), more < 0)
                title = f"<title>{x},{y}: {more:+d}</title>"
                drawn.append(f'<g transform="translate({cx:g},{cy:g})">{title}{circle}</g>')
        marks = [
            (_circle(MOST, who == "losers"), f"{who} {what} more often, {most} times at this size")
            for who in ("winners", "losers")
        ]
        return svg(self.board, "".join(drawn) or "<g/>", marks=marks)

    def _repr_html_(self) -> str:
        return f"{''.join(f'<p>{html.escape(one)}</p>' for one in self.sentences())}<div>{self.svg()}</div>"


def fairness(
    game: Game | str,
    board: str | Board,
    *,
    target_error: float = 0.02,
    seed: int = 0,
    advance: Advance = lambda lists: None,
    **agreed: Any,
) -> Fairness:
    """Return what zone and first turn of a board are worth to equal lists, and what decides on it.

    Lists are drawn from the roster, of several kinds, and each plays itself: whatever one side wins more than the
    other, it wins by its zone or its turn.

    Parameters
    ----------
    game : Game or str
        The game.
    board : str or Board
        As for `Game.match`.
    target_error : float
        Lists are drawn until half the width of the 95 % interval of either score is at most this.
    seed : int
        Seed of the lists, the dice and the players.
    advance : callable
        Called with the number of lists done since the last call.
    **agreed
        What else `Game.match` takes: ``mission``, ``rounds``, ``actions``, players, options.

    Raises
    ------
    UsageError
        What `Game.match` refuses; no list that fits the board could be drawn.

    Examples
    --------
    >>> import aabalance as aab
    >>> found = aab.fairness(aab.Game("skirmish_wars"), "last_stand", rounds=2, target_error=0.2)
    >>> found.sentences()[0].partition(":")[0]
    'last_stand'
    """
    game = game_of(game)
    check_half_width(target_error, 0.001, 0.5)
    seed = whole_number("seed", seed, 0, MOST_SEED)
    if str(first := agreed.pop("first", "roll_off")) != "roll_off":
        raise UsageError(f"first: found {shown(first)}, expected none: either side begins half of the matches")
    where = game.boards[board] if isinstance(board, str) else board
    drawn = _meetings(game, where, seed, agreed)
    a, b = game.match_question((), (), board=where, **agreed).players
    kinds: list[str] = []
    found: list[dict[str, Any]] = []
    while len(found) < MOST_LISTS:
        batch = [next(drawn) for _ in range(BATCH)]
        kinds += [kind for kind, _ in batch]
        found += from_json((job(play_mirrored, game, [row]) for _, row in batch), advance)
        table = _table(found, kinds, where)
        whole = table.iloc[0].to_dict()
        if all(_away(whole, name) <= target_error for name in ("score_first", "score_zone")):
            break
    maps = [one["map"] for one in found if one["map"]]
    decided = {what: _counter(row for one in maps for row in one[what]) for what in ("stood", "fired", "fell")}
    stood = {(x, y) for one in maps for x, y in one["reached"]}
    return Fairness(
        board=where,
        mission=agreed.get("mission"),
        players=(name_of(a), name_of(b)),
        table=table,
        decided=decided,
        not_reached=[at for at, near in _goals(where) if not near & stood],
        watched=SEATS * len(maps),
        sight=_sight(game, next(drawn)[1], where, seed),
    )


def _meetings(game: Game, board: Board, seed: int, agreed: Mapping[str, Any]) -> Iterator[tuple[str, Meeting]]:
    """Yield equal lists that meet, with their kinds; what the board brings, if it brings units."""
    currency = game.ruleset.labels.currency
    costs = {unit: float(cost) for unit, card in game.cards.items() if (cost := getattr(card, currency)) is not None}
    if not costs:
        raise UsageError(f"cards: found no {currency} on any card, expected some: lists are drawn by what units cost")
    order = sorted(costs, key=lambda unit: (costs[unit], unit))
    half = len(order) // 2
    pools = {"any": order, "cheap": order[: half + 1], "dear": order[half:]}
    budgets = {
        kind: max(UNITS * statistics.median(costs[unit] for unit in pool), 2 * costs[pool[0]])
        for kind, pool in pools.items()
    }
    scores = game.match_question((), (), board=board, **agreed).rules().scorers.get(agreed.get("mission"))
    scorers = [unit for unit in order if scores and scores(game.cards[unit])]
    draw, why = random.Random(seed), None
    for number in range(10**9):
        kind = ALL if board.units else KINDS[number % len(KINDS)]
        for _ in range(TRIES):
            units = [] if board.units else _list(draw, pools[kind], costs, budgets[kind], scorers)
            try:
                question = game.match_question(units, units, board=board, **agreed)
                # Two seeds share no dice, even where all lists are the armies that the board brings.
                dice = rng.stream_key(seed, f"list {number}")
                yield kind, meeting(question, EACH, dice, watched=SEATS * (number < WATCHED))
                break
            except UsageError as error:  # not every list may be played: it may lack what has to be destroyed
                why = error
                if board.units:
                    raise
        else:  # a few kinds may make none of this cost, where counters of each kind are limited
            budgets[kind] *= SMALLER
            if budgets[kind] < max(costs[pools[kind][0]], 1):
                raise why or UsageError("lists: found none that fits")


def _list(
    draw: random.Random, pool: Sequence[str], costs: Mapping[str, float], budget: float, scorers: Sequence[str]
) -> list[str]:
    """Return units drawn one after another, as long as one of the pool can be paid; the first one is of the scorers."""
    units = [draw.choice(scorers)] if scorers else []
    budget -= sum(costs[unit] for unit in units)
    while fit := [unit for unit in pool if costs[unit] <= budget]:
        units.append(draw.choice(fit))
        budget -= max(costs[units[-1]], 1)
    return units


def play_mirrored(rules: Rules, rows: Sequence[Meeting], _: Any) -> list[bytes]:
    """Return the points of who has the first turn, and of who is in the first zone, as JSON: the work of a job.

    Parameters
    ----------
    rules : Rules
        The rules of the game.
    rows : sequence of Meeting
        Lists that meet themselves.
    _ : object
        The columns of the job, which has none.
    """
    results = []
    for row in rows:
        played = prepared(question_of(rules, row), row.seed)
        facts = played.play(Sample(row.matches, None, row.seed, lambda done: None))
        ends, first, zone = facts[:, base.RESULT], facts[:, base.FIRST], facts[:, base.ZONE]
        points = np.where(ends == base.DRAWN, 0.5, 1.0 - ends)
        results.append(
            in_json(
                {
                    "n": len(facts),
                    "first": float(np.where(first == 0, points, 1 - points).mean()),
                    # Where nobody chooses a zone, the board itself says which side is where.
                    "zone": float(np.where(zone == 1, 1 - points, points).mean()),
                    "chosen": bool((zone >= 0).any()),
                    "drawn": float((ends == base.DRAWN).mean()),
                    "map": _map(played.watch(row.watched)),
                }
            )
        )
    return results


def _map(seen: Sequence[Any]) -> dict[str, Any] | None:
    """Return where winners did more than losers, and all squares where somebody stood."""
    if not seen:
        return None
    found: dict[str, Any] = {"reached": [list(at) for at in sorted({at for one in seen for _, at in one.stood})]}
    for what in ("stood", "fired", "fell"):
        more: Squares = Counter()
        for one in seen:
            for (side, at), count in getattr(one, what).items():
                if one.winner < base.DRAWN:
                    more[at] += count if "ab"[one.winner] == side else -count
        found[what] = [[*at, count] for at, count in sorted(more.items()) if count]
    return found


def _counter(rows: Any) -> Squares:
    found: Squares = Counter()
    for x, y, count in rows:
        found[x, y] += count
    return found


def _table(found: Sequence[Mapping[str, Any]], kinds: Sequence[str], board: Board) -> pd.DataFrame:
    """Return scores of all lists, and of those of each kind, which hold together; a list is one observation."""
    rows = []
    for kind in (ALL, *(KINDS if set(KINDS) <= set(kinds) else ())):
        claims = 1 if kind == ALL else len(TOLD) * len(KINDS)
        own = [one for one, of in zip(found, kinds, strict=True) if kind in (of, ALL)]
        row: dict[str, Any] = {"kind": kind}
        for column, name in TOLD.items():
            matches = sum(one["n"] for one in own)
            mean, away = _mean([one[name] for one in own], matches, bool(board.units), claims)
            row |= {column: mean, f"{column}_ci_low": max(mean - away, 0.0), f"{column}_ci_high": min(mean + away, 1.0)}
        zones = list(board.zones) if any(one["chosen"] for one in own) else []
        rows.append(row | {"zone": zones[0] if zones else "side a", "lists": len(own), "n": matches})
    return tidy("fairness", rows)


def _circle(radius: float, lost: bool) -> str:
    """Return the mark of a square on which winners, or losers, did something oftener."""
    dash = ' stroke-dasharray="1 .6"' if lost else ""
    return f'<circle r="{radius:.2f}" fill="{COLOURS[lost]}" fill-opacity=".6" stroke="#222" stroke-width=".3"{dash}/>'


def _away(row: Mapping[Any, Any], name: str) -> float:
    """Return how far the interval of a score reaches to that side to which it reaches further."""
    low, high = interval_of(row, name)
    return float(max(high - row[name], row[name] - low))


def _mean(values: Sequence[float], matches: int, brought: bool, claims: int) -> tuple[float, float]:
    """Return a mean, and how far its 95 % interval reaches to either side: Student's, of lists as observations.

    That of several `claims` holds together with those of the others. What never happened in all matches may happen in
    three of as many (rule of three), and change all that is left of a score. If all lists score alike, nothing says how
    much lists differ, and so it may happen in three of as many lists; but for armies that are `brought`, which are the
    same each time.
    """
    mean = statistics.fmean(values)
    seen = matches if brought or min(values) < max(values) else len(values)
    return mean, max(student(values, claims), (3 + math.log(claims)) * max(mean, 1 - mean) / seen)


def _goals(board: Board) -> Iterator[tuple[Square, set[Square]]]:
    """Yield objectives with the squares on and around them, and properties with their own."""
    for x, y in board.objectives:
        yield (x, y), board.around(x, y)
    for y, row in enumerate(board.rows):
        for x, at in enumerate(row):
            if at in board.legend and board.legend[at].goal:
                yield (x, y), {(x, y)}


def _sight(game: Game, row: Meeting, board: Board, seed: int) -> list[float]:
    """Return for some squares the share of some others to which there is a line of sight."""
    rules = game.ruleset.match()
    assert rules is not None
    if rules.sees is None:
        return []
    played = prepared(question_of(job(play_mirrored, game, [row]).settings, row), seed)
    tables, _ = played.match.starts[0]
    squares = [x + y * board.width for y, cells in enumerate(board.rows) for x, _ in enumerate(cells)]
    some = random.Random(seed).sample(squares, min(SEEN, len(squares)))
    return [
        sum(bool(rules.sees(tables, one, other)) for other in some if other != one) / (len(some) - 1) for one in some
    ]


def _zone(row: Mapping[Any, Any]) -> str:
    return "side a" if row["zone"] == "side a" else f"the side in zone {row['zone']}"


def _share(who: str, row: Mapping[Any, Any], name: str) -> str:
    low, high = interval_of(row, name)
    even = ", maybe even" if low <= 0.5 <= high else ""
    return f"{who} scores {percent(row[name])} ({percent(low)} to {percent(high)}{even})"
