"""Printed unit cards: what they say is what the rulebook's examples and the golden values say; nothing is cut off."""

from __future__ import annotations

import html
import itertools
import os
import re
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from golden.cases import reference_cases
from handmade import ai, at, he, squad, vehicle
from odds import GAME, survey

import aabalance as aab
from aabalance.cards import Cards
from aabalance.cli import main
from aabalance.report.cards_print import page
from aabalance.rulesets import OURS
from aabalance.rulesets.armored_advance.variant import Variant
from aabalance.rulesets.base import Grid, Profile
from aabalance.rulesets.base.roster import in_a_cell, left


def profile(unit_id: str, game: str = "armored_advance", *changes: str, **variant: Any) -> Profile:
    bound = aab.Game(game, variant=variant, changes=changes)
    return bound.ruleset.roster.profile(bound.cards[unit_id], bound.variant)


def grid(profile: Profile, title: str) -> Grid:
    return next(grid for grid in profile.grids if title in grid.title)


def row(grid: Grid, name: str) -> list[str]:
    return next(list(cells) for first, *cells in grid.rows if first == name)


def meaning(profile: Profile, name: str) -> str:
    return next(term.meaning for term in profile.terms if term.name == name)


def stats(profile: Profile) -> dict[str, str]:
    return {stat.name: stat.value for stat in profile.stats}


def test_left__counts_down_with_a_number_at_the_first_box_and_at_every_fifth() -> None:
    assert left(7) == ("7", "", "5", "", "", "", "")
    assert left(10) == ("10", "", "", "", "", "5", "", "", "", "")


# --- Armored Advance --------------------------------------------------------------------------------------------


def covering(grid: Grid, armor: int, weak_spot: bool) -> list[str] | None:
    """Return the needs that a player finds for an armour value; the rows of weak spots come before the others."""
    named = {first: list(cells) for first, *cells in grid.rows}
    if weak_spot and f"{armor} weak spot" in named:
        return named[f"{armor} weak spot"]
    for name, cells in named.items():
        ends = name.split("–")
        if name.replace("–", "").isdecimal() and int(ends[0]) <= armor <= int(ends[-1]):
            return cells
    return None


def test_profile__needs_give_the_golden_chances_of_every_shot() -> None:
    plain = {"advantage": False, "hit_bonus": 0, "requirement_increase": 0, "variant": {"resolution": "one_die"}}
    shots = [shot for shot in reference_cases("armored_advance")["shot"] if plain.items() <= shot["inputs"].items()]
    assert len(shots) > 50
    tables: dict[int, Grid] = {}
    for shot in shots:
        asked = shot["inputs"]
        gun = asked["penetration"]
        if gun not in tables:
            change = f"su_t34_85.weapons.0.penetration={gun}"
            tables[gun] = grid(profile("su_t34_85", "armored_advance", change), "penetration")
        cells = covering(tables[gun], asked["armor"], asked["weak_spot"])
        column = min((int(asked["range_in"]) + 5) // 6, 6) - 1  # the rulebook: round up to the nearest 6 inches
        need = None if cells is None else cells[max(column, 0)]
        chance = Fraction(0) if need is None else Fraction(7 - int(need.removesuffix("+")), 6)
        assert chance == Fraction(shot["expect"]["p"]), asked


def test_profile__two_dice_need_the_range_and_the_penetration_apart() -> None:
    table = grid(profile("de_tiger1", resolution="two_dice"), "8.8 cm KwK 36")
    assert row(table, "15") == ["1+ 4+", "2+ 4+", "3+ 4+", "4+ 4+", "5+ 4+", "6+ 4+"]


def test_profile__needs_are_those_inside_of_the_bands_also_where_a_band_begins_with_its_edge() -> None:
    table = grid(profile("de_tiger1", range_boundary="strict"), "penetration")
    assert table.head[1:] == (*(f'below {end}"' for end in (6, 12, 18, 24, 30)), "beyond")
    assert list(table.rows[0][1:]) == ["1+", "2+", "3+", "4+", "5+", "6+"]


def test_profile__a_short_reach_ends_the_columns() -> None:
    # p. 19: Anti-Tank 4/2 (18")
    table = grid(profile("inf_at_rifle"), "Anti-tank rifle: penetration 4, damage 2")
    assert table.head == ("Armour, cm", 'to 6"', 'to 12"', 'to 18"')
    assert row(table, "4") == ["4+", "4+", "4+"]


def column_at(head: tuple[str, ...], inches: float) -> int:
    """Return the column in which a player looks who is so far away."""
    for column, words in enumerate(head[1:]):
        word, _, end = words.removesuffix('"').partition(" ")
        if word == "beyond" or (inches < float(end) if word == "below" else inches <= float(end)):
            return column
    raise LookupError(inches)


@pytest.mark.parametrize("boundary", ["round_up", "strict"])
@pytest.mark.parametrize("reach", [6, 17, 18, 20, 30, 36, 40, None])
def test_profile__columns_hold_at_each_distance_in_reach(reach: int | None, boundary: str) -> None:
    gun, game = vehicle(at(4, range=reach)), aab.Game(variant={"range_boundary": boundary})
    table = grid(game.ruleset.roster.profile(gun, game.variant), "penetration 4")
    for inches in (half / 2 for half in range(2 * (reach or 40) + 1)):
        need = game.shot(gun, vehicle(armor=4), range_in=inches).need
        assert row(table, "4")[column_at(table.head, inches)] == f"{need}+", inches


def chance(need: int, again: int, *, often: bool) -> Fraction:
    """Return the chance of `need` or more on a D6 that is rolled again, once or often, where it shows `again`."""
    hit, more = Fraction(max(0, 7 - max(need, 1)), 6), Fraction(1 <= again < need, 6)
    return hit / (1 - more) if often else hit + more * hit


def at_the_table(cell: str, note: str, by_range: int) -> Fraction:
    """Return the chance of a shot at advantage for a player who reads the needs and the note of a card."""
    if cell == "–":
        return Fraction(0)
    hit, *pen = (int(need.removesuffix("+")) for need in cell.split())
    miss, _, often = note.partition("Not moved: a ")[2].partition(" is rolled again")
    often = "as often as it falls" in often
    assert miss in ("roll one short", "roll one short of the range's need", "hit die one short", "die one short")
    short = by_range if miss.endswith("range's need") else hit
    assert bool(pen) == ("die" in miss)
    through = chance(pen[0], pen[0] - 1 if miss == "die one short" else 0, often=often) if pen else 1
    return chance(hit, short - 1, often=often) * through


@pytest.mark.parametrize("limit", [1, None])
@pytest.mark.parametrize("scope", ["auto", "final", "hit", "both"])
@pytest.mark.parametrize("resolution", ["one_die", "two_dice", "sum"])
def test_profile__says_which_miss_is_rolled_again(resolution: str, scope: str, limit: int | None) -> None:
    game = aab.Game(variant={"resolution": resolution, "reroll_scope": scope, "reroll_limit": limit})
    gun, howitzer, light = vehicle(at(15)), vehicle(he(30)), vehicle(weight="light", armor=0)
    shown = [game.ruleset.roster.profile(unit, game.variant) for unit in (gun, howitzer)]
    to_pierce, to_hit = grid(shown[0], "penetration 15"), grid(shown[1], "to hit")
    for inches in range(3, 42, 6):
        column = min(inches // 6, 5)
        for armor in range(12, 18):
            cell = (covering(to_pierce, armor, False) or ["–"] * 6)[column]
            found = game.shot(gun, vehicle(armor=armor), range_in=inches).p_damage
            assert found == pytest.approx(float(at_the_table(cell, to_pierce.note, column + 1))), (inches, armor)
        cell = row(to_hit, "light; moved medium")[column]
        found = game.shot(howitzer, light, range_in=inches).p_damage
        assert found == pytest.approx(float(at_the_table(cell, to_hit.note, column + 1))), inches


def test_profile__he_hit_dice_page_10() -> None:
    # D6 + 2 against a heavy target that stands: within 18 inches 3 - 2 = 1; D6 - 2 against a light one that moved.
    table = grid(profile("us_m7"), "HE: to hit")
    assert row(table, "heavy") == ["1+", "1+", "1+", "2+", "3+", "4+"]
    assert row(table, "moved light") == ["3+", "4+", "5+", "6+", "–", "–"]
    assert row(table, "medium; moved heavy") == ["1+", "1+", "2+", "3+", "4+", "5+"]
    assert row(table, "light; moved medium") == ["1+", "2+", "3+", "4+", "5+", "6+"]


def test_profile__he_damage_is_base_less_n_dice_page_10() -> None:
    changes = ("us_m7.weapons.1.base=25", "us_m7.weapons.1.n=3")
    table = grid(profile("us_m7", "armored_advance", *changes), "damage 25 − 3 × D6")
    assert row(table, "hit points") == ["22", "19", "16", "13", "10", "7"]


@pytest.mark.parametrize(("he_moved", "name"), [("any", "moved heavy"), ("two_moves", "twice moved heavy")])
def test_profile__he_hit_dice_say_how_often_a_target_has_to_have_moved(he_moved: str, name: str) -> None:
    """The row is what a howitzer needs against a heavy target that made two moves; AA-24 says whether one will do."""
    table = grid(profile("us_m7", he_moved=he_moved), "HE: to hit")
    [cells] = [cells for first, *cells in table.rows if name in first.split("; ")]
    assert cells == ["1+", "1+", "2+", "3+", "4+", "5+"]
    game, weapon = aab.Game(variant={"he_moved": he_moved, "he_advantage": False}), "105 mm M2A1 howitzer HE"
    once = game.shot("us_m7", vehicle(weight="heavy", armor=0), range_in=21, weapon=weapon, target_moves=1)
    assert once.p_damage == pytest.approx((4 if name.startswith("moved") else 5) / 6)


@pytest.mark.parametrize("he_n", ["card", 1, 2])
def test_profile__he_damage_takes_the_n_of_the_rule_switch(he_n: Any) -> None:
    howitzer = vehicle(he(25, 3))
    shown = GAME.ruleset.roster.profile(howitzer, Variant(he_n=he_n))
    n = 3 if he_n == "card" else he_n
    told = row(grid(shown, f"damage 25 − {n} × D6"), "hit points")
    assert told == [str(25 - n * face) for face in range(1, 7)]
    # Against no armour it always hits at 3 inches.
    shot = aab.Game(variant={"he_n": he_n}).shot(howitzer, vehicle(armor=0, weight="heavy"), range_in=3)
    assert shot.damage == {int(damage): pytest.approx(1 / 6) for damage in told}


@pytest.mark.parametrize(("gap", "most"), [("halve", 15), ("immune", 14)])
def test_profile__indirect_says_up_to_what_movement_it_does_half(gap: Any, most: int) -> None:
    howitzer = vehicle(he(20), keywords={"indirect": 48})
    note = grid(GAME.ruleset.roster.profile(howitzer, Variant(indirect_gap=gap)), "damage 20").note
    assert f'halved if the target moved 8" or more, nothing if more than {most}" (p. 15).' in note
    game, given = aab.Game(variant={"indirect_gap": gap}), {"range_in": 30, "set_up": True, "moved": False}
    for moved_in, hurt in ((most, True), (most + 0.5, False)):
        shot = game.shot(
            howitzer, vehicle(armor=0), **given, weapon="weapon 1 (indirect)", target_moves=2, target_moved_in=moved_in
        )
        assert (shot.expected_damage > 0) == hurt


def test_profile__squads_page_17_and_18() -> None:
    # 4-6 men AI/D3-1, 1-3 men AI/D3-2, a machine gun one kill more, none with grenades, which are AI/D6-2.
    table = grid(profile("inf_rifle_mg_grenades"), "infantry")
    assert row(table, 'Rifles (4+ men), to 12"') == ["1", "1", "2", "2", "3", "3"]
    assert row(table, 'Rifles (1–3 men), to 12"') == ["1", "1", "1", "1", "2", "2"]
    assert row(table, '2 grenades, to 6"') == ["0", "0", "1", "2", "3", "4"]


def test_profile__moves_page_4() -> None:
    heavy = stats(profile("de_tiger1", "armored_advance", "de_tiger1.movement=4"))
    for movement in (1, 2, 4):
        shown = profile("de_tiger1", "armored_advance", f"de_tiger1.movement={movement}")
        assert stats(shown)["Moves"] == f'{movement}", {movement + min(movement, 2)}"'
        assert meaning(shown, "Heavy").startswith('moves 2" at most')
    light = stats(profile("de_hetzer", "armored_advance", "de_hetzer.movement=7"))
    assert heavy["Moves"] == '4", 6"'
    assert light["Moves"] == '7", 14"'
    assert light["Free move"] == '2"'


def test_profile__support_page_14__10_becomes_15() -> None:
    assert grid(profile("de_pz3n"), "penetration").title.endswith("damage 10 (15 to field guns)")


def test_profile__explains_every_keyword_with_its_page_and_number() -> None:
    terms = {term.name: term for term in profile("de_wespe").terms}
    assert set(terms) == {"Light", "Casemate", "Support", "Angling (2)", "Indirect (48)", "Weak Spot"}
    assert "48 inches" in terms["Indirect (48)"].meaning
    assert terms["Indirect (48)"].rule == "p. 15"
    assert terms["Casemate"].meaning.startswith("Fires within the frontal 90 degrees; -1 on the roll")
    assert not any("AA-" in term.meaning for term in terms.values())


def term(card: Any, name: str, **variant: Any) -> str:
    return meaning(GAME.ruleset.roster.profile(card, Variant(**variant)), name)


@pytest.mark.parametrize(("requires_hit", "words"), [(False, "without a hit roll"), (True, "with a hit roll")])
def test_profile__indirect_says_whether_it_rolls_to_hit(requires_hit: bool, words: str) -> None:
    howitzer = vehicle(he(20), keywords={"indirect": 48})
    assert words in term(howitzer, "Indirect (48)", indirect_requires_hit=requires_hit)
    # Else certain; at 30 inches 5 and 1 less against a medium target.
    lob = {"indirect_requires_hit": requires_hit}
    given = {"range_in": 30, "set_up": True, "moved": False, "weapon": "weapon 1 (indirect)"}
    shot = aab.Game(variant=lob | {"he_advantage": False}).shot(howitzer, vehicle(armor=0), **given)
    assert shot.p_damage == (0.5 if requires_hit else 1)


@pytest.mark.parametrize(("angling", "words", "armor"), [("replace", "Armour 5 ", 5), ("add", "5 more armour ", 8)])
def test_profile__angling_says_whether_its_armour_is_added(angling: str, words: str, armor: int) -> None:
    target = vehicle(armor=3, keywords={"angling": 5})
    assert term(target, "Angling (5)", angling=angling).startswith(words)
    shot = aab.Game(variant={"angling": angling}).shot(vehicle(at(armor)), target, range_in=6, angled=True)
    assert shot.need == 4  # as much penetration as armour


@pytest.mark.parametrize(
    ("costs", "words", "damage"), [(True, "For an action, a friend's", 5), (False, "A friend's", 10)]
)
def test_profile__scout_says_whether_it_takes_an_action(costs: bool, words: str, damage: int) -> None:
    switches = {"scout_costs_action": costs}
    assert term(vehicle(keywords={"scout": True}), "Scout", **switches).startswith(words)
    assert survey(vehicle(at(20)), vehicle(), 6, switches, scout_in=6).per_action == damage


@pytest.mark.parametrize(("rolls", "words", "men"), [(1, "is rolled once", 1), ("X", "is rolled 3 times", 3)])
def test_profile__autocannon_says_how_often_its_casualty_code_is_rolled(rolls: Any, words: str, men: int) -> None:
    card = vehicle(ai("1"), keywords={"autocannon": 3})
    assert term(card, "Autocannon (3)", autocannon_ai_rolls=rolls).endswith(words)
    assert aab.Game(variant={"autocannon_ai_rolls": rolls}).shot(card, squad(), range_in=6).damage == {men: 1}


def test_profile__an_autocannon_fires_twice_in_the_titles_of_its_tables() -> None:
    gun, flak = (vehicle(weapon, keywords={"autocannon": 2}) for weapon in (at(6, 5), ai("1")))
    profile_of, rolled = GAME.ruleset.roster.profile, Variant(autocannon_ai_rolls="X")
    assert grid(profile_of(gun, Variant()), "penetration").title == "weapon 1: penetration 6, damage 5, 2 times"
    assert grid(profile_of(flak, Variant()), "infantry").rows[0][0] == 'weapon 1, to 12"'
    assert grid(profile_of(flak, rolled), "infantry").rows[0][0] == 'weapon 1, to 12", 2 rolls'


@pytest.mark.parametrize("on_grenades", [False, True])
def test_profile__a_machine_guns_kill_is_in_the_table_where_it_counts(on_grenades: bool) -> None:
    shown = profile("inf_rifle_mg_grenades", mg_on_grenades=on_grenades)
    assert meaning(shown, "Machine gun") == "its +1 kill is in the table of men lost"
    assert row(grid(shown, "infantry"), '2 grenades, to 6"')[0] == ("1" if on_grenades else "0")


@pytest.mark.parametrize(
    ("after", "men"), [(True, ["1", "1", "1", "1", "2", "2"]), (False, ["0", "0", "1", "1", "2", "2"])]
)
def test_profile__a_machine_guns_kill_is_added_before_or_after_a_roll_below_0_counts_as_0(
    after: bool, men: list[str]
) -> None:
    """Three men have AI/D3-2 and the kill: a 1 or 2 of the D6 is -1, which the rulebook makes 0 (AA-38)."""
    shown = profile("inf_rifle_mg_grenades", mg_after_clamp=after)
    assert row(grid(shown, "infantry"), 'Rifles (1–3 men), to 12"') == men


def test_profile__a_weight_is_explained_only_to_those_who_move() -> None:
    assert "Heavy" in [term.name for term in profile("de_tiger1").terms]
    assert "Heavy" not in [term.name for term in profile("de_tiger1", "armored_advance", "de_tiger1.movement=0").terms]


# --- the other games --------------------------------------------------------------------------------------------


def test_profile__forumini_abilities_are_explained_by_the_rulebook_or_a_number_on_the_card() -> None:
    """What is said to be "as above" is in the card's numbers, whatever the formula for them."""
    game = aab.Game("forumini")
    kept: dict[str, Callable[[Any, int], bool]] = {
        "Extended Range": lambda card, x: card.range[-1] == x,
        "Enhanced Range": lambda card, x: card.range[-1] == x,
        "Limited Range": lambda card, x: card.range[-1] <= x,
        "Close Assault": lambda card, x: (card.range[0], card.antivehicle[0]) == (0, x),
        "Crack Shot": lambda card, x: card.die_modifier == 1,
        "Inaccurate": lambda card, x: card.die_modifier == -x,
        "Double Shot": lambda card, x: card.attacks == 2,
        "Rockets": lambda card, x: card.bombs.dice == x,
        "Tall Silhouette": lambda card, x: card.cover is None,
        "Initiative": lambda card, x: card.initiative == x,
    }
    seen = set()
    for unit, card in game.cards.items():
        terms = {term.name: term for term in game.ruleset.roster.profile(card, game.variant).terms}
        rest = terms.pop("Also printed", None)
        told = [*terms, *(rest.meaning.split("; ") if rest else [])]
        assert sorted(told) == sorted(card.abilities)
        for ability, term in terms.items():
            name, _, number = ability.replace("+", "").rpartition(" ") if ability[-1].isdigit() else (ability, "", "1")
            assert "X" not in term.meaning
            if name in kept:
                seen.add(name)
                assert kept[name](card, int(number)), (unit, ability)
    assert seen == set(kept)
    [mortar] = [term for term in profile("de_sgrw_34_81mm_mortar", "forumini").terms if term.name == "Indirect Fire"]
    assert "without a Line of Sight" in mortar.meaning
    assert mortar.rule == "Indirect Fire"
    [gun] = [term for term in profile("de_hummel", "forumini").terms if term.name == "Fixed Howitzer"]
    assert gun.meaning.startswith("its facing says where it may fire")


@pytest.mark.parametrize(("modifier", "need"), [(1, 3), (0, 4), (-1, 5)])
def test_profile__forumini_dice_succeed_on_4_less_what_is_added_to_them(modifier: int, need: int) -> None:
    tank = profile("de_tiger_i", "forumini", f"de_tiger_i.die_modifier={modifier}")
    assert grid(tank, "Attack Dice").note.startswith(f"Each die that shows {need} or more is a success.")


def test_profile__forumini_values_under_fire_are_those_of_the_rules() -> None:
    # Effects of face-up counters: a Pinned vehicle -1/0, a Damaged one -1/-1, a Demoralized soldier -1/-1.
    tank = grid(profile("de_tiger_i", "forumini"), "Under fire")
    front, *_ = row(tank, "in good order")
    armor, vital = map(int, front.split("/"))
    card = aab.Game("forumini").cards["de_tiger_i"]
    assert (armor, vital) == (card.armor.front, card.vital.front)
    assert row(tank, "Pinned")[0] == f"{armor - 1}/{vital}"
    assert row(tank, "Damaged")[0] == f"{armor - 1}/{vital - 1}"
    more = profile("de_tiger_i", "forumini", second_damaged="cumulative")  # F-5
    assert row(grid(more, "Under fire"), "Damaged twice")[0] == f"{armor - 2}/{vital - 2}"
    assert " One worse while Pinned or for each Damaged counter. " in grid(more, "Attack Dice").note
    change = "uk_17_pounder_at_gun.die_modifier=-1"
    assert stats(profile("uk_17_pounder_at_gun", "forumini", change))["A die succeeds on"] == "5+"
    assert row(grid(profile("uk_17_pounder_at_gun", "forumini"), "Attack Dice"), "vehicles") == ["15", "13", "11", "11"]


@pytest.mark.parametrize(("attacks", "shown"), [(1, None), (2, "2"), (3, "3")])
def test_profile__forumini_counts_attacks_where_there_is_more_than_one(attacks: int, shown: str | None) -> None:
    tank = profile("de_tiger_i", "forumini", f"de_tiger_i.attacks={attacks}")
    assert stats(tank).get("Attacks") == shown


def test_profile__forumini_dice_against_aircraft_are_against_all_kinds_of_them() -> None:
    change = "de_tiger_i.antiair=[4, 3, 2, 1]"
    assert row(grid(profile("de_tiger_i", "forumini", change), "Attack Dice"), "aircraft") == ["4", "3", "2", "1"]


def test_profile__forumini_columns_begin_behind_the_column_before_them() -> None:
    """The Tiger I has Extended Range 10: dice of short, medium and long range, and others up to 10 hexes."""
    assert grid(profile("de_tiger_i", "forumini"), "Attack Dice").head == ("against", "0–1", "2–4", "5–8", "9–10")
    near = profile("de_tiger_i", "forumini", "de_tiger_i.range=[0, 4, 8, 10]")
    assert grid(near, "Attack Dice").head == ("against", "0", "1–4", "5–8", "9–10")


def test_profile__forumini_cover_roll_is_a_number_and_more_or_fails() -> None:
    assert stats(profile("de_tiger_i", "forumini"))["Cover Roll"] == "5+"
    game = aab.Game("forumini")
    tall = next(unit for unit, card in game.cards.items() if "Tall Silhouette" in getattr(card, "abilities", ()))
    assert stats(profile(tall, "forumini"))["Cover Roll"] == "fails"


def test_profile__forumini_under_fire_each_condition_has_one_row() -> None:
    usual, more = (
        grid(profile("de_tiger_i", "forumini", second_damaged=switch), "Under fire")
        for switch in ("no_effect", "cumulative")
    )
    assert [name for name, *_ in usual.rows] == ["in good order", "Pinned", "Damaged"]
    assert [name for name, *_ in more.rows] == [name for name, *_ in usual.rows] + [
        "Damaged twice",
        "Damaged three times",
    ]


@pytest.mark.parametrize("switch", ["one_hit", "destroyed"])
def test_profile__forumini_under_fire_says_what_one_number_for_both_means(switch: str) -> None:
    note = grid(profile("de_tiger_i", "forumini", dis_equals_def=switch), "Under fire").note
    assert ("destroyed; where both are one number, 1 hit. " in note) == (switch == "one_hit")


def test_profile__skirmish_hits_give_the_golden_strikes() -> None:
    game = aab.Game("skirmish_wars")
    strikes = reference_cases("skirmish_wars")["strike"]
    assert strikes
    for strike in strikes:
        asked = strike["inputs"]
        attacker, target = game.cards[asked["attacker"]], game.cards[asked["target"]]
        shown = profile(attacker.id, "skirmish_wars")
        powers = grid(shown, "Firepower")
        strength = "5–8 hit points" if asked["attacker_hp"] >= 5 else "1–4, reduced"
        power = row(powers, strength)[powers.head.index(target.symbol) - 1]
        damage = int(power) - target.defense
        hits = grid(shown, "Hits")
        column = hits.head.index(asked["terrain"].replace("_", ", ")) - 1
        cell = row(hits, f"{damage}".replace("-", "−"))[column] if damage >= -3 else "0"
        sure, _, die = cell.removesuffix(")").partition(" (")
        more = Fraction(int(die or 0), 6)
        expected = {str(int(sure)): 1 - more, str(int(sure) + 1): more}
        assert {hit: p for hit, p in expected.items() if p} == {
            h: Fraction(p) for h, p in strike["expect"]["pmf"].items()
        }


@pytest.mark.parametrize("unreduce", [True, False])
def test_profile__skirmish_says_when_a_repaired_unit_is_reduced(unreduce: bool) -> None:
    powers = grid(profile("tank", "skirmish_wars", unreduce_on_repair=unreduce), "Firepower")
    game = aab.Game("skirmish_wars", variant={"unreduce_on_repair": unreduce})
    full, reduced = ("5–8 hit points", "1–4, reduced") if unreduce else ("never below 5", "once below 5, reduced")
    for hp, repaired in itertools.product(range(1, 9), (False, True)):
        was_below = hp < 5 or (repaired and not unreduce)
        shot = game.shot("tank", "tank", range_in=1, own_hp=hp, own_repaired=repaired)
        told = next(step.value for step in shot.steps if step.label == "firepower")
        power = row(powers, reduced if was_below else full)[powers.head.index("tread") - 1]
        assert told.startswith(f"{power} against tread"), (hp, repaired)


def test_profile__skirmish_says_what_lies_above_and_below_the_table_of_hits() -> None:
    hits = grid(profile("anti_air", "skirmish_wars"), "Hits")
    above, every = map(int, re.findall(r"above (\d+) all (\d+)", hits.note)[0])
    assert "below the table none" in hits.note
    for power, defense in itertools.product((0, 15), (0, 1, 2, 5)):
        changes = [f"anti_air.firepower.foot={power}", f"infantry.defense={defense}"]
        shot = aab.Game("skirmish_wars", changes=changes).shot("anti_air", "infantry", range_in=1, own_hp=8)
        damage = power - defense
        shown = [cells for name, *cells in hits.rows if name == f"{damage}".replace("-", "−")]
        if shown:
            sure, _, die = shown[0][hits.head.index("grass") - 1].removesuffix(")").partition(" (")
            assert shot.expected_damage == pytest.approx(int(sure) + int(die or 0) / 6)
        else:
            assert shot.damage == {every if damage > above else 0: 1}


def test_profile__skirmish_movement_costs_are_points_or_none_where_it_may_not_enter() -> None:
    changes = [f"tank.movement_cost.{ground}={cost}" for ground, cost in (("grass", 2), ("road", 1), ("forest", 3))]
    costs = grid(profile("tank", "skirmish_wars", *changes), "Movement points")
    shown = dict(zip(costs.head[1:], row(costs, "points"), strict=True))
    assert shown == {"grass": "2", "road": "1", "forest": "3", "river": "–", "hill": "–"}


@pytest.mark.parametrize(("game", "unit"), [("armour_battles", "de_stug3"), ("forumini", "de_tiger_i")])
def test_list_columns__a_year_is_no_number_to_compare_units_by(game: str, unit: str) -> None:
    bound = aab.Game(game)
    assert bound.cards[unit].year
    assert "year" not in bound.ruleset.roster.list_columns(bound.cards[unit])


def test_in_a_cell__has_numbers_as_they_are_and_groups_with_strokes() -> None:
    assert [in_a_cell(value) for value in (7, {"front": 10, "side": 8, "rear": 8.5}, (4, 3))] == [
        "7",
        "10/8/8.5",
        "4/3",
    ]


def test_profile__skirmish_boxes_range_and_the_last_row_of_hits() -> None:
    """Below 5 of 8 hit points a unit has its reduced firepower; a neighbour is at range 1."""
    tank, gun = profile("tank", "skirmish_wars"), profile("artillery", "skirmish_wars")
    assert tank.track.boxes == ("8", "7", "6", "5", "4 reduced", "3 reduced", "2 reduced", "1 reduced")
    assert stats(tank)["Range"] == "1"
    assert stats(gun)["Range"] == "2–3"
    for shown, card in ((tank, "tank"), (gun, "artillery")):
        firepower = aab.Game("skirmish_wars").cards[card].firepower.model_dump()
        assert grid(shown, "Hits").rows[-1][0] == str(max(firepower.values())), "no target has less than 0 Defense"


def test_profile__modern_needs_give_the_golden_attacks() -> None:
    plain = {"own_hits": 0, "extra_dice": 0}  # and nothing else but the two numbers
    given = [
        attack["inputs"] | {"pmf": attack["expect"]["pmf"]}
        for attack in reference_cases("modern_land_battles")["attack"]
    ]
    attacks = [a for a in given if plain.items() <= a.items() and a.keys() == {*plain, "armor", "modifier", "pmf"}]
    assert len(attacks) > 10
    for asked in attacks:
        change = f"us_m60a3.weapons.cannon={asked['modifier']}"
        table = grid(profile("us_m60a3", "modern_land_battles", change), "A die hits Armor")
        need = row(table, "Cannon")[asked["armor"] - 1]
        hit = Fraction(0) if need == "–" else Fraction(11 - int(need.removesuffix("+")), 10)
        assert (1 - hit) ** 4 == Fraction(asked["pmf"].get("0", 0)), asked


@pytest.mark.parametrize("natural", [False, True])
def test_profile__modern_needs_are_those_under_the_rule_switch_of_natural_rolls(natural: bool) -> None:
    """Against each Armor the row gives the chance that a shot has; the switch changes those beyond 1+ and 10+."""
    variant = {"d10_natural_rules": natural}
    cells = row(grid(profile("us_m60a3", "modern_land_battles", **variant), "A die hits Armor"), "Cannon")
    assert len(cells) == 12
    for armor, need in enumerate(cells, 1):
        game = aab.Game("modern_land_battles", variant=variant, changes=[f"us_m113.armor={armor}"])
        miss = 1 - (0 if need == "–" else (11 - int(need.removesuffix("+"))) / 10)
        shot = game.shot("us_m60a3", "us_m113", range_in=2, weapon="cannon")
        assert shot.damage.get(0, 0) == pytest.approx(miss**4), (armor, need)


def test_profile__modern_stats_are_the_numbers_beside_the_symbols() -> None:
    changes = ("armor=6", "maneuver=8", "weapons.artillery.range=3", "weapons.artillery.modifier=-1")
    changed = [f"us_m109.{change}" for change in changes]
    gun = stats(profile("us_m109", "modern_land_battles", *changed, "us_m109.weapons.cannon=2"))
    assert gun == {"Armor": "6", "Maneuver": "8+", "Cannon": "+2", "Artillery": "−1"}
    assert stats(profile("us_m109", "modern_land_battles", "us_m109.weapons.artillery.modifier=0"))["Artillery"] == "0"
    game = aab.Game("modern_land_battles")
    fixed = game.cards["us_m109"].model_copy(update={"maneuver": None})
    assert stats(game.ruleset.roster.profile(fixed, game.variant))["Maneuver"] == "none"


def test_profile__modern_boxes_are_the_dice_that_are_left() -> None:
    track = profile("us_m60a3", "modern_land_battles").track
    assert track.name == "Hits (4 dice unhurt)"
    assert track.boxes == ("3 dice left", "2 dice left", "1 die left", "destroyed")


def test_profile__modern_weapons_name_their_reach_and_the_cards_that_they_attack_with() -> None:
    shown = profile("us_m60a3", "modern_land_battles")
    assert meaning(shown, "Cannon") == "2 Rows away; attacks with Assault, Barrage, Cannon, Combined Arms"
    assert meaning(shown, "Small Arms").startswith("1 Row away; attacks with Assault, Combined Arms, Cover Fire, Raid")


@pytest.mark.parametrize(("rows", "words"), [(1, "reaches 1 Row, needs"), (2, "reaches 2 Rows, needs")])
def test_profile__modern_counts_the_rows_that_artillery_reaches(rows: int, words: str) -> None:
    gun = profile("us_m109", "modern_land_battles", f"us_m109.weapons.artillery.range={rows}")
    assert meaning(gun, "Artillery").startswith(words)


@pytest.mark.parametrize(("number", "words"), [(1, "1 foot unit"), (2, "2 foot units")])
def test_profile__skirmish_counts_what_a_unit_carries(number: int, words: str) -> None:
    assert meaning(profile("tank", "skirmish_wars", f"tank.carries={number}"), "Carries") == words


@pytest.mark.parametrize("deeper", [False, True])
def test_profile__modern_says_whether_artillery_needs_more_against_deeper_rows(deeper: bool) -> None:
    shown = profile("us_m109", "modern_land_battles", range_defense=deeper)
    told = " Artillery: 1 higher against the 2nd Row, 2 against the 3rd. "
    assert (told in grid(shown, "A die hits Armor").note) == deeper


def test_profile__armour_battles_direct_fire_and_reaction() -> None:
    # The quick reference: 4+, close -1, long +1, flank -1; ambush +1D, double -1D, triple -2D; light cover +1D.
    shown = profile("de_stug3", "armour_battles")
    assert row(grid(shown, "each die needs"), "front") == ["3+", "4+", "5+"]
    assert row(grid(shown, "each die needs"), "flank or rear") == ["2+", "3+", "4+"]
    assert row(grid(shown, "by its move"), "ambush") == ["9D", "8D", "7D"]
    assert row(grid(shown, "Reaction"), "indirect") == ["5D", "6D", "6D", "7D"]
    assert row(grid(profile("us_m10", "armour_battles"), "Reaction"), "indirect")[0] == "3D"  # open-topped: 4D - 1D


@pytest.mark.parametrize(("dice", "shown"), [(None, None), (0, "0D"), (3, "3D")])
def test_profile__armour_battles_dice_against_indirect_fire_stand_there_where_they_differ(
    dice: int | None, shown: str | None
) -> None:
    game = aab.Game("armour_battles")
    tank = game.cards["de_stug3"].model_copy(update={"reaction_dice_indirect": dice})
    assert stats(game.ruleset.roster.profile(tank, game.variant)).get("against indirect") == shown


def test_profile__armour_battles_boxes_and_notes() -> None:
    """The quick reference: the third disruption point disperses; a reaction needs 4+, 5+ while suppressed."""
    shown = profile("de_stug3", "armour_battles")
    assert shown.track.boxes == ("1", "2", "dispersed")
    assert grid(shown, "Reaction").note.startswith("Each die needs 4+, 5+ while suppressed. ")
    battery = profile("us_105", "armour_battles", "us_105.artillery_dice=7")
    assert grid(battery, "Indirect fire").note == "7D, each needs 4+, at any range. Indirect Fire"
    assert battery.track.boxes == (), "nobody can fire at it"


# --- the page ---------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("name", OURS)
def test_page__has_every_unit_with_its_price_its_boxes_and_its_keywords(name: str) -> None:
    game = aab.Game(name)
    text = page(game, list(game.cards))
    articles = re.findall(r'<article id="([^"]+)">(.*?)</article>', text, re.S)
    assert [unit_id for unit_id, _ in articles] == list(game.cards)
    for unit_id, article in articles:
        card = game.cards[unit_id]
        assert f"<h2>{html.escape(card.name, quote=False)}</h2>" in article.replace("&#34;", '"').replace("&#39;", "'")
        assert f"<b>{getattr(card, game.ruleset.labels.currency):g}</b>" in article
        if name in ("armored_advance", "skirmish_wars"):
            assert article.count("<i>") == game.ruleset.toughness(card)
        if name == "armored_advance":
            assert len(re.findall("<li>", article)) >= len(card.keywords)
            assert all(html.escape(weapon.name) in article for weapon in card.weapons)
    assert game.cards.hash in text
    assert ("no roll will do" in text.partition("<footer>")[2]) == (name in ("armored_advance", "modern_land_battles"))
    assert "http" not in text


def test_page__a_long_track_is_written_down() -> None:
    game = aab.Game(changes=["de_tiger1.hp=121"])
    assert 'class="written">of 121<' in page(game, ["de_tiger1"])
    assert page(game, ["de_tiger1"]).count("<i>") == 0
    game = aab.Game(changes=["de_tiger1.hp=120"])
    assert 'class="written"' not in page(game, ["de_tiger1"])
    assert page(game, ["de_tiger1"]).count("<i>") == 120


def test_page__says_whose_card_each_is_and_counts_them() -> None:
    game = aab.Game()
    text = page(game, ["de_tiger1", "su_t34_85"])
    assert "<h1>Armored Advance: 2 unit cards</h1>" in text
    assert "<h1>Armored Advance: 1 unit card</h1>" in page(game, ["de_tiger1"])
    assert re.findall('<p class="origin">(.*)</p>', text) == [
        "Germany, 1942, heavy vehicle, tracked",
        "USSR, 1944, medium vehicle, tracked",
    ]
    assert re.findall('<p class="source">(.*?) · ', text) == ["de_tiger1", "su_t34_85"]
    assert '<p class="counted"><i>57</i>' in text, "in rows of twenty"
    assert "<p><i>1</i><i>2</i><i>dispersed</i>" in page(aab.Game("armour_battles"), ["de_stug3"])


def test_page__a_unit_without_a_price_has_a_dash() -> None:
    game = aab.Game()
    priceless = {"de_tiger1": {k: v for k, v in game.cards.tables["de_tiger1"].items() if k != "requisition"}}
    text = page(game.with_(cards=Cards(game.cards.schema, priceless, {})), ["de_tiger1"])
    assert '<p class="cost"><b>–</b> <span>requisition</span></p>' in text


@pytest.mark.slow
def test_page__is_the_same_under_any_hash_seed(tmp_path: Path) -> None:
    code = "import sys, aabalance as a; from aabalance.report.cards_print import page; g = a.Game()\n"
    code += "sys.stdout.buffer.write(page(g, list(g.cards)).encode())"
    pages = [
        subprocess.run(
            [sys.executable, "-c", code], env=os.environ | {"PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("1", "2")
    ]
    assert pages[0] == pages[1]
    assert len(pages[0]) > 100_000


def test_cards_print__writes_the_units_that_are_chosen(tmp_path: Path) -> None:
    out = tmp_path / "cards.html"
    done = CliRunner().invoke(main, ["cards", "tiger", "--nation", "Germany", "--print", str(out)])
    assert (done.exit_code, done.output) == (0, f"{out}: 4 cards\n")
    assert out.read_text(encoding="utf-8").count("<article") == 4


def test_cards_print__refuses_json_beside_it_and_a_missing_folder(tmp_path: Path) -> None:
    words = ["cards", "de_tiger1", "--print"]
    for more, said in (("b.html", "--print: found together with --json"), ("a/b.html", "can't be written")):
        done = CliRunner().invoke(main, [*words, str(tmp_path / more), *(["--json"] if more == "b.html" else [])])
        assert done.exit_code == 2
        assert said in done.stderr
    assert not list(tmp_path.iterdir())


# --- as it is printed -------------------------------------------------------------------------------------------

A4 = (210, 297)
MARGIN = 8
PX = 96 / 25.4

OVERFLOWS = """() => {
  const found = [];
  for (const card of document.querySelectorAll("article")) {
    const box = card.getBoundingClientRect();
    for (const part of card.querySelectorAll("*")) {
      const at = part.getBoundingClientRect();
      if (at.right > box.right + 0.5 || at.bottom > box.bottom + 0.5 || at.left < box.left - 0.5)
        found.push([card.id, part.tagName, part.textContent.slice(0, 40)]);
      const cell = part.tagName === "TD" || part.tagName === "TH" || part.tagName === "I";
      if (cell && part.scrollWidth > part.clientWidth + 1) found.push([card.id, part.tagName, part.textContent]);
    }
  }
  return found;
}"""


@pytest.mark.slow
@pytest.mark.parametrize("name", OURS)
def test_page__prints_whole_cards_several_a_page_with_nothing_cut_off(name: str, browser: Any) -> None:
    game = aab.Game(name)
    width, height = (int((side - 2 * MARGIN) * PX) for side in A4)
    sheet = browser.new_page(viewport={"width": width, "height": height})
    said: list[str] = []
    sheet.on("console", lambda message: said.append(message.text))
    sheet.set_content(page(game, list(game.cards)))
    assert sheet.evaluate(OVERFLOWS) == []
    sheet.emulate_media(media="print")
    assert sheet.evaluate(OVERFLOWS) == []
    # A card that fits a page and may not be broken is whole.
    broken = "a => getComputedStyle(a).breakInside !== 'avoid' || a.getBoundingClientRect().height > " + str(height)
    assert sheet.evaluate(f"[...document.querySelectorAll('article')].filter({broken}).map(a => a.id)") == []
    pages = len(re.findall(rb"/Type\s*/Page\b", sheet.pdf(prefer_css_page_size=True)))
    assert len(game.cards) / 12 < pages < len(game.cards) / 2
    sheet.set_viewport_size({"width": 390, "height": 800})
    sheet.emulate_media(media="screen")
    assert sheet.evaluate("document.documentElement.scrollWidth") <= 390
    assert sheet.evaluate(OVERFLOWS) == []
    assert said == []
    sheet.close()


def test_page__one_card_prints_one_page(browser: Any) -> None:
    sheet = browser.new_page()
    sheet.set_content(page(aab.Game(), ["fr_b1bis"]))
    assert len(re.findall(rb"/Type\s*/Page\b", sheet.pdf(prefer_css_page_size=True))) == 1
    sheet.close()
