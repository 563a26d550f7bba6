"""Modern Land Battles: the rulebook's examples, every rule, each switch, and dice thrown literally."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction as F
from math import comb, sqrt
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from rollers import modern_land_battles as table

import aabalance as aab
from aabalance import cards, dice
from aabalance.cards.tables import flatten
from aabalance.cli import main
from aabalance.cli.listing import listing
from aabalance.dice import Pmf
from aabalance.errors import UsageError
from aabalance.files import data_folder
from aabalance.rulesets.base import Blows, Shot
from aabalance.rulesets.base.roster import in_a_cell
from aabalance.rulesets.modern_land_battles import RULESET, duel
from aabalance.rulesets.modern_land_battles import shot as shots
from aabalance.rulesets.modern_land_battles.card import ATTACKS, STOPS, Card, extra_dice
from aabalance.rulesets.modern_land_battles.situation import ROWS, Moment, row_at, rows_away
from aabalance.rulesets.modern_land_battles.variant import Variant

GAME = aab.Game("modern_land_battles")
LIMIT = 5.0
SYMBOLS = ("small_arms", "cannon", "missile", "artillery")


def tabled(armor: int = 6, **weapons: Any) -> dict[str, Any]:
    """A card as a file has it."""
    return {"name": "card", "nation": "Insurgent", "type": "tank", "armor": armor, "vp": 1, "weapons": weapons}


def card(armor: int = 6, **weapons: Any) -> Any:
    return Card.model_validate(tabled(armor, **weapons))


def shot(
    attacker: Any, target: Any, weapon: str | None = None, variant: dict[str, Any] | None = None, **situation: Any
) -> Shot:
    at, switches = Moment(**{"range_in": 1, **situation}), Variant(**variant or {})
    offence, defence = RULESET.offence(attacker, at, switches), RULESET.defence(target, at, switches)
    return RULESET.shot(offence, defence, at.range_in, switches, weapon)


def blows(attacker: Any, target: Any, variant: dict[str, Any] | None = None, **situation: Any) -> Blows:
    at, switches = Moment(**{"range_in": 1, **situation}), Variant(**variant or {})
    offence, defence = RULESET.offence(attacker, at, switches), RULESET.defence(target, at, switches)
    plan: Blows = RULESET.survey(offence, defence, at.range_in, switches).plan
    return plan


def binomial(n: int, p: F) -> Pmf:
    every = {k: comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)}
    return {k: chance for k, chance in every.items() if chance}


def labels(found: Shot) -> dict[str, str]:
    return {step.label: step.value for step in found.steps}


# --- the rulebook's examples ------------------------------------------------------------------------------------


def test_shot__artillery_example() -> None:
    # Range 4 and +1, in the 3rd Row of the Breakthrough Area, with two Superior counters, against Armor 6.
    gun = card(artillery={"range": 4, "modifier": 1})
    for row, reached in ((1, True), (2, True), (3, False)):
        away = rows_away(3, row)
        found = shot(gun, card(6), attacker_row=3, range_in=away, superior_counters=2)
        assert found.needs == {"need": 3 if reached else None}
    assert labels(found)["no attack"] == "out of range from Row 3 to Row 3"
    assert shot(gun, card(6), attacker_row=3, range_in=3).needs == {"need": 5}


def test_shot__bradley_cover_fire_example() -> None:
    found = shot(GAME.cards["us_bradley"], card(4), "small_arms", action_card="cover_fire", superior_counters=1)
    assert found.needs == {"need": 2}
    assert found.effect == binomial(4, F(9, 10))
    assert labels(found)["modifier"] == "+1 next to the symbol"
    assert labels(found)["superior"] == "+1 for Superior counters"


def test_shot__flanking_cannon_example() -> None:
    # The Cannon card adds its die in the Breakthrough Area only.
    unit = card(cannon=-1)
    for range_in, need in ((1, 8), (2, 8), (3, None)):
        found = shot(unit, card(7), area="flanking", action_card="cannon", superior_counters=3, range_in=range_in)
        assert found.needs == {"need": need}
        assert found.attempts == 4


def test_survey__m113_example() -> None:
    # A Force card that has suffered 2 Hits attacks an M113 and rolls 2 dice at 4 or higher.
    assert GAME.cards["us_m113"].armor == 4
    assert blows(card(small_arms=0), GAME.cards["us_m113"]).chances[2][0] == binomial(2, F(7, 10))


def test_shot__type_83_example() -> None:
    # It rolls 9, 2, 1, 5 with +1 at Armor 8: one Hit.
    need = shot(GAME.cards["cn_type83"], GAME.cards["us_m1a1"]).needs["need"]
    assert need is not None
    assert sum(face >= need for face in (9, 2, 1, 5)) == 1


def test_shot__m901_example() -> None:
    found = shot(GAME.cards["us_m901"], GAME.cards["cn_yw531"], action_card="overwatch", superior_counters=2)
    assert found.effect == {4: F(1)}
    assert found.needs == {"need": 1}
    assert labels(found)["need"] == "certain"
    less = shot(GAME.cards["us_m901"], GAME.cards["cn_yw531"], action_card="overwatch", superior_counters=0)
    assert labels(less)["need"] == "2+"


def test_survey__m1a1_rolls_three_dice_after_a_hit() -> None:
    # Barrage with a Superior counter, at a Type 80 of Armor 6: 6 - 2 - 1 = 3 or higher.
    found = blows(GAME.cards["us_m1a1"], GAME.cards["cn_type80"], action_card="barrage", superior_counters=1)
    assert found.chances[1][0] == binomial(3, F(8, 10))


def test_stop__defense_cards_example() -> None:
    # Overwatch stops 1 of the 2 Hits on the Stryker.
    stopped = STOPS["overwatch"].hits
    assert shots.stop({2: F(1)}, stopped) == {1: F(1)}
    found = shot(card(cannon=0), card(1), enemy_stops=stopped)
    assert found.effect == {3: F(1)}
    assert labels(found)["reaction"] == "stops up to 1 Hit"


def test_in_range__missile_from_row_two_to_row_two() -> None:
    # M-5: Row 2 to Row 2 is 3 Rows away.
    assert [[shots.in_range("missile", own, enemy) for enemy in ROWS] for own in ROWS] == [
        [True, True, False],
        [True, True, False],
        [False, False, False],
    ]
    assert shot(card(missile=0), card(6), attacker_row=2, range_in=3).needs == {"need": 6}


# --- the rules one by one ---------------------------------------------------------------------------------------


def test_damaged__the_fourth_hit_destroys_and_more_are_ignored() -> None:
    assert duel.damaged(2, {0: F(1, 4), 1: F(1, 4), 2: F(1, 4), 5: F(1, 4)}) == {2: F(1, 4), 3: F(1, 4), 4: F(1, 2)}
    assert RULESET.toughness(GAME.cards["us_m1a1"]) == RULESET.fight.conditions == 4


def test_needed__clamps_to_certain_and_impossible() -> None:
    assert [shots.needed(6, bonus) for bonus in (-9, -5, -4, 0, 5, 9)] == [11, 11, 10, 6, 1, 1]


def test_needed__natural_ten_and_one() -> None:
    assert [shots.needed(6, bonus, True) for bonus in (-9, -5, -4, 0, 5, 9)] == [10, 10, 10, 6, 2, 2]
    assert shot(card(cannon=9), card(4), variant={"d10_natural_rules": True}).effect == binomial(4, F(9, 10))


def test_successes__are_binomial() -> None:
    for rolled in range(6):
        for need in range(1, 12):
            assert shots.successes(rolled, need) == binomial(rolled, F(11 - need, 10))


def test_rows_away__counts_from_the_attacker() -> None:
    assert [rows_away(*rows) for rows in ((1, 1), (1, 3), (2, 2), (3, 1), (3, 3))] == [1, 3, 3, 3, 5]


@given(st.sampled_from(ROWS), st.sampled_from(ROWS))
def test_row_at__undoes_rows_away(own: int, enemy: int) -> None:
    assert row_at(own, rows_away(own, enemy)) == enemy


def test_in_range__symbols() -> None:
    reached = {
        symbol: [(own, enemy) for own in ROWS for enemy in ROWS if shots.in_range(symbol, own, enemy, 3)]
        for symbol in SYMBOLS
    }
    assert reached == {
        "small_arms": [(1, 1)],
        "cannon": [(1, 1), (1, 2), (2, 1)],
        "missile": [(1, 1), (1, 2), (2, 1), (2, 2)],
        "artillery": [(1, 1), (1, 2), (1, 3), (2, 1), (2, 2), (3, 1)],
    }


def test_shot__no_row_so_far_away() -> None:
    gun = card(artillery={"range": 9, "modifier": 0})
    for row, range_in, missing in ((1, 4, 4), (3, 1, -1), (2, 1, 0), (1, 0, 0)):
        found = shot(gun, card(), attacker_row=row, range_in=range_in, variant={"d10_natural_rules": True})
        assert found.effect == {0: F(1)}
        assert labels(found)["no attack"] == f"no Row {missing}: a Formation has Rows 1 to 3"


def test_situation__rows_are_whole() -> None:
    with pytest.raises(UsageError, match=r"range_in: found 1.5, expected a multiple of 1"):
        GAME.moment(range_in=1.5)


def test_offence__superior_counters_count_in_the_breakthrough_area_only() -> None:
    needs = {
        area: shot(card(cannon=0), card(8), area=area, superior_counters=2).needs["need"]
        for area in ("breakthrough", "flanking", "terrain")
    }
    assert needs == {"breakthrough": 6, "flanking": 8, "terrain": 8}
    assert shot(card(cannon=0), card(8), superior_counters=-2).needs == {"need": 8}
    assert shot(card(artillery={"range": 3, "modifier": 0}), card(8), superior_counters=2).needs == {"need": 6}


def test_extra_dice__by_card_and_area() -> None:
    more = {played: [extra_dice(played, area) for area in ("breakthrough", "flanking", "terrain")]
            for played in ATTACKS}  # fmt: skip
    assert {played: dice_ for played, dice_ in more.items() if any(dice_)} == {
        "assault": [1, 1, 1],
        "cannon": [1, 0, 0],
        "missile": [1, 0, 0],
        "small_arms": [1, 0, 0],
    }
    found = shot(card(cannon=0), card(6), action_card="assault", area="flanking")
    assert found.effect == binomial(5, F(1, 2))
    assert found.attempts == 5
    assert labels(found)["extra dice"] == "+1"
    # M-10: a damaged attacker has 4 dice less its Hits, and the extra die.
    assert blows(card(cannon=0), card(6), action_card="cannon").chances[3][0] == binomial(2, F(1, 2))
    # Artillery attacks without a card.
    assert shot(card(artillery={"range": 3, "modifier": 0}), card(6), action_card="assault").attempts == 4


def test_shot__needs_the_symbol_of_the_action_card() -> None:
    unit = card(small_arms=0, cannon=0, missile=0, artillery={"range": 3, "modifier": 0})
    fits = {
        played: [symbol for symbol in SYMBOLS if shot(unit, card(), symbol, action_card=played).needs["need"]]
        for played in ATTACKS
    }
    assert fits == {
        "assault": ["small_arms", "cannon", "artillery"],
        "barrage": ["cannon", "artillery"],
        "cannon": ["cannon", "artillery"],
        "combined_arms": ["small_arms", "cannon", "missile", "artillery"],
        "cover_fire": ["small_arms", "artillery"],
        "missile": ["missile", "artillery"],
        "overwatch": ["missile", "artillery"],
        "raid": ["small_arms", "artillery"],
        "small_arms": ["small_arms", "artillery"],
    }
    found = shot(unit, card(), "missile", action_card="assault")
    assert labels(found)["no attack"] == "Assault needs Cannon or Small Arms"


def test_shot__raid_reaches_any_row_from_the_first() -> None:
    unit = card(small_arms=0)
    needs = [
        [shot(unit, card(6), attacker_row=own, range_in=rows_away(own, enemy), action_card="raid").needs["need"]
         for enemy in ROWS]
        for own in ROWS
    ]  # fmt: skip
    assert needs == [[6, 6, 6], [None] * 3, [None] * 3]


def test_stop__of_each_card() -> None:
    assert {name: (stop.hits, stop.successes) for name, stop in STOPS.items()} == {
        "barrage": (1, 1),
        "cover": (1, 0),
        "cover_fire": (2, 2),
        "overwatch": (1, 1),
        "pull_back": (2, 0),
        "reaction_force": (3, 3),
    }
    assert shots.stop({0: F(1, 2), 1: F(1, 4), 4: F(1, 4)}, 3) == {0: F(3, 4), 1: F(1, 4)}
    assert shots.successes(4, 6, 2) == {0: F(11, 16), 1: F(1, 4), 2: F(1, 16)}


def test_range_defense__artillery() -> None:
    gun, tank = card(artillery={"range": 3, "modifier": 1}), card(cannon=1)
    with_it = {"range_defense": True}
    assert [shot(gun, card(8), range_in=row).needs["need"] for row in ROWS] == [7, 7, 7]
    assert [shot(gun, card(8), range_in=row, variant=with_it).needs["need"] for row in ROWS] == [7, 8, 9]
    # It is the target's Row that counts, not the distance, and Cannons don't care.
    assert shot(gun, card(8), attacker_row=2, range_in=2, variant=with_it).needs == {"need": 7}
    assert shot(tank, card(8), range_in=2, variant=with_it).needs == {"need": 7}
    assert labels(shot(gun, card(8), range_in=3, variant=with_it))["range defense"] == "Row 3: 2 higher"


# --- what a turn of a duel is -----------------------------------------------------------------------------------


def test_survey__blows_by_own_and_enemy_condition() -> None:
    found = blows(card(cannon=1), card(6), enemy_stops=1)
    assert found.after == (0, 1, 2, 3)
    for own in range(4):
        rolled = binomial(4 - own, F(6, 10))
        for enemy in range(4):
            want: Counter[int] = Counter()
            for hits, p in rolled.items():
                want[min(4, enemy + max(0, hits - 1))] += p  # type: ignore[assignment]
            assert found.chances[own][enemy] == want


def test_survey__equal_blows_are_the_same_object() -> None:
    one, other = card(small_arms=1), card(7, cannon=2, missile=0)
    assert blows(one, card(6)) is blows(other, card(7))
    assert blows(one, card(6)) is not blows(one, card(7))
    assert blows(card(), card(6)) is blows(one, card(6), range_in=3) is blows(one, card(6), action_card="missile")


def test_survey__says_what_shot_says() -> None:
    for unit in GAME.cards.values():
        for range_in in (1, 2, 3):
            at, switches = GAME.moment(range_in=range_in, enemy_stops=1), GAME.variant
            offence, defence = RULESET.offence(unit, at, switches), RULESET.defence(card(5), at, switches)
            found = RULESET.survey(offence, defence, range_in, switches)
            explained = RULESET.shot(offence, defence, range_in, switches, None)
            assert explained._replace(steps=()) == found.shot
            assert found.per_action == float(dice.mean(explained.effect))
            assert RULESET.relevant(defence, RULESET.relevance(offence)) == defence


def test_chosen__by_effect_at_each_condition() -> None:
    # With the Assault's die Small Arms at 6+ beat Artillery at 5+; at 4+ only from the second Hit on.
    unit = card(small_arms=0, artillery={"range": 1, "modifier": 1})
    assert shot(unit, card(6), action_card="assault").weapon == "small_arms"
    stronger = card(small_arms=0, artillery={"range": 1, "modifier": 2})
    assert shot(stronger, card(6), action_card="assault").weapon == "artillery"
    rolled = [pmf[0] for pmf in blows(stronger, card(6), action_card="assault").chances]
    assert rolled == [binomial(4, F(7, 10)), binomial(3, F(7, 10)), binomial(3, F(1, 2)), binomial(2, F(1, 2))]
    # A reaction that stops 2 Hits makes the fifth die worth more: 3/8 of a Hit against 0.343.
    stopped = blows(stronger, card(6), action_card="assault", enemy_stops=2)
    assert stopped.chances[1][0] == {0: F(11, 16), 1: F(1, 4), 2: F(1, 16)}
    assert shot(card(small_arms=1, cannon=1), card(6)).weapon == "small_arms"


def test_shot__unarmed_and_unknown_symbols() -> None:
    nothing = shot(card(), card())
    assert (nothing.weapon, nothing.effect, nothing.needs) == ("none", {0: F(1)}, {})
    with pytest.raises(UsageError, match="weapon: found 'cannnon'"):
        shot(card(missile=0), card(), "cannnon")


def test_returned__changes_both_sides_over() -> None:
    at = GAME.situation(
        attacker_row=2,
        area="flanking",
        superior_counters=2,
        action_card="assault",
        enemy_action_card="missile",
        enemy_stops=1,
    )
    back = at.mirrored(3)
    assert back == GAME.situation(
        attacker_row=2,
        area="flanking",
        superior_counters=-2,
        action_card="missile",
        enemy_action_card="assault",
        own_stops=1,
    )
    assert back.mirrored(3) == at
    assert GAME.situation(attacker_row=2).mirrored(2).attacker_row == 1
    void = GAME.situation()
    assert void.mirrored(4).mirrored(4) == void


def test_gun_class__of_the_farthest_symbol() -> None:
    found = {i: RULESET.roster.gun_class(GAME.cards[i]) for i in ("us_m113", "us_m1a1", "us_bradley", "us_m109")}
    assert list(found.values()) == ["small_arms", "cannon", "missile", "artillery"]
    assert RULESET.roster.gun_class(card()) == "unarmed"
    assert RULESET.roster.gun_classes == ("unarmed", *SYMBOLS)


def test_price__headquarters_and_unarmed() -> None:
    assert RULESET.roster.price(GAME.cards["us_m577"]) == (1, 1)
    assert RULESET.roster.price(GAME.cards["us_m113"]) == (0, 1)


# --- the cards --------------------------------------------------------------------------------------------------

PRINTED = {
    ("us_m1a1", "armor"): 8,
    ("us_bradley", "maneuver"): 7,
    ("us_bradley", "weapons.small_arms"): 1,
    ("us_stryker", "maneuver"): 6,
    ("us_m901", "weapons.missile"): 2,
    ("us_m113", "armor"): 4,
    ("us_m113", "vp"): 3,
    ("us_hmmwv", "vp"): 2,
    ("us_m109", "vp"): 4,
    ("cn_yw531", "armor"): 4,
    ("cn_type83", "weapons.artillery.modifier"): 1,
}


def test_cards__what_is_said_to_be_printed_is_printed() -> None:
    flat = {unit_id: flatten(fields) for unit_id, fields in GAME.cards.tables.items()}
    claimed = {(unit_id, field): flat[unit_id][field] for unit_id in flat for field in flat[unit_id].get("printed", ())}
    assert claimed == PRINTED


def test_cards__are_listed_with_a_column_for_each_symbol() -> None:
    cards = "us_hmmwv_tow", "us_m1a1", "us_m270", "us_m577"
    head, rows = listing(GAME, cards)
    assert head == ["id", "name", "class", "armor", "maneuver", "small_arms", "cannon", "missile", "artillery", "vp"]
    assert [[in_a_cell(cell) for cell in row[3:]] for row in rows] == [
        ["3", "6", "", "", "1", "", "3"],
        ["8", "7", "0", "2", "", "", "6"],
        ["3", "", "", "", "", "5/2", "4"],
        ["4", "8", "-1", "", "", "", "4"],
    ]


def test_cards__whatever_is_not_printed_is_marked_as_ours() -> None:
    for unit_id, fields in GAME.cards.tables.items():
        assert "ours" in fields["note"].lower(), unit_id
        home = GAME.cards.places[unit_id]
        assert str(home).endswith("printed.toml" if fields.get("printed") else "examples.toml"), unit_id


def test_json_schema__committed_copy_is_current() -> None:
    path = data_folder("unitdb") / "modern_land_battles" / cards.SCHEMA_FILE
    assert path.read_text(encoding="utf-8") == cards.json_schema(Card)


def test_cards_check__every_fault_with_its_line(tmp_path: Any) -> None:
    text = """[one]
name = "One"
nation = ""
type = "tank"
armor = 0
vp = 3
weapons = { cannon = "big", rifle = 1 }
printed = ["name"]

[two]
name = "Two"
nation = "China"
type = "artillery"
armor = 3
weapons = { artillery = { range = 0 } }
"""
    (tmp_path / "x.toml").write_text(text, encoding="utf-8")
    ran = CliRunner().invoke(main, ["cards", "check", "--game", "modern_land_battles", "--cards", str(tmp_path)])
    assert ran.exit_code == 2
    found = [line.replace(f"{tmp_path}/", "") for line in ran.output.splitlines()]
    for said in (
        "x.toml:3: one.nation: found '', expected at least 1 character",
        "x.toml:5: one.armor: found 0, expected greater than or equal to 1",
        "x.toml:7: one.weapons.cannon: found 'big', expected a valid integer",
        "x.toml:7: one.weapons.rifle: found 1, expected no such field",
        "x.toml:8: one.printed.0: found 'name', expected 'armor', ",
        "x.toml:10: two.vp: found nothing, expected a value",
        "x.toml:15: two.weapons.artillery.modifier: found nothing, expected a value",
        "x.toml:15: two.weapons.artillery.range: found 0, expected greater than or equal to 1",
    ):
        assert any(line.startswith(said) for line in found), (said, found)


def test_card__may_be_of_any_nation() -> None:
    assert Card.model_validate(tabled() | {"nation": "Wales"}).nation == "Wales"


# --- dice thrown literally --------------------------------------------------------------------------------------

ALL_ROUND = tabled(7, small_arms=2, cannon=0, missile=1, artillery={"range": 4, "modifier": 1})
MATCHES: list[tuple[dict[str, Any], dict[str, Any], dict[str, Any], dict[str, Any]]] = [
    (tabled(8, cannon=1), tabled(6, cannon=0), {}, {}),
    (tabled(4, missile=2), tabled(8, cannon=-1), {"superior_counters": 1, "enemy_stops": 1}, {}),
    (ALL_ROUND, ALL_ROUND, {"range_in": 2, "superior_counters": -2}, {}),
    (ALL_ROUND, tabled(6, small_arms=1), {"action_card": "assault", "enemy_action_card": "small_arms"}, {}),
    (ALL_ROUND, ALL_ROUND, {"range_in": 3, "attacker_row": 2, "enemy_stops": 1, "own_stops": 1}, {}),
    (ALL_ROUND, ALL_ROUND, {"range_in": 3}, {"range_defense": True}),
    (tabled(9, cannon=0), tabled(11, small_arms=9), {"action_card": "cannon"}, {"d10_natural_rules": True}),
    (
        tabled(5, small_arms=0, artillery={"range": 1, "modifier": 2}),
        tabled(6, cannon=1),
        {"action_card": "assault", "area": "flanking", "superior_counters": 4, "own_stops": 1},
        {},
    ),
    (tabled(5, small_arms=1), tabled(6, small_arms=1), {"range_in": 2, "action_card": "raid"}, {}),
]
each_match = pytest.mark.parametrize(("a", "b", "situation", "variant"), MATCHES)


def assert_agrees(throw: Callable[[Random], Any], exact: dict[Any, float], n: int, seed: int) -> None:
    """Each outcome's count fits its chance, |z| < 5, and nothing impossible is thrown."""
    rng = Random(seed)
    thrown = Counter(throw(rng) for _ in range(n))
    assert {outcome for outcome in thrown if not exact.get(outcome)} == set()
    for outcome, p in exact.items():
        spread = sqrt(n * p * max(0.0, 1 - p))
        assert abs(thrown[outcome] - n * p) <= LIMIT * spread + 1e-6, (outcome, thrown[outcome] / n, p)


@pytest.mark.slow
@each_match
def test_shot__agrees_with_thrown_dice(a: Any, b: Any, situation: Any, variant: Any) -> None:
    at = {"range_in": 1, **situation}
    found = shot(Card.model_validate(a), Card.model_validate(b), variant=variant, **at)
    exact = {hits: float(p) for hits, p in found.effect.items()}
    assert_agrees(lambda rng: table.throw_attack(rng, a, b, at, variant), exact, 20_000, 1)


@pytest.mark.slow
@each_match
@pytest.mark.parametrize("first", ["a", "b"])
def test_duel__agrees_with_thrown_dice(a: Any, b: Any, situation: Any, variant: Any, first: Any) -> None:
    at = {"range_in": 1, **situation}
    game = aab.Game("modern_land_battles", variant=variant)
    found = game.duel(Card.model_validate(a), Card.model_validate(b), first=first, **at)
    exact = {"a": found.p_a, "b": found.p_b, None: found.p_draw}
    assert_agrees(lambda rng: table.throw_duel(rng, a, b, at, variant, first), exact, 4_000, 2)


# --- what holds whatever the cards say --------------------------------------------------------------------------

modifiers = st.one_of(st.none(), st.integers(-3, 4))
units = st.builds(
    lambda armor, small_arms, cannon, missile, gun: card(
        armor, **{k: v for k, v in zip(SYMBOLS, (small_arms, cannon, missile, gun), strict=True) if v is not None}
    ),
    st.integers(1, 12),
    modifiers,
    modifiers,
    modifiers,
    st.one_of(st.none(), st.fixed_dictionaries({"range": st.integers(1, 5), "modifier": st.integers(-2, 3)})),
)
situations = st.fixed_dictionaries(
    {"range_in": st.integers(0, 6)},
    optional={
        "attacker_row": st.sampled_from(ROWS),
        "area": st.sampled_from(["breakthrough", "flanking", "terrain"]),
        "superior_counters": st.integers(-4, 4),
        "action_card": st.sampled_from(list(ATTACKS)),
        "enemy_action_card": st.sampled_from(list(ATTACKS)),
        "enemy_stops": st.integers(0, 3),
        "own_stops": st.integers(0, 3),
    },
)
variants = st.fixed_dictionaries({}, optional={"d10_natural_rules": st.booleans(), "range_defense": st.booleans()})


@pytest.mark.slow
@given(units, units, situations, variants)
def test_survey__chances_sum_to_one_and_conditions_never_mend(a: Any, b: Any, at: Any, variant: Any) -> None:
    found = blows(a, b, variant, **at)
    for row in found.chances:
        for enemy, pmf in enumerate(row):
            assert sum(pmf.values()) == 1
            assert min(pmf) >= enemy
            assert max(pmf) <= 4


@pytest.mark.slow
@given(units, units, situations, variants)
def test_survey__more_own_hits_never_help(a: Any, b: Any, at: Any, variant: Any) -> None:
    means = [dice.mean(row[0]) for row in blows(a, b, variant, **at).chances]
    assert means == sorted(means, reverse=True)


@pytest.mark.slow
@given(units, units, situations, variants)
def test_shot__best_symbol_is_best(a: Any, b: Any, at: Any, variant: Any) -> None:
    best = dice.mean(shot(a, b, variant=variant, **at).effect)
    every = [symbol for symbol in SYMBOLS if getattr(a.weapons, symbol) is not None]
    assert best == max((dice.mean(shot(a, b, symbol, variant, **at).effect) for symbol in every), default=0)


@pytest.mark.slow
@given(units, units, situations, variants)
def test_duel__turned_round_is_the_same_duel(a: Any, b: Any, at: Any, variant: Any) -> None:
    game = aab.Game("modern_land_battles", cards=GAME.cards, variant=variant)
    fields = {name: value for name, value in at.items() if name != "range_in"}
    turned = game.situation(**fields).mirrored(at["range_in"])
    if turned.attacker_row not in ROWS:
        return
    one = game.duel(a, b, first="a", **at)
    other = game.duel(b, a, first="b", range_in=at["range_in"], **turned.model_dump())
    assert (one.p_a, one.p_b, one.p_draw) == pytest.approx((other.p_b, other.p_a, other.p_draw), abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("promise", table.PROMISES, ids=lambda promise: promise.field)
def test_promises__hold_for_all_cards(promise: Any) -> None:
    at_plain = {"range_in": 1}
    for unit_id in GAME.cards:
        for enemy_id in ("us_m1a1", "us_bradley", "cn_type83"):
            means = []
            for value in promise.values:
                changed = {"attacker": unit_id, "target": enemy_id}.get(promise.of)
                game = aab.Game(
                    "modern_land_battles",
                    cards=GAME.cards,
                    changes=[f"{changed}.{promise.field}={value}"] if changed else (),
                )
                at = {**at_plain, promise.field: value} if promise.of == "situation" else at_plain
                means.append(game.shot(unit_id, enemy_id, **at).expected_damage)
            assert means == sorted(means), (unit_id, enemy_id, promise)
