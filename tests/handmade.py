"""Cards made by hand: a plain medium tank (gun 9 / 10, armour 8, 30 hit points) and what a test changes of it."""

from __future__ import annotations

from typing import Any

from aabalance import dice
from aabalance.dice import Pmf
from aabalance.rulesets.armored_advance.card import Card

PLAIN: dict[str, Any] = {
    "name": "unit",
    "nation": "any",
    "class": "vehicle",
    "weight": "medium",
    "drive": "tracked",
    "movement": 5,
    "hp": 30,
    "requisition": 1,
}
SQUAD: dict[str, Any] = {
    "name": "squad",
    "nation": "any",
    "class": "infantry",
    "weight": "light",
    "drive": "foot",
    "movement": 4,
    "requisition": 1,
    "strength": 6,
    "squad": "rifle",
}


def at(penetration: int = 9, damage: int = 10, **fields: Any) -> dict[str, Any]:
    return {"kind": "at", "penetration": penetration, "damage": damage, **fields}


def he(base: int = 20, n: int = 1, **fields: Any) -> dict[str, Any]:
    return {"kind": "he", "base": base, "n": n, **fields}


def ai(code: Any = "D3-1", **fields: Any) -> dict[str, Any]:
    return {"kind": "ai", "ai": code, **fields}


RIFLES = ai([{"min": 4, "ai": "D3-1"}, {"min": 1, "ai": "D3-2"}])


def vehicle(*weapons: dict[str, Any], armor: int | tuple[int, int, int] = 8, **fields: Any) -> Any:
    """Return the card of a vehicle or field gun; keywords are given as ``keywords={...}``."""
    front, side, rear = (armor,) * 3 if isinstance(armor, int) else armor
    plates = {"front": front, "side": side, "rear": rear}
    return _card({**PLAIN, "armor": plates, **fields}, weapons or (at(),))


def field_gun(*weapons: dict[str, Any], **fields: Any) -> Any:
    return vehicle(*weapons, **{"class": "field_gun", "drive": "towed", "movement": 0, "weight": "light", **fields})


def squad(*weapons: dict[str, Any], **fields: Any) -> Any:
    return _card({**SQUAD, **fields}, weapons or (RIFLES,))


def _card(fields: dict[str, Any], weapons: tuple[dict[str, Any], ...]) -> Any:
    named = [{"name": f"weapon {number}", **weapon} for number, weapon in enumerate(weapons, 1)]
    return Card.model_validate({**fields, "weapons": named}).root


def by_face(effects: tuple[int, ...]) -> Pmf:
    """Return the distribution of an effect that is given by the face of a die."""
    return dice.transform(dice.die(len(effects)), lambda face: effects[face - 1])
