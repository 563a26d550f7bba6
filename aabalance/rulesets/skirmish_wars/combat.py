"""Ground combat (3.4a): firepower less defense, the terrain chart, and what a strike leaves of its target."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from aabalance import dice
from aabalance.dice import Pmf
from aabalance.errors import UsageError, one_of
from aabalance.rulesets.base import Blows, Shot, Step, Survey
from aabalance.rulesets.skirmish_wars import chart
from aabalance.rulesets.skirmish_wars.card import Card, Firepower, Range
from aabalance.rulesets.skirmish_wars.chart import Cell
from aabalance.rulesets.skirmish_wars.health import HIT_POINTS, Health, is_reduced, struck
from aabalance.rulesets.skirmish_wars.situation import Moment
from aabalance.rulesets.skirmish_wars.variant import Variant

UNARMED, DIRECT, INDIRECT = "unarmed", "direct fire", "indirect fire"


class Offence(NamedTuple):
    """What a unit brings to its strikes.

    Attributes
    ----------
    weapon : str
        `UNARMED`, `DIRECT` or `INDIRECT`.
    range : Range
    full, reduced : Firepower
        At full strength and reduced.
    hp : int
        Hit points.
    kept_reduced : bool
        Was reduced, and no repair flips it back [S-4].
    """

    weapon: str
    range: Range
    full: Firepower
    reduced: Firepower
    hp: int
    kept_reduced: bool


class Defence(NamedTuple):
    """What a unit shows to strikes."""

    symbol: str
    defense: int
    terrain: str
    hp: int


def fire(card: Card) -> str:
    """Return how a unit fires (3.3a): directly at a range of one, indirectly beyond, or not at all."""
    if card.range.max == 0:
        return UNARMED
    return DIRECT if card.range.max == 1 else INDIRECT


def offence(card: Card, moment: Moment, variant: Variant) -> Offence:
    """Return the attacker's half of its strikes."""
    kept_reduced = moment.own_repaired and not variant.unreduce_on_repair
    return Offence(fire(card), card.range, card.firepower, card.reduced, moment.own_hp, kept_reduced)


def defence(card: Card, moment: Moment) -> Defence:
    """Return the target's half."""
    return Defence(card.symbol, card.defense, moment.terrain, moment.target_hp)


def in_range(offence: Offence, range_in: float) -> bool:
    """Return whether a unit reaches so far, to strike or to strike back (3.4a) [S-5]."""
    return offence.weapon != UNARMED and offence.range.min <= range_in <= offence.range.max


def firepower(offence: Offence, symbol: str, hp: int) -> int:
    """Return the firepower against a symbol of a unit that has `hp` hit points (3.4a)."""
    side = offence.reduced if is_reduced(hp, offence.kept_reduced) else offence.full
    return int(getattr(side, symbol))


def initial_damage(offence: Offence, target: Defence, hp: int) -> int:
    """Return the firepower of an attacker of `hp` hit points less the target's defense (3.4a)."""
    return firepower(offence, target.symbol, hp) - target.defense


def strike(offence: Offence, target: Defence, range_in: float, hp: int) -> Cell:
    """Return the cell of the chart that a strike by an attacker of `hp` hit points is rolled on (3.4a)."""
    if not in_range(offence, range_in):
        return chart.NOTHING
    return chart.cell(initial_damage(offence, target, hp), target.terrain)


@cache
def blows(cells: tuple[Cell, ...], target_hp: int) -> Blows:
    """Return strikes as a table over conditions: hit points lost since the duel's start.

    Parameters
    ----------
    cells : tuple of Cell
        By what the attacker has lost: 0 to 7 hit points.
    target_hp : int
        What the target starts with.
    """
    chances = tuple(
        tuple(_condition_after(chart.hits(cell), lost, target_hp) for lost in range(HIT_POINTS)) for cell in cells
    )
    return Blows(chances, tuple(range(HIT_POINTS)))


def _condition_after(hits: Pmf, lost: int, target_hp: int) -> Pmf:
    def after(hits: int) -> int:
        left = struck(Health(target_hp - lost), hits).hp
        return target_hp - left if left else HIT_POINTS

    return dice.transform(hits, after)


def survey(offence: Offence, target: Defence, range_in: float) -> Survey:
    """Return what a unit does to a target at a distance, turn by turn and once."""
    cells = tuple(strike(offence, target, range_in, offence.hp - lost) for lost in range(HIT_POINTS))
    shot = _shot(offence, target, cells[0])
    return Survey(
        blows(cells, target.hp), shot, float(dice.mean(shot.effect)), _out_of_reach(offence, target, range_in)
    )


def _out_of_reach(offence: Offence, target: Defence, range_in: float) -> bool:
    """Return whether a unit would hit its target from nearer, or farther, but not from here (3.4a)."""
    if offence.weapon == UNARMED or in_range(offence, range_in):
        return False
    return strike(offence, target, offence.range.max, offence.hp) != chart.NOTHING


def shot(offence: Offence, target: Defence, range_in: float, weapon: str | None) -> Shot:
    """Return one strike, explained.

    Raises
    ------
    UsageError
        The unit has no such weapon.
    """
    if weapon is not None and weapon != offence.weapon:
        raise UsageError(f"weapon: {one_of(weapon, [offence.weapon])}")
    found = strike(offence, target, range_in, offence.hp)
    return _shot(offence, target, found)._replace(steps=_explain(offence, target, range_in, found))


def _shot(offence: Offence, target: Defence, cell: Cell) -> Shot:
    hits = chart.hits(cell)
    return Shot(offence.weapon, 1, {}, hits, (), p_kill=dice.chance_of_at_least(hits, target.hp))


def _explain(offence: Offence, target: Defence, range_in: float, found: Cell) -> tuple[Step, ...]:
    nearest, farthest = offence.range.min, offence.range.max
    squares = f"{nearest}" if nearest == farthest else f"{nearest}-{farthest}"
    steps = [Step("weapon", f"{offence.weapon}, range {squares}", "3.3a Movement and Combat")]
    if not in_range(offence, range_in):
        return (*steps, Step("range", f"{range_in:g}: out of range", "3.4a Ground Combat [S-5]"))
    power = firepower(offence, target.symbol, offence.hp)
    damage = initial_damage(offence, target, offence.hp)
    reduced = is_reduced(offence.hp, offence.kept_reduced)
    strength = f"{'reduced' if reduced else 'full strength'}, {offence.hp} hit points"
    more = f", one more on a die of {found.die} or less" if found.die else ""
    return (
        *steps,
        Step("range", f"{range_in:g}: in range", "3.4a Ground Combat [S-5]"),
        Step("firepower", f"{power} against {target.symbol} ({strength})", "3.4a Ground Combat [S-4]"),
        Step("initial damage", f"{power} - {target.defense} defense = {damage}", "3.4a Ground Combat [S-2]"),
        Step("hits", f"{damage} on {target.terrain}: {found.hits}{more}", "3.4a Ground Combat [S-1, S-9]"),
    )
