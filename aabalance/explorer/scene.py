"""A scene, without widgets: two units, where they stand, how they fight, rules, what-ifs; and the answers to it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

from aabalance.cards.save import text
from aabalance.definitions.settings import MIX, changed
from aabalance.definitions.tables import unknown_units
from aabalance.errors import UsageError
from aabalance.game import Game
from aabalance.play.result import FACES
from aabalance.rulesets.base import HOLD

if TYPE_CHECKING:
    import pandas as pd

    from aabalance.play.battle import BattleResult
    from aabalance.play.duel import DuelResult
    from aabalance.play.shot import ShotResult

ACTIONS = 5
"""Actions in a side's turn of a battle, where the rules limit them: the middle of what most reports compare."""
DUEL = ("first", "rounds", "posture_a", "posture_b")
FOUGHT = (*DUEL, "actions", "copies_a", "copies_b", "mixed", "variant")
"""Attributes of a scene that say how the two units fight a duel, and how they fight at all."""
MOST_UNITS = 4
"""Most copies of a unit in a battle for which no numbers of copies are given."""


@dataclass(frozen=True)
class Scene:
    """A question about two units; its answers are worked out when they are first read, and kept.

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
    copies_a, copies_b : int or None
        Copies of each unit in a battle; if both are None, numbers that cost about the same (see `lists`).
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
    copies_a: int | None = None
    copies_b: int | None = None
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
            Ids or names; by default the first pair that the game's own report draws.
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
        own = candidates[0] if a is None else cards.id_of(a)
        foe = next((unit for unit in candidates[1:] if unit != own), own) if b is None else cards.id_of(b)
        weights = own_report.situations["range_in"]
        distance = max(weights, key=lambda one: weights[one]) if range_in is None else range_in
        fought = {name: fields.pop(name) for name in FOUGHT if name in fields}
        moment = game.moment(range_in=distance, **fields)
        fought.setdefault("rounds", own_report.rounds)
        scene = cls(game, own, foe, moment.range_in, {name: getattr(moment, name) for name in fields}, **fought)
        _ = scene.duel  # raises an error for what can't be fought
        return scene

    def with_(self, **changes: Any) -> Scene:
        """Return the scene with other attributes."""
        return replace(self, **changes)

    # --- answers

    @cached_property
    def played(self) -> Game:
        """The game with the scene's rules and what-ifs."""
        return self.game.with_(variant=self.variant or None, changes=self.changes)

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
        from aabalance.analysis.pairs import kill_curves

        view = self.played.situation(**self.lasting).mirrored(self.range_in)
        plots = self.game.definition.plots
        defaults = {name: each.default for name, each in type(view).model_fields.items()}
        returned = {name: value for name, value in view if value != defaults[name]}
        pairs = ((self.a, self.b, dict(self.situation)), (self.b, self.a, returned))
        a, b = (
            kill_curves(self.played, [(one, other)], plots.ranges, plots.turns, **fields)
            for one, other, fields in pairs
        )
        return a, b

    @property
    def lists(self) -> tuple[list[str], list[str]]:
        """Both sides' lists in a battle: the given numbers of copies, or the smallest that cost about the same."""
        if self.copies_a or self.copies_b:
            return [self.a] * (self.copies_a or 1), [self.b] * (self.copies_b or 1)
        price_a, price_b = self.cost(self.a), self.cost(self.b)
        if price_a is None or price_b is None:
            price_a = price_b = 1  # as many of each
        numbers = range(1, MOST_UNITS + 1)
        sizes = [(n, m) for n in numbers for m in numbers if n + m > 2]  # one against one is the duel
        gap = {(n, m): abs(n * price_a - m * price_b) / max(n * price_a, m * price_b) for n, m in sizes}
        # The smallest lists within a twentieth of the cost, or of the nearest to equal that there is.
        n, m = min(sizes, key=lambda size: (max(gap[size] - 0.05, min(gap.values()) - 0.05, 0), sum(size)))
        return [self.a] * n, [self.b] * m

    @cached_property
    def battle(self) -> BattleResult:
        """The battle of `lists`."""
        limit = self.actions if self.game.ruleset.limits_actions else None
        a, b = self.lists
        return self.played.battle(a, b, range_in=self.range_in, actions=limit, **self.battle_fields)

    @property
    def standing(self) -> str:
        """What both of `lists` score against the field of lists that the game states, in a sentence."""
        from aabalance.lists.fields import serves, stated

        file = stated(self.game)
        if file is None or any(unknown_units(self.played.cards, one.units) for one in file.lists):
            return "No field of lists is stated for these cards."
        costs = [sum(self.cost(unit) or 0.0 for unit in units) for units in self.lists]
        if not all(serves(file, cost, self.actions) for cost in costs):
            currency = self.game.ruleset.labels.currency
            return (
                f"No field of lists is stated for these: there is one for {file.points} {currency} and {file.actions} "
                "actions a turn."
            )
        a, b = (tuple(units) for units in self.lists)
        return _standing(self.game, tuple(self.variant.items()), self.changes, self.actions, a, b)

    @property
    def worth(self) -> pd.DataFrame:
        """What a is worth, in one row; see `aabalance.worth`."""
        return _worth(self.game, tuple(self.variant.items()), self.changes, self.a)[0]

    @property
    def opponents(self) -> pd.DataFrame:
        """The opponents against whom a does best and worst for its points; see `aabalance.worth_reasons`."""
        return _worth(self.game, tuple(self.variant.items()), self.changes, self.a)[1]

    @property
    def gains(self) -> pd.DataFrame:
        """What each unit of the roster is worth before and after the changes of rules and cards."""
        after = _worth_of_all(self.game, tuple(self.variant.items()), self.changes)
        before = _worth_of_all(self.game, (), ())
        both = {"worth_before": before["worth"], "worth_after": after["worth"]}
        return after[["unit", "name"]].assign(**both)

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
            made = f"aab.Game({', '.join([_quoted(name), *given])})"
        units = f"{_quoted(self.a)}, {_quoted(self.b)}"
        at = f"range_in={self.range_in:g}"
        of_shot, of_duel = (_arguments(fields) for fields in (self.situation, self.lasting))
        how = {name: getattr(self, name) for name in DUEL}
        fought = _arguments({name: value for name, value in how.items() if value != getattr(type(self), name)})
        lines = [
            "import aabalance as aab",
            "",
            f"played = {made}",
            f"shot = played.shot({units}, {at}{of_shot})",
            f"duel = played.duel({units}, {at}{fought}{of_duel})",
        ]
        if self.game.ruleset.has_battles:
            a, b = self.lists
            lists = f'"{self.a}*{len(a)}", "{self.b}*{len(b)}"'
            limit = f", actions={self.actions}" if self.game.ruleset.limits_actions else ""
            lines.append(f"battle = played.battle({lists}, {at}{limit}{_arguments(self.battle_fields)})")
        if self.game.ruleset.limits_actions:
            lines.append(f"worth = aab.worth(played, [{_quoted(self.a)}])")
            lines.append(f"opponents = aab.worth_reasons(played, [{_quoted(self.a)}])")
        plots = self.game.definition.plots
        ranges = f"ranges=range({plots.ranges.start}, {plots.ranges.stop}), turns={plots.turns}"
        lines.append(f"curve = aab.plots.kill_probability(played, [({units})], {ranges}{of_shot})")
        return "\n".join(lines) + "\n"

    def card(self, unit: str) -> str:
        """Return the card of a unit with the what-ifs, as TOML."""
        return text(unit, self.played.cards.tables[unit])


@lru_cache(maxsize=64)
def _worth(
    game: Game, variant: tuple[tuple[str, Any], ...], changes: tuple[str, ...], unit: str
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the worth of a unit and its reasons; they don't depend on where the two units of a scene stand."""
    from aabalance.jobs.sweeps import sweeping
    from aabalance.pricing.roster import Roster
    from aabalance.pricing.worth import worth, worth_reasons

    played = game.with_(variant=dict(variant) or None, changes=changes)
    # Kept between runs as commands keep it, since the battles among all other units are always the same.
    with sweeping(cache=True):
        roster = Roster(played, about=[unit])
        return worth(played, [unit], roster=roster), worth_reasons(played, [unit], roster=roster)


@lru_cache(maxsize=64)
def _standing(
    game: Game,
    variant: tuple[tuple[str, Any], ...],
    changes: tuple[str, ...],
    actions: int,
    a: tuple[str, ...],
    b: tuple[str, ...],
) -> str:
    """Return what two lists score against the field for lists of their cost; it doesn't depend on where they stand."""
    from aabalance.lists.advice import compare_lists

    try:
        return compare_lists(game.with_(variant=dict(variant) or None, changes=changes), a, b, actions=actions).against
    except UsageError as error:
        return f"No score against a field: {error}."


@lru_cache(maxsize=8)
def _worth_of_all(game: Game, variant: tuple[tuple[str, Any], ...], changes: tuple[str, ...]) -> pd.DataFrame:
    """Return the worth of each unit of the roster, in the order of the cards."""
    from aabalance.jobs.sweeps import sweeping
    from aabalance.pricing.worth import worth

    with sweeping(cache=True):
        return worth(game.with_(variant=dict(variant) or None, changes=changes))


@lru_cache(maxsize=8)
def _has_own_cards(game: Game) -> bool:
    return game.cards.hash != Game(game.ruleset.name).cards.hash


def _arguments(fields: Mapping[str, Any]) -> str:
    return "".join(f", {name}={value!r}" for name, value in fields.items())


def _quoted(words: str) -> str:
    return json.dumps(words)
