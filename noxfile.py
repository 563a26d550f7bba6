"""Sessions of checks: ``nox`` runs lint, types and the quick tests, ``nox -s NAME`` one, ``nox -l`` lists them.

Each has an environment of its own with the versions of requirements.lock; `.ci/run` does all of it, and more, in one.
"""

from pathlib import Path

import nox

nox.needs_version = ">=2025.2.9"
nox.options.sessions = ["lint", "types", "quick"]
nox.options.reuse_existing_virtualenvs = True
PYTHONS = ["3.11", "3.12", "3.13", "3.14"]


def install(session: nox.Session) -> None:
    """Install the lock and the checkout, as the README does."""
    session.install("-r", "requirements.lock")
    session.install("--no-build-isolation", "--no-deps", "-e", ".")


@nox.session
def lint(session: nox.Session) -> None:
    """Style, format, docstrings that name parameters that are there, import contracts."""
    install(session)
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")
    session.run("numpydoc", "lint", *map(str, Path("aabalance").rglob("*.py")))
    session.run("lint-imports")


@nox.session
def types(session: nox.Session) -> None:
    """Check types with mypy, as strictly as pyproject.toml says."""
    install(session)
    session.run("mypy")


@nox.session
def quick(session: nox.Session) -> None:
    """Tests that are neither slow nor need a browser; pytest's options after ``--``."""
    install(session)
    session.run("pytest", "-m", "not slow and not browser", *session.posargs)


@nox.session(python=PYTHONS)
def tests(session: nox.Session) -> None:
    """Run all tests, for each Python; pytest's options after ``--``."""
    install(session)
    session.run("pytest", *session.posargs)


@nox.session
def docs(session: nox.Session) -> None:
    """Make the documentation's site, in build/docs."""
    install(session)
    session.run("sphinx-build", "-W", "--keep-going", "-n", "docs", "build/docs")


@nox.session
def bench(session: nox.Session) -> None:
    """Measure the engine against its baselines; ``-- --quick`` in a minute or two."""
    install(session)
    session.run("python", "-m", "benchmarks", *session.posargs)


@nox.session
def coverage(session: nox.Session) -> None:
    """Which lines the tests run, compiled ones too, in build/coverage: half an hour."""
    install(session)
    fresh = session.create_tmp()  # numba says which lines it compiles only while it does
    told = {"NUMBA_JIT_COVERAGE": "1", "NUMBA_CACHE_DIR": fresh}
    session.run("coverage", "run", "-m", "pytest", "-n", "0", *session.posargs, env=told)
    session.run("coverage", "html", "-q", "-d", "build/coverage")
    session.run("coverage", "report", "--skip-covered", "--sort", "cover")
