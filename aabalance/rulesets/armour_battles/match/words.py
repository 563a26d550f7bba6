"""Actions, states and results in words.

In all functions `tables` and `state` are those of the match, `number` is an action, `said` an action's text, `names`
are those of `setup.start`, `unit` is a unit and `square` a square.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from aabalance.rulesets.armour_battles.match import records
from aabalance.rulesets.armour_battles.match.actions import action
from aabalance.rulesets.armour_battles.match.board import symbol
from aabalance.rulesets.armour_battles.match.fire import units_left
from aabalance.rulesets.armour_battles.match.setup import Names
from aabalance.rulesets.armour_battles.match.sight import area, is_on_map
from aabalance.rulesets.armour_battles.match.turns import to_move
from aabalance.rulesets.armour_battles.shot.pools import D6
from aabalance.rulesets.armour_battles.shot.resolve import DISPERSED_AT
from aabalance.rulesets.base.board import Piece, Scene
from aabalance.rulesets.base.match import Record, letter, place_of

ORDERS = {
    "roll": (records.ROLL, ""),
    "die": (records.DIE, "number"),
    "lent": (records.LENT, ""),
    "staff": (records.STAFF_ORDER, ""),
    "instant": (records.INSTANT, "number"),
    "end": (records.END, ""),
    "pass": (records.PASS, ""),
    "regroup": (records.REGROUP, "unit"),
    "move": (records.MOVE, "unit"),
    "disengage": (records.DISENGAGE, "unit"),
    "rally": (records.RALLY, "unit"),
    "reserves": (records.RESERVES, ""),
    "call": (records.CALL, "battery other"),
    "smoke": (records.SMOKE, "battery other"),
    "adjust": (records.ADJUST, "battery face"),
    "maintain": (records.MAINTAIN, "battery"),
    "done": (records.CLOSE, ""),
}
"""What begins with a verb, and the words that follow."""
ACTS = {
    "to": (records.TO, "square"),
    "push": (records.PUSH, ""),
    "fire": (records.FIRE, "other wild"),
    "face": (records.FACE, "face"),
    "scoot": (records.SCOOT, ""),
    "disengage": (records.WITHDRAW, ""),
    "rally": (records.REFRESH, "wild"),
    "enter": (records.ENTER, "square"),
    "react": (records.REACT, "wild"),
    "breakoff": (records.BREAK_OFF, "wild"),
    "hold": (records.HOLD, ""),
    "shift": (records.SHIFT, "face"),
}
"""What a unit or a battery does: verbs behind its name. Paces have no word besides."""
OF_ORDER = {kind: verb for verb, (kind, _) in ORDERS.items()}
OF_ACT = {kind: verb for verb, (kind, _) in ACTS.items()}
OF_BATTERY = records.HOLD, records.SHIFT
WILD = "", "+1", "+2"

OF_SECTION = {
    "Game Turn": "roll",
    "Friendly Command Pulse": "die staff pass end",
    "Wild Dice": "lent instant push",
    "Command Groups": "done",
    "Orders": "regroup move stay single double triple to face disengage reserves enter smoke adjust maintain",
    "Rallying": "rally",
    "Logistics Phase": "hold shift",
    "Fire Combat: Direct Fire": "fire",
    "Fire Combat: Indirect Fire": "call",
    "Fire Combat: Reaction Checks": "react breakoff scoot",
}
SECTIONS = {verb: section for section, verbs in OF_SECTION.items() for verb in verbs.split()}
"""Sections of the rulebook by the verb of an action."""


def text(tables: Record, state: Record, number: int, names: Names) -> str:
    """Return an action as people write it."""
    kind, unit = number & 31, number >> records.UNIT_BITS & 63
    other, at = number >> records.OTHER_BITS & 63, number >> records.NUMBER_BITS
    if kind == records.ACT:
        return f"{names.units[unit]} {records.PACES[at]}"
    verb, follow = (OF_ORDER, ORDERS) if kind in OF_ORDER else (OF_ACT, ACTS)
    said = [] if kind in OF_ORDER else [(names.batteries if kind in OF_BATTERY else names.units)[unit]]
    for word in ["", *follow[verb[kind]][1].split()]:
        if word == "":
            said.append(verb[kind])
        elif word == "unit" or word == "battery":
            said.append((names.units if word == "unit" else names.batteries)[unit])
        elif word == "other":
            said.append(names.units[other])
        elif word == "face":
            said.append(records.DIRECTIONS[other])
        elif word == "square":
            said.append(place(tables, at))
        else:
            said.append(WILD[at] if word == "wild" else str(at))
    return " ".join(filter(None, said))


def read(tables: Record, state: Record, said: str, names: Names) -> int:
    """Return the action of a text; a text that is no action is a `ValueError`."""
    first, *rest = said.split()
    try:
        unit = other = at = 0
        if first in ORDERS:
            kind, follow = ORDERS[first]
        else:
            verb, *rest = rest
            kind, follow = (records.ACT, "") if verb in records.PACES else ACTS[verb]
            unit = (names.batteries if kind in OF_BATTERY else names.units).index(first)
            at = records.PACES.index(verb) if kind == records.ACT else 0
        for word in follow.split():
            if word == "wild":
                at = WILD.index(rest.pop()) if rest else 0
            elif word == "unit" or word == "battery":
                unit = (names.units if word == "unit" else names.batteries).index(rest.pop(0))
            elif word == "other":
                other = names.units.index(rest.pop(0))
            elif word == "face":
                other = records.DIRECTIONS.index(rest.pop(0))
            else:
                at = square_of(tables, rest.pop(0)) if word == "square" else int(rest.pop(0))
        if not rest and at >= 0:
            return action(kind, unit, other, at)
    except (IndexError, KeyError, ValueError):
        pass
    raise ValueError(said)


def place(tables: Record, square: int) -> str:
    """Return the name of a square: its column and its row."""
    x, y = place_of(tables, square)
    return f"{x},{y}"


def square_of(tables: Record, said: str) -> int:
    """Return the square that a text names; one that isn't on the map is a `ValueError`."""
    x, y = map(int, said.split(","))
    if not is_on_map(tables, x, y):
        raise ValueError(said)
    return x + y * int(tables.width)


def both(numbers: Any) -> dict[str, int]:
    """Return the numbers of both sides by letter."""
    return {"a": int(numbers[0]), "b": int(numbers[1])}


def words(tables: Record, state: Record, names: Names) -> dict[str, Any]:
    """Return a state as transcripts have it."""
    pending = {"firer": names.units[state.firer], "target": names.units[state.target], "wild": int(state.wild)}
    pulse = {"spent": int(state.spent), "chain": int(state.chain) or None, "credit": records.CREDITS[state.credit]}
    return {
        "turn": int(state.turn),
        "phase": records.PHASES[state.phase],
        "to_move": letter(to_move(state)),
        "morale": both(state.morale),
        "staff": both(state.staff),
        "dice": {
            side: [face for face in range(1, D6 + 1) for _ in range(own[face])]
            for side, own in zip("ab", state.dice, strict=True)
        },
        "lent": both(state.lent),
        "failed": {side: bool(failed) for side, failed in both(state.failed).items()},
        "pulses": both(state.pulses),
        "side": "ab"[state.side],
        "pulse": pulse,
        "group": _group(state, names) if state.group.order else None,
        "pending": None if state.firer == records.NONE else pending,
        "units": [
            _unit(tables, state, unit, names) for unit in range(tables.units) if state.unit[unit].at != records.GONE
        ],
        "batteries": [
            {"id": name, "type": card, "mission": _mission(tables, battery) if battery.mission else None}
            for name, card, battery in zip(names.batteries, names.battery_ids, state.battery, strict=False)
        ],
        "smoke": _smoke(tables, state, names),
    }


def _group(state: Record, names: Names) -> dict[str, Any]:
    group = state.group
    in_order = sorted(range(len(names.units)), key=lambda unit: unit != group.leader)
    used = sorted((own.used, name) for own, name in zip(state.unit, names.units, strict=False) if own.used)
    move = {
        "base": 6 * (group.move if group.move <= records.THREE else 1),
        "dice": group.die[: group.rolled].tolist(),
        "kind": records.MOVES[group.move],
    }
    return {
        "order": records.ORDERS[group.order],
        "leader": None if group.leader == records.NONE else names.units[group.leader],
        "members": [names.units[unit] for unit in in_order if state.unit[unit].member],
        "used": [name for _, name in used],
        "unit": None if group.unit == records.NONE else names.units[group.unit],
        "step": records.TASKS[group.task],
        "pace": records.PACES[group.pace],
        "move": move if group.move else None,
    }


def _unit(tables: Record, state: Record, unit: int, names: Names) -> dict[str, Any]:
    own = state.unit[unit]
    return {
        "id": names.units[unit],
        "type": names.ids[unit],
        "at": list(place_of(tables, own.at)) if own.at >= 0 else None,
        "facing": records.DIRECTIONS[own.face],
        "dp": int(own.dp),
        "suppressed": bool(own.suppressed),
        "activated": bool(own.activated),
        "evading": bool(own.evading),
        "ambush": bool(own.ambush),
        "reserve": bool(own.at == records.RESERVE),
    }


def _mission(tables: Record, battery: Record) -> dict[str, Any]:
    return {
        "kind": records.MISSIONS[battery.mission],
        "aim": list(place_of(tables, battery.aim)),
        "status": records.STATUSES[battery.status],
        "turn": int(battery.turn),
    }


def _smoke(tables: Record, state: Record, names: Names) -> Sequence[dict[str, Any]]:
    clouds = sorted((int(own.cloud), at) for at, own in enumerate(state.battery) if own.cloud)
    found = []
    for _, at in clouds:
        own = state.battery[at]
        squares = [(int(own.x) + dx, int(own.y) + dy) for dx, dy in map(area, range(5))]
        found.append(
            {
                "side": "ab"[tables.battery_side[at]],
                "battery": names.batteries[at],
                "squares": [[x, y] for x, y in squares if is_on_map(tables, x, y)],
            }
        )
    return found


def ended(tables: Record, state: Record) -> dict[str, Any]:
    """Return the result as transcripts have it."""
    return {
        "winner": letter(state.winner),
        "reason": records.REASONS[state.reason],
        "points": {
            "morale": both(state.morale),
            "units": {"ab"[side]: units_left(tables, state, side) for side in (0, 1)},
        },
    }


def scene(tables: Record, state: Record, names: Names) -> Scene:
    """Return what is drawn of a state; disruption points take away from a unit's strength."""
    pieces = []
    for unit, (mark, card, own) in enumerate(zip(names.units, names.ids, state.unit, strict=False)):
        if own.at == records.GONE:
            continue
        at = place_of(tables, own.at) if own.at >= 0 else None
        drawn, left = symbol(names.cards[unit]), DISPERSED_AT - int(own.dp)
        facing = records.DIRECTIONS[own.face]
        pieces.append(Piece(mark, card, mark[0], drawn, at, left, DISPERSED_AT, facing))
    pieces += [
        Piece(mark, card, mark[0], "artillery", None, 1, 1)
        for mark, card in zip(names.batteries, names.battery_ids, strict=True)
    ]
    score = {"morale": state.morale, "staff orders": state.staff, "command dice": state.dice.sum(axis=1)}
    shown = {name: (int(a), int(b)) for name, (a, b) in score.items()}
    return Scene(round=int(state.turn), pieces=pieces, owners={}, cleared=(), score=shown)
