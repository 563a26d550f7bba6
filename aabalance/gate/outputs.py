"""The verdicts of a gate, for people and machines: rows of a table, JSON, Markdown, JUnit XML, GitHub annotations."""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree

from aabalance.cards.tables import line_of
from aabalance.definitions.claims import GroupClaim, MatchClaim
from aabalance.definitions.gate import Gate
from aabalance.errors import counted
from aabalance.files import in_markdown
from aabalance.game import Game
from aabalance.gate.cases import Case
from aabalance.gate.judge import UNJUDGED, Judged, fails
from aabalance.gate.sequential import BROKEN, HOLDS, UNDECIDED
from aabalance.play.policy import in_words

MOST_NAMED = 5
"""Most cases outside of a band that are named in words."""
MOST_LISTED = 100
"""Most cases outside of a band that are listed in JSON."""
PAIR = 2
"""Most units of a case of which one may be at fault by itself: in lists of more none is."""
MOST_DIGITS = 9
"""Most decimals of a number that is hardly out of its band; see `aabalance.gate.judge.CLOSE`."""
MOST_ANNOTATIONS = 10
"""GitHub shows no more of each kind for a step."""

HEADER = ("verdict", "claim", "found", "interval", "wanted")
KNOWN, AGAIN = "known", "holds again"
ORDER = (BROKEN, UNJUDGED, UNDECIDED, AGAIN, KNOWN, HOLDS)
"""The order in which claims are listed: what a reader has to see comes first."""
NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class Run(NamedTuple):
    """A gate with its game and verdicts.

    Attributes
    ----------
    gate : Gate
        The gate: claims on a game.
    game : Game
        The game: a ruleset with its cards and variant.
    judged : list of Judged
        The claims with their verdicts.
    undecided : {"pass", "fail"}
        What an undecided claim does to the gate.
    seed : int
        Seed of the dice.
    """

    gate: Gate
    game: Game
    judged: list[Judged]
    undecided: str
    seed: int

    @property
    def failed(self) -> bool:
        """Whether the gate fails."""
        return fails(self.judged, self.undecided)

    @property
    def broken(self) -> bool:
        """Whether it fails for claims that were judged, and not only for missing accepted numbers."""
        return fails([one for one in self.judged if one.verdict != UNJUDGED], self.undecided)

    @property
    def summary(self) -> str:
        """How many claims hold and how many don't, in one line."""
        count = Counter(one.status for one in self.judged)
        parts = [_several(count[status], status) for status in (HOLDS, *ORDER[:-1]) if count[status]]
        verdict = "fails" if self.failed else "passes"
        return f"{self.gate.title}: {counted(len(self.judged), 'claim')}, {', '.join(parts)}; the gate {verdict}"


def _several(number: int, status: str) -> str:
    return f"{number} {status if number == 1 else status.replace(HOLDS, 'hold')}"


def rows(run: Run) -> list[list[str]]:
    """Return a row for each claim, for `HEADER`."""
    return [[one.status, one.claim.says, _found(one), _interval(one), _wanted(one)] for one in run.judged]


def details(run: Run, one: Judged) -> dict[str, list[str]]:
    """Return the lines on a claim below the table, by heading.

    Parameters
    ----------
    run : Run
        The gate with its verdicts.
    one : Judged
        One of its claims.
    """
    lines_of = {
        "because": [one.claim.because],
        "found": [_sentence(one).removeprefix("found ")] if one.verdict != UNJUDGED else [],
        "outside": _outside(one),
        "place": [f"{file}:{line}" for file, line in _places(run, one)][:MOST_NAMED] if one.status == BROKEN else [],
        "known": [one.claim.known] if one.claim.known else [],
        "note": [one.note] if one.note else [],
    }
    return {heading: lines for heading, lines in lines_of.items() if lines}


def told(run: Run) -> list[Judged]:
    """Return the claims that are explained below the table: all that don't simply hold."""
    return sorted((one for one in run.judged if one.status != HOLDS), key=lambda one: ORDER.index(one.status))


def json_of(run: Run) -> dict[str, Any]:
    """Return the verdicts as plain values for JSON; infinite numbers are null."""
    return {
        "gate": run.gate.name,
        "title": run.gate.title,
        "game": run.gate.game,
        "alpha": run.gate.alpha,
        "seed": run.seed,
        "passed": not run.failed,
        "sentence": run.summary,
        "claims": [_json(one) for one in run.judged],
        "provenance": run.game.provenance().said(),
    }


def _json(one: Judged) -> dict[str, Any]:
    claim = one.claim
    return {
        "id": one.id,
        "says": claim.says,
        "because": claim.because,
        "kind": claim.kind,
        "measure": getattr(claim, "measure", "score"),
        "verdict": one.verdict,
        "known": claim.known,
        "value": _finite(one.value),
        "ci_low": _finite(one.low),
        "ci_high": _finite(one.high),
        "band": [_finite(end) for end in claim.band],
        "value_is": "share of cases in the band" if one.many else "mean of cases" if one.cases > 1 else "the number",
        "share_wanted": getattr(claim, "share", 1.0),
        "cases": one.cases,
        "cases_outside": len(one.outside),
        "outside": [
            {"name": case.name, "units": list(case.units), "value": _finite(case.value)}
            for case in one.outside[:MOST_LISTED]
        ],
        "engine": one.engine,
        "trials": one.trials,
        "note": one.note,
    }


def markdown(run: Run) -> str:
    """Return the verdicts as Markdown, for a step summary or a pull request."""
    lines = [f"## {in_markdown(run.gate.title)}", "", f"{run.summary[len(run.gate.title) + 2 :].capitalize()}.", ""]
    lines += [f"| {' | '.join(HEADER)} |", f"|{' --- |' * len(HEADER)}"]
    by_status = sorted(zip(run.judged, rows(run), strict=True), key=lambda pair: ORDER.index(pair[0].status))
    lines += [f"| {' | '.join(in_markdown(text) for text in row)} |" for _, row in by_status]
    for one in told(run):
        lines += ["", f"**{in_markdown(one.status)}: {in_markdown(one.claim.says)}**", ""]
        lines += [f"- {heading}: {in_markdown(text)}" for heading, texts in details(run, one).items() for text in texts]
    given = in_markdown(", ".join((run.game.reading, *run.game.cards.changes)))
    head = f"Cards {run.game.cards.hash}, {given}, alpha {run.gate.alpha:g}, seed {run.seed}."
    return "\n".join([*lines, "", head, ""])


def junit(run: Run) -> str:
    """Return the verdicts as JUnit XML.

    A claim that makes the gate fail is a failure, one that couldn't be judged an error; claims that are known to be
    broken, or undecided, are skipped.
    """
    unjudged = [one for one in run.judged if one.verdict == UNJUDGED]
    failing = [one for one in run.judged if fails([one], run.undecided) and one not in unjudged]
    skipped = [one for one in run.judged if one not in failing and one.status in (KNOWN, UNDECIDED)]
    by_kind = {"tests": run.judged, "failures": failing, "skipped": skipped, "errors": unjudged}
    counts = {name: str(len(claims)) for name, claims in by_kind.items()}
    suites = ElementTree.Element("testsuites", counts)
    suite = ElementTree.SubElement(suites, "testsuite", {"name": _xml(run.gate.title), **counts})
    properties = ElementTree.SubElement(suite, "properties")
    given = {"cards": run.game.cards.hash, "variant": run.game.reading, "changes": ", ".join(run.game.cards.changes)}
    for name, value in (given | {"seed": str(run.seed)}).items():
        if value:
            ElementTree.SubElement(properties, "property", {"name": name, "value": _xml(value)})
    for one in run.judged:
        place = {"file": _shown_path(run.gate.path), "line": str(run.gate.line_of(one.id))}
        named = {"classname": f"{run.gate.name}.{one.claim.kind}", "name": _xml(f"{one.id}: {one.claim.says}")}
        case = ElementTree.SubElement(suite, "testcase", {**named, **place})
        if one in failing:
            failure = ElementTree.SubElement(case, "failure", {"message": _xml(_sentence(one)), "type": one.verdict})
            failure.text = _xml("\n".join([one.claim.because, *_outside(one)]))
        elif one in unjudged:
            ElementTree.SubElement(case, "error", {"message": _xml(_sentence(one)), "type": one.verdict})
        elif one in skipped:
            ElementTree.SubElement(case, "skipped", {"message": _xml(one.claim.known or _sentence(one))})
    ElementTree.indent(suites)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{ElementTree.tostring(suites, encoding="unicode")}\n'


def _xml(text: str) -> str:
    """Return a text with characters that XML doesn't allow replaced by question marks."""
    return NOT_XML.sub("?", text)


def github(run: Run) -> list[str]:
    """Return GitHub's workflow commands: errors for claims that make the gate fail, warnings for undecided ones.

    Each points at the card of a unit that is out of the band, or at the claim if it is about no single unit. There are
    at most `MOST_ANNOTATIONS` of a kind: first one for each claim, then further ones. Claims that are known to be
    broken have none, since it would show every time; when they hold again, they have a notice.
    """
    by_kind: dict[str, list[list[str]]] = {"error": [], "warning": [], "notice": []}
    for one in told(run):
        if one.status == KNOWN:
            continue
        kind = "error" if fails([one], run.undecided) else "warning" if one.status == UNDECIDED else "notice"
        by_kind[kind].append(list(_annotations(run, one, kind)))
    out = []
    for lists in by_kind.values():
        in_turn = (line for turn in itertools.zip_longest(*lists) for line in turn if line is not None)
        out += list(itertools.islice(in_turn, MOST_ANNOTATIONS))
    return out


def _annotations(run: Run, one: Judged, kind: str) -> Iterator[str]:
    """Yield the annotations of one claim: at each card that is out of its band, or, if no card is, at the claim."""
    for place, case in _places(run, one).items():
        said = _sentence(one) if case is None else f"{_of_case(one, case)}; wanted {_wanted(one)}"
        yield _command(kind, place, one, f"{one.claim.says}: {said}")


def _places(run: Run, one: Judged) -> dict[tuple[str, int], Case | None]:
    """Return the file and line of each card that is out of a claim's band, with the first case that it is out by.

    Of a claim that names no single card, it is that of the claim, without a case.
    """
    mean = getattr(one.claim, "mean", False) or isinstance(one.claim, GroupClaim)
    # Of a pair whose number has drifted, the card to point at is the one that more of the drifting numbers share.
    drifted = Counter(unit for case in one.outside for unit in case.units if one.claim.kind == "baseline")
    found: dict[tuple[str, int], Case | None] = {}
    for case in () if mean or one.verdict != BROKEN else one.outside:
        unit = max(case.units, key=drifted.__getitem__, default="")
        card = run.game.cards.places.get(unit)
        if isinstance(card, Path) and len(case.units) <= PAIR:
            found.setdefault((_shown_path(card), line_of(card, (unit,))), case)
    return found or {(_shown_path(run.gate.path), run.gate.line_of(one.id)): None}


def _command(kind: str, place: tuple[str, int], one: Judged, text: str) -> str:
    """Return a workflow command, with those characters escaped that have a meaning in it."""
    values = {"file": place[0], "line": str(place[1]), "title": f"{one.status}: {one.id}"}
    fields = ",".join(
        f"{name}={_escaped(value).replace(':', '%3A').replace(',', '%2C')}" for name, value in values.items()
    )
    return f"::{kind} {fields}::{_escaped(text)}"


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _shown_path(path: Path) -> str:
    """Return a path as GitHub wants it: relative to the folder that the command runs in, if it is below that."""
    whole, here = path.resolve(), Path.cwd().resolve()
    return (whole.relative_to(here) if whole.is_relative_to(here) else whole).as_posix()


def _sentence(one: Judged) -> str:
    if one.verdict == UNJUDGED:
        return one.note
    interval = _interval(one)
    fights = "battles rolled"
    if isinstance(one.claim, MatchClaim):
        fights = f"matches played by {in_words((one.claim.player_a, one.claim.player_b))}"
    rolled = f"; {one.trials} {fights}" if one.trials else ""
    return f"found {_found(one)}{f' {interval}' if interval else ''}, wanted {_wanted(one)}{rolled}"


def _outside(one: Judged) -> list[str]:
    """Return the cases farthest out of the band, in words; nothing for a claim on one number, which is told anyway."""
    if one.cases == 1:
        return []
    more = len(one.outside) - MOST_NAMED
    named = [_of_case(one, case) for case in one.outside[:MOST_NAMED]]
    return [*named, *([f"and {more} more"] if more > 0 else [])]


def _of_case(one: Judged, case: Case) -> str:
    return f"{case.name}: {_number(one, case.value)}"


def _found(one: Judged) -> str:
    if one.verdict == UNJUDGED:
        return ""
    if one.many:
        inside = one.cases - len(one.outside)
        return f"{inside} of {one.cases} ({_percent(one.value)})"
    return f"{_number(one, one.value)}{f', mean of {one.cases}' if one.cases > 1 else ''}"


def _interval(one: Judged) -> str:
    if one.low == one.high or math.isnan(one.low):
        return ""
    return f"[{_number(one, one.low)}, {_number(one, one.high)}]"


def _wanted(one: Judged) -> str:
    low, high = (_number(one, end) for end in one.claim.band)
    if not one.many:
        return f"{low} to {high}"
    share = getattr(one.claim, "share", 1.0)
    return f"{'all' if share == 1 else _percent(share)} in {low} to {high}"


def _number(one: Judged, value: float) -> str:
    """Return the text of a number of a claim: requisition, a change in percent or of a score, or a chance."""
    measure, moved = getattr(one.claim, "measure", "score"), one.claim.kind == "baseline"
    by, least, after = (100, 1, " %") if moved and measure == "worth" else (1, 1 if measure == "worth" else 3, "")
    nearest = one.outside[-1].value if one.many and one.outside else one.value

    def text(number: float, digits: int) -> str:
        """Return a number with its sign, if it is a change, and its unit."""
        return f"{by * number:{'+' if moved else ''}z.{digits}f}{after}"

    def tells(digits: int) -> bool:
        """Return whether a number out of the band reads otherwise than its ends."""
        return all(text(nearest, digits) != text(end, digits) for end in one.claim.band)

    return text(value, next(filter(tells, range(least, MOST_DIGITS)), MOST_DIGITS) if one.verdict == BROKEN else least)


def _percent(share: float) -> str:
    """Return a share in percent; only a whole is rounded to 100 %."""
    whole = math.floor(1000 * share + 0.5) / 10
    return f"{min(whole, 99.9) if share < 1 else whole:g} %"


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
