"""The explorer in a browser, without a notebook: a server for this machine alone, of the standard library.

``/`` is the page with the controls, ``/view/NAME`` an answer as HTML, the same that a notebook shows. The query holds
what differs from the scene to begin with, so that an address can be kept, and nothing else has to be.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import lru_cache
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import resources
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from markupsafe import Markup

from aabalance.errors import UsageError, counted
from aabalance.explorer import views
from aabalance.explorer.controls import ALIKE, Control, Part, as_text, asked, chosen, parts, presets
from aabalance.explorer.scene import Scene
from aabalance.files import templates

HOST = "127.0.0.1"
"""Only programs on this machine can ask."""
DISTANCE = Control("range_in", "number", None)


class Explorer:
    """The page and the answers.

    Parameters
    ----------
    first : Scene
        The scene to begin with.
    """

    def __init__(self, first: Scene) -> None:
        self.first, self.views = first, views.views(first)
        self.scene = lru_cache(maxsize=16)(self._scene)  # a question is asked once for each view
        self._slow = threading.Lock()

    def parts(self, query: Mapping[str, str]) -> list[Part]:
        """Return the parts of the controls, for the units that are chosen."""
        ids = self.first.game.cards
        return parts(self.first, *dict.fromkeys(ids.id_of(query.get(side, getattr(self.first, side))) for side in "ab"))

    def _scene(self, query: str) -> Scene:
        """Return the scene that a query describes."""
        given = dict(parse_qsl(query, keep_blank_values=True))
        first, ids = self.first, self.first.game.cards
        return asked(
            first,
            {part.key: part.given(given) for part in self.parts(given)},
            a=ids.id_of(given.get("a", first.a)),
            b=ids.id_of(given.get("b", first.b)),
            range_in=chosen(DISTANCE, given.get("range_in", str(first.range_in))),
        )

    def page(self, query: str) -> str:
        """Return the page with the controls set as a query has them."""
        given = dict(parse_qsl(query, keep_blank_values=True))
        here, game = resources.files(__package__) / "page", self.first.game
        style, script = ((here / name).read_text("utf-8") for name in ("page.css", "page.js"))
        nations: dict[str, list[tuple[str, str]]] = {}
        for unit, card in game.cards.items():
            nations.setdefault(getattr(card, "nation", ""), []).append((card.name, unit))
        return templates(__package__).get_template("page/page.html.j2").render(
            game=game, given=given, first=self.first, parts=self.parts(given), as_text=as_text, views=self.views,
            alike=ALIKE, to_copy=views.TO_COPY, compare=views.COMPARE, presets=presets(game), style=Markup(views.STYLE),
            css=Markup(style), script=Markup(script), nations=nations, unusual=game.provenance().unusual(),
            ranges=self.first.distances,
            cards=counted(len(game.cards), "card"),
        )  # fmt: skip

    def view(self, name: str, query: str) -> str:
        """Return an answer as HTML, or a text to be copied."""
        given = dict(parse_qsl(query, keep_blank_values=True))
        scene = self.scene(query)
        if name in views.TO_COPY:
            return views.to_copy(views.TO_COPY[name][1](scene))
        view = self.views[name]
        scenes = views.compared(scene, given.get("compare", views.CHANGES), given.get("other", scene.a))
        if view.quick:
            return views.framed(views.shown(view, scenes, f"explain_{name}" in given))
        with self._slow:  # they use all processors
            return views.framed(views.shown(view, scenes))


def serve(first: Scene, port: int, ready: Callable[[str], object]) -> None:
    """Serve the explorer until it is interrupted.

    Parameters
    ----------
    first : Scene
        The scene to begin with.
    port : int
        Where; 0 for any that is free.
    ready : callable
        Called with the address, once somebody answers there.

    Raises
    ------
    UsageError
        The port is taken.
    """
    explorer = Explorer(first)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            address = urlsplit(self.path)
            folder, _, name = address.path.strip("/").rpartition("/")
            try:
                if address.path == "/":
                    status, text = HTTPStatus.OK, explorer.page(address.query)
                elif folder == "view" and name in {*explorer.views, *views.TO_COPY}:
                    status, text = HTTPStatus.OK, explorer.view(name, address.query)
                else:
                    status, text = HTTPStatus.NOT_FOUND, ""
            except Exception as error:  # of whatever kind: the page shows it, and goes on working
                status, text = HTTPStatus.UNPROCESSABLE_ENTITY, views.framed(views.wrong(error))
            sent = text.encode()
            self.send_response(status)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(sent)))
            self.send_header("Cache-Control", "no-store")
            self.end_headers()
            self.wfile.write(sent)

        def log_message(self, *_: Any) -> None:
            pass

    class Server(ThreadingHTTPServer):
        allow_reuse_address = sys.platform != "win32"  # there it would let two servers have one port

        def handle_error(self, *_: Any) -> None:  # a browser that left before it had its answer
            pass

    try:
        server = Server((HOST, port), Handler)
    except (OSError, OverflowError) as error:
        raise UsageError(
            f"--port: found {port}, where nobody can listen ({error}), expected a free port, or 0"
        ) from None
    with server, suppress(KeyboardInterrupt):
        ready(f"http://{HOST}:{server.server_port}/")
        server.serve_forever()
