"""The points that the rulebook leaves open, in the interpretation's order."""

from __future__ import annotations

from aabalance.rulesets.base import Point

POINTS = (
    Point(
        "F-1",
        "A. Initiative",
        '"the player with the higher bonus wins", then a clause on ties of roll plus bonus',
        "the higher total wins, or the dice would do nothing; of equal totals the higher bonus",
    ),
    Point(
        "F-2",
        "Attacks against Soldiers 6, Vehicles 6",
        "successes that equal a Defense which equals Disintegration",
        "the highest line that applies: three hits",
        ("dis_equals_def",),
    ),
    Point(
        "F-3",
        "Effects of face-up counters",
        "a Defense that counters lower to 0, which no successes equal",
        "1/1 at least, as the rulebook says of aircraft; a guess",
        ("min_defense",),
    ),
    Point(
        "F-4",
        "Attacks against Soldiers 6, Vehicles 6",
        "whether the second counter takes the place of the first",
        "both stay: the rulebook speaks of a unit that is Damaged and Pinned",
    ),
    Point(
        "F-5",
        "Effects of face-up counters on vehicles",
        "a second Damaged counter on a vehicle in a later turn",
        "no further effect: only aircraft are said to be destroyed by it",
        ("second_damaged",),
    ),
    Point(
        "F-6",
        "Attacks against Soldiers 6",
        '"Strike or Assault phases": the sequence of play has no Strike phase',
        "E. Ground Attack, as the author says in a reply",
    ),
    Point(
        "F-7",
        "Cover against Attacks 1",
        "a single hit needs no Cover Roll on a unit without face-down counters, but on others",
        "literally so",
        ("cover_one_hit_exempt",),
    ),
    Point(
        "F-8",
        "Cover against Attacks",
        "Cover Rolls in cover hexes alone, or always",
        "in cover hexes alone, as the section begins and the author says in a reply",
    ),
    Point(
        "F-9",
        "Restrictions on Defensive Fire 5",
        "whether Defensive Fire of one hit needs a Cover Roll, though fire of two hits does",
        "no: resolution is that of a regular attack",
        ("df_always_cover",),
    ),
    Point(
        "F-10",
        "Defensive Fire; Attacks against Soldiers 6",
        "whether a pin by Defensive Fire is the first face-down counter of the turn",
        'it is: "the first face-down hit counter in a turn"',
        ("df_counts",),
    ),
    Point(
        "F-11",
        "Cover against Attacks 4",
        "whether Crushing and Devastating Attack add up",
        "they do, -2, as the author says in a reply",
    ),
    Point(
        "F-12",
        "Direct Fire (replies)",
        "-2 on each die of aircraft against units in cover stands in a reply's quotation alone",
        "no penalty: the posted rules have none",
        ("aircraft_cover_penalty",),
    ),
    Point(
        "F-13",
        "D. Antiair",
        'an aircraft that attacks in the Antiair phase may not bomb "for the remainder of the game"',
        "literally so, though the turn may be meant",
        ("aa_blocks_bombs",),
    ),
    Point(
        "F-14",
        "Unit Cards, Aircraft; Attacks against Aircraft",
        'an attack that "equals" the armour damages, or one that is "equal or higher"',
        "equal or higher",
    ),
    Point(
        "F-15",
        "Indirect Fire 3",
        "one attack roll for all units of the hex, or one for each",
        "one for each",
        ("indirect_shared_roll",),
    ),
    Point(
        "F-16",
        "K. Casualty",
        "whether a commander next to a soldier rids him of Pinned counters",
        "no, of Demoralized ones alone",
    ),
    Point("F-17", "Sequence of Play", "phases are lettered A to F, then K", "a draft's numbering, ignored"),
    Point("F-18", "Vehicle Movement 3", "what a change of facing costs", "nothing, as the author says in a reply"),
    Point(
        "F-19",
        "Effects of face-up counters on soldiers",
        "whether soldiers are Demoralized or, as before, Damaged",
        "Demoralized",
    ),
)
