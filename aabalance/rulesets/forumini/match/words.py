"""Actions, states and results in words.

In all functions `tables` and `state` are those of the match, `number` is an action or a side, `said` an action's text,
`names` are those of `setup.start`, `unit` is a unit and `at` a hex.
"""

from __future__ import annotations

from typing import Any

from aabalance.errors import counted
from aabalance.rulesets.base.board import Piece, Scene
from aabalance.rulesets.base.match import ACTOR, OTHER, Record
from aabalance.rulesets.base.notation import Slot, letter, name_of, named, patterns_and_sections, place_of, squares
from aabalance.rulesets.forumini.match import records
from aabalance.rulesets.forumini.match.board import symbol
from aabalance.rulesets.forumini.match.setup import Names
from aabalance.rulesets.forumini.match.turns import points
from aabalance.rulesets.forumini.shot.rules import COUNTERS

DAMAGED = "", "Damaged", "Damaged twice", "Damaged three times"
"""A vehicle by the number of its face-up Damaged counters."""
DECIMALS = 9
"""Of sums of costs: that of 0.1 and 0.2 is 0.3."""
ACTIONS = {
    records.START: ("start", "Initial Deployment"),
    records.FIRST: ("first", "A. Initiative"),
    records.SECOND: ("second", "A. Initiative"),
    records.WEST: ("west", "Initial Deployment"),
    records.EAST: ("east", "Initial Deployment"),
    records.PLACE: ("UNIT at HEX", "Initial Deployment"),
    records.GO: ("UNIT go FACE", "General Movement"),
    records.STOP: ("UNIT stop FACING", "General Movement"),
    records.FACE: ("UNIT face FACE", "Vehicle Movement 3"),
    records.LIE: ("UNIT dirt", "Hit the Dirt"),
    records.RISE: ("UNIT rise", "Hit the Dirt"),
    records.HIDE: ("UNIT hull", "Hull Down"),
    records.WATCH: ("UNIT watch", "Overwatch"),
    records.AIM: ("UNIT aim HEX", "Overwatch 1"),
    records.UNWATCH: ("UNIT unwatch", "Overwatch"),
    records.ATTACK: ("UNIT attack OTHER", "Direct Fire 1"),
    records.BARRAGE: ("UNIT barrage HEX", "Indirect Fire"),
    records.FIRE: ("UNIT fire", "Defensive Fire"),
    records.PASS: ("pass", ""),
    records.END: ("end", ""),
}
"""How people write actions, and the sections of the rulebook behind them."""
PATTERNS, SECTIONS = patterns_and_sections(ACTIONS)


def slots(tables: Record, state: Record, names: Names) -> dict[str, Slot]:
    """Return what stands for the words of `PATTERNS`."""
    return {
        "UNIT": named(ACTOR, names.units),
        "OTHER": named(OTHER, names.units),
        "FACE": named(OTHER, records.DIRECTIONS),
        "FACING": named(OTHER, records.FACINGS),
        "HEX": squares(tables),
    }


def place(tables: Record, at: int) -> str | None:
    """Return the name of a hex, its column and its row; None for none."""
    return squares(tables).say(at) if at >= 0 else None


def words(tables: Record, state: Record, names: Names) -> dict[str, Any]:
    """Return a state as transcripts have it."""
    west = int(state.west)
    moving = None
    if state.moving != records.NONE:
        moving = {
            "unit": names.units[state.moving],
            "points": int(state.points),
            "road": bool(state.road),
            "path": [place(tables, at) for at in state.path[: state.steps]],
        }
    under_fire = {"unit": names.units[state.moving], "from": place(tables, state.path[state.steps - 2])}
    return {
        "turn": int(state.turn),
        "phase": records.PHASES[state.phase],
        "first": letter(state.first),
        "active": None if state.phase == records.OVER else letter(state.active),
        "ends": {} if west == records.NONE else {"ab"[west]: "west", "ba"[west]: "east"},
        "units": {name: _unit(tables, state, unit, names) for unit, name in enumerate(names.units)},
        "moving": moving,
        "fire": under_fire if state.under_fire else None,
        "aiming": name_of(names.units, state.aiming),
        "destroyed": _points(tables, state)[1],
    }


def _unit(tables: Record, state: Record, unit: int, names: Names) -> dict[str, Any]:
    own = state.unit[unit]
    return {
        "card": names.ids[unit],
        "at": place(tables, own.at),
        "face": records.FACINGS[own.face] or None,
        "down": int(own.down),
        "pinned": bool(own.pinned),
        "worse": bool(own.worse),
        "mark": records.MARKS[own.mark],
        "watch": place(tables, own.watch),
        "act": records.ACTS[own.act],
        "shots": int(own.shots),
        "fired": bool(own.fired),
    }


def _points(tables: Record, state: Record) -> list[dict[str, float]]:
    """Return the sums of costs that `points` counts, by side, as whole numbers where they are some."""
    of_both = zip(points(tables, state, 0), points(tables, state, 1), strict=True)
    return [{side: _whole(cost) for side, cost in zip("ab", costs, strict=True)} for costs in of_both]


def _whole(cost: float) -> float:
    rounded = round(float(cost), DECIMALS)
    return int(rounded) if rounded == int(rounded) else rounded


def scene(tables: Record, state: Record, names: Names) -> Scene:
    """Return what is drawn of a state."""
    left, _, zone = _points(tables, state)
    holders = [side for side, cost in zone.items() if cost]
    return Scene(
        round=int(state.turn),
        pieces=[
            _piece(tables, state, unit, names) for unit in range(tables.units) if state.unit[unit].at != records.GONE
        ],
        owners={place_of(tables, tables.objective): holders[0]} if len(holders) == 1 else {},
        cleared=(),
        score={"points left": (left["a"], left["b"]), "points in the zone": (zone["a"], zone["b"])},
    )


def _piece(tables: Record, state: Record, unit: int, names: Names) -> Piece:
    """Return a unit as it is drawn: of its strength, counters take away as many as they are."""
    own = state.unit[unit]
    face_up = 2 if own.worse else int(own.pinned)
    return Piece(
        names.units[unit],
        names.ids[unit],
        names.units[unit][0],
        symbol(names.cards[unit]),
        place_of(tables, own.at) if own.at >= 0 else None,
        COUNTERS + 1 - max(int(own.down), face_up),
        COUNTERS + 1,
        records.FACINGS[own.face],
        condition=_condition(tables, own, unit),
    )


def _condition(tables: Record, own: Record, unit: int) -> str:
    """Return the counters of a unit in words."""
    is_soldier, face_down = tables.card[unit].kind == records.SOLDIER, counted(int(own.down), "counter")
    said = {
        "Demoralized" if is_soldier else DAMAGED[own.worse]: own.worse,
        "Pinned": own.pinned,
        f"{face_down} face down": own.down,
    }
    return ", ".join(name for name, number in said.items() if number)


def ended(tables: Record, state: Record) -> dict[str, Any]:
    """Return the result as transcripts have it."""
    left, _, in_zone = _points(tables, state)
    return {
        "winner": letter(state.winner),
        "reason": records.REASONS[state.reason] if state.reason else None,
        "turn": int(state.turn),
        "points": left,
        "zone": in_zone,
    }
