"""The examples of a page: run, and what they print put in."""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
FENCE = re.compile(r"(?<=^```)(\w+)(?: (\S+))?\n(.*?)(?=^```$)", re.DOTALL | re.MULTILINE)
COMMAND = (sys.executable, "-c", "from aabalance.cli import main; main()")


def played(page: str, folder: Path) -> str:
    """Return a page with its examples run in `folder`, in which it finds the cards as in a checkout.

    Blocks whose first line names a file are written to it; lines of ``sh`` that begin with `aabalance` and those after
    ``$`` in ``console`` are run, and so is Python.

    Raises
    ------
    RuntimeError
        An example of ``sh`` that fails.
    """
    shutil.copytree(ROOT / "unitdb", folder / "unitdb")
    names: dict[str, Any] = {}

    def play(block: re.Match[str]) -> str:
        language, path, text = block.groups()
        if path:
            (folder / path).write_text(text, encoding="utf-8")
        elif language == "python":
            with contextlib.chdir(folder):
                exec(text, names)
        elif language == "sh":
            for line in text.splitlines():
                if line.startswith("aabalance "):
                    code, output = run(line, folder)
                    if code:
                        raise RuntimeError(f"{line}\n{output}")
        elif language == "console":
            lines = [line for line in text.splitlines() if line.startswith("$ ")]
            text = "".join(f"{line}\n{run(line.removeprefix('$ '), folder)[1]}" for line in lines)
            return f"console\n{text}"
        return block[0]

    return FENCE.sub(play, page)


def run(line: str, folder: Path) -> tuple[int, str]:
    """Return the exit code of a command and all that it prints; cp and rm work without a shell, too."""
    program, *words = shlex.split(line, comments=True)
    if program == "cp":
        shutil.copytree(folder / words[-2], folder / words[-1])
        return 0, ""
    if program == "rm":
        (folder / words[-1]).unlink()
        return 0, ""
    if program != "aabalance":
        raise RuntimeError(f"{line}: expected aabalance, cp or rm")
    ran = subprocess.run(
        (*COMMAND, *words),
        cwd=folder,
        env={**os.environ, "COLUMNS": "120"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    )
    return ran.returncode, ran.stdout
