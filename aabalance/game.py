"""Game: a ruleset bound to its cards and a variant. The object a user holds; and what it answers with."""

from __future__ import annotations

import html
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel, ValidationError

from aabalance import dice, rulesets
from aabalance.cards import Cards, data_folder
from aabalance.engine import exact
from aabalance.engine.tables import Duel, Volleys
from aabalance.errors import UsageError, one_of
from aabalance.rulesets.base import Ruleset, Step

if TYPE_CHECKING:
    import pandas as pd

First = Literal["a", "b", "roll_off"]
Unit = str | BaseModel

FIRSTS = ("a", "b", "roll_off")


class _Result:
    """What all results share: a frame and a small table for notebooks, both from `to_dict`."""

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain values, as the command line's ``--json`` prints it."""
        raise NotImplementedError

    def _lines(self) -> list[tuple[str, str]]:
        raise NotImplementedError

    def to_frame(self) -> pd.DataFrame:
        """Return the result as a DataFrame of one row."""
        import pandas as pd

        return pd.DataFrame([self.to_dict()])

    def __repr__(self) -> str:
        lines = self._lines()
        width = max(len(name) for name, _ in lines)
        return "\n".join(f"{name:<{width}}  {value}" for name, value in lines)

    def _repr_html_(self) -> str:
        left = "style='text-align:left'"
        rows = "".join(
            f"<tr><th {left}>{html.escape(name)}</th><td {left}>{html.escape(value)}</td></tr>"
            for name, value in self._lines()
        )
        return f"<table>{rows}</table>"


@dataclass(frozen=True, repr=False)
class ShotResult(_Result):
    """One attack, resolved exactly.

    Attributes
    ----------
    attacker, target, weapon : str
        Names as on the cards.
    range_in : float
        Inches.
    facing : str
        Face of the target.
    attempts : int
        Dice sequences in the attack.
    needs : dict of str to (int or None)
        Natural rolls needed; see `need`.
    damage : dict of int to float
        Probability of each amount taken from the target.
    p_damage, p_kill : float
        Chance of any effect, and of destroying a fresh target.
    expected_damage : float
        Hit points, or men of a squad.
    engine : str
        ``"exact"``.
    steps : tuple of Step
    """

    attacker: str
    target: str
    weapon: str
    range_in: float
    facing: str
    attempts: int
    needs: Mapping[str, int | None]
    damage: Mapping[int, float]
    p_damage: float
    expected_damage: float
    p_kill: float
    steps: tuple[Step, ...] = field(compare=False)
    engine: str = "exact"

    @property
    def need(self) -> int | None:
        """Natural roll of the one die; None if no roll succeeds, or if there isn't one such die (see `needs`)."""
        return self.needs.get("need")

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain values; keys of `damage` are text, as JSON wants them."""
        return {
            "attacker": self.attacker,
            "target": self.target,
            "weapon": self.weapon,
            "range_in": self.range_in,
            "facing": self.facing,
            "attempts": self.attempts,
            **self.needs,
            "p_damage": self.p_damage,
            "damage": {str(amount): p for amount, p in self.damage.items()},
            "expected_damage": self.expected_damage,
            "p_kill": self.p_kill,
            "engine": self.engine,
        }

    def explain(self) -> str:
        """Return the steps to the result, one a line, each with its rulebook section."""
        head = f'{self.attacker} -> {self.target}, {self.range_in:g}", {self.facing}'
        widths = [max((len(step[column]) for step in self.steps), default=0) for column in (0, 1)]
        lines = [f"  {s.label:<{widths[0]}}  {s.value:<{widths[1]}}  {s.rule}" for s in self.steps]
        tail = (
            f"  => damage {self.p_damage:.1%} of attacks, {self.expected_damage:.2f} expected, "
            f"{self.p_kill:.1%} destroyed by one attack"
        )
        return "\n".join([head, *lines, tail])

    def _lines(self) -> list[tuple[str, str]]:
        needs = [(name, "impossible" if value is None else f"{value}+") for name, value in self.needs.items()]
        return [
            ("shot", f'{self.attacker} -> {self.target}, {self.range_in:g}", {self.facing}'),
            ("weapon", self.weapon + (f", {self.attempts} sequences" if self.attempts > 1 else "")),
            *needs,
            ("p_damage", f"{self.p_damage:.4f}"),
            ("expected_damage", f"{self.expected_damage:.3f}"),
            ("p_kill", f"{self.p_kill:.4f}"),
            ("engine", self.engine),
        ]


@dataclass(frozen=True, repr=False)
class DuelResult(_Result):
    """A duel of two units, solved exactly.

    Attributes
    ----------
    a, b : str
        Names as on the cards.
    range_in : float
        Inches.
    first : {"a", "b", "roll_off"}
    rounds : int or None
        Turn limit, turns of each side.
    p_a, p_b, p_draw : float
        Chances that only a is left, only b, or both when the limit is reached or neither can hurt the other.
    player_turns : float or None
        Expected number of player turns, both sides counted, the last included; None if there may be no end.
    p_a_moving_first, p_a_moving_second : float
        What the first turn is worth.
    engine : str
        ``"exact"``.
    """

    a: str
    b: str
    range_in: float
    first: str
    rounds: int | None
    p_a: float
    p_b: float
    p_draw: float
    player_turns: float | None
    p_a_moving_first: float
    p_a_moving_second: float
    engine: str = "exact"

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain values."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}

    def _lines(self) -> list[tuple[str, str]]:
        limit = "to the end" if self.rounds is None else f"{self.rounds} rounds"
        turns = "without end" if self.player_turns is None else f"{self.player_turns:.2f}"
        return [
            ("duel", f'{self.a} v {self.b}, {self.range_in:g}", first: {self.first}, {limit}'),
            ("p_a", f"{self.p_a:.4f}"),
            ("p_b", f"{self.p_b:.4f}"),
            ("p_draw", f"{self.p_draw:.4f}"),
            ("player_turns", turns),
            ("p_a moving first / second", f"{self.p_a_moving_first:.4f} / {self.p_a_moving_second:.4f}"),
            ("engine", self.engine),
        ]


class Game:
    """A ruleset bound to its cards and a variant.

    Parameters
    ----------
    name : str
        The game.
    cards : Cards or path, optional
        Cards, or a folder of card files; the game's own by default.
    variant : mapping or BaseModel, optional
        Rule switches that differ from their defaults.
    changes : iterable of str
        What-ifs on the cards, for example ``su_t34_85.hp=40``.

    Raises
    ------
    UsageError
        Unknown game or variant key.
    CardError
        Faulty cards.
    """

    def __init__(
        self,
        name: str = "armored_advance",
        cards: Cards | Path | str | None = None,
        variant: Mapping[str, Any] | BaseModel | None = None,
        changes: Iterable[str] = (),
    ) -> None:
        self.ruleset: Ruleset = rulesets.load(name)
        self.variant = _settings(self.ruleset.Variant, variant or {}, "variant")
        if not isinstance(cards, Cards):
            folder = data_folder("unitdb") / name if cards is None else Path(cards)
            cards = Cards.read(self.ruleset.Card, folder)
        changes = tuple(changes)
        self.cards = cards.with_changes(changes) if changes else cards

    def __repr__(self) -> str:
        return f"<Game {self.ruleset.name}: {len(self.cards)} cards, {self.reading}>"

    @property
    def reading(self) -> str:
        """The variant in words: the switches that differ from their defaults."""
        changed = {
            name: value
            for name, value in self.variant.model_dump().items()
            if value != type(self.variant).model_fields[name].default
        }
        return ", ".join(f"{name}={value}" for name, value in changed.items()) or "default rules"

    def card(self, unit: Unit) -> Any:
        """Return the card of an id; a card is returned as it is."""
        return self.cards[unit] if isinstance(unit, str) else unit

    def situation(self, **fields: Any) -> Any:
        """Return a checked situation of this game.

        Raises
        ------
        UsageError
            A field that this game doesn't have, or a value out of range.
        """
        return _settings(self.ruleset.Situation, fields, "situation")

    def shot(
        self, attacker: Unit, target: Unit, *, range_in: float, weapon: str | None = None, **situation: Any
    ) -> ShotResult:
        """Resolve one attack exactly.

        Parameters
        ----------
        attacker, target : str or card
        range_in : float
            Inches.
        weapon : str, optional
            Name of the weapon; by default the one of largest expected effect.
        **situation
            Fields of the game's `Situation`: ``facing``, ``moved`` and others.
        """
        a, t = self.card(attacker), self.card(target)
        at = self.situation(range_in=range_in, **situation)
        rules = self.ruleset
        shot = rules.shot(
            rules.offence(a, at, self.variant),
            rules.defence(t, at, self.variant),
            at.range_in,
            self.variant,
            weapon,
        )
        return ShotResult(
            attacker=a.name,
            target=t.name,
            weapon=shot.weapon,
            range_in=at.range_in,
            facing=at.facing,
            attempts=shot.attempts,
            needs=shot.needs,
            damage={amount: float(p) for amount, p in sorted(shot.effect.items())},
            p_damage=float(dice.chance_of_at_least(shot.effect, 1)),
            expected_damage=float(dice.mean(shot.effect)),
            p_kill=float(dice.chance_of_at_least(shot.effect, rules.toughness(t))),
            steps=shot.steps,
        )

    def duel(
        self,
        a: Unit,
        b: Unit,
        *,
        range_in: float,
        first: First = "roll_off",
        rounds: int | None = None,
        posture_a: str = "hold",
        posture_b: str = "hold",
        **situation: Any,
    ) -> DuelResult:
        """Solve a duel of two units exactly.

        Parameters
        ----------
        a, b : str or card
        range_in : float
            Inches.
        first : {"a", "b", "roll_off"}
            Who has the first turn; ``roll_off`` is each half the time.
        rounds : int, optional
            Turn limit, turns of each side.
        posture_a, posture_b : str
            What each side does: ``hold`` stays and fires all it may, ``close:6`` moves in to 6 inches with its first
            action each turn and fires with the second, ``cautious:6`` does so while it has half its toughness.
        **situation
            As for `shot`, seen from a; b shows the ``facing``, a its front.
        """
        if first not in FIRSTS:
            raise UsageError(f"first: {one_of(first, FIRSTS)}")
        if rounds is not None and rounds < 1:
            raise UsageError(f"rounds: found {rounds}, expected at least 1")
        cards = self.card(a), self.card(b)
        at = self.situation(range_in=range_in, **situation)
        for name in ("moved", "target_moves"):
            if getattr(at, name, 0):
                raise UsageError(f"{name}: moves in a duel are the postures', for example --posture-a close:6")
        views = at, self.ruleset.returned(at)
        players = [
            self.ruleset.player(cards[side], cards[1 - side], views[side], self.variant, posture)
            for side, posture in ((0, posture_a), (1, posture_b))
        ]
        volleys = Volleys()
        one = exact.solve_duel(Duel(volleys, (players[0], players[1]), at.range_in), volleys, rounds)
        two = exact.solve_duel(Duel(volleys, (players[1], players[0]), at.range_in), volleys, rounds)
        wins, losses = (one.wins[0], two.wins[0]), (one.wins[1], two.wins[1])
        draws, turns = (one.draw, two.draw), (one.player_turns, two.player_turns)
        p_a, p_b = (wins[0], losses[1]), (losses[0], wins[1])
        weights = {"a": (1.0, 0.0), "b": (0.0, 1.0), "roll_off": (0.5, 0.5)}[first]

        def weigh(pair: Iterable[float]) -> float:
            return sum(weight * value for weight, value in zip(weights, pair, strict=True) if weight)

        length = weigh(turns)
        return DuelResult(
            a=cards[0].name,
            b=cards[1].name,
            range_in=at.range_in,
            first=first,
            rounds=rounds,
            p_a=weigh(p_a),
            p_b=weigh(p_b),
            p_draw=weigh(draws),
            player_turns=length if math.isfinite(length) else None,
            p_a_moving_first=p_a[0],
            p_a_moving_second=p_a[1],
        )


def _settings(model: type[BaseModel], given: Mapping[str, Any] | BaseModel, what: str) -> Any:
    """Return `given` as a checked `model`; the first fault as one line."""
    if isinstance(given, BaseModel):
        return given
    unknown = next((name for name in given if name not in model.model_fields), None)
    if unknown is not None:
        raise UsageError(f"{what}: {one_of(unknown, model.model_fields)}")
    try:
        return model.model_validate(dict(given))
    except ValidationError as error:
        fault = error.errors(include_url=False)[0]
        name = ".".join(map(str, fault["loc"]))
        expected = fault["msg"].removeprefix("Input should be ")
        raise UsageError(f"{what} {name}: found {given.get(str(fault['loc'][0]))!r}, expected {expected}") from None
