"""A sample of mutants of each part of the package: which of them the tests notice.

    python .ci/mutants SEED [PART]...

in the environment that passes the tests (Linux or a Mac). A mutant is one small change of the source; a good test fails
on it. Each part gives `EACH`, drawn by the seed from the statements of its files. The tests of a mutant are those that
run its lines, the quickest files first, until one fails; one that hangs fails, too. What no test runs has survived.
Survivors that change nothing anybody could see are argued in `equivalent.toml`; more than `ALLOWED` others in a part,
and the exit code is 1.

Prints as it goes, ends within `MOST_S` and some minutes, and goes on where it stopped when it is run again: what it
found lies in a folder of the temporary files, named for the hash of all sources and tests.
"""

from __future__ import annotations

import ast
import hashlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from typing import Any, NamedTuple

import change
import pytest

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PARTS = ("engine", "rulesets", "analysis", "report", "cards")
EACH = 40
ALLOWED = 2
WORKERS = 2
TESTS_S = 120
"""Tests of one mutant, by their usual times: the quickest that make up so much."""
FILE_S = 1200
"""For one file of tests, while it is noted what they run."""
START_S = 180
"""For Python, imports and compiling, before and between tests."""
MOST_S = 3300
LEFT_OUT = (".git", ".venv", ".*_cache", ".hypothesis", "__pycache__", "out", "build", "dist", "*.egg-info")
KILLED, SURVIVED, NOT_RUN, NOT_TRIED = "killed", "survived", "no test runs it", "not tried"


class Mutant(NamedTuple):
    """A change of a file, named by what it does to the first line that differs."""

    part: str
    file: str
    line: int
    was: str
    now: str
    source: bytes
    change: change.Change

    @property
    def name(self) -> str:
        """What tells it from others."""
        return f"{self.file}:{self.change.start}:{self.change.end}:{self.change.text}"


class Record(NamedTuple):
    """What the tests do on unchanged sources, from `record.py`."""

    seconds: dict[str, float]
    lines: dict[str, dict[int, set[str]]]
    imports: dict[str, set[str]]
    needs_compiling: set[str]
    """Files that compiled code is made of: a change there needs a cache of its own."""


def main(words: list[str]) -> int:
    """Draw, try and report; return the exit code."""
    if not words or not words[0].isdigit() or not set(words[1:]) <= set(PARTS):
        print(f"usage: python .ci/mutants SEED [{'|'.join(PARTS)}]...", file=sys.stderr)
        return 2
    stop_at = time.monotonic() + MOST_S
    seed, parts = int(words[0]), words[1:] or list(PARTS)
    place = Path(tempfile.gettempdir()) / f"aabalance-mutants-{_hash()}"
    source, *trees = (place / name for name in ("source", *(f"tree-{n}" for n in range(WORKERS))))
    for tree in (source, *trees):  # so that the checkout may be worked on meanwhile
        shutil.rmtree(tree, ignore_errors=True)
        shutil.copytree(ROOT, tree, ignore=shutil.ignore_patterns(*LEFT_OUT))
    print(f"In {place}", flush=True)
    list(_shared_out(trees, trees, lambda _, tree: _compile(tree)))
    record = _recorded(place, source, trees)
    mutants = [mutant for part in parts for mutant in drawn(source, part, seed, EACH)]
    found = _tried(mutants, record, place, trees, stop_at)
    return _reported(parts, mutants, found)


def _compile(tree: Path) -> None:
    """Leave the .pyc files of package and tests in a tree: runs with a mutant write none."""
    environment = _environment(tree, _cache(tree))
    del environment["PYTHONDONTWRITEBYTECODE"]
    subprocess.run([sys.executable, "-m", "compileall", "-q", "aabalance"], cwd=tree, env=environment, check=True)
    code, said = _pytest(tree, environment, ["--collect-only"], START_S)
    if code:
        raise SystemExit(f"the tests can't be collected\n{said}")


def _hash() -> str:
    """Return a hash of everything on which the fate of a mutant hangs."""
    digest = hashlib.sha256()
    for folder, kind in (
        ("aabalance", "*"),
        ("tests", "*"),
        ("unitdb", "*"),
        ("reports", "*.toml"),
        (".ci/mutants", "*.py"),
    ):
        for path in sorted((ROOT / folder).rglob(kind)):
            if path.is_file() and "__pycache__" not in path.parts:
                digest.update(str(path.relative_to(ROOT)).encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:12]


# --- what the tests run


def _recorded(place: Path, source: Path, trees: list[Path]) -> Record:
    """Run every test once, or read what an earlier run noted."""
    kept = place / "record.json"
    if not kept.is_file():
        paths = sorted((source / "tests").rglob("test_*.py"), key=lambda path: -path.stat().st_size)
        files = [str(path.relative_to(source)) for path in paths]

        def record(file: str, tree: Path) -> dict[str, Any]:
            note = place / f"{file.replace('/', '-')}.json"
            if not note.is_file():
                fresh = note.with_suffix(".new")
                environment = _environment(tree, _cache(tree)) | {"MUTANTS_RECORD": str(fresh)}
                code, said = _pytest(tree, environment, ["-p", "record", file], FILE_S)
                if not fresh.is_file():
                    raise SystemExit(f"{file} comes to no end without any mutant; exit code {code}:\n{said}")
                if code:
                    print(f"{file} fails without any mutant; what fails is left out:\n{said}", flush=True)
                fresh.replace(note)
                print(f"recorded {file}", flush=True)
            return json.loads(note.read_text(encoding="utf-8"))

        parts = list(_shared_out(files, trees, record))
        whole: dict[str, Any] = {"seconds": {}, "lines": {}, "compiled": []}
        for part in parts:
            whole["seconds"] |= part["seconds"]
            whole["compiled"] = sorted({*whole["compiled"], *part["compiled"]})
            for file, lines in part["lines"].items():
                into = whole["lines"].setdefault(file, {})
                for line, tests in lines.items():
                    into[line] = sorted({*into.get(line, ()), *tests})
        fresh = kept.with_suffix(".new")
        fresh.write_text(json.dumps(whole), encoding="utf-8")
        fresh.replace(kept)
    whole = json.loads(kept.read_text(encoding="utf-8"))
    lines = {file: {int(n): set(tests) for n, tests in by.items()} for file, by in whole["lines"].items()}
    imports = {file: _imports(source, file) for file in lines}
    return Record(whole["seconds"], lines, imports, _imported_by(source, whole["compiled"]))


def _imported_by(source: Path, files: Iterable[str]) -> set[str]:
    """Return these files, what of the package they import, and so on."""
    seen, to_do = set(), list(files)
    while to_do:
        file = to_do.pop()
        if file not in seen:
            seen.add(file)
            to_do += _imports(source, file)
    return seen


def _imports(source: Path, file: str) -> set[str]:
    """Return the files of the package that a file imports by name."""
    names = set()
    for node in ast.walk(ast.parse((source / file).read_bytes())):
        if isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    places = [name.replace(".", "/") for name in names if name.split(".")[0] == "aabalance"]
    return {path for place in places for path in (f"{place}.py", f"{place}/__init__.py") if (source / path).is_file()}


# --- mutants


def files_of(source: Path, part: str) -> list[str]:
    """Return the sources of a part: a folder, or modules whose names begin with it."""
    package = source / "aabalance"
    return sorted(
        str(path.relative_to(source))
        for path in package.rglob("*.py")
        if (top := path.relative_to(package).parts[0].removesuffix(".py")) == part or top.startswith(f"{part}_")
    )


def drawn(source: Path, part: str, seed: int, count: int) -> list[Mutant]:
    """Return mutants of a part, of as many statements, drawn evenly from all that can change."""
    places: dict[tuple[str, int, int], list[change.Change]] = {}
    for file in files_of(source, part):
        for one in change.changes((source / file).read_bytes()):
            places.setdefault((file, one.first, one.last), []).append(one)
    luck = random.Random(f"{seed} {part}")
    order = luck.sample(sorted(places), len(places))
    out: list[Mutant] = []
    for file, first, last in order:
        old, able = (source / file).read_bytes(), places[file, first, last]
        for one in luck.sample(able, len(able)):
            if not change.says_the_same(old, one.made(old)):
                out.append(_mutant(part, file, old, one))
                break
        if len(out) == count:
            break
    return out


def _mutant(part: str, file: str, old: bytes, one: change.Change) -> Mutant:
    new = one.made(old)
    before, after = old.decode().splitlines(), new.decode().splitlines()
    line = next(n for n, (was, now) in enumerate(zip(before, after, strict=False)) if was != now)
    return Mutant(part, file, line + 1, before[line].strip(), after[line].strip(), new, one)


def tests_of(mutant: Mutant, record: Record) -> list[str]:
    """Return the tests that run a mutant's lines, file by file, the quickest first."""
    own = record.lines.get(mutant.file, {})
    ran = [own[line] for line in range(mutant.change.first, mutant.change.last + 1) if line in own]
    tests = set().union(*ran) - {""}
    if ran and mutant.change.at_import:
        # Whoever came first imported it: any test of the module may see it, or of those that import the module.
        near = [mutant.file, *(file for file in record.lines if mutant.file in record.imports[file])]
        tests = set().union(*(tests for file in near for tests in record.lines.get(file, {}).values())) - {""}
    by_file: dict[str, list[str]] = {}
    for test in sorted(tests, key=lambda test: (record.seconds[test], test)):
        by_file.setdefault(test.split("::")[0], []).append(test)
    quickest = sorted(by_file.values(), key=lambda tests: sum(record.seconds[test] for test in tests))
    return [test for tests in quickest for test in tests]


def _tried(
    mutants: list[Mutant], record: Record, place: Path, trees: list[Path], stop_at: float
) -> dict[str, tuple[str, str]]:
    """Return what became of each mutant, by name, and a word on it."""
    log = place / "found.jsonl"
    known = {}
    if log.is_file():
        known = {name: (what, why) for name, what, why in map(json.loads, log.read_text("utf-8").splitlines())}

    def one(mutant: Mutant, tree: Path) -> tuple[str, str]:
        if mutant.name in known:
            return known[mutant.name]
        if time.monotonic() > stop_at:
            return NOT_TRIED, "run again to go on"
        start = time.monotonic()
        found = _try(mutant, record, tree)
        with log.open("a", encoding="utf-8") as file:
            file.write(json.dumps([mutant.name, *found]) + "\n")
        took = time.monotonic() - start
        print(f"{mutant.part:9} {took:4.0f} s {found[0]:9} {mutant.file}:{mutant.line}: {found[1]}", flush=True)
        return found

    return {mutant.name: found for mutant, found in zip(mutants, _shared_out(mutants, trees, one), strict=True)}


def _try(mutant: Mutant, record: Record, tree: Path) -> tuple[str, str]:
    tests = tests_of(mutant, record)
    if not tests:
        return NOT_RUN, ""
    chosen, spent = [], 0.0
    for test in tests:
        if not chosen or spent + record.seconds[test] <= TESTS_S:
            chosen.append(test)
            spent += record.seconds[test]
    listed = tree.with_name(f"{tree.name}.tests")
    listed.write_text("\n".join(chosen), encoding="utf-8")
    path = tree / mutant.file
    kept = path.read_bytes(), path.stat()
    with tempfile.TemporaryDirectory() as fresh:
        cache = fresh if mutant.file in record.needs_compiling else _cache(tree)
        environment = _environment(tree, cache) | {"MUTANTS_RECORD": str(tree.with_name("record.json"))}
        options = ["-p", "limit", "-x", "--hypothesis-profile=unshrunk"]
        try:
            path.write_bytes(mutant.source)
            code, said = _pytest(tree, environment, [*options, f"@{listed}"], START_S + 3 * spent)
            if code == pytest.ExitCode.USAGE_ERROR:  # a test's name has changed: then all of its file
                files = list(dict.fromkeys(test.split("::")[0] for test in chosen))
                code, said = _pytest(tree, environment, [*options, *files], START_S + 3 * spent)
        finally:
            path.write_bytes(kept[0])
            os.utime(path, ns=(kept[1].st_atime_ns, kept[1].st_mtime_ns))  # numba's cache and .pyc files go by it
    if code == 0:
        return SURVIVED, f"{len(chosen)} of the {len(tests)} tests that run it"
    failed = [line for line in said.splitlines() if line.startswith(("FAILED ", "ERROR "))]
    return KILLED, failed[0] if failed else "hung, crashed or ate the memory"


def _shared_out(jobs: list[Any], trees: list[Path], work: Callable[[Any, Path], Any]) -> Iterable[Any]:
    """Yield what `work` returns for each job, done by as many at a time as there are trees, each in one of its own."""
    free: SimpleQueue[Path] = SimpleQueue()
    for tree in trees:
        free.put(tree)

    def done(job: Any) -> Any:
        tree = free.get()
        try:
            return work(job, tree)
        finally:
            free.put(tree)

    with ThreadPoolExecutor(len(trees)) as pool:
        yield from pool.map(done, jobs)


def _cache(tree: Path) -> str:
    """Return the folder of compiled code of a tree, good as long as nothing differs that code is compiled from."""
    return str(tree.with_name(f"{tree.name}.cache"))


def _environment(tree: Path, cache: str) -> dict[str, str]:
    """Return an environment in which the tree is the package, and in which no .pyc outlives a mutant."""
    return os.environ | {
        "PYTHONPATH": os.pathsep.join([str(tree), str(HERE)]),
        "PYTHONDONTWRITEBYTECODE": "1",
        "NUMBA_CACHE_DIR": cache,
        "MPLBACKEND": "Agg",
    }


def _pytest(tree: Path, environment: dict[str, str], options: list[str], most_s: float) -> tuple[int, str]:
    """Run pytest in a tree and return its exit code and what it said; what it started ends with it."""
    command = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", "--tb=short", *options]
    pipe = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    running = subprocess.Popen(command, cwd=tree, env=environment, start_new_session=True, **pipe)
    try:
        said, _ = running.communicate(timeout=most_s)
    except subprocess.TimeoutExpired:
        said = ""
    finally:
        with suppress(ProcessLookupError):
            os.killpg(running.pid, signal.SIGKILL)
        running.wait()
    return running.returncode, said


# --- the report


def _reported(parts: list[str], mutants: list[Mutant], found: dict[str, tuple[str, str]]) -> int:
    argued = {
        (entry["file"], entry["was"], entry["now"]): entry["why"]
        for entry in tomllib.loads((HERE / "equivalent.toml").read_text(encoding="utf-8")).get("mutant", [])
    }
    for mutant in mutants:
        what, why = found[mutant.name]
        if what != KILLED:
            why = argued.get((mutant.file, mutant.was, mutant.now), why)
            print(f"\n{mutant.file}:{mutant.line}: {what}: {why}\n- {mutant.was}\n+ {mutant.now}")
    print(f"\n{'part':10}{'mutants':>9}{'killed':>9}{'not run':>9}{'survived':>9}{'equivalent':>12}{'others':>8}")
    good = True
    for part in parts:
        own = [mutant for mutant in mutants if mutant.part == part]
        count = {what: sum(found[m.name][0] == what for m in own) for what in (KILLED, NOT_RUN, SURVIVED, NOT_TRIED)}
        alive = [mutant for mutant in own if found[mutant.name][0] in (NOT_RUN, SURVIVED)]
        equal = sum((mutant.file, mutant.was, mutant.now) in argued for mutant in alive)
        others = len(alive) - equal
        good &= others <= ALLOWED and not count[NOT_TRIED]
        cells = f"{count[KILLED]:9}{count[NOT_RUN]:9}{count[SURVIVED]:9}{equal:12}{others:8}"
        print(f"{part:10}{len(own):9}{cells}" + (f"  {count[NOT_TRIED]} not tried" if count[NOT_TRIED] else ""))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
