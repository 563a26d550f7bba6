"""The wheel: built as a release would be, unpacked away from the checkout, and used."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

USE = """
from pathlib import Path
import aabalance as aab
from aabalance.analysis.situations import Situations
from aabalance.files import data_folder
game = aab.Game()
assert len(Situations.standard(game).moments) == 18
assert list(game.boards) == ["river", "small", "village"]
print(Path(aab.__file__).parents[1], data_folder("unitdb"), aab.__version__, game.cards.hash)
"""


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


@pytest.mark.slow
def test_wheel__brings_its_cards_and_reports(unpacked: Path) -> None:
    environment = os.environ | {"PYTHONPATH": str(unpacked)}
    ran = subprocess.run(
        [sys.executable, "-c", USE], cwd=unpacked, env=environment, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    home, data, version, cards = ran.stdout.split()
    assert (Path(home), Path(data)) == (unpacked, unpacked / "aabalance/unitdb")
    assert version == "0.2.0"
    import aabalance

    assert cards == aabalance.Game().cards.hash


@pytest.mark.slow
def test_wheel__holds_no_output_and_no_tests(unpacked: Path) -> None:
    names = {path.relative_to(unpacked).parts[0] for path in unpacked.iterdir()}
    assert names == {"aabalance", "aabalance-0.2.0.dist-info"}
    assert (unpacked / "aabalance/py.typed").is_file()
    for name in ("page.html.j2", "page.css", "js/main.js"):
        assert (unpacked / "aabalance/report/page" / name).is_file()
    assert (unpacked / "aabalance/rulesets/armored_advance/rulebook.toml").is_file()
    assert not (unpacked / "aabalance/reports/out").exists()
    assert (unpacked / "aabalance/reports/armored_advance.gate.toml").is_file()
    assert (unpacked / "aabalance/reports/baseline/armored_advance/duels.csv").is_file()  # what the gate compares with
    assert {path.name for path in (unpacked / "aabalance-0.2.0.dist-info/licenses").iterdir()} == {"LICENSE", "NOTICE"}
