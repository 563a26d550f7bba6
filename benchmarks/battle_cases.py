"""The battles that are measured: lists of the roster at 24 inches, five actions a turn, a moving first."""

from __future__ import annotations

from functools import cache
from itertools import cycle, islice
from typing import Any, NamedTuple

from aabalance import Game
from aabalance.definitions.lists import unit_list
from aabalance.definitions.settings import FRONT, MIX, situation_mix
from aabalance.engine import rng, sampling
from aabalance.engine.battle.battle import Battle
from aabalance.engine.battle.columns import Terms
from aabalance.rulesets.base import Force
from benchmarks import battle_tables, scalar_battles

RANGE_IN = 24
ACTIONS = 5
SEED = 20261122
GUNNED = (
    ("de_pz4h", "de_stug3g", "de_hetzer", "de_marder3m", "de_pak40", "it_sem90_53"),
    ("us_m4a1_76w", "us_m10", "us_m18", "us_m5", "su_t34_85", "su_su85"),
)
"""Units whose one gun hurts all of the other side; longer lists go through them again."""
MANY_KINDS = (
    "de_pz4g,de_pz4h,de_stug3g,de_jpz4,de_hetzer,de_marder3m,de_pak40,it_sem90_53,jp_chinu,us_m36",
    "us_m4a1_76w,us_m4a3e8,us_m10,us_m18,us_m5,uk_comet,su_t34_85,su_kv85,su_su85,su_su100",
)
KEYWORDS = "uk_bofors,su_53k,su_su152,de_pak40,de_marder3m", "su_61k,uk_2pdr,su_su152,us_m18,us_m5"
"""Autocannon, rapid fire and long reload on either side."""
ONE_ON_MANY = "su_kv85", "de_marder3m*4,de_pak40*4"
MARGINAL = "de_pz3m*3,de_puma*2", "su_t34_85*2,us_m4a1*2,us_m10"
"""Fronts that a's guns hardly penetrate, so that the face matters."""
TWO_GUNS = "us_m3_lee*3,fr_b1bis*2", "us_m3_lee*3,fr_b1bis*2"
SOME_HARMLESS = "de_tiger1,de_pz4h,de_pz38t,de_stug3g,de_pak36", "su_t34_85,su_kv1_41,us_m10,us_m8,su_t26"
"""Of each side some can't hurt some of the other."""
INDIRECT = "de_wespe*2,de_lefh18,de_pak40,de_pz4h", "us_m4a1_76w,us_m10,us_m18,us_m5,su_su85"
SCOUTED = (
    "de_puma,de_pz4h,de_pak40,de_hummel,de_stug3g,de_pz3m,de_leig18,de_sdkfz222,de_marder3m,de_pantherg,de_pz3n,de_flak38",
    "us_m8,us_m4a1,us_m5,us_m7,su_t34_41,us_m10,su_m30,su_ba10,us_m18,su_t34_85,su_su76m,us_m3_lee",
)
"""Mixed lists with scouts, and with guns that scouts help."""
EQUAL = "de_pz3m", "de_pz3m"
"""Units that six hits destroy."""


class Case(NamedTuple):
    """What is fought.

    Attributes
    ----------
    lists : pair of str
        As for `aabalance.Game.battle`.
    policy : str
        Of both sides.
    facing : str
    whole : bool
        Units have all weapons of their cards; else the first alone.
    set_up : bool
        Guns of a that fire indirectly are set up.
    """

    lists: tuple[str, str]
    policy: str
    facing: str = FRONT
    whole: bool = False
    set_up: bool = False


def even(size: int, policy: str) -> Case:
    """Return a battle of so many units on each side, all of which can hurt each other."""
    a, b = (",".join(islice(cycle(kinds), size)) for kinds in GUNNED)
    return Case((a, b), policy)


CASES = {
    "3v3 list_order": even(3, "list_order"),
    **{f"5v5 {policy}": even(5, policy) for policy in battle_tables.POLICIES},
    "5v5 with keywords, value": Case(KEYWORDS, "value"),
    **{f"10v10 {policy}": even(10, policy) for policy in battle_tables.POLICIES},
    "1v8 value": Case(ONE_ON_MANY, "value"),
}
"""The cases that promises are about: one gun a unit, one face, everybody can hurt everybody."""
MIXED = {4: 6, 8: 11, 12: 32}
"""Sizes of the mixed lists, and how many times as long an action may take there as with one gun a unit."""
GROWTH = (3, 5, 8, 10, 12)


def mixed(size: int, policy: str) -> Case:
    """Return a battle of mixed lists with scouts, of so many units on each side, with all their weapons."""
    a, b = (",".join(units.split(",")[:size]) for units in SCOUTED)
    return Case((a, b), policy, whole=True)


def added(policy: str) -> dict[str, tuple[Case, Case]]:
    """Return what makes a battle dearer: one with it, and one without."""
    five, two_guns, marginal = even(5, policy), Case(TWO_GUNS, policy), Case(MARGINAL, policy)
    indirect = Case(INDIRECT, policy, whole=True)
    return {
        "ten kinds": (Case(MANY_KINDS, policy), even(10, policy)),
        "facing mix": (marginal._replace(facing=MIX), marginal),
        "all weapons of the cards": (five._replace(whole=True), five),
        "two guns that hurt": (two_guns._replace(whole=True), two_guns),
        "some can't hurt some": (Case(SOME_HARMLESS, policy), five),
        "indirect": (indirect._replace(set_up=True), indirect),
    }


class Fight(NamedTuple):
    """A case in every shape that a side of a comparison needs.

    Attributes
    ----------
    forces : pair of Force
    terms : Terms
    key : int
    run : Run
        What the kernel rolls.
    field : Fought
        What plain Python rolls.
    tables : Tables
        What the scalar form rolls.
    """

    forces: tuple[Force, Force]
    terms: Terms
    key: int
    run: sampling.Run
    field: battle_tables.Fought
    tables: scalar_battles.Tables


def packed(case: Case) -> Battle:
    """Return a case packed."""
    return Battle(*both(case))


@cache
def fight(case: Case) -> Fight:
    """Return a case made ready."""
    forces, terms = both(case)
    key = rng.stream_key(SEED, *case.lists, case.policy)
    run = sampling.Run(Battle(forces, terms).rolls(0), key, sampling.ROUNDS)
    field = battle_tables.fought(forces, terms, 0)
    return Fight(forces, terms, key, run, field, scalar_battles.tables(field))


def both(case: Case) -> tuple[tuple[Force, Force], Terms]:
    """Return both sides, and how they fight."""
    game = _game()
    lists = [[_armed(game.card(unit), case.whole) for unit in unit_list(text, game.cards)] for text in case.lists]
    views = situation_mix(game.situation, case.facing, **({"set_up": True} if case.set_up else {}))
    cards = lists[0], lists[1]
    forces = game.ruleset.forces(cards, views, RANGE_IN, game.variant)
    return forces, Terms((ACTIONS, ACTIONS), (case.policy, case.policy))


@cache
def _game() -> Game:
    return Game()


def _armed(card: Any, whole: bool) -> Any:
    return card if whole else _with_one_gun(card.id)


@cache
def _with_one_gun(unit: str) -> Any:
    card = _game().card(unit)
    return card.model_copy(update={"weapons": card.weapons[:1]})
