"""Actions, states and results in words.

In all functions `tables` and `state` are those of the match, `number` is an action, `said` its text, and `names` are
those of `start`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from aabalance.rulesets.armored_advance.card import Unit
from aabalance.rulesets.armored_advance.match import records
from aabalance.rulesets.armored_advance.match.board import symbol
from aabalance.rulesets.armored_advance.match.turns import holder, tally
from aabalance.rulesets.base.board import Piece, Scene, Square
from aabalance.rulesets.base.match import ACTOR, EXTRA, OTHER, Record, parts_of
from aabalance.rulesets.base.notation import Slot, both, letter, named, patterns_and_sections, place_of, squares

ACTIONS = {
    records.ROLL_OFF: ("roll off", "p. 22 Deployment"),
    records.ZONE: ("zone ZONE", "p. 22 Deployment"),
    records.PLACE: ("UNIT place SQUARE", "p. 22 Deployment"),
    records.MOVE: ("UNIT move SQUARE FACING", "p. 4 Movement"),
    records.FREE: ("UNIT free SQUARE FACING", "p. 4 Movement: Light"),
    records.SHOOT: ("UNIT shoot OTHER WEAPON", "p. 5 Shooting"),
    records.AIM: ("UNIT aim OTHER WEAPON", "p. 12 Accurate"),
    records.LOB: ("UNIT lob OTHER WEAPON", "p. 15 Indirect"),
    records.THROW: ("UNIT GRENADE OTHER", "p. 18 Grenade"),
    records.SCOUT: ("UNIT scout OTHER FRIEND", "p. 11 Scout"),
    records.SET_UP: ("UNIT setup", "p. 15 Indirect"),
    records.DEMOLISH: ("UNIT demolish SQUARE", "p. 21 Tank Traps"),
    records.LOAD: ("UNIT load OTHER", "p. 18 Embarkation"),
    records.EXIT: ("UNIT exit SQUARE", "p. 18 Embarkation"),
    records.HITCH: ("UNIT hitch OTHER", "p. 13 Towing"),
    records.DROP: ("UNIT drop SQUARE FACING", "p. 13 Towing"),
    records.END: ("end", "p. 22 Game Start"),
}
"""How people write actions, and the sections of the rulebook behind them."""
PATTERNS, SECTIONS = patterns_and_sections(ACTIONS)
COUNTED = (
    *("used", "marches", "moves", "tenths", "freed", "still", "on_road"),
    *("reload", "set_up", "last_tenths", "last_moves", "active", "stunned", "grenades"),
)
"""Fields of a unit that are 0 at rest."""


class Names(NamedTuple):
    """What units, zones and slots are called.

    Attributes
    ----------
    units, zones : sequence of str
        In their order.
    slots : sequence of sequence of str
        Of each unit, by the number of the slot.
    cards : sequence of Unit
        Of each unit.
    """

    units: Sequence[str]
    zones: Sequence[str]
    slots: Sequence[Sequence[str]]
    cards: Sequence[Unit]


def slots(tables: Record, state: Record, names: Names) -> dict[str, Slot]:
    """Return what stands for the words of `PATTERNS`."""
    return {
        "UNIT": named(ACTOR, names.units),
        "OTHER": named(OTHER, names.units),
        "FRIEND": named(EXTRA, names.units),
        "ZONE": named(OTHER, names.zones),
        "WEAPON": named(EXTRA, [f"w{weapon}" for weapon in range(records.MOST_WEAPONS)]),
        "GRENADE": Slot(EXTRA, lambda _: "grenade", {"grenade": records.GRENADE_SLOT}.__getitem__),
        "FACING": named(EXTRA, (*records.FACINGS, "")),
        "SQUARE": squares(tables),
    }


def weapon(number: int, names: Names) -> str:
    """Return the name of the weapon that an action fires, or nothing."""
    kind, unit, _, _, extra = parts_of(number)
    return names.cards[unit].weapons[extra].name if "WEAPON" in PATTERNS[kind] else ""


def disarmed(card: Unit) -> dict[str, Unit]:
    """Return the cards that lack one of its weapons each, by the weapon's name."""
    names = dict.fromkeys(weapon.name for weapon in card.weapons)
    return {
        name: card.model_copy(update={"weapons": tuple(weapon for weapon in card.weapons if weapon.name != name)})
        for name in names
    }


def words(tables: Record, state: Record, names: Names) -> dict[str, Any]:
    """Return a state as transcripts have it."""
    said: dict[str, Any] = {
        "phase": records.PHASES[state.phase],
        "to_move": letter(state.to_move),
        "turn": int(state.turn),
        "units": {
            name: _unit(tables, state, unit, names) for unit, name in enumerate(names.units) if state.unit[unit].hp > 0
        },
    }
    if state.phase == records.PLAYING:
        said |= {"left": int(state.left), "last_loss": int(state.last_loss)}
    pairs = {
        f"{names.units[one.friend]} {names.units[one.enemy]}": int(one.bonus)
        for one in state.scouted[: state.scouts]
        if state.unit[one.enemy].hp > 0 and state.unit[one.friend].hp > 0
    }
    if pairs:
        said["scouted"] = pairs
    if cleared := _cleared(tables, state):
        said["cleared"] = [list(at) for at in cleared]
    if state.zone[0] != records.NONE:
        said["zones"] = {"ab"[of]: names.zones[state.zone[of]] for of in (0, 1)}
    if tables.mode == records.DOMINATION:
        said["points"] = both(state.points)
        played = state.turn > 0
        said["owners"] = [letter(holder(tables, state, at)) for at in range(tables.objectives)] if played else []
    return said


def _cleared(tables: Record, state: Record) -> list[Square]:
    """Return where tank traps have fallen."""
    return sorted(place_of(tables, square) for square in tables.trap[np.flatnonzero(state.cleared)])


def _unit(tables: Record, state: Record, unit: int, names: Names) -> dict[str, Any]:
    """Return what of a unit differs from the values at rest."""
    own = state.unit[unit]
    said: dict[str, Any] = {"hp": int(own.hp)}
    if own.at != records.NONE:
        said |= {"x": int(tables.x[own.at]), "y": int(tables.y[own.at])}
        if own.f != records.NO_FACING:
            said["f"] = records.FACINGS[own.f]
    for way in ("aboard", "towed"):
        if (carrier := getattr(own, way)) != records.NONE:
            said[way] = names.units[carrier]
    if own.first:
        said["first"] = (None, "move", "other")[own.first]
    fired = {name: int(n) for name, n in zip(names.slots[unit], own.fired, strict=False) if n}
    if own.fired[records.GRENADE_SLOT]:
        fired["grenade"] = int(own.fired[records.GRENADE_SLOT])
    if fired:
        said["fired"] = fired
    return said | {field: int(count) for field in COUNTED if (count := getattr(own, field))}


def scene(tables: Record, state: Record, names: Names) -> Scene:
    """Return what is drawn of a state."""
    holders = {at: letter(holder(tables, state, at)) for at in range(tables.objectives)}
    domination = tables.mode == records.DOMINATION
    return Scene(
        round=int(state.turn + 1) // 2,
        pieces=[_piece(tables, state, unit, names) for unit in range(tables.units) if state.unit[unit].hp > 0],
        owners={place_of(tables, tables.objective[at]): of for at, of in holders.items() if domination and of},
        cleared=_cleared(tables, state),
        score={"points" if domination else "requisition left": (tally(tables, state, 0), tally(tables, state, 1))},
    )


def _piece(tables: Record, state: Record, unit: int, names: Names) -> Piece:
    own, carrier = state.unit[unit], max(state.unit[unit].aboard, state.unit[unit].towed)
    mark, _, name = names.units[unit].partition(".")
    return Piece(
        mark,
        name,
        "ab"[tables.side[unit]],
        symbol(names.cards[unit]),
        None if own.at == records.NONE else place_of(tables, own.at),
        int(own.hp),
        int(tables.card[unit].toughness),
        "" if own.f == records.NO_FACING or own.at == records.NONE else records.FACINGS[own.f],
        "" if carrier == records.NONE else names.units[carrier].partition(".")[0],
        "stunned" if state.unit[unit].stunned else "",
    )


def ended(tables: Record, state: Record) -> dict[str, Any]:
    """Return the result as transcripts have it."""
    return {
        "winner": letter(state.winner),
        "reason": records.REASONS[state.reason] if state.reason else None,
        "points": both([tally(tables, state, side) for side in (0, 1)]),
    }
