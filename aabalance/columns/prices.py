"""Tables of scores, worth and prices of units, and of the steps at which more of a number makes a difference."""

from __future__ import annotations

from aabalance.columns.column import EFFECT, ends, gap, number, points, share, table, text, whole, yes_or_no

SCORES = table(
    "scores",
    ["unit", text("opponent", "id of the other unit of the pair")],
    "requisition",
    points("opponent_requisition", "what the opponent costs", "their requisition"),
    share("score", "chance that the unit wins for equal requisition, plus half the chance of a draw"),
    yes_or_no("mutual", "each of the two can hurt the other: only then does the pair count for prices"),
    "solver",
)
SCORE_BY = table(
    "score_by",
    [
        text("group", "nation, class, or whatever else units are grouped by"),
        text("opponent_group", "group of the opponents"),
    ],
    "units",
    whole("opponents", "units", "number of opponents that the unit or the group meets", "guns"),
    whole("pairs", "", "number of pairs of units that the mean is over"),
    "score",
)
DOMINATED = table(
    "dominated",
    [
        "unit",
        text("by", "id of another unit that costs no more, scores no worse against any, and better against some"),
    ],
    "requisition",
    points("by_requisition", "what that other unit costs"),
    "score",
    share("by_score", "what that other unit scores for equal requisition"),
    text(
        "unseen",
        "abilities that don't show in battles of units that hold, so that its worth leaves them out",
        "what no battle shows",
    ),
    text("by_unseen", "the same for that other unit", "what no battle shows of it"),
)
ROLES = table(
    "roles",
    ["unit"],
    "name requisition score",
    whole(
        "best_against",
        "units",
        "number of opponents against which it scores at least 0.5 and no compared unit scores more",
    ),
    text(
        "dominated_by",
        "id of a compared unit that costs no more, scores no worse against any, and better against some",
    ),
    "unseen",
)
WORTH = table(
    "worth",
    ["unit"],
    "name nation category requisition score",
    share("level", "score at which a unit is level with the roster: the mean over all units above the least price"),
    points(
        "worth", "price at which the unit's score is level, all others at their prices; inf: above level at any price"
    ),
    *ends(
        "worth",
        "points",
        "the 90 % interval of worth, over other opponents like these",
        ("worth at least", "worth at most"),
    ),
    number(
        "worth_change",
        "change",
        "difference of worth from the price, as a share of the price: 0.25 is a quarter more; nan if the unit costs "
        "less than the least price and isn't worth that",
        "change",
    ),
    share(
        "score_at_worth",
        "the unit's score if its price is its worth: level, unless that is the least or largest price",
        "score at its worth",
    ),
    gap(
        "worth_slope",
        "how much the score changes if the price rises by 10 % from the unit's worth",
        "score, if a tenth dearer",
    ),
    points(
        "worth_fewest_actions", "what the unit is worth under the smallest action limit alone", "worth, fewest actions"
    ),
    points("worth_most_actions", "what the unit is worth under the largest action limit alone", "worth, most actions"),
    whole("immune_to", "units", "number of units that can't hurt the unit"),
    whole("harmless_to", "units", "number of units that the unit can't hurt"),
    text("flags", "reasons why its worth should not be trusted, in words", "reasons for doubt"),
    "unseen",
)
BOARD_WORTH = table(
    "board_worth",
    ["unit board mission"],
    "name category requisition worth worth_low worth_high worth_change",
    number("between_boards", "change", "spread of worth between boards and missions, as a share", "between boards"),
    yes_or_no(
        "depends_on_board",
        "worth varies far more between boards and missions than that of the other units, by an F-test; then its "
        "interval comes from its own rows alone",
    ),
    points("other_worth", "what the unit is worth if another player plays a sample of the same matches"),
    *ends("other_worth", "points", "the 90 % interval of other_worth"),
    yes_or_no(
        "depends_on_skill",
        "worth differs for the other player by more than the 90 % interval of the difference, and lies on the other "
        "side of the cost, or of what another unit is worth for its cost",
    ),
    whole("sampled", "matches", "number of matches that the other player played"),
    whole("appeared", "matches", "number of matches in which such a unit took part", "took part"),
    "p_draw p_draw_ci_low p_draw_ci_high n",
)
WORTH_REASONS = table(
    "worth_reasons",
    ["unit opponent"],
    "opponent_requisition score",
    points(
        "pull",
        "part of its worth that this opponent adds or, below 0, takes; the pulls of all opponents cancel",
        "adds to its worth",
    ),
    points(
        "exchange_rate",
        "requisition of this opponent that matches one point of the unit's own, so that both score the same; "
        "0 or inf: at any price the unit scores less, or more; nan for a unit without a price",
        "exchange rate: theirs for 1 of its own",
    ),
)
WORTH_OF_CHANGES = table(
    "worth_of_changes",
    ["unit", text("what_if", "change of the card, in words")],
    "worth",
    points("worth_before", "what the unit is worth without the change"),
    points("worth_difference", "how much more the unit is worth with the change"),
    "harmless_to",
)
PRICES = table(
    "prices",
    ["unit"],
    "name requisition",
    points("fair_requisition", "price at which the unit scores like all others when all have their fair prices"),
    points(
        "new_requisition", "price proposed for the unit: the fair one rounded to steps, or the old one if it is kept"
    ),
    *ends(
        "fair",
        "points",
        "the 90 % interval of fair_requisition, over other opponents like these",
        ("fair from", "fair to"),
    ),
    number(
        "change", "change", "difference of the new price from the old, as a share of the old: 0.25 is a quarter more"
    ),
    share(
        "score_before",
        "what the unit or group scores for equal requisition before cards, rules or prices change",
        "score now",
    ),
    share("score_after", "what the unit or group scores for equal requisition after that change", "score then"),
    gap("score_slope", "how much the score changes if the price rises by 10 %", "score, if a tenth dearer"),
    yes_or_no("at_floor", "the unit is worth less than the least price, and gets the least price"),
    yes_or_no(
        "identified",
        "the unit can hurt units that can hurt it, so that its price changes its score; where a price is kept or held, "
        "only the former",
    ),
    text("why", "reason for the new price, in short"),
)
BOARD_PRICES = table(
    "board_prices",
    ["unit"],
    "name requisition worth worth_low worth_high new_requisition change why n",
)
FIRE = table(
    "fire",
    ["unit"],
    "opponents",
    number("turns_to_destroy", "turns", "turns of holding until the unit destroys an opponent, median over opponents"),
    number("turns_it_lasts", "turns", "turns of holding until an opponent destroys the unit, median over opponents"),
)
TOUGHNESS_STEPS = table(
    "toughness_steps",
    ["unit gun_class"],
    "opponents toughness",
    whole(
        "toughness_from",
        EFFECT,
        "least toughness of the unit at which every gun of the class needs as many hits as now",
        "from",
    ),
    whole(
        "toughness_to", EFFECT, "largest toughness at which that holds; with one more, some gun needs another hit", "to"
    ),
    number("hits", "", "hits that destroy the unit, mean over the guns of the class", "hits to destroy it"),
    whole("half_from", EFFECT, "least toughness at which at least half of the guns of the class need another hit"),
)
PENETRATION_STEPS = table(
    "penetration_steps",
    ["unit what_if"],
    "expected_damage",
    whole(
        "more_against",
        "units",
        "number of opponents to which an attack is expected to do more than with the change in the row before",
    ),
    "harmless_to",
)
TABLES = (
    SCORES,
    SCORE_BY,
    DOMINATED,
    ROLES,
    WORTH,
    BOARD_WORTH,
    WORTH_REASONS,
    WORTH_OF_CHANGES,
    PRICES,
    BOARD_PRICES,
    FIRE,
    TOUGHNESS_STEPS,
    PENETRATION_STEPS,
)
