"""`aabalance explore`: the explorer in a browser, served by a command."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import urlopen

import pytest
from browsing import barriers
from small import few, write

import aabalance as aab
from aabalance.engine.jit import COMPILING
from aabalance.explorer import views
from aabalance.explorer.scene import Scene
from aabalance.explorer.server import Explorer
from aabalance.rulesets import OURS

FEW = ("de_tiger1", "su_t34_85", "us_m4a1", "inf_rifle")
COMMAND = [sys.executable, "-m", "aabalance", "explore", "--no-browser"]


@pytest.fixture(scope="module")
def cards(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("explore") / "cards"
    write(folder, few(FEW))
    return str(folder)


@pytest.fixture(scope="module")
def address(cards: str) -> Iterator[str]:
    command = [*COMMAND, "de_tiger1", "su_t34_85", "--range", "18", "--port", "0", "--cards", cards]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        said = running.stdout.readline()
        yield said.split()[0]
        if sys.platform == "win32":
            running.kill()
            return
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=20)
    assert (running.returncode, out) == (0, "")
    # On a busy machine it takes above two seconds to begin, and where nothing is compiled yet, it compiles: it says so.
    assert set(err.splitlines()) <= {"at work", COMPILING}


def _get(url: str) -> str:
    with urlopen(url, timeout=60) as answer:
        return str(answer.read().decode())


def test_explore__serves_the_views_of_a_notebook(address: str, cards: str) -> None:
    scene = Scene.of(aab.Game(cards=cards), "de_tiger1", "su_t34_85", 18)
    assert html_of("duel", scene) == _get(f"{address}view/duel")
    asked = {"range_in": "24", "at.facing": "side", "fight.first": "b", "rule.reroll_limit": "", "de_tiger1.hp": "40"}
    changed = scene.with_(range_in=24.0, situation={"facing": "side"}, first="b", variant={"reroll_limit": None})
    changed = changed.with_(changes=("de_tiger1.hp=40",))
    assert html_of("duel", changed, before=changed.with_(changes=(), variant={})) == _get(
        f"{address}view/duel?{urlencode(asked)}"
    )


def html_of(name: str, scene: Scene, before: Scene | None = None) -> str:
    scenes = [("", scene)] if before is None else [("before", before), ("after", scene)]
    return views.framed(views.shown(views.views(scene)[name], scenes))


def test_explore__what_is_wrong_is_said_and_the_server_goes_on(address: str) -> None:
    for query, said in (
        ("a=nobody", "nobody"),
        ("de_tiger1.hp=many", "expected a number"),
        ("de_tiger1.hp=", "hp: found &#x27;&#x27;, expected a number"),
        ("fight.posture_a=close&fight.posture_a_to=", "posture a to: found &#x27;&#x27;, expected a number"),
        ("fight.posture_a=close&fight.posture_a_to=none", "posture a to: found &#x27;none&#x27;, expected a number"),
        ("fight.actions=1,5", "actions: found &#x27;1,5&#x27;, expected a number"),
        ("range_in=far", "range: found &#x27;far&#x27;, expected a number"),
        ("at.facing=up", "front"),
    ):
        with pytest.raises(HTTPError) as refused:
            _get(f"{address}view/shot?{query}")
        assert refused.value.code == 422
        answer = refused.value.read().decode()
        assert said in answer
        assert "not expected" not in answer
    with pytest.raises(HTTPError, match="404"):
        _get(f"{address}view/nothing")
    assert "<h1>Armored Advance: explorer</h1>" in _get(address)


@pytest.mark.slow
def test_explore__a_port_that_is_taken_is_one_line(cards: str) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        ran = subprocess.run([*COMMAND, "--port", str(port), "--cards", cards], capture_output=True, text=True)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert re.search(rf"^error: --port: found {port}, .*expected a free port, or 0$", ran.stderr, re.MULTILINE)


def test_explorer__a_link_brings_back_what_was_set(cards: str) -> None:
    game = aab.Game(cards=cards)
    first = Scene.of(game, "de_tiger1", "su_t34_85", posture_b="close:9", rounds=6, walls=1, variant={"he_n": 2})
    explorer = Explorer(first)
    assert explorer.scene("") == first
    moved = "a=us_m4a1&fight.posture_b_to=12&fight.rounds=0&at.walls=0&fight.mixed=true&us_m4a1.keywords.accurate=true"
    scene = explorer.scene(moved)
    assert (scene.a, scene.posture_b, scene.rounds, scene.situation, scene.mixed) == (
        "us_m4a1",
        "close:12",
        None,
        {},
        True,
    )
    page = explorer.page(moved)
    assert re.search(r'name="fight.posture_b_to" value="12"[^>]*data-begins="9.0"', page)
    assert re.search(r'name="at.walls" value="0"[^>]*data-begins="1"', page)
    assert page.count("<details open>") == 3
    assert page.index("What if: the card of a") < page.index("What if: the card of b")
    assert "M4A1 Sherman (75 mm) and M4A1 Sherman (75 mm) alike" in explorer.view(
        "shot", "a=us_m4a1&compare=another+unit"
    )
    alike = explorer.page("b=de_tiger1")
    assert ("What if: the card of a" in alike, "What if: the card of b" in alike) == (True, False)


@pytest.mark.parametrize(("range_in", "ends"), [(18, (0, 42)), (60.5, (0, 60.5))])
def test_explorer__distances_are_those_of_the_report_s_picture_and_the_one_that_is_asked_for(
    cards: str, range_in: float, ends: tuple[float, float]
) -> None:
    page = Explorer(Scene.of(aab.Game(cards=cards), "de_tiger1", "su_t34_85", range_in=range_in)).page("")
    [found] = re.findall(r'name="range_in" data-begins="([\d.]*)" min="([\d.]*)" max="([\d.]*)" step="0.5"', page)
    assert tuple(map(float, found)) == (range_in, *ends)


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("de_tiger1.hp=0", "de_tiger1.hp: found 0, expected greater than or equal to 1"),
        ("at.bearing=999", "bearing: found 999, expected less than or equal to 180"),
        ("fight.list_a=nobody", "unknown unit 'nobody'"),
    ],
)
def test_explorer__what_the_rules_refuse_is_refused_once_and_not_in_each_answer(
    cards: str, query: str, said: str
) -> None:
    explorer = Explorer(Scene.of(aab.Game(cards=cards), "de_tiger1", "su_t34_85"))
    with pytest.raises(aab.AabalanceError, match=said):
        explorer.scene(query)


def test_explorer__a_distance_below_those_of_the_picture_is_on_the_page() -> None:
    page = Explorer(Scene.of(aab.Game("skirmish_wars"), range_in=0)).page("")
    assert re.search(
        r'<span>squares</span>\s*<input type="range" name="range_in" data-begins="0" min="0[.0]*" max="6"', page
    )


def _selected(page: str, name: str) -> str:
    """Return the option that is chosen in a list of choices of a page."""
    [options] = re.findall(rf'<select name="{re.escape(name)}".*?</select>', page, re.DOTALL)
    [chosen] = re.findall(r'<option(?: value="([^"]*)")? selected>([^<]*)', options)
    return chosen[0] or chosen[1]


def test_explorer__the_page_has_chosen_and_ticked_what_is_set(cards: str) -> None:
    explorer = Explorer(Scene.of(aab.Game(cards=cards), "de_tiger1", "su_t34_85", facing="rear"))
    page = explorer.page("at.facing=side&explain_shot=true&compare=another+unit&other=us_m4a1&de_tiger1.hp=40")
    chosen = {name: _selected(page, name) for name in ("a", "b", "other", "compare", "at.facing", "rule.resolution")}
    assert chosen == {
        "a": "de_tiger1", "b": "su_t34_85", "other": "us_m4a1", "compare": "another unit", "at.facing": "side",
        "rule.resolution": "one_die",
    }  # fmt: skip
    assert _selected(explorer.page(""), "at.facing") == "rear"
    assert "<details open><summary>Compare, explain" in explorer.page("compare=nothing")
    ticked = {
        name: bool(more) for name, more in re.findall(r'name="(explain_\w+)" data-begins="false"( checked)?', page)
    }
    assert ticked == {"explain_shot": True, "explain_duel": False}
    assert re.search(r'name="de_tiger1.hp" value="40" data-begins="57" min="1" max="1000" step="1"', page)
    assert re.findall(r"<details open><summary>(.*?)</summary>", page) == [
        "Where they stand",
        "What if: the card of a",
        "Compare, explain",
    ]


def test_explorer__the_page_has_a_button_for_each_preset_and_for_what_ifs_of_each_unit(cards: str) -> None:
    page = Explorer(Scene.of(aab.Game(cards=cards), "de_tiger1", "su_t34_85")).page("")
    terrain = "rule.wall_rule=armor_plus_1&amp;rule.foliage_rule=range_plus_3"
    assert re.findall(r'data-part="(.*?)" data-sets="(.*?)"', page) == [
        *(("rule.", sets) for sets in ("", "rule.resolution=two_dice", terrain)),
        ("de_tiger1.", ""),
        ("su_t34_85.", ""),
    ]
    game = aab.Game("modern_land_battles")
    modern = Explorer(Scene.of(game)).page("")
    assert 'data-sets="rule.range_defense=true"' in modern
    assert f"<p>{len(game.cards)} cards. The address" in modern


def test_explorer__the_page_says_which_cards_and_lists_them_by_nation(cards: str) -> None:
    game = aab.Game(cards=cards).with_(changes=["de_tiger1.hp=50"])
    page = Explorer(Scene.of(game, "de_tiger1", "su_t34_85")).page("")
    assert re.search(r"<p>4 cards, with [^<]*de_tiger1\.hp=50\. The address", page)
    [units] = re.findall(r'<select name="b".*?</select>', page, re.DOTALL)
    nations = re.findall(r'<optgroup label="(.*?)">(.*?)</optgroup>', units, re.DOTALL)
    assert {nation: re.findall('value="(.*?)"', some) for nation, some in nations} == {
        "Germany": ["de_tiger1"],
        "USSR": ["su_t34_85"],
        "USA": ["us_m4a1"],
        "Generic": ["inf_rifle"],
    }


def test_explorer__what_ifs_are_of_both_units(cards: str) -> None:
    explorer = Explorer(Scene.of(aab.Game(cards=cards), "de_tiger1", "su_t34_85"))
    changes = explorer.scene("su_t34_85.hp=9&de_tiger1.hp=8&us_m4a1.hp=7").changes
    assert changes == ("de_tiger1.hp=8", "su_t34_85.hp=9"), "a unit that isn't chosen keeps its card"


def test_explorer__a_page_with_what_is_no_value_still_has_its_controls(cards: str) -> None:
    """A unit is chosen while a field is empty or wrong: that loads the page anew."""
    explorer = Explorer(Scene.of(aab.Game(cards=cards), "de_tiger1", "su_t34_85"))
    page = explorer.page("b=us_m4a1&fight.posture_a_to=&de_tiger1.keywords.autocannon=many&range_in=far&at.facing=up")
    assert re.search(r'name="fight.posture_a_to" value=""', page)
    assert re.search(r'name="de_tiger1.keywords.autocannon" value="many"', page)
    assert page.count("<details open>") == 3
    assert '<option value="us_m4a1" selected>' in page


@pytest.mark.browser
@pytest.mark.parametrize("width", [390, 1280])
def test_explore__in_a_browser(address: str, browser: Any, width: int) -> None:
    page, wrong = browser.new_page(viewport={"width": width, "height": 900}), []
    page.on("console", lambda said: wrong.append(said.text))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("request", lambda asked: asked.url.startswith((address, "data:")) or wrong.append(asked.url))
    try:
        page.goto(address)
        page.wait_for_selector("#duel .said")
        assert page.locator("form details[open]").count() == 0
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.get_by_text("What if: the card of a").click()
        page.locator("[name='de_tiger1.hp']").fill("20")
        page.wait_for_selector("#duel .pair")
        assert "de_tiger1.hp=20" in page.url
        page.reload()
        page.wait_for_selector("#duel .pair")
        page.get_by_role("button", name="take what-ifs back").first.click()
        page.wait_for_function("!document.querySelector('#duel .pair')")
        page.locator("#a").select_option("us_m4a1")
        page.wait_for_function("document.querySelector('#shot').textContent.includes('75 mm')")
        page.get_by_text("Copy as code").click()
        page.wait_for_function("document.querySelector('#code textarea')?.value.includes('us_m4a1')")
        assert wrong == []
        page.get_by_text("Lists, and how they fight").click()
        page.locator("[name='fight.list_a']").fill("2 Tiger I, us_m4a9")
        page.wait_for_timeout(300)  # longer than what is typed elsewhere waits to be answered
        assert "us_m4a9" not in page.url
        page.keyboard.press("Enter")
        page.get_by_text("did you mean us_m4a1").wait_for()
        assert page.locator("#status").evaluate("it => it.getBoundingClientRect().bottom <= innerHeight")
        page.locator("[name='fight.list_a']").fill("2 Tiger I, us_m4a1")
        page.keyboard.press("Enter")
        page.wait_for_function("document.querySelector('#code textarea').value.includes('2 Tiger I, us_m4a1')")
        assert page.locator("#status").inner_text() == ""
    finally:
        page.close()
    assert [one for one in wrong if "422" not in one] == []  # a list was refused


ASKED = "expected => JSON.stringify([...new URLSearchParams(location.search)].sort()) === JSON.stringify(expected)"
"""Whether a page's address has these names with these values."""


@pytest.mark.browser
def test_explore__the_address_and_the_marks_are_of_what_is_set(address: str, browser: Any) -> None:
    page = browser.new_page()

    def asks(expected: dict[str, str]) -> None:
        """Wait until the address has this, and which units are chosen."""
        page.wait_for_function(
            ASKED, arg=sorted({**expected, "a": "de_tiger1", "b": "su_t34_85"}.items()), timeout=10_000
        )

    def marked() -> list[str]:
        """The fields that have the mark of what differs from the start."""
        fields = ".fields label.set :is(input, select)"
        return list(page.locator(fields).evaluate_all("all => all.map(one => one.name)"))

    page.goto(address)
    page.evaluate("document.querySelectorAll('details').forEach(part => { part.open = true; })")
    page.locator("[name='range_in']").fill("24")
    assert page.locator("[name='range_in'] + output").inner_text() == "24"
    page.locator("[name='de_tiger1.keywords.casemate']").check()
    page.get_by_role("button", name="two dice").click()
    asks({"range_in": "24", "de_tiger1.keywords.casemate": "true", "rule.resolution": "two_dice"})
    assert marked() == ["rule.resolution", "de_tiger1.keywords.casemate"]
    page.get_by_role("button", name="rulebook").click()
    asks({"range_in": "24", "de_tiger1.keywords.casemate": "true"})
    page.get_by_role("button", name="take what-ifs back").first.click()
    asks({"range_in": "24"})
    assert marked() == []
    assert not page.locator("[name='de_tiger1.keywords.casemate']").is_checked()
    page.locator("[name='compare']").select_option("another unit")
    page.locator("[name='other']").select_option("us_m4a1")
    asks({"range_in": "24", "compare": "another unit", "other": "us_m4a1"})
    page.locator("[name='compare']").select_option("nothing")
    asks({"range_in": "24", "compare": "nothing"})
    page.close()


@pytest.mark.browser
def test_explore__units_are_chosen_with_keys_alone(address: str, browser: Any) -> None:
    page = browser.new_page()
    page.goto(address)
    page.locator("#a").focus()
    units = page.locator("#a option").evaluate_all("all => all.map(one => one.value)")
    for _ in range(2):
        at = units.index(page.locator("#a").input_value())
        press, to = ("ArrowDown", at + 1) if at + 1 < len(units) else ("ArrowUp", at - 1)
        with page.expect_navigation():
            page.keyboard.press(press)
        assert (page.locator("#a").input_value(), page.evaluate("document.activeElement.id")) == (units[to], "a")
    with page.expect_navigation():
        page.keyboard.type("Tig")
    assert page.locator("#a").input_value() == "de_tiger1"
    page.close()


@pytest.mark.browser
@pytest.mark.parametrize("forced", ["none", "active"])
def test_explore__bars_keep_their_colours_and_nothing_is_a_barrier(address: str, browser: Any, forced: str) -> None:
    page = browser.new_page(forced_colors=forced)
    page.goto(f"{address}?explain_shot=true&explain_duel=true")
    for part in ("#shot table", "#duel .bar", "#timeline svg"):
        page.wait_for_selector(part)
    for parts, colour in (("#duel .bar > div", "backgroundColor"), ("#duel .swatch", "color")):
        colours = page.locator(parts).evaluate_all(f"all => all.map(one => getComputedStyle(one).{colour})")
        assert {"rgb(0, 114, 178)", "rgb(184, 74, 0)"} <= {*colours}
    assert page.locator("th:not([scope])").count() == 0
    page.evaluate("document.querySelectorAll('.stale').forEach(part => part.remove())")  # grey while it is worked out
    assert forced == "active" or barriers(page, "light", "dark") == []
    page.close()


@pytest.mark.browser
def test_explore__says_first_that_it_needs_scripts(browser: Any, cards: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.set_content(Explorer(Scene.of(aab.Game(cards=cards))).page(""))
    said = page.locator("body").inner_text()
    assert said.rstrip().endswith("aabalance duel and its neighbours answer without.")
    assert "worked out" not in said
    context.close()


CUT = """() => [...document.querySelectorAll(".fields select:not(#other)")].filter(select => {
  const room = select.offsetWidth;
  Object.assign(select.style, { width: "max-content", justifySelf: "start" });
  const wanted = select.offsetWidth;
  select.removeAttribute("style");
  return wanted > room;
}).map(select => select.name)"""
"""The lists of choices that are narrower than the longest of their choices."""


@pytest.mark.browser
@pytest.mark.parametrize("name", OURS)
def test_explore__choices_are_not_cut_off(browser: Any, name: str) -> None:
    html = Explorer(Scene.of(aab.Game(name))).page("")
    for width in (390, 1280):
        page = browser.new_page(viewport={"width": width, "height": 900})
        page.route("**/view/**", lambda route: route.abort())
        page.set_content(html)
        page.evaluate("document.querySelectorAll('details').forEach(part => { part.open = true; })")
        assert page.evaluate(CUT) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.close()
