"""A scene, without widgets: two units, where they stand, how they fight, rules, what-ifs; and the answers to it."""

from __future__ import annotations

import itertools
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from aabalance.cards.save import text
from aabalance.definitions.lists import any_list
from aabalance.definitions.settings import MIX, changed
from aabalance.errors import UsageError
from aabalance.game import Game
from aabalance.play.result import FACES
from aabalance.rulesets.base import HOLD

if TYPE_CHECKING:
    import pandas as pd

    from aabalance.analysis.battles import Score
    from aabalance.play.battle import BattleResult
    from aabalance.play.duel import DuelResult
    from aabalance.play.shot import ShotResult
    from aabalance.pricing.roster import Roster

ACTIONS = 4
"""Actions in a side's turn of a battle, where the rules limit them: those of the stated field of lists."""
DUEL = ("first", "rounds", "posture_a", "posture_b")
FOUGHT = (*DUEL, "actions", "mixed", "variant")
"""Attributes of a scene that say how the two units fight a duel, and how they fight at all."""
MOST_UNITS, MOST_AGAINST = 4, 12
"""Most copies of a unit in a battle for which no list is given, and against a list that is."""


class Standing(NamedTuple):
    """A list as it stands against the field of lists that the game states.

    Attributes
    ----------
    list : str
        Its units in words.
    cost : int
        What it costs.
    score : Score or None
        P(win) + P(draw) / 2 against the field, with its 95 % interval; None if no field is stated for such lists.
    said : str
        The field, and how its battles are fought, or why there is no score.
    """

    list: str
    cost: int
    score: Score | None
    said: str


@dataclass(frozen=True)
class Scene:
    """A question about two units, alone and in lists; its answers are worked out when they are first read, and kept.

    Attributes
    ----------
    game : Game
        The game as it was given, before `variant` and `changes`.
    a, b : str
        Ids of the two units.
    range_in : float
        Distance between them, in the game's unit of length.
    situation : mapping
        Fields of the game's `Moment`, as a sees it, that differ from their defaults.
    posture_a, posture_b, first, rounds
        As for `Game.duel`.
    actions : int
        Actions in a side's turn of a battle, where the rules limit them.
    list_a, list_b : str
        Lists of both sides in a battle, as on the command line; see `lists` for an empty one.
    mixed : bool
        Whether in a battle all units show faces at random, and not those of the situation.
    variant : mapping
        Rule switches that differ from the game's.
    changes : tuple of str
        What-ifs on the cards, as ``de_tiger1.hp=50``.
    """

    game: Game = field(repr=False)
    a: str
    b: str
    range_in: float
    situation: Mapping[str, Any] = field(default_factory=dict)
    posture_a: str = HOLD
    posture_b: str = HOLD
    first: str = "roll_off"
    rounds: int | None = None
    actions: int = ACTIONS
    list_a: str = ""
    list_b: str = ""
    mixed: bool = False
    variant: Mapping[str, Any] = field(default_factory=dict)
    changes: tuple[str, ...] = ()

    @classmethod
    def of(cls, game: Game, a: Any = None, b: Any = None, range_in: float | None = None, **fields: Any) -> Scene:
        """Return a scene to begin with.

        Parameters
        ----------
        game : Game
            The game: a ruleset with its cards and variant.
        a, b : str, optional
            Units, by id or name, or lists, of which the first unit is looked at alone; by default the first pair that
            the game's own report draws.
        range_in : float, optional
            By default the commonest distance of the game's own report definition.
        **fields
            Fields of the game's `Moment`, and those attributes of a scene that `FOUGHT` names.

        Raises
        ------
        UsageError
            There is no such unit or field, or a value is out of range.
        """
        own_report, cards = game.definition, game.cards
        drawn = own_report.curves(cards)
        candidates = [*(drawn[0] if drawn else ()), *cards]
        both = [[] if given is None else any_list(given, cards).units for given in (a, b)]
        list_a, list_b = ([unit for unit in units if game.card(unit)] for units in both)  # refuses what is none
        if max(len(list_a), len(list_b)) > 1 and not game.ruleset.has_battles:
            raise UsageError(f"list: found several units, expected one: {game.ruleset.labels.title} has no battles")
        own = list_a[0] if list_a else candidates[0]
        foe = list_b[0] if list_b else next((unit for unit in candidates[1:] if unit != own), own)
        weights = own_report.situations["range_in"]
        distance = max(weights, key=lambda one: weights[one]) if range_in is None else range_in
        fought = {name: fields.pop(name) for name in FOUGHT if name in fields}
        moment = game.moment(range_in=distance, **fields)
        fought.setdefault("rounds", own_report.rounds)
        fought |= {"list_a": a if len(list_a) > 1 else "", "list_b": b if len(list_b) > 1 else ""}
        scene = cls(game, own, foe, moment.range_in, {name: getattr(moment, name) for name in fields}, **fought)
        return scene.checked("duel")

    def checked(self, *answers: str) -> Scene:
        """Return the scene if it has these answers, such as ``shot``; what is wrong with it is an error of theirs."""
        for name in answers:
            getattr(self, name)
        return self

    def with_(self, **changes: Any) -> Scene:
        """Return the scene with other attributes."""
        return replace(self, **changes)

    def instead(self, other: str) -> Scene:
        """Return the scene with another unit in place of a, in the list that is given as well."""
        units = self.lists[0] if self.list_a else []
        return self.with_(a=other, list_a=",".join(other if unit == self.a else unit for unit in units))

    # --- answers

    @property
    def played(self) -> Game:
        """The game with the scene's rules and what-ifs."""
        return _played(self.game, tuple(self.variant.items()), self.changes)

    @property
    def distances(self) -> tuple[float, float]:
        """The least and the largest distance to choose from: of the report's pictures, or the one to begin with."""
        ranges = self.game.definition.plots.ranges
        return min(ranges.start, self.range_in), max(ranges.stop - 1, self.range_in)

    @property
    def lasting(self) -> dict[str, Any]:
        """Fields of the situation that hold throughout a duel, not for one attack alone."""
        passing = self.game.ruleset.attack_fields()
        return {name: value for name, value in self.situation.items() if name not in passing}

    @property
    def battle_fields(self) -> dict[str, Any]:
        """Fields of the situation that a battle is fought in."""
        if not self.mixed:
            return self.lasting
        return {name: value for name, value in self.lasting.items() if name not in FACES} | {"facing": MIX}

    @cached_property
    def shot(self) -> ShotResult:
        """One attack of a on b."""
        return self.played.shot(self.a, self.b, range_in=self.range_in, **self.situation)

    @cached_property
    def duel(self) -> DuelResult:
        """The duel of the two."""
        how = {name: getattr(self, name) for name in DUEL}
        return self.played.duel(self.a, self.b, range_in=self.range_in, **how, **self.lasting)

    @cached_property
    def curves(self) -> tuple[pd.DataFrame, pd.DataFrame]:
        """Two tables by distance: the chance that a destroys b, which returns no fire, and that b destroys a."""
        import pandas as pd

        from aabalance.analysis.pairs import kill_curves

        view = self.played.situation(**self.lasting)
        plots = self.game.definition.plots
        a = kill_curves(self.played, [(self.a, self.b)], plots.ranges, plots.turns, **self.lasting)
        parts = []
        for seen, at in itertools.groupby(plots.ranges, view.mirrored):
            ranges = list(at)
            returned = {name: value for name, value in seen if value != type(seen).model_fields[name].default}
            try:
                parts.append(kill_curves(self.played, [(self.b, self.a)], ranges, plots.turns, **returned))
            except UsageError:  # at these distances there is no place for b, such as a row, so that it can't fire
                parts.append(a[a["range_in"].isin(ranges)].assign(attacker=self.b, target=self.a, p_kill_within=0.0))
        return a, pd.concat(parts, ignore_index=True)

    @cached_property
    def lists(self) -> tuple[list[str], list[str]]:
        """Both sides' lists in a battle; for one that isn't given, the fewest of a, or b, that cost about the same.

        Raises
        ------
        UsageError, CardError
            A list isn't one.
        """
        given = [any_list(units, self.played.cards).units if units else [] for units in (self.list_a, self.list_b)]
        most = MOST_AGAINST if any(given) else MOST_UNITS
        of_a, of_b = (
            [units] if units else [[unit] * n for n in range(1, most + 1)]
            for units, unit in zip(given, (self.a, self.b), strict=True)
        )
        # One against one is the duel.
        pairs = [(a, b) for a in of_a for b in of_b if any(given) or len(a) + len(b) > 2]
        priced = all(self.cost(unit) is not None for unit in (*of_a[0], *of_b[0]))

        def apart(pair: tuple[list[str], list[str]]) -> float:
            a, b = (sum(self.cost(unit) or 0.0 for unit in units) if priced else len(units) for units in pair)
            return abs(a - b) / max(a, b)

        # The smallest lists within a twentieth of the cost, or of the nearest to equal that there is.
        far = max(min(map(apart, pairs)), 0.05)
        return min(pairs, key=lambda pair: (max(apart(pair) - far, 0), len(pair[0]) + len(pair[1])))

    @cached_property
    def battle(self) -> BattleResult:
        """The battle of `lists`."""
        limit = self.actions if self.game.ruleset.limits_actions else None
        a, b = self.lists
        return self.played.battle(a, b, range_in=self.range_in, actions=limit, **self.battle_fields)

    @property
    def standings(self) -> tuple[Standing, Standing]:
        """What both of `lists` score against the field of lists that the game states."""
        a, b = (_standing(self.played, self.actions, tuple(units)) for units in self.lists)
        return a, b

    @property
    def worth(self) -> pd.DataFrame:
        """What a is worth, in one row; see `aabalance.worth`."""
        return _worth(self.played, self.a)[0]

    @property
    def opponents(self) -> pd.DataFrame:
        """The opponents against whom a does best and worst for its points; see `aabalance.worth_reasons`."""
        return _worth(self.played, self.a)[1]

    @property
    def gains(self) -> pd.DataFrame:
        """What each unit of the roster is worth before and after the changes of rules and cards, and the difference."""
        from aabalance.pricing.worth import worth_differences

        before, after = _roster(self.game), _roster(self.played)
        found = worth_differences(before, after, [unit for unit in after.units if unit in before.units])
        return found.assign(name=[self.played.cards[unit].name for unit in found["unit"]])

    @property
    def has_faces(self) -> bool:
        """Whether the game has faces of units, which can be mixed in a battle."""
        ruleset = self.game.ruleset
        return ruleset.has_battles and all(name in ruleset.Situation.model_fields for name in FACES)

    # --- to copy

    def cost(self, unit: str) -> float | None:
        """Return the cost of a unit, with the what-ifs; None if it has none yet."""
        price: float | None = getattr(self.played.cards[unit], self.game.ruleset.labels.currency)
        return price

    def code(self) -> str:
        """Return Python lines that give the same answers; a game with cards of its own is called ``game``."""
        name = self.game.ruleset.name
        switches = {**changed(self.game.variant), **self.variant}
        given = [f"{key}={value!r}" for key, value in (("variant", switches), ("changes", list(self.changes))) if value]
        if _has_own_cards(self.game):
            made = f"game.with_({', '.join(given)})" if given else "game"
        else:
            made = f"aab.Game({', '.join([json.dumps(name), *given])})"
        units = f"{json.dumps(self.a)}, {json.dumps(self.b)}"
        at = f"range_in={self.range_in:g}"
        of_shot, of_duel = (_arguments(fields) for fields in (self.situation, self.lasting))
        how = {name: getattr(self, name) for name in DUEL}
        fought = _arguments({name: value for name, value in how.items() if value != getattr(type(self), name)})
        limit = f", actions={self.actions}" if self.game.ruleset.limits_actions else ""
        lines = [
            "import aabalance as aab",
            "",
            f"played = {made}",
            f"shot = played.shot({units}, {at}{of_shot})",
            f"duel = played.duel({units}, {at}{fought}{of_duel})",
        ]
        if self.game.ruleset.has_battles:
            a, b = self.lists
            lists = (self.list_a or f"{self.a}*{len(a)}", self.list_b or f"{self.b}*{len(b)}")
            lines.append(f"list_a, list_b = {', '.join(map(json.dumps, lists))}")
            lines.append(f"battle = played.battle(list_a, list_b, {at}{limit}{_arguments(self.battle_fields)})")
        if self.game.ruleset.limits_actions:
            lines.append(f"worth = aab.worth(played, [{json.dumps(self.a)}])")
            lines.append(f"opponents = aab.worth_reasons(played, [{json.dumps(self.a)}])")
        plots = self.game.definition.plots
        ranges = f"ranges=range({plots.ranges.start}, {plots.ranges.stop}), turns={plots.turns}"
        lines.append(f"curve = aab.plots.kill_probability(played, [({units})], {ranges}{of_duel})")
        if self.game.ruleset.limits_actions:
            lines.append(f"judged = [aab.judge_list(played, units{limit}) for units in (list_a, list_b)]")
        return "\n".join(lines) + "\n"

    def card(self, unit: str) -> str:
        """Return the card of a unit with the what-ifs, as TOML."""
        return text(unit, self.played.cards.tables[unit])


@lru_cache(maxsize=16)
def _played(game: Game, variant: tuple[tuple[str, Any], ...], changes: tuple[str, ...]) -> Game:
    """Return a game with other rules and cards, the same for all scenes, so that what depends on it alone is kept."""
    return game.with_(variant=dict(variant) or None, changes=changes) if variant or changes else game


@lru_cache(maxsize=64)
def _worth(game: Game, unit: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the worth of a unit and its reasons; they don't depend on where the two units of a scene stand."""
    from aabalance.jobs.sweeps import sweeping
    from aabalance.pricing.roster import Roster
    from aabalance.pricing.worth import worth, worth_reasons

    # Kept between runs as commands keep it, since the battles among all other units are always the same.
    with sweeping(cache=True):
        roster = Roster(game, about=[unit])
        return worth(game, [unit], roster=roster), worth_reasons(game, [unit], roster=roster)


@lru_cache(maxsize=64)
def _standing(game: Game, actions: int, units: tuple[str, ...]) -> Standing:
    """Return what a list scores against the field for lists of its cost, as `judge_list` does."""
    from aabalance.lists.advice import FRESH
    from aabalance.lists.fields import stated, stated_for
    from aabalance.lists.payoffs import Payoffs, score_against

    payoffs = Payoffs(game, actions=actions)
    own = payoffs.units(units)
    words, cost, file = payoffs.words(own), payoffs.requisition(own), stated(game)
    against = stated_for(payoffs, cost)
    if against is not None:
        score = score_against(payoffs, own, against.field, 0, FRESH)
        return Standing(words, cost, score, f"Scores are against {against.words}. {payoffs.terms}")
    of = file and f"the stated field is for {file.points} points, {file.actions} actions a turn and the package's cards"
    return Standing(words, cost, None, f"No score: {of or 'no field is stated'}; `aabalance list judge` makes another.")


@lru_cache(maxsize=8)
def _roster(game: Game) -> Roster:
    """Return all units with their battles, which are kept between runs."""
    from aabalance.jobs.sweeps import sweeping
    from aabalance.pricing.roster import Roster

    with sweeping(cache=True):
        return Roster(game)


@lru_cache(maxsize=8)
def _has_own_cards(game: Game) -> bool:
    return game.cards.hash != Game(game.ruleset.name).cards.hash


def _arguments(fields: Mapping[str, Any]) -> str:
    return "".join(f", {name}={value!r}" for name, value in fields.items())
