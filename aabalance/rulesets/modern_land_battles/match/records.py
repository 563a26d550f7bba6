"""Tables and state of a match, as numpy records of one size for all decks, and the numbers that stand for words."""

from __future__ import annotations

import numpy as np

from aabalance.rulesets.base.match import NUMBER, Bits, fields, of_players, record
from aabalance.rulesets.modern_land_battles.card import ACTION_CARDS, SYMBOLS

MOST_UNITS, MOST_OF_SIDE, MOST_TERRAINS = 62, 31, 16
"""Largest number of Force cards, of those of a side with its reserve, and of kinds of Terrain cards."""
COMMAND = 63
"""In place of a unit: what a side does as a whole, which players weigh like the plan of a unit."""
NONE = -1
"""In place of a unit, a card, a symbol or an Area: there is none."""
NOBODY = 2
"""In place of a side."""

SMALL_ARMS, CANNON, MISSILE, ARTILLERY = range(len(SYMBOLS))

AREAS = "BFT"
BREAKTHROUGH, FLANKING, TERRAIN, RESERVE, DESTROYED = range(5)
"""Where a Force card is: in one of the three Areas, or on none of them."""
ROWS = 3

KINDS = len(ACTION_CARDS)
(
    ASSAULT, BARRAGE, CANNON_CARD, CLOSE_AIR_SUPPORT, COMBINED_ARMS, COUNTER_FIRE, COVER, COVER_FIRE, ENGINEERS,
    MINEFIELD, MISSILE_CARD, OVERRUN, OVERWATCH, PULL_BACK, RAID, REACTION_FORCE, RECON_DRONE, REGROUP, SCREENING_FORCE,
    SMALL_ARMS_CARD,
) = range(KINDS)  # fmt: skip
"""Kinds of Action cards, in the order of the alphabet."""

BENEFITS = "none", "draw", "flank", "ready", "repair", "calm"
NO_BENEFIT, DRAW_TWO, FLANK_ONE, READY, REPAIR, CALM = range(len(BENEFITS))

STAGES = "start", "action", "target", "modify", "prepare", "reinforce", "react", "benefit", "after", "over"
START, ACTION, TARGET, MODIFY, PREPARE, REINFORCE, REACT, BENEFIT, AFTER, OVER = range(len(STAGES))

NOTHING, ATTACK, MANEUVER, BLANK, REINFORCING = range(5)
"""Kinds of Actions in progress; Prepare and Regroup leave nothing to tell."""

REASONS = "not over", "points", "breakthrough", "limit"
NOT_OVER, POINTS, NO_BREAKTHROUGH, LIMIT = range(len(REASONS))

(
    BEGIN, TO_PREPARE, TO_REINFORCE, TO_TERRAIN, TO_FLANK, FIRE_ARTILLERY, PLAY, TO_REGROUP, SEND_ENGINEERS, AT,
    ADD_CARD, ROLL, DISCARD, REFILL, USE, BRING, SHIFT, DONE, RESPOND, LET_BE, MAKE_READY, MAKE_REPAIR, MAKE_CALM, SKIP,
    PLAY_OVERRUN, PLAY_DRONE, PASS,
) = range(27)  # fmt: skip
"""Kinds of decisions. Their parts: the kind, the Force card, the other Force card or the Attack symbol, the place to
which the Force card goes, the Action card."""
AREA, ROW, PLACE = Bits(NUMBER.at, 2), Bits(NUMBER.at + 2, 2), Bits(NUMBER.at, 4)
"""Parts of the place: its Area, its Row, and both together."""

WEIGHTS = {
    "pile": 1.6,
    "hand": 0.57,
    "superior": 0.7,
    "vp": 0.7,
    "hit": 0.23,
    "acted": 0.51,
    "terrain": 0.62,
    "points": 0.45,
    "action": 1.1,
}
"""What players think that things are worth: see `aabalance.rulesets.modern_land_battles.match.judgement.value`.

Tuned by `benchmarks.weights`: with them greedy scores .61 (.56 to .66) on `standard` against greedy with the weights
that were guessed before, in 160 pairs of matches each.
"""

CARD = record(
    fields(np.int32, "side armor maneuver vp headquarters usual"), fields(np.int32, "modifier reach", len(SYMBOLS))
)
"""A Force card: `reach` in Rows by Attack symbol, 0 without it; `maneuver` is 0 without the symbol; `usual` is the Row
that the rulebook advises."""

KIND = record(fields(np.int32, "maneuver reinforce symbols extra extra_in_breakthrough stops hits successes"))
"""A kind of Action cards: `symbols` has a bit for each Attack symbol that attacks with it, `stops` is the one that its
reaction needs, `NONE` without; `hits` and `successes` are how many of these a reaction stops."""

TERRAIN_CARD = record(fields(np.int32, "squares vp benefit"))

TABLES = record(
    fields(np.int32, "victory hand limit first range_defense least most units units_of_a"),
    fields(CARD, "card", MOST_UNITS),
    fields(KIND, "kind", KINDS),
    fields(TERRAIN_CARD, "terrain", MOST_TERRAINS),
    of_players(WEIGHTS),
)
"""What never changes in a match. Force cards have numbers, first those of a. `least` and `most` are the natural rolls
between which a need lies (M-6); `first` is the side that begins, `NOBODY` if a die says."""

UNIT = record(fields(np.int8, "area row hits acted shifted"))
"""A Force card: `shifted` says as which one it was reorganized in this Action, from 1."""

ACT = record(fields(np.int16, "doing unit symbol card target hits area points shifts"))
"""The Action in progress; `hits` are Hits or successes."""

STATE = record(
    fields(np.int16, "turn side first stage actions winner reason"),
    fields(ACT, "act"),
    fields(UNIT, "unit", MOST_UNITS),
    fields(np.int16, "hand", 2, KINDS),
    fields(np.int16, "deck discards", KINDS),
    fields(np.int16, "terrain control superior destroyed secured benefit benefit_side"),
    fields(np.int16, "terrain_deck", MOST_TERRAINS),
    fields(np.int16, "piles", 2),
)
"""A state: hands and decks by kind of card; `control` and `superior` count towards a; `benefit` waits for a decision of
`benefit_side`; `destroyed` and `secured` say whether Overrun and Recon Drone may be played."""
