"""The accepted numbers of before: a CSV for each measure, with a first line that says where its numbers come from."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Mapping
from pathlib import Path

from aabalance.definitions.gate import Gate
from aabalance.errors import CardError, Fault, shown
from aabalance.game import Game
from aabalance.gate.evidence import DUELS, Numbers, known
from aabalance.provenance import recorded, version
from aabalance.report.tables import provenance

UNIT = "unit"
UPDATE = "`aabalance gate --update-baseline`, with the same SPEC, --cards and --baseline, accepts the present numbers"
DIGITS = {"worth": ".6g"}
"""Formats of numbers, by measure; all others have four decimals."""


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
        Where they are.

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
