"""The six questions of the README: each is answered by the one command that stands beside it."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner
from small import few, write

import aabalance as aab
from aabalance.cli import main

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
SECTION = README.partition("## Six questions")[2].partition("\n## ")[0]
ROWS = re.findall(r"^\| (.+\?) \| `aabalance (.+?)` \| (.+) \|$", SECTION, re.MULTILINE)
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


def test_six_questions__are_six() -> None:
    assert len(ROWS) == 6


@pytest.mark.slow
@pytest.mark.parametrize(("question", "command", "where"), ROWS, ids=[question for question, _, _ in ROWS])
def test_six_questions__the_command_says_what_the_page_says_it_does(
    cards: Path, question: str, command: str, where: str
) -> None:
    ran = CliRunner().invoke(main, [*shlex.split(command), "--cards", str(cards)], catch_exceptions=False)
    assert ran.exit_code == 0, ran.output
    named = re.findall(r"`(.+?)`", where)
    assert named
    for words in named:
        assert re.search(rf"^ *{re.escape(words)}", ran.output, re.MULTILINE), words


def test_six_questions__the_two_lists_cost_about_the_same() -> None:
    lists = next(shlex.split(command)[1:3] for question, command, _ in ROWS if "T-34s" in question)
    game = aab.Game()
    costs = [
        sum(int(number) * game.cards[unit].requisition for unit, number in [part.split("*") for part in one.split(",")])
        for one in lists
    ]
    assert max(costs) < 1.05 * min(costs)
