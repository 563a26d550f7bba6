"""Tables and state of a match, as numpy records of one size for all boards, and the numbers that stand for words."""

from __future__ import annotations

import numpy as np

from aabalance.rulesets.armour_battles.shot.pools import D6
from aabalance.rulesets.base.match import MOST_UNITS, fields, of_players, record

MOST_SQUARES, MOST_BATTERIES = 512, 16
"""Largest board, and largest number of batteries of both sides together."""
MOST_COMMAND_DICE = 20
MOST_FIRE_DICE, MOST_REACTION_DICE = 23, 28
"""Dice that a pool of the largest card has with all that is added to it."""
MOVE_DICE = 6
"""Dice of a reconnaissance unit's triple move."""

DIRECTIONS = "N", "NE", "E", "SE", "S", "SW", "W", "NW"
STEPS = (0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)
"""Columns and rows of a step in each direction."""
EAST, WEST = 2, 6
AREA = (0, -1), (-1, 0), (0, 0), (1, 0), (0, 1)
"""Columns and rows from the middle of a mission's area to its squares [B-29]."""

GROUNDS = "open", "scrub", "wood", "town", "hill", "water"
OPEN, SCRUB, WOOD, TOWN, HILL, WATER = range(6)
FACTORS = 1, 1, 2, 2, 1, 0
"""What a step onto a ground costs, times its length; 0: it is closed."""
COVER = SCRUB, WOOD, TOWN
"""Grounds with light cover."""
HIGH = WOOD, TOWN
"""Grounds that always block sight; a hill does so only between two units of which none is on a hill."""

PHASES = "roll", "pulse", "logistics"
ROLLING, PULSE, LOGISTICS = range(3)
CREDITS = None, "command", "staff"
NO_CREDIT, COMMAND, STAFF = range(3)
ORDERS = "", "move", "disengage", "rally", "reserves"
NO_ORDER, TO_MOVE, TO_DISENGAGE, TO_RALLY, TO_RESERVES = range(5)
TASKS = None, "to", "fire", "scoot"
NO_TASK, GO, SHOOT, LEAVE = range(4)
"""What the unit that acts may do next, the `step` of transcripts."""
PACES = None, "stay", "single", "double", "triple"
NO_PACE, STAY, SINGLE, DOUBLE, TRIPLE = range(5)
MOVES = None, "single", "double", "triple", "disengage", "scoot"
NO_MOVE, ONE, TWO, THREE, BACK, SCOOTING = range(6)
MISSIONS = "", "fire", "smoke"
NO_MISSION, FIRE_MISSION, SMOKE_MISSION = range(3)
STATUSES = "called", "maintained", "done"
CALLED, MAINTAINED, DONE = range(3)
REASONS = "not over", "army broken", "no unit left", "turn limit"
NOT_OVER, ARMY_BROKEN, NO_UNIT_LEFT, TURN_LIMIT = range(4)
NOBODY = 2
"""In place of a side."""
NONE, RESERVE, GONE = -1, -2, -3
"""In place of a unit or a square: there is none; and in place of the square of a unit that is in reserve, or gone."""
ANY_SUCCESS, IN_AREA, NET = range(3)
"""Readings of B-3."""
REGROUPS, AT_END, NEVER = range(3)
"""Readings of B-5."""

CARD = record(
    fields(np.int32, "at_dice reaction reaction_indirect artillery open_topped reconnaissance destroyer points"),
    fields(np.int32, "reach", 3),
)
"""A card: `reach` are the largest squared distances, in squares, of close, effective and long range; 0 without a
gun."""

ARMY = record(fields(np.int32, "command_dice staff_orders rally_dice morale"))

WEIGHTS = {
    "dp": 0.19,
    "suppressed": 0.8,
    "wild": 0.22,
    "worn": 0.24,
    "least_shot": 0.71,
    "stays": 1.8,
    "regroup": 3.5,
    "reserves": 1.1,
    "call": 0.49,
    "rally": 0.92,
    "danger": 0.11,
    "cover": 0.17,
    "far": 0.022,
}
"""What players think that things are worth, in points of morale or disruption points: see
`aabalance.rulesets.armour_battles.match.judgement`.

Tuned by `benchmarks.weights`: with them greedy scores .55 (.51 to .59) on `crossroads`, .50 (.46 to .54) on
`battle_line` against greedy with the weights that were guessed before, in 160 pairs of matches each.
"""

TABLES = record(
    fields(np.int32, "width height squares units units_of_a batteries turn_limit"),
    fields(np.int32, "no_cancel indirect_hit lower_band clears first_face once_a_pulse"),
    fields(ARMY, "army", 2),
    fields(np.int32, "x y ground factor cover", MOST_SQUARES),
    fields(np.int32, "adjacent", MOST_SQUARES, len(DIRECTIONS)),
    fields(np.int8, "sight shelter", MOST_SQUARES, MOST_SQUARES),
    fields(np.int32, "side", MOST_UNITS),
    fields(CARD, "card", MOST_UNITS),
    fields(np.int32, "battery_side", MOST_BATTERIES),
    fields(CARD, "battery_card", MOST_BATTERIES),
    fields(np.float32, "toll", MOST_FIRE_DICE + 1, D6 + 1, MOST_REACTION_DICE + 1, 2),
    of_players(WEIGHTS),
)
"""What never changes in a match. `sight` says whether a square is seen from another where there is no smoke, and
`shelter` how many reaction dice a unit has there against fire from it; `toll` are the disruption points on the mean, at
most three, by fire dice, target number, reaction dice, and whether the target is suppressed. The second line are rule
switches."""

UNIT = record(fields(np.int16, "at"), fields(np.int8, "face dp suppressed activated evading ambush member used"))
"""A unit: `member` of the command group, in which it was the one to act as number `used`, from 1."""

BATTERY = record(fields(np.int16, "aim turn x y"), fields(np.int8, "mission status cloud"))
"""A battery: `cloud` is the place of its smoke among all that fell, from 1, and `x`, `y` its middle, maybe off the
table."""

GROUP = record(fields(np.int8, "order leader unit task pace move rolled"), fields(np.int8, "die", MOVE_DICE))

STATE = record(
    fields(np.int16, "turn phase side opened winner reason"),
    fields(np.int16, "morale staff lent failed pulses", 2),
    fields(np.int16, "dice", 2, D6 + 1),
    fields(np.int16, "spent chain credit"),
    fields(GROUP, "group"),
    fields(np.int16, "firer target wild"),
    fields(UNIT, "unit", MOST_UNITS),
    fields(BATTERY, "battery", MOST_BATTERIES),
    fields(np.int8, "unit_at", MOST_SQUARES),
)
"""A state: `opened` is the side that had the first pulse of the match; `dice` counts command dice by their face;
`firer` and `target` wait for the target's reaction, `wild` dice added to the fire."""

(
    ROLL, DIE, LENT, STAFF_ORDER, INSTANT, END, PASS, REGROUP, MOVE, DISENGAGE, RALLY, RESERVES, CALL, SMOKE, ADJUST,
    MAINTAIN, CLOSE, ACT, TO, PUSH, FIRE, FACE, SCOOT, WITHDRAW, RALLY_UNIT, ENTER, REACT, BREAK_OFF, HOLD, SHIFT,
) = range(30)  # fmt: skip
"""Kinds of actions. Their parts: the kind, the unit or battery, another unit or a direction, a square or number.
`RALLY` orders a group to rally, `RALLY_UNIT` is one member's rally; `MOVE` orders a group to move, and by `ACT` a
member says at what pace."""
