"""Reads cards as they were at a revision of git, without touching the checkout."""

from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path

from pydantic import BaseModel

from aabalance.cards import Cards
from aabalance.errors import CardError, Fault, UsageError

HEAD = "HEAD"
OF_A_HOOK = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX")


def read(schema: type[BaseModel], folder: Path, revision: str) -> Cards:
    """Return the cards that were in a folder at a revision.

    Parameters
    ----------
    schema : type of BaseModel
        The ruleset's card schema.
    folder : Path
        A folder of card files in a work tree of git.
    revision : str
        A branch, a tag, a commit, or anything else that ``git rev-parse`` accepts as a revision.

    Raises
    ------
    UsageError
        There is no git, the folder is in no repository, there is no such revision, or it has no cards in the folder,
        or a file whose content isn't here.
    CardError
        The cards have faults; each place names the revision.
    """
    top, inside = _repository(folder, revision)
    commit = _git(top, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    if commit is None:
        raise UsageError(f"diff: found {revision!r}, expected a folder, or a revision in the git repository {top}")
    at = commit.decode().strip()
    listed = _git(top, "ls-tree", "--name-only", "-z", at, f"{inside}/" if inside else ".") or b""
    names = [name for name in os.fsdecode(listed).split("\0") if name.lower().endswith(".toml")]
    if not names:
        raise UsageError(f"cards: found no TOML file in {inside or '.'} at {revision}, expected unit cards there")
    with tempfile.TemporaryDirectory() as scratch:
        for name in names:
            content = _git(top, "cat-file", "blob", f"{at}:{name}")
            if content is None:
                expected = f"expected a file whose content is in the git repository {top}"
                raise UsageError(f"cards: can't read {name} at {revision}, {expected}")
            (Path(scratch) / Path(name).name).write_bytes(content)
        try:
            return Cards.read(schema, Path(scratch))
        except CardError as error:
            said = [(fault.place.replace(scratch, f"{revision}:{inside}"), fault.message) for fault in error.faults]
            raise CardError([Fault(place, message) for place, message in said]) from None


def folder_here(schema: type[BaseModel], game: str) -> Path | None:
    """Return the folder of cards in the current one: ``unitdb/<game>``, or itself; None if neither has cards."""
    for folder in (Path("unitdb") / game, Path()):
        try:
            if Cards.read(schema, folder):
                return folder
        except (CardError, UsageError):
            continue
    return None


def described(folder: Path, asked: str) -> str:
    """Return in words where the revisions of a folder are; `asked` is named in the error if they are nowhere."""
    top, inside = _repository(folder, asked)
    return f"{inside or 'top folder'} of the git repository {top.name}"


def ends(folder: Path, span: str) -> tuple[str, str]:
    """Return the two revisions of a span.

    Parameters
    ----------
    folder : Path
        A folder in a work tree of git.
    span : str
        ``A..B``; or ``A...B``, which begins where B branched off from A, as a pull request does. An end that is left
        out is HEAD.

    Raises
    ------
    UsageError
        There is no git, no repository, or the two have no common ancestor.
    """
    first, dots, last = span.partition("...") if "..." in span else span.partition("..")
    first, last = first or HEAD, last or HEAD
    if dots == "..":
        return first, last
    top, _ = _repository(folder, span)
    base = _git(top, "merge-base", "--end-of-options", first, last)
    if base is None:
        raise UsageError(f"diff: found {span!r}, expected two revisions of {top} with a common ancestor")
    short = _git(top, "rev-parse", "--short", base.decode().strip()) or base
    return short.decode().strip(), last


def _repository(folder: Path, asked: str) -> tuple[Path, str]:
    """Return the work tree that a folder is in, and the folder's path in it; `asked` is named in the error."""
    if not folder.is_dir():
        raise UsageError(f"cards: found no folder {folder}, expected one with unit cards")
    ran = _run(folder, "rev-parse", "--show-toplevel")
    if ran.returncode:
        why = ran.stderr.decode(errors="replace").strip().partition("\n")[0].removeprefix("fatal: ")
        raise UsageError(
            f"diff: found {asked!r}, expected a folder; a revision it can't be, git says of {folder}: {why}"
        )
    root = Path(ran.stdout.decode().rstrip("\n"))
    inside = folder.resolve().relative_to(root.resolve()).as_posix()
    return root, "" if inside == "." else inside


def _git(folder: Path, *words: str) -> bytes | None:
    """Return what git prints if it is run in a folder with these arguments; None if it fails."""
    ran = _run(folder, *words)
    return None if ran.returncode else ran.stdout


def _run(folder: Path, *words: str) -> subprocess.CompletedProcess[bytes]:
    # In a git hook, these variables name the hook's repository; ours may be another.
    environment = {name: value for name, value in os.environ.items() if name not in OF_A_HOOK} | {"LC_ALL": "C"}
    try:
        return subprocess.run(("git", "-C", str(folder), *words), capture_output=True, check=False, env=environment)
    except FileNotFoundError:
        raise UsageError("diff: found no program git, which revisions need, expected two folders") from None
