"""From two Force cards and a situation to one attack: put the two halves together, resolve them, explain the result."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from aabalance import dice
from aabalance.errors import UsageError, one_of
from aabalance.rulesets.base import Blows, Shot, Step, Survey
from aabalance.rulesets.modern_land_battles import rules
from aabalance.rulesets.modern_land_battles.action_cards import ATTACKS, AttackCard, extra_dice
from aabalance.rulesets.modern_land_battles.card import Card
from aabalance.rulesets.modern_land_battles.situation import Moment
from aabalance.rulesets.modern_land_battles.variant import Variant

NO_SHOT = Shot("none", 0, {}, dice.constant(0), ())
CONDITIONS = range(rules.DESTROYED)


class Attack(NamedTuple):
    """One Attack symbol of a Force card, with what the situation adds to it.

    Attributes
    ----------
    symbol : str
    modifier, superior : int
        Added to each die: what stands beside the symbol, and a point for each Superior counter.
    extra_dice : int
    played : str or None
        The Action card; None for Artillery, which needs none.
    reach : int
        Rows that Artillery reaches.
    """

    symbol: str
    modifier: int
    superior: int
    extra_dice: int = 0
    played: AttackCard | None = None
    reach: int = 0


class Offence(NamedTuple):
    """The attacker's half: its Row, and its Attack symbols."""

    row: int
    attacks: tuple[Attack, ...]


class Defence(NamedTuple):
    """The target's half: its Armor, and the Hits that a reaction stops of each attack."""

    armor: int
    stopped: int


class Roll(NamedTuple):
    """An attack on a target.

    Attributes
    ----------
    extra_dice, need : int
        Dice beside those that the attacker's Hits leave, and the natural roll that hits.
    deeper : int
        What Range Defense adds to the Armor.
    no_attack : Step or None
        Why the attack can't be made at all.
    """

    extra_dice: int
    need: int
    deeper: int = 0
    no_attack: Step | None = None


def offence(card: Card, moment: Moment) -> Offence:
    """Return the Attack symbols of a card with modifiers, Superior counters and the Action card put in."""
    played = moment.action_card
    superior = max(0, moment.superior_counters) if moment.area == "breakthrough" else 0
    more = extra_dice(played, moment.area)
    weapons = card.weapons
    modifiers = {"small_arms": weapons.small_arms, "cannon": weapons.cannon, "missile": weapons.missile}
    attacks = [
        Attack(symbol, modifier, superior, more, played)
        for symbol, modifier in modifiers.items()
        if modifier is not None
    ]
    if weapons.artillery is not None:
        reach, modifier = weapons.artillery.range, weapons.artillery.modifier
        attacks.append(Attack("artillery", modifier, superior, reach=reach))
    return Offence(moment.attacker_row, tuple(attacks))


def defence(card: Card, moment: Moment) -> Defence:
    """Return the Armor of a card, and what its player's reactions stop."""
    return Defence(card.armor, moment.enemy_stops)


def resolve(attack: Attack, row: int, target: Defence, range_in: float, variant: Variant) -> Roll:
    """Return what an attack from a Row rolls against a target so many Rows away (Play a Card, Artillery Attack)."""
    target_row = rules.row_at(row, range_in)
    no_attack = _no_attack(attack, row, target_row)
    if no_attack:
        return Roll(0, rules.IMPOSSIBLE, no_attack=no_attack)
    deeper = rules.range_defense(target_row) if variant.range_defense and attack.symbol == "artillery" else 0
    bonus = attack.modifier + attack.superior
    return Roll(attack.extra_dice, rules.needed(target.armor + deeper, bonus, variant.d10_natural_rules), deeper)


def _no_attack(attack: Attack, row: int, target_row: int) -> Step | None:
    missing = next((each for each in (row, target_row) if each not in rules.ROWS), None)
    if missing is not None:
        return Step("no attack", f"no Row {missing}: a Formation has Rows 1 to 3", "Force Formation")
    if attack.played is not None:
        play = ATTACKS[attack.played]
        if attack.symbol not in play.symbols:
            wanted = " or ".join(map(_title, play.symbols))
            return Step("no attack", f"{_title(attack.played)} needs {wanted}", "Play a Card: How to Attack")
        if play.first_to_any_row:
            return None if row == 1 else Step("no attack", "Raid starts in the 1st Row", "Action Cards: Raid")
    if not rules.in_range(attack.symbol, row, target_row, attack.reach):
        return Step("no attack", f"out of range from Row {row} to Row {target_row}", "Determining Range [M-5]")
    return None


@lru_cache(maxsize=65536)
def chosen(options: tuple[tuple[int, int], ...], own_hits: int, stopped: int) -> int:
    """Return which of some pairs of extra dice and need has the largest mean effect; of equals the first (M-14)."""
    return max(range(len(options)), key=lambda n: dice.mean(_effect(*options[n], own_hits, stopped)))


def _effect(extra: int, need: int, own_hits: int, stopped: int) -> dice.Pmf:
    return rules.successes(rules.dice_rolled(own_hits, extra), need, stopped)


@lru_cache(maxsize=65536)
def _blows(rolled: tuple[tuple[int, int], ...], stopped: int) -> Blows:
    """Return the blows of a card that has these dice and this need by its own Hits; strictly its own Hits remain."""
    hits = [rules.successes(count, need, stopped) for count, need in rolled]
    chances = tuple(tuple(rules.damaged(enemy, pmf) for enemy in CONDITIONS) for pmf in hits)
    return Blows(chances, tuple(CONDITIONS))


HARMLESS = _blows(((0, rules.IMPOSSIBLE),) * rules.DESTROYED, 0)


def survey(offence: Offence, target: Defence, range_in: float, variant: Variant) -> Survey:
    """Return the best attack at each of the attacker's conditions, and that of a fresh attacker.

    Every turn is an attack: both sides need a Prepare as often, so it changes neither the winner nor the number of
    attacks.
    """
    if not offence.attacks:
        return Survey(HARMLESS, NO_SHOT, 0.0)
    found = [resolve(attack, offence.row, target, range_in, variant) for attack in offence.attacks]
    options = tuple((roll.extra_dice, roll.need) for roll in found)
    best = [options[chosen(options, own, target.stopped)] for own in CONDITIONS]
    if all(need == rules.IMPOSSIBLE for _, need in best):
        blows = HARMLESS
    else:
        rolled = tuple((rules.dice_rolled(own, extra), need) for own, (extra, need) in enumerate(best))
        blows = _blows(rolled, target.stopped)
    n = chosen(options, 0, target.stopped)
    fresh = _shot(offence.attacks[n], found[n], target)
    expected = float(dice.mean(fresh.effect))
    unreached = not expected and any(
        _out_of_reach(attack, offence.row, target, range_in, variant) for attack in offence.attacks
    )
    return Survey(blows, fresh, expected, unreached)


def _out_of_reach(attack: Attack, row: int, target: Defence, range_in: float, variant: Variant) -> bool:
    """Return whether an attack would hit its target in another Row of its Formation, but doesn't reach this one."""
    target_row = rules.row_at(row, range_in)
    if target_row not in rules.ROWS or rules.in_range(attack.symbol, row, target_row, attack.reach):
        return False
    rows = (resolve(attack, row, target, rules.rows_away(row, other), variant) for other in rules.ROWS)
    return any(dice.mean(_effect(roll.extra_dice, roll.need, 0, target.stopped)) for roll in rows)


def shot(offence: Offence, target: Defence, range_in: float, variant: Variant, weapon: str | None) -> Shot:
    """Return one attack of a fresh card explained, with `weapon` or with the symbol of largest expected effect.

    Raises
    ------
    UsageError
        The card has no such symbol.
    """
    attacks = offence.attacks
    if weapon is not None:
        attacks = tuple(attack for attack in attacks if attack.symbol == weapon)
        if not attacks:
            raise UsageError(f"weapon: {one_of(weapon, [attack.symbol for attack in offence.attacks])}")
    if not attacks:
        return NO_SHOT
    found = [resolve(attack, offence.row, target, range_in, variant) for attack in attacks]
    n = chosen(tuple((roll.extra_dice, roll.need) for roll in found), 0, target.stopped)
    steps = _explain(attacks[n], offence.row, target, range_in, found[n])
    return _shot(attacks[n], found[n], target)._replace(steps=steps)


def _shot(attack: Attack, roll: Roll, target: Defence) -> Shot:
    need = None if roll.need == rules.IMPOSSIBLE else roll.need
    effect = _effect(roll.extra_dice, roll.need, 0, target.stopped)
    return Shot(attack.symbol, rules.dice_rolled(0, roll.extra_dice), {"need": need}, effect, ())


def _explain(attack: Attack, row: int, target: Defence, range_in: float, roll: Roll) -> tuple[Step, ...]:
    if attack.played is None:
        steps = [Step("weapon", "Artillery, which needs no Action card", "Artillery Attack")]
    else:
        card = f"{_title(attack.symbol)}, by the Action card {_title(attack.played)}"
        steps = [Step("weapon", card, "Play a Card: How to Attack")]
    if roll.no_attack:
        return (*steps, roll.no_attack)
    target_row = rules.row_at(row, range_in)
    away = f"from Row {row} to Row {target_row}, {rules.rows_away(row, target_row)} away"
    steps.append(Step("range", away, "Attack Range [M-5]"))
    steps.append(Step("armor", f"{target.armor}+", "Damaging a Force Card"))
    if attack.modifier:
        steps.append(Step("modifier", f"{attack.modifier:+d} beside the symbol", "Damaging a Force Card"))
    if attack.superior:
        steps.append(Step("superior", f"{attack.superior:+d} for Superior counters", "Superior Counters [M-2]"))
    if roll.deeper:
        steps.append(Step("range defense", f"Row {target_row}: {roll.deeper} higher", "Optional Rules: Range Defense"))
    steps.append(Step("need", _need(roll.need), "Damaging a Force Card [M-6, M-7]"))
    chance = dice.at_least(rules.D10, roll.need)
    steps.append(Step("probability", f"{chance} = {float(chance):.4f} each die", "Damaging a Force Card"))
    steps.append(Step("dice", str(rules.dice_rolled(0)), "Damaging a Force Card [M-10]"))
    if roll.extra_dice:
        assert attack.played is not None
        steps.append(Step("extra dice", f"{roll.extra_dice:+d}", f"Action Cards: {_title(attack.played)}"))
    if target.stopped:
        steps.append(Step("reaction", f"stops up to {target.stopped} Hits", "Defense Cards [M-4]"))
    return tuple(steps)


def _need(need: int) -> str:
    if need == rules.IMPOSSIBLE:
        return "impossible"
    return "certain" if need == rules.CERTAIN else f"{need}+"


def _title(name: str) -> str:
    return name.replace("_", " ").title()
