"""Tables of battles of lists, of action limits, and of a single battle: its units, turns, ends and log."""

from __future__ import annotations

from collections.abc import Callable

from aabalance.columns.column import EFFECT, SIGNED, Column, ends, number, points, share, table, text, whole, with_error
from aabalance.columns.matches import with_interval


def _with_ends(name: str, meaning: str, heading: str) -> tuple[Column, Column, Column]:
    """Return the columns of a requisition found between two whole numbers of units: itself, and both ends."""
    between = "interpolated between whole numbers of units; inf: more than a battle can have"
    low = f"lower end of the interval of {name}: a whole number of units, and the 95 % interval if rolled"
    high = f"higher end of the interval of {name}"
    return (
        points(name, f"{meaning}; {between}", heading),
        points(f"{name}_low", low, f"{heading}, from"),
        points(f"{name}_high", high, f"{heading}, to"),
    )


def _of_sides(kind: Callable[..., Column], *words: str) -> list[Column]:
    """Return a column for either side, with its letter in place of ``{}`` in each of the words."""
    return [kind(*(word.format(side) for word in words)) for side in "ab"]


LISTS = "list_a list_b range_in situation mode rounds"
CHOICES = "policy_a policy_b"
ROLLED = (
    *((name, "0-1", "Wilson's") for name in ("p_a", "p_b", "p_draw", "score_a")),
    *((name, "points", "the") for name in ("value_a", "value_b")),
    *((name, "", "the") for name in ("loss_exchange_ratio", "requisition_exchange_ratio")),
    ("first_turn_gap", SIGNED, "Newcombe's"),
    ("player_turns", "turns", "Student's"),
)
"""What a rolled battle has an interval of: name, unit, and whose interval it is."""

BATTLES = table(
    "battles",
    [
        *_of_sides(text, "list_{}", "list of side {}: its name, or its units", "side {}"),
        "range_in situation",
        text("mode", "how the battle is won"),
        number("rounds", "turns", "limit of rounds, each a turn of both sides; inf: no limit"),
        *_of_sides(whole, "actions_{}", "", "limit of actions in a turn of side {}", "actions a turn, {}"),
        *_of_sides(text, "policy_{}", "policy by which side {} decides which unit attacks which enemy", "policy of {}"),
    ],
    *_of_sides(points, "requisition_{}", "what list {} costs", "requisition of {}"),
    *_of_sides(share, "p_{}", "chance that side {} wins the battle or match", "{} wins"),
    "p_draw",
    share(
        "score_a",
        "chance that side a wins the battle or match, plus half the chance of a draw; the rest is the score of side b",
        "score of a",
    ),
    share(
        "score_span",
        "largest minus smallest score_a of the same battle, over all policies in the table",
        "difference between policies",
    ),
    *_of_sides(points, "value_{}", "mean requisition of {}'s units that are left at the end", "requisition left to {}"),
    "loss_exchange_ratio requisition_exchange_ratio",
    "first_turn_gap",
    "player_turns",
    text("engine", "how the numbers were computed: exact or monte_carlo", "engine"),
    text("solver", "method of the exact solution, or why the battle was rolled"),
    "n",
    *(
        column
        for name, unit, kind in ROLLED
        for column in ends(f"{name}_ci", unit, f"{kind} 95 % interval of {name}, unless the battle was solved")
    ),
    *ends("score_span_ci", "0-1", "the interval of score_span that the 95 % intervals of score_a leave open"),
)
ACTIONS = table(
    "actions",
    [LISTS, CHOICES, whole("actions", "", "limit of actions in a turn, the same for both sides", "actions a turn")],
    "requisition_a requisition_b p_a p_b p_draw score_a",
    *ends(
        "score_a",
        "0-1",
        "the 95 % interval of score_a; equal to score_a if the battle was solved exactly",
        ("score of a from", "score of a to"),
    ),
    *(
        column
        for side in "ab"
        for column in _with_ends(
            f"action_price_{side}",
            f"requisition of its own units that {side} would have to add to score as with one more action a turn",
            f"one more action is worth to {side}",
        )
    ),
    *_with_ends(
        "even_requisition_b",
        "requisition of its own units that b needs for an even battle",
        "requisition of b for an even battle",
    ),
    "engine",
    *(f"{name}_ci_low {name}_ci_high" for name in ("p_a", "p_b", "p_draw")),
)
LEADS = table(
    "leads",
    [LISTS, CHOICES],
    text("ahead_with_few", "side whose score is larger under the smallest action limit: a, b or neither"),
    whole("few_to", "", "largest action limit up to which that side stays ahead"),
    text("ahead_with_many", "side whose score is larger under the largest action limit: a, b or neither"),
    whole("many_from", "", "smallest action limit from which that side is ahead"),
)
BATTLE_UNITS = table(
    "battle_units",
    [text("side", "a or b"), whole("place", "", "number of the unit in its list, from 1")],
    "name requisition",
    *with_interval(share("p_survives", "share of the battles that the unit survives")),
    *with_error(share("share_of_actions", "share of its side's actions that the unit spends")),
    *with_error(
        points(
            "requisition_destroyed",
            "mean requisition that the unit destroyed: of each enemy's cost, the share that the unit took",
        )
    ),
    *with_error(
        number("kills", "", "mean number of enemies that the unit destroyed: it took the last of their toughness")
    ),
    *with_error(
        number(
            "earned_its_cost",
            "",
            "requisition_destroyed divided by requisition; at 1 or more, the unit earned its cost",
        )
    ),
    "n",
)
BATTLE_TIMELINE = table(
    "battle_timeline",
    ["player_turn"],
    *with_error(points("requisition_left_a", "mean requisition of a's units that are left after the turn")),
    *with_error(points("requisition_left_b", "mean requisition of b's units that are left after the turn")),
    *with_interval(share("p_goes_on", "share of the battles that continue after the turn")),
    "n",
)
BATTLE_LEFT = table(
    "battle_left",
    ["side", points("requisition_left", "requisition of the side's units that are left at the end")],
    *with_interval(share("p_requisition_left", "share of the battles that leave the side exactly this much")),
    "n",
)
BATTLE_LOG = table(
    "battle_log",
    [whole("strike", "", "number of the attack in the battle, from 1")],
    "player_turn side name",
    text("weapon", "weapon of the attack"),
    text("enemy", "unit that is attacked"),
    text("helpers", "units of the same side that help with the attack, such as a crew or a scout"),
    whole("toughness_before", EFFECT, "what the enemy had left before the attack"),
    whole("toughness", EFFECT, "toughness at full strength; in the log of a battle, the enemy's", "has"),
    points("gain", "requisition that the attack was expected to take from the enemy, per action"),
    text("needed", "rolls needed, in words"),
    text("rolled", "rolls made, in words"),
    whole("taken", EFFECT, "what the attack took from the enemy"),
    text("rules", "sections of the rulebook behind the attack"),
)
TABLES = (BATTLES, ACTIONS, LEADS, BATTLE_UNITS, BATTLE_TIMELINE, BATTLE_LEFT, BATTLE_LOG)
