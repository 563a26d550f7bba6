"""Actions, states and results in words.

In all functions `tables` and `state` are those of the match, `number` is an action or a side, `said` an action's
text, `types` are the names of the types of units, and `unit` is a unit.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from aabalance.rulesets.base.board import Piece, Scene
from aabalance.rulesets.base.match import ACTOR, OTHER, Record
from aabalance.rulesets.base.notation import Slot, both, letter, named, patterns_and_sections, place_of, squares
from aabalance.rulesets.skirmish_wars.card import HIT_POINTS
from aabalance.rulesets.skirmish_wars.match import records
from aabalance.rulesets.skirmish_wars.match.board import symbol_of
from aabalance.rulesets.skirmish_wars.match.turns import owns

ACTIONS = {
    records.MOVE: ("UNIT move SQUARE", "3.3b"),
    records.LOAD: ("UNIT load OTHER", "3.3d"),
    records.ATTACK: ("UNIT attack OTHER", "3.4a"),
    records.CAPTURE: ("UNIT capture", "3.4b"),
    records.UNLOAD: ("UNIT unload OTHER SQUARE", "3.3d"),
    records.BUY: ("buy TYPE SQUARE", "3.5"),
    records.END: ("end", "3.6"),
}
"""How people write actions, and the sections of the rulebook behind them."""
PATTERNS, SECTIONS = patterns_and_sections(ACTIONS)


def slots(tables: Record, state: Record, types: list[str]) -> dict[str, Slot]:
    """Return what stands for the words of `PATTERNS`."""
    units = {name(state, unit): unit for unit in living(state)}
    of_unit = partial(name, state), units.__getitem__
    return {
        "UNIT": Slot(ACTOR, *of_unit),
        "OTHER": Slot(OTHER, *of_unit),
        "TYPE": named(OTHER, types),
        "SQUARE": squares(tables),
    }


def name(state: Record, unit: int) -> str:
    """Return the name of a unit: the letter of its side, and its number."""
    own = state.unit[unit]
    return f"{'ab'[own.side]}{own.number}"


def words(tables: Record, state: Record, types: list[str]) -> dict[str, Any]:
    """Return a state as transcripts have it."""
    return {
        "round": (int(state.turn) + 1) // 2,
        "to_move": letter(state.to_move),
        "phase": records.PHASES[state.phase],
        "active": None if state.active == records.NONE else name(state, state.active),
        "money": both(state.money),
        "medals": both(state.medals),
        "issued": both(state.issued),
        "eliminated": {
            "ab"[of]: {kind: int(n) for kind, n in zip(types, state.eliminated[of], strict=False) if n} for of in (0, 1)
        },
        "units": [
            {
                "id": name(state, unit),
                "type": types[own.type],
                "at": None if own.square == records.NONE else list(place_of(tables, own.square)),
                "in": None if own.carrier == records.NONE else name(state, own.carrier),
                "hp": int(own.hp),
                "reduced": bool(own.reduced),
                "done": bool(own.done),
            }
            for unit in living(state)
            for own in (state.unit[unit],)
        ],
        "properties": [
            {
                "at": list(place_of(tables, tables.property_square[which])),
                "kind": records.GROUNDS[records.FIRST_PROPERTY + tables.property_kind[which]],
                "owner": letter(state.property[which].owner),
                "captured": int(state.property[which].captured),
            }
            for which in range(tables.properties)
        ],
    }


def scene(tables: Record, state: Record, types: list[str]) -> Scene:
    """Return what is drawn of a state."""
    properties = range(tables.properties)
    holders = {place_of(tables, tables.property_square[at]): letter(state.property[at].owner) for at in properties}
    said = ended(tables, state)["points"]
    score = {"$": both(state.money), "cities": said["cities"], "medals": said["medals"]}
    return Scene(
        round=(int(state.turn) + 1) // 2,
        pieces=[_piece(tables, state, unit, types) for unit in living(state)],
        owners={at: of for at, of in holders.items() if of},
        cleared=(),
        score={what: (of["a"], of["b"]) for what, of in score.items()},
    )


def _piece(tables: Record, state: Record, unit: int, types: list[str]) -> Piece:
    own = state.unit[unit]
    kind = tables.type[own.type]
    symbol = symbol_of(records.SYMBOLS[kind.symbol], kind.least_range, kind.carries)
    inside = "" if own.carrier == records.NONE else name(state, own.carrier)
    at = None if own.square == records.NONE else place_of(tables, own.square)
    mark, card = name(state, unit), types[own.type]
    condition = "reduced" if own.reduced else ""
    return Piece(mark, card, "ab"[own.side], symbol, at, int(own.hp), HIT_POINTS, inside=inside, condition=condition)


def living(state: Record) -> list[int]:
    """Return the units that are left, by side and number."""
    left = (unit for unit in range(state.units) if state.unit[unit].hp > 0)
    return sorted(left, key=lambda unit: (state.unit[unit].side, state.unit[unit].number))


def ended(tables: Record, state: Record) -> dict[str, Any]:
    """Return the result as transcripts have it."""
    worth = [0, 0]
    for unit in range(state.units):
        own = state.unit[unit]
        worth[own.side] += int(tables.type[own.type].cost) * int(own.hp)
    return {
        "winner": letter(state.winner),
        "reason": records.REASONS[state.reason],
        "points": {
            "medals": both(state.medals),
            "cities": both([owns(tables, state, of, records.CITY) for of in (0, 1)]),
            "worth": both(worth),
        },
    }
