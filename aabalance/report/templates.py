"""The Jinja templates of reports, comparisons and printed cards."""

from __future__ import annotations

import jinja2


def environment() -> jinja2.Environment:
    """Return an environment that loads the package's templates and escapes what goes into HTML."""
    return jinja2.Environment(
        loader=jinja2.PackageLoader("aabalance.report", "."),
        autoescape=lambda name: name is None or ".html" in name,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
