"""What lists, reports, printed cards and pricing say of a game's units. None of it decides a fight."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Generic, NamedTuple

from pydantic import BaseModel
from typing_extensions import TypeVar

CardT = TypeVar("CardT", bound=BaseModel, default=Any)
VariantT = TypeVar("VariantT", bound=BaseModel, default=Any)


class Stat(NamedTuple):
    """A number of a unit as text, and what it is called."""

    name: str
    value: str


class Grid(NamedTuple):
    """A small table.

    Attributes
    ----------
    title : str
        What stands above the table.
    head : tuple of str
        Headings: first that of the rows' names, then one for each column.
    rows : tuple of tuple of str
        Each begins with the row's name.
    note : str
        How to read the table, or what it leaves out, with the section of the rulebook.
    """

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""


class Term(NamedTuple):
    """A keyword, or another trait with a rule of its own, explained.

    Attributes
    ----------
    name, meaning : str
        The term, and what it means at the table.
    rule : str
        Page or section of the rulebook.
    """

    name: str
    meaning: str
    rule: str


class Track(NamedTuple):
    """What a unit can lose, to be ticked off.

    Attributes
    ----------
    name : str
        What the unit loses, such as hit points.
    boxes : tuple of str
        What stands in each box, in the order in which they are ticked off. With the last one the unit is destroyed.
    """

    name: str
    boxes: tuple[str, ...]


class Profile(NamedTuple):
    """What a player has to know about a unit.

    Attributes
    ----------
    kind : str
        What kind of unit it is; printed next to its nation and year.
    stats : tuple of Stat
        Its numbers.
    track : Track
        What it can lose.
    grids : tuple of Grid
        What its attacks do, and what attacks on it do.
    terms : tuple of Term
        Its keywords, and other traits with a rule of their own.
    """

    kind: str
    stats: tuple[Stat, ...]
    track: Track
    grids: tuple[Grid, ...] = ()
    terms: tuple[Term, ...] = ()


def left(toughness: int) -> tuple[str, ...]:
    """Return the boxes of a track that counts down from `toughness` to 1; every fifth box has its number."""
    return tuple(str(n) if n % 5 == 0 or n == toughness else "" for n in range(toughness, 0, -1))


class Price(NamedTuple):
    """The parts of a unit's price that its fights don't give.

    Attributes
    ----------
    surcharge : int
        Added to the cost that the formula gives.
    flat : int
        Cost in place of the formula's, for a unit that can hurt none of the opponents.
    """

    surcharge: int
    flat: int


class RosterRules(ABC, Generic[CardT, VariantT]):
    """How a game classes, describes and prices its units.

    Attributes
    ----------
    reference : tuple of (str, int)
        Id of a unit and its cost, which set the scale of the cost formula.
    price_step : int
        Costs are multiples of this.
    gun_classes : tuple of str
        Classes that `gun_class` can return, the lightest first.
    """

    reference: tuple[str, int]
    price_step: int = 1
    gun_classes: tuple[str, ...]

    @abstractmethod
    def category(self, card: CardT, /) -> str:
        """Return the class of a unit; a report's definition says which classes it covers."""

    @abstractmethod
    def gun_class(self, card: CardT, /) -> str:
        """Return the class of a unit's main weapon, by which tables of kill times are grouped."""

    def price(self, card: CardT, /) -> Price:
        """Return the parts of a unit's price that its fights don't give; by default none."""
        return Price(surcharge=0, flat=0)

    def unseen(self, card: CardT, /) -> Sequence[str]:
        """Return in words the traits of a unit without effect in a battle in which all units hold; by default none."""
        return ()

    def lacks(self, card: CardT, /) -> Sequence[str]:
        """Return in words what a unit lacks that makes its worth in battles doubtful; by default nothing."""
        return ()

    def increments(self, card: CardT, variant: VariantT, /) -> Mapping[str, str]:
        """Return changes of a card, each by one point that the variant reads, or one keyword; by default none.

        Keys are the changes in words, values are what-ifs ``field=value``.
        """
        return {}

    def list_columns(self, card: CardT, /) -> Mapping[str, object]:
        """Return the columns of a unit in a list of units besides its cost: texts, numbers or groups of numbers.

        Keys are headings. By default the columns are all numbers on the card but the year.
        """
        given: dict[str, object] = card.model_dump(exclude_unset=True, by_alias=True)
        return {name: value for name, value in given.items() if name != "year" and _is_of_numbers(value)}

    def profile(self, card: CardT, variant: VariantT, /) -> Profile | None:
        """Return what a player has to know about a unit; by default None: a printed card has its list columns.

        Parameters
        ----------
        card : BaseModel
            The unit's.
        variant : BaseModel
            The rule switches, on which the needs of the dice depend.
        """
        return None

    def derive(self, folder: Path, /) -> Mapping[str, Mapping[str, Any]]:
        """Return the cards derived from the facts in `folder`, by id; by default none, for a game without facts."""
        return {}


def in_a_cell(value: object) -> str:
    """Return one of the `RosterRules.list_columns` as text; several numbers become ``10/8/8``."""
    parts = list(value.values()) if isinstance(value, dict) else value
    return "/".join(f"{part:g}" for part in parts) if isinstance(parts, (list, tuple)) else str(value)


def _is_of_numbers(value: object) -> bool:
    parts = list(value.values()) if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else [value]
    return bool(parts) and all(isinstance(part, (int, float)) and not isinstance(part, bool) for part in parts)
