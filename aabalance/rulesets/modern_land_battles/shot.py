"""One attack: the attacker's and the target's half, the dice that are rolled, and which attack is best.

Sections are those of the rulebook, which has no page numbers. M-n are the open points of ``rulebook.toml``.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from aabalance import dice
from aabalance.dice import Pmf
from aabalance.errors import UsageError, counted, one_of
from aabalance.rulesets.base import Shot, Step
from aabalance.rulesets.modern_land_battles.card import ATTACKS, AttackCard, Card, extra_dice
from aabalance.rulesets.modern_land_battles.situation import ROWS, Moment, row_at, rows_away
from aabalance.rulesets.modern_land_battles.variant import Variant

D10 = 10
DICE = 4
CERTAIN = 1
IMPOSSIBLE = D10 + 1

SMALL_ARMS_ROWS = 1
CANNON_ROWS = 2
MISSILE_ROWS = (1, 2)


# --- dice and ranges --------------------------------------------------------------------------------------------------


def dice_rolled(own_hits: int, extra_dice: int = 0) -> int:
    """Return the number of dice of an Attack or Maneuver: 4, less one for each Hit suffered, and extra dice.

    Sources: Damaging a Force Card; M-10.
    """
    return DICE - own_hits + extra_dice


def needed(value: int, bonus: int, natural_rules: bool = False) -> int:
    """Return the natural roll of a D10 that an Armor or Maneuver value needs (Damaging a Force Card; M-6, M-7).

    Parameters
    ----------
    value : int
        Armor of the target, or the Maneuver value of the Force card that acts.
    bonus : int
        Sum of all that is added to the roll.
    natural_rules : bool
        Whether a natural 10 succeeds and a natural 1 fails, whatever is added.

    Returns
    -------
    int
        From `CERTAIN` to `IMPOSSIBLE`.
    """
    least, most = (CERTAIN + 1, D10) if natural_rules else (CERTAIN, IMPOSSIBLE)
    return min(max(value - bonus, least), most)


@lru_cache(maxsize=4096)
def successes(rolled: int, need: int, stopped: int = 0) -> Pmf:
    """Return the distribution of the successes of `rolled` dice, less those that a reaction stops (Reaction).

    Parameters
    ----------
    rolled : int
        Number of dice.
    need : int
        Natural roll that each needs.
    stopped : int
        Largest number of successes that a reaction stops.
    """
    success = dice.bernoulli(dice.at_least(D10, need), dice.constant(1))
    return stop(dice.pool([success] * rolled), stopped)


def stop(rolled: Pmf, stopped: int) -> Pmf:
    """Return the distribution of the Hits or successes that are left when a reaction stops up to `stopped` of them.

    Source: Defense Cards.
    """
    return dice.transform(rolled, lambda count: max(0, count - stopped))


def in_range(symbol: str, attacker_row: int, target_row: int, reach: int = 0) -> bool:
    """Return whether an Attack symbol reaches from one Row to another (Determining Range, Artillery Attack; M-5).

    Parameters
    ----------
    symbol : {"small_arms", "cannon", "missile", "artillery"}
        The Attack symbol.
    attacker_row, target_row : int
        Rows of both, each counted from the front of its own Formation.
    reach : int
        Number of Rows beside the Artillery symbol.
    """
    if symbol == "missile":
        return attacker_row in MISSILE_ROWS and target_row in MISSILE_ROWS
    most = {"small_arms": SMALL_ARMS_ROWS, "cannon": CANNON_ROWS, "artillery": reach}[symbol]
    return rows_away(attacker_row, target_row) <= most


def range_defense(row: int) -> int:
    """Return how much higher Close Air Support and Artillery have to roll against a Row (Optional: Range Defense)."""
    return row - 1


# --- the two halves ---------------------------------------------------------------------------------------------------


class Attack(NamedTuple):
    """One Attack symbol of a Force card, with what the situation adds to it.

    Attributes
    ----------
    symbol : str
        Name of the symbol.
    modifier, superior : int
        What is added to each die: the number beside the symbol, and 1 for each Superior counter.
    extra_dice : int
        Number of dice that the Action card adds.
    played : str or None
        The Action card that is played; None for Artillery, which needs none.
    reach : int
        Number of Rows that Artillery reaches.
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
    """The target's half: its Armor, and how many Hits of each attack a reaction stops."""

    armor: int
    stopped: int


def offence(card: Card, moment: Moment) -> Offence:
    """Return the attacker's half: a card's Attack symbols, with the moment's Superior counters and Action card."""
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
    """Return the target's half: the Armor of a card, and what its player's reactions stop."""
    return Defence(card.armor, moment.enemy_stops)


# --- the attack -------------------------------------------------------------------------------------------------------


class Roll(NamedTuple):
    """What is rolled in an attack on a target.

    Attributes
    ----------
    extra_dice, need : int
        Number of dice in addition to those that the attacker's Hits leave it, and the natural roll that hits.
    stopped : int
        Largest number of Hits that a reaction stops.
    """

    extra_dice: int
    need: int
    stopped: int


NO_ATTACK = Roll(0, IMPOSSIBLE, 0)
NO_SHOT = Shot("none", 0, {}, dice.constant(0), ())


def resolve(
    attack: Attack, row: int, target: Defence, range_in: float, variant: Variant, steps: list[Step] | None = None
) -> Roll:
    """Return what is rolled in an attack (Play a Card, Artillery Attack).

    Parameters
    ----------
    attack : Attack
        The Attack symbol that is used.
    row : int
        Row of the attacker.
    target : Defence
        The target's half.
    range_in : float
        Distance in Rows.
    variant : Variant
        The rule switches.
    steps : list of Step, optional
        Takes a step for each decision, for an attacker without Hits.
    """
    steps = [] if steps is None else steps
    steps.append(_weapon_step(attack))
    target_row = row_at(row, range_in)
    if (obstacle := _obstacle(attack, row, target_row)) is not None:
        steps.append(Step("no attack", *obstacle))
        return NO_ATTACK
    deeper = range_defense(target_row) if variant.range_defense and attack.symbol == "artillery" else 0
    need = needed(target.armor + deeper, attack.modifier + attack.superior, variant.d10_natural_rules)
    away = f"from Row {row} to Row {target_row}, {rows_away(row, target_row)} away"
    steps.append(Step("range", away, "Attack Range [M-5]"))
    steps.append(Step("armor", f"{target.armor}+", "Damaging a Force Card"))
    if attack.modifier:
        steps.append(Step("modifier", f"{attack.modifier:+d} next to the symbol", "Damaging a Force Card"))
    if attack.superior:
        steps.append(Step("superior", f"{attack.superior:+d} for Superior counters", "Superior Counters [M-2]"))
    if deeper:
        steps.append(Step("range defense", f"Row {target_row}: {deeper} higher", "Optional Rules: Range Defense"))
    steps.append(Step("need", _need(need), "Damaging a Force Card [M-6, M-7]"))
    chance = dice.at_least(D10, need)
    steps.append(Step("probability", f"{chance} = {float(chance):.4f} each die", "Damaging a Force Card"))
    steps.append(Step("dice", str(dice_rolled(0)), "Damaging a Force Card [M-10]"))
    if attack.played and attack.extra_dice:
        steps.append(Step("extra dice", f"{attack.extra_dice:+d}", f"Action Cards: {_title(attack.played)}"))
    if target.stopped:
        steps.append(Step("reaction", f"stops up to {counted(target.stopped, 'Hit')}", "Defense Cards [M-4]"))
    return Roll(attack.extra_dice, need, target.stopped)


def _obstacle(attack: Attack, row: int, target_row: int) -> tuple[str, str] | None:
    """Return why an attack can't be made, and the rule; None if it can."""
    missing = next((each for each in (row, target_row) if each not in ROWS), None)
    if missing is not None:
        return f"no Row {missing}: a Formation has Rows 1 to 3", "Force Formation"
    if attack.played is not None:
        play = ATTACKS[attack.played]
        if attack.symbol not in play.symbols:
            needed = " or ".join(map(_title, play.symbols))
            return f"{_title(attack.played)} needs {needed}", "Play a Card: How to Attack"
        if play.first_to_any_row:
            return None if row == 1 else ("Raid starts in the 1st Row", "Action Cards: Raid")
    if not in_range(attack.symbol, row, target_row, attack.reach):
        return f"out of range from Row {row} to Row {target_row}", "Determining Range [M-5]"
    return None


def hits_of(roll: Roll, own_hits: int) -> Pmf:
    """Return the distribution of the Hits of an attack by a Force card that has suffered `own_hits` itself."""
    return successes(dice_rolled(own_hits, roll.extra_dice), roll.need, roll.stopped)


@lru_cache(maxsize=65536)
def chosen(options: tuple[Roll, ...], own_hits: int) -> int:
    """Return the index of the attack with the largest mean number of Hits; of equal ones the first (M-14)."""
    return max(range(len(options)), key=lambda n: dice.mean(hits_of(options[n], own_hits)))


def shot(offence: Offence, target: Defence, range_in: float, variant: Variant, weapon: str | None) -> Shot:
    """Return one attack of a card without Hits, with its explanation.

    Parameters
    ----------
    offence : Offence
        The attacker's half.
    target : Defence
        The target's half.
    range_in : float
        Distance in Rows.
    variant : Variant
        The rule switches.
    weapon : str or None
        Name of an Attack symbol; None: the one with the largest mean number of Hits.

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
    best = chosen(tuple(resolve(attack, offence.row, target, range_in, variant) for attack in attacks), 0)
    steps: list[Step] = []
    roll = resolve(attacks[best], offence.row, target, range_in, variant, steps)
    return shot_of(attacks[best], roll, tuple(steps))


def shot_of(attack: Attack, roll: Roll, steps: tuple[Step, ...] = ()) -> Shot:
    """Return a resolved attack of a card without Hits as a `Shot`.

    Parameters
    ----------
    attack : Attack
        The Attack symbol that is used.
    roll : Roll
        From `resolve`.
    steps : tuple of Step
        From `resolve`; empty in tables.
    """
    need = None if roll.need == IMPOSSIBLE else roll.need
    return Shot(attack.symbol, dice_rolled(0, roll.extra_dice), {"need": need}, hits_of(roll, 0), steps)


def _weapon_step(attack: Attack) -> Step:
    if attack.played is None:
        return Step("weapon", "Artillery, which needs no Action card", "Artillery Attack")
    card = f"{_title(attack.symbol)}, by the Action card {_title(attack.played)}"
    return Step("weapon", card, "Play a Card: How to Attack")


def _need(need: int) -> str:
    if need == IMPOSSIBLE:
        return "impossible"
    return "certain" if need == CERTAIN else f"{need}+"


def _title(name: str) -> str:
    return name.replace("_", " ").title()
