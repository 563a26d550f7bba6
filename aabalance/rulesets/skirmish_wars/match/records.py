"""Tables and state of a match, as numpy records of one size for all boards, and the numbers that stand for words."""

from __future__ import annotations

from typing import get_args

import numpy as np

from aabalance.rulesets.skirmish_wars.card import Symbol
from aabalance.rulesets.skirmish_wars.situation import Terrain

MOST_SQUARES, MOST_UNITS, MOST_PROPERTIES, MOST_TYPES = 512, 64, 48, 32
"""Largest board, largest number of units in play, of properties, and of types of units."""

SYMBOLS: tuple[str, ...] = get_args(Symbol)
TERRAINS: tuple[str, ...] = get_args(Terrain)

GROUNDS = "grass", "road", "forest", "river", "hill", "city", "factory", "hq"
"""Kinds of squares (2.2)."""
PROPERTIES = CITY, FACTORY, HQ = range(3)
NO_PROPERTY = -1
FIRST_PROPERTY = 5
"""Kinds of properties, and where they begin among the grounds."""
PHASES = "move", "purchase"
MOVING, BUYING = range(2)
REASONS = (
    "not over",
    "conquest: no enemy unit left",
    "conquest: HQ captured",
    "victory medals",
    "city conquest",
    "turn limit",
)
NOT_OVER, NO_UNIT_LEFT, HQ_CAPTURED, MEDALS, CITIES, TURN_LIMIT = range(6)
NOBODY = 2
"""In place of a side."""
NONE = -1
"""In place of a unit, a square or a property: there is none."""
NO_LIMIT = -1
LEAST_DAMAGE, DAMAGES = -3, 17
"""First row of the chart, and the number of its rows."""

TYPE = np.dtype(
    (
        np.record,
        [
            ("symbol", np.int32),
            ("cost", np.int32),
            ("mp", np.int32),
            ("defense", np.int32),
            ("least_range", np.int32),
            ("most_range", np.int32),
            ("firepower", np.int32, (2, len(SYMBOLS))),
            ("entry", np.int32, len(GROUNDS)),
            ("carries", np.int32),
            ("in_shop", np.int32),
            ("counters", np.int32),
        ],
    )
)
"""A type of units: `firepower` at full strength and reduced, by symbol; `entry` is the movement cost by ground, 0 if it
is closed; `counters` as in S-17."""

WEIGHTS = {
    "money": 0.5,
    "city": 12.0,
    "factory": 10.0,
    "hq": 24.0,
    "foot": 4.0,
    "nearer": 0.35,
    "threat": 0.1,
    "in_the_way": 3.0,
}
"""What players think that things are worth, in $: see `aabalance.rulesets.skirmish_wars.match.judgement.value`."""

TABLES = np.dtype(
    (
        np.record,
        [
            ("width", np.int32),
            ("height", np.int32),
            ("types", np.int32),
            ("properties", np.int32),
            ("first", np.int32),
            ("conquest", np.int32),
            ("medals", np.int32),
            ("cities", np.int32),
            ("turn_limit", np.int32),
            ("unreduce_on_repair", np.int32),
            ("factories_save", np.int32),
            ("x", np.int32, MOST_SQUARES),
            ("y", np.int32, MOST_SQUARES),
            ("ground", np.int32, MOST_SQUARES),
            ("terrain", np.int32, MOST_SQUARES),
            ("property_at", np.int32, MOST_SQUARES),
            ("property_square", np.int32, MOST_PROPERTIES),
            ("property_kind", np.int32, MOST_PROPERTIES),
            ("first_owner", np.int32, MOST_PROPERTIES),
            ("type", TYPE, MOST_TYPES),
            ("hits", np.int32, (DAMAGES, len(TERRAINS))),
            ("die", np.int32, (DAMAGES, len(TERRAINS))),
            ("weight", np.dtype((np.record, [(name, np.float64) for name in WEIGHTS]))),
        ],
    )
)
"""What never changes in a match. `terrain` is the column of the chart by square; `hits` and `die` are its cells."""

UNIT = np.dtype(
    (
        np.record,
        [
            ("number", np.int16),
            ("side", np.int16),
            ("type", np.int16),
            ("square", np.int16),
            ("carrier", np.int16),
            ("hp", np.int16),
            ("reduced", np.int16),
            ("done", np.int16),
        ],
    )
)
"""A unit: without hit points, its place among the units is free. `carrier` is the unit that it is aboard."""

PROPERTY = np.dtype((np.record, [("owner", np.int16), ("captured", np.int16)]))

STATE = np.dtype(
    (
        np.record,
        [
            ("turn", np.int16),
            ("to_move", np.int16),
            ("phase", np.int16),
            ("active", np.int16),
            ("winner", np.int16),
            ("reason", np.int16),
            ("money", np.int32, 2),
            ("issued", np.int16, 2),
            ("medals", np.int16, 2),
            ("in_play", np.int16, 2),
            ("units", np.int16),
            ("eliminated", np.int16, (2, MOST_TYPES)),
            ("property", PROPERTY, MOST_PROPERTIES),
            ("unit", UNIT, MOST_UNITS),
            ("unit_at", np.int8, MOST_SQUARES),
        ],
    )
)
"""A state: `turn`, the player turns from 1 on; `units`, the places of units that have ever been used; `in_play`, the
units that a side has left; `medals`, the enemy units that it has eliminated. `to_move` is `NOBODY` once the match is
over."""

MOVE, LOAD, ATTACK, CAPTURE, UNLOAD, BUY, END = range(7)
"""Kinds of actions. An action is a number: its kind, the unit that acts, another unit or a type, a square."""
UNIT_BITS, SQUARE_BITS = 3, 15
OTHER_BITS = 9
