"""Scenes of matches of Modern Land Battles: Force cards in Rows, hands as a test wants them, and dice as they fall."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np

import aabalance as aab
from aabalance.rulesets.base import match as base
from aabalance.rulesets.modern_land_battles import RULESET
from aabalance.rulesets.modern_land_battles.card import ACTION_CARDS
from aabalance.rulesets.modern_land_battles.match import RULES, records

ALL_SYMBOLS = {"small_arms": 0, "cannon": 0, "missile": 0}
START = [1] * 17


class Scene:
    """A match that has begun with a's turn and empty hands, on the standard decks.

    Parameters
    ----------
    a, b : list of list of str or card
        The Rows of both sides.
    reserve : list of str
        a's reserve.
    variant : dict
        The rule switches.
    """

    def __init__(
        self,
        a: Sequence[Sequence[Any]] = (("us_stryker",),),
        b: Sequence[Sequence[Any]] = (("cn_type80",),),
        reserve: Sequence[str] = (),
        variant: Mapping[str, Any] = MappingProxyType({}),
    ) -> None:
        game = aab.Game("modern_land_battles")
        cards = dict(game.cards.items())
        rows = [[[self._named(cards, card) for card in row] for row in side] for side in (a, b)]
        lists = {"a": {"rows": rows[0], "reserve": list(reserve)}, "b": {"rows": rows[1], "reserve": []}}
        setup = {"board": game.boards["standard"].table, "lists": lists, "first": "a"}
        self.tables, self.state, self.names = RULES.start(setup, cards, RULESET.Variant(**variant))
        RULES.apply(self.tables, self.state, records.BEGIN, base.script(START))
        self.hold("a")
        self.hold("b")

    @staticmethod
    def _named(cards: dict[str, Any], card: Any) -> str:
        if isinstance(card, str):
            return card
        name = f"card {len(cards)}"
        cards[name] = card
        return name

    def hold(self, side: str, *cards: str) -> Scene:
        """Put other cards into a hand; the old ones go back into the deck."""
        held = self.state.hand["ab".index(side)]
        self.state.deck[:] += held
        held[:] = [cards.count(kind) for kind in ACTION_CARDS]
        self.state.deck[:] -= held
        return self

    def unit(self, mark: str) -> Any:
        """Return the record of a Force card."""
        return self.state.unit[self.names.units.index(mark)]

    def do(self, text: str, *dice: int) -> Scene:
        """Take a decision, which has to be legal, with just these dice."""
        assert text in self.legal(), (text, self.legal())
        rolled = base.script(list(dice))
        RULES.apply(self.tables, self.state, RULES.read(self.tables, self.state, text, self.names), rolled)
        assert rolled.rolled == len(dice), (text, rolled.rolled)
        return self

    def legal(self) -> list[str]:
        """Return all decisions."""
        return self._said(RULES.legal, base.ALL)

    def sensible(self) -> list[str]:
        """Return the decisions that players weigh."""
        return self._said(RULES.candidates, base.ALL, False)

    def _said(self, write: Callable[..., int], *asked: Any) -> list[str]:
        out = np.empty(RULES.most_actions, np.int64)
        count = write(self.tables, self.state, *asked, out)
        return sorted(RULES.text(self.tables, self.state, int(one), self.names) for one in out[:count])

    def said(self) -> dict[str, Any]:
        """Return the state in words."""
        return RULES.words(self.tables, self.state, self.names)

    def chances(self, text: str, measure: Callable[[Scene], int]) -> dict[int, float]:
        """Return the distribution of what comes of a decision, over all ways in which its dice can fall."""
        action, before = RULES.read(self.tables, self.state, text, self.names), self.state.copy()
        dice, found, more = base.new(base.DICE), defaultdict(float), True
        dice.source = base.ODOMETER
        while more:
            self.state = before.copy()
            RULES.apply(self.tables, self.state, action, dice)
            found[measure(self)] += base.chance(dice)
            more = base.next_way(dice)
        self.state = before
        return dict(found)


def maneuvering(
    value: int, hits: int, modifier: int = 0, stopped: int = 0, natural_rules: bool = False, superior: int = 0
) -> dict[int, float]:
    """Return the distribution of the Superior counters after a Flanking Maneuver that a reaction may stop in part."""
    card = RULESET.Card.model_validate(
        {
            "name": "card",
            "nation": "none",
            "type": "tank",
            "armor": 6,
            "vp": 1,
            "maneuver": value,
            "weapons": ALL_SYMBOLS,
        }
    )
    reaction = ("none", "overwatch b2 1", "cover_fire b2 1", "reaction_force b2")[stopped]
    scene = Scene([["us_stryker", card]], [["cn_type80"], [card]], variant={"d10_natural_rules": natural_rules})
    scene.unit("a2").hits, scene.state.superior = hits, superior
    scene.tables.kind["maneuver"][ACTION_CARDS.index("cover")] = modifier
    scene.hold("a", "cover").hold("b", "close_air_support", *([reaction.split()[0]] if stopped else []))
    scene.do("flank a2 1")
    ways: dict[int, float] = defaultdict(float)
    for count, p in scene.chances("modify cover", lambda rolled: int(rolled.state.act.hits)).items():
        after = scene.state.copy()
        if count:
            after.hand[0, ACTION_CARDS.index("cover")] = 0
            after.act.hits, after.stage = count, records.REACT
            played = RULES.read(scene.tables, after, reaction, scene.names)
            RULES.apply(scene.tables, after, played, base.script([]))
        ways[int(after.superior)] += p
    return dict(ways)


def air_support(row: int = 1, variant: Mapping[str, Any] = MappingProxyType({})) -> dict[int, float]:
    """Return the distribution of the Hits of Close Air Support on a Force card that has acted in a Row."""
    scene = Scene([["us_stryker"], ["us_m113"], ["us_m109"]], variant=variant).hold("b", "close_air_support")
    act = scene.state.act
    act.doing, act.unit, act.area, scene.state.stage = records.MANEUVER, row - 1, records.FLANKING, records.REACT
    return scene.chances("close_air_support", lambda after: int(after.unit(f"a{row}").hits))
