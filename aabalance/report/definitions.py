"""A list of report definitions: those of the checkout or of the package, and those in ``reports`` of this folder."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from aabalance.cards.lines import read_toml
from aabalance.errors import Fault, counted
from aabalance.files import data_folder

FOLDER = "reports"


class Definition(NamedTuple):
    """An entry in the list of report definitions.

    Attributes
    ----------
    name : str
        Its name for `aabalance.report.spec.read`: the file's name without its ending, or the file's path.
    game, title : str
        As in the file; if its TOML has faults, their number in place of the title.
    path : Path
        Path of the file.
    """

    name: str
    game: str
    title: str
    path: Path


def shipped() -> dict[str, Path]:
    """Return the definitions of the checkout, or else of the package, by name; a name with a dot in it is a gate's."""
    return {path.stem: path for path in sorted(data_folder(FOLDER).glob("*.toml")) if "." not in path.stem}


def definitions() -> list[Definition]:
    """Return the shipped definitions, and those in the folder ``reports`` below the current one."""
    known = shipped()
    seen = {path.resolve() for path in known.values()}
    here = [path for path in sorted(Path(FOLDER).glob("*.toml")) if "." not in path.stem and path.resolve() not in seen]
    others = {str(path): path for path in here}
    return [_definition(name, path) for name, path in {**known, **others}.items()]


def _definition(name: str, path: Path) -> Definition:
    faults: list[Fault] = []
    table = read_toml(path, faults)
    title = counted(len(faults), "fault") if faults else str(table.get("title", ""))
    return Definition(name, str(table.get("game", "")), title, path)
