"""From history to card: the one rule by which a row of ``facts.csv`` becomes a unit card.

The rulebook publishes no unit cards; it only says what their figures mean. "ours" marks what this project added.
Every figure is rounded once, half up, at the very end.

==================== ============================================================== =================================
card field           formula                                                        source
==================== ============================================================== =================================
nation               the first of several (UK/Canada: UK)                           ours
class                towed: field_gun, else vehicle                                 p. 17 Field Guns
weight               below 16 t light, below 37 t medium, else heavy;               ours
                     field guns: below 1.4 t light, below 2.5 t medium, else heavy
movement             km/h on a road / 6 (light), / 8 (medium), / 9 (heavy, and all  ours; tracked medians 7, 5, 4 are
                     wheels and half-tracks), in 3-10; field guns 2, 1, 0           the rulebook's examples, p. 4
hp                   tonnes; field guns 4 + 2 x tonnes                              ours
plate                mm / cos(slope) / 10                                           p. 7 "taking angle into account"
armor.front          of hull and turret front max(weaker, stronger - 3);            ours
                     field guns: the shield, at least 1 if there is one
armor.side, .rear    the plate; field guns 0                                        p. 7; ours
weak_spot            hull and turret front differ by 2 or more                      ours
angling              X = side / cos 45, where that beats the front; vehicles only   p. 14; the number is ours
penetration          0-degree figure at 500 m / 10; no ``at`` profile below 1       p. 7; the distance is ours
penetration_by_band  at 100, 250, 500, 750, 1000, 1500 m; 250 and 750 interpolated  ours, open point AA-17
damage               10 (calibre / 75)^2, at least 1                                p. 9 Damage
he base              that damage, at most 60                                        ours, open point AA-25
he n                 1 below 100 mm, 2 below 150 mm, 3 from there                   ours, open point AA-25
ai, machine guns     "D3-1" up to two, "D3" from three or with a 12.7 mm            ours; the codes are those of p. 17
ai, autocannons      "D3"                                                           ours
ai, howitzers        "D6-2" below 100 mm, "D6-1" below 150 mm, "D6" from there      ours
range of ai          12                                                             p. 10 "within 1 foot"
autocannon           of guns with 100 rounds a minute and more: X = 6 with four     p. 13; the numbers are ours
                     barrels, 3 with one of 20-25 mm, 2 with one above
rapid_fire           other field guns from 20 rounds a minute, lower practical rate p. 13; the limit is ours
long_reload          up to 3 rounds a minute, upper practical rate                  p. 14; the limit is ours
anti_air             X = 18 below 30 mm, 24 below 75 mm, 36 from there              p. 15; the numbers are ours
indirect             X = 48 below 120 mm, 60 from there                             p. 15; the numbers are ours
other keywords, note the columns ``card_keywords`` and ``card_note``                see below
==================== ============================================================== =================================

A vehicle's guns (ours, from p. 10):

* A machine gun as main gun is an ``ai`` weapon. A single 12.7 mm machine gun also penetrates, so it is one gun with an
  ``at`` and an ``ai`` profile; it isn't fast enough against plate to be an autocannon.
* An autocannon is an ``at`` and an ``ai`` weapon which may both fire in a turn (p. 13).
* Artillery, that is a gun with ``support`` or ``indirect`` or a cannon without a penetration figure, is one gun with
  an ``at`` (if it penetrates), an ``he`` and an ``ai`` profile: it chooses armour or infantry (p. 10).
* ``second_gun_of`` names the row whose main gun is the vehicle's second gun, an ``at`` weapon. The other machine guns
  are one ``ai`` weapon; ``mg_name`` is their usual type (general reference, unverified).

How ``card_keywords`` was filled, from ``keyword_notes`` (ours): a mere candidate is left out, except where another row
with the same gun or chassis has the keyword outright. So ``accurate`` goes with the gun (8.8 cm KwK 36 and Flak 36,
8.8 cm Pak and KwK 43, 7.5 cm KwK 42, 17-pounder, ZiS-2), ``slow_reverse`` with the chassis (Panther, IS, Churchill,
Cromwell), ``scout`` with the armoured cars and the light vehicles built for it. ``indirect`` needs a mounting with the
elevation for it, so not the assault guns. ``apc`` is the number of passengers / 6.
"""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, NamedTuple

from aabalance.cards.csv import doubled
from aabalance.errors import CardError, Fault, one_of

DRIVES = {"tracked": "tracked", "half-track": "half_track", "wheeled": "wheeled", "towed": "towed"}
NUMBERED = ("apc", "limited_range")
COMPUTED = ("rapid_fire", "autocannon", "angling", "long_reload", "weak_spot")
KEYWORD_ORDER = (
    *("scout", "accurate", "apc", "towing", "rapid_fire", "autocannon", "casemate", "reverse_casemate", "slow_reverse"),
    *("support", "angling", "long_reload", "limited_range", "anti_air", "indirect", "weak_spot"),
)
CURATED = tuple(name for name in KEYWORD_ORDER if name not in COMPUTED)
RATE = re.compile(r"(?:\d+ x )?[<~]?(\d+(?:\.\d+)?)(?:-(\d+(?:\.\d+)?))?(?![\d.])")


class Plate(NamedTuple):
    """A plate of armour: its thickness and its slope from the vertical."""

    mm: float
    deg: float


def _text(text: str) -> str:
    if not text:
        raise ValueError("found nothing, expected text")
    return text


def _number(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not (math.isfinite(number) and number >= 0):
        raise ValueError(f"found {text!r}, expected a number from 0")
    return number


def _count(text: str) -> int:
    if not text.isdecimal():
        raise ValueError(f"found {text!r}, expected a whole number from 0")
    return int(text)


def _drive(text: str) -> str:
    if text not in DRIVES:
        raise ValueError(one_of(text, DRIVES))
    return DRIVES[text]


def _plate(mm: str, deg: str) -> Plate:
    plate = Plate(_number(mm), _number(deg))
    if plate.deg >= 90:
        raise ValueError(f"found a slope of {plate.deg:g}, expected one below 90")
    return plate


def _samples(*texts: str) -> tuple[float, ...]:
    return tuple(map(_number, texts))


def _rate(text: str) -> tuple[float, float]:
    match = RATE.match(text)
    if match is None:
        raise ValueError(f"found {text!r}, expected a number or a range at its start")
    return float(match[1]), float(match[2] or match[1])


def _curated(text: str) -> dict[str, int]:
    keywords: dict[str, int] = {}
    for word in filter(None, (part.strip() for part in text.split(";"))):
        name, _, number = word.partition("=")
        if name not in CURATED:
            raise ValueError(one_of(name, CURATED))
        if not (re.fullmatch(r"[1-9]\d*", number) if name in NUMBERED else word == name):
            raise ValueError(f"found {word!r}, expected {name + '=X' if name in NUMBERED else name!r}")
        keywords[name] = int(number) if number else True
    if {"casemate", "reverse_casemate"} <= keywords.keys():
        raise ValueError("found casemate and reverse_casemate, expected one of them")
    return keywords


def _cell(convert: Callable[..., Any], *columns: str, optional: bool = False) -> dict[str, Any]:
    return {"convert": convert, "columns": columns, "optional": optional}


@dataclass(frozen=True)
class Fact:
    """What the derivation reads of one row of ``facts.csv``: how each field is read, and from which columns."""

    id: str = field(metadata=_cell(_text, "id"))
    name: str = field(metadata=_cell(_text, "name"))
    nation: str = field(metadata=_cell(_text, "nation"))
    year: int = field(metadata=_cell(_count, "year_in_service"))
    tonnes: float = field(metadata=_cell(_number, "combat_mass_t"))
    drive: str = field(metadata=_cell(_drive, "drive"))
    road_kmh: float | None = field(metadata=_cell(_number, "road_speed_kmh", optional=True))
    hull: Plate = field(metadata=_cell(_plate, "hull_front_mm", "hull_front_deg_from_vertical"))
    turret: Plate | None = field(metadata=_cell(_plate, "turret_front_mm", "turret_front_deg", optional=True))
    side: Plate = field(metadata=_cell(_plate, "side_mm", "side_deg"))
    rear: Plate = field(metadata=_cell(_plate, "rear_mm", "rear_deg"))
    gun: str = field(metadata=_cell(_text, "main_gun"))
    calibre_mm: float | None = field(metadata=_cell(_number, "calibre_mm", optional=True))
    penetration_mm: tuple[float, ...] | None = field(
        metadata=_cell(_samples, *(f"pen0_{m}m_mm" for m in (100, 500, 1000, 1500)), optional=True)
    )
    rate: tuple[float, float] | None = field(metadata=_cell(_rate, "rate_of_fire_rpm", optional=True))
    machine_guns: int = field(metadata=_cell(_count, "secondary_mg_count"))
    mg_name: str = field(metadata=_cell(str, "mg_name"))
    keywords: Mapping[str, int] = field(metadata=_cell(_curated, "card_keywords"))
    second_gun_of: str = field(metadata=_cell(str, "second_gun_of"))
    note: str = field(metadata=_cell(str, "card_note"))

    @property
    def towed(self) -> bool:
        """The unit is a field gun."""
        return self.drive == "towed"

    @property
    def quad(self) -> bool:
        """The main gun is a mounting of four."""
        return self.gun.startswith("4 x ")

    @property
    def machine_gun(self) -> bool:
        """The main gun is a single machine gun."""
        return self.calibre_mm is not None and self.calibre_mm < 20 and not self.quad


def round_half_up(value: float) -> int:
    """Return the nearest integer, a half rounded up; Python's own rounding takes 6.5 to 6."""
    return math.floor(value + 0.5)


def plate_cm(mm: float, deg: float) -> int:
    """Return the thickness of a plate along the line of fire in centimetres, from its millimetres and its slope."""
    return round_half_up(mm / math.cos(math.radians(deg)) / 10)


def shield_cm(mm: float, deg: float) -> int:
    """Return the armour of a field gun's shield; a thin one counts as 1, since it still covers the crew."""
    return max(1, plate_cm(mm, deg)) if mm > 0 else 0


def front_armor(hull: int, turret: int) -> tuple[int, bool]:
    """Return the front armour of a card and whether it has a weak spot, from the plates of hull and turret."""
    weaker, stronger = sorted((hull, turret))
    return max(weaker, stronger - 3), stronger - weaker >= 2


def angling(front: int, side_mm: float, side_deg: float) -> int | None:
    """Return the X of angling; None if the side, `side_mm` sloped by `side_deg`, is no better slanted than `front`."""
    angled = round_half_up(side_mm / math.cos(math.radians(side_deg)) / math.cos(math.radians(45)) / 10)
    return angled if angled > front else None


def penetration_by_band(samples_mm: tuple[float, ...]) -> list[int]:
    """Return centimetres at 100, 250, 500, 750, 1000 and 1500 m, from samples at 100, 500, 1000 and 1500 m."""
    at_100, at_500, at_1000, at_1500 = samples_mm
    at_250 = at_100 + (at_500 - at_100) * (250 - 100) / (500 - 100)
    at_750 = (at_500 + at_1000) / 2
    return [round_half_up(mm / 10) for mm in (at_100, at_250, at_500, at_750, at_1000, at_1500)]


def caliber_damage(mm: float) -> int:
    """Return the hit points that a hit of a gun of this calibre takes."""
    return max(1, round_half_up(10 * (mm / 75) ** 2))


def he_profile(mm: float) -> tuple[int, int]:
    """Return base and n of the high explosive of a gun of this calibre."""
    return min(60, caliber_damage(mm)), 1 if mm < 100 else 2 if mm < 150 else 3


def howitzer_ai(mm: float) -> str:
    """Return the casualty code of a howitzer of this calibre."""
    return "D6-2" if mm < 100 else "D6-1" if mm < 150 else "D6"


def machine_gun_ai(name: str, count: int) -> str:
    """Return the casualty code of `count` machine guns of a vehicle together."""
    return "D3" if count >= 3 or "12.7 mm" in name else "D3-1"


def weight_class(tonnes: float, towed: bool) -> str:
    """Return ``light``, ``medium`` or ``heavy``."""
    light, medium = (1.4, 2.5) if towed else (16, 37)
    return "light" if tonnes < light else "medium" if tonnes < medium else "heavy"


def movement(road_kmh: float | None, weight: str, drive: str) -> int:
    """Return the inches per movement action by `road_kmh` (None: pushed by hand), `weight` and `drive`."""
    if drive == "towed" or road_kmh is None:
        return {"light": 2, "medium": 1, "heavy": 0}[weight]
    divisor = 9 if drive in ("wheeled", "half_track") else {"light": 6, "medium": 8, "heavy": 9}[weight]
    return min(10, max(3, round_half_up(road_kmh / divisor)))


def autocannon(fact: Fact) -> int | None:
    """Return the X of autocannon; None for a gun that isn't one."""
    if fact.machine_gun or fact.calibre_mm is None or fact.rate is None or fact.rate[0] < 100:
        return None
    return 6 if fact.quad else 3 if fact.calibre_mm <= 25 else 2


def derive(fact: Fact, facts: Mapping[str, Fact]) -> dict[str, object]:
    """Derive the card of a row: its fields in their order in TOML, without ``requisition``.

    Parameters
    ----------
    fact : Fact
        The row of ``facts.csv``.
    facts : mapping of str to Fact
        All rows, for the second gun.
    """
    weight = weight_class(fact.tonnes, fact.towed)
    if fact.towed:
        armor = {"front": shield_cm(*fact.hull), "side": 0, "rear": 0}
        weak_spot = False
    else:
        front, weak_spot = front_armor(plate_cm(*fact.hull), plate_cm(*(fact.turret or fact.hull)))
        armor = {"front": front, "side": plate_cm(*fact.side), "rear": plate_cm(*fact.rear)}
    card: dict[str, object] = {
        "name": fact.name,
        "nation": fact.nation.split("/")[0],
        "year": fact.year,
        "class": "field_gun" if fact.towed else "vehicle",
        "weight": weight,
        "drive": fact.drive,
        "movement": movement(fact.road_kmh, weight, fact.drive),
        "hp": round_half_up(4 + 2 * fact.tonnes if fact.towed else fact.tonnes),
        "armor": armor,
        "keywords": _keywords(fact, armor["front"], weak_spot),
        "weapons": list(_weapons(fact, facts)),
    }
    if fact.note:
        card["note"] = fact.note
    return card


def _keywords(fact: Fact, front: int, weak_spot: bool) -> dict[str, int]:
    keywords: dict[str, int | None] = dict(fact.keywords)
    calibre = fact.calibre_mm or 0.0
    keywords |= {"autocannon": autocannon(fact), "weak_spot": True if weak_spot else None}
    keywords["angling"] = None if fact.towed else angling(front, *fact.side)
    lower, upper = fact.rate or (0, math.inf)
    if fact.towed and lower >= 20 and not keywords["autocannon"]:
        keywords["rapid_fire"] = True
    if upper <= 3:
        keywords["long_reload"] = True
    if "anti_air" in keywords:
        keywords["anti_air"] = 18 if calibre < 30 else 24 if calibre < 75 else 36
    if "indirect" in keywords:
        keywords["indirect"] = 48 if calibre < 120 else 60
    return {name: value for name in KEYWORD_ORDER if (value := keywords.get(name)) is not None}


def _weapons(fact: Fact, facts: Mapping[str, Fact]) -> Iterator[dict[str, object]]:
    machine_guns = fact.machine_guns
    if fact.machine_gun:
        count = 1 if fact.penetration_mm else machine_guns
        machine_guns -= count
        yield from _profiles(fact, machine_gun_ai(fact.gun, count), one_gun=True)
    elif autocannon(fact) is not None:
        yield from _profiles(fact, "D3", one_gun=True)
    elif fact.calibre_mm is not None:
        artillery = fact.penetration_mm is None or not fact.keywords.keys().isdisjoint(("support", "indirect"))
        ai = howitzer_ai(fact.calibre_mm) if artillery else ""
        yield from _profiles(fact, ai, he=artillery, one_gun=artillery)
    if fact.second_gun_of:
        yield from _profiles(facts[fact.second_gun_of])
    if machine_guns > 0:
        code = machine_gun_ai(fact.mg_name, machine_guns)
        yield {"name": fact.mg_name or "machine gun", "kind": "ai", "ai": code, "range": 12}


def _profiles(fact: Fact, ai: str = "", he: bool = False, one_gun: bool = False) -> Iterator[dict[str, object]]:
    """Yield the weapons that a gun has: armour-piercing, HE and AI. With `one_gun`, all share its attacks."""
    name = re.split(r" L/\d| \(", fact.gun)[0]  # a card names the gun as players do, without length and mounting
    calibre = fact.calibre_mm or 0.0
    bands = penetration_by_band(fact.penetration_mm) if fact.penetration_mm else []
    at = bool(bands) and bands[2] >= 1
    gun: dict[str, object] = {"gun": name} if one_gun and (at or he) else {}
    if at:
        stats = {"penetration": bands[2], "penetration_by_band": bands, "damage": caliber_damage(calibre)}
        yield {"name": name, "kind": "at", **gun, **stats}
    if he:
        base, n = he_profile(calibre)
        yield {"name": f"{name} HE", "kind": "he", **gun, "base": base, "n": n}
    if ai:
        yield {"name": f"{name} AI" if at or he else name, "kind": "ai", **gun, "ai": ai, "range": 12}


def read_facts(path: str | Path) -> dict[str, Fact]:
    """Read ``facts.csv``, by id and in the order of the file; a ``CardError`` has every malformed cell."""
    facts: dict[str, Fact] = {}
    with open(path, encoding="utf-8-sig", newline="") as file:
        table = csv.DictReader(file)
        columns = {column for cell in fields(Fact) for column in cell.metadata["columns"]}
        faults = doubled(path, table.fieldnames or ())
        if missing := columns.difference(table.fieldnames or ()):
            faults.append(Fault(f"{path}:1", f"found no columns {', '.join(sorted(missing))}, expected them"))
            raise CardError(faults)
        rows = [(f"{path}:{table.line_num}", cells) for cells in table]
    ids = [cells["id"] for _, cells in rows]
    for place, cells in rows:
        fact, messages = _read_row(cells, ids)
        faults += [Fault(place, f"{cells['id']}{message}") for message in messages]
        if fact is not None:
            facts[fact.id] = fact
    if faults:
        raise CardError(faults)
    return facts


def _read_row(cells: dict[str, str], ids: list[str]) -> tuple[Fact | None, list[str]]:
    if None in cells or None in cells.values():
        return None, [": found more or fewer cells than columns"]
    read: dict[str, Any] = {}
    faults = []
    for cell in fields(Fact):
        columns = cell.metadata["columns"]
        texts = [cells[column].strip() for column in columns]
        empty = cell.metadata["optional"] and not any(texts)
        try:
            read[cell.name] = None if empty else cell.metadata["convert"](*texts)
        except ValueError as error:
            faults.append(f".{', '.join(columns)}: {error}")
    if faults:
        return None, faults
    fact = Fact(**read)
    if ids.count(fact.id) > 1:
        faults.append(".id: found more than once, expected an id of its own")
    if fact.second_gun_of and fact.second_gun_of not in ids:
        faults.append(f".second_gun_of: found {fact.second_gun_of!r}, expected the id of a row")
    if fact.road_kmh is None and not fact.towed:
        faults.append(".road_speed_kmh: found nothing, expected a number from 0")
    return fact, faults
