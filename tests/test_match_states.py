"""States of matches stay in their bounds, whatever is played.

`MATCHES` in the environment multiplies how many are played: `.ci/weekly` sets it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import meetings
import numpy as np
import numpy.typing as npt
import pytest
from meetings import PLAYED, RANDOM

from aabalance.engine.jit import compiled
from aabalance.engine.match import players
from aabalance.engine.match.arena import Match
from aabalance.rulesets.armored_advance.match import records as advance
from aabalance.rulesets.armour_battles.match import records as armour
from aabalance.rulesets.base import match as base
from aabalance.rulesets.forumini.match import records as hexes
from aabalance.rulesets.modern_land_battles.match import records as modern
from aabalance.rulesets.skirmish_wars.match import records as wars

WEEKLY = int(os.environ.get("MATCHES", "1")) > 1
LEAST, EACH = (10**6, 50) if WEEKLY else (6000, 4)
"""Decisions of each game, and matches between the same lists."""

FLAG, SIDE = (0, 1), (0, 2)
NONE_OR = advance.NONE
PIECE = (NONE_OR, 63)

Bounds = dict[str, tuple[Any, Any]]


def of_wars(tables: Any) -> Bounds:
    """Least and largest value of each field of a state of Skirmish Wars."""
    square = NONE_OR, tables.width * tables.height - 1
    turns, room = 2 * tables.turn_limit, len(tables.property_kind)
    capture = np.full(room, 3)
    capture[: tables.properties][tables.property_kind[: tables.properties] == wars.HQ] = 7
    issued = wars.MOST_UNITS * turns
    return {
        "turn": (1, turns), "to_move": SIDE, "phase": FLAG, "active": PIECE, "winner": SIDE, "reason": (0, 5),
        "money": (0, 100 + 5 * turns * tables.properties), "issued": (0, issued), "medals": (0, issued),
        "in_play": (0, wars.MOST_UNITS), "units": (0, wars.MOST_UNITS), "eliminated": (0, issued),
        "property.owner": SIDE, "property.captured": (0, capture), "unit.number": (0, issued), "unit.side": FLAG,
        "unit.type": (0, tables.types - 1), "unit.square": square, "unit.carrier": PIECE, "unit.hp": (0, 8),
        "unit.reduced": FLAG, "unit.done": FLAG, "unit_at": PIECE,
    }  # fmt: skip


def of_advance(tables: Any) -> Bounds:
    """Least and largest value of each field of a state of Armored Advance."""
    cards = tables.card.view(np.recarray)
    carrier = NONE_OR, tables.units - 1
    # Twice a movement action, with a road's 2 inches, and a free move of 3.
    tenths, turns = (0, 2 * (cards.movement.max() + 20) + 30), 2 * max(tables.rounds, tables.cap)
    return {
        "phase": (0, 4), "to_move": SIDE, "turn": (0, turns), "left": (0, tables.limit.max()), "last_loss": (0, turns),
        "first": FLAG, "winner": SIDE, "reason": (0, 5), "scouts": (0, 256), "zone": (NONE_OR, 1),
        "points": (0, tables.objectives * turns), "cleared": FLAG, "scouted.friend": (0, carrier[1]),
        "scouted.enemy": (0, carrier[1]), "scouted.bonus": (0, 3), "unit.hp": (0, cards.toughness),
        "unit.at": (NONE_OR, tables.width * tables.height - 1), "unit.f": (0, 8), "unit.aboard": carrier,
        "unit.towed": carrier, "unit.used": (0, cards.actions), "unit.first": (0, 2),
        "unit.marches": (0, cards.actions), "unit.moves": (0, cards.actions), "unit.tenths": tenths,
        "unit.freed": FLAG, "unit.still": FLAG, "unit.on_road": FLAG, "unit.reload": (0, cards.long_reload),
        "unit.set_up": (0, 2 * (cards.indirect > 0)), "unit.last_tenths": tenths,
        "unit.last_moves": (0, cards.actions), "unit.active": FLAG, "unit.stunned": FLAG,
        "unit.grenades": (0, cards.grenades), "unit.fired": (0, cards.primary_attacks[:, None]),
    }  # fmt: skip


def of_modern(tables: Any) -> Bounds:
    """Least and largest value of each field of a state of Modern Land Battles."""
    most, kinds, cards = int(tables.units), modern.KINDS - 1, (0, 120)
    unit, points = (NONE_OR, most - 1), 200
    return {
        "turn": (0, tables.limit), "side": FLAG, "first": FLAG, "stage": (0, modern.OVER), "actions": (1, 20),
        "winner": SIDE, "reason": (0, 3), "act.doing": (0, modern.REINFORCING), "act.unit": unit,
        "act.symbol": (NONE_OR, 3), "act.card": (NONE_OR, kinds), "act.target": unit, "act.hits": (0, 5),
        "act.area": (NONE_OR, 2), "act.points": (0, points), "act.shifts": (0, most),
        "unit.area": (0, modern.DESTROYED), "unit.row": (0, 3), "unit.hits": (0, 4), "unit.acted": FLAG,
        "unit.shifted": (0, most), "hand": cards, "deck": cards, "discards": cards,
        "terrain": (NONE_OR, modern.MOST_TERRAINS - 1), "control": (-9, 9), "superior": (-points, points),
        "destroyed": FLAG, "secured": FLAG, "benefit": (0, modern.CALM), "benefit_side": FLAG,
        "terrain_deck": (0, 11), "piles": (0, points),
    }  # fmt: skip


def one_place_each_in_modern(tables: Any, state: Any) -> None:
    """No Row is empty in front of another, Force cards off the table are in none, and no Action card is lost."""
    for first, end in ((0, tables.units_of_a), (tables.units_of_a, tables.units)):
        units = state.unit[first:end]
        for area in range(modern.RESERVE):
            rows = set(units["row"][units["area"] == area].tolist())
            assert rows == set(range(1, len(rows) + 1))
        assert (units["row"][units["area"] >= modern.RESERVE] == 0).all()
        assert ((units["hits"] == 4) == (units["area"] == modern.DESTROYED)).all()
        assert state.stage == modern.OVER or (units["area"] == modern.BREAKTHROUGH).any()
    held = state.hand.sum() + state.deck.sum() + state.discards.sum()
    assert held in (50, 90)


def one_place_each_in_wars(tables: Any, state: Any) -> None:
    """Every unit that is left is on a square of its own, or aboard a unit that is left and has room for it."""
    all_units = state.unit.view(np.recarray)
    units = all_units[all_units.hp > 0]
    assert (all_units.square[: state.units][all_units.hp[: state.units] == 0] == NONE_OR).all()
    standing = {int(unit.square) for unit in units if unit.square != NONE_OR}
    assert set(np.flatnonzero(state.unit_at != NONE_OR).tolist()) == standing
    assert len(standing) == (units.square != NONE_OR).sum()
    assert ((units.square == NONE_OR) != (units.carrier == NONE_OR)).all()
    by = units.carrier[units.carrier != NONE_OR]
    assert (all_units.hp[by] > 0).all()
    room = tables.type.view(np.recarray).carries[all_units.type]
    assert (np.bincount(by, minlength=len(room)) <= room).all()
    assert state.in_play.tolist() == [(units.side == side).sum() for side in (0, 1)]


def one_place_each_in_advance(tables: Any, state: Any) -> None:
    """The same; a unit may be in tow, too, or not yet placed."""
    units = state.unit[: tables.units].view(np.recarray)
    cards, left = tables.card[: tables.units].view(np.recarray), units.hp > 0
    ways = sum((units[way] != NONE_OR).astype(int) for way in ("at", "aboard", "towed"))
    assert (units.at[~left] == NONE_OR).all()
    assert (ways[left] == 1).all() or (state.turn == 0 and (ways[left] <= 1).all())
    squares = units.at[left & (units.at != NONE_OR)]
    assert len(set(squares.tolist())) == len(squares)
    for way, most in (("aboard", cards.apc), ("towed", cards.towing)):
        by = units[way][left & (units[way] != NONE_OR)]
        assert left[by].all()
        assert (np.bincount(by, minlength=tables.units) <= most).all()


def of_forumini(tables: Any) -> Bounds:
    """Least and largest value of each field of a state of Forumini Armies."""
    at, unit, steps = (hexes.GONE, tables.hexes - 1), (NONE_OR, tables.units - 1), hexes.MOST_SPEED + 4
    return {
        "turn": (0, tables.last_turn), "phase": (0, 7), "opened": (NONE_OR, 1), "first": (NONE_OR, 1), "active": FLAG,
        "west": (NONE_OR, 1), "winner": SIDE, "reason": (0, 6), "moving": unit, "points": (0, hexes.MOST_SPEED),
        "road": FLAG, "steps": (0, steps), "under_fire": FLAG, "aiming": unit, "path": (0, tables.hexes - 1),
        "unit.at": at, "unit.watch": (NONE_OR, tables.hexes - 1), "unit.face": (0, 6), "unit.down": (0, 3),
        "unit.stopped": (0, 0), "unit.pinned": FLAG, "unit.worse": FLAG, "unit.mark": (0, 2), "unit.act": (0, 3),
        "unit.shots": (0, 6), "unit.fired": FLAG,
    }  # fmt: skip


def stacked_in_forumini(tables: Any, state: Any) -> None:
    """No side has more units in a hex than the limit, but for one that moves; each is on ground that it may enter."""
    units = state.unit[: tables.units].view(np.recarray)
    kinds = tables.card[: tables.units].view(np.recarray).kind
    for side in (0, 1):
        still = (units.at >= 0) & (tables.side[: tables.units] == side) & (np.arange(tables.units) != state.moving)
        assert (np.bincount(units.at[still], minlength=1) <= hexes.STACK).all()
        assert (np.bincount(units.at[still & (kinds == hexes.VEHICLE)], minlength=1) <= hexes.STACK_VEHICLES).all()
    for at, kind in zip(units.at, kinds, strict=True):
        assert at < 0 or tables.chart[tables.ground[at]].cost[kind] > 0


def of_armour(tables: Any) -> Bounds:
    """Least and largest value of each field of a state of Armour Battles."""
    unit, square, most = (NONE_OR, tables.units - 1), tables.squares - 1, armour.MOST_COMMAND_DICE
    command, staff = tables.army["command_dice"], 200
    at, missions = (armour.GONE, square), int(tables.batteries)
    return {
        "turn": (1, tables.turn_limit), "phase": (0, 2), "side": FLAG, "opened": (NONE_OR, 1), "winner": SIDE,
        "reason": (0, 3), "morale": (-2, tables.army["morale"]), "staff": (0, staff), "lent": (0, command[::-1]),
        "failed": FLAG, "pulses": (0, most), "dice": (0, command[:, None]), "spent": (0, staff), "chain": (0, 5),
        "credit": (0, 2), "group.order": (0, 4), "group.leader": unit, "group.unit": unit, "group.task": (0, 3),
        "group.pace": (0, 4), "group.move": (0, 5), "group.rolled": (0, 6), "group.die": (0, 6), "firer": unit,
        "target": unit, "wild": (0, 2), "unit.at": at, "unit.face": (0, 7), "unit.dp": (0, 23),
        "unit.suppressed": FLAG, "unit.activated": FLAG, "unit.evading": FLAG, "unit.ambush": FLAG,
        "unit.member": FLAG, "unit.used": (0, 6), "battery.aim": (NONE_OR, square),
        "battery.turn": (0, tables.turn_limit), "battery.x": (-2, tables.width + 1),
        "battery.y": (-2, tables.height + 1), "battery.mission": (0, 2), "battery.status": (0, 2),
        "battery.cloud": (0, missions), "unit_at": unit,
    }  # fmt: skip


def one_place_each_in_armour(tables: Any, state: Any) -> None:
    """Every unit on the table has a square of its own, which it may enter; the others have less than three points."""
    units = state.unit[: tables.units].view(np.recarray)
    standing = np.flatnonzero(units.at >= 0)
    assert sorted(state.unit_at[state.unit_at != NONE_OR].tolist()) == standing.tolist()
    assert (state.unit_at[units.at[standing]] == standing).all()
    assert (tables.factor[units.at[standing]] > 0).all()
    assert ((units.dp >= 3) == (units.at == armour.GONE)).all()
    clouds = state.battery["cloud"]
    assert sorted(clouds[clouds > 0].tolist()) == list(range(1, (clouds > 0).sum() + 1))


BOUNDS = {
    "armour_battles": (of_armour, one_place_each_in_armour),
    "skirmish_wars": (of_wars, one_place_each_in_wars),
    "armored_advance": (of_advance, one_place_each_in_advance),
    "modern_land_battles": (of_modern, one_place_each_in_modern),
    "forumini": (of_forumini, stacked_in_forumini),
}


def drawn(game: str) -> Iterator[Match]:
    """Matches of a game, without end."""
    number = 0
    while True:
        yield from [meetings.drawn(game, number, RANDOM)] * EACH
        if game == "skirmish_wars":
            yield from [meetings.skirmish(RANDOM, "two_towns", turn_limit=9, counters=None)] * EACH
        elif game == "modern_land_battles":
            yield from [meetings.modern(RANDOM)] * EACH
        elif game == "armour_battles":
            yield from [meetings.armour(RANDOM, "battle_line")] * EACH
        elif game == "forumini":
            yield from [meetings.forumini(RANDOM, "ridge")] * EACH
        elif game == "armored_advance":
            mode = advance.MODES[number % len(advance.MODES)]
            yield from [meetings.armored(RANDOM, "small", (CARRIERS, CARRIERS), mode, rounds=6, quiet=12)] * EACH
        number += 1


CARRIERS = ("us_m3_ht", "uk_6pdr", "us_m7", "us_m8", "inf_rifle_grenades", "inf_at_rifle", "inf_artillery_crew")


def states(match: Match, number: int) -> npt.NDArray[Any]:
    """All states of a random match."""
    rules, (tables, start) = match.rules, match.start(number)
    legal, apply, shake = map(compiled, (rules.legal, rules.apply, players.shake))
    now, out, dice = start.copy(), np.empty(rules.most_actions, np.int64), base.new(base.DICE)
    seen, draw = [now.tobytes()], np.random.default_rng(number)
    while rules.to_move(now) != 2:
        shake(dice, np.uint64(match.key), number, len(seen))
        apply(tables, now, out[draw.integers(legal(tables, now, base.ALL, out))], dice)
        seen.append(now.tobytes())
    return np.frombuffer(b"".join(seen), start.dtype)


def fields(of: npt.NDArray[Any], prefix: str = "") -> Iterator[tuple[str, npt.NDArray[Any]]]:
    """All fields of records, those of records in them too."""
    assert of.dtype.names
    for name in of.dtype.names:
        if of[name].dtype.names:
            yield from fields(of[name], f"{name}.")
        else:
            yield prefix + name, of[name]


@pytest.mark.slow
@pytest.mark.parametrize("game", PLAYED)
def test_apply__states_stay_in_their_bounds(game: str) -> None:
    bounds, one_place_each = BOUNDS[game]
    played = 0
    for number, match in enumerate(drawn(game)):
        tables, _ = match.start(number)
        seen = states(match, number)
        within = bounds(tables)
        found = dict(fields(seen))
        assert found.keys() == within.keys()
        for name, (low, high) in within.items():
            assert (found[name] >= low).all(), (name, number)
            assert (found[name] <= high).all(), (name, number)
        for state in seen[:: 50 if WEEKLY else 5]:
            one_place_each(tables, state)
        played += len(seen) - 1
        if played >= LEAST:
            break
