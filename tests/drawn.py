"""Every kind of picture once, of frames made by hand: `test_images.py` compares them with the files in ``images/``.

    python tests/drawn.py

draws the files anew. Look at each that `git diff` names before it is committed.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from frames import DUEL, HEXES, ONE, OTHER, THIRD, curves, economies, grid, readings, units, worths
from handmade import at, vehicle
from matplotlib.figure import Figure

import aabalance as aab
from aabalance.play.shot import ShotResult
from aabalance.report import plots
from aabalance.report.plots import canvas, economy, kills

IMAGES = Path(__file__).parent / "images"
DPI = 60
TOLERANCE = 4.0
"""Of the root mean square of all differences, in levels of 256: letters of another FreeType are below it."""
INCHES = [0, 6, 12, 18]
COSTS = {"u0": 20, "u1": 35, "u2": 50, "u3": 120}
WINS = [[0.5, 0.2, 0.0, 0.9], [0.8, 0.5, 0.7, 0.3], [1.0, 0.3, 0.5, 0.4], [0.1, 0.7, 0.6, 0.5]]
DRAWS = np.where(np.eye(4)[::-1] == 1, 0.6, 0.0)


def prices() -> pd.DataFrame:
    """Return a frame of fair prices: four units, one of which keeps its price."""
    new, low, high = [24.0, 90.0, 30.0, 230.0], [20.0, 80.0, 28.0, 200.0], [28.0, 105.0, 33.0, 260.0]
    return worths(worth=new, new_requisition=new, fair_low=low, fair_high=high)


def shot() -> ShotResult:
    damage = {0: 0.4, 4: 0.1, 6: 0.2, 8: 0.3}
    mean = sum(amount * chance for amount, chance in damage.items())
    return ShotResult("Howitzer", "Tank", "HE", 18, '"', "hit points", "front", 1, 6, {}, damage, 0.6, mean, 0.3, ())


def panels() -> Figure:
    rows = [*DUEL, ("c", "d", [1.0, 1.0, 0.5, 0.5]), ("d", "c", [0.5, 0.25, 0.25, 0.0]), ("e", "f", [0.75] * 4)]
    return kills.kill_panels(curves(rows, INCHES), footnote="Where from.")


def duel() -> Any:
    return plots.duel_timeline(aab.Game(), vehicle(), vehicle(at(10, 12), hp=40), range_in=18)


def by_rounds(**more: Any) -> pd.DataFrame:
    """Return a frame of matches of 4 to 8 rounds under two limits of actions."""
    rows = [
        {"board": "b", "rounds": rounds, "actions_a": limit, "first_turn_gap": gap, "p_draw": drawn, "p_early": early}
        for limit, values in ((3, [(-0.1, 0.4, 0.1), (0.05, 0.3, 0.4)]), (5, [(0.1, 0.2, 0.5), (0.25, 0.05, 0.95)]))
        for rounds, (gap, drawn, early) in zip((4, 8), values, strict=True)
    ]
    frame = pd.DataFrame(rows)
    frame = frame.assign(**{"actions_b": frame["actions_a"]} | more)
    ends = {"low": -0.08, "high": 0.08}
    return frame.assign(**{f"{name}_ci_{end}": frame[name] + by for name in economy.PANELS for end, by in ends.items()})


def listed() -> pd.DataFrame:
    """Return a frame of three kinds of units of a list; nothing was found in the place of the last."""
    frame = pd.DataFrame({"name": ["Heavy", "Medium", "Scout"], "number": [1, 3, 2]})
    for kind, values in (("adds", [0.3, 0.1, -0.02]), ("gain", [-0.1, 0.05, np.nan])):
        frame[kind] = values
        frame[f"{kind}_low"], frame[f"{kind}_high"] = frame[kind] - 0.02, frame[kind] + 0.03
    return frame


def on_axes(draw: Callable[[], Any]) -> Callable[[], Figure]:
    """Return a function that gives the whole figure of what another draws."""
    return lambda: draw().figure


PICTURES: dict[str, Callable[[], Figure]] = {
    "game_length": on_axes(lambda: plots.game_length(by_rounds(), canvas.figure((6.4, 7.2)))),
    "list_units": on_axes(lambda: plots.list_units(listed(), canvas.axes((6.4, 2.7)))),
    "kills_over_inches": on_axes(lambda: kills.kill_lines(curves(DUEL, INCHES), canvas.axes((6.4, 4.2)))),
    "kills_over_hexes": on_axes(
        lambda: kills.kill_lines(curves(DUEL, [1, 2, 3, 4]), canvas.axes((6.4, 4.2)), length=HEXES)
    ),
    "kill_panels": panels,
    "heatmap": on_axes(lambda: plots.matchup_heatmap(grid(WINS, DRAWS).drop(index=1), price=COSTS)),
    "heatmap_of_many": on_axes(
        lambda: plots.matchup_heatmap(
            grid(np.add.outer(np.arange(36), -np.arange(36)) / 72 + 0.5), price={f"u{n}": n + 1 for n in range(36)}
        )
    ),
    "cost_effectiveness": on_axes(lambda: plots.cost_effectiveness(units())),
    "worth": on_axes(lambda: plots.worth(worths())),
    "tuning": on_axes(lambda: plots.tuning(prices())),
    "sensitivity": on_axes(lambda: plots.sensitivity(readings([0.2, 0.1, 0.05, 0.0]))),
    "action_curve": on_axes(lambda: plots.action_curve(economies(ONE, OTHER, ends=0.05))),
    "action_price": on_axes(lambda: plots.action_price(economies(ONE, OTHER))),
    "economy_panels": lambda: economy.panels(economies(ONE, OTHER, THIRD), "What it shows", "Where from."),
    "damage_distribution": on_axes(lambda: plots.damage_distribution(shot())),
    "duel_timeline": on_axes(duel),
}


def png(name: str) -> bytes:
    """Return a picture of `PICTURES` as it looks now."""
    return canvas.png(PICTURES[name](), DPI)


if __name__ == "__main__":
    IMAGES.mkdir(exist_ok=True)
    for name in PICTURES:
        (IMAGES / f"{name}.png").write_bytes(png(name))
