"""pytest plugin: which lines of the package each test runs, those of compiled functions too, and how long it takes.

Writes to the file that ``MUTANTS_RECORD`` names.
"""

from __future__ import annotations

import functools
import inspect
import json
import os
import threading
import time
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import coverage
import pytest

TREE = Path.cwd()
measured = coverage.Coverage(data_file=None, source=[str(TREE / "aabalance")], config_file=False)
measured.start()

from aabalance.engine import jit  # noqa: E402  what it runs when it is imported is measured, too

seconds: dict[str, float] = {}
compiled_lines: dict[str, dict[int, set[str]]] = {}
failed: set[str] = set()
test = ""
depth = threading.local()


class _Noted:
    """A compiled function that notes who calls it: no tracer sees inside."""

    def __init__(self, function: FunctionType, compiled: Any, instead: dict[str, FunctionType]) -> None:
        self._compiled, self._lines = compiled, _lines(function, {}, instead)

    def __call__(self, *args: Any) -> Any:
        for file, lines in self._lines.items():
            for line in lines:
                compiled_lines.setdefault(file, {}).setdefault(line, set()).add(test)
        return self._compiled(*args)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._compiled, name)


def _lines(
    function: FunctionType, found: dict[str, set[int]], instead: dict[str, FunctionType] | None = None
) -> dict[str, set[int]]:
    """Return the lines, by file, of a function of the package and of those that it calls, some under other names."""
    lines = found.setdefault(os.path.relpath(inspect.getsourcefile(function), TREE), set())
    own = _lines_of(function.__code__)
    if not own <= lines:
        lines |= own
        for name in function.__code__.co_names:
            called = (instead or {}).get(name) or function.__globals__.get(name)
            if isinstance(called, FunctionType) and called.__module__.startswith("aabalance"):
                _lines(called, found, instead)
    return found


def _lines_of(code: CodeType) -> set[int]:
    inner = [_lines_of(const) for const in code.co_consts if isinstance(const, CodeType)]
    return {line for *_, line in code.co_lines() if line is not None}.union(*inner)


plain = jit.compiled


@functools.wraps(plain)
def _compiled(function: FunctionType, inline: bool = False, **instead: FunctionType) -> Any:
    if getattr(depth, "inside", False):  # the compiler wants its own for what the function calls
        return plain(function, inline, **instead)
    depth.inside = True
    try:
        return _Noted(function, plain(function, inline, **instead), instead)
    finally:
        depth.inside = False


jit.compiled = _compiled


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Any:
    global test
    test = item.nodeid
    measured.switch_context(test)
    start = time.perf_counter()
    try:
        return (yield)
    finally:
        seconds[test] = time.perf_counter() - start
        test = ""
        measured.switch_context("")


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.failed:
        failed.add(report.nodeid)


def pytest_sessionfinish() -> None:
    measured.stop()
    data = measured.get_data()
    lines: dict[str, dict[int, list[str]]] = {}
    for path in data.measured_files():
        file = os.path.relpath(path, TREE)
        if not file.endswith(".py"):  # code made of a template
            continue
        also = compiled_lines.get(file, {})
        traced = data.contexts_by_lineno(path)
        ran = {line: {*traced.get(line, ()), *also.get(line, ())} for line in {*traced, *also}}
        lines[file] = {line: sorted(tests - failed) for line, tests in ran.items()}
    found = {"seconds": seconds, "lines": lines, "compiled": sorted(compiled_lines)}
    Path(os.environ["MUTANTS_RECORD"]).write_text(json.dumps(found), encoding="utf-8")
