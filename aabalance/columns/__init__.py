"""The output tables and their columns, each declared once: results, docs and CSV headers use these words.

meanings: what each column holds. tables: which columns a table has.
"""

from __future__ import annotations

from aabalance.columns.meanings import COLUMNS, CURRENCY, EFFECT, LENGTH, Column, describe
from aabalance.columns.tables import TABLES, Table

__all__ = ["COLUMNS", "CURRENCY", "EFFECT", "LENGTH", "TABLES", "Column", "Table", "describe"]
