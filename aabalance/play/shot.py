"""One attack, resolved exactly."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from aabalance import dice
from aabalance.play.explanation import Explanation
from aabalance.play.result import Result, chance, distance, percent, words
from aabalance.rulesets.base import Ruleset, Shot, Step


@dataclass(frozen=True, repr=False)
class ShotResult(Result):
    """One attack, resolved exactly.

    Attributes
    ----------
    attacker, target, weapon : str
        Names as on the cards.
    range_in : float
        Distance, in the game's unit of length.
    length : str
        What is written behind the number of a distance: ``"`` for inches.
    effect : str
        What the game counts an effect in: ``hit points``.
    situation : str
        The other circumstances in words, the facing first if the game has one.
    attempts : int
        Number of dice in the attack; of sequences of dice where a single die decides.
    die : int
        Number of faces of that single die; 0 in a game that rolls several.
    needs : dict of str to (int or None)
        Natural roll that is needed, by the name of the roll; None if no roll succeeds. See `need`.
    damage : dict of int to float
        Probability of each amount that the attack may take from the target.
    p_damage, p_kill : float
        Chances of any effect, and of destroying the target as it is in the situation.
    expected_damage : float
        Mean effect in what the game counts: hit points, men of a squad, hits, counters.
    engine : str
        ``"exact"``.
    steps : tuple of Step
        How the attack was resolved.

    Examples
    --------
    >>> import aabalance as aab
    >>> aab.Game().shot("su_su100", "su_kv1s", range_in=18)
    shot             SU-100 -> KV-1S, 18", front
    weapon           100 mm D-10S
    need             3+
    p_damage         0.7778
    expected_damage  14.000
    p_kill           0.0000
    engine           exact
    in words         SU-100 hurts KV-1S with 77.8 % of attacks, 14.00 hit points an attack on average; none destroys
                     it at once.
    """

    attacker: str
    target: str
    weapon: str
    range_in: float
    length: str
    effect: str
    situation: str
    attempts: int
    die: int
    needs: Mapping[str, int | None]
    damage: Mapping[int, float]
    p_damage: float
    expected_damage: float
    p_kill: float
    steps: tuple[Step, ...] = field(compare=False)
    engine: str = "exact"

    @property
    def need(self) -> int | None:
        """Natural roll that the die needs; None if no roll succeeds, or if no single die decides (see `needs`).

        Examples
        --------
        >>> import aabalance as aab
        >>> game = aab.Game()
        >>> game.shot("de_tiger1", "su_t34_85", range_in=18).need
        3
        >>> print(game.shot("us_m5a1", "de_tiger1", range_in=18).need)
        None
        """
        return self.needs.get("need")

    @property
    def no_effect(self) -> str:
        """Why the attack can do nothing, in the words of the step that says so; empty if it can do something.

        Examples
        --------
        >>> import aabalance as aab
        >>> game = aab.Game()
        >>> [game.shot(unit, "de_tiger1", range_in=18).no_effect for unit in ("us_m5a1", "inf_rifle", "su_t34_85")]
        ['penetration 6 - armour 10 = -4', 'AI weapons attack infantry only', '']
        """
        if self.p_damage > 0:
            return ""
        before = ""
        for step in self.steps:
            if step.value == "impossible":
                return before
            before = step.value
        return before

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain values; the keys of `damage` are texts, as JSON requires.

        Examples
        --------
        >>> import aabalance as aab
        >>> shot = aab.Game().shot("de_tiger1", "su_t34_85", range_in=18)
        >>> {name: shot.to_dict()[name] for name in ("weapon", "need", "p_kill", "engine")}
        {'weapon': '8.8 cm KwK 36', 'need': 3, 'p_kill': 0.0, 'engine': 'exact'}
        """
        return {
            "attacker": self.attacker,
            "target": self.target,
            "weapon": self.weapon,
            "range_in": self.range_in,
            "situation": self.situation,
            "attempts": self.attempts,
            **self.needs,
            "p_damage": self.p_damage,
            "damage": {str(amount): p for amount, p in self.damage.items()},
            "expected_damage": self.expected_damage,
            "p_kill": self.p_kill,
            "engine": self.engine,
            "sentence": self.sentence(),
            "provenance": self.provenance.said(),
        }

    def sentence(self) -> str:
        """Return how often the attack has an effect, how large that is, and how often it destroys.

        Examples
        --------
        >>> import aabalance as aab
        >>> print(aab.Game().shot("us_m5a1", "de_tiger1", range_in=18).sentence())
        M5A1 Stuart can't hurt Tiger I (Ausf. E): penetration 6 - armour 10 = -4.
        """
        if self.p_damage == 0:
            why = f": {self.no_effect}" if self.no_effect else ""
            return f"{self.attacker} can't hurt {self.target}{why}."
        kills = f"{percent(self.p_kill)} destroy it" if self.p_kill > 0 else "none destroys it"
        return (
            f"{self.attacker} hurts {self.target} with {percent(self.p_damage)} of attacks, "
            f"{self.expected_damage:.2f} {self.effect} an attack on average; {kills} at once."
        )

    def explain(self) -> Explanation:
        """Return the steps to the result, a line each, with their sections of the rulebook.

        Examples
        --------
        >>> import aabalance as aab
        >>> print(aab.Game().shot("su_su100", "su_kv1s", range_in=18).explain())
        SU-100 -> KV-1S, 18", front
          weapon       100 mm D-10S (AT)               p. 5 Selecting a Target
          range band   18" needs 3+                    p. 6 Hit Roll [AA-2]
          margin       penetration 16 - armour 8 = +8  p. 7 Armor Penetration Roll
          penetration  certain                         p. 7 Armor Penetration Roll
          need         3+                              p. 5 Shooting [AA-1: one_die]
          advantage    a natural 2 is rolled again     p. 8 State Modifiers [AA-9]
          probability  7/9 = 0.7778                    p. 5 Shooting
          damage       18 hit points a hit             p. 9 Damage
          => SU-100 hurts KV-1S with 77.8 % of attacks, 14.00 hit points an attack on average; none destroys it at
             once.
        """
        head = self._headed(self._head())
        widths = [max((len(step[column]) for step in self.steps), default=0) for column in (0, 1)]
        lines = [f"  {s.label:<{widths[0]}}  {s.value:<{widths[1]}}  {s.rule}" for s in self.steps]
        tail = f"=> {self.sentence()}"
        return Explanation("\n".join([head, *lines, f"  {tail}"]), head, ("step", "value", "rule"), self.steps, tail)

    def _head(self) -> str:
        where = filter(None, (distance(self.range_in, self.length), self.situation))
        return f"{self.attacker} -> {self.target}, {', '.join(where)}"

    def _lines(self) -> list[tuple[str, str]]:
        needs = [(name, "impossible" if value is None else f"{value}+") for name, value in self.needs.items()]
        why = [("no effect", self.no_effect)] if self.no_effect else []
        rolled = "sequences" if self.die else "dice"
        return [
            ("shot", self._head()),
            ("weapon", self.weapon + (f", {self.attempts} {rolled}" if self.attempts > 1 else "")),
            *needs,
            *why,
            ("p_damage", chance(self.p_damage)),
            ("expected_damage", f"{self.expected_damage:.3f}"),
            ("p_kill", chance(self.p_kill)),
            ("engine", self.engine),
            ("in words", self.sentence()),
        ]


def shot(ruleset: Ruleset, variant: Any, attacker: Any, target: Any, moment: Any, weapon: str | None) -> ShotResult:
    """Resolve one attack of a card on another at a moment; see `aabalance.game.Game.shot`."""
    attack, left = resolved(ruleset, variant, attacker, target, moment, weapon)
    return ShotResult(
        attacker=attacker.name,
        target=target.name,
        weapon=attack.weapon,
        range_in=moment.range_in,
        length=ruleset.labels.length.after,
        effect=ruleset.labels.effect,
        situation=words(moment),
        attempts=attack.attempts,
        die=ruleset.die,
        needs=attack.needs,
        damage={amount: float(p) for amount, p in sorted(attack.effect.items())},
        p_damage=float(dice.chance_of_at_least(attack.effect, 1)),
        expected_damage=float(dice.mean(attack.effect)),
        p_kill=float(dice.chance_of_at_least(attack.effect, left)),
        steps=attack.steps,
    )


def resolved(
    ruleset: Ruleset, variant: Any, attacker: Any, target: Any, moment: Any, weapon: str | None
) -> tuple[Shot, int]:
    """Return one attack of a card on another at a moment, and the effect that destroys the target then.

    Parameters
    ----------
    ruleset, variant : Ruleset and its Variant
        The rules.
    attacker, target : card
        The two units.
    moment : Moment
        The situation.
    weapon : str or None
        As for `aabalance.game.Game.shot`.
    """
    offence, defence = ruleset.offence(attacker, moment, variant), ruleset.defence(target, moment, variant)
    attack = ruleset.shot(offence, defence, moment.range_in, variant, weapon)
    return attack, ruleset.toughness(target) if attack.left is None else attack.left
