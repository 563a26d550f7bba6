"""What a log of games at a table says: whether they are as predicted, who was lucky, what units are worth."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from aabalance.analysis.frames import InWords, tidy, with_ends
from aabalance.analysis.meetings import Meeting, meeting, play
from aabalance.definitions.games import Played, games, read_log, template
from aabalance.definitions.lists import any_list
from aabalance.engine.arrays import Floats
from aabalance.engine.sampling import Advance
from aabalance.errors import AabalanceError, CardError, Fault, check_kind, whole_number
from aabalance.game import Game, game_of
from aabalance.play.sample import MOST_TRIALS
from aabalance.pricing.board import as_worth
from aabalance.pricing.board_fits import TARGET, board_fits, check_numbers, played_by, together
from aabalance.pricing.board_matches import Drawer, surplus
from aabalance.pricing.inference import SPREAD_OF_SCALE, Estimate, Known, MatchResults, estimate, half_widths
from aabalance.pricing.playtest_words import AT_ONCE, DRAW, LOSS, MIDDLE, MOST_GAMES, WIN, notes, sentences, verdict

SIMULATED = 400
"""Matches by which each game is predicted."""
PRIOR_MATCHES = 3000
"""Matches on each board in each mission by which units are valued before the games."""
POSSIBLE = 200
"""How many times chances are drawn that the simulated matches leave possible."""
RESULTS = {"b": LOSS, "draw": DRAW, "a": WIN}
NUMBERS = np.geomspace(1, MOST_GAMES, 101)
"""Numbers of games that are looked at for `games_needed`."""
FURTHER = 400
"""Games of random lists that stand for further games."""
INTERVAL = "worth", "worth_low", "worth_high"


@dataclass(frozen=True, eq=False, repr=False)
class Playtest(InWords):
    """What a log of games says.

    Attributes
    ----------
    games : DataFrame
        Each game with its predicted chances, and how unlikely its result is.
    sides : DataFrame
        The luck of each player, or of sides a and b.
    units : DataFrame
        What units are worth before and after the games.
    said : list of str
        All of it in words.

    Examples
    --------
    >>> import aabalance as aab
    >>> rows = [{"list_a": "tank,infantry", "list_b": "artillery,infantry", "winner": "a", "rounds": 4}]
    >>> found = aab.playtest(aab.Game("skirmish_wars"), rows, board="crossing", simulate=20, matches=40)
    >>> found.sides[["player", "games", "scored"]]
      player  games  scored
    0      a      1     1.0
    1      b      1     0.0
    """

    games: pd.DataFrame
    sides: pd.DataFrame
    units: pd.DataFrame
    said: list[str]

    def sentences(self) -> list[str]:
        """Return all of it in words.

        Examples
        --------
        >>> import aabalance as aab
        >>> rows = [{"list_a": "tank,infantry", "list_b": "artillery,infantry", "winner": "a", "rounds": 4}]
        >>> found = aab.playtest(aab.Game("skirmish_wars"), rows, board="crossing", simulate=20, matches=40)
        >>> found.sentences()[-3].partition(" on both sides")[0]
        'What was expected is what greedy'
        """
        return self.said

    def to_frame(self) -> pd.DataFrame:
        """Return table ``playtest_units``.

        Examples
        --------
        >>> import aabalance as aab
        >>> rows = [{"list_a": "tank,infantry", "list_b": "artillery,infantry", "winner": "a", "rounds": 4}]
        >>> found = aab.playtest(aab.Game("skirmish_wars"), rows, board="crossing", simulate=20, matches=40)
        >>> found.to_frame()["unit"].tolist()
        ['infantry', 'artillery', 'tank']
        """
        return self.units


class _Game(NamedTuple):
    """A game of a log that can be played: its units, and the matches that predict it."""

    row: Played
    board: str
    units: tuple[list[str], list[str]]
    met: Meeting


def playtest(
    game: Game | str,
    log: str | Path | pd.DataFrame | Iterable[Mapping[str, Any]],
    *,
    board: str | None = None,
    player: str = "greedy",
    simulate: int = SIMULATED,
    matches: int = PRIOR_MATCHES,
    seed: int = 0,
    advance: Advance = lambda done: None,
) -> Playtest:
    """Return what games at a table say: are they as predicted, who was lucky, what are units worth.

    Parameters
    ----------
    game : Game or str
        The game: a ruleset with its cards, boards and variant.
    log : str, Path, DataFrame or iterable of mapping
        The games: a CSV, or rows with its columns: ``list_a``, ``list_b``, ``winner`` (``a``, ``b`` or ``draw``), and,
        if they are known, ``first``, ``board``, ``mission``, ``rounds`` (the limit), ``player_a``, ``player_b``,
        ``score_a``, ``score_b``, ``date``.
    board : str, optional
        Where games are played that don't say so; by default the first board of the game that takes lists.
    player : str
        Who plays the matches that predict.
    simulate : int
        Matches by which each game is predicted.
    matches : int
        How many matches, on each board in each mission, value the units before the games.
    seed : int
        Of lists, dice and players.
    advance : callable
        Called with the number of matches done since the last call.

    Returns
    -------
    Playtest
        Tables ``playtest_games``, ``playtest_sides`` and ``playtest_units``, and sentences.

    Raises
    ------
    CardError
        Faults of the log, each with its line.
    UsageError
        The log can't be read, or matches can't be played.

    Notes
    -----
    A game's p-value is the chance of a result that isn't likelier than its own. The p-value of all games is the chance
    that the number of likeliest results is as far from its mean (Poisson binomial), that of a player the chance that
    his score is; both distributions are exact convolutions. The chances of results come from `simulate` matches, with
    half a match more for each result (Jeffreys). These matches leave the chances open to some extent, so that a p-value
    has an interval. A result is surprising if the whole interval lies below .05, which several players share
    (Bonferroni).

    Units are valued as in `board_worth`; scale, seat and the skill of each player are unknown, too. Worth at a table is
    spread about the simulated one by a standard deviation of .26 in the logarithm. Drawn games tell nothing of worth.
    The number of games needed is that by which a unit can be compared with the other units in the log; the share of
    drawn games is that of the matches of these games.

    Examples
    --------
    >>> import aabalance as aab
    >>> rows = [{"list_a": "tank,infantry", "list_b": "artillery,infantry", "winner": "draw", "rounds": 4}]
    >>> found = aab.playtest(aab.Game("skirmish_wars"), rows, board="crossing", simulate=20, matches=40)
    >>> found.games[["list_a", "winner", "requisition_a", "n"]]
              list_a winner  requisition_a   n
    0  tank,infantry   draw            8.0  20
    """
    game = game_of(game)
    if isinstance(log, (str, Path)):
        rows = read_log(Path(log))
    else:
        given: Any = log.to_dict("records") if isinstance(log, pd.DataFrame) else log
        table = list(given) if np.iterable(given) else [given]
        for row in table:
            check_kind("log", row, Mapping, "rows: [{'list_a': ..., 'list_b': ..., 'winner': 'a'}, ...]")
        rows = games({f"game {n}": row for n, row in enumerate(table, 1)}, "log")
    default = _first_board(game) if board is None else game.boards[board].key
    check_numbers(matches, seed)
    simulate = whole_number("simulate", simulate, 1, MOST_TRIALS)
    met = _met(game, rows, default, player, simulate, seed)
    possible = _predicted(game, met, seed, lambda done: advance(done * simulate))
    units = sorted({unit for one in met for side in one.units for unit in side})
    places = list(dict.fromkeys((one.board, one.row.mission) for one in met))
    fits = board_fits(game, units, places, matches=matches, players=[player], seed=seed, advance=advance)
    prices = {unit: price for fit in fits for unit, price in zip(fit.units, fit.prices, strict=True)}
    simulated = together(fits)
    known = Known(
        np.array([simulated.mean[unit] for unit in prices]),
        np.array([math.hypot(simulated.error[unit], simulated.between[unit]) for unit in prices]),
        float(np.mean([fit.estimate.log_scale for fit in fits])),
        SPREAD_OF_SCALE,
    )
    results, which = results_of(met, list(prices)), np.array([RESULTS[one.row.winner] for one in met])
    found = _games(met, prices, possible, which, simulate)
    decided = 1 - float(possible[0, :, DRAW].mean())
    sides, worths = _sides(met, possible, which), _units(game, met, prices, results, known, decided)
    if not any(fit.decided for fit in fits):
        told = ("prior",) if (which != DRAW).any() else ("prior", "worth")
        worths[[name.replace("worth", column) for column in told for name in INTERVAL]] = math.nan
    likely = AT_ONCE * possible[0] >= possible[0].max(axis=1, keepdims=True)  # two results may be as likely
    came, chance = likely[np.arange(len(met)), which], (possible * likely).sum(axis=2)
    likeliest = verdict(np.stack([1 - chance, 0 * chance, chance], axis=2), np.where(came, WIN, LOSS))
    worths.attrs.update(game.provenance(units=units).said())
    assumed = [one.board for one in met if one.row.board is None]
    said = [*sentences(found, sides, worths, likeliest), *notes(found, assumed, player)]
    return Playtest(found, sides, worths, said)


def example(game: Game, board: str | None = None) -> str:
    """Return a log that people can write on: its header, and a game of two units on a board, by default the first."""
    board = _first_board(game) if board is None else game.boards[board].key

    def may_meet(unit: str, **terms: Any) -> bool:
        try:
            game.match_question(unit, unit, board=board, **terms).agreed()
        except AabalanceError:
            return False
        return True

    alone = list(islice(filter(may_meet, game.cards), 2))
    units = f"{alone[0]}*2,{alone[-1]}"  # on both sides, so that the result is no surprise
    first = "a" if may_meet(alone[0], first="a") else ""
    row = {"list_a": units, "list_b": units, "winner": "a", "first": first, "board": board}
    return template([row | {"player_a": "Ann", "player_b": "Ben", "date": "2026-01-31"}])


def _first_board(game: Game) -> str:
    """Return the first board that brings no units, or the first of all."""
    free = (name for name, board in game.boards.items() if not board.table.get("units"))
    return next(free, next(iter(game.boards)))


def _met(game: Game, rows: Mapping[str, Played], default: str, player: str, simulate: int, seed: int) -> list[_Game]:
    """Return the games with their matches; all faults at once."""
    met, faults = list[_Game](), list[Fault]()
    for where, row in rows.items():
        board = row.board or default
        terms: dict[str, Any] = {"board": board, "mission": row.mission, "rounds": row.rounds}
        try:
            units = [
                [game.cards.id_of(unit) for unit in any_list(one, game.cards).units] for one in (row.list_a, row.list_b)
            ]
            terms |= {"first": row.first or "roll_off", **played_by(player)}
            question = game.match_question(*units, **terms)
            # A game without a mission and one that names the game's own are of one mission.
            row = row.model_copy(update={"mission": question.agreed()[1].mission})
            met.append(_Game(row, board, (units[0], units[1]), meeting(question, simulate, seed)))
        except CardError as error:
            faults += [Fault(where, str(fault)) for fault in error.faults]
        except AabalanceError as error:
            faults.append(Fault(where, str(error)))
    if faults:
        raise CardError(faults)
    return met


def _predicted(game: Game, met: Sequence[_Game], seed: int, advance: Advance) -> Floats:
    """Return P(b wins), P(draw) and P(a wins) of each game, shape (1 + `POSSIBLE`, games, 3).

    The first are those of the matches, all others are drawn as these leave them open. Games alike are played once.
    """
    alike = [repr((one.units, one.board, one.row.mission, one.row.rounds, one.row.first)) for one in met]
    once = dict(zip(alike, (one.met for one in met), strict=True))
    found, rng = {}, np.random.default_rng(seed)
    for key, result in zip(once, play(game, list(once.values()), advance), strict=True):
        counts = np.array([result["p_b"], result["p_draw"], result["p_a"]]) * result["trials"] + 0.5
        found[key] = np.vstack([counts / counts.sum(), rng.dirichlet(counts, POSSIBLE)])
    return np.stack([found[key] for key in alike], axis=1)


def results_of(met: Sequence[_Game], units: Sequence[str]) -> MatchResults:
    """Return the games for the model: lists, results, and as effects the seat and the skill of each player."""
    at = {unit: n for n, unit in enumerate(units)}
    lists = [([at[unit] for unit in a], [at[unit] for unit in b]) for a, b in (one.units for one in met)]
    players = sorted({who for one in met for who in (one.row.player_a, one.row.player_b) if who})
    effects = np.zeros((len(met), 1 + len(players)))
    for effect, one in zip(effects, met, strict=True):
        effect[0] = {"a": 0.5, "b": -0.5}.get(one.row.first or "", 0.0)
        for who, sign in ((one.row.player_a, 1), (one.row.player_b, -1)):
            if who:
                effect[1 + players.index(who)] += sign
    score = np.array([RESULTS[one.row.winner] / WIN for one in met])
    return MatchResults(surplus(lists, len(units)), score, effects, np.arange(len(met)))


def _games(
    met: Sequence[_Game], price: Mapping[str, float], possible: Floats, which: Any, simulate: int
) -> pd.DataFrame:
    rows = []
    for number, (one, result) in enumerate(zip(met, which, strict=True)):
        odds = possible[:, number]
        about: dict[str, Any] = {"list_a": one.row.list_a, "list_b": one.row.list_b, "board": one.board}
        about |= {"mission": one.row.mission or "", "winner": one.row.winner, "n": simulate}
        cost = {
            f"requisition_{side}": math.fsum(price[unit] for unit in own)
            for side, own in zip("ab", one.units, strict=True)
        }
        p = dict(zip(("p_b", "p_draw", "p_a"), odds[0].tolist(), strict=True))
        p_values = np.minimum(1, odds.sum(axis=1, where=odds <= AT_ONCE * odds[:, [result]]))
        p |= with_ends("p_value", (p_values[0], *np.quantile(p_values[1:], MIDDLE)))
        rows.append({"game": number + 1, **about, **cost, **p})
    return tidy("playtest_games", rows)


def _sides(met: Sequence[_Game], possible: Floats, which: Any) -> pd.DataFrame:
    """Return the luck of each player; of sides a and b where no player is named."""
    who = np.array([(one.row.player_a or "a", one.row.player_b or "b") for one in met])
    rows = []
    for name in sorted(set(who.ravel())):
        own = (who == name).sum(axis=1) == 1  # against oneself nobody is lucky
        if not own.any():
            continue
        mine = who[own, 0] == name
        odds = np.where(mine[:, None], possible[:, own], possible[:, own, ::-1])
        found = verdict(odds, np.where(mine, which[own], WIN - which[own]))
        row = {"player": name, "games": int(own.sum()), "scored": found.scored, "expected": found.expected}
        luck = {"luck": found.scored - found.expected, **with_ends("p_value", (found.p, found.low, found.high))}
        rows.append(row | luck)
    return tidy("playtest_sides", rows)


def _units(
    game: Game, met: Sequence[_Game], prices: Mapping[str, float], results: MatchResults, known: Known, decided: float
) -> pd.DataFrame:
    """Return what units are worth before and after the games, and how many would tell if a share of them is decided."""
    none, price = results.only(slice(0)), np.array(list(prices.values()))
    before, after = (estimate(price, some, known) for some in (none, results))
    took_part = Counter(unit for one in met for unit in {*one.units[0], *one.units[1]})
    own = [at for at, unit in enumerate(prices) if unit in took_part]
    budget = float(np.mean([sum(prices[unit] for unit in side) for one in met for side in one.units]))
    widths = _widths(price[own], budget, known.of(own), after.of(own), decided)
    rows = []
    for number, at in enumerate(own):
        unit = list(prices)[at]
        row = {"unit": unit, "name": game.cards[unit].name, "requisition": price[at], "games": took_part[unit]}
        for column, one in (("prior", before), ("worth", after)):
            worth = as_worth(price[at], float(one.mean[at]), float(one.error[at]))
            row |= {name.replace("worth", column): worth[name] for name in INTERVAL}
        enough = np.flatnonzero((widths[:, number] <= TARGET) & (len(own) > 1))  # one has no others to compare
        rows.append(row | {"games_needed": NUMBERS[enough[0]] if len(enough) else math.inf})
    return tidy("playtest_units", rows)


def _widths(prices: Floats, budget: float, known: Known, found: Estimate, decided: float) -> Floats:
    """Return half the width of the interval of each unit's worth after more games of random lists.

    A row is a number of games, from `NUMBERS`; a column is a unit. `decided` is the share of games that somebody wins.
    """
    drawer = Drawer(prices, budget, np.random.default_rng(0))
    further = surplus([(drawer.draw(), drawer.draw()) for _ in range(FURTHER)], len(prices))
    others = MatchResults(further, np.zeros(FURTHER), np.zeros((FURTHER, len(found.effects))), np.arange(FURTHER))
    return np.array([half_widths(prices, others, known, found, decided * number / FURTHER) for number in NUMBERS])
