"""The Ruleset protocol: what a game package offers to the layers above.

A ruleset is plain Python. An attack is split into the half that the attacker brings (`Ruleset.offence`) and the half
that the target shows (`Ruleset.defence`). Both are hashable values, so a batch works out each half once a unit instead
of once a pair.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, Protocol

from pydantic import BaseModel

from aabalance.errors import UsageError
from aabalance.rulesets.base.attack import Shot
from aabalance.rulesets.base.circumstances import Circumstances
from aabalance.rulesets.base.fight import HOLD, Chain, Holding, Player, Survey, Walk
from aabalance.rulesets.base.force import DOMINATION, TIMED, Aspect, Force, Mission, Pace, Ride, Views
from aabalance.rulesets.base.profile import Profile, Stat, Track, left
from aabalance.rulesets.base.words import Labels, Monotonic, Price


class Ruleset(Protocol):
    """What a game package offers to the layers above.

    Attributes
    ----------
    name : str
        The package's name.
    labels : Labels
    reference : tuple of (str, int)
        A unit and its cost, which fix the scale of the cost formula.
    price_step : int
        Costs are multiples of this.
    die : int
        Faces of the one die that decides an attack; 0 where pools are rolled, and no single roll decides.
    fight : Walk or Chain
        How its units fight.
    limits_actions : bool
        Whether its rules limit the actions of a side's turn, so that a battle has to give the limit.
    gone_steps : tuple of float
        Rising inches that divide targets into classes by how far they moved in their last turn: those that stayed,
        those that moved less than the first number, and so on. Attacks on targets of one class are the same.
    gun_classes : tuple of str
        Classes that `gun_class` can return, the lightest first.
    postures : tuple of str
        Postures of units in a duel; those that take a distance have ``:X`` behind their name.
    presets : mapping of str to (mapping of str to object)
        Switches of variants that have a name, by the name.
    monotonic : tuple of Monotonic
        Promises that the tests hold the game to.
    Card : type of BaseModel
        Schema of a unit card. A card has an ``id`` (empty unless it stands in a file), a ``name``, and what it costs in
        the field that ``labels.currency`` names; ``nation`` and ``year`` are shown if it has them.
    Variant : type of BaseModel
        Schema of the rule switches, each with a default; frozen.
    Situation, Moment : type of Circumstances
        Schemas of what stays while two units fight, and of that with what belongs to one attack as well: a subclass
        with a field ``range_in``, the distance, and others that have defaults.
    """

    name: str
    labels: Labels
    reference: tuple[str, int]
    price_step: int = 1
    die: int = 0
    fight: Walk | Chain
    limits_actions: bool = False
    gone_steps: tuple[float, ...] = ()
    gun_classes: tuple[str, ...]
    postures: tuple[str, ...] = (HOLD,)
    presets: Mapping[str, Mapping[str, Any]] = MappingProxyType({"rulebook": {}})
    monotonic: tuple[Monotonic, ...] = ()
    Card: type[BaseModel]
    Variant: type[BaseModel]
    Situation: type[Circumstances]
    Moment: type[Circumstances]

    def toughness(self, card: Any) -> int:
        """Return how much the unit can lose before it is gone: hit points, men, hits, counters."""

    def offence(self, card: Any, moment: Any, variant: Any) -> Hashable:
        """Return the attacker's half of every attack of a unit; reads no range and nothing of the target.

        Parameters
        ----------
        card : BaseModel
            The attacker's.
        moment : Circumstances
            As the attacker sees it.
        variant : BaseModel
            The rule switches.
        """

    def defence(self, card: Any, moment: Any, variant: Any) -> Hashable:
        """Return the target's half; reads no range and nothing of the attacker.

        Parameters
        ----------
        card : BaseModel
            The target's.
        moment : Circumstances
            As the attacker sees it.
        variant : BaseModel
            The rule switches.
        """

    def reads(self, offence: Any) -> Hashable:
        """Return a key of the part of a defence that an offence can read, for `shown`; by default None, for all.

        It should be the same for many offences: the kinds of their attacks, for example.
        """
        return None

    def shown(self, defence: Any, reads: Any) -> Hashable:
        """Return a defence as an offence can read it; by default unchanged.

        Fields that it can't read are reset, so that defences that differ in these alone are one case of a table.

        Parameters
        ----------
        defence : Hashable
            From `defence`.
        reads : Hashable
            From `reads`.
        """
        whole: Hashable = defence
        return whole

    def survey(self, offence: Any, defence: Any, range_in: float, variant: Any) -> Survey:
        """Return what an attacker does to a target at a distance, as tables need it.

        Parameters
        ----------
        offence, defence : Hashable
            From the methods of these names.
        range_in : float
            Distance, in what the game counts it.
        variant : BaseModel
            The rule switches.
        """

    def shot(self, offence: Any, defence: Any, range_in: float, variant: Any, weapon: str | None) -> Shot:
        """Return one attack, explained, with `weapon` or with the one of largest expected effect.

        Parameters
        ----------
        offence, defence : Hashable
            From the methods of these names.
        range_in : float
            Distance, in what the game counts it.
        variant : BaseModel
            The rule switches.
        weapon : str or None
            Name of the weapon; None: the one of largest expected effect.

        Raises
        ------
        UsageError
            The unit has no such weapon.
        """

    def of_one_attack(self) -> Sequence[str]:
        """Return the fields, besides the distance, that hold for one attack alone."""
        return [name for name in self.Moment.model_fields if name not in {"range_in", *self.Situation.model_fields}]

    def still(self, situation: Any, range_in: float) -> Any:
        """Return the moment of an attack at this distance before anybody has moved or fired."""
        # Without checks: both are checked already, and seen from the other side a situation may be an unusual one.
        return self.Moment.model_construct(**dict(situation), range_in=range_in)

    def player(
        self,
        card: Any,
        enemy: Any,
        situation: Any,
        range_in: float,
        variant: Any,
        posture: str,
        *,
        explain: bool = False,
    ) -> Player:
        """Return a side of a duel; by default one that holds, as in games whose units do nothing else.

        Parameters
        ----------
        card, enemy : BaseModel
            The unit, and the one that it fights.
        situation : Circumstances
            As the unit sees it.
        range_in : float
            Distance at the start.
        variant : BaseModel
            The rule switches.
        posture : str
            What the unit does: `HOLD`, or one of the game's own.
        explain : bool
            Whether its volleys get their steps, if the game notes any.

        Raises
        ------
        UsageError
            No such posture.
        """
        self.check_posture(posture)
        moment = self.still(situation, range_in)
        offence, defence = self.offence(card, moment, variant), self.defence(enemy, moment, variant)
        plan = self.survey(offence, defence, range_in, variant).plan
        return Holding(self.toughness(card), plan)

    def check_posture(self, posture: str) -> None:
        """Refuse a posture that the game doesn't have; by default all but `HOLD`.

        Raises
        ------
        UsageError
            The posture is unknown.
        """
        if posture != HOLD:
            raise UsageError(f"posture: found {posture}, expected {HOLD}, the only one of {self.labels.title}")

    def listed(self, card: Any) -> Mapping[str, object]:
        """Return the cells of a card in a list of units, without its cost, by heading: text, a number, several numbers.

        By default every number of the card but the year.
        """
        given: dict[str, object] = card.model_dump(exclude_unset=True, by_alias=True)
        hidden = {"year", self.labels.currency}
        return {name: value for name, value in given.items() if name not in hidden and _is_of_numbers(value)}

    def profile(self, card: Any, variant: Any) -> Profile:
        """Return what a player has to know of a unit at the table; by default what `listed` shows, and its toughness.

        Parameters
        ----------
        card : BaseModel
        variant : BaseModel
            The rule switches, on which the needs of the dice depend.
        """
        stats = tuple(Stat(name.replace("_", " "), _in_words(value)) for name, value in self.listed(card).items())
        return Profile(self.category(card), stats, Track(self.labels.effect, left(self.toughness(card))))

    def paces(
        self, lists: tuple[Sequence[Any], Sequence[Any]], variant: Any
    ) -> tuple[tuple[Pace, ...], tuple[Pace, ...]]:
        """Return how the units of both sides of a battle move; by default none does."""
        a, b = ((Pace(),) * len(cards) for cards in lists)
        return a, b

    def rides(self, cards: Sequence[Any], carriers: Mapping[int, int], variant: Any) -> Mapping[int, Ride]:
        """Return how the units of a list ride that begin a battle inside others, by place; by default none does.

        Parameters
        ----------
        cards : sequence of card
        carriers : mapping of int to int
            By the place of each, that of the unit which it is inside.
        variant : BaseModel

        Raises
        ------
        UsageError
            One can't be there.
        """
        if carriers:
            raise UsageError(f"found a unit inside another, expected none: {self.labels.title} has no rules for it")
        return {}

    def forces(
        self,
        lists: tuple[Sequence[Any], Sequence[Any]],
        views: Views,
        aspects: Sequence[Aspect],
        variant: Any,
        *,
        explain: bool = False,
    ) -> tuple[Force, Force]:
        """Return both sides of a battle; by default there are none.

        Parameters
        ----------
        lists : pair of sequence of card
        views : Views
            Situations as the first side sees them.
        aspects : sequence of Aspect
            What the effects of the strikes are asked for, one at least. A game whose `paces` are none is asked for one.
        variant : BaseModel
        explain : bool
            Its strikes get their steps, where the game notes any.

        Raises
        ------
        UsageError
            The game has no battles, or its units can't fight one like this.
        """
        raise UsageError(
            f"battle: found none in what is modelled of {self.labels.title}, expected a game that has them"
        )

    def alone(
        self, cards: Sequence[Any], enemies: Sequence[Any], views: Views, aspects: Sequence[Aspect], variant: Any
    ) -> Force:
        """Return units each as the only one of its side, and what it does to each of `enemies`, one as well.

        Other parameters as for `forces`, which is what this asks by default; a game may be quicker.
        """
        return tuple(unit for card in cards for unit in self.forces(([card], enemies), views, aspects, variant)[0])

    def mission(self, mode: str, turn_limit: int | None, variant: Any) -> Mission:
        """Return how a battle ends besides the end of a side; by default a turn limit is one of each side's turns.

        Parameters
        ----------
        mode : str
            One of `aabalance.rulesets.base.MODES`.
        turn_limit : int or None
            Which those of `aabalance.rulesets.base.NEED_ROUNDS` always have.
        variant : BaseModel

        Raises
        ------
        UsageError
            No such limit, or a mode of which the game's rules say nothing.
        """
        if mode == DOMINATION:
            raise UsageError(f"mode: found {mode!r}, which {self.labels.title} has no rules for, expected another")
        return Mission(turn_limit, mode == TIMED)

    def list_cost(self, cards: Sequence[Any], mode: str) -> int:
        """Return what a list counts for a limit of requisition, in a mode; by default what its cards cost."""
        return sum(getattr(card, self.labels.currency) for card in cards)

    def category(self, card: Any) -> str:
        """Return the kind of unit, by which a report chooses its field."""

    def gun_class(self, card: Any) -> str:
        """Return the class of the unit's main weapon, by which tables of kill times group."""

    def price(self, card: Any) -> Price:
        """Return what the cost formula can't know of a unit; by default nothing."""
        return Price(surcharge=0, flat=0)

    def unseen(self, card: Any) -> Sequence[str]:
        """Return in words what a unit can do or suffer that no battle shows in which all hold; by default nothing."""
        return ()

    def lacks(self, card: Any) -> Sequence[str]:
        """Return in words what a unit lacks that makes its worth in battles doubtful; by default nothing."""
        return ()

    def one_more(self, card: Any) -> Mapping[str, str]:
        """Return what-ifs, ``field=value`` by what they are in words: a point or keyword each; by default none."""
        return {}

    def derive(self, folder: Path) -> Mapping[str, Mapping[str, Any]]:
        """Return the cards that the facts in `folder` give, by id; by default none, for cards that have no facts."""
        return {}


def _in_words(value: object) -> str:
    parts = list(value.values()) if isinstance(value, dict) else value
    return "/".join(map(str, parts)) if isinstance(parts, (list, tuple)) else str(value)


def _is_of_numbers(value: object) -> bool:
    parts = list(value.values()) if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else [value]
    return bool(parts) and all(isinstance(part, (int, float)) and not isinstance(part, bool) for part in parts)
