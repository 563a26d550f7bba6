"""Tables and state of a match, as numpy records of one size for all boards, and the numbers that stand for words."""

from __future__ import annotations

import numpy as np

MOST_SQUARES, MOST_UNITS, MOST_CARDS, MOST_WEAPONS = 3600, 32, 32, 10
MOST_OBJECTIVES, MOST_TRAPS, MOST_SCOUTED, ZONES = 15, 64, 24, 2
"""Largest numbers of a board and of two lists."""

GROUNDS = "open", "road", "mud", "water", "building", "ridge", "foliage", "low_wall", "high_wall", "trap", "sandbags"
OPEN, ROAD, MUD, WATER, BUILDING, RIDGE, FOLIAGE, LOW_WALL, HIGH_WALL, TRAP, SANDBAGS = range(11)
CLASSES = "vehicle", "field_gun", "infantry"
VEHICLE, GUN, SQUAD = range(3)
CLOSED = (BUILDING, LOW_WALL, HIGH_WALL, TRAP), (MUD, WATER, BUILDING, LOW_WALL, HIGH_WALL), (BUILDING,)
"""Grounds that a class may not enter (section 2 of the match)."""
WEIGHTS = "light", "medium", "heavy"
LIGHT, MEDIUM, HEAVY = range(3)
DRIVES = "tracked", "half_track", "wheeled", "towed", "foot"
TRACKED, HALF_TRACK, WHEELED = range(3)
SQUADS = "artillery_crew", "rifle", "at_rifle", "sniper"
ARTILLERY_CREW, RIFLE, AT_RIFLE, SNIPER = range(4)
"""Artillery crews and rifle squads man guns; a gun takes a crew before a rifle squad (R-31)."""
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
EXTRA_PIECES = 13
"""Pieces of foliage that add to a range, from none on."""
MOST_MEN = 6

_WEAPON = [
    ("kind", np.int32),
    ("slot", np.int32),
    ("primary", np.int32),
    ("most_d2", np.int32),
    ("lob_d2", np.int32),
    ("sequences", np.int32),
    ("penetration", np.int32, BANDS),
    ("damage", np.int32),
    ("he_base", np.int32),
    ("n", np.int32),
    ("die", np.int32, MOST_MEN + 1),
    ("plus", np.int32, MOST_MEN + 1),
    ("rolls", np.int32),
]
WEAPON = np.dtype((np.record, _WEAPON))
"""A weapon. Ranges are the largest squared distances; `lob_d2` that of indirect fire, `NONE` without. `die` and `plus`
are the casualty code by the attacker's men (1 for vehicles): the sides of its die, 0 without one, and what is added."""

CARD = np.dtype(
    (
        np.record,
        [
            *(
                (name, np.int32)
                for name in (
                    "kind",
                    "weight",
                    "drive",
                    "movement",
                    "actions",
                    "toughness",
                    "requisition",
                    "faces",
                    "squad",
                    "machine_gun",
                    "grenades",
                    "scout",
                    "accurate",
                    "primary_attacks",
                    "long_reload",
                    "arc",
                    "support",
                    "angling",
                    "slow_reverse",
                    "indirect",
                    "weak_spot",
                    "apc",
                    "towing",
                    "armed",
                    "weapons",
                )
            ),
            ("armor", np.int32, 3),
            ("weapon", WEAPON, MOST_WEAPONS),
        ],
    )
)
"""A card. `movement` is in tenths of an inch; `faces` says whether the unit has a facing (R-3); `arc` 1 for a casemate,
-1 for a reverse one; `armed` says whether it has an AT or HE weapon."""

SWITCHES = (
    "quiet",
    "cap",
    "two_dice",
    "scout_costs",
    "free_breaks",
    "guns_count",
    "player_turns",
    "armor_plus",
    "pen_minus",
    "range_plus",
    "exempt",
    "stacks",
    "two_moves",
    "he_advantage",
    "lob_hits",
    "gap_immune",
    "round_up",
    "angling_adds",
    "mg_after",
    "mg_grenades",
    "reroll_again",
    "crew_fires",
)
"""Options of a match and switches of the variant, as numbers."""

WORTH = {
    "alive": 0.4,
    "squad": 30.0,
    "objective": 12.0,
    "objective_near": 1.5,
    "point": 0.0,
    "fire": 0.6,
    "danger": 0.5,
    "near": 0.006,
    "crew": 0.5,
    "scouted": 0.15,
}
"""What players think that things are worth, in requisition: see `judgement.value`, `standing` and `of_squad`."""

TABLES = np.dtype(
    (
        np.record,
        [
            ("width", np.int32),
            ("height", np.int32),
            ("units", np.int32),
            ("objectives", np.int32),
            ("traps", np.int32),
            ("mode", np.int32),
            ("rounds", np.int32),
            ("points", np.int32),
            ("first", np.int32),
            ("limit", np.int32, 2),
            *((name, np.int32) for name in SWITCHES),
            ("x", np.int32, MOST_SQUARES),
            ("y", np.int32, MOST_SQUARES),
            ("ground", np.int32, MOST_SQUARES),
            ("trap_at", np.int32, MOST_SQUARES),
            ("trap", np.int32, MOST_TRAPS),
            ("objective", np.int32, MOST_OBJECTIVES),
            ("zone", np.int32, (ZONES, 4)),
            ("zone_facing", np.int32, ZONES),
            ("closed", np.int8, (3, len(GROUNDS))),
            ("side", np.int32, MOST_UNITS),
            ("card_of", np.int32, MOST_UNITS),
            ("card", CARD, MOST_CARDS),
            ("band_d2", np.int32, (EXTRA_PIECES, BANDS)),
            ("scout_d2", np.int32, 3),
            ("demolish_d2", np.int32),
            ("grenade_d2", np.int32),
            ("need", np.int8, (BANDS, INCREASES, PEN_NEEDS, BONUSES)),
            ("pen_need", np.int8, (BANDS, INCREASES, PEN_NEEDS, BONUSES)),
            ("reroll", np.int8, (BANDS, INCREASES, PEN_NEEDS, BONUSES)),
            ("pen_reroll", np.int8, (BANDS, INCREASES, PEN_NEEDS, BONUSES)),
            ("toll", np.float64, (MOST_CARDS, MOST_CARDS, BANDS, FACES)),
            ("weight", np.dtype((np.record, [(name, np.float64) for name in WORTH]))),
        ],
    )
)
"""What never changes in a match. ``*_d2`` are largest squared distances; `need` and its kin are those of
`aabalance.rulesets.armored_advance.shot.tables.roll`; `toll` is the share of a unit that another's best weapon takes on
the mean in one attack, by their cards, the range band and the face shown."""

UNIT = np.dtype(
    (
        np.record,
        [
            *(
                (name, np.int16)
                for name in (
                    "hp",
                    "at",
                    "f",
                    "aboard",
                    "towed",
                    "used",
                    "first",
                    "marches",
                    "moves",
                    "tenths",
                    "freed",
                    "still",
                    "on_road",
                    "reload",
                    "set_up",
                    "last_tenths",
                    "last_moves",
                    "active",
                    "stunned",
                    "grenades",
                )
            ),
            ("fired", np.int8, SLOTS),
        ],
    )
)
"""A unit; `hp` are the men of a squad, `at` its square; the rest as in section 9 of the match."""

SCOUTED = np.dtype((np.record, [("friend", np.int8), ("enemy", np.int8), ("bonus", np.int8)]))

STATE = np.dtype(
    (
        np.record,
        [
            ("phase", np.int16),
            ("to_move", np.int16),
            ("turn", np.int16),
            ("left", np.int16),
            ("last_loss", np.int16),
            ("first", np.int16),
            ("winner", np.int16),
            ("reason", np.int16),
            ("scouts", np.int16),
            ("zone", np.int16, 2),
            ("points", np.int16, 2),
            ("cleared", np.int8, MOST_TRAPS),
            ("scouted", SCOUTED, MOST_SCOUTED),
            ("unit", UNIT, MOST_UNITS),
        ],
    )
)
"""A state: `first` is the side that had the first turn; the rest as in section 9 of the match."""

(
    ROLL_OFF,
    ZONE,
    PLACE,
    MOVE,
    FREE,
    SHOOT,
    AIM,
    LOB,
    THROW,
    SCOUT,
    SET_UP,
    DEMOLISH,
    LOAD,
    EXIT,
    HITCH,
    DROP,
    END,
) = range(17)
"""Kinds of actions. An action is a number: its kind, the unit that acts, another unit (for `ZONE`, the zone), a weapon,
a facing or a third unit, and a square."""
UNIT_BITS, OTHER_BITS, EXTRA_BITS, SQUARE_BITS = 5, 10, 15, 20
