"""The pages: their tables and examples are what the package gives today, their links lead somewhere.

The cards are the frozen ones of the `examples`, so that new cards and prices change no page.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from fractions import Fraction as F
from functools import cache
from pathlib import Path

import examples
import generate
import numpy as np
import pandas as pd
import pytest
from drawn import TOLERANCE
from matplotlib.testing.compare import compare_images

import aabalance as aab
from aabalance import columns
from aabalance.analysis import cost

ROOT = Path(__file__).parents[1]
DOCS = sorted((ROOT / "docs").rglob("*.md"))
API = sorted((ROOT / "docs" / "api").glob("*.rst"))
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *DOCS]
LINK = re.compile(r"\]\(([^)\s]+)\)")
SAID = re.compile(r"\b0\.\d\d\b")
REMAKE = "remake the page: python docs/generate.py"

docs = pytest.mark.parametrize("path", DOCS, ids=lambda path: path.relative_to(ROOT / "docs").as_posix())
pages = pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)


pytestmark = pytest.mark.usefixtures("frozen_cards")


def text(path):
    return path.read_text(encoding="utf-8")


@pytest.fixture(autouse=True)
def kept(tmp_path_factory, monkeypatch):
    """Pages ask for the same again and again: their commands keep results, for all processes that run these tests."""
    monkeypatch.setenv("AABALANCE_CACHE", str(tmp_path_factory.getbasetemp().parent / "kept"))


def flat(name):
    """A page of docs/ without its line breaks."""
    return re.sub(r"\s+", " ", text(ROOT / "docs" / name))


def anchors(page):
    """The anchors that GitHub gives a page's headings."""
    headings = re.findall(r"^#+ (.+)$", page, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


# --- tables and examples


@pytest.mark.slow
@docs
def test_tables__are_what_the_package_gives(path):
    assert generate.filled(text(path)) == text(path), REMAKE


def test_tables__are_all_on_a_page():
    assert set(re.findall(r"<!-- table: (\w+)", "".join(map(text, DOCS)))) == set(generate.TABLES)


@pytest.mark.slow
def test_generate__makes_one_page_alone(tmp_path):
    page, others = tmp_path / "page.md", (generate.FIRST, generate.PICTURE)
    page.write_text("<!-- table: keyword -->\n<!-- end -->\n", encoding="utf-8")
    before = [path.stat().st_mtime_ns for path in others]
    subprocess.run([sys.executable, ROOT / "docs" / "generate.py", page], check=True)
    assert text(page) == generate.filled(text(page)) != "<!-- table: keyword -->\n<!-- end -->\n"
    assert [path.stat().st_mtime_ns for path in others] == before


@pytest.mark.slow
@pages
def test_examples__run_and_print_what_the_page_says(path, tmp_path):
    assert examples.played(text(path), tmp_path) == text(path), REMAKE


@pytest.mark.slow
def test_examples__in_python_have_the_types_that_the_package_says(tmp_path):
    api = pytest.importorskip("mypy.api")
    blocks = [block for kind, _, block in examples.FENCE.findall(text(ROOT / "docs" / "python.md")) if kind == "python"]
    by_name = 'aab.matchups("skirmish_wars", attackers=["tank"])\n'
    (tmp_path / "page.py").write_text("".join(blocks) + by_name, encoding="utf-8")
    # Without the settings of the tests, which let wrong types pass.
    said, _, code = api.run(["--strict", "--config-file=", f"--cache-dir={tmp_path}", str(tmp_path / "page.py")])
    assert (code, said) == (0, "Success: no issues found in 1 source file\n")


@pages
def test_examples__every_command_on_a_page_is_run(path):
    """It stands in ``console`` or ``sh``; but those of CI and of several processes, which other tests run."""
    others = [block for block in examples.FENCE.findall(text(path)) if block[0] not in ("console", "sh", "yaml")]
    found = [line for *_, block in others for line in block.splitlines() if re.match(r"\$ |aabalance ", line)]
    assert [line for line in found if not re.search("--junit|--workers|--scheduler", line)] == []


def test_examples__of_a_cut_output_the_lines_that_are_shown_are_checked(tmp_path):
    page = "```console\n$ aabalance cards de_tiger1\nof another unit\n{}```\n"
    whole, cut = (examples.played(page.format(end), tmp_path / str(len(end))) for end in ("", "...\n"))
    first = whole.splitlines()[2]
    assert first == "[de_tiger1]"
    assert len(whole.splitlines()) > 5
    assert cut == f"```console\n$ aabalance cards de_tiger1\n{first}\n...\n```\n"


def test_examples__one_that_fails_is_noticed(tmp_path):
    with pytest.raises(RuntimeError, match="de_tigre1"):
        examples.played("```sh\naabalance cards de_tigre1  # no such unit\n```\n", tmp_path)


def test_examples__a_faulty_card_ends_with_exit_code_2(tmp_path):
    fault = re.search(r"^```toml mine/faulty.toml\n(.*?)^```$", text(ROOT / "docs" / "cards.md"), re.DOTALL | re.M)
    (tmp_path / "faulty.toml").write_text(fault[1], encoding="utf-8")
    code, output = examples.run("aabalance cards check --cards .", tmp_path)
    assert code == 2
    assert output.count("faulty.toml:") == 4


@pytest.mark.slow
@pages
def test_examples__chances_in_their_comments_are_what_they_give(path, tmp_path):
    lines = re.findall(r"^(aabalance .*?) # (.*0\.\d.*)$", text(path), re.MULTILINE)
    assert lines or path.name not in ("README.md", "games.md")
    for command, comment in lines:
        code, output = examples.run(f"{command} --json", tmp_path)
        assert code == 0, output
        assert [f"{json.loads(output)['p_a']:.2f}"] == SAID.findall(comment), command


# --- README.md


@pytest.fixture(scope="module")
def tour(frozen_cards):
    """Return the README's Python block, run: its lines, and the names that it leaves."""
    names = {}
    block = re.search(r"^```python\n(.*?)^```$", text(ROOT / "README.md"), re.DOTALL | re.MULTILINE)[1]
    exec(block, names)
    return block.splitlines(), names


def test_readme__every_command_is_one_that_a_test_or_ci_runs():
    blocks = re.findall(r"^```sh\n(.*?)^```$", text(ROOT / "README.md"), re.DOTALL | re.MULTILINE)
    others = [line for block in blocks for line in block.splitlines() if not line.startswith("aabalance ")]
    make, run = "python3 -m venv .venv", (".venv/bin/aabalance report", ".venv/bin/python -m pytest")
    assert [(line[: len(make)], line.split(" && ")[-1]) for line in others] == [(make, last) for last in run]
    assert len(blocks[-1].splitlines()) == 12  # as its heading says


@pytest.mark.slow
def test_readme__chances_in_comments_on_python_are_what_it_gives(tour):
    lines, names = tour
    said = {code: SAID.findall(comment) for code, _, comment in (line.partition(" # ") for line in lines)}
    given = {code: [f"{eval(code, names):.2f}"] for code, numbers in said.items() if numbers}
    assert len(given) == 2
    assert given == {code: said[code] for code in given}


@pytest.mark.slow
def test_readme__sentences_hold(tour):
    page, (_, names) = text(ROOT / "README.md"), tour
    game, sherman, stug = (names[name] for name in ("game", "sherman", "stug"))
    costs = [game.cards[unit].requisition for unit in (sherman, stug)]
    assert max(costs) < 1.1 * min(costs)
    assert abs(game.duel(sherman, stug, range_in=18).p_a - 0.5) < 0.05
    needs = {
        unit: [game.shot(unit, other, range_in=r).need for r in (6, 12, 18, 24)]
        for unit, other in ((sherman, stug), (stug, sherman))
    }
    always, least, most = re.search(r"needs a (\d) at any range.*from (\d) to (\d)", page, re.DOTALL).groups()
    assert needs == {sherman: [int(always)] * 4, stug: list(range(int(least), int(most) + 1))}
    ranked = names["ranked"]
    correlation = ranked["requisition"].corr(ranked["requisition_exchange_ratio"], "spearman")
    assert f"rank correlation {correlation:.2f})" in page


# --- reference.md names everything that there is


def test_reference__has_every_switch_situation_field_keyword_posture_and_column():
    page, rules = text(ROOT / "docs" / "reference.md"), generate.game().ruleset
    names = {*rules.Variant.model_fields, *rules.Moment.model_fields, *columns.COLUMNS, *generate.POSTURES}
    assert {name for name in names if not re.search(rf"^\| `{name}(:X)?` \|", page, re.MULTILINE)} == set(), REMAKE
    keywords = generate.KEYWORDS
    assert {name for name in keywords if not re.search(rf"^\| `{name}( = X)?` \|", page, re.MULTILINE)} == set(), REMAKE


def test_reference__every_switch_has_its_values_its_default_among_them_and_its_open_point():
    for line in generate.variant().splitlines()[2:]:
        _, values, default, point, meaning = line.strip("| ").split(" | ")
        assert default in values.split(", ")
        assert re.fullmatch(r"AA-\d+", point)
        assert meaning


# --- the site


def test_api__has_every_public_name():
    named = set(re.findall(r"^\.\. auto\w+:: aabalance\.(\S+)", "".join(map(text, API)), re.MULTILINE))
    listed = set(re.findall(r"^   (\w+)$", "".join(map(text, API)), re.MULTILINE))
    public = (set(aab.__all__) - {"__version__", "plots"}) | {f"plots.{name}" for name in aab.plots.__all__}
    assert public <= named
    assert {name.removeprefix("plots.") for name in public} <= listed


# --- theory/: the formulas, worked out beside the package


def test_theory_shots__numbers_hold():
    said, game = flat("theory/shots.md"), generate.game()
    at_advantage = {n: F(7 - n, 6) * F(7, 6) for n in range(2, 7)}
    assert "4+ comes in 7/12 of all shots at advantage, 2+ in 35/36, 6+ in 7/36" in said
    assert [at_advantage[n] for n in (4, 2, 6)] == [F(7, 12), F(35, 36), F(7, 36)]
    sherman = {band: game.shot("us_m4a3_75w", "de_stug3g", range_in=range_in) for range_in, band in ((24, 4), (36, 6))}
    assert {band: shot.p_damage for band, shot in sherman.items()} == {
        n: pytest.approx(float(at_advantage[n])) for n in (4, 6)
    }
    # 24 inches ask for a 4, and so does penetration 8 against armour 8.
    readings = [game.with_(variant={"resolution": way}) for way in ("one_die", "two_dice", "sum")]
    found = [one.shot("us_m4a3_75w", "de_stug3g", range_in=24, moved=True).p_damage for one in readings]
    assert found == pytest.approx([1 / 2, 1 / 4, 0])
    assert "that is 1/2, 1/4 and 0 after a move" in said
    assert f"{3 / (35 / 36):.2f} turns" in said
    near = aab.Situations.of(game, {"range_in": {12: 1.0}})
    turns = aab.shots(game, near, attackers=["de_stug3g"], targets=["us_m4a1"])["expected_turns_to_kill"].item()
    assert turns == pytest.approx(3 / (35 / 36))


def test_theory_duels__the_recursion_gives_the_duel():
    said, game = flat("theory/duels.md"), generate.game()
    p_a, p_b = F(7, 12), F(7, 9)

    @cache
    def a_moves(i, j):
        if i == 0:
            return F(0)
        return (p_a * b_moves(i, j - 1) + (1 - p_a) * p_b * a_moves(i - 1, j)) / (1 - (1 - p_a) * (1 - p_b))

    @cache
    def b_moves(i, j):
        return F(1) if j == 0 else p_b * a_moves(i - 1, j) + (1 - p_b) * a_moves(i, j)

    first, second = float(a_moves(4, 3)), float(b_moves(4, 3))
    duel = game.duel("us_m4a3_75w", "de_stug3g", range_in=18)
    assert (duel.p_a_moving_first, duel.p_a_moving_second) == pytest.approx((first, second), abs=1e-12)
    for number in (first, second, (first + second) / 2):
        assert f"{number:.4f}".removeprefix("0") in said
    tigers = game.duel("de_tiger1", "de_tiger1", range_in=18, first="a").p_a
    assert f"each win {100 * tigers:.0f} % of the duels that they begin" in said


def test_theory_exact__numbers_hold():
    said, z = flat("theory/exact.md"), 1.959963984540054
    assert 38_000 < (z / 0.005) ** 2 / 4 < 40_000
    assert "nearly 40,000 duels" in said
    assert "no win in 1000 still leaves up to .004" in said
    assert z * z / (1000 + z * z) == pytest.approx(0.004, abs=2e-4)


# --- roster.md: what its sentences say about its tables


@pytest.mark.slow
def test_roster__shares_sum_to_1():
    for facing in ("front", "side"):
        assert sum(generate.shares(facing).values()) == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize(
    ("attacker", "target", "facing", "expected"),
    [
        ("de_tiger1", "su_t34_85", "front", "automatic"),  # 15 against 9
        ("su_t34_85", "de_pantherg", "front", "+1"),  # 12 against 11
        ("us_m5a1", "de_tiger1", "front", "impossible"),  # 6 against 10
        ("de_pz3j", "su_t34_41", "front", "0"),  # 6 against 6
        ("de_pz3j", "su_t34_41", "rear", "-1"),  # 6 against 7
        ("us_m8_hmc", "de_pantherg", "front", "-2, weak spot only"),  # 9 against 11
    ],
)
def test_roster__margin_of_known_pairs(attacker, target, facing, expected):
    assert generate.by_armour(attacker, target, facing) == expected


@pytest.mark.slow
def test_roster__sentences_hold():
    front, side = generate.shares("front"), generate.shares("side")
    assert front["automatic"] > 0.5
    assert 0.6 < 1 - side["impossible"] / front["impossible"] < 0.73  # a move to the side saves about two in three
    found = generate.sensitivity.turns_to_kill(generate.game(), generate.matchups(), generate.field())
    median = found.set_index("gun_class")["median_turns_to_kill"]
    assert 3 < median["75-77 mm"] < 4
    assert median["up to 37 mm"] > 8
    assert 0.4 < median["85-90 mm"] - median["100 mm and more"] < 0.6
    worth = cost.with_peers(cost.cost_effectiveness(generate.matchups(), generate.field())).set_index("unit")
    ratio = worth["exchange_ratio_to_peers"]
    assert worth["requisition"].corr(worth["requisition_exchange_ratio"], "spearman") > 0.85
    assert ratio.idxmax() == "de_sturmtiger"
    assert ratio[ratio > 0].idxmin() == "uk_avre"


# --- pricing.md: what the cards and the first formula's values say


@pytest.mark.slow
def test_baseline__is_what_the_first_formula_proposes():
    """The values that prices are compared with: the formula's on the present cards, which it doesn't take from them."""
    assert generate.first_requisition() == text(generate.FIRST)


@pytest.mark.slow
def test_pricing__sentences_hold():
    page, cards = re.sub(r"\s+", " ", text(ROOT / "docs" / "pricing.md")), generate.game().cards
    first = pd.read_csv(generate.FIRST, comment="#").set_index("unit")["requisition"]
    now = {unit: card.requisition for unit, card in cards.items()}
    assert f"Of {len(now)} cards {sum(now[unit] != first[unit] for unit in now)} cost something else now" in page
    tuning = generate.game().tuning
    assert f"Three budgets, {tuning.budgets[0]:g}, {tuning.budgets[1]:g} and {tuning.budgets[2]:g}, count" in page
    assert f"Three limits of actions, {', '.join(map(str, tuning.limits[:2]))} and {tuning.limits[2]}, count" in page
    assert (tuning.anchors, tuning.steps) == ({"su_t34_85": 100}, {0: 1, 50: 5})
    assert now["su_t34_85"] == 100
    assert f"No price is below {tuning.least:g}, a fortieth" in page
    at_floor = [unit for unit, price in now.items() if price == tuning.least]
    assert f"{len(at_floor)} units cost {tuning.least:g}, of which" in page
    assert {"us_m20", "fr_p178", "de_pak36"} <= set(at_floor)
    for unit, name in (("us_m8", "M8 Greyhound"), ("de_jagdtiger", "Jagdtiger"), ("uk_churchill7", "Churchill VII")):
        assert re.search(rf"{name} {now[unit]}, it was {first[unit]}\b", page), unit
    assert f"a Tiger I {now['de_tiger1']}, it was {first['de_tiger1']}" in page
    for unit in ("uk_ucarrier", "uk_dingo", "su_ba64", "de_sdkfz251_1", "inf_rifle"):
        assert now[unit] == first[unit]
    met = generate.matchups()
    most = met.groupby(["attacker", "target"], observed=True)["expected_damage"].max().unstack()
    hurts = most.loc[generate.field(), generate.field()].to_numpy() > 0
    np.fill_diagonal(hurts, False)
    armed = hurts.any(axis=1)
    both = (hurts & hurts.T)[np.ix_(armed, armed)].sum() / (armed.sum() * (armed.sum() - 1))
    assert f"{100 * both:.0f} % of the pairs count, of the {armed.sum()} units that can hurt anybody" in page
    units, shares, ahead = np.array(generate.field())[armed], {}, 0.0
    others = len(units) - 1
    for (_, facing, weight), table in met.groupby(["range_in", "facing", "weight"], observed=True):
        there = (
            table.pivot(index="attacker", columns="target", values="expected_damage").loc[units, units].to_numpy() > 0
        )
        sure = there & ~there.T & ~np.eye(len(units), dtype=bool)
        shares.setdefault(facing, []).append((weight, 2 * sure.sum() / (len(units) * others)))
        ahead += weight * sure.sum(axis=1) / others
    literal = sum(weight * share for some in shares.values() for weight, share in some)
    front = sum(weight * share for weight, share in shares["front"]) / sum(weight for weight, _ in shares["front"])
    assert round(literal, 2) == 0.25
    assert f"a quarter of the pairs are lost or won at any price, front to front {100 * front:.0f} %" in page
    assert np.sum(ahead > 0.5) == 7
    assert "seven units beat more than half of the roster whatever they cost" in page


# --- links


@pages
def test_links__lead_somewhere(path):
    for link in LINK.findall(re.sub(r"^```.*?^```$", "", text(path), flags=re.DOTALL | re.MULTILINE)):
        if link.startswith(("https://", "http://", "mailto:")):
            continue
        file, _, anchor = link.partition("#")
        target = path.parent / file if file else path
        assert target.exists(), link
        assert not anchor or anchor in anchors(text(target)), link


def test_contributing__things_stand_where_it_says():
    table = text(ROOT / "CONTRIBUTING.md").partition("## Where things stand")[2].partition("\n## ")[0]
    package = ROOT / "aabalance"
    named = re.findall(r"`([\w/]+\.(?:py|toml|html\.j2))`", table)
    assert len(named) > 15
    for path in named:
        where = "rulesets/*/" if path.startswith("GAME/") else ""
        assert [*package.glob(where + path.removeprefix("GAME/")), *ROOT.glob(path)], path


def test_links__of_notebooks_lead_somewhere():
    for path in (ROOT / "notebooks").glob("*.ipynb"):
        for link in LINK.findall(text(path)):
            assert (path.parent / link).exists(), link


@pytest.mark.slow
def test_readme_picture__is_the_one_in_the_readme(tmp_path):
    (tmp_path / "made.png").write_bytes(generate.readme_picture())
    assert compare_images(str(generate.PICTURE), str(tmp_path / "made.png"), TOLERANCE) is None
