"""The notebooks run from top to bottom on a clean kernel, and carry no outputs in git."""

from __future__ import annotations

import time
from pathlib import Path

import matplotlib.font_manager  # noqa: F401  its first import builds a font cache and says so on stderr: not in a cell
import nbformat
import pytest
from nbclient import NotebookClient

import aabalance as aab

FOLDER = Path(__file__).parents[1] / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
MOST_S = 20
STRIP = "jupyter nbconvert --clear-output --ClearMetadataPreprocessor.enabled=True --inplace notebooks/*.ipynb"

each = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def read(path):
    return nbformat.read(path, as_version=4)


def code(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def test_notebooks__there_are_some():
    assert NOTEBOOKS


@each
def test_notebook__runs_on_a_clean_kernel_in_time_without_a_warning(path, monkeypatch, capsys):
    monkeypatch.delenv("MPLBACKEND", raising=False)
    notebook = read(path)
    start = time.perf_counter()
    NotebookClient(notebook, timeout=60, kernel_name="python3", resources={"metadata": {"path": str(FOLDER)}}).execute()
    took = time.perf_counter() - start
    with capsys.disabled():
        print(f" [{path.stem}: {took:.1f} s] ", end="")
    outputs = [output for cell in code(notebook) for output in cell.outputs]
    assert [output.text for output in outputs if output.output_type == "stream" and output.name == "stderr"] == []
    assert any("image/png" in output.get("data", {}) for output in outputs), "a picture is drawn but not shown"
    assert took <= MOST_S


@each
def test_notebook__carries_no_outputs(path):
    notebook = read(path)
    carried = [cell.id for cell in code(notebook) if cell.outputs or cell.execution_count is not None or cell.metadata]
    assert not carried, f"strip them: {STRIP}"
    assert set(notebook.metadata) == {"kernelspec", "language_info"}
    assert notebook.metadata.kernelspec.name == "python3"
    assert notebook.metadata.language_info == {"name": "python"}, f"strip the metadata: {STRIP}"


def test_first_matchup__sentences_hold():
    sherman, stug = "us_m4a3_75w", "de_stug3g"

    def wins(game=None, **how):
        return (game or aab.Game()).duel(sherman, stug, **{"range_in": 18, **how}).p_a

    assert "StuG III" in read(FOLDER / "01_first_matchup.ipynb").cells[0].source
    assert wins(range_in=6) < 0.5 < min(wins(range_in=24), wins(range_in=6, facing="side"))
    postures = ("close:12", "cautious:12", "hold", "optimal")
    played = [wins(range_in=24, posture_a=posture, rounds=12) for posture in postures]
    assert played[0] < 0.5 < played[2]
    assert played == sorted(played)
    hits = [wins(aab.Game(changes=[f"{sherman}.hp={hp}"])) for hp in (30, 32, 40, 41)]
    assert hits[0] < hits[1] == hits[2] < hits[3]
    assert wins(aab.Game(variant={"resolution": "two_dice"})) < 0.5 < wins()
