"""Tables and state of a match, as numpy records of one size for all boards, and the numbers that stand for words."""

from __future__ import annotations

from typing import get_args

import numpy as np

from aabalance.rulesets.base.match import fields, of_players, record
from aabalance.rulesets.skirmish_wars.card import Symbol
from aabalance.rulesets.skirmish_wars.situation import Terrain

MOST_SQUARES, MOST_UNITS, MOST_PROPERTIES, MOST_TYPES = 512, 64, 48, 32
"""Largest board, largest number of units in play, of properties, and of types of units."""

SYMBOLS: tuple[str, ...] = get_args(Symbol)
TERRAINS: tuple[str, ...] = get_args(Terrain)

STEPS = (1, 0), (-1, 0), (0, 1), (0, -1)
"""The steps, in columns and rows, from a square to the four around it."""
GROUNDS = "grass", "road", "forest", "river", "hill", "city", "factory", "hq"
"""Kinds of squares (2.2)."""
CITY, FACTORY, HQ = range(3)
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

TYPE = record(
    fields(np.int32, "symbol cost mp defense least_range most_range"),
    fields(np.int32, "firepower", 2, len(SYMBOLS)),
    fields(np.int32, "entry", len(GROUNDS)),
    fields(np.int32, "carries in_shop counters"),
)
"""A type of units: `firepower` at full strength and reduced, by symbol; `entry` is the movement cost by ground, 0 if it
is closed; `counters` as in S-17."""

WEIGHTS = {
    "money": 0.25,
    "city": 12.0,
    "factory": 11.0,
    "hq": 38.0,
    "foot": 9.0,
    "nearer": 0.15,
    "threat": 0.045,
    "in_the_way": 1.1,
}
"""What players think that things are worth, in $: see `aabalance.rulesets.skirmish_wars.match.judgement.value`.

Tuned by `benchmarks.weights`: with them greedy scores .54 (.52 to .56) on `crossing_armies`, .65 (.61 to .69) on
`crossing` against greedy with the weights that were guessed before, in 160 pairs of matches each.
"""

TABLES = record(
    fields(np.int32, "width height types properties first"),
    fields(np.int32, "conquest medals cities turn_limit unreduce_on_repair factories_save"),
    fields(np.int32, "x y ground terrain property_at", MOST_SQUARES),
    fields(np.int32, "adjacent", MOST_SQUARES, len(STEPS)),
    fields(np.int32, "property_square property_kind first_owner", MOST_PROPERTIES),
    fields(TYPE, "type", MOST_TYPES),
    fields(np.int32, "hits die", DAMAGES, len(TERRAINS)),
    of_players(WEIGHTS),
)
"""What never changes in a match. `adjacent` has the four squares around each, `NONE` off the board;
`terrain` is the column of the chart by square; `hits` and `die` are its cells."""

UNIT = record(fields(np.int16, "number side type square carrier hp reduced done"))
"""A unit: without hit points it has no square, and its place among the units is free. `carrier` is the unit that it is
aboard."""

PROPERTY = record(fields(np.int16, "owner captured"))

STATE = record(
    fields(np.int16, "turn to_move phase active winner reason"),
    fields(np.int32, "money", 2),
    fields(np.int16, "issued medals in_play", 2),
    fields(np.int16, "units"),
    fields(np.int16, "eliminated", 2, MOST_TYPES),
    fields(PROPERTY, "property", MOST_PROPERTIES),
    fields(UNIT, "unit", MOST_UNITS),
    fields(np.int8, "unit_at", MOST_SQUARES),
)
"""A state: `turn`, the player turns from 1 on; `units`, the places of units that have ever been used; `in_play`, the
units that a side has left; `medals`, the enemy units that it has eliminated. `to_move` is `NOBODY` once the match is
over."""

MOVE, LOAD, ATTACK, CAPTURE, UNLOAD, BUY, END = range(7)
"""Kinds of actions. An action's parts: its kind, the unit that acts, another unit or a type, a square."""
