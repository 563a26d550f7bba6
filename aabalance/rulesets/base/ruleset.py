"""What a game package offers to the layers above.

A ruleset is plain Python. An attack is split into two halves: the attacker's (`Ruleset.offence`) and the target's
(`Ruleset.defence`). Both are hashable values, so that a table of many pairs works out each half once for each unit, and
not once for each pair.

A game names the types of its cards, situations and halves: ``class MyGame(Ruleset[Card, Situation, Moment, Variant,
Offence, Defence])``, and mypy checks its rules against them. Where a rule is a plain function of the game, the class
takes it as it is: ``defence = staticmethod(shot.defence)``. The layers above serve any game and write `Ruleset` alone.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Mapping, Sequence
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Generic

from pydantic import BaseModel
from typing_extensions import TypeVar

from aabalance.errors import UsageError
from aabalance.rulesets.base.attack import Circumstances, Shot, SituationT
from aabalance.rulesets.base.fight import HOLD, ConditionDuel, HitPointDuel, Holding, Player, Survey
from aabalance.rulesets.base.force import TIMED, Fighter, Force, Mission, SituationMix
from aabalance.rulesets.base.roster import CardT, RosterRules, VariantT
from aabalance.rulesets.base.words import Labels

if TYPE_CHECKING:
    from aabalance.rulesets.base.match_rules import MatchRules

MomentT = TypeVar("MomentT", bound=Circumstances, default=Any)
OffenceT = TypeVar("OffenceT", bound=Hashable, default=Any)
DefenceT = TypeVar("DefenceT", bound=Hashable, default=Any)


class Ruleset(ABC, Generic[CardT, SituationT, MomentT, VariantT, OffenceT, DefenceT]):
    """What a game package offers to the layers above.

    Attributes
    ----------
    name : str
        The package's name.
    labels : Labels
        The game's own words.
    roster : RosterRules
        What lists, reports and pricing say of its units.
    die : int
        Number of faces of the single die that decides an attack; 0 in a game that rolls several.
    fight : HitPointDuel or ConditionDuel
        How its units fight duels.
    limits_actions : bool
        Whether its rules limit the actions of a side's turn, so that a battle needs to be given the limit.
    has_battles : bool
        Whether it has battles of lists; then it offers `forces`.
    has_matches : bool
        Whether its package has a module ``match`` whose ``RULES`` are those of its matches.
    postures : tuple of str
        Postures that a unit may have in a duel; those that take a distance have ``:X`` behind their name.
    presets : mapping of str to (mapping of str to object)
        Variants that have a name: by the name, the switches that differ from the defaults.
    Card : type of BaseModel
        Schema of a unit card. A card has an ``id`` (empty unless it stands in a file), a ``name``, and what it costs in
        the field that ``labels.currency`` names; ``nation`` and ``year`` are shown if it has them.
    Variant : type of BaseModel
        Schema of the rule switches, each with a default; frozen.
    Situation, Moment : type of Circumstances
        Schemas of what stays the same while two units fight, and of a single attack. `Moment` is a subclass of
        `Situation` with a field ``range_in``, the distance, and other fields that have defaults.
    """

    name: str
    labels: Labels
    roster: RosterRules[CardT, VariantT]
    die: int = 0
    fight: HitPointDuel | ConditionDuel
    limits_actions: bool = False
    has_battles: bool = False
    has_matches: bool = False
    postures: tuple[str, ...] = (HOLD,)
    presets: Mapping[str, Mapping[str, Any]] = MappingProxyType({"rulebook": {}})
    Card: type[BaseModel]
    Variant: type[VariantT]
    Situation: type[SituationT]
    Moment: type[MomentT]

    def match(self) -> MatchRules | None:
        """Return the rules of the game's matches; None where there are none yet. They need NumPy, so ask late."""
        if not self.has_matches:
            return None
        rules: MatchRules = import_module(f"{type(self).__module__}.match").RULES
        return rules

    @property
    def unpriced(self) -> str:
        """Why battles don't price the game's units, where it doesn't limit actions."""
        if not self.has_battles:
            return f"{self.labels.title} has no battles, which price units and judge lists under a limit of actions"
        return (
            f"{self.labels.title} sets no limit of actions, and only battles under such a limit price units and lists"
        )

    @abstractmethod
    def toughness(self, card: CardT, /) -> int:
        """Return how much the unit can lose until it is destroyed: hit points, men, hits, counters."""

    @abstractmethod
    def offence(self, card: CardT, moment: MomentT, variant: VariantT, /) -> OffenceT:
        """Return the attacker's half of all attacks of a unit. It depends neither on the range nor on the target.

        Parameters
        ----------
        card : BaseModel
            The attacker's.
        moment : Circumstances
            As the attacker sees it.
        variant : BaseModel
            The rule switches.
        """

    @abstractmethod
    def defence(self, card: CardT, moment: MomentT, variant: VariantT, /) -> DefenceT:
        """Return the target's half of attacks on a unit. It depends neither on the range nor on the attacker.

        Parameters
        ----------
        card : BaseModel
            The target's.
        moment : Circumstances
            As the attacker sees it.
        variant : BaseModel
            The rule switches.
        """

    def relevance(self, offence: OffenceT, /) -> Hashable:
        """Return a key for the part of a defence that matters to an offence; `relevant` takes it.

        Many offences should have the same key: the kinds of their attacks, for example. By default it is None: all of
        the defence matters.
        """
        return None

    def relevant(self, defence: DefenceT, relevance: Any, /) -> DefenceT:
        """Return the part of a defence that matters to some offences, all other fields reset; by default all of it.

        Defences that differ only in other fields are then a single case of a table.

        Parameters
        ----------
        defence : Hashable
            From `defence`.
        relevance : Hashable
            The offences' key, from `relevance`; of whatever type the game gives it.
        """
        return defence

    @abstractmethod
    def survey(self, offence: OffenceT, defence: DefenceT, range_in: float, variant: VariantT, /) -> Survey:
        """Return what an attacker does to a target at a distance, without an explanation, for tables and duels.

        Parameters
        ----------
        offence, defence : Hashable
            From the methods of these names.
        range_in : float
            Distance, in the game's unit of length.
        variant : BaseModel
            The rule switches.
        """

    def surveys(
        self, offence: OffenceT, defences: Sequence[DefenceT], range_in: float, variant: VariantT, /
    ) -> Sequence[Survey]:
        """Return what an attacker does to each of several targets; parameters as for `survey`.

        By default it calls `survey` for each; a game may have a quicker way. A table packs each object once, so targets
        to which the same is done should share one object.
        """
        return [self.survey(offence, defence, range_in, variant) for defence in defences]

    @abstractmethod
    def shot(
        self, offence: OffenceT, defence: DefenceT, range_in: float, variant: VariantT, weapon: str | None, /
    ) -> Shot:
        """Return one attack with its explanation.

        Parameters
        ----------
        offence, defence : Hashable
            From the methods of these names.
        range_in : float
            Distance, in the game's unit of length.
        variant : BaseModel
            The rule switches.
        weapon : str or None
            Name of the weapon; None: the one with the largest expected effect.

        Raises
        ------
        UsageError
            The unit has no such weapon: `aabalance.errors.one_of` says which it has.
        """

    def attack_fields(self) -> Sequence[str]:
        """Return the fields of `Moment`, other than the distance, that a `Situation` lacks."""
        return [name for name in self.Moment.model_fields if name not in {"range_in", *self.Situation.model_fields}]

    def initial_moment(self, situation: SituationT, range_in: float) -> MomentT:
        """Return the moment of an attack at this distance before anybody has moved or fired."""
        # No checks here: the situation and the distance have been checked. Turned to the other side's point of view,
        # a situation may have values that nobody could give.
        construct: Callable[..., Any] = self.Moment.model_construct  # mypy takes it for that of the bound
        moment: MomentT = construct(**dict(situation), range_in=range_in)
        return moment

    def player(
        self,
        card: CardT,
        enemy: CardT,
        situation: SituationT,
        range_in: float,
        variant: VariantT,
        posture: str,
        /,
        *,
        explain: bool = False,
    ) -> Player:
        """Return one side of a duel; by default a unit that holds, for games in which units do nothing else.

        Parameters
        ----------
        card, enemy : BaseModel
            Cards of the unit, and of the one that it fights.
        situation : Circumstances
            The situation as the unit sees it.
        range_in : float
            Distance at the start, in the game's unit of length.
        variant : BaseModel
            The rule switches.
        posture : str
            How the unit behaves: `HOLD`, or another of `postures`.
        explain : bool
            Whether its volleys get their steps, if the game notes any.

        Raises
        ------
        UsageError
            The game has no such posture.
        """
        self.check_posture(posture)
        moment = self.initial_moment(situation, range_in)
        offence, defence = self.offence(card, moment, variant), self.defence(enemy, moment, variant)
        plan = self.survey(offence, defence, range_in, variant).plan
        return Holding(self.toughness(card), plan)

    def check_posture(self, posture: str, /) -> None:
        """Refuse a posture that the game doesn't have; by default every posture but `HOLD`.

        Raises
        ------
        UsageError
            The posture is unknown.
        """
        if posture != HOLD:
            raise UsageError(f"posture: found {posture}, expected {HOLD}, the only one of {self.labels.title}")

    def forces(
        self,
        lists: tuple[Sequence[CardT], Sequence[CardT]],
        mix: SituationMix[SituationT],
        range_in: float,
        variant: VariantT,
        /,
        *,
        explain: bool = False,
    ) -> tuple[Force, Force]:
        """Return both sides of a battle; by default a game has no battles.

        Parameters
        ----------
        lists : pair of sequence of BaseModel
            Cards of both sides.
        mix : SituationMix
            Situations as the first side sees them; `worth` and the report give all of theirs at once. A strike's effect
            is then the `dice.mixture` over them, and its dice have a case with its share for each.
        range_in : float
            Distance between the two lines, in the game's unit of length.
        variant : BaseModel
            The rule switches.
        explain : bool
            Whether strikes get their steps, if the game notes any.

        Raises
        ------
        UsageError
            The game has no battles, or its units can't fight this one.
        """
        instead = "" if self.match() is None else "; `aabalance match` plays its whole game"
        raise UsageError(f"battle: {self.labels.title} has no battles of lists yet{instead}")

    def one_on_one(
        self,
        cards: Sequence[CardT],
        enemies: Sequence[CardT],
        mix: SituationMix[SituationT],
        ranges: Sequence[float],
        variant: VariantT,
        /,
        *,
        together: bool = False,
    ) -> Force:
        """Return what each unit does if it fights alone, against each of `enemies` alone.

        Parameters are as for `forces`, but for several distances. The result has a fighter for each of `cards`, whose
        strikes have an effect for each of `enemies` from each distance. By default this calls `forces` for each card
        and distance.

        Parameters
        ----------
        together : bool
            Whether `cards` are of one list, whose units help each other; each of them still has enemies one by one.
            Help that lasts (`Help.lasts`) then has no strikes of its own (`Strike.helped_at`).
        """
        return tuple(
            _joined([self.forces(([card], enemies), mix, range_in, variant)[0][0] for range_in in ranges])
            for card in cards
        )

    def mission(self, mode: str, turn_limit: int | None, variant: VariantT, /) -> Mission:
        """Return how a battle ends, unless a side has lost before.

        By default, `turn_limit` limits the turns of each side.

        Parameters
        ----------
        mode : str
            One of `aabalance.rulesets.base.MODES`.
        turn_limit : int or None
            Number of turns; None: no limit. A timed battle always has one.
        variant : BaseModel
            The rule switches.

        Raises
        ------
        UsageError
            The game can't have this limit.
        """
        return Mission(turn_limit, mode == TIMED)

    def list_cost(self, cards: Sequence[CardT], /) -> int:
        """Return what a list counts against a limit of requisition: the cost of its cards."""
        return sum(map(self.cost, cards))

    def cost(self, card: CardT, /) -> int:
        """Return what a card costs.

        Raises
        ------
        UsageError
            It has no price.
        """
        cost: int | None = getattr(card, self.labels.currency)
        if cost is None:
            name = getattr(card, "id", None) or getattr(card, "name", "card")
            raise UsageError(
                f"{name}: has no {self.labels.currency}, expected some; `aabalance worth {name}` proposes it, with "
                "the same options"
            )
        return cost


def _joined(units: Sequence[Fighter]) -> Fighter:
    """Return one unit from what it is at several distances, at all of which it has the same strikes."""
    strikes = (
        made[0]._replace(
            effects=tuple(sum(row, ()) for row in zip(*(one.effects for one in made), strict=True)),
            dice=tuple(sum(row, ()) for row in zip(*(one.dice for one in made), strict=True)),
        )
        for made in zip(*(unit.strikes for unit in units), strict=True)
    )
    return units[0]._replace(strikes=tuple(strikes))
