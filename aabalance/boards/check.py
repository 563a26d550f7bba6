"""All faults of a board's file, each with its line and column."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import chain, combinations
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import ValidationError

from aabalance.cards.faults import validation_faults
from aabalance.cards.tables import Place, Table, dotted, position_of
from aabalance.errors import Fault, one_of, shown
from aabalance.rulesets.base.board import BoardRules, Square

OPENED = re.compile(r"(\"\"\"|''')\s*$")
"""The end of a line after which a text of several lines begins."""

Positioned = tuple[tuple[int, int], str]
"""A fault: line and column, and what was found and expected."""


class _Sketch(NamedTuple):
    """A board as far as it could be read.

    Attributes
    ----------
    path : Path
        The file.
    table : dict
        The keys of the file that have no fault of form; a part with such a fault is None.
    rules : BoardRules
        What the game asks of its boards.
    cards : mapping of str to BaseModel
        The game's cards.
    grounds : mapping of Square to (str or None)
        Names of the grounds; None for an unknown character.
    positions : mapping of Square to (int, int)
        Line and column of each square.
    """

    path: Path
    table: Table
    rules: BoardRules
    cards: Mapping[str, Any]
    grounds: dict[Square, str | None]
    positions: dict[Square, tuple[int, int]]

    def open_to_some(self) -> set[Square]:
        """Return the squares that some unit may enter; an unknown one counts."""
        names = {ground.name for ground in self.rules.legend.values()}
        closed = {name for name in names if not any(self.rules.enters(card, name) for card in self.cards.values())}
        return {at for at, name in self.grounds.items() if name not in closed}

    def fault(self, place: Place, found: str) -> Positioned:
        """Return the fault of a key."""
        key = str(place[0])
        place = (self.rules.keys[key],) if key in self.rules.keys else place
        return position_of(self.path, place), f"{dotted(place)}: {found}"

    def parts(self, key: str) -> Iterator[tuple[Place, Any]]:
        """Yield the parts of a list or a table, each with its place."""
        whole = self.table.get(key, {})
        named = whole.items() if isinstance(whole, dict) else enumerate(whole)
        return (((key, at), part) for at, part in named if part is not None)

    def off_map(self, x: int, y: int) -> bool:
        """Return whether a square isn't on the map, as far as there is one."""
        return bool(self.grounds) and (x, y) not in self.grounds

    def beyond(self, x: int, y: int) -> bool:
        """Return whether the map has no such column or no such row, as far as there is one."""
        return bool(self.grounds) and not (0 <= x <= self.last[0] and 0 <= y <= self.last[1])

    @property
    def last(self) -> Square:
        """The map's last column and its last row."""
        return max(x for x, _ in self.grounds), max(y for _, y in self.grounds)

    @property
    def extent(self) -> str:
        """The map's columns and rows in words."""
        return f"columns 0 to {self.last[0]} and rows 0 to {self.last[1]}"


def faults_of(path: Path, table: Table, rules: BoardRules, cards: Mapping[str, Any]) -> list[Fault]:
    """Return all faults of a board.

    Parameters
    ----------
    path : Path
        Its file.
    table : dict
        What stands in the file.
    rules : BoardRules
        What the game asks of its boards.
    cards : mapping of str to BaseModel
        The game's cards.
    """
    faults: list[Fault] = []
    sound = dict(table)
    try:
        rules.schema.model_validate(table)
    except ValidationError as error:
        faults = validation_faults(error, rules.schema, table, (), path, columns=True)
        for fault in error.errors():
            if fault["type"] == "value_error":
                continue  # a check of the game's own, of a value whose form is right
            key, inner = str(fault["loc"][0]), fault["loc"][1:]
            if inner and isinstance(sound.get(key), dict | list):
                sound[key][inner[0]] = None
            else:
                sound.pop(key, None)
    sketch = _Sketch(path, sound, rules, cards, {}, {})
    if rules.marks is not None and not faults:
        sound |= rules.marks(table)
    checks = (_legend(sketch), _map(sketch), _zones(sketch), _objectives(sketch), _units(sketch), _reached(sketch))
    faults += [Fault(f"{path}:{line}:{column}", said) for (line, column), said in chain.from_iterable(checks)]
    return sorted(faults, key=lambda fault: [int(number) for number in fault.place.rsplit(":", 2)[1:]])


def _legend(sketch: _Sketch) -> Iterator[Positioned]:
    """Yield the faults of the legend, and leave out what has any."""
    names = {ground.name for ground in sketch.rules.legend.values()}
    sound: dict[str, str] = {}
    for place, meaning in sketch.parts("legend"):
        character, name = str(place[-1]), meaning.partition(":")[0].strip()
        if len(character) != 1:
            yield sketch.fault(place, f"found the key {shown(character)}, expected one character")
        elif name not in names:
            yield sketch.fault(place, one_of(name, sorted(names)))
        else:
            sound[character] = meaning
    sketch.table["legend"] = sound


def _map(sketch: _Sketch) -> Iterator[Positioned]:
    """Yield the faults of the map; write its squares into the sketch."""
    if "map" not in sketch.table:
        return
    characters = sketch.rules.characters(sketch.table["legend"])
    lines = sketch.path.read_text(encoding="utf-8-sig").split("\n")
    first = position_of(sketch.path, ("map",))[0]
    first += bool(OPENED.search(lines[first - 1]))
    rows = [(row, number) for number, row in enumerate(sketch.table["map"].split("\n")) if row.strip()]
    width = Counter(len("".join(row.split())) for row, _ in rows).most_common(1)[0][0]
    for y, (row, number) in enumerate(rows):
        line = first + number
        start = lines[line - 1].find(row) if line <= len(lines) else 0
        squares = [(character, start + at + 1) for at, character in enumerate(row) if not character.isspace()]
        if len(squares) != width and not sketch.rules.hexes:
            column = squares[min(len(squares) - 1, width)][1] + (len(squares) < width)
            yield (line, column), f"map: found a row of {len(squares)} squares, expected {width}"
        for x, (character, column) in enumerate(squares):
            ground = characters.get(character)
            sketch.grounds[x, y] = ground.name if ground else None
            sketch.positions[x, y] = line, column
            if ground is None:
                expected = " ".join(characters)
                yield (line, column), f"map: found {shown(character)} at {x},{y}, expected one of {expected}"
    if len(sketch.grounds) > sketch.rules.most_squares:
        yield ((first, 1), f"map: found {len(sketch.grounds)} squares, expected at most {sketch.rules.most_squares}")
    for what, names, most in sketch.rules.most:
        number = sum(name in names for name in sketch.grounds.values())
        if number > most:
            yield (first, 1), f"map: found {number} {what}, expected at most {most}"


def _zones(sketch: _Sketch) -> Iterator[Positioned]:
    zones = {place: zone["rect"] for place, zone in sketch.parts("zones")}
    for place, (x0, y0, x1, y1) in zones.items():
        if x0 > x1 or y0 > y1:
            found = f"found {[x0, y0, x1, y1]}, expected the north-western corner, then the south-eastern one"
            yield sketch.fault((*place, "rect"), found)
        elif sketch.beyond(x0, y0) or sketch.beyond(x1, y1):
            found = f"found {[x0, y0, x1, y1]}, expected a part of the map: {sketch.extent}"
            yield sketch.fault((*place, "rect"), found)
    for (one, (x0, y0, x1, y1)), (other, (u0, v0, u1, v1)) in combinations(zones.items(), 2):
        if max(x0, u0) <= min(x1, u1) and max(y0, v0) <= min(y1, v1):
            yield sketch.fault((*other, "rect"), f"found an overlap with {dotted(one)}, expected none")


def _objectives(sketch: _Sketch) -> Iterator[Positioned]:
    open_squares, seen = sketch.open_to_some(), set()
    for place, (x, y) in sketch.parts("objectives"):
        if sketch.off_map(x, y):
            yield sketch.fault(place, f"found {[x, y]}, expected a square of the map: {sketch.extent}")
        elif (x, y) in seen:
            yield sketch.fault(place, f"found {[x, y]} a second time, expected once")
        elif sketch.grounds and (x, y) not in open_squares:
            yield sketch.fault(place, f"found {sketch.grounds[x, y]} at {x},{y}, expected ground that units may enter")
        seen.add((x, y))


def _units(sketch: _Sketch) -> Iterator[Positioned]:
    seen: set[Square] = set()
    for place, unit in sketch.parts("units"):
        kind = unit["type"]
        if kind not in sketch.cards:
            yield sketch.fault((*place, "type"), one_of(kind, sketch.cards))
        if "at" not in unit:
            continue
        x, y = unit["at"]
        ground = sketch.grounds.get((x, y))
        if sketch.off_map(x, y):
            yield sketch.fault((*place, "at"), f"found {[x, y]}, expected a square of the map: {sketch.extent}")
        elif (x, y) in seen:
            yield sketch.fault((*place, "at"), f"found a second unit at {x},{y}, expected one at most")
        elif kind in sketch.cards and ground is not None and not sketch.rules.enters(sketch.cards[kind], ground):
            yield sketch.fault((*place, "at"), f"found {ground} at {x},{y}, expected ground that {kind} may enter")
        seen.add((x, y))


def _reached(sketch: _Sketch) -> Iterator[Positioned]:
    """Yield what units can't get to from the largest part of the map: zones, objectives, and goals on the map.

    Steps over edges suffice: a diagonal step needs one of the two squares beside it.
    """
    open_squares = sketch.open_to_some()
    if not open_squares:
        return
    largest = max(_parts(open_squares, sketch.rules), key=len)
    for place, zone in sketch.parts("zones"):
        x0, y0, x1, y1 = zone["rect"]
        whole = {at for at in sketch.grounds if x0 <= at[0] <= x1 and y0 <= at[1] <= y1}
        if whole and not whole & largest:
            yield sketch.fault((*place, "rect"), "found no way to it, expected one from the rest of the map")
    for place, (x, y) in sketch.parts("objectives"):
        if (x, y) in open_squares - largest:
            yield sketch.fault(place, f"found no way to {x},{y}, expected one from the rest of the map")
    goals = {ground.name for ground in sketch.rules.legend.values() if ground.goal}
    for (x, y), name in sketch.grounds.items():
        if name in goals and (x, y) not in largest:
            said = f"map: found no way to the {name} at {x},{y}, expected one from the rest of the map"
            yield sketch.positions[x, y], said


def _parts(squares: set[Square], rules: BoardRules) -> Iterator[set[Square]]:
    """Yield the parts of some squares that hang together."""
    left = set(squares)
    while left:
        part, edge = set[Square](), [left.pop()]
        while edge:
            at = edge.pop()
            part.add(at)
            beside = rules.beside(at) & left
            left -= beside
            edge += beside
        yield part
