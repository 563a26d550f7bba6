"""The examples of a page: run, and what they print put in.

They run on `tests/data/unitdb`, a copy of the cards that doesn't change when they do. So no page needs an edit when a
unit is added or costs something else. To bring the pages up to date, copy `unitdb` there anew.
"""

from __future__ import annotations

import contextlib
import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

from click.testing import CliRunner

from aabalance import files
from aabalance.cli import main
from aabalance.game import bound

ROOT = Path(__file__).parent.parent
CARDS = ROOT / "tests" / "data" / "unitdb"
CUT = "...\n"
FENCE = re.compile(r"(?<=^```)(\w+)(?: (\S+))?\n(.*?)(?=^```$)", re.DOTALL | re.MULTILINE)


@contextlib.contextmanager
def frozen_cards() -> Iterator[None]:
    """Let the package find the copy of the cards."""
    shipped = files.data_folder

    def data_folder(name: str) -> Path:
        return CARDS if name == "unitdb" else shipped(name)

    with patch.object(files, "data_folder", data_folder), patch.object(bound, "data_folder", data_folder):
        yield


def played(page: str, folder: Path) -> str:
    """Return a page with its examples run in `folder`, in which they find the cards as in a checkout.

    Blocks whose first line names a file are written to it; lines of ``sh`` that begin with `aabalance` and those after
    ``$`` in ``console`` are run, and so is Python. Of an output that ends in a line ``...`` on the page, as
    many lines are put in as there were.

    Raises
    ------
    RuntimeError
        An example of ``sh`` that fails.
    """
    shutil.copytree(CARDS, folder / "unitdb")
    names: dict[str, Any] = {}

    def play(block: re.Match[str]) -> str:
        language, path, text = block.groups()
        if path:
            (folder / path).write_text(text, encoding="utf-8")
        elif language == "python":
            with contextlib.chdir(folder), frozen_cards():
                exec(text, names)
        elif language == "sh":
            for line in text.splitlines():
                if line.startswith("aabalance "):
                    code, output = run(line, folder)
                    if code:
                        raise RuntimeError(f"{line}\n{output}")
        elif language == "console":
            lines = [line for line in text.splitlines() if line.startswith("$ ")]
            ran = "".join(f"{line}\n{run(line.removeprefix('$ '), folder)[1]}" for line in lines)
            shown = text.splitlines(keepends=True)
            cut = ran if shown[-1] != CUT else "".join(ran.splitlines(keepends=True)[: len(shown) - 1]) + CUT
            return f"console\n{cut}"
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
    with contextlib.chdir(folder), frozen_cards():
        ran = CliRunner(env={"COLUMNS": "120"}).invoke(main, words, prog_name="aabalance")
    # What is said of waiting depends on what this machine has compiled already.
    return ran.exit_code, ran.stdout if ran.exit_code == 0 else ran.output
