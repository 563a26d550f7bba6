"""What a side does in its turn of a battle.

All units hold, and every two enemies are the same number of squares apart. Each unit fires once in a turn,
at an enemy within its range (3.3a), who strikes back. Any number of units may act. A side without units has lost; this
is the conquest of 4.0, without the HQ. What a unit counts for is its printed cost.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from aabalance import dice
from aabalance.rulesets.base import Dice, Fighter, Force, Gun, SituationMix, Strike
from aabalance.rulesets.skirmish_wars import shot
from aabalance.rulesets.skirmish_wars.card import Card
from aabalance.rulesets.skirmish_wars.situation import Moment, Situation
from aabalance.rulesets.skirmish_wars.variant import Variant


def forces(
    lists: tuple[Sequence[Card], Sequence[Card]],
    mix: SituationMix[Situation],
    range_in: float,
    variant: Variant,
    *,
    explain: bool = False,
) -> tuple[Force, Force]:
    """Return both sides of a battle, whose strikes get no steps; see `aabalance.rulesets.base.Ruleset.forces`."""
    [seen_by_a] = mix  # a single view: units have no faces, and only games with a limit of actions weigh situations
    seen_by_b = seen_by_a.mirrored(range_in)
    return _force(*lists, _at(seen_by_a, range_in), variant), _force(*lists[::-1], _at(seen_by_b, range_in), variant)


def _at(situation: Situation, range_in: float) -> Moment:
    return Moment(**dict(situation), range_in=range_in)


def _force(own: Sequence[Card], enemies: Sequence[Card], moment: Moment, variant: Variant) -> Force:
    shown = [shot.defence(enemy, moment) for enemy in enemies]
    fighters = {card: _fighter(card, shown, moment, variant) for card in dict.fromkeys(own)}
    return tuple(fighters[card] for card in own)


def _fighter(card: Card, enemies: Sequence[shot.Defence], moment: Moment, variant: Variant) -> Fighter:
    """Return a unit as battles take it: its one weapon, and what a strike does to each of the enemies."""
    return Fighter(
        name=card.name,
        toughness=moment.own_hp,
        actions=1,
        free=False,
        cost=card.cost,
        counts=True,
        guns=(Gun(),),
        strikes=tuple(_strikes(card, enemies, moment, variant)),
    )


def _strikes(card: Card, enemies: Sequence[shot.Defence], moment: Moment, variant: Variant) -> Iterator[Strike]:
    """Yield a unit's strikes: one at full strength, and one while it is reduced (3.4a)."""
    own = shot.offence(card, moment, variant)
    for reduced in (False, True):
        hit_points = [hp for hp in range(1, own.hp + 1) if shot.is_reduced(hp, own.kept_reduced) == reduced]
        if hit_points:
            cells = [shot.strike(own, enemy, moment.range_in, hit_points[0]) for enemy in enemies]
            yield Strike(
                weapon=own.weapon,
                gun=0,
                attacks=1,
                actions=1,
                least=hit_points[0],
                most=hit_points[-1],
                effects=tuple((shot.hits(cell),) for cell in cells),
                dice=tuple((((Fraction(1), Dice(1, dice.ONE, dice.ONE, shot.thrown(cell))),),) for cell in cells),
                return_fire=True,
            )
