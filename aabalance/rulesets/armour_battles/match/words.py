"""Actions, states and results in words.

In all functions `tables` and `state` are those of the match, `number` is an action, `said` an action's text, `names`
are those of `setup.start`, and `unit` is a unit.
"""

from __future__ import annotations

from typing import Any

from aabalance.rulesets.armour_battles.match import records
from aabalance.rulesets.armour_battles.match.board import symbol
from aabalance.rulesets.armour_battles.match.fire import units_left
from aabalance.rulesets.armour_battles.match.movement import BASE_IN, moves_of
from aabalance.rulesets.armour_battles.match.setup import Names
from aabalance.rulesets.armour_battles.match.sight import is_on_map
from aabalance.rulesets.armour_battles.match.turns import to_move
from aabalance.rulesets.armour_battles.shot.pools import D6
from aabalance.rulesets.armour_battles.shot.resolve import DISPERSED_AT
from aabalance.rulesets.base.board import Piece, Scene
from aabalance.rulesets.base.match import ACTOR, NUMBER, OTHER, Record
from aabalance.rulesets.base.notation import Slot, both, letter, named, patterns_and_sections, place_of, squares

ACTIONS = {
    records.ROLL: ("roll", "Game Turn"),
    records.DIE: ("die NUMBER", "Friendly Command Pulse"),
    records.LENT: ("lent", "Wild Dice"),
    records.STAFF_ORDER: ("staff", "Friendly Command Pulse"),
    records.INSTANT: ("instant NUMBER", "Wild Dice"),
    records.END: ("end", "Friendly Command Pulse"),
    records.PASS: ("pass", "Friendly Command Pulse"),
    records.REGROUP: ("regroup UNIT", "Orders"),
    records.MOVE: ("move UNIT", "Orders"),
    records.DISENGAGE: ("disengage UNIT", "Orders"),
    records.RALLY: ("rally UNIT", "Rallying"),
    records.RESERVES: ("reserves", "Orders"),
    records.CALL: ("call BATTERY OTHER", "Fire Combat: Indirect Fire"),
    records.SMOKE: ("smoke BATTERY OTHER", "Orders"),
    records.ADJUST: ("adjust BATTERY FACE", "Orders"),
    records.MAINTAIN: ("maintain BATTERY", "Orders"),
    records.CLOSE: ("done", "Command Groups"),
    records.ACT: ("UNIT PACE", "Orders"),
    records.TO: ("UNIT to SQUARE", "Orders"),
    records.PUSH: ("UNIT push", "Wild Dice"),
    records.FIRE: ("UNIT fire OTHER WILD", "Fire Combat: Direct Fire"),
    records.FACE: ("UNIT face FACE", "Orders"),
    records.SCOOT: ("UNIT scoot", "Fire Combat: Reaction Checks"),
    records.WITHDRAW: ("UNIT disengage", "Orders"),
    records.RALLY_UNIT: ("UNIT rally WILD", "Rallying"),
    records.ENTER: ("UNIT enter SQUARE", "Orders"),
    records.REACT: ("UNIT react WILD", "Fire Combat: Reaction Checks"),
    records.BREAK_OFF: ("UNIT breakoff WILD", "Fire Combat: Reaction Checks"),
    records.HOLD: ("BATTERY hold", "Logistics Phase"),
    records.SHIFT: ("BATTERY shift FACE", "Logistics Phase"),
}
"""How people write actions, and the sections of the rulebook behind them."""
PATTERNS, SECTIONS = patterns_and_sections(ACTIONS)
SECTIONS |= dict.fromkeys(filter(None, records.PACES), ACTIONS[records.ACT][1])


def slots(tables: Record, state: Record, names: Names) -> dict[str, Slot]:
    """Return what stands for the words of `PATTERNS`."""
    return {
        "UNIT": named(ACTOR, names.units),
        "BATTERY": named(ACTOR, names.batteries),
        "OTHER": named(OTHER, names.units),
        "FACE": named(OTHER, records.DIRECTIONS),
        "SQUARE": squares(tables),
        "NUMBER": Slot(NUMBER, str, int),
        "PACE": named(NUMBER, [*map(str, records.PACES)]),
        "WILD": named(NUMBER, ("", "+1", "+2")),
    }


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
        "base": BASE_IN * moves_of(int(group.move)),
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
    """Return the Fire Mission of a battery in words."""
    return {
        "kind": records.MISSIONS[battery.mission],
        "aim": list(place_of(tables, battery.aim)),
        "status": records.STATUSES[battery.status],
        "turn": int(battery.turn),
    }


def _smoke(tables: Record, state: Record, names: Names) -> list[dict[str, Any]]:
    clouds = sorted((own.cloud, at, int(own.x), int(own.y)) for at, own in enumerate(state.battery) if own.cloud)
    return [
        {
            "side": "ab"[tables.battery_side[at]],
            "battery": names.batteries[at],
            "squares": [[x + dx, y + dy] for dx, dy in records.AREA if is_on_map(tables, x + dx, y + dy)],
        }
        for _, at, x, y in clouds
    ]


def ended(tables: Record, state: Record) -> dict[str, Any]:
    """Return the result as transcripts have it."""
    return {
        "winner": letter(state.winner),
        "reason": records.REASONS[state.reason],
        "points": {
            "morale": both(state.morale),
            "units": both([units_left(tables, state, side) for side in (0, 1)]),
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
        facing, condition = records.DIRECTIONS[own.face], "suppressed" if own.suppressed else ""
        pieces.append(Piece(mark, card, mark[0], drawn, at, left, DISPERSED_AT, facing, condition=condition))
    pieces += [
        Piece(mark, card, mark[0], "artillery", None, 1, 1)
        for mark, card in zip(names.batteries, names.battery_ids, strict=True)
    ]
    score = {"morale": state.morale, "staff orders": state.staff, "command dice": state.dice.sum(axis=1)}
    shown = {name: (int(a), int(b)) for name, (a, b) in score.items()}
    return Scene(round=int(state.turn), pieces=pieces, owners={}, cleared=(), score=shown)
