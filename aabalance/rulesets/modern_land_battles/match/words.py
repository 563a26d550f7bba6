"""Actions, states and results in words.

In all functions `tables` and `state` are those of the match, `number` is a decision, `said` a decision's text, and
`names` are those that `start` returned.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from aabalance.rulesets.base.board import Piece, Scene, Square
from aabalance.rulesets.base.match import ACTOR, EXTRA, OTHER, Record, part_of
from aabalance.rulesets.base.notation import Slot, both, letter, name_of, named, pattern_of, patterns_and_sections
from aabalance.rulesets.modern_land_battles.card import ACTION_CARDS, SYMBOLS, Card
from aabalance.rulesets.modern_land_battles.duel import DESTROYED
from aabalance.rulesets.modern_land_battles.match import records
from aabalance.rulesets.modern_land_battles.match.actions import action
from aabalance.rulesets.modern_land_battles.match.board import COLUMNS, WIDTH, symbol
from aabalance.rulesets.modern_land_battles.match.setup import Names

ACTIONS = {
    records.BEGIN: ("start", "Set-Up: Initial Action Cards"),
    records.TO_PREPARE: ("prepare", "Prepare"),
    records.TO_REINFORCE: ("reinforce CARD", "Reinforce"),
    records.TO_TERRAIN: ("terrain UNIT ROW", "Maneuver Attack: Terrain Maneuvering"),
    records.TO_FLANK: ("flank UNIT ROW", "Maneuver Attack: Flanking Maneuvering"),
    records.FIRE_ARTILLERY: ("artillery UNIT PLACE OTHER", "Artillery Attack"),
    records.PLAY: ("play CARD UNIT SYMBOL", "Play a Card: How to Attack"),
    records.TO_REGROUP: ("regroup UNIT AREA", "Action Cards: Regroup"),
    records.SEND_ENGINEERS: ("engineers WAY", "Action Cards: Engineers"),
    records.AT: ("at PLACE OTHER ACTING", "Play a Card: Damaging a Force Card"),
    records.ADD_CARD: ("modify CARD ACTING", "Maneuver Attack: Terrain Maneuvering"),
    records.ROLL: ("roll ACTING", "Maneuver Attack: Terrain Maneuvering"),
    records.DISCARD: ("discard CARD", "Prepare"),
    records.REFILL: ("draw", "Prepare"),
    records.USE: ("use CARD", "Reinforce"),
    records.BRING: ("bring UNIT ROW", "Reinforce"),
    records.SHIFT: ("shift UNIT ROW", "Reinforce"),
    records.DONE: ("done", "Reinforce"),
    records.LET_BE: ("none", "Defense Cards"),
    records.MAKE_READY: ("ready UNIT", "Maneuver Attack: Terrain Maneuvering"),
    records.MAKE_REPAIR: ("repair UNIT", "Maneuver Attack: Terrain Maneuvering"),
    records.MAKE_CALM: ("calm", "Maneuver Attack: Terrain Maneuvering"),
    records.SKIP: ("skip", "Maneuver Attack: Terrain Maneuvering"),
    records.PLAY_OVERRUN: ("overrun", "Action Cards: Overrun"),
    records.PLAY_DRONE: ("recon_drone", "Action Cards: Recon Drone"),
    records.PASS: ("pass", "Sequence of Play"),
} | {
    action(records.RESPOND, card=ACTION_CARDS.index(card)): (
        f"{card} {words}".rstrip(),
        f"Action Cards: {card.replace('_', ' ').title()}",
    )
    for words, several in {
        "": ("close_air_support", "counter_fire", "cover", "minefield", "pull_back"),
        "UNIT ROW": ("barrage", "cover_fire", "overwatch"),
        "UNIT": ("reaction_force", "screening_force"),
    }.items()
    for card in several
}
"""How people write decisions, those on reactions by their card, and the sections of the rulebook behind them."""
PATTERNS, SECTIONS = patterns_and_sections(ACTIONS)


def slots(tables: Record, state: Record, names: Names) -> dict[str, Slot]:
    """Return what stands for the words of `PATTERNS`."""
    places = [f"{area}{row}" for row in range(records.ROWS + 1) for area in (*records.AREAS, "")]
    return {
        "UNIT": named(ACTOR, names.units),
        # Who is acting already isn't said.
        "ACTING": Slot(ACTOR, lambda _: "", {"": int(state.act.unit)}.__getitem__),
        "OTHER": named(OTHER, names.units),
        "CARD": named(EXTRA, ACTION_CARDS),
        "AREA": named(records.AREA, records.AREAS),
        "PLACE": named(records.PLACE, places),
        "ROW": Slot(records.ROW, str, int),
        "WAY": named(records.ROW, ("-1", "+1")),
        "SYMBOL": named(OTHER, SYMBOLS),
    }


def words(tables: Record, state: Record, names: Names) -> dict[str, Any]:
    """Return a state as transcripts have it."""
    return {
        "turn": int(state.turn),
        "side": "ab"[state.side],
        "stage": records.STAGES[state.stage],
        "actions": int(state.actions),
        "units": {
            mark: {"card": card, "at": place(own), "hits": int(own.hits), "acted": bool(own.acted)}
            for mark, card, own in zip(names.units, names.ids, state.unit, strict=False)
        },
        "hands": {side: list(Counter(held).elements()) for side, held in hands(state).items()},
        "deck": counts(ACTION_CARDS, state.deck),
        "discards": counts(ACTION_CARDS, state.discards),
        "terrain": name_of(names.terrains, state.terrain),
        "control": int(state.control),
        "terrain_deck": list(Counter(counts(names.terrains, state.terrain_deck)).elements()),
        "superior": int(state.superior),
        "piles": both(state.piles),
        "act": _act(state, names),
        "benefits": [["ab"[state.benefit_side], records.BENEFITS[state.benefit]]] if state.benefit else [],
        "destroyed": bool(state.destroyed),
        "secured": bool(state.secured),
    }


def _act(state: Record, names: Names) -> dict[str, Any] | None:
    """Return the Action in progress."""
    act = state.act
    if act.doing == records.NOTHING:
        return None
    if act.doing == records.REINFORCING:
        units = zip(state.unit, names.units, strict=False)
        shifted = sorted((own.shifted, mark) for own, mark in units if own.shifted)
        return {"points": int(act.points), "shifted": [mark for _, mark in shifted]}
    return {
        "unit": name_of(names.units, act.unit),
        "symbol": name_of(SYMBOLS, act.symbol),
        "card": name_of(ACTION_CARDS, act.card),
        "target": name_of(names.units, act.target),
        "hits": int(act.hits),
        "area": name_of(records.AREAS, act.area),
    }


def place(own: Record) -> str:
    """Return where a Force card is."""
    if own.area < records.RESERVE:
        return f"{records.AREAS[own.area]}{own.row}"
    return "reserve" if own.area == records.RESERVE else "destroyed"


def hands(state: Record) -> dict[str, dict[str, int]]:
    """Return how many Action cards of each kind both sides hold."""
    return {side: counts(ACTION_CARDS, held) for side, held in zip("ab", state.hand, strict=True)}


def counts(kinds: Sequence[str], numbers: Any) -> dict[str, int]:
    """Return how many cards of each kind there are, without those of which there is none."""
    return {kind: int(number) for kind, number in zip(kinds, numbers, strict=False) if number}


def ended(tables: Record, state: Record) -> dict[str, Any]:
    """Return the result as transcripts have it."""
    return {
        "winner": letter(state.winner),
        "reason": records.REASONS[state.reason] if state.reason else None,
        "turn": int(state.turn),
        "points": both(state.piles),
    }


def unit(number: int, names: Names) -> str:
    """Return the name of the Force card that a decision is about; nothing without one."""
    return names.cards[part_of(number, ACTOR)].name if "UNIT" in pattern_of(number, PATTERNS) else ""


def disarmed(card: Card) -> dict[str, Card]:
    """Return the cards that lack one of its weapons each, by the weapon's name."""
    return {
        symbol: card.model_copy(update={"weapons": card.weapons.model_copy(update={symbol: None})})
        for symbol in SYMBOLS
        if getattr(card.weapons, symbol) is not None
    }


def scene(tables: Record, state: Record, names: Names) -> Scene:
    """Return what is drawn of a state: the three Areas side by side, b's Rows above and a's below."""
    taken: Counter[tuple[int, int, int]] = Counter()
    pieces = []
    for mark, card, face, row, own in zip(names.units, names.ids, names.cards, tables.card, state.unit, strict=False):
        if own.area == records.DESTROYED:
            continue
        at: Square | None = None
        if own.area < records.RESERVE:
            slot = int(row.side), int(own.area), int(own.row)
            middle, ahead = records.ROWS, int(own.row) if row.side == 0 else -int(own.row)
            at = COLUMNS[slot[1]] + min(taken[slot], WIDTH - 1), middle + ahead
            taken[slot] += 1
        left = DESTROYED - int(own.hits)
        pieces.append(Piece(mark, card, "ab"[row.side], symbol(face), at, left, DESTROYED))
    counters = max(0, int(state.superior)), max(0, -int(state.superior))
    squares = max(0, int(state.control)), max(0, -int(state.control))
    track = "track" if state.terrain == records.NONE else f"track of {names.terrains[state.terrain]}"
    held = int(state.hand[0].sum()), int(state.hand[1].sum())
    score = {"Victory Points": tuple(state.piles.tolist()), track: squares, "Superior": counters, "hand": held}
    turns = int(state.turn) - int(state.reason == records.LIMIT)
    number = 0 if state.stage == records.START else turns // 2 + 1
    return Scene(round=number, pieces=pieces, owners={}, cleared=(), score=score, hands=hands(state))
