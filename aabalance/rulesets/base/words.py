"""Short facts about a game, its name and words; and the models of what people write."""

from __future__ import annotations

from typing import Annotated, NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from aabalance.errors import CONTROLS

Text = Annotated[str, Field(pattern=f"^[^{CONTROLS}]*$")]
"""Text of one line, which may be empty."""
Line = Annotated[Text, Field(min_length=1)]
"""Text of one line, such as a name: it stands in tables."""


class Keys(BaseModel):
    """Keys of which none may be unknown, and that stay as they were read."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class StrictKeys(Keys):
    """Keys whose values have to be of the right type, so that no text is read as a number."""

    model_config = ConfigDict(strict=True)


class Length(NamedTuple):
    """What a game counts distances in.

    Attributes
    ----------
    name : str
        Name of the unit of length: ``inches``.
    after : str
        How it is written behind a number: ``"`` for inches, `` hexes``.
    whole : bool
        Whether distances are whole numbers.
    """

    name: str
    after: str
    whole: bool


INCHES = Length("inches", '"', whole=False)


class Labels(NamedTuple):
    """The names of a game and of its things.

    Attributes
    ----------
    title, rulebook : str
        The game's name as people write it; title and version of its rulebook.
    caveat : str
        What every report on this game has to say about its data.
    currency : str
        Word for the cost of a unit; the field of the card that says how much has this name.
    effect : str
        Word for what an attack takes from its target: ``hit points``.
    length : Length
        What distances are counted in.
    """

    title: str
    rulebook: str
    caveat: str
    currency: str
    effect: str
    length: Length
