"""What-ifs on cards, as users write them: ``su_t34_85.hp=40``, ``hp+=10``, ``requisition*=1.1``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import ROUND_HALF_UP, Decimal
from math import inf
from typing import Any

from aabalance.cards.literals import literal
from aabalance.cards.tables import Table
from aabalance.errors import Fault, UsageError, shown


def parts_of(change: str) -> tuple[str, str, str]:
    """Split a change into its field's path, its operator (``+``, ``-``, ``*``; empty for a new value) and its value."""
    path, equals, text = str(change).partition("=")
    operator = path[-1:] if path[-1:] in ("+", "-", "*") else ""
    path, text = path.removesuffix(operator).strip(), text.strip()
    if not (equals and "." in path and all(path.split("."))):
        raise UsageError(f"--set: found {shown(change)}, expected id.field=value, for example su_t34_85.hp=40")
    if text.startswith("+") and isinstance(literal(text), int | float):
        raise UsageError(f"--set: found {shown(change)}, expected {path}={text[1:]}, or {path}+={text[1:]} for more")
    return path, operator, text


def value_at(table: Table, path: Iterable[str]) -> Any:
    """Return the value of a nested field; None if there is none."""
    at: Any = table
    for name in path:
        if isinstance(at, list) and name.isdecimal() and int(name) < len(at):
            at = at[int(name)]
        else:
            at = at.get(name) if isinstance(at, dict) else None
    return at


def changed_by(change: str, old: Any, operator: str, by: Any) -> Any:
    """Return a number of a card, `old`, after a `change` by an amount or a factor, `by`; a whole one stays whole.

    `operator` is one of those that `parts_of` returns.
    """
    if not all(isinstance(one, int | float) and not isinstance(one, bool) and abs(one) < inf for one in (old, by)):
        raise UsageError(f"--set: found {shown(change)} where the card has {shown(old)}, expected two numbers")
    before, amount = Decimal(str(old)), Decimal(str(by))
    if operator != "*":
        return literal(str(before + amount if operator == "+" else before - amount))
    new = before * amount
    return int(new.to_integral_value(ROUND_HALF_UP)) if isinstance(old, int) else float(new)


def with_hint(fault: Fault, changes: Mapping[str, str]) -> Fault:
    """Return the `fault` of a what-if; with how a change by an amount is written, or with what shows the fields.

    `changes` are the values by the path of their field, those by an amount or a factor as ``+=10``.
    """
    path = fault.message.partition(":")[0]
    if fault.message.endswith("no such field"):
        return Fault(fault.place, f"{fault.message}; `aabalance cards {path.partition('.')[0]}` shows its fields")
    below = changes.get(path, "")
    if not below.startswith("-") or below.startswith("-="):
        return fault
    return Fault(fault.place, f"{fault.message}; for {below[1:]} less than it is: {path}-={below[1:]}")
