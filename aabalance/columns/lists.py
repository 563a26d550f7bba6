"""Tables of a report on a field of lists: its kinds of lists, who beats whom, and the units in it."""

from __future__ import annotations

from aabalance.columns.column import SIGNED, ends, gap, points, share, table, text

KINDS = table(
    "metagame_kinds",
    [text("archetype", "kind of lists, by the units that they spend most on", "kind of list")],
    share("weight_of_kind", "its share of the field", "share"),
    *ends("weight_of_kind", "0-1", "the 95 % interval of that share, if its payoffs were rolled again"),
    text("example", "the kind's list with the largest weight", "for example"),
    points("example_requisition", "what that list costs", "costs"),
    share("score_against_field", "that list's wins against the field, plus half the draws", "scores"),
    *ends("score_against_field", "0-1", "the 95 % interval of that score"),
)
MAP = table(
    "metagame_map",
    ["archetype", text("against_archetype", "kind of the opponent's lists", "against")],
    share("score_of_kind", "wins of the kind's lists plus half the draws, by their weights"),
)
UNITS = table(
    "metagame_units",
    ["unit"],
    "name requisition fair_requisition",
    share("requisition_share", "share of the field's requisition that is spent on the unit", "share of points"),
    *ends("requisition_share", "0-1", "the 95 % interval of that share, if payoffs were rolled again"),
    share("in_lists", "share of the field's lists that have the unit", "in lists"),
    gap(
        "share_slope",
        "change of a list's score if 10 % of its points go to the unit instead of all others; shrunk towards 0",
        "10 % of points add",
    ),
    *ends("share_slope", SIGNED, "its 95 % interval, over lists near the field", ("they add from", "they add to")),
)
TABLES = (KINDS, MAP, UNITS)
