"""Tables of a comparison: what differs in cards and rules, and the effect on duels, units and groups."""

from __future__ import annotations

from aabalance.columns.column import SIGNED, Column, ends, gap, number, points, table, text, yes_or_no


def _both(name: str, unit: str, meaning: str) -> tuple[Column, Column]:
    """Return the columns of a number before and after the change."""
    before = number(f"{name}_before", unit, f"{meaning}, without the change")
    return before, number(f"{name}_after", unit, f"{meaning}, with the change")


CARD_CHANGES = table(
    "card_changes",
    [
        "unit",
        text("what", "what happened to the card: changed, added or removed"),
        text("field", "field of the card, with dots between its parts; empty if the whole card is added or removed"),
    ],
    "name",
    text("before", "value before the change, in words"),
    text("after", "value after the change, in words"),
)
RULE_CHANGES = table(
    "rule_changes",
    [text("switch", "rule switch, or another setting that the numbers of a report depend on")],
    "before after",
)
MATCHUP_CHANGES = table(
    "matchup_changes",
    ["unit opponent"],
    *_both(
        "duel_score", "0-1", "chance that the unit wins the duel plus half the chance of a draw, mean over both roles"
    ),
    gap("duel_score_difference", "how much higher the unit's score in the duel is with the change"),
    yes_or_no("flipped", "with the change, the other unit becomes the better one in the duel"),
)
UNIT_CHANGES = table(
    "unit_changes",
    ["unit"],
    "name",
    *_both("requisition", "points", "what the unit costs"),
    *_both("rank", "", "place by score (by requisition exchange ratio if battles price no unit); 1 is best"),
    *_both("requisition_exchange_ratio", "", "requisition destroyed divided by requisition lost, in duels"),
    "score_before score_after worth_before",
    points("worth_after", "what the unit is worth with the change"),
    *_both("proposal", "points", "price proposed for the unit, in whole steps"),
    gap("score_difference", "how much higher the score is with the change"),
    *ends("score_difference", SIGNED, "the 90 % interval of score_difference, same opponents"),
    "worth_difference",
    *ends("worth_difference", "points", "the 90 % interval of worth_difference, same opponents"),
    "duel_score_difference",
)
WHO_GAINS = table("who_gains", ["unit"], "name worth_before worth_after")
GROUP_CHANGES = table(
    "group_changes",
    [text("grouping", "what units are grouped by: nation or category"), "group opponent_group"],
    "score_before score_after score_difference",
)
TABLES = (CARD_CHANGES, RULE_CHANGES, MATCHUP_CHANGES, UNIT_CHANGES, WHO_GAINS, GROUP_CHANGES)
