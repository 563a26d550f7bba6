"""Fire combat: target numbers, dice, what fire does to a unit, and the blows of a duel."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from aabalance import dice
from aabalance.dice import Pmf
from aabalance.rulesets.armour_battles.pools import D6, TARGET_NUMBER, Effect, fire
from aabalance.rulesets.armour_battles.situation import Band, Evasion, Moves
from aabalance.rulesets.armour_battles.variant import IndirectHit, Opposed, SuppressionClears, Variant
from aabalance.rulesets.base import Blows

DISPERSED_AT = 3
"""Disruption points that remove a unit (Dispersal)."""

CONDITIONS = 2 * DISPERSED_AT
"""Conditions of a unit that is left: 0 to 2 disruption points, and the same suppressed. The next number: destroyed."""

LEAST_TARGET_NUMBER = 2
RANGE_MODIFIERS: dict[Band, int] = {"close": -1, "effective": 0, "long": +1}
MOVE_MODIFIERS: dict[Moves, int] = {"single": 0, "double": -1, "triple": -2}
EVASION_DICE = 2


class Modifier(NamedTuple):
    """Dice that come to a pool, or go.

    Attributes
    ----------
    label : str
    dice : int
    rule : str
        Section of the rulebook.
    """

    label: str
    dice: int
    rule: str


def range_band(range_in: float, ranges_in: tuple[float, float, float]) -> Band | None:
    """Return the band of a distance, None beyond long range; a distance on an edge is in the nearer band."""
    close, effective, long = ranges_in
    if range_in <= close:
        return "close"
    if range_in <= effective:
        return "effective"
    return "long" if range_in <= long else None


def fire_target_number(band: Band, flank: bool) -> int:
    """Return what a direct fire die has to show (Direct Fire); never below 2 or above 6 [B-7]."""
    return min(D6, max(LEAST_TARGET_NUMBER, TARGET_NUMBER + RANGE_MODIFIERS[band] - flank))


def fire_modifiers(ambush: bool, moves: Moves) -> tuple[Modifier, ...]:
    """Return the dice that direct fire gains and loses (Direct Fire)."""
    rule = "Fire Combat: Direct Fire"
    found = (Modifier("ambush", int(ambush), rule), Modifier(f"{moves} move", MOVE_MODIFIERS[moves], f"{rule} [B-11]"))
    return tuple(modifier for modifier in found if modifier.dice)


def reaction_modifiers(
    light_cover: bool, uphill: bool, evasion: Evasion, open_topped_to_indirect: bool
) -> tuple[Modifier, ...]:
    """Return the dice that the target's reaction gains and loses (Reaction Checks)."""
    rule = "Fire Combat: Reaction Checks"
    found = (
        Modifier("light cover", int(light_cover), rule),
        Modifier("uphill of the firer", int(uphill), rule),
        Modifier(evasion.replace("_", " "), EVASION_DICE * (evasion != "stands"), rule),
        Modifier("open-topped", -int(open_topped_to_indirect), rule),
    )
    return tuple(modifier for modifier in found if modifier.dice)


def wild_dice_modifier(number: int) -> tuple[Modifier, ...]:
    """Return wild dice as dice added to a roll (Wild Dice); each is rolled with the rest."""
    return (Modifier("wild dice", number, "Wild Dice"),) if number else ()


def pool(number: int, modifiers: Sequence[Modifier]) -> int:
    """Return the dice of a roll; no fewer than none."""
    return max(0, number + sum(modifier.dice for modifier in modifiers))


def reaction_target_number(suppressed: bool) -> int:
    """Return what a reaction die has to show (Reaction Checks)."""
    return TARGET_NUMBER + suppressed


def condition(points: int, suppressed: bool) -> int:
    """Return the number of a unit's condition; `CONDITIONS` once it is dispersed (Dispersal)."""
    return CONDITIONS if points >= DISPERSED_AT else points + DISPERSED_AT * suppressed


def disruption_points(condition: int) -> int:
    """Return the disruption points of a unit that is left."""
    return condition % DISPERSED_AT


def is_suppressed(condition: int) -> bool:
    """Return whether a unit that is left is suppressed."""
    return condition >= DISPERSED_AT


def hit(before: int, effect: Effect) -> int:
    """Return the condition of a unit after fire (Disruption Points, Dispersal, Suppression)."""
    return condition(disruption_points(before) + effect.points, is_suppressed(before) or effect.suppresses)


def forced_back(suppressed: bool, effect: Effect) -> bool:
    """Return whether fire forces its target back, which may have been `suppressed` before (Forced Back)."""
    return (suppressed or effect.suppresses) and 1 <= effect.points < DISPERSED_AT


def can_act(condition: int) -> bool:
    """Return whether a unit may fire, be rallied and be in a command group: not while suppressed."""
    return not is_suppressed(condition)


def regroup(condition: int, clears: SuppressionClears = "regroup") -> int:
    """Return the condition of a unit after a pulse of its own that it spent regrouping [B-5]."""
    return condition if clears == "never" else disruption_points(condition)


def army_morale_lost(dispersed: int) -> Pmf:
    """Return the army morale points that dispersed units cost: a D3 each (Dispersal)."""
    return dice.pool([dice.die(3)] * dispersed)


def points_taken(fired: Mapping[Effect, Fraction]) -> Pmf:
    """Return the disruption points of fire, suppression apart."""
    return dice.transform(fired, lambda effect: effect.points)


def fired_at(
    before: int,
    number: int,
    target_number: int,
    reaction_dice: int,
    opposed: Opposed,
    indirect_hit: IndirectHit | None = None,
) -> Pmf:
    """Return the condition of a unit after fire at it; parameters as for `pools.fire`."""
    reaction = reaction_target_number(is_suppressed(before))
    effects = fire(number, target_number, reaction_dice, reaction, opposed, indirect_hit)
    return dice.transform(effects, lambda effect: hit(before, effect))


def group_fire(dice_by_unit: Sequence[int], target_number: int, reaction_dice: int, variant: Variant) -> Pmf:
    """Return the condition of a fresh unit after a command group's direct fire at it [B-12].

    Parameters
    ----------
    dice_by_unit : sequence of int
        Of the group's units, in the order in which they fire.
    """
    volleys = [sum(dice_by_unit)] if variant.group_fire == "pooled" else dice_by_unit

    def fires(number: int) -> Callable[[int], Pmf]:
        def at(before: int) -> Pmf:
            lost = before == CONDITIONS
            return dice.constant(before) if lost else fired_at(before, number, target_number, reaction_dice, opposed)

        return at

    opposed = variant.opposed
    return dice.sequence(0, [fires(number) for number in volleys])


@lru_cache(maxsize=16384)
def blows(
    number: int,
    target_number: int,
    reaction_dice: int,
    opposed: Opposed,
    clears: SuppressionClears,
    indirect_hit: IndirectHit | None = None,
) -> Blows:
    """Return a pulse of a duel: a unit fires, or regroups if it is suppressed; parameters as for `pools.fire`."""
    fires = tuple(
        fired_at(enemy, number, target_number, reaction_dice, opposed, indirect_hit) for enemy in range(CONDITIONS)
    )
    regroups = tuple(dice.constant(enemy) for enemy in range(CONDITIONS))
    return Blows(
        tuple(fires if can_act(own) else regroups for own in range(CONDITIONS)),
        tuple(own if can_act(own) else regroup(own, clears) for own in range(CONDITIONS)),
    )
