"""What every game owes, whatever its rules: the same checks on each of our games.

Exact numbers are distributions; promises of monotony hold; simulation and literal dice (`rollers`, a module a game)
agree with the exact numbers; every rule that is said to be modelled has a function and a test; a switch that
`sensitivity` doesn't try out has indeed no bearing.
"""

from __future__ import annotations

import ast
import json
import random
import re
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache, partial
from importlib import import_module
from itertools import pairwise
from math import inf, sqrt
from pathlib import Path
from typing import Any

import pytest
from meetings import PLAYED
from odds import SIGMAS, agrees, first_in, fits
from pydantic import BaseModel, ValidationError

import aabalance as aab
from aabalance import rulebook
from aabalance.analysis.cells import _TrackedVariant
from aabalance.analysis.cost import first_requisition
from aabalance.analysis.matchups import matchups
from aabalance.analysis.sensitivity import sensitivity
from aabalance.analysis.situations import Situations
from aabalance.cards.literals import as_option
from aabalance.cards.tables import flatten, pattern
from aabalance.definitions.settings import alternatives
from aabalance.errors import CardError
from aabalance.play.match_question import prepared
from aabalance.rulesets import OURS
from aabalance.rulesets.base import Blows, ConditionDuel, Ruleset

TESTS = Path(__file__).parent
THROWS = 4000
DUELS = 15_700  # 5 sigma of an even chance are under 2 points
TRIALS = 20_000
CONTESTED, SHORT_TURNS = (0.1, 0.9), 6
DICE = {"modern_land_battles": 10}
"""Sides of a game's dice, where they aren't D6."""
ONE_SIDED = {"armour_battles": {"flank"}}
"""What of a standard situation isn't the other side's as well when it fires back."""

games = pytest.mark.parametrize("name", OURS)


@cache
def game_of(name: str) -> aab.Game:
    return aab.Game(name)


@cache
def standard(name: str) -> Situations:
    return Situations.standard(game_of(name))


def meetings(name: str, n: int, seed: int = 0) -> Iterator[tuple[str, str, Any]]:
    """Yield attackers, targets and standard situations of a game, drawn at random; most of them can do harm."""
    game, rng = game_of(name), random.Random(f"{name} {seed}")
    ids, found, tries = list(game.cards), 0, 0
    while found < n:
        a, b, at = rng.choice(ids), rng.choice(ids), rng.choice(standard(name).moments)
        tries += 1
        if tries < 50 * n and not game.shot(a, b, **at.model_dump(exclude_defaults=True)).p_damage:
            continue
        found += 1
        yield a, b, at


@cache
def contested(name: str) -> tuple[tuple[str, str, Any], ...]:
    """Six pairs of units, each with a standard situation in which either may well win, and before long.

    That holds of the situation `as_seen_by_both` too.
    """
    game, rng = game_of(name), random.Random(f"contested {name}")
    ids, found = list(game.cards), {}
    for _ in range(20_000):
        a, b, at = rng.choice(ids), rng.choice(ids), rng.choice(standard(name).moments)
        if frozenset((a, b)) in found or not _may_go_either_way(game, a, b, at):
            continue
        if _may_go_either_way(game, a, b, as_seen_by_both(name, at)):
            found[frozenset((a, b))] = a, b, at
        if len(found) == 6:
            return tuple(found.values())
    low, high = CONTESTED
    raise AssertionError(
        f"{name}: found {len(found)} pairs of cards, equal ones too, of which the first wins {100 * low:.0f} to "
        f"{100 * high:.0f} % in a standard situation, within {SHORT_TURNS} player turns on average, expected 6"
    )


def as_seen_by_both(name: str, at: Any) -> Any:
    """The situation without what only one of the two has."""
    fields = at.model_dump(exclude_defaults=True)
    return game_of(name).moment(**{field: fields[field] for field in fields.keys() - ONE_SIDED.get(name, set())})


def mirrored(game: aab.Game, at: Any) -> Any:
    """The moment as the target sees it, where neither has done anything."""
    rules = game.ruleset
    standing = rules.Situation(**{name: getattr(at, name) for name in rules.Situation.model_fields})
    return rules.initial_moment(standing.mirrored(at.range_in), at.range_in)


def _may_go_either_way(game: aab.Game, a: str, b: str, at: Any) -> bool:
    duel = game.duel(a, b, first=first_in(game), **at.model_dump(exclude_defaults=True))
    low, high = CONTESTED
    return low < duel.p_a < high and duel.player_turns is not None and duel.player_turns <= SHORT_TURNS


@games
def test_shot__is_a_distribution_and_says_why(name: str) -> None:
    game = game_of(name)
    rules = game.ruleset
    for a, b, at in meetings(name, 40, seed=1):
        offence = rules.offence(game.cards[a], at, game.variant)
        defence = rules.defence(game.cards[b], at, game.variant)
        shot = rules.shot(offence, defence, at.range_in, game.variant, None)
        assert sum(shot.effect.values()) == 1
        assert all(p > 0 and amount >= 0 for amount, p in shot.effect.items())
        assert shot.steps
        assert all(all(step) for step in shot.steps)
        hash(offence), hash(defence)
        surveyed = rules.survey(offence, defence, at.range_in, game.variant).shot
        assert (surveyed.weapon, surveyed.effect) == (shot.weapon, shot.effect)
        shown = rules.relevant(defence, rules.relevance(offence))
        assert rules.survey(offence, shown, at.range_in, game.variant).shot.effect == shot.effect


@pytest.mark.slow
@games
def test_surveys__equal_each_target_surveyed_alone(name: str) -> None:
    game = game_of(name)
    rules = game.ruleset
    for a, _, at in meetings(name, 10, seed=3):
        offence = rules.offence(game.cards[a], at, game.variant)
        defences = [rules.defence(card, at, game.variant) for card in game.cards.values()]
        alone = [rules.survey(offence, defence, at.range_in, game.variant) for defence in defences]
        assert rules.surveys(offence, defences, at.range_in, game.variant) == alone


@games
def test_survey__blows_are_distributions_that_leave_the_fresh_fresh(name: str) -> None:
    game = game_of(name)
    rules = game.ruleset
    if not isinstance(rules.fight, ConditionDuel):
        return
    conditions = rules.fight.conditions
    for a, b, at in meetings(name, 40, seed=2):
        offence = rules.offence(game.cards[a], at, game.variant)
        defence = rules.defence(game.cards[b], at, game.variant)
        blows = rules.survey(offence, defence, at.range_in, game.variant).plan
        assert isinstance(blows, Blows)
        assert len(blows.chances) == len(blows.after) == conditions
        assert blows.after[0] == 0
        for row in blows.chances:
            assert len(row) == conditions
            for after in row:
                assert sum(after.values()) == 1
                assert all(0 <= to <= conditions for to in after)


@games
def test_halves__read_no_range(name: str) -> None:
    game = game_of(name)
    rules = game.ruleset
    for a, b, at in meetings(name, 20, seed=5):
        near = at.model_copy(update={"range_in": 0.0})
        assert rules.offence(game.cards[a], at, game.variant) == rules.offence(game.cards[a], near, game.variant)
        assert rules.defence(game.cards[b], at, game.variant) == rules.defence(game.cards[b], near, game.variant)


@games
def test_duel__odds_sum_to_one(name: str) -> None:
    game = game_of(name)
    for a, b, at in meetings(name, 12, seed=3):
        found = game.duel(a, b, **at.model_dump(exclude_defaults=True))
        assert found.p_a + found.p_b + found.p_draw + (found.p_both_destroyed or 0) == pytest.approx(1, abs=1e-12)


@pytest.mark.slow
@games
def test_duel__turns_round_with_the_sides(name: str) -> None:
    game = game_of(name)
    for a, b, at in contested(name):
        there = as_seen_by_both(name, at)
        back = mirrored(game, there)
        assert mirrored(game, back) == there
        for first, other in (("a", "b"), ("b", "a"), ("roll_off", "roll_off")):
            mine = game.duel(a, b, first=first_in(game, first), **there.model_dump(exclude_defaults=True))
            yours = game.duel(b, a, first=first_in(game, other), **back.model_dump(exclude_defaults=True))
            assert (mine.p_a, mine.p_b) == pytest.approx((yours.p_b, yours.p_a), abs=1e-12), (a, b, at, first)
            assert mine.player_turns == pytest.approx(yours.player_turns)


@pytest.mark.slow
@games
def test_duel__the_table_says_what_the_single_duel_says(name: str) -> None:
    game = game_of(name)
    for a, b, at in meetings(name, 6, seed=4):
        single = game.duel(a, b, **at.model_dump(exclude_defaults=True))
        row = matchups(game, Situations((at,), (1.0,)), attackers=[a], targets=[b]).iloc[0]
        shot = game.shot(a, b, **at.model_dump(exclude_defaults=True))
        assert (row["p_win"], row["p_loss"]) == pytest.approx((single.p_a, single.p_b), abs=1e-12)
        assert (row["p_damage"], row["expected_damage"]) == pytest.approx((shot.p_damage, shot.expected_damage))


@pytest.mark.slow
@games
def test_duel__simulated_agrees_with_exact(name: str) -> None:
    game = game_of(name)
    for a, b, at in meetings(name, 8, seed=5):
        exact = game.duel(a, b, rounds=12, **at.model_dump(exclude_defaults=True))
        rolled = game.duel(a, b, rounds=12, simulate=TRIALS, seed=3, **at.model_dump(exclude_defaults=True))
        for field in ("p_a", "p_b", "p_draw", "p_both_destroyed"):
            p, q = getattr(exact, field) or 0, getattr(rolled, field) or 0
            assert abs(q - p) <= SIGMAS * sqrt(max(p * (1 - p), 1e-9) / TRIALS), (field, a, b, at)
        assert rolled == game.duel(a, b, rounds=12, simulate=TRIALS, seed=3, **at.model_dump(exclude_defaults=True))


@pytest.mark.slow
@games
def test_shot__agrees_with_literal_dice(name: str) -> None:
    game, roller = game_of(name), import_module(f"rollers.{name}")
    tables = game.cards.tables
    for n, (a, b, at) in enumerate(meetings(name, 12, seed=6)):
        fields = at.model_dump(exclude_defaults=True)
        attack = partial(roller.throw_attack, attacker=tables[a], target=tables[b], situation=fields, variant={})
        agrees(attack, game.shot(a, b, **fields).damage, THROWS, seed=n, sides=DICE.get(name, 6))


def throw_duels(name: str, a: str, b: str, at: Any, n: int) -> None:
    """Hold the exact odds of a duel in which a moves first against so many that are played."""
    game, throw = game_of(name), import_module(f"rollers.{name}").throw_duel
    found = game.duel(a, b, first=first_in(game), **at.model_dump(exclude_defaults=True))
    tables, rng, fields = game.cards.tables, random.Random(f"{a} {b}"), at.model_dump(exclude_defaults=True)
    ends = Counter(throw(rng, tables[a], tables[b], fields, {}, "a") for _ in range(n))
    fits(ends, {"a": found.p_a, "b": found.p_b, "both": found.p_both_destroyed or 0, None: found.p_draw}, n)


@pytest.mark.slow
@games
def test_duel__that_is_contested_agrees_with_literal_dice(name: str) -> None:
    for a, b, at in contested(name):
        throw_duels(name, a, b, at, DUELS)


@games
def test_duel__drawn_at_random_agrees_with_literal_dice(name: str) -> None:
    """Most are one-sided; what is certain or impossible has to be so."""
    game = game_of(name)
    for a, b, at in meetings(name, 8, seed=7):
        turns = game.duel(a, b, first=first_in(game), **at.model_dump(exclude_defaults=True)).player_turns
        if turns is None or turns < 20:
            throw_duels(name, a, b, at, 200)


@pytest.mark.slow
@games
def test_promises__hold(name: str) -> None:
    game, promises = game_of(name), import_module(f"rollers.{name}").PROMISES
    assert len(promises) >= 4, f"{name}: too few promises, expected 4 at least"
    moved = set()
    for promise in promises:
        for a, b, at in meetings(name, 25, seed=8):
            means = []
            for value in promise.values:
                fields = at.model_dump(exclude_defaults=True)
                if promise.of == "situation":
                    fields[promise.field] = value
                    means.append(game.shot(a, b, **fields).expected_damage)
                else:
                    unit = a if promise.of == "attacker" else b
                    try:
                        what_if = aab.Game(name, game.cards, changes=[f"{unit}.{promise.field}={_toml(value)}"])
                    except CardError:  # not a field for this kind of unit
                        break
                    mine, yours = (what_if if one == unit else game for one in (a, b))
                    means.append(game.shot(mine.cards[a], yours.cards[b], **fields).expected_damage)
            assert all(y >= x - 1e-12 for x, y in pairwise(means)), (promise, a, b, at, means)
            if len(set(means)) > 1:
                moved.add(promise)
    assert moved == set(promises), "promises about fields without effect"


def _toml(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else repr(value).replace("'", '"')


@cache
def names_of_tests() -> frozenset[str]:
    names = set()
    for path in TESTS.rglob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                names.add(node.name)
    return frozenset(names)


@pytest.mark.slow
@games
def test_rules__every_modelled_rule_has_a_function_and_a_test(name: str) -> None:
    book = rulebook.read(game_of(name).ruleset)
    assert {number for rule in book.rule for number in rule.points} == {point.number for point in book.point}
    for rule in book.rule:
        assert bool(rule.functions) == (rule.kind in ("modelled", "function only")), rule
        assert set(rule.tests) <= names_of_tests(), (rule, set(rule.tests) - names_of_tests())


@games
def test_points__name_every_switch_and_only_switches(name: str) -> None:
    rules = game_of(name).ruleset
    points = rulebook.read(rules).point
    named = [switch for point in points for switch in point.switches]
    fields = rules.Variant.model_fields
    assert set(named) <= set(fields)
    for name, field in fields.items():
        known = name in named or str(field.description).startswith("optional rule")
        assert known, f"rulebook.toml: found no [[point]] with the switch {name}, nor is it an optional rule"
    prefix = points[0].number.partition("-")[0]
    assert [point.number for point in points] == [f"{prefix}-{n + 1}" for n in range(len(points))]
    for switches in rules.presets.values():
        rules.Variant(**switches)


UNITS_OF_ALL_RULES = (
    "de_tiger1",
    "de_stug3g",
    "de_wirbelwind",
    "us_m4a1",
    "inf_rifle",
    "de_sdkfz222",
    "uk_17pdr",
    "de_leig18",
)
"""Units of Armored Advance whose match needs what each switch decides; of other games the first eight do."""
IN_NO_MATCH = {"forumini": {"aircraft_cover_penalty"}}
"""Aircraft play in no match: `aabalance rules` says why."""


@pytest.mark.slow
@pytest.mark.parametrize("name", PLAYED)
def test_variant__every_switch_bears_on_a_match(name: str) -> None:
    game = game_of(name)
    units = UNITS_OF_ALL_RULES if name == "armored_advance" else list(game.cards)[:8]

    def starts(variant: BaseModel) -> list[bytes]:
        lists = [] if name == "skirmish_wars" else units
        board = "crossing" if name == "skirmish_wars" else next(iter(game.boards))
        question = aab.Game(name, game.cards, variant).match_question(lists, lists, board=board)
        return [part.tobytes() for start in prepared(question, 0).match.starts for part in start]

    own = starts(game.variant)
    nowhere = {
        switch
        for switch, values in alternatives(game.variant).items()
        if all(starts(game.ruleset.Variant(**{switch: value})) == own for value in values)
    }
    assert nowhere == IN_NO_MATCH.get(name, set())


@pytest.mark.slow
@pytest.mark.parametrize("name", PLAYED)
def test_witness__draws_every_switch_that_bears_on_a_match(name: str) -> None:
    """Else `tests/test_match_witness.py` would compare matches by the defaults alone, and pass."""
    witness: Any = import_module(f"rollers.{name}_match")
    drawn = " ".join(repr(witness.random_setup(random.Random(f"{name} {n}"))) for n in range(100))
    switches = game_of(name).variant.model_dump()
    assert {switch for switch in switches if f"'{switch}'" not in drawn} == IN_NO_MATCH.get(name, set())


@pytest.mark.slow
@games
def test_sensitivity__switches_that_nothing_reads_change_nothing(name: str) -> None:
    game = game_of(name)
    rng = random.Random(name)
    units = rng.sample(list(game.cards), min(5, len(game.cards)))
    moments = standard(name).moments[:4]
    at = Situations(moments, (1 / len(moments),) * len(moments))
    table = sensitivity(game, at, field=units).set_index("reading")
    own = matchups(game, at, attackers=units, targets=units)
    for switch, values in alternatives(game.variant).items():
        for value in values:
            other = aab.Game(name, game.cards, game.ruleset.Variant(**{switch: value}))
            change = (matchups(other, at, attackers=units, targets=units)["p_win"] - own["p_win"]).abs()
            assert table.loc[as_option(switch, value), "mean_change_of_p_win"] == pytest.approx(
                change.mean(), abs=1e-12
            )


def foreign(source: str) -> set[str]:
    """Return what a roller has no business with: every import but the standard library's and other rollers'.

    So no test module either, which may import the package; and nothing that imports by name or runs text.
    """
    known = sys.stdlib_module_names - {"importlib", "pkgutil", "runpy"} | {"rollers"}
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add("." * node.level + (node.module or ""))
        elif isinstance(node, ast.Name) and node.id in ("__import__", "eval", "exec", "compile"):
            found.add(node.id)
    return {name for name in found if name.split(".")[0] not in known}


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("import random\nfrom rollers.readings import agreed", set()),
        ("from aabalance.rulesets import base", {"aabalance.rulesets"}),
        ("def f():\n    import aabalance.dice as d", {"aabalance.dice"}),
        ("from handmade import at", {"handmade"}),
        ("from .. import odds", {".."}),
        ("from importlib import import_module", {"importlib"}),
        ("__import__('aabalance')", {"__import__"}),
    ],
)
def test_rollers__foreign_imports_are_seen(source: str, found: set[str]) -> None:
    assert foreign(source) == found


@pytest.mark.slow
def test_rollers__share_no_code_with_the_package() -> None:
    paths = sorted((TESTS / "rollers").rglob("*.py"))
    assert {path.stem for path in paths} >= set(OURS)
    assert {path.name: found for path in paths if (found := foreign(path.read_text(encoding="utf-8")))} == {}


def test_watched__remembers_what_is_read_through_properties() -> None:
    variant = _TrackedVariant(game_of("armored_advance").variant)
    assert variant.resolution == "one_die"
    assert variant.read == {"resolution"}
    assert variant.reading.resolution == "one_die"
    assert {"resolution", "reroll_limit"} <= variant.read
    assert "wall_rule" not in variant.read


# --- cards and what is said of a moment


def _parts(value: Any) -> Iterator[Any]:
    """Yield what a card is made of: itself, its weapons and so on."""
    if isinstance(value, BaseModel):
        yield value
    inner = value.__dict__.values() if isinstance(value, BaseModel) else value if isinstance(value, tuple) else ()
    for part in inner:
        yield from _parts(part)


@games
def test_cards__and_what_they_are_made_of_can_not_be_changed(name: str) -> None:
    game = game_of(name)
    at = standard(name).moments[0]
    situation = game.ruleset.Situation(**{field: getattr(at, field) for field in game.ruleset.Situation.model_fields})
    parts = {type(part): part for card in game.cards.values() for part in _parts(card)}
    for part in (*parts.values(), at, situation, game.variant):
        for field in type(part).model_fields:
            with pytest.raises(ValidationError, match="frozen"):
                setattr(part, field, getattr(part, field))


@pytest.mark.slow
@games
def test_cards__a_number_in_quotes_is_no_number(name: str, tmp_path: Path) -> None:
    """One of each field, wherever in a card it stands; of a list of numbers the first."""
    game = game_of(name)
    columns: dict[str, tuple[str, str, str]] = {}
    for unit_id in game.cards:
        for column, value in flatten(game.cards.tables[unit_id]).items():
            place = f"{unit_id}.{column}"
            if type(value) in (int, float):
                columns.setdefault(pattern(column), (place, f'"{value}"', f"{place}: found '{value}', expected "))
            elif isinstance(value, list) and value and type(value[0]) in (int, float):
                quoted = json.dumps([str(value[0]), *value[1:]])
                columns.setdefault(pattern(column), (place, quoted, f"{place}.0: found '{value[0]}', expected "))
    assert len(columns) > 3
    for place, quoted, told in columns.values():
        with pytest.raises(CardError, match=re.escape(told)) as caught:
            aab.Game(name, changes=[f"{place}={quoted}"])
        assert len(caught.value.faults) == 1


@pytest.mark.parametrize("name", ["forumini", "modern_land_battles", "skirmish_wars"])
def test_first_requisition__what_is_counted_in_ones_is_proposed_in_ones(name: str) -> None:
    game = game_of(name)
    units = list(dict.fromkeys([game.ruleset.roster.reference[0], *list(game.cards)[:12]]))
    found = first_requisition(game, aab.shots(game, attackers=units, targets=units))
    rated = found[(found["attack"] > 0) & (found["endurance"] < inf)]
    surcharges = [game.ruleset.roster.price(game.cards[unit]).surcharge for unit in rated["unit"]]
    assert {worth % 2 for worth in rated["proposal"] - surcharges} == {0, 1}


@games
def test_battles__are_offered_where_the_game_says_so(name: str) -> None:
    rules = game_of(name).ruleset
    assert rules.has_battles == (type(rules).forces is not Ruleset.forces)
