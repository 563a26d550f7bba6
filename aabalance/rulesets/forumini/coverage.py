"""The rulebook rule by rule: where the package has each rule, and the tests that show it; in the rulebook's order."""

from __future__ import annotations

from aabalance.rulesets.base import Rule
from aabalance.rulesets.forumini import defensive, derive, fight, hexes, phases, rules, sheets, shot
from aabalance.rulesets.forumini.points import POINTS as POINTS

NO_MAP = "not modelled: it needs a map, and the rulebook's Terrain Effects Chart is missing"
NO_COMBAT = "not a combat rule"
ARMY = "not modelled: it is about a whole army on a map, and duels are one unit against one"

CARDS = (
    Rule("Scale", "a hex is 100 metres, a turn two minutes", NO_COMBAT),
    Rule(
        "Unit Cards",
        "dice stand in the column of the range and the row of the target: soldier, vehicle, aircraft",
        "shot, duel",
        (sheets.attack_dice,),
        ("test_attack_dice__column_of_the_range_row_of_the_target",),
    ),
    Rule(
        "Unit Cards",
        "soldiers have Defense and Disintegration, vehicles armour and vital armour on four faces",
        "shot, duel",
        (sheets.defence,),
        ("test_defence__shows_the_face_that_is_attacked",),
    ),
    Rule(
        "Unit Cards: Special Abilities",
        "abilities take precedence; those that are a number are in the card's numbers",
        "shot, duel",
        (derive.derive,),
        ("test_derive__abilities_that_are_a_number", "test_counters__double_shot_attacks_twice"),
    ),
    Rule(
        "Unit Cards: Command Abilities",
        "Demoralized commanders can't use them, Pinned ones only in their hex",
        "not modelled: the rulebook prints no command ability",
    ),
    Rule(
        "Unit Cards, Aircraft: Defense",
        "armour and vital armour are never below 1/1",
        "shot, duel",
        (rules.declared,),
        ("test_declared__one_less_and_never_below_one",),
    ),
    Rule(
        "Unit Cards, Aircraft: Fighters, Bombers",
        "dice against fighters, and against all other aircraft",
        "shot, duel",
        (sheets.kind_of, sheets.attack_dice),
        ("test_attack_dice__aircraft_tell_fighters_from_bombers",),
    ),
    Rule(
        "Unit Cards, Aircraft: Bombs",
        "a bomb attack has dice of its own, and a game so many of them",
        "shot, turn",
        (shot.form_dice, phases.may_bomb),
        ("test_shot__bombs_fall_on_ground_targets", "test_may_bomb__not_after_antiair_fire"),
    ),
)

GAME = (
    Rule("Starting the Game", "choose a map, an army size and a side", NO_COMBAT),
    Rule("How to Win", "the objective zone on turns seven to ten, then tie-breakers in points", ARMY),
    Rule("Initial Deployment", "zones and the order of deployment", ARMY),
    Rule(
        "A. Initiative",
        "two dice and the best bonus of commanders in good order; ties go to the higher bonus",
        "turn",
        (phases.initiative, phases.initiative_bonus),
        ("test_initiative__higher_total_then_higher_bonus", "test_initiative_bonus__best_commander_in_good_order"),
        ("F-1",),
    ),
    Rule("B. Movement", "both players move their ground units, the first player first", NO_MAP),
    Rule(
        "C. Aircraft Placement",
        "by ascending speed",
        "turn",
        (phases.placement,),
        ("test_placement__slowest_first",),
    ),
    Rule(
        "C. Aircraft Placement",
        "an aircraft that declares a ground target has -1/-1 until the end of the turn",
        "shot, duel",
        (rules.declared, sheets.defence),
        ("test_declared__one_less_and_never_below_one", "test_defence__aircraft_that_declared_a_ground_target"),
    ),
    Rule(
        "D. Antiair",
        "who attacks in it may not bomb later; its counters count at the end of the phase",
        "turn",
        (phases.may_bomb, rules.antiair),
        ("test_may_bomb__not_after_antiair_fire", "test_antiair__a_second_damaged_counter_destroys"),
        ("F-13",),
    ),
    Rule(
        "E. Ground Attack",
        "each aircraft attacks its declared target once, against the top of vehicles",
        "shot, duel",
        (sheets.shown, shot.form_dice),
        ("test_shown__from_the_air_a_vehicle_shows_its_top",),
        ("F-6",),
    ),
    Rule(
        "F. Assault",
        "each ground unit moves or attacks; the fire of a turn is simultaneous, as counters count from K on",
        "duel, turn",
        (fight.blows, fight.survey),
        ("test_blows__a_turn_of_fire_is_simultaneous",),
    ),
    Rule(
        "K. Casualty",
        "Pinned goes, Demoralized becomes Pinned or goes beside a commander, face-down counters are flipped",
        "duel, turn",
        (rules.casualty,),
        ("test_casualty__soldiers", "test_casualty__vehicles", "test_casualty__aircraft"),
        ("F-4", "F-5", "F-16", "F-17"),
    ),
)

MOVEMENT = (
    Rule("General Movement", "Movement Points, terrain costs, Movement Rolls", NO_MAP),
    Rule(
        "Hit the Dirt",
        "+1 to all Cover Rolls of a soldier in good order, who doesn't attack; gone once he is Pinned",
        "shot, duel",
        (rules.cover_modifier, fight.met, fight.attack_dice, shot.form_dice),
        (
            "test_met__hit_the_dirt_lasts_while_in_good_order",
            "test_blows__a_soldier_in_the_dirt_attacks_once_he_is_pinned",
            "test_shot__a_soldier_in_the_dirt_does_not_attack",
        ),
    ),
    Rule(
        "Hull Down",
        "+1 to Cover Rolls of a vehicle against attacks on its front",
        "shot, duel",
        (rules.cover_modifier, sheets.defence),
        ("test_defence__hull_down_helps_the_front_alone",),
    ),
    Rule("Vehicle Movement 1-2", "road bonus, minimum movement", NO_MAP),
    Rule(
        "Vehicle Movement 3",
        "vehicles face a hexside: attacks meet front, side or rear",
        "shot, duel",
        (sheets.defence,),
        ("test_defence__shows_the_face_that_is_attacked",),
        ("F-18",),
    ),
    Rule("Stacking", "how many units a hex holds", "not modelled: the rulebook doesn't print the limit"),
)

COMBAT = (
    Rule("Direct Fire 1", "an attack has one target, which the attacker chooses", ARMY),
    Rule(
        "Direct Fire 2",
        "range: hexes between, the firer's not counted, the target's counted",
        "shot, duel",
        (hexes.distance,),
        ("test_distance__counts_the_target_not_the_firer",),
    ),
    Rule(
        "Direct Fire 3-4",
        "no attack beyond the last column",
        "shot, duel",
        (sheets.attack_dice,),
        ("test_attack_dice__column_of_the_range_row_of_the_target",),
    ),
    Rule(
        "Direct Fire 5",
        "each die of 4 or more after modifiers is a success",
        "shot, duel",
        (rules.p_success, rules.successes),
        ("test_p_success__four_or_more_after_the_modifier", "test_successes__are_binomial"),
        ("F-12",),
    ),
    Rule(
        "Attacks against Soldiers 6",
        "fewer than Defense a miss, equal one hit, more two, Disintegration three",
        "shot, duel",
        (rules.hits,),
        ("test_hits__the_four_lines",),
        ("F-2", "F-14"),
    ),
    Rule(
        "Attacks against Soldiers 6",
        "hits of a turn add up face-down: Pinned, Demoralized or Damaged, Destroyed",
        "shot, duel, turn",
        (rules.attack, rules.one_after_another, rules.turn),
        ("test_turn__hits_add_up_to_three_counters",),
        ("F-4", "F-6", "F-10"),
    ),
    Rule(
        "Effects of face-up counters on soldiers",
        "Pinned and Demoralized: no move, no Defensive Fire; Demoralized: -1/-1",
        "shot, duel, movement",
        (rules.lowered, defensive.may_fire, phases.speed),
        (
            "test_lowered__by_kind_and_condition",
            "test_may_fire__who_may_make_defensive_fire",
            "test_speed__damaged_first_then_half",
        ),
        ("F-3", "F-19"),
    ),
    Rule(
        "Attacks against Vehicles 6",
        "the same by armour and vital armour of the face; from the air of the top",
        "shot, duel",
        (rules.hits, sheets.shown),
        ("test_hits__the_four_lines", "test_shown__from_the_air_a_vehicle_shows_its_top"),
        ("F-2",),
    ),
    Rule(
        "Effects of face-up counters on vehicles",
        "Pinned: half speed, -1/0, -1 a die; Damaged: -1 speed, -1/-1, -1 a die for good; not both",
        "shot, duel, movement",
        (rules.lowered, rules.die_modifier, phases.speed),
        (
            "test_lowered__by_kind_and_condition",
            "test_die_modifier__damaged_and_pinned_do_not_add_up",
            "test_speed__damaged_first_then_half",
        ),
        ("F-3", "F-5"),
    ),
    Rule(
        "Attacks against Aircraft",
        "armour damages, vital armour destroys; so does a second Damaged counter",
        "shot, duel",
        (rules.antiair,),
        ("test_antiair__armour_damages_and_vital_armour_destroys", "test_antiair__a_second_damaged_counter_destroys"),
        ("F-14",),
    ),
    Rule(
        "Attacks against Aircraft",
        "a Damaged aircraft may abort for the turn",
        "not modelled: a choice; aircraft stay here",
    ),
    Rule("Line of Sight (LOS)", "blocking terrain between two hexes", NO_MAP),
    Rule("Cover and Terrain", "Movement Rolls and cover modifiers of terrain", NO_MAP),
    Rule(
        "Cover against Attacks 1",
        "no Cover Roll on a miss, nor on one hit on a unit without face-down counters",
        "shot, duel",
        (rules.needs_cover_roll,),
        ("test_needs_cover_roll__not_on_a_miss_nor_on_the_first_single_hit",),
        ("F-7", "F-8"),
    ),
    Rule(
        "Cover against Attacks 2",
        "one die with modifiers against the Cover number; a natural 1 fails",
        "shot, duel",
        (rules.p_cover,),
        ("test_p_cover__a_natural_1_fails_and_nothing_passes_by_itself",),
    ),
    Rule(
        "Cover against Attacks 3",
        "a passed roll leaves Pinned, or nothing on a unit with a face-down counter",
        "shot, duel",
        (rules.attack,),
        ("test_attack__a_passed_cover_roll_leaves_one_counter_at_most",),
    ),
    Rule(
        "Cover against Attacks 4",
        "same hex, Crushing, Devastating, Hit the Dirt, Defensive Fire, Hull Down, all cumulative",
        "shot, duel",
        (rules.cover_modifier, rules.crushing),
        ("test_cover_modifier__the_whole_list", "test_crushing__the_authors_example"),
        ("F-11",),
    ),
    Rule(
        "Indirect Fire",
        "every unit of the hex rolls for cover first; attacks on those that fail, no roll after",
        "shot",
        (rules.indirect, rules.indirect_hex),
        ("test_indirect__cover_comes_first", "test_indirect_hex__one_roll_each_or_one_for_all"),
        ("F-15",),
    ),
    Rule("Indirect Fire 1", "a spotter sees the hex", NO_MAP),
)

DEFENSIVE = (
    Rule(
        "Defensive Fire",
        "limited to Pinned; the target stops; a passed Cover Roll, at -1, negates it",
        "shot, turn",
        (defensive.defensive_fire,),
        ("test_defensive_fire__pins_at_most_and_cover_negates_it",),
        ("F-7", "F-9"),
    ),
    Rule(
        "Restrictions on Defensive Fire 1-2, 8",
        "once a phase; vehicles not at soldiers, nothing at or by aircraft; not when Pinned or Demoralized",
        "shot, turn",
        (defensive.may_fire, shot.form_dice),
        ("test_may_fire__who_may_make_defensive_fire", "test_shot__defensive_fire_of_vehicles_spares_soldiers"),
    ),
    Rule("Restrictions on Defensive Fire 3, 6, 7, 9", "order of decisions, facing, moves within a hex", NO_MAP),
    Rule("Regular Defensive Fire", "at an enemy that moves from one adjacent hex to another", NO_MAP),
    Rule(
        "Overwatch",
        "at most two units per hundred points; not mortars, not who moved; 12 hexes or the longest range",
        "turn",
        (defensive.overwatch_limit, defensive.overwatch_reach),
        ("test_overwatch_limit__two_per_hundred_points", "test_overwatch_reach__twelve_hexes_or_the_longest_range"),
    ),
    Rule(
        "Overwatch 1",
        "the arc: all hexes on the line and all adjacent to them; along a hexspine, both sides",
        "turn",
        (hexes.line, hexes.overwatch_arc),
        ("test_line__traverses_and_splits_along_a_hexspine", "test_overwatch_arc__line_and_its_neighbours"),
    ),
    Rule(
        "Overwatch 2",
        "Defensive Fire at what enters the arc, also out of the dirt or hull down",
        "turn",
        (defensive.may_fire,),
        ("test_may_fire__dirt_and_hull_down",),
    ),
)

SPECIAL = (
    Rule(
        "Motorcycles 1",
        "armoured cars, tankettes, cars and trucks may make Defensive Fire at motorcycles",
        "turn",
        (defensive.may_fire,),
        ("test_may_fire__light_vehicles_at_motorcycles",),
    ),
    Rule("Motorcycles 2", "terrain of motorcycles", NO_MAP),
    Rule("Snipers", "an empty section", NO_COMBAT),
    Rule("Spotters", "a spotter doesn't move in the phase in which it spots", NO_MAP),
    Rule("Heroes", "bought before the game, take the place of a destroyed soldier", ARMY),
    Rule(
        "Paratroopers 2-3",
        "scatter: a die for the direction, half a die for the hexes",
        "movement",
        (hexes.scatter, hexes.lands),
        ("test_scatter__six_rows_one_to_three_hexes", "test_lands__stays_on_the_map_and_passes_full_hexes"),
    ),
    Rule("Paratroopers 1, 4; Gliderborne", "where they may be deployed", NO_MAP),
    Rule("Optional Rules", "an empty section", NO_COMBAT),
)

RULES = CARDS + GAME + MOVEMENT + COMBAT + DEFENSIVE + SPECIAL
