"""numba obeys the flags of `engine.jit` that it makes no promises about: a new version that doesn't is seen here."""

from __future__ import annotations

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
    return word >> U(1)


@jit.merged
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


def _wrappers(function: Any) -> list[str]:
    """Return the functions through which Python calls a compiled one."""
    return [of.name for of in _compiled(function).get_defined_functions() if "cpython" in of.name]


def test_compiled__numba_obeys_no_cpython_wrapper(summed: Any) -> None:
    assert len(_wrappers(summed)) == 1
    assert not _wrappers(summed.py_func.__globals__["called"])


def test_compiled__numba_obeys_forceinline(summed: Any) -> None:
    assert not [line for line in _compiled(summed).get_llvm_str().splitlines() if " call " in line and "philox" in line]


def test_merged__numba_obeys_inline(summed: Any) -> None:
    assert not summed.py_func.__globals__["part"].overloads


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
