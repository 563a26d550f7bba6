"""Tables and state of a match, as numpy records of one size for all boards, and the numbers that stand for words."""

from __future__ import annotations

import numpy as np

from aabalance.rulesets.base.match import fields, of_players, record

MOST_SQUARES, MOST_UNITS, MOST_WEAPONS = 3600, 32, 10
MOST_OBJECTIVES, MOST_TRAPS, ZONES = 15, 64, 2
"""Largest numbers of a board and of two lists."""

GROUNDS = "open", "road", "mud", "water", "building", "ridge", "foliage", "low_wall", "high_wall", "trap", "sandbags"
OPEN, ROAD, MUD, WATER, BUILDING, RIDGE, FOLIAGE, LOW_WALL, HIGH_WALL, TRAP, SANDBAGS = range(11)
CLASSES = "vehicle", "field_gun", "infantry"
VEHICLE, GUN, SQUAD = range(3)
CLOSED = (BUILDING, LOW_WALL, HIGH_WALL, TRAP), (MUD, WATER, BUILDING, LOW_WALL, HIGH_WALL), (BUILDING,)
"""Grounds that a class may not enter."""
WEIGHTS = "light", "medium", "heavy"
LIGHT, MEDIUM, HEAVY = range(3)
DRIVES = "tracked", "half_track", "wheeled", "towed", "foot"
TRACKED, HALF_TRACK, WHEELED = range(3)
SQUADS = "artillery_crew", "rifle", "at_rifle", "sniper"
ARTILLERY_CREW, RIFLE, AT_RIFLE, SNIPER = range(4)
"""Artillery crews and rifle squads man guns; a gun takes a crew before a rifle squad (p. 17)."""
KINDS = "at", "he", "ai"
AT, HE, AI = range(3)
FACINGS = "N", "NE", "E", "SE", "S", "SW", "W", "NW"
NO_FACING = 8
FRONT, SIDE, REAR = range(3)
FACES = 3
MODES = "annihilation", "timed", "domination"
ANNIHILATION, TIMED, DOMINATION = range(3)

PHASES = "roll off", "zone", "deploy", "play", "over"
ROLLING_OFF, CHOOSING, DEPLOYING, PLAYING, OVER = range(5)
REASONS = "not over", "annihilation", "turn limit", "victory points", "stalemate", "cap"
NOT_OVER, ANNIHILATED, TURN_LIMIT, VICTORY_POINTS, STALEMATE, CAP = range(6)
NOBODY = 2
NONE = -1
NOTHING_YET, MOVED, DONE_OTHER = range(3)
"""The first action of a unit in a turn."""
GRENADE_SLOT = MOST_WEAPONS
SLOTS = MOST_WEAPONS + 1
"""Attacks in a turn are counted by slot: of a weapon, or of a gun that several share, and of grenades."""

BANDS, INCREASES, PEN_NEEDS, BONUSES = 6, 13, 7, 12
LEAST_BONUS = -4
"""Sizes of the table of needs: range bands, increases of the requirement, needs to penetrate from 1 on, and bonuses."""
EXTRA_PIECES = 7
"""Pieces of foliage that add to a range, from none on."""
MOST_MEN = 6

WEAPON = record(
    fields(np.int32, "kind slot primary most_d2 lob_d2 sequences"),
    fields(np.int32, "penetration", BANDS),
    fields(np.int32, "damage he_base n"),
    fields(np.int32, "die plus", MOST_MEN + 1),
    fields(np.int32, "rolls"),
)
"""A weapon. Ranges are the largest squared distances; `lob_d2` that of indirect fire, `NONE` without. `die` and `plus`
are the casualty code by the attacker's men (1 for vehicles): the sides of its die, 0 without one, and what is added."""

CARD = record(
    fields(
        np.int32,
        "kind weight drive movement actions toughness requisition faces squad machine_gun grenades scout accurate "
        "primary_attacks long_reload arc support angling slow_reverse indirect weak_spot apc towing armed weapons",
    ),
    fields(np.int32, "armor", 3),
    fields(WEAPON, "weapon", MOST_WEAPONS),
)
"""A card. `movement` is in tenths of an inch; `faces` says whether the unit has a facing (AA-80); `arc` 1 for a
casemate, -1 for a reverse one; `armed` says whether it has an AT or HE weapon."""

WORTH = {
    "alive": 0.33,
    "squad": 54.0,
    "objective": 6.1,
    "objective_near": 2.0,
    "fire": 0.34,
    "danger": 0.19,
    "near": 0.002,
    "crew": 0.41,
    "scouted": 0.2,
}
"""What players think that things are worth, in requisition: see `judgement.value`, `standing` and `of_squad`.

Tuned by `benchmarks.weights`: with them greedy scores .53 (.48 to .58) on `small`, .60 (.55 to .65) on `village`, .61
(.56 to .66) on `river`; in domination .52 (.48 to .56) on `small`, .63 (.58 to .67) on `village` against greedy with
the weights that were guessed before, in 160 pairs of matches each.
"""

SWITCHES = (
    "scout_costs_action free_move_breaks_advantage annihilation_counts_guns foliage_stacks he_advantage "
    "indirect_requires_hit mg_after_clamp mg_on_grenades gun_fire_uses_crew_action"
)
"""Switches of the variant that are on or off, and have the same names here."""

TABLES = record(
    fields(np.int32, "width height units units_of_a objectives traps mode rounds points first"),
    fields(np.int32, "limit", 2),
    # Options of a match, and switches of the variant.
    fields(
        np.int32,
        "quiet cap two_dice player_turns armor_plus pen_minus range_plus exempt two_moves gap_immune round_up "
        "angling_adds reroll_again",
    ),
    fields(np.int32, SWITCHES),
    fields(np.int32, "x y ground trap_at", MOST_SQUARES),
    fields(np.int32, "trap", MOST_TRAPS),
    fields(np.int32, "objective", MOST_OBJECTIVES),
    fields(np.int32, "zone", ZONES, 4),
    fields(np.int32, "zone_facing", ZONES),
    fields(np.int8, "closed", 3, len(GROUNDS)),
    fields(np.int32, "side", MOST_UNITS),
    fields(CARD, "card", MOST_UNITS),
    fields(np.int32, "band_d2", EXTRA_PIECES, BANDS),
    fields(np.int32, "scout_d2", 3),
    fields(np.int32, "demolish_d2 grenade_d2"),
    fields(np.int8, "need pen_need reroll pen_reroll", BANDS, INCREASES, PEN_NEEDS, BONUSES),
    fields(np.float64, "toll", MOST_UNITS, MOST_UNITS, BANDS, FACES),
    of_players(WORTH),
)
"""What never changes in a match. ``*_d2`` are largest squared distances; `need` and its kin are those of
`aabalance.rulesets.armored_advance.shot.tables.roll`; `toll` is the share of a unit that another's best weapon takes on
the mean in one attack, by the range band and the face shown."""

UNIT = record(
    fields(
        np.int16,
        "hp at f aboard towed used first marches moves freed still on_road reload set_up last_moves active stunned "
        "grenades",
    ),
    fields(np.int32, "tenths last_tenths"),
    fields(np.int8, "fired", SLOTS),
)
"""A unit; `hp` are the men of a squad, `at` its square, `NONE` of one that is gone; the rest as in section 9 of the
match."""

SCOUTED = record(fields(np.int8, "friend enemy bonus"))

STATE = record(
    fields(np.int16, "phase to_move turn left last_loss first winner reason scouts"),
    fields(np.int16, "zone points", 2),
    fields(np.int8, "cleared", MOST_TRAPS),
    fields(SCOUTED, "scouted", (MOST_UNITS // 2) ** 2),
    fields(UNIT, "unit", MOST_UNITS),
)
"""A state: `first` is the side that had the first turn; all else is as `words` puts it."""

(
    ROLL_OFF, ZONE, PLACE, MOVE, FREE, SHOOT, AIM, LOB, THROW, SCOUT, SET_UP, DEMOLISH, LOAD, EXIT, HITCH, DROP, END,
) = range(17)  # fmt: skip
"""Kinds of actions. An action's parts: its kind, the unit that acts, another unit (for `ZONE`, the zone), a square, a
weapon or a facing or a third unit."""
