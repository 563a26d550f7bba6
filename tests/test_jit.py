"""numba obeys the flags of `engine.jit` that it makes no promises about: a new version that doesn't is seen here."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from aabalance.engine import jit
from aabalance.engine.rng import philox

U = np.uint64

called = part = jit.NO_HOOK


def _sum(n: np.uint64) -> np.uint64:
    total = U(0)
    for k in range(n):
        low, high = philox(U(7), U(0), U(k))
        total += called(low) ^ part(high)
    return total


def _called(word: np.uint64) -> np.uint64:
    return _half(word)


def _half(word: np.uint64) -> np.uint64:
    return word >> U(1)


@jit.inlined
def _part(word: np.uint64) -> np.uint64:
    return word << U(1)


@pytest.fixture(scope="module")
def summed() -> Any:
    """`_sum` as it is compiled, with both functions that it calls."""
    function = jit.compiled(_sum, called=_called, part=_part)
    # Plain numbers wrap round with a warning, compiled ones without.
    with np.errstate(over="ignore"):
        assert function(U(100)) == jit.plain(_sum, called=_called, part=_part)(100)
    return function


def _compiled(function: Any) -> Any:
    (form,) = function.overloads.values()
    return form.library


def _wrappers(function: Any) -> int:
    """Return how many functions there are through which Python or C calls a compiled one."""
    return sum("cpython" in of.name or "cfunc" in of.name for of in _compiled(function).get_defined_functions())


def test_compiled__numba_makes_no_wrappers_of_a_part(summed: Any) -> None:
    assert _wrappers(summed) == 2
    assert _wrappers(summed.py_func.__globals__["called"]) == 0


def _calls(function: Any, called: str) -> bool:
    """Return whether one function is still called by another, though all it does could stand in its place."""
    return any(" call " in line and called in line for line in _compiled(function).get_llvm_str().splitlines())


def _machine_code(function: Any) -> bool:
    return getattr(_compiled(function), "_compiled_object", None) is not None


def test_compiled__numba_leaves_a_part_to_its_callers(summed: Any) -> None:
    part = summed.py_func.__globals__["called"]
    assert _calls(part, "_half")
    assert not _calls(summed, "_half")
    assert _machine_code(summed)
    assert not _machine_code(part)


def test_compiled__a_part_from_the_cache_is_linked(summed: Any) -> None:
    jit._compiled.cache_clear()
    jit.compiled.cache_clear()
    again: Any = jit.compiled(_sum, called=_called, part=_part)
    with np.errstate(over="ignore"):
        assert again(U(100)) == summed(U(100))
    part = again.py_func.__globals__["philox"]
    assert part.stats.cache_hits
    assert not _machine_code(part)


def _forgotten() -> None:
    for known in (jit._compiled, jit.compiled, jit.cache_folder, jit._warn_damaged, jit._warn_unkept):
        known.cache_clear()


@pytest.fixture
def empty_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """A folder for compiled code in which there is none yet."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    _forgotten()
    yield tmp_path
    _forgotten()


def _first_word() -> int:
    function: Any = jit.compiled(philox)
    return int(function(U(7), U(0), U(0))[0])


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["nbi", "nbc"])
def test_compiled__what_is_damaged_in_the_cache_is_compiled_anew(empty_folder: Path, kind: str) -> None:
    word = _first_word()
    for file in empty_folder.rglob(f"*.{kind}"):
        file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
    _forgotten()
    with pytest.warns(UserWarning, match=r"^compiled code in .* is damaged; it is compiled anew$"):
        assert _first_word() == word
    _forgotten()
    assert _first_word() == word


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="files have no largest size there")
def test_compiled__what_cannot_be_kept_is_used(empty_folder: Path) -> None:
    import resource

    word, before = _first_word(), resource.getrlimit(resource.RLIMIT_FSIZE)
    for file in empty_folder.rglob("*.nb?"):
        file.unlink()
    _forgotten()
    resource.setrlimit(resource.RLIMIT_FSIZE, (256, before[1]))
    try:
        with pytest.warns(UserWarning, match=r"^compiled code can't be kept in .*: File too large; it is compiled"):
            assert _first_word() == word
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_compiled__numba_obeys_forceinline(summed: Any) -> None:
    assert not _calls(summed, "philox")


def test_inlined__numba_obeys_forceinline(summed: Any) -> None:
    part = summed.py_func.__globals__["part"]
    assert any("alwaysinline" in line for line in str(_compiled(part).get_llvm_str()).splitlines())
    assert not _calls(summed, "_part")


def _both(short: np.int16, byte: np.int8, word: np.uint64) -> np.uint64:
    return called(short, word) + called(byte, word) + called(np.int64(byte), word)


def _sum_of(number: int, word: np.uint64) -> np.uint64:
    return word + U(number)


def test_compiled__whole_numbers_of_any_width_share_a_form() -> None:
    function: Any = jit.compiled(_both, called=_sum_of)
    assert function(np.int16(300), np.int8(-1), U(5)) == 313
    (signature,) = function.py_func.__globals__["called"].signatures
    assert [str(kind) for kind in signature] == ["int64", "uint64"]


def _twice(n: int) -> int:
    return 2 * n


def test_compiled__says_so_once_and_only_if_something_is_compiled(caplog: pytest.LogCaptureFixture) -> None:
    jit._say_so.cache_clear()
    function = jit.compiled(_twice)
    said = []
    for number in (1, 2, 1.5):
        function(number)
        said.append(len(caplog.records))
    assert said == [1, 1, 1]
    assert caplog.messages == [jit.COMPILING]
