"""From two cards and a situation to the two halves of an attack: what the attacker brings, what the target shows."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar

from aabalance.rulesets.armored_advance.card import AiWeapon, AtWeapon, InfantryCard, Unit, is_primary, moves_in
from aabalance.rulesets.armored_advance.keywords import KEYWORDS, scout
from aabalance.rulesets.armored_advance.shot.sheets import Attack, Defence, Gun, Offence
from aabalance.rulesets.armored_advance.shot.tables import BOTH_MOVES, indirect_step
from aabalance.rulesets.armored_advance.situation import Moment
from aabalance.rulesets.armored_advance.variant import Variant

Sheet = TypeVar("Sheet", Attack, Offence, Defence)

GRENADE_IN = 6
GRENADE = Attack("grenade", "ai", ai="D6-2", reach=GRENADE_IN, thrown=True)
"""Over walls without penalty (p. 18)."""
SAFE_SQUADS = ("at_rifle", "sniper")
"""Squads that can only be targeted if they moved or fired in their previous turn (p. 19)."""


class Gone(NamedTuple):
    """How a unit moved, as far as an enemy's HE or indirect fire cares (p. 10, p. 15).

    Attributes
    ----------
    actions : int
        Actions spent on moving; more than two count as two.
    inches : float
        Distance moved. Distances of the same effect are given as one, so that tables stay small.
    """

    actions: int
    inches: float


STAYED = Gone(0, 0)


def gone(actions: int, inches: float) -> Gone:
    """Return how a unit moved, from the actions and the inches of its moves."""
    return Gone(min(actions, BOTH_MOVES), indirect_step(inches))


def as_target(moment: Moment, moved: Gone) -> Moment:
    """Return the moment of an attack, from how its target moved in its last turn."""
    return moment.model_copy(update={"target_moves": moved.actions, "target_moved_in": moved.inches})


@lru_cache(maxsize=8192)
def offence(card: Unit, moment: Moment) -> Offence:
    """Return all that a unit can fire in a turn; its keywords are applied, and walls are counted.

    It reads no rule switch, so that all readings of the rules have the same: it is cached.
    """
    guns = tuple((strength, _guns(card, strength, moment)) for strength in _strengths(card))
    sheet = Offence(guns=guns, actions=card.actions)
    if isinstance(card, InfantryCard) and card.equipment.grenades:
        grenade = scout(replace(GRENADE, kills=int(card.equipment.machine_gun)), 1, moment)
        sheet = replace(sheet, grenade=grenade, grenades=card.equipment.grenades)
    sheet = _with_keywords(sheet, "turn", card, moment)
    if not sheet.aimed:
        return sheet
    aims = tuple(_aims(guns[0] if guns else ()) for _, guns in sheet.guns)
    return replace(sheet, aims=aims, aimed_lobs=_aims(sheet.lobs))


def _aims(gun: Gun) -> Gun:
    return tuple(aimed(attack) for attack in gun if attack.kind != "ai")


def _strengths(card: Unit) -> tuple[int, ...]:
    """Return the strengths at which a unit's casualty codes change, falling; the last one is 1."""
    codes = [weapon.ai for weapon in card.weapons if isinstance(weapon, AiWeapon)]
    most = card.strength if isinstance(card, InfantryCard) else 1
    steps = {step.min for code in codes if not isinstance(code, str) for step in code if step.min <= most}
    return tuple(sorted(steps | {1}, reverse=True))


def _guns(card: Unit, strength: int, moment: Moment) -> tuple[Gun, ...]:
    guns: dict[str, list[Attack]] = {}
    for place, weapon in enumerate(card.weapons):
        attack = _attack(card, place, strength, moment)
        if is_primary(card, place):
            attack = _with_keywords(attack, "attack", card, moment)
        guns.setdefault(weapon.gun or f"weapon {place}", []).append(scout(attack, 1, moment))
    return tuple(tuple(gun) for gun in guns.values())


def _attack(card: Unit, place: int, strength: int, moment: Moment) -> Attack:
    weapon = card.weapons[place]
    # A field gun fires at advantage always (AA-12).
    gun = card.class_ == "field_gun"
    numbers: dict[str, Any]
    if isinstance(weapon, AtWeapon):
        numbers = {"penetration": weapon.penetration, "by_band": weapon.penetration_by_band, "damage": weapon.damage}
    elif isinstance(weapon, AiWeapon):
        numbers = {"ai": weapon.code(strength)}
    else:
        numbers = {"base": weapon.base, "n": weapon.n}
    attack = Attack(
        weapon=weapon.name,
        place=place,
        kind=weapon.kind,
        reach=weapon.range,
        advantage=gun or not moment.moved,
        shifted=moment.shifted and not gun,
        **numbers,
    )
    if isinstance(weapon, AiWeapon):
        if isinstance(card, InfantryCard) and card.equipment.machine_gun:
            attack = attack.change("machine gun", "+1 kill", "p. 18 Machine Gun [AA-38]", kills=1)
        return attack
    if isinstance(weapon, AtWeapon) and moment.walls:
        attack = attack.change("walls", f"{moment.walls} shot through", "p. 21 Walls [AA-18]", walls=moment.walls)
    if gun and moment.artillery_crew:
        attack = attack.change("artillery crew", "+1 on the roll", "p. 19 Artillery Crew [AA-62]", bonus=1)
    return attack


def defence(card: Unit, moment: Moment, variant: Variant) -> Defence:
    """Return what a unit shows to its attacker; its keywords and its cover are applied.

    Parameters
    ----------
    card : VehicleCard or InfantryCard
        The unit's card.
    moment : Moment
        As the attacker sees it.
    variant : Variant
        The rule switches.
    """
    numbers: dict[str, Any]
    if isinstance(card, InfantryCard):
        numbers = {"strength": card.strength, "immune": _immune(card, moment)}
    else:
        numbers = {"armor": getattr(card.armor, moment.facing), "side_armor": card.armor.side}
    # A field gun counts as stationary (AA-64).
    if card.class_ == "vehicle":
        moved_in = moment.target_moved_in
        by_moves = moves_in(card, moment.target_moves) if moved_in is None else moved_in
        numbers |= {"moves": moment.target_moves, "moved_in": by_moves}
    sheet = Defence(
        target=card.class_,
        weight=card.weight,
        hidden=moment.hidden,
        angling_adds=variant.angling == "add",
        in_cover_range=moment.in_cover_range,
        **numbers,
    )
    sheet = _with_keywords(sheet, "target", card, moment)
    sheet = _behind_foliage(sheet, moment, variant)
    if moment.sandbags and card.class_ == "field_gun":
        raised = {"increase": sheet.increase + 1, "armor": sheet.armor + 1}
        if moment.facing == "side":
            raised["side_armor"] = sheet.side_armor + 1
        sheet = sheet.change("sandbags", "+1 armour, +1 on the roll needed", "p. 21 Sandbags [AA-66]", **raised)
    elif moment.sandbags and card.class_ == "infantry":
        sheet = sheet.change("sandbags", "casualties halved, rounded down", "p. 21 Sandbags [AA-39]", halved=True)
    return sheet


def _immune(card: InfantryCard, moment: Moment) -> tuple[str, str] | None:
    """Return why a squad can't be attacked, and the rule; None if it can."""
    if moment.embarked:
        return "inside a transport", "p. 18 Embarkation"
    if moment.gun_shield:
        return f"behind {moment.gun_shield} armour of the field gun it mans", "p. 17 Field Guns"
    if card.squad in SAFE_SQUADS and not moment.target_active:
        return "neither moved nor fired in its previous turn", "p. 19 Special Squads [AA-52]"
    return None


def _behind_foliage(sheet: Defence, moment: Moment, variant: Variant) -> Defence:
    near_firer, near_target = moment.foliage_near_firer, moment.foliage_near_target
    on_page_8 = variant.foliage_rule == "range_plus_3"
    if on_page_8:
        pieces = near_target
    else:
        exempt = {"firer": near_firer, "target": near_target, "either": near_firer + near_target}
        pieces = moment.foliage - exempt[variant.foliage_exempt]
    if pieces <= 0:
        return sheet
    counted = pieces if variant.foliage_stacks else 1
    if on_page_8:
        extra = 3 * counted
        return sheet.change("foliage", f'{extra}" further away', "p. 8 Terrain Modifiers [AA-20]", extra_range_in=extra)
    increase = 2 * counted
    return sheet.change("foliage", f"+{increase} on the roll needed", "p. 21 Foliage [AA-20]", foliage=increase)


def _with_keywords(sheet: Sheet, acts_on: str, card: Unit, moment: Moment) -> Sheet:
    for name, value in card.keywords.items():
        keyword = KEYWORDS[name]
        if keyword.acts_on == acts_on:
            sheet = keyword.apply(sheet, value, moment)
    return sheet


def relevant(target: Defence, kinds: frozenset[str]) -> Defence:
    """Return what attacks of some kinds read of a defence; the rest is reset, so that a table has fewer cases.

    Parameters
    ----------
    target : Defence
        What the target shows.
    kinds : frozenset of str
        Kinds of attack, as in `Attack.kind`; `resolve` decides what each reads.
    """
    reset: dict[str, Any] = {}
    if "he" not in kinds:
        # Indirect fire is another way to fire high explosive.
        reset |= {"side_armor": 0, "weight": "medium", "moves": 0, "moved_in": 0, "in_cover_range": False}
    if "at" not in kinds:
        reset |= {"armor": 0, "weak_spot": False}
    return replace(target, **reset) if reset else target


def aimed(attack: Attack) -> Attack:
    """Return the single accurate shot of a weapon (p. 12 Accurate; AA-13, AA-14)."""
    return attack.change("accurate", "+1 on the roll, one shot", "p. 12 Accurate", bonus=attack.bonus + 1, attempts=1)
