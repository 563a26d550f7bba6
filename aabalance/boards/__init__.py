"""The boards of a game: a text map that people draw, with zones, objectives and units, in a file each.

- `Board`, `Boards`: what the others see
- `check`: all faults of a file, with line and column
- `drawing`: a board as SVG

Knows no game: `aabalance.rulesets.base.board` has what games say of their boards.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aabalance.boards.check import faults_of
from aabalance.boards.drawing import svg
from aabalance.cards.literals import option_value
from aabalance.cards.tables import TOML_FILES, Table, line_of, table_of
from aabalance.errors import CardError, Fault, UsageError, one_of
from aabalance.rulesets.base.board import BoardRules, Ground, Symbol, around, lines_of

OF_MAP = ("name", "map", "legend", "zones", "objectives", "objective", "units")
"""Keys of a board's file that its picture and its head show."""


@dataclass(frozen=True)
class Board:
    """A board of matches.

    Attributes
    ----------
    key : str
        What commands call it: the name of its file.
    table : mapping
        Its file as it stands; this is what the rules of a match take.
    rows : sequence of str
        Its map, from the north edge on.
    legend : mapping of str to Ground
        What the characters of the map stand for.
    symbols : mapping of str to str
        What each type of the units that it brings is drawn as.
    marks : mapping
        Its objectives and zones, under these keys.
    hexes : bool
        Whether its squares are hexes: they stand on a corner, odd rows lie half a hex to the right.
    """

    key: str
    table: Mapping[str, Any]
    rows: Sequence[str]
    legend: Mapping[str, Ground]
    symbols: Mapping[str, Symbol]
    marks: Mapping[str, Any]
    hexes: bool

    @classmethod
    def of(cls, key: str, table: Mapping[str, Any], rules: BoardRules, cards: Mapping[str, Any]) -> Board:
        """Return the board that a table without faults describes; `rules` and `cards` are those of the game."""
        rows, characters = lines_of(rules.map or table["map"]), rules.characters(table.get("legend", {}))
        used = {at: ground for at, ground in characters.items() if any(at in row for row in rows)}
        types = sorted({unit["type"] for unit in table.get("units", ())})
        symbols = {name: rules.symbol(cards[name]) for name in types}
        return cls(key, table, rows, used, symbols, rules.marks(table) if rules.marks else table, rules.hexes)

    @property
    def name(self) -> str:
        """What people call it."""
        return str(self.table["name"])

    @property
    def width(self) -> int:
        """Number of columns."""
        return max(map(len, self.rows))

    @property
    def height(self) -> int:
        """Number of rows."""
        return len(self.rows)

    @property
    def zones(self) -> Mapping[str, Sequence[int]]:
        """The corners of each zone, both in it: x0, y0, x1, y1."""
        return {name: zone["rect"] for name, zone in self.marks.get("zones", {}).items()}

    @property
    def objectives(self) -> Sequence[Sequence[int]]:
        """The squares of the objectives."""
        return list(self.marks.get("objectives", ()))

    def around(self, x: int, y: int) -> set[tuple[int, int]]:
        """Return a square and all that touch it, or a hex and its neighbours; some may be off the map."""
        return around((x, y), self.hexes)

    @property
    def units(self) -> Sequence[Mapping[str, Any]]:
        """The units that the board brings: the side, the type and the square of each."""
        return list(self.table.get("units", ()))

    @property
    def decks(self) -> Mapping[str, Mapping[str, Mapping[str, Any]]]:
        """The decks of cards by name: how many there are of each kind, ``count``, and what stands on them."""
        parts = {name: part for name, part in self.table.items() if isinstance(part, Mapping)}
        kinds = {name: [kind for kind in part.values() if isinstance(kind, Mapping)] for name, part in parts.items()}
        return {name: parts[name] for name, kind in kinds.items() if any("count" in one for one in kind)}

    @property
    def terms(self) -> Mapping[str, Any]:
        """What the file says of matches beyond the map and what stands on it, such as ``turn_limit``."""
        return {name: value for name, value in self.table.items() if name not in OF_MAP}

    @property
    def summary(self) -> Mapping[str, Any]:
        """Its columns in a list of boards: of a map, size and counts; of decks, the file's numbers and their sizes."""
        if self.decks:
            own = {name: value for name, value in self.table.items() if name not in ("name", *self.decks)}
            return own | {name: sum(kind["count"] for kind in deck.values()) for name, deck in self.decks.items()}
        brought = {"zones": self.zones, "objectives": self.objectives, "units": self.units}
        return {"size": f"{self.width} x {self.height}"} | {name: len(some) for name, some in brought.items()}

    def ground(self, x: int, y: int) -> Ground:
        """Return the ground of a square, by column and row from 0."""
        return self.legend[self.rows[y][x]]

    def to_dict(self) -> dict[str, Any]:
        """Return the board for JSON: ``board`` is its key; ``legend`` only has characters that stand on its map."""
        if self.decks:
            return {"board": self.key, **self.table}
        return {
            "board": self.key,
            "name": self.name,
            "width": self.width,
            "height": self.height,
            "zones": {name: list(rect) for name, rect in self.zones.items()},
            "objectives": self.objectives,
            "units": self.units,
            "map": list(self.rows),
            "legend": {character: ground.name for character, ground in self.legend.items()},
            **self.terms,
        }

    def __repr__(self) -> str:
        if self.decks:
            return f"<Board {self.key}: {self.name}, {', '.join(f'{name} {n}' for name, n in self.summary.items())}>"
        brought = {"zone": self.zones, "objective": self.objectives, "unit": self.units}
        said = [f"{len(some)} {what}{'s' * (len(some) != 1)}" for what, some in brought.items() if some]
        return f"<Board {self.key}: {', '.join([self.name, f'{self.width} x {self.height}', *said])}>"

    def _repr_svg_(self) -> str:
        return svg(self)

    def __str__(self) -> str:
        """Return the map with coordinates, its legend, and what the board brings; or its decks, if it has some."""
        if self.decks:
            return "\n".join(self._deck_lines())
        between = " " if self.hexes else ""
        tens = between.join(str(x // 10) if x % 10 == 0 and x else " " for x in range(self.width)).rstrip()
        ones = between.join(str(x % 10) for x in range(self.width))
        lines = [f"{self.name} ({self.key}), {self.width} x {self.height}", ""]
        lines += [f"    {head}" for head in (tens, ones) if head]
        lines += [f"{y:>3} {between * (y % 2)}{between.join(row)}" for y, row in enumerate(self.rows)]
        lines += ["", *(f"  {character}  {ground.name}" for character, ground in self.legend.items())]
        lines += [""] if self.zones or self.objectives or self.units or self.terms else []
        for name, (x0, y0, x1, y1) in self.zones.items():
            lines.append(f"zone {name}: {x0},{y0} to {x1},{y1}")
        if self.objectives:
            lines.append(f"objectives: {'  '.join(f'{x},{y}' for x, y in self.objectives)}")
        for side in "ab":
            placed = [_told(unit) for unit in self.units if unit["side"] == side]
            lines += [f"units of {side}: {'  '.join(placed)}"] if placed else []
        lines += [f"{name}: {option_value(value)}" for name, value in self.terms.items()]
        return "\n".join(lines)

    def _deck_lines(self) -> Iterator[str]:
        yield f"{self.name} ({self.key})"
        yield ""
        yield from (f"{name}: {value}" for name, value in self.summary.items() if name not in self.decks)
        for name, deck in self.decks.items():
            words = [(name, *next(iter(deck.values())))]
            words += [(kind, *map(str, row.values())) for kind, row in deck.items()]
            widths = [max(map(len, column)) for column in zip(*words, strict=True)]
            yield ""
            yield from ("  ".join(map(str.ljust, row, widths)).rstrip() for row in words)


def _told(unit: Mapping[str, Any]) -> str:
    """Return a unit that a board brings, and where it stands."""
    return f"{unit['type']} {unit['at'][0]},{unit['at'][1]}" if "at" in unit else f"{unit['type']} off the map"


class Boards(Mapping[str, Board]):
    """The boards of a folder by name, each read and checked when it is first asked for.

    Parameters
    ----------
    rules : BoardRules
        What the game asks of its boards.
    folder : Path
        One TOML file for each board.
    cards : mapping of str to BaseModel
        The game's cards: they say which units there are, and what ground they may enter.

    Raises
    ------
    UsageError
        There is no such folder, or no board in it.
    """

    def __init__(self, rules: BoardRules, folder: Path, cards: Mapping[str, Any]) -> None:
        if not folder.is_dir():
            raise UsageError(f"boards: found no folder {folder}, expected one with boards")
        self._rules, self._cards = rules, cards
        self._paths = {path.stem: path for path in sorted(folder.glob(TOML_FILES))}
        self._boards: dict[str, Board] = {}
        if not self._paths:
            raise UsageError(f"boards: found no TOML file in {folder}, expected boards there")

    def check(self) -> None:
        """Read all boards.

        Raises
        ------
        CardError
            Boards have faults; the error lists all.
        """
        faults: list[Fault] = []
        for key in self:
            try:
                self[key]
            except CardError as error:
                faults += error.faults
        if faults:
            raise CardError(faults)

    def refuse(self, whys: Mapping[str, str]) -> None:
        """Raise a `CardError` of boards on which no match of their own units can begin, with why, by name."""
        if whys:
            raise CardError(
                [
                    Fault(f"{path}:{line_of(path, ('units',))}", f"units: no match of them can begin: {why}")
                    for path, why in ((self._paths[key], why) for key, why in whys.items())
                ]
            )

    def __getitem__(self, key: object) -> Board:
        if not isinstance(key, str) or key not in self._paths:
            path = Path(str(key))
            hint = (
                f"; of a file its name, {path.stem}, with --boards {path.parent}"
                if path.match(TOML_FILES) and path.is_file()
                else ""
            )
            raise UsageError(f"board: {one_of(key, self._paths)}{hint}")
        if key not in self._boards:
            self._boards[key] = Board.of(key, self._read(self._paths[key]), self._rules, self._cards)
        return self._boards[key]

    def _read(self, path: Path) -> Table:
        table = table_of(path)
        if faults := faults_of(path, table, self._rules, self._cards):
            raise CardError(faults)
        return table

    def __contains__(self, key: object) -> bool:
        return key in self._paths

    def __iter__(self) -> Iterator[str]:
        return iter(self._paths)

    def __len__(self) -> int:
        return len(self._paths)

    def __repr__(self) -> str:
        return f"<{len(self)} boards: {', '.join(self)}>"
