"""Widgets for single values and units: a form that knows which of its values differ from their defaults."""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import ipywidgets as widgets

from aabalance.explorer.controls import ALIKE, NONE, Control, Part, as_text, read

CHOICES_FIRST = ("list", "choice", "flag", "whole", "number", "text")
NUMBERS_FIRST = ("whole", "number", "choice", "text", "flag")
"""Orders in which a form shows its fields, by their kinds."""
WIDE, ROW, HALF = "auto", "calc(100% - 6px)", "calc(50% - 6px)"
MOST_IN_HALF = 16
"""Letters that half of a row has room for."""
NAMED, LISTED = {"description_width": "56%"}, {"description_width": "40px"}
NOTHING = ""
"""Value of a drop-down list's option for None: front ends show no option at all if the value is None itself."""


def named(label: str, meaning: str = "") -> dict[str, Any]:
    """Return arguments for a widget: its name, and what it means, which shows on hovering.

    The meaning is put into the name as HTML, since front ends show a widget's own tooltip for few kinds of widgets.
    """
    name = html.escape(label)
    if meaning:
        name = f'<span title="{html.escape(meaning)}">{name}</span>'
    return {"description": name, "description_allow_html": True, "tooltip": ""}


def field(control: Control) -> Any:
    """Return the widget of a control, set to the control's default."""
    name = named(control.label, control.meaning)
    common: dict[str, Any] = {**name, "style": NAMED, "layout": widgets.Layout(width=ROW)}
    if control.kind == "choice":
        options = [
            (NONE, NOTHING) if value is None else (str(value).replace("_", " "), value) for value in control.choices
        ]
        return widgets.Dropdown(options=options, value=_held(control, control.default), **common)
    if control.kind == "flag":
        layout = widgets.Layout(width=HALF if len(control.label) <= MOST_IN_HALF else ROW)
        return widgets.Checkbox(value=control.default, indent=False, layout=layout, **name)
    if control.kind == "list":
        one = widgets.Text(value=control.default, placeholder=ALIKE, continuous_update=False, **common)
        one.style = LISTED
        return one
    if control.kind == "text":
        return widgets.Text(value=_held(control, control.default), placeholder=NONE, continuous_update=False, **common)
    number = widgets.BoundedIntText if control.kind == "whole" else widgets.BoundedFloatText
    return number(value=control.default, min=control.low, max=control.high, **common)


def choice(label: str, meaning: str, options: Sequence[Any], value: Any) -> Any:
    """Return a list to choose one option from.

    Parameters
    ----------
    label, meaning : str
        As for `named`.
    options : sequence
        The values, or pairs of a name and a value.
    value : object
        The one to begin with.
    """
    layout = widgets.Layout(width=WIDE)
    return widgets.Dropdown(options=options, value=value, style=NAMED, layout=layout, **named(label, meaning))


def check(label: str, meaning: str, on: bool) -> Any:
    """Return a check box; parameters as for `named`, and whether it begins checked."""
    return widgets.Checkbox(value=on, indent=False, layout=widgets.Layout(width=WIDE), **named(label, meaning))


def _held(control: Control, value: Any) -> Any:
    """Return the form in which the widget of a control holds a value."""
    if control.kind == "text":
        return as_text(value)
    return NOTHING if value is None else value


class Form(widgets.Box):  # type: ignore[misc]
    """A form with a widget for each of some controls.

    Parameters
    ----------
    part : Part
        The controls, and the values to begin with.
    changed : callable
        Called after each change.
    order : sequence of str
        Kinds of controls, in the order in which they are shown.
    """

    def __init__(self, part: Part, changed: Callable[[], None], order: Sequence[str] = CHOICES_FIRST) -> None:
        self.controls = sorted(part.controls, key=lambda control: order.index(control.kind))
        self.fields = {control.name: field(control) for control in self.controls}
        self._call, self._quiet = changed, False
        self._put(part.begins)
        for one in self.fields.values():
            one.observe(self._changed, names="value")
        layout = widgets.Layout(display="flex", flex_flow="row wrap", width=WIDE)
        super().__init__(list(self.fields.values()), layout=layout)

    def given(self) -> dict[str, Any]:
        """Return the values that differ from their defaults, by name.

        Raises
        ------
        UsageError
            A text is neither a number nor a list of numbers.
        """
        values = {}
        for control in self.controls:
            value = self.fields[control.name].value
            if control.kind == "text":
                value = read(control, value)
            elif control.kind == "choice" and value == NOTHING:
                value = None
            if value != control.default:
                values[control.name] = value
        return values

    def set(self, values: Mapping[str, Any]) -> None:
        """Set the fields to these values, all others to their defaults, as one change."""
        self._quiet = True
        try:
            self._put(values)
        finally:
            self._quiet = False
        self._call()

    def _put(self, values: Mapping[str, Any]) -> None:
        for control in self.controls:
            self.fields[control.name].value = _held(control, values.get(control.name, control.default))

    def _changed(self, _: Any) -> None:
        if not self._quiet:
            self._call()


class Picker(widgets.VBox):  # type: ignore[misc]
    """A list of units to choose one from by its name, with filters by nation and years where cards have these.

    Parameters
    ----------
    cards : mapping of str to card
        The units, by id.
    unit : str
        Id of the unit to begin with.
    title : str
        HTML that stands above the list.
    changed : callable
        Called when another unit is chosen.
    """

    def __init__(self, cards: Mapping[str, Any], unit: str, title: str, changed: Callable[[], None]) -> None:
        self._cards, self._call, self._quiet = cards, changed, False
        nations = sorted({nation for card in cards.values() if (nation := getattr(card, "nation", None))})
        years = [year for card in cards.values() if (year := getattr(card, "year", None))]
        layout = widgets.Layout(width=WIDE)
        self.unit = widgets.Dropdown(layout=layout)
        self.nation = widgets.Dropdown(
            options=[("all nations", ""), *((name, name) for name in nations)], layout=widgets.Layout(width="120px")
        )
        low, high = (min(years), max(years)) if years else (0, 0)
        self.years = widgets.IntRangeSlider(
            value=(low, high), min=low, max=high, continuous_update=False, layout=layout,
            style={"description_width": "40px"}, **named("years", "those in service first in these years are listed"),
        )  # fmt: skip
        self._list(unit)
        for one in (self.nation, self.years):
            one.observe(self._filtered, names="value")
        self.unit.observe(self._chosen, names="value")
        head = widgets.HBox(
            [widgets.HTML(title), *([self.nation] if len(nations) > 1 else [])],
            layout=widgets.Layout(justify_content="space-between"),
        )
        super().__init__([head, *([self.years] if low < high else []), self.unit], layout=layout)

    @property
    def value(self) -> str:
        """The id of the chosen unit."""
        chosen: str = self.unit.value
        return chosen

    def _list(self, unit: str) -> None:
        """List the units that pass the filters, and the chosen one in any case."""
        shown = [one for one in self._cards if one == unit or self._passes(self._cards[one])]
        names = [self._cards[one].name for one in shown]
        options = [
            (name if names.count(name) == 1 else f"{name} ({one})", one) for name, one in zip(names, shown, strict=True)
        ]
        self._quiet = True
        try:
            self.unit.options = sorted(options, key=lambda option: option[0].casefold())
            self.unit.value = unit
        finally:
            self._quiet = False

    def _passes(self, card: Any) -> bool:
        year = getattr(card, "year", None)
        first, last = self.years.value
        return (self.nation.value in ("", getattr(card, "nation", None))) and (not year or first <= year <= last)

    def _filtered(self, _: Any) -> None:
        self._list(self.unit.value)

    def _chosen(self, _: Any) -> None:
        if not self._quiet:
            self._call()
