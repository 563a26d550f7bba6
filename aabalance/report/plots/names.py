"""Names next to curves and points, where they cover nothing: no point, no line, no other words."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.path import Path
from matplotlib.text import Annotation, Text
from matplotlib.transforms import Bbox

from aabalance.report.plots import canvas
from aabalance.report.plots.canvas import MUTED

NEAR = ((7, 0), (-7, 0), (6, 7), (6, -7), (-6, 7), (-6, -7))
"""Offsets from a point to its name, in points of type, the likeliest first."""
RINGS = (18, 28, 40, 54, 70, 90)
"""How far a name goes if there is no room near, with a line that leads to it."""
DIRECTIONS = 16
CLEAR = 4
"""Points of type that a name keeps from the middle of a mark."""
ROOMY = (1.02, 1.7)
"""How much larger than a name the room is that it keeps from lines."""
MOST_NAMED = 12
HEADROOM, ROW = 0.12, 0.12
"""Room above the curves, and for each row of a legend there, as a share of 1."""

Point = tuple[float, float]
Spot = tuple[Point, Point, bool]
"""Where a name may stand: what it names, as data; its offset from there; and whether a line leads to it."""


class Room:
    """What is taken on Axes, in pixels.

    Parameters
    ----------
    ax : Axes
        Its limits are set, all but the names is drawn, and the figure is settled (see `lay_out`).
    points : array, shape (n, 2)
        Marks that no name may cover, as data.
    lines : sequence of array, shape (n, 2), optional
        Lines that no name may cover, as data; by default those of the Axes.
    """

    def __init__(self, ax: Axes, points: Any = (), lines: Sequence[Any] | None = None) -> None:
        self.pixels = canvas.whole(ax).dpi / 72
        self.view = ax.get_window_extent()
        legend = ax.get_legend()
        words = [*ax.texts, *([legend] if legend is not None else [])]
        self.boxes = [word.get_window_extent() for word in words]
        self.to_pixels = ax.transData.transform
        self.marks = self.to_pixels(np.asarray(points, dtype=float).reshape(-1, 2))
        pixels = drawn_lines(ax) if lines is None else map(self.to_pixels, lines)
        self.lines = [Path(line) for line in pixels if len(line) > 1]

    def free(self, box: Bbox) -> bool:
        """Return whether a box is within the Axes and covers nothing."""
        view, clear = self.view, CLEAR * self.pixels
        inside = box.x0 > view.x0 and box.x1 < view.x1 and box.y0 > view.y0 and box.y1 < view.y1
        if not inside or any(box.overlaps(other) for other in self.boxes):
            return False
        x, y = self.marks[:, 0], self.marks[:, 1]
        near = (x > box.x0 - clear) & (x < box.x1 + clear) & (y > box.y0 - clear) & (y < box.y1 + clear)
        roomy = box.expanded(*ROOMY)
        return not near.any() and not any(line.intersects_bbox(roomy, filled=False) for line in self.lines)

    def place(self, text: Annotation, spots: Iterable[Spot]) -> bool:
        """Put a name on the first spot where it is free; without one take it away, and return False."""
        size = Text.get_window_extent(text)  # without the line that leads to it
        for at, offset, led in spots:
            x, y = self.to_pixels(at) + np.array(offset) * self.pixels
            left = x if offset[0] >= 0 else x - size.width
            box = Bbox.from_bounds(left, y - size.height / 2, size.width, size.height)
            if not self.free(box):
                continue
            if led:
                start = self.to_pixels(at)
                leader = Path(np.array([start, np.clip(start, box.min, box.max)]))
                if any(leader.intersects_bbox(other, filled=False) for other in self.boxes):
                    continue
                self.lines.append(leader)
            else:
                text.arrowprops = text.arrow_patch = None
            text.xy = at
            text.set_position(offset)
            text.set_horizontalalignment("left" if offset[0] >= 0 else "right")
            text.set_in_layout(False)
            self.boxes.append(box)
            return True
        text.remove()
        return False

    def spots_next_to(self, text: Annotation, places: Sequence[Point]) -> Iterator[Spot]:
        """Yield where the name of a curve may stand: right or left of a place on it, or there above or below it."""
        lift = ROOMY[1] * Text.get_window_extent(text).height / self.pixels / 2 + 2
        for up in (0, lift, -lift):
            for place in places:
                for side, _ in NEAR[:2]:
                    yield place, (side, up), False


def around(point: Point) -> Iterator[Spot]:
    """Yield where the name of a point may stand, near it and then further away."""
    for offset in NEAR:
        yield point, offset, False
    for reach in RINGS:
        for n in range(DIRECTIONS):
            angle = 2 * math.pi * n / DIRECTIONS
            yield point, (reach * math.cos(angle), reach * math.sin(angle)), True


def lay_out(ax: Axes) -> None:
    """Lay out the figure of Axes, so that names can be put on any Axes of it: they move nothing that stands there."""
    canvas.whole(ax).draw_without_rendering()


def stairs(x: Any, values: Any) -> Any:
    """Return the corners of a line each of whose values also holds from the x before it, shape (2 n - 1, 2)."""
    corners = np.column_stack([x, values]).astype(float)
    before = np.column_stack([corners[:-1, 0], corners[1:, 1]])
    return np.vstack([corners[:1], np.stack([before, corners[1:]], axis=1).reshape(-1, 2)])


def drawn_lines(ax: Axes) -> Iterator[Any]:
    """Yield the corners of each line of Axes, in pixels; steps have theirs."""
    for line in ax.lines:
        corners = np.asarray(line.get_xydata(), dtype=float)
        if line.get_drawstyle() == "steps-pre":
            corners = stairs(*corners.T)
        corners = corners[np.isfinite(corners).all(axis=1)]
        yield line.get_transform().transform(corners)


def name_outliers(ax: Axes, names: Sequence[str], ratio: Any, x: Any, y: Any, colour: str) -> None:
    """Write the names of the units furthest from where they should be, where they cover nothing.

    Where there is no room next to a point, its name stands further away, and a line leads to it.

    Parameters
    ----------
    ax : Axes
        The Axes with the points; its limits are set, and its figure is settled.
    names : sequence of str
        Names of the units.
    ratio : array of float
        How many times what it should be each is, by unit; if none is above 0 and finite, all are named.
    x, y : array
        Where the units are drawn.
    colour : str
        Colour of the names.
    """
    usable = np.isfinite(ratio) & (ratio > 0)
    # Where nobody can say what they should be there are few units, so there is room to name them all.
    surprise = np.abs(np.log(np.where(usable, ratio, 1.0))) if usable.any() else np.ones(len(ratio))
    room = Room(ax, np.column_stack([x, y]))
    named = 0
    for i in np.argsort(-surprise, kind="stable"):
        if named == MOST_NAMED or surprise[i] == 0:
            return
        text = ax.annotate(
            names[i], (x[i], y[i]), NEAR[0], textcoords="offset points", va="center", fontsize=8.5, color=colour,
            zorder=5, arrowprops={"arrowstyle": "-", "lw": 0.6, "color": MUTED, "shrinkA": 0, "shrinkB": 2},
        )  # fmt: skip
        named += room.place(text, around((x[i], y[i])))


def name_curves(ax: Axes, x: Any, drawn: Sequence[tuple[Any, list[str]]], colours: Sequence[str]) -> None:
    """Write each curve's name next to one of its steps; if one finds no room, all stand in a legend above the curves.

    Parameters
    ----------
    ax : Axes
        The Axes with the curves; its figure is settled.
    x : array
        Where the values stand; each value also holds from the x before it.
    drawn : sequence of (array, list of str)
        For each curve its values, and the lines of its name.
    colours : sequence of str
        Colours of the curves, used in turn.
    """
    room = Room(ax, lines=[stairs(x, values) for values, _ in drawn])
    placed: list[Annotation] = []
    for n, (values, words) in enumerate(drawn):
        falls = [i for i in range(1, len(x)) if values[i] != values[i - 1]] or [len(x) // 3]
        falls.sort(key=lambda i: -abs(values[i] - values[i - 1]))
        places = [
            (float(x[i - 1]), float(height))
            for i in falls
            for height in (max(values[i - 1], values[i]), (values[i - 1] + values[i]) / 2)
        ]
        text = ax.annotate(
            "\n".join(words), places[0], NEAR[0], textcoords="offset points", va="center", fontsize=9,
            fontweight="bold", color=colours[n % len(colours)], zorder=4,
        )  # fmt: skip
        if room.place(text, room.spots_next_to(text, places)):
            placed.append(text)
    if len(placed) < len(drawn):
        for text in placed:
            text.remove()
        name_above(ax, [words for _, words in drawn])


def name_above(ax: Axes, names: Sequence[Sequence[str]]) -> None:
    """Name curves in a legend above them, for which the axis from 0 to 1 grows.

    Parameters
    ----------
    ax : Axes
        The Axes with the curves, the first lines of it.
    names : sequence of sequence of str
        For each curve the lines of its name.
    """
    said = ["\n".join(words) for words in names]
    legend = ax.legend(ax.lines[: len(names)], said, loc="upper right", frameon=False, fontsize=9, borderaxespad=0.1)
    legend.set_in_layout(False)  # a long name may not squeeze the panel that it is in
    ax.set_ylim(0, max(ax.get_ylim()[1], 1 + HEADROOM + ROW * sum(map(len, names))))


def name_ends(ax: Axes, x: float, ends: Sequence[tuple[float, str, str]]) -> None:
    """Write names to the right of curves, so that none covers another; the axis grows to make room.

    Parameters
    ----------
    ax : Axes
        The Axes with the curves; its limits are set, and the right one is moved if need be. Its figure is settled.
    x : float
        Where the curves end.
    ends : sequence of (float, str, str)
        For each curve the value at its end, its name, and its colour.
    """
    point = canvas.whole(ax).dpi / 72
    view = ax.get_window_extent()
    look: dict[str, Any] = {"textcoords": "offset points", "fontsize": 9, "fontweight": "bold", "va": "center"}
    texts = [ax.annotate(name, (x, y), (9, 0), color=colour, zorder=4, **look) for y, name, colour in ends]
    boxes = [text.get_window_extent() for text in texts]
    widest = max((box.width for box in boxes), default=0) + 14 * point
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
