"""What players agree on before a match, checked, and the set-up that comes of it.

A key that players agree on goes before that of the board, and this before the default.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pydantic import Field

from aabalance.errors import UsageError
from aabalance.rulesets.armour_battles.card import Card
from aabalance.rulesets.armour_battles.match import records
from aabalance.rulesets.armour_battles.match.artillery import CALL_DICE
from aabalance.rulesets.armour_battles.match.board import BOARD, MOST_TURNS, TURN_LIMIT, Armies, Facing
from aabalance.rulesets.armour_battles.shot.sheets import EVASION_DICE
from aabalance.rulesets.base import Keys, StrictKeys
from aabalance.rulesets.base.board import Square
from aabalance.rulesets.base.match import MOST_DICE, MOST_UNITS
from aabalance.rulesets.base.match_rules import Agreement

DEVIATION = 3
"""Dice of a mission that deviates."""
MORE_REACTION = 1 + EVASION_DICE
"""Reaction dice that cover and evading add against a battery."""
OWN_COLUMNS = 2
"""Columns from a side's edge in which units of its list stand that nobody has placed."""


class Options(StrictKeys):
    """What players may agree on besides board and lists."""

    army: Armies = Field(
        Armies(),
        description="command_dice, staff_orders, rally_dice and morale, for both sides alike or {a = {...}, b = {...}}",
    )


class Place(Keys):
    """Where a unit begins. Without a square it stands as near to the middle of its edge as can be."""

    at: Square | None = Field(None, description="column and row of the square, from 0")
    facing: Facing | None = Field(None, description="where it faces; none: towards the other side")
    ambush: bool = Field(False, description="it lies in ambush (B-28)")
    reserve: bool = Field(False, description="it waits for Commit Reserves")


def agree(asked: Agreement) -> tuple[Agreement, dict[str, Any]]:
    """Return the whole agreement, and the set-up; see `aabalance.rulesets.base.match_rules.MatchRules`."""
    asked.refuse_mission("a broken army loses (B-30)")
    if asked.first != "roll_off":
        raise UsageError(f"first: found {asked.first!r}, expected roll_off: each turn begins with command dice")
    units = list(_units(asked)) if any(asked.lists) else [dict(unit) for unit in asked.board.get("units", ())]
    for unit in units:
        unit.setdefault("at", None)
    _check_units(asked, units)
    turns = asked.rounds or asked.board.get("turn_limit", TURN_LIMIT)
    if turns > MOST_TURNS:
        raise UsageError(f"rounds: found {turns}, expected at most {MOST_TURNS}")
    army = Armies.model_validate(asked.board.get("army", {})).model_dump(exclude_unset=True)
    for side, given in asked.options.army.model_dump(exclude_unset=True).items():
        army[side] = {**army.get(side, {}), **given}
    return asked._replace(rounds=turns), {"board": asked.board, "units": units, "turn_limit": turns, "army": army}


def _units(asked: Agreement) -> Iterator[dict[str, Any]]:
    """Yield the units of both lists, each in its square, in reserve, or off the table."""
    rows = BOARD.rows(asked.board)
    taken = {one.place.at for own in asked.lists for one in own if one.place.at}
    for side, own in zip("ab", asked.lists, strict=True):
        free = [at for at in _near(side, len(rows[0]), len(rows)) if rows[at[1]][at[0]].name != "water"]
        for number, one in enumerate(own, start=1):
            card, place = asked.cards[one.card], one.place
            square, who = place.at, f"list {side}: unit {number}, {card.name}"
            if card.class_ == "battery" and place != Place():
                raise UsageError(f"{who}: found a place, expected none: off the table")
            if place.reserve and (square or place.ambush):
                found = "a square" if square else "ambush"
                raise UsageError(f"{who}: found {found} and reserve, expected one of them")
            if square is None and card.class_ != "battery" and not place.reserve:
                square = next((at for at in free if at not in taken), None)
                if square is None:
                    raise UsageError(f"{who}: found no free square at its edge, expected one")
                taken.add(square)
            facing = {} if place.facing is None else {"facing": place.facing}
            yield {"side": side, "type": one.card, "at": square, "ambush": place.ambush, **facing}


def _near(side: str, width: int, height: int) -> list[tuple[int, int]]:
    """Return the squares at a side's edge, from its middle on; those of b are those of a, turned by 180 degrees."""
    columns = range(min(OWN_COLUMNS, width // 2))
    rows = sorted(range(height), key=lambda y: (abs(2 * y + 1 - height), y))
    squares = [(x, y) for x in columns for y in rows]
    return squares if side == "a" else [(width - 1 - x, height - 1 - y) for x, y in squares]


def _check_units(asked: Agreement, units: Sequence[Mapping[str, Any]]) -> None:
    """Refuse units that have no place on the board or in the records."""
    rows, cards = BOARD.rows(asked.board), asked.cards
    fighting = [unit for unit in units if cards[unit["type"]].class_ != "battery"]
    for side in "ab":
        if not any(unit["side"] == side for unit in fighting):
            raise UsageError(f"list {side}: found no unit but batteries, expected one at least")
    for what, found, most in (
        ("units", len(fighting), MOST_UNITS - 2),
        ("batteries", len(units) - len(fighting), records.MOST_BATTERIES),
    ):
        if found > most:
            raise UsageError(f"lists: found {found} {what}, expected at most {most} on both sides together")
    taken = set[tuple[int, int]]()
    for unit in fighting:
        who = f"list {unit['side']}: {cards[unit['type']].name}"
        if unit["at"] is None:
            if unit.get("ambush") or unit.get("suppressed"):
                raise UsageError(f"{who}: found no square, expected one: nobody in reserve is in ambush or suppressed")
            continue
        x, y = unit["at"]
        if not (0 <= y < len(rows) and 0 <= x < len(rows[0])):
            last = f"{len(rows[0]) - 1},{len(rows) - 1}"
            raise UsageError(f"{who}: found place {x},{y}, expected a square from 0,0 to {last}")
        if rows[y][x].name == "water":
            raise UsageError(f"{who}: found place {x},{y}, which is water, expected ground that it may enter")
        if (x, y) in taken:
            raise UsageError(f"{who}: found another unit at {x},{y}, expected one in a square (B-15)")
        taken.add((x, y))
    _check_dice([cards[unit["type"]] for unit in units])


def _check_dice(cards: Sequence[Card]) -> None:
    """Refuse cards whose missions may roll more dice than an action has."""
    artillery = max((card.artillery_dice for card in cards if card.class_ == "battery"), default=0)
    reaction = max(card.reaction_to_batteries for card in cards) + MORE_REACTION
    dice = artillery + CALL_DICE + DEVIATION + len(records.AREA) * (artillery + reaction + 1)
    if artillery and dice > MOST_DICE:
        found = f"{artillery} artillery dice against {reaction - MORE_REACTION} reaction dice"
        raise UsageError(f"lists: found {found}, {dice} at once, expected at most {MOST_DICE} in a match")
