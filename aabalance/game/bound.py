"""A ruleset bound to its cards, boards and a variant: what a game is, before anything is asked of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from pydantic import BaseModel, ValidationError

from aabalance import rulesets
from aabalance.cards import Cards, check
from aabalance.cards.tables import TOML_FILES, read_toml
from aabalance.definitions import settings
from aabalance.errors import CardError, Fault, UsageError, check_kind, counted, shown
from aabalance.files import data_folder
from aabalance.provenance import Provenance, version
from aabalance.rulesets.base import Ruleset

if TYPE_CHECKING:
    from aabalance.boards import Boards
    from aabalance.definitions.report import Report
    from aabalance.definitions.tables import Tuning

Unit = str | BaseModel


class _Own:
    """A game's own report definition: read when it is first needed, for all games that `Game.with_` makes of one."""

    def __init__(self, name: str) -> None:
        self.name = name

    @cached_property
    def definition(self) -> Report:
        from aabalance.definitions.report import read

        return read(None, self.name)


class Bound:
    """A ruleset bound to its cards and a variant; parameters and errors are those of `aabalance.Game`."""

    ruleset: Ruleset
    variant: BaseModel
    cards: Cards
    _own: _Own
    _folder: Path | None
    _boards: Path | None

    def __init__(self, name: str, cards: Any, variant: Any, changes: Any, boards: Path | str | None) -> None:
        ruleset = rulesets.load(name)
        variant = settings.variant_of(ruleset, variant)
        some = list(cards.values())[:1] if isinstance(cards, Cards) else []  # all have one schema
        if not isinstance(cards, Cards | Path | str | None) or not all(_is_card(ruleset, card) for card in some):
            raise UsageError(f"cards: found {shown(cards)}, expected a folder, or cards of {ruleset.labels.title}")
        check_kind("boards", boards, str | Path | None, "a folder")
        own_folder = None if cards is None or isinstance(cards, Cards) else Path(cards)
        if not isinstance(cards, Cards):
            folder = own_folder or data_folder("unitdb") / name
            try:
                cards = Cards.read(ruleset.Card, folder)
            except CardError:
                if of := _other_game(folder, name):
                    why = f"found cards of {of}, expected those of {name}; with --game {of} they are read"
                    raise CardError([Fault(str(folder), why)]) from None
                raise
        if not isinstance(changes, str):
            changes = tuple(changes) if isinstance(changes, Iterable) else (changes,)
        cards = cards.with_changes(changes) if changes else cards
        own, boards = _Own(name), None if boards is None else Path(boards)
        vars(self).update(ruleset=ruleset, variant=variant, cards=cards, _own=own, _folder=own_folder, _boards=boards)

    def __setattr__(self, name: str, value: Any) -> None:
        raise UsageError(f"{name}: found a new value for a game that is made, expected another: game.with_(...)")

    def __repr__(self) -> str:
        return f"<Game {self.ruleset.name}: {counted(len(self.cards), 'card')}, {self.reading}>"

    @property
    def reading(self) -> str:
        """The variant in words: the switches that differ from their defaults.

        Examples
        --------
        >>> import aabalance as aab
        >>> aab.Game(variant={"resolution": "two_dice"}).reading
        'resolution=two_dice'
        """
        return settings.reading(self.variant)

    def provenance(self, **units: str | list[str]) -> Provenance:
        """Return what numbers of this game depend on; answers have it as their ``provenance``.

        Parameters
        ----------
        **units : str or list of str
            Ids of units, by what they are.

        Examples
        --------
        >>> import aabalance as aab
        >>> game = aab.Game(variant="two_dice", changes=["de_tiger1.hp=50"])
        >>> game.provenance().unusual()
        'resolution=two_dice, de_tiger1.hp=50'
        """
        return Provenance(
            aabalance=version(),
            game=self.ruleset.labels.title,
            cards=self.cards.hash,
            variant=self.reading,
            changes=self.cards.changes,
            units=units,
        )

    @property
    def definition(self) -> Report:
        """The game's own report definition: its standard situations, field and pictures.

        It is read when it is first needed, once for this game and all that `with_` makes of it.

        Raises
        ------
        UsageError, CardError
            The game has none, or it has faults.

        Examples
        --------
        >>> import aabalance as aab
        >>> aab.Game("forumini").definition.rounds
        7
        """
        return self._own.definition

    @cached_property
    def boards(self) -> Boards:
        """The boards of the game's matches by name, each read when it is first asked for.

        Raises
        ------
        UsageError
            The game has no boards, or there is no such folder, or none in it.

        Examples
        --------
        >>> import aabalance as aab
        >>> aab.Game("skirmish_wars").boards["crossing"]
        <Board crossing: Crossing, 8 x 6>
        >>> aab.Game().boards
        <3 boards: river, small, village>
        """
        from aabalance.boards import Boards

        rules = self.ruleset.match()
        if rules is None:
            title = self.ruleset.labels.title
            raise UsageError(f"boards: found none in what is modelled of {title}, expected a game that has them")
        folder = self._boards or data_folder("unitdb") / self.ruleset.name / "boards"
        return Boards(rules.board, folder, self.cards)

    @cached_property
    def tuning(self) -> Tuning:
        """What units are priced by: the tuning of `definition`, without units that the game lacks.

        Examples
        --------
        >>> import aabalance as aab
        >>> aab.Game().tuning.limits
        (3, 5, 8)
        """
        return self.definition.tuning.within(self.cards)

    def with_(
        self,
        *,
        cards: Cards | Path | str | None = None,
        variant: Mapping[str, Any] | BaseModel | str | None = None,
        changes: Iterable[str] = (),
        boards: Path | str | None = None,
    ) -> Self:
        """Return this game with other cards, other rules or what-ifs; what isn't given stays.

        Parameters
        ----------
        cards, changes, boards
            As for `Game`. Unchanged cards are not checked again.
        variant : mapping, BaseModel or str, optional
            Rule switches that differ from this game's, or the name of a preset that changes some; a model says all.

        Examples
        --------
        >>> import aabalance as aab
        >>> game = aab.Game()
        >>> tougher = game.with_(changes=["us_m4a1.hp=40"])
        >>> [round(one.duel("us_m4a1", "de_pz4h", range_in=18).p_a, 2) for one in (game, tougher)]
        [0.5, 0.81]
        >>> game.with_(cards=game.cards.only(["us_m4a1", "de_pz4h", "su_t34_85"]))
        <Game armored_advance: 3 cards, default rules>
        """
        chosen = settings.variant_of(self.ruleset, variant, self.variant)
        kept = self.cards if cards is None else cards
        other = type(self)(self.ruleset.name, kept, chosen, changes, self._boards if boards is None else boards)
        vars(other).update(_own=self._own, **({"_folder": self._folder} if cards is None else {}))
        return other

    def _folders(self) -> list[str]:
        """Return the folders of cards and boards, but for the game's own, as options of a command."""
        given = {"--cards": self._folder, "--boards": self._boards}
        return [str(word) for option, folder in given.items() if folder for word in (option, folder)]

    def card(self, unit: Unit) -> Any:
        """Return the card of an id, or of a name that one unit has; a card is returned as it is.

        Raises
        ------
        UsageError
            No such unit, or several of this name.

        Examples
        --------
        >>> import aabalance as aab
        >>> aab.Game().card("Tiger I").armor.side
        8
        """
        given: object = unit
        if isinstance(given, str):
            return self.cards[given]
        if isinstance(given, BaseModel) and _is_card(self.ruleset, given):
            return given
        raise UsageError(f"unit: found {shown(given)}, expected an id, a name or a card of {self.ruleset.labels.title}")

    def situation(self, **fields: Any) -> Any:
        """Return a checked situation of this game: what stays as it is throughout a duel.

        `fields` are those of the game's `Situation`; the others have their defaults.

        Raises
        ------
        UsageError
            A field that this game doesn't have or that holds for one attack alone, or a value out of range.

        Examples
        --------
        >>> import aabalance as aab
        >>> aab.Game().situation(facing="side", walls=1).facing
        'side'
        """
        return settings.standing(self.ruleset, fields)

    def moment(self, **fields: Any) -> Any:
        """Return a checked situation at the moment of one attack.

        `fields` are those of the game's `Moment`: a ``range_in``, and others that have defaults. Errors are as for
        `situation`.

        Examples
        --------
        >>> import aabalance as aab
        >>> aab.Game().moment(range_in=18, moved=True).moved
        True
        """
        if isinstance(far := fields.get("range_in"), str):
            fields["range_in"] = settings.distance(self.ruleset.labels.length, far)
        return settings.checked(self.ruleset.Moment, fields, "situation")

    def of_sides(self, a: Sequence[Any], b: Sequence[Any]) -> Provenance:
        """Return the `provenance` of an answer about two lists of cards.

        Parameters
        ----------
        a, b : sequence of card
            Both lists.

        Examples
        --------
        >>> import aabalance as aab
        >>> game = aab.Game()
        >>> sides = game.of_sides([game.cards["de_tiger1"]], [game.cards["su_t34_85"]])
        >>> sides.units
        {'a': ['de_tiger1'], 'b': ['su_t34_85']}
        """
        return self.provenance(a=[self._named(card) for card in a], b=[self._named(card) for card in b])

    def _named(self, card: Any) -> str:
        """Return the id of a card, or its name if it has none; with a star if `cards` has another one of it."""
        name = str(card.id or card.name)
        return f"{name}*" if name in self.cards and self.cards[name] != card else name


def _is_card(ruleset: Ruleset, card: BaseModel) -> bool:
    with suppress(ValidationError):
        ruleset.Card.model_validate(card)
        return True
    return False


def _other_game(folder: Path, but: str) -> str | None:
    """Return the name of a game whose cards are in a folder, if there is one `but` this one."""
    faults: list[Fault] = []
    tables = [item for path in folder.glob(TOML_FILES) for item in read_toml(path, faults).items()]
    names = [name for name in rulesets.names() if name != but and tables and not faults]
    for name in names:
        schema = rulesets.load(name).Card
        with suppress(ValidationError, TypeError):  # the first fault is enough, where `Cards.read` would list them all
            for unit_id, table in tables:
                check(schema, unit_id, table)
            return name
    return None
