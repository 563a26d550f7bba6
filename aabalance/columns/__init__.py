"""The output tables and their columns, each declared once: results, docs and CSV headers use these words.

`column` says what a column and a table are. Each other file declares the tables of one subject: a column stands in the
first table that has it, with its name, its type, its unit, what it holds, and the heading above it. Users read these
texts on a report's page and in docs/reference.md, where the words *holding*, *fresh target* and *equal requisition* are
explained. "The unit" is the unit of the row.
"""

from __future__ import annotations

from aabalance.columns import battles, changes, duels, lists, matches, matchups, playtests, prices, rosters
from aabalance.columns.column import CURRENCY, EFFECT, LENGTH, SIGNED, Column, Table

__all__ = ["COLUMNS", "CURRENCY", "EFFECT", "LENGTH", "SIGNED", "TABLES", "Column", "Table"]

DECLARED = [
    table
    for subject in (matchups, rosters, duels, battles, matches, prices, lists, playtests, changes)
    for table in subject.TABLES
]
TABLES = {table.name: table for table, _ in DECLARED}
COLUMNS = {column.name: column for _, own in DECLARED for column in own}
