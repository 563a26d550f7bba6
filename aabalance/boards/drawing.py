"""A board as SVG: grounds with a colour and a texture each, grid, coordinates, zones, objectives, units, a legend.

On the map a square is `SQUARE` wide; what `svg` is given to draw on top counts in the same unit.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from html import escape
from itertools import groupby, pairwise, product
from typing import TYPE_CHECKING, get_args

from aabalance.rulesets.base.board import Symbol, Texture

if TYPE_CHECKING:
    from aabalance.boards import Board

SQUARE = 10
HEX_TOP, HEX_ROW = 10 / 3**0.5, 5 * 3**0.5
"""From the middle of a hex, which is as wide as a square, to its topmost corner, and to the next row."""
HEX = (0, -HEX_TOP), (5, -HEX_TOP / 2), (5, HEX_TOP / 2), (0, HEX_TOP), (-5, HEX_TOP / 2), (-5, -HEX_TOP / 2)
"""Its corners, from its middle."""
WIDEST, HIGHEST, LEAST_PX, MOST_PX = 720, 840, 20, 48
"""Size of the map in pixels if squares can have it, and the least and the largest width of a square."""
ACROSS = 16
"""Columns of a map up to which units are as large as squares: on more, nobody could read those on a phone."""
NUMBER_PX = 12
"""Largest size of the numbers of rows and columns."""
LEFT_PX, TOP_PX, ENTRY_PX, LINE_PX = 26, 54, 170, 24
"""Room for the rows' numbers, and for title and columns' numbers; width and height of an entry of the legend."""

TEXTURES: dict[Texture, str] = {
    "plain": '<path d="M2.5 3.5v-1M7.5 8.5v-1" opacity=".35"/>',
    "road": '<path d="M0 2.5H10M0 7.5H10M2.5 2.5V7.5M7.5 7.5V10M7.5 0V2.5" opacity=".35"/>',
    "mud": '<path d="M.8 3.2q1-1.3 2 0t2 0M4.8 7.4q1-1.3 2 0t2 0"/>',
    "water": '<g stroke="#2f6288"><path d="M0 3q1.25-1.6 2.5 0t2.5 0 2.5 0 2.5 0"/>'
    '<path d="M0 7.5q1.25-1.6 2.5 0t2.5 0 2.5 0 2.5 0"/></g>',
    "building": '<path d="M0 0L5 3.5V6.5L0 10M10 0L5 3.5M5 6.5L10 10"/>',
    "ridge": '<path d="M.8 6.2L3 2.4 5.2 6.2M4.8 8.8L7 5 9.2 8.8"/>',
    "trees": '<path d="M3 3.2v2.6M7.2 6.8v2.4"/><g fill="#5d8a45"><circle cx="3" cy="2.9" r="1.7"/>'
    '<circle cx="7.2" cy="6.3" r="1.7"/></g>',
    "low wall": '<path d="M0 4H10M0 6.2H10M2 4V6.2M6 4V6.2M9 4V6.2"/>',
    "high wall": '<path d="M0 2H10V8H0Z" fill="#a59c92" stroke="none"/>'
    '<path d="M0 2H10M0 4H10M0 6H10M0 8H10M2.5 2V4M7.5 2V4M0 4V6M5 4V6M2.5 6V8M7.5 6V8"/>',
    "trap": '<path d="M2.4 2.4L7.6 7.6M7.6 2.4L2.4 7.6M5 1.6V8.4" stroke-width="1"/>',
    "sandbags": '<g fill="#f6f0da"><ellipse cx="2.7" cy="6.8" rx="2.1" ry="1.3"/><ellipse cx="7.3" cy="6.8" rx="2.1"'
    ' ry="1.3"/><ellipse cx="5" cy="4.2" rx="2.1" ry="1.3"/></g>',
    "houses": '<path d="M1 9V5.6L3 3.8 5 5.6V9ZM5.4 9V4.4L7.2 2.6 9 4.4V9Z" fill="#fff"/>',
    "works": '<path d="M1 9V5L3.2 3.4V5L5.4 3.4V5L7 3.8V1.6H8.8V9Z" fill="#fff"/>',
    "flag": '<path d="M2.6 9.2V1.2"/><path d="M2.6 1.4H8.4L7 3.4 8.4 5.4H2.6Z" fill="#fff"/>',
}
SYMBOLS: dict[Symbol, str] = {
    "armour": '<ellipse rx="2.5" ry="1.5"/>',
    "recon": '<path d="M-2.5 1.8L2.5-1.8"/>',
    "mechanized": '<ellipse rx="2.5" ry="1.5"/><path d="M-2.5-1.8L2.5 1.8M-2.5 1.8L2.5-1.8"/>',
    "anti-tank": '<path d="M-2.3 1.8L0-1.8 2.3 1.8"/>',
    "artillery": '<circle r="1.1" fill="#222"/>',
    "infantry": '<path d="M-2.5-1.8L2.5 1.8M-2.5 1.8L2.5-1.8"/>',
}
"""Signs of military maps, around 0,0."""
FRAMES = {
    "a": '<path d="M-3.9-2.9H3.9V2.9H-3.9Z" fill="#a8cdf2" stroke="#173f6b"/>',
    "b": '<path d="M0-4.5L4.5 0 0 4.5-4.5 0Z" fill="#f6b0a4" stroke="#7c1d14"/>',
}
"""Told apart without colour: a's units are rectangles, b's are diamonds."""
INK = "#4a4338"
assert set(TEXTURES) == set(get_args(Texture))
assert set(SYMBOLS) == set(get_args(Symbol))


def svg(board: Board, on_top: str = "", symbols: Collection[Symbol] = (), marks: Sequence[tuple[str, str]] = ()) -> str:
    """Return a board as SVG.

    Parameters
    ----------
    board : Board
        What is drawn.
    on_top : str
        More SVG, drawn on the map in place of the owners and units that the board brings.
    symbols : collection of str
        What is drawn on top, for the legend.
    marks : sequence of (str, str)
        Marks that are drawn on top in place of units, around 0,0, with what they are: a line of the legend each.
    """
    pixels = min(MOST_PX, max(LEAST_PX, min(WIDEST // board.width, HIGHEST // board.height)))
    wide, high = extent(board)
    right, bottom = LEFT_PX + round(wide * pixels / SQUARE), TOP_PX + round(high * pixels / SQUARE)
    width = right + 10
    columns = max(1, (width - 10) // ENTRY_PX)
    entries = list(_grounds_of(board))
    if not marks:
        entries += _sides(board, {*symbols, *(board.symbols[one["type"]] for one in board.units if "at" in one)})
    for mark, name in marks:
        entries += [""] * (-len(entries) % columns)
        entries.append(_entry(f'<g transform="translate(5,5)">{mark}</g>', name))
    height = bottom + 14 + LINE_PX * -(-len(entries) // columns)
    legend = "".join(
        f'<g transform="translate({10 + at % columns * ENTRY_PX},{bottom + 12 + at // columns * LINE_PX})">{entry}</g>'
        for at, entry in enumerate(entries)
        if entry
    )
    size = "" if board.decks else f", {board.width} × {board.height}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" role="img"'
        f' aria-label="{escape(board.name)}{size}" style="max-width:100%;height:auto;background:#fff"'
        f' font-family="system-ui,sans-serif" fill="#222">{_definitions(board.hexes)}'
        f'<text x="10" y="24" font-size="17" font-weight="600">{escape(board.name)}'
        f'<tspan font-size="12" font-weight="400" dx="8" fill="#555">{size[2:]}</tspan></text>'
        f'<g transform="translate({LEFT_PX},{TOP_PX}) scale({pixels / SQUARE:g})">'
        f"{_map(board, pixels)}{on_top or ''.join((*_owners(board), *_units(board)))}</g>{legend}</svg>\n"
    )


def extent(board: Board) -> tuple[float, float]:
    """Return how wide and how high the map of a board is."""
    if not board.hexes:
        return board.width * SQUARE, board.height * SQUARE
    return board.width * SQUARE + SQUARE / 2, (board.height - 1) * HEX_ROW + 2 * HEX_TOP


def middle(board: Board, x: int, y: int) -> tuple[float, float]:
    """Return the middle of a square or a hex, in units of the drawing, by its column `x` and its row `y`."""
    if not board.hexes:
        return x * SQUARE + SQUARE / 2, y * SQUARE + SQUARE / 2
    return x * SQUARE + SQUARE / 2 * (1 + y % 2), y * HEX_ROW + HEX_TOP


def larger(board: Board) -> float:
    """Return by how much units and objectives are drawn larger than squares."""
    return 1 if board.decks else max(1, board.width / ACROSS)


def unit(side: str, symbol: Symbol, mark: str) -> str:
    """Return a unit of a match, around 0,0, looking north, with all its strength.

    Parameters
    ----------
    side : {"a", "b"}
    symbol : str
        What it is.
    mark : str
        What stands below it.
    """
    return (
        f'<g class="frame" transform="translate(0,-.8) scale(.95)"><use href="#side-{side}"/>'
        f'<use href="#unit-{symbol}"/></g><path class="facing" d="M0-5.9L1.3-4.1H-1.3Z"/>'
        f'<text y="2.8" font-size="3.6" font-weight="700" class="halo">{escape(mark)}</text>'
        '<path d="M-3.9 4.1H3.9V4.9H-3.9Z" fill="#fff" stroke="#222" stroke-width=".15"/>'
        '<rect class="left" x="-3.9" y="4.1" width="7.8" height=".8"/>'
    )


def _definitions(hexes: bool) -> str:
    tile = f'width="{SQUARE}" height="{SQUARE if not hexes else 2 * HEX_ROW:g}" patternUnits="userSpaceOnUse"'
    # Of hexes, a tile holds one of an even row, and both halves of one of an odd row.
    top = HEX_TOP - SQUARE / 2
    places = [(0.0, top), (-SQUARE / 2, top + HEX_ROW), (SQUARE / 2, top + HEX_ROW)] if hexes else []
    lines = f'fill="none" stroke="{INK}" stroke-width=".55" stroke-linecap="round" stroke-linejoin="round"'
    return (
        "<style>.halo{text-anchor:middle;dominant-baseline:central;paint-order:stroke;stroke:#fff;stroke-width:1;"
        "stroke-linejoin:round}</style><defs>"
        + "".join(
            f'<pattern id="ground-{name.replace(" ", "-")}" {tile}><g {lines}>{_at(places, texture)}</g></pattern>'
            for name, texture in TEXTURES.items()
        )
        + f'<pattern id="grid" {tile}><path d="M10 0H0V10" fill="none" stroke="#000" stroke-opacity=".22"'
        ' stroke-width=".25"/></pattern>'
        + "".join(
            f'<g id="unit-{name}" fill="none" stroke="#222" stroke-width=".6">{sign}</g>'
            for name, sign in SYMBOLS.items()
        )
        + "".join(f'<g id="side-{side}" stroke-width=".5">{frame}</g>' for side, frame in FRAMES.items())
        + "</defs>"
    )


def _at(places: Sequence[tuple[float, float]], texture: str) -> str:
    """Return a texture at all places; as it is without any."""
    return "".join(f'<g transform="translate({x:g},{y:.2f})">{texture}</g>' for x, y in places) or texture


def _map(board: Board, pixels: int) -> str:
    wide, high = extent(board)
    parts = list(_grounds(board))
    if not board.hexes and not board.decks:
        parts.append(f'<path d="M0 0H{wide}V{high}H0Z" fill="url(#grid)" stroke="#222" stroke-width=".5"/>')
    dashed = 'stroke-dasharray="4 2"'
    for name, (x0, y0, x1, y1) in board.zones.items():
        (left, top), (right, bottom) = middle(board, x0, y0), middle(board, x1, y1)
        left, top = left - SQUARE / 2, top - SQUARE / 2
        across, down = right + SQUARE / 2 - left, bottom + SQUARE / 2 - top
        inner = f"M{left + 1:g} {top + 1:g}h{across - 2:g}v{down - 2:g}h{2 - across:g}Z"
        path, line = (_outline(board, (x0, y0, x1, y1)), 'stroke-width="1.2"') if board.hexes else (inner, dashed)
        letters = min(7.0, across / len(name))
        parts.append(
            f'<path d="{path}" fill="none" stroke="{INK}" {line}/><text x="{left + across / 2:g}"'
            f' y="{top + down / 2:g}" font-size="{letters:.3g}" letter-spacing="{letters / 5:.3g}" class="halo">'
            f"{escape(name)}</text>"
        )
    for number, (x, y) in enumerate(board.objectives, start=1):
        parts.append(_objective(*middle(board, x, y), str(number), larger(board)))
    size = f'font-size="{min(4.2, NUMBER_PX * SQUARE / pixels):.3g}" fill="#555"'
    rows = [(y, middle(board, 0, y)[1] + 1.5) for y in range(board.height)]
    if board.decks:
        return "".join((*parts, *_areas(board), *(
            f'<text x="-2" y="{at:.4g}" {size} text-anchor="end">{abs(y - board.height // 2) or ""}</text>'
            for y, at in rows
        )))  # fmt: skip
    parts += [f'<text x="{x * SQUARE + 5}" y="-2" {size} text-anchor="middle">{x}</text>' for x in range(board.width)]
    parts += [f'<text x="-2" y="{at:.4g}" {size} text-anchor="end">{y}</text>' for y, at in rows]
    return "".join(parts)


def _grounds(board: Board) -> Iterator[str]:
    """Yield a path for each ground, filled with its colour and then with its texture."""
    runs: dict[str, list[str]] = defaultdict(list)
    line = ' stroke="#000" stroke-opacity=".3" stroke-width=".25"' if board.hexes else ""
    for y, row in enumerate(board.rows):
        x = 0
        if board.hexes:
            for x, character in enumerate(row):
                at, top = middle(board, x, y)[0], y * HEX_ROW
                side = f"l5 {HEX_TOP / 2:.3f}v{HEX_TOP:.3f}l-5 {HEX_TOP / 2:.3f}l-5 -{HEX_TOP / 2:.3f}v-{HEX_TOP:.3f}z"
                runs[character].append(f"M{at:g} {top:.3f}{side}")
            continue
        for character, squares in groupby(row):
            length = len(list(squares))
            runs[character].append(f"M{x * SQUARE} {y * SQUARE}h{length * SQUARE}v{SQUARE}h-{length * SQUARE}z")
            x += length
    for character, ground in board.legend.items():
        path = "".join(runs[character])
        yield f'<path d="{path}" fill="{ground.colour}"{line}/>'
        if not board.decks:
            yield f'<path d="{path}" fill="url(#ground-{ground.texture.replace(" ", "-")})"/>'


def _areas(board: Board) -> Iterator[str]:
    """Yield the names of the areas of a board without a map, between the sides."""
    for character, ground in board.legend.items():
        columns = [x for x, one in enumerate(board.rows[0]) if one == character]
        if ground.name.endswith("Area"):
            x = sum(middle(board, column, 0)[0] for column in columns) / len(columns)
            yield f'<text x="{x:g}" y="{board.height * SQUARE / 2:g}" font-size="6" class="halo">{ground.name}</text>'


def _outline(board: Board, rect: Sequence[int]) -> str:
    """Return the path around the hexes of a zone: the sides that only one of them has."""
    x0, y0, x1, y1 = rect
    sides: dict[tuple[float, ...], str] = {}
    for x, y in product(range(x0, x1 + 1), range(y0, y1 + 1)):
        at, top = middle(board, x, y)
        corners = [(at + dx, top + dy) for dx, dy in HEX]
        for (left, above), (right, below) in pairwise((*corners, corners[0])):
            shared = round((left + right) / 2, 2), round((above + below) / 2, 2)
            if sides.pop(shared, None) is None:
                sides[shared] = f"M{left:.2f} {above:.2f}L{right:.2f} {below:.2f}"
    return "".join(sides.values())


def _owners(board: Board) -> Iterator[str]:
    """Yield the marks of the sides that own squares, in their corners."""
    for y, row in enumerate(board.rows):
        for x in range(len(row)):
            if side := board.ground(x, y).owner:
                corner = f"translate({x * SQUARE + 1.9:g},{y * SQUARE + 1.9:g})"
                yield f'<use href="#side-{side}" transform="{corner} scale(.38)"/>'


def _objective(x: float, y: float, number: str, scale: float = 1) -> str:
    """Return the mark of an objective around a place."""
    return (
        f'<g transform="translate({x:g},{y:.4g}) scale({scale:g})"><circle r="4" fill="#fff" stroke="#222"'
        f' stroke-width=".6"/><circle r="3.2" fill="none" stroke="#222" stroke-width=".3"/>'
        f'<text font-size="4.4" font-weight="700" class="halo">{number}</text></g>'
    )


def _units(board: Board) -> Iterator[str]:
    for one in board.units:
        if "at" not in one:
            continue
        x, y = one["at"]
        yield (
            f'<g transform="translate({x * SQUARE + 5.4:g},{y * SQUARE + 5.2:g}) scale(.85)">'
            f'<use href="#side-{one["side"]}"/><use href="#unit-{board.symbols[one["type"]]}"/>'
            f'<text y="4.8" font-size="3.4" font-weight="600" class="halo">{one.get("hp", "")}</text></g>'
        )


def _grounds_of(board: Board) -> Iterator[str]:
    """Yield the entries of the legend for grounds and objectives."""
    drawn = {} if board.decks else {ground.texture: ground for ground in board.legend.values()}
    for ground in drawn.values():
        name = ground.name.removesuffix(f" {ground.owner}") if ground.owner else ground.name
        texture = ground.texture.replace(" ", "-")
        yield _entry(
            f'<path d="M0 0H10V10H0Z" fill="{ground.colour}"/>'
            f'<path d="M0 0H10V10H0Z" fill="url(#ground-{texture})" stroke="#222" stroke-width=".3"/>',
            name,
        )
    if board.objectives:
        yield _entry(_objective(5, 5, "n"), "objective")


def _sides(board: Board, symbols: Collection[Symbol]) -> Iterator[str]:
    """Yield the entries of the legend for both sides, and for what units are."""
    if symbols or any(ground.owner for ground in board.legend.values()):
        for side in "ab":
            yield _entry(f'<use href="#side-{side}" transform="translate(5,5)"/>', f"side {side}")
    for symbol in SYMBOLS:
        if symbol in symbols:
            yield _entry(f'<use href="#unit-{symbol}" transform="translate(5,5) scale(1.6)"/>', symbol)


def _entry(mark: str, name: str) -> str:
    return f'<g transform="scale(1.8)">{mark}</g><text x="25" y="13" font-size="12">{escape(name)}</text>'
