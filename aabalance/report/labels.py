"""Names beside curves and points, at places where they cover nothing, and labels for axes of costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from aabalance.errors import counted
from aabalance.game import Game


def name_curves(ax: Any, x: Any, drawn: Sequence[tuple[Any, list[str]]], colours: Sequence[str]) -> None:
    """Write each curve's name beside one of its steps, on a side where it covers no curve and no other name.

    Parameters
    ----------
    ax : Axes
        The Axes with the curves.
    x : array
        Where the values stand; each value also holds from the x before it.
    drawn : sequence of (array, list of str)
        For each curve its values, and the lines of its name.
    colours : sequence of str
        Colours of the curves, used in turn.
    """
    ax.figure.get_figure(root=True).draw_without_rendering()
    view = ax.get_window_extent()
    lines = []
    for values, _ in drawn:
        corners = [(x[0], values[0])]
        for i in range(1, len(x)):
            corners += [(x[i - 1], values[i]), (x[i], values[i])]
        lines.append(ax.transData.transform(corners))
    boxes: list[Any] = []
    for n, (values, words) in enumerate(drawn):
        falls = [i for i in range(1, len(x)) if values[i] != values[i - 1]] or [len(x) // 3]
        falls.sort(key=lambda i: -abs(values[i] - values[i - 1]))
        heights = {i: (max(values[i - 1], values[i]), (values[i - 1] + values[i]) / 2) for i in falls}
        spots = [(x[i - 1], y, side) for i in falls for y in heights[i] for side in (7, -7)]
        best, cover = None, np.inf
        for at, y, side in spots:
            text = ax.annotate(
                "\n".join(words),
                (at, y),
                (side, 0),
                textcoords="offset points",
                fontsize=9,
                fontweight="bold",
                color=colours[n % len(colours)],
                ha="left" if side > 0 else "right",
                va="center",
                zorder=4,
            )
            text.set_in_layout(False)
            box = text.get_window_extent()
            roomy = box.expanded(1.02, 1.7)
            outside = box.x0 < view.x0 or box.x1 > view.x1 or box.y0 < view.y0 or box.y1 > view.y1
            faults = 4 * outside + sum(_crosses(roomy, line) for line in lines) + sum(box.overlaps(t) for t in boxes)
            if faults < cover:
                if best is not None:
                    best.remove()
                best, cover = text, faults
            else:
                text.remove()
            if cover == 0:
                break
        if best is not None:
            boxes.append(best.get_window_extent())


def name_ends(ax: Any, x: float, ends: Sequence[tuple[float, str, str]]) -> None:
    """Write names to the right of curves, so that none covers another; the axis grows to make room.

    Parameters
    ----------
    ax : Axes
        The Axes with the curves; its limits are set, and the right one is moved if need be.
    x : float
        Where the curves end.
    ends : sequence of (float, str, str)
        For each curve the value at its end, its name, and its colour.
    """
    figure = ax.figure.get_figure(root=True)
    figure.draw_without_rendering()
    point = figure.dpi / 72
    view = ax.get_window_extent()
    look: dict[str, Any] = {"textcoords": "offset points", "fontsize": 9, "fontweight": "bold", "va": "center"}
    texts = [ax.annotate(name, (x, y), (9, 0), color=colour, zorder=4, **look) for y, name, colour in ends]
    boxes = [text.get_window_extent() for text in texts]
    widest = max(box.width for box in boxes) + 14 * point
    left, right = ax.get_xlim()
    ax.set_xlim(left, max(right, left + (x - left) * view.width / max(view.width - widest, view.width / 4)))
    # From the lowest up, each a line above the one below; then all down again that stand out at the top.
    order = sorted(range(len(ends)), key=lambda n: ends[n][0])
    heights = [boxes[n].height * 1.2 for n in order]
    places: list[float] = []
    for n, height in zip(order, heights, strict=True):
        wanted = float(ax.transData.transform((x, ends[n][0]))[1])
        places.append(max([wanted, view.y0 + height / 2, *(place + height for place in places[-1:])]))
    ceiling = view.y1
    for at in reversed(range(len(places))):
        places[at] = min(places[at], ceiling - heights[at] / 2)
        ceiling = places[at] - heights[at] / 2
    for n, place in zip(order, places, strict=True):
        y = float(ax.transData.transform((x, ends[n][0]))[1])
        texts[n].xyann = (9, (place - y) / point)
        texts[n].set_in_layout(False)


def lead_in_words(lead: Mapping[str, Any]) -> str:
    """Return in words who is ahead under few actions and who under many, of a row of `aabalance.leads`."""
    names = {"a": lead["list_a"], "b": lead["list_b"], "neither": "neither side"}
    few, many = names[lead["ahead_with_few"]], names[lead["ahead_with_many"]]
    if lead["few_to"] >= lead["many_from"]:
        return f"{few} ahead under every limit"
    return f"{few} ahead up to {counted(int(lead['few_to']), 'action')} a turn, {many} from {lead['many_from']} on"


def _crosses(box: Any, line: Any) -> bool:
    """Return whether a line of level and upright pieces meets a box."""
    low, high = np.minimum(line[:-1], line[1:]), np.maximum(line[:-1], line[1:])
    meets = (low[:, 0] < box.x1) & (high[:, 0] > box.x0) & (low[:, 1] < box.y1) & (high[:, 1] > box.y0)
    return bool(meets.any())


def name_outliers(ax: Any, names: Sequence[str], ratio: Any, x: Any, y: Any, colour: str, most: int = 18) -> None:
    """Write the names of the units furthest from where they should be, where they hide no point and no other text.

    Parameters
    ----------
    ax : Axes
        The Axes with the points; its limits are set.
    names : sequence of str
    ratio : array of float
        How many times what it should be each is, by unit; if none is above 0 and finite, all are named.
    x, y : array
        Where the units are drawn.
    colour : str
        Colour of the names.
    most : int
        Largest number of names.
    """
    figure = ax.figure.get_figure(root=True)
    figure.draw_without_rendering()
    usable = np.isfinite(ratio) & (ratio > 0)
    # Where nobody can say what they should be there are few units, so there is room to name them all.
    surprise = np.abs(np.log(np.where(usable, ratio, 1.0))) if usable.any() else np.ones(len(ratio))
    points = ax.transData.transform(np.column_stack([x, y]))
    view = ax.get_window_extent()
    boxes = [artist.get_window_extent() for artist in (*ax.texts, ax.get_legend()) if artist is not None]
    reach = 4 * figure.dpi / 72
    named = 0
    for i in np.argsort(-surprise, kind="stable"):
        if named == most or surprise[i] == 0:
            return
        for dx, dy in ((7, 0), (-7, 0), (6, 7), (6, -7), (-6, 7), (-6, -7)):
            text = ax.annotate(
                names[i],
                (x[i], y[i]),
                (dx, dy),
                textcoords="offset points",
                ha="left" if dx > 0 else "right",
                va="center",
                fontsize=8.5,
                color=colour,
                zorder=5,
            )
            box = text.get_window_extent()
            inside = box.x0 > view.x0 and box.x1 < view.x1 and box.y0 > view.y0 and box.y1 < view.y1
            near = (points[:, 0] > box.x0 - reach) & (points[:, 0] < box.x1 + reach)
            near &= (points[:, 1] > box.y0 - reach) & (points[:, 1] < box.y1 + reach)
            if inside and not near.any() and not any(box.overlaps(other) for other in boxes):
                boxes.append(box)
                named += 1
                break
            text.remove()


def price_groups(prices: list[float], groups: int = 6) -> list[int]:
    """Return where groups of nearly equal size begin and end in rising `prices`.

    Parameters
    ----------
    prices : list of float
        Rising; equal prices stay in one group.
    groups : int
        Largest number of groups.
    """
    changes = [i for i in range(1, len(prices)) if prices[i] != prices[i - 1]]
    even = [n * len(prices) // groups for n in range(1, groups)]
    return sorted({0, *(next((i for i in changes if i >= place), len(prices)) for place in even), len(prices)})


def span_of(low: float, high: float) -> str:
    """Return the text of a span of costs."""
    return f"{low:g}" if low == high else f"{low:g}–{high:g}"


def names_of(game: Game) -> dict[str, str]:
    """Return the name of each unit, by id."""
    return {unit_id: card.name for unit_id, card in game.cards.items()}


def percentage_points(change: float) -> str:
    """Return a change of a chance in percentage points."""
    return "<0.01" if change < 0.0001 else f"{100 * change:.2g}" if change < 0.1 else f"{100 * change:.0f}"
