"""Game: a ruleset bound to its cards and a variant. The object a user holds."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Union, cast

from pydantic import BaseModel, ValidationError

from aabalance import dice, rulesets
from aabalance.cards import Cards
from aabalance.engine import solve
from aabalance.engine.tables import Duel
from aabalance.errors import UsageError, expectation, one_of, shown
from aabalance.files import data_folder
from aabalance.results import DuelResult, ShotResult, words
from aabalance.rulesets.base import Player, Ruleset, Walks

if TYPE_CHECKING:
    from aabalance.engine.conditions import Clash

First = Literal["a", "b", "roll_off"]
Unit = str | BaseModel
Fight = Union[Duel, "Clash"]

FIRSTS = ("a", "b", "roll_off")
HOLD = "hold"
MOST_TRIALS = 10**10
BEST_PLAY_ROUNDS = 12
LEAST_ERROR = 1e-5


class Game:
    """A ruleset bound to its cards and a variant.

    Parameters
    ----------
    name : str
        The game.
    cards : Cards or path, optional
        Cards, or a folder of card files; the game's own by default.
    variant : mapping, BaseModel or str, optional
        Rule switches that differ from their defaults, or the name of a preset of the game: ``two_dice``.
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
        variant: Mapping[str, Any] | BaseModel | str | None = None,
        changes: Iterable[str] = (),
    ) -> None:
        self.ruleset: Ruleset = rulesets.load(name)
        if isinstance(variant, str):
            variant = preset(self.ruleset, variant)
        self.variant = _settings(self.ruleset.Variant, variant or {}, "variant")
        if not isinstance(cards, Cards):
            folder = data_folder("unitdb") / name if cards is None else Path(cards)
            cards = Cards.read(self.ruleset.Card, folder)
        changes = changes if isinstance(changes, str) else tuple(changes)
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
        """Return the card of an id, or of a name that one unit has; a card is returned as it is.

        Raises
        ------
        UsageError
            No such unit, or several of this name.
        """
        if isinstance(unit, str):
            return self.cards[unit]
        if isinstance(unit, BaseModel):
            return unit
        raise UsageError(f"unit: found {shown(unit)}, expected an id, a name or a card")

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
            Distance, in what the game counts it.
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
            length=rules.length,
            situation=words(at),
            attempts=shot.attempts,
            needs=shot.needs,
            damage={amount: float(p) for amount, p in sorted(shot.effect.items())},
            p_damage=float(dice.chance_of_at_least(shot.effect, 1)),
            expected_damage=float(dice.mean(shot.effect)),
            p_kill=float(
                dice.chance_of_at_least(shot.effect, rules.toughness(t)) if shot.p_kill is None else shot.p_kill
            ),
            steps=shot.steps,
        )

    def walk(self, a: Unit, b: Unit, *, range_in: float, postures: tuple[str, str], **situation: Any) -> Duel:
        """Return a duel in which a moves first as the tables that the solver and the kernel read.

        Parameters
        ----------
        a, b, range_in, **situation
            As for `duel`.
        postures : pair of str
            Of a and of b.

        Raises
        ------
        UsageError
            The game's duels are no walks.
        """
        if self.ruleset.order != "walk":
            raise UsageError(f"{self.ruleset.name}: found a game of conditions, expected one of hit points and turns")
        at = self.situation(range_in=range_in, **situation)
        return Duel(self._players((self.card(a), self.card(b)), at, postures), at.range_in)

    def _players(self, cards: tuple[Any, Any], at: Any, postures: tuple[str, str]) -> tuple[Player, Player]:
        a, b = cards
        rules = cast("Walks", self.ruleset)
        return (
            rules.player(a, b, at, self.variant, postures[0]),
            rules.player(b, a, rules.returned(at), self.variant, postures[1]),
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
        simulate: int | None = None,
        target_error: float | None = None,
        seed: int = 0,
        **situation: Any,
    ) -> DuelResult:
        """Solve a duel of two units exactly, or simulate it.

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
        simulate : int, optional
            Roll so many duels instead of solving, half of them with each order if there is a roll-off.
        target_error : float, optional
            Roll until the 95 % interval of P(a wins) is no wider than this to either side.
        seed : int
            Same seed, same units: same dice, under any variant, with any number of threads.
        **situation
            As for `shot`, seen from a: b shows the ``facing``, a its ``own_facing``.
        """
        if first not in FIRSTS:
            raise UsageError(f"first: {one_of(first, FIRSTS)}")
        if rounds is not None and rounds < 1:
            raise UsageError(f"rounds: found {rounds}, expected at least 1")
        cards = self.card(a), self.card(b)
        at = self.situation(range_in=range_in, **situation)
        if simulate is not None and target_error is not None:
            raise UsageError("simulate and target_error: found both, expected one")
        if simulate is not None and not 1 <= simulate <= MOST_TRIALS:
            raise UsageError(f"simulate: found {simulate}, expected 1 to {MOST_TRIALS} trials")
        if target_error is not None and not LEAST_ERROR <= target_error < 1:
            raise UsageError(f"target_error: found {target_error}, expected a half-width from {LEAST_ERROR} to below 1")
        orders = self._orders(cards, at, (posture_a, posture_b), first)
        best = any(isinstance(fight, Duel) and fight.chooses for fight in orders.values())
        exact = simulate is None and target_error is None
        if best and not exact:
            raise UsageError("simulate: best play is solved exactly, expected postures without a choice")
        if best:
            rounds = rounds or BEST_PLAY_ROUNDS
        if exact:
            odds = {who: _solved(fight, rounds) for who, fight in orders.items()}
            how: dict[str, Any] = {"engine": "exact"}
        else:
            names = tuple(
                self.cards.id_of(unit) if isinstance(unit, str) else card.name
                for unit, card in zip((a, b), cards, strict=True)
            )
            odds, how = _simulated(orders, names, rounds, seed, simulate, target_error)
        # Each order's numbers turned round to a's point of view: p_a, p_b, p_draw, player turns, p_both.
        seen = {who: (x if who == "a" else y, y if who == "a" else x, *rest) for who, (x, y, *rest) in odds.items()}
        p_a, p_b, p_draw, turns, p_both = (sum(column) / len(seen) for column in zip(*seen.values(), strict=True))
        together = self.ruleset.order == "together"
        return DuelResult(
            a=cards[0].name,
            b=cards[1].name,
            range_in=at.range_in,
            length=self.ruleset.length,
            situation=words(at),
            first=first,
            rounds=rounds,
            posture_a=posture_a,
            posture_b=posture_b,
            p_a=p_a,
            p_b=p_b,
            p_draw=p_draw,
            player_turns=turns if math.isfinite(turns) else None,
            p_a_moving_first=seen["a"][0] if "a" in seen and not together else None,
            p_a_moving_second=seen["b"][0] if "b" in seen else None,
            p_both_destroyed=p_both if together else None,
            **how,
        )

    def _orders(self, cards: tuple[Any, Any], at: Any, postures: tuple[str, str], first: str) -> dict[str, Fight]:
        """Return a duel in its orders of first turn, by who has it; there is one order if both strike together."""
        rules = self.ruleset
        if rules.order == "walk":
            players = self._players(cards, at, postures)
            sides = {"a": players, "b": players[::-1]}
            return {who: Duel(pair, at.range_in) for who, pair in sides.items() if first in (who, "roll_off")}
        from aabalance.engine.conditions import BlowTables, Clash

        if postures != (HOLD, HOLD):
            raise UsageError(f"posture: found {' v '.join(postures)}, expected {HOLD}, the only one of {rules.title}")
        tables = BlowTables(rules.order, rules.conditions)
        a, b = (
            tables.add(rules.survey(offence, defence, where.range_in, self.variant).plan)
            for where, mine, yours in ((at, *cards), (rules.returned(at), *cards[::-1]))
            for offence, defence in [
                (rules.offence(mine, where, self.variant), rules.defence(yours, where, self.variant))
            ]
        )
        if rules.order == "together":
            return {"a": Clash(tables, a, b)}
        fights = {"a": Clash(tables, a, b), "b": Clash(tables, b, a)}
        return {who: fight for who, fight in fights.items() if first in (who, "roll_off")}


def preset(ruleset: Ruleset, name: str) -> Mapping[str, Any]:
    """Return the rule switches of a preset; one that changes none is the rulebook itself, every switch as it has it.

    Raises
    ------
    UsageError
        The game has no preset of this name.
    """
    if name not in ruleset.presets:
        raise UsageError(f"variant: {one_of(name, ruleset.presets)}")
    return ruleset.presets[name] or ruleset.Variant().model_dump()


def _solved(fight: Fight, rounds: int | None) -> tuple[float, ...]:
    """Return the odds of a duel: wins of the first and of the second, draw, player turns, both destroyed."""
    if not isinstance(fight, Duel):
        found = solve.clash(fight, rounds)
    elif fight.chooses:
        found = solve.best_play(fight, rounds or BEST_PLAY_ROUNDS).solution
    else:
        found = solve.duel(fight, rounds)
    return (*found.wins, found.draw, found.player_turns, found.both)


def _simulated(
    orders: Mapping[str, Fight],
    names: tuple[str, ...],
    rounds: int | None,
    seed: int,
    simulate: int | None,
    target_error: float | None,
) -> tuple[dict[str, tuple[float, ...]], dict[str, Any]]:
    """Return the odds of each order, and what a simulated result says besides."""
    from aabalance.engine import sampling

    runs = {who: sampling.prepare(duel, seed, (*names, who), rounds) for who, duel in orders.items()}
    tallies = sampling.estimate(runs, simulate, target_error)
    odds: dict[str, tuple[float, ...]] = {
        who: (
            found.wins_0 / n,
            found.wins_1 / n,
            found.undecided / n,
            math.inf if rounds is None and found.undecided else found.player_turns / n,
            found.both / n,
        )
        for who, found in tallies.items()
        if (n := found.trials)
    }
    trials = sum(found.trials for found in tallies.values())
    wins_a = sum(found.wins_0 if who == "a" else found.wins_1 for who, found in tallies.items())
    draws = sum(found.undecided for found in tallies.values())
    both = sum(found.both for found in tallies.values())
    return odds, {
        "engine": "monte_carlo",
        "trials": trials,
        "seed": seed,
        "p_a_ci": sampling.wilson(wins_a, trials),
        "p_b_ci": sampling.wilson(trials - wins_a - draws - both, trials),
        "p_draw_ci": sampling.wilson(draws, trials),
    }


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
        found = given.get(str(fault["loc"][0]))
        raise UsageError(f"{what} {name}: found {shown(found)}, expected {expectation(fault)}") from None
