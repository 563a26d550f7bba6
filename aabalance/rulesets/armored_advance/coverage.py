"""The rulebook rule by rule: where the package has each rule, and the tests that show it.

The open points are in `aabalance.rulesets.armored_advance.points`. Rules stand in the rulebook's order, page by page.
"""

from __future__ import annotations

from aabalance.rulesets.armored_advance import attack, derive, fire, keywords, match, movement, postures, rules
from aabalance.rulesets.armored_advance.coverage_field import FORTIFICATIONS, GROUND, MATCH, MODES
from aabalance.rulesets.armored_advance.coverage_infantry import INFANTRY
from aabalance.rulesets.armored_advance.coverage_keywords import ACTIONS, CARD, MODIFIERS
from aabalance.rulesets.armored_advance.points import POINTS as POINTS
from aabalance.rulesets.base import Rule

BASICS = (
    Rule(
        "p. 4 The Basics",
        "a side may take so many actions a turn as were agreed before the game",
        "turn, battle",
        (match.actions_left,),
        ("test_actions_left_page_4__pool_and_limit_both_bind",),
        ("AA-50",),
    ),
    Rule(
        "p. 4 The Basics",
        "each unit has a pool of actions, 2 unless its card says otherwise",
        "turn, duel, battle",
        (match.actions_left, fire.Engagement),
        (
            "test_actions_left_page_4__pool_and_limit_both_bind",
            "test_accurate__one_shot_at_plus_1_for_both_actions",
        ),
        ("AA-50",),
    ),
    Rule(
        "p. 4 The Basics",
        "a turn is over when actions or units to take them have run out",
        "turn, battle",
        (match.turn_is_over,),
        (
            "test_turn_is_over_page_4__without_actions_or_without_units_to_take_them",
            "test_turn_is_over__once_pools_or_limit_are_used_up",
        ),
        ("AA-50",),
    ),
)

MOVEMENT = (
    Rule(
        "p. 4 Movement",
        "any number of a unit's actions may be moves",
        "movement, duel",
        (movement.moves_in, movement.reach_in, postures.optimal),
        ("test_reach_in__more_actions_never_reach_less", "test_optimal__equals_the_whole_game_tree"),
    ),
    Rule(
        "p. 4 Movement: Light",
        'each move in full, and 2" without an action',
        "movement, duel",
        (movement.moves_in, movement.free_in),
        ("test_light_example_page_4__7_and_7_and_2_is_16_inches",),
        ("AA-58",),
    ),
    Rule(
        "p. 4 Movement: Medium",
        "each move in full",
        "movement, duel",
        (movement.moves_in,),
        ("test_medium_example_page_4__5_and_5_is_10_inches",),
    ),
    Rule(
        "p. 4 Movement: Heavy",
        'the first move in full, the second 2"',
        "movement, duel",
        (movement.moves_in,),
        ("test_heavy_example_page_4__4_and_2_is_6_inches",),
    ),
)

SHOOTING = (
    Rule(
        "p. 5 Shooting",
        "one action a turn fires a weapon; different weapons fire for an action each",
        "shot, duel",
        (fire.Engagement, fire.survey),
        ("test_rapid_fire__fires_the_primary_twice", "test_rapid_fire__is_the_primarys_alone"),
        ("AA-61",),
    ),
    Rule(
        "p. 5 Shooting",
        "one die is rolled, against a number from the range and the armour",
        "shot, duel",
        (rules.roll,),
        (
            "test_shot__worked_table_of_one_die",
            "test_shot__worked_table_of_two_dice",
            "test_shot__worked_table_of_the_sum",
        ),
        ("AA-1", "AA-6", "AA-7", "AA-8"),
    ),
    Rule(
        "p. 5 Selecting a Target",
        "choose a unit, a weapon and a target, in this order",
        "shot",
        (fire.shot,),
        ("test_shot__chosen_weapon_fires",),
    ),
    Rule(
        "p. 5 Selecting a Target",
        "a notable part of the target has to be in view",
        "not modelled: what shows is judged at the table",
        points=("AA-57",),
    ),
    Rule(
        "p. 5 Selecting a Target",
        "terrain in the way makes a shot harder while part of the target shows",
        "shot, duel",
        (attack.resolve, attack.defence),
        (
            "test_walls_example_page_21__15_through_two_walls_is_11",
            "test_foliage_page_21__2_more_to_a_maximum_of_6",
            "test_shot__wall_never_helps",
            "test_shot__foliage_never_helps",
        ),
        ("AA-19", "AA-23"),
    ),
    Rule(
        "p. 6 Hit Roll",
        "distance is from hull edge to hull edge",
        "not modelled: distances are given",
        points=("AA-57",),
    ),
    Rule(
        "p. 6 Hit Roll",
        'the roll needed rises by 1 every 6", to 6+',
        "shot, duel",
        (rules.range_band,),
        ("test_range_table_page_6", "test_range_table_page_6__rounds_up_to_the_nearest_6_inches"),
        ("AA-2", "AA-3", "AA-4", "AA-70"),
    ),
    Rule(
        "p. 7 Armor Penetration Roll",
        "armour and penetration are centimetres of plate; the slope counts",
        "shot, duel",
        (derive.plate_cm, attack.defence),
        (
            "test_plate_cm__takes_the_slope_into_account",
            "test_facing__each_face_has_its_plate",
            "test_bearing__decides_the_plate",
        ),
        ("AA-17", "AA-47"),
    ),
    Rule(
        "p. 7 Armor Penetration Roll",
        "penetration less armour gives the roll to get through",
        "shot, duel",
        (rules.penetration_need,),
        ("test_penetration_table_page_7",),
        ("AA-15", "AA-66"),
    ),
    Rule(
        "p. 7 Armor Penetration Roll",
        "a weak spot lets weaker guns through",
        "shot, duel",
        (keywords.weak_spot, rules.penetration_need),
        ("test_penetration_table_page_7", "test_weak_spot__lets_a_weaker_gun_through"),
        ("AA-16",),
    ),
    Rule(
        "p. 8 Terrain Modifiers",
        "a concrete wall adds 1 to the armour of a target that shows through it",
        "shot, duel",
        (attack.resolve,),
        ("test_variant__every_alternative_changes_a_number",),
        ("AA-18", "AA-19", "AA-23"),
    ),
    Rule(
        "p. 8 Terrain Modifiers",
        'foliage within 3" before a target adds 3" to the range',
        "shot, duel",
        (attack.defence,),
        ("test_foliage_page_8__3_inches_for_a_target_within_3_inches_and_behind",),
        ("AA-20", "AA-23"),
    ),
    Rule(
        "p. 8 State Modifiers",
        "who hasn't moved before firing rolls a miss by 1 again",
        "shot, duel",
        (rules.roll, attack.offence),
        (
            "test_advantage_page_8__one_less_than_required_is_rolled_again",
            "test_shot__moving_never_helps",
            "test_shifted__no_action_but_no_advantage_either",
        ),
        ("AA-9", "AA-10", "AA-11", "AA-12", "AA-13", "AA-68", "AA-69"),
    ),
    Rule(
        "p. 9 Damage",
        "a weapon does fixed damage, by its calibre: 10 for about 75 mm",
        "shot, duel",
        (derive.caliber_damage, attack.resolve),
        ("test_damage_page_9__75_mm_does_10", "test_shot__does_the_damage_on_the_card"),
        ("AA-42",),
    ),
    Rule(
        "p. 9 Damage",
        "damage comes off the hit points; a unit without any is destroyed",
        "duel",
        (postures.Player,),
        ("test_duel__agrees_with_thrown_dice",),
    ),
    Rule(
        "p. 9 Damage",
        "dice or paper keep track of hit points",
        "not a combat rule",
    ),
)

OTHER_ATTACKS = (
    Rule(
        "p. 10 Anti-Infantry Attacks",
        "machine guns and autocannons fire at infantry in a turn in which the primary weapon fires too",
        "shot, duel",
        (fire.Engagement,),
        ("test_derive__autocannon_fires_at_both_kinds_of_targets_in_a_turn",),
        ("AA-35", "AA-61"),
    ),
    Rule(
        "p. 10 Anti-Infantry Attacks",
        "a howitzer fires once a turn, at armour or at infantry",
        "shot, duel",
        (attack.offence,),
        ("test_derive__howitzer_is_one_gun_with_three_profiles",),
        ("AA-61",),
    ),
    Rule(
        "p. 10 Anti-Infantry Attacks",
        "the target is within a foot",
        "shot, duel",
        (attack.resolve,),
        ("test_anti_infantry_page_10__machine_guns_reach_one_foot_and_hurt_no_armour",),
        ("AA-33",),
    ),
    Rule(
        "p. 10 Anti-Infantry Attacks",
        "AI/D: the squad loses what D says, usually by a roll",
        "shot, duel",
        (rules.casualties,),
        ("test_casualties__agree_with_thrown_dice", "test_casualties__never_more_than_the_men_there_are"),
        ("AA-37",),
    ),
    Rule(
        "p. 10 Large Caliber Artillery Attacks",
        "HE has to hit, with hit dice by the target's weight and whether it moved",
        "shot, duel",
        (attack.resolve, rules.roll),
        (
            "test_he_hit_dice_page_10",
            "test_he_hit_dice_page_10__d6_less_2_never_shows_5",
            "test_target_moved_in__any_inch_counts_as_a_move_for_high_explosive",
        ),
        ("AA-6", "AA-24", "AA-28", "AA-29", "AA-64"),
    ),
    Rule(
        "p. 10 Large Caliber Artillery Attacks",
        "against infantry HE guns use their AI code",
        "shot, duel",
        (attack.resolve,),
        ("test_derive__howitzer_is_one_gun_with_three_profiles",),
        ("AA-61", "AA-64"),
    ),
    Rule(
        "p. 10 Large Caliber Artillery Attacks",
        "against vehicles: base damage less n D6 less side armour",
        "shot, duel",
        (rules.he_damage,),
        (
            "test_he_damage_page_10__base_less_n_dice_less_side_armour",
            "test_he_damage_page_10__side_armour_whatever_the_face",
        ),
        ("AA-25", "AA-26", "AA-27"),
    ),
)

RULES: tuple[Rule, ...] = (
    *BASICS,
    *MOVEMENT,
    *SHOOTING,
    *OTHER_ATTACKS,
    *ACTIONS,
    *MODIFIERS,
    *CARD,
    *INFANTRY,
    *GROUND,
    *FORTIFICATIONS,
    *MATCH,
    *MODES,
)
