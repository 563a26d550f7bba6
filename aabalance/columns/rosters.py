"""Tables of duels that rate the units of a roster, and the roster as a whole."""

from __future__ import annotations

from aabalance.columns.column import EFFECT, number, points, share, table, text, whole

COST_EFFECTIVENESS = table(
    "cost_effectiveness",
    [text("unit", "id of the unit's card")],
    text("name", "name on the card"),
    text("nation", "nation on the card"),
    text("category", "class of the unit", "class"),
    points("requisition", "what the unit costs"),
    "expected_damage_per_action",
    number(
        "expected_damage_per_requisition",
        f"{EFFECT}/100",
        "expected_damage_per_action for each 100 requisition that the unit costs",
    ),
    share(
        "p_kill_per_action", "mean kills per attack, over situations and opponents; actions that reload aren't counted"
    ),
    points(
        "requisition_destroyed_per_action",
        "p_kill_per_action times what the opponent costs, mean over situations and opponents",
        "requisition destroyed an action",
    ),
    number(
        "loss_exchange_ratio",
        "",
        "mean number of enemies destroyed, divided by mean number of own losses",
        "enemies for each own loss",
    ),
    number(
        "requisition_exchange_ratio",
        "",
        "mean requisition destroyed, divided by mean requisition lost; in a battle, b's losses divided by a's",
        "requisition destroyed for each point lost",
    ),
    whole("rank", "", "place by requisition exchange ratio; 1 is best"),
    number(
        "peer_exchange_ratio",
        "",
        "requisition exchange ratio that units of this requisition have on average, by a power law fitted to all units",
        "average at its price",
    ),
    number(
        "exchange_ratio_to_peers",
        "",
        "requisition exchange ratio divided by peer_exchange_ratio; above 1: better than others of its price",
        "times the average at its price",
    ),
)
REQUISITION = table(
    "requisition",
    ["unit"],
    "name requisition",
    number("attack", EFFECT, "mean damage that the unit does per action, over situations and opponents"),
    number("endurance", "attacks", "mean number of its opponents' attacks that the unit survives"),
    whole("proposal", "points", "requisition that the cost formula gives"),
)
PRICE_AND_VICTORY = table(
    "price_and_victory",
    [],
    share("p_dearer_wins", "chance that the dearer unit of a pair wins the duel, mean over the pairs"),
    share("p_cheaper_wins", "chance that the cheaper unit of a pair wins the duel, mean over the pairs"),
    share(
        "share_one_sided",
        "share of the pairs in which one unit wins at least nine in ten of the duels that don't end in a draw",
    ),
)
STRUCTURE = table("structure", ["facing need"], share("share_of_pairs", "share of the pairs of attacker and target"))
TURNS_TO_KILL = table(
    "turns_to_kill",
    [text("gun_class", "class of the main weapon", "main weapon")],
    whole("units", "", "number of units in the group"),
    share(
        "share_impossible",
        "share of the matchups within reach in which no attack can have an effect",
        "without any effect",
    ),
    share(
        "share_out_of_reach",
        "share of the matchups in which no attack has an effect because the distance is too large or too small",
        "out of reach",
    ),
    number(
        "median_turns_to_kill",
        "turns",
        "median number of turns of holding until a fresh target is destroyed, where it can be",
    ),
)
HEADLINES = table(
    "headlines",
    [],
    "share_impossible share_out_of_reach",
    share("mean_p_damage", "mean of p_damage, the chance that one attack has an effect", "mean chance of an effect"),
    "median_turns_to_kill",
    share("share_draws", "mean chance that nobody wins a duel", "drawn duels"),
    share("share_endless", "share of the matchups whose duel may never end", "duels that may never end"),
    "first_turn_gap",
)
SENSITIVITY = table(
    "sensitivity",
    [text("reading", "reading of the rules under which the numbers of the row hold")],
    share(
        "mean_change_of_p_win",
        "mean absolute difference of p_win from the first row, over the matchups",
        "mean change of the chance to win",
    ),
    share(
        "largest_change_of_p_win",
        "largest absolute difference of p_win from the first row, in any matchup",
        "largest change of the chance to win",
    ),
    number(
        "factor_on_exchange_ratio",
        "",
        "factor by which requisition exchange ratios rise or fall from the first row: geometric mean over the units",
        "factor on exchange ratios",
    ),
    number(
        "rank_correlation",
        "",
        "Spearman's correlation between the ranks by cost effectiveness here and in the first row",
    ),
    whole("largest_change_of_rank", "", "largest difference of a unit's rank from the first row, up or down"),
    *HEADLINES[0].others,
)
TABLES = (COST_EFFECTIVENESS, REQUISITION, PRICE_AND_VICTORY, STRUCTURE, TURNS_TO_KILL, HEADLINES, SENSITIVITY)
