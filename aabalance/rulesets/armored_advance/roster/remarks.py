"""What may be said of a card beside what it is worth in battles. The bounds of fast and slow are ours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from aabalance.rulesets.armored_advance.card import Unit, VehicleCard

FAST, SLOW = 7, 3
"""Inches a movement action: from the median of light tanks up, and below that of heavy ones."""
WORDS = {
    "scout": "scouting",
    "apc": "carrying squads",
    "towing": "towing guns",
    "anti_air": "fire at aircraft",
    "casemate": "turning, which it has to do to aim",
    "reverse_casemate": "turning, which it has to do to aim",
    "slow_reverse": "backing slowly",
    "indirect": "fire over cover",
}


def unseen(card: Unit) -> Sequence[str]:
    """Return in words what no battle shows in which all hold."""
    said = [words for keyword, words in WORDS.items() if keyword in card.keywords]
    if card.class_ == "field_gun":
        return (*said, "its crew, which nobody fires at", "that it hardly moves")
    if card.movement >= FAST:
        said.append("its speed")
    elif card.movement <= SLOW:
        said.append("that it is slow")
    return tuple(said)


def increments(card: Unit) -> Mapping[str, str]:
    """Return what-ifs, ``field=value`` by what they are in words: a point more of what it has, a keyword less."""
    changes = {}
    if isinstance(card, VehicleCard):
        changes["1 hit point more"] = f"hp={card.hp + 1}"
        for face in ("front", "side"):
            changes[f"1 cm more at the {face}"] = f"armor.{face}={getattr(card.armor, face) + 1}"
    for name in ("penetration", "damage"):
        if card.weapons and card.weapons[0].kind == "at":
            changes[f"1 point more of {name}"] = f"weapons.0.{name}={getattr(card.weapons[0], name) + 1}"
    return changes | {f"without {keyword}": f"keywords.{keyword}=false" for keyword in card.keywords}
