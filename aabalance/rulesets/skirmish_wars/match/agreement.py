"""What players agree on before a match, checked, and the set-up that comes of it.

A key that players agree on goes before that of the board, and this before the default (S-12).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import Field

from aabalance.errors import UsageError, counted
from aabalance.rulesets.base import Keys
from aabalance.rulesets.base.board import Square
from aabalance.rulesets.base.match_rules import Agreement
from aabalance.rulesets.skirmish_wars.card import HIT_POINTS
from aabalance.rulesets.skirmish_wars.match import records
from aabalance.rulesets.skirmish_wars.match.board import BOARD, Options

BUYING = "Both sides {} units in play, unless --with 'shop=[]' says otherwise."


class Place(Keys):
    """Where a unit begins, and with how many hit points. Without a square it stands as near to its HQ as can be."""

    at: Square | None = Field(None, description="column and row of the square, from 0")
    hp: int = Field(HIT_POINTS, ge=1, le=HIT_POINTS, description="hit points at the start")


def agree(asked: Agreement) -> tuple[Agreement, dict[str, Any]]:
    """Return the whole agreement, and the set-up; see `aabalance.rulesets.base.match_rules.MatchRules`."""
    asked.refuse_mission("conquest, medals and cities of --with say who wins")
    board, options = asked.board, asked.options
    given = options.model_dump(include=options.model_fields_set)
    if asked.rounds is not None and given.setdefault("turn_limit", asked.rounds) != asked.rounds:
        raise UsageError(f"with turn_limit: found {given['turn_limit']}, expected {asked.rounds}, as rounds says")
    of_board = Options.model_validate({name: board[name] for name in Options.model_fields if name in board})
    agreed = of_board.model_dump() | given
    if len(asked.cards) > records.MOST_TYPES:
        raise UsageError(f"cards: found {len(asked.cards)} types of units, expected at most {records.MOST_TYPES}")
    for name in ("shop", "counters"):
        types = agreed[name] if isinstance(agreed[name], list | Mapping) else ()
        if wrong := [one for one in types if one not in asked.cards]:
            raise UsageError(f"with {name}: found {wrong[0]!r}, expected types of units: {', '.join(asked.cards)}")
    units = list(_units(asked))
    used = Counter((unit["side"], unit["type"]) for unit in units)
    for (side, kind), number in used.items():
        limit = agreed["counters"]
        most = limit.get(kind) if isinstance(limit, Mapping) else limit
        if most is not None and number > most:
            raise UsageError(
                f"list {side}: found {number} {kind}, expected at most {most}: `counters` of --with (S-17)"
            )
    if not (agreed["conquest"] or agreed["medals"] or agreed["cities"]):
        raise UsageError("with conquest: found false without medals or cities, expected a way to win")
    works = any(ground.name.startswith("factory") for row in BOARD.rows(board) for ground in row)
    remark = BUYING.format("also buy" if units else "buy all") if works and agreed["shop"] != [] else ""
    return asked._replace(rounds=agreed["turn_limit"], remark=remark), {**agreed, "board": board, "units": units}


def _units(asked: Agreement) -> Iterator[Mapping[str, Any]]:
    """Yield the units at the start: those of the board, or those of both lists, each on its square."""
    own = asked.board.get("units", ())
    if own and any(asked.lists):
        brought = f"{asked.board['name']} brings {counted(len(own), 'unit')}"
        raise UsageError(f"lists: found units, expected none: {brought}, a scenario")
    yield from own
    number = sum(map(len, asked.lists))
    if number > records.MOST_UNITS:
        raise UsageError(f"lists: found {number} units, expected at most {records.MOST_UNITS}")
    rows = BOARD.rows(asked.board)
    grounds = {(x, y): ground.name for y, row in enumerate(rows) for x, ground in enumerate(row)}
    places = [one.place.at for units in asked.lists for one in units if one.place.at]
    taken = set(places)
    if len(places) > len(taken):
        raise UsageError("lists: found two units on one square, expected one")
    for side, units in zip("ab", asked.lists, strict=True):
        near = _near(grounds, side)
        for at, one in enumerate(units, start=1):
            card = asked.cards[one.card]
            square = one.place.at or next(
                (to for to in near if to not in taken and BOARD.enters(card, grounds[to])), None
            )
            if square is None or square not in grounds or not BOARD.enters(card, grounds[square]):
                where = "no place" if square is None else f"place {square[0]},{square[1]}"
                expected = "expected a free square that it may enter"
                if not (one.place.at or near):
                    expected = f"expected a property of {side} on the board, near which it stands, or a place for it"
                raise UsageError(f"list {side}: unit {at}, {card.name}: found {where}, {expected}")
            taken.add(square)
            yield {"side": side, "type": one.card, "at": list(square), "hp": one.place.hp}


def _near(grounds: Mapping[tuple[int, int], str], side: str) -> list[tuple[int, int]]:
    """Return the squares without a property, from the side's HQ on; a's rows are counted down and b's up.

    So a board that is the same for both when it is turned stays so with equal lists on it. Without an HQ, the side's
    first property takes its place; without any, nothing is near.
    """
    turn = 1 if side == "a" else -1
    homes = [at for at, ground in grounds.items() if ground.endswith(f" {side}")]
    homes.sort(key=lambda at: (not grounds[at].startswith("hq"), turn * at[1], turn * at[0]))
    if not homes:
        return []
    x0, y0 = homes[0]
    free = [at for at, ground in grounds.items() if records.GROUNDS.index(ground.split()[0]) < records.FIRST_PROPERTY]
    return sorted(free, key=lambda at: (abs(at[0] - x0) + abs(at[1] - y0), turn * at[1], turn * at[0]))
