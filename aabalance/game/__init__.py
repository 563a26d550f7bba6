"""Game: a ruleset bound to its cards and a variant. The object a user holds.

`bound` has what a game is: its cards, boards and rules. Here are the questions that it answers.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from aabalance.cards import Cards
from aabalance.definitions.lists import UnitList, any_list, no_units
from aabalance.definitions.settings import FRONT, situation_mix
from aabalance.engine.hit_points.graph import TurnGraph
from aabalance.errors import UsageError, check_kind, shown
from aabalance.game.bound import Bound
from aabalance.game.bound import Unit as Unit
from aabalance.play.battle import HOLDS, BattleQuestion, BattleResult, battle
from aabalance.play.duel import DuelQuestion, DuelResult, duel
from aabalance.play.match import MATCHES, MatchResult, match
from aabalance.play.match_question import MatchQuestion
from aabalance.play.policy import Player
from aabalance.play.result import SIDES, First
from aabalance.play.sample import Sample
from aabalance.play.shot import ShotResult, shot

if TYPE_CHECKING:
    from aabalance.boards import Board

List = str | Collection[Unit] | Mapping[Any, int]
"""A list of units, as `Game.battle` takes it."""


class Game(Bound):
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
    boards : path, optional
        A folder of boards; the game's own by default.

    Raises
    ------
    UsageError, CardError
        Unknown game or variant key; faulty cards.

    Examples
    --------
    >>> import aabalance as aab
    >>> aab.Game()
    <Game armored_advance: 138 cards, default rules>
    >>> aab.Game(variant="two_dice", changes=["su_t34_85.hp=40"]).reading
    'resolution=two_dice'
    """

    def __init__(
        self,
        name: str = "armored_advance",
        cards: Cards | Path | str | None = None,
        variant: Mapping[str, Any] | BaseModel | str | None = None,
        changes: Iterable[str] = (),
        boards: Path | str | None = None,
    ) -> None:
        super().__init__(name, cards, variant, changes, boards)

    def shot(
        self, attacker: Unit, target: Unit, *, range_in: float | str, weapon: str | None = None, **situation: Any
    ) -> ShotResult:
        """Resolve one attack exactly.

        Parameters
        ----------
        attacker, target : str or card
            The two units, by id, by name or as cards.
        range_in : float or str
            Distance, in what the game counts it; as text ``18"``, ``18in`` or ``18,5``, too.
        weapon : str, optional
            Name of the weapon; by default the one of largest expected effect.
        **situation
            Fields of the game's `Moment`: ``facing``, ``moved`` and others.

        Examples
        --------
        >>> import aabalance as aab
        >>> game = aab.Game()
        >>> shot = game.shot("su_t34_85", "de_pantherg", range_in=18)
        >>> shot.need, round(shot.p_damage, 4), shot.damage
        (3, 0.7778, {0: 0.2222222222222222, 13: 0.7777777777777778})
        >>> game.shot("su_t34_85", "de_pantherg", range_in=18, foliage=1).need
        5
        """
        check_kind("weapon", weapon, str | None, "the name of a weapon")
        moment = self.moment(range_in=range_in, **situation)
        cards = self.card(attacker), self.card(target)
        found = shot(self.ruleset, self.variant, *cards, moment, weapon)
        return replace(found, provenance=self.provenance(attacker=self._named(cards[0]), target=self._named(cards[1])))

    def turn_graph(
        self, a: Unit, b: Unit, *, range_in: float | str, postures: tuple[str, str], **situation: Any
    ) -> TurnGraph:
        """Return a duel in which a moves first, as tables that can be solved and simulated.

        Parameters are as for `duel`; `postures` are those of a and of b.

        Raises
        ------
        UsageError
            The game's units have conditions in place of hit points.

        Examples
        --------
        >>> import aabalance as aab
        >>> duel = aab.Game().turn_graph("us_m4a3_75w", "de_stug3g", range_in=18, postures=("hold", "hold"))
        >>> round(duel.solve().p_a, 4)
        0.6366
        """
        given: Any = postures
        if not isinstance(given, list | tuple) or len(given) != len(SIDES):
            raise UsageError(f"postures: found {shown(postures)}, expected two, those of a and of b")
        return self._duel(a, b, range_in, postures, situation).turn_graph()

    def _duel(
        self, a: Unit, b: Unit, range_in: float | str, postures: tuple[str, str], situation: Mapping[str, Any]
    ) -> DuelQuestion:
        cards, at = (self.card(a), self.card(b)), self.situation(**situation)
        return DuelQuestion(self.ruleset, self.variant, cards, at, self.moment(range_in=range_in).range_in, postures)

    def duel(
        self,
        a: Unit,
        b: Unit,
        *,
        range_in: float | str,
        first: First = "roll_off",
        rounds: int | None = None,
        posture_a: str = "hold",
        posture_b: str = "hold",
        simulate: int | None = None,
        target_error: float | None = None,
        seed: int = 0,
        advance: Callable[[int], None] = lambda trials: None,
        **situation: Any,
    ) -> DuelResult:
        """Solve a duel of two units exactly, or simulate it.

        Parameters
        ----------
        a, b, range_in
            The two units and their distance, as for `shot`.
        first : {"a", "b", "roll_off"}
            Who has the first turn; with ``roll_off`` each side has it half the time.
        rounds : int, optional
            Limit of turns of each side, 1 to 1000.
        posture_a, posture_b : str
            What each side does: ``hold`` stays and fires all it may, ``close:6`` moves in to 6 inches with its first
            action each turn and fires with the second, ``cautious:6`` does so while it has half its toughness.
        simulate : int, optional
            How many duels to roll instead of solving, up to 10**10; with a roll-off each side begins half of them.
        target_error : float, optional
            Roll until half the width of the 95 % interval of P(a wins) is at most this.
        seed : int
            The same seed and ids (of a card without one, its name) give the same dice, under any variant and with any
            number of threads; 0 to 2**64 - 1.
        advance : callable
            Called with the number of duels simulated since the last call.
        **situation
            Fields of the game's `Situation`, seen from a: b shows the ``facing``, a its ``own_facing``.

        Examples
        --------
        >>> import aabalance as aab
        >>> game = aab.Game()
        >>> round(game.duel("us_m4a3_75w", "de_stug3g", range_in=18).p_a, 2)
        0.54
        >>> round(game.duel("us_m4a3_75w", "de_stug3g", range_in=18, facing="side").p_a, 2)
        0.81
        >>> game.duel("us_m4a3_75w", "de_stug3g", range_in=18, simulate=10_000, seed=1).p_a
        0.5401
        """
        question = self._duel(a, b, range_in, (posture_a, posture_b), situation)
        question = question._replace(first=first, rounds=rounds)
        found = duel(question, Sample(simulate, target_error, seed, advance))
        return replace(found, provenance=self.of_sides(*([card] for card in question.cards)))

    def battle(
        self,
        list_a: List,
        list_b: List,
        *,
        range_in: float | str,
        actions: int | tuple[int, int] | None = None,
        mode: str = "annihilation",
        rounds: int | None = None,
        first: First = "roll_off",
        policy_a: str = "value",
        policy_b: str = "value",
        facing: str | Mapping[str, float] = FRONT,
        requisition: int | None = None,
        simulate: int | None = None,
        target_error: float | None = None,
        seed: int = 0,
        advance: Callable[[int], None] = lambda trials: None,
        **situation: Any,
    ) -> BattleResult:
        """Solve a battle of two lists under an action limit exactly; roll it on demand, or if it is too large for that.

        Parameters
        ----------
        list_a, list_b : str, sequence of str or card, or mapping of str to int
            Units in the order that settles ties, by id or name; as text ``de_tiger1,su_t34_85*2`` or ``3 Tiger I``, in
            Python also ``{"de_tiger1": 2}``. ``@`` and a path name a file with a list: TOML with ``units``, a list of
            such texts, and a ``name`` if you like.
        range_in : float
            Distance between the two lines.
        actions : int or pair of int, optional
            Limit of a side's turn, of both or of each, 1 to 1000; optional only in games whose rules have none.
        mode : {"annihilation", "timed"}
            ``annihilation``: to the end, and a draw if `rounds` are over before. ``timed``: the larger requisition left
            after `rounds` wins; equals play on.
        rounds : int, optional
            Limit of turns, of each side unless a switch says otherwise, 1 to 1000.
        policy_a, policy_b : str
            Who acts on whom: ``list_order``, ``focus``, ``value`` or ``threat``; for one side also ``best``, the best
            reply to the other: solved exactly, or refused.
        facing : str or mapping of str to float
            The face that b's units show; or shares of all units' faces, drawn attack by attack; ``mix`` is front .65,
            side .30, rear .05.
        requisition : int, optional
            The most that a list may cost.
        first, simulate, target_error, seed, advance, **situation
            As for `duel`.

        Raises
        ------
        UsageError
            A list that can't exist, an agreement that can't be played, or a battle that can't even be rolled. Units
            hold: what moves, scores or carries is a match.

        Examples
        --------
        >>> import aabalance as aab
        >>> game = aab.Game()
        >>> guns, tanks = "de_stug3g*3", "us_m24*5"
        >>> [round(game.battle(guns, tanks, range_in=18, actions=limit).p_a, 2) for limit in (1, 2, 3, 4, 5)]
        [0.74, 0.63, 0.49, 0.32, 0.29]
        """
        if {"posture_a", "posture_b"} & situation.keys():
            raise UsageError(f"posture: {HOLDS}")
        a, b = (any_list(units, self.cards).units for units in (list_a, list_b))
        question = BattleQuestion(
            ruleset=self.ruleset,
            variant=self.variant,
            lists=([self.card(unit) for unit in a], [self.card(unit) for unit in b]),
            mix=situation_mix(self.situation, facing, **situation),
            range_in=self.moment(range_in=range_in).range_in,
            actions=actions,
            mode=mode,
            rounds=rounds,
            first=first,
            policies=(policy_a, policy_b),
            requisition=requisition,
        )
        found = battle(question, Sample(simulate, target_error, seed, advance))
        return replace(found, provenance=self.of_sides(*question.lists))

    def match(
        self,
        list_a: List | UnitList = (),
        list_b: List | UnitList = (),
        *,
        board: str | Board,
        mission: str | None = None,
        rounds: int | None = None,
        actions: int | tuple[int, int] | None = None,
        first: First = "roll_off",
        player_a: Player = "greedy",
        player_b: Player = "greedy",
        simulate: int | None = None,
        target_error: float | None = None,
        seed: int = 0,
        advance: Callable[[int], None] = lambda matches: None,
        **options: Any,
    ) -> MatchResult:
        """Play the whole game many times: deployment, terrain, movement, objectives, to the end.

        Parameters
        ----------
        list_a, list_b : str, sequence of str or card, or mapping of str to int
            Units as for `battle`; in a file, also tables of a ``unit`` and where it begins. Nothing where the board
            brings its units, or where units are bought in the match.
        board : str or Board
            One of `boards`, by name.
        mission : str, optional
            How the match is won: ``timed`` (the default), ``annihilation`` or ``domination`` in Armored Advance. Other
            games have none.
        rounds : int, optional
            Limit of rounds; by default what is usual in the game.
        actions : int or pair of int, optional
            Limit of a side's turn, of both or of each: 5 by default in Armored Advance; refused in games without one.
        first : {"a", "b", "roll_off"}
            Who has the first turn; with ``roll_off`` each side has it in half of the matches.
        player_a, player_b : str or callable
            Who plays: ``greedy``, ``random`` or ``search:N``, with N playouts for each decision; ``exact`` in matches
            that are small enough; or your own function, which takes what its side sees in words and the texts of its
            legal actions, and returns one of these.
        simulate : int
            Number of matches; 200 by default.
        target_error : float, optional
            In its place: play until half the width of the 95 % interval of P(a wins) is at most this.
        seed : int
            The same seed, lists and board give the same dice, with any number of threads; 0 to 2**64 - 1.
        advance : callable
            Called with the number of matches played since the last call.
        **options
            What else the game lets players agree on (``budget``, ``medals``), and where units begin: ``a1`` is the
            first unit of list a, ``a1=(3, 20, "N")`` or ``a2={"aboard": 1}``. `docs/matches.md` lists all.

        Raises
        ------
        UsageError
            The game has no matches; something unknown or out of range; lists that can't play this match.

        Examples
        --------
        >>> import aabalance as aab
        >>> game = aab.Game("skirmish_wars")
        >>> match = game.match("infantry*2,tank", "mech,artillery", board="crossing", rounds=3, simulate=1)
        >>> match.a, match.requisition_a, match.reasons
        ('2 Infantry, Tank', 9, {'turn limit': 1.0})
        """
        agreed = {"mission": mission, "rounds": rounds, "actions": actions, "first": first, **options}
        question = self.match_question(list_a, list_b, board=board, player_a=player_a, player_b=player_b, **agreed)
        wanted = MATCHES if simulate is None and target_error is None else simulate
        found = match(question, Sample(wanted, target_error, seed, advance))
        return replace(found, provenance=self.of_sides(*(units.units for units in question.lists)))

    def match_question(
        self,
        list_a: List | UnitList = (),
        list_b: List | UnitList = (),
        *,
        board: str | Board,
        mission: str | None = None,
        rounds: int | None = None,
        actions: int | tuple[int, int] | None = None,
        first: First = "roll_off",
        player_a: Player = "greedy",
        player_b: Player = "greedy",
        **options: Any,
    ) -> MatchQuestion:
        """Return the question of a match, which `match` answers.

        Parameters
        ----------
        list_a, list_b, board, mission, rounds, actions, first, player_a, player_b, **options
            As for `match`; errors, too.

        Examples
        --------
        >>> import aabalance as aab
        >>> question = aab.Game("skirmish_wars").match_question(board="crossing_armies")
        >>> rules, agreed, setup = question.agreed()
        >>> agreed.rounds
        30
        """
        from aabalance.boards import Board
        from aabalance.engine.match.players import number

        question = MatchQuestion(
            ruleset=self.ruleset,
            variant=self.variant,
            roster=self.cards,
            lists=(self._match_list(list_a), self._match_list(list_b)),
            board=board if isinstance(board, Board) else self.boards[board],
            mission=mission,
            rounds=rounds,
            actions=actions,
            first=first,
            players=(player_a, player_b),
            options=options,
            folders=self._folders(),
        )
        check_kind("mission", mission, str | None, "the name of a mission")
        for player in question.players:
            check_kind("player", player, str | Callable, "a name, or a policy of your own")
            number(player)  # refuses an unknown one
        return question

    def _match_list(self, given: List | UnitList) -> UnitList:
        """Return a list of a match with its cards; an empty one if nothing is given."""
        if isinstance(given, UnitList):
            return given
        if no_units(given):
            return UnitList([])
        rules = self.ruleset.match()
        units = any_list(given, self.cards, rules.Place if rules else None)
        return units._replace(units=[self.card(unit) for unit in units.units])


def game_of(game: Any) -> Game:
    """Return a game, or the one of a name; anything else is refused."""
    if isinstance(game, str):
        return Game(game)
    if not isinstance(game, Game):
        raise UsageError(f"game: found {shown(game)}, expected a Game or the name of one")
    return game
