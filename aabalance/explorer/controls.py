"""The values that may be set in the explorer: kinds, bounds, choices and meanings.

They are read from the schemas of situations, moments, rule switches and cards, so that a new field needs no edit here.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from pydantic import BaseModel

from aabalance.cards.literals import literal
from aabalance.cards.tables import flatten
from aabalance.definitions.settings import preset
from aabalance.errors import UsageError, check_word, shown

if TYPE_CHECKING:
    from aabalance.explorer.scene import Scene
    from aabalance.game import Game

Kind = Literal["choice", "flag", "whole", "number", "text", "list"]
NONE = "none"
"""What stands in a control for no value."""
ALIKE = "as many as cost alike"
"""What stands in a control for no list."""
AS_GIVEN = "as given"
"""Name of the game's own switches, where they are no preset."""
HIDDEN = ("id", "name", "nation", "year", "note")
"""Fields of a card that no rule reads."""


class Control(NamedTuple):
    """A value that may be set: a field of a schema.

    Attributes
    ----------
    name : str
        Name of the field; dotted if it is nested, as in ``armor.front``.
    kind : {"choice", "flag", "whole", "number", "text", "list"}
        ``whole`` is a whole number; ``text`` a number that may be left out, or a list of numbers (see `read`); ``list``
        a list of units.
    default : object
        Value that holds unless another is set; None for no value.
    choices : tuple
        Allowed values of a ``choice``.
    low, high : float
        Bounds of a ``whole`` or ``number``.
    meaning : str
        The field's description in the schema.
    """

    name: str
    kind: Kind
    default: Any
    choices: tuple[Any, ...] = ()
    low: float = 0
    high: float = 0
    meaning: str = ""

    @property
    def label(self) -> str:
        """The name as people read it; of a check box only the last part, since many stand side by side."""
        parts = [str(int(part) + 1) if part.isdecimal() else part for part in self.name.split(".")]
        return " ".join(parts[-1:] if self.kind == "flag" else parts).removesuffix("_in").replace("_", " ")


class Part(NamedTuple):
    """A part of the controls.

    Attributes
    ----------
    key, title : str
        Its key in the queries of a browser, and its heading.
    controls : iterable of Control
        Its controls.
    begins : mapping
        The values to begin with that differ from the defaults, by name.
    """

    key: str
    title: str
    controls: Iterable[Control]
    begins: Mapping[str, Any]

    def values(self, query: Mapping[str, str], typed: bool = False) -> dict[str, Any]:
        """Return the value of each control; if `typed`, what stands in it, even where that is no value."""
        values = {one.name: self.begins.get(one.name, one.default) for one in self.controls}
        for one in self.controls:
            if (text := query.get(f"{self.key}.{one.name}")) is not None:
                try:
                    values[one.name] = chosen(one, text)
                except UsageError:
                    if not typed:
                        raise
                    values[one.name] = text
        return values

    def given(self, query: Mapping[str, str], typed: bool = False) -> dict[str, Any]:
        """Return those values that differ from their defaults."""
        defaults = {one.name: one.default for one in self.controls}
        return {name: value for name, value in self.values(query, typed).items() if value != defaults[name]}


def parts(first: Scene, *units: str) -> list[Part]:
    """Return the parts of the controls: where units stand, how they fight, rules, and the card of each of `units`."""
    game, cards = first.game, first.game.cards
    title = "Lists, and how they fight" if game.ruleset.has_battles else "How they fight"
    return [
        Part("at", "Where they stand", of_model(game.ruleset.Moment), first.situation),
        Part("fight", title, of_fight(first), fight_of(first)),
        Part("rule", "Rules", of_rules(game), first.variant),
        *(
            Part(unit, f"What if: the card of {side}", of_card(cards[unit], cards.tables[unit]), {})
            for side, unit in zip("ab", units, strict=False)
        ),
    ]


def asked(first: Scene, given: Mapping[str, Mapping[str, Any]], **where: Any) -> Scene:
    """Return the scene that controls ask for.

    Parameters
    ----------
    first : Scene
        The scene to begin with.
    given : mapping of str to mapping
        By the keys of `parts`, the values that differ from the defaults; all others are of cards, by their ids.
    **where
        The units and their distance.

    Raises
    ------
    UsageError
        It can't be; what is wrong is so said once, not in each view.
    """
    cards = {unit: values for unit, values in given.items() if unit not in ("at", "fight", "rule")}
    changes = tuple(one for unit, values in cards.items() for one in what_ifs(unit, values))
    how = fought(first, given["fight"])
    scene = first.with_(situation=given["at"], variant=given["rule"], changes=changes, **how, **where)
    return scene.checked("shot", "lists")


def of_model(model: type[BaseModel]) -> list[Control]:
    """Return the controls of all fields with a default of a situation, a moment or rule switches."""
    schema = model.model_json_schema()
    controls = (
        _leaf(name, field, field["default"], True) for name, field in schema["properties"].items() if "default" in field
    )
    return [control for control in controls if control is not None]


def of_rules(game: Game) -> list[Control]:
    """Return the controls of the rule switches; each begins at the game's value."""
    own = game.variant.model_dump()
    return [control._replace(default=own[control.name]) for control in of_model(game.ruleset.Variant)]


def of_card(card: BaseModel, table: Mapping[str, Any]) -> list[Control]:
    """Return the controls of those fields of a card that rules read.

    Parameters
    ----------
    card : BaseModel
        The card.
    table : mapping
        The same card as it stands in its file.
    """
    schema = type(card).model_json_schema(by_alias=True)
    given = flatten(table)

    def walk(part: Mapping[str, Any], at: Any, path: str, needed: bool) -> Iterator[Control]:
        part = _alternative(schema, part, at)
        if "properties" in part:
            required = part.get("required", ())
            for name, field in part["properties"].items():
                if path or name not in HIDDEN:
                    inner = at.get(name) if isinstance(at, Mapping) else None
                    always = name in required or field.get("default") is not None
                    yield from walk(field, inner, f"{path}.{name}" if path else name, always)
        elif isinstance(at, list) and at and isinstance(at[0], Mapping):
            items = next(one["items"] for one in part.get("anyOf", (part,)) if "items" in one)
            for index, item in enumerate(at):
                yield from walk(items, item, f"{path}.{index}", True)
        else:
            control = _leaf(path, part, given.get(path, part.get("default")), needed)
            if control is not None:
                yield control

    # In the order of the card's file; fields that don't stand in it come last.
    order = {field: place for place, field in enumerate(table)}
    controls = walk(schema, table, "", True)
    return sorted(controls, key=lambda control: order.get(control.name.partition(".")[0], len(order)))


def of_fight(scene: Scene) -> list[Control]:
    """Return the controls of how the units of a scene fight; `fight_of` and `fought` say what their values mean."""
    rules = scene.game.ruleset
    found = []
    if rules.has_battles:
        units = "units in battle, such as 3 Tiger I, 2 de_pz4h; empty: as many of {} as cost about the same"
        found += [Control(f"list_{side}", "list", "", meaning=units.format(side)) for side in "ab"]
    names = tuple(name.removesuffix(":X") for name in rules.postures)
    for side in "ab" if len(names) > 1 else "":
        to = ", ".join(name for name in rules.postures if name not in names)
        found.append(Control(f"posture_{side}", "choice", names[0], names, meaning="what it does in a duel"))
        found.append(Control(f"posture_{side}_to", "number", 6, (), 0, 1000, f"the distance X of {to}"))
    if not rules.fight.simultaneous:
        movers = ("roll_off", "a", "b")
        found.append(Control("first", "choice", "roll_off", movers, meaning="who has the first turn of a duel"))
    undecided = "a duel that is undecided after this many is a draw; 0: to the end"
    found.append(Control("rounds", "whole", 0, (), 0, 1000, undecided))
    if rules.limits_actions:
        shared = "actions of a side's turn in a battle, which it shares among its units"
        found.append(Control("actions", "whole", type(scene).actions, (), 1, 1000, shared))
    if scene.has_faces:
        by_chance = "faces in a battle: fronts, sides and rears by chance, as units turn and flank"
        found.append(Control("mixed", "flag", False, meaning=by_chance))
    return found


def fight_of(scene: Scene) -> dict[str, Any]:
    """Return the values of the controls of `of_fight` that describe a scene."""
    values = {control.name: getattr(scene, control.name, None) for control in of_fight(scene)}
    values = {name: value for name, value in values.items() if value is not None}
    for side in "ab":
        name, takes, to = str(getattr(scene, f"posture_{side}")).partition(":")
        values |= {f"posture_{side}": name} | ({f"posture_{side}_to": float(to)} if takes else {})
    return values


def fought(scene: Scene, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the attributes of a scene that the controls of `of_fight` set; `given` differ from their defaults."""
    controls = {control.name: control for control in of_fight(scene)}
    values = {name: given.get(name, control.default) for name, control in controls.items()}
    values = {name: value or None if controls[name].kind == "whole" else value for name, value in values.items()}
    for side in "ab" if "posture_a" in values else "":
        name, to = values[f"posture_{side}"], values.pop(f"posture_{side}_to")
        values[f"posture_{side}"] = f"{name}:{to:g}" if f"{name}:X" in scene.game.ruleset.postures else name
    return values


def presets(game: Game) -> dict[str, dict[str, Any]]:
    """Return by name the switches that each preset sets otherwise than the game does; the game's own come first."""
    own, rules = game.variant.model_dump(), game.ruleset
    found = {
        name: {key: value for key, value in preset(rules, name).items() if value != own[key]} for name in rules.presets
    }
    unchanged = next((name for name, switches in found.items() if not switches), AS_GIVEN)
    return {unchanged: {}} | {name: switches for name, switches in found.items() if switches}


def what_ifs(unit: str, values: Mapping[str, Any]) -> tuple[str, ...]:
    """Return what-ifs that set these fields of a card, as ``id.field=value``; None takes a field away."""
    return tuple(f"{unit}.{name}={'false' if value is None else json.dumps(value)}" for name, value in values.items())


def read(control: Control, text: str) -> Any:
    """Return the value that was typed into a control of kind ``text``, ``whole`` or ``number``.

    Parameters
    ----------
    control : Control
        The control.
    text : str
        A number, or numbers with commas between them.

    Returns
    -------
    int, float, list or None
        If nothing was typed into a text, None; an empty list where there was one.

    Raises
    ------
    UsageError
        The text is neither a number nor a list of numbers, or no number where one is needed.
    """
    words, several = text.strip(), control.kind == "text"
    if several and (not words or words == NONE):
        return control.default if control.default == [] else None
    value = literal(f"[{words}]" if several and (isinstance(control.default, list) or "," in words) else words)
    numbers = value if several and isinstance(value, list) else [value]
    if not all(isinstance(number, (int, float)) and not isinstance(number, bool) for number in numbers):
        expected = f"a number{', numbers with commas, or nothing' * several}"
        raise UsageError(f"{control.label}: found {shown(text)}, expected {expected}")
    return value


def chosen(control: Control, text: str) -> Any:
    """Return the value that a text stands for, as `as_text` writes it, in a control of any kind.

    Parameters
    ----------
    control : Control
        The control.
    text : str
        What a form in a browser sends.

    Raises
    ------
    UsageError
        The control has no such choice, or the text is no number.
    """
    if control.kind in ("choice", "flag"):
        values = {as_text(value): value for value in (control.choices or (False, True))}
        check_word(control.label, text, values)
        return values[text]
    return text.strip() if control.kind == "list" else read(control, text)


def as_text(value: Any) -> str:
    """Return the text of a value in a form: as `read` takes it, of a choice its name."""
    if value is None or isinstance(value, str):
        return value or ""
    return json.dumps(value).strip("[]")


def _alternative(schema: Mapping[str, Any], part: Mapping[str, Any], at: Any) -> Mapping[str, Any]:
    """Return a part of a schema with its reference followed; of several kinds of tables, the one that `at` is of."""
    if "$ref" in part:
        named: Mapping[str, Any] = schema["$defs"][part["$ref"].rpartition("/")[2]]
        return _alternative(schema, named, at)
    tables = [_alternative(schema, one, at) for one in (*part.get("oneOf", ()), *part.get("anyOf", ()))]
    for table in tables:
        fields = table.get("properties", {})
        tags = {name: field["const"] for name, field in fields.items() if isinstance(field.get("const"), str)}
        if fields and isinstance(at, Mapping) and all(at.get(name, tag) == tag for name, tag in tags.items()):
            return table
    return part


def _leaf(name: str, field: Mapping[str, Any], value: Any, needed: bool) -> Control | None:
    """Return the control of a field without fields of its own; None if it holds words, or leaves no choice.

    A number that isn't `needed` may be left out, so that it gets a text field.
    """
    parts = field.get("anyOf", [field])
    meaning = field.get("description", "")
    optional = any(part.get("type") == "null" for part in parts)
    enumerated = [
        one for part in parts for one in (*part.get("enum", ()), *((part["const"],) if "const" in part else ()))
    ]
    if len(enumerated) == 1 and enumerated[0] is True:  # a flag that can't be false: it is there, or not
        return Control(name, "flag", bool(value), meaning=meaning)
    if enumerated:
        choices = (*enumerated, *((None,) if optional else ()))
        return Control(name, "choice", value, choices, meaning=meaning) if len(choices) > 1 else None
    kinds = [part.get("type") for part in parts]
    if "boolean" in kinds:
        return Control(name, "flag", bool(value), meaning=meaning)
    lists = [part for part in parts if part.get("type") == "array" and part.get("items", {}).get("type") == "integer"]
    if lists:
        return Control(name, "text", list(value or ()), meaning=meaning)
    numbers = [part for part in parts if part.get("type") in ("integer", "number")]
    if not numbers or not all(kind in ("integer", "number", "null") for kind in kinds):
        return None
    if optional or not needed or value is None:
        return Control(name, "text", value, meaning=meaning)
    broken = [part for part in numbers if part["type"] == "number"]
    bounds = (broken or numbers)[0]
    low, high = bounds.get("minimum", bounds.get("exclusiveMinimum", 0)), bounds.get("maximum", 1000)
    return Control(name, "number" if broken else "whole", value, (), low, high, meaning)
