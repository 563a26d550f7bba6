"""Infantry, rule by rule (p. 17-19): see `aabalance.rulesets.armored_advance.coverage`."""

from __future__ import annotations

from aabalance.rulesets.armored_advance import attack, fire, infantry, match, movement, postures, price, rules
from aabalance.rulesets.base import Rule

INFANTRY = (
    Rule(
        "p. 17 Infantry",
        "each squad has one action a turn, outside the action limit",
        "turn, battle",
        (match.actions_left, infantry.squad_actions),
        ("test_infantry_example_page_17__acts_when_all_5_actions_went_to_vehicles",),
        ("AA-50", "AA-67"),
    ),
    Rule(
        "p. 17 Infantry",
        "a basic squad has 6 men and fights on with those left, until none is",
        "duel, battle",
        (attack.offence, postures.Player),
        (
            "test_special_squads_page_19__cards_have_their_numbers",
            "test_infantry_page_17__a_shot_of_three_men_has_their_code",
        ),
    ),
    Rule(
        "p. 17 Movement",
        '4" an action',
        "movement, duel",
        (movement.moves_in,),
        ("test_infantry_page_17__moves_4_inches_and_has_no_free_move",),
    ),
    Rule(
        "p. 17 Attack",
        'at infantry within 12": D3-1 with 4 to 6 men, D3-2 with 1 to 3',
        "shot, duel",
        (attack.offence, rules.casualties),
        (
            "test_infantry_page_17__d3_less_1_with_four_men_and_d3_less_2_below",
            "test_infantry_page_17__fires_within_12_inches",
        ),
        ("AA-33", "AA-36", "AA-37"),
    ),
    Rule(
        "p. 17 Objectives",
        "an objective belongs to the side with more men on it",
        "battle",
        (infantry.owner,),
        ("test_objective_example_page_17__6_men_in_a_squad_beat_5_squads_of_1",),
    ),
    Rule(
        "p. 17 Field Guns",
        'do nothing without a squad within 1" behind them; a squad mans one piece',
        "turn, battle",
        (infantry.mans,),
        ("test_manning_page_17__within_1_inch_and_behind_and_one_piece_only",),
        ("AA-63",),
    ),
    Rule(
        "p. 17 Field Guns",
        "otherwise go by the rules of any unit",
        "shot, duel, movement",
        (attack.offence, attack.defence, match.actions_left),
        ("test_actions_left_page_4__pool_and_limit_both_bind", "test_support_example_page_14__10_becomes_15"),
        ("AA-63", "AA-64"),
    ),
    Rule(
        "p. 17 Field Guns",
        "the crew is immune to anti-infantry fire from where the gun has armour",
        "shot, battle",
        (infantry.crew_is_immune, attack.defence),
        (
            "test_crew_page_17__is_immune_behind_armour_in_the_direction_of_the_attack",
            "test_field_guns_page_17__their_armour_makes_the_crew_immune",
        ),
    ),
    Rule(
        "p. 18 Modifiers",
        "equipment costs requisition: a machine gun 5, a grenade 5, two grenades at most",
        "battle",
        (price.flat,),
        ("test_equipment_page_18__machine_gun_and_grenade_cost_5_requisition_each",),
    ),
    Rule(
        "p. 18 Machine Gun",
        "one kill more in each attack on infantry, as long as the squad is there",
        "shot, duel",
        (rules.casualties, attack.offence),
        ("test_machine_gun_page_18__a_constant_kill_more",),
        ("AA-38",),
    ),
    Rule(
        "p. 18 Grenade",
        'once each, at infantry within 6", over walls too: D6-2',
        "shot, duel",
        (attack.offence, fire.Engagement),
        (
            "test_grenade_page_18__d6_less_2",
            "test_grenade_page_18__is_thrown_within_6_inches_in_place_of_the_attack",
            "test_hidden__squads_too_but_not_from_grenades",
        ),
        ("AA-37", "AA-38", "AA-40"),
    ),
    Rule(
        "p. 18 Embarkation",
        "a squad boards a transport for an action of the transport's, or occupies a gun",
        "turn, battle",
        (infantry.embark, infantry.mans),
        ("test_apc_page_12__carries_x_squads_for_an_action_each",),
    ),
    Rule(
        "p. 18 Embarkation",
        "squads inside aren't attacked by anti-infantry fire and don't attack",
        "shot, battle",
        (attack.defence,),
        ("test_embarked_page_18__no_anti_infantry_fire_into_a_transport",),
    ),
    Rule(
        "p. 18 Embarkation",
        "if the transport is destroyed, they lose D3-1 men, get out and lose their next action",
        "turn, battle",
        (infantry.survivors, infantry.squad_actions),
        (
            "test_survivors_page_12__lose_d3_less_1",
            "test_embarkation_page_18__who_lost_the_transport_loses_the_next_action",
        ),
        ("AA-51",),
    ),
    Rule(
        "p. 18 Embarkation",
        "a squad that got out takes no other action that turn",
        "turn, battle",
        (infantry.squad_actions,),
        ("test_embarkation_page_18__who_got_out_has_no_action_left_this_turn",),
    ),
    Rule(
        "p. 19 Special Squads",
        "bring no other equipment",
        "battle",
        (infantry.may_bring_equipment,),
        ("test_special_squads_page_19__bring_no_equipment",),
    ),
    Rule(
        "p. 19 Anti-Tank Rifle Team",
        '2 men; D3-2 at infantry within 12", penetration 4 and damage 2 within 18"',
        "shot, duel",
        (attack.offence, attack.resolve),
        (
            "test_special_squads_page_19__cards_have_their_numbers",
            "test_at_rifle_team_page_19__4_penetration_2_damage_18_inches",
        ),
        ("AA-33", "AA-41", "AA-67"),
    ),
    Rule(
        "p. 19 Sniper Team",
        '2 men; one kill at infantry within 30"',
        "shot, duel",
        (attack.offence, attack.resolve),
        ("test_special_squads_page_19__cards_have_their_numbers",),
        ("AA-33",),
    ),
    Rule(
        "p. 19 Special Squads",
        "rifle and sniper teams are targets only if they moved or fired in their previous turn",
        "shot",
        (attack.defence,),
        ("test_special_squads_page_19__only_targeted_if_they_moved_or_fired",),
        ("AA-52",),
    ),
    Rule(
        "p. 19 Artillery Crew",
        "3 men; the gun that they man has 1 more on its roll to hit",
        "shot",
        (attack.offence,),
        (
            "test_special_squads_page_19__cards_have_their_numbers",
            "test_artillery_crew_page_19__1_more_to_hit_with_a_manned_field_gun",
        ),
        ("AA-8", "AA-62"),
    ),
)
