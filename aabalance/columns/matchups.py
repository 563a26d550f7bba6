"""Tables of shots and duels of every unit against every unit."""

from __future__ import annotations

from aabalance.columns.column import EFFECT, LENGTH, ends, gap, number, points, share, table, text, whole, yes_or_no

MATCHUPS = table(
    "matchups",
    [
        text("attacker", "id of the unit that attacks: side a of the duel"),
        text("target", "id of the unit that is attacked: side b of the duel"),
        number("range_in", LENGTH, "distance between the two units, in inches unless the game uses another unit"),
        text(
            "facing", "face that the target shows; in a row of means over situations, all faces that it shows in them"
        ),
        text(
            "own_facing", "face that the attacker shows when the target fires back; in a row of means, all such faces"
        ),
        text("situation", "what else the attack depends on, in words"),
    ],
    number("weight", "", "weight of the situation; the standard situations' weights add up to 1"),
    points("attacker_requisition", "what the attacker costs"),
    points("target_requisition", "what the target costs"),
    whole(
        "need",
        "D6",
        "natural roll that the best attack needs (under two dice: its hit die); 0: no single roll decides, "
        "7: no effect is possible",
    ),
    yes_or_no("out_of_reach", "no attack has an effect, and the distance is the reason: it is too far or too near"),
    share("p_damage", "chance that one attack has an effect", "chance of an effect"),
    number(
        "expected_damage",
        EFFECT,
        "mean effect of one attack, even if that is more than the target has left; in men against infantry",
    ),
    number(
        "expected_damage_per_action",
        EFFECT,
        "mean effect of the best use of one action; a turn of reloading costs an action too",
        "damage an action",
    ),
    share(
        "p_kill",
        "chance that one attack destroys a fresh target; in volleys, that all attacks of a row destroy it as it is",
    ),
    share("p_kill_turn", "chance that one turn of holding destroys a fresh target"),
    number(
        "expected_shots_to_kill",
        "attacks",
        "mean number of attacks until a fresh target is destroyed; inf: it never is",
    ),
    number(
        "expected_turns_to_kill",
        "turns",
        "mean number of own turns of holding until a fresh target is destroyed; in a row of means over situations, "
        "the inverse of the mean rate; inf: it never is",
        "turns to kill",
    ),
    share(
        "p_win",
        "chance that only the attacker is left when the duel ends, or when its limit of rounds is reached; "
        "a roll-off decides who has the first turn",
        "wins",
    ),
    share("p_draw", "chance that both are left, forever or at the limit of rounds, or that neither is left", "draw"),
    share("p_loss", "chance that only the target is left", "loses"),
    share("p_win_first", "chance that the attacker wins when it moves first"),
    share("p_win_second", "chance that the attacker wins when it moves second"),
    gap(
        "first_turn_gap",
        "score (chance to win plus half the chance of a draw) with the first turn, minus the score without; of many: "
        "the mean",
        "worth of the first turn",
    ),
    number(
        "player_turns",
        "turns",
        "mean number of turns of the duel or battle, counting both sides' turns, up to the limit of rounds if there is "
        "one; inf: it may never end",
    ),
    whole("n", "", "number of simulated duels, battles or matches; 0: solved exactly"),
    *ends("ci", "0-1", "Wilson's 95 % interval of p_win"),
)
PAIRS = table(
    "pairs",
    ["attacker target"],
    "facing own_facing p_damage expected_damage_per_action p_kill_turn expected_turns_to_kill",
    "p_win p_draw p_loss",
)
CHANCES = table("chances", ["attacker target"], "p_win p_draw")
KILL_PROBABILITY = table(
    "kill_probability",
    ["attacker target range_in situation", whole("turns", "turns", "number of turns that the attacker has")],
    share("p_kill_within", "chance that this many turns of holding destroy a fresh target", "destroyed within that"),
)
VOLLEYS = table(
    "volleys",
    ["attacker target"],
    whole("attacks", "attacks", "number of attacks: one by each unit"),
    "attacker_requisition expected_damage",
    number("per_hundred", EFFECT, "mean effect for each 100 points that the attackers cost", "damage per 100 points"),
    share("p_at_least", "chance of an effect of N or more (`--at-least N`)", "at least that"),
    "p_kill",
)
TABLES = (MATCHUPS, PAIRS, CHANCES, KILL_PROBABILITY, VOLLEYS)
