"""The explorer in a notebook: controls on the left, answers on the right. It is thin: `scene` has what is asked."""

from __future__ import annotations

import threading
from typing import Any

import ipywidgets as widgets

from aabalance.errors import AabalanceError
from aabalance.explorer import views
from aabalance.explorer.controls import of_card, of_model
from aabalance.explorer.fields import NAMED, NUMBERS_FIRST, WIDE, Form, Picker, Posture, what_ifs
from aabalance.explorer.scene import Scene, ranges_of
from aabalance.rulesets.base import HOLD

CHANGES, OTHER, NOTHING = "what I change", "another unit", "nothing"
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
    asked. The thread writes to widgets alone, which every front end takes at any time, and a state that is no longer
    asked for is dropped.

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
    explain_shot, explain_duel : Checkbox
    rounds, actions, copies_a, copies_b : BoundedIntText
    panels : dict of str to HTML
        What is shown, by the names of `views.views`; `code`, `card_a` and `card_b` to copy.
    """

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self._game, self._first = scene.game, scene
        self._number, self._told = 0, threading.Lock()
        self._busy = threading.Lock()
        self._thread: threading.Thread | None = None
        self._inside: dict[str, str] = {}
        self._views = views.views(scene)
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
            step=1 if whole else 0.5, readout_format="d" if whole else ".1f", description=rules.labels.length.name,
            style={"description_width": "52px"}, layout=widgets.Layout(width=WIDE),
        )  # fmt: skip
        self.situation = Form(of_model(rules.Moment), self._ask, scene.situation)
        usual = game.variant.model_dump()
        switches = [control._replace(default=usual[control.name]) for control in of_model(rules.Variant)]
        self.rules = Form(switches, self._ask, scene.variant)
        self.preset = widgets.Dropdown(
            options=[("as given", None), *((name.replace("_", " "), name) for name in rules.presets)],
            description="preset", style=NAMED, layout=widgets.Layout(width=WIDE),
        )  # fmt: skip
        self.posture_a = Posture(rules.postures, scene.posture_a, "a", self._ask)
        self.posture_b = Posture(rules.postures, scene.posture_b, "b", self._ask)
        narrow: dict[str, Any] = {"style": NAMED, "layout": widgets.Layout(width=WIDE)}
        self.first = widgets.Dropdown(
            options=["roll_off", "a", "b"], value=scene.first, description="first turn", **narrow
        )
        self.rounds = widgets.BoundedIntText(
            value=scene.rounds or 0, min=0, max=1000, description="rounds (0: to the end)", **narrow
        )
        self.actions = widgets.BoundedIntText(
            value=scene.actions, min=1, max=1000, description="actions a turn, in battles", **narrow
        )
        self.copies_a, self.copies_b = (
            widgets.BoundedIntText(
                value=copies or 0, min=0, max=12, description=f"{side} in battle (0: by cost)", **narrow
            )
            for side, copies in (("a", scene.copies_a), ("b", scene.copies_b))
        )
        self.mixed = widgets.Dropdown(
            options=[("as they stand", False), ("mixed", True)],
            value=scene.mixed,
            description="faces, in battle",
            **narrow,
        )
        self.compare = widgets.Dropdown(options=[CHANGES, OTHER, NOTHING], description="compare", **narrow)
        self.explain_shot, self.explain_duel = (
            widgets.Checkbox(value=on, description=said, indent=False, layout=widgets.Layout(width=WIDE))
            for on, said in ((True, "explain the shot"), (False, "explain the duel: who does what"))
        )
        self.cards: dict[str, Form] = {}
        self._reset = widgets.Button(description="cards as they are", layout=widgets.Layout(width=WIDE))
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
            "Rules": widgets.VBox([*([self.preset] if len(rules.presets) > 1 else []), self.rules]),
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

    def _by_preset(self) -> None:
        from aabalance.play.settings import preset

        name = self.preset.value
        self.rules.set({} if name is None else preset(self._game.ruleset, name))

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

    def _why(self) -> dict[str, bool]:
        return dict.fromkeys(self._views, False) | {"shot": self.explain_shot.value, "duel": self.explain_duel.value}

    def _ask(self) -> None:
        """Answer what the controls ask: what is quick at once, the rest from a thread."""
        try:
            scene = self._asked()
            scene.played, scene.shot  # noqa: B018  what is wrong is said in one place
        except AabalanceError as error:
            self._status.value = views.framed(views.wrong(error))
            return
        with self._told:
            self._number += 1
            number, self.scene = self._number, scene
            for name, view in self._views.items():
                if not view.quick:
                    self.panels[name].value = views.framed(
                        self._inside.get(name, f"<h4>{view.title}</h4>{FIRST_TIME}"), stale=True
                    )
        self._status.value = ""
        scenes, why = self._scenes(scene), self._why()
        for name, view in self._views.items():
            if view.quick:
                self.panels[name].value = views.framed(views.shown(view, scenes, why[name]))
        self.panels["code"].value = views.to_copy(scene.code())
        self.panels["card_a"].value = views.to_copy(scene.card(scene.a))
        self.panels["card_b"].value = views.to_copy(scene.card(scene.b))
        self._thread = threading.Thread(target=self._follow, args=(number, scenes), daemon=True)
        self._thread.start()

    def _follow(self, number: int, scenes: list[tuple[str, Scene]]) -> None:
        """Work out what takes long, unless something else is asked by then."""
        threading.Event().wait(PAUSE_S)
        with self._busy:
            for name, view in self._views.items():
                if view.quick or number != self._number:
                    continue
                inside = views.shown(view, scenes, why=False)
                with self._told:
                    if number == self._number:
                        self._inside[name] = inside
                        self.panels[name].value = views.framed(inside)
