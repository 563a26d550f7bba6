"""What the package says of a rulebook is so: every switch of every game is read by its rules."""

from __future__ import annotations

import inspect
import random
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from handmade import squad, vehicle
from pydantic import ValidationError

import aabalance as aab
from aabalance import rulebook, rulesets
from aabalance.errors import UsageError
from aabalance.rulesets.armored_advance import infantry, match
from aabalance.rulesets.armour_battles import combat, command, rally
from aabalance.rulesets.forumini import phases
from aabalance.rulesets.forumini import rules as forumini

games = pytest.mark.parametrize("name", rulesets.REGISTRY)
NUMBERS = (0, 1, 2, 3, 4, 6, 10, 12, 24, 31)
POSTURES = ("hold", "close:4", "cautious:4", "optimal")


def drawn(rng: random.Random, schema: type[Any]) -> Any:
    """A situation or variant: most fields have their defaults, the others something that they can be."""
    while True:
        fields = {}
        for name, field in schema.model_fields.items():
            if field.is_required() or rng.random() < 0.25:
                values = [] if field.is_required() else rulebook.values(schema, name)
                fields[name] = rng.choice(values if len(values) > 1 else NUMBERS)
        try:
            return schema(**fields)
        except ValidationError:
            continue


def fights(name: str, n: int) -> Iterator[tuple[aab.Game, Any, Any, Any]]:
    """Units of the roster that meet in some situation, under some reading of the rules."""
    rng, plain = random.Random(name), aab.Game(name)
    ids = list(plain.cards)
    for _ in range(n):
        switches = drawn(rng, plain.ruleset.Variant).model_dump()
        game = aab.Game(name, plain.cards, switches)
        yield game, game.cards[rng.choice(ids)], game.cards[rng.choice(ids)], drawn(rng, game.ruleset.Situation)


def shoot(game: aab.Game, a: Any, b: Any, at: Any) -> None:
    """One attack with each weapon that the unit has."""
    fields = at.model_dump(exclude_defaults=True)
    try:
        game.shot(a, b, **fields, weapon="no such weapon")
    except UsageError as error:
        for weapon in filter(None, str(error).partition("one of ")[2].split(", ")):
            game.shot(a, b, **fields, weapon=weapon)


def meet(game: aab.Game, a: Any, b: Any, at: Any) -> None:
    """Turns of a duel as the engines ask for them: of two that hold, and in every posture that there is."""
    rules = game.ruleset
    rules.survey(rules.offence(a, at, game.variant), rules.defence(b, at, game.variant), at.range_in, game.variant)
    for posture in POSTURES if rules.order == "walk" else ():
        try:
            player = rules.player(a, b, at, game.variant, posture)
        except UsageError:  # postures move, not situations
            return
        for row in range(len(player.least)):
            for turn in list(player.turns(at.range_in, 0, None, row))[:5]:
                list(player.turns(turn.range_in, turn.memory, turn.moved, row))


GUN = {"class": "field_gun", "drive": "towed", "movement": 0}
IN_NO_FIGHT: dict[str, Callable[[Any], Any]] = {
    "armored_advance": lambda variant: (
        match.timed_annihilation([vehicle(**GUN)], [vehicle()], variant, player_turns=1, turn_limit=3),
        infantry.squad_actions(squad(), variant, fired_gun=True),
    ),
    "forumini": lambda variant: (
        forumini.turn([(1, 0)], forumini.Target(1, 2), variant, pinned_in_movement=True),
        phases.may_bomb(antiair_now=False, antiair_before=True, bombs_left=1, variant=variant),
    ),
    "armour_battles": lambda variant: (
        combat.group_fire((4, 4), 4, 5, variant),
        command.staff_orders(2, variant),
        rally.rally_target_number(6, variant),
    ),
}
"""Functions of rules that no shot and no duel asks for, and that read switches."""


def forget(name: str) -> None:
    """Empty the caches of a game: what is remembered reads nothing."""
    for module, content in list(sys.modules.items()):
        if module.startswith(rulesets.REGISTRY[name]):
            for function in vars(content).values():
                if hasattr(function, "cache_clear"):
                    function.cache_clear()


@games
def test_variant__every_switch_is_read_by_the_rules(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    schema, package = rulesets.load(name).Variant, rulesets.REGISTRY[name]
    read: set[str] = set()

    def noting(variant: Any, attribute: str) -> Any:
        caller = inspect.currentframe().f_back.f_globals["__name__"]
        if attribute in schema.model_fields and caller.startswith(package):
            read.add(attribute)
        return object.__getattribute__(variant, attribute)

    forget(name)
    monkeypatch.setattr(schema, "__getattribute__", noting)
    for fight in fights(name, 150):
        shoot(*fight)
        meet(*fight)
    IN_NO_FIGHT.get(name, lambda variant: None)(schema())
    assert read == set(schema.model_fields)
