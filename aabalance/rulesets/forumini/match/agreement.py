"""What two players agree on before a match, checked, and the set-up that comes of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Literal

from pydantic import Field

from aabalance.errors import UsageError
from aabalance.rulesets.base import Keys, StrictKeys
from aabalance.rulesets.base.board import Square
from aabalance.rulesets.base.match import MOST_UNITS
from aabalance.rulesets.base.match_rules import Agreement, Start
from aabalance.rulesets.forumini.card import AircraftCard, ObstacleCard, SoldierCard, Unit, VehicleCard
from aabalance.rulesets.forumini.match import records
from aabalance.rulesets.forumini.match.board import BOARD, MOST_TURNS, TURNS, marks

Facing = Literal["E", "SE", "SW", "W", "NW", "NE"]


class Options(StrictKeys):
    """What else players may agree on."""

    first_check: int | None = Field(
        None,
        ge=1,
        le=MOST_TURNS,
        description="the turn after which the objective zone first decides; none: the board's",
    )


class Place(Keys):
    """Where a unit begins, and with which counters. Without any it is deployed in the match."""

    at: Square | None = Field(None, description="column and row of the hex, from 0")
    facing: Facing | None = Field(None, description="hexside that a vehicle faces")
    pinned: bool = Field(False, description="face-up Pinned counter")
    worse: bool = Field(False, description="face-up Demoralized or Damaged counter")
    mark: Literal["dirt", "hull"] | None = Field(None, description="Hit the Dirt, or Hull Down")
    watch: Square | None = Field(None, description="target hex of its Overwatch")


def agree(asked: Agreement) -> tuple[Agreement, dict[str, Any]]:
    """Return the whole agreement, and the set-up; see `aabalance.rulesets.base.match_rules.MatchRules`."""
    asked.refuse_mission("the objective zone decides (How to Win)")
    if asked.first != "roll_off":
        raise UsageError(f"first: found {asked.first!r}, expected roll_off: each turn begins with dice (A. Initiative)")
    for side, own in zip("ab", asked.lists, strict=True):
        if not own:
            raise UsageError(f"list {side}: found no unit, expected one at least")
        for at, one in enumerate(own, start=1):
            _check_card(asked.cards[one.card], f"list {side}: unit {at}, {asked.cards[one.card].name}")
    number = sum(map(len, asked.lists))
    if number > MOST_UNITS:
        raise UsageError(f"lists: found {number} units, expected at most {MOST_UNITS} on both sides together")
    turns = _turns(asked)
    placed = [one.place.at is not None for own in asked.lists for one in own]
    setup = {
        "board": asked.board,
        "lists": {side: [one.card for one in own] for side, own in zip("ab", asked.lists, strict=True)},
        "turns": turns,
    }
    if any(placed):
        if not all(placed):
            raise UsageError("lists: found places for some units, expected them for all units of both lists, or none")
        setup["placed"] = {side: _placed(asked, side, own) for side, own in zip("ab", asked.lists, strict=True)}
    else:
        _check_zones(asked)
    return asked._replace(rounds=turns[1]), setup


def _turns(asked: Agreement) -> tuple[int, int]:
    """Return the turn after which the objective zone first decides, and the last turn."""
    first, last = asked.board.get("turns", TURNS)
    last = asked.rounds or last
    if last > MOST_TURNS:
        raise UsageError(f"rounds: found {last}, expected at most {MOST_TURNS}")
    wanted = asked.options.first_check
    if wanted is not None and wanted > last:
        raise UsageError(f"with first_check: found {wanted}, expected at most {last}, the last turn")
    return wanted or min(first, last), last


def _check_card(card: Unit, who: str) -> None:
    """Refuse a unit that no match has, or for whom the records have no room."""
    if isinstance(card, AircraftCard | ObstacleCard):
        raise UsageError(f"{who}: found {card.kind}, expected a soldier or a vehicle: no match has others")
    dice = max((0, *card.antisoldier, *card.antivehicle))
    for what, found, most in (
        ("Movement Points", card.speed, records.MOST_SPEED),
        ("range columns", len(card.range), records.MOST_COLUMNS),
        ("Attack Dice", dice, records.MOST_BARRAGE_DICE if card.fires_indirectly else records.MOST_ATTACK_DICE),
    ):
        if found > most:
            raise UsageError(f"{who}: found {found} {what}, expected at most {most} in a match")


def _placed(asked: Agreement, side: str, own: Sequence[Start]) -> list[str]:
    """Return where the units of a list begin, as the set-up says it."""
    rows = BOARD.rows(asked.board)
    said, stacked = [], Counter[tuple[Square, str]]()
    for number, one in enumerate(own, start=1):
        card, place = asked.cards[one.card], one.place
        who = f"list {side}: unit {number}, {card.name}"
        for column, row in filter(None, (place.at, place.watch)):
            if not (0 <= row < len(rows) and 0 <= column < len(rows[row])):
                raise UsageError(f"{who}: found {column},{row}, expected a hex of the map")
        column, row = place.at
        ground = rows[row][column].name
        if not BOARD.enters(card, ground):
            raise UsageError(f"{who}: found place {column},{row}, which is {ground}, expected ground that it may enter")
        stacked[place.at, "units"] += 1
        stacked[place.at, "vehicles"] += isinstance(card, VehicleCard)
        if (place.facing is None) == isinstance(card, VehicleCard):
            expected = "a facing" if isinstance(card, VehicleCard) else "none: only vehicles face a hexside"
            raise UsageError(f"{who}: found {place.facing or 'no facing'}, expected {expected}")
        if place.mark == ("hull" if isinstance(card, SoldierCard) else "dirt"):
            raise UsageError(f"{who}: found the mark {place.mark}, expected one of its kind of unit")
        words = [f"{column},{row}", place.facing, "pinned" * place.pinned, "worse" * place.worse, place.mark]
        words += [f"watch={place.watch[0]},{place.watch[1]}"] if place.watch else []
        said.append(" ".join(filter(None, words)))
    for (at, what), count in stacked.items():
        most = records.STACK if what == "units" else records.STACK_VEHICLES
        if count > most:
            raise UsageError(f"list {side}: found {count} {what} at {at[0]},{at[1]}, expected at most {most} (F-22)")
    return said


def _check_zones(asked: Agreement) -> None:
    """Refuse lists that a zone may have no room for, whoever is deployed where before."""
    rows = BOARD.rows(asked.board)
    for name, zone in marks(asked.board)["zones"].items():
        x0, y0, x1, y1 = zone["rect"]
        grounds = [ground.name for row in rows[y0 : y1 + 1] for ground in row[x0 : x1 + 1]]
        for side, own in zip("ab", asked.lists, strict=True):
            cards = [asked.cards[one.card] for one in own]
            room = sum(all(BOARD.enters(card, ground) for card in cards) for ground in grounds)
            vehicles = sum(isinstance(card, VehicleCard) for card in cards)
            # At worst soldiers fill whole hexes before the last vehicle comes.
            for_vehicles = vehicles + (len(cards) - vehicles) // records.STACK
            needed = max(for_vehicles, -(-len(cards) // records.STACK))
            if needed > room:
                found = f"{len(cards)} units that may need {needed} hexes of zone {name}"
                raise UsageError(f"list {side}: found {found}, expected at most {room} (F-22)")
