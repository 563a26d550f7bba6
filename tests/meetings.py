"""Matches of all games for tests, and how they are played without compiling anything."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Any

import aabalance as aab
from aabalance.engine import jit
from aabalance.engine.match import arena
from aabalance.engine.match.arena import Match
from aabalance.rulesets import OURS, load
from aabalance.rulesets.armored_advance.match.records import MODES

game_of = cache(aab.Game)
"""A game by its name, whose cards and boards are read once."""
PLAYED = tuple(name for name in OURS if load(name).has_matches)
"""The games that have matches."""
LIST = ("us_m4a1", "us_m10", "us_m8", "inf_rifle_mg", "inf_rifle")
ARMY = (
    "de_panzer_iv_ausf_f2", "de_sgrw_34_81mm_mortar", "de_panzergrenadier", "de_mg_42_team", "de_nashorn",
    "de_wehrmacht_oberleutnant",
)  # fmt: skip
FIELD = {
    "name": "Field",
    "map": ["........."] * 4 + ["...ff...."] + ["....B...."] + ["....ff..."] + ["........."] * 4,
    "objectives": [[4, 3], [3, 5], [4, 7]],
    "zones": {"north": {"rect": [0, 0, 8, 1], "facing": "S"}, "south": {"rect": [0, 9, 8, 10], "facing": "N"}},
}
"""A small board of Armored Advance, the same when turned by 180 degrees."""
RANDOM, GREEDY = ("random", "random"), ("greedy", "greedy")


def skirmish(who: tuple[str, str], board: str = "crossing_armies", **keys: Any) -> Match:
    """Return a match of Skirmish Wars, from which either side begins in turn."""
    return _match("skirmish_wars", who, [{"first": side, **keys} for side in "ab"], board)


def armored(
    who: tuple[str, str],
    board: str | dict[str, Any] = "small",
    lists: tuple[Sequence[str], Sequence[str]] = (LIST, LIST),
    mode: str = "timed",
    rounds: int = 8,
    limit: int = 5,
    **options: Any,
) -> Match:
    """Return a match of Armored Advance with deployment and roll-offs."""
    entries = {side: [{"card": card} for card in cards] for side, cards in zip("ab", lists, strict=True)}
    setup = {"lists": entries, "limit": limit, "mission": {"mode": mode, "rounds": rounds}, "options": options}
    return _match("armored_advance", who, [setup], board)


UNITED_STATES = {
    "rows": [["us_m1a1", "us_stryker", "us_m113"], ["us_bradley", "us_m901"], ["us_m109"]],
    "reserve": ["us_stryker", "us_hmmwv", "us_m113", "us_m60a3", "us_bradley", "us_m109"],
}
CHINA = {
    "rows": [["cn_type98", "cn_type80", "cn_yw531"], ["cn_wz550_at", "cn_wz523"], ["cn_type83"]],
    "reserve": ["cn_wz523", "cn_yw531", "cn_type63", "cn_type80", "cn_type86", "cn_type83"],
}

SMALL = {"rows": [["us_stryker", "us_m113"], ["us_bradley"]], "reserve": ["us_hmmwv", "us_m113"]}


def modern(
    who: tuple[str, str],
    board: str = "standard",
    lists: tuple[Any, Any] = (UNITED_STATES, CHINA),
    variant: Mapping[str, Any] = MappingProxyType({}),
    **options: Any,
) -> Match:
    """Return a match of Modern Land Battles, whose first player is drawn."""
    setup = {"lists": dict(zip("ab", lists, strict=True)), "options": options}
    return _match("modern_land_battles", who, [setup], board, variant)


def forumini(
    who: tuple[str, str],
    board: str | dict[str, Any] = "crossroads",
    lists: tuple[Sequence[str], Sequence[str]] = (ARMY, ARMY),
    **keys: Any,
) -> Match:
    """Return a match of Forumini Armies with deployment."""
    setup = {"lists": dict(zip("ab", lists, strict=True)), **keys}
    return _match("forumini", who, [setup], board)


PLATOONS = "us_m4_75", "us_m4_76", "us_m10", "us_m5", "us_105"
"""An army of Armour Battles that stands around the middle of its edge, b's turned by 180 degrees."""
PLACES = (0, 3), (1, 4), (0, 4), (1, 3)
EVEN = {
    "name": "Even",
    "turn_limit": 6,
    "map": ["...*....", ".,...*^.", "..*..,..", "...##...", "...##...", "..,..*..", ".^*...,.", "....*..."],
}
"""A board of Armour Battles, the same when turned by 180 degrees."""


def armour(
    who: tuple[str, str],
    board: str | dict[str, Any] = "crossroads",
    lists: tuple[Sequence[str], Sequence[str]] | None = None,
    variant: Mapping[str, Any] = MappingProxyType({}),
    **keys: Any,
) -> Match:
    """Return a match of Armour Battles: the scenario of a board, or two lists, the same places for both."""
    if lists is not None:
        keys["units"] = [
            {"side": side, "type": card, **_stands(side, at, card)}
            for side, own in zip("ab", lists, strict=True)
            for at, card in enumerate(own)
        ]
    return _match("armour_battles", who, [keys], board, variant)


def _stands(side: str, at: int, card: str) -> dict[str, Any]:
    """The place of a unit on a board of 8 x 8; those for whom there is none are in reserve, or batteries."""
    if at >= len(PLACES):
        return {}
    x, y = PLACES[at]
    return {"at": [x, y] if side == "a" else [7 - x, 7 - y]}


def _match(
    game: str,
    who: tuple[str, str],
    setups: list[dict[str, Any]],
    board: str | dict[str, Any],
    variant: Mapping[str, Any] = MappingProxyType({}),
) -> Match:
    asked = game_of(game)
    rules = asked.ruleset.match()
    assert rules is not None
    cards = dict(asked.cards.items())
    for setup in setups:
        setup["board"] = asked.boards[board].table if isinstance(board, str) else board
    starts = tuple(rules.start(setup, cards, asked.ruleset.Variant(**variant))[:2] for setup in setups)
    return Match(rules, starts, who, 5)


def drawn(game: str, number: int, who: tuple[str, str]) -> Match:
    """Return a short match of a game; of Armored Advance, with lists drawn from all cards."""
    if game == "skirmish_wars":
        boards = "crossing", "crossing_armies", "last_stand"
        return skirmish(who, boards[number % 3], turn_limit=1 + number % 2, money={"a": 20, "b": 12}, medals=number % 4)
    if game == "modern_land_battles":
        draw, cards = random.Random(number), list(game_of(game).cards)
        lists = [
            {"rows": [draw.sample(cards, k=2) for _ in range(1 + number % 3)], "reserve": draw.sample(cards, k=4)}
            for _ in "ab"
        ]
        switches = {"range_defense": number % 2 == 1, "d10_natural_rules": number % 5 == 4}
        return modern(who, ("skirmish", "standard")[number % 2], (lists[0], lists[1]), switches, limit=10 + number % 30)
    if game == "forumini":
        ids = [key for key, card in game_of(game).cards.items() if card.kind in ("soldier", "vehicle")]
        armies = random.Random(number).sample(ids, k=7), random.Random(-number).sample(ids, k=4)
        return forumini(who, ("crossroads", "ridge", "river_town")[number % 3], armies, turns=[1, 1 + number % 4 // 3])
    if game == "armour_battles":
        ids = [key for key, card in game_of(game).cards.items() if card.class_ != "battery"]
        draw = random.Random(number)
        own, theirs = ([*draw.sample(ids, k=5), "us_105"] for _ in "ab")
        switches = {
            "indirect_hit": ("net", "any_success", "in_area")[number % 3],
            "suppression_clears": ("regroup", "end_of_turn", "never")[number % 4 % 3],
            "activations": ("once_a_turn", "once_a_pulse")[number % 5 // 4],
        }
        return armour(who, EVEN, (own, theirs), switches, turn_limit=1 + number % 4 // 3)
    assert game == "armored_advance"
    one, other = random.Random(number).sample(list(game_of(game).cards), k=2)
    mode = MODES[number % len(MODES)]
    # Annihilation and timed matches need a vehicle on each side; slow ones have few moves.
    return armored(who, "small", (["fr_r35", one], ["uk_valentine2", other]), mode, 1, 2, quiet=2)


def ended(match: Match, number: int) -> tuple[list[int], bytes]:
    """Play a match compiled; return what is noted of it, and the state at its end."""
    course = arena.Course(match, number, jit.compiled)
    while not course.is_over:
        course.go()
    return course.facts.tolist(), course.states[:1].tobytes()
