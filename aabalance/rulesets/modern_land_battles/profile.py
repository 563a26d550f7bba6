"""What a player has to know about a Force card at the table, and what its Attack dice need against each Armor."""

from __future__ import annotations

from collections.abc import Iterator

from aabalance.errors import counted
from aabalance.rulesets.base import Grid, Profile, Stat, Term, Track
from aabalance.rulesets.modern_land_battles import shot
from aabalance.rulesets.modern_land_battles.card import ATTACKS, SYMBOLS, Artillery, Card
from aabalance.rulesets.modern_land_battles.variant import Variant

ARMORS = range(1, 13)
_ROWS = f"Rows {shot.MISSILE_ROWS[0]}-{shot.MISSILE_ROWS[-1]}"
REACHES = {
    "small_arms": f"{shot.SMALL_ARMS_ROWS} Row away",
    "cannon": f"{shot.CANNON_ROWS} Rows away",
    "missile": f"from {_ROWS} to {_ROWS}",
}
NO = "–"


def profile(card: Card, variant: Variant) -> Profile:
    """Return what a player has to know about a Force card.

    Parameters
    ----------
    card : Card
        The Force card.
    variant : Variant
        The rule switches; one says whether a natural 1 or 10 has a meaning of its own.
    """
    boxes = tuple(f"{dice} dice left" if dice > 1 else "1 die left" for dice in range(shot.DICE - 1, 0, -1))
    track = Track(f"Hits ({shot.DICE} dice unhurt)", (*boxes, "destroyed"))
    return Profile(
        card.type.replace("_", " "), tuple(_stats(card)), track, tuple(_grids(card, variant)), tuple(_terms(card))
    )


def _stats(card: Card) -> Iterator[Stat]:
    yield Stat("Armor", str(card.armor))
    yield Stat("Maneuver", "none" if card.maneuver is None else f"{card.maneuver}+")
    for symbol, modifier in _weapons(card):
        yield Stat(_title(symbol), f"{modifier:+d}".replace("-", "−") if modifier else "0")


def _grids(card: Card, variant: Variant) -> Iterator[Grid]:
    rows = []
    for symbol, modifier in _weapons(card):
        rolls = (shot.needed(armor, modifier, variant.d10_natural_rules) for armor in ARMORS)
        rows.append((_title(symbol), *(NO if need == shot.IMPOSSIBLE else f"{need}+" for need in rolls)))
    if rows:
        deeper = " Artillery: 1 higher against the 2nd Row, 2 against the 3rd." if variant.range_defense else ""
        note = f"Each D10; a Superior counter in the Breakthrough Area adds 1.{deeper} Damaging a Force Card"
        yield Grid("A die hits Armor", ("Armor", *map(str, ARMORS)), tuple(rows), note)


def _terms(card: Card) -> Iterator[Term]:
    for symbol, _ in _weapons(card):
        if symbol == "artillery":
            assert card.weapons.artillery is not None
            reach = f"reaches {counted(card.weapons.artillery.range, 'Row')}, needs no Action card"
            yield Term("Artillery", reach, "Artillery Attack")
        else:
            played = ", ".join(_title(name) for name, play in ATTACKS.items() if symbol in play.symbols)
            yield Term(_title(symbol), f"{REACHES[symbol]}; attacks with {played}", "Determining Range, Action Cards")
    if card.headquarters:
        yield Term("Headquarters", "one more Action card in the hand", "Force Card Details")


def _weapons(card: Card) -> Iterator[tuple[str, int]]:
    """Yield the Attack symbols of a card with their modifiers."""
    for symbol in SYMBOLS:
        weapon: int | Artillery | None = getattr(card.weapons, symbol)
        if weapon is not None:
            yield symbol, weapon.modifier if isinstance(weapon, Artillery) else weapon


def _title(name: str) -> str:
    return name.replace("_", " ").title()
