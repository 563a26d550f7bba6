"""The numbers of a game by which claims are judged, and the accepted ones of before.

Each number is worked out once, and only if a claim needs it. The accepted baseline is a CSV for each measure, with a
first line that says where its numbers come from.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from aabalance.analysis.matchups import matchups
from aabalance.analysis.situations import Situations
from aabalance.definitions.gate import Gate, rows_of
from aabalance.definitions.lists import fields_of
from aabalance.engine.arrays import Floats
from aabalance.errors import CardError, Fault, shown
from aabalance.game import Game
from aabalance.pricing.indifference import Worth, par, worth_of
from aabalance.pricing.roster import EVEN, Roster
from aabalance.provenance import recorded, version
from aabalance.report.tables import provenance

Key = tuple[str, ...]
"""Ids of a unit, or of a unit and its opponent."""
Numbers = dict[Key, float]


class Evidence:
    """Numbers of a game.

    Parameters
    ----------
    game : Game
        The game: a ruleset with its cards and variant.
    seed : int
        Seed of the dice of battles that have to be rolled.
    """

    def __init__(self, game: Game, seed: int = 0) -> None:
        self.game = game
        self.seed = seed

    @cached_property
    def roster(self) -> Roster:
        """The roster, with the battles that say what units are worth."""
        return Roster(self.game, seed=self.seed)

    @cached_property
    def worth(self) -> dict[str, Worth]:
        """The worth of every unit, by id, as in the table `aabalance.worth`."""
        roster = self.roster
        at_par = par(roster)
        return {unit: worth_of(roster, at, at_par) for at, unit in enumerate(roster.units)}

    @cached_property
    def scores(self) -> Floats:
        """Scores of the roster's units against each other for equal requisition; nan where they don't count."""
        priced = self.roster.priced
        return np.where(self.roster.mutual & priced & priced[:, None], self.roster.scores().score, np.nan)

    @cached_property
    def duels(self) -> Floats:
        """Mean scores of all units in duels against all in the standard situations, by attacker and target."""
        ids = list(self.game.cards)
        score, weights = duel_numbers(self.game, ids, ids, None, None, "score")
        return score @ weights

    def of_units(self, measure: str) -> Numbers:
        """Return a number of each unit, by id; nan where there is none.

        Parameters
        ----------
        measure : str
            As in `aabalance.definitions.claims.UnitClaim`.
        """
        if measure == "duel_score":
            others = ~np.eye(len(self.duels), dtype=bool)
            both_roles = (self.duels + 1 - self.duels.T) / 2
            means = np.where(others, both_roles, 0.0).sum(axis=1) / max(len(self.duels) - 1, 1)
            return {(unit,): mean for unit, mean in zip(self.game.cards, means.tolist(), strict=True)}
        if measure == "score":
            margins = self.roster.margins(self.roster.scores())
            means = np.where(self.roster.priced, margins + EVEN, np.nan)  # what it scores at no price, nobody knows
            return {(unit,): mean for unit, mean in zip(self.roster.units, means.tolist(), strict=True)}
        return {(unit,): worth.price / self.over(unit, measure) for unit, worth in self.worth.items()}

    def over(self, unit: str, measure: str) -> float:
        """Return the number that a measure divides a unit's worth by: its price for ``worth_to_price``, or 1."""
        if measure != "worth_to_price":
            return 1.0
        at = self.roster.index(unit)
        return float(self.roster.prices[at]) if self.roster.priced[at] else math.nan

    def of_pairs(self) -> Numbers:
        """Return the score for equal requisition of each two units that count for each other; the better unit first."""
        units, score = self.roster.units, self.scores
        pairs = np.argwhere(np.triu(~np.isnan(score)))
        ahead = [(a, b) if score[a, b] >= score[b, a] else (b, a) for a, b in pairs.tolist()]
        return {(units[a], units[b]): float(score[a, b]) for a, b in ahead}

    def kept(self, measure: str) -> Numbers:
        """Return the numbers of a measure that a baseline keeps, as in `aabalance.definitions.claims.BaselineClaim`."""
        return self.of_duels() if measure == DUELS else self.of_units(measure)

    def of_duels(self) -> Numbers:
        """Return the score of each unit against each other in the standard situations."""
        ids, score = list(self.game.cards), self.duels.tolist()
        return {(a, b): score[i][j] for i, a in enumerate(ids) for j, b in enumerate(ids) if i != j}


def duel_numbers(
    game: Game, a: list[str], b: list[str], situation: Mapping[str, Any] | None, rounds: int | None, measure: str
) -> tuple[Floats, Floats]:
    """Return a number of duels in which both hold.

    Parameters
    ----------
    game : Game
        The game: a ruleset with its cards and variant.
    a, b : list of str
        Ids.
    situation : mapping or None
        Lists of values by field; None for the standard situations of the game.
    rounds : int or None
        Turn limit; None for none, or in the standard situations for theirs.
    measure : str
        As in `aabalance.definitions.claims.DuelClaim`.

    Returns
    -------
    values : array of float, shape (a, b, situations)
        The number of each duel.
    weights : array of float, shape (situations,)
        They sum to 1.

    Raises
    ------
    UsageError
        A field or a value is wrong.
    """
    if situation is None:
        own = game.definition
        where = Situations.of(game, own.situations, own.rounds if rounds is None else rounds)
    else:
        moments = [game.moment(**fields) for fields in rows_of(situation)]
        where = Situations(tuple(moments), tuple([1 / len(moments)] * len(moments)), rounds)
    frame = matchups(game, where, attackers=a, targets=b)
    column = frame["p_win"] + frame["p_draw"] / 2 if measure == "score" else frame[measure]
    return column.to_numpy().reshape(len(a), len(b), -1), np.array(where.weights)


def groups_of(game: Game, units: list[str], by: str) -> dict[str, list[str]]:
    """Return units by their value in a field of the card; those without the field are left out.

    Parameters
    ----------
    game : Game
        The game: a ruleset with its cards and variant.
    units : list of str
        Ids of the units.
    by : str
        The field.
    """
    groups: dict[str, list[str]] = {}
    for unit in units:
        value = fields_of(game.ruleset, game.cards, unit).get(by)
        if value is not None:
            groups.setdefault(str(value), []).append(unit)
    return dict(sorted(groups.items()))


def known(numbers: Numbers) -> Numbers:
    """Return the numbers that aren't nan."""
    return {key: number for key, number in numbers.items() if not math.isnan(number)}


UNIT = "unit"
DUELS = "duels"
UPDATE = "`aabalance gate --update-baseline` accepts the numbers as they are now"
DIGITS = {"worth": ".6g"}
"""Formats of numbers, by measure; all others have four decimals."""


def baseline_folder(gate: Gate, given: Path | None) -> Path:
    """Return the folder of a gate's accepted numbers: the given one, or ``baseline/NAME`` next to its file."""
    return gate.path.parent / "baseline" / gate.name if given is None else given


def baseline_paths(gate: Gate, folder: Path) -> dict[str, Path]:
    """Return the files of accepted numbers, by measure."""
    return {measure: folder / f"{measure}.csv" for measure in gate.accepted()}


def missing_baseline(gate: Gate, folder: Path) -> str:
    """Return an error text that names missing files of accepted numbers; empty if all are there."""
    files = [str(path) for path in baseline_paths(gate, folder).values() if not path.exists()]
    return f"baseline: found no file {', '.join(files)}; {UPDATE}" if files else ""


def read_baseline(gate: Gate, game: Game, folder: Path) -> dict[str, Numbers]:
    """Return the accepted numbers that a gate asks for, by measure; measures without a file are left out.

    Parameters
    ----------
    gate : Gate
        The gate: claims on a game.
    game : Game
        The game: a ruleset with its cards and variant.
    folder : Path
        Where they are; from `baseline_folder`.

    Raises
    ------
    CardError
        Files of another game or of another version of aabalance, or with other columns; a line for each.
    """
    faults: list[Fault] = []
    existing = {measure: path for measure, path in baseline_paths(gate, folder).items() if path.exists()}
    numbers = {measure: _read(measure, path, game, faults) for measure, path in existing.items()}
    if faults:
        raise CardError(faults)
    return numbers


def written_baseline(gate: Gate, game: Game, folder: Path, numbers: Mapping[str, Numbers]) -> dict[Path, str]:
    """Return the contents of the files of accepted numbers, by path.

    Parameters
    ----------
    gate : Gate
        The gate: claims on a game.
    game : Game
        The game: a ruleset with its cards and variant.
    folder : Path
        Where the files go.
    numbers : mapping of str to dict
        The numbers, by measure and unit.
    """
    head = provenance(game, gate.name)
    return {
        path: f"# {head.line()}\n{_table(measure, numbers[measure])}"
        for measure, path in baseline_paths(gate, folder).items()
    }


def as_written(measure: str, numbers: Numbers) -> Numbers:
    """Return numbers as a file of accepted ones has them: what rounding alone changes hasn't moved."""
    return {key: float(_text(measure, number)) for key, number in known(numbers).items()}


def _text(measure: str, number: float) -> str:
    return "" if math.isnan(number) else format(number, DIGITS.get(measure, ".4f"))


def _table(measure: str, numbers: Numbers) -> str:
    if measure != DUELS:
        return _lines([[UNIT, measure], *([unit, _text(measure, number)] for (unit,), number in numbers.items())])
    units = list(dict.fromkeys(unit for unit, _ in numbers))
    rows = ([unit, *(_text(measure, numbers.get((unit, other), math.nan)) for other in units)] for unit in units)
    return _lines([[UNIT, *units], *rows])


def _lines(rows: Iterable[Iterable[str]]) -> str:
    return "".join(f"{','.join(row)}\n" for row in rows)


def _read(measure: str, path: Path, game: Game, faults: list[Fault]) -> Numbers:
    """Return the numbers of one file; what is wrong with it is added to `faults`."""

    def fault(line: int, message: str) -> Numbers:
        faults.append(Fault(f"{path}:{line}", message))
        return {}

    if not path.is_file():  # reading a pipe would wait for ever
        return fault(1, f"found a folder, a pipe or a device, expected a CSV of accepted numbers; {UPDATE}")
    try:
        first, _, body = path.read_bytes().decode().partition("\n")
        head = recorded(first)
        by, title = head["aabalance"], head["game"]
    except (OSError, UnicodeDecodeError):
        return fault(1, f"can't be read, expected a CSV of accepted numbers; {UPDATE}")
    except (ValueError, KeyError, TypeError):
        return fault(1, f"found no line that says where the numbers come from; {UPDATE}")
    if title != game.ruleset.labels.title:
        return fault(1, f"found numbers of {title}, expected {game.ruleset.labels.title}")
    if by != version():
        return fault(1, f"found numbers of aabalance {by}, expected {version()}; {UPDATE}")
    try:
        [header, *rows] = list(csv.reader(io.StringIO(body))) or [[]]
    except csv.Error:
        return fault(2, f"found no CSV, expected accepted numbers; {UPDATE}")
    names = [row[0] for row in rows if row]
    if header != ([UNIT, *names] if measure == DUELS else [UNIT, measure]):
        expected = "the units of its rows" if measure == DUELS else f"{UNIT},{measure}"
        return fault(2, f"found other columns than expected, {expected}; {UPDATE}")
    numbers: Numbers = {}
    seen: set[str] = set()
    for line, row in enumerate(rows, 3):
        if len(row) != len(header):
            return fault(line, f"found {len(row)} values, expected {len(header)}; {UPDATE}")
        if row[0] in seen:
            return fault(line, f"found {row[0]} a second time, expected each unit once; {UPDATE}")
        seen.add(row[0])
        for other, text in zip(header[1:], row[1:], strict=True):
            try:
                number = float(text or "nan")
            except ValueError:
                number = math.nan
            if text and not math.isfinite(number):
                return fault(line, f"found {shown(text)}, expected a finite number; {UPDATE}")
            numbers[(row[0], other) if measure == DUELS else (row[0],)] = number
    return numbers
