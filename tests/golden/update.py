"""Copy the reference values from the folder where they are made: ``python tests/golden/update.py FOLDER``.

Transcripts of matches are packed, as they are long and nobody reads them. The tests hold each kind in the copies
against the adapters, so that a new one can't be forgotten: see `NOT_BUILT_YET` in ``test_golden.py``.
"""

from __future__ import annotations

import gzip
import sys
from pathlib import Path

DATA = Path(__file__).parent / "data"
PACKED = "match_"
"""Names of files that are packed begin with it."""


def copies(folder: Path) -> dict[str, bytes]:
    """Return the files of a folder by the names that they have among the tests, the same bytes each time."""
    found = {}
    for path in [*sorted(folder.glob("*.jsonl")), folder / "README.md"]:
        content = path.read_bytes()
        if path.name.startswith(PACKED):
            found[f"{path.name}.gz"] = gzip.compress(content, compresslevel=9, mtime=0)
        else:
            found[path.name] = content
    return found


def update(folder: Path, data: Path = DATA) -> None:
    """Make `data` a copy of a folder of reference values; what the folder no longer has goes."""
    new = copies(folder)
    data.mkdir(exist_ok=True)
    for path in data.iterdir():
        if path.name not in new:
            path.unlink()
    for name, content in new.items():
        (data / name).write_bytes(content)


if __name__ == "__main__":
    update(Path(sys.argv[1]))
