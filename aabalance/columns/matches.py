"""Tables of matches on boards: who wins and why, who leads, what units do for their side, how often what is done."""

from __future__ import annotations

from aabalance.columns.column import Column, ends, gap, number, points, share, table, text, whole, with_error, yes_or_no


def with_interval(column: Column, kind: str = "Wilson's") -> tuple[Column, Column, Column]:
    """Return a column, and those of the ends of its 95 % interval; `kind` says whose it is."""
    return column, *ends(f"{column.name}_ci", column.unit, f"{kind} 95 % interval of {column.name}")


KEY = "list_a list_b board mission rounds actions_a actions_b player_a player_b"

MATCHES = table(
    "matches",
    [
        "list_a list_b",
        text("board", "name of the board"),
        text("mission", "how the match is won, in games that have missions"),
        "rounds actions_a actions_b",
        text("player_a", "who plays side a", "player a"),
        text("player_b", "who plays side b", "player b"),
    ],
    "requisition_a requisition_b",
    *(f"{name} {name}_ci_low {name}_ci_high" for name in ("p_a", "p_b", "p_draw", "score_a")),
    *with_interval(
        share("score_without_luck", "score of a minus the mean luck of its dice, if `luck` is set"), "Student's"
    ),
    *with_interval(
        gap(
            "score_change",
            "score_a minus its value with the first of several players, by pairs of matches",
            "by who plays",
        ),
        "Student's",
    ),
    "first_turn_gap first_turn_gap_ci_low first_turn_gap_ci_high",
    text("zone", "the zone that zone_gap is about; empty if nobody chooses one"),
    *with_interval(
        gap("zone_gap", "score of a in this zone, minus its score in the other", "the zone is worth"), "Newcombe's"
    ),
    *with_interval(
        share("p_early", "share of matches that end for a reason other than the limit of rounds", "ended early")
    ),
    text("ended_by", "why matches ended, with shares and Wilson's 95 % intervals", "ended by"),
    *(f"{name} {name}_ci_low {name}_ci_high" for name in ("player_turns", "value_a", "value_b")),
    whole("watched", "", "matches of the row that were watched, decision by decision"),
    *with_error(
        number(
            "lead_changes",
            "",
            "mean number of times that the lead by value changes hands from one round's end to the next",
        )
    ),
    *with_interval(share("came_back", "share of decided matches in which the winner was behind at some round's end")),
    "n",
)
LEADS = table(
    "match_leads",
    [KEY, whole("round", "", "number of the round, from 1")],
    *with_interval(share("p_a_ahead", "share of matches in which a is ahead by value at the end of the round")),
    *with_interval(share("p_winner_behind", "share of the decided ones in which the later winner is behind then")),
    "n",
)
UNITS = table(
    "match_units",
    [KEY, "side unit"],
    "name",
    number("units_a_match", "", "mean number of such units in a match"),
    *with_error(
        points(
            "destroyed",
            "what one such unit took from enemies: of each, its cost times the share taken; damage that shows only "
            "later counts for the unit that attacked that enemy last",
        )
    ),
    *with_error(number("held", "rounds", "rounds at whose end it stood on or next to what its side held")),
    *with_error(number("carried", "rounds", "rounds at whose end it carried another unit")),
    *with_error(number("scouted", "", "how often it scouted")),
    *with_error(share("survived", "share of such units that are left at the end")),
    "n",
)
ACTIONS = table(
    "match_actions",
    [KEY, "side", text("action", "kind of action, as matches name it")],
    *with_error(number("a_match", "", "how often the side did it in a match")),
)
BOARDS = table(
    "match_boards",
    ["board mission rounds actions_a actions_b player_a player_b"],
    "first_turn_gap first_turn_gap_ci_low first_turn_gap_ci_high zone zone_gap zone_gap_ci_low zone_gap_ci_high",
    *(f"{name} {name}_ci_low {name}_ci_high" for name in ("p_draw", "p_early", "came_back", "player_turns")),
    "lead_changes",
    *ends("lead_changes_ci", "", "Student's 95 % interval of lead_changes"),
    "n",
)
OF_KINDS = "Student's (of kinds simultaneous)"
FAIRNESS = table(
    "fairness",
    [text("kind", "which lists: all, or those drawn from any units, from the cheaper half, from the dearer half")],
    *with_interval(share("score_first", "score of the side with the first turn, for equal lists"), OF_KINDS),
    "zone",
    *with_interval(share("score_zone", "score of the side in the zone, for equal lists"), OF_KINDS),
    "p_draw p_draw_ci_low p_draw_ci_high",
    whole("lists", "", "lists that were drawn; each is one observation"),
    "n",
)
LADDER = table(
    "ladder",
    [text("player", "who plays, as for `--player`; in logs of games without players, the side: a or b")],
    number("elo", "", "rating on Elo's scale: 400 points are odds of 10 to 1; the players' mean is 0", "Elo"),
    *ends("elo_ci", "", "the 95 % interval of elo: the ratings that the results don't rule out"),
)
LADDER_SCORES = table(
    "ladder_scores",
    ["player", text("against", "whom the player meets, in both seats")],
    *with_interval(
        share("score_against", "wins of the player plus half the draws"), "Wilson's simultaneous (Bonferroni's)"
    ),
    number("cpu_ms", "ms", "mean CPU time of a match", "CPU a match"),
    "n",
)
WITHOUT = table(
    "without",
    ["player", text("without", "kind of action that side a may not choose, by its verb, or weapon that it lacks")],
    "score_a",
    *with_interval(
        gap("loss", "score of a with all kinds of actions, minus its score without this one, on the same dice"),
        "Student's simultaneous (Bonferroni's)",
    ),
    points("loss_points", "points that, added to a's list, bring as much score as loss; nan if that isn't known"),
    *ends("loss_points_ci", "points", "Fieller's simultaneous 95 % interval of loss_points"),
    text("verdict", "needed, dead, trap, or open: what the interval of loss says; unused: no match differs"),
    yes_or_no("stable", "several players agree on the verdict, which isn't open, and on the place among kinds"),
    "n",
)
TABLES = (MATCHES, BOARDS, FAIRNESS, LADDER, LADDER_SCORES, LEADS, UNITS, ACTIONS, WITHOUT)
