"""Game: a ruleset bound to its cards and a variant. The object a user holds."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ValidationError

from aabalance import dice, rulesets
from aabalance.cards import Cards, data_folder
from aabalance.engine import solve
from aabalance.engine.tables import Duel, Volleys
from aabalance.errors import UsageError, one_of
from aabalance.results import DuelResult, ShotResult
from aabalance.rulesets.base import Player, Ruleset

First = Literal["a", "b", "roll_off"]
Unit = str | BaseModel

FIRSTS = ("a", "b", "roll_off")
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

    def listing(self) -> tuple[list[str], list[list[object]]]:
        """Return headings and rows of all cards; armour and main gun where the game's cards have them."""
        rules = self.ruleset
        rows = []
        for unit_id, table in self.cards.tables.items():
            card = self.cards[unit_id]
            armor, weapons = table.get("armor"), table.get("weapons")
            gun = weapons[0] if isinstance(weapons, list) and weapons else {}
            rows.append(
                {
                    "id": unit_id,
                    "name": card.name,
                    "class": rules.category(card),
                    "hp": rules.toughness(card),
                    "armor": "/".join(map(str, armor.values())) if isinstance(armor, dict) else "",
                    "main gun": gun.get("name", ""),
                    "pen": gun.get("penetration", ""),
                    "dmg": gun.get("damage", ""),
                    rules.currency: table.get(rules.currency, ""),
                }
            )
        shown = [name for name in rows[0] if any(row[name] != "" for row in rows)]
        return shown, [[row[name] for name in shown] for row in rows]

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

    def walk(
        self, a: Unit, b: Unit, *, range_in: float, postures: tuple[str, str], **situation: Any
    ) -> tuple[Duel, Volleys]:
        """Return a duel in which a moves first as the tables that the solver and the kernel read.

        Parameters
        ----------
        a, b, range_in, **situation
            As for `duel`.
        postures : pair of str
            Of a and of b.
        """
        at = self.situation(range_in=range_in, **situation)
        volleys = Volleys()
        return Duel(volleys, self._players((self.card(a), self.card(b)), at, postures), at.range_in), volleys

    def _players(self, cards: tuple[Any, Any], at: Any, postures: tuple[str, str]) -> tuple[Player, Player]:
        a, b = cards
        return (
            self.ruleset.player(a, b, at, self.variant, postures[0]),
            self.ruleset.player(b, a, self.ruleset.returned(at), self.variant, postures[1]),
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
            As for `shot`, seen from a; b shows the ``facing``, a its front.
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
        players = self._players(cards, at, (posture_a, posture_b))
        volleys = Volleys()
        orders = {}
        if first != "b":
            orders["a"] = Duel(volleys, players, at.range_in)
        if first != "a":
            orders["b"] = Duel(volleys, players[::-1], at.range_in)
        best = any(player.chooses for player in players)
        if best and not (simulate is None and target_error is None):
            raise UsageError("simulate: best play is solved exactly, expected postures without a choice")
        if best:
            rounds = rounds or BEST_PLAY_ROUNDS
            played = {who: solve.best_play(duel, volleys, rounds).solution for who, duel in orders.items()}
            odds = {who: (*found.wins, found.draw, found.player_turns) for who, found in played.items()}
            how: dict[str, Any] = {"engine": "exact"}
        elif simulate is None and target_error is None:
            solved = {who: solve.duel(duel, volleys, rounds) for who, duel in orders.items()}
            odds = {who: (*found.wins, found.draw, found.player_turns) for who, found in solved.items()}
            how = {"engine": "exact"}
        else:
            names = tuple(
                unit if isinstance(unit, str) else card.name for unit, card in zip((a, b), cards, strict=True)
            )
            odds, how = _simulated(orders, names, rounds, seed, simulate, target_error)
        # Each order's numbers turned round to a's point of view: p_a, p_b, p_draw, player turns.
        seen = {who: (x if who == "a" else y, y if who == "a" else x, *rest) for who, (x, y, *rest) in odds.items()}
        p_a, p_b, p_draw, turns = (sum(column) / len(seen) for column in zip(*seen.values(), strict=True))
        return DuelResult(
            a=cards[0].name,
            b=cards[1].name,
            range_in=at.range_in,
            first=first,
            rounds=rounds,
            posture_a=posture_a,
            posture_b=posture_b,
            p_a=p_a,
            p_b=p_b,
            p_draw=p_draw,
            player_turns=turns if math.isfinite(turns) else None,
            p_a_moving_first=seen["a"][0] if "a" in seen else None,
            p_a_moving_second=seen["b"][0] if "b" in seen else None,
            **how,
        )


def _simulated(
    orders: Mapping[str, Duel],
    names: tuple[str, ...],
    rounds: int | None,
    seed: int,
    simulate: int | None,
    target_error: float | None,
) -> tuple[dict[str, tuple[float, float, float, float]], dict[str, Any]]:
    """Return the odds of each order, and what a simulated result says besides."""
    from aabalance.engine import sampling

    runs = {who: sampling.prepare(duel, seed, (*names, who), rounds) for who, duel in orders.items()}
    tallies = sampling.estimate(runs, simulate, target_error)
    odds = {
        who: (
            found.wins_0 / n,
            found.wins_1 / n,
            found.undecided / n,
            math.inf if rounds is None and found.undecided else found.player_turns / n,
        )
        for who, found in tallies.items()
        if (n := found.trials)
    }
    trials = sum(found.trials for found in tallies.values())
    wins_a = sum(found.wins_0 if who == "a" else found.wins_1 for who, found in tallies.items())
    draws = sum(found.undecided for found in tallies.values())
    return odds, {
        "engine": "monte_carlo",
        "trials": trials,
        "seed": seed,
        "p_a_ci": sampling.wilson(wins_a, trials),
        "p_b_ci": sampling.wilson(trials - wins_a - draws, trials),
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
        expected = fault["msg"].removeprefix("Input should be ")
        raise UsageError(f"{what} {name}: found {given.get(str(fault['loc'][0]))!r}, expected {expected}") from None
