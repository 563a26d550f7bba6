"""Pictures of the explorer, as SVG of our own making.

They are drawn anew with every step of a slider: matplotlib takes 100 to 200 ms for one on reused axes, these take one.
"""

from __future__ import annotations

import html
import math
from collections.abc import Sequence
from typing import NamedTuple

from aabalance.play.result import percent

A, B, DRAW = "#0072b2", "#b84a00", "#6b727b"
"""Colours of a, of b and of a draw: white words on them, and lines in them on a page of either kind, can be read."""
SIDES = {A: "a: ", B: "b: "}
"""What tells both sides apart without colour."""
DASHES = ("", "6 4")
"""SVG dash patterns: of the first scene, and of the one that it is compared with."""
WIDTH, HEIGHT = 460, 230
LEFT, RIGHT, TOP, BOTTOM = 42, 18, 14, 36
INK, FAINT = "currentColor", "var(--jp-border-color2, #d0d5db)"
MOST_TICKS = 8


class Line(NamedTuple):
    """A curve.

    Attributes
    ----------
    x, y : sequence of float
        Its points; y are chances.
    colour, dashes : str
        CSS colour and SVG dash pattern.
    name : str
        Its entry in the key above the picture; without a name it has none.
    steps : bool
        Whether y stays the same from each x back to the one before, as within range bands.
    """

    x: Sequence[float]
    y: Sequence[float]
    colour: str
    dashes: str = ""
    name: str = ""
    steps: bool = False


def chart(lines: Sequence[Line], x_label: str, scenes: Sequence[str], mark: float | None = None) -> str:
    """Return a picture, as HTML with SVG, of chances by distance or by round.

    Parameters
    ----------
    lines : sequence of Line
        The curves.
    x_label : str
        Label of the horizontal axis.
    scenes : sequence of str
        Names of the scenes that are compared, in the order of `DASHES`; a single one isn't named in the picture.
    mark : float, optional
        An x where a vertical line is drawn: the distance that is set.
    """
    low, high = min(min(line.x) for line in lines), max(max(line.x) for line in lines)
    span = (high - low) or 1.0
    wide, tall = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM

    def px(x: float) -> float:
        return round(LEFT + (x - low) / span * wide, 1)

    def py(y: float) -> float:
        return round(TOP + (1 - y) * tall, 1)

    parts = []
    for share in (0, 0.25, 0.5, 0.75, 1):
        y = py(share)
        parts.append(f'<path d="M{LEFT} {y}H{WIDTH - RIGHT}" stroke="{FAINT}"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{y + 4}" text-anchor="end">{share:.0%}</text>')
    step = next(step for step in (1, 2, 3, 6, 12, 24, 48, 96, 192, 1000) if span / step <= MOST_TICKS)
    tick = math.ceil(low)
    while tick <= high:
        parts.append(f'<text x="{px(tick)}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle">{tick:g}</text>')
        tick += step
    parts.append(
        f'<text x="{LEFT + wide / 2}" y="{HEIGHT - 4}" text-anchor="middle" opacity=".75">{html.escape(x_label)}</text>'
    )
    if mark is not None and low <= mark <= high:
        parts.append(f'<path class="mark" d="M{px(mark)} {TOP}V{HEIGHT - BOTTOM}" stroke="{INK}" opacity=".45"/>')
    for line in lines:
        points = list(zip(line.x, line.y, strict=True))
        path = f"M{px(points[0][0])} {py(points[0][1])}"
        for x, y in points[1:]:
            # A range band begins right behind the one before, and reaches to its last inch.
            path += f"V{py(y)}H{px(x)}" if line.steps else f"L{px(x)} {py(y)}"
        dashes = f' stroke-dasharray="{line.dashes}"' if line.dashes else ""
        parts.append(f'<path d="{path}" fill="none" stroke="{line.colour}" stroke-width="2.5"{dashes}/>')
        if line.colour in SIDES:
            x, y = _apart(line, [other for other in lines if other.colour != line.colour])
            shift = 2 if line.colour == A else 9  # where curves are one, their letters stand side by side
            letter = SIDES[line.colour][0]
            parts.append(f'<text x="{px(x) + shift:.1f}" y="{py(y) - 4:.1f}" font-weight="700">{letter}</text>')
        if mark is not None and low <= mark <= high:
            at = next((y for x, y in points if x >= mark), points[-1][1])
            parts.append(f'<circle cx="{px(mark)}" cy="{py(at)}" r="4" fill="{line.colour}"/>')
    keys = "".join(_key(line.colour, "", line.name) for line in lines if line.name)
    if len(scenes) > 1:
        keys += '<div class="break"></div>' + "".join(
            _key(INK, dashes, scene) for dashes, scene in zip(DASHES, scenes, strict=True)
        )
    label = html.escape("; ".join(line.name for line in lines if line.name))
    return (
        f'<div class="keys">{keys}</div><svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{label}" '
        f'font-size="11" fill="{INK}">{"".join(parts)}</svg>'
    )


def _apart(line: Line, others: Sequence[Line]) -> tuple[float, float]:
    """Return the point of a curve that is farthest from all others."""
    return max(
        zip(line.x, line.y, strict=True),
        key=lambda point: min(
            (abs(y - point[1]) for other in others for x, y in zip(other.x, other.y, strict=True) if x == point[0]),
            default=1.0,
        ),
    )


def _key(colour: str, dashes: str, name: str) -> str:
    line = f'<path d="M1 5H25" stroke="{colour}" stroke-width="2.5" stroke-dasharray="{dashes}"/>'
    return (
        f'<span class="key"><svg width="26" height="10">{line}</svg>{SIDES.get(colour, "")}{html.escape(name)}</span>'
    )


def swatch(colour: str) -> str:
    """Return a coloured square and the side's letter, to stand before the name of what has them in a picture."""
    return f'<span class="swatch" style="color:{colour}">■</span>&nbsp;{SIDES.get(colour, "")}'


def bar(shares: Sequence[tuple[float, str, str]]) -> str:
    """Return a stacked bar of shares that sum to 1, each given as share, colour and name.

    Percentages are written into parts that are wide enough.
    """
    parts = "".join(
        f'<div style="width:{100 * max(share, 0):.2f}%;background:{colour}" title="{html.escape(name)}">'
        f"{SIDES.get(colour, '') + percent(share) if share > 0.18 else ''}</div>"
        for share, colour, name in shares
    )
    return f'<div class="bar">{parts}</div>'
