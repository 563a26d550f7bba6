"""Unit cards to print: a page of HTML that needs nothing else, several cards to a sheet of A4, for the table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from aabalance.game import Game
from aabalance.provenance import version
from aabalance.report import templates
from aabalance.rulesets.base import Profile

TICKED = 120
"""Boxes that find room on a card; what has more is written down."""


class Printed(NamedTuple):
    """A unit as it is printed.

    Attributes
    ----------
    unit_id, name : str
    origin : str
        Nation, year and kind, as far as the card says so.
    cost : str
    profile : Profile
    ticked : bool
        It has few enough boxes to be ticked off.
    counted : bool
        Its boxes hold numbers, not words.
    """

    unit_id: str
    name: str
    origin: str
    cost: str
    profile: Profile
    ticked: bool
    counted: bool


def page(game: Game, ids: Sequence[str]) -> str:
    """Return the cards of units as one HTML page, whose styles make sheets of A4 of it.

    Parameters
    ----------
    game : Game
        By its rules, too: the needs on the cards are those of its variant.
    ids : sequence of str
        In this order.
    """
    environment = templates.environment()
    labels = game.ruleset.labels
    return environment.get_template("cards_print.html.j2").render(
        cards=[_printed(game, unit_id, game.cards[unit_id]) for unit_id in ids],
        labels=labels,
        source=f"{labels.title}, {game.reading}, cards {game.cards.hash}, aabalance {version()}",
    )


def _printed(game: Game, unit_id: str, card: Any) -> Printed:
    profile = game.ruleset.profile(card, game.variant)
    origin = (getattr(card, "nation", None), getattr(card, "year", None), profile.kind)
    cost = f"{getattr(card, game.ruleset.labels.currency):g}"
    said = ", ".join(str(part) for part in origin if part)
    boxes = profile.track.boxes
    counted = not any(box.strip("0123456789") for box in boxes)
    return Printed(unit_id, card.name, said, cost, profile, len(boxes) <= TICKED, counted)
