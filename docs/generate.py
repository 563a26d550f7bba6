"""What these pages say by machine: tables from the package's declarations and cards, and what commands print.

    python docs/generate.py [PAGE]...

fills the blocks between ``<!-- table: NAME -->`` and ``<!-- end -->`` (``NAME GAME`` for a table of another game than
Armored Advance), and runs the `examples`, the README's too: lines after ``$`` in blocks of ``console`` get what they
print. The cards are the frozen ones of the `examples`, and those of a new game are copied there. The JSON Schemas of
the unit cards are written anew, too, the first formula's prices, with which docs/pricing.md compares those on the
cards, and the README's plot. Tests compare.
"""

from __future__ import annotations

import argparse
import inspect
import json
import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import examples
import pandas as pd
from pydantic import BaseModel

import aabalance as aab
from aabalance import cards, columns, rulebook, rulesets
from aabalance.analysis import cost, pairs, sensitivity
from aabalance.analysis.frames import costs, names_of
from aabalance.cards.literals import as_option, option_value
from aabalance.definitions.collections import Metagame
from aabalance.definitions.report import Report
from aabalance.definitions.tables import Battles, BoardWorth, Matches, Plots, Tuning
from aabalance.engine.battle.policies import BEST, POLICIES
from aabalance.engine.battle.states import best_reply
from aabalance.provenance import sources_hash
from aabalance.report import pictures
from aabalance.report.plots import canvas, kills
from aabalance.rulesets.armored_advance.duel.postures import POSTURES, WITH_DISTANCE
from aabalance.rulesets.armored_advance.keywords import KEYWORDS
from aabalance.rulesets.armored_advance.shot import tables

FOLDER = Path(__file__).parent
PICTURE, README_DPI = FOLDER / "kill_probability.png", 130
FIRST = FOLDER.parent / "reports" / "baseline" / "armored_advance" / "first_requisition.csv"
BLOCK = re.compile(r"(?<=<!-- table: )(\w+)(?: (\w+))?( -->\n).*?(?=<!-- end -->)", re.DOTALL)

WEIGHTS = ("light", "medium", "heavy")
BY_ARMOUR = ("impossible", "-2, weak spot only", "-1", "0", "+1", "automatic")
ACTS_ON = {
    "attack": "an attack",
    "turn": "a turn's fire",
    "target": "the target",
    "friend": "a friend's attack",
    "movement": "movement",
    "transport": "transport",
    "air": "air attacks",
}
NEAR_PRICE = 1.1
TYPES = {"tuple": "list", "dict": "table", "str": "text", "int": "whole number", "float": "number"}
"""What TOML calls the types of Python."""


def filled(page: str) -> str:
    """Return a page with its tables made anew."""

    def fill(block: re.Match[str]) -> str:
        made, of, rest = block.groups()
        words = [of] if of else []
        return " ".join([made, *words]) + rest + TABLES[made](*words)

    return BLOCK.sub(fill, page)


def table(head: Sequence[str], rows: Iterable[Sequence[object]], right: int = 0) -> str:
    """Return a Markdown table, its last `right` columns aligned to the right."""
    lines = [head, ["---"] * (len(head) - right) + ["--:"] * right, *rows]
    return "".join(f"| {' | '.join(str(cell) for cell in line)} |\n" for line in lines)


def percent(share: float) -> str:
    return f"{100 * share:.1f} %"


# --- reference.md


def values(field: Mapping[str, Any]) -> str:
    """Return what a field of a JSON Schema may be."""
    if "anyOf" in field:
        return ", ".join(values(one) for one in field["anyOf"])
    if "enum" in field:
        return ", ".join(f"`{value}`" for value in field["enum"])
    if "const" in field:
        return f"`{field['const']}`"
    if "items" in field:
        return "list of texts"
    if "type" not in field or field["type"] == "object":
        return "table"
    bounds = "".join(f" {side} {field[at]:g}" for side, at in (("from", "minimum"), ("to", "maximum")) if at in field)
    names = {"boolean": "`true`, `false`", "null": "`none`", "integer": "whole number", "number": "number"}
    return names[field["type"]] + bounds


def fields(model: Any) -> Iterator[tuple[str, str, str, str]]:
    """Yield name, values, default and description of each field of a model."""
    for name, field in model.model_json_schema()["properties"].items():
        default = f"`{option_value(field['default'])}`" if "default" in field else "needed"
        yield f"`{name}`", values(field), default, field["description"]


def situation(of: str = "armored_advance") -> str:
    rules = rulesets.load(of)
    passing = {f"`{name}`" for name in rules.attack_fields()}
    rows = [
        (name, *rest, f"{meaning}; for a shot, not for a duel" if name in passing else meaning)
        for name, *rest, meaning in fields(rules.Moment)
    ]
    return table(("field", "values", "default", "meaning"), sorted(rows, key=lambda row: row[0] != "`range_in`"))


def variant(of: str = "armored_advance") -> str:
    rows = []
    for name, allowed, default, description in fields(rulesets.load(of).Variant):
        point, _, meaning = description.partition(": ")
        rows.append((name, allowed, default, point, meaning))
    return table(("field", "values", "default", "open point", "meaning"), rows)


def presets(of: str = "armored_advance") -> str:
    rows = []
    for name, switches in rulesets.load(of).presets.items():
        said = ", ".join(f"`{as_option(*switch)}`" for switch in switches.items())
        rows.append((f"`{name}`", said or "every default"))
    return table(("preset", "switches"), rows)


def agreement(of: str) -> str:
    """Return what `--with` sets in a match of a game."""
    rules = rulesets.load(of).match()
    assert rules is not None
    return table(("key", "values", "default", "meaning"), fields(rules.Options))


def covered() -> str:
    rows = []
    for name in rulesets.OURS:
        rules = rulesets.load(name)
        counts, points = rulebook.counts(rules), len(rulebook.open_points(rules))
        counted = sum(counts.values()), *(counts[what] for what in ("modelled", "not modelled", "not a combat rule"))
        cards, switches = len(aab.Game(name, examples.CARDS / name).cards), len(rules.Variant.model_fields)
        rows.append((rules.labels.title, f"`{name}`", cards, *counted, points, switches))
    heads = (
        "game",
        "`--game`",
        "cards",
        "rules",
        "modelled",
        "not modelled",
        "not of combat",
        "open points",
        "switches",
    )
    return table(heads, rows, right=7)


def posture() -> str:
    rows = []
    for name, function in POSTURES.items():
        written = f"`{name}:X`" if name in WITH_DISTANCE else f"`{name}`"
        rows.append((written, (function.__doc__ or "").strip().split("\n")[0]))
    return table(("posture", "what the unit does"), rows)


def policy() -> str:
    said = {**POLICIES, BEST: best_reply}
    rows = ((f"`{name}`", (one.__doc__ or "").strip().split("\n")[0]) for name, one in said.items())
    return table(("policy", "who acts on whom"), rows)


def keyword() -> str:
    rows = [(f"`{k.name}{' = X' * k.number}`", ACTS_ON[k.acts_on], k.meaning, k.rule) for k in KEYWORDS.values()]
    return table(("keyword", "acts on", "effect", "rulebook"), rows)


def column() -> str:
    rows = ((f"`{c.name}`", c.dtype, c.unit, c.meaning) for c in columns.COLUMNS.values())
    return table(("column", "type", "unit", "meaning"), rows)


def frame() -> str:
    """Return each output table: its key, and its other columns."""
    rows = []
    for one in columns.TABLES.values():
        key, others = (", ".join(f"`{name}`" for name in names) for names in (one.key, one.others))
        rows.append((f"`{one.name}`", key or "one row", others))
    return table(("table", "a row for each", "other columns"), rows)


# --- reports.md


def definition(part: str) -> str:
    """Return the keys of a report definition, or of one of its tables, as the docstring of its model explains them."""
    model: type[BaseModel] = {
        "Report": Report,
        "Plots": Plots,
        "Battles": Battles,
        "Matches": Matches,
        "BoardWorth": BoardWorth,
        "Metagame": Metagame,
        "Tuning": Tuning,
    }[part]
    meanings = attributes(model)
    rows = []
    for name, one in model.model_fields.items():
        kind, meaning = meanings[name]
        rows.append((f"`{name}`", kind, "needed" if one.is_required() else default_of(one), meaning))
    return table(("key", "what it is", "default", "meaning"), rows)


def attributes(model: Any) -> dict[str, tuple[str, str]]:
    """Return type and meaning of each attribute that a docstring explains; several may share an explanation."""
    doc = inspect.getdoc(model) or ""
    found: dict[str, tuple[str, str]] = {}
    names: list[str] = []
    for line in doc.partition("Attributes\n----------\n")[2].splitlines():
        if line.startswith(" "):
            for name in names:
                kind, meaning = found[name]
                found[name] = kind, f"{meaning} {line.strip()}".strip()
        elif line:
            said, _, kind = line.partition(" : ")
            names = said.split(", ")
            found |= {name: (kind.replace(" or None", ""), "") for name in names}
    return {
        name: (in_toml(kind), meaning.replace("None", "none").replace("``", "`"))
        for name, (kind, meaning) in found.items()
    }


def in_toml(kind: str) -> str:
    """Return a type of Python as people who write TOML call it."""
    for python, said in TYPES.items():
        kind = re.sub(rf"\b{python}\b", said, kind)
    return kind


def default_of(one: Any) -> str:
    value = one.get_default(call_default_factory=True)
    if isinstance(value, BaseModel):
        return "see below"
    return "none" if value is None else f"`{json.dumps(value)}`"


# --- roster.md


@cache
def game() -> aab.Game:
    return aab.Game("armored_advance", examples.CARDS / "armored_advance")


@cache
def field() -> list[str]:
    """Return the ids of the vehicles and field guns."""
    return cost.field_of(game(), ["vehicle", "field_gun"])


@cache
def matchups() -> pd.DataFrame:
    return aab.matchups(game())


def name(unit: str) -> str:
    return game().cards[unit].name


def at_weapon(unit: str) -> Any:
    """Return a unit's first gun against armour, None if it has none."""
    return next((weapon for weapon in game().cards[unit].weapons if weapon.kind == "at"), None)


def armed() -> list[str]:
    return [unit for unit in field() if at_weapon(unit)]


def by_armour(attacker: str, target: str, facing: str) -> str:
    """Return what a target's armour leaves of an attacker's gun, range aside: one of `BY_ARMOUR`."""
    shown = game().ruleset.defence(game().cards[target], game().moment(range_in=6, facing=facing), game().variant)
    margin = at_weapon(attacker).penetration - shown.armor
    need = tables.penetration_need(margin, shown.weak_spot)
    if need == tables.IMPOSSIBLE:
        return "impossible"
    return "automatic" if need == tables.SURE else BY_ARMOUR[1] if margin == -2 else f"{margin:+d}" if margin else "0"


@cache
def shares(facing: str) -> Mapping[str, float]:
    units = armed()
    found = Counter(by_armour(attacker, target, facing) for attacker in units for target in units)
    return {kind: found[kind] / len(units) ** 2 for kind in BY_ARMOUR}


def armour() -> str:
    needs = ("none", "6+", "6+, 5+ at a weak spot", "4+", "2+", "no roll")
    rows = [
        (kind, need, *(percent(shares(facing)[kind]) for facing in ("front", "side")))
        for kind, need in zip(BY_ARMOUR, needs, strict=True)
    ]
    return table(("margin", "roll to penetrate", "front", "side"), rows, right=2)


def calibres() -> str:
    found = sensitivity.turns_to_kill(game(), matchups(), field())
    rows = [
        (
            row.gun_class,
            row.units,
            percent(row.share_out_of_reach),
            percent(row.share_impossible),
            f"{row.median_turns_to_kill:.1f}",
        )
        for row in found.itertuples()
    ]
    head = ("main gun", "units", "out of reach", "impossible of the others", "median turns to kill")
    return table(head, rows, right=4).replace(" inf ", " never ")


def weights() -> str:
    rows = []
    for kind, plural in (("vehicle", "vehicles"), ("field_gun", "field guns")):
        cards = [game().cards[unit] for unit in field() if game().cards[unit].class_ == kind]
        found = Counter(card.weight for card in cards)
        rows.append((plural, len(cards), *(f"{found[w]} ({percent(found[w] / len(cards))})" for w in WEIGHTS)))
    return table(("", "units", *WEIGHTS), rows, right=4)


def keywords() -> str:
    found = Counter(keyword for unit in field() for keyword in game().cards[unit].keywords)
    order = sorted(KEYWORDS, key=lambda keyword: (-found[keyword], keyword))
    return table(("keyword", "units"), ((f"`{keyword}`", found[keyword]) for keyword in order), right=1)


def sides() -> str:
    rows = []
    for unit in field():
        armor = game().cards[unit].armor
        if armor.side > armor.front:
            rows.append((name(unit), armor.front, armor.side, game().cards[unit].note or ""))
    return table(("unit", "front", "side", "note on the card"), rows)


def one_sided() -> str:
    means = pairs.pairs(matchups())
    found = pairs.price_and_victory(game(), means, field()).iloc[0]
    price = costs(game())
    a, b = means["attacker"].astype(str), means["target"].astype(str)
    met = means[a.isin(field()) & b.isin(field()) & (a != b)]
    ratio = a.map(price) / b.map(price)
    near = met[ratio[met.index].between(1 / NEAR_PRICE, NEAR_PRICE)]
    decided = pairs.decided(near) >= pairs.ONE_SIDED
    return table(
        ("in duels of two units that hold, over the standard situations", "share"),
        [
            ("the dearer of two units wins", percent(found["p_dearer_wins"])),
            (
                "pairs of which one side wins nine in ten of the duels that anybody wins",
                percent(found["share_one_sided"]),
            ),
            ("the same, among pairs whose requisition is within 10 % of each other", percent(float(decided.mean()))),
        ],
        right=1,
    )


def first_requisition() -> str:
    """Return the prices of the first formula as a table below its head, which is new if the cards have changed."""
    head, _, kept = FIRST.read_text(encoding="utf-8").partition("\n")
    found = cost.first_requisition(game(), matchups(), field())
    body = found.assign(requisition=found["proposal"]).to_csv(index=False, float_format="%.6g", lineterminator="\n")
    if body != kept:
        made = {"sources": sources_hash(), "cards": game().cards.hash}
        head = f"# {json.dumps(json.loads(head.removeprefix('#')) | made, ensure_ascii=False)}"
    return f"{head}\n{body}"


def one_way() -> str:
    units = armed()
    hurts = {(a, b): by_armour(a, b, "front") != "impossible" for a in units for b in units}
    found = Counter(hurts[a, b] + hurts[b, a] for a in units for b in units if a < b)
    total = sum(found.values())
    rows = [(what, percent(found[n] / total)) for n, what in ((2, "both"), (1, "only one of the two"), (0, "neither"))]
    return table(("front to front, who can hurt the other", "share of pairs"), rows, right=1)


def mortars() -> str:
    worth = cost.with_peers(aab.cost_effectiveness(matchups(), field())).set_index("unit")
    rows = []
    for unit in ("uk_avre", "de_sturmtiger"):
        card, row = game().cards[unit], worth.loc[unit]
        reach = card.keywords.get("limited_range")
        numbers = f"{row.expected_damage_per_action:.1f}", f"{row.exchange_ratio_to_peers:.2f}", f"{row['rank']:.0f}"
        rows.append((card.name, f'{reach}"' if reach else "any", card.armor.front, card.hp, card.requisition, *numbers))
    head = ("unit", "reach", "front", "hp", "requisition", "damage per action", "against its peers", "rank")
    return table(head, rows, right=7)


REFERENCE = (situation, variant, presets, agreement, covered, posture, policy, keyword, frame, column)
# --- boards.md


def grounds(name: str) -> str:
    """Return what the characters of a game's maps stand for, and to whom a ground is closed."""
    game = aab.Game(name)
    rules = game.ruleset.match().board
    classes = {game.ruleset.roster.category(card): card for card in game.cards.values()}
    rows = []
    for character, ground in rules.legend.items():
        closed = [kind.replace("_", " ") for kind, card in classes.items() if not rules.enters(card, ground.name)]
        rows.append((f"`{character}`", ground.name, ", ".join(closed)))
    return table(("character", "ground", "closed to"), rows)


REPORTS = (definition,)
ROSTER = (armour, calibres, weights, keywords, sides, one_way, one_sided, mortars)
TABLES: dict[str, Callable[..., str]] = {make.__name__: make for make in (*REFERENCE, *REPORTS, *ROSTER, grounds)}


def readme_picture() -> bytes:
    """Return the kill curves of the README."""
    of = game()
    spec = of.definition
    curves = pairs.kill_curves(of, spec.curves(of.cards), spec.plots.ranges, spec.plots.turns)
    length = of.ruleset.labels.length
    return canvas.png(kills.kill_panels(curves, names_of(of), pictures.source_of(of), length=length), README_DPI)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pages", nargs="*", type=Path, metavar="PAGE", help="make these pages, and nothing else")
    pages = parser.parse_args().pages
    for registered in () if pages else rulesets.OURS:
        shipped, frozen = FOLDER.parent / "unitdb" / registered, examples.CARDS / registered
        if not frozen.exists():
            shutil.copytree(shipped, frozen)
        schema = cards.json_schema(rulesets.load(registered).Card)
        for folder in (shipped, frozen):
            (folder / cards.SCHEMA_FILE).write_text(schema, encoding="utf-8", newline="\n")
    if not pages:
        FIRST.write_text(first_requisition(), encoding="utf-8", newline="\n")
        PICTURE.write_bytes(readme_picture())
    for path in pages or (FOLDER.parent / "README.md", *sorted(FOLDER.rglob("*.md"))):
        with tempfile.TemporaryDirectory() as scratch:
            page = examples.played(filled(path.read_text(encoding="utf-8")), Path(scratch))
        path.write_text(page, encoding="utf-8", newline="\n")
