"""A match as one HTML file that loads nothing else: the board, and each decision on it.

`page.html.j2` has all that must be there without scripts; ``page.js`` moves the units that stand in the picture.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from importlib import resources
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from aabalance.boards.drawing import larger, middle, svg, unit
from aabalance.cards.literals import as_option
from aabalance.definitions.settings import changed
from aabalance.files import templates
from aabalance.play import result
from aabalance.play.explanation import Explanation
from aabalance.play.match_log import cards_in_words
from aabalance.rulesets.base.board import Scene

if TYPE_CHECKING:
    from aabalance.play.match import MatchResult

FACINGS = "N", "NE", "E", "SE", "S", "SW", "W", "NW"
MARK = re.compile(r"\b[ab]\d+\b")
"""A unit, and a weapon with its name, in the words of actions."""
WEAPON = re.compile(r"\bw\d+ \((.+?)\)")
HEXSIDES = "NE", "E", "SE", "SW", "W", "NW"


class Page(str):
    """A page: HTML when printed or written, and shown as it is in a notebook."""

    def _repr_html_(self) -> str:
        return f'<iframe srcdoc="{escape(self)}" width="100%" height="720" style="border:0"></iframe>'


def page(match: MatchResult, told: Explanation, about: Mapping[str, str]) -> Page:
    """Return the page of the first of some matches.

    Parameters
    ----------
    match : MatchResult
        The matches, of a game with boards.
    told : Explanation
        The first in words; see `aabalance.play.match_log.explained`.
    about : mapping of str to str
        What one should know of it: who plays, the rules, the command that makes it again.
    """
    question, log = match.played.question, match.played.first
    board = question.board
    scenes = [log.scene, *(step.scene for step in log.steps)]
    units = {piece.mark: piece for scene in reversed(scenes) for piece in scene.pieces}
    marks = sorted(units, key=lambda mark: (units[mark].side, len(mark), mark))
    names = {mark: (piece.card, match.played.agreed.cards[piece.card].name) for mark, piece in units.items()}
    rows = [(side, _named(action, names), dice, _named(did, names)) for _, side, action, dice, did, _ in told.rows]
    steps = [
        {
            "side": side,
            "action": action,
            "told": said[1],
            "rule": rule,
            "did": said[3],
            "dice": [(roll.sides, roll.asked, roll.faces, roll.met) for roll in step.rolls],
        }
        for (_, side, action, _, _, rule), said, step in zip(told.rows, rows, log.steps, strict=True)
    ]
    data = {
        "units": [units[mark]._asdict() for mark in marks],
        "scenes": [_packed(scene, marks, board.hexes) for scene in scenes],
        "steps": steps,
        "end": told.tail,
        "larger": larger(board),
        "middles": [[middle(board, x, y) for x in range(board.width)] for y in range(board.height)],
    }
    drawn = "".join(f'<g class="unit">{unit(units[mark].side, units[mark].symbol, mark)}</g>' for mark in marks)
    layers = f'<g id="cleared"></g><g id="owners"></g><g id="tracks"></g><g id="units">{drawn}</g><g id="effects"></g>'
    here = resources.files(__package__)
    template = templates(__package__).get_template("page.html.j2")
    text = template.render(
        title=f"{question.ruleset.labels.title}: {board.name}",
        lists={"a": match.a, "b": match.b},
        rows=rows,
        end=told.tail,
        about=about,
        units=[(units[mark], names[mark][1]) for mark in marks],
        board=Markup(svg(board, layers, {piece.symbol for piece in units.values()})),
        style=Markup((here / "page.css").read_text(encoding="utf-8")),
        script=Markup((here / "page.js").read_text(encoding="utf-8")),
        data=Markup(json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")),
    )
    return Page(text)


def command(match: MatchResult) -> Iterator[str]:
    """Yield the words of the command that plays the first match again."""
    question = match.played.question
    lists = (",".join(card.id or card.name for card in own.units) for own in question.lists if own.units)
    yield from ("aabalance", "match", *lists)
    given = {
        "game": question.ruleset.name,
        "board": match.board,
        "mission": match.mission,
        "rounds": match.rounds,
        "actions": ",".join(map(str, match.actions or ())),
        "first": match.first,
        "player-a": match.player_a,
        "player-b": match.player_b,
        "seed": match.seed,
    }
    for name, value in given.items():
        if value not in (None, ""):
            yield from (f"--{name}", str(value))
    places = {
        f"{side}{at + 1}": {name: value for name, value in place if value is not None}
        for side, own in zip(result.SIDES, question.lists, strict=True)
        for at, place in own.places.items()
    }
    yield from question.folders
    for change in match.provenance.changes:
        yield from ("--set", change)
    for option, values in (("--variant", changed(question.variant)), ("--with", {**places, **match.options})):
        for name, value in values.items():
            yield from (option, as_option(name, value))


def _named(text: str, names: Mapping[str, tuple[str, str]]) -> str:
    """Return words on an action with the names of units in place of ids; `names` has both by their marks."""
    for mark, (card, name) in names.items():
        text = re.sub(rf"\b{mark}[. ]{re.escape(card)}\b", mark, text.replace(f" ({name})", ""))
    text = MARK.sub(lambda found: f"{found[0]} {names[found[0]][1]}" if found[0] in names else found[0], text)
    return WEAPON.sub(r"with \1", text).replace("_", " ")


def _packed(scene: Scene, marks: Sequence[str], hexes: bool) -> dict[str, Any]:
    """Return a scene in few letters: of each unit left its number, square, strength, facing, carrier, condition."""
    return {
        "round": scene.round,
        "score": scene.score,
        "hands": {side: cards_in_words(hand).replace("_", " ") for side, hand in scene.hands.items()},
        "owners": [(*at, side) for at, side in scene.owners.items()],
        "cleared": scene.cleared,
        "pieces": [
            (
                marks.index(piece.mark),
                piece.at,
                piece.strength,
                _degrees(piece.facing, hexes) if piece.facing else None,
                piece.inside or None,
                piece.condition,
            )
            for piece in scene.pieces
        ],
    }


def _degrees(facing: str, hexes: bool) -> int:
    """Return a facing as an angle from north."""
    return 30 + 60 * HEXSIDES.index(facing) if hexes else 45 * FACINGS.index(facing)
