"""Public functions say what their parameters are."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[1] / "aabalance"
MANY = 3
"""Of one or two parameters, the sentence on the function usually says all."""
ELSEWHERE = re.compile(r"\b(as for|are those of|see) `")
"""Words that lead to another docstring, which has the parameters."""
REGISTERED = ("click.", "main.", "lists.", "keyword(")
"""Decorators of functions whose parameters are told of where they are registered: commands and keywords."""


def undescribed(source: str) -> Iterator[str]:
    """Yield each public function with a parameter that its docstring doesn't name, nor its class's or module's."""
    module = ast.parse(source)
    head = ast.get_docstring(module) or ""
    parts: list[tuple[str, str, list[ast.stmt]]] = [("", "", module.body)]
    for place, of_class, body in parts:
        for node in body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                bases = {ast.unparse(base).split("[")[0].rpartition(".")[2] for base in node.bases}
                protocol = " see `Ruleset`" * ("Ruleset" in bases)
                parts.append((f"{node.name}.", f"{ast.get_docstring(node) or ''}{protocol}", node.body))
            if not isinstance(node, ast.FunctionDef) or node.name.startswith("_"):
                continue
            given = node.args
            each = (*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg)
            names = [arg.arg for arg in each if arg is not None and arg.arg not in ("self", "cls")]
            told = f"{of_class} {ast.get_docstring(node) or ''}"
            registered = any(ast.unparse(decorator).startswith(REGISTERED) for decorator in node.decorator_list)
            if len(names) < MANY or registered or ELSEWHERE.search(told):
                continue
            lacking = [name for name in names if not re.search(rf"\b{name}\b", f"{head} {told}")]
            if lacking:
                yield f"{place}{node.name}: {', '.join(lacking)}"


def test_undescribed__names_what_is_told_nowhere() -> None:
    source = '''
"""Of `one`."""
def both(one, two, three):
    """Return `three`."""
def elsewhere(one, two, three):
    """Parameters as for `both`."""
class Kind:
    """Has its `two`."""
    def of(self, one, two, four):
        """Return nothing."""
'''
    assert list(undescribed(source)) == ["both: two", "Kind.of: four"]


@pytest.mark.slow
def test_docstrings__name_every_parameter_of_functions_with_many() -> None:
    files = {path.relative_to(PACKAGE).as_posix(): path for path in PACKAGE.rglob("*.py")}
    assert len(files) > 100
    found = {name: list(undescribed(path.read_text(encoding="utf-8"))) for name, path in files.items()}
    assert {name: functions for name, functions in found.items() if functions} == {}
