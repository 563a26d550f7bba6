"""The data of a report read back from its folder, and two of them compared."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from aabalance.analysis.frames import tidy
from aabalance.diff import compare
from aabalance.diff.changes import ADDED, CHANGED, REMOVED, card_change
from aabalance.diff.compare import Comparison, matchup_changes, unit_changes
from aabalance.errors import UsageError, printable, shown
from aabalance.files import from_cell
from aabalance.provenance import recorded
from aabalance.rulesets.base import Ruleset

PAIRS = "pairs.csv"
"""The table that every report has."""
WORDS = dict.fromkeys(("unit", "attacker", "target", "name"), lambda cell: printable(from_cell(cell)))
"""Columns of words, even of such as look like numbers."""
NONE = "a report has none"
ENDLESS = "worth", "requisition_exchange_ratio"
"""Columns that are infinite for a unit that loses nothing."""


class Written(NamedTuple):
    """The data of a report.

    Attributes
    ----------
    said : dict
        The provenance of its numbers: the line above each table.
    pairs : DataFrame
        Its table ``pairs``.
    units : DataFrame
        Cost, rank, worth or exchange ratio, and proposed price of each unit, by id.
    names : dict of str to str
        Names of the units, by id.
    """

    said: dict[str, Any]
    pairs: pd.DataFrame
    units: pd.DataFrame
    names: dict[str, str]


def is_report(folder: Path) -> bool:
    """Return whether a folder has the data of a report."""
    return (folder / PAIRS).is_file()


def read(folder: Path, ruleset: Ruleset) -> Written:
    """Return the data of the report in a folder.

    Raises
    ------
    UsageError
        A table is missing or is none of this version, or the report is of another game.
    """
    said = _said(folder / PAIRS)
    pairs = _table(folder / PAIRS, ("attacker", "target", "p_win", "p_draw"))
    if said.get("game") != ruleset.labels.title:
        raise UsageError(f"{folder}: found a report of {said.get('game')}, expected one of {ruleset.labels.title}")
    if ruleset.limits_actions:
        units = _table(folder / "worth.csv", ("unit", "name", "requisition", "score", "worth")).set_index("unit")
        proposed, column = folder / "prices.csv", "new_requisition"
        units["rank"] = compare.rank(units["score"])
        kept = ["requisition", "score", "worth", "rank"]
    else:
        ratio = "requisition_exchange_ratio"
        units = _table(folder / "cost_effectiveness.csv", ("unit", "name", "requisition", "rank", ratio))
        units = units.set_index("unit")
        proposed, column = folder / "requisition.csv", "proposal"
        kept = ["requisition", ratio, "rank"]
    names = {str(unit): name for unit, name in units["name"].items()}
    units = units[kept]
    if proposed.is_file():
        units["proposal"] = _table(proposed, ("unit", column)).set_index("unit")[column]
    return Written(said, pairs, units, names)


def compared(before: Written, after: Written) -> Comparison:
    """Return what differs between two reports of one game; differences of worth have no intervals."""
    sides = before, after
    fought = [set(side.pairs["attacker"]) for side in sides]
    common = sorted(fought[0] & fought[1])
    names = before.names | after.names
    units = unit_changes(before.units, after.units, names)
    cards = [
        card_change(unit, names.get(unit, unit), what)
        for what, some in ((REMOVED, fought[0] - fought[1]), (ADDED, fought[1] - fought[0]))
        for unit in sorted(some)
    ]
    for row in units.to_dict("records"):
        old, new = row["requisition_before"], row["requisition_after"]
        if old == old and new == new and old != new:
            cards.append(card_change(row["unit"], row["name"], CHANGED, "requisition", f"{old:g}", f"{new:g}"))
    rules = [
        {"switch": key, "before": str(before.said.get(key)), "after": str(after.said.get(key))}
        for key in dict.fromkeys([*before.said, *after.said])
        if before.said.get(key) != after.said.get(key)
    ]
    duels = matchup_changes(before.pairs, after.pairs, common, common)
    return Comparison(
        tidy("card_changes", cards),
        tidy("rule_changes", rules),
        duels,
        compare.with_duels(units, duels, common) if compare.moved(units).any() else tidy("unit_changes", {}),
        tidy("group_changes", {}),
        len(common) * (len(common) - 1) // 2,
        "" if all("proposal" in side.units and side.units["proposal"].notna().any() for side in sides) else NONE,
        (before.said, after.said),
    )


def _table(path: Path, columns: tuple[str, ...]) -> pd.DataFrame:
    """Return a table of a report."""
    if not path.is_file():
        raise UsageError(f"{path}: found no such file, expected the data of a report; `aabalance report` writes it")
    try:
        table = pd.read_csv(path, skiprows=1, converters=WORDS, keep_default_na=False, na_values=[""])
    except (UnicodeDecodeError, ValueError) as error:
        raise UsageError(f"{path}: found {' '.join(str(error).split())}, expected a table of a report") from None
    lacking = [name for name in columns if name not in table]
    if lacking:
        raise UsageError(f"{path}: found no column {lacking[0]}, expected a report of this version of aabalance")
    keys = [name for name in columns if name in WORDS and name != "name"]
    if not isinstance(table.index, pd.RangeIndex):  # pandas takes the first cells as names of the rows
        raise UsageError(f"{path}:3: found more cells than columns, expected one for each")
    for at in np.flatnonzero(table[keys].isna().any(axis=1)):
        raise UsageError(f"{path}:{at + 3}: found a row that ends early, expected a value of each column")
    where = [" v ".join(row) for row in table[keys].itertuples(index=False)]
    for at in np.flatnonzero(table.duplicated(keys)):
        raise UsageError(f"{path}:{at + 3}: found {where[at]} a second time, expected it once")
    for name in (name for name in columns if name not in WORDS):
        found, table[name] = table[name], pd.to_numeric(table[name], errors="coerce").astype(float)
        is_chance = name.startswith("p_")
        beyond = np.isinf(table[name]) & (name not in ENDLESS) | is_chance & ~table[name].between(0, 1)
        for at in np.flatnonzero(beyond | table[name].isna() & found.notna()):
            expected = "a number from 0 to 1" if is_chance else "a finite number"
            said = f"found {shown(found.tolist()[at])} as {name}, expected {expected}"
            raise UsageError(f"{path}:{at + 3}: {where[at]}: {said}")
    return table


def _said(path: Path) -> dict[str, Any]:
    """Return the provenance of a table: the line above it."""
    with path.open(encoding="utf-8", errors="replace") as file:
        line = file.readline()
    with suppress(ValueError):
        if line.startswith("#"):
            return recorded(line)
    raise UsageError(f"{path}:1: found no record of where the numbers come from, expected one as reports have it")
