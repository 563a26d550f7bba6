"""The explorer in a notebook: controls on the left, answers on the right. It is thin: `scene` has what is asked."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any

import ipywidgets as widgets

from aabalance.explorer import views
from aabalance.explorer.controls import of_card, of_model
from aabalance.explorer.fields import NAMED, NUMBERS_FIRST, WIDE, Form, Picker, Posture, named, what_ifs
from aabalance.explorer.scene import Scene, ranges_of
from aabalance.rulesets.base import HOLD

CHANGES, OTHER, NOTHING = "what I change", "another unit", "nothing"
AS_GIVEN, BY_HAND = "as given", "by hand"
WIDE_PARTS = ("shot", "duel")
PAUSE_S = 0.2
"""Time without a change after which what takes long is begun."""
FIRST_TIME = "is being worked out; the first time on a machine, compiling takes a minute"
NEEDS = (
    "needs a front end with widgets, JupyterLab 4 or Notebook 7 (pip install 'aabalance[notebook]'); "
    "without one, ask .scene for its shot, duel, curves, battle and worth"
)


class Explorer(widgets.HBox):  # type: ignore[misc]
    """Two units, where they stand and how they fight: answers that follow the controls.

    What is quick is shown at once; battles and worth follow from a thread, greyed until they are those of what is
    asked, and so does who gains by a change of rules or cards where that is asked for. The thread writes to widgets
    alone, which every front end takes at any time, and a state that is no longer asked for is dropped.

    Parameters
    ----------
    scene : Scene
        To begin with.

    Attributes
    ----------
    scene : Scene
        What is shown.
    a, b, other : Picker
    range_in : FloatSlider
    situation, rules : Form
    cards : dict of str to Form
        The edited cards, by id.
    posture_a, posture_b : Posture
    compare, first, preset, mixed : Dropdown
    explain_shot, explain_duel, who_gains : Checkbox
    rounds, actions, copies_a, copies_b : BoundedIntText
    panels : dict of str to HTML
        What is shown, by the names of `views.views`; `code`, `card_a` and `card_b` to copy.
    """

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self._game, self._first = scene.game, scene
        self._number, self._told = 0, threading.Lock()
        self._thread: threading.Thread | None = None
        self._inside: dict[str, str] = {}
        self._views = views.views(scene)
        self._busy = {name: threading.Lock() for name in self._views}
        self._make_controls(scene)
        self.panels = {
            name: widgets.HTML(layout=widgets.Layout(flex="1 1 100%" if name in WIDE_PARTS else "1 1 320px"))
            for name in self._views
        }
        self.panels |= {name: widgets.HTML() for name in ("code", "card_a", "card_b")}
        self._status = widgets.HTML()
        answers = [widgets.HTML(views.STYLE), self._status, *(self.panels[name] for name in self._views)]
        wrapped = widgets.Layout(flex="1 1 0", flex_flow="row wrap", align_content="flex-start", grid_gap="8px 24px")
        right = widgets.Box([*answers, self._to_copy()], layout=wrapped)
        left = widgets.VBox(self._left(), layout=widgets.Layout(width="340px", flex="0 0 340px", margin="0 18px 0 0"))
        left.add_class("aab-controls")
        super().__init__([left, right])
        self._edit()
        self._ask()

    def __repr__(self) -> str:
        return f"<the explorer of {self._game.ruleset.labels.title} {NEEDS}>"

    def settle(self, timeout: float | None = None) -> None:
        """Wait until what takes long is shown, for `timeout` seconds at most."""
        if self._thread is not None:
            self._thread.join(timeout)

    @property
    def refused(self) -> bool:
        """Whether the controls say something that can't be, so that what is shown is what was asked before."""
        return bool(self._status.value)

    # --- controls

    def _make_controls(self, scene: Scene) -> None:
        game, rules = self._game, self._game.ruleset
        cards = {unit: game.cards[unit] for unit in game.cards}
        self.a = Picker(cards, scene.a, "<b>a</b>, the attacker", self._units)
        self.b = Picker(cards, scene.b, "<b>b</b>, its target", self._units)
        self.other = Picker(cards, scene.a, "<b>in place of a</b>", self._ask)
        ranges, whole = ranges_of(game), rules.labels.length.whole
        self.range_in = widgets.FloatSlider(
            value=scene.range_in, min=min(ranges.start, scene.range_in), max=max(ranges.stop - 1, scene.range_in),
            step=1 if whole else 0.5, readout_format="d" if whole else ".1f",
            style={"description_width": "52px"}, layout=widgets.Layout(width=WIDE),
            **named(rules.labels.length.name, "how far apart the two are"),
        )  # fmt: skip
        self.situation = Form(of_model(rules.Moment), self._ask, scene.situation)
        usual = game.variant.model_dump()
        switches = [control._replace(default=usual[control.name]) for control in of_model(rules.Variant)]
        self.rules = Form(switches, self._ruled, scene.variant)
        narrow: dict[str, Any] = {"style": NAMED, "layout": widgets.Layout(width=WIDE)}
        self._presets = self._switches_of_presets(usual)
        self.preset = widgets.Dropdown(
            options=[(name.replace("_", " "), name) for name in (*self._presets, BY_HAND)], value=self._preset_set(),
            **narrow, **named("preset", "several switches at once; one that is changed below is by hand"),
        )  # fmt: skip
        self.posture_a = Posture(rules.postures, scene.posture_a, "a does", self._ask)
        self.posture_b = Posture(rules.postures, scene.posture_b, "b does", self._ask)
        self.first = widgets.Dropdown(
            options=[(each.replace("_", " "), each) for each in ("roll_off", "a", "b")], value=scene.first,
            **narrow, **named("first turn", "of a duel"),
        )  # fmt: skip
        self.rounds = widgets.BoundedIntText(
            value=scene.rounds or 0, min=0, max=1000,
            **narrow, **named("rounds (0: to the end)", "a duel that goes on after so many is a draw"),
        )  # fmt: skip
        self.actions = widgets.BoundedIntText(
            value=scene.actions, min=1, max=1000,
            **narrow, **named("actions a turn, in battles", "which a side shares among its units"),
        )  # fmt: skip
        self.copies_a, self.copies_b = (
            widgets.BoundedIntText(
                value=copies or 0,
                min=0,
                max=12,
                **narrow,
                **named(f"{side} in battle (0: by cost)", "how many; by cost: so that both sides cost alike"),
            )
            for side, copies in (("a", scene.copies_a), ("b", scene.copies_b))
        )
        self.mixed = widgets.Dropdown(
            options=[("as they stand", False), ("mixed", True)], value=scene.mixed,
            **narrow, **named("faces, in battle", "mixed: fronts, sides and rears by chance, as units turn and flank"),
        )  # fmt: skip
        self.compare = widgets.Dropdown(
            options=[CHANGES, OTHER, NOTHING], **narrow, **named("compare", "what stands beside what")
        )
        self.explain_shot, self.explain_duel, self.who_gains = (
            widgets.Checkbox(value=on, indent=False, layout=widgets.Layout(width=WIDE), **named(*said))
            for on, *said in (
                (True, "explain the shot", "what is rolled, step by step, and by which rule"),
                (False, "explain the duel: who does what", "turn by turn, and by which rule"),
                (False, "who gains, of all units (takes longer)", "by the rules and cards that you change"),
            )
        )
        self.cards: dict[str, Form] = {}
        self._reset = widgets.Button(description="take what-ifs back", layout=widgets.Layout(width=WIDE))
        self._reset.on_click(lambda _: self._as_they_are())
        for one in (
            self.copies_a,
            self.copies_b,
            self.mixed,
            self.range_in,
            self.first,
            self.rounds,
            self.actions,
            self.explain_shot,
            self.explain_duel,
            self.who_gains,
        ):
            one.observe(lambda _: self._ask(), names="value")
        self.compare.observe(lambda _: self._compared(), names="value")
        self.preset.observe(lambda _: self._by_preset(), names="value")

    def _left(self) -> list[Any]:
        rules = self._game.ruleset
        holding = [] if rules.postures == (HOLD,) else [self.posture_a, self.posture_b]
        battles = [self.copies_a, self.copies_b] if self.scene.has_battles else []
        battles += [self.actions] if rules.limits_actions else []
        battles += [self.mixed] if self.scene.has_faces else []
        self._edits = (widgets.VBox(), widgets.VBox())
        parts = {
            "Where they stand": self.situation,
            "How they fight": widgets.VBox([*holding, self.first, self.rounds, *battles]),
            "Rules": widgets.VBox([*([self.preset] if len(self._presets) > 1 else []), self.rules]),
            "Card of a: what if": self._edits[0],
            "Card of b: what if": self._edits[1],
        }
        accordion = widgets.Accordion(list(parts.values()), titles=tuple(parts), selected_index=0)
        self.other.layout.display = "none"
        return [
            self.a,
            self.b,
            self.range_in,
            accordion,
            self._reset,
            self.compare,
            self.other,
            self.explain_shot,
            self.explain_duel,
            *([self.who_gains] if self.scene.has_worth else []),
        ]

    def _to_copy(self) -> Any:
        titles = ("Copy as code", "Copy the card of a", "Copy the card of b")
        parts = [self.panels[name] for name in ("code", "card_a", "card_b")]
        return widgets.Accordion(parts, titles=titles, layout=widgets.Layout(margin="12px 0 0 0", flex="1 1 100%"))

    def _edit(self) -> None:
        """Show the cards of both units for what-ifs."""
        for box, unit in zip(self._edits, (self.a.value, self.b.value), strict=True):
            box.children = (self.form(unit),)

    def form(self, unit: str) -> Form:
        """Return the form of a card."""
        if unit not in self.cards:
            cards = self._game.cards
            self.cards[unit] = Form(of_card(cards[unit], cards.tables[unit]), self._ask, order=NUMBERS_FIRST)
        return self.cards[unit]

    def _as_they_are(self) -> None:
        for form in self.cards.values():
            form.set({})

    def _units(self) -> None:
        self._edit()
        self._ask()

    def _compared(self) -> None:
        self.other.layout.display = "" if self.compare.value == OTHER else "none"
        self._ask()

    def _switches_of_presets(self, usual: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
        """Return by name what each preset changes of the game's own rules; these come first."""
        from aabalance.play.settings import preset

        rules = self._game.ruleset
        found = {
            name: {key: value for key, value in preset(rules, name).items() if value != usual[key]}
            for name in rules.presets
        }
        own = next((name for name, switches in found.items() if not switches), AS_GIVEN)
        return {own: {}} | {name: switches for name, switches in found.items() if switches}

    def _preset_set(self) -> str:
        """Return the preset that the switches are those of."""
        given = self.rules.given()
        return next((name for name, switches in self._presets.items() if switches == given), BY_HAND)

    def _ruled(self) -> None:
        self.preset.value = self._preset_set()
        self._ask()

    def _by_preset(self) -> None:
        if self.preset.value not in (BY_HAND, self._preset_set()):
            self.rules.set(self._presets[self.preset.value])

    # --- answers

    def _asked(self) -> Scene:
        """Return the scene that the controls say."""
        changes = [one for unit, form in self.cards.items() for one in what_ifs(unit, form.given())]
        return self._first.with_(
            a=self.a.value, b=self.b.value, range_in=float(self.range_in.value), situation=self.situation.given(),
            posture_a=self.posture_a.value, posture_b=self.posture_b.value, first=self.first.value,
            rounds=self.rounds.value or None, actions=self.actions.value,
            copies_a=self.copies_a.value or None, copies_b=self.copies_b.value or None, variant=self.rules.given(),
            mixed=self.mixed.value, changes=tuple(changes),
        )  # fmt: skip

    def _scenes(self, scene: Scene) -> list[tuple[str, Scene]]:
        """Return what is shown beside each other."""
        if self.compare.value == OTHER:
            names = [scene.played.cards[unit].name for unit in (scene.a, self.other.value)]
            return list(zip(names, (scene, scene.with_(a=self.other.value)), strict=True))
        if self.compare.value == CHANGES and (scene.changes or scene.variant):
            return [("before", scene.with_(changes=(), variant={})), ("after", scene)]
        return [("", scene)]

    def _shown(self) -> dict[str, views.View]:
        """Return the parts that are asked for."""
        return {name: view for name, view in self._views.items() if view.usual or self.who_gains.value}

    def _why(self) -> dict[str, bool]:
        return dict.fromkeys(self._views, False) | {"shot": self.explain_shot.value, "duel": self.explain_duel.value}

    def _ask(self) -> None:
        """Answer what the controls ask: what is quick at once, the rest from a thread."""
        try:
            scene = self._asked()
            scene.played, scene.shot  # noqa: B018  what is wrong is said in one place
            copied = {"code": scene.code(), "card_a": scene.card(scene.a), "card_b": scene.card(scene.b)}
        except Exception as error:  # of whatever kind: what was shown stays, and the next change is heard
            self._status.value = views.framed(views.wrong(error))
            return
        shown = self._shown()
        with self._told:
            self._number += 1
            number, self.scene = self._number, scene
            for name, view in self._views.items():
                if name not in shown:
                    self.panels[name].value = ""
                elif not view.quick:
                    self.panels[name].value = views.framed(
                        self._inside.get(name, f"<h4>{view.title}</h4>{FIRST_TIME}"), stale=True
                    )
        self._status.value = ""
        scenes, why = self._scenes(scene), self._why()
        for name, view in shown.items():
            if view.quick:
                self.panels[name].value = views.framed(views.shown(view, scenes, why[name]))
        for name, words in copied.items():
            self.panels[name].value = views.to_copy(words)
        self._thread = threading.Thread(target=self._follow, args=(number, scenes, shown), daemon=True)
        self._thread.start()

    def _follow(self, number: int, scenes: list[tuple[str, Scene]], shown: Mapping[str, views.View]) -> None:
        """Work out what takes long, unless something else is asked by then: of each part one at a time."""
        threading.Event().wait(PAUSE_S)
        for name, view in shown.items():
            if view.quick:
                continue
            with self._busy[name]:
                if number != self._number:
                    return
                inside = views.shown(view, scenes, why=False)
            with self._told:
                if number == self._number:
                    self._inside[name] = inside
                    self.panels[name].value = views.framed(inside)
