"""From a set-up to the tables and the first state of a match.

`hull` is what two hulls take off a distance, in inches (AA-75).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import cache, lru_cache
from itertools import chain, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aabalance.rulesets.armored_advance.card import InfantryCard, Unit, is_primary, sides_and_plus
from aabalance.rulesets.armored_advance.keywords import SCOUT_BONUSES
from aabalance.rulesets.armored_advance.match import records
from aabalance.rulesets.armored_advance.match.actions import is_unplaced
from aabalance.rulesets.armored_advance.match.board import BOARD, NUMBERS
from aabalance.rulesets.armored_advance.match.fire import D6, need_by_margin
from aabalance.rulesets.armored_advance.match.turns import begin
from aabalance.rulesets.armored_advance.match.words import Names
from aabalance.rulesets.armored_advance.shot import tables as rolls
from aabalance.rulesets.armored_advance.shot.halves import GRENADE_IN
from aabalance.rulesets.armored_advance.shot.tables import BAND_IN
from aabalance.rulesets.armored_advance.situation import SCOUT_IN
from aabalance.rulesets.armored_advance.variant import Variant
from aabalance.rulesets.base.match import Record, new, weigh

OPTIONS: Mapping[str, Any] = {"hull": 0, "quiet": 20, "cap": 60}
"""What a match can set besides the switches of a variant (AA-75, AA-117)."""
TURNED = "casemate", "reverse_casemate", "angling", "slow_reverse"
"""Keywords by which a vehicle with three equal plates still has a facing (AA-80)."""
DEMOLISH_IN = 12
UNLIMITED_IN = records.MOST_SQUARES
"""Further than any board is wide."""


def start(setup: Mapping[str, Any], cards: Mapping[str, Unit], variant: Variant) -> tuple[Record, Record, Names]:
    """Return the tables, the first state and all names; see `aabalance.rulesets.base.match_rules.MatchRules`."""
    tables, state = new(records.TABLES), new(records.STATE)
    options = {**OPTIONS, **setup.get("options", {})}
    _set_switches(tables, variant, options)
    hull = Decimal(str(options["hull"]))
    _set_distances(tables, variant, hull)
    for name, table in _needs(variant).items():
        tables[name] = table
    _draw(tables, setup["board"])
    mission, limit = setup["mission"], setup["limit"]
    tables.mode = records.MODES.index(mission["mode"])
    tables.rounds, tables.points = mission.get("rounds", 0), mission.get("points", 0)
    tables.limit[:] = [limit[side] if isinstance(limit, Mapping) else limit for side in "ab"]
    tables.first = "ab".index(setup["first"]) if setup.get("first") else records.NOBODY
    entries = [(side, entry) for side in (0, 1) for entry in setup["lists"]["ab"[side]]]
    ids = [entry["card"] for _, entry in entries]
    tables.units, tables.units_of_a = len(entries), len(setup["lists"]["a"])
    weigh(tables, records.WORTH)
    units = [f"{side}{at}.{entry['card']}" for side in "ab" for at, entry in enumerate(setup["lists"][side], start=1)]
    own = [cards[card] for card in ids]
    names = Names(units, list(setup["board"].get("zones", ())), list(map(slot_names, own)), own)
    for unit, (side, entry) in enumerate(entries):
        tables.side[unit] = side
        _write_card(tables.card[unit], names.cards[unit], variant, hull)
        _place(tables, state, unit, entry, names.units)
    of_cards = cache(lambda card, other: toll(tables, ids.index(card), ids.index(other)))
    for unit, target in product(range(len(ids)), repeat=2):
        tables.toll[unit, target] = of_cards(ids[unit], ids[target])
    state.winner, state.zone[:] = records.NOBODY, records.NONE
    if not any(is_unplaced(state, unit) for unit in range(len(entries))):
        begin(tables, state, int(tables.first))
    return tables, state, names


def _place(tables: Record, state: Record, unit: int, entry: Mapping[str, Any], names: Sequence[str]) -> None:
    """Write where a unit begins; what it is aboard or towed by is given by its name, or its number in the list."""
    own, card = state.unit[unit], tables.card[unit]
    own.hp, own.grenades, own.f = card.toughness, card.grenades, records.NO_FACING
    own.at = own.aboard = own.towed = records.NONE
    if "at" in entry:
        x, y, *facing = entry["at"]
        own.at = x + y * int(tables.width)
        if card.faces:
            own.f = records.FACINGS.index(facing[0])
    for way in ("aboard", "towed"):
        if way in entry:
            side = "ab"[int(tables.side[unit])]
            own[way] = next(
                at for at, name in enumerate(names) if name == entry[way] or name.startswith(f"{side}{entry[way]}.")
            )


def _set_switches(tables: Record, variant: Variant, options: Mapping[str, Any]) -> None:
    tables.quiet, tables.cap = options["quiet"], options["cap"]
    for name in records.SWITCHES.split():
        tables[name] = getattr(variant, name)
    tables.two_dice = variant.resolution == "two_dice"
    tables.player_turns = variant.turn_limit_counts == "player_turns"
    tables.armor_plus = variant.wall_rule != "pen_minus_2"
    tables.pen_minus = variant.wall_rule != "armor_plus_1"
    tables.range_plus = variant.foliage_rule == "range_plus_3"
    tables.exempt = ("firer", "target", "either").index(variant.foliage_exempt)
    tables.two_moves = variant.he_moved == "two_moves"
    tables.gap_immune = variant.indirect_gap == "immune"
    tables.round_up = variant.indirect_rounding == "up"
    tables.angling_adds = variant.angling == "add"
    tables.reroll_again = variant.reroll_limit is None


def most_d2(inches: float | Decimal, hull: Decimal, *, below: bool = False) -> int:
    """Return the largest squared distance that is within, or below, so many inches (AA-75); -1 if none is."""
    reach = Decimal(str(inches)) + hull
    if reach < 0:
        return -1
    squared = reach * reach
    return math.ceil(squared) - 1 if below else math.floor(squared)


def _set_distances(tables: Record, variant: Variant, hull: Decimal) -> None:
    below = variant.range_boundary == "strict"
    for pieces in range(records.EXTRA_PIECES):
        for band in range(records.BANDS):
            tables.band_d2[pieces, band] = most_d2(Decimal(6 * (band + 1) - 3 * pieces), hull, below=below)
    tables.scout_d2[:] = [*(most_d2(inches, hull, below=True) for inches, _ in SCOUT_BONUSES), most_d2(SCOUT_IN, hull)]
    tables.demolish_d2, tables.grenade_d2 = most_d2(DEMOLISH_IN, hull), most_d2(GRENADE_IN, hull)


@lru_cache(maxsize=64)
def _needs(variant: Variant) -> dict[str, NDArray[np.int8]]:
    """Return the needs of all rolls, by the fields of the tables that take them."""
    names = "need", "pen_need", "reroll", "pen_reroll"
    found = {name: np.zeros(records.TABLES[name].shape, np.int8) for name in names}
    for band, increase, pen, bonus in np.ndindex(found["need"].shape):
        rolled = rolls.roll(band + 1, increase, pen + 1, bonus + records.LEAST_BONUS, True, variant.reading)
        for name, table in found.items():
            table[band, increase, pen, bonus] = max(-1, min(getattr(rolled, name), rolls.IMPOSSIBLE))
    return found


def _draw(tables: Record, board: Mapping[str, Any]) -> None:
    """Write the board: squares, objectives, zones, traps."""
    rows = BOARD.rows(board)
    tables.width, tables.height = len(rows[0]), len(rows)
    tables.trap_at[:] = records.NONE
    for square, ground in enumerate(chain.from_iterable(rows)):
        tables.x[square], tables.y[square] = square % len(rows[0]), square // len(rows[0])
        tables.ground[square] = NUMBERS[ground.name]
        if tables.ground[square] == records.TRAP:
            tables.trap_at[square], tables.trap[tables.traps] = tables.traps, square
            tables.traps += 1
    objectives = board.get("objectives", ())
    tables.objectives = len(objectives)
    for at, (x, y) in enumerate(objectives):
        tables.objective[at] = x + y * int(tables.width)
    for at, zone in enumerate(board.get("zones", {}).values()):
        tables.zone[at], tables.zone_facing[at] = zone["rect"], records.FACINGS.index(zone["facing"])
    for kind, closed in enumerate(records.CLOSED):
        tables.closed[kind, list(closed)] = 1


def _write_card(row: Record, card: Unit, variant: Variant, hull: Decimal) -> None:
    row.kind = records.CLASSES.index(card.class_)
    row.weight, row.drive = records.WEIGHTS.index(card.weight), records.DRIVES.index(card.drive)
    row.movement, row.actions, row.requisition = 10 * card.movement, card.actions, card.requisition or 0
    keywords = card.keywords
    if isinstance(card, InfantryCard):
        row.toughness, row.squad = card.strength, records.SQUADS.index(card.squad)
        row.machine_gun, row.grenades = card.equipment.machine_gun, card.equipment.grenades
    else:
        plates = card.armor
        row.toughness, row.armor[:] = card.hp, (plates.front, plates.side, plates.rear)
    row.faces = has_facing(card)
    row.arc = ("casemate" in keywords) - ("reverse_casemate" in keywords)
    for name in ("scout", "accurate", "long_reload", "support", "slow_reverse", "weak_spot", "towing"):
        row[name] = name in keywords
    for name in ("angling", "indirect", "apc"):
        row[name] = keywords.get(name, 0)
    row.primary_attacks = 2 if "rapid_fire" in keywords else 1
    row.weapons, row.armed = len(card.weapons), any(weapon.kind != "ai" for weapon in card.weapons)
    slots = slot_names(card)
    for at in range(len(card.weapons)):
        _write_weapon(row.weapon[at], card, at, slots, variant, hull)


def has_facing(card: Unit) -> bool:
    """Return whether a unit has a facing: not a squad, nor a vehicle on whose card nothing depends on it (AA-80)."""
    if isinstance(card, InfantryCard):
        return False
    equal = card.armor.front == card.armor.side == card.armor.rear
    return card.class_ == "field_gun" or not equal or any(name in card.keywords for name in TURNED)


def slot_names(card: Unit) -> list[str]:
    """Return the slot of each weapon: its gun, or its place; an autocannon has one for each kind of target (p. 13)."""

    def slot(at: int) -> str:
        weapon = card.weapons[at]
        apart = "autocannon" in card.keywords and is_primary(card, at)
        kind = (" ai" if weapon.kind == "ai" else " at") if apart else ""
        return f"{weapon.gun}{kind}" if weapon.gun else f"w{at}"

    return list(map(slot, range(len(card.weapons))))


def _write_weapon(row: Record, card: Unit, at: int, slots: list[str], variant: Variant, hull: Decimal) -> None:
    """Write a card's weapon number `at`; `slots` names the slot of each weapon, and `hull` is taken off distances."""
    weapon = card.weapons[at]
    row.kind = records.KINDS.index(weapon.kind)
    row.slot = slots.index(slots[at])
    row.primary = is_primary(card, at)
    keywords = card.keywords if row.primary else {}
    reach = min(UNLIMITED_IN if weapon.range is None else weapon.range, keywords.get("limited_range", UNLIMITED_IN))
    row.most_d2, row.lob_d2 = most_d2(reach, hull), records.NONE
    if weapon.kind == "he" and "indirect" in keywords:
        row.lob_d2 = most_d2(min(reach, keywords["indirect"]), hull)
    sequences = keywords.get("autocannon", 1)
    row.sequences, row.rolls = sequences, sequences if variant.autocannon_ai_rolls == "X" else 1
    if weapon.kind == "at":
        row.damage = weapon.damage
        fell = weapon.penetration_by_band if variant.penetration_falloff else None
        row.penetration[:] = fell or [weapon.penetration] * records.BANDS
    elif weapon.kind == "he":
        row.he_base, row.n = weapon.base, weapon.n if variant.he_n == "card" else variant.he_n
    else:
        for men in range(1, records.MOST_MEN + 1):
            row.die[men], row.plus[men] = sides_and_plus(weapon.code(men))


def toll(tables: Record, attacker: int, target: int) -> NDArray[np.float64]:
    """Return the share of a `target` that an `attacker`'s best weapon takes on the mean in one attack.

    It is by the range band and the face that the target shows; `tables` has the cards of both, and the needs.
    """
    card, shown = tables.card[attacker], tables.card[target]
    best = np.zeros((records.BANDS, records.FACES))
    for weapon in range(card.weapons):
        arm = card.weapon[weapon]
        if (arm.kind == records.AI) != (shown.kind == records.SQUAD):
            continue
        lost = _men(card, arm) if arm.kind == records.AI else _hit_points(tables, card, arm, shown)
        share = np.broadcast_to(np.minimum(1.0, lost / float(shown.toughness)), best.shape)
        reached = arm.most_d2 >= (BAND_IN * np.arange(records.BANDS)) ** 2
        best[reached] = np.maximum(best, share)[reached]
    return best


def _men(card: Record, arm: Record) -> float:
    men = int(card.toughness) if card.kind == records.SQUAD else 1
    mean = (int(arm.die[men]) + 1) / 2 if arm.die[men] else 0.0
    return float(max(0.0, mean + int(arm.plus[men]) + int(card.machine_gun)) * int(arm.rolls))


def _hit_points(tables: Record, card: Record, arm: Record, shown: Record) -> NDArray[np.float64]:
    bonus, bands = -records.LEAST_BONUS, np.arange(records.BANDS)
    pen = np.ones((records.BANDS, records.FACES), np.int64)
    if arm.kind == records.AT:
        margins = np.subtract.outer(arm.penetration, shown.armor).tolist()
        pen[:] = [[need_by_margin(margin, shown.weak_spot) for margin in row] for row in margins]
        taken = [int(arm.damage)]
    else:
        bonus += int(shown.weight)
        taken = [max(0, int(arm.he_base - arm.n * die - shown.armor[records.SIDE])) for die in range(1, D6 + 1)]
    if card.support and arm.primary and shown.kind == records.GUN:
        taken = [(3 * hit_points + 1) // 2 for hit_points in taken]
    p = np.ones(pen.shape)
    for needs in (tables.need, tables.pen_need) if tables.two_dice and arm.kind == records.AT else (tables.need,):
        p *= np.clip((D6 + 1 - needs[bands[:, None], 0, pen - 1, bonus]) / D6, 0.0, 1.0)
    return p * (sum(taken) / len(taken)) * int(arm.sequences)
