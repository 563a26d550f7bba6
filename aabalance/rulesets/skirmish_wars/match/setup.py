"""From a set-up to the tables and the first state of a match."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from typing import Any

from aabalance.rulesets.base.match import Record, new, weigh
from aabalance.rulesets.skirmish_wars.card import HIT_POINTS, Card
from aabalance.rulesets.skirmish_wars.match import records
from aabalance.rulesets.skirmish_wars.match.board import BOARD, Options
from aabalance.rulesets.skirmish_wars.match.turns import add, begin_turn
from aabalance.rulesets.skirmish_wars.shot import chart
from aabalance.rulesets.skirmish_wars.situation import Terrain
from aabalance.rulesets.skirmish_wars.variant import Variant

DEFAULTS: Mapping[str, Any] = {**Options().model_dump(), "units": (), "first": "a"}
"""What holds where neither the set-up nor the board says otherwise (S-12 to S-20)."""

COLUMNS: Mapping[str, Terrain] = {
    "grass": "grass",
    "road": "road_river",
    "forest": "forest",
    "river": "road_river",
    "hill": "hill_hq",
    "city": "city",
    "factory": "city",
    "hq": "hill_hq",
}
"""The column of the terrain chart for each ground (S-1)."""


def start(setup: Mapping[str, Any], cards: Mapping[str, Card], variant: Variant) -> tuple[Record, Record, list[str]]:
    """Return the tables, the first state and types of units; see `aabalance.rulesets.base.match_rules.MatchRules`."""
    asked = variant.model_dump(exclude_unset=True)
    options = {**DEFAULTS, **variant.model_dump(), **setup["board"], **asked, **setup}
    tables, state = new(records.TABLES), new(records.STATE)
    tables.first = "ab".index(options["first"])
    for key in ("conquest", "medals", "cities", "turn_limit", "unreduce_on_repair"):
        tables[key] = options[key]
    tables.factories_save = options["elimination"] == "units_and_factories"
    weigh(tables, records.WEIGHTS)
    _list_types(tables, cards, options)
    _draw(tables, state, options["board"])
    state.turn, state.to_move, state.active, state.winner = 1, tables.first, records.NONE, records.NOBODY
    state.money = [options["money"][side] for side in "ab"]
    types = list(cards)
    for unit in options["units"]:
        x, y = unit["at"]
        side, square = "ab".index(unit["side"]), x + y * int(tables.width)
        add(state, side, types.index(unit["type"]), square, unit.get("hp", HIT_POINTS))
    begin_turn(tables, state)
    return tables, state, types


def _list_types(tables: Record, cards: Mapping[str, Card], options: Mapping[str, Any]) -> None:
    """Write the types of units, the shop and the counters, and the chart."""
    tables.types = len(cards)
    shop, counters = options["shop"], options["counters"]
    for row, (name, card) in zip(tables.type, cards.items(), strict=False):
        row.symbol = records.SYMBOLS.index(card.symbol)
        row.cost, row.mp, row.defense, row.carries = card.cost, card.mp, card.defense, card.carries
        row.least_range, row.most_range = card.range.min, card.range.max
        for reduced, firepower in enumerate((card.firepower, card.reduced)):
            row.firepower[reduced] = [getattr(firepower, symbol) for symbol in records.SYMBOLS]
        road = card.movement_cost.road
        row.entry = [getattr(card.movement_cost, ground, road) or 0 for ground in records.GROUNDS]
        row.in_shop = shop in ("all", None) or name in shop  # a set-up's null (S-12)
        counter = counters.get(name) if isinstance(counters, Mapping) else counters
        row.counters = records.NO_LIMIT if counter is None else counter
    for at, row in enumerate(chart().values()):
        for column, terrain in enumerate(records.TERRAINS):
            tables.hits[at, column], tables.die[at, column] = row[terrain]


def _draw(tables: Record, state: Record, board: Mapping[str, Any]) -> None:
    """Write the board, and who owns its properties."""
    rows = BOARD.rows(board)
    tables.width, tables.height = len(rows[0]), len(rows)
    tables.property_at[:] = tables.adjacent[:] = records.NONE
    state.unit_at[:] = records.NONE
    for square, drawn in enumerate(chain.from_iterable(rows)):
        y, x = divmod(square, len(rows[0]))
        tables.x[square], tables.y[square] = x, y
        for side, (dx, dy) in enumerate(records.STEPS):
            if 0 <= x + dx < len(rows[0]) and 0 <= y + dy < len(rows):
                tables.adjacent[square, side] = square + dx + dy * len(rows[0])
        kind = drawn.name.split()[0]
        ground = records.GROUNDS.index(kind)
        tables.ground[square] = ground
        tables.terrain[square] = records.TERRAINS.index(COLUMNS[kind])
        if ground >= records.FIRST_PROPERTY:
            which = int(tables.properties)
            tables.property_at[square], tables.property_square[which] = which, square
            tables.property_kind[which] = ground - records.FIRST_PROPERTY
            tables.first_owner[which] = "ab".index(drawn.owner) if drawn.owner else records.NOBODY
            state.property[which].owner = tables.first_owner[which]
            tables.properties += 1
