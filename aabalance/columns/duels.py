"""Tables of one duel: when it ends, what the winner has left, how to play it best."""

from __future__ import annotations

from aabalance.columns.column import EFFECT, share, table, text, whole, yes_or_no

TURNS_OF_DUEL = table(
    "turns_of_duel",
    [whole("player_turn", "", "number of the turn, counting both sides' turns, from 1; 0: before the first")],
    share("p_end", "chance that the duel ends in this turn"),
    share("p_ended", "chance that the duel has ended by the end of this turn"),
)
SURVIVORS_OF_DUEL = table(
    "survivors_of_duel",
    [text("winner", "side that is left: a or b"), whole("toughness_left", EFFECT, "what the unit has left")],
    share("p_left", "chance that this side wins with exactly this much left"),
)
LONGEST_DUEL = table("longest_duel", ["attacker target range_in facing own_facing situation"], "player_turns")
BEST_PLAY = table(
    "best_play",
    [
        "range_in toughness_left",
        whole("enemy_toughness_left", EFFECT, "what its enemy has left"),
        yes_or_no("reloading", "the unit's main gun can't fire in this turn"),
        yes_or_no("enemy_reloading", "the enemy's main gun can't fire in its next turn"),
        yes_or_no("enemy_moved", "the enemy moved in its last turn"),
    ],
    text("orders", "what the unit does in this turn if it plays as well as it can"),
)
TABLES = (TURNS_OF_DUEL, SURVIVORS_OF_DUEL, LONGEST_DUEL, BEST_PLAY)
