"""The explorer's answers as HTML: those of one scene, or of two side by side. A view is one kind of answer."""

from __future__ import annotations

import html
import math
import re
import traceback
from collections.abc import Callable, Mapping, Sequence
from importlib import resources
from typing import TYPE_CHECKING, Any, NamedTuple

from aabalance.errors import AabalanceError, counted
from aabalance.explorer.pictures import DASHES, DRAW, A, B, Line, bar, chart, swatch
from aabalance.explorer.scene import Scene
from aabalance.play.result import distance, percent, with_interval
from aabalance.report.page import unbroken

if TYPE_CHECKING:
    from aabalance.play.battle import BattleResult
    from aabalance.play.duel import DuelResult

STYLE = f"<style>\n{(resources.files(__package__) / 'answers.css').read_text(encoding='utf-8')}</style>"
"""Colours are left to the front end, light or dark, wherever possible; text can be read on the others in both."""

TO_COPY: Mapping[str, tuple[str, Callable[[Scene], str]]] = {
    "code": ("Copy as code", Scene.code),
    "card_a": ("Copy the card of a", lambda scene: scene.card(scene.a)),
    "card_b": ("Copy the card of b", lambda scene: scene.card(scene.b)),
}
"""What is there to be copied: a heading, and the text."""
COMPARE = CHANGES, OTHER, NOTHING = "what I change", "another unit", "nothing"
"""With what a scene is compared."""
CLOSE = 1e-9
"""Relative changes of worth up to this are rounding."""
WORTHS = "worth_before", "worth_after", "worth_difference", "worth_difference_low", "worth_difference_high"
MOST_GAINS = 6
"""Most units that are listed as winners of a change, and as losers."""

Scenes = Sequence[tuple[str, Scene]]
"""The scenes that are compared, one or two, each with its name."""


class View(NamedTuple):
    """A kind of answer.

    Attributes
    ----------
    title : str
        Heading of the answer.
    show : callable
        Takes scenes, and whether to explain the answer; returns HTML.
    quick : bool
        Whether it takes so little time that the explorer waits for it; others follow from a thread.
    always : bool
        Whether it is always shown; others only where the user asks for them, since they take long.
    """

    title: str
    show: Callable[[Scenes, bool], str]
    quick: bool = True
    always: bool = True


def compared(scene: Scene, compare: str, other: str) -> Scenes:
    """Return the scenes that are compared.

    Parameters
    ----------
    scene : Scene
        The scene that the controls describe.
    compare : str
        One of `COMPARE`.
    other : str
        Id of the unit that is compared in place of a.
    """
    if compare == OTHER:
        names = [scene.played.cards[unit].name for unit in (scene.a, other)]
        return list(zip(names, (scene, scene.instead(other)), strict=True))
    if compare == CHANGES and (scene.changes or scene.variant):
        return [("before", scene.with_(changes=(), variant={})), ("after", scene)]
    return [("", scene)]


def shown(view: View, scenes: Scenes, why: bool = False) -> str:
    """Return a view of scenes as HTML, to be put into `framed`; an error of any kind is shown in its place.

    Parameters
    ----------
    view : View
        The view.
    scenes : sequence of (str, Scene)
        The scenes that are compared, each with its name.
    why : bool
        Whether to explain the answer, in views that can.
    """
    try:
        inside = view.show(scenes, why)
    except Exception as error:
        inside = wrong(error)
    return f"<h2>{view.title}</h2>{inside}"


def framed(inside: str, *, stale: bool = False) -> str:
    """Return HTML in the explorer's style; greyed if it is stale, that is, answers an earlier question."""
    return f'<div class="aab{" stale" if stale else ""}">{inside}</div>'


def wrong(error: Exception) -> str:
    """Return an error's message as HTML; a defect of the package comes with its traceback, shown on a click."""
    message = html.escape(str(error))
    if not isinstance(error, AabalanceError):
        trace = html.escape("".join(traceback.format_exception(error)))
        line = f"not expected, please report it: {type(error).__name__}: {message}"
        message = f"<details><summary>{line}</summary><pre>{trace}</pre></details>"
    return f'<div class="wrong">{message}</div>'


def views(scene: Scene) -> dict[str, View]:
    """Return the views that the scene's game has, by name, in the order in which they are shown."""
    shown = {
        "shot": View("The shot", shot),
        "duel": View("The duel", duel),
        "curve": View("Kill probability by distance", curve),
        "timeline": View("The duel, round by round", timeline),
    }
    if scene.game.ruleset.has_battles:
        shown["battle"] = View("In battle", battle, quick=False)
    if scene.game.ruleset.limits_actions:
        shown["lists"] = View("Their lists", lists, quick=False)
        shown["worth"] = View("What it is worth", worth, quick=False)
        shown["gains"] = View("Who gains and who loses", gains, quick=False, always=False)
    return shown


def shot(scenes: Scenes, why: bool) -> str:
    """Return the shot of a on b: what it does, and with `why` the steps behind it."""
    parts = []
    for _, scene in scenes:
        result = scene.shot
        needs = [
            (f"{value}+" if value is not None else "impossible", name.replace("_", " "))
            for name, value in result.needs.items()
        ]
        numbers = [
            *needs,
            (percent(result.p_damage), "hurt by it"),
            (f"{result.expected_damage:.2f}", f"{scene.game.ruleset.labels.effect} expected"),
            (percent(result.p_kill), "destroyed by it"),
        ]
        fired = f"<div>{html.escape(result.attacker)}, {html.escape(result.weapon)}</div>"
        parts.append(f"{fired}{_figures(numbers)}{_said(result.sentence())}")
    if not why:
        return _side_by_side(scenes, parts)
    steps_of = [[(step.label, step.value, step.rule) for step in scene.shot.steps] for _, scene in scenes]
    # Steps that the other scene doesn't have are marked.
    others = [set(steps) for steps in reversed(steps_of)]
    for at, steps in enumerate(steps_of):
        rows = "".join(
            f"<tr{'' if step in others[at] else ' class=moved'}><th scope=row>{html.escape(step[0])}</th>"
            f'<td>{html.escape(step[1])}</td><td class="rule">{html.escape(step[2])}</td></tr>'
            for step in steps
        )
        parts[at] += f"<table>{rows}</table>"
    return _side_by_side(scenes, parts)


def duel(scenes: Scenes, why: bool) -> str:
    """Return who wins the duel, and with `why` who does what in it."""
    parts = []
    for _, scene in scenes:
        result = scene.duel
        turns = "without end" if result.player_turns is None else f"{result.player_turns:.1f} player turns"
        a, b = swatch(A) + html.escape(result.a), swatch(B) + html.escape(result.b)
        line = f"{a} <b>{percent(result.p_a)}</b>, {b} <b>{percent(result.p_b)}</b>, {turns}"
        parts.append(f"{_outcome_bar(result)}<div>{line}</div>{_said(result.sentence())}")
    deeds = _side_by_side(scenes, [_deeds(scene) for _, scene in scenes], "") if why else ""
    return _side_by_side(scenes, parts) + deeds


def curve(scenes: Scenes, why: bool) -> str:
    """Return a picture of the chance that either unit destroys the other within some turns, by distance."""
    lines = []
    for at, (_, scene) in enumerate(scenes):
        half = 0.5 if scene.game.ruleset.labels.length.whole else 0.0  # a hex or a square is a step of its own
        names = scene.shot.attacker, scene.shot.target
        for frame, colour, name in zip(scene.curves, (A, B), names, strict=True):
            entry = "" if at else f"{name} fires"
            x, y = frame["range_in"].tolist(), frame["p_kill_within"].tolist()
            x, y = [x[0] - half, *(far + half for far in x)], [y[0], *y]
            lines.append(Line(x, y, colour, DASHES[at], entry, steps=True))
    scene = scenes[0][1]
    turns = int(scene.curves[0]["turns"].iloc[0])
    within = f"destroyed within {counted(turns, 'turn')} of holding"
    return chart(
        lines,
        f"{scene.game.ruleset.labels.length.name}; {within}, no fire returned",
        [label for label, _ in scenes],
        scene.range_in,
    )


def timeline(scenes: Scenes, why: bool) -> str:
    """Return a picture of the chances that either has won the duel, or that it is undecided, round by round."""
    lines = []
    for at, (_, scene) in enumerate(scenes):
        result = scene.duel
        table = result.timeline
        for column, colour, name in (
            ("p_a", A, f"{result.a} has won"),
            ("p_b", B, f"{result.b} has won"),
            ("p_draw", DRAW, "undecided"),
        ):
            lines.append(Line(table["round"].tolist(), table[column].tolist(), colour, DASHES[at], "" if at else name))
    return chart(lines, "rounds", [label for label, _ in scenes])


def battle(scenes: Scenes, why: bool) -> str:
    """Return who wins the battle of both lists."""
    parts = []
    for _, scene in scenes:
        result = scene.battle
        currency = html.escape(scene.game.ruleset.labels.currency)
        limit = f", {counted(scene.actions, 'action')} a turn" if scene.game.ruleset.limits_actions else ""
        a, b = (
            f"{swatch(colour)}{html.escape(name)} ({cost:g} {currency})"
            for colour, name, cost in ((A, result.a, result.requisition_a), (B, result.b, result.requisition_b))
        )
        parts.append(
            f"{_outcome_bar(result)}<div>{a} against {b}{limit}, {result.engine}</div>{_said(result.sentence())}"
        )
    return _side_by_side(scenes, parts)


def lists(scenes: Scenes, why: bool) -> str:
    """Return what both lists cost, and score against the stated field."""
    parts = []
    for _, scene in scenes:
        said, part = {}, ""
        for colour, units, one in zip((A, B), scene.lists, scene.standings, strict=True):
            size = f"{counted(len(units), 'unit')}, {one.cost} {scene.game.ruleset.labels.currency}"
            part += f"<div>{swatch(colour)}{html.escape(f'{one.list} ({size})')}</div>"
            if one.score is None:
                part += _said(one.said)
            else:
                score, low, high = map(percent, one.score)
                part += _figures([(score, f"against the field ({low} to {high})")])
                said[one.said] = True
        parts.append(part + "".join(map(_said, said)))
    return _side_by_side(scenes, parts)


def worth(scenes: Scenes, why: bool) -> str:
    """Return what a is worth and costs, and its best and worst opponents."""
    from aabalance.pricing.worth_report import price_in_words, worth_in_words

    parts = []
    for _, scene in scenes:
        row: dict[Any, Any] = scene.worth.to_dict("records")[0]
        numbers = [
            (price_in_words(row["worth"]), "is worth"),
            ("–" if math.isnan(row["requisition"]) else f"{row['requisition']:g}", "costs"),
            (percent(row["score"]), f"scores for equal {scene.game.ruleset.labels.currency}"),
        ]
        level = f"level, the mean above the least price, is {percent(row['level'])}"
        notes = [level, row["flags"] and f"beware: {row['flags']}"]
        line = "; ".join(filter(None, (*notes, row["unseen"] and f"not priced: {row['unseen']}")))
        said = f"<div>{html.escape(line)}</div>{_said(worth_in_words(row))}{_opponents(scene, row['level'])}"
        parts.append(f"<div>{html.escape(row['name'])}</div>{_figures(numbers)}{said}")
    return _side_by_side(scenes, parts)


def _opponents(scene: Scene, level: float) -> str:
    """Return the opponents against whom a does best, and worst, for its points."""
    rows: list[dict[Any, Any]] = scene.opponents.to_dict("records")
    parts = []
    for heading, some in (
        ("does best, for its points, against", [row for row in rows if row["score"] > level]),
        ("does worst against", [row for row in rows if row["score"] < level][::-1]),
    ):
        named = (
            f"{html.escape(scene.played.cards[row['opponent']].name)} ({row['opponent_requisition']:g}: scores "
            f"{percent(row['score'])})"
            for row in some
        )
        if some:
            parts.append(f'<div><span class="rule">{heading}</span> {", ".join(named)}</div>')
    return "".join(parts)


def gains(scenes: Scenes, why: bool) -> str:
    """Return which units of the roster the changes of rules and cards make worth more, and which less."""
    from aabalance.pricing.worth_report import price_in_words

    scene = scenes[-1][1]
    if not (scene.changes or scene.variant):
        return "by a rule or a card that you change"
    table = scene.gains
    share = table["worth_after"] / table["worth_before"] - 1
    parts = []
    for heading, order in (("worth more", share[share > CLOSE]), ("worth less", -share[share < -CLOSE])):
        lines = ""
        for at in order.nlargest(MOST_GAINS).index:
            name, *worths, change, low, high = table.loc[at, ["name", *WORTHS]]
            more = with_interval(f"{change:+z.1f}", None if math.isnan(low) else (low, high), "{:+z.1f}".format)
            cells = html.escape(name), " to ".join(map(price_in_words, worths)), more, f"{100 * share[at]:+z.1f} %"
            lines += f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"
        parts.append(
            f'<div><div class="of">{heading}: {len(order)} of {len(table)} units; 90 % intervals</div>'
            f"<table>{lines}</table></div>"
        )
    return f'<div class="pair">{"".join(parts)}</div>'


def to_copy(words: str) -> str:
    """Return a text in a field that selects all of it on a click, with a button that copies it where browsers allow."""
    rows = min(words.count("\n") + 1, 16)
    copy = "navigator.clipboard.writeText(this.parentNode.querySelector('textarea').value)"
    return framed(
        f'<button onclick="{copy}">copy</button>'
        f'<textarea readonly rows="{rows}" onfocus="this.select()" aria-label="to copy">{html.escape(words)}</textarea>'
    )


def _side_by_side(scenes: Scenes, parts: Sequence[str], css_class: str = "pair") -> str:
    """Return the answers of scenes side by side, or below each other without a CSS class; equal ones once."""
    if len(set(parts)) == 1:
        alike = f'<div class="of">{" and ".join(html.escape(label) for label, _ in scenes)} alike</div>'
        return (alike if len(parts) > 1 else "") + parts[0]
    cells = "".join(
        f'<div><div class="of">{html.escape(label)}</div>{part}</div>'
        for (label, _), part in zip(scenes, parts, strict=True)
    )
    return f'<div class="{css_class}">{cells}</div>'


def _said(sentence: str) -> str:
    """Return the sentence that a result ends in."""
    words = re.sub("`(.+?)`", r"<code>\1</code>", html.escape(unbroken(sentence)))
    return f'<p class="said">{words}</p>'


def _figures(numbers: Sequence[tuple[str, str]]) -> str:
    """Return numbers in large type, each with its name."""
    parts = (
        f'<span><span class="big">{html.escape(number)}</span>{html.escape(name)}</span>' for number, name in numbers
    )
    return f'<div class="figures">{"".join(parts)}</div>'


def _outcome_bar(result: DuelResult | BattleResult) -> str:
    draw = result.p_draw + (getattr(result, "p_both_destroyed", None) or 0.0)
    drawn = f"<div>{swatch(DRAW)}no winner <b>{percent(draw)}</b></div>" if draw else ""
    return bar([(result.p_a, A, f"{result.a} wins"), (draw, DRAW, "draw"), (result.p_b, B, f"{result.b} wins")]) + drawn


def _deeds(scene: Scene) -> str:
    """Return a table of who does what in a duel."""
    rows, before = [], ""
    for deed in scene.duel.explain().rows:
        when, side, unit, does, range_in, p_damage, expected, p_kill, rule = deed
        at = distance(range_in, scene.game.ruleset.labels.length.after)
        mean = "" if expected is None else f"{expected:.2f}"
        cells = (f"{side}: {unit}", when, does, at, percent(p_damage), mean, percent(p_kill))
        rows.append("".join(f"<td>{html.escape(cell)}</td>" for cell in cells))
        if rule != before:
            rows.append(f'<td></td><td class="rule" colspan="{len(cells) - 1}">{html.escape(rule)}</td>')
        before = rule
    heads = ("who", "when", "does", "at", scene.duel.trace.harm, "expected", "destroys")
    head = "".join(f"<th scope=col>{name}</th>" for name in heads)
    return f"<table><tr>{head}</tr>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>"
