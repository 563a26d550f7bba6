"""The report definitions that there are: those of the checkout or of the package, and those of the folder at hand."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from aabalance.cards.lines import read_toml
from aabalance.errors import Fault, counted
from aabalance.files import data_folder

FOLDER = "reports"


class Definition(NamedTuple):
    """A report definition, as a list of them shows it.

    Attributes
    ----------
    name : str
        What `aabalance.report.spec.read` takes: the file's name without its ending, or the file's path.
    game, title : str
        As it says them; in place of a title how many faults its TOML has, if it has any.
    path : Path
    """

    name: str
    game: str
    title: str
    path: Path


def shipped() -> dict[str, Path]:
    """Return the definitions of the checkout, or else of the package, by name; a name with a dot in it is a gate's."""
    return {path.stem: path for path in sorted(data_folder(FOLDER).glob("*.toml")) if "." not in path.stem}


def definitions() -> list[Definition]:
    """Return the definitions that can be named, and those in the folder ``reports`` of where we are."""
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
