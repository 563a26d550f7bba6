"""Terrain and matches, rule by rule (p. 20-23): see `aabalance.rulesets.armored_advance.coverage`."""

from __future__ import annotations

from aabalance.rulesets.armored_advance import attack, infantry, match, movement, postures, rules
from aabalance.rulesets.base import Rule

GROUND = (
    Rule("p. 20 Terrain", "its rules are optional and the players' to change", "not a combat rule", points=("AA-23",)),
    Rule(
        "p. 20 Ground Type",
        "ground of no kind changes nothing",
        "movement",
        (movement.reach_in,),
        ("test_reach_in__on_plain_ground_is_the_free_move_and_the_actions",),
    ),
    Rule(
        "p. 20 Road",
        'tracks gain 1" and wheels 2" for each action that begins and ends on one road',
        "movement",
        (movement.reach_in,),
        ("test_road_page_20__tracks_gain_1_inch_an_action_and_wheels_2",),
    ),
    Rule(
        "p. 20 Road",
        'a light vehicle that starts its turn on one has a free move of 3"',
        "movement",
        (movement.reach_in,),
        ("test_road_page_20__free_move_that_starts_on_it_is_3_inches",),
        ("AA-58",),
    ),
    Rule(
        "p. 20 Thick Mud",
        "wheels count each inch as two, half-tracks those beyond the first half of a move",
        "movement",
        (movement.reach_in,),
        (
            "test_mud_example_page_20__wheels_with_8_inches_get_4",
            "test_mud_example_page_20__half_track_with_8_inches_gets_6",
        ),
    ),
    Rule(
        "p. 20 Thick Mud",
        'tracks lose 1" an action',
        "movement",
        (movement.reach_in,),
        ("test_mud_page_20__tracks_lose_1_inch_an_action_and_never_go_backwards",),
    ),
    Rule(
        "p. 20 Thick Mud",
        "field guns cross it in tow only; infantry is unhindered",
        "movement",
        (movement.reach_in,),
        (
            "test_mud_page_20__infantry_is_unhindered_and_guns_stick",
            "test_towing_page_20__takes_a_gun_through_mud",
        ),
    ),
    Rule(
        "p. 20 Moderately Deep Water",
        "no hindrance to medium and heavy units, thick mud to others, closed to field guns",
        "movement",
        (movement.reach_in,),
        (
            "test_water_page_20__large_units_ford_it_and_light_ones_go_as_in_mud",
            "test_water_page_20__field_guns_never_cross_it",
        ),
    ),
)

FORTIFICATIONS = (
    Rule(
        "p. 21 Tank Traps",
        "bar the way of vehicles",
        "movement",
        (movement.stopped_by_tank_traps,),
        ("test_tank_traps_page_21__stop_vehicles_only",),
    ),
    Rule(
        "p. 21 Tank Traps",
        'a support vehicle within 12" demolishes one with both actions',
        "turn, battle",
        (movement.demolishes,),
        ("test_tank_traps_page_21__support_within_12_inches_with_both_actions",),
        ("AA-48",),
    ),
    Rule(
        "p. 21 Tank Traps",
        'those within 3" of a demolished one go with it',
        "battle",
        (movement.cleared,),
        ("test_tank_traps_page_21__those_within_3_inches_go_too",),
    ),
    Rule(
        "p. 21 Walls",
        "a vehicle hidden by a wall is shot at only if scouted, and without the scout's bonus",
        "shot, duel",
        (attack.resolve, attack.defence),
        ("test_hidden_page_21__only_a_scout_lets_it_be_shot_and_its_bonus_is_lost",),
        ("AA-19",),
    ),
    Rule(
        "p. 21 Walls",
        "each wall shot through takes 2 penetration; one that shows above it is protected all the same",
        "shot, duel",
        (attack.offence, attack.resolve),
        (
            "test_walls_example_page_21__15_through_two_walls_is_11",
            "test_walls_page_21__stop_no_he",
            "test_walls_page_21__a_visible_target_is_no_harder_to_hit",
        ),
        ("AA-17", "AA-18", "AA-26", "AA-66"),
    ),
    Rule(
        "p. 21 Sandbags",
        "a field gun gains 1 armour on each covered face, and the roll to hit it rises by 1, to 6 at most",
        "shot, duel",
        (attack.defence,),
        (
            "test_sandbags_page_21__field_gun_gains_armour_and_a_harder_roll",
            "test_sandbags_page_21__help_no_vehicle",
            "test_sandbags_page_21__cover_the_side_from_he_where_they_stand",
        ),
        ("AA-5", "AA-26", "AA-59", "AA-66"),
    ),
    Rule(
        "p. 21 Sandbags",
        "infantry loses half as many men, rounded down",
        "shot, duel",
        (rules.casualties, attack.defence),
        ("test_sandbags_example_page_21__5_men_become_2",),
        ("AA-39", "AA-59"),
    ),
    Rule(
        "p. 21 Foliage",
        "between firer and target it adds 2 to the roll needed, to 6 at most",
        "shot, duel",
        (attack.defence,),
        ("test_foliage_page_21__2_more_to_a_maximum_of_6",),
        ("AA-5", "AA-20", "AA-22"),
    ),
    Rule(
        "p. 21 Foliage",
        "a piece within 3\" of a unit doesn't bear on it, others do",
        "shot, duel",
        (attack.defence,),
        (
            "test_foliage_page_21__units_within_3_inches_of_a_piece_are_unaffected_by_that_piece",
            "test_foliage_page_21__another_piece_that_obstructs_still_affects",
        ),
        ("AA-21", "AA-22"),
    ),
)

MATCH = (
    Rule("p. 22 Terrain Placement", "the board, its terrain and the deployment zones", "not a combat rule"),
    Rule(
        "p. 22 List Building",
        "forces keep to a requisition limit, unknown to the opponent",
        "battle",
        (match.requisition,),
        ("test_requisition_page_22__is_that_of_all_units",),
        ("AA-60",),
    ),
    Rule(
        "p. 22 Deployment",
        "who wins a roll-off chooses a zone",
        "battle",
        (match.roll_off,),
        ("test_roll_off_page_22__is_even",),
    ),
    Rule(
        "p. 22 Deployment",
        "units are placed by turns, the chooser's first, then the rest of the larger force",
        "battle",
        (match.deployment,),
        ("test_deployment_page_22__by_turns_then_the_rest",),
    ),
    Rule(
        "p. 22 Game Start",
        "a second roll-off gives the first turn",
        "duel, battle",
        (match.roll_off,),
        ("test_roll_off_page_22__is_even", "test_duel__agrees_with_thrown_dice"),
    ),
    Rule(
        "p. 22 Game Start",
        "actions are taken one after another, each with the last one's result known",
        "duel, battle",
        (postures.Player,),
        ("test_duel__agrees_with_thrown_dice",),
    ),
    Rule(
        "p. 22 Game Start",
        "at the action limit the turn passes, until the game is over",
        "turn, battle",
        (match.actions_left, match.turn_is_over),
        ("test_turn_is_over__once_pools_or_limit_are_used_up",),
        ("AA-50",),
    ),
)

MODES = (
    Rule(
        "p. 23 Annihilation",
        "won by the side that destroys the opponent's whole mechanized force",
        "battle",
        (match.annihilation,),
        (
            "test_annihilation_page_23__ends_with_the_mechanized_force",
            "test_annihilation_counts_guns__field_guns_hold_out_or_not",
        ),
        ("AA-53",),
    ),
    Rule(
        "p. 23 Annihilation",
        "drawn if what is left can't defeat each other",
        "duel, battle",
        (match.annihilation,),
        (
            "test_annihilation_page_23__units_that_cannot_hurt_each_other_draw",
            "test_duel__mutual_harmlessness_is_a_draw",
        ),
    ),
    Rule(
        "p. 23 Timed Annihilation",
        "at a turn limit the side with more requisition left wins; equals play on",
        "battle",
        (match.timed_annihilation,),
        (
            "test_timed_annihilation_page_23__more_requisition_wins_at_the_limit",
            "test_timed_annihilation_page_23__equals_play_another_turn_each",
            "test_turn_limit_counts__turns_of_both_or_of_either",
        ),
        ("AA-54", "AA-55"),
    ),
    Rule("p. 23 Domination", "an odd number of objectives lies on the board", "not a combat rule"),
    Rule(
        "p. 23 Domination",
        "a side scores the objectives that it owns beyond the opponent's, at the end of the opponent's turn",
        "battle",
        (match.tally, infantry.owner),
        (
            "test_domination_example_page_23__3_objectives_against_2_are_a_point",
            "test_domination_page_23__scores_at_the_end_of_the_opponents_turn",
        ),
    ),
    Rule(
        "p. 23 Domination",
        "ends at so many victory points or turns; most points win",
        "battle",
        (match.domination,),
        ("test_domination_page_23__ends_at_the_points_or_at_the_limit",),
        ("AA-54",),
    ),
    Rule(
        "p. 23 Domination",
        "infantry costs nothing, and both sides have as many squads",
        "battle",
        (match.requisition,),
        ("test_requisition_page_22__is_that_of_all_units",),
    ),
)
