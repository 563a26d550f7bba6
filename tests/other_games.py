"""Games of another distribution, as if it were installed."""

from __future__ import annotations

from pathlib import Path


def offer(folder: Path, **modules: str) -> None:
    """Let a distribution in a folder of ``sys.path`` offer games: by name, the module that has the ``RULESET``."""
    info = folder / "other_games-1.0.dist-info"
    info.mkdir(exist_ok=True)
    lines = ["[aabalance.games]", *(f"{name} = {module}:RULESET" for name, module in modules.items())]
    (info / "entry_points.txt").write_text("\n".join(lines), encoding="utf-8")
