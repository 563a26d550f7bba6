"""The explorer where it is used: JupyterLab and Notebook 7, in a browser, on a server and a kernel of their own."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browsing import wanted
from small import few, write

import aabalance as aab
from aabalance.play.result import percent

pytestmark = pytest.mark.slow

TOKEN = "explorer"
FEW = ("de_tiger1", "su_t34_85", "us_m4a1")
CELL = 'import aabalance as aab\naab.explore(aab.Game(cards="cards"), "de_tiger1", "su_t34_85", range_in=18)'
LAB = 'import sys; sys.modules["rfc3987_syntax"] = None; from jupyterlab.labapp import main; main()'
"""JupyterLab without what takes most of its start: see `conftest`."""
MOST_MS = 60_000
SHOWN = ".aab .big >> nth=1"
"""The second large number of the shot: the chance of damage."""

OPACITY = """() => {
    const old = document.body.appendChild(document.createElement("div"));
    old.className = "aab stale";
    const { opacity } = getComputedStyle(old);
    old.remove();
    return opacity;
}"""
"""Of what was asked before, as the explorer's style has it."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Return the address of a running JupyterLab with a notebook of one cell and three cards."""
    import nbformat  # takes a second, which no other test should wait for

    wanted("jupyterlab")
    folder = tmp_path_factory.mktemp("lab")
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(CELL)])
    notebook.metadata.kernelspec = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbformat.write(notebook, folder / "explore.ipynb")
    write(folder / "cards", few(FEW))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    own = {"JUPYTER_CONFIG_DIR": "config", "JUPYTER_RUNTIME_DIR": "runtime", "IPYTHONDIR": "ipython"}
    own |= {"JUPYTERLAB_SETTINGS_DIR": "settings", "JUPYTERLAB_WORKSPACES_DIR": "workspaces"}
    places = {name: str(folder.parent / "own" / place) for name, place in own.items()}
    root = str(Path(aab.__file__).parents[1])
    options = [
        "--no-browser", "--allow-root", f"--port={port}", "--ServerApp.port_retries=0",
        f"--IdentityProvider.token={TOKEN}", f"--ServerApp.root_dir={folder}", "--LabApp.news_url=",
        "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
    ]  # fmt: skip
    with (folder.parent / "lab.log").open("w") as log:
        running = subprocess.Popen(
            [sys.executable, "-c", LAB, *options], env=os.environ | places | {"PYTHONPATH": root}, stdout=log,
            stderr=subprocess.STDOUT,
        )  # fmt: skip
        try:
            _wait_for(port, running)
            yield f"http://127.0.0.1:{port}"
        finally:
            running.terminate()
            running.wait(30)


def _wait_for(port: int, running: subprocess.Popen[bytes]) -> None:
    for _ in range(300):
        assert running.poll() is None, "jupyter lab stopped"
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            time.sleep(0.2)
    pytest.fail("jupyter lab did not answer for a minute")


def _ours(said: Any) -> bool:
    """Return whether a message on the console is an error, and none of a front end that asks its server in vain."""
    return said.type == "error" and "Failed to load resource" not in said.text


@pytest.mark.parametrize("front_end", ["lab/tree", "notebooks"])
def test_explorer__in_a_front_end(server: str, browser: Any, front_end: str) -> None:
    context = browser.new_context(viewport={"width": 1500, "height": 1400})
    page, wrong = context.new_page(), []
    page.set_default_timeout(MOST_MS)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda said: wrong.append(said.text) if _ours(said) else None)
    try:
        page.goto(f"{server}/{front_end}/explore.ipynb?token={TOKEN}")
        page.locator(".jp-Notebook .cm-content").first.click()
        page.wait_for_function("/Idle/i.test(document.body.innerText) || document.querySelector('[data-status=idle]')")
        wrong.clear()  # what a front end says of itself before it runs anything
        page.locator(".jp-Notebook .cm-content").first.click()  # what was still loading may have taken the focus
        page.keyboard.press("Shift+Enter")
        game = aab.Game()
        shot = game.shot("de_tiger1", "su_t34_85", range_in=18)
        page.wait_for_selector(".aab svg")
        assert page.locator(SHOWN).text_content() == percent(shot.p_damage)
        assert page.locator("[title^='face of the target']").inner_text() == "facing"
        assert float(page.evaluate(OPACITY)) < 0.5
        # What takes long comes from a thread of the kernel.
        battle = game.battle("de_tiger1*2", "su_t34_85*3", range_in=18, actions=4)
        page.get_by_text(percent(battle.p_a)).first.wait_for()
        at = page.locator(".noUi-handle[aria-valuenow='18.0']").bounding_box()
        x, y = at["x"] + at["width"] / 2, at["y"] + at["height"] / 2
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + 40, y, steps=4)
        page.mouse.up()
        changed = "was => document.querySelectorAll('.aab .big')[1].textContent != was"
        page.wait_for_function(changed, arg=percent(shot.p_damage))
        page.wait_for_function("!document.querySelector('.aab.stale')")
        page.get_by_text("Copy as code").click()
        code = page.locator(".aab textarea").first.input_value()
        range_in = float(re.search(r"range_in=([\d.]+)", code)[1])
        assert range_in > 18
        farther = game.shot("de_tiger1", "su_t34_85", range_in=range_in)
        assert page.locator(SHOWN).text_content() == percent(farther.p_damage)
    finally:
        context.close()
    assert wrong == []
