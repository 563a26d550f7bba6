"""Tests are found on Windows, too: what only Unix has is imported in tests that are skipped there."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

WITHOUT_UNIX = """
import os, signal, sys
from aabalance.engine import jit  # which knows where it has no locks
for name in ("curses", "fcntl", "grp", "pty", "pwd", "resource", "termios", "tty"):
    sys.modules[name] = None
for module, names in ((os, "fork forkpty geteuid getuid killpg mkfifo"), (signal, "SIGALRM SIGKILL pthread_kill")):
    for name in names.split():
        vars(module).pop(name, None)
sys.path[:0] = ["docs", "tests"]
import contextlib, importlib, pathlib
import conftest, pytest
for path in sorted(pathlib.Path("tests").rglob("test_*.py")):
    with contextlib.suppress(pytest.skip.Exception):
        importlib.import_module(".".join(path.relative_to("tests").with_suffix("").parts))
"""


@pytest.mark.slow
def test_collection__needs_nothing_that_only_unix_has() -> None:
    ran = subprocess.run([sys.executable, "-c", WITHOUT_UNIX], cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
