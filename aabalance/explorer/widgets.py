"""The explorer in a notebook: controls on the left, answers on the right.

It turns what the controls hold into a scene (`scene`), and shows the scene's views (`views`).
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any

import ipywidgets as widgets

from aabalance.explorer import views
from aabalance.explorer.controls import asked, parts, presets
from aabalance.explorer.fields import NUMBERS_FIRST, WIDE, Form, Picker, check, choice, named
from aabalance.explorer.scene import Scene

BY_HAND = "by hand"
"""Option of the list of presets for switches that are no preset."""
WIDE_VIEWS = ("shot", "duel", "worth")
PAUSE_S = 0.2
"""Time without a change of controls before slow views are begun."""
FIRST_TIME = "is being worked out; the first time on a machine, compiling takes a minute"
NEEDS = (
    "needs a front end with widgets, JupyterLab 4 or Notebook 7 (pip install 'aabalance[notebook]'); "
    "without one, ask .scene for its shot, duel, curves, battle and worth"
)


class Explorer(widgets.HBox):  # type: ignore[misc]
    """Controls for two units, where they stand and how they fight, with answers that follow the controls.

    Quick views are shown at once. Slow ones, such as battles and worth, follow from a thread, and are greyed until they
    answer the present question; answers to earlier questions are dropped. The thread does nothing but write to widgets,
    which every front end allows at any time.

    Parameters
    ----------
    scene : Scene
        The scene to begin with.

    Attributes
    ----------
    scene : Scene
        The scene that is shown.
    a, b, other : Picker
        Choices of the two units, and of the one that is compared in place of a.
    range_in : FloatSlider
        The distance.
    situation, rules : Form
        Values of the situation, and rule switches.
    cards : dict of str to Form
        The edited cards, by id.
    fight : Form
        How they fight.
    compare, preset : Dropdown
    explain_shot, explain_duel, who_gains : Checkbox
        The controls of these names.
    panels : dict of str to HTML
        The answers, by the names of `views.views`, and `code`, `card_a` and `card_b`, which are there to be copied.
    """

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self._game, self._first = scene.game, scene
        self._question, self._lock = 0, threading.Lock()
        self._thread: threading.Thread | None = None
        self._latest: dict[str, str] = {}
        self._views = views.views(scene)
        self._busy = {name: threading.Lock() for name in self._views}
        self._make_controls(scene)
        self.panels = {
            name: widgets.HTML(layout=widgets.Layout(flex="1 1 100%" if name in WIDE_VIEWS else "1 1 320px"))
            for name in self._views
        }
        self.panels |= {name: widgets.HTML() for name in views.TO_COPY}
        self._status = widgets.HTML()
        answers = [widgets.HTML(views.STYLE), self._status, *(self.panels[name] for name in self._views)]
        wrapped = widgets.Layout(flex="1 1 0", flex_flow="row wrap", align_content="flex-start", grid_gap="8px 24px")
        right = widgets.Box([*answers, self._to_copy()], layout=wrapped)
        left = widgets.VBox(self._left(), layout=widgets.Layout(width="340px", flex="0 0 340px", margin="0 18px 0 0"))
        left.add_class("aab-controls")
        super().__init__([left, right])
        self._show_cards()
        self._ask()

    def __repr__(self) -> str:
        return f"<the explorer of {self._game.ruleset.labels.title} {NEEDS}>"

    def settle(self, timeout: float | None = None) -> None:
        """Wait until slow views are shown, for `timeout` seconds at most."""
        if self._thread is not None:
            self._thread.join(timeout)

    @property
    def refused(self) -> bool:
        """Whether the controls ask for something that can't be, so that the answers are still those of before."""
        return bool(self._status.value)

    # --- controls

    def _make_controls(self, scene: Scene) -> None:
        game, rules = self._game, self._game.ruleset
        self.a = Picker(game.cards, scene.a, "<b>a</b>, the attacker", self._units_changed)
        self.b = Picker(game.cards, scene.b, "<b>b</b>, its target", self._units_changed)
        self.other = Picker(game.cards, scene.a, "<b>in place of a</b>", self._ask)
        (low, high), whole = scene.distances, rules.labels.length.whole
        self.range_in = widgets.FloatSlider(
            value=scene.range_in, min=low, max=high, step=1 if whole else 0.5, readout_format="d" if whole else ".1f",
            style={"description_width": "52px"}, layout=widgets.Layout(width=WIDE),
            **named(rules.labels.length.name, "how far apart the two are"),
        )  # fmt: skip
        at, fight, rule, *of_cards = parts(scene, scene.a, scene.b)
        self.situation, self.fight = Form(at, self._ask), Form(fight, self._ask)
        self.rules = Form(rule, self._rules_changed)
        self._titles = [part.title for part in (at, fight, rule, *of_cards)]
        self._presets = presets(game)
        self.preset = choice(
            "preset",
            "sets several switches at once; 'by hand': the switches below are no preset",
            [(name.replace("_", " "), name) for name in (*self._presets, BY_HAND)],
            self._preset_set(),
        )
        self.compare = choice("compare", "with what the answers are compared", views.COMPARE, views.CHANGES)
        self.explain_shot = check("explain the shot", "what is rolled, step by step, and by which rule", True)
        self.explain_duel = check("explain the duel: who does what", "turn by turn, and by which rule", False)
        self.who_gains = check(
            "who gains, of all units (takes longer)", "by the rules and cards that you change", False
        )
        self.cards: dict[str, Form] = {}
        self._reset = widgets.Button(description="take what-ifs back", layout=widgets.Layout(width=WIDE))
        self._reset.on_click(lambda _: self._take_back())
        for one in (self.range_in, self.explain_shot, self.explain_duel, self.who_gains):
            one.observe(lambda _: self._ask(), names="value")
        self.compare.observe(lambda _: self._compare_changed(), names="value")
        self.preset.observe(lambda _: self._preset_chosen(), names="value")

    def _left(self) -> list[Any]:
        """Return the controls in their order; the game's unused ones are left out."""
        rules = self._game.ruleset
        self._edits = (widgets.VBox(), widgets.VBox())
        switches = widgets.VBox([*([self.preset] if len(self._presets) > 1 else []), self.rules])
        shown = [self.situation, self.fight, switches, *self._edits]
        accordion = widgets.Accordion(shown, titles=tuple(self._titles))
        self.other.layout.display = "none"
        answers = [self.explain_shot, self.explain_duel, *([self.who_gains] if rules.limits_actions else [])]
        return [self.a, self.b, self.range_in, accordion, self._reset, self.compare, self.other, *answers]

    def _to_copy(self) -> Any:
        panels = [self.panels[name] for name in views.TO_COPY]
        titles = tuple(title for title, _ in views.TO_COPY.values())
        return widgets.Accordion(panels, titles=titles, layout=widgets.Layout(margin="12px 0 0 0", flex="1 1 100%"))

    def _show_cards(self) -> None:
        """Show the forms of both units' cards, for what-ifs."""
        for box, unit in zip(self._edits, (self.a.value, self.b.value), strict=True):
            box.children = (self.form(unit),)

    def form(self, unit: str) -> Form:
        """Return the form in which a unit's card is changed."""
        if unit not in self.cards:
            self.cards[unit] = Form(parts(self._first, unit)[-1], self._ask, NUMBERS_FIRST)
        return self.cards[unit]

    def _take_back(self) -> None:
        for form in self.cards.values():
            form.set({})

    def _units_changed(self) -> None:
        self._show_cards()
        self._ask()

    def _compare_changed(self) -> None:
        self.other.layout.display = "" if self.compare.value == views.OTHER else "none"
        self._ask()

    def _preset_set(self) -> str:
        """Return the name of the preset that the switches agree with, or `BY_HAND`."""
        given = self.rules.given()
        return next((name for name, switches in self._presets.items() if switches == given), BY_HAND)

    def _rules_changed(self) -> None:
        self.preset.value = self._preset_set()
        self._ask()

    def _preset_chosen(self) -> None:
        if self.preset.value not in (BY_HAND, self._preset_set()):
            self.rules.set(self._presets[self.preset.value])

    # --- answers

    def _asked(self) -> Scene:
        """Return the scene that the controls ask for."""
        forms = {"at": self.situation, "fight": self.fight, "rule": self.rules, **self.cards}
        given = {key: form.given() for key, form in forms.items()}
        return asked(self._first, given, a=self.a.value, b=self.b.value, range_in=float(self.range_in.value))

    def _shown(self) -> dict[str, views.View]:
        """Return the views that are shown, by name."""
        return {name: view for name, view in self._views.items() if view.always or self.who_gains.value}

    def _ask(self) -> None:
        """Answer what the controls ask: quick views at once, the rest from a thread."""
        try:
            scene = self._asked()
            copied = {name: text(scene) for name, (_, text) in views.TO_COPY.items()}
        except Exception as error:  # of whatever kind: the answers stay, and the controls go on working
            self._status.value = views.framed(views.wrong(error))
            return
        shown = self._shown()
        with self._lock:
            self._question += 1
            number, self.scene = self._question, scene
            for name, view in self._views.items():
                if name not in shown:
                    self.panels[name].value = ""
                elif not view.quick:
                    self.panels[name].value = views.framed(
                        self._latest.get(name, f"<h2>{view.title}</h2>{FIRST_TIME}"), stale=True
                    )
        self._status.value = ""
        scenes = views.compared(scene, self.compare.value, self.other.value)
        explained = {"shot": self.explain_shot.value, "duel": self.explain_duel.value}
        for name, view in shown.items():
            if view.quick:
                self.panels[name].value = views.framed(views.shown(view, scenes, explained.get(name, False)))
        for name, text in copied.items():
            self.panels[name].value = views.to_copy(text)
        self._thread = threading.Thread(target=self._show_slow, args=(number, scenes, shown), daemon=True)
        self._thread.start()

    def _show_slow(self, number: int, scenes: views.Scenes, shown: Mapping[str, views.View]) -> None:
        """Work out slow views unless the controls were changed meanwhile; each view in one thread at a time."""
        threading.Event().wait(PAUSE_S)
        for name, view in shown.items():
            if view.quick:
                continue
            with self._busy[name]:
                if number != self._question:
                    return
                inside = views.shown(view, scenes, why=False)
            with self._lock:
                if number == self._question:
                    self._latest[name] = inside
                    self.panels[name].value = views.framed(inside)
