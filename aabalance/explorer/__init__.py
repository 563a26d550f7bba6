"""Matchups explored under controls, in a notebook or a browser; the only part of the package that knows ipywidgets.

`scene` holds a question and works out its answers, without widgets. `controls` reads from the schemas which values may
be set. `views` and `pictures` show answers as HTML and SVG. `fields` makes a widget for each value, and `widgets` puts
everything together in a notebook; `server` does so for a browser.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from aabalance.explorer.scene import Scene
from aabalance.game import Game, game_of

if TYPE_CHECKING:
    from aabalance.explorer.widgets import Explorer

__all__ = ["explore"]


def explore(
    game: Game | str, a: str | None = None, b: str | None = None, *, range_in: float | None = None, **fields: Any
) -> Explorer | Scene:
    """Explore matchups with controls: the shot explained, kill probability, duel, battle of lists, worth.

    Change a unit, the distance, a rule or a number of a card, and see which answers change. Outside of a notebook, the
    same answers come without controls.

    Parameters
    ----------
    game : Game or str
        The game: a ruleset with its cards and variant.
    a, b : str, optional
        The two units to begin with, by id or name, or lists, as ``3 Tiger I, 2 de_pz4h``, of which the first unit is
        looked at alone; by default the first pair that the game's own report draws.
    range_in : float, optional
        Distance to begin with, in the game's unit of length; by default the commonest of the game's own report.
    **fields
        Fields of the game's `Moment` to begin with, and ``posture_a``, ``posture_b``, ``first``, ``rounds``,
        ``actions``, ``mixed`` and ``variant``.

    Returns
    -------
    Explorer or Scene
        In a notebook, widgets. Elsewhere, or without ipywidgets, the `Scene`, which has ``shot``, ``duel``, ``curves``,
        ``battle``, ``worth``, ``code()`` and ``card(unit)``, and ``with_(...)`` for another.

    Raises
    ------
    UsageError
        There is no such unit or field, or a value is out of range.

    Examples
    --------
    >>> import aabalance as aab
    >>> explorer = aab.explore(aab.Game(), "de_tiger1", "su_t34_85", range_in=18)
    """
    game = game_of(game)
    scene = Scene.of(game, a, b, range_in, **fields)
    missing = _missing()
    if missing:
        print(
            f"explore: found {missing}, expected JupyterLab or Notebook 7 with ipywidgets "
            "(pip install 'aabalance[notebook]'), or `aabalance explore` in a shell: "
            "here are the answers without controls, .shot, .duel, .battle, .worth",
            file=sys.stderr,
        )
        return scene
    from aabalance.explorer.widgets import Explorer

    return Explorer(scene)


def _missing() -> str:
    """Return what is missing for showing widgets, for an error text; an empty text in a notebook that has all."""
    if find_spec("ipywidgets") is None:
        return "no ipywidgets"
    shell = sys.modules.get("IPython")
    running = shell.get_ipython() if shell else None
    return "" if hasattr(running, "kernel") else "no notebook"
