"""Each column that a table may have: its name, its type, its unit, what it holds, and the heading above it.

Users read these texts on a report's page and in docs/reference.md, where the words *holding*, *fresh target* and *equal
requisition* are explained. "The unit" is the unit of the row.
"""

from __future__ import annotations

from collections.abc import Iterable

from aabalance.columns.column import (
    EFFECT,
    LENGTH,
    Column,
    number,
    points,
    points_with_ends,
    share,
    text,
    whole,
    yes_or_no,
)

_ALL = [
    text("unit", "id of the unit's card"),
    text("name", "name on the card"),
    text("nation", "nation on the card"),
    text("category", "class of the unit", heading="class"),
    text("attacker", "id of the unit that attacks: side a of the duel"),
    text("target", "id of the unit that is attacked: side b of the duel"),
    number("range_in", LENGTH, "distance between the two units, in inches unless the game counts in something else"),
    text("facing", "face that the target shows; in a row of means over situations, all faces that it shows in them"),
    text("own_facing", "face that the attacker shows when the target fires back; in a row of means, all such faces"),
    text("situation", "what else the attack depends on, in words"),
    number("weight", "", "weight of the situation; those of the standard situations add up to 1"),
    points("attacker_requisition", "what the attacker costs"),
    points("target_requisition", "what the target costs"),
    whole(
        "need",
        "D6",
        "natural roll that the best attack needs (under two dice: its hit die); 0: no single roll decides, "
        "7: it can't have an effect",
    ),
    yes_or_no(
        "out_of_reach",
        "no attack has an effect, and the distance is the reason: it is too far or too near for those that would",
    ),
    share("p_damage", "chance that one attack has an effect", heading="chance of an effect"),
    number(
        "expected_damage",
        EFFECT,
        "mean effect of one attack, even if that is more than the target has left; in men against infantry",
    ),
    number(
        "expected_damage_per_action",
        EFFECT,
        "mean effect of the best use of one action; a turn of reloading costs an action too",
        heading="damage an action",
    ),
    share("p_kill", "chance that one attack destroys a fresh target"),
    share("p_kill_turn", "chance that one turn of holding destroys a fresh target"),
    number(
        "expected_shots_to_kill",
        "attacks",
        "mean number of attacks until a fresh target is destroyed; inf: it never is",
    ),
    number(
        "expected_turns_to_kill",
        "turns",
        "mean number of own turns of holding until a fresh target is destroyed; in a row of means over situations, the "
        "inverse of the mean rate; inf: it never is",
        heading="turns to kill",
    ),
    share(
        "p_win",
        "chance that only the attacker is left when the duel ends, or when its limit of rounds is reached; "
        "a roll-off decides who has the first turn",
        heading="wins",
    ),
    share(
        "p_draw",
        "chance that both are left, for ever or at the limit of rounds, or that neither is left",
        heading="draw",
    ),
    share("p_loss", "chance that only the target is left", heading="loses"),
    share("p_win_first", "chance that the attacker wins when it moves first"),
    share("p_win_second", "chance that the attacker wins when it moves second"),
    number(
        "player_turns",
        "turns",
        "mean number of turns of the duel or battle, those of both sides counted, up to the limit of rounds if there "
        "is one; inf: it may never end",
    ),
    whole("player_turn", "", "number of the turn, those of both sides counted, from 1; 0: before the first"),
    share("p_end", "chance that the duel ends in this turn"),
    share("p_ended", "chance that the duel has ended by the end of this turn"),
    text("winner", "side that is left: a or b"),
    share("p_left", "chance that this side wins with exactly so much left"),
    whole("toughness_left", EFFECT, "what the unit has left"),
    whole("enemy_toughness_left", EFFECT, "what its enemy has left"),
    yes_or_no("reloading", "the unit's main gun can't fire in this turn"),
    yes_or_no("enemy_reloading", "the enemy's main gun can't fire in its next turn"),
    yes_or_no("enemy_moved", "the enemy moved in its last turn"),
    text("orders", "what the unit does in this turn if it plays as well as it can"),
    whole("n", "", "number of simulated duels or battles; 0: solved exactly"),
    whole("seed", "", "seed of the dice"),
    share("ci_low", "lower end of Wilson's 95 % interval of p_win"),
    share("ci_high", "higher end of Wilson's 95 % interval of p_win"),
    number("p_kill_per_action", "0-1", "mean kills per action, over situations and opponents"),
    points("requisition", "what the unit costs"),
    number(
        "expected_damage_per_requisition",
        f"{EFFECT}/100",
        "expected_damage_per_action for each 100 requisition that the unit costs",
    ),
    points(
        "requisition_destroyed_per_action",
        "p_kill_per_action times what the opponent costs, mean over situations and opponents",
        heading="requisition destroyed an action",
    ),
    number(
        "loss_exchange_ratio",
        "",
        "mean number of enemies destroyed, over mean number of own losses",
        heading="enemies for each own loss",
    ),
    number(
        "requisition_exchange_ratio",
        "",
        "mean requisition destroyed, over mean requisition lost; in a battle, what b loses over what a loses",
        heading="requisition destroyed for each point lost",
    ),
    number(
        "peer_exchange_ratio",
        "",
        "requisition exchange ratio that units of this requisition have on average, by a power law fitted to all units",
        heading="average at its price",
    ),
    number(
        "exchange_ratio_to_peers",
        "",
        "the unit's requisition exchange ratio over peer_exchange_ratio; above 1: better than others of its price",
        heading="times the average at its price",
    ),
    whole("rank", "", "place by requisition exchange ratio; 1 is best"),
    number("attack", EFFECT, "mean damage that the unit does per action, over situations and opponents"),
    number("endurance", "attacks", "mean number of its opponents' attacks that the unit survives"),
    whole("proposal", "points", "requisition that the cost formula gives"),
    text("gun_class", "class of the main weapon", heading="main weapon"),
    whole("units", "", "number of units in the group"),
    share("share_of_pairs", "share of the pairs of attacker and target"),
    share(
        "share_impossible",
        "of the matchups that aren't out of reach, the share in which no attack can have an effect",
        heading="without any effect",
    ),
    share(
        "share_out_of_reach",
        "share of the matchups in which no attack has an effect because the distance is too large or too small",
        heading="out of reach",
    ),
    share(
        "mean_p_damage",
        "mean of p_damage, the chance that one attack has an effect",
        heading="mean chance of an effect",
    ),
    number(
        "median_turns_to_kill",
        "turns",
        "median number of turns of holding until a fresh target is destroyed, where it can be",
        heading="median turns to kill",
    ),
    whole("turns", "turns", "number of turns that the attacker has"),
    share(
        "p_kill_within", "chance that so many turns of holding destroy a fresh target", heading="destroyed within that"
    ),
    share("p_dearer_wins", "chance that the dearer unit of a pair wins the duel, mean over the pairs"),
    share("p_cheaper_wins", "chance that the cheaper unit of a pair wins the duel, mean over the pairs"),
    share(
        "share_one_sided",
        "share of the pairs in which one unit wins at least nine in ten of the duels that don't end in a draw",
    ),
    share("share_draws", "mean chance that nobody wins a duel", heading="drawn duels"),
    share("share_endless", "share of the matchups whose duel may never end", heading="duels that may never end"),
    share("first_turn_advantage", "mean of p_win_first less p_win_second", heading="worth of the first turn"),
    share(
        "mean_change_of_p_win",
        "mean absolute difference of p_win from the first row, over the matchups",
        heading="mean change of the chance to win",
    ),
    share(
        "largest_change_of_p_win",
        "largest absolute difference of p_win from the first row, in any matchup",
        heading="largest change of the chance to win",
    ),
    number(
        "factor_on_exchange_ratio",
        "",
        "factor by which requisition exchange ratios rise or fall from the first row: geometric mean over the units",
        heading="factor on exchange ratios",
    ),
    whole(
        "largest_change_of_rank",
        "",
        "largest difference of a unit's rank from the first row, up or down",
        heading="largest change of rank",
    ),
    number("rank_correlation", "", "Spearman's correlation of the ranks of cost effectiveness with the first row's"),
    text("reading", "reading of the rules under which the numbers of the row hold"),
    text("list_a", "list of side a: its name, or its units", heading="side a"),
    text("list_b", "list of side b: its name, or its units", heading="side b"),
    whole("actions", "", "limit of actions in a turn, the same for both sides", heading="actions a turn"),
    whole("actions_a", "", "limit of actions in a turn of side a", heading="actions a turn, a"),
    whole("actions_b", "", "limit of actions in a turn of side b", heading="actions a turn, b"),
    text("policy_a", "policy by which side a decides which unit attacks which enemy", heading="policy of a"),
    text("policy_b", "policy by which side b decides which unit attacks which enemy", heading="policy of b"),
    text("posture_a", "posture by which the units of side a move or stay", heading="posture of a"),
    text("posture_b", "posture by which the units of side b move or stay", heading="posture of b"),
    text("mode", "how the battle is won"),
    number("rounds", "turns", "limit of rounds, each a turn of either side; inf: none"),
    points("requisition_a", "what list a costs", heading="requisition of a"),
    points("requisition_b", "what list b costs", heading="requisition of b"),
    share("p_a", "chance that side a wins the battle", heading="a wins"),
    share("p_b", "chance that side b wins the battle", heading="b wins"),
    *(
        share(f"{name}_ci_{end}", f"{end}er end of Wilson's 95 % interval of {name}, if the battle was rolled")
        for name in ("p_a", "p_b", "p_draw")
        for end in ("low", "high")
    ),
    text("opponent", "id of the other unit of the pair"),
    points("opponent_requisition", "what the opponent costs", heading="their requisition"),
    share("score", "chance that the unit wins for equal requisition, and half of the chance of a draw"),
    share("level", "score at which a unit is level with the roster: the mean over all units above the least price"),
    points("worth", "price at which the unit's score is level, all others at their prices; inf: higher at any price"),
    points(
        "worth_low",
        "lower end of the 90 % interval of worth, over other opponents like these",
        heading="worth at least",
    ),
    points(
        "worth_high",
        "higher end of the 90 % interval of worth, over other opponents like these",
        heading="worth at most",
    ),
    share("score_moving", "score, plus what it changes by where both sides move to where their exchange is best"),
    points("worth_moving", "price at which score_moving would be level"),
    yes_or_no("beyond", "the whole interval of worth_moving lies outside the interval of worth"),
    number(
        "worth_change",
        "change",
        "difference of worth from the price, as a share of the price: 0.25 is a quarter more",
        heading="change",
    ),
    share(
        "worth_slope",
        "how much the score changes at the price worth if that price rises by 10 %",
        heading="score, if a tenth dearer",
    ),
    share(
        "score_at_worth",
        "the unit's score at the price worth: level, unless that is the least or largest price",
        heading="score at its worth",
    ),
    points(
        "worth_fewest_actions",
        "what the unit is worth under the smallest action limit alone",
        heading="worth, fewest actions",
    ),
    points(
        "worth_most_actions",
        "what the unit is worth under the largest action limit alone",
        heading="worth, most actions",
    ),
    text("flags", "reasons why its worth should not be trusted, in words", heading="reasons for doubt"),
    text(
        "unseen",
        "abilities that don't show in a battle in which all units hold, so that its worth leaves them out",
        heading="what no battle shows",
    ),
    points(
        "pull",
        "part of its worth that this opponent adds or, below 0, takes; the pulls of all opponents cancel",
        heading="adds to its worth",
    ),
    number(
        "exchange_rate",
        "points",
        "requisition of this opponent that matches one point of the unit's own, so that both score the same; "
        "0 or inf: at any price the unit scores less, or more",
        heading="points of theirs matched by 1 of its own",
    ),
    text("what_if", "change of the card, in words"),
    points("worth_before", "what the unit is worth without the change"),
    points("worth_after", "what the unit is worth with the change"),
    points("worth_difference", "how much more the unit is worth with the change"),
    whole(
        "more_against",
        "units",
        "number of opponents to which an attack is expected to do more than with the change in the row before",
    ),
    text("group", "nation, class, or whatever else units are grouped by"),
    text("opponent_group", "group of the opponents"),
    whole("opponents", "units", "number of opponents that the unit or the group meets", heading="guns"),
    whole("pairs", "", "number of pairs of units that the mean is over"),
    text("by", "id of another unit that costs no more and scores at least as well against every opponent"),
    points("by_requisition", "what that other unit costs"),
    share("by_score", "what that other unit scores for equal requisition"),
    number("turns_to_destroy", "turns", "turns of holding in which the unit destroys an opponent: the median opponent"),
    number("turns_it_lasts", "turns", "turns of holding in which an opponent destroys the unit: the median opponent"),
    whole(
        "toughness_from",
        EFFECT,
        "least toughness of the unit at which every gun of the class needs as many hits as now",
        heading="from",
    ),
    whole(
        "toughness_to",
        EFFECT,
        "largest toughness at which it does; with one more, some gun needs another hit",
        heading="to",
    ),
    number("hits", "", "hits that destroy the unit, mean over the guns of the class", heading="hits to destroy it"),
    points(
        "fair_requisition",
        "price at which the unit scores like all others when all have their fair prices",
        heading="fair requisition",
    ),
    points(
        "new_requisition",
        "price proposed for the unit: the fair one rounded to steps, or the old one if it is kept",
        heading="new requisition",
    ),
    points(
        "fair_low",
        "lower end of the 90 % interval of fair_requisition, over other opponents like these",
        heading="fair from",
    ),
    points(
        "fair_high",
        "higher end of the 90 % interval of fair_requisition, over other opponents like these",
        heading="fair to",
    ),
    number(
        "change", "change", "difference of the new price from the old, as a share of the old: 0.25 is a quarter more"
    ),
    share(
        "score_before",
        "what the unit or group scores for equal requisition before cards, rules or prices change",
        heading="score now",
    ),
    share("score_after", "what the unit or group scores for equal requisition after that change", heading="score then"),
    *(
        number(
            f"{name}_difference_{end}", unit, f"{end}er end of the 90 % interval of {name}_difference, same opponents"
        )
        for name, unit in (("score", "0-1"), ("worth", "points"))
        for end in ("low", "high")
    ),
    share("score_difference", "how much higher the score is with the change"),
    *(
        number(f"{name}_{end}", unit, f"{meaning}, {when} the change")
        for name, unit, meaning in (
            ("requisition", "points", "what the unit costs"),
            ("proposal", "points", "price in whole steps that is proposed for the unit"),
            (
                "rank",
                "",
                "place by score (by requisition exchange ratio if battles price no unit), 1 is best",
            ),
            ("requisition_exchange_ratio", "", "requisition destroyed over requisition lost in duels"),
            (
                "duel_score",
                "0-1",
                "chance that the unit wins the duel and half of that of a draw, mean over both roles",
            ),
        )
        for end, when in (("before", "without"), ("after", "with"))
    ),
    share("duel_score_difference", "how much higher the unit's score in the duel is with the change"),
    yes_or_no("flipped", "with the change, the other unit is the better one of the duel"),
    text("what", "what happened to the card: changed, added or removed"),
    text("field", "field of the card, with dots between its parts; empty if the whole card is added or removed"),
    text("before", "value before the change, in words"),
    text("after", "value after the change, in words"),
    text("switch", "rule switch, or another setting that the numbers of a report depend on"),
    text("grouping", "what units are grouped by: nation or category"),
    share("score_slope", "how much the score changes if the price rises by 10 %", heading="score, if a tenth dearer"),
    yes_or_no("at_floor", "the unit is worth less than the least price, and gets the least price"),
    yes_or_no("identified", "the unit's price changes its score, since it can hurt units that can hurt it"),
    text("why", "reason for the new price, in short"),
    whole("immune_to", "units", "number of units that can't hurt the unit"),
    whole("harmless_to", "units", "number of units that the unit can't hurt"),
    yes_or_no("mutual", "each of the two can hurt the other: only then does the pair count for prices"),
    share(
        "score_a",
        "chance that side a wins the battle, and half of the chance of a draw; the rest is the score of side b",
        heading="score of a",
    ),
    share(
        "score_a_low",
        "lower end of the 95 % interval of score_a; equal to score_a if the battle was solved exactly",
        heading="score of a from",
    ),
    share(
        "score_a_high",
        "higher end of the 95 % interval of score_a; equal to score_a if the battle was solved exactly",
        heading="score of a to",
    ),
    share(
        "score_span",
        "largest less smallest score_a of the same battle under all policies of the table",
        heading="difference between policies",
    ),
    points("value_a", "mean requisition of a's units that are left at the end", heading="requisition left to a"),
    points("value_b", "mean requisition of b's units that are left at the end", heading="requisition left to b"),
    share(
        "first_mover_advantage",
        "half of the difference between score_a when a moves first and score_a when b does",
        heading="worth of the first turn",
    ),
    text("engine", "how the numbers were found: exact or monte_carlo", heading="solved or rolled"),
    text("solver", "method of the exact solution, or why the battle was rolled"),
    *(
        column
        for side in "ab"
        for column in points_with_ends(
            f"action_price_{side}",
            f"requisition of its own units that {side} would have to add to score as with one action more a turn",
            f"one action more is worth to {side}",
        )
    ),
    *points_with_ends(
        "even_requisition_b",
        "requisition of its own units that b needs for an even battle",
        heading="requisition of b for an even battle",
    ),
    text("side", "a or b"),
    whole("place", "", "number of the unit in its list, from 1"),
    share("p_survives", "share of the battles after which the unit is left"),
    share("share_of_actions", "share of its side's actions that the unit spends"),
    points("requisition_destroyed", "mean requisition that the unit destroyed: of each enemy, the share that it took"),
    number("kills", "", "mean number of enemies that the unit destroyed: it took the last of their toughness"),
    number("earned_its_cost", "", "requisition_destroyed over requisition; from 1 on, the unit earned its cost"),
    points("requisition_left_a", "mean requisition of a's units that are left after the turn"),
    points("requisition_left_b", "mean requisition of b's units that are left after the turn"),
    share("p_goes_on", "share of the battles that go on after the turn"),
    points("requisition_left", "requisition of the side's units that are left at the end"),
    share("p_requisition_left", "share of the battles after which the side has exactly so much left"),
    *(
        share(f"{name}_ci_{end}", f"{end}er end of Wilson's 95 % interval of {name}")
        for name in ("p_survives", "p_goes_on", "p_requisition_left")
        for end in ("low", "high")
    ),
    *(
        number(f"{name}_ci_{end}", unit, f"{end}er end of the 95 % interval of {name} that holds for all rows together")
        for name, unit in (("score_moving", "0-1"), ("worth_moving", "points"))
        for end in ("low", "high")
    ),
    *(
        number(f"{name}_se", unit, f"standard error of {name}")
        for name, unit in (
            ("share_of_actions", "0-1"),
            ("requisition_destroyed", "points"),
            ("kills", ""),
            ("earned_its_cost", ""),
            ("requisition_left_a", "points"),
            ("requisition_left_b", "points"),
        )
    ),
    whole("strike", "", "number of the attack or move in the battle, from 1"),
    text("weapon", "weapon of the attack, or what happens to a unit inside another; empty for a move"),
    text("enemy", "unit that is attacked; for a move, the foremost enemy"),
    text("helpers", "units of the same side that help with the attack, such as a crew or a scout"),
    whole("toughness_before", EFFECT, "what the enemy had left before the attack"),
    number("moved_in", LENGTH, "how far the unit moved ahead, or below 0 back; 0 for an attack"),
    whole("toughness", EFFECT, "toughness at full strength; in the log of a battle, the enemy's", heading="has"),
    points("gain", "requisition that the attack was expected to take from the enemy, per action"),
    text("needed", "rolls that the dice need, in words"),
    text("rolled", "rolls that the dice showed, in words"),
    whole("taken", EFFECT, "what the attack took from the enemy"),
    text("rules", "sections of the rulebook behind the attack"),
    text("ahead_with_few", "side whose score is larger under the smallest action limit: a, b or neither"),
    whole("few_to", "", "largest action limit up to which that side stays ahead"),
    text("ahead_with_many", "side whose score is larger under the largest action limit: a, b or neither"),
    whole("many_from", "", "smallest action limit from which on that side is ahead"),
]
COLUMNS = {column.name: column for column in _ALL}


def describe(names: Iterable[str]) -> list[Column]:
    """Return the declarations of the columns `names`; KeyError for one that isn't declared."""
    return [COLUMNS[name] for name in names]
