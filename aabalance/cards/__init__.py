"""Reads ``unitdb/``, and checks the cards: all faults are reported at once, with file and line.

No other module reads or checks cards.
"""

from __future__ import annotations

import copy
import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, RootModel, ValidationError

from aabalance.cards.changes import changed_by, parts_of, value_at, with_hint
from aabalance.cards.faults import validation_faults
from aabalance.cards.literals import literal
from aabalance.cards.tables import TOML_FILES, Table, dotted, flatten, kinds, line_of, pattern, put, read_toml, remove
from aabalance.errors import CardError, Fault, UnknownUnitError, UsageError, check_kind, check_list, counted, shown
from aabalance.provenance import version

if TYPE_CHECKING:
    import pandas as pd

SCHEMA_FILE = "unit.schema.json"
CHANGED = "--set"
"""The place of a card with a what-if."""
ID = re.compile(r"[\w-]+")


class Cards(Mapping[str, Any]):
    """The cards of one game by id, in the order of the files.

    The keys are ids. ``cards["Tiger I"]`` gets a card by its name as well, if only one unit has that name.

    Parameters
    ----------
    schema : type of BaseModel
        The ruleset's card schema.
    tables : mapping of str to dict
        The cards as plain tables, by id.
    places : mapping of str to (Path or str)
        Where each card comes from, for messages on faults: a file, or words.
    checked : Cards, optional
        Cards of the same schema that were checked before. A card whose table is the same object isn't checked again.

    Attributes
    ----------
    changes : tuple of str
        What-ifs since the cards were read.

    Examples
    --------
    >>> import aabalance as aab
    >>> cards = aab.Game().cards
    >>> len(cards), cards["Tiger I"].hp
    (138, 57)
    """

    def __init__(
        self,
        schema: type[BaseModel],
        tables: Mapping[str, Table],
        places: Mapping[str, Path | str],
        checked: Cards | None = None,
    ) -> None:
        self.schema = schema
        self.changes: tuple[str, ...] = () if checked is None else checked.changes
        self.tables = dict(tables)
        self.places = dict(places)
        faults: list[Fault] = []
        self._cards: dict[str, Any] = {}
        for unit_id, table in self.tables.items():
            if checked is not None and checked.tables.get(unit_id) is table:
                self._cards[unit_id] = checked._cards[unit_id]
                continue
            path = self.places.get(unit_id, "card")
            if "id" in table:
                where = f"{path}:{line_of(path, (unit_id, 'id'))}" if isinstance(path, Path) else path
                faults.append(
                    Fault(where, f"{unit_id}.id: found {table['id']!r}, expected no such field: [{unit_id}] says it")
                )
            try:
                self._cards[unit_id] = check(schema, unit_id, table)
            except ValidationError as error:
                faults += validation_faults(error, schema, table, (unit_id,), path)
        if faults:
            raise CardError(faults)

    @classmethod
    def read(cls, schema: type[BaseModel], folder: Path | str) -> Cards:
        """Read every TOML file in `folder`.

        Raises
        ------
        CardError
            Cards have faults; the error lists all, each with file and line.
        UsageError
            There is no such folder, or it has no cards.

        Examples
        --------
        >>> import aabalance as aab
        >>> from aabalance.files import data_folder
        >>> cards = aab.Game().cards
        >>> len(cards.read(cards.schema, data_folder("unitdb") / "armored_advance"))
        138
        """
        check_kind("folder", folder, Path | str, "a folder")
        folder = Path(folder)
        if not folder.is_dir():
            raise UsageError(f"cards: found no folder {folder}, expected one with unit cards")
        files = sorted(folder.glob(TOML_FILES))
        if not files:
            raise UsageError(f"cards: found no TOML file in {folder}, expected unit cards there")
        tables: dict[str, Table] = {}
        places: dict[str, Path | str] = {}
        faults: list[Fault] = []
        for path in files:
            found = read_toml(path, faults)
            if isinstance(found.get("title"), str):
                kind = "a gate" if "claims" in found else "a report or of lists"
                message = f"found the file of {kind}, expected cards: move it out of their folder"
                faults.append(Fault(f"{path}:{line_of(path, ('title',))}", message))
                continue
            for unit_id, table in found.items():
                message = ""
                if not ID.fullmatch(unit_id):
                    message = f"found the id {shown(unit_id)}, expected one of letters, digits, _ and -"
                elif not isinstance(table, dict):
                    message = f"{unit_id}: found {shown(table)}, expected a table [{unit_id}]"
                elif table and all(isinstance(inner, dict) for inner in table.values()) and not _is_card(schema, table):
                    message = (
                        f"{dotted((unit_id, next(iter(table))))}: found a table in a card's place: an id has no dot"
                    )
                elif unit_id in tables:
                    message = f"{unit_id}: this id stands in {places[unit_id]} already"
                if message:
                    faults.append(Fault(f"{path}:{line_of(path, (unit_id,))}", message))
                else:
                    tables[unit_id], places[unit_id] = table, path
        if not (tables or faults):
            raise UsageError(f"cards: found no card in the TOML files of {folder}, expected at least one")
        try:
            cards = cls(schema, tables, places)
        except CardError as error:
            raise CardError([*faults, *error.faults]) from None
        if faults:
            raise CardError(faults)
        return cards

    def with_changes(self, changes: Iterable[str]) -> Cards:
        """Return the cards with some fields changed.

        Parameters
        ----------
        changes : iterable of str
            Each has the form ``id.field=value``, for example ``su_t34_85.hp=40``, or a name in place of the id; a
            number can also be changed by an amount or a factor: ``su_t34_85.hp+=10``, ``hp-=10``,
            ``requisition*=1.1`` (whole numbers stay whole, half rounds up). The value ``false`` removes an optional
            field that can't be false, such as a keyword.

        Raises
        ------
        UsageError
            A change has another form, its field can't be set or is no number, or the same field is changed twice.
        UnknownUnitError
            No card has the id of a change.
        CardError
            A changed card has faults; their place is ``--set``.

        Examples
        --------
        >>> import aabalance as aab
        >>> aab.Game().cards.with_changes(["su_t34_85.hp=40", "su_t34_85.armor.front=10"])["su_t34_85"].hp
        40
        """
        check_list("changes", changes, "a list of such texts")
        changes = tuple(changes)
        tables, places = dict(self.tables), dict(self.places)
        before: dict[str, str] = {}
        for change in changes:
            path, operator, text = parts_of(change)
            unit_id, field = self.field_of(path)
            path = f"{unit_id}.{field}"
            given = f"{operator}={text}" if operator else text
            if path in before and (before[path] != given or operator):
                raise UsageError(f"--set: {path}: found {before[path]} and {given}, expected one value")
            before[path] = given
            if tables[unit_id] is self.tables[unit_id]:
                tables[unit_id] = copy.deepcopy(self.tables[unit_id])
            names, value = field.split("."), literal(text)
            if operator:
                value = changed_by(change, value_at(tables[unit_id], names), operator, value)
            try:
                put(tables[unit_id], names, value)
            except KeyError as error:
                raise UsageError(f"--set: found {shown(change)}, but {error.args[0]}") from None
            kind = kinds(self.schema).get(pattern(field)) if value is False else None
            if kind and kind.optional and "boolean" not in kind.types:
                remove(tables[unit_id], names)
            places[unit_id] = CHANGED
        try:
            found = Cards(self.schema, tables, places, self)
        except CardError as error:
            raise CardError([with_hint(fault, before) for fault in error.faults]) from None
        found.changes += tuple(change.strip() for change in changes)
        return found

    def only(self, units: Iterable[str | BaseModel]) -> Cards:
        """Return the cards of some units only, in the order given: a small roster to try things on.

        Parameters
        ----------
        units : iterable of str or card
            Ids or cards, or names as for `id_of`.

        Raises
        ------
        UsageError
            `units` is a text or empty, or a unit is unknown.

        Examples
        --------
        >>> import aabalance as aab
        >>> game = aab.Game()
        >>> game.with_(cards=game.cards.only(["us_m4a1", "Tiger I"])).cards
        <2 cards: us_m4a1, de_tiger1>
        """
        check_list("cards", units, "a list of ids")
        chosen = list(dict.fromkeys(self.id_of(unit) for unit in units))
        if not chosen:
            raise UsageError("cards: found no unit, expected one at least")
        return Cards(self.schema, {unit_id: self.tables[unit_id] for unit_id in chosen}, self.places, self)

    def id_of(self, word: str | BaseModel) -> str:
        """Return the id of a unit.

        Parameters
        ----------
        word : str or card
            One of these cards; or the unit's id or name, or words of its name if no other name has them: ``tiger i`` is
            ``Tiger I (Ausf. E)``. In names, capitals don't matter.

        Raises
        ------
        UnknownUnitError
            There is no such unit.
        UsageError
            Several units have this name, or these words in it; or it is another card of the unit.

        Examples
        --------
        >>> import aabalance as aab
        >>> aab.Game().cards.id_of("tiger i")
        'de_tiger1'
        """
        if isinstance(word, BaseModel):
            if self._cards.get(own := getattr(word, "id", "")) != word:
                raise UsageError(f"unit: found another card of {own} than these, expected one of these")
            return str(own)
        if not isinstance(word, str):
            raise UnknownUnitError(shown(word), ())
        if word in self._cards:
            return word
        folded = str(word).strip().casefold()
        names = {unit_id: str(table.get("name", "")) for unit_id, table in self.tables.items()}
        within = re.compile(rf"(?<![\w-]){re.escape(folded)}(?!\w)").search
        matches = [
            unit_id for unit_id, name in names.items() if any(map(str.isalnum, folded)) and within(name.casefold())
        ]
        matches = [unit_id for unit_id in matches if names[unit_id].casefold() == folded] or matches
        if not matches:
            raise UnknownUnitError(str(word), [*names, *(one for one in names.values() if one.casefold() not in names)])
        if len(matches) > 1:
            raise UsageError(f"unit {word!r}: found several of this name, expected one of {', '.join(matches)}")
        return matches[0]

    def field_of(self, path: str) -> tuple[str, str]:
        """Return the id of the unit and the field that a path names: ``de_tiger1.hp``, ``Tiger I (Ausf. E).hp``.

        Raises
        ------
        UsageError
            There is no such unit; or several have this name.

        Examples
        --------
        >>> import aabalance as aab
        >>> aab.Game().cards.field_of("Tiger I (Ausf. E).armor.front")
        ('de_tiger1', 'armor.front')
        """
        first, _, field = path.partition(".")
        if first not in self._cards:
            # Names have dots, too, and the longest is meant.
            for dot in reversed([at for at, sign in enumerate(path) if sign == "."]):
                with suppress(UsageError):
                    return self.id_of(path[:dot]), path[dot + 1 :]
        return self.id_of(first), field

    def __getitem__(self, unit_id: str | BaseModel) -> Any:
        return self._cards[self.id_of(unit_id)]

    def __iter__(self) -> Iterator[str]:
        return iter(self._cards)

    def __len__(self) -> int:
        return len(self._cards)

    def __contains__(self, unit_id: object) -> bool:
        return unit_id in self._cards

    def __repr__(self) -> str:
        return f"<{counted(len(self), 'card')}: {', '.join(list(self)[:4])}{' ...' * (len(self) > 4)}>"

    @cached_property
    def hash(self) -> str:
        """First 12 hex digits of the SHA-256 of all cards; it doesn't depend on the layout of the files.

        Examples
        --------
        >>> import aabalance as aab
        >>> cards = aab.Game().cards
        >>> cards.hash == cards.with_changes(["de_tiger1.hp=50"]).hash
        False
        """
        text = json.dumps(self.tables, sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()[:12]

    def frame(self) -> pd.DataFrame:
        """Return the cards as a DataFrame, indexed by id; names of nested fields have dots between their parts.

        ``attrs`` have the version of the package and the `hash`.

        Examples
        --------
        >>> import aabalance as aab
        >>> aab.Game().cards.frame().loc[["us_m4a1", "de_tiger1"], ["hp", "armor.front", "requisition"]]
                   hp  armor.front  requisition
        id
        us_m4a1    30            9           70
        de_tiger1  57           10          145
        """
        import pandas as pd

        frame = pd.DataFrame.from_dict({i: flatten(t) for i, t in self.tables.items()}, orient="index")
        frame.attrs |= {"aabalance": version(), "cards": self.hash}
        return frame.convert_dtypes().rename_axis("id")  # keeps whole numbers whole in columns with gaps


def check(schema: type[BaseModel], unit_id: str, table: Mapping[str, Any]) -> Any:
    """Return the card that `table` describes.

    Parameters
    ----------
    schema : type of BaseModel
        The ruleset's card schema.
    unit_id : str
        Id of the unit.
    table : mapping
        The unit's table in the card file.

    Raises
    ------
    ValidationError
        The table has faults; the error is pydantic's.
    """
    card = schema.model_validate({**table, "id": unit_id})
    return card.root if isinstance(card, RootModel) else card


def json_schema(schema: type[BaseModel]) -> str:
    """Return the JSON Schema of a card file as text, for use by editors."""
    card = schema.model_json_schema(by_alias=True)
    definitions = card.pop("$defs", {})
    for definition in definitions.values():
        definition.get("properties", {}).pop("id", None)
    document = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Unit cards",
        "type": "object",
        "additionalProperties": card,
        "$defs": definitions,
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _is_card(schema: type[BaseModel], table: Table) -> bool:
    """Return whether a table has at least one field of a card."""
    return not table.keys().isdisjoint(path.partition(".")[0] for path in kinds(schema))
