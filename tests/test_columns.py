"""The registry of tables and their columns."""

from __future__ import annotations

import tomllib
from collections import Counter
from pathlib import Path

from aabalance import columns
from aabalance.columns import COLUMNS, TABLES, declared


def test_registry__declares_each_column_once():
    tables = tomllib.loads(Path(columns.__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    found = Counter(column.name for of in tables.values() for part in of.values() for column in declared(part))
    assert found == Counter(COLUMNS.keys())


def test_registry__tables_have_declared_columns_alone_and_each_once():
    for one in TABLES.values():
        assert set(one.columns) <= set(COLUMNS), one.name
        assert len(set(one.columns)) == len(one.columns), one.name


def test_table__has_its_own_columns_and_those_of_others_in_the_order_given():
    assert TABLES["volleys"].key == ("attacker", "target")
    assert TABLES["volleys"].columns[2:5] == ("attacks", "attacker_requisition", "expected_damage")
    assert [column.name for column in declared({"unit name": [], "word": ["text", "a word"]})] == ["word"]


def test_kinds__give_a_type_and_a_unit_with_the_unit_behind_the_kind_first():
    found = {column.name: column[1:3] for column in declared({"a": ["whole turns", ""], "b": ["gap", ""]})}
    assert found == {"a": ("int64", "turns"), "b": ("float64", "-1 to 1")}


def test_headings__are_names_with_spaces_where_nothing_else_is_said():
    plain, said = declared({"of_it": ["share", "it"], "of_that": ["share", "that", "other words"]})
    assert (plain.heading, said.heading) == ("of it", "other words")


def test_ends__read_from_and_to_in_this_order():
    low, high = declared({"worth_low worth_high": ["points", "{} end of an interval of worth", "{}"]})
    assert (low.name, low.heading, low.meaning) == ("worth_low", "from", "lower end of an interval of worth")
    assert (high.name, high.heading, high.meaning) == ("worth_high", "to", "higher end of an interval of worth")
