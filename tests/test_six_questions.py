"""The twelve questions of the README: each is answered by the one command that stands beside it."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner
from small import few, write

import aabalance as aab
from aabalance.cards.save import text
from aabalance.cli import main

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
SECTION = README.partition("## Twelve questions")[2].partition("\n## ")[0]
ROWS = re.findall(r"^\| (.+\?) \| `aabalance (.+?)` \| (.+) \|$", SECTION, re.MULTILINE)
HERE = [row for row in ROWS if ".." not in row[1]]
"""Without the comparison of revisions, for which tests/test_diff.py makes a repository."""
pytestmark = pytest.mark.usefixtures("frozen_cards")

UNITS = (
    "de_tiger1",
    "su_t34_85",
    "us_m4a1",
    "de_pantherg",
    "su_kv1_41",
    "de_stug3g",
    "us_m24",
    "de_pz4h",
    "de_pak40",
    "de_pak43",
)


@pytest.fixture(scope="module")
def cards(frozen_cards: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A few of the cards: the commands are the README's, the whole roster would take minutes."""
    return write(tmp_path_factory.mktemp("cards"), few(UNITS))


def test_questions__are_twelve() -> None:
    assert len(ROWS) == 12


@pytest.mark.slow
@pytest.mark.parametrize(("question", "command", "where"), HERE, ids=[question for question, _, _ in HERE])
def test_questions__the_command_says_what_the_page_says_it_does(
    cards: Path, tmp_path: Path, question: str, command: str, where: str
) -> None:
    if "my_tank" in command:
        cards = write(tmp_path, few(UNITS))
        new = {name: value for name, value in few(UNITS).cards.tables["de_pantherg"].items() if name != "requisition"}
        (cards / "mine.toml").write_text(text("my_tank", new), encoding="utf-8")
    ran = CliRunner().invoke(main, [*shlex.split(command), "--cards", str(cards)], catch_exceptions=False)
    assert ran.exit_code == 0, ran.output
    named = re.findall(r"`(.+?)`", where)
    assert named
    for words in named:
        assert re.search(rf"^ *{re.escape(words)}", ran.output, re.MULTILINE), words


def test_questions__the_two_lists_cost_about_the_same() -> None:
    lists = next(shlex.split(command)[1:3] for question, command, _ in ROWS if "T-34s" in question)
    game = aab.Game()
    costs = [
        sum(int(number) * game.cards[unit].requisition for unit, number in [part.split("*") for part in one.split(",")])
        for one in lists
    ]
    assert max(costs) < 1.05 * min(costs)
