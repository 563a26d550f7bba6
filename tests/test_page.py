"""The page of a report, in a browser without a network: what it says is what the tables say, for everybody."""

from __future__ import annotations

import base64
import itertools
import json
import math
import re
import shlex
import unicodedata
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest
import small
from browsing import barriers, wanted
from click.testing import CliRunner

from aabalance.analysis import matchups, situations
from aabalance.analysis.frames import tidy
from aabalance.analysis.pairs import kill_curves, kill_tables, range_steps
from aabalance.cards import Cards
from aabalance.cli import main
from aabalance.definitions import report as spec
from aabalance.game import Game
from aabalance.pricing.roster import Roster
from aabalance.pricing.worth import AT_FLOOR
from aabalance.report import build, findings, summary, tables
from aabalance.report.page import data
from aabalance.rulesets import OURS

FEW = (
    "de_tiger1", "de_pz4h", "de_pak40", "de_sdkfz222", "su_t34_85", "su_t34_43", "su_ba64", "us_m4a1", "us_m24",
    "uk_firefly", "jp_hago", "inf_rifle",
)  # fmt: skip
PLACES = ("", "#unit=de_tiger1", "#pair=de_tiger1,us_m4a1")
UNFOLD = "document.querySelectorAll('details').forEach(one => { one.open = true })"
MOST_BYTES = 3_000_000
ROUNDED = 1.6e-5
"""Half of a step of the page's chances, and one of those that are kept off never and always."""


@pytest.fixture(scope="module")
def game():
    """Return a game in which one unit is too cheap, and one too dear, which is worth less than the least price."""
    return small.few(FEW).with_(changes=["uk_firefly.requisition=70", "jp_hago.requisition=9"])


@pytest.fixture(scope="module")
def report(game, tmp_path_factory):
    """Return the folder of a report on a few units of each kind, with few readings."""
    own = spec.read(None, "armored_advance")
    few = {"resolution": ("sum", "two_dice"), "mg_after_clamp": (True,)}
    return build.write(own.model_copy(update={"sensitivity": few}), game, tmp_path_factory.mktemp("page"))


@pytest.fixture(scope="module")
def said(report):
    return json.loads((report / "summary.json").read_text(encoding="utf-8"))


def tab(browser, heard, width=1280, **options):
    """Return an empty tab; whatever a page in it says on the console, fails or asks of a network is put in `heard`."""
    page = browser.new_context(viewport={"width": width, "height": 900}, offline=True, **options).new_page()
    page.on("console", lambda message: heard.append(message.text))
    page.on("pageerror", lambda error: heard.append(str(error)))
    page.on("request", lambda request: request.url.startswith(("file:", "data:")) or heard.append(request.url))
    return page


def load(page, folder, at="", ready=True):
    page.goto(f"{(folder / 'index.html').as_uri()}{at}")
    if ready:
        page.wait_for_function("performance.getEntriesByName('ready').length && $('svg')")
    return page


def go(page, at):
    """Follow a link to a part of the page that is open."""
    shown = "new Promise(shown => addEventListener('hashchange', () => shown(), { once: true }))"
    page.evaluate(
        f"at => {{ if (at === location.hash) return; const end = {shown}; location.hash = at; return end }}", at
    )
    wait_for_charts(page)
    return page


def wait_for_charts(page):
    """Wait until charts are drawn, which know their width at the end of a frame."""
    page.evaluate("new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)))")


def wait_for_view(page, at):
    """Wait until the page shows what a click or a key asked for: it answers after its address has changed."""
    page.wait_for_url(f"**#{at}")
    page.wait_for_function("$('main').classList.contains('viewing')")
    wait_for_charts(page)


@pytest.fixture
def look(browser):
    """Return a function that opens a page anew: for tests that change it, or that want a window of their own."""
    heard, opened = [], []

    def open_page(folder, at="", ready=True, **options):
        opened.append(tab(browser, heard, **options))
        return load(opened[-1], folder, at, ready)

    yield open_page
    for page in opened:
        page.context.close()
    assert heard == []


@pytest.fixture(scope="module")
def kept(browser, report):
    """Return a tab on a desk with the report, which stays open, and what was heard of it."""
    heard = []
    return load(tab(browser, heard), report), heard


@pytest.fixture
def read(kept):
    """Return a function that shows a part of the report, in a page that is open: for tests that only read it.

    That takes a tenth of what `look` takes. Nothing is clicked, chosen or unfolded there: others read on.
    """
    page, heard = kept
    yield lambda at="": go(page, at)
    said = list(heard)
    heard.clear()
    assert said == []


def cells(table):
    """Return the texts of the cells in the body of a table, row by row."""
    row = "row => [...row.cells].map(cell => cell.textContent.trim())"
    return table.locator("tbody").evaluate(f"body => [...body.rows].map({row})")


def rows(page, table="#roster"):
    """Return the first cells of the rows that are shown."""
    return page.eval_on_selector_all(
        f"{table} tbody tr", "rows => rows.filter(row => !row.hidden).map(row => row.cells[0].textContent)"
    )


def by_words(name):
    return [int(part) if part.isdecimal() else part.lower() for part in re.split(r"(\d+)", name)]


def middle_of(page, selector, dx=0.5, dy=0.5):
    page.locator(selector).first.scroll_into_view_if_needed()
    box = page.locator(selector).first.bounding_box()
    return box["x"] + dx * box["width"], box["y"] + dy * box["height"]


def worth_of(report):
    return pd.read_csv(report / "worth.csv", comment="#").set_index("unit")["worth"]


def named(game, *units):
    return [game.cards[unit].name for unit in units]


# --- what is said


def test_findings__are_in_words_on_the_first_screen_even_without_scripts(look, report, said):
    page = look(report, ready=False, java_script_enabled=False)
    lead = page.locator(".lead")
    assert lead.text_content().replace("\u00a0", " ") == said["findings"]["lead"]
    assert f"{said['in_line']} of {said['rated']} units cost the requisition" in lead.text_content()
    box = page.locator(".facts").bounding_box()
    assert box["y"] + box["height"] < 900
    assert len(rows(page)) == len(FEW)
    assert len(rows(page, "#table-rules")) == len(said["readings"])
    assert not page.locator("#heatmap").is_visible()
    assert not page.locator("#filter").is_visible()
    assert page.locator("#roster caption").inner_text() == "All units, the furthest from fair first"
    (instead,) = page.locator("#wins noscript a").evaluate_all("all => all.map(one => one.getAttribute('href'))")
    assert (report / instead).is_file()


@pytest.mark.slow
def test_findings__every_unit_of_the_roster_is_in_one_of_their_counts(said):
    lead = said["findings"]["lead"]
    numbers = [int(number) for number in re.findall(r"(\d+) units? (?:is|are) (?:out of line|worth less)", lead)]
    assert said["in_line"] + sum(numbers) == said["rated"]
    left, whole, priceless, apart = map(
        int,
        re.search(
            r"other (\d+) of the roster's (\d+) are not rated: (\d+) that no battle.*, (\d+) of a class", lead
        ).groups(),
    )
    assert (whole, apart) == (len(FEW), 1), "the rifles alone are no vehicle and no field gun"
    assert said["rated"] + left == whole
    assert left == priceless + apart
    assert lead.endswith("compared (infantry).")


@pytest.mark.parametrize(("changed", "of_tuning"), [(9, ""), (5, ""), (4, "6 of 12"), (0, "10 of 12")])
def test_lead__says_that_tuned_prices_are_no_test_and_what_is_left_out(changed, of_tuning):
    units = rated_units(costs=[10] + [20] * 9, worth_change=0.5)
    # Two more that tuning left as they were.
    prices = pd.DataFrame({"identified": [True] * 10 + [False] * 2})
    lead = findings._of_worth(SimpleNamespace(rated=units, prices=prices), units[:1], changed, "points")
    assert lead.startswith("9 of 10 units cost")
    assert "hold: movement, cover, scouting, carrying and objectives are not in them. " in lead
    said = f"That doesn't test the prices: {of_tuning} are what tuning finds in these same battles."
    assert (said if of_tuning else "1 unit is out of line") in lead
    assert ("doesn't test" in lead) == bool(of_tuning)


def test_lead__tells_the_largest_change_whether_up_or_down():
    units = rated_units(costs=[40, 14], worth_change=[-0.5, 0.43])
    prices = pd.DataFrame({"identified": [True] * 2})
    said = findings._of_worth(SimpleNamespace(rated=units, prices=prices), units, 2, "points")
    assert "2 units are out of line, by 50 % at most." in said


@pytest.mark.parametrize(("wide", "says"), [(1, ""), (2, ""), (3, " But 3 of these may be"), (4, " But 4 of")])
def test_lead__a_cost_within_a_wide_interval_is_no_sign_that_it_is_fair(wide, says):
    high = [80.0] * wide + [25.0] * (4 - wide)
    units = rated_units(costs=[20.0] * 4, worth_high=high)
    results = SimpleNamespace(rated=units, prices=pd.DataFrame({"identified": [False] * 4}))
    lead = findings._of_worth(results, units[:0], 0, "points")
    assert lead.startswith("4 of 4 units cost the points")
    assert says in lead
    assert ("worth over 25 % more or less. None is out of line." in lead) == bool(says)


@pytest.mark.parametrize(
    ("low", "high", "says"),
    [
        # Halves of the intervals, as shares of the worth: .1, .2 and .6; two units have none.
        ([90, 40, 4, math.nan, 0], [110, 60, 16, math.nan, 1], ": ±20 % for the median unit. A unit whose cost lies"),
        ([math.nan] * 5, [math.nan] * 5, " Units meet too few others for an interval of their worth."),
    ],
)
def test_sure__is_half_of_the_interval_of_the_median_unit(low, high, says):
    worths = [100.0, 50.0, 10.0, 30.0, 0.0]
    rated = rated_units([20] * 5, worth=worths, worth_low=low, worth_high=high)
    for by_dice, begins in ((False, "Battles are solved exactly."), (True, "Battles are solved exactly, or simulated")):
        said = findings._sure(SimpleNamespace(rated=rated, priced_by_dice=by_dice))
        assert said.startswith(begins)
        assert says in said
        assert ("±" in said) == ("±" in says)


@pytest.mark.parametrize(
    ("above", "below", "says"),
    [
        ([], [], ""),
        ([("good", 2)], [], " At its price Good gives most (2.0 times what is usual there)."),
        (
            [("good", 1.84), ("fair", 1.6)],
            [("odd", 0.6), ("poor", 0.256)],
            " At its price Good gives most (1.8 times what is usual there), Poor least (26 % of what is usual there).",
        ),
    ],
)
def test_trend__counts_who_destroys_more_than_it_loses_and_names_both_ends(above, below, says):
    assert of_trend([0.5, 1.3, 1.0, 1.2, 1.1, math.nan], above, below) == (
        f"3 of 6 units destroy more points than they lose, one against one.{says}"
    )


WEIGHTS = 4, 4, 3, 3, 2


def of_trend(ratios: list[float], above: list[Any], below: list[Any], hurts: dict[str, int] | None = None) -> str:
    """Return the lead by a trend; `hurts` says up to which of five distances units hurt somebody, else at all."""
    ends = (pd.DataFrame(rows, columns=["unit", "exchange_ratio_to_peers"]) for rows in (above, below))
    first, last = (frame.assign(name=frame["unit"].str.title()) for frame in ends)
    met = [
        {"attacker": unit, "range_in": n, "p_damage": p, "weight": WEIGHTS[n]}
        for unit, _ in (*above, *below)
        for n in range(5)
        for p in (0.0, float(n < (hurts or {}).get(unit, 5)))
    ]
    ratio = pd.DataFrame({"requisition_exchange_ratio": ratios})
    results = SimpleNamespace(
        cost_effectiveness=ratio, matchups=pd.DataFrame(met, columns=["attacker", "range_in", "p_damage", "weight"])
    )
    return findings._of_trend(results, first, last, "points")


@pytest.mark.parametrize(
    ("unhurt", "says"),
    [
        (1, " 1 unit loses nothing in duels, so that it isn't compared."),
        (2, " 2 units lose nothing in duels, so that they aren't compared."),
    ],
)
def test_trend__who_loses_nothing_is_counted_and_not_compared(unhurt, says):
    said = of_trend([math.inf] * unhurt + [2.0, 0.5], [("good", 2)], [])
    assert said.endswith(f" At its price Good gives most (2.0 times what is usual there).{says}")


@pytest.mark.parametrize(
    ("hurts", "says"),
    [(0, "; it can hurt at 0 of the 5 distances)"), (1, "; it can hurt at 1 of the 5 distances)"), (2, "there)")],
)
def test_trend__says_of_a_named_unit_at_how_few_distances_it_can_hurt(hurts, says):
    said = of_trend([2.0, 0.5], [("good", 2)], [("poor", 0.22)], {"poor": hurts})
    assert said.endswith(f"Poor least (22 % of what is usual there{says.removeprefix('there')}.")
    assert "Good gives most (2.0 times what is usual there)," in said


def on_board(prices: list[float], board: str = "hill", **columns: Any) -> Any:
    """Return results with units that are worth 20 on a board, from 15 to 25, by their prices."""
    known = {"unit": [f"u{n}" for n in range(len(prices))], "board": board, "requisition": prices, "worth": 20.0}
    table = pd.DataFrame(known | {"worth_low": 15.0, "worth_high": 25.0} | columns)
    table["worth_change"] = table["worth"] / table["requisition"] - 1
    table.attrs["matches"] = {"boards": ["hill"], "missions": [None], "rounds": None}
    return SimpleNamespace(board_worth=table, priced=False)


@pytest.mark.parametrize(
    ("prices", "says"),
    [
        (
            [14, 15, 25, 26],
            "2 of 4 units are worth what they cost, by their 90 % intervals of ±25 % in the median. 2 units are ",
        ),
        (
            [20, 40],
            "1 of 2 units are worth what they cost, by their 90 % intervals of ±25 % in the median. 1 unit is ",
        ),
        (
            [20, 20],
            "2 of 2 units are worth what they cost, by their 90 % intervals of ±25 % in the median. None is ",
        ),
        (
            [40],
            "0 of 1 unit is worth what it costs, by its 90 % interval of ±25 %. 1 unit is out of ",
        ),
    ],
)
def test_board__lead_counts_who_costs_something_outside_of_its_interval(prices, says):
    results = on_board(prices)
    lead = findings._of_board(Game("skirmish_wars"), results, findings.on_board(results), findings.off(results))
    assert lead.startswith(f"In matches on hill, {says}")
    assert lead.endswith(f" {9 - len(prices)} of the roster's 9 have no worth there.")
    one = on_board([20] * 8)
    lead = findings._of_board(Game("skirmish_wars"), one, findings.on_board(one), findings.off(one))
    assert lead.endswith(" 1 of the roster's 9 has no worth there.")


@pytest.mark.parametrize(
    ("prices", "known"), [([20, 20], "None is known to be out of line."), ([20, 40], "1 unit is ")]
)
def test_board__lead_of_wide_intervals_says_that_they_tell_little(prices: list[float], known: str) -> None:
    results = on_board(prices, worth_low=14.8)
    lead = findings._of_board(Game("skirmish_wars"), results, findings.on_board(results), findings.off(results))
    assert lead.startswith(
        "In matches on hill, 90 % intervals of worth are ±26 % for the median unit: too wide to tell whether units are "
        f"worth what they cost. {known}"
    )


def test_others__one_unit_that_is_not_rated_has_one_reason():
    game = Game("skirmish_wars")
    [apc, *field] = game.cards
    kind = tables.plain(game.ruleset.roster.category(game.cards[apc]))
    said = "One of the roster's 9 is not rated: "
    assert findings._others(game, field) == f"{said}its class isn't compared ({kind})."
    assert findings._others(game, list(game.cards), 1) == f"{said}no battle can price it."


def test_board__findings_are_by_it_only_where_it_has_intervals_and_no_battle_gives_prices():
    results = on_board([20, 30])
    assert findings.by_board(results)
    results.priced = True
    assert not findings.by_board(results)
    assert not findings.by_board(on_board([20, 30], worth_low=math.nan))
    assert not findings.by_board(SimpleNamespace(board_worth=tidy("board_worth", {}), priced=False))
    pooled = on_board([20, 30, 20, 30], board=["hill", "hill", "", ""])
    assert findings.on_board(pooled).index.tolist() == [2, 3], "all boards together"


def test_board__out_of_line_are_prices_outside_of_the_interval_by_falling_ratio():
    above, below = summary._out_of_line(on_board([14, 20, 40, 26, 10]))
    assert above["unit"].tolist() == ["u4", "u0"]
    assert below["unit"].tolist() == ["u3", "u2"]


def test_board__sure_is_half_of_the_interval_of_the_median_unit():
    said = findings._sure_on_board(on_board([20] * 3, worth_high=[17, 25, 45]).board_worth)
    assert said.startswith("Matches are simulated, and greedy plays both sides. ")
    assert "±25 % for the median unit. A unit whose cost lies inside it is in line." in said
    assert said.endswith(" Of units that cost what they are worth, one in ten seems out of line by chance.")


@pytest.mark.parametrize(
    ("asked", "options"),
    [
        ({}, " --board hill"),
        ({"boards": ["a", "b"], "missions": ["m", None, "n"], "rounds": 5, "actions": 3},
         " --board a,b --mission m,n --rounds 5 --actions 3"),
    ],
)  # fmt: skip
def test_board__advice_names_the_command_that_proposes_prices_on_the_same_boards(asked, options):
    results = on_board([20, 40, 60])
    results.board_worth.attrs["matches"] |= asked
    said = findings._advice_on_board(results, results.board_worth[1:], " --game g")
    assert said == (
        f"The 2 units out of line should cost something else: aabalance tune --game g{options} proposes prices."
    )
    assert findings._advice_on_board(results, results.board_worth[:1], "").startswith("The unit out of line should")
    nothing = "Nothing, as none is out of line. More `matches` in [board_worth] would show smaller differences."
    assert findings._advice_on_board(results, results.board_worth[:0], "") == nothing


@pytest.mark.parametrize(
    ("out", "changed", "begins"),
    [
        (0, 0, "Nothing: every card costs its fair price to the nearest step."),
        (
            0,
            2,
            "Nothing has to be done, as none is out of line. For all prices to be fair, 2 cards need another one: ",
        ),
        (
            3,
            0,
            "Leave the prices: every card costs its fair price to the nearest step. The 3 out of line can't come",
        ),
        (1, 0, "Leave the prices: every card costs its fair price to the nearest step. The one out of line can't come"),
        (
            3,
            1,
            "The 3 units out of line should cost something else. For all prices to be fair, 1 card needs another one: ",
        ),
        (
            1,
            2,
            "The unit out of line should cost something else. For all prices to be fair, 2 cards need another one: ",
        ),
    ],
)
def test_advice__goes_with_how_many_are_out_of_line(out, changed, begins):
    prices = pd.DataFrame({"unit": [], "name": []})
    leave = {"far": [], "rms_before": 0.03, "rms_after": 0.02, "at_floor": []}
    results = SimpleNamespace(no_proposal="", prices=prices, prices_leave=leave, rated=rated_units([]))
    assert findings._advice(results, pd.DataFrame({"unit": range(out)}), changed, "").startswith(begins)


def test_advice__of_units_without_an_interval_does_not_say_that_nothing_has_to_be_done():
    leave = {"far": [], "rms_before": 0.03, "rms_after": 0.02, "at_floor": []}
    rated = rated_units([20, 20]).assign(worth_low=math.nan)
    results = SimpleNamespace(
        no_proposal="", prices=pd.DataFrame({"unit": [], "name": []}), prices_leave=leave, rated=rated
    )
    said = "For all prices to be fair, 2 cards need another one: aabalance tune my.toml --write writes them."
    assert findings._advice(results, rated[:0], 2, " my.toml").startswith(
        f"With so few units, no price is sure. {said}"
    )
    results.rated = pd.concat([rated, rated_units([20])])
    assert findings._advice(results, rated[:0], 2, " my.toml").startswith(said)


def test_advice__no_formula_judges_a_card_alone():
    assert by_formula([(1.0, 20, 30)]) == "No formula can say: it compares cards, and there are too few."


def by_formula(cards: list[tuple[float, float, float]]) -> str:
    """Return the advice by a formula for cards, by exchange ratio, price and proposal; nan: not of the field."""
    table = pd.DataFrame(cards, columns=["requisition_exchange_ratio", "requisition", "proposal"])
    table["unit"] = range(len(cards))
    results = SimpleNamespace(no_proposal="", requisition=table, cost_effectiveness=table.dropna())
    return findings._advice_by_formula(results, "points")


def test_advice__of_a_formula_counts_only_cards_that_duels_compare():
    others = [(math.nan, 20.0, 30.0), (math.inf, 20.0, 30.0), (0.0, 20.0, 30.0)]
    said = "The formula, a first guess, would price 2 of 3 rated cards differently: look at them."
    assert by_formula([(1.0, 20, 20), (2.0, 20, 25), (0.5, 20, 25), *others]) == said


@pytest.mark.parametrize(
    ("changed", "ends"),
    [
        (0, "all 23 rated cards cost what it says."),
        (1, "1 of 23 rated cards differently: look at it."),
        (7, "differently: look at them."),
    ],
)
def test_advice__of_a_formula_counts_one_as_one(changed, ends):
    assert by_formula([(1.0, 20, 20 + (n < changed)) for n in range(23)]).endswith(ends)


def test_percent__stands_on_the_line_of_its_number(read, report):
    parted = "[...document.body.innerText.matchAll(/\\d %/g)].length"
    for at in PLACES:
        page = read(at)
        assert page.evaluate("document.body.innerText.match(/\\d\u00a0%/g).length") > 10
        assert page.evaluate(parted) == 0, at
    assert not re.search(r"\d %", (report / "index.html").read_text(encoding="utf-8"))


def test_commands__run_as_they_stand(read, report, game, tmp_path):
    """Those that are shown, on the few cards of this report; nothing is left for the reader to fill in."""
    shown = []
    for at in ("", "#pair=de_tiger1,us_m4a1"):
        page = read(at)
        shown += page.eval_on_selector_all(
            "main code", "all => all.map(one => one.textContent).filter(text => text.startsWith('aabalance '))"
        )
    assert {command.split()[1] for command in shown} == {"diff", "tune", "shot", "duel"}
    small.write(tmp_path, game)
    for command in dict.fromkeys(shown):
        ran = CliRunner().invoke(main, [*shlex.split(command)[1:], "--cards", str(tmp_path)])
        assert ran.exit_code == 0, (command, ran.output)
        if " diff " in command:
            assert "two_dice" in ran.output or "sum" in ran.output, "by the reading that moves most"


@pytest.mark.parametrize(
    ("finer", "ends"),
    [
        (None, "Old and New score more than 5 points of 100 from level."),
        (
            {"units": ["old", "new"], "said": "steps of 0.5 below 10", "steps": {"0": 0.5, "10": 1}, "off": 0.0145},
            "from level. That is rounding: steps of 0.5 below 10 would bring them to within 2.",
        ),
    ],
)
def test_advice__says_which_steps_would_bring_those_nearer_whom_rounding_keeps_off(finer, ends):
    prices = pd.DataFrame({"unit": ["old", "new"], "name": ["Old", "New"]})
    leave = {"far": ["old", "new"], "finer": finer, "at_floor": []}
    results = SimpleNamespace(no_proposal="", prices=prices, prices_leave=leave)
    assert findings._advice(results, pd.DataFrame({"unit": []}), 0, "").endswith(ends)


def test_named__three_and_how_many_more():
    prices = pd.DataFrame({"unit": [*"abcde"], "name": ["Ape", "Bear", "Cat", "Dog", "Elk"]})
    assert findings._named([*"eabcd"], prices) == "Elk, Ape, Bear and 2 more"
    assert findings._named([*"cba"], prices) == "Cat, Bear and Ape"


def test_in_line__a_cost_at_an_end_of_the_interval_is_within_it():
    assert findings.in_line(rated_units([14, 15, 25, 26])).tolist() == [False, True, True, False]


def test_at_floor__who_costs_more_than_the_least_price_is_out_of_line_with_an_interval_or_without():
    rated = rated_units([20, 30, 30], flags=[AT_FLOOR, AT_FLOOR, ""])
    assert findings.at_floor(rated).tolist() == [True, False, False]
    assert findings.in_line(rated).tolist() == [False] * 3, "nor is who costs the least price, though it is within"
    assert findings.out_of_line(rated).tolist() == [False, True, True]
    assert findings.out_of_line(rated.assign(worth_low=math.nan, worth_high=math.nan)).tolist() == [False, True, False]


def test_verdict__of_a_ratio_is_told_against_what_is_usual_at_the_price():
    row = {"rank": 2, "requisition": 60.0, "requisition_exchange_ratio": 1.25, "exchange_ratio_to_peers": 0.254}
    said = "It costs 60, and destroys 1.25 points for each point it loses, one against one"
    assert data.verdict(row, SimpleNamespace(priced=False), "points") == f"{said}: 25 % of what is usual at its price."
    for ratio in (0.0, math.inf):
        unrated = row | {"exchange_ratio_to_peers": ratio}
        assert data.verdict(unrated, SimpleNamespace(priced=False), "points") == f"{said}."


def test_verdict__is_what_the_command_worth_says():
    row = {"name": "Tank", "requisition": 60.0, "worth": 78.4, "worth_low": 70.0, "worth_high": 81.6, "flags": ""}
    said = "Too cheap: Tank is worth 78.4 (70.0 to 81.6 in 90 of 100 draws of opponents), and costs 60."
    assert data.verdict(row, SimpleNamespace(priced=True), "requisition") == said


def test_headings__are_words(read):
    """No name of a column, with its underscores, stands where people read; only the list of columns has them."""
    page = read()
    read = page.eval_on_selector_all(
        "h1, h2, h3, p, li, summary, caption, th button, label",
        "all => all.filter(one => !one.querySelector('code')).map(one => one.textContent)",
    )
    assert not [words for words in read if re.search(r"[a-z]_[a-z]", re.sub(r"\S+\.(csv|toml)\b", "", words))]
    heads = page.eval_on_selector_all("#roster thead th", "all => all.map(one => one.textContent.trim())")
    of_worth = ["worth", "worth at least", "worth at most", "change", "score", "reasons for doubt"]
    assert heads == ["name", "requisition", *of_worth, "class", "nation", "year"]


def test_roster__the_furthest_from_fair_comes_first_and_who_is_not_rated_last(read, report):
    worth = pd.read_csv(report / "worth.csv", comment="#")
    far = np.abs(np.log1p(worth["worth_change"])).round(12)
    first = worth.assign(far=far).sort_values("far", ascending=False, kind="stable")
    found = rows(read())
    rated = first["name"][first["far"].notna()].tolist()
    assert found[: len(rated)] == rated
    assert set(found[len(rated) :]) == {*worth["name"][worth["worth"].isna()], "Rifle squad"}
    # The armoured car's gun is too weak for all of them.
    assert " These destroy no unit of the field: BA-64. " in (report / "index.html").read_text(encoding="utf-8")


def test_readings__the_command_that_shows_all_units_takes_the_first(report, said):
    page = (report / "index.html").read_text(encoding="utf-8")
    first = said["readings"][1]["reading"]
    assert f"<code>aabalance diff --new-variant {first}</code> shows all units." in page


@pytest.mark.parametrize("ratio", [0.0, math.inf])
def test_roster__who_destroys_nothing_or_loses_nothing_comes_last_without_prices_too(ratio):
    game = Game("skirmish_wars")
    ranked = pd.DataFrame(
        {"unit": list(game.cards), "exchange_ratio_to_peers": [ratio if u == "apc" else 2.0 for u in game.cards]}
    )
    results = SimpleNamespace(priced=False, cost_effectiveness=ranked, board_worth=tidy("board_worth", {}))
    assert data.roster(game, results)[-1]["unit"] == "apc"


def test_roster__goes_by_worth_on_the_board_where_no_battle_prices():
    game = Game("skirmish_wars")
    worth = dict(zip(list(game.cards)[:3], (9.0, 3.0, 30.0), strict=True))
    results = on_board([10.0, 10.0, 20.0], unit=list(worth), worth=list(worth.values()))
    results.cost_effectiveness = pd.DataFrame({"unit": list(game.cards), "exchange_ratio_to_peers": 2.0})
    rows = data.roster(game, results)
    first, *_ = list(worth)
    by_distance = [list(game.cards)[at] for at in (1, 2, 0)]  # .3, 1.5 and .9 of what they cost
    assert [row["unit"] for row in rows[:3]] == by_distance
    assert {row["unit"]: row["worth"] for row in rows[:3]} == worth
    assert rows[3]["far"] == -1, "a unit without a worth there isn't rated"
    assert [row["place"] for row in rows[3:]] == [*range(3, len(game.cards))], "these stand as in the roster"
    assert data._on_boards(results)[first] == ["In matches on hill it is worth 9 (15 to 25)."]


@pytest.mark.parametrize(("own", "said"), [(["front", "side"], [", front", ", side"]), (["front", "front"], ["", ""])])
def test_situations__say_the_own_face_where_it_is_not_always_the_same(own, said):
    met = pd.DataFrame({"range_in": 6, "facing": ["front", "side"], "own_facing": own, "weight": [0.7, 0.3]})
    found = data._situations(Game(), SimpleNamespace(matchups=met, situations=2))
    assert [one["words"] for one in found] == [f'6", front{said[0]}', f'6", side{said[1]}']
    assert [one["weight"] for one in found] == [0.7, 0.3]


def test_units__a_reason_is_the_opponent_its_pull_and_then_its_exchange_rate():
    game = Game("skirmish_wars")
    first, second = list(game.cards)[:2]
    reason = {"unit": second, "opponent": first, "opponent_requisition": 7.0, "score": 0.6}
    results = SimpleNamespace(
        priced=False,
        cost_effectiveness=pd.DataFrame({"unit": [second], "exchange_ratio_to_peers": 2.0}),
        worth_reasons=pd.DataFrame([reason | {"pull": -1.25, "exchange_rate": 3.5}]),
        toughness_steps=pd.DataFrame(),
        penetration_steps=pd.DataFrame(),
        board_worth=tidy("board_worth", {}),
    )
    rows = [row | {"flags": ""} for row in data.roster(game, results)]
    place = {unit: at for at, unit in enumerate(game.cards)}
    shown = {unit["id"]: unit["reasons"] for unit in data._units(game, results, rows, place)}
    assert shown == {unit: [] for unit in game.cards} | {second: [[0, -1.25, 3.5]]}


def test_chance__only_never_and_always_are_the_ends() -> None:
    chances = np.array([0.0, 1e-6, 0.5, 1 - 1e-6, 1.0])
    assert data._chance(chances).tolist() == [0, 1, 32_000, 63_999, 64_000]


def test_chance__is_written_in_percent_as_the_command_line_writes_it() -> None:
    """Four dice that hit half of the time: 15 of 16 attacks, 93.75 %."""
    assert data._chance(np.array(15 / 16)) / data.SURE == 15 / 16


def unpacked(packed: dict[str, Any]) -> Any:
    return np.frombuffer(base64.b64decode(packed["data"]), f"<{packed['type']}")


@pytest.mark.parametrize(("most", "kind"), [(255, "u1"), (256, "u2"), (65_535, "u2"), (65_536, "u4")])
def test_packed__has_room_for_the_greatest_number(most: int, kind: str) -> None:
    packed = data._packed(np.array([0, most]))
    assert packed["type"] == kind
    assert unpacked(packed).tolist() == [0, most]


def test_shots__each_row_has_its_own_numbers_though_others_share_some_of_them() -> None:
    rng = np.random.default_rng(0)
    columns = {"need": rng.integers(2, 7, 60), "p_damage": rng.integers(0, 3, 60) / 2}
    columns |= {name: rng.integers(1, 4, 60) / 4 for name in ("expected_damage", "expected_turns_to_kill")}
    found = data._shots(pd.DataFrame(columns), (20, 3))
    of_row = unpacked(found["rows"]).reshape(-1, found["width"])[unpacked(found["index"])].reshape(-1)
    names = zip(("need", "p", "damage", "turns"), columns.items(), (1, data.SURE, 1, 1), strict=True)
    for packed, (_, column), scale in names:
        np.testing.assert_allclose(unpacked(found[packed])[of_row] / scale, column)


def test_scores__of_who_never_met_and_of_anybody_against_himself_are_level() -> None:
    scores = pd.DataFrame({"unit": ["a", "c"], "opponent": ["c", "a"], "score": [0.75, 0.25]})
    found = data._scores(SimpleNamespace(scores=scores), {"a": 0, "b": 1, "c": 2})
    assert found["fights"] == [0, 2]
    assert found["values"]["type"] == "u2"
    values = np.frombuffer(base64.b64decode(found["values"]["data"]), "<u2").reshape(3, 3) / data.SURE
    np.testing.assert_allclose(values, [[0.5, 0.5, 0.75], [0.5, 0.5, 0.5], [0.25, 0.5, 0.5]], atol=1e-5)
    assert data._scores(SimpleNamespace(scores=scores[:0]), {"a": 0}) is None


def test_gains__are_whole_tenths_of_a_point_rounded() -> None:
    table = pd.DataFrame()
    table.attrs["gains"] = {"wall_rule=both": {"c": 0.0017, "a": -0.0124, "b": 0.0004}}
    found = data._gains(SimpleNamespace(sensitivity=table), {"a": 0, "b": 1, "c": 2})
    assert found == [{"reading": "wall rule: both", "units": [2, 0, 1], "tenths": [2, -12, 0]}]


@pytest.mark.parametrize("priced", [False, True])
def test_units__the_verdict_begins_with_what_judges_the_game_and_steps_keep_their_order(priced):
    game = Game("skirmish_wars")
    first, *_ = list(game.cards)
    results = on_board([10.0], unit=[first], worth=[20.0])
    results.priced, results.worth = priced, pd.DataFrame({"unit": [first], "worth_change": 1.0})
    results.rated = pd.DataFrame({"flags": [""], "requisition": 1.0, "worth": 1.0, "worth_low": 1.0, "worth_high": 1.0})
    results.rated["unit"] = first
    results.cost_effectiveness = pd.DataFrame({"unit": [], "exchange_ratio_to_peers": []})
    results.worth_reasons = results.penetration_steps = pd.DataFrame()
    steps = [(first, "light", 1.0, 0.5), (first, "heavy", 2.0, 0.25)]
    results.toughness_steps = pd.DataFrame(steps, columns=["unit", "gun_class", "one", "other"])
    rows = [row | {"flags": ""} for row in data.roster(game, results)]
    [shown, *_] = data._units(game, results, rows, {unit: at for at, unit in enumerate(game.cards)})
    board = "In matches on hill it is worth 20 (15 to 25)."
    assert shown["verdict"].startswith("It costs " if priced else board)
    assert shown["verdict"].endswith(board if priced else "here.")
    assert shown["steps"] == [["light", 1, 0.5], ["heavy", 2, 0.25]]


# --- what can be done


def test_sort__by_click_and_by_key_with_numbers_from_the_largest(look, report, game):
    page = look(report)
    price = {card.name: card.requisition for card in game.cards.values()}
    head = page.locator("#roster thead button", has_text=re.compile("^requisition$"))
    head.click()
    assert [price[name] for name in rows(page)] == sorted(price.values(), reverse=True)
    head.focus()
    page.keyboard.press("Enter")
    assert [price[name] for name in rows(page)] == sorted(price.values())
    assert page.locator("#roster thead th[aria-sort]").get_attribute("aria-sort") == "ascending"
    page.locator("#roster thead button", has_text="name").click()
    assert rows(page) == sorted(price, key=by_words)
    assert by_words("M4A1 Sherman") < by_words("M24 Chaffee"), "numbers in names by their size"
    worth = page.locator("#roster thead button", has_text=re.compile("^worth$"))
    worth.click()
    assert page.locator("#roster tbody tr").last.text_content().count("–") >= 3, "who has none comes last"


def test_sort__of_what_scripts_write_by_values_and_not_by_texts(read):
    rows = [
        ["a", ["10 %", 0.1]],
        ["b", ["9 %", 0.09]],
        ["c", ["∞", "inf"]],
        ["d", ["–", "nan"]],
        ["e", ["1,000 %", 10]],
    ]
    clicked = """rows => {
      const box = tableOf("All", [["unit", false], ["number", true]], rows);
      return [1, 1, 0].map(column => {
        box.querySelectorAll("th")[column].click();
        return [...box.querySelectorAll("tbody th")].map(one => one.textContent).join("") + $("#said").textContent;
      });
    }"""
    assert read().evaluate(clicked, rows) == [
        "ceabdSorted by number, falling", "baecdSorted by number, rising", "abcdeSorted by unit, rising",
    ]  # fmt: skip


def test_filter__by_nation_class_year_and_words_for_picture_and_table_alike(look, report, game):
    page = look(report)
    dots = page.locator("#scatter circle")

    def shown():
        assert page.locator("#shown").text_content().startswith(f"{len(rows(page))} of {len(FEW)} units")
        return sorted(rows(page))

    page.select_option("#filter [name=nation]", "Germany")
    assert shown() == sorted(named(game, "de_tiger1", "de_pz4h", "de_pak40", "de_sdkfz222"))
    assert dots.count() == 4
    page.select_option("#filter [name=category]", "field gun")
    assert shown() == named(game, "de_pak40")
    page.locator("#filter [type=reset]").click()
    page.wait_for_function(f"$('#shown').textContent.startsWith('{len(FEW)} ')")
    page.fill("#filter [name=search]", "t-34 85")
    assert shown() == named(game, "su_t34_85")
    page.fill("#filter [name=search]", "")
    page.select_option("#filter [name=from]", "1942")
    page.select_option("#filter [name=to]", "1942")
    assert shown() == sorted(card.name for card in game.cards.values() if getattr(card, "year", None) == 1942)
    page.select_option("#filter [name=from]", "")
    assert shown() == sorted(card.name for card in game.cards.values() if (getattr(card, "year", None) or 9999) <= 1942)
    page.select_option("#filter [name=to]", "")
    assert len(shown()) == len(FEW)
    page.fill("#filter [name=search]", "nobody is called so")
    assert shown() == []
    assert page.locator("#scatter").text_content() == "No unit matches: “All units” shows all again."
    assert page.locator("#scatter + .note").is_hidden()


def test_scatter__names_a_unit_under_the_pointer_opens_it_and_back_comes_back(look, report, said):
    page = look(report)
    page.mouse.move(*middle_of(page, "#scatter [data-unit=de_tiger1]"))
    assert page.locator("#scatter .tip").text_content().startswith("Tiger I (Ausf. E) costs ")
    before = page.evaluate("scrollY")
    page.mouse.click(*middle_of(page, "#scatter [data-unit=de_tiger1]"))
    wait_for_view(page, "unit=de_tiger1")
    assert page.locator("#view h2").text_content() == "Tiger I (Ausf. E)"
    assert page.evaluate("document.activeElement.tagName") == "H2"
    assert not page.locator("#findings").is_visible()
    page.go_back()
    page.wait_for_function(f"!$('main').classList.contains('viewing') && scrollY === {before}")
    assert page.title() == said["title"]
    page.focus("#scatter svg")
    page.keyboard.press("ArrowRight")
    first = page.locator("#said").text_content()
    page.keyboard.press("Enter")
    wait_for_view(page, "unit=*")
    assert first.startswith(page.locator("#view h2").text_content())


def test_scatter__keys_walk_by_one_or_ten_and_a_tip_stays_in_the_picture(look, report, said):
    page = look(report)
    order = page.eval_on_selector_all("#scatter circle", "all => all.map(dot => dot.dataset.unit)")
    assert len(order) == 10, "one for each unit with a worth"
    page.fill("#filter [name=search]", "u")
    order = page.eval_on_selector_all("#scatter circle", "all => all.map(dot => dot.dataset.unit)")
    far = 10 % len(order)
    assert order[far] != order[-far], "ten to either side are others"
    on = "document.querySelector('#scatter .on')?.dataset.unit"
    right = "$('#scatter svg').getBoundingClientRect().right - $('#scatter .tip').getBoundingClientRect().right"
    left = "$('#scatter .tip').getBoundingClientRect().left - $('#scatter svg').getBoundingClientRect().left"
    page.focus("#scatter svg")
    for key, to in (
        ("ArrowLeft", -1),
        ("ArrowRight", 0),
        ("PageUp", far),
        ("PageDown", 0),
        ("PageDown", -far),
        ("PageUp", 0),
        ("ArrowUp", 1),
    ):
        page.keyboard.press(key)
        assert page.evaluate(on) == order[to], key
        assert min(page.evaluate(f"[{left}, {right}]")) >= 0, key
    row = next(row for row in said["worth"] if row["unit"] == order[1])
    words = page.locator("#scatter .tip").text_content().removeprefix(row["name"])
    numbers = [row[name] for name in ("requisition", "worth", "worth_low", "worth_high")]
    assert [float(number) for number in re.findall(r"[\d.]+", words)] == pytest.approx(numbers, rel=0.006)
    x, y = page.locator("#scatter circle").evaluate_all(
        """all => { const [x, y] = all.map(dot => dot.getBoundingClientRect()).map(box => [box.x, box.y])
             .reduce((most, one) => (one[1] < most[1] ? one : most)); return [x, y] }"""
    )
    page.mouse.move(x + 4, y - 40)
    assert page.locator("#scatter .tip").is_hidden(), "nobody is near"


def test_scatter__a_tap_names_a_unit_and_a_second_one_opens_it(look, report):
    page = look(report, width=390, is_mobile=True, has_touch=True)
    at = middle_of(page, "#scatter [data-unit=de_tiger1]")
    page.touchscreen.tap(*at)
    page.wait_for_selector("#scatter .tip:has-text('Tiger I (Ausf. E) costs ')")
    assert page.evaluate("location.hash") == ""
    page.touchscreen.tap(*middle_of(page, "#scatter [data-unit=us_m4a1]"))
    page.wait_for_selector("#scatter .tip:has-text('M4A1 Sherman')")
    assert page.evaluate("location.hash") == "", "the second tap was on another"
    page.touchscreen.tap(*middle_of(page, "#scatter [data-unit=us_m4a1]"))
    wait_for_view(page, "unit=us_m4a1")


def test_scatter__shows_worth_or_its_share_of_cost(look, report):
    worth = pd.read_csv(report / "worth.csv", comment="#").set_index("unit").query("worth > 0")
    page = look(report)
    by_height = "all => all.sort((a, b) => b.cy.baseVal.value - a.cy.baseVal.value).map(dot => dot.dataset.unit)"
    for shown, order in (("worth", worth["worth"]), ("rate", worth["worth"] / worth["requisition"])):
        page.select_option("#filter [name=picture]", shown)
        assert page.eval_on_selector_all("#scatter circle", by_height) == order.sort_values().index.tolist()
        # The dashed line is where worth is cost: above it is who is worth more.
        fair = page.locator("#scatter .fair").evaluate("line => [line.y1, line.y2].map(end => end.baseVal.value)")
        assert (fair[0] == fair[1]) == (shown == "rate")
        assert shown == "rate" or fair[0] > fair[1], "it rises"
        if shown == "rate":
            heights = page.eval_on_selector_all(
                "#scatter circle", "all => all.map(dot => [dot.dataset.unit, dot.cy.baseVal.value])"
            )
            assert {unit for unit, y in heights if y < fair[0]} == {*order[order > 1].index}
    page.locator("#filter [type=reset]").click()
    page.wait_for_function("FILTER.elements.picture.value === 'rate'")


def test_heatmap__without_room_for_names_says_what_rows_and_columns_have_in_common(look, report, game):
    page = look(report, width=390, is_mobile=True, has_touch=True)
    assert page.evaluate("bandsOf([1, 2, 3, 3, 3, 3, 4, 5, 6, 7, 8, 9])") == [0, 2, 6, 8, 10]
    assert page.evaluate("bandsOf([5, 5, 5])") == [0]
    field = [card for unit, card in game.cards.items() if np.isfinite(worth_of(report).get(unit, np.nan))]
    for order, word in (("nation", "nation"), ("name", "name")):
        page.select_option("#heat [name=order]", order)
        *found, apart = page.evaluate(f"groupsOf(MAP.rows, '{order}')")
        names = sorted(getattr(card, word) if order == "nation" else card.name[0] for card in field)
        assert [group["words"] for group in found] == list(dict.fromkeys(names))
        assert [group["to"] - group["from"] for group in found] == [names.count(one) for one in dict.fromkeys(names)]
        assert (found[0]["from"], found[-1]["to"], apart["from"]) == (0, len(field), len(field))
    page.select_option("#heat [name=order]", "price")
    prices = sorted(card.requisition for card in field)
    *spans, _ = page.evaluate("groupsOf(MAP.rows, 'price')")
    for group in spans:
        first, last = prices[group["from"]], prices[group["to"] - 1]
        assert group["words"] == (str(first) if first == last else f"{first}–{last}")
    # What is written stands beside the map, and a cell is found where it is drawn.
    left, top, cell = page.evaluate("[MAP.left, MAP.top, MAP.cell]")
    assert min(left, top) > 20
    inked = page.evaluate(
        "[...MAP.canvas.getContext('2d').getImageData(0, 0, MAP.canvas.width, MAP.canvas.height).data]"
        ".filter((_, n) => n % 4 === 3).map(Boolean).map(Number).join('')"
    )
    width = page.evaluate("MAP.canvas.width")
    drawn = np.array(list(inked)).reshape(-1, width) == "1"
    scale = width / page.locator("#heatmap").bounding_box()["width"]
    beside, above = int((left - 6) * scale), int((top - 6) * scale)
    assert drawn[above:, :beside].any()
    assert drawn[:above, beside:].any()
    page.locator("#heatmap").scroll_into_view_if_needed()
    box = page.locator("#heatmap").bounding_box()
    page.mouse.click(box["x"] + left + 1.5 * cell, box["y"] + top + 0.5 * cell)
    wait_for_view(page, "pair=*")
    cheapest = sorted((card.requisition, card.name) for card in field)[:2]
    assert page.locator("#view h2").text_content() == " v ".join(name for _, name in cheapest)


def test_heatmap__names_both_and_a_click_opens_the_pair(look, report, game):
    page = look(report)
    order = sorted(
        (unit for unit in game.cards if unit != "inf_rifle"),
        key=lambda unit: (bool(np.isnan(worth_of(report)[unit])), game.cards[unit].requisition, game.cards[unit].name),
    )
    assert page.evaluate("MAP.rows.map(at => UNITS[at].id)") == order
    a, b = order.index("de_tiger1"), order.index("us_m4a1")
    page.locator("#heatmap").scroll_into_view_if_needed()
    box = page.locator("#heatmap").bounding_box()
    left, top, cell = page.evaluate("[MAP.left, MAP.top, MAP.cell]")
    at = box["x"] + left + (b + 0.5) * cell, box["y"] + top + (a + 0.5) * cell
    page.mouse.move(*at)
    one, other = named(game, "de_tiger1", "us_m4a1")
    tip = page.locator("#heat-tip").text_content()
    assert tip.startswith(f"{one} ({game.cards['de_tiger1'].requisition}) v {other} (")
    page.mouse.click(*at)
    wait_for_view(page, "pair=de_tiger1,us_m4a1")
    assert page.locator("#view h2").text_content() == f"{one} v {other}"
    page.go_back()
    page.wait_for_function("!$('main').classList.contains('viewing')")
    page.mouse.move(1, 1)  # a mouse that rests on the map chooses, too, when the page has come back under it
    page.focus("#heatmap")
    for key in ("ArrowDown", "ArrowDown", "ArrowRight", "Shift+ArrowRight"):
        page.keyboard.press(key)
    names = named(game, order[1], order[-1])
    assert [name in page.locator("#said").text_content() for name in names] == [True, True]
    page.keyboard.press("Enter")
    wait_for_view(page, f"pair={order[1]},{order[-1]}")


@pytest.mark.slow
def test_heatmap__a_cell_has_the_colour_of_its_chances_and_says_them(look, report, game):
    page = look(report)
    chance = pd.read_csv(report / "pairs.csv", comment="#").set_index(["attacker", "target"])
    of_cells = """(() => {
      const { width, height } = MAP.canvas;
      const pen = make("canvas", { width, height }).getContext("2d", { willReadFrequently: true });
      pen.drawImage(MAP.canvas, 0, 0);
      const { data } = pen.getImageData(0, 0, width, height);
      return MAP.rows.flatMap((a, row) => MAP.rows.map((b, column) => {
        const [x, y] = [column, row].map((at, n) => Math.round((at + 0.5) * MAP.cell + (n ? MAP.top : MAP.left)));
        const at = 4 * (y * width + x);
        return [UNITS[a].id, UNITS[b].id, cellOf(a, b)?.score, inWords(a, b), ...data.slice(at, at + 3)];
      }));
    })()"""
    stops, drawn, none = (
        [[int(name[at : at + 2], 16) for at in (1, 3, 5)] for name in page.evaluate(f"{names}.map(colourOf)")]
        for names in (["--lose", "--behind", "--even", "--ahead", "--win"], ["--draw"], ["--soft"])
    )
    hues = np.array(stops).T

    def coloured(score):
        return [np.interp(100 * score, [0, 25, 50, 75, 100], hue) for hue in hues]

    kinds = set()
    for a, b, score, words, *colour in page.evaluate(of_cells):
        win, draw = chance.loc[(a, b), ["p_win", "p_draw"]]
        expected = drawn[0] if draw >= 0.5 else coloured(win + draw / 2)
        assert colour == pytest.approx(expected, abs=8), (a, b)
        assert score == pytest.approx(win + draw / 2, abs=ROUNDED)
        kinds.add(draw >= 0.5)
        told = [float(number) for number in re.findall(r"([\d.]+)\s%", words)]
        assert told[:1] == pytest.approx([100 * win], abs=0.11) or win < 0.001 or win > 0.999
        assert told[1:] == pytest.approx([100 * draw], abs=0.11) or draw < 0.001 or draw > 0.999
    assert kinds == {False, True}
    page.select_option("#heat [name=situation]", "equal")
    roster = Roster(game)
    scores = roster.scores().score
    for a, b, _, words, *colour in page.evaluate(of_cells):
        met = a != b and {a, b} <= {*roster.units}
        score = scores[roster.index(a), roster.index(b)] if met else None
        assert colour == pytest.approx(coloured(score) if met else none[0], abs=8), (a, b)
        scored = re.findall(r"scores ([<>]?[\d.]+)\s% for equal requisition", words)
        assert len(scored) == met, (a, b)
        assert not met or float(scored[0].strip("<>")) == pytest.approx(100 * score, abs=0.11)
    page.select_option("#heat [name=nation]", "Germany")
    assert sorted(page.evaluate("MAP.rows.map(at => UNITS[at].id)")) == [
        "de_pak40",
        "de_pz4h",
        "de_sdkfz222",
        "de_tiger1",
    ]


def test_heatmap__a_tap_says_a_cell_and_a_second_one_near_it_opens_it(look, report):
    page = look(report, width=390, is_mobile=True, has_touch=True)
    hint = page.locator("#heat-tip").text_content()
    assert "a second tap" in hint
    page.evaluate("MAP.tip.style.minHeight = `${MAP.tip.offsetHeight}px`")
    x, y = middle_of(page, "#heatmap")
    page.touchscreen.tap(x, y)
    page.wait_for_function("MAP.at")
    said = page.locator("#heat-tip").text_content()
    assert page.evaluate("inWords(...MAP.at.map(n => MAP.rows[n]))") == said != hint
    page.touchscreen.tap(x, y + 60)
    page.wait_for_function("said => MAP.tip.textContent !== said", arg=said)
    assert page.evaluate("location.hash") == ""
    pair = page.evaluate("MAP.at.map(n => UNITS[MAP.rows[n]].id).join()")
    page.touchscreen.tap(x + 5, y + 52)  # of a whole roster, that is some cells away
    wait_for_view(page, f"pair={pair}")


@pytest.mark.parametrize("width", [650, 1280])
def test_heatmap__the_menu_leaves_its_numbers_in_sight(look, report, width):
    page = look(report, width=width)
    page.evaluate("window.scrollTo(0, MAP.canvas.getBoundingClientRect().bottom + scrollY - 300)")
    page.focus("#heatmap")
    page.keyboard.press("ArrowDown")
    top = "one => { const { x, y } = one.getBoundingClientRect(); return document.elementFromPoint(x + 2, y + 2).id }"
    assert page.locator("#heat-tip").evaluate(top) == "heat-tip"


def test_back__gives_the_keyboard_its_place_too(look, report):
    page = look(report)
    for section, start, at in (
        ("", "#roster tr:nth-child(8) a", "unit=*"),
        ("", "#pick button", "pair=*"),
        ("#units", "#roster tr:nth-child(8) a", "unit=*"),
    ):
        go(page, section)
        page.focus(start)
        before = page.evaluate("scrollY")
        page.keyboard.press("Enter")
        wait_for_view(page, at)
        page.go_back()
        page.wait_for_function(f"!$('main').classList.contains('viewing') && scrollY === {before}")
        assert page.locator(start).evaluate("one => one === document.activeElement"), start


def test_pick__opens_a_pair_without_a_pointer(look, report):
    page = look(report)
    page.select_option("#pick [name=a]", "su_t34_85")
    page.select_option("#pick [name=b]", "de_pak40")
    page.focus("#pick button")
    page.keyboard.press("Enter")
    wait_for_view(page, "pair=su_t34_85,de_pak40")
    assert page.locator("#view").is_visible()


@pytest.mark.slow
def test_address__of_nobody_shows_the_page(look, report):
    page = look(report, "#unit=nobody")
    for at in (
        "#unit=nobody",
        "#pair=de_tiger1",
        "#pair=de_tiger1,nobody",
        "#unit=de_tiger1,us_m4a1",
        "#unit=%",
        "#12",
    ):
        assert go(page, at).locator("#findings").is_visible()
        assert not go(page, "#unit=de_tiger1").locator("#findings").is_visible()
        assert go(page, at).locator("#findings").is_visible(), "from the page of a unit too"
    assert go(page, "#pair=de_tiger1%2Cus_m4a1").locator("#view h2").is_visible(), "as mail programs write a comma"


# --- what is said of units and pairs


def test_unit__beats_the_dearest_first_and_fears_the_cheapest(read, report, game):
    page = read("#unit=us_m4a1")
    chance = pd.read_csv(report / "pairs.csv", comment="#").set_index(["attacker", "target"])
    half = chance["p_win"] + chance["p_draw"] / 2
    drawn = chance["p_draw"]
    field = [unit for unit in game.cards if unit not in ("us_m4a1", "inf_rifle")]
    score = {unit: (half["us_m4a1", unit] + 1 - half[unit, "us_m4a1"]) / 2 for unit in field}
    met = [unit for unit in field if (drawn["us_m4a1", unit] + drawn[unit, "us_m4a1"]) / 2 < 0.5]
    price = {unit: game.cards[unit].requisition for unit in field}
    expected = [
        sorted((unit for unit in met if score[unit] > 0.65), key=lambda unit: -price[unit]),
        sorted((unit for unit in met if 0.35 <= score[unit] <= 0.65), key=lambda unit: abs(score[unit] - 0.5)),
        sorted((unit for unit in met if score[unit] < 0.35), key=lambda unit: price[unit]),
    ]
    lists = page.locator("#view .three > div")
    for at, units in enumerate(expected):
        links = lists.nth(at).locator("li a:first-child")
        assert [href[6:] for href in links.evaluate_all("all => all.map(a => a.getAttribute('href'))")] == units
    assert all(expected[at] for at in (0, 2)), "it beats some and fears some, or the lists say nothing"
    # The picture has the same, at its height and with its colour.
    found = "all => all.map(dot => [dot.dataset.unit, dot.classList[1], dot.cx.baseVal.value, dot.cy.baseVal.value])"
    dots = {unit: (kind, x, y) for unit, kind, x, y in page.locator("#view circle[data-unit]").evaluate_all(found)}
    kinds = {unit: kind for kind, units in zip(("above", "level", "below"), expected, strict=True) for unit in units}
    assert {unit: kind for unit, (kind, _, _) in dots.items()} == {unit: kinds.get(unit, "drawn") for unit in field}
    even, with_whom = next(
        (a, b) for a in field for b in field if a != b and 0.52 < (half[a, b] + 1 - half[b, a]) / 2 < 0.63
    )
    of_score = np.polyfit([score[unit] for unit in dots], [y for _, _, y in dots.values()], 1)
    of_price = np.polyfit([math.log(price[unit]) for unit in dots], [x for _, x, _ in dots.values()], 1)
    ends = "one => [one.x1, one.x2, one.y1, one.y2].map(end => end.baseVal.value)"
    fair, own = (page.locator(f"#view .{name}").evaluate(ends) for name in ("fair", "own"))
    hollow = page.locator("#view .note", has_text="Hollow").all_text_contents()
    undecided = len(field) - sum(map(len, expected))
    assert [re.search(r"\((\d+) units?,", words)[1] for words in hollow] == [str(undecided)] * bool(undecided)
    assert fair[2:] == pytest.approx([np.polyval(of_score, 0.5)] * 2, abs=0.5)
    dot = f"#view circle[data-unit={with_whom}]"
    assert own[:2] == pytest.approx([np.polyval(of_price, math.log(game.cards["us_m4a1"].requisition))] * 2, abs=0.5)
    assert "level" in read(f"#unit={even}").locator(dot).get_attribute("class"), "a little ahead is about even"


def test_unit__says_its_verdict_its_card_and_where_a_point_more_counts(read, report, said):
    row = next(row for row in said["worth"] if row["unit"] == "de_tiger1")
    page = read("#unit=de_tiger1")
    words = page.locator("#view").inner_text()
    assert page.locator("#view .lead").text_content().startswith(f"Perhaps fairly priced: {row['name']} is worth ")
    assert page.locator("#view .note").first.text_content() == "Germany, 1942, vehicle"
    assert page.locator("#view dl.card > *").all_text_contents()[:2] == ["requisition", f"{row['requisition']:g}"]
    assert page.title() == f"{row['name']} – {said['title']}"
    assert "front 10, side 8, rear 8" in words
    assert "8.8 cm KwK 36: anti-tank, penetration 15" in words
    # A Panzer IV H does 10 with a hit, as all guns of 75 mm here: 51 to 60 take six of them.
    steps = cells(page.locator("#view table", has_text="the same number with"))
    assert [row[2:] for row in steps if "75-77 mm" in row[0]] == [["6.00", "51 to 60", "61", "61"]]
    least = min(int(row[-2]) for row in steps)
    assert f"With {least} " in page.locator("#view").inner_text()
    usual = max(steps, key=lambda row: int(row[1]))
    assert f"; half of the guns of {usual[0]}, the most common, from {usual[-1]} on." in words
    # Which guns are the first to need another hit, which are most and which leave most room are three kinds of another.
    other = read("#unit=de_pz4h")
    steps = [list(map(spaced, row)) for row in cells(other.locator("#view table", has_text="the same number with"))]
    least = min(int(row[-2]) for row in steps)
    some = " and ".join(row[0] for row in steps if int(row[-2]) == least)
    usual = max(steps, key=lambda row: int(row[1]))
    widest = max(steps, key=lambda row: int(row[3].split(" to ")[-1]) - int(row[3].split(" to ")[0]))
    assert usual[0] not in some
    assert usual[3].split(" to ")[-1] > widest[3].split(" to ")[-1]
    assert (
        f"With {least} hit points some guns of {some} need another hit; half of the guns of {usual[0]}, the most "
        f"common, from {usual[-1]} on. With {widest[3]} it takes the same number of hits from every gun of {widest[0]}."
    ) in spaced(other.locator("#view").inner_text())
    made = "breakpoints({ name: 'It', steps: [['guns', 3, 0, 10, 12, 2.5, 14]], penetration: [] }).at(-1)"
    texts = f"[...{made}.querySelectorAll('tbody tr > *')].map(one => one.textContent)"
    assert other.evaluate(texts) == [
        "guns", "3", "2.50", "10 to 12", "13", "14",
    ]  # fmt: skip
    page = read("#unit=de_tiger1")
    reasons = pd.read_csv(report / "worth_reasons.csv", comment="#").query("unit == 'de_tiger1'")
    table = page.locator("#view table", has_text="exchange rate: theirs for 1 of its own")
    assert table.locator("tbody tr").count() == len(reasons) > 0
    names = {unit: row["name"] for row in said["worth"] for unit in [row["unit"]]}
    for (name, cost, adds, rate), reason in zip(cells(table), reasons.itertuples(), strict=True):
        assert (name, float(cost)) == (names[reason.opponent], reason.opponent_requisition)
        for words, number in ((adds, reason.pull), (rate, reason.exchange_rate)):
            found = {"–": math.nan, "∞": math.inf}.get(words) or float(words.replace("\N{MINUS SIGN}", "-").strip("±"))
            assert found == pytest.approx(number, rel=0.006, abs=0.006, nan_ok=True)


@pytest.mark.parametrize("name", sorted(OURS))
def test_cards__say_no_name_of_a_field_that_is_no_word(name):
    game = Game(name)
    words = data.words_of(game.cards.schema)
    said = [line for table in game.cards.tables.values() for line in data.lines(table, ("name", "note"), words)]
    heads = {head for head, _ in said}
    assert not heads & {"hp", "mp", "at dice", "ranges in", "reduced", "antisoldier", "die modifier", "min", "movement"}
    assert not [line for line in said if "_" in "".join(line)]
    assert not [head for head, text in said if not text], "a card without keywords has no line of them"


@pytest.mark.slow
def test_unit__everyone_is_in_a_table_that_is_folded_and_in_the_picture(look, report, game):
    page = look(report, "#unit=us_m4a1", ready=False)
    chance = pd.read_csv(report / "pairs.csv", comment="#").set_index(["attacker", "target"])
    half = chance["p_win"] + chance["p_draw"] / 2
    roster = Roster(game)
    scores = roster.scores().score
    page.locator("#view summary").click()
    table = page.locator("#view details table")
    found = {name: (price, numbers) for name, price, *numbers in cells(table)}
    field = [unit for unit in game.cards if unit not in ("us_m4a1", "inf_rifle")]
    assert [*found] == named(game, *field)
    alone = {unit: 50 * (half["us_m4a1", unit] + 1 - half[unit, "us_m4a1"]) for unit in field}
    for unit in field:
        price, numbers = found[game.cards[unit].name]
        assert price == str(game.cards[unit].requisition)
        drawn = 50 * (chance["p_draw"]["us_m4a1", unit] + chance["p_draw"][unit, "us_m4a1"])
        equal = 100 * scores[roster.index("us_m4a1"), roster.index(unit)] if unit in roster.units else None
        for words, number in zip(numbers, (alone[unit], drawn, equal), strict=True):
            assert words == "–" if number is None else abs(float(re.sub(r"[^\d.]", "", words)) - number) < 0.11
    page.focus("#view svg[role=application]")
    page.keyboard.press("ArrowRight")
    unit = min(field, key=lambda unit: (game.cards[unit].requisition, -alone[unit]))
    words = page.locator("#said").text_content()
    name, price = game.cards[unit].name, game.cards[unit].requisition
    assert words.startswith(f"{name} {price}: {game.cards['us_m4a1'].name} wins ")
    told = re.search(r"([<>]?[\d.]+)\s%$", words)[1]
    assert float(told.strip("<>")) == pytest.approx(alone[unit], abs=0.11)


def test_cards__of_a_squad_by_hand():
    game = Game()
    words, tables = data.words_of(game.cards.schema), game.cards.tables
    assert data.lines({"weapons": tables["inf_rifle"]["weapons"]}, (), words) == [
        [
            "weapons",
            "Rifles: against infantry, men at least 4, casualty code D3-1 / men at least 1, casualty code D3-2, "
            "range in inches 12",
        ]
    ]
    assert ["hit points", "57"] in data.lines(tables["de_tiger1"], (), words)


@pytest.mark.parametrize(
    ("count", "said"), [(0, "no opponents"), (1, "1 opponent"), (2, "2 opponents"), (42, "42 opponents")]
)
def test_counted__one_is_no_plural(read, count, said):
    assert read().evaluate(f"counted({count}, 'opponent')") == said


@pytest.mark.parametrize(
    ("value", "said"),
    [("3", "3.00"), ("3.086", "3.09"), ("25.71", "25.7"), ("99.96", "100"), ("0", "0"), ("'inf'", "∞"), ("'nan'", "–")],
)
def test_three__digits_as_in_the_tables(read, value, said):
    assert read().evaluate(f"three({value})") == said


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        *(
            (f"percent({share})", said)
            for share, said in (
                (0, "0.0 %"), (0.0004, "<0.1 %"), (0.0006, "0.1 %"), (0.9996, ">99.9 %"), (1, "100.0 %"),
            )
        ),
        *((f"signed({number})", said) for number, said in ((0, "±0.0"), (0.25, "+0.3"), (-1.5, "−1.5"))),
        *((f"tick({number})", said) for number, said in ((0.0625, "0.0625"), (1250, "1250"), (0.1 + 0.2, "0.3"))),
        *((f"needInWords({need})", said) for need, said in ((0, "–"), (1, "automatic"), (6, "6+"), (7, "impossible"))),
        ("[1, 2].map(rows => distance(rows)).join()", '1",2"'),
        ("(length => { const was = DATA.length; DATA.length = length; const said = [1, 2].map(distance).join(); "
         "DATA.length = was; return said })({ one: ' row', after: ' rows' })", "1 row,2 rows"),
        ("listed(Array(12), 'best') + '; ' + listed(Array(13), 'best')", "12 units; 13 units, here the 12 best"),
        ("factsOf({ nation: 'Japan', year: 1936, category: 'tank' }) + '; ' + factsOf({ nation: 'Japan' })",
         "Japan, 1936, tank; Japan"),
        ("apart([95, 99, 10], 16, 0, 100).join()", "84,100,10"),
        ("apart([-3, 40, 44], 16, 0, 100).join()", "0,40,56"),
        ("ticks(0, 10, 5).join() + '; ' + logTicks(4, 60).join()", "0,2,4,6,8,10; 5,10,20,50"),
        ("equalScore(0, 0)", None),
    ],
)  # fmt: skip
def test_words__of_numbers_by_hand(read, asked, said):
    found = read().evaluate(asked)
    assert (found and spaced(found)) == said


def spaced(text):
    """Return a text without the spaces that end no line."""
    return text.replace("\u00a0", " ")


def usual(said):
    """Return the range that counts most."""
    return max(said["situations"]["range_in"].items(), key=lambda one: one[1])[0]


def test_unit__says_why_it_is_worth_that_and_what_a_point_of_penetration_does(read, said, game):
    page = read("#unit=de_tiger1")
    words = spaced(page.locator("#view").inner_text())
    row = next(row for row in said["worth"] if row["unit"] == "de_tiger1")
    slope = f"{100 * row['worth_slope']:+.1f}".replace("-", "\N{MINUS SIGN}")
    assert f"If it costs a tenth more than its worth, its score changes by {slope} points of 100." in words
    few, many = (tables.of(row, f"worth_{which}_actions") for which in ("fewest", "most"))
    assert few != many
    assert (
        f"It scores {100 * row['score']:.1f} % for equal requisition at what it costs; level, the mean of all units "
        f"above the least price, is {100 * row['level']:.1f} %."
    ) in words
    assert f"With the fewest actions a turn it is worth {few}, with the most {many}." in words
    gun = game.cards["de_tiger1"].weapons[0].penetration
    assert f'Its main gun has a penetration of {gun}. At {usual(said)}" alone, {gun + 1} does more to ' in words
    spans = [list(map(spaced, row)) for row in cells(page.locator("#view table", has_text="the same number with"))]
    ends = {guns: [int(end) for end in span.split(" to ")] for guns, _, _, span, *_ in spans}
    guns, widest = max(ends.items(), key=lambda one: one[1][-1] - one[1][0])
    assert f"With {widest[0]} to {widest[1]} it takes the same number of hits from every gun of {guns}." in words
    assert row["harmless_to"] == 0
    assert f"Units that can't hurt it: {row['immune_to']}; that it can't hurt: none." in words


@pytest.mark.slow
def test_unit__readings_that_matter_to_it_are_those_that_the_summary_names(read, said):
    for reading, ends in said["gains"].items():
        for one in (*ends["gain"][:1], *ends["lose"][:1]):
            page = read(f"#unit={one['unit']}")
            table = page.locator("#view table", has_text="How other readings change")
            shown = {name: float(points.replace("\N{MINUS SIGN}", "-")) for name, points in cells(table)}
            assert shown[tables.plain(reading)] == pytest.approx(100 * one["change_of_p_win"], abs=0.06)
            sizes = [abs(points) for points in shown.values()]
            assert sizes == sorted(sizes, reverse=True)


def test_unit__readings_by_hand(read):
    page = read()
    gains = [
        {"reading": name, "units": [1, 0], "tenths": [99, tenths]}
        for name, tenths in (("a", 0), ("b", 1), ("c", -25), ("d", 24))
    ]
    told = """gains => {
      const was = DATA.gains;
      DATA.gains = gains;
      const box = document.createElement("div");
      box.append(...readingsOf(UNITS[0]));
      DATA.gains = was;
      const texts = row => [...row.childNodes].map(one => one.textContent).join(" ");
      return [...box.querySelectorAll("tbody tr, p")].map(texts);
    }"""
    assert page.evaluate(told, gains) == ["c −2.5", "d +2.4", "b +0.1"]
    none = "No other reading moves its chance to win by a tenth of a percentage point."
    assert page.evaluate(told, gains[:1]) == [none]
    assert page.evaluate(told, []) == []


@pytest.mark.slow
def test_pair__leads_name_the_better_one_first_whichever_is_asked_for(read, report, said, game):
    chance = pd.read_csv(report / "pairs.csv", comment="#").set_index(["attacker", "target"])
    half = chance["p_win"] + chance["p_draw"] / 2
    roster = Roster(game)
    scores = roster.scores().score
    for better, worse, how in (
        ("su_t34_85", "us_m4a1", "has nothing to fear from"),
        ("su_t34_85", "uk_firefly", "beats"),
    ):
        share = (half[better, worse] + 1 - half[worse, better]) / 2
        assert how == ("has nothing to fear from" if share > 0.9 else "beats" if share > 0.65 else "")
        ahead, behind = named(game, better, worse)
        lead = f"One against one, {ahead} {how} {behind}: it wins {100 * share:.1f} % of duels, a draw counting half."
        for a, b in ((better, worse), (worse, better)):
            page = read(f"#pair={a},{b}")
            one, other = map(spaced, page.locator("#view .lead").all_text_contents())
            assert one == lead
            got = 100 * scores[roster.index(a), roster.index(b)]
            percents = [float(number) for number in re.findall(r"([\d.]+) %", other)]
            assert percents == pytest.approx([got, 100 - got], abs=0.06)
            assert f"duel {a} {b} --range {usual(said)}" in page.locator("#view").inner_text()
    lead = read("#pair=de_tiger1,inf_rifle").locator("#view .lead").first.text_content()
    drawn = chance["p_draw"]["de_tiger1", "inf_rifle"] + chance["p_draw"]["inf_rifle", "de_tiger1"]
    one, other = named(game, "de_tiger1", "inf_rifle")
    assert (
        spaced(lead) == f"One against one, {one} and {other} mostly draw: {50 * drawn:.1f} % of duels have no winner."
    )


def test_unit__that_no_battle_prices_says_so(read):
    page = read("#unit=inf_rifle")
    assert "which no battle can confirm" in page.locator("#view .lead").text_content()


@pytest.mark.parametrize("unit", ["de_tiger1", "us_m4a1", "de_pz4h"])
def test_best_answers__score_most_for_equal_requisition(read, report, game, unit):
    page = read(f"#unit={unit}")
    roster = Roster(game)
    score = roster.scores().score[:, roster.index(unit)]
    ahead = (n for n in range(len(score)) if score[n] > 0.5 + 1e-4)
    best = sorted(ahead, key=lambda n: (-round(1000 * score[n]), roster.prices[n]))
    table = page.locator("#view table", has_text="Best answers")
    gets = [float(re.sub(r"[^\d.]", "", words)) for words in table.locator("tbody td:nth-child(3)").all_text_contents()]
    names = table.locator("tbody th").all_text_contents()
    assert names == [game.cards[roster.units[n]].name for n in best]
    assert gets == pytest.approx([100 * score[n] for n in best], abs=0.06)
    chance = pd.read_csv(report / "pairs.csv", comment="#").set_index(["attacker", "target"])
    half = chance["p_win"] + chance["p_draw"] / 2
    alone = [50 * (half[roster.units[n], unit] + 1 - half[unit, roster.units[n]]) for n in best]
    told = [float(re.sub(r"[^\d.]", "", words)) for words in table.locator("tbody td:nth-child(4)").all_text_contents()]
    assert told == pytest.approx(alone, abs=0.11)


def test_score__is_the_mean_of_both_roles_by_hand(read):
    fought = "a < b ? { win: 0.6, draw: 0.2 } : { win: 0.1, draw: 0.4 }"
    ask = f"(was => {{ duel = (a, b) => ({fought}); const found = score(0, 1); duel = was; return found }})(duel)"
    assert read().evaluate(ask) == pytest.approx({"score": (0.7 + 1 - 0.3) / 2, "draw": 0.3})


def test_pair__has_every_situation_as_the_matchups_do_and_the_score_of_equal_requisition(read, game):
    page = read("#pair=us_m4a1,de_tiger1")
    found = matchups.matchups(game, attackers=["us_m4a1"], targets=["de_tiger1"])
    fires = [f"{name} fires" for name in named(game, "us_m4a1", "de_tiger1")]
    assert page.locator("#view path title").all_text_contents() == fires
    table = page.locator("#view table").first
    lines = cells(table)
    assert len(lines) == len(found) == 18
    for row, line in zip(found.itertuples(), lines, strict=True):
        assert line[0] == f'{row.range_in:g}", {row.facing}'
        need = {1: "automatic", 7: "impossible"}.get(row.need, f"{row.need}+")
        assert line[4] == need
        chances = (row.weight, row.p_win, row.p_draw, None, row.p_damage)
        for text, p in zip(line[1:6], chances, strict=True):
            assert p is None or abs(float(re.sub(r"[^\d.]", "", text)) - 100 * p) < 0.11, (line, row)
        turns = "∞" if math.isinf(row.expected_turns_to_kill) else row.expected_turns_to_kill
        assert line[7] == turns or float(line[7]) == pytest.approx(turns, rel=0.006)
    roster = Roster(game)
    score = roster.scores().score[roster.index("us_m4a1"), roster.index("de_tiger1")]
    words = page.locator("#view").inner_text()
    (own,) = re.findall(r"at what the cards cost, [^,]+ scores ([\d.]+)\s%", words)
    assert float(own) == pytest.approx(100 * score, abs=0.06)
    us, de = game.cards["us_m4a1"], game.cards["de_tiger1"]
    assert f"{us.name} costs {us.requisition}, {de.name} {de.requisition}." in words
    ways = "all => all.map(path => path.getAttribute('d'))"
    one, other = page.locator("#view path").evaluate_all(ways)
    assert one != other
    assert read("#pair=de_tiger1,us_m4a1").locator("#view path").evaluate_all(ways) == [other, one]
    rising = "path => path.getAttribute('d').match(/ [\\d.]+/g).join()"
    targets = read("#unit=us_m4a1").locator("#view path:has(title)")
    name = targets.last.locator("title").text_content()
    target = next(unit for unit, card in game.cards.items() if card.name == name)
    seen = targets.last.evaluate(rising)
    assert read(f"#pair=us_m4a1,{target}").locator("#view path").first.evaluate(rising) == seen, "as in their own view"


def test_matrix__is_what_the_csv_has(read, report):
    same_as_csv(read(), report)


def same_as_csv(page, folder):
    found = page.evaluate("UNITS.map((_, a) => UNITS.map((_, b) => { const d = duel(a, b); return [d.win, d.draw] }))")
    table = pd.read_csv(folder / "pairs.csv", comment="#")
    units = page.evaluate("UNITS.map(unit => unit.id)")
    assert list(dict.fromkeys(table["attacker"])) == units
    for n, name in enumerate(("p_win", "p_draw")):
        expected = table[name].to_numpy().reshape(len(units), len(units))
        assert np.abs(np.array(found)[..., n] - expected).max() < ROUNDED
        never = np.array(found)[..., n] == 0
        assert expected[never].max(initial=0) <= 1e-12, "but for what rounding leaves"
        assert never[expected == 0].all()


def test_range__curves_and_table_are_the_kill_curves(look, report, game):
    page = look(report)
    page.select_option("#reach [name=target]", "de_pz4h")
    page.select_option("#reach [name=face]", label="side")
    page.select_option("#reach [name=attacker]", "us_m4a1")
    page.locator("#reach button", has_text="Add").click()
    page.locator("#reach [name=turns]").fill("3")
    table = page.locator("#range-table table")
    assert table.locator("thead th").all_text_contents()[0] == "range"
    column = table.locator("thead th").all_text_contents().index(game.cards["us_m4a1"].name)
    shown = cells(table)
    # Bands of 6 inches (p. 6 Hit Roll), each with its last inch.
    spans = ['0–6"', '7–12"', '13–18"', '19–24"', '25–30"', '31–42"']
    assert [line[0] for line in shown] == spans
    curve = kill_curves(game, [("us_m4a1", "de_pz4h")], [6, 12, 18, 24, 30, 42], 3, facing="side")
    values = [float(re.sub(r"[^\d.]", "", line[column])) for line in shown]
    assert values == pytest.approx((100 * curve["p_kill_within"]).tolist(), abs=0.11)
    assert page.locator("#range-chart path").count() == len(shown[0]) - 1
    # The curve is level up to the last inch of a band; the axes say where and how high.
    texts = page.eval_on_selector_all(
        "#range-chart .axes text",
        "all => all.map(one => [one.textContent, one.x.baseVal[0].value, one.y.baseVal[0].value])",
    )
    (inches, x), (chances, y) = (
        zip(
            *[(float(re.sub("[^0-9.]", "", one[0])), one[at]) for one in texts if re.fullmatch(kind, one[0])],
            strict=True,
        )
        for kind, at in ((r"\d+", 1), (r"\d+\s%", 2))
    )
    assert chances == (0, 25, 50, 75, 100)
    path = page.locator("#range-chart path").nth(column - 1).get_attribute("d")
    drawn = [(float(at), float(up)) for at, up in re.findall(r"[ML]([\d.]+) ([\d.]+)", path)]
    to_inches, to_chance = np.polyfit(x, inches, 1), np.polyfit(np.array(y) - 4, chances, 1)
    ends = [0, 6, 12, 18, 24, 30, 42]
    assert [np.polyval(to_inches, at) for at, _ in drawn] == pytest.approx(
        [end for band in itertools.pairwise(ends) for end in band], abs=0.05
    )
    assert [np.polyval(to_chance, up) for _, up in drawn] == pytest.approx(np.repeat(values, 2).tolist(), abs=0.2)
    page.select_option("#reach [name=target]", "de_tiger1")
    assert [line[0] for line in cells(table)] == ['0–42"'], "equal distances are one row"
    for _ in range(len(shown[0]) - 1):
        page.locator("#chosen button").first.click()
    assert page.locator("#range-chart").text_content() == "Add an attacker."


def test_range__attackers_are_added_and_left_out_by_keys(look, report, game):
    page = look(report)
    shown = page.locator("#chosen button")
    before = shown.all_text_contents()
    page.focus("#reach [name=attacker]")
    page.keyboard.press("ArrowDown")
    second = sorted(page.evaluate("UNITS.map(unit => unit.name)"), key=by_words)[1]
    assert f"{second} ×" not in before
    assert shown.all_text_contents() == before, "an arrow chooses, and adds none"
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    assert shown.all_text_contents() == [*before, f"{second} ×"], "once"
    last = shown.nth(len(before) - 1)
    last.focus()
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.textContent") == f"{second} ×"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.name") == "attacker"
    assert shown.all_text_contents() == before[:-1]
    for unit in FEW[:7]:
        page.select_option("#reach [name=attacker]", unit)
        page.locator("#reach button", has_text="Add").click()
    names = [f"{name} ×" for name in named(game, *FEW[:7])]
    assert shown.all_text_contents()[-1] == names[-1]
    assert shown.count() == 6, "as many colours"


def test_actions__have_a_curve_for_each_list_and_policy(read, said):
    page = read()
    curves = {}
    for row in said["battles"]["actions"]:
        curves.setdefault((row["list_a"], row["list_b"], row["policy_a"]), []).append(f"{row['score_a']:.4g}")
    different = {(*lists, *values) for (*lists, _), values in curves.items()}
    assert page.locator("#action-charts path").count() == len(different) > 0
    charts = page.locator("#action-charts > div")
    lists = dict.fromkeys(pair[:2] for pair in curves)
    for at, (a, b) in enumerate(lists):
        texts = charts.nth(at).locator("svg text").all_text_contents()
        limits = [str(row["actions"]) for row in said["battles"]["actions"] if (row["list_a"], row["list_b"]) == (a, b)]
        assert [text for text in texts if text.isdecimal()] == list(dict.fromkeys(limits))
        assert f"{a} score" in texts
        assert charts.nth(at).locator("h3").text_content() == f"{a} v {b}"
        told = [
            name.removeprefix("policy ").split(" and ") for name in charts.nth(at).locator("title").all_text_contents()
        ]
        alike = {}
        for (one, other, policy), values in curves.items():
            if (one, other) == (a, b):
                alike.setdefault(tuple(values), []).append(policy)
        assert told == list(alike.values())


# --- for everybody


@pytest.mark.slow
def test_axe__finds_nothing(look, report):
    page = look(report)
    for at in PLACES:
        go(page, at).evaluate(UNFOLD)
        assert barriers(page, "light", "dark") == [], at


@pytest.mark.parametrize("at", PLACES)
def test_phone__nothing_is_wider_and_captions_are_read_in_full(look, report, at):
    """No word of a caption lies outside of what is seen of its table, or under the edge that fades, of 2.5 rem."""
    page = look(report, at, ready=not at, width=390, is_mobile=True, has_touch=True)
    page.evaluate(UNFOLD)
    page.wait_for_timeout(100)
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    room = page.eval_on_selector_all(
        "main .scroll caption",
        """all => all.filter(one => one.clientWidth).map(caption => {
             const box = caption.closest(".scroll"), words = document.createRange();
             words.selectNodeContents(caption);
             const end = box.getBoundingClientRect().right - (box.classList.contains("right") ? 40 : 0);
             return [caption.textContent, end - words.getBoundingClientRect().right];
           })""",
    )
    assert len(room) >= 2
    assert [words for words, left in room if left < 0] == []


def test_phone__what_goes_on_behind_an_edge_is_shown_to(look, report):
    page = look(report, width=390, is_mobile=True, has_touch=True)
    links = page.eval_on_selector_all("nav a", "all => all.map(a => a.getBoundingClientRect().right)")
    assert len(links) == 10
    assert max(links) <= 390
    box = page.locator(".scroll:has(#roster)")
    faded = "box => ['left', 'right', 'down'].filter(edge => box.classList.contains(edge))"
    assert box.evaluate(faded) == ["right"], "a dozen rows stand in full"
    assert box.evaluate("box => getComputedStyle(box).maskImage") != "none"
    box.evaluate("box => box.scrollTo(box.scrollWidth, 0)")
    page.wait_for_function("$('.scroll:has(#roster)').classList.contains('left')")
    assert box.evaluate(faded) == ["left"]
    box.evaluate("box => { box.style.maxHeight = '10rem' }")
    page.wait_for_function("$('.scroll:has(#roster)').classList.contains('down')")


@pytest.mark.parametrize("at", PLACES)
def test_phone__what_names_a_row_of_a_table_stays_and_is_not_faded(look, report, at):
    page = look(report, at, ready=not at, width=390, is_mobile=True, has_touch=True)
    page.evaluate(UNFOLD)
    page.wait_for_timeout(100)
    found = page.eval_on_selector_all(
        "main .scroll",
        """all => Promise.all(all.filter(box => box.scrollWidth > box.clientWidth + 1).map(async box => {
             box.scrollTo(box.scrollWidth, 0);
             await new Promise(done => setTimeout(done, 100));
             const left = box.getBoundingClientRect().left + box.clientLeft;
             const first = [...box.querySelectorAll("tr:not(.bar) > :first-child")];
             return [box.ariaLabel, box.classList.contains("left"), getComputedStyle(box).getPropertyValue("--left"),
               Math.max(...first.map(cell => Math.abs(cell.getBoundingClientRect().left - left))),
               first.filter(cell => cell.scrollWidth > cell.clientWidth).length];
           }))""",
    )
    assert len(found) >= 2
    assert [one for one in found if one[1:] != [True, "0px", 0, 0]] == []


def test_text__is_as_large_as_the_reader_has_it(look, report):
    page = look(report)
    page.add_style_tag(content=":root { font-size: 32px }")
    sizes = [
        page.locator(selector).first.evaluate("one => parseFloat(getComputedStyle(one).fontSize)")
        for selector in ("#wins > p", "#wins .note")
    ]
    assert sizes[0] == 32 > sizes[1]


def contrast(colour, opacity, paper):
    """Return the contrast of a colour on paper, by WCAG 2."""
    ink, paper = ([int(part) for part in re.findall(r"\d+", one)[:3]] for one in (colour, paper))
    seen = [opacity * a + (1 - opacity) * b for a, b in zip(ink, paper, strict=True)]

    def bright(rgb):
        parts = [part / 255 / 12.92 if part <= 10 else ((part / 255 + 0.055) / 1.055) ** 2.4 for part in rgb]
        return float(np.dot(parts, (0.2126, 0.7152, 0.0722)))

    low, high = sorted((bright(seen), bright(paper)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_colours__of_dots_intervals_and_edges_of_fields_stand_out(look, report, scheme):
    page = look(report, color_scheme=scheme)
    for selector, paint, opacity, on in (
        ("#scatter .dot.level", "fill", "fillOpacity", "body"),
        ("#scatter .interval", "stroke", "strokeOpacity", "body"),
        ("#filter [type=search]", "borderTopColor", "opacity", "body"),
        ("#filter button", "borderTopColor", "opacity", "#filter button"),
    ):
        style = f"one => (({{ {paint}, {opacity} }}) => [{paint}, Number({opacity})])(getComputedStyle(one))"
        paper = page.locator(on).first.evaluate("one => getComputedStyle(one).backgroundColor")
        colour, opaque = page.locator(selector).first.evaluate(style)
        assert contrast(colour, opaque, paper) >= 3, selector


def test_forced_colours__leave_the_key_of_the_map_and_the_bars(look, report):
    page = look(report, forced_colors="active")
    faces = page.eval_on_selector_all(
        "#table-needs i", "all => all.map(one => getComputedStyle(one).backgroundColor).filter((c, n) => n < 7)"
    )
    assert len(set(faces)) == 7
    for selector, property_ in ((".map-key i", "backgroundImage"), ("td.share i", "backgroundColor")):
        shown = page.locator(selector).first.evaluate(f"one => getComputedStyle(one).{property_}")
        assert shown.startswith(("linear-gradient", "rgb(0, 114, 178")), selector


def test_tables__of_a_few_rows_are_shown_whole_on_a_desk(look, report):
    page = look(report)
    for at, table in (("", "#table-battles"), ("", "#table-actions"), ("#pair=de_tiger1,us_m4a1", "#view table")):
        go(page, at).evaluate(UNFOLD)
        beyond = "box => [box.scrollWidth - box.clientWidth, box.scrollHeight - box.clientHeight]"
        sizes = page.locator(table).first.evaluate(f"table => ({beyond})(table.closest('.scroll'))")
        assert page.locator(table).first.locator("tbody tr").count() >= 18
        assert sizes[0] == 0, table
        assert sizes[1] == 0 or table == "#table-actions"


def letters(text):
    """Return a text without spaces and ligatures, which paper has where it likes."""
    return re.sub(r"\s", "", unicodedata.normalize("NFKC", text))


def printed(page, tmp_path):
    """Return the letters on each sheet of paper."""
    pypdf = wanted("pypdf")
    page.pdf(path=tmp_path / "page.pdf", format="A4", print_background=True)
    return [letters(sheet.extract_text()) for sheet in pypdf.PdfReader(tmp_path / "page.pdf").pages]


@pytest.mark.parametrize("at", ["#unit=de_tiger1", "#unit=us_m4a1"])
def test_print__gives_the_summary_and_the_chosen_units(look, report, said, tmp_path, at):
    page = look(report, at, ready=False)
    page.locator("#view input[type=checkbox]").check()
    name, verdict = page.locator("#view h2").text_content(), page.locator("#view .lead").text_content()
    page.locator("#view .back a").click()
    assert page.locator("#print").text_content() == "Print the summary and 1 unit"
    page.wait_for_selector("#paper svg circle", state="attached")
    sheets = printed(page, tmp_path)
    assert letters(said["findings"]["lead"]) in sheets[0]
    assert [letters(name) in sheet[:60] for sheet in sheets].count(True) == 1
    assert letters(verdict) in "".join(sheets)
    assert letters("All units, the furthest from fair first") not in "".join(sheets)
    assert len(sheets) <= 6
    page.go_back()
    page.locator("#view input[type=checkbox]").uncheck()
    assert page.locator("#paper article").count() == 0


def test_print__the_box_is_of_its_unit_alone(look, report):
    page = look(report, "#unit=de_tiger1", ready=False)
    page.locator("#view input[type=checkbox]").check()
    page.locator("#view .back a").click()
    page.wait_for_selector("#paper [data-unit=us_m4a1]", state="attached")
    go(page, "#unit=us_m4a1")
    wait_for_view(page, "unit=us_m4a1")
    box = page.locator("#view input[type=checkbox]")
    assert not box.is_checked()
    box.check()
    box.uncheck()
    assert page.locator("#paper article").count() == 1
    assert page.locator("#paper [data-unit=us_m4a1]").count() == 1, "the dot in the chart of the other"


def test_print__of_a_unit_is_its_page_alone(look, report, said, tmp_path):
    sheets = printed(look(report, "#unit=de_tiger1", ready=False), tmp_path)
    assert "TigerI(Ausf.E)" in sheets[0]
    assert letters(said["findings"]["lead"]) not in "".join(sheets)
    assert len(sheets) <= 4


def test_print__letters_of_a_chart_that_was_drawn_for_a_wide_screen_can_be_read(look, report, tmp_path):
    page = look(report, width=1280)
    page.pdf(path=tmp_path / "page.pdf", format="A4", print_background=True)
    points = []

    def seen(text, whole, line, font, size):
        if text.strip():
            points.append(abs(size * line[3] * whole[3]))

    for sheet in wanted("pypdf").PdfReader(tmp_path / "page.pdf").pages:
        sheet.extract_text(visitor_text=seen)
    assert min(points) >= 6.5


def test_print__numbers_beside_an_axis_are_whole(look, report):
    page = look(report, width=1280)
    page.emulate_media(media="print")
    assert page.locator("#units svg text", has_text="00\xa0%").count()
    assert min(page.eval_on_selector_all("#units svg text", "all => all.map(one => one.getBBox().x)")) >= 0


def test_print__no_list_of_opponents_is_torn_from_its_heading(look, report, tmp_path):
    page = look(report, "#unit=us_m4a1", ready=False)
    page.wait_for_selector("#view svg")
    heads = [
        (letters(one.locator("h3").text_content()), letters(one.locator("li a").first.text_content()))
        for one in page.locator(".three > div").all()
        if one.locator("li").count()
    ]
    assert len(heads) >= 2
    for room in range(0, 400, 40):
        page.evaluate("room => { document.querySelector('.three').style.marginTop = `${room}px` }", room)
        sheets = printed(page, tmp_path)
        for head, first in heads:
            assert any(first in sheet.partition(head)[2] for sheet in sheets), (room, head)


def test_print__is_for_white_paper_on_a_dark_screen(look, report):
    even = "colourOf('--even') + colourOf('--paper')"
    page = look(report, color_scheme="light")
    light = page.evaluate(even)
    page.emulate_media(color_scheme="dark")
    assert page.evaluate(even) != light
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    assert page.evaluate(even) == light
    page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    assert page.evaluate(even) != light


def test_menu__names_sections_as_their_headings_do(read):
    page = read()
    said = "all => all.map(a => [a.textContent, document.querySelector(a.hash + ' h2').textContent])"
    links = page.eval_on_selector_all("nav a", said)
    assert len(links) == 10
    assert [link for link, heading in links if link != heading] == []


def test_curves__with_names_too_long_to_stand_beside_them_have_a_legend(look, report):
    page = look(report, width=1280)
    page.evaluate("UNITS[RANGE.chosen[0]].name = 'Rifle squad with machine gun and two grenades'")
    page.locator("#reach [name=turns]").press("ArrowRight")
    assert (
        page.locator("#range-chart .legend li").first.text_content() == "Rifle squad with machine gun and two grenades"
    )
    assert page.locator("#range-chart svg .name").count() == 0
    page.evaluate("UNITS[RANGE.chosen[0]].name = 'Tank'")
    page.locator("#reach [name=turns]").press("ArrowRight")
    assert page.locator("#range-chart .legend").count() == 0
    assert page.locator("#range-chart svg .name").first.text_content() == "Tank"


def test_curves__names_of_wide_letters_are_whole(look, report):
    page = look(report, width=1280)
    page.evaluate("RANGE.chosen.forEach(at => { UNITS[at].name = 'HMMWV TOW' })")
    page.locator("#reach [name=turns]").press("ArrowRight")
    wide = page.locator("#range-chart svg .name").first
    assert wide.text_content() == "HMMWV TOW"
    right = "one => one.ownerSVGElement.getBoundingClientRect().right - one.getBoundingClientRect().right"
    assert wide.evaluate(right) >= 0


def test_legend__shows_the_dashes_of_its_curves(look, report):
    page = look(report, width=390)
    page.wait_for_selector("#range-chart .legend")
    dashes = "all => all.map(one => getComputedStyle(one).strokeDasharray)"
    of_curves = page.eval_on_selector_all("#range-chart > svg .curve", dashes)
    assert page.eval_on_selector_all("#range-chart .legend .curve", dashes) == of_curves
    assert len(set(of_curves)) == len(of_curves) > 1


def test_scatter__an_interval_without_end_reaches_the_edge(look, report):
    page = look(report)
    page.evaluate("UNITS[PLACE.get('de_tiger1')].worth_high = 'inf'; showRoster(() => drawRoster(900))")
    ends = page.eval_on_selector_all("#units .interval", "all => all.map(one => Number(one.getAttribute('y2')))")
    assert len(ends) > 3
    assert min(ends) == 26, "the top margin"
    assert all(map(math.isfinite, ends))


def test_scatter__is_coloured_as_the_findings_say(look, report, said):
    page = look(report)
    kinds = page.eval_on_selector_all("#scatter circle", "all => all.map(dot => [dot.dataset.unit, dot.classList[1]])")
    found = {kind: {unit for unit, its in kinds if its == kind} for kind in ("above", "below")}
    assert found == {"above": {row["unit"] for row in said["underpriced"]}, "below": {"jp_hago"}}
    assert found["above"]
    # Worth less than the least price and dearer than that, it is too dear without an interval, too.
    page.evaluate("UNITS[PLACE.get('jp_hago')].worth_low = 'nan'; showRoster(() => drawRoster(900))")
    assert page.locator("#scatter [data-unit=jp_hago].below").count() == 1


def test_trend__the_line_goes_from_the_cheapest_unit_that_has_peers_to_the_dearest(read):
    ends = """(() => {
      const some = UNITS.slice(0, 4);
      const own = some.map((unit) => unit.peer_exchange_ratio);
      some.forEach((unit, n) => (unit.peer_exchange_ratio = [2, "nan", 3, 5][n]));
      const found = trend(some.map(({ id }, n) => ({ id, x: [30, 10, 20, 40][n] })));
      some.forEach((unit, n) => (unit.peer_exchange_ratio = own[n]));
      return found;
    })()"""
    assert read().evaluate(ends) == [[20, 3], [40, 5]]


def test_roster__who_destroys_nothing_or_loses_nothing_is_not_rated_by_duels(read):
    page = read()
    for ratio, found in (
        ("'inf'", [False, "level"]), ("2", [True, "above"]), ("0.5", [True, "below"]), ("0", [False, "level"])
    ):  # fmt: skip
        ask = f"(unit => [isRated(unit), kindOf(unit)])({{ exchange_ratio_to_peers: {ratio} }})"
        assert page.evaluate(f"DATA.valued = false; const was = {ask}; DATA.valued = true; was") == found


def test_unit__a_worth_without_end_has_no_tenth_more(read):
    page = read()
    for slope, said in ((-0.05, True), ("nan", False)):
        unit = json.dumps({"worth": "inf", "worth_slope": slope, "score": 0.5, "reasons": []})
        told = page.evaluate(f"worthParts({unit})[1].textContent")
        assert ("If it costs a tenth more" in told) == said
        assert "NaN" not in told


def test_phone__price_and_worth_are_seen_first(look, report):
    page = look(report, width=390)
    right = "all => all.slice(0, 3).map(one => [one.textContent.trim(), one.getBoundingClientRect().right])"
    heads = page.eval_on_selector_all("#roster thead th", right)
    assert [words for words, _ in heads] == ["name", "requisition", "worth"]
    assert heads[-1][1] < 390


def test_phone__words_of_pictures_are_whole_and_a_box_is_as_wide_as_its_tick(look, report):
    page = look(report, "#unit=us_m4a1", ready=False, width=320)
    page.wait_for_selector("#view svg text")
    room = page.eval_on_selector_all(
        "#view svg text",
        """all => all.map(one => [one.textContent,
             one.ownerSVGElement.getBoundingClientRect().right + 1 - one.getBoundingClientRect().right])""",
    )
    assert [words for words, left in room if left < 0] == []
    assert page.locator("#view label input").bounding_box()["width"] < 40


def test_heatmap__units_that_are_not_rated_stand_apart(look, report):
    worth = worth_of(report)
    page = look(report)
    for order in ("price", "name"):
        page.select_option("#heat [name=order]", order)
        ids = page.evaluate("MAP.rows.map(at => UNITS[at].id)")
        apart = {unit for unit in ids if not np.isfinite(worth[unit])}
        assert set(ids[len(ids) - len(apart) :]) == apart
        group = page.evaluate(f"groupsOf(MAP.rows, '{order}')")[-1]
        assert group == {"from": len(ids) - len(apart), "to": len(ids), "words": "not rated"}
    assert 0 < len(apart) < len(ids)
    assert f"{len(apart) + 1} of them not rated" in page.locator("#shown").text_content(), "the rifles, too"


def test_heatmap__without_room_for_names_says_them_under_the_pointer(look, report, game):
    page = look(report, width=520)
    page.focus("#heatmap")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    found = page.evaluate("[...MAP.at].map(n => UNITS[MAP.rows[n]].name)")
    assert page.locator(".heat-name").all_text_contents() == found
    assert found[0] != found[1]


@pytest.mark.parametrize(
    ("in_battles", "in_duels", "words"),
    [
        ([0.02, 0.42], 0.05, "under 8 actions a turn, Few score 56.0 % against Many if they move first, 14.0 % if"),
        ([0.02, -0.42], 0.05, "under 8 actions a turn, Few score 14.0 % against Many if they move first, 56.0 % if"),
        ([0.02, 0.09], 0.05, ""),
        ([], 0.099, ""),
        ([], 0.1, "It adds 10.0 points of 100 to the score of a duel, on average."),
        ([0.1], 0.0, "under 8 actions a turn, Few score 40.0 % against Many if they move first, 30.0 % if"),
        ([], 0.12, "It adds 12.0 points of 100 to the score of a duel, on average."),
        ([0.02], -0.12, "It adds -12.0 points of 100 to the score of a duel, on average."),
    ],
)  # fmt: skip
def test_findings__say_where_the_first_turn_decides_much(in_battles, in_duels, words):
    lists = {"list_a": "Few", "list_b": "Many", "actions_a": 8, "score_a": 0.35}
    battles = pd.DataFrame([{**lists, "first_turn_gap": gap} for gap in in_battles], columns=[*lists, "first_turn_gap"])
    results = SimpleNamespace(battles=battles, headlines=pd.DataFrame({"first_turn_gap": [in_duels]}))
    said = findings._first_turn(results)
    assert words in said
    assert bool(said) == bool(words)


@pytest.mark.parametrize(
    ("readings", "moved", "words"),
    [
        ([], 0, "No other reading was tried."),
        (["open_top=false"], 1, 'One other reading was tried, "open top" off: it moves a pair\'s chance to win by 2.0'),
        (["open_top=false"], 0, 'One other reading was tried, "open top" off: it doesn\'t change who wins.'),
        (["a=true", "b=1"], 2, '2 of 2 other readings affect duels. The strongest, "a" on, moves a pair\'s'),
        (["wall_rule=both", "b=1"], 1, 'readings affects duels. The strongest, "wall rule: both", moves a'),
        (["a=1", "b=1"], 0, "None of 2 other readings changes who wins."),
    ],
)
def test_findings__other_readings_are_told_in_words(readings, moved, words):
    changes = [0.0] + [0.02] * moved + [0.0] * (len(readings) - moved)
    table = pd.DataFrame({"reading": ["default rules", *readings], "mean_change_of_p_win": changes})
    # Who gains doesn't count: of units that are all alike none does, whatever a reading changes between them.
    said = findings._readings(SimpleNamespace(sensitivity=table, who_gains={}))
    assert words in said
    assert "worth" not in said


@pytest.mark.parametrize(
    ("before", "after", "says"),
    [
        ([10, 112, 60], [11, 158, 50], " It changes the worth of Two most, from 112 to 158."),
        ([10, 112, 60], [11, 120, 40], " It changes the worth of Three most, from 60 to 40."),
        ([10, 112, 60], [20, 158, 50], " It changes the worth of One most, from 10 to 20."),
        ([], [], " percentage points on average."),
    ],
)
def test_findings__the_reading_that_moves_most_tells_whose_worth_it_changes_most(before, after, says):
    table = pd.DataFrame({"reading": ["default rules", "a=1", "b=1"], "mean_change_of_p_win": 0.02})
    table.attrs["gains"] = {"a=1": {"u1": 0.1}, "b=1": {"u1": 0.1}}
    names = ["One", "Two", "Three"][: len(before)]
    by_a = pd.DataFrame({"name": names, "worth_before": before, "worth_after": after})
    by_b = pd.DataFrame({"name": ["Other"], "worth_before": [1.0], "worth_after": [100.0]})
    said = findings._readings(SimpleNamespace(sensitivity=table, who_gains={"a=1": by_a, "b=1": by_b}))
    assert said.endswith(says)


@pytest.mark.parametrize(
    ("stuck", "says"),
    [
        (
            [True, True, False],
            " 2 units are worth less than the least price, and cost no more: Two scores least, 12.0 %.",
        ),
        ([True, False, False], " 1 unit is worth less than the least price, and costs no more: it scores 45.0 %."),
        ([False] * 3, " None is out of line."),
    ],
)
def test_lead__names_the_worst_of_those_at_the_least_price(stuck, says):
    flags = [AT_FLOOR if one else "" for one in stuck]
    rated = rated_units(costs=[20] * 3, name=["One", "Two", "Three"], score=[0.45, 0.12, 0.01], flags=flags)
    results = SimpleNamespace(rated=rated, prices=pd.DataFrame({"identified": [False] * 3}))
    assert findings._of_worth(results, rated[:0], 0, "points").endswith(says)


@pytest.mark.parametrize(
    ("without", "says"),
    [
        (1, " None is out of line. 1 unit can't be judged: there is no interval of its worth."),
        (2, " None is out of line. 2 units can't be judged: there is no interval of their worth."),
        (
            3,
            "No unit can be judged, as none has an interval of its worth in battles of units that hold: movement, "
            "cover, scouting, carrying and objectives are not in them.",
        ),
    ],
)
def test_lead__of_a_worth_without_an_interval_says_that_nothing_is_known_against_its_cost(without, says):
    rated = rated_units(costs=[50] * without + [20] * (3 - without))
    rated.loc[: without - 1, ["worth_low", "worth_high"]] = math.nan
    results = SimpleNamespace(rated=rated, prices=pd.DataFrame({"identified": [False] * 3}))
    assert not findings.out_of_line(rated).any()
    assert findings._of_worth(results, rated[:0], 0, "points").endswith(says)
    assert findings.out_of_line(rated.fillna({"worth_low": 15, "worth_high": 25})).sum() == without


def rated_units(costs: list[float], **columns: Any) -> pd.DataFrame:
    """Return units that are worth 20, from 15 to 25, by their costs."""
    known = {"unit": range(len(costs)), "requisition": costs, "worth": 20.0, "worth_low": 15.0, "worth_high": 25.0}
    return pd.DataFrame(known | {"flags": ""} | columns)


def test_advice__says_that_units_below_the_least_price_are_left_out():
    prices = pd.DataFrame({"unit": ["old"], "name": ["Old"]})
    leave = {"far": ["old"], "finer": None, "at_floor": ["low"], "rms_before": 0.03, "rms_after": 0.02}
    results = SimpleNamespace(no_proposal="", prices=prices, prices_leave=leave, rated=rated_units([20]))
    apart = "Apart from units worth less than the least price,"
    assert findings._advice(results, pd.DataFrame({"unit": []}), 0, "") == (
        "Nothing: every card costs its fair price to the nearest step, or the least price. "
        f"{apart} Old scores more than 5 points of 100 from level."
    )
    mean = f"{apart} the root mean square of how far units score from level"
    assert f"{mean} falls from 0.030 to 0.020." in findings._advice(results, prices, 2, "")
    leave |= {"rms_after": 0.0296}
    nothing = f"{mean} stays 0.030: nothing is lost if they keep their prices."
    assert nothing in findings._advice(results, prices, 2, "")
    leave |= {"rms_after": 0.042}  # they were nearer to what is fair than steps allow
    rises = f"{mean} rises from 0.030 to 0.042: nothing is lost if they keep their prices."
    assert findings._advice(results, prices, 2, "").endswith(rises)


# --- other games, and a whole roster


@pytest.mark.slow
@pytest.mark.parametrize("name", ["skirmish_wars", "modern_land_battles", "armour_battles"])
def test_game__without_worth_has_its_page_too(look, tmp_path, name):
    whole = Game(name)
    scale = whole.ruleset.roster.reference[0]
    few = {unit: whole.cards.tables[unit] for unit in dict.fromkeys([*list(whole.cards)[:5], scale])}
    asked = spec.read(None, name).model_copy(update={"board_worth": None})
    out = build.write(asked, Game(name, Cards(whole.cards.schema, few, {})), tmp_path)
    page = look(out)
    same_as_csv(page, out)
    assert page.locator("#heat [name=situation] option[value=equal]").count() == 0
    note = page.text_content("#units .note")
    assert "more than 1.5 times as much is blue" in note
    assert "less than two thirds of it orange" in note
    ratios = pd.read_csv(out / "cost_effectiveness.csv", comment="#").set_index("unit")["exchange_ratio_to_peers"]
    dots = page.eval_on_selector_all("#units circle", "all => all.map(dot => [dot.dataset.unit, dot.classList[1]])")
    for unit, kind in dots:
        assert (ratios[unit] > 1.5, ratios[unit] < 2 / 3) == (kind == "above", kind == "below")
    heights = "all => all.map(one => [one.y1.baseVal.value, one.y2.baseVal.value])"
    top, foot = page.eval_on_selector_all("#scatter .axes line", heights)[0]  # the first goes up at a tick of the price
    for line in page.eval_on_selector_all("#scatter .fair", heights):
        assert [y for y in line if not top <= y <= foot] == [], "the line of the trend stays in its frame"
    told = [row[1:] for row in cells(page.locator("#range-table table"))]
    exact = page.evaluate(
        "RANGE.chosen.map(a => kills(a, PLACE.get(RANGE.form.elements.target.value), 0, DATA.within))"
    )
    steps = list(zip(*exact, strict=True))
    assert len(told) == 1 + sum(a != b for a, b in itertools.pairwise(steps)), "equal distances are one row"
    unhurt = ratios.index[np.isinf(ratios)]
    assert ("Not rated, since they lose nothing in duels: " in page.text_content("#findings")) == (len(unhurt) > 0)
    words = page.text_content("#wins")
    assert ("Only the column's unit" in words) == (name == "armour_battles"), "the others have none, or say it of both"
    heads = go(page, f"#pair={','.join([*few][:2])}").locator("#view thead th").all_text_contents()
    assert f"chance of any {whole.ruleset.labels.effect}" in heads, "suppression alone isn't counted"
    go(page, "#units")
    page.locator("#roster a").first.click()
    wait_for_view(page, "unit=*")
    assert "equal" not in page.locator("#view").inner_text()
    drawn = page.evaluate("UNITS.map(({ at }) => met(at).filter(({ draw }) => draw >= 0.5).length)")
    go(page, f"#unit={list(few)[int(np.argmax(drawn))]}")
    hollow = page.locator("#view .dot.drawn").count()
    assert (hollow > 0) == (name == "skirmish_wars")
    said = f"Hollow: half or more of the duels are drawn ({hollow} unit"
    assert (said in page.inner_text("#view")) == (hollow > 0)
    assert re.search(r"\b1 (squares|turns|rows)\b", page.text_content("main")) is None
    said = page.eval_on_selector_all("#findings li, #table-guns td", "all => all.map(one => one.textContent)")
    assert not [words for words in said if re.search(r"[a-z][_=][a-z]", words)], "no names of the code"
    assert "For equal" not in page.text_content("#columns"), "there are no such battles"
    proposal = pd.read_csv(out / "requisition.csv", comment="#")
    changed = int((proposal["proposal"] != proposal["requisition"]).sum())
    said = f"Cards at another price: {changed} of {len(few)}." if changed else "The cards are at the proposal."
    assert said in " ".join(page.text_content("#requisition").split())
    go(page, "#range")
    nearest_first = cells(page.locator("#range-table table"))
    page.locator("#range-table thead button").first.click()
    assert cells(page.locator("#range-table table")) == nearest_first
    lines = "all => all.map(one => one.getClientRects().length)"
    assert set(page.eval_on_selector_all("#table-switches code", lines)) == {1}, "names of switches aren't broken"
    shown = page.evaluate("UNITS.flatMap(({ at }) => answers(at).map(({ gets }) => three(gets)))")
    assert [gets for gets in shown if float(gets) <= 1] == [], "what does no better than even is no answer"
    duels = pd.read_csv(out / "pairs.csv", comment="#").set_index(["attacker", "target"])
    price = pd.read_csv(out / "cost_effectiveness.csv", comment="#").set_index("unit")["requisition"]
    found = page.evaluate(
        "UNITS.flatMap(({ at, id }) => answers(at).map((one) => [id, UNITS[one.other].id, one.gets]))"
    )
    for unit, other, gets in found:
        lost = duels.at[(unit, other), "p_loss"] + duels.at[(other, unit), "p_win"]
        won = max(float(duels.at[(unit, other), "p_win"] + duels.at[(other, unit), "p_loss"]), 0.002)
        assert gets == pytest.approx(lost * price[unit] / (won * price[other]), rel=1e-3, abs=1e-3)
    nation = " nation |" in (out / "summary.md").read_text(encoding="utf-8")
    assert nation == hasattr(next(iter(whole.cards.values())), "nation")


@pytest.mark.slow
def test_game__with_worth_on_the_board_shows_it_in_table_chart_and_pages(look, tmp_path):
    asked = spec.read(None, "skirmish_wars")
    quick = {"sensitivity": {}, "board_worth": asked.board_worth.model_copy(update={"matches": 40})}
    page = look(build.write(asked.model_copy(update=quick), Game("skirmish_wars"), tmp_path))
    same_as_csv(page, tmp_path)
    valued = pd.read_csv(tmp_path / "board_worth.csv", comment="#").set_index("unit")
    shown = cells(page.locator("#table-board-worth"))
    assert [row[3] for row in shown] == [f"{worth:.3g}" for worth in valued["worth"]]
    assert page.locator("#scatter circle").count() == len(valued)
    assert "worth as a share of cost, with its interval" in page.text_content("#scatter")
    for unit, row in valued.iterrows():
        assert f"In matches on crossing it is worth {row['worth']:.3g}" in go(page, f"#unit={unit}").inner_text("#view")


@pytest.mark.slow
def test_game__a_whole_roster_of_forumini_is_small_enough_and_its_matrix_the_csv_s(look, tmp_path):
    asked = spec.read(None, "forumini").model_copy(update={"sensitivity": {}, "board_worth": None})
    out = build.write(asked, Game("forumini"), tmp_path)
    assert (out / "index.html").stat().st_size < MOST_BYTES
    page = look(out)
    same_as_csv(page, out)
    rated = len(pd.read_csv(out / "cost_effectiveness.csv", comment="#"))
    left = len(Game("forumini").cards) - rated
    lead = json.loads((out / "summary.json").read_text(encoding="utf-8"))["findings"]["lead"]
    assert " At its price " in lead
    assert f"The other {left} of the roster's {rated + left} are not rated: {left} of a class that isn't" in lead
    assert "first turn" not in page.text_content("#sources"), "both sides act at once"
    command = "aabalance duel de_tiger_i su_t_34_85 --range 4 --rounds 7 --game forumini"
    assert command in go(page, "#pair=de_tiger_i,su_t_34_85").inner_text("#view"), "it gives the page's numbers"


@pytest.mark.slow
def test_range_steps__are_the_edges_of_the_bands(game):
    assert range_steps(Game(), range(43)) == [0, 7, 13, 19, 25, 31]
    # Range columns of the cards, each with its last hex.
    forumini = Game("forumini")
    ends = {end + 1.0 for card in forumini.cards.values() for end in getattr(card, "range", ())}
    steps = range_steps(forumini, range(15))
    assert set(steps) <= {0.0, *ends}
    assert range_steps(forumini, range(15), len(forumini.cards)) == steps


@pytest.mark.slow
def test_kill_tables__are_the_kill_curves_of_every_pair_face_and_distance() -> None:
    few = Game().with_(cards=Game().cards.only(["us_m4a1", "de_tiger1", "inf_rifle"]))
    at = situations.Situations.of(few, {"range_in": {18: 1.0}, "facing": {"front": 0.5, "side": 0.5}})
    ranges = [3.0, 9.0, 14.0, 15.0, 20.0, 24.0]
    found = kill_tables(few, at, ranges)
    assert (found.faces, found.starts[0], found.end) == (["front", "side"], 3, 24)
    assert {14, 20} <= set(found.starts) <= {3, 9, 14, 20}, "15 inches are in the band of 14, and 24 in that of 20"
    pairs = [(a, t) for a in found.units for t in found.units]
    step = np.searchsorted(found.starts, ranges, side="right") - 1
    for number, face in enumerate(found.faces):
        for turns in (1, 2, 12):
            curves = kill_curves(few, pairs, ranges, turns, facing=face)["p_kill_within"]
            chances = found.chances[found.case[:, :, number][..., step], turns - 1]
            assert chances.ravel() == pytest.approx(curves.to_numpy())
