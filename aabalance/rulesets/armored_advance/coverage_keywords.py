"""The rulebook's keywords, rule by rule (p. 11-16): see `aabalance.rulesets.armored_advance.coverage`."""

from __future__ import annotations

from aabalance.rulesets.armored_advance import attack, fire, infantry, keywords, movement, rules
from aabalance.rulesets.base import Rule

ACTIONS = (
    Rule(
        "p. 11 Scout",
        'a scout marks an enemy in view within 60", and a friend gets a bonus against it',
        "shot, duel",
        (keywords.scout,),
        (
            "test_scout__helps_every_gun_of_the_unit",
            "test_scout__costs_its_side_an_action_for_each_shot",
        ),
        ("AA-43",),
    ),
    Rule(
        "p. 11 Scout",
        'the bonus on the roll: +3 within 24", +2 within 36", +1 beyond',
        "shot, duel",
        (keywords.scout_bonus,),
        ("test_scout_table_page_11",),
        ("AA-5", "AA-8", "AA-44"),
    ),
    Rule(
        "p. 12 Accurate",
        "both actions may buy a single shot with 1 added to the roll",
        "shot, duel",
        (keywords.accurate, attack.aimed, fire.Engagement),
        (
            "test_accurate__one_shot_at_plus_1_for_both_actions",
            "test_accurate__with_autocannon_is_a_single_sequence",
        ),
        ("AA-8", "AA-13", "AA-14"),
    ),
    Rule(
        "p. 12 Accurate",
        "a unit that aims doesn't move",
        "duel",
        (keywords.accurate,),
        ("test_accurate_page_12__a_unit_that_moved_cannot_aim",),
    ),
    Rule(
        "p. 12 APC",
        "carries X squads",
        "movement, battle",
        (keywords.apc, infantry.capacity),
        ("test_apc_page_12__takes_no_more_than_it_has_room_and_actions_for",),
    ),
    Rule(
        "p. 12 APC",
        "embarking takes an action of the transport, disembarking none",
        "turn, battle",
        (infantry.embark,),
        ("test_apc_page_12__carries_x_squads_for_an_action_each",),
    ),
    Rule(
        "p. 12 APC",
        "squads inside can't be attacked by anti-infantry fire",
        "shot, battle",
        (attack.defence,),
        ("test_embarked_page_18__no_anti_infantry_fire_into_a_transport",),
    ),
    Rule(
        "p. 12 APC",
        "when it is destroyed, the squads get out and lose D3-1 men each",
        "battle",
        (infantry.survivors,),
        ("test_survivors_page_12__lose_d3_less_1", "test_survivors_page_12__each_squad_rolls_for_itself"),
        ("AA-51",),
    ),
    Rule(
        "p. 13 Towing",
        "some units tow one field gun; connecting it takes an action, letting it go none",
        "movement, battle",
        (movement.hitch,),
        (
            "test_towing_page_13__hitching_costs_an_action",
            "test_towing_page_13__needs_the_keyword_and_a_field_gun",
        ),
    ),
    Rule(
        "p. 13 Towing",
        "a heavy gun halves the movement of the unit that tows it, others change nothing",
        "movement, battle",
        (keywords.towing, movement.reach_in),
        ("test_towing_page_13__heavy_gun_halves_and_others_cost_nothing",),
    ),
    Rule(
        "p. 13 Rapid Fire",
        "both actions may fire the primary weapon",
        "duel",
        (keywords.rapid_fire,),
        ("test_rapid_fire__fires_the_primary_twice", "test_rapid_fire__is_the_primarys_alone"),
        ("AA-49",),
    ),
    Rule(
        "p. 13 Autocannon",
        "X dice sequences for one attack action",
        "shot, duel",
        (keywords.autocannon,),
        (
            "test_autocannon__x_sequences_in_an_attack",
            "test_autocannon__rapid_fire_makes_2x_sequences",
            "test_volley__autocannon_agrees_with_thrown_dice",
        ),
        ("AA-14", "AA-34"),
    ),
    Rule(
        "p. 13 Autocannon",
        "fires at infantry and at vehicles in the same turn, at vehicles once without rapid fire",
        "duel",
        (fire.Engagement,),
        ("test_derive__autocannon_fires_at_both_kinds_of_targets_in_a_turn",),
        ("AA-34", "AA-61"),
    ),
)

MODIFIERS = (
    Rule(
        "p. 14 Light/Medium/Heavy",
        "classes of weight, for movement and artillery",
        "movement, shot",
        (movement.moves_in, movement.free_in, attack.defence),
        ("test_heavy_example_page_4__4_and_2_is_6_inches", "test_he_hit_dice_page_10"),
    ),
    Rule(
        "p. 14 Casemate / Reverse Casemate",
        "fires within the 90 degrees before it, or behind it",
        "not modelled: an attacker has its target in its arc",
        points=("AA-47",),
    ),
    Rule(
        "p. 14 Casemate / Reverse Casemate",
        "1 less on the roll if the first action was a move",
        "shot, duel",
        (keywords.casemate, keywords.reverse_casemate),
        ("test_casemate__less_1_if_it_moved_first", "test_casemate__acts_on_the_primary_alone"),
        ("AA-6", "AA-45", "AA-69"),
    ),
    Rule(
        "p. 14 Slow Reverse",
        "backs at half speed unless it ends facing the way it went",
        "movement, duel",
        (keywords.slow_reverse, movement.backwards_in),
        ("test_slow_reverse_page_14__half_the_way_if_it_keeps_facing_the_enemy",),
    ),
    Rule(
        "p. 14 Support",
        "half as much damage again, rounded up, to field guns",
        "shot, duel",
        (keywords.support, rules.he_damage),
        (
            "test_support_example_page_14__10_becomes_15",
            "test_support_page_14__rounds_up",
            "test_support_page_14__rounds_up_after_the_side_armour",
        ),
        ("AA-48",),
    ),
    Rule(
        "p. 14 Support",
        "and to fortifications",
        "not modelled: fortifications have no hit points",
        points=("AA-48",),
    ),
    Rule(
        "p. 14 Angling",
        "armour X against an enemy 30 to 60 degrees off the front",
        "shot, duel",
        (keywords.angling,),
        (
            "test_bearing__says_which_face_is_shot_at_and_whether_it_is_angled",
            "test_angling__armour_x_between_30_and_60_degrees",
            "test_angling__holds_in_the_side_quadrant_too",
            "test_angling__is_no_use_against_he",
        ),
        ("AA-46", "AA-47", "AA-66"),
    ),
    Rule(
        "p. 14 Long Reload",
        "no shot in two turns running",
        "duel",
        (keywords.long_reload, fire.survey),
        (
            "test_long_reload__fires_every_other_turn",
            "test_long_reload__leaves_the_other_guns_alone",
            "test_duel__long_reload_alternates_although_another_gun_is_as_good",
        ),
        ("AA-49",),
    ),
    Rule(
        "p. 15 Limited Range",
        "no shot beyond X inches",
        "shot, duel",
        (keywords.limited_range,),
        ("test_limited_range__no_shot_beyond_x", "test_limited_range__is_the_primarys_alone"),
        ("AA-33",),
    ),
    Rule(
        "p. 15 Anti-Air",
        "an air attack within X inches fails on 3+, that of an aircraft which only passes there on 5+",
        "battle",
        (keywords.anti_air, keywords.air_attack_fails),
        (
            "test_anti_air_page_15__3_within_x_inches_and_5_on_the_way",
            "test_anti_air__several_roll_independently",
        ),
        ("AA-56",),
    ),
    Rule(
        "p. 15 Anti-Air",
        "aircraft themselves",
        "not modelled: the rulebook leaves them to a later version",
        points=("AA-56",),
    ),
    Rule(
        "p. 15 Indirect",
        "fires over obstructions, unless the target is within the cover range of one",
        "shot, duel",
        (attack.resolve,),
        ("test_indirect_page_15__within_x_inches_over_walls_and_foliage_but_not_into_cover_range",),
        ("AA-65",),
    ),
    Rule(
        "p. 15 Indirect",
        "hits without a roll; the damage hangs on a die, the armour and how far the target moved",
        "shot, duel",
        (rules.indirect_share, rules.indirect_damage),
        (
            "test_indirect_page_15__damage_by_the_movement_of_the_target",
            "test_indirect__a_target_moved_as_far_as_its_actions_take_it",
        ),
        ("AA-26", "AA-29", "AA-30", "AA-31"),
    ),
    Rule(
        "p. 15 Indirect",
        "takes a whole turn to set up first, and doesn't start the game so",
        "shot, duel",
        (keywords.indirect,),
        (
            "test_indirect_page_15__a_full_turn_of_setting_up_without_any_other_action",
            "test_indirect__moving_loses_the_set_up",
        ),
        ("AA-32", "AA-68"),
    ),
    Rule(
        "p. 15 Indirect",
        "the target is within X inches",
        "shot, duel",
        (keywords.indirect,),
        ("test_indirect_page_15__within_x_inches_over_walls_and_foliage_but_not_into_cover_range",),
        ("AA-33",),
    ),
)

CARD = (
    Rule(
        "p. 16 Statistic Card Format",
        "what stands on a unit's card",
        "not modelled: the page is empty; the cards' format is this project's",
        points=("AA-60",),
    ),
)
