"""What the explorer shows of scenes, as HTML: one of them, or two beside each other."""

from __future__ import annotations

import html
import math
import traceback
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from aabalance.errors import AabalanceError
from aabalance.explorer.pictures import DASHES, DRAW, A, B, Line, bar, chart, swatch
from aabalance.explorer.scene import Scene
from aabalance.results import distance, percent

STYLE = """<style>
.aab { font-size: 13px; line-height: 1.45; }
.aab h4 { margin: 0 0 4px; font-size: 14px; font-weight: 600; }
.aab .pair { display: grid; grid-template-columns: 1fr 1fr; gap: 4px 18px; }
.aab .of { font-weight: 600; opacity: .75; }
.aab .big { font-size: 22px; font-weight: 600; margin-right: 3px; }
.aab .figures { display: flex; flex-wrap: wrap; gap: 2px 18px; }
.aab .figures > span { white-space: nowrap; }
.aab .bar { display: flex; height: 22px; border-radius: 4px; overflow: hidden; margin: 4px 0; }
.aab .bar > div { color: #fff; font-weight: 600; text-align: center; line-height: 22px; overflow: hidden; }
.aab .keys { display: flex; flex-wrap: wrap; gap: 0 14px; }
.aab .break { flex-basis: 100%; }
.aab .key svg { vertical-align: middle; margin-right: 5px; }
.aab > svg { width: 100%; max-width: 520px; }
.aab table { border-collapse: collapse; margin: 4px 0; }
.aab th, .aab td { text-align: left; padding: 1px 12px 1px 0; border: 0; background: none; vertical-align: top; }
.aab th { opacity: .65; font-weight: 500; }
.aab .rule { opacity: .65; }
.aab .moved td { background: #e6a70033; }
.aab-controls .widget-readout { box-shadow: none; }
.aab.stale { opacity: .35; }
.aab .wrong pre { overflow: auto; max-height: 240px; }
.aab .wrong { border-left: 3px solid #c62828; padding-left: 8px; }
.aab textarea { width: 100%; box-sizing: border-box; font: 12px/1.4 monospace; color: inherit; background: transparent;
  border: 1px solid var(--jp-border-color2, #bbb); border-radius: 4px; padding: 6px; }
</style>"""
"""Colours are the front end's own, light or dark; of those that are set, text reads on both."""

CLOSE = 1e-9
"""Shares that differ by no more are the same."""
MOST_GAINS = 6
"""Units that are named of those which gain, and of those which lose."""

Scenes = Sequence[tuple[str, Scene]]
"""What is compared, each with what it is called: one scene, or two."""


class View(NamedTuple):
    """A part of what is shown.

    Attributes
    ----------
    title : str
    show : callable
        Takes scenes, and whether to tell why; returns HTML.
    quick : bool
        It is there at once; the others follow.
    usual : bool
        It is there unless asked otherwise; the others take long enough to be asked for.
    """

    title: str
    show: Callable[[Scenes, bool], str]
    quick: bool = True
    usual: bool = True


def shown(view: View, scenes: Scenes, why: bool = False) -> str:
    """Return a part as HTML, for `framed`; where it has no answer, it says so, whatever went wrong.

    Parameters
    ----------
    view : View
    scenes : sequence
        What is compared.
    why : bool
        Whether to tell why, in parts that can.
    """
    try:
        inside = view.show(scenes, why)
    except Exception as error:
        inside = wrong(error)
    return f"<h4>{view.title}</h4>{inside}"


def framed(inside: str, *, stale: bool = False) -> str:
    """Return HTML in the explorer's style; stale: of what was asked before."""
    return f'<div class="aab{" stale" if stale else ""}">{inside}</div>'


def wrong(error: Exception) -> str:
    """Return why there is no answer, in one line; of an error that is none of ours, where it was on a click."""
    said = html.escape(str(error))
    if not isinstance(error, AabalanceError):
        told = html.escape("".join(traceback.format_exception(error)))
        line = f"not expected, please report it: {type(error).__name__}: {said}"
        said = f"<details><summary>{line}</summary><pre>{told}</pre></details>"
    return f'<div class="wrong">{said}</div>'


def views(scene: Scene) -> dict[str, View]:
    """Return the parts that a game has, in their order."""
    found = {
        "shot": View("The shot", shot),
        "duel": View("The duel", duel),
        "curve": View("Kill probability by distance", curve),
        "timeline": View("The duel, round by round", timeline),
    }
    if scene.has_battles:
        found["battle"] = View("In battle", battle, quick=False)
    if scene.has_worth:
        found["worth"] = View("What it is worth", worth, quick=False)
        found["gains"] = View("Who gains and who loses", gains, quick=False, usual=False)
    return found


def shot(scenes: Scenes, why: bool) -> str:
    """Return the shot of a on b: what it does, and why."""
    parts = []
    for __, scene in scenes:
        found = scene.shot
        needs = [
            (f"{value}+" if value is not None else "impossible", name.replace("_", " "))
            for name, value in found.needs.items()
        ]
        numbers = [
            *needs,
            (percent(found.p_damage), "damage"),
            (f"{found.expected_damage:.2f}", f"{_effect(scene)} expected"),
            (percent(found.p_kill), "destroyed by it"),
        ]
        parts.append(f"<div>{html.escape(found.attacker)}, {html.escape(found.weapon)}</div>{_figures(numbers)}")
    if not why:
        return _beside(scenes, parts)
    told = [[(step.label, step.value, step.rule) for step in scene.shot.steps] for _, scene in scenes]
    others = [set(steps) for steps in reversed(told)] if len(told) > 1 else [set(told[0])]
    for at, steps in enumerate(told):
        rows = "".join(
            f"<tr{'' if step in others[at] else ' class=moved'}><th>{html.escape(step[0])}</th>"
            f'<td>{html.escape(step[1])}</td><td class="rule">{html.escape(step[2])}</td></tr>'
            for step in steps
        )
        parts[at] += f"<table>{rows}</table>"
    return _beside(scenes, parts)


def duel(scenes: Scenes, why: bool) -> str:
    """Return who wins the duel, and who does what in it."""
    parts = []
    for __, scene in scenes:
        found = scene.duel
        turns = "without end" if found.player_turns is None else f"{found.player_turns:.1f} player turns"
        a, b = swatch(A) + html.escape(found.a), swatch(B) + html.escape(found.b)
        said = f"{a} <b>{percent(found.p_a)}</b>, {b} <b>{percent(found.p_b)}</b>"
        rest = f", {turns}"
        if found.p_a_moving_first is not None and found.p_a_moving_second is not None:
            first, second = percent(found.p_a_moving_first), percent(found.p_a_moving_second)
            rest += f"; moving first {first}, second {second}"
        parts.append(f"{_ends(found, found.a, found.b)}<div>{said}{rest}</div>")
    deeds = _beside(scenes, [_deeds(scene) for _, scene in scenes], "") if why else ""
    return _beside(scenes, parts) + deeds


def curve(scenes: Scenes, _: bool) -> str:
    """Return the chance that either unit destroys the other within some turns, along the distance."""
    lines = []
    for at, (__, scene) in enumerate(scenes):
        whole = scene.game.ruleset.labels.length.whole
        names = scene.shot.attacker, scene.shot.target
        for frame, colour, name in zip(scene.curves, (A, B), names, strict=True):
            said = "" if at else f"{name} fires"
            x, y = frame["range_in"].tolist(), frame["p_kill_within"].tolist()
            lines.append(Line(x, y, colour, DASHES[at], said, steps=not whole))
    scene = scenes[0][1]
    turns = int(scene.curves[0]["turns"].iloc[0])
    within = f"destroyed within {turns} turn{'s' * (turns > 1)} of holding"
    return chart(
        lines,
        f"{scene.game.ruleset.labels.length.name}; {within}, no fire returned",
        [label for label, _ in scenes],
        scene.range_in,
    )


def timeline(scenes: Scenes, _: bool) -> str:
    """Return the chances that either has won the duel, round by round."""
    lines = []
    for at, (__, scene) in enumerate(scenes):
        found = scene.duel
        table = found.timeline
        for column, colour, name in (
            ("p_a", A, f"{found.a} has won"),
            ("p_b", B, f"{found.b} has won"),
            ("p_draw", DRAW, "goes on"),
        ):
            lines.append(Line(table["round"].tolist(), table[column].tolist(), colour, DASHES[at], "" if at else name))
    return chart(lines, "rounds", [label for label, _ in scenes])


def battle(scenes: Scenes, _: bool) -> str:
    """Return who wins a battle of lists that cost about the same."""
    parts = []
    for __, scene in scenes:
        found, lists = scene.battle, scene.lists
        costs = [len(units) * scene.cost(units[0]) for units in lists]
        currency = html.escape(scene.game.ruleset.labels.currency)
        a, b = (
            f"{swatch(colour)}{html.escape(name)} ({cost:g} {currency})"
            for colour, name, cost in zip((A, B), (found.a, found.b), costs, strict=True)
        )
        limit = f", {scene.actions} actions a turn" if scene.game.ruleset.limits_actions else ""
        interval = "" if found.p_a_ci is None else f" [{percent(found.p_a_ci[0])}, {percent(found.p_a_ci[1])}]"
        said = (
            f"{a} <b>{percent(found.p_a)}</b>{interval} against {b} <b>{percent(found.p_b)}</b>{limit}, {found.engine}"
        )
        parts.append(f"{_ends(found, found.a, found.b)}<div>{said}</div>")
    return _beside(scenes, parts)


def worth(scenes: Scenes, _: bool) -> str:
    """Return what a is worth beside what it costs."""
    parts = []
    for __, scene in scenes:
        row: dict[Any, Any] = scene.worth.to_dict("records")[0]
        flags = f"<div>{html.escape(row['flags'])}</div>" if row["flags"] else ""
        known = not math.isnan(row["worth_low"])
        between = f"{_price(row['worth_low'])} to {_price(row['worth_high'])}" if known else "–"
        numbers = [
            (_price(row["worth"]), "is worth"),
            (f"{row['requisition']:g}", "costs"),
            (percent(row["score"]), f"scores for equal {scene.game.ruleset.labels.currency}"),
        ]
        unseen = f"; not in it: {html.escape(row['unseen'])}" if row["unseen"] else ""
        said = f"90 % interval {between}, by whom it meets; the roster scores {percent(row['level'])}{unseen}"
        opponents = _opponents(scene, row["level"])
        parts.append(f"<div>{html.escape(row['name'])}</div>{_figures(numbers)}{flags}<div>{said}</div>{opponents}")
    return _beside(scenes, parts)


def _opponents(scene: Scene, level: float) -> str:
    """Return against whom a does best and worst for its points."""
    rows: list[dict[Any, Any]] = scene.opponents.to_dict("records")
    parts = []
    for what, some in (
        ("does best, for its points, against", [row for row in rows if row["score"] > level]),
        ("does worst against", [row for row in rows if row["score"] < level][::-1]),
    ):
        named = (
            f"{html.escape(scene.played.cards[row['opponent']].name)} ({row['opponent_requisition']:g}: scores "
            f"{percent(row['score'])})"
            for row in some
        )
        if some:
            parts.append(f'<div><span class="rule">{what}</span> {", ".join(named)}</div>')
    return "".join(parts)


def gains(scenes: Scenes, _: bool) -> str:
    """Return which units of the roster are worth more, and which less, by what was changed in rules and cards."""
    scene = scenes[-1][1]
    if not (scene.changes or scene.variant):
        return "by a rule or a card that you change"
    table = scene.gains
    share = table["worth_after"] / table["worth_before"] - 1
    parts = []
    for what, order in (("worth more", share[share > CLOSE]), ("worth less", -share[share < -CLOSE])):
        rows: list[dict[Any, Any]] = table.loc[order.nlargest(MOST_GAINS).index].to_dict("records")
        lines = "".join(
            f"<tr><td>{html.escape(row['name'])}</td><td>{_price(row['worth_before'])} to {_price(row['worth_after'])}"
            f"</td><td>{100 * (row['worth_after'] / row['worth_before'] - 1):+.1f} %</td></tr>"
            for row in rows
        )
        parts.append(
            f'<div><div class="of">{what}: {len(order)} of {len(table)} units</div><table>{lines}</table></div>'
        )
    return f'<div class="pair">{"".join(parts)}</div>'


def to_copy(words: str) -> str:
    """Return a text to copy: one click marks it, another button copies it where the browser lets it."""
    rows = min(words.count("\n") + 1, 16)
    copy = "navigator.clipboard.writeText(this.parentNode.querySelector('textarea').value)"
    return framed(
        f'<button onclick="{copy}">copy</button>'
        f'<textarea readonly rows="{rows}" onfocus="this.select()" aria-label="to copy">{html.escape(words)}</textarea>'
    )


def where(scene: Scene) -> str:
    """Return in words who meets whom, and where."""
    length = scene.game.ruleset.labels.length.after
    return f"{scene.shot.attacker} v {scene.shot.target}, {distance(scene.range_in, length)}"


def _beside(scenes: Scenes, parts: Sequence[str], kind: str = "pair") -> str:
    """Return parts beside each other, or below each other where the kind is none; those that are alike once."""
    if len(set(parts)) == 1:
        alike = f'<div class="of">{" and ".join(html.escape(label) for label, _ in scenes)} alike</div>'
        return (alike if len(parts) > 1 else "") + parts[0]
    cells = "".join(
        f'<div><div class="of">{html.escape(label)}</div>{part}</div>'
        for (label, _), part in zip(scenes, parts, strict=True)
    )
    return f'<div class="{kind}">{cells}</div>'


def _figures(numbers: Sequence[tuple[str, str]]) -> str:
    said = (
        f'<span><span class="big">{html.escape(number)}</span>{html.escape(what)}</span>' for number, what in numbers
    )
    return f'<div class="figures">{"".join(said)}</div>'


def _ends(found: Any, a: str, b: str) -> str:
    both = getattr(found, "p_both_destroyed", None) or 0.0
    return bar([(found.p_a, A, f"{a} wins"), (found.p_draw + both, DRAW, "draw"), (found.p_b, B, f"{b} wins")])


def _deeds(scene: Scene) -> str:
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
    heads = ("who", "when", "does", "at", "damage", "expected", "destroys")
    head = "".join(f"<th>{name}</th>" for name in heads)
    return f"<table><tr>{head}</tr>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>"


def _effect(scene: Scene) -> str:
    return scene.game.ruleset.labels.effect


def _price(price: float) -> str:
    if math.isnan(price):
        return "–"
    return "no end" if math.isinf(price) else f"{price:.0f}" if price >= 100 else f"{price:.1f}"
