"""What players agree on before a match, checked, and the set-up that comes of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import product
from typing import Annotated, Any

from pydantic import Field

from aabalance.errors import UsageError, counted, one_of
from aabalance.rulesets.armored_advance.card import InfantryCard, Unit
from aabalance.rulesets.armored_advance.match import records
from aabalance.rulesets.armored_advance.match.board import BOARD
from aabalance.rulesets.armored_advance.match.setup import OPTIONS, has_facing
from aabalance.rulesets.base import Keys, StrictKeys
from aabalance.rulesets.base.match_rules import Agreement, Start

MISSION, ROUNDS, ACTIONS = "timed", 8, 5
"""What is played where nothing is agreed."""
MOST_HULL_IN = 6


class Options(StrictKeys):
    """What else players may agree on."""

    points: int = Field(0, ge=0, le=1000, description="domination: victory points that win at once; 0: none do")
    hull: float = Field(
        OPTIONS["hull"],
        ge=0,
        le=MOST_HULL_IN,
        description="inches taken off a distance for the two hulls, since it is measured between centres (AA-75)",
    )
    quiet: int = Field(
        OPTIONS["quiet"],
        ge=1,
        le=1000,
        description="player turns without a loss after which the match is a draw (AA-117)",
    )
    cap: int = Field(
        OPTIONS["cap"], ge=1, le=1000, description="rounds after which the match is a draw in any mission (AA-117)"
    )
    budget: int | None = Field(
        None,
        ge=1,
        le=100_000,
        description="most requisition that a list may cost; squads are free in domination (p. 23)",
    )


class Place(Keys):
    """Where a unit begins: in a square, aboard a transport, or towed. Without any it is deployed in the match."""

    at: Annotated[list[Any], Field(min_length=2, max_length=3)] | None = Field(
        None, description="column and row of the square, from 0, and the facing of a unit that has one"
    )
    aboard: int | None = Field(None, ge=1, description="the unit of the list, from 1, that carries this squad")
    towed: int | None = Field(None, ge=1, description="the unit of the list, from 1, that tows this gun")


def agree(asked: Agreement) -> tuple[Agreement, dict[str, Any]]:
    """Return the whole agreement, and the set-up; see `aabalance.rulesets.base.match_rules.MatchRules`."""
    agreed = _terms(asked)
    for side, own in zip("ab", agreed.lists, strict=True):
        try:
            _check_list(agreed, [agreed.cards[one.card] for one in own])
            _check_places(agreed, own)
        except UsageError as error:
            raise UsageError(f"list {side}: {error}") from None
    number = sum(map(len, agreed.lists))
    if number > records.MOST_UNITS:
        raise UsageError(f"lists: found {number} units, expected at most {records.MOST_UNITS} on both sides together")
    taken = Counter((one.place.at[0], one.place.at[1]) for own in agreed.lists for one in own if one.place.at)
    if twice := [at for at, n in taken.items() if n > 1]:
        raise UsageError(f"lists: found two units at {twice[0][0]},{twice[0][1]}, expected one in a square (AA-74)")
    _check_zones(agreed, set(taken))
    options = agreed.options
    rounds = {} if agreed.rounds is None else {"rounds": agreed.rounds}
    points = {"points": options.points} if options.points else {}
    return agreed, {
        "board": agreed.board,
        "lists": {
            side: [{"card": one.card, **_given(one)} for one in own]
            for side, own in zip("ab", agreed.lists, strict=True)
        },
        "limit": dict(zip("ab", agreed.actions or (), strict=True)),
        "mission": {"mode": agreed.mission, **rounds, **points},
        "options": {name: getattr(options, name) for name in OPTIONS},
    }


def _given(one: Start) -> dict[str, Any]:
    """Return what is said of where a unit begins."""
    return {name: value for name, value in one.place if value is not None}


def _terms(asked: Agreement) -> Agreement:
    """Return the agreement with its mission, rounds and actions."""
    mission, options = asked.mission or MISSION, asked.options
    if mission not in records.MODES:
        raise UsageError(f"mission: {one_of(mission, records.MODES)}")
    annihilation, domination = mission == "annihilation", mission == "domination"
    if annihilation and asked.rounds is not None:
        expected = "expected none: annihilation is played to the end; `cap` and `quiet` of --with end it in a draw"
        raise UsageError(f"rounds: found {asked.rounds}, {expected}")
    rounds = None if annihilation else asked.rounds or ROUNDS
    most = options.cap * (2 if asked.variant.turn_limit_counts == "player_turns" else 1)
    if rounds is not None and rounds > most:
        found = rounds if asked.rounds else f"none, which means {rounds}"
        raise UsageError(f"rounds: found {found}, expected at most {most}: then `cap` of --with ends it in a draw")
    if options.points and not domination:
        raise UsageError(f"with points: found {options.points}, expected none: points win in domination alone")
    if domination and not asked.board.get("objectives"):
        raise UsageError("mission: found domination on a board without objectives, expected another")
    return asked._replace(mission=mission, rounds=rounds, actions=asked.actions or (ACTIONS, ACTIONS))


def holds_objectives(card: Unit) -> bool:
    """Return whether a unit can win domination; see `aabalance.rulesets.base.match_rules.MatchRules`."""
    return isinstance(card, InfantryCard)


def _check_list(agreed: Agreement, cards: Sequence[Unit]) -> None:
    """Refuse a list that can't play the match."""
    if not cards:
        raise UsageError("found no unit, expected one at least")
    for card in cards:
        weapons, men = len(card.weapons), card.strength if isinstance(card, InfantryCard) else 0
        checks = (f"{weapons} weapons", weapons, records.MOST_WEAPONS), (f"strength {men}", men, records.MOST_MEN)
        for found, number, most in checks:
            if number > most:
                raise UsageError(f"{card.name}: found {found}, expected at most {most} in a match")
    counting = ("vehicle", "field_gun") if agreed.variant.annihilation_counts_guns else ("vehicle",)
    if agreed.mission != "domination" and not any(card.class_ in counting for card in cards):
        wanted = " or ".join(counting).replace("_", " ")
        raise UsageError(f"found no {wanted}, expected one at least: without, it has lost (p. 23)")
    squads_are_free = agreed.mission == "domination"
    cost, budget = sum(_cost(card, squads_are_free) for card in cards), agreed.options.budget
    if budget is not None and cost > budget:
        raise UsageError(f"found {cost} requisition, expected at most {budget}, the budget")


def _cost(card: Unit, squads_are_free: bool) -> int:
    """Return what a card takes of the budget; squads that are free pay for what they carry alone (pp. 18, 23)."""
    if squads_are_free and isinstance(card, InfantryCard):
        return card.equipment.requisition
    return card.requisition or 0


def _check_places(agreed: Agreement, own: Sequence[Start]) -> None:
    """Refuse places that units of a list can't have."""
    cards = [agreed.cards[one.card] for one in own]
    for at, one in enumerate(own):
        given = list(_given(one))
        if len(given) > 1:
            raise UsageError(f"unit {at + 1}: found {' and '.join(given)}, expected one of them")
        try:
            if one.place.at:
                _check_square(agreed, cards[at], *one.place.at)
            elif given:
                _check_carrier(agreed, own, at, given[0])
        except UsageError as error:
            raise UsageError(f"unit {at + 1}, {cards[at].name}: {error}") from None
    for at, card in enumerate(cards):
        aboard, room = sum(one.place.aboard == at + 1 for one in own), card.keywords.get("apc", 0)
        if aboard > room:
            raise UsageError(f"unit {at + 1}, {card.name}: found {counted(aboard, 'squad')} aboard, expected {room}")
        if sum(one.place.towed == at + 1 for one in own) > 1:
            raise UsageError(f"unit {at + 1}, {card.name}: found two guns in tow, expected one")


def _check_square(agreed: Agreement, card: Unit, x: Any, y: Any, facing: Any = None) -> None:
    rows = BOARD.rows(agreed.board)
    if not (type(x) is type(y) is int and 0 <= x < len(rows[0]) and 0 <= y < len(rows)):
        raise UsageError(f"found place {x},{y}, expected a square from 0,0 to {len(rows[0]) - 1},{len(rows) - 1}")
    if not BOARD.enters(card, rows[y][x].name):
        raise UsageError(f"found place {x},{y}, which is {rows[y][x].name}, expected ground that it may enter")
    if not has_facing(card) and facing is not None:
        raise UsageError(f"found facing {facing}, expected none: the unit has none (AA-80)")
    if has_facing(card) and facing not in records.FACINGS:
        found = "no facing" if facing is None else f"facing {facing}"
        raise UsageError(f"found {found}, expected one of {', '.join(records.FACINGS)}")


def _check_carrier(agreed: Agreement, own: Sequence[Start], at: int, way: str) -> None:
    """Raise a UsageError if a unit can't begin with its carrier; `way` is ``aboard`` or ``towed``."""
    which = getattr(own[at].place, way)
    if which > len(own):
        raise UsageError(f"found {way} {which}, expected a unit of the list, 1 to {len(own)}")
    carrier, card = agreed.cards[own[which - 1].card], agreed.cards[own[at].card]
    kind, keyword = ("infantry", "apc") if way == "aboard" else ("field_gun", "towing")
    if card.class_ != kind:
        raise UsageError(f"found {way}, expected that of a {'squad' if kind == 'infantry' else 'field gun'} alone")
    if keyword not in carrier.keywords:
        raise UsageError(f"found {way} {which}, {carrier.name}, expected a unit with the keyword {keyword}")
    place = own[which - 1].place.at
    if place is None:
        raise UsageError(f"found {way} {which}, which has no place, expected one: nobody is deployed so (AA-112)")
    if way == "towed" and BOARD.rows(agreed.board)[place[1]][place[0]].texture == "water":
        raise UsageError(f"found {way} {which}, which is in water, expected it elsewhere (AA-87)")


def _check_zones(agreed: Agreement, taken: set[tuple[int, int]]) -> None:
    """Refuse lists whose units may find no square left in a zone, whoever is placed where before them."""
    rows, zones = BOARD.rows(agreed.board), agreed.board.get("zones", {})
    for side, own in zip("ab", agreed.lists, strict=True):
        waiting = [agreed.cards[one.card] for one in own if not _given(one)]
        if waiting and len(zones) != records.ZONES:
            raise UsageError(f"list {side}: found units without a place on a board without zones, expected places")
        for card in {card.class_: card for card in waiting}.values():
            for name, zone in zones.items():
                x0, y0, x1, y1 = zone["rect"]
                squares = set(product(range(x0, x1 + 1), range(y0, y1 + 1))) - taken
                free = sum(BOARD.enters(card, rows[y][x].name) for x, y in squares)
                if free < len(waiting):
                    where = f"zone {name}, which has {counted(free, 'free square')} for {card.name}"
                    raise UsageError(f"list {side}: found {counted(len(waiting), 'unit')} for {where}, expected fewer")
