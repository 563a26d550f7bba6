"""What a game says of its boards: the keys of a file, the grounds of a map, and what stands on it during a match."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import BeforeValidator, Field, StrictInt
from pydantic_core import PydanticCustomError

from aabalance.rulesets.base.words import Line, StrictKeys


def _of_two(given: Any) -> Any:
    if isinstance(given, (list, tuple)) and len(given) == 2:
        return given
    raise PydanticCustomError("square", "expected a column and a row alone")


Square = Annotated[tuple[StrictInt, StrictInt], Field(strict=False), BeforeValidator(_of_two)]
"""Column and row, from 0; the first row is the north edge. Of hexes, odd rows lie half a hex to the right."""
Texture = Literal[
    "plain", "road", "mud", "water", "building", "ridge", "trees", "low wall", "high wall", "trap", "sandbags",
    "houses", "works", "flag",
]  # fmt: skip
"""How a ground is drawn besides its colour."""
Symbol = Literal["armour", "recon", "mechanized", "anti-tank", "artillery", "infantry"]
"""What a unit's mark on the map shows, as military maps have it."""


class Ground(NamedTuple):
    """A kind of ground.

    Attributes
    ----------
    name : str
        As legends say it.
    colour : str
        ``#rrggbb``: pale, so that units are seen on it.
    texture : str
        What tells it from others without colour.
    owner : {"", "a", "b"}
        The side that it belongs to at the start.
    goal : bool
        Whether units have to be able to get there.
    """

    name: str
    colour: str
    texture: Texture
    owner: str = ""
    goal: bool = False


class Piece(NamedTuple):
    """A unit in a match, as it is drawn.

    Attributes
    ----------
    mark : str
        Its side and a number, as a1: so the words of actions call it, where more may stand behind a full stop.
    card : str
        Id of its card.
    side : {"a", "b"}
    symbol : str
        What kind of unit it is.
    at : (int, int) or None
        Its square; None for a unit that isn't on the board, or inside another.
    strength, most : int
        What it has left, and what it had at the start.
    facing : str
        N, NE and so on; empty for a unit without one.
    inside : str
        Mark of the unit that carries it; empty if none does.
    condition : str
        What ails it besides its strength, in the game's words; empty if nothing does.
    """

    mark: str
    card: str
    side: str
    symbol: Symbol
    at: Square | None
    strength: int
    most: int
    facing: str = ""
    inside: str = ""
    condition: str = ""


class Scene(NamedTuple):
    """A state of a match, as it is drawn.

    Attributes
    ----------
    round : int
        Number of the round, from 1; 0 before the first.
    pieces : sequence of Piece
        All units that are left.
    owners : mapping of Square to str
        The sides that hold objectives or properties.
    cleared : sequence of Square
        Where obstacles have gone.
    score : mapping of str to (float, float)
        What counts, by its name: of both sides. Explanations say who scores `points`.
    hands : mapping of str to mapping of str to int
        How many cards of each kind a side holds, in games with hands.
    """

    round: int
    pieces: Sequence[Piece]
    owners: Mapping[Square, str]
    cleared: Sequence[Square]
    score: Mapping[str, tuple[float, float]]
    hands: Mapping[str, Mapping[str, int]] = {}


def around(at: Square, hexes: bool) -> set[Square]:
    """Return a square and all that touch it, or a hex and its neighbours; see `aabalance.boards.Board.hexes`."""
    x, y = at
    apart = {(x - 1 if y % 2 else x + 1, y + dy) for dy in (-1, 1)} if hexes else set()
    return {(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)} - apart


class BoardKeys(StrictKeys):
    """The keys that all files of boards have.

    Attributes
    ----------
    name : str
        What people call the board.
    """

    name: Line


class BoardFile(BoardKeys):
    """The keys of the file of a board with a map. A game's own schema adds what else its boards bring.

    Keys that the reader knows: ``objectives`` (squares), ``zones`` (tables with a ``rect``: x0, y0, x1, y1, both
    corners in), and ``units`` (tables with a ``type`` and a square ``at``).

    Attributes
    ----------
    map : str
        A line for each row, a character for each square.
    legend : mapping of str to str
        Characters of this board's own: the name of a ground, and a remark after a colon if you like.
    """

    map: Annotated[str, Field(pattern=r"\S")]
    legend: dict[str, str] = Field({})


class BoardRules(NamedTuple):
    """What a game asks of its boards.

    Attributes
    ----------
    schema : type of BoardKeys
        The keys of a file.
    legend : mapping of str to Ground
        What the characters of all maps stand for.
    enters : callable
        ``enters(card, ground)`` returns whether a unit may stand on a ground, which is given by name.
    symbol : callable
        ``symbol(card)`` returns what a unit is drawn as.
    most_squares : int
        Size of the largest board.
    most : sequence of (str, collection of str, int)
        Grounds of which a match has room for a few squares alone: what they are called together, their names, how many.
    map : str
        The map of all boards, in a game whose files have none: decks of cards say what they are.
    hexes : bool
        Whether squares are hexes. They stand on a corner, and rows may be of different length.
    marks : callable
        ``marks(table)`` returns the ``objectives`` and ``zones`` of a file that has other keys for them; None where it
        has these.
    keys : mapping of str to str
        Those other keys.
    """

    schema: type[BoardKeys]
    legend: Mapping[str, Ground]
    enters: Callable[[Any, str], bool]
    symbol: Callable[[Any], Symbol]
    most_squares: int
    most: Sequence[tuple[str, Collection[str], int]]
    map: str = ""
    hexes: bool = False
    marks: Callable[[Mapping[str, Any]], dict[str, Any]] | None = None
    keys: Mapping[str, str] = {}

    def beside(self, at: Square) -> set[Square]:
        """Return the squares that share an edge with a square, or the hexes with a hex; some may be off the map."""
        return {to for to in around(at, self.hexes) if self.hexes or (to[0] == at[0]) != (to[1] == at[1])} - {at}

    def characters(self, own: Mapping[str, str]) -> dict[str, Ground]:
        """Return the ground that each character of a map stands for.

        Parameters
        ----------
        own : mapping of str to str
            The legend of a board, which comes before the game's: a character, and the name of its ground, maybe with
            a colon and a remark behind it.

        Raises
        ------
        KeyError
            A meaning is no ground of the game.
        """
        grounds = {ground.name: ground for ground in self.legend.values()}
        return {**self.legend, **{at: grounds[name.partition(":")[0].strip()] for at, name in own.items()}}

    def rows(self, board: Mapping[str, Any]) -> tuple[tuple[Ground, ...], ...]:
        """Return the grounds of a board, which has no faults, row by row."""
        characters = self.characters(board.get("legend", {}))
        return tuple(tuple(characters[at] for at in row) for row in lines_of(board["map"]))


def lines_of(drawn: str | Sequence[str]) -> list[str]:
    """Return the rows of a map, which is a text or a list of rows; blanks in a row mean nothing."""
    rows = drawn.split("\n") if isinstance(drawn, str) else drawn
    return ["".join(row.split()) for row in rows if row.strip()]
