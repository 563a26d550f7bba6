"""Every rule of the sheet and every open point, and where the package has them."""

from __future__ import annotations

from aabalance.rulesets.armour_battles import artillery, attack, combat, command, pools, rally
from aabalance.rulesets.base import Point, Rule

TURN = "Game Turn"
FAILURE = "Command Failure"
STAFF = "Restock Staff Orders"
PULSE = "Friendly Command Pulse"
GROUPS = "Command Groups"
LOGISTICS = "Logistics Phase"
ORDERS = "Orders"
WILD = "Wild Dice"
RALLYING = "Rallying"
DISTANCE = "Rally Distance"
DIRECT = attack.DIRECT
INDIRECT = attack.INDIRECT
REACTION = attack.REACTION
RESULTS = attack.RESULTS

NO_COUNTS = "not modelled: the sheet names no numbers of command dice, and a duel needs none"
NO_TABLE = "not modelled: positions on a table are no part of a duel"

RULES: tuple[Rule, ...] = (
    Rule(
        TURN,
        "both roll command dice; the player who rolled the most 6s goes first",
        "turn",
        (command.initiative,),
        ("test_initiative__agrees_with_thrown_dice", "test_initiative__most_sixes_go_first_and_ties_are_split"),
        ("B-8",),
    ),
    Rule(
        TURN,
        "discard any 1s",
        "turn",
        (command.staff_orders,),
        ("test_staff_orders__the_face_one_counts_only_under_the_switch",),
        ("B-9",),
    ),
    Rule(
        TURN,
        "command pulses alternate, here those of two units",
        "duel",
        (combat.blows,),
        ("test_duel__agrees_with_thrown_dice",),
    ),
    Rule(TURN, "until all command dice are used", NO_COUNTS, points=("B-10",)),
    Rule(
        FAILURE,
        "more 1s than 6s",
        "turn",
        (command.fails, command.command_failure),
        ("test_command_failure__agrees_with_thrown_dice",),
    ),
    Rule(
        FAILURE,
        "the opponent gets to use the 1s as wild dice",
        "turn",
        (command.wild_dice,),
        ("test_wild_dice__own_sixes_and_the_ones_of_a_failure",),
    ),
    Rule(
        FAILURE,
        "the player with the command failure has the second command pulse",
        "turn",
        (command.initiative,),
        ("test_initiative__agrees_with_thrown_dice",),
    ),
    Rule(
        FAILURE,
        "artillery and smoke missions are cancelled; no Commit Reserve orders",
        "not modelled: no missions here",
    ),
    Rule(
        FAILURE,
        "if both players roll a command failure, the turn ends",
        "turn",
        (command.initiative,),
        ("test_initiative__agrees_with_thrown_dice",),
    ),
    Rule(
        STAFF,
        "a double is 1 staff order, a triple 2, a quadruple 3",
        "turn",
        (command.orders_of, command.staff_orders),
        ("test_orders_of__as_the_sheet_lists", "test_staff_orders__agrees_with_thrown_dice"),
        ("B-9",),
    ),
    Rule(
        PULSE,
        "a pulse is Logistics, Regroup, a Command Order or a pass; an order chain of n dice buys n of them",
        NO_COUNTS,
        points=("B-10",),
    ),
    Rule(PULSE, "one or more staff orders may be used as well", NO_COUNTS),
    Rule(
        GROUPS,
        "a leader and three units within 6 inches are ordered together, and fire",
        "battle",
        (combat.group_fire,),
        ("test_group_fire__agrees_with_thrown_dice", "test_group_fire__pooled_dice_meet_one_reaction"),
        ("B-12",),
    ),
    Rule(
        GROUPS,
        "suppressed units cannot be included",
        "battle",
        (combat.can_act,),
        ("test_can_act__a_suppressed_unit_does_nothing_but_regroup",),
    ),
    Rule(GROUPS, "a reconnaissance unit comes on top", NO_TABLE),
    Rule(LOGISTICS, "adjust off-table artillery", NO_TABLE),
    Rule(
        LOGISTICS,
        "off-table artillery fires for effect",
        "shot, duel",
        (attack.offence, attack.resolve),
        ("test_offence__a_battery_fires_its_artillery_dice", "test_shot__agrees_with_thrown_dice"),
        ("B-14",),
    ),
    Rule(
        ORDERS,
        "Move and Fire",
        "shot, duel",
        (attack.offence, combat.fire_modifiers),
        ("test_fire_modifiers__as_the_sheet_lists",),
        ("B-11",),
    ),
    Rule(ORDERS, "Commit Reserves", NO_TABLE),
    Rule(
        ORDERS,
        "Disengage Group",
        "shot, duel",
        (combat.reaction_modifiers,),
        ("test_reaction_modifiers__as_the_sheet_lists",),
    ),
    Rule(ORDERS, "Rally Group", "turn", (rally.rally, rally.rallied), ("test_rally__agrees_with_thrown_dice",)),
    Rule(
        ORDERS,
        "Regroup (does not count as an activation)",
        "duel",
        (combat.regroup,),
        ("test_regroup__lifts_suppression_and_leaves_the_points", "test_duel__a_suppressed_unit_loses_its_pulse"),
        ("B-5",),
    ),
    Rule(ORDERS, "artillery and smoke missions, for staff orders only", "not modelled: no missions here"),
    Rule(
        WILD,
        "rolls of 6s and staff orders are wild dice",
        "turn",
        (command.wild_dice,),
        ("test_wild_dice__own_sixes_and_the_ones_of_a_failure",),
    ),
    Rule(WILD, "create a larger order chain", NO_COUNTS, points=("B-10",)),
    Rule(
        WILD,
        "add to a combat, a reaction or a rally roll",
        "shot, duel, turn",
        (combat.wild_dice_modifier, combat.pool),
        ("test_wild_dice__add_to_each_roll_of_their_owner", "test_pool__rally_dice_with_cover_and_wild_dice"),
    ),
    Rule(WILD, "replace a variable move die", "not modelled: the sheet has no movement rule"),
    Rule(
        WILD,
        "a double, triple or more 6s can be instant staff orders",
        "turn",
        (command.orders_of,),
        ("test_orders_of__as_the_sheet_lists",),
        ("B-9",),
    ),
    Rule(
        RALLYING,
        "roll rally dice; the opponent one die at 4+ for each disruption point",
        "turn",
        (rally.rally, pools.margin),
        ("test_rally__agrees_with_thrown_dice",),
        ("B-1",),
    ),
    Rule(
        RALLYING,
        "remove one disruption point per success",
        "turn",
        (rally.rally,),
        ("test_rally__removes_no_more_than_there_is",),
        ("B-1",),
    ),
    Rule(
        RALLYING,
        "suppressed units cannot be rallied",
        "turn",
        (rally.rallied,),
        ("test_rallied__a_suppressed_unit_is_not",),
    ),
    Rule(
        DISTANCE,
        "6+ at 0-6 inches, 5+ at 6-12, 4+ at 12-24, 3+ at 24-36, 2+ from 36",
        "turn",
        (rally.rally_target_number,),
        ("test_rally_target_number__as_the_sheet_lists", "test_rally_target_number__the_edges_of_two_bands"),
        ("B-4",),
    ),
    Rule(
        DISTANCE,
        "light cover and no LOS to enemy: one die more each",
        "turn",
        (rally.rally_modifiers, combat.pool),
        ("test_pool__rally_dice_with_cover_and_wild_dice",),
    ),
    Rule(
        DIRECT,
        "AT dice at 4+ against the target's reaction dice",
        "shot, duel",
        (attack.offence, pools.fire),
        ("test_shot__agrees_with_thrown_dice", "test_fire__one_die_each_by_hand"),
        ("B-1", "B-12"),
    ),
    Rule(
        DIRECT,
        "suppressed units cannot fire",
        "duel",
        (combat.can_act, combat.blows),
        ("test_can_act__a_suppressed_unit_does_nothing_but_regroup", "test_duel__a_suppressed_unit_loses_its_pulse"),
    ),
    Rule(
        DIRECT,
        "close range -1 TN, effective 0, long +1, flank or rear -1",
        "shot, duel",
        (combat.fire_target_number, combat.range_band, attack.band_of),
        ("test_fire_target_number__as_the_sheet_lists", "test_range_band__edges_are_in_the_nearer_band"),
        ("B-7",),
    ),
    Rule(
        DIRECT,
        "ambush +1D, double move -1D, triple move -2D",
        "shot, duel",
        (combat.fire_modifiers, combat.pool),
        ("test_fire_modifiers__as_the_sheet_lists",),
        ("B-11",),
    ),
    Rule(
        INDIRECT,
        "a call rolls artillery dice against 3D at 4+: with more successes the battery fires at once, else next turn",
        "turn",
        (artillery.p_immediate,),
        ("test_p_immediate__agrees_with_thrown_dice",),
    ),
    Rule(
        INDIRECT,
        "a deviating battery deviates 1D inches",
        "turn",
        (artillery.deviation,),
        ("test_deviation__is_one_die",),
    ),
    Rule(
        INDIRECT,
        "batteries fire at 4+",
        "shot, duel",
        (attack.resolve,),
        ("test_offence__a_battery_fires_its_artillery_dice",),
        ("B-14",),
    ),
    Rule(
        REACTION,
        "4+, or 5+ if the target is suppressed",
        "shot, duel",
        (combat.reaction_target_number,),
        ("test_reaction_target_number__is_worse_for_the_suppressed",),
    ),
    Rule(
        REACTION,
        "light cover, uphill +1D; open-topped against indirect fire -1D; disengages, breaks off, shoots and scoots +2D",
        "shot, duel",
        (combat.reaction_modifiers, attack.defence),
        ("test_reaction_modifiers__as_the_sheet_lists", "test_defence__open_top_and_low_profile_by_kind_of_fire"),
    ),
    Rule(
        RESULTS,
        "one disruption point for each success",
        "shot, duel",
        (pools.fire, combat.points_taken),
        ("test_fire__one_die_each_by_hand", "test_fire__takes_as_many_attacks_to_disperse_as_the_interpretation_says"),
        ("B-1",),
    ),
    Rule(
        RESULTS,
        "a unit with three disruption points is removed, and costs D3 army morale points",
        "shot, duel, battle",
        (combat.condition, combat.hit, combat.army_morale_lost),
        ("test_hit__third_point_disperses", "test_army_morale_lost__a_d3_a_unit"),
        ("B-6",),
    ),
    Rule(
        RESULTS,
        "suppressed if the firer rolls more 6s than the target",
        "shot, duel",
        (pools.fire, combat.hit),
        ("test_fire__one_die_each_by_hand", "test_fire__points_and_suppression_are_read_off_the_same_dice"),
        ("B-2",),
    ),
    Rule(
        RESULTS,
        "a unit hit by indirect fire is suppressed unless it rolls more 6s than the firer",
        "shot, duel",
        (artillery.p_suppressed, pools.fire),
        ("test_p_suppressed__what_counts_as_hit", "test_p_suppressed__agrees_with_thrown_dice"),
        ("B-3",),
    ),
    Rule(
        RESULTS,
        "a suppressed unit that takes one or two points is forced back",
        "shot",
        (combat.forced_back,),
        ("test_forced_back__suppressed_before_or_by_the_fire",),
        ("B-13",),
    ),
)

POINTS: tuple[Point, ...] = (
    Point(
        "B-1",
        RESULTS,
        "one disruption point for each success, or for each that the reaction dice don't cancel?",
        "reactions cancel: their target number would be pointless otherwise, and calls and rallies compare so",
        ("opposed",),
    ),
    Point(
        "B-2",
        RESULTS,
        "does direct suppression depend on disruption points, and do ties suppress?",
        "natural 6s alone count; ties don't suppress",
    ),
    Point(
        "B-3",
        RESULTS,
        "what has indirect fire hit, and do ties suppress?",
        "a unit that takes a disruption point; ties suppress",
        ("indirect_hit",),
    ),
    Point(
        "B-4",
        DISTANCE,
        "the bands overlap at 6, 12 and 24 inches, and 24-26 leaves a gap",
        "the nearer band; 24-36",
        ("rally_boundary",),
    ),
    Point(
        "B-5",
        ORDERS,
        "what lifts suppression?",
        "Regroup: a suppressed unit loses a pulse",
        ("suppression_clears",),
    ),
    Point("B-6", RESULTS, "what of points beyond three?", "nothing: the unit is gone"),
    Point("B-7", DIRECT, "target numbers below 2 or above 6", "can't occur in direct fire; held within 2 and 6"),
    Point("B-8", TURN, "a tie on 6s", "by lot"),
    Point(
        "B-9",
        STAFF,
        "which faces count, and what are five of a kind worth?",
        "2 to 6, since 1s are discarded; one less than the number of equal dice",
        ("staff_faces",),
    ),
    Point("B-10", PULSE, "what is a dice chain?", "equal faces; duels don't use it"),
    Point("B-11", DIRECT, "whose double or triple move?", "the firer's own"),
    Point("B-12", GROUPS, "does a group fire unit by unit?", "one after another", ("group_fire",)),
    Point("B-13", RESULTS, "how far is forced back?", "the sheet doesn't say; ignored in duels"),
    Point("B-14", INDIRECT, "which dice meet a battery's fire?", "the target's reaction dice"),
)
