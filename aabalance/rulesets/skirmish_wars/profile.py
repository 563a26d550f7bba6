"""What a player has to know about a unit at the table: its printed card, and the terrain chart for its firepower."""

from __future__ import annotations

from collections.abc import Iterator

from aabalance.errors import counted
from aabalance.rulesets.base import Grid, Profile, Stat, Term, Track
from aabalance.rulesets.skirmish_wars import shot
from aabalance.rulesets.skirmish_wars.card import HIT_POINTS, Card, Firepower
from aabalance.rulesets.skirmish_wars.variant import Variant

NO = "–"

FIRE = {
    shot.DIRECT: Term("Direct fire", "strikes its neighbours, and is struck back", "3.3a, 3.4a"),
    shot.INDIRECT: Term("Indirect fire", "strikes from afar; who can't reach it can't strike back", "3.3a, 3.4a"),
    shot.UNARMED: Term("Unarmed", "never strikes", "3.4a"),
}


def profile(card: Card, variant: Variant) -> Profile:
    """Return what a player has to know about a unit."""
    terms = [FIRE[shot.fire(card)]]
    if card.carries:
        terms.append(Term("Carries", counted(card.carries, "foot unit"), "3.3c"))
    boxes = tuple(f"{left}" if left >= shot.REDUCED_BELOW else f"{left} reduced" for left in range(HIT_POINTS, 0, -1))
    track = Track("Hit points", boxes)
    return Profile(f"{card.symbol} symbol", tuple(_stats(card)), track, tuple(_grids(card, variant)), tuple(terms))


def _stats(card: Card) -> Iterator[Stat]:
    yield Stat("Defense", str(card.defense))
    if shot.fire(card) != shot.UNARMED:
        low, high = card.range.min, card.range.max
        yield Stat("Range", str(low) if low == high else f"{low}–{high}")
    yield Stat("Movement points", str(card.mp))


def _grids(card: Card, variant: Variant) -> Iterator[Grid]:
    costs = card.movement_cost.model_dump()
    enter = ("points", *(NO if cost is None else str(cost) for cost in costs.values()))
    yield Grid("Movement points a square costs", ("", *costs), (enter,), f"{NO}: closed to it. 3.3b")
    if shot.fire(card) == shot.UNARMED:
        return
    usual, kept = ("5–8 hit points", "1–4, reduced"), ("never below 5", "once below 5, reduced")
    rows = zip(usual if variant.unreduce_on_repair else kept, (card.firepower, card.reduced), strict=True)
    symbols = tuple(Firepower.model_fields)
    yield Grid(
        "Firepower, by the target's symbol",
        ("", *symbols),
        tuple((name, *(str(getattr(powers, symbol)) for symbol in symbols)) for name, powers in rows),
        "Firepower less the target's Defense is the initial damage. 3.4a",
    )
    most = max(card.firepower.model_dump().values())
    lines = tuple(
        (f"{damage}".replace("-", "−"), *(_hits(shot.cell(damage, terrain)) for terrain in shot.TERRAINS))
        for damage in sorted(shot.chart())
        if damage <= most and any(shot.cell(damage, terrain) != shot.NOTHING for terrain in shot.TERRAINS)
    )
    ends = f"below the table none, above {max(shot.chart())} all {HIT_POINTS}"
    note = f"4 (3): four hits, and one more if a die shows 3 or less; {ends}. 3.4a"
    yield Grid("Hits, by initial damage", ("damage", *(name.replace("_", ", ") for name in shot.TERRAINS)), lines, note)


def _hits(of: shot.Cell) -> str:
    return f"{of.hits} ({of.die})" if of.die else str(of.hits)
