"""The question of a duel: two cards, where they stand, and how they behave."""

from __future__ import annotations

from typing import Any, NamedTuple

from aabalance.engine import fights
from aabalance.engine.hit_points.graph import TurnGraph
from aabalance.errors import UsageError, shown
from aabalance.rulesets.base import HOLD, Player, Ruleset, Shot


class DuelQuestion(NamedTuple):
    """Two units that fight a duel.

    Attributes
    ----------
    ruleset : Ruleset
        The game's rules.
    variant : BaseModel
        The rule switches.
    cards : pair of card
        Cards of both units.
    situation : Circumstances
        As the first of the two sees it; the second one's is mirrored.
    range_in : float
        Distance at the start.
    postures : pair of str
        Posture of each unit.
    """

    ruleset: Ruleset
    variant: Any
    cards: tuple[Any, Any]
    situation: Any
    range_in: float
    postures: tuple[str, str]

    def players(self, *, explain: bool = False) -> tuple[Player, Player]:
        """Return both sides; with `explain`, their volleys have steps.

        Raises
        ------
        UsageError
            A posture isn't text, or the game doesn't have it.
        """
        for posture in self.postures:
            if not isinstance(posture, str):
                raise UsageError(f"posture: found {shown(posture)}, expected a name such as {HOLD!r}")
        (a, b), at, variant, ruleset = self.cards, self.range_in, self.variant, self.ruleset
        mirrored = self.situation.mirrored(at)
        return (
            ruleset.player(a, b, self.situation, at, variant, self.postures[0], explain=explain),
            ruleset.player(b, a, mirrored, at, variant, self.postures[1], explain=explain),
        )

    def best_attacks(self) -> list[tuple[Shot, float]]:
        """Return each unit's single best attack, and the expected effect of one action of it on a fresh enemy."""
        attacks = []
        views = self.situation, self.situation.mirrored(self.range_in)
        for (card, enemy), view in zip((self.cards, self.cards[::-1]), views, strict=True):
            moment = self.ruleset.initial_moment(view, self.range_in)
            offence = self.ruleset.offence(card, moment, self.variant)
            defence = self.ruleset.defence(enemy, moment, self.variant)
            shot = self.ruleset.shot(offence, defence, self.range_in, self.variant, None)
            effect = self.ruleset.survey(offence, defence, self.range_in, self.variant).per_action
            attacks.append((shot, float(effect)))
        return attacks

    def turn_graph(self) -> TurnGraph:
        """Return the duel, the first unit moving first, as tables that can be solved and simulated.

        Raises
        ------
        UsageError
            The game's units have conditions and don't move.
        """
        return fights.turn_graph(self.ruleset.fight, self.ruleset.name)(self.players(), self.range_in)
