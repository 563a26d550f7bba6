"""The registry of tables and their columns."""

from __future__ import annotations

from collections import Counter

from aabalance.columns import COLUMNS, DECLARED, TABLES
from aabalance.columns.column import ends, share, table, text


def test_registry__declares_each_table_and_each_column_once():
    assert len(TABLES) == len(DECLARED)
    assert Counter(column.name for _, own in DECLARED for column in own) == Counter(COLUMNS.keys())


def test_registry__tables_have_declared_columns_alone_and_each_once():
    for one in TABLES.values():
        assert set(one.columns) <= set(COLUMNS), one.name
        assert len(set(one.columns)) == len(one.columns), one.name


def test_table__has_its_own_columns_and_those_of_others_in_the_order_given():
    own = text("word", "a word"), share("part", "a part")
    found, declared = table("mine", ["unit", own[0]], "score worth", own[1])
    assert found.columns == ("unit", "word", "score", "worth", "part")
    assert (found.key, declared) == (("unit", "word"), list(own))


def test_ends__read_from_and_to_in_this_order():
    low, high = ends("worth", "points", "an interval of worth")
    assert (low.name, low.heading, low.meaning) == ("worth_low", "from", "lower end of an interval of worth")
    assert (high.name, high.heading, high.meaning) == ("worth_high", "to", "higher end of an interval of worth")
    assert [one.heading for one in ends("worth", "points", "it", ("least", "most"))] == ["least", "most"]
