"""From a set-up to the tables and the first state of a match."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from aabalance.rulesets.base.board import Ground
from aabalance.rulesets.base.match import Record, new, weigh
from aabalance.rulesets.base.notation import squares
from aabalance.rulesets.forumini.card import NO_TURRET, SoldierCard, VehicleCard
from aabalance.rulesets.forumini.match import records
from aabalance.rulesets.forumini.match.board import BOARD, TURNS
from aabalance.rulesets.forumini.match.hexes import APART, LEFT, RIGHT, length, meets
from aabalance.rulesets.forumini.match.terrain import chart
from aabalance.rulesets.forumini.shot import rules
from aabalance.rulesets.forumini.variant import Variant

GroundCard = SoldierCard | VehicleCard
WATCHES, WATCH_REACH = 2, 12
"""Units per hundred points that may be in Overwatch, and hexes to the target hex at most (Overwatch, Overwatch 1)."""


class Names(NamedTuple):
    """What the units of a match are called: side and number (``a1``), id of the card, and the cards themselves."""

    units: Sequence[str]
    ids: Sequence[str]
    cards: Sequence[GroundCard]


def start(setup: Mapping[str, Any], cards: Mapping[str, GroundCard], variant: Variant) -> tuple[Record, Record, Names]:
    """Return the tables, the first state and all names; see `aabalance.rulesets.base.match_rules.MatchRules`."""
    board = setup["board"]
    tables, state = _drawn(BOARD.rows(board), board["objective"]).copy(), new(records.STATE)
    tables.cover_one_hit_exempt, tables.df_always_cover = variant.cover_one_hit_exempt, variant.df_always_cover
    tables.df_counts, tables.indirect_shared_roll = variant.df_counts, variant.indirect_shared_roll
    tables.second_damaged = records.SECOND_DAMAGED.index(variant.second_damaged)
    tables.first_check, tables.last_turn = setup.get("turns") or board.get("turns", TURNS)
    tables.deploy = board["deploy"]
    weigh(tables, records.WEIGHTS)
    lists = [setup["lists"][side] for side in "ab"]
    ids = [card for own in lists for card in own]
    tables.units, tables.units_of_a, tables.placed = len(ids), len(lists[0]), "placed" in setup
    tables.side[len(lists[0]) : len(ids)] = 1
    for unit, card in enumerate(ids):
        tables.card[unit] = _record_of(cards[card], variant)
    _set_tolls(tables)
    for side, own in enumerate(lists):
        points = sum(cards[card].cost for card in own) + records.EQUAL_COSTS
        tables.watches[side] = int(WATCHES * points // 100)
    state.winner, state.opened, state.first, state.west = records.NOBODY, records.NONE, records.NONE, records.NONE
    state.moving = state.aiming = records.NONE
    for one in state.unit:
        one.at, one.watch, one.face = records.NONE, records.NONE, records.NO_FACE
    if tables.placed:
        for one, said in zip(state.unit, [*setup["placed"]["a"], *setup["placed"]["b"]], strict=False):
            _place(tables, one, said.split())
    units = [f"{side}{at}" for side, own in zip("ab", lists, strict=True) for at, _ in enumerate(own, start=1)]
    return tables, state, Names(units, ids, [cards[card] for card in ids])


def _place(tables: Record, own: Record, said: Sequence[str]) -> None:
    """Put a unit where its text says: ``c,r``, a facing, then any of pinned, worse, dirt, hull, ``watch=c,r``."""
    hex_of = squares(tables).read
    own.at = hex_of(said[0])
    for word in said[1:]:
        if word in records.DIRECTIONS:
            own.face = records.DIRECTIONS.index(word)
        elif word in records.MARKS:
            own.mark = records.MARKS.index(word)
        elif word.startswith("watch="):
            own.watch = hex_of(word.removeprefix("watch="))
        else:
            own[word] = 1


@lru_cache(maxsize=256)
def _record_of(card: GroundCard, variant: Variant) -> Record:
    """Return what a match needs of a card, with what successes do to it in each condition and on each face."""
    row, vehicle = new(records.CARD), isinstance(card, VehicleCard)
    row.kind, row.cost, row.speed, row.cover = vehicle, card.cost, card.speed, card.cover or 0
    row.initiative, row.commander, row.attacks = card.initiative, "Commander" in card.type, card.attacks
    row.aim = 0 if "Mortar" in card.name else min(WATCH_REACH, max(card.range, default=0))
    row.indirect = card.fires_indirectly
    row.turretless = vehicle and any(ability in NO_TURRET for ability in card.abilities)
    row.last[: len(card.range)], row.last[len(card.range) :] = card.range, records.MOST_HEXES
    for kind, dice in enumerate((card.antisoldier, card.antivehicle)):
        row.dice[kind, : len(dice)] = dice
    for condition in range(len(rules.CONDITIONS)):
        row.modifier[condition] = card.die_modifier + rules.die_modifier(card.kind, condition)
        for face, name in enumerate(("front", "side", "rear")):
            if isinstance(card, VehicleCard):
                one, three = getattr(card.armor, name), getattr(card.vital, name)
            else:
                one, three = card.defense, card.disintegration
            values = rules.lowered(card.kind, one, three, condition, variant.reading)
            for rolled in range(records.MOST_ATTACK_DICE + 1):
                row.hits[condition, face, rolled] = rules.hits(rolled, *values, variant.reading)
                row.crushing[condition, face, rolled] = rules.crushing(rolled, *values)
    return row


def _set_tolls(tables: Record) -> None:
    """Write which share of a unit another takes on the mean in one attack, both in good order, without cover."""
    cards = tables.card[: tables.units]
    lost = np.array(records.LOST)[cards["hits"][:, 0]]
    for toll, card in zip(tables.toll, cards, strict=False):
        chances = np.array([[_chances(int(count), int(card.modifier[0])) for count in dice] for dice in card.dice])
        toll[: len(cards)] = chances[cards["kind"]] @ lost.swapaxes(1, 2)


@cache
def _chances(count: int, modifier: int) -> Any:
    """Return the chance of each number of successes of some dice."""
    rolled = rules.successes(count, modifier)
    return np.array([float(rolled.get(n, 0)) for n in range(records.MOST_ATTACK_DICE + 1)])


# --- the board --------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=8)
def _drawn(rows: Sequence[Sequence[Ground]], objective: str) -> Record:
    """Return tables that have the chart, the hexes with their neighbours, the objective zone, and who sees whom."""
    tables, grounds = new(records.TABLES), list(chart())
    for row, terrain in zip(tables.chart, chart().values(), strict=False):
        row.cost[:] = terrain.soldier or 0, terrain.vehicle or 0
        row.roll, row.road, row.blocks = terrain.roll or 0, terrain.road, terrain.blocks
        row.cover = records.NO_COVER if terrain.cover is None else terrain.cover
    tables.width, tables.height = max(map(len, rows)), len(rows)
    tables.hexes = tables.width * tables.height
    tables.ground[:] = tables.adjacent[:] = records.NONE
    at_axial = {}
    for r, drawn in enumerate(rows):
        for column, ground in enumerate(drawn):
            at, q = column + r * int(tables.width), column - r // 2
            tables.q[at], tables.r[at], tables.ground[at] = q, r, grounds.index(ground.name)
            at_axial[q, r] = at
    for (q, r), at in at_axial.items():
        tables.adjacent[at] = [at_axial.get((q + dq, r + dr), records.NONE) for dq, dr in records.STEPS]
    tables.objective = squares(tables).read(objective)
    tables.zone[[tables.objective, *filter(lambda at: at >= 0, tables.adjacent[tables.objective])]] = 1
    _look(tables, at_axial)
    return tables


def _look(tables: Record, at_axial: Mapping[tuple[int, int], int]) -> None:
    """Write which hexes see each other (Line of Sight).

    For each step from a hex to another at once for all pairs of hexes that are so far apart: a line is blocked by
    terrain in the inside of which it runs, or where it runs along hexsides, by some on both sides.
    """
    least = min(q for q, _ in at_axial)
    wide, high = max(q for q, _ in at_axial) - least + 1, max(r for _, r in at_axial) + 1
    number = np.full((wide, high), records.NONE)
    blocks = np.zeros((wide, high), np.bool_)
    for (q, r), at in at_axial.items():
        number[q - least, r], blocks[q - least, r] = at, tables.chart[tables.ground[at]].blocks

    def moved(cells: Any, q: int, r: int, dq: int, dr: int) -> Any:
        """Return the cells that are q, r from each from which a step leads to a cell."""
        left, top = max(0, -dq) + q, max(0, -dr) + r
        return cells[left : left + wide - abs(dq), top : top + high - abs(dr)]

    for dq, dr in product(range(1 - wide, wide), range(high)):
        blocked = np.zeros((3, wide - abs(dq), high - dr), np.bool_)
        for q, r, how in crossed(dq, dr):
            blocked[0 if how == LEFT else 1 if how == RIGHT else 2] |= moved(blocks, q, r, dq, dr)
        here, there = moved(number, 0, 0, dq, dr), moved(number, dq, dr, dq, dr)
        pairs = (here >= 0) & (there >= 0) & ~((blocked[0] & blocked[1]) | blocked[2])
        tables.sight[here[pairs], there[pairs]] = tables.sight[there[pairs], here[pairs]] = 1


@cache
def crossed(dq: int, dr: int) -> tuple[tuple[int, int, int], ...]:
    """Return the hexes between the ends of a line that it meets, and how: see `hexes.meets`."""
    within = product(range(min(0, dq), max(0, dq) + 1), range(min(0, dr), max(0, dr) + 1))
    met = ((q, r, meets(dq, dr, q, r)) for q, r in within if 0 < length(q, r) < length(dq, dr))
    return tuple((q, r, how) for q, r, how in met if how != APART)
