"""Tables of a log of games: what was predicted of each, the luck of each side, and what the games say of units."""

from __future__ import annotations

from aabalance.columns.column import ends, number, points, share, table, whole

GAMES = table(
    "playtest_games",
    [whole("game", "", "number of the game in the log, from 1")],
    "list_a list_b board mission winner requisition_a requisition_b p_a p_draw p_b n",
    share("p_value", "chance of a result at least this unlikely, if the prediction is right", "p-value"),
    *ends("p_value", "", "its 95 % interval: simulated matches leave the prediction open"),
)
SIDES = table(
    "playtest_sides",
    ["player"],
    whole("games", "", "games of the log that the row is about"),
    number("scored", "games", "games won; a draw counts half"),
    number("expected", "games", "the number of games scored that was predicted"),
    number("luck", "games", "scored minus expected"),
    "p_value p_value_low p_value_high",
)
UNITS = table(
    "playtest_units",
    ["unit"],
    "name requisition games",
    points("prior", "what the unit is worth in simulated matches on the boards, before the games", "worth before"),
    *ends("prior", "points", "its 90 % interval: simulation, and how far tables may differ from it"),
    "worth worth_low worth_high",
    number(
        "games_needed",
        "games",
        "games of changing lists of these units until worth is known to 12 %; inf: no number is enough",
    ),
)
TABLES = (GAMES, SIDES, UNITS)
