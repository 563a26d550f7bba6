"""What a game is called and calls things, what its units cost besides the formula, and what its rules promise."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple


class Length(NamedTuple):
    """What a game counts distances in.

    Attributes
    ----------
    name : str
        ``inches``.
    after : str
        As it follows a number: ``"`` for inches, `` hexes``.
    whole : bool
        Distances are whole numbers.
    """

    name: str
    after: str
    whole: bool


INCHES = Length("inches", '"', whole=False)


class Labels(NamedTuple):
    """What a game is called, and what it calls things.

    Attributes
    ----------
    title, rulebook : str
        The game's name as people write it; title and version of its rulebook.
    caveat : str
        What every report on this game has to say about its data.
    currency : str
        What a unit costs, and the card field that says how much.
    effect : str
        What an attack takes from its target: ``hit points``.
    length : Length
    """

    title: str
    rulebook: str
    caveat: str
    currency: str
    effect: str
    length: Length


class Price(NamedTuple):
    """What a unit costs beside its fighting value.

    Attributes
    ----------
    surcharge : int
        Added to the formula.
    flat : int
        In place of the formula, for units that can hurt nobody in the field.
    """

    surcharge: int
    flat: int


class Monotonic(NamedTuple):
    """A promise about attacks: as a field takes these values in turn, the mean effect of an attack never falls.

    Attributes
    ----------
    of : {"attacker", "target", "situation"}
        Whose field: of either card, or of the situation.
    field : str
        Dotted path, as in a card file.
    values : tuple
        At least two, from the worst for the attacker to the best.
    """

    of: Literal["attacker", "target", "situation"]
    field: str
    values: tuple[Any, ...]
