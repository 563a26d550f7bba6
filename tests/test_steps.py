"""How an attack explains itself: what changed the numbers that it goes by, and each decision (Armored Advance)."""

from __future__ import annotations

from typing import Any

import pytest
from handmade import ai, at, field_gun, he, squad, vehicle

import aabalance as aab
from aabalance.rulesets.armored_advance.shot import halves
from aabalance.rulesets.armored_advance.shot.resolve import resolve
from aabalance.rulesets.armored_advance.shot.sheets import Defence, Watched
from aabalance.rulesets.armored_advance.situation import Moment
from aabalance.rulesets.armored_advance.variant import Variant
from aabalance.rulesets.base import Step

Steps = list[tuple[str, str, str]]


def steps(
    attacker: Any, target: Any, variant: dict[str, Any] | None = None, weapon: str | None = None, **situation: Any
) -> Steps:
    """The steps of an attack as plain tuples."""
    game = aab.Game(variant=variant or {})
    return [tuple(step) for step in game.shot(attacker, target, weapon=weapon, **{"range_in": 6, **situation}).steps]


def said(*args: Any, **words: Any) -> dict[str, str]:
    """What the steps of an attack say, by their labels."""
    found = {label: value for label, value, _ in steps(*args, **words)}
    assert len(found) == len(steps(*args, **words))
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("penetration", "situation", "told"),
    [
        (8, {}, "a natural 3 is rolled again"),  # as much as the armour: 4+
        (10, {}, None),  # certain
        (1, {}, None),  # impossible
        (8, {"moved": True}, "no: moved before firing"),
    ],
)
def test_steps__an_advantage_is_told_where_a_die_may_be_rolled_again(
    penetration: int, situation: dict[str, Any], told: str | None
) -> None:
    assert said(vehicle(at(penetration)), vehicle(armor=8), **situation).get("advantage") == told


# --- whole attacks, by hand from the rulebook


def test_steps__of_a_shot() -> None:
    target = vehicle(armor=9, keywords={"weak_spot": True})
    gun = vehicle(at(10, 14))
    # Band 2 and 2 more are 4; one short is 5+ at a weak spot; 5 less 3 is 2; a 1 is rolled again: 5/6 + 1/6 x 5/6.
    assert steps(gun, target, range_in=12, walls=1, foliage=1, scout_in=6) == [
        ("weapon", "weapon 1 (AT)", "p. 5 Selecting a Target"),
        ("walls", "1 shot through", "p. 21 Walls [AA-18]"),
        ("scout", '6" from the target: +3 on the roll', "p. 11 Scout [AA-43]"),
        ("weak_spot", "5+ at -1, 6+ at -2", "p. 7 Armor Penetration Roll"),
        ("foliage", "+2 on the roll needed", "p. 21 Foliage [AA-20]"),
        ("range band", '12" needs 2+', "p. 6 Hit Roll [AA-2]"),
        ("requirement", "2+ and 2 more, 6+ at most", "p. 21 [AA-5]"),
        ("margin", "penetration 8 - armour 9 = -1", "p. 7 Armor Penetration Roll"),
        ("penetration", '5+ "weak spot"', "p. 7 Armor Penetration Roll"),
        ("bonus", "+3 on the whole roll", "p. 5 Shooting [AA-8]"),
        ("need", "2+", "p. 5 Shooting [AA-1: one_die]"),
        ("advantage", "a natural 1 is rolled again", "p. 8 State Modifiers [AA-9]"),
        ("probability", "35/36 = 0.9722", "p. 5 Shooting"),
        ("damage", "14 hit points a hit", "p. 9 Damage"),
    ]


def test_steps__of_two_dice() -> None:
    # Band 4: 4 less 3 is certain; as much as the armour is 4+ on the other die, which no scout helps.
    told = said(vehicle(at(8)), vehicle(armor=8), {"resolution": "two_dice"}, range_in=24, scout_in=6)
    assert told["bonus"] == "+3 on the hit die"
    assert told["need"] == "hit certain, penetration 4+"
    assert told["probability"] == "1/2 = 0.5000"


def test_steps__high_explosive_has_no_penetration_die_of_two() -> None:
    # Band 5 and +1 against a medium target: 4+, of which a 3 is rolled again: 1/2 + 1/6 x 1/2.
    told = said(vehicle(he()), vehicle(armor=0), {"resolution": "two_dice"}, range_in=30)
    assert (told["need"], told["probability"]) == ("4+", "7/12 = 0.5833")
    assert told["advantage"] == "a natural 3 is rolled again"


HIT, PENETRATION = "a hit die of", "a penetration die of"
ROLLED_AGAIN = [
    # At 18": a 3 to hit (2/3, again 1/9), a 4 to penetrate (1/2, again 1/12).
    (18, {}, f"{HIT} 2 is rolled again", "7/18"),
    (18, {"reroll_scope": "both"}, f"{HIT} 2 or {PENETRATION} 3 is rolled again", "49/108"),
    (24, {"reroll_scope": "both"}, f"{HIT} 3 or {PENETRATION} 3 is rolled again", "49/144"),
    (6, {"reroll_scope": "both"}, f"{PENETRATION} 3 is rolled again", "7/12"),
    # A 2 that is rolled until it is none leaves five faces, of which four hit.
    (18, {"reroll_limit": None}, f"{HIT} 2 is rolled again as often as it falls", "2/5"),
    (24, {"resolution": "one_die", "reroll_limit": None}, "a natural 3 is rolled again as often as it falls", "3/5"),
]


@pytest.mark.parametrize(("range_in", "variant", "words", "p"), ROLLED_AGAIN)
def test_steps__name_the_die_that_is_rolled_again(range_in: int, variant: dict[str, Any], words: str, p: str) -> None:
    told = said(vehicle(at(8)), vehicle(armor=8), {"resolution": "two_dice", **variant}, range_in=range_in)
    assert told["advantage"] == words
    assert told["probability"].split(" = ")[0] == p


def test_steps__the_range_band_is_that_of_the_distance_with_foliage() -> None:
    # 16 inches and 3 more are 19: 4+.
    foliage = {"foliage": 1, "foliage_near_target": 1}
    told = said(vehicle(at(20)), vehicle(armor=8), {"foliage_rule": "range_plus_3"}, range_in=16, **foliage)
    assert (told["range band"], told["need"]) == ('19" needs 4+', "4+")


@pytest.mark.parametrize(
    ("attacker", "target", "more", "told", "page"),
    [
        (vehicle(ai()), squad(), {"range_in": 14}, '12"', "p. 10 Anti-Infantry Attacks"),
        (squad(ai("1", range=30)), squad(), {"range_in": 31}, '30"', "p. 10 Anti-Infantry Attacks, p. 17-19"),
        (squad(at(4, 2, range=18)), vehicle(), {"range_in": 19}, '18"', "p. 15 Limited Range, p. 19"),
        (
            vehicle(he(), keywords={"indirect": 30}),
            vehicle(),
            {"range_in": 31, "set_up": True},
            '30"',
            "p. 15 Indirect",
        ),
        (vehicle(he(), keywords={"limited_range": 30}), vehicle(), {"range_in": 31}, '30"', "p. 15 Limited Range"),
    ],
)
def test_steps__out_of_reach_names_the_page_of_the_reach(
    attacker: Any, target: Any, more: dict[str, Any], told: str, page: str
) -> None:
    weapon = "weapon 1 (indirect)" if "set_up" in more else None
    _, words, rule = steps(attacker, target, weapon=weapon, **more)[-1]
    assert words == f"out of reach: {told} at most"
    assert rule.startswith(page)


def test_steps__of_high_explosive() -> None:
    howitzer = vehicle(he(20, 2), keywords={"support": True})
    # Band 1 at +1: certain; the gun's side is 2.
    assert steps(howitzer, field_gun(weight="medium", armor=(5, 2, 2)), moved=True) == [
        ("weapon", "weapon 1 (HE)", "p. 5 Selecting a Target"),
        ("range band", '6" needs 1+', "p. 6 Hit Roll [AA-2]"),
        ("HE hit dice", "+1 against a medium target", "p. 10 Large Caliber Artillery"),
        ("need", "certain", "p. 5 Shooting [AA-1: one_die]"),
        ("advantage", "no: moved before firing", "p. 8 State Modifiers [AA-12]"),
        ("probability", "1 = 1.0000", "p. 5 Shooting"),
        ("support", "damage x 1.5, rounded up", "p. 14 Support [AA-48]"),
        ("damage", "20 - 2 x D6 - 2 side armour", "p. 10 Large Caliber Artillery [AA-25]"),
    ]


def test_steps__of_indirect_fire() -> None:
    howitzer = vehicle(he(20, 2), keywords={"indirect": 48})
    assert steps(howitzer, vehicle(armor=3), set_up=True, range_in=36, target_moved_in=10) == [
        ("weapon", "weapon 1 (indirect) (INDIRECT)", "p. 5 Selecting a Target"),
        ("indirect", 'over obstructions to 48"', "p. 15 Indirect [AA-29]"),
        ("damage", "20 - 2 x D6 - 3 side armour", "p. 10 Large Caliber Artillery [AA-25]"),
        ("target's movement", '10": damage halved, rounded down', "p. 15 Indirect [AA-30, AA-31]"),
    ]


def test_steps__of_a_grenade() -> None:
    thrower = squad(equipment={"machine_gun": True, "grenades": 1})
    assert steps(thrower, squad(), {"mg_on_grenades": True}, weapon="grenade", sandbags=True) == [
        ("weapon", "grenade (AI)", "p. 5 Selecting a Target"),
        ("sandbags", "casualties halved, rounded down", "p. 21 Sandbags [AA-39]"),
        ("casualties", "AI/D6-2, no roll to hit", "p. 18 Grenade [AA-40]"),
        ("machine gun", "+1 kill", "p. 18 Machine Gun [AA-38]"),
    ]


def test_steps__of_an_attack_that_cannot_be_made_are_all_that_it_would_have_met() -> None:
    gun = vehicle(at(10, 14), keywords={"limited_range": 12})
    assert steps(gun, vehicle(keywords={"weak_spot": True}), range_in=18, walls=2) == [
        ("weapon", "weapon 1 (AT)", "p. 5 Selecting a Target"),
        ("walls", "2 shot through", "p. 21 Walls [AA-18]"),
        ("limited_range", 'reaches 12"', "p. 15 Limited Range"),
        ("weak_spot", "5+ at -1, 6+ at -2", "p. 7 Armor Penetration Roll"),
        ("no attack", 'out of reach: 12" at most', "p. 15 Limited Range, p. 19 [AA-33]"),
    ]


# --- nothing that plays no part


@pytest.mark.parametrize(("penetration", "told"), [(8, False), (9, False), (10, False), (7, True), (6, True)])
def test_steps__a_weak_spot_is_told_where_the_shot_falls_short(penetration: int, told: bool) -> None:
    target = vehicle(armor=8, keywords={"weak_spot": True})
    assert ("weak_spot" in said(vehicle(at(penetration)), target)) == told


def test_steps__high_explosive_counts_what_others_add_once() -> None:
    told = said(vehicle(he()), vehicle(), scout_in=6)
    assert told["HE hit dice"] == "+1 against a medium target"
    assert told["bonus"] == "+3 on the whole roll"


ROLLED = {"indirect_requires_hit": True}
LOB = vehicle(he(20, 2), keywords={"indirect": 48})


@pytest.mark.parametrize("rule", ["requirement_plus_2", "range_plus_3"])
def test_steps__foliage_is_in_the_way_of_direct_fire_alone(rule: str) -> None:
    cover = {"foliage": 2, "foliage_near_target": 1}
    variant = {**ROLLED, "foliage_rule": rule}
    assert "foliage" in said(LOB, vehicle(), variant, weapon="weapon 1", **cover)
    over = said(LOB, vehicle(), variant, weapon="weapon 1 (indirect)", set_up=True, **cover)
    assert over["range band"] == '6" needs 1+'
    assert not {"foliage", "requirement"} & set(over)


def test_steps__sandbags_do_nothing_for_a_vehicle() -> None:
    assert list(said(vehicle(ai()), vehicle(), sandbags=True)) == ["weapon", "no attack"]


@pytest.mark.parametrize(("facing", "variant", "told"), [("front", {}, 0), ("side", {}, 1), ("front", ROLLED, 1)])
def test_steps__sandbags_in_front_are_no_obstacle_to_what_is_not_rolled_for(
    facing: str, variant: dict[str, Any], told: bool
) -> None:
    where = {"set_up": True, "sandbags": True, "facing": facing}
    assert ("sandbags" in said(LOB, field_gun(), variant, weapon="weapon 1 (indirect)", **where)) == told


def test_steps__a_scout_sees_for_those_who_have_to_see() -> None:
    thrower = squad(equipment={"grenades": 1})
    where = {"hidden": True, "scout_in": 6}
    assert "scout" in said(thrower, squad(), **where)
    assert "scout" not in said(thrower, squad(), weapon="grenade", **where)
    assert "scout" in said(LOB, vehicle(), weapon="weapon 1", **where)
    assert "scout" not in said(LOB, vehicle(), ROLLED, weapon="weapon 1 (indirect)", set_up=True, **where)


@pytest.mark.parametrize(("he_advantage", "why"), [(True, "no: moved before firing"), (False, None)])
def test_steps__no_advantage_is_lost_where_there_is_none(he_advantage: bool, why: str | None) -> None:
    told = said(vehicle(he()), vehicle(), {"he_advantage": he_advantage}, moved=True, range_in=18)
    assert told.get("advantage") == why


# --- how


def test_watched__tells_what_changed_the_numbers_that_were_read() -> None:
    sheet = (
        Defence().change("wall", "thicker", "p. 1", armor=3, side_armor=3).change("mist", "farther", "p. 2", foliage=2)
    )
    watched = Watched(sheet)
    assert watched.told() == []
    assert watched.foliage == 2
    assert watched.told() == [Step("mist", "farther", "p. 2")]
    assert watched.side_armor == 3
    assert watched.told() == [Step("wall", "thicker", "p. 1"), Step("mist", "farther", "p. 2")]


@pytest.mark.parametrize("variant", [{}, ROLLED, {"resolution": "two_dice"}, {"autocannon_ai_rolls": "X"}], ids=str)
@pytest.mark.parametrize("target", [vehicle(), field_gun(), squad()], ids=lambda card: card.class_)
def test_resolve__notes_steps_beside_what_it_does(target: Any, variant: dict[str, Any]) -> None:
    unit = vehicle(at(), he(), ai(), keywords={"autocannon": 2, "indirect": 48})
    where, switches = Moment(range_in=6, foliage=1, scout_in=30), Variant(**variant)
    offence, defence = halves.offence(unit, where), halves.defence(target, where, switches)
    noted = 0
    for attack in [*(attack for gun in offence.guns[0][1] for attack in gun), *offence.lobs]:
        told: list[Step] = []
        assert resolve(attack, defence, 6, switches, told) == resolve(attack, defence, 6, switches)
        assert bool(told) == (attack.kind == "ai" if target.class_ == "infantry" else attack.kind != "ai")
        noted += len(told)
    assert noted
