"""The output tables and their columns, each declared once: results, docs and CSV headers use these words.

meanings: what each column holds. tables: which columns a table has.
"""

from __future__ import annotations

from aabalance.columns.meanings import COLUMNS, CURRENCY, Column, describe
from aabalance.columns.tables import TABLES, Table

__all__ = ["COLUMNS", "CURRENCY", "TABLES", "Column", "Table", "describe"]
