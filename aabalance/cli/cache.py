"""The command for cached results, which others read in place of working them out again. Imports nothing but click."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from aabalance.cli.terminal import debug_option
from aabalance.errors import UsageError, counted

if TYPE_CHECKING:
    from aabalance.jobs.store import Store

MEGABYTE = 1e6


@click.group()
@debug_option
def cache() -> None:
    """Show or clear the cached results. Commands read them in place of working them out again."""


@cache.command()
@debug_option
def info() -> None:
    """Show where cached results are, and how much room they take."""
    store = _store()
    entries, size = store.size()
    most = store.most / MEGABYTE
    click.echo(f"{store.folder}: {counted(entries, 'result')}, {size / MEGABYTE:.1f} MB of at most {most:.0f}")


@cache.command()
@debug_option
def clear() -> None:
    """Remove all cached results."""
    store = _store()
    entries, _ = store.size()
    store.clear()
    click.echo(f"{store.folder}: {counted(entries, 'result')} removed")


def _store() -> Store:
    from aabalance.jobs import store

    folder = store.cache_dir()
    if folder is None:
        raise UsageError(f"cache: found {store.CACHE_VARIABLE} empty, expected a folder, or no such variable")
    return store.Store(folder)
