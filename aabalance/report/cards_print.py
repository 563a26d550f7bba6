"""Unit cards to print for the gaming table: a page of HTML that loads nothing else, several cards to a sheet of A4."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from aabalance.files import templates
from aabalance.game import Game
from aabalance.provenance import version
from aabalance.rulesets.base import Profile, Ruleset, Stat, Track, left
from aabalance.rulesets.base.roster import in_a_cell

TICKED = 120
"""Most boxes for which a card has room; a unit with more hit points has none to tick."""


class Printed(NamedTuple):
    """A unit as it is printed.

    Attributes
    ----------
    unit_id, name : str
        Id and name of the unit.
    origin : str
        Nation, year and kind, as far as the card says so.
    cost : str
        Its price: a number, as text; a dash without one.
    profile : Profile
        What a player has to know about it.
    ticked : bool
        Whether it has few enough boxes to be printed.
    counted : bool
        Whether its boxes hold numbers, not words.
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
        Its rule switches count, too: the needs on the cards are those of its variant.
    ids : sequence of str
        The units, in the order in which they are printed.
    """
    labels = game.ruleset.labels
    cards = [_printed(game, unit_id, game.cards[unit_id]) for unit_id in ids]
    grids = [grid for card in cards for grid in card.profile.grids if "–:" not in grid.note]
    return (
        templates("aabalance.report")
        .get_template("cards_print.html.j2")
        .render(
            cards=cards,
            dashes=any("–" in row for grid in grids for row in grid.rows),
            labels=labels,
            source=f"{labels.title}, {game.reading}, cards {game.cards.hash}, aabalance {version()}",
        )
    )


def _printed(game: Game, unit_id: str, card: Any) -> Printed:
    profile = game.ruleset.roster.profile(card, game.variant) or _plain_profile(game.ruleset, card)
    origin = (getattr(card, "nation", None), getattr(card, "year", None), profile.kind)
    price = getattr(card, game.ruleset.labels.currency)
    cost = "–" if price is None else f"{price:g}"
    said = ", ".join(str(part) for part in origin if part)
    boxes = profile.track.boxes
    counted = not any(box.strip("0123456789") for box in boxes)
    return Printed(unit_id, card.name, said, cost, profile, len(boxes) <= TICKED, counted)


def _plain_profile(ruleset: Ruleset, card: Any) -> Profile:
    """Return the profile of a unit whose game describes it by its list columns alone."""
    roster, labels = ruleset.roster, ruleset.labels
    columns = {name: value for name, value in roster.list_columns(card).items() if name != labels.currency}
    stats = tuple(Stat(name.replace("_", " "), in_a_cell(value)) for name, value in columns.items())
    return Profile(roster.category(card), stats, Track(labels.effect, left(ruleset.toughness(card))))
