"""The output tables and their columns, each declared once: results, docs and CSV headers use these words.

column: what a column is. meanings: what each column holds, and what people read above it. tables: which columns a
table has.
"""

from __future__ import annotations

from aabalance.columns.column import CURRENCY, EFFECT, LENGTH, Column
from aabalance.columns.meanings import COLUMNS, describe
from aabalance.columns.tables import TABLES, Table

__all__ = ["COLUMNS", "CURRENCY", "EFFECT", "LENGTH", "TABLES", "Column", "Table", "describe"]
