"""What strikes do at any distance, after a move of the attacker, and at a target that moved; and how units move.

By hand from the rulebook, and against shots and turns of duels at the same distance.
"""

from __future__ import annotations

import random
from fractions import Fraction as F
from itertools import product
from typing import Any

import pytest
from handmade import ai, at, field_gun, he, squad, vehicle

import aabalance as aab
from aabalance.definitions.settings import situation_mix
from aabalance.errors import UsageError
from aabalance.rulesets.armored_advance.battle import cells
from aabalance.rulesets.armored_advance.shot.halves import Gone
from aabalance.rulesets.armored_advance.shot.resolve import NO_DICE, resolve
from aabalance.rulesets.base import Aspect, Fighter, Pace, Strike

GAME = aab.Game()
NOTHING = {0: 1}
CREW = {"squad": "artillery_crew", "strength": 3}


def sides(a: list[Any], b: list[Any], *aspects: Aspect, game: aab.Game = GAME, **given: Any) -> Any:
    views = situation_mix(game.situation, given.pop("facing", "front"), **given)
    return game.ruleset.forces((a, b), views, aspects, game.variant)


def first_of(a: list[Any], b: list[Any], *aspects: Aspect, **given: Any) -> tuple[Strike, ...]:
    """The strikes of a's first unit."""
    force: tuple[Fighter, ...] = sides(a, b, *aspects, **given)[0]
    return force[0].strikes


def chances(strike: Strike, amount: int) -> list[F]:
    """The chance in each aspect that a strike takes so much of the first enemy."""
    return [effect.get(amount, F(0)) for effect in strike.effects[0]]


def drawn(rng: random.Random) -> list[Any]:
    helped = [unit for unit in sorted(GAME.cards) if GAME.cards[unit].class_ != "vehicle" or GAME.cards[unit].keywords]
    return [GAME.card(unit) for unit in rng.choices(sorted(GAME.cards), k=2) + rng.choices(helped, k=3)]


ASPECTS = [
    Aspect(*one) for one in product((0, 6, 11.5, 18, 30, 47, 60, 61), (False, True), (0, 2.5, 8, 14, 14.5, 15.5))
]

# --- by hand ----------------------------------------------------------------------------------------------------


def test_moved__loses_the_advantage_page_8_and_1_of_a_casemate_page_14() -> None:
    # 4+ at 24 inches: a 3 is rolled again, at advantage.
    both = Aspect(24), Aspect(24, moved=True)
    (strike,) = first_of([vehicle(at(99, 10))], [vehicle()], *both)
    assert chances(strike, 10) == [F(21, 36), F(18, 36)]
    (strike,) = first_of([vehicle(at(99, 10), keywords={"casemate": True})], [vehicle()], *both)
    assert chances(strike, 10) == [F(21, 36), F(12, 36)]
    # A field gun fires at advantage always.
    (strike,) = first_of([field_gun(at(99, 10))], [vehicle()], *both)
    assert chances(strike, 10) == [F(21, 36), F(21, 36)]


@pytest.mark.parametrize(("weight", "stayed", "moved"), [("light", 4, 6), ("medium", 3, 4), ("heavy", 2, 3)])
def test_he_page_10__has_a_column_for_targets_that_moved(weight: str, stayed: int, moved: int) -> None:
    howitzer, target = vehicle(he(20, 0)), vehicle(armor=0, weight=weight, hp=99)
    (strike,) = first_of(
        [howitzer], [target], Aspect(24), Aspect(24, target_moved_in=1), Aspect(24, target_moved_in=40)
    )
    # A miss by one is rolled again.
    p = {need: F(7 - need, 6) * F(7, 6) for need in (stayed, moved)}
    assert chances(strike, 20) == [p[stayed], p[moved], p[moved]]
    two = aab.Game(variant={"he_moved": "two_moves"})
    (strike,) = first_of([howitzer], [target], Aspect(24), Aspect(24, target_moved_in=1), game=two)
    assert chances(strike, 20) == [p[stayed], p[stayed]]
    # A field gun counts as stationary (AA-64), whatever it is said to have done.
    (strike,) = first_of([howitzer], [field_gun(hp=99, armor=0, weight=weight)], Aspect(24, target_moved_in=1))
    assert chances(strike, 20) == [p[stayed]]


@pytest.mark.parametrize(("gap", "between"), [("halve", 10), ("immune", 0)])
def test_indirect_page_15__halves_from_8_inches_of_the_targets_move(gap: str, between: int) -> None:
    moves = {0: 21, 0.5: 21, 7.99: 21, 8: 10, 14: 10, 14.01: between, 15: between, 15.01: 0}
    howitzer, target = vehicle(he(21, 0), keywords={"indirect": 48}), vehicle(armor=0, hp=99)
    aspects = [Aspect(40, target_moved_in=inches) for inches in moves]
    lobs = [
        strike
        for strike in first_of([howitzer], [target], *aspects, game=aab.Game(variant={"indirect_gap": gap}))
        if strike.prepared
    ]
    assert [effect for lob in lobs for effect in lob.effects[0]] == [{amount: 1} for amount in moves.values()]


def test_gone_steps__tell_apart_all_that_indirect_fire_does() -> None:
    moves = [0.5, 7.999999, 8, 14, 14.000001, 15, 15.000001, 99]
    assert [sum(inches >= step for step in GAME.ruleset.gone_steps) for inches in moves] == [0, 0, 1, 1, 2, 2, 3, 3]
    assert aab.Game("skirmish_wars").ruleset.gone_steps == ()


def test_indirect_page_15__is_neither_set_up_nor_fired_after_a_move() -> None:
    howitzer, target = vehicle(he(21, 0), keywords={"indirect": 48}), vehicle(armor=0, hp=99)
    # At 6 inches direct fire does as much, so there is no reason to set up; beyond 48 it doesn't reach.
    aspects = [Aspect(range_in, moved) for range_in in (6, 30, 49) for moved in (False, True)]
    direct, prepare, lob = sorted(
        first_of([howitzer], [target], *aspects), key=lambda strike: (strike.prepared, strike.prepare)
    )
    assert (prepare.prepare, lob.prepared) == (2, True)
    assert [max(effect) for effect in direct.effects[0]] == [21] * 6
    assert [max(effect) for effect in prepare.effects[0]] == [0, 0, 21, 0, 0, 0]
    assert [max(effect) for effect in lob.effects[0]] == [21, 0, 21, 0, 0, 0]


def test_set_up__is_of_no_gun_that_moves() -> None:
    howitzer, gun = vehicle(he(21, 0), keywords={"indirect": 48}), field_gun(he(21, 0), keywords={"indirect": 48})
    assert sides([howitzer], [vehicle()], Aspect(30), set_up=True)
    _, lob = first_of([gun, vehicle()], [vehicle(armor=0)], Aspect(30), Aspect(30, moved=True), set_up=True)
    assert (lob.prepared, lob.effects[0][0]) == (False, {21: F(1)})
    with pytest.raises(
        UsageError, match=r"^set_up: found unit set up already, expected only guns that hold where units move$"
    ):
        sides([howitzer], [vehicle()], Aspect(30), Aspect(30, moved=True), set_up=True)


@pytest.mark.parametrize("pool", [2, 4])
def test_accurate_page_12__is_no_shot_after_a_move(pool: int) -> None:
    sniper = vehicle(at(99, 10), actions=pool, keywords={"accurate": True})
    plain, aimed = first_of([sniper], [vehicle()], Aspect(36), Aspect(36, moved=True))
    assert (plain.actions, aimed.actions) == (1, 2)
    # 6+ and 5+, a miss by one rolled again.
    assert chances(plain, 10) == [F(7, 36), F(6, 36)]
    assert chances(aimed, 10) == [F(14, 36), 0]
    assert aimed.dice[0][1] == ((F(1), NO_DICE),)


def test_moved__leaves_a_squad_no_action_to_fire_with() -> None:
    strong, _ = first_of([squad()], [squad()], Aspect(6), Aspect(6, moved=True))
    assert [max(effect) for effect in strong.effects[0]] == [2, 0]


def test_grenade_page_18__is_thrown_6_inches() -> None:
    thrower = squad(equipment={"grenades": 1})
    strikes = first_of([thrower], [squad()], Aspect(13), Aspect(12), Aspect(6), Aspect(6.5))
    found = {(strike.weapon, strike.least): [max(effect) for effect in strike.effects[0]] for strike in strikes}
    assert found == {
        ("weapon 1", 4): [0, 2, 2, 2],
        ("weapon 1", 1): [0, 1, 1, 1],
        ("grenade", 4): [0, 0, 4, 0],
        ("grenade", 1): [0, 0, 4, 0],
    }


def test_scout_page_11__adds_what_it_adds_at_the_distance_and_nothing_beyond_60_inches() -> None:
    tank, scout = vehicle(at(99, 10)), vehicle(at(1, 1), keywords={"scout": True})
    distances = 61, 60, 36, 35, 24, 23
    alone, scouted = first_of([tank, scout], [vehicle()], *map(Aspect, distances))
    # 6+ from 31 inches on, 4+ below 25; +1, +2 below 36, +3 below 24. A miss by one is rolled again.
    assert chances(alone, 10) == [F(7 - need, 6) * F(7, 6) for need in (6, 6, 6, 6, 4, 4)]
    p = [F(7 - need, 6) * F(7, 6) for need in (5, 5, 4, 2)]
    assert chances(scouted, 10) == [0, *p, 1]
    assert scouted.helps[0].units == (1,)
    assert len(first_of([tank, scout], [vehicle()], Aspect(61), Aspect(80))) == 1
    assert len(first_of([tank, scout], [vehicle()], Aspect(30), hidden=True)) == 0


# --- how units move ---------------------------------------------------------------------------------------------


def test_paces__are_one_action_and_the_free_move() -> None:
    """P. 4 Movement, p. 14 Slow Reverse, p. 17 Movement."""
    cards = [
        vehicle(weight="light", movement=7),
        vehicle(weight="light", movement=7, keywords={"slow_reverse": True}),
        vehicle(weight="medium", movement=5, actions=3),
        vehicle(weight="heavy", movement=4, keywords={"slow_reverse": True}),
        vehicle(weight="light", movement=0),
        squad(),
    ]
    paces, others = GAME.ruleset.paces((cards, cards[:1]), GAME.variant)
    assert paces == (Pace(9, 9), Pace(9, 4.5), Pace(5, 5), Pace(4, 2), Pace(), Pace(4, 4))
    assert others == paces[:1]


def test_paces__guns_and_the_squads_that_man_them_hold() -> None:
    rifles, crew, gun = squad(), squad(ai("0", range=1), **CREW), field_gun(movement=2)
    paces, _ = GAME.ruleset.paces(([rifles, crew, gun, rifles, gun], [gun]), GAME.variant)
    # The crew mans the first gun, the first riflemen the other.
    assert paces == (Pace(), Pace(), Pace(), Pace(4, 4), Pace())


def test_forces__give_each_unit_its_pace() -> None:
    a, b = [vehicle(movement=3), field_gun(movement=2)], [squad()]
    for force, paces in zip(sides(a, b, Aspect(12)), GAME.ruleset.paces((a, b), GAME.variant), strict=True):
        assert [unit.pace for unit in force] == list(paces)
    other = aab.Game("skirmish_wars")
    cards = list(other.cards.values())[:3]
    assert other.ruleset.paces((cards, cards[:1]), other.variant) == ((Pace(),) * 3, (Pace(),))


# --- against shots and duels ------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
def test_strikes__do_what_shots_do(seed: int) -> None:
    rng, compared = random.Random(seed), 0
    facing = rng.choice(["front", "side"])
    a, b = drawn(rng), [card for card in drawn(rng) if card.class_ != "infantry"]
    force, _ = sides(a, b, *ASPECTS, facing=facing)
    for card, unit in zip(a, force, strict=True):
        names = [weapon.name for weapon in card.weapons]
        plain = [one for one in unit.strikes if not (one.prepare or one.helps or one.actions > 1 or one.gone)]
        for strike, enemy in product(plain, range(len(b))):
            if strike.least > 1 or names.count(strike.weapon.removesuffix(" (indirect)")) > 1:
                continue
            for aspect, effect in zip(ASPECTS, strike.effects[enemy], strict=True):
                moves = {"target_moves": int(aspect.target_moved_in > 0), "target_moved_in": aspect.target_moved_in}
                shot = GAME.shot(
                    card,
                    b[enemy],
                    weapon=strike.weapon,
                    range_in=aspect.range_in,
                    moved=aspect.moved,
                    set_up=strike.prepared,
                    facing=facing,
                    **moves,
                )
                # One that moved with its only action has none to fire with.
                expected = NOTHING if aspect.moved and card.actions == 1 else shot.damage
                assert {amount: float(p) for amount, p in effect.items()} == expected, (card.id, aspect)
                compared += 1
    assert compared >= 100


@pytest.mark.parametrize("moved_in", [0, 3, 9, 15.5])
def test_strikes__do_what_a_closing_duellist_does(moved_in: float) -> None:
    guns = [vehicle(at(12, 10)), vehicle(he(30, 2), keywords={"casemate": True}), vehicle(at(8, 5), actions=1)]
    guns += [squad(at(9, 2, range=28)), vehicle(at(9, 7), weight="light", movement=8, keywords={"autocannon": 3})]
    for card, weight in product(guns, ("light", "medium", "heavy")):
        target = vehicle(armor=(8, 4, 2), weight=weight, movement=9, hp=90)
        player = GAME.ruleset.player(card, target, GAME.situation(), 30, GAME.variant, "close:0")
        (turn,) = player.turns(30, 0, Gone(1, moved_in) if moved_in else None, 0)
        (pace,), _ = GAME.ruleset.paces(([card], [target]), GAME.variant)
        assert turn.range_in == 30 - pace.ahead_in
        (strike,) = first_of([card], [target], Aspect(6), Aspect(turn.range_in, True, moved_in))
        assert strike.effects[0][1] == turn.volley.effect


def test_faces__are_mixed_in_each_aspect() -> None:
    tank, target = vehicle(at(9, 10)), vehicle(armor=(9, 8, 0))
    aspects = [Aspect(12), Aspect(30), Aspect(30, True)]
    (mixed,) = first_of([tank], [target], *aspects, facing={"front": 0.5, "side": 0.3, "rear": 0.2})
    shares = {"front": F(1, 2), "side": F(3, 10), "rear": F(1, 5)}
    p = []
    for aspect in aspects:
        of_face = {face: first_of([tank], [target], aspect, facing=face)[0] for face in shares}
        p.append({face: chances(strike, 10)[0] for face, strike in of_face.items()})
    assert chances(mixed, 10) == [sum(shares[face] * of[face] for face in shares) for of in p]
    assert [sum(share for share, _ in thrown) for thrown in mixed.dice[0]] == [1, 1, 1]


# --- one list of strikes ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(6))
def test_forces__have_the_same_strikes_in_whatever_order_aspects_are_asked_for(seed: int) -> None:
    rng = random.Random(seed)
    a, b = drawn(rng), drawn(rng)
    facing = rng.choice(["front", "side", "mix"])
    asked = rng.sample(ASPECTS, 12)
    order = rng.sample(range(12), 12)
    forces = sides(a, b, *asked, facing=facing)
    others = sides(a, b, *(asked[n] for n in order), facing=facing)
    alone = [sides(a, b, aspect, facing=facing) for aspect in asked]
    for side, place in product((0, 1), range(len(a))):
        unit, other = forces[side][place], others[side][place]
        assert [_in_order(strike, order) for strike in unit.strikes] == list(other.strikes)
        for strike in unit.strikes:
            assert any(max(effect) > 0 for row in strike.effects for effect in row)
        # Those of one aspect are among them.
        for n, only in enumerate(one[side][place] for one in alone):
            found = [_in_order(strike, [n]) for strike in unit.strikes]
            assert all(_told(strike) in map(_told, found) for strike in only.strikes)
            assert [unit._replace(strikes=()), unit.guns] == [only._replace(strikes=()), only.guns]


def _in_order(strike: Strike, order: list[int]) -> Strike:
    return strike._replace(
        effects=tuple(tuple(row[n] for n in order) for row in strike.effects),
        dice=tuple(tuple(row[n] for n in order) for row in strike.dice),
    )


def _told(strike: Strike) -> Strike:
    # Who lasts in one aspect alone may not in another: help that is worth nothing there is left out.
    return strike._replace(helps=tuple(help_._replace(lasts=False) for help_ in strike.helps))


def test_forces__explained_have_the_steps_of_each_aspect() -> None:
    rng = random.Random(2)
    asked = (drawn(rng), drawn(rng)), situation_mix(GAME.situation, "mix"), rng.sample(ASPECTS, 6), GAME.variant
    plain, told = GAME.ruleset.forces(*asked), GAME.ruleset.forces(*asked, explain=True)
    pairs = [pair for one, other in zip(plain, told, strict=True) for pair in zip(one, other, strict=True)]
    for unit, same in pairs:
        assert unit == same._replace(strikes=tuple(strike._replace(steps=()) for strike in same.strikes))
        for strike in same.strikes:
            for steps, rolled in zip(strike.steps, strike.dice, strict=True):
                # Without dice of the kernel's there are steps all the same.
                cases = [(len(told_of), len(thrown)) for told_of, thrown in zip(steps, rolled, strict=True)]
                assert all(told_of == thrown or not thrown for told_of, thrown in cases)


def test_forces__resolve_what_is_alike_once(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []

    def counted(*given: Any) -> Any:
        calls.append(given)
        return resolve(*given)

    monkeypatch.setattr(cells, "resolve", counted)
    tanks = [GAME.card("de_tiger1")] * 5
    sides(tanks, tanks, Aspect(24))
    once = len(calls)
    calls.clear()
    # Shot is told apart by the band of 18 to 24 inches, by the reach of the machine gun, and not by moves of targets.
    moves = [Aspect(24 - n / 4, target_moved_in=float(away)) for n in range(20) for away in (0, 2, 5)]
    sides(tanks, tanks, *moves)
    assert len(calls) == once
