"""What a player has to know of a unit at the table: the page that the rulebook leaves empty (p. 16).

The needs are those that `aabalance.rulesets.armored_advance.shot` resolves, under the rule switches of the game.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Literal, get_args

from aabalance.rulesets.armored_advance.card import InfantryCard, Unit, free_in, moves_in, toughness
from aabalance.rulesets.armored_advance.keywords import KEYWORDS
from aabalance.rulesets.armored_advance.shot import halves, tables
from aabalance.rulesets.armored_advance.shot.resolve import AGAIN, resolve
from aabalance.rulesets.armored_advance.shot.sheets import Attack, Defence, Offence
from aabalance.rulesets.armored_advance.situation import Moment
from aabalance.rulesets.armored_advance.variant import Variant
from aabalance.rulesets.base import Grid, Profile, Stat, Term, Track, left

FACES = tuple(map(str, range(1, tables.D6 + 1)))
Weight = Literal["light", "medium", "heavy"]

FULL_SQUAD = 99
"""Men that no casualty roll reaches, so that a table tells the roll and not the squad that it hits."""

SQUADS = {
    "at_rifle": Term("Anti-tank rifle team", "can be targeted only if it moved or fired in its last turn", "p. 19"),
    "sniper": Term("Sniper team", "can be targeted only if it moved or fired in its last turn", "p. 19"),
    "artillery_crew": Term("Artillery crew", "the field gun that it mans has +1 on its rolls", "p. 19"),
}
WEIGHTS = {
    "light": Term("Light", 'moves 2" more each turn without an action', "p. 4"),
    "heavy": Term("Heavy", 'moves 2" at most with each movement action after the first', "p. 4"),
}
WORDS_BY_SWITCH = (
    ("indirect_requires_hit", True, "without a hit roll", "with a hit roll"),
    ("angling", "add", "Armour X", "X more armour"),
    ("scout_costs_action", False, "For an action, a friend's", "A friend's"),
    ("autocannon_ai_rolls", "X", "rolled once", "rolled X times"),
)
"""A switch and a value, words in a keyword's meaning, and the words that replace them under that value."""
MACHINE_GUN = Term("Machine gun", "its +1 kill is in the table of men lost", "p. 18")
GRENADE = Term("Grenade", f'for a single use, within {halves.GRENADE_IN}", over walls without penalty', "p. 18")
FIELD_GUN = Term("Field gun", 'works while a squad within 1" behind it mans it; counts as stationary', "p. 17")
SQUAD = Term("Squad", "has one action a turn, which counts towards no limit", "p. 17")


def profile(card: Unit, variant: Variant) -> Profile:
    """Return what a player has to know of a unit.

    Parameters
    ----------
    card : VehicleCard or InfantryCard
        The unit's card.
    variant : Variant
        By which the dice need what they need.
    """
    squad = isinstance(card, InfantryCard)
    kind = "infantry" if squad else f"{card.weight} {card.class_}, {card.drive}".replace("_", " ")
    track = Track("Men" if squad else "Hit points", left(toughness(card)))
    return Profile(kind, tuple(_stats(card)), track, tuple(_grids(card, variant)), tuple(_terms(card, variant)))


def _stats(card: Unit) -> Iterator[Stat]:
    if isinstance(card, InfantryCard):
        yield Stat("Men", str(card.strength))
    else:
        yield Stat("Hit points", str(card.hp))
        for face in ("front", "side", "rear"):
            yield Stat(face.capitalize(), f"{getattr(card.armor, face)} cm")
    yield Stat("Actions", str(card.actions))
    if card.movement:
        yield Stat("Moves", ", ".join(f'{moves_in(card, n)}"' for n in range(1, card.actions + 1)))
    if free := free_in(card):
        yield Stat("Free move", f'{free}"')


# --- what its fire needs and does -------------------------------------------------------------------------------


def _grids(card: Unit, variant: Variant) -> Iterator[Grid]:
    offence = halves.offence(card, Moment.model_validate({"range_in": 0}))
    for gun in offence.guns[0][1] if offence.guns else ():
        for attack in gun:
            if attack.kind == "at":
                yield _against_armor(attack, variant)
            elif attack.kind == "he":
                yield _high_explosive(attack, variant)
                yield _by_die(attack, offence, variant)
    if casualties := tuple(_casualties(offence, variant)):
        what = "Men lost, by the D6"
        yield Grid("Against infantry", (what, *FACES), casualties, "No roll to hit. p. 10 Anti-Infantry Attacks")


def _against_armor(attack: Attack, variant: Variant) -> Grid:
    """Return the die that each shot needs, by the target's armour and the range (p. 6 Hit Roll, p. 7 Penetration)."""
    bands = _bands(attack, variant)
    most = max((attack.penetration, *(attack.by_band or ()))) + 2
    plain = [_rolls(attack, Defence(armor=armor), bands, variant) for armor in range(most + 1)]
    rows = [(_span(first, last), *cells) for first, last, cells in _runs(plain) if any(cell != NO for cell in cells)]
    for armor, without in enumerate(plain):
        weak = _rolls(attack, Defence(armor=armor, weak_spot=True), bands, variant)
        if weak != without:
            rows.append((f"{armor} weak spot", *weak))
    two = " The hit die, then the penetration die." if variant.resolution == "two_dice" else ""
    note = f"Against more armour no roll will do.{two} {_at_advantage(attack, variant)} p. 6-8"
    head = ("Armour, cm", *_edges(bands, attack, variant))
    return Grid(f"{attack.weapon}: {_worth(attack)}", head, tuple(rows), note)


def _at_advantage(attack: Attack, variant: Variant) -> str:
    """Return which miss is rolled again by who hasn't moved (p. 8; AA-9 to AA-11)."""
    miss = "a roll one short"
    if attack.kind == "at" and variant.resolution == "two_dice":
        miss = "a die one short" if variant.reroll_scope in ("final", "both") else "a hit die one short"
    elif attack.kind == "at" and variant.reroll_scope == "hit":
        miss = "a roll one short of the range's need"
    return f"Not moved: {miss} {AGAIN[variant.reroll_limit]}."


def _high_explosive(attack: Attack, variant: Variant) -> Grid:
    """Return the die that a hit needs, by the target's weight and movement (p. 10 Large Caliber Artillery)."""
    bands = _bands(attack, variant)
    did = "moved" if variant.he_moved == "any" else "twice moved"
    rows: dict[tuple[str, ...], list[str]] = {}
    weights: tuple[Weight, ...] = get_args(Weight)
    for weight in weights:
        for name, moved in ((weight, 0), (f"{did} {weight}", tables.BOTH_MOVES)):
            cells = _rolls(attack, Defence(weight=weight, moves=moved), bands, variant)
            rows.setdefault(cells, []).append(name)
    lines = tuple(("; ".join(names), *cells) for cells, names in rows.items())
    note = f"{_at_advantage(attack, variant)} p. 10" if variant.he_advantage else "p. 10"
    return Grid(f"{attack.weapon}: to hit", ("Target", *_edges(bands, attack, variant)), lines, note)


def _by_die(attack: Attack, offence: Offence, variant: Variant) -> Grid:
    """Return the hit points that high explosive takes, by the D6 (p. 10, p. 15 Indirect)."""
    n = attack.n if variant.he_n == "card" else variant.he_n
    taken = tuple(map(str, tables.he_damage(attack.base, n, 0)))
    notes = ["Less the target's side armour."]
    if attack.soft_factor is not None:
        notes.append("Field guns: half as much again, rounded up (p. 14).")
    for lob in offence.lobs:
        if (lob.base, lob.n, lob.damage) == (attack.base, attack.n, attack.damage):
            hit = "rolled to hit as above" if variant.indirect_requires_hit else "no roll to hit"
            most = tables.UNTOUCHED_ABOVE_IN if variant.indirect_gap == "halve" else tables.HALVED_TO_IN
            notes.append(
                f'Indirect: to {lob.reach:g}", {hit}; halved if the target moved {tables.FULL_BELOW_IN}" or more, '
                f'nothing if more than {most}" (p. 15).'
            )
    note = " ".join((*notes, "p. 10"))
    return Grid(f"{attack.weapon}: damage {attack.base} − {n} × D6", ("D6", *FACES), (("hit points", *taken),), note)


def _casualties(offence: Offence, variant: Variant) -> Iterator[tuple[str, ...]]:
    strengths = [strength for strength, _ in offence.guns]
    for n, (strength, guns) in enumerate(offence.guns):
        men = f" ({_span(strength, strengths[n - 1] - 1 if n else None)} men)" if len(strengths) > 1 else ""
        for attack in (attack for gun in guns for attack in gun if attack.kind == "ai"):
            rolls = f", {attack.bursts} rolls" if attack.bursts > 1 and variant.autocannon_ai_rolls == "X" else ""
            yield _row_of_men(f'{attack.weapon}{men}, to {attack.reach:g}"{rolls}', attack, variant)
    if offence.grenade is not None:
        kills = offence.grenade.kills if variant.mg_on_grenades else 0
        grenade = replace(offence.grenade, kills=kills)
        times = f"{offence.grenades} grenades" if offence.grenades > 1 else "Grenade"
        yield _row_of_men(f'{times}, to {grenade.reach:g}"', grenade, variant)


def _row_of_men(name: str, attack: Attack, variant: Variant) -> tuple[str, ...]:
    lost = tables.casualties(attack.ai, FULL_SQUAD, kills=attack.kills, kills_after_clamp=variant.mg_after_clamp)
    return name, *map(str, lost)


# --- a shot, by range band --------------------------------------------------------------------------------------

NO = "–"


def _bands(attack: Attack, variant: Variant) -> range:
    """Return the range bands that an attack reaches."""
    last = tables.BANDS if attack.reach is None else tables.range_band(attack.reach, variant.range_boundary)
    return range(1, last + 1)


def _edges(bands: Sequence[int], attack: Attack, variant: Variant) -> Iterator[str]:
    """Yield where each band ends, in words."""
    to = "to" if variant.range_boundary == "round_up" else "below"
    for band in bands[:-1]:
        yield f'{to} {tables.BAND_IN * band}"'
    yield "beyond" if attack.reach is None else f'to {attack.reach:g}"'


def _rolls(attack: Attack, target: Defence, bands: Sequence[int], variant: Variant) -> tuple[str, ...]:
    def cell(band: int) -> str:
        inside = tables.BAND_IN * (band - 1) + tables.BAND_IN / 2
        at = inside if attack.reach is None else min(inside, attack.reach)
        roll = resolve(attack, target, at, variant).roll
        if roll is None or not roll.p:
            return NO
        hit = f"{max(roll.need, tables.SURE)}+"
        two_dice = variant.resolution == "two_dice" and attack.kind == "at"
        return f"{hit} {roll.pen_need}+" if two_dice else hit

    return tuple(map(cell, bands))


def _runs(rows: Sequence[tuple[str, ...]]) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    """Yield each run of equal rows: the numbers of its first and its last, and the row."""
    first = 0
    for n, row in enumerate(rows):
        if n + 1 == len(rows) or rows[n + 1] != row:
            yield first, n, row
            first = n + 1


def _span(first: int, last: int | None) -> str:
    if last is None:
        return f"{first}+"
    return str(first) if first == last else f"{first}–{last}"


def _worth(attack: Attack) -> str:
    """Return what a shot brings, in words."""
    soft = tables.raised(attack.damage, attack.soft_factor)
    more = f" ({soft} to field guns)" if soft != attack.damage else ""
    times = f", {attack.attempts} times" if attack.attempts > 1 else ""
    return f"penetration {attack.penetration}, damage {attack.damage}{more}{times}"


# --- in words ---------------------------------------------------------------------------------------------------

NUMBER = re.compile(r"\bX\b")
POINT = re.compile(r" \(AA-[^)]*\)")
"""Open points of the rules: for those who settle them, not for the table."""


def _terms(card: Unit, variant: Variant) -> Iterator[Term]:
    if isinstance(card, InfantryCard):
        yield SQUAD
        if card.squad in SQUADS:
            yield SQUADS[card.squad]
        if card.equipment.machine_gun:
            yield MACHINE_GUN
        if card.equipment.grenades:
            yield GRENADE
    elif card.class_ == "field_gun":
        yield FIELD_GUN
    elif card.weight in WEIGHTS and card.movement:
        yield WEIGHTS[card.weight]
    for name, value in card.keywords.items():
        yield _keyword(name, value, variant)


def _keyword(name: str, value: int, variant: Variant) -> Term:
    """Return a keyword as the rulebook writes it, with the card's number in place of X."""
    known = KEYWORDS[name]
    page, _, title = known.rule.partition(" ")[2].partition(" ")
    spelt = name.replace("_", " ")
    said = title if title.casefold().replace("-", " ") == spelt else spelt.title()
    meaning = known.meaning
    for switch, reading, usual, instead in WORDS_BY_SWITCH:
        if getattr(variant, switch) == reading:
            meaning = meaning.replace(usual, instead)
    if known.number:
        said = f"{said} ({value})"
        meaning = NUMBER.sub(str(value), meaning)
    return Term(said, POINT.sub("", meaning).rstrip("."), f"p. {page}")
