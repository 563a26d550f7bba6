"""The question of a battle: two lists, where they stand, and what is agreed before it; checked before it is fought."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from aabalance.definitions.fields import MOST_ACTIONS, MOST_ROUNDS
from aabalance.errors import UsageError, one_of, shown, whole_number
from aabalance.play.result import FIRSTS, SIDES
from aabalance.rulesets.base import DOMINATION, HOLD, MODES, NEED_ROUNDS, Aspect, Force, Ride, Ruleset, SituationMix

MOST_REQUISITION = 10**6
AGAINST = "v"
"""Stands between the names of both lists, on which the dice depend."""


class BattleQuestion(NamedTuple):
    """Two lists that fight a battle; see `aabalance.game.Game.battle`.

    Attributes
    ----------
    ruleset : Ruleset
        The game's rules.
    variant : BaseModel
        The rule switches.
    lists : pair of list of card
        Cards of both sides' units.
    carriers : pair of mapping of int to int
        Which units of a side begin inside which, by their positions.
    mix : SituationMix
        The situations in which attacks are made, with their shares.
    range_in : float
        Distance between the two lines.
    actions : int, pair of int or None
        Limit of actions of a side's turn; a pair once it is checked.
    mode : str
        How the battle ends.
    rounds : int or None
        Turn limit.
    first : str
        Who has the first turn.
    policies, postures : pair of str
        How each side picks its attacks, and where its units go.
    requisition : int or None
        The most that a list may cost.
    """

    ruleset: Ruleset
    variant: Any
    lists: tuple[Sequence[Any], Sequence[Any]]
    carriers: tuple[Mapping[int, int], Mapping[int, int]]
    mix: SituationMix
    range_in: float
    actions: int | tuple[int, int] | None
    mode: str
    rounds: int | None
    first: str
    policies: tuple[str, str]
    postures: tuple[str, str]
    requisition: int | None

    def checked(self) -> BattleQuestion:
        """Return the question with the limit of actions as a pair, or None in a game without one.

        Raises
        ------
        UsageError
            A value is unknown or out of range, or two contradict each other.
        """
        from aabalance.engine.battle.policies import BEST, POLICIES

        if self.first not in FIRSTS:
            raise UsageError(f"first: {one_of(self.first, FIRSTS)}")
        if self.mode not in MODES:
            raise UsageError(f"mode: {one_of(self.mode, MODES)}")
        if self.mode in NEED_ROUNDS and self.rounds is None:
            raise UsageError(f"rounds: found none, expected 1 to {MOST_ROUNDS}, which a {self.mode} battle needs")
        for policy in self.policies:
            if policy not in (*POLICIES, BEST):
                raise UsageError(f"policy: {one_of(policy, (*POLICIES, BEST))}")
        if BEST in self.policies:
            self._check_best_reply(BEST)
        if self.requisition is not None:
            whole_number("requisition", self.requisition, 1, MOST_REQUISITION)
        limited = self.actions is not None or self.ruleset.limits_actions
        rounds = None if self.rounds is None else whole_number("rounds", self.rounds, 1, MOST_ROUNDS)
        return self._replace(actions=action_limits(self.actions) if limited else None, rounds=rounds)

    def _check_best_reply(self, best: str) -> None:
        if self.policies == (best, best):
            expected = "expected a named one for one, to which it replies"
            raise UsageError(f"policy: found {best!r} for both sides, {expected}")
        if self.mode == DOMINATION:
            raise UsageError(f"policy: found {best!r} in a battle for points, expected a named one")
        if self.postures != (HOLD, HOLD):
            raise UsageError(f"policy: found {best!r} in a battle of units that move, expected a named one")

    def check_lists(self, forces: tuple[Force, Force], *, must_count: bool) -> None:
        """Refuse lists that have lost from the start, or cost too much.

        Parameters
        ----------
        forces : pair of Force
            Both sides.
        must_count : bool
            Whether a list without a unit that counts has lost.
        """
        for side, force in zip(SIDES, forces, strict=True):
            if must_count and not any(unit.counts for unit in force):
                raise UsageError(f"list {side}: found no unit that counts, expected one at least: without, it has lost")
        for side, cards in zip(SIDES, self.lists, strict=True):
            cost = self.ruleset.list_cost(cards, self.mode)
            if self.requisition is not None and cost > self.requisition:
                limit = f"expected at most {self.requisition}"
                raise UsageError(f"list {side}: found {cost} {self.ruleset.labels.currency}, {limit}")

    def names(self) -> tuple[str, ...]:
        """Return the ids of both lists' units, or their names, on which the dice depend."""
        a, b = (tuple(card.id or card.name for card in cards) for cards in self.lists)
        return (*a, AGAINST, *b)

    def rides(self) -> list[Mapping[int, Ride]]:
        """Return for each side how units ride inside others, by their positions."""
        found = []
        for side, cards, carriers, posture in zip(SIDES, self.lists, self.carriers, self.postures, strict=True):
            try:
                rides = self.ruleset.rides(cards, carriers, self.variant)
                if rides and posture == HOLD:
                    where = "expected one that says where they go"
                    raise UsageError(f"found units inside others with posture {HOLD!r}, {where}")
            except UsageError as error:
                raise UsageError(f"list {side}: {error}") from None
            found.append(rides)
        return found

    def forces(
        self, aspects: Sequence[Aspect], rides: Sequence[Mapping[int, Ride]], *, explain: bool = False
    ) -> tuple[Force, Force]:
        """Return both sides.

        Parameters
        ----------
        aspects : sequence of Aspect
            The moments at which attacks may be made.
        rides : pair of mapping
            From `rides`.
        explain : bool
            Whether strikes get their steps.
        """
        forces = self.ruleset.forces(self.lists, self.mix, aspects, self.variant, explain=explain)
        a, b = (
            tuple(unit._replace(ride=of_side.get(at)) for at, unit in enumerate(force)) if of_side else force
            for force, of_side in zip(forces, rides, strict=True)
        )
        return a, b


def action_limits(actions: Any) -> tuple[int, int]:
    """Return both sides' limits of actions in a turn, from one number or a pair.

    Raises
    ------
    UsageError
        None, or a number out of range.
    """
    if actions is None:
        raise UsageError(f"actions: found none, expected 1 to {MOST_ACTIONS}, the limit of a side's turn")
    pair = actions if isinstance(actions, Sequence) and not isinstance(actions, str) else None
    if pair is not None and len(pair) != len(SIDES):
        raise UsageError(f"actions: found {shown(actions)}, expected a number, or one for each side")
    a, b = pair or (actions, actions)
    return whole_number("actions", a, 1, MOST_ACTIONS), whole_number("actions", b, 1, MOST_ACTIONS)
