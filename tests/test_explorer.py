"""The explorer: what is asked and answered without widgets, and the same through the traits of its controls."""

from __future__ import annotations

import html
import re
import threading
from itertools import groupby
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest

import aabalance as aab
from aabalance import explorer as package
from aabalance.analysis.pairs import kill_curves
from aabalance.cards import Cards
from aabalance.definitions.lists import unit_list
from aabalance.explorer import controls, views
from aabalance.explorer.controls import of_fight, what_ifs
from aabalance.explorer.fields import Picker
from aabalance.explorer.pictures import DRAW, A, B, Line, bar, chart, swatch
from aabalance.explorer.scene import Scene
from aabalance.explorer.widgets import BY_HAND, Explorer
from aabalance.lists import advice
from aabalance.lists.fields import stated
from aabalance.play.result import percent
from aabalance.pricing.worth_report import price_in_words
from aabalance.report.page import unbroken
from aabalance.rulesets import OURS

FEW = ("de_tiger1", "de_pz4h", "su_t34_85", "su_kv1_41", "us_m4a1", "inf_rifle")
games = pytest.mark.parametrize("name", OURS)


@pytest.fixture(scope="module")
def few() -> aab.Game:
    whole = aab.Game()
    return aab.Game(cards=Cards(whole.cards.schema, {i: whole.cards.tables[i] for i in FEW}, {}))


def number(panel: Any, what: str) -> str:
    """The large number of a panel that stands before these words."""
    found = re.search(rf'<span class="big">([^<]*)</span>{what}', panel.value)
    assert found, panel.value
    return found[1]


# --- controls come from the schemas


@games
def test_of_model__has_each_field_with_a_default_within_its_bounds(name: str) -> None:
    rules = aab.Game(name).ruleset
    for model in (rules.Moment, rules.Variant):
        found = {control.name: control for control in controls.of_model(model)}
        fields = {one: field.default for one, field in model.model_fields.items() if not field.is_required()}
        assert {one: control.default for one, control in found.items()} == fields
        assert all(control.meaning for control in found.values())
        for control in found.values():
            assert control.kind != "choice" or control.default in control.choices
            assert control.kind != "whole" or control.low <= control.default <= control.high


def test_of_model__knows_choices_flags_numbers_and_what_may_be_left_out() -> None:
    rules = aab.Game().ruleset
    at = {control.name: control for control in (*controls.of_model(rules.Moment), *controls.of_model(rules.Variant))}
    assert (at["facing"].kind, at["facing"].choices) == ("choice", ("front", "side", "rear"))
    assert (at["moved"].kind, at["moved"].default) == ("flag", False)
    assert (at["walls"].kind, at["walls"].low) == ("whole", 0)
    assert (at["bearing"].kind, at["bearing"].default) == ("text", None)
    assert (at["reroll_limit"].choices, at["he_n"].choices) == ((1, None), ("card", 1, 2, 3))
    left = {one.name: one for one in controls.of_model(aab.Game("skirmish_wars").ruleset.Moment)}["own_hp"]
    assert (left.low, left.high) == (1, 8)  # a unit has eight hit points


@games
def test_of_card__every_control_says_what_the_card_has_and_can_be_set_to_it(name: str) -> None:
    game = aab.Game(name)
    kinds: dict[Any, str] = {}
    for unit, card in game.cards.items():
        kinds.setdefault(type(card), unit)
    for unit in kinds.values():
        table = game.cards.tables[unit]
        found = controls.of_card(game.cards[unit], table)
        currency = game.ruleset.labels.currency
        assert next(one.default for one in found if one.name == currency) == table[currency]
        same = {one.name: one.default for one in found if one.default not in (None, False, [])}
        assert game.with_(changes=what_ifs(unit, same)).cards[unit] == game.cards[unit]


def test_of_card__an_infantry_card_has_other_controls_than_a_tank(few: aab.Game) -> None:
    tank, squad = (
        {one.name for one in controls.of_card(few.cards[unit], few.cards.tables[unit])}
        for unit in ("us_m4a1", "inf_rifle")
    )
    assert {"hp", "armor.front", "weapons.0.penetration", "keywords.scout"} <= tank
    assert "strength" in squad - tank


def test_of_card__numbers_have_room_for_what_cards_have_and_what_is_taken_away_is_gone(few: aab.Game) -> None:
    found = controls.of_card(few.cards["de_tiger1"], few.cards.tables["de_tiger1"])
    assert all(one.low <= one.default <= one.high for one in found if one.kind in ("whole", "number"))
    less = few.with_(changes=what_ifs("de_tiger1", {"keywords.angling": None})).cards.tables["de_tiger1"]
    assert "angling" in few.cards.tables["de_tiger1"]["keywords"]
    assert not less.get("keywords", {}).get("angling")


def test_of_card__fields_stand_in_the_order_of_the_file_and_those_that_it_lacks_come_last(few: aab.Game) -> None:
    table = few.cards.tables["de_tiger1"]
    found = controls.of_card(few.cards["de_tiger1"], table)
    order = list(dict.fromkeys(one.name.partition(".")[0] for one in found))
    assert "actions" not in table
    assert order == [*(name for name in table if name in order), "actions"]
    of = {one.name: (one.kind, one.default) for one in found}
    assert of["actions"] == ("whole", 2), "the rulebook's; a number that has to be there"
    assert of["requisition"] == ("text", 145), "may be left out"
    assert of["keywords.angling"] == ("text", 11), "so may a keyword"


@pytest.mark.parametrize(
    ("name", "unit", "values"),
    [
        ("forumini", "uk_hawker_typhoon", {"bombs.dice": 8, "bombs.attacks": 1}),
        ("modern_land_battles", "us_m270", {"weapons.artillery.range": 5}),
    ],
)
def test_of_card__what_some_units_alone_have_can_be_set_too(name: str, unit: str, values: dict[str, int]) -> None:
    cards = aab.Game(name).cards
    found = {one.name: one.default for one in controls.of_card(cards[unit], cards.tables[unit])}
    assert {field: found.get(field) for field in values} == values


def test_label__counts_weapons_from_one_and_has_no_unit_of_length() -> None:
    found = [controls.Control(name, "whole", 0).label for name in ("weapons.0.penetration", "weapons.1.max_range_in")]
    assert found == ["weapons 1 penetration", "weapons 2 max range"]
    assert controls.Control("keywords.turret_rotation", "flag", False).label == "turret rotation"


def test_read__numbers_lists_nothing_and_what_is_neither() -> None:
    one, many = (controls.Control("x", "text", default) for default in (None, [1, 2]))
    assert [controls.read(one, text) for text in ("", "none", " 7 ", "2.5")] == [None, None, 7, 2.5]
    assert (controls.read(many, "3"), controls.read(one, "3, 4")) == ([3], [3, 4])
    assert [controls.read(many, text) for text in ("", "none")] == [None, None]  # the field is taken away
    assert controls.read(controls.Control("x", "text", []), "") == []
    assert controls.as_text([3, 4]) == "3, 4"
    with pytest.raises(aab.UsageError, match=r"x: found 'many', expected a number"):
        controls.read(one, "many")
    for text in ("", "1, 5", "none", "[6]", "many", "true"):
        with pytest.raises(aab.UsageError, match=rf"x: found '{re.escape(text)}', expected a number$"):
            controls.read(controls.Control("x", "whole", 3), text)


@games
def test_postures__of_a_game_are_those_that_it_fights_with(name: str) -> None:
    rules = aab.Game(name).ruleset
    for posture in rules.postures:
        rules.check_posture(posture.replace(":X", ":6"))
    with pytest.raises(aab.UsageError) as refused:
        rules.check_posture("rush")
    assert all(posture.partition(":")[0] in str(refused.value) for posture in rules.postures)


# --- the scene, without widgets


@games
def test_code__gives_the_numbers_that_are_shown(name: str) -> None:
    game = aab.Game(name)
    scene, switches = Scene.of(game), [*game.ruleset.Variant.model_fields]
    dearer = f"{scene.a}.{game.ruleset.labels.currency}={2 * int(scene.cost(scene.a))}"
    # Who has the first turn can be chosen, but where both sides strike at once.
    moves_first = {"first": "a"} if "first" in {control.name for control in of_fight(scene)} else {}
    assert bool(moves_first) == (name != "forumini")
    scene = scene.with_(
        range_in=2.0, variant={one: _other(game) for one in switches[:1]}, changes=(dearer,), **moves_first
    )
    said = re.sub("^(worth|curve|opponents|judged) = ", "# ", scene.code(), flags=re.MULTILINE)
    names: dict[str, Any] = {}
    exec(said, names)
    assert names["shot"] == scene.shot
    assert names["duel"] == scene.duel
    assert ("battle" in names) == scene.game.ruleset.has_battles
    if scene.game.ruleset.has_battles:
        assert names["battle"] == scene.battle


def test_code__has_the_switches_of_the_game_and_those_of_the_scene() -> None:
    scene = Scene.of(aab.Game(variant={"resolution": "two_dice"})).with_(variant={"angling": "add"})
    lines = scene.code().splitlines()
    assert lines[2] == "played = aab.Game(\"armored_advance\", variant={'resolution': 'two_dice', 'angling': 'add'})"
    scene = scene.with_(range_in=13.5, actions=3)
    *lines, judged = scene.code().splitlines()
    assert sum("range_in=13.5" in line for line in lines) == 3  # the shot, the duel and the battle
    assert judged == "judged = [aab.judge_list(played, units, actions=3) for units in (list_a, list_b)]"


def _other(game: aab.Game) -> Any:
    """A value of the first rule switch that isn't usual."""
    control = controls.of_model(game.ruleset.Variant)[0]
    return not control.default if control.kind == "flag" else next(c for c in control.choices if c != control.default)


def test_code__of_cards_of_ones_own_begins_with_their_game(few: aab.Game) -> None:
    scene = Scene.of(few, "de_tiger1", "us_m4a1", facing="side", moved=True).with_(changes=("de_tiger1.hp=50",))
    names: dict[str, Any] = {"game": few}
    exec(scene.code().replace("judged = ", "# "), names)
    assert names["shot"] == scene.shot
    assert "moved" in scene.shot.explain()
    assert names["duel"] == scene.duel
    assert names["worth"].equals(scene.worth)
    assert names["opponents"].equals(scene.opponents)
    line = names["curve"].get_lines()[0]
    assert line.get_ydata().tolist() == scene.curves[0]["p_kill_within"].tolist()


@pytest.mark.slow
@games
def test_card__passes_the_check_of_a_folder_of_cards(name: str, tmp_path: Any) -> None:
    game = aab.Game(name)
    scene = Scene.of(game)
    currency = game.ruleset.labels.currency
    scene = scene.with_(changes=(f"{scene.a}.{currency}=7",))
    (tmp_path / "one.toml").write_text(scene.card(scene.a), encoding="utf-8")
    read = aab.Game(name, cards=tmp_path)
    assert list(read.cards) == [scene.a]
    assert read.cards[scene.a] == game.with_(changes=scene.changes).cards[scene.a]


def test_lists__cost_about_the_same() -> None:
    scene = Scene.of(aab.Game(), "de_tiger1", "su_t34_85")
    assert [scene.cost(unit) for unit in (scene.a, scene.b)] == [145, 100]
    assert [len(units) for units in scene.lists] == [2, 3]
    assert [len(units) for units in scene.with_(list_a="2 Tiger I, de_pz4h").lists] == [3, 4]  # 365 points
    assert [len(units) for units in scene.with_(list_a="de_tiger1", list_b="3 su_t34_85").lists] == [1, 3]
    dear = scene.with_(changes=("de_tiger1.requisition=200",))
    assert [len(units) for units in dear.lists] == [1, 2]
    equal = scene.with_(changes=("de_tiger1.requisition=100",))
    assert [len(units) for units in equal.lists] == [2, 2]  # one against one is the duel
    near = scene.with_(list_a="de_tiger1", changes=("de_tiger1.requisition=1157",))
    assert [len(units) for units in near.lists] == [1, 11]  # 4.9 % less than 1157 is near enough; twelve are nearer
    far = scene.with_(changes=("de_tiger1.requisition=100", "su_t34_85.requisition=72"))
    assert [len(units) for units in far.lists] == [3, 4]  # of 300 points 288 lack 4 %; two against three differ by 7 %
    assert Scene.of(scene.game, "us_m4a1").b == "su_t34_85", "the target of the pair that the report draws first"


def test_explorer__answers_for_a_unit_whose_price_is_emptied(few: aab.Game) -> None:
    unpriced = Scene.of(few, "de_tiger1", "su_t34_85").with_(changes=("de_tiger1.requisition=false",))
    fought = "battle", "lists"
    shown = {
        name: view.show([("", unpriced)], False) for name, view in views.views(unpriced).items() if name not in fought
    }
    assert "should cost" in shown["worth"]
    assert "nan" not in shown["worth"]
    assert '"de_tiger1*2", "su_t34_85*2"' in unpriced.code()
    with pytest.raises(aab.UsageError, match="de_tiger1: has no requisition"):
        _ = unpriced.battle
    with pytest.raises(aab.UsageError, match=r"found Tiger I .*, expected vehicles and guns with a price"):
        _ = unpriced.standings


def test_views__end_in_the_sentence_that_commands_print(few: aab.Game) -> None:
    from aabalance.pricing.worth_report import worth_in_words

    scene = Scene.of(few, "de_tiger1", "su_t34_85")
    row = scene.worth.to_dict("records")[0]
    said = {
        "shot": scene.shot.sentence(),
        "duel": scene.duel.sentence(),
        "battle": scene.battle.sentence(),
        "worth": worth_in_words(row),
    }
    for name, sentence in said.items():
        assert html.escape(unbroken(sentence)) in views.views(scene)[name].show([("", scene)], False)
    worth = views.worth([("", scene)], False)
    assert "<div>Tiger I (Ausf. E)</div>" in worth
    assert "; not priced: aiming, on which the policy hardly ever spends an action</div>" in worth
    assert number(SimpleNamespace(value=worth), "scores for equal requisition") == percent(row["score"])
    assert f"<div>level, the mean above the least price, is {percent(row['level'])}; " in worth
    for one in scene.opponents.to_dict("records"):
        card = few.cards[one["opponent"]]
        assert f"{card.name} ({card.requisition}: scores {percent(one['score'])})" in worth
    some = worth.partition("does best, for its points, against")[2].split("does worst against")
    best, worst = ([float(one) for one in re.findall(r"scores ([\d.]+).%\)", part)] for part in some)
    assert (best, worst) == (sorted(best, reverse=True), sorted(worst))
    assert max(len(best), len(worst)) > 1


@pytest.mark.slow
def test_worth__why_a_number_should_not_be_trusted_stands_below_it(few: aab.Game) -> None:
    """A gun that pierces nothing hurts hardly any tank."""
    weak = "us_m4a1.weapons.0.penetration=1", "us_m4a1.weapons.0.penetration_by_band=false"
    scene = Scene.of(few, "us_m4a1", "su_t34_85").with_(changes=weak)
    assert "; beware: depends on too few opponents for an interval</div>" in views.worth([("", scene)], False)


def test_compared__each_scene_stands_under_its_own_name(few: aab.Game) -> None:
    scene = Scene.of(few, "de_tiger1", "su_t34_85")
    assert views.compared(scene, views.OTHER, "de_pz4h") == [
        ("Tiger I (Ausf. E)", scene),
        (few.cards["de_pz4h"].name, scene.instead("de_pz4h")),
    ]
    changed = scene.with_(changes=("de_tiger1.hp=50",), variant={"resolution": "two_dice"})
    assert views.compared(changed, views.CHANGES, "de_pz4h") == [("before", scene), ("after", changed)]


def test_lists__one_unit_is_no_plural_and_each_list_has_its_cost(few: aab.Game) -> None:
    said = views.lists([("", Scene.of(few, "de_tiger1", "2 su_t34_85"))], False)
    assert "Tiger I (Ausf. E) (1 unit, 145 requisition)" in said
    assert "2 T-34-85 (1944) (2 units, 200 requisition)" in said


def test_views__say_what_grey_is_and_keep_a_percent_sign_with_its_number() -> None:
    scene = Scene.of(aab.Game("forumini"), "de_tiger_i", "su_t_34_85")
    shown = views.shown(views.views(scene)["duel"], [("", scene)])
    nobody = percent(scene.duel.p_draw + (scene.duel.p_both_destroyed or 0))
    assert f"{swatch(DRAW)}no winner <b>{nobody}</b>" in shown
    assert re.search(r"\d\xa0% are drawn", shown)
    assert not re.search(r"\d %", re.sub(r"<b>.*?</b>|<div .*?</div>", "", shown)), "bold words are on one line"
    alike = Scene.of(aab.Game("forumini"), "fr_panhard_p_178", "fr_panhard_p_178")
    ends = alike.duel
    assert (ends.p_both_destroyed or 0) > 0.3
    assert f"no winner <b>{percent(1 - ends.p_a - ends.p_b)}</b>" in views.duel([("", alike)], False)
    drawless = Scene.of(aab.Game("skirmish_wars"), "anti_air", "infantry")
    assert "no winner" not in views.shown(views.views(drawless)["duel"], [("", drawless)])


def test_shot__has_the_numbers_of_the_attack_and_marks_the_steps_that_differ() -> None:
    near, far = (Scene.of(aab.Game("armour_battles"), "de_stug3", "us_m4_76", range_in=at) for at in (12, 30))
    result = near.shot
    assert 0 < result.p_kill < result.p_damage < 1
    assert re.findall(r'class="big">([^<]*)</span>([^<]*)', views.shot([("", near)], False)) == [
        *((f"{need}+", name.replace("_", " ")) for name, need in result.needs.items()),
        (percent(result.p_damage), "hurt by it"),
        (f"{result.expected_damage:.2f}", f"{near.game.ruleset.labels.effect} expected"),
        (percent(result.p_kill), "destroyed by it"),
    ]
    steps = [*near.shot.steps, *far.shot.steps]
    same = {step[:3] for step in near.shot.steps} & {step[:3] for step in far.shot.steps}
    marked = re.findall(r"<tr class=moved><th scope=row>([^<]*)", views.shot([("near", near), ("far", far)], True))
    assert [html.unescape(label) for label in marked] == [step.label for step in steps if step[:3] not in same]
    assert 0 < len(marked) < len(steps)


def test_duel__chances_stand_behind_the_unit_whose_they_are(few: aab.Game) -> None:
    scene = Scene.of(few, "de_tiger1", "su_t34_85")
    result = scene.duel
    said = views.duel([("", scene)], False)
    a, b = (f"{swatch(colour)}{html.escape(name)}" for colour, name in ((A, result.a), (B, result.b)))
    turns = f"{result.player_turns:.1f} player turns"
    assert f"{a} <b>{percent(result.p_a)}</b>, {b} <b>{percent(result.p_b)}</b>, {turns}</div>" in said
    assert re.findall(r'width:(.*?)%;background:(.*?)" title="(.*?)"', said) == [
        (f"{100 * result.p_a:.2f}", A, html.escape(f"{result.a} wins")),
        (f"{100 * result.p_draw:.2f}", DRAW, "draw"),
        (f"{100 * result.p_b:.2f}", B, html.escape(f"{result.b} wins")),
    ]
    keys = re.findall(r"</svg>([^<]+)</span>", views.timeline([("", scene)], False))
    assert keys == [f"a: {html.escape(result.a)} has won", f"b: {html.escape(result.b)} has won", "undecided"]
    row, *_ = scene.duel.explain().rows
    table = re.findall(r"<td>([^<]*)</td>", views.duel([("", scene)], True))
    assert table[:2] == ["a: Tiger I (Ausf. E)", "each turn"]
    assert table[3:7] == ["18&quot;", percent(row[5]), f"{row[6]:.2f}", percent(row[7])]
    assert row[5] != row[7]


def test_duel__that_nobody_can_win_is_without_end() -> None:
    """Machine guns do armoured cars no harm (p. 10)."""
    scene = Scene.of(aab.Game(), "uk_dingo", "su_ba64")
    assert ", without end</div>" in views.duel([("", scene)], False)


def test_duel__the_heading_of_a_chance_says_what_harm_is() -> None:
    """A unit whose condition an attack changes takes no damage by then, so "damage" would be less than this chance."""
    scene = Scene.of(aab.Game("armour_battles"), "de_stug3", "us_m4_76")
    heads = re.findall("<th scope=col>(.*?)</th>", views.duel([("", scene)], True))
    assert heads == ["who", "when", "does", "at", "any effect", "expected", "destroys"]


def _heights(drawn: str) -> dict[tuple[str, str], list[float]]:
    """Return of each curve of a picture, by its colour and its dashes, the chances at its points."""
    zero, *_, one = map(float, re.findall(r'd="M[\d.]+ ([\d.]+)H[\d.]+" stroke="var', drawn))  # 0 % and 100 %
    curves = re.findall(r'd="M([^"]*)" fill="none" stroke="([^"]*)" stroke-width="2.5"(.*?)/>', drawn)
    return {
        (colour, dashes.strip()): [
            (zero - float(y)) / (zero - one) for y in re.findall(r"(?:^[\d.]+ |L[\d.]+ |V)([\d.]+)", path)
        ]
        for path, colour, dashes in curves
    }


def test_timeline__each_curve_is_of_the_side_whose_colour_it_has_and_dashed_where_the_scene_is_another(
    few: aab.Game,
) -> None:
    before, after = (Scene.of(few, "de_tiger1", "su_t34_85").with_(changes=some) for some in ((), ("de_tiger1.hp=9",)))
    found = _heights(views.timeline([("before", before), ("after", after)], False))
    for scene, dashes in ((before, ""), (after, 'stroke-dasharray="6 4"')):
        duel = scene.duel
        ends = [found.pop((colour, dashes))[-1] for colour in (A, B, DRAW)]
        assert ends == pytest.approx([duel.p_a, duel.p_b, duel.p_draw], abs=0.01)  # the last round is nearly the end
        assert abs(duel.p_a - duel.p_b) > 0.1
    assert not found


def test_duel__rules_stand_once_below_deeds_that_go_by_the_same(few: aab.Game) -> None:
    scene = Scene.of(few, "su_t34_85", "de_pz4h")
    said = views.duel([("", scene)], True)
    rules = [html.escape(row[-1]) for row in scene.duel.explain().rows]
    assert re.findall(r'<td class="rule" colspan="6">(.*?)</td>', said) == [rule for rule, _ in groupby(rules)]
    assert len([*groupby(rules)]) < len(rules)


@pytest.mark.parametrize(
    ("name", "half", "turns"), [("armour_battles", 0.0, "6 turns"), ("skirmish_wars", 0.5, "1 turn")]
)
def test_curve__has_steps_of_bands_in_inches_and_of_whole_squares(name: str, half: float, turns: str) -> None:
    scene = Scene.of(aab.Game(name))
    shown = views.curve([("before", scene), ("after", scene.with_(b=scene.a))], False)
    curves = re.findall(r'<path d="M([^"]*)" fill="none"', shown)
    assert len(curves) == 4
    assert not any("L" in curve for curve in curves)
    pixels, inches = zip(*re.findall(r'x="([-\d.]+)" y="[\d.]+" text-anchor="middle">(\d+)<', shown), strict=True)
    to_inches = np.polyfit([float(at) for at in pixels], [int(at) for at in inches], 1)
    frame = scene.curves[0]
    ends = [round(np.polyval(to_inches, float(at)), 1) for at in re.findall(r"H([\d.]+)", curves[0])]
    assert ends[1:] == (frame["range_in"] + half).tolist()[1:]
    assert _heights(shown)[A, ""][1:] == pytest.approx(frame["p_kill_within"].tolist(), abs=0.01)
    assert [*_heights(shown)] == [(colour, dashes) for dashes in ("", 'stroke-dasharray="6 4"') for colour in (A, B)]
    assert shown.count('class="mark"') == 1
    # Both scenes have the colours of both sides, so that a side is named once.
    assert re.findall(r"</svg>([^<]+) fires</span>", shown) == [
        html.escape(f"{side}: {unit}")
        for side, unit in zip("ab", (scene.shot.attacker, scene.shot.target), strict=True)
    ]
    assert f"destroyed within {turns} of holding" in shown


@pytest.mark.parametrize(("actions", "said"), [(3, "3 actions"), (1, "1 action")])
def test_battle__each_list_stands_with_its_cost_and_the_limit_of_actions(
    few: aab.Game, actions: int, said: str
) -> None:
    scene = Scene.of(few, "de_tiger1", "2 su_t34_85", actions=actions)
    a, b = scene.battle.a, scene.battle.b
    lists = f"{swatch(A)}{a} (145 requisition) against {swatch(B)}{b} (200 requisition)"
    assert f"{lists}, {said} a turn, exact" in views.battle([("", scene)], False)
    one, three = (few.battle("de_tiger1", "su_t34_85*2", range_in=18, actions=limit) for limit in (1, 3))
    assert scene.battle == (one if actions == 1 else three)
    assert one.p_a > three.p_a


def test_battle__mixed_is_that_of_faces_by_chance_whatever_the_situation_shows(few: aab.Game) -> None:
    scene = Scene.of(few, "2 us_m4a1", "de_tiger1", facing="side")
    mixed, front = (
        few.battle("us_m4a1*2", "de_tiger1", range_in=18, actions=4, facing=face) for face in ("mix", "front")
    )
    assert scene.with_(mixed=True).battle == mixed
    assert mixed.p_a != scene.battle.p_a != front.p_a != mixed.p_a


def test_gains__six_are_listed_of_either_kind_and_those_that_change_most_first() -> None:
    share = [1.3, 0.7, *(1 + at / 100 for at in range(1, 8)), *(1 - at / 100 for at in range(1, 8)), 1 + 1e-12]
    names = [f"u{at}" for at in range(len(share))]
    worths = 100.0 * np.outer(share, [0, 1, 1, 1, 1]) + [100, 0, -100, -101, -99]
    table = pd.DataFrame(worths, columns=views.WORTHS).assign(name=names)
    table.loc[1, ["worth_difference_low", "worth_difference_high"]] = np.nan
    known: Any = SimpleNamespace(changes=("x",), variant={}, gains=table)
    said = views.gains([("", known)], False)
    assert re.findall(r'<div class="of">(.*?)</div>', said) == [
        "worth more: 8 of 17 units; 90 % intervals",
        "worth less: 8 of 17 units; 90 % intervals",
    ]
    assert re.findall(r"<tr><td>u0</td><td>(.*?)</td><td>(.*?)</td>", said) == [("100 to 130", "+30.0 [+29.0, +31.0]")]
    assert re.findall(r"<tr><td>u1</td><td>(.*?)</td><td>(.*?)</td>", said) == [("100 to 70.0", "-30.0")]
    changes = re.findall(r"<td>([+-][\d.]+) %</td>", said)
    assert changes == ["+30.0", "+7.0", "+6.0", "+5.0", "+4.0", "+3.0", "-30.0", "-7.0", "-6.0", "-5.0", "-4.0", "-3.0"]


def test_views__the_explorer_waits_for_none_that_takes_battles(few: aab.Game) -> None:
    shown = views.views(Scene.of(few, "de_tiger1", "su_t34_85"))
    assert {name for name, view in shown.items() if not view.quick} == {"battle", "lists", "worth", "gains"}
    assert [name for name, view in shown.items() if not view.always] == ["gains"]


def test_chart__names_the_sides_at_their_curves_where_they_are_apart() -> None:
    a, b = Line([1, 2, 3], [0.9, 0.5, 0.5], A, "", "Tank fires"), Line([1, 2, 3], [0.1, 0.5, 0.4], B, "", "Gun fires")
    drawn = chart([a, b, Line([1, 2, 3], [0.0, 0.0, 0.1], DRAW, "", "undecided")], "rounds", [""])
    heights = {name: float(y) for y, name in re.findall(r'y="([\d.]+)" font-weight="700">([ab])<', drawn)}
    assert 0 < heights["a"] < heights["b"]
    assert re.findall(r"</svg>([^<]+)</span>", drawn) == ["a: Tank fires", "b: Gun fires", "undecided"]
    assert ">a: 75.0 %<" in bar([(0.75, A, "Tank wins"), (0.25, B, "Gun wins")])
    assert swatch(B).endswith("b: ")


@pytest.mark.parametrize("steps", [True, False])
def test_chart__points_marks_and_numbers_stand_where_they_are(steps: bool) -> None:
    drawn = chart([Line([1, 2, 3], [1.0, 0.5, 0.0], A, steps=steps)], "rounds", [""], mark=2)
    [(left, bottom, right), *_, (_, top, _)] = re.findall(r'd="M([\d.]+) ([\d.]+)H([\d.]+)"', drawn)  # 0 % and 100 %
    across, up = ((float(low) + float(high)) / 2 for low, high in ((left, right), (top, bottom)))
    assert re.findall(r'x="([-\d.]+)" y="[\d.]+" text-anchor="middle">(\d+)<', drawn) == [
        (f"{float(at):.1f}", name) for at, name in ((left, "1"), (across, "2"), (right, "3"))
    ]
    assert re.findall(r'<circle cx="([\d.]+)" cy="([\d.]+)"', drawn) == [(f"{across}", f"{up}")]
    begin, middle, end = f"M{float(left)} {float(top)}", (across, up), (float(right), float(bottom))
    # What holds at an x holds from the one before it on.
    ways = [f"V{y}H{x}" if steps else f"L{x} {y}" for x, y in (middle, end)]
    assert f'd="{begin}{"".join(ways)}"' in drawn


@pytest.mark.parametrize(
    ("name", "has"),
    [
        ("armored_advance", "list_a list_b posture_a posture_a_to posture_b posture_b_to first rounds actions mixed"),
        ("skirmish_wars", "list_a list_b first rounds"),  # neither faces nor a limit of actions
        ("armour_battles", "first rounds"),
        ("forumini", "rounds"),  # both sides strike at once
    ],
)
def test_of_fight__has_what_the_rules_leave_to_choose(name: str, has: str) -> None:
    assert [control.name for control in of_fight(Scene.of(aab.Game(name)))] == has.split()


def test_fought__a_distance_of_a_posture_is_what_was_set(few: aab.Game) -> None:
    scene = Scene.of(few)
    of = {control.name: control for control in of_fight(scene)}
    for name, low, default in (("posture_a_to", 0, 6), ("rounds", 0, 0), ("actions", 1, 4)):
        assert (of[name].low, of[name].default) == (low, default)
    assert of["posture_b_to"].meaning == "the distance X of close:X, cautious:X"
    for side in "ab":
        assert of[f"list_{side}"].meaning.endswith(f"; empty: as many of {side} as cost about the same")
    given = {"posture_b": "close", "posture_b_to": 7.5}
    assert controls.fought(scene, given)["posture_b"] == "close:7.5"


def test_of__a_list_in_place_of_a_unit_is_fought_with_and_its_first_unit_is_looked_at(few: aab.Game) -> None:
    scene = Scene.of(few, "2 Tiger I, de_pz4h", "su_t34_85")
    assert (scene.a, scene.b, scene.list_a, scene.list_b) == ("de_tiger1", "su_t34_85", "2 Tiger I, de_pz4h", "")
    other = scene.instead("su_kv1_41")
    assert (other.a, other.lists[0]) == ("su_kv1_41", ["su_kv1_41", "su_kv1_41", "de_pz4h"])
    assert other.with_(list_a="").instead("us_m4a1").list_a == ""
    assert 'list_a, list_b = "2 Tiger I, de_pz4h", "su_t34_85*4"' in scene.code()
    with pytest.raises(aab.UsageError, match="did you mean de_tiger1"):
        Scene.of(few, "3 de_tigr")
    for sides in (("2 fr_char_b1_bis",), (None, "2 fr_char_b1_bis")):
        with pytest.raises(aab.UsageError, match="expected one: Forumini Armies has no battles"):
            Scene.of(aab.Game("forumini"), *sides)


@pytest.mark.slow
def test_standings__are_what_judges_say_of_both_lists_if_a_field_is_stated_for_them(
    few: aab.Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(advice, "FRESH", 400)
    monkeypatch.setattr(advice, "_explained", lambda payoffs, judged, *_: judged)
    whole = aab.Game()
    known = {*FEW, *(unit for one in stated(whole).lists for unit in unit_list(one.units, whole.cards))}
    game = aab.Game(cards=Cards(whole.cards.schema, {unit: whole.cards.tables[unit] for unit in known}, {}))
    scene = Scene.of(game, "de_tiger1,2 de_pz4h,de_pz4h", "3 su_t34_85")
    a, b = scene.standings
    assert (a.cost, a.score, b.cost) == (325, None, 300)
    assert b.score == aab.judge_list(game, "su_t34_85*3").score
    said = views.views(scene)["lists"].show([("", scene)], False)
    assert "Tiger I (Ausf. E), 3 Panzer IV Ausf. H (4 units, 325 requisition)" in said
    low, high = map(percent, b.score[1:])
    assert f"{percent(b.score.score)}</span>against the field ({low} to {high})" in said
    assert said.count("the stated field is for 300 points, 4 actions a turn") == said.count(html.escape(b.said)) == 1
    assert "; <code>aabalance list judge</code> makes another." in said
    alike = views.lists([("", scene.with_(list_a="3 su_t34_85"))], False)
    assert alike.count("against the field") == 2 * alike.count(html.escape(b.said)) == 2
    assert [one.score for one in scene.with_(actions=5).standings] == [None, None]
    assert Scene.of(few, "de_tiger1", "su_t34_85").standings[1].score is None  # these cards lack the field's
    with pytest.raises(aab.UsageError, match="found Rifle squad, expected vehicles and guns"):
        _ = scene.with_(list_a="30 inf_rifle").standings


def test_curves__of_the_target_are_seen_from_it(few: aab.Game) -> None:
    """It shows its side and fires at a front; the attack back is the one in which these are exchanged."""
    scene = Scene.of(few, "de_pz4h", "us_m4a1", facing="side", walls=1)
    back = Scene.of(few, "us_m4a1", "de_pz4h", own_facing="side", walls=1)
    assert scene.curves[1]["p_kill_within"].equals(back.curves[0]["p_kill_within"])


@pytest.mark.parametrize(
    ("name", "passing"),
    [
        ("armored_advance", {"moved": True}),
        ("forumini", {"face_down": 2}),
        ("armour_battles", {"target_suppressed": True}),
    ],
)
def test_curves__are_of_turns_of_holding_whatever_one_attack_meets(name: str, passing: dict[str, Any]) -> None:
    scene, moved = (Scene.of(aab.Game(name), **given) for given in ({}, passing))
    assert scene.shot.damage != moved.shot.damage
    for held, told in zip(scene.curves, moved.curves, strict=True):
        assert told.equals(held)
    assert scene.code().splitlines()[-2:] == moved.code().splitlines()[-2:]


@pytest.mark.parametrize("range_in", [1, 2])
def test_curves__of_a_target_are_seen_from_its_place_at_each_distance(range_in: int) -> None:
    """From the second Row, one Row away is Row 0, where nobody stands, two is the enemy's first, three its second."""
    game = aab.Game("modern_land_battles")
    scene = Scene.of(game, "us_m1a1", "cn_type98", range_in=range_in, attacker_row=2)
    own, back = (frame.set_index("range_in")["p_kill_within"] for frame in scene.curves)
    assert own[1] == 0 < own[2]
    seen = {
        row + 1: kill_curves(
            game, [("cn_type98", "us_m1a1")], [row + 1], scene.game.definition.plots.turns, attacker_row=row
        )
        for row in (1, 2)
    }
    assert back.to_dict() == {1: 0} | {at: one["p_kill_within"].item() for at, one in seen.items()}
    assert back[2] > 0
    assert 'class="wrong"' not in views.curve([("", scene)], False)


def test_scene__refuses_what_the_game_does_not_have(few: aab.Game) -> None:
    with pytest.raises(aab.UnknownUnitError, match="nobody"):
        Scene.of(few, "nobody")
    with pytest.raises(aab.UsageError, match="flank"):
        Scene.of(few, flank=True)


def test_explorer__begins_with_what_it_is_given(few: aab.Game) -> None:
    given = {"facing": "side", "bearing": 90.0, "posture_b": "close:9", "rounds": 6, "variant": {"reroll_limit": None}}
    scene = Scene.of(few, "de_pz4h", "us_m4a1", range_in=15, **given)
    explorer = Explorer(scene)
    assert explorer.scene.with_(situation=scene.situation) == scene
    assert explorer.scene.duel == scene.duel
    assert explorer.fight.fields["posture_b_to"].value == 9
    assert explorer.other.value == "de_pz4h"
    with pytest.raises(aab.UsageError, match="posture"):
        Scene.of(few, posture_a="rush")


@pytest.mark.slow
@pytest.mark.parametrize(("range_in", "ends"), [(15, (0, 42)), (60.5, (0, 60.5))])
def test_explorer__distances_are_those_of_the_report_s_picture_and_the_one_that_is_asked_for(
    few: aab.Game, range_in: float, ends: tuple[float, float]
) -> None:
    slider = Explorer(Scene.of(few, "de_pz4h", "us_m4a1", range_in=range_in)).range_in
    assert (slider.min, slider.max) == ends
    assert (slider.value, slider.step) == (range_in, 0.5)


# --- without a front end


def test_explore__says_what_to_install_and_gives_the_answers_plainly(
    few: aab.Game, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    plain = aab.explore(few, "Tiger I", "us_m4a1", range_in=12)
    (line,) = capsys.readouterr().err.splitlines()
    assert "found no notebook, expected JupyterLab" in line
    assert "pip install 'aabalance[notebook]'" in line
    assert plain.duel == few.duel("de_tiger1", "us_m4a1", range_in=12)
    monkeypatch.setattr(package, "find_spec", lambda name: None)
    assert aab.explore(few).a in few.cards
    assert "found no ipywidgets" in capsys.readouterr().err


def test_repr__says_what_is_needed_where_widgets_are_not_drawn(few: aab.Game) -> None:
    assert "pip install 'aabalance[notebook]'" in repr(Explorer(Scene.of(few)))


# --- driven through its traits


@pytest.mark.slow
@games
def test_explorer__follows_its_controls(name: str, few: aab.Game) -> None:
    game = few if name == "armored_advance" else aab.Game(name)  # of a whole roster, worth alone would take seconds
    explorer = Explorer(Scene.of(game))
    a, b = explorer.a.value, explorer.b.value
    explorer.range_in.value = 2
    assert number(explorer.panels["shot"], "hurt by it") == percent(game.shot(a, b, range_in=2).p_damage)
    before = number(explorer.panels["shot"], "hurt by it")
    rounds = explorer.scene.rounds

    switch = controls.of_model(game.ruleset.Variant)[0].name
    explorer.rules.fields[switch].value = _other(game)
    rules = game.with_(variant={switch: _other(game)})
    assert explorer.scene.variant == {switch: _other(game)}
    duel = rules.duel(a, b, range_in=2, rounds=rounds)
    assert f"<b>{percent(duel.p_a)}</b>" in explorer.panels["duel"].value
    explorer.rules.set({})
    assert explorer.scene.variant == {}

    currency = game.ruleset.labels.currency
    cost = explorer.form(a).fields[currency]
    cost.value = f"{int(cost.value) + 1}" if isinstance(cost.value, str) else cost.value + 1  # text where it may lack
    (change,) = explorer.scene.changes
    assert change == f"{a}.{currency}={explorer.form(a).fields[currency].value}"
    assert f"{currency} = {explorer.form(a).fields[currency].value}" in explorer.panels["card_a"].value
    explorer._reset.click()
    assert explorer.scene.changes == ()

    explorer.b.unit.value = other = next(unit for unit in game.cards if unit not in (a, b))
    assert number(explorer.panels["shot"], "hurt by it") == percent(game.shot(a, other, range_in=2).p_damage)
    explorer.b.unit.value = b
    assert number(explorer.panels["shot"], "hurt by it") == before
    for panel in ("curve", "timeline"):
        assert "<svg" in explorer.panels[panel].value
    explorer.settle()
    assert {one for one in explorer.panels if "stale" in explorer.panels[one].value} == set()


@pytest.mark.slow
def test_explorer__situation_postures_and_first_turn(few: aab.Game) -> None:
    explorer = Explorer(Scene.of(few, "de_pz4h", "us_m4a1", range_in=24))
    explorer.situation.fields["facing"].value = "side"
    explorer.situation.fields["moved"].value = True
    shot = few.shot("de_pz4h", "us_m4a1", range_in=24, facing="side", moved=True)
    assert number(explorer.panels["shot"], "hurt by it") == percent(shot.p_damage)
    for name, value in {"posture_b": "close", "posture_b_to": 12, "first": "b"}.items():
        explorer.fight.fields[name].value = value
    duel = few.duel("de_pz4h", "us_m4a1", range_in=24, facing="side", posture_b="close:12", first="b")
    assert f"<b>{percent(duel.p_a)}</b>" in explorer.panels["duel"].value
    explorer.explain_duel.value = True
    assert "close 5, fire" in explorer.panels["duel"].value
    assert "p. 7 Armor Penetration Roll" in explorer.panels["duel"].value
    explorer.form("us_m4a1").fields["hp"].value += 20
    said = explorer.panels["duel"].value
    assert said.count("<th scope=col>who</th>") == said.count("before and after alike") == 1  # both do the same
    explorer.explain_shot.value = False
    assert "Armor Penetration" not in explorer.panels["shot"].value


def test_explorer__what_is_wrong_is_said_and_what_was_right_stays(few: aab.Game) -> None:
    explorer = Explorer(Scene.of(few, "de_pz4h", "us_m4a1", range_in=24))
    right = explorer.panels["shot"].value
    explorer.situation.fields["bearing"].value = "far"
    assert "bearing: found &#x27;far&#x27;, expected a number" in explorer._status.value
    assert explorer.refused
    assert explorer.panels["shot"].value == right
    explorer.situation.fields["bearing"].value = "90"
    assert not explorer.refused
    explorer.fight.fields["list_a"].value = "3 de_tiger1, 2 nobody"
    assert re.fullmatch(r'<div class="aab"><div class="wrong">[^<>]*nobody[^<>]*</div></div>', explorer._status.value)
    explorer.fight.fields["list_a"].value = ""
    assert not explorer.refused
    assert explorer.panels["shot"].value != right


def test_explorer__an_error_that_is_none_of_ours_leaves_what_was_right(
    few: aab.Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    explorer = Explorer(Scene.of(few, "de_pz4h", "us_m4a1", range_in=24))
    right = explorer.panels["shot"].value
    with monkeypatch.context() as broken:
        broken.setattr(Scene, "shot", property(lambda scene: {}["by <accident>"]))
        explorer.range_in.value = 12
    assert "not expected, please report it: KeyError: &#x27;by &lt;accident&gt;&#x27;" in explorer._status.value
    assert explorer.panels["shot"].value == right
    explorer.range_in.value = 18
    assert not explorer.refused
    assert explorer.scene.range_in == 18


def test_explorer__changes_stand_beside_what_was_before(few: aab.Game) -> None:
    explorer = Explorer(Scene.of(few, "de_tiger1", "su_t34_85", range_in=24))
    assert explorer.compare.value == views.CHANGES
    assert "before" not in explorer.panels["duel"].value
    explorer.form("de_tiger1").fields["hp"].value = 30
    both = few, few.with_(changes=["de_tiger1.hp=30"])
    p_a = [percent(game.duel("de_tiger1", "su_t34_85", range_in=24).p_a) for game in both]
    shown = re.findall(r"Tiger I \(Ausf. E\) <b>(.*?)</b>", explorer.panels["duel"].value)
    assert shown == p_a
    assert p_a[0] != p_a[1]
    assert "before and after alike" in explorer.panels["shot"].value
    explorer.compare.value = views.NOTHING
    assert "before" not in explorer.panels["duel"].value
    explorer.compare.value = views.OTHER
    explorer.other.unit.value = "de_pz4h"
    assert "Panzer IV" in explorer.panels["shot"].value
    assert "Tiger I" in explorer.panels["shot"].value


def test_explorer__the_card_of_either_unit_stands_under_its_letter(few: aab.Game) -> None:
    explorer = Explorer(Scene.of(few, "de_tiger1", "su_t34_85"))
    parts = [explorer]
    for part in parts:
        parts += getattr(part, "children", ())
    [folded] = [part for part in parts if "What if: the card of a" in getattr(part, "titles", ())]
    under = dict(zip(folded.titles, folded.children, strict=True))
    for side, unit in (("a", "de_tiger1"), ("b", "su_t34_85")):
        assert under[f"What if: the card of {side}"].children == (explorer.form(unit),)


def test_explorer__a_preset_sets_its_switches(few: aab.Game) -> None:
    explorer = Explorer(Scene.of(few))
    explorer.preset.value = "two_dice"
    assert explorer.scene.variant == {"resolution": "two_dice"}
    explorer.preset.value = "rulebook"
    assert explorer.scene.variant == {}


def test_explorer__a_preset_is_named_as_long_as_its_switches_are_set(few: aab.Game) -> None:
    explorer = Explorer(Scene.of(few.with_(variant="two_dice")))
    assert explorer.preset.value == "two_dice"
    assert [name for _, name in explorer.preset.options] == ["two_dice", "rulebook", "page_8_terrain", BY_HAND]
    explorer.preset.value = "rulebook"
    assert explorer.scene.variant == {"resolution": "one_die"}
    explorer.rules.fields["angling"].value = "add"
    assert explorer.preset.value == BY_HAND
    assert explorer.scene.variant == {"resolution": "one_die", "angling": "add"}
    explorer.rules.set({})
    assert explorer.preset.value == "two_dice"


@pytest.mark.slow
def test_explorer__a_choice_of_nothing_is_shown_as_one(few: aab.Game) -> None:
    """A list of which nothing is chosen is drawn empty."""
    explorer = Explorer(Scene.of(few))
    field = explorer.rules.fields["reroll_limit"]
    field.index = [label for label, _ in field.options].index("none")
    assert explorer.scene.variant == {"reroll_limit": None}
    assert field.label == "none"


@pytest.mark.slow
@games
def test_explorer__every_control_says_on_hovering_what_it_means(name: str) -> None:
    explorer = Explorer(Scene.of(aab.Game(name)))
    for form in (explorer.situation, explorer.rules):
        for control in form.controls:
            field = form.fields[control.name]
            assert f'title="{html.escape(control.meaning)}"' in field.description
            assert field.tooltip == ""


@pytest.mark.slow
def test_picker__nation_and_years_narrow_the_list_and_keep_the_unit() -> None:
    explorer = Explorer(Scene.of(aab.Game(), "de_tiger1", "su_t34_85"))
    explorer.a.nation.value = "USSR"
    listed = [unit for _, unit in explorer.a.unit.options]
    assert "de_tiger1" in listed
    assert all(unit.startswith("su_") for unit in listed if unit != "de_tiger1")
    explorer.a.years.value = (1944, 1945)
    late = {unit for _, unit in explorer.a.unit.options}
    assert late < set(listed)
    assert "su_t34_41" not in late
    assert explorer.scene.a == "de_tiger1"


def test_picker__units_of_one_name_are_told_apart_by_their_ids() -> None:
    cards = {"a": SimpleNamespace(name="twin"), "b": SimpleNamespace(name="twin"), "c": SimpleNamespace(name="Solo")}
    picker = Picker(cards, "b", "", lambda: None)
    assert list(picker.unit.options) == [("Solo", "c"), ("twin (a)", "a"), ("twin (b)", "b")]
    assert picker.value == "b"


@pytest.mark.parametrize(("year", "nation", "listed"), [(1944, "", "ab"), (1943, "", "a"), (1945, "X", "b")])
def test_picker__both_ends_of_the_years_are_within_them_and_who_has_none_always_is(
    year: int, nation: str, listed: str
) -> None:
    cards = {"a": SimpleNamespace(name="A", nation="Y"), "b": SimpleNamespace(name="B", nation="X", year=year)}
    more = {unit: SimpleNamespace(name=unit, nation="Z", year=at) for unit, at in (("old", 1930), ("new", 1950))}
    picker = Picker(cards | more, "old", "", lambda: None)
    picker.years.value = (1944, 1945)
    picker.nation.value = nation
    assert "".join(unit for _, unit in picker.unit.options if unit in cards) == listed


@pytest.mark.parametrize(("words", "rows"), [("", 1), ("one", 1), ("one\ntwo", 2), ("\n" * 40, 16)])
def test_to_copy__the_field_is_as_high_as_its_text_up_to_sixteen_lines(words: str, rows: int) -> None:
    assert f'<textarea readonly rows="{rows}"' in views.to_copy(words)


# --- what takes long


@pytest.mark.slow
def test_explorer__what_takes_long_is_grey_until_it_is_there(few: aab.Game) -> None:
    explorer = Explorer(Scene.of(few, "de_tiger1", "su_t34_85"))
    explorer.settle()
    first = explorer.panels["battle"].value
    assert "stale" not in first
    explorer.range_in.value = 36
    assert "stale" in explorer.panels["battle"].value
    assert first.partition(">")[2] == explorer.panels["battle"].value.partition(">")[2]
    explorer.settle()
    battle = few.battle("de_tiger1*2", "su_t34_85*3", range_in=36, actions=4)
    assert html.escape(battle.sentence()) in explorer.panels["battle"].value.replace("\xa0", " ")
    assert number(explorer.panels["worth"], "costs") == "145"
    worth = aab.worth(few, ["de_tiger1"])["worth"].item()
    assert number(explorer.panels["worth"], "is worth") == price_in_words(worth)
    worst = aab.worth_reasons(few, ["de_tiger1"]).query("pull < 0")["opponent"].iloc[-1]
    said = explorer.panels["worth"].value.partition("does worst against</span> ")[2]
    assert said.startswith(few.cards[worst].name)
    for name, value in {"list_a": "de_tiger1", "list_b": "3 su_t34_85", "mixed": True}.items():
        explorer.fight.fields[name].value = value
    explorer.situation.fields["facing"].value = "side"
    explorer.settle()
    battle = few.battle("de_tiger1", "su_t34_85*3", range_in=36, actions=4, facing="mix")
    assert "facing='mix'" in explorer.scene.code()
    assert html.escape(battle.sentence()) in explorer.panels["battle"].value.replace("\xa0", " ")


@pytest.mark.slow
def test_explorer__nothing_is_worked_out_for_what_is_no_longer_asked(few: aab.Game) -> None:
    explorer = Explorer(Scene.of(few, "de_tiger1", "su_t34_85"))
    explorer.settle()
    asked, begun, goes_on = [], threading.Event(), threading.Event()

    def slow(scenes: views.Scenes, why: bool) -> str:
        asked.append(scenes[0][1].range_in)
        begun.set()
        assert goes_on.wait(20)
        return f"at {scenes[0][1].range_in:g}"

    explorer._views = {name: view for name, view in explorer._views.items() if view.quick}
    explorer._views["battle"] = views.View("slow", slow, quick=False)
    explorer.range_in.value = 6
    assert begun.wait(20)
    for range_in in (12, 18, 24):
        explorer.range_in.value = range_in
    goes_on.set()
    explorer.settle()
    assert asked == [6, 24]
    assert "at 24" in explorer.panels["battle"].value
    assert "stale" not in explorer.panels["battle"].value


@pytest.mark.slow
def test_explorer__an_error_behind_what_takes_long_is_one_line_and_the_next_change_works(few: aab.Game) -> None:
    explorer = Explorer(Scene.of(few, "de_tiger1", "su_t34_85"))
    explorer.settle()

    def breaks(scenes: views.Scenes, why: bool) -> str:
        if scenes[0][1].range_in == 12:
            raise ZeroDivisionError("by accident")
        return f"at {scenes[0][1].range_in:g}"

    explorer._views = explorer._views | {"battle": views.View("breaks", breaks, quick=False)}
    explorer.range_in.value = 12
    explorer.settle()
    said = explorer.panels["battle"].value
    assert "<summary>not expected, please report it: ZeroDivisionError: by accident</summary>" in said
    assert 'raise ZeroDivisionError("by accident")' in html.unescape(said)
    assert number(explorer.panels["worth"], "costs") == "145"
    assert "stale" not in said + explorer.panels["worth"].value
    explorer.range_in.value = 24
    explorer.settle()
    assert "at 24" in explorer.panels["battle"].value
    assert "stale" not in explorer.panels["battle"].value


@pytest.mark.slow
def test_explorer__who_gains_is_what_a_comparison_says_and_only_if_asked_for(few: aab.Game) -> None:
    explorer = Explorer(Scene.of(few, "de_tiger1", "su_t34_85"))
    explorer.preset.value = "two_dice"
    explorer.settle()
    assert explorer.panels["gains"].value == ""
    explorer.who_gains.value = True
    explorer.settle()
    said = explorer.panels["gains"].value
    units = aab.compare(few, few.with_(variant="two_dice")).units.set_index("name")
    share = (units["worth_after"] / units["worth_before"]).dropna()
    more, less = share[share > 1].sort_values()[::-1], share[share < 1].sort_values()
    assert len(more) > 0
    assert len(less) > 0
    assert re.findall(r"<tr><td>(.*?)</td>", said) == [*more.index, *less.index]
    assert f"worth more: {len(more)} of" in said
    changes = [100 * (share - 1) for share in (*more, *less)]
    assert re.findall(r"<td>([^<]*) %</td></tr>", said) == [f"{change:+.1f}" for change in changes]
    explorer.rules.set({})
    explorer.settle()
    assert "by a rule or a card that you change" in explorer.panels["gains"].value
    explorer.who_gains.value = False
    assert explorer.panels["gains"].value == ""


@pytest.mark.slow
def test_gains__of_a_change_that_no_battle_sees_nobody_gains_and_nobody_loses(few: aab.Game) -> None:
    later = Scene.of(few, "de_tiger1", "su_t34_85").with_(changes=("de_tiger1.year=1945",))
    said = views.gains(views.compared(later, views.CHANGES, later.b), False)
    units = len(FEW) - 1  # the squad has no worth
    assert re.findall(r'<div class="of">(.*?)</div>', said) == [
        f"worth more: 0 of {units} units; 90 % intervals",
        f"worth less: 0 of {units} units; 90 % intervals",
    ]
