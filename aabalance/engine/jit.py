"""The only importer of numba: compiler options and the cache folder.

numba's own cache notices an edit of the compiled file only. Ours is keyed by a hash of all the engine's sources, so
that no edit can bring old machine code to life: what is kept uses no constant from outside of the engine, but for
matches, whose functions are keyed by the sources of their game as well.
"""

from __future__ import annotations

import contextlib
import dis
import gc
import hashlib
import logging
import os
import shutil
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Iterator
from functools import cache, partial
from multiprocessing import parent_process
from pathlib import Path
from types import FunctionType
from typing import IO, TYPE_CHECKING, Any, TypeVar

import platformdirs

from aabalance.provenance import sources_hash

if sys.platform != "win32":
    import fcntl

if TYPE_CHECKING:
    from aabalance.engine.arrays import Loop

Function = TypeVar("Function", bound="Loop")

COMPILING = "compiling, once on this machine and for each version: some seconds, half a minute for matches"
PER_LANE = "aabalance.engine.rng"
MATCH_DICE = "aabalance.rulesets.base.match"
PART = "_part_of_aabalance"
"""What tells the name of a function that only compiled code calls."""

LOCKS = "locks"
"""Where a file for each function says that a process compiles it."""
UNUSED = 60 * 24 * 3600
"""Seconds after which compiled code that nobody has used is removed."""
PATIENCE, LOOK_AGAIN = 300, 0.02
"""Seconds for which a process waits for another one that compiles, and between two looks at its lock."""

DIGEST = 12
"""Hexadecimal digits that tell apart the functions that stand in for others."""


@cache
def cache_folder() -> Path | None:
    """Return the folder for compiled code; warn, and return None, if there can be none."""
    folder = Path(os.environ.get("NUMBA_CACHE_DIR") or platformdirs.user_cache_dir("aabalance"))
    folder /= sources_hash("engine")
    try:
        # Without a home, "~" stays as it is: no place to make a folder in.
        if not folder.parts[0].startswith("~"):
            (folder / LOCKS).mkdir(parents=True, exist_ok=True)
            os.utime(folder / LOCKS)
            _drop_unused(folder)
            with tempfile.TemporaryFile(dir=folder):
                return folder.absolute()
        why = "there is no home folder"
    except OSError as error:
        why = error.strerror or str(error)
    _warn_unkept(folder, why)
    return None


@cache
def _warn_unkept(folder: Path, why: str) -> None:
    warnings.warn(f"compiled code can't be kept in {folder}: {why}; it is compiled anew each time", stacklevel=3)


@cache
def _warn_damaged(folder: Path) -> None:
    warnings.warn(f"compiled code in {folder} is damaged; it is compiled anew", stacklevel=3)


def _drop_unused(own: Path) -> None:
    """Remove the folders next to our `own` that no process has used for so long: each has some 80 MB."""
    for locks in own.parent.glob("[0-9a-f]" * len(own.name) + f"/{LOCKS}"):
        with contextlib.suppress(OSError):  # another process removes it, too
            if time.time() - locks.stat().st_mtime > UNUSED:
                shutil.rmtree(locks.parent, ignore_errors=True)


@cache
def _numba() -> Any:
    """Return numba, set to collect no garbage while it compiles, which would take a tenth of the time.

    It is set to make machine code of those functions alone that Python calls, too: see `_library`.
    """
    import numba
    from numba.core import codegen, event

    class Uncollected(event.Listener):
        """Stops the garbage collector from the start of a compilation to its end; one may start others."""

        def __init__(self) -> None:
            self.before: list[bool] = []

        def on_start(self, event: object) -> None:
            _say_so()
            self.before.append(gc.isenabled())
            gc.disable()

        def on_end(self, event: object) -> None:
            if self.before.pop():
                gc.enable()

    event.register("numba:compile", Uncollected())  # type: ignore[no-untyped-call]
    codegen.JITCPUCodegen._library_class = _library(codegen.JITCPUCodegen._library_class)
    return numba


def _library(of_numba: Any) -> Any:
    """Return a subclass of numba's libraries that only links a part: a function that only compiled code calls.

    numba links into a function all that it calls, optimises the whole, and makes machine code of it. Then it does so
    again for each caller, which took more than half of the time in which the rules of a match are compiled.
    """

    class Library(of_numba):  # type: ignore[misc]
        """What is made of a function and of all that it calls."""

        @property
        def codegen(self) -> Any:
            return self if PART in self.name else super().codegen

        def set_env(self, name: str, env: object) -> None:
            """Do nothing: the place for a function's Python objects is in its machine code, and a part has none."""

        def get_pointer_to_function(self, name: str) -> int:
            return 0 if PART in self.name else super().get_pointer_to_function(name)

        def serialize_using_object_code(self) -> Any:
            return self.serialize_using_bitcode() if PART in self.name else super().serialize_using_object_code()

        def _optimize_final_module(self) -> None:
            if PART not in self.name:
                super()._optimize_final_module()

        def _finalize_final_module(self) -> None:
            if PART in self.name:
                self._finalize_dynamic_globals()
                self._finalized = True
            else:
                super()._finalize_final_module()

    return Library


@cache
def _say_so() -> None:
    """Say that something is compiled, once a process, and only in the one that a user has started."""
    if parent_process() is None:
        logging.getLogger(__name__).warning(COMPILING)


@cache
def compiled(function: Loop, **given: Loop) -> Loop:
    """Return `function` compiled, without the GIL, from the cache if these sources were compiled before.

    A `given` function takes the place of the one that has its keyword as a name, in `function` and all that it calls.
    If any of them, or `function`, isn't from `aabalance`, nothing is cached: an edit of it would go unnoticed.

    The functions that it calls are compiled into it, so the modules that define them stay plain Python: those of
    `aabalance.engine`, those of the caller's own package (the rules of a game's matches), and the dice of matches.
    Those of `aabalance.engine.rng` are called once a lane and have to be inlined: a call that LLVM leaves in a loop
    keeps it from vectorising the loop. Those marked as `inlined` have to be, too. LLVM decides about all others.

    Parameters
    ----------
    function : callable
        Of plain loops, at the top level of a module of this package.
    **given : callable
        By the names that they replace.
    """
    return _compiled(function, False, **given)


@cache
def _compiled(function: Loop, called_only: bool, **given: Loop) -> Loop:
    """Return a function compiled; as a part, without machine code of its own, if only compiled code calls it."""
    inline = called_only and (function.__module__ == PER_LANE or function in INLINED)
    folder, numba = cache_folder(), _numba()
    names = dict(function.__globals__) | given
    sources = [_sources(one) for one in (function, *given.values())]
    for name in _called(function):
        called = names.get(name)
        if isinstance(called, FunctionType) and (name in given or is_part(called, function)):
            names[name] = _compiled(called, True, **_asked_for(called, given))
    twin = FunctionType(function.__code__, names, function.__name__, function.__defaults__, function.__closure__)
    # A name of its own, since numba's cache would hand one form to whoever needs another. It is a part of file names.
    stand_ins = "".join(f"{of} {one.__module__} {one.__qualname__} " for of, one in sorted(given.items()))
    known = stand_ins + "".join(filter(None, sources))
    apart = PART * called_only + f"_{hashlib.sha256(known.encode()).hexdigest()[:DIGEST]}" * bool(known)
    twin.__module__, twin.__qualname__ = function.__module__, function.__qualname__ + apart
    # What numba makes no promise about; a test sees whether it is obeyed. Without `forceinline` simulated duels take
    # three times as long, and battles of lists a third longer; without both of `no_..._wrapper` the rules of matches
    # take a fifth longer to compile, and without `_wide_form` or `_library` twice as long.
    flags = {"forceinline": inline, "no_cpython_wrapper": called_only, "no_cfunc_wrapper": called_only}
    cached = folder is not None and None not in sources
    with _kept_in(folder, numba.config):
        # No loop divides by zero, so that none has to test for it.
        made = numba.njit(cache=cached, nogil=True, error_model="numpy", **flags)(twin)
    if called_only and not numba.config.DISABLE_JIT:
        made.get_call_template = partial(_wide_form, made.get_call_template)
    if folder and cached and not numba.config.DISABLE_JIT:
        _forgive(made._cache, folder)
        if sys.platform != "win32":
            lock = folder / LOCKS / f"{twin.__module__}.{twin.__qualname__}"
            made.compile = partial(_one_by_one, made.compile, lock)
    return made


@contextlib.contextmanager
def _kept_in(folder: Path | None, config: Any) -> Iterator[None]:
    """Let numba keep in a folder what it is told to compile.

    Where the user's own functions are kept is his affair, and he may have imported numba before us.
    """
    with _DECORATING:
        users, config.CACHE_DIR = config.CACHE_DIR, str(folder or "")
        try:
            yield
        finally:
            config.CACHE_DIR = users


_DECORATING = threading.Lock()


def _forgive(kept: Any, folder: Path) -> None:
    """Let numba compile anew what is damaged in its cache, and go on where it can't keep what it has compiled."""
    load, save = kept.load_overload, kept.save_overload

    def load_overload(form: object, target: object) -> object:
        try:
            return load(form, target)
        except Exception:  # files cut short or overwritten raise nearly anything
            _warn_damaged(folder)
            try:
                kept.flush()
            except OSError:  # a full disk: what is damaged stays, and would be read again before anything is kept
                kept.disable()
            return None

    def save_overload(form: object, made: object) -> None:
        try:
            save(form, made)
        except OSError as error:
            _warn_unkept(folder, error.strerror or str(error))

    kept.load_overload, kept.save_overload = load_overload, save_overload


def _one_by_one(compile: Loop, lock: Path, form: object) -> object:
    """Compile a form of a function, or load it, while no other process does so: only the first has to compile it.

    Two that kept forms of a function at the same time might even mix them up, since numba numbers their files. A part
    is only compiled within another function, so that nobody holds its lock who waits for that of a caller.
    """
    try:
        file = lock.open("w")
    except OSError:  # the folder is another user's, or gone
        return compile(form)
    with file:
        _wait_for(file)
        return compile(form)


def _wait_for(file: IO[str]) -> None:
    """Lock a file, unless there are no locks in its folder, or somebody seems to hold it for ever."""
    with contextlib.suppress(OSError):
        for _ in range(round(PATIENCE / LOOK_AGAIN)):
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                time.sleep(LOOK_AGAIN)


def _wide_form(form: Loop, args: tuple[object, ...], keywords: dict[str, object]) -> object:
    """Return the form of a function for a call, in which whole numbers with a sign are wide.

    Else numba compiles a form for each mixture of the widths that fields of records have.
    """
    from numba.core.types import int64, signed_domain, unliteral

    def wide(kind: object) -> object:
        return int64 if unliteral(kind) in signed_domain else kind  # type: ignore[no-untyped-call]

    return form(tuple(map(wide, args)), {name: wide(kind) for name, kind in keywords.items()})


@cache
def plain(function: Loop, **given: Loop) -> Loop:
    """Return `function` as it is, but for those that stand in: `given` as for `compiled`."""
    names = dict(function.__globals__) | given
    for name in _called(function):
        called = names.get(name)
        if isinstance(called, FunctionType) and (name in given or is_part(called, function)):
            passed = _asked_for(called, given)
            if passed:
                names[name] = plain(called, **passed)
    return FunctionType(function.__code__, names, function.__name__, function.__defaults__, function.__closure__)


def _asked_for(function: Loop, given: dict[str, Loop]) -> dict[str, Loop]:
    """Return those of the given functions that a function calls, itself or through one of ours or of the given."""
    asked: dict[str, Loop] = {}
    names = set(_names(function))
    while more := {of: one for of, one in given.items() if of in names and of not in asked}:
        asked |= more
        names.update(*map(_names, more.values()))
    return asked


@cache
def _called(function: Loop) -> tuple[str, ...]:
    """Return the global names that a function makes use of; a field of a record may have the name of a function."""
    return tuple({one.argval: None for one in dis.get_instructions(function) if one.opname == "LOAD_GLOBAL"})


@cache
def _names(function: Loop) -> frozenset[str]:
    """Return the names that a function, or one of ours that it calls, makes use of."""
    names = set(_called(function))
    for name in _called(function):
        called = function.__globals__.get(name)
        if isinstance(called, FunctionType) and is_part(called, function):
            names |= _names(called)
    return frozenset(names)


NO_HOOK: Any = None
"""What stands for a function that only some uses of a loop need, until one is `given` in its place. What is behind
``if function is not None`` isn't compiled where it is None."""

INLINED: set[Loop] = set()


def inlined(function: Function) -> Function:
    """Mark a function that LLVM has to inline: one with so many arrays that handing them over takes long."""
    INLINED.add(function)
    return function


def is_ours(function: Loop) -> bool:
    """Return whether a function is from `aabalance.engine`, whose sources key the cache."""
    return function.__module__.startswith(__package__ or "")


def is_part(called: Loop, caller: Loop) -> bool:
    """Return whether a function is compiled with one that calls it: see `compiled`."""
    own = caller.__module__.rpartition(".")[0] or caller.__module__
    return is_ours(called) or called.__module__ in (own, MATCH_DICE) or called.__module__.startswith(f"{own}.")


def _sources(function: Loop) -> str | None:
    """Return a hash of a function's sources outside of the engine, which keys the cache too; None if unknown."""
    package, *rooms = function.__module__.split(".")
    if package != __name__.partition(".")[0] or rooms[0] not in ("engine", "rulesets"):
        return None
    if rooms[0] == "engine" and rooms[1] != "match":
        return ""
    return sources_hash("rulesets/base") + (sources_hash(f"rulesets/{rooms[1]}") if rooms[0] == "rulesets" else "")
