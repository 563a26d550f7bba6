"""What the package says of its rulebooks is so: switches are read, functions are used where `rulebook.toml` says."""

from __future__ import annotations

import inspect
import os
import random
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from fractions import Fraction
from itertools import islice
from math import ceil
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple, get_args

import pytest
from click.testing import CliRunner
from golden.replay import Replay
from golden.test_matches import transcripts
from meetings import PLAYED
from other_games import offer
from pydantic import ValidationError

import aabalance as aab
from aabalance import rulebook, rulesets
from aabalance.cli import main
from aabalance.definitions.lists import UnitList
from aabalance.errors import UsageError
from aabalance.files import data_folder
from aabalance.play.duel import DuelQuestion
from aabalance.play.match_question import MatchQuestion
from aabalance.rulesets.base import MODES, HitPointDuel

games = pytest.mark.parametrize("name", rulesets.OURS)
COUNTS, DISTANCES = (0, 1, 2, 3), (0, 1, 2, 4, 6, 12, 18, 24, 30)
POSTURES = ("hold", "close:4", "cautious:4")
LEAST = 120
TELLING = {
    "skirmish_wars": ("sw-golden-15",),
    "armored_advance": (
        "armored_advance golden guard 2: R-28 lob within X",
        "03 infantry deployed",
        "23 anti-aircraft guns",
        "08 artillery near",
        "14 wrecks again",
    ),
    "modern_land_battles": (
        "modern_land_battles golden guard 1: section 3: the side that Secured decides on its benefit",
        "modern_land_battles/golden/14",
    ),
    "forumini": (
        "forumini/golden/33",
        "forumini/golden/6",
        "forumini golden guard 3: section 1: width is the longest row's",
        "forumini golden guard 4: section 7: a barrage gives 3 counters at most",
    ),
    "armour_battles": ("armour_battles golden guard 11: indirect_hit any_success",),
}
"""Transcripts that call all that the thirty shortest call, in a tenth of the time; a rule may need another.

Of a game that isn't here, the thirty shortest are played.
"""

# --- fights of all kinds ----------------------------------------------------------------------------------------------


class Fight(NamedTuple):
    game: aab.Game
    a: Any
    b: Any
    at: Any
    posture: str


def fights(name: str) -> Iterator[Fight]:
    """Each unit of the roster meets one of each category in some situation, under some reading of the rules."""
    rng, plain = random.Random(name), aab.Game(name)
    categories: dict[str, list[Any]] = {}
    for card in plain.cards.values():
        categories.setdefault(plain.ruleset.roster.category(card), []).append(card)
    postures = POSTURES if isinstance(plain.ruleset.fight, HitPointDuel) else POSTURES[:1]
    for _ in range(ceil(LEAST / len(plain.cards) / len(categories))):
        for card in plain.cards.values():
            for enemies in categories.values():
                game = aab.Game(name, plain.cards, drawn(rng, plain.ruleset.Variant, 1.0))
                at = drawn(rng, plain.ruleset.Moment, 0.3)
                yield Fight(game, card, rng.choice(enemies), at, rng.choice(postures))


def drawn(rng: random.Random, schema: type[Any], share: float) -> Any:
    """A situation or variant, a share of whose fields is something that it can be, and the rest as ever."""
    while True:
        fields = {}
        for name, field in schema.model_fields.items():
            if field.is_required() or rng.random() < share:
                values = rulebook.values(schema, name)
                if len(values) < 2:
                    values = DISTANCES if float in (field.annotation, *get_args(field.annotation)) else COUNTS
                fields[name] = rng.choice(values)
        try:
            return schema(**fields)
        except ValidationError:
            continue


def shoot(fight: Fight) -> None:
    """One attack with each weapon that the unit has."""
    given = fight.at.model_dump(exclude_defaults=True)
    with pytest.raises(UsageError) as refused:
        fight.game.shot(fight.a, fight.b, **given, weapon="no such weapon")
    _, named, weapons = str(refused.value).partition("one of ")
    assert named, f"weapon: found {str(refused.value)!r}, expected the words of errors.one_of"
    for weapon in filter(None, weapons.split(", ")):
        fight.game.shot(fight.a, fight.b, **given, weapon=weapon)


def duel(fight: Fight) -> None:
    """A round of a duel, single and as a table has it; of best play what it chooses from."""
    game, a, b, at, posture = fight
    rules = game.ruleset
    given = {
        name: value for name, value in at.model_dump(exclude_defaults=True).items() if name not in rules.attack_fields()
    }
    rules.survey(rules.offence(a, at, game.variant), rules.defence(b, at, game.variant), at.range_in, game.variant)
    try:
        game.duel(a, b, **given, rounds=1, posture_a=posture)
        if isinstance(rules.fight, HitPointDuel):
            standing = game.situation(**{name: value for name, value in given.items() if name != "range_in"})
            rules.player(a, b, standing, at.range_in, game.variant, "optimal").turns(at.range_in, 0, None, 0)
    except UsageError:  # of a situation that no duel has
        return


def battle(fight: Fight) -> None:
    """What either side of a battle may do if both have both units, in games that have battles."""
    game, a, b, at, _ = fight
    standing = game.ruleset.Situation(**{name: getattr(at, name) for name in game.ruleset.Situation.model_fields})
    try:
        game.ruleset.forces(((a, b), (b, a)), {standing: Fraction(1)}, at.range_in, game.variant)
        game.ruleset.list_cost((a, b))
        for mode in MODES:
            game.ruleset.mission(mode, 2, game.variant)
    except UsageError:  # of a game without battles, or a situation that no battle has
        return


def match(case: dict[str, Any]) -> None:
    """A match from the first action to the last."""
    name, transcript = case["game"], case["transcript"]
    replay = Replay(name, transcript["setup"], plain=True)  # calls inside compiled rules can't be seen
    replay.legal()
    for step in transcript["steps"]:
        replay.do(step["do"], step["dice"], step.get("sides"))
    replay.result()


def matches(name: str) -> Iterator[dict[str, Any]]:
    """Transcripts of matches of a game, if it has matches: `TELLING`; the thirty shortest in `.ci/weekly`."""
    if name in PLAYED:
        every = transcripts(name)
        shortest = sorted(every, key=lambda one: len(every[one]["steps"]))[:30]
        chosen = shortest if "MATCHES" in os.environ else TELLING.get(name, shortest)
        yield from ({"game": name, "transcript": every[one]} for one in chosen)


def agreed(name: str) -> None:
    """What both sides agree on before a match, on each board, with three units each."""
    game = aab.Game(name)
    cards = UnitList([game.cards[unit] for unit in [*game.cards][:3]])
    for board in game.boards.values():
        question = MatchQuestion(
            ruleset=game.ruleset,
            variant=game.variant,
            roster=game.cards,
            lists=(cards, cards),
            board=board,
            mission=None,
            rounds=None,
            actions=None,
            first="roll_off",
            players=("greedy", "greedy"),
            options={},
        )
        with suppress(UsageError):  # of a board that brings its units
            rules = question.rules()
            rules.agree(question.agreement(rules))


def forget(name: str) -> None:
    """Empty the caches of a game: nothing is asked for what is remembered."""
    for module, content in list(sys.modules.items()):
        if module.startswith(f"aabalance.rulesets.{name}"):
            for function in vars(content).values():
                if hasattr(function, "cache_clear"):
                    function.cache_clear()


@pytest.mark.slow
@games
def test_coverage__says_where_each_function_begins(name: str) -> None:
    for rule in rulebook.coverage(rulesets.load(name)):
        for path, place in zip(rule["functions"], rule["places"], strict=True):
            file, _, line = place.partition(":")
            word = path.partition(":")[0].rpartition(".")[2]
            source = Path(aab.__file__).parent.parent.joinpath(file).read_text(encoding="utf-8").splitlines()
            assert re.search(rf"(def|class) {word}\b", " ".join(source[int(line) - 1 :][:3])), (path, place)


@games
def test_open_points__every_one_that_the_package_names_can_be_looked_up(name: str) -> None:
    ruleset = rulesets.load(name)
    listed = {point["point"] for point in rulebook.open_points(ruleset)}
    [prefix] = {number.partition("-")[0] for number in listed}
    files = Path(inspect.getfile(type(ruleset))).parent.rglob("*.*")
    named = {
        point
        for file in files
        if file.suffix in (".py", ".toml")
        for point in re.findall(rf"\b{prefix}-\d+", file.read_text(encoding="utf-8"))
    }
    assert named == listed != set()


# --- switches ---------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@games
def test_variant__every_switch_is_read_by_the_rules(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    schema, package = rulesets.load(name).Variant, f"aabalance.rulesets.{name}"
    read: set[str] = set()

    def noting(variant: Any, attribute: str) -> Any:
        caller = inspect.currentframe().f_back.f_globals["__name__"]
        if attribute in schema.model_fields and caller.startswith(package):
            read.add(attribute)
        return object.__getattribute__(variant, attribute)

    forget(name)
    monkeypatch.setattr(schema, "__getattribute__", noting)
    for fight in fights(name):
        shoot(fight)
        duel(fight)
        battle(fight)
    for case in islice(matches(name), 1):
        match(case)
    assert read == set(schema.model_fields)


# --- the file ---------------------------------------------------------------------------------------------------------

BROKEN = """
[[rule]]
section = "1"
rule = "a hit on 4 or more"
modelled = "shoot"
functions = ["Broken.hit"]
tests = ["test_hit"]

[[rule]]
section = "2"
rule = "a miss below"
modelled = "function only"
functions = ["Broken.hit"]

[[rule]]
section = "3"
modelled = "not modelled: dice are the players' own"
tests = ["test_hit"]
point = ["X-1"]

[[rule]]
section = "4"
rule = "a draw else"
modelled = "not modelled: "
"""
MISFIT = """
[[rule]]
section = "1"
rule = "a hit on 4 or more"
modelled = "shot"
functions = [
  "Broken.hit",
  "Broken.miss",
  "Broken.hit:need",
  "nowhere.hit",
]
tests = ["test_hit"]
points = ["X-1", "X-3"]

[[point]]
number = "X-1"
section = "1"
question = "is luck a thing"
reading = "no"
switches = ["luck"]

[[point]]
number = "X-1"
section = "2"
question = "and skill"
reading = "no"
"""
RULES_OF_IT = """
from pydantic import BaseModel
from aabalance.rulesets.base import Ruleset

class Broken(Ruleset):
    name = "broken"

    class Variant(BaseModel):
        lucky: bool = False

    def hit(self, die):
        return die >= 4

    toughness = offence = defence = survey = shot = hit

RULESET = Broken()
"""
ONE_OF = "card, shot, duel, battle, match in this order, function only, not a combat rule, or not modelled: why"


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        (
            BROKEN,
            [
                f"5: rule.0.modelled: found 'shoot', expected {ONE_OF}",
                "9: rule.1.tests: found nothing, expected a value",
                "15: rule.2.rule: found nothing, expected a value",
                "18: rule.2.tests: found ['test_hit'], expected none of a rule that is not modelled",
                "19: rule.2.point: found ['X-1'], expected no such field; did you mean 'points'?",
                f"24: rule.3.modelled: found 'not modelled: ', expected {ONE_OF}",
            ],
        ),
        (
            MISFIT,
            [
                "8: rule.0.functions.1: found 'Broken.miss', but broken_game has no Broken.miss",
                "9: rule.0.functions.2: found 'Broken.hit:need', but Broken.hit has no parameter need",
                "10: rule.0.functions.3: found 'nowhere.hit', but broken_game has no nowhere.hit",
                "13: rule.0.points.1: found 'X-3' (did you mean 'X-1'?), expected one of X-1",
                "16: point.0.number: found 'X-1' 2 times, expected it once",
                "20: point.0.switches.0: found 'luck' (did you mean 'lucky'?), expected one of lucky",
                "23: point.1.number: found 'X-1' 2 times, expected it once",
            ],
        ),
        ("[[rule]", ["1: not TOML: expected ']]' at the end of an array declaration"]),
    ],
)
def test_read__every_fault_has_its_line(
    text: str, faults: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "broken_game.py").write_text(RULES_OF_IT, encoding="utf-8")
    (tmp_path / "rulebook.toml").write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "broken_game", raising=False)
    offer(tmp_path, broken="broken_game")
    ran = CliRunner().invoke(main, ["rules", "--game", "broken"])
    assert ran.exit_code == 2
    assert ran.output.splitlines() == [f"{tmp_path / 'rulebook.toml'}:{fault}" for fault in faults]


def test_rules__a_game_without_its_rulebook_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "broken_game.py").write_text(RULES_OF_IT, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "broken_game", raising=False)
    offer(tmp_path, broken="broken_game")
    ran = CliRunner().invoke(main, ["rules", "--game", "broken"])
    assert ran.exit_code == 2
    assert (
        ran.output == f"error: rules: found no file {tmp_path / 'rulebook.toml'}, expected one with the game's rules\n"
    )


# --- functions --------------------------------------------------------------------------------------------------------


def write_cards(name: str) -> None:
    """What is on a unit's card, and what it costs."""
    game = aab.Game(name)
    game.ruleset.roster.derive(data_folder("unitdb") / name)
    for card in game.cards.values():
        game.ruleset.roster.price(card)


def used(name: str, references: Iterable[str], act: Callable[[Any], None], each: Iterable[Any]) -> set[str]:
    """Return those of the references that are called in the course of an act."""
    wanted: dict[int, list[tuple[str, str | None, Any]]] = {}  # by the id of the code, whose hash takes long
    for reference in references:
        function, parameter = rulebook.reference(rulesets.load(name), reference)
        function = inspect.unwrap(function.__init__ if isinstance(function, type) else function)
        default = inspect.signature(function).parameters[parameter].default if parameter else None
        wanted.setdefault(id(function.__code__), []).append((reference, parameter, default))
    found = set()
    aside = False  # a duel says why a unit can do nothing in the words of a shot, which decide nothing
    words = DuelQuestion.no_effect.__code__

    def noting(frame: FrameType, event: str, _: Any) -> Callable[..., None] | None:
        nonlocal aside
        if aside:
            return None
        for reference, parameter, default in wanted.get(id(frame.f_code), ()):
            if parameter is None or frame.f_locals[parameter] != default:
                found.add(reference)
        aside = frame.f_code is words
        return ending if aside else None

    def ending(frame: FrameType, event: str, _: Any) -> None:
        nonlocal aside
        aside = event != "return"

    forget(name)
    for one in each:
        before = sys.gettrace()
        sys.settrace(noting)  # a profile would be told of each call of what is written in C, too
        try:
            act(one)
        finally:
            sys.settrace(before)
    return found


@pytest.mark.slow
@games
def test_rules__are_modelled_where_their_functions_are_used(name: str) -> None:
    rules = rulebook.read(rulesets.load(name)).rule
    named = {reference for rule in rules for reference in rule.functions}
    met = list(fights(name))
    uses = {
        "card": used(name, named, write_cards, [name]),
        "shot": used(name, named, shoot, met),
        "duel": used(name, named, duel, met),
        "battle": used(name, named, battle, met),
        "match": used(name, named, match, matches(name)) | used(name, named, agreed, [name] if name in PLAYED else []),
    }
    uses["card"] -= uses["shot"] | uses["duel"]  # a formula for cards may ask for a rule of shots
    wrong = []
    for rule in rules:
        if rule.kind not in ("modelled", "function only"):
            continue
        found = [use for use in uses if set(rule.functions) & uses[use]]
        idle = set(rule.functions).difference(*uses.values())
        if rule.modelled != (", ".join(found) or "function only") or (found and idle):
            expected = ", ".join(found) or "function only"
            never = f"; {', '.join(sorted(idle))} is never called with the shipped cards" if found and idle else ""
            wrong.append(f"{rule.section}, {rule.rule}: modelled = {rule.modelled!r}, expected {expected!r}{never}")
    assert not wrong, "\n".join(wrong)
