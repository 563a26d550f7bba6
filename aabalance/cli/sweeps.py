"""Where tables are worked out: the options for processes, a cluster and the cache, and the command for cached results.

Imports only click.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from aabalance.cli import options
from aabalance.cli.terminal import debug_option
from aabalance.errors import OutputError, UsageError, counted, whole_number

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from aabalance.jobs.store import Store

MOST_WORKERS = 1024
CONNECTED = "10s"
MEGABYTE = 1e6


def takes_sweep(command: options.Command) -> options.Command:
    """Give a command the options that say where its tables are worked out, and run it there; it gets none of them."""

    @wraps(command)
    def with_sweep(workers: int | None, scheduler: str | None, no_cache: bool, **kwargs: Any) -> None:
        with _sweeping(workers, scheduler, not no_cache):
            command(**kwargs)

    decorated = options.gives(
        options.number_option("--workers", "Use N processes instead of threads."),
        click.option("--scheduler", metavar="ADDRESS", help="Compute on a dask cluster: tcp://host:8786."),
        click.option("--no-cache", is_flag=True, help="Neither read nor store cached results."),
    )
    return decorated(with_sweep)


@contextmanager
def _sweeping(workers: int | None, scheduler: str | None, cache: bool) -> Iterator[None]:
    from aabalance.jobs.sweeps import processes, sweeping

    if workers is not None and scheduler is not None:
        raise UsageError(f"--workers: found it with --scheduler {scheduler}, expected one of them")
    with ExitStack() as stack:
        executor: Executor | None = None
        if workers is not None:
            executor = stack.enter_context(processes(whole_number("--workers", workers, 1, MOST_WORKERS)))
        if scheduler is not None:
            executor = stack.enter_context(_cluster(scheduler))
        stack.enter_context(sweeping(executor=executor, cache=cache, alone=False))
        yield


@contextmanager
def _cluster(address: str) -> Iterator[Executor]:
    """Connect to a dask cluster.

    Raises
    ------
    UsageError
        dask isn't installed, nobody answers, or workers write to disk what they would have to unpickle.
    """
    try:
        from distributed import Client
    except ImportError:
        raise UsageError(
            "--scheduler: found no dask, expected the extra of this name: python -m pip install 'aabalance[cluster]'"
        ) from None
    from aabalance.jobs.sweeps import spills

    try:
        client: Any = Client(address, timeout=CONNECTED, set_as_default=False)  # type: ignore[no-untyped-call]
    except Exception as error:  # whatever a stranger at that address makes of it
        why = str(error).partition("\n")[0] or type(error).__name__
        raise UsageError(f"--scheduler: found nobody who answers at {address}: {why}") from None
    # Of a cluster that is lost we say so in one line; dask would add its own.
    logging.disable()
    try:
        with client:
            if spilling := [worker for worker, spilled in client.run(spills).items() if spilled]:
                raise UsageError(
                    f"--scheduler: found {spilling[0]}, which spills to disk, expected workers that don't: "
                    "DASK_DISTRIBUTED__WORKER__MEMORY__SPILL=false DASK_DISTRIBUTED__WORKER__MEMORY__TARGET=false"
                )
            yield client.get_executor()
    finally:
        logging.disable(logging.NOTSET)


# --- cached results


@click.group()
@debug_option
def cache() -> None:
    """Show or clear the cached results. Commands read them instead of computing them again."""


@cache.command()
@debug_option
def info() -> None:
    """Show where cached results are stored, and how much space they take."""
    with closing(_store()) as store:
        entries, size = store.size()
    most = store.most / MEGABYTE
    click.echo(f"{store.folder}: {counted(entries, 'result')}, {size / MEGABYTE:.1f} MB of at most {most:.0f}")


@cache.command()
@debug_option
def clear() -> None:
    """Remove all cached results."""
    with closing(_store()) as store:
        entries, _ = store.size()
        store.clear()
        left, _ = store.size()
    if left:
        raise OutputError(f"{store.folder}: {counted(left, 'result')} can't be removed")
    click.echo(f"{store.folder}: {counted(entries, 'result')} removed")


def _store() -> Store:
    from aabalance.jobs import store

    folder = store.cache_dir()
    if folder is None:
        raise UsageError(f"cache: found {store.CACHE_VARIABLE} empty, expected a folder, or no such variable")
    return store.Store(folder)
