"""Tables and state of a match, as numpy records of one size for all boards, and the numbers that stand for words."""

from __future__ import annotations

import numpy as np

from aabalance.rulesets.base.match import MOST_UNITS, fields, of_players, record
from aabalance.rulesets.forumini.shot.rules import CONDITIONS

MOST_HEXES, MOST_GROUNDS, MOST_COLUMNS, MOST_SPEED = 512, 16, 6, 16
"""Largest numbers of a board, a chart and two lists."""
COLUMNS = MOST_COLUMNS + 1
"""Range columns with a last one, which has no dice and ends nowhere."""
MOST_ATTACK_DICE, MOST_BARRAGE_DICE = 30, 15
"""Attack Dice that a unit may have; in a barrage, each unit of a full hex is attacked with so many."""
EQUAL_COSTS = 1e-9
"""Sums of costs that differ by less are equal, in whatever order they are added: 0.1 + 0.2 is 0.3."""
PARTS = 1000
"""Parts of a point in what is noted of a match: costs may have decimals."""
STACK, STACK_VEHICLES = 3, 1
"""Units, and vehicles among them, with which a side may end moves in a hex [F-22]."""

DIRECTIONS = "E", "SE", "SW", "W", "NW", "NE"
STEPS = (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)
"""Axial coordinates of the neighbours of a hex, in the order of `DIRECTIONS`."""
FACINGS = *DIRECTIONS, ""
NO_FACE = 6
FACES = FRONT, SIDE, REAR = range(3)
SOLDIER, VEHICLE = range(2)
NO_COVER = -100
"""In place of a cover modifier."""

PHASES = "start", "choice", "end", "deploy", "order", "movement", "assault", "over"
STARTING, CHOOSING, PICKING, DEPLOYING, ORDERING, MOVEMENT, ASSAULT, OVER = range(8)
"""`CHOOSING` and `PICKING` are before deployment: who is first player, and which end he takes."""
ACTS = "", "moved", "done", "fired"
NOTHING, MOVED, DONE, FIRED = range(4)
MARKS = "", "dirt", "hull"
NO_MARK, DIRT, HULL = range(3)
REASONS = "not over", "objective", "eliminated", "zone points", "points destroyed", "points left", "draw"
NOT_OVER, OBJECTIVE, ELIMINATED, ZONE_POINTS, POINTS_DESTROYED, POINTS_LEFT, DRAW = range(7)
NOBODY = 2
"""In place of a side."""
NONE, GONE = -1, -2
"""In place of a hex or a unit: there is none; and in place of the hex of a unit that was destroyed."""
SECOND_DAMAGED = "no_effect", "cumulative", "destroyed"
NO_EFFECT, CUMULATIVE, DESTROYED = range(3)
"""Readings of F-5."""

GROUND = record(fields(np.int32, "cost", 2), fields(np.int32, "roll road cover blocks"))
"""A row of the Terrain Effects Chart: `cost` by kind of unit, 0 if it may not enter; `roll` 0 without a roll."""

CARD = record(
    fields(np.int32, "kind speed cover initiative commander indirect turretless attacks aim"),
    fields(np.float64, "cost"),
    fields(np.int32, "last", COLUMNS),
    fields(np.int32, "dice", 2, COLUMNS),
    fields(np.int32, "modifier", len(CONDITIONS)),
    fields(np.int8, "hits crushing", len(CONDITIONS), len(FACES), MOST_ATTACK_DICE + 1),
)
"""A card. `aim` is how many hexes away it may aim in Overwatch, 0 if it can't; `dice` are by the target's kind and the
range column, whose last hex is in `last`; `modifier` is that of its Attack Dice by condition; `hits` and `crushing` say
what so many successes do to it, by its condition and face."""

LOST = 0.0, 0.2, 0.45, 1.0
"""Share of its worth that a unit loses by so many face-down counters."""
WEIGHTS = {
    "face_up": 0.09,
    "near": 0.66,
    "zone": 3.1,
    "target": 0.22,
    "danger": 0.43,
    "posture": 0.88,
    "watch": 0.18,
    "last": 1.3,
}
"""What players think that things are worth, in points: see `aabalance.rulesets.forumini.match.judgement`.

Tuned by `benchmarks.weights`: with them greedy scores .50 (.45 to .55) on `crossroads`, .52 (.48 to .57) on `ridge`,
.61 (.56 to .66) on `river_town` against greedy with the weights that were guessed before, in 160 pairs of matches
each.
"""

TABLES = record(
    fields(np.int32, "width height hexes objective deploy first_check last_turn units units_of_a placed"),
    fields(np.int32, "cover_one_hit_exempt df_always_cover df_counts second_damaged indirect_shared_roll"),
    fields(np.int32, "q r ground zone", MOST_HEXES),
    fields(np.int32, "adjacent", MOST_HEXES, len(DIRECTIONS)),
    fields(np.int8, "sight", MOST_HEXES, MOST_HEXES),
    fields(GROUND, "chart", MOST_GROUNDS),
    fields(np.int32, "side", MOST_UNITS),
    fields(CARD, "card", MOST_UNITS),
    fields(np.int32, "watches", 2),
    fields(np.float64, "toll", MOST_UNITS, MOST_UNITS, COLUMNS, len(FACES)),
    of_players(WEIGHTS),
)
"""What never changes in a match. `ground` is a row of `chart`, `NONE` off the map; `watches` is how many units of a
side may be in Overwatch; `toll` is the share of a unit that another takes on the mean in one attack, by the range
column and the face shown. The second line are rule switches."""

UNIT = record(fields(np.int16, "at watch"), fields(np.int8, "face down stopped pinned worse mark act shots fired"))
"""A unit: `down` are its face-down counters, `worse` its Demoralized or Damaged ones; `stopped` says whether Defensive
Fire pinned it, where that is no face-down counter [F-10]; `fired` whether it has made Defensive Fire in this phase."""

STATE = record(
    fields(np.int16, "turn phase opened first active west winner reason"),
    fields(np.int16, "moving points road steps under_fire aiming"),
    fields(np.int16, "path", MOST_SPEED + 4),
    fields(UNIT, "unit", MOST_UNITS),
)
"""A state: `opened` is who was first in the first turn; `west` is the side that has the western end; `moving` the unit
that moves, with the `points` that it has left, whether it has had its `road` bonus, and its `path` of so many `steps`;
`under_fire` says whether the other side decides on Defensive Fire at it; `aiming` is a unit on its way into
Overwatch."""

START, FIRST, SECOND, WEST, EAST, PLACE, GO, STOP, FACE, LIE, RISE, HIDE, WATCH, AIM, UNWATCH = range(15)
ATTACK, BARRAGE, FIRE, PASS, END = range(15, 20)
"""Kinds of actions. An action's parts: its kind, the unit that acts, another unit or a direction, a hex. `LIE` and
`RISE` take and give up Hit the Dirt, `HIDE` takes Hull Down; `WATCH`, `AIM` and `UNWATCH` are of Overwatch."""
