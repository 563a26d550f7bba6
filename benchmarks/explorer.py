"""How soon the explorer answers: random changes of its controls, as a person makes them, once it is warm."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from statistics import median, quantiles
from typing import Any

from aabalance import Game
from aabalance.explorer.scene import Scene
from aabalance.explorer.widgets import Explorer
from aabalance.rulesets import OURS
from benchmarks.matchups import SEED
from benchmarks.measure import Effort, Row, warm

WARM = 20
"""Changes that don't count, if as many do."""


def rows(effort: Effort) -> list[Row]:
    """Return the median and the 95th percentile of shot, duel, curve and timeline, by game, and of what follows.

    Parameters
    ----------
    effort : Effort
    """
    found = []
    for name in OURS:
        explorer, dice = Explorer(Scene.of(Game(name))), random.Random(SEED)
        first = min(WARM, effort.changes)
        times = [_answered(explorer, dice) for _ in range(first + effort.changes)][first:]
        found += [
            Row("explorer: shot, duel and curves after a change, median", name, median(times) * 1e3, "ms", most=100),
            Row("explorer: the same, 95th percentile", name, quantiles(times, n=20)[-1] * 1e3, "ms"),
        ]
        if explorer.scene.game.ruleset.has_battles:
            found.append(
                Row(
                    "explorer: battle and worth follow, median",
                    name,
                    median(_followed(name, effort.followed)),
                    "s",
                    most=3,
                )
            )
    return found


def _followed(name: str, changes: int) -> list[float]:
    """Return the seconds after which all is there that depends on a number of a card: toughness, or what is first."""
    explorer = Explorer(Scene.of(Game(name)))
    explorer.settle()
    form = explorer.form(explorer.a.value)
    field = form.fields[next(control.name for control in form.controls if control.kind == "whole")]

    def change() -> None:
        field.value += 1
        explorer.settle()

    return warm([_seconds(change) for _ in range(changes + 1)])


def _seconds(piece: Callable[[], Any]) -> float:
    start = time.perf_counter()
    piece()
    return time.perf_counter() - start


def _answered(explorer: Explorer, dice: random.Random) -> float:
    """Return the seconds of a change that leads somewhere; what the rules refuse is taken back."""
    while True:
        took = _seconds(lambda: _change(explorer, dice))
        if not explorer.refused:
            return took
        for form in (explorer.situation, explorer.rules, explorer.fight, *explorer.cards.values()):
            form.set({})


def _change(explorer: Explorer, dice: random.Random) -> None:
    """Set one control to another value, drawn of all kinds alike."""
    kind = dice.randrange(5)
    if kind == 0:
        slider = explorer.range_in
        slider.value = dice.randint(int(slider.min), int(slider.max))
    elif kind == 1:
        picker = dice.choice((explorer.a, explorer.b))
        picker.unit.value = dice.choice(picker.unit.options)[1]
    else:
        forms = explorer.situation, explorer.rules, explorer.fight, explorer.form(explorer.a.value)
        kinds = "choice", "flag", "whole"
        some = [[(form, one) for one in form.controls if one.kind in kinds] for form in forms]
        form, control = dice.choice(dice.choice([each for each in some if each]))
        field = form.fields[control.name]
        if control.kind == "whole":
            field.value = dice.randint(int(control.low), min(int(control.high), int(control.default) + 3))
        else:
            field.value = dice.choice([value for _, value in field.options] if control.choices else [True, False])
