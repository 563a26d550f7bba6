"""Each column that a table may have: its name, its type, its unit, and what it holds."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

CURRENCY = "requisition"
"""The word for the cost of units in the names of columns, whatever a game calls it."""
EFFECT = "HP"
"""The unit of what attacks take from their targets, whatever a game calls it."""
LENGTH = "length"
"""The unit of distances, whatever a game counts them in."""

DType = Literal["str", "int64", "float64", "bool"]


class Column(NamedTuple):
    """One output column.

    Attributes
    ----------
    name : str
    dtype : {"str", "int64", "float64", "bool"}
    unit : str
        Empty for plain numbers and words; `EFFECT` and `LENGTH` stand for the words of the game.
    meaning : str
        What the column holds, in one line.
    """

    name: str
    dtype: DType
    unit: str
    meaning: str


def _with_ends(name: str, meaning: str) -> tuple[Column, Column, Column]:
    """Return the columns of a requisition between whole units: its mean, and the ends of its interval."""
    between = "units are whole, and between them scores rise in straight lines; inf: more than could be fought"
    return (
        Column(name, "float64", "points", f"{meaning}; {between}"),
        Column(f"{name}_low", "float64", "points", "lower end of its interval: whole units, and 95 % if it was rolled"),
        Column(f"{name}_high", "float64", "points", "higher end of its interval"),
    )


_ALL = [
    Column("unit", "str", "", "id of the unit card"),
    Column("name", "str", "", "name on the card"),
    Column("nation", "str", "", "nation on the card"),
    Column("category", "str", "", "class of unit"),
    Column("attacker", "str", "", "id of the unit that attacks, side a of the duel"),
    Column("target", "str", "", "id of the unit that is attacked, side b of the duel"),
    Column("range_in", "float64", LENGTH, "distance between the two; inches, unless the game counts in something else"),
    Column("facing", "str", "", "face that the target shows; of means over situations all that it shows there"),
    Column("own_facing", "str", "", "face that the attacker shows when the target fires back; of means likewise"),
    Column("situation", "str", "", "what else the attack depends on, in words"),
    Column("weight", "float64", "", "share of the situation among the standard situations"),
    Column("attacker_requisition", "float64", "points", "what the attacker costs"),
    Column("target_requisition", "float64", "points", "what the target costs"),
    Column(
        "need",
        "int64",
        "D6",
        "natural roll of the best attack (two dice: of its hit die); 0: no one roll decides, 7: impossible",
    ),
    Column(
        "out_of_reach",
        "bool",
        "",
        "distance alone keeps attacks from an effect: none reaches so far, or so near, that could have one",
    ),
    Column("p_damage", "float64", "0-1", "chance that one attack has an effect"),
    Column(
        "expected_damage",
        "float64",
        EFFECT,
        "mean effect of one attack, more than the target has left included; men, for infantry",
    ),
    Column(
        "expected_damage_per_action",
        "float64",
        EFFECT,
        "mean effect of the best use of one action; a turn of reloading costs one too",
    ),
    Column("p_kill", "float64", "0-1", "chance that one attack destroys a fresh target"),
    Column("p_kill_turn", "float64", "0-1", "chance that one turn of holding destroys a fresh target"),
    Column(
        "expected_shots_to_kill",
        "float64",
        "attacks",
        "mean number of attacks until a fresh target is destroyed; inf: never",
    ),
    Column(
        "expected_turns_to_kill",
        "float64",
        "turns",
        "mean own turns of holding until a fresh target is destroyed, over situations the inverse of the mean rate; "
        "inf: never",
    ),
    Column(
        "p_win",
        "float64",
        "0-1",
        "chance that only the attacker is left in a duel to its end, or to the limit of rounds if there is one; "
        "roll-off for the first turn",
    ),
    Column("p_draw", "float64", "0-1", "chance that both are left, for ever or at the limit of rounds, or neither"),
    Column("p_loss", "float64", "0-1", "chance that only the target is left"),
    Column("p_win_first", "float64", "0-1", "chance to win when moving first"),
    Column("p_win_second", "float64", "0-1", "chance to win when moving second"),
    Column(
        "player_turns",
        "float64",
        "turns",
        "mean player turns of the duel or battle, both sides counted, to the limit of rounds if there is one; "
        "inf: may never end",
    ),
    Column("player_turn", "int64", "", "turn of either side, counted from 1; 0: before the first"),
    Column("p_end", "float64", "0-1", "chance that the duel ends in this turn"),
    Column("p_ended", "float64", "0-1", "chance that it has ended by then"),
    Column("winner", "str", "", "side that is left, a or b"),
    Column("p_left", "float64", "0-1", "chance to win with so much left"),
    Column("toughness_left", "int64", EFFECT, "what the unit has left"),
    Column("enemy_toughness_left", "int64", EFFECT, "what its enemy has left"),
    Column("reloading", "bool", "", "the main gun can't fire this turn"),
    Column("enemy_reloading", "bool", "", "the enemy's main gun can't fire in its next turn"),
    Column("enemy_moved", "bool", "", "the enemy moved in its last turn"),
    Column("orders", "str", "", "what to do"),
    Column("n", "int64", "", "simulated duels or battles; 0: solved exactly"),
    Column("seed", "int64", "", "of the dice"),
    Column("ci_low", "float64", "0-1", "lower end of Wilson's 95 % interval of p_win"),
    Column("ci_high", "float64", "0-1", "upper end of Wilson's 95 % interval of p_win"),
    Column("p_kill_per_action", "float64", "0-1", "mean kills per action, over situations and field"),
    Column("requisition", "float64", "points", "what the unit costs"),
    Column("expected_damage_per_requisition", "float64", f"{EFFECT}/100", "mean damage per action and 100 requisition"),
    Column("requisition_destroyed_per_action", "float64", "points", "mean requisition destroyed per action"),
    Column("loss_exchange_ratio", "float64", "", "enemies destroyed per own loss, ratio of means"),
    Column(
        "requisition_exchange_ratio",
        "float64",
        "",
        "requisition destroyed per own requisition lost, ratio of means; of a battle, lost by b per lost by a",
    ),
    Column(
        "peer_exchange_ratio",
        "float64",
        "",
        "requisition exchange ratio on the trend of the field (a power law of requisition) at this unit's requisition",
    ),
    Column(
        "exchange_ratio_to_peers",
        "float64",
        "",
        "requisition exchange ratio over the trend's; above 1: more than units of this requisition give on average",
    ),
    Column("rank", "int64", "", "place by requisition exchange ratio, 1 is best"),
    Column("attack", "float64", EFFECT, "mean damage per action over situations and field"),
    Column("endurance", "float64", "attacks", "mean number of the field's attacks that it survives"),
    Column("proposal", "int64", "points", "requisition that the formula gives"),
    Column("gun_class", "str", "", "class of the main weapon"),
    Column("units", "int64", "", "number of units"),
    Column("share_of_pairs", "float64", "0-1", "share of the pairs of attacker and target"),
    Column(
        "share_impossible",
        "float64",
        "0-1",
        "share of the matchups that are not out of reach in which no attack can have an effect",
    ),
    Column(
        "share_out_of_reach",
        "float64",
        "0-1",
        "share of the matchups in which distance alone keeps attacks from an effect: none reaches so far, or so near, "
        "that could have one",
    ),
    Column("mean_p_damage", "float64", "0-1", "mean chance that one attack has an effect"),
    Column(
        "median_turns_to_kill", "float64", "turns", "median turns of holding until a kill, where a kill is possible"
    ),
    Column("turns", "int64", "turns", "number of turns of the attacker"),
    Column(
        "p_kill_within", "float64", "0-1", "chance that a fresh target is destroyed within that many turns of holding"
    ),
    Column("p_dearer_wins", "float64", "0-1", "chance to win of the dearer unit of a pair, mean over the pairs"),
    Column("p_cheaper_wins", "float64", "0-1", "chance to win of the cheaper unit of a pair, mean over the pairs"),
    Column(
        "share_one_sided",
        "float64",
        "0-1",
        "share of the pairs of which one side wins at least nine in ten of the duels that anybody wins",
    ),
    Column("share_draws", "float64", "0-1", "mean chance of a duel that nobody wins"),
    Column("share_endless", "float64", "0-1", "share of the matchups whose duel may never end"),
    Column(
        "first_turn_advantage", "float64", "0-1", "mean chance to win when moving first less that when moving second"
    ),
    Column("mean_change_of_p_win", "float64", "0-1", "mean absolute change of the chance to win from the first row"),
    Column("largest_change_of_p_win", "float64", "0-1", "largest change of a pair's chance to win from the first row"),
    Column(
        "factor_on_exchange_ratio",
        "float64",
        "",
        "geometric mean of the factors by which requisition exchange ratios rise or fall from the first row's",
    ),
    Column("largest_change_of_rank", "int64", "", "largest change of a unit's rank from the first row's"),
    Column(
        "rank_correlation", "float64", "", "Spearman correlation of the cost effectiveness ranks with the first row's"
    ),
    Column("reading", "str", "", "the rules under which the numbers hold"),
    Column("list_a", "str", "", "list of side a: its name, or its units"),
    Column("list_b", "str", "", "list of side b"),
    Column("actions", "int64", "", "action limit of either side's turn"),
    Column("actions_a", "int64", "", "action limit of a's turn"),
    Column("actions_b", "int64", "", "action limit of b's turn"),
    Column("policy_a", "str", "", "how a decides who acts on whom"),
    Column("policy_b", "str", "", "how b decides who acts on whom"),
    Column("posture_a", "str", "", "where the units of a go"),
    Column("posture_b", "str", "", "where the units of b go"),
    Column("mode", "str", "", "how the battle ends"),
    Column("rounds", "float64", "turns", "turn limit, turns of each side; inf: none"),
    Column("requisition_a", "float64", "points", "what list a costs"),
    Column("requisition_b", "float64", "points", "what list b costs"),
    Column("p_a", "float64", "0-1", "chance that a wins the battle"),
    Column("p_b", "float64", "0-1", "chance that b wins the battle"),
    *(
        Column(
            f"{name}_ci_{end}", "float64", "0-1", f"{end}er end of Wilson's 95 % interval of {name}, if it was rolled"
        )
        for name in ("p_a", "p_b", "p_draw")
        for end in ("low", "high")
    ),
    Column("opponent", "str", "", "id of the unit that it is compared with"),
    Column("opponent_requisition", "float64", "points", "what the opponent costs"),
    Column("score", "float64", "0-1", "what it scores for equal requisition: chance to win, and half of that to draw"),
    Column("level", "float64", "0-1", "score that the whole roster has in the mean, but for units at the least price"),
    Column("worth", "float64", "points", "price at which its score is level, all others at theirs; inf: no end to it"),
    Column("worth_low", "float64", "points", "lower end of its 90 % interval, had it other opponents like these"),
    Column("worth_high", "float64", "points", "higher end of that interval"),
    Column("score_moving", "float64", "0-1", "its score with what moving adds: both sides go where they exchange best"),
    Column("worth_moving", "float64", "points", "price at which its score would be level with what moving adds to it"),
    Column("beyond", "bool", "", "all of the interval of its worth where units move is outside that where they hold"),
    Column("worth_change", "float64", "change", "its worth as a change of what it costs: 0.25 is a quarter dearer"),
    Column("worth_slope", "float64", "0-1", "change of its score there for a price that is 10 % higher"),
    Column("score_at_worth", "float64", "0-1", "what it scores at that price: level, but at the least or largest one"),
    Column("worth_fewest_actions", "float64", "points", "what it is worth under the smallest action limit alone"),
    Column("worth_most_actions", "float64", "points", "what it is worth under the largest action limit alone"),
    Column("flags", "str", "", "why its worth should not be trusted, in words"),
    Column("unseen", "str", "", "what no battle shows in which all hold, so that its worth doesn't know it"),
    Column("pull", "float64", "points", "part of its worth that this opponent adds or takes; all of them cancel"),
    Column(
        "exchange_rate",
        "float64",
        "points",
        "of the opponent that a point of its own is worth, so that both score the same; 0 or inf: at no price",
    ),
    Column("what_if", "str", "", "what is changed on the card, in words"),
    Column("worth_before", "float64", "points", "what it is worth without the change"),
    Column("worth_after", "float64", "points", "what it is worth with the change"),
    Column("worth_difference", "float64", "points", "how much more it is worth with the change"),
    Column("more_against", "int64", "units", "units from which it takes more than with the change before"),
    Column("group", "str", "", "nation, class or whatever units are grouped by"),
    Column("opponent_group", "str", "", "the same of its opponents"),
    Column("opponents", "int64", "units", "how many there are that it meets"),
    Column("pairs", "int64", "", "how many pairs of units the mean is over"),
    Column("by", "str", "", "a unit that costs no more and scores at least as well against every opponent"),
    Column("by_requisition", "float64", "points", "what that unit costs"),
    Column("by_score", "float64", "0-1", "what that unit scores for equal requisition"),
    Column("turns_to_destroy", "float64", "turns", "own turns of holding until an opponent is destroyed, the median"),
    Column("turns_it_lasts", "float64", "turns", "an opponent's turns of holding until it is destroyed, the median"),
    Column("toughness_from", "int64", EFFECT, "least toughness that takes as many hits of every gun of the class"),
    Column("toughness_to", "int64", EFFECT, "largest toughness that does; with one more it takes another hit"),
    Column("hits", "float64", "", "hits that destroy it, the mean over the guns of the class"),
    Column("fair_requisition", "float64", "points", "price at which it scores like all others, all of them at theirs"),
    Column("new_requisition", "float64", "points", "the fair price in whole steps, or the one that it keeps"),
    Column("fair_low", "float64", "points", "lower end of its 90 % interval, had it other opponents like these"),
    Column("fair_high", "float64", "points", "higher end of that interval"),
    Column("change", "float64", "change", "its new price as a change of the old one: 0.25 is a quarter dearer"),
    Column("score_before", "float64", "0-1", "what it scores for equal requisition, before prices or cards change"),
    Column("score_after", "float64", "0-1", "what it scores for equal requisition, with the change"),
    *(
        Column(f"{name}_difference_{end}", "float64", unit, f"{end}er end of its 90 % interval, on the same opponents")
        for name, unit in (("score", "0-1"), ("worth", "points"))
        for end in ("low", "high")
    ),
    Column("score_difference", "float64", "0-1", "how much more it scores with the change"),
    *(
        Column(f"{name}_{end}", "float64", unit, f"{meaning}, {when} the change")
        for name, unit, meaning in (
            ("requisition", "points", "what the unit costs"),
            ("proposal", "points", "price in whole steps that is proposed for it"),
            ("rank", "", "place by score, or where no battle prices units by requisition exchange ratio; 1 is best"),
            ("requisition_exchange_ratio", "", "requisition destroyed per own requisition lost in duels"),
            ("duel_score", "0-1", "chance to win the duel and half of that to draw, each role half the time"),
        )
        for end, when in (("before", "without"), ("after", "with"))
    ),
    Column("duel_score_difference", "float64", "0-1", "how much more that is with the change"),
    Column("flipped", "bool", "", "the better side of the duel is the other one with the change"),
    Column("what", "str", "", "what happened to the card: changed, added or removed"),
    Column("field", "str", "", "field of the card, dotted; empty if the whole card is added or removed"),
    Column("before", "str", "", "what stood there, in words"),
    Column("after", "str", "", "what stands there now, in words"),
    Column("switch", "str", "", "rule switch, or what else the numbers of a report hang on"),
    Column("grouping", "str", "", "what units are grouped by: nation or category"),
    Column("score_slope", "float64", "0-1", "change of its score for a price that is 10 % higher"),
    Column("at_floor", "bool", "", "worth less than the least price that it may have, which it gets"),
    Column("identified", "bool", "", "its price changes its score: it can hurt units that can hurt it"),
    Column("why", "str", "", "why it gets this price, in short"),
    Column("immune_to", "int64", "units", "units that can't hurt it"),
    Column("harmless_to", "int64", "units", "units that it can't hurt"),
    Column("mutual", "bool", "", "either can hurt the other: only then a price changes the score, and the pair counts"),
    Column("score_a", "float64", "0-1", "chance that a wins, and half of the chance that it is a draw; b has the rest"),
    Column("score_a_low", "float64", "0-1", "lower end of the 95 % interval of score_a; itself if it is exact"),
    Column("score_a_high", "float64", "0-1", "higher end of the 95 % interval of score_a; itself if it is exact"),
    Column(
        "score_span", "float64", "0-1", "largest less smallest score_a of this battle under the policies of the table"
    ),
    Column("value_a", "float64", "points", "mean requisition of a's units that are left at the end"),
    Column("value_b", "float64", "points", "mean requisition of b's units that are left at the end"),
    Column("first_mover_advantage", "float64", "0-1", "half of what score_a is more if a moves first than if b does"),
    Column("engine", "str", "", "exact or monte_carlo"),
    Column("solver", "str", "", "form of the exact solution, or why there is none"),
    *(
        column
        for side in "ab"
        for column in _with_ends(
            f"action_price_{side}",
            f"requisition of its own units that {side} would have to add for the score that one action more gives",
        )
    ),
    *_with_ends("even_requisition_b", "requisition of b's own units with which the battle would be even"),
    Column("side", "str", "", "a or b"),
    Column("place", "int64", "", "number of the unit in its list, from 1"),
    Column("p_survives", "float64", "0-1", "share of the battles after which the unit is left"),
    Column("share_of_actions", "float64", "0-1", "of all actions that its side spends, those that the unit spends"),
    Column(
        "requisition_destroyed", "float64", "points", "mean credit of the unit: of each enemy the share that it took"
    ),
    Column("kills", "float64", "", "mean number of enemies that the unit destroyed, the last of them by itself"),
    Column("earned_its_cost", "float64", "", "requisition_destroyed over requisition; from 1 on it earned its cost"),
    Column("requisition_left_a", "float64", "points", "mean requisition of a's units that are left after the turn"),
    Column("requisition_left_b", "float64", "points", "mean requisition of b's units that are left after the turn"),
    Column("p_goes_on", "float64", "0-1", "share of the battles that go on after the turn"),
    Column("requisition_left", "float64", "points", "requisition of the side's units that are left at the end"),
    Column("p_requisition_left", "float64", "0-1", "share of the battles after which the side has so much left"),
    *(
        Column(f"{name}_ci_{end}", "float64", "0-1", f"{end}er end of Wilson's 95 % interval of {name}")
        for name in ("p_survives", "p_goes_on", "p_requisition_left")
        for end in ("low", "high")
    ),
    *(
        Column(
            f"{name}_ci_{end}", "float64", unit, f"{end}er end of the 95 % interval, of all rows together, of {name}"
        )
        for name, unit in (("score_moving", "0-1"), ("worth_moving", "points"))
        for end in ("low", "high")
    ),
    *(
        Column(f"{name}_se", "float64", unit, f"standard error of {name}")
        for name, unit in (
            ("share_of_actions", "0-1"),
            ("requisition_destroyed", "points"),
            ("kills", ""),
            ("earned_its_cost", ""),
            ("requisition_left_a", "points"),
            ("requisition_left_b", "points"),
        )
    ),
    Column("strike", "int64", "", "number of the strike in the battle, from 1"),
    Column(
        "weapon", "str", "", "what the unit strikes with, or what happens to one inside another; empty where it moves"
    ),
    Column("enemy", "str", "", "whom it strikes"),
    Column("helpers", "str", "", "units of its side that help: a crew, a scout"),
    Column("toughness_before", "int64", EFFECT, "what the enemy had left before"),
    Column("moved_in", "float64", LENGTH, "how far the unit has moved, below 0 if back; 0 where it strikes"),
    Column("toughness", "int64", EFFECT, "what the enemy has at full strength"),
    Column("gain", "float64", "points", "requisition that the strike was expected to take, per action"),
    Column("needed", "str", "", "dice needed, in words"),
    Column("rolled", "str", "", "dice rolled, in words"),
    Column("taken", "int64", EFFECT, "what the strike took from the enemy"),
    Column("rules", "str", "", "sections of the rulebook that it rests on"),
    Column("ahead_with_few", "str", "", "side of the larger score under the smallest action limit: a, b or neither"),
    Column("few_to", "int64", "", "action limit up to which that is so"),
    Column("ahead_with_many", "str", "", "side of the larger score under the largest action limit: a, b or neither"),
    Column("many_from", "int64", "", "action limit from which on that is so"),
]
COLUMNS = {column.name: column for column in _ALL}


def describe(names: Iterable[str]) -> list[Column]:
    """Return the declarations of the columns `names`; KeyError for one that isn't declared."""
    return [COLUMNS[name] for name in names]
