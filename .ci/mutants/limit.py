"""pytest plugin: ends a test that hangs or eats the memory, as one of a mutant may.

``MUTANTS_RECORD`` names the file with the usual times.
"""

from __future__ import annotations

import faulthandler
import json
import os
import resource
import sys
from pathlib import Path
from typing import Any

import pytest

MEMORY = 8 * 2**30
"""Bytes of address space, several times what any test needs."""
LEAST_S = 45
TIMES = 5
SECONDS: dict[str, float] = json.loads(Path(os.environ["MUTANTS_RECORD"]).read_text(encoding="utf-8"))["seconds"]

resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Any:
    faulthandler.dump_traceback_later(LEAST_S + TIMES * SECONDS.get(item.nodeid, 0), exit=True, file=sys.__stderr__)
    try:
        return (yield)
    finally:
        faulthandler.cancel_dump_traceback_later()
