"""From a set-up to the tables and the first state of a match."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from aabalance.rulesets.base.match import Record, new, units_of, weigh
from aabalance.rulesets.modern_land_battles import shot
from aabalance.rulesets.modern_land_battles.card import ACTION_CARDS, ATTACKS, STOPS, SYMBOLS, Card
from aabalance.rulesets.modern_land_battles.match import records
from aabalance.rulesets.modern_land_battles.variant import Variant

LIMIT = 200
REACHES = shot.SMALL_ARMS_ROWS, shot.CANNON_ROWS, shot.MISSILE_ROWS[-1]
FAR = 1000


class Names(NamedTuple):
    """What Force cards are called: side and number (``a1``), id of the card, the cards; and kinds of Terrain cards."""

    units: list[str]
    ids: list[str]
    cards: list[Card]
    terrains: list[str]


def start(setup: Mapping[str, Any], cards: Mapping[str, Card], variant: Variant) -> tuple[Record, Record, Names]:
    """Return the tables, the first state and all names; see `aabalance.rulesets.base.match_rules.MatchRules`."""
    board, options = setup["board"], setup.get("options", {})
    tables, state = new(records.TABLES), new(records.STATE)
    tables.victory, tables.hand, tables.limit = board["victory"], board["hand"], options.get("limit", LIMIT)
    tables.first = "ab".index(setup["first"]) if setup.get("first") else records.NOBODY
    tables.range_defense = variant.range_defense
    tables.least, tables.most = (shot.needed(value, 0, variant.d10_natural_rules) for value in (-FAR, FAR))
    weigh(tables, records.WEIGHTS)
    lists = [setup["lists"][side] for side in "ab"]
    units = [
        (side, row, card)
        for side, own in enumerate(lists)
        for row, part in enumerate([*own["rows"], own["reserve"]], start=1)
        for card in part
    ]
    tables.units, tables.units_of_a = len(units), sum(side == 0 for side, _, _ in units)
    for (side, row, card), printed, own in zip(units, tables.card, state.unit, strict=False):
        _write_card(printed, side, cards[card])
        starts = row <= len(lists[side]["rows"])
        own.area, own.row = (records.BREAKTHROUGH, row) if starts else (records.RESERVE, 0)
    _write_decks(tables, state, board)
    state.actions, state.winner, state.terrain = 1, records.NOBODY, records.NONE
    marks = [f"{side}{at}" for of, side in enumerate("ab") for at, _ in enumerate(units_of(tables, of), start=1)]
    ids = [card for _, _, card in units]
    return tables, state, Names(marks, ids, [cards[card] for card in ids], sorted(board["terrain"]))


def _write_card(row: Record, side: int, card: Card) -> None:
    row.side, row.armor, row.maneuver, row.vp = side, card.armor, card.maneuver or 0, card.vp
    row.headquarters, row.usual = card.headquarters, usual_row(card)
    weapons = card.weapons
    for at, modifier in enumerate((weapons.small_arms, weapons.cannon, weapons.missile)):
        if modifier is not None:
            row.modifier[at], row.reach[at] = modifier, REACHES[at]
    if weapons.artillery is not None:
        row.modifier[records.ARTILLERY] = weapons.artillery.modifier
        row.reach[records.ARTILLERY] = weapons.artillery.range


def usual_row(card: Card) -> int:
    """Return the Row that the rulebook advises: Small Arms and Cannons ahead, then Missiles, Artillery last."""
    weapons = card.weapons
    if weapons.artillery is not None:
        return 3
    return 2 if card.headquarters or (weapons.small_arms is None and weapons.cannon is None) else 1


def _write_decks(tables: Record, state: Record, board: Mapping[str, Any]) -> None:
    for at, (name, row) in enumerate(zip(ACTION_CARDS, tables.kind, strict=True)):
        if corner := board["action"].get(name):
            state.deck[at], row.maneuver, row.reinforce = corner["count"], corner["maneuver"], corner["reinforce"]
        if name in ATTACKS:
            played = ATTACKS[name]
            row.symbols = sum(1 << SYMBOLS.index(symbol) for symbol in played.symbols)
            row.extra, row.extra_in_breakthrough = played.extra_dice, played.extra_in_breakthrough
        stop = STOPS.get(name)
        row.stops = SYMBOLS.index(stop.symbol) if stop and stop.symbol else records.NONE
        if stop:
            row.hits, row.successes = stop.hits, stop.successes
    for at, (_, card) in enumerate(sorted(board["terrain"].items())):
        row = tables.terrain[at]
        state.terrain_deck[at], row.squares, row.vp = card["count"], card["squares"], card["vp"]
        row.benefit = records.BENEFITS.index(card["benefit"])
