"""The only importer of numba: compiler options and the cache folder.

numba's own cache notices an edit of the compiled file only. Ours is keyed by a hash of all the package's sources, so
that no edit anywhere can bring old machine code to life.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import platformdirs

PACKAGE = Path(__file__).resolve().parents[1]


def sources_hash() -> str:
    """Return a hash of every Python source of the package."""
    digest = hashlib.sha256()
    for path in sorted(PACKAGE.rglob("*.py")):
        digest.update(path.relative_to(PACKAGE).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


@cache
def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return `function` compiled, without the GIL, from the cache if these sources were compiled before."""
    os.environ.setdefault("NUMBA_CACHE_DIR", str(Path(platformdirs.user_cache_dir("aabalance")) / sources_hash()))
    import numba

    return numba.njit(cache=True, nogil=True)(function)


def scratch(size: int) -> Any:
    """Return scratch memory of `size` floats."""
    return np.empty(size, dtype=np.float64)


def results(columns: int, rows: int) -> Any:
    """Return `columns` arrays of `rows` floats."""
    return tuple(np.zeros(rows, dtype=np.float64) for _ in range(columns))


def counts(values: Sequence[int]) -> Any:
    """Return `values` as an array of integers."""
    return np.array(values, dtype=np.int64)
