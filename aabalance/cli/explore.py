"""The command that opens the explorer in a browser. Imports nothing but click."""

from __future__ import annotations

import click

from aabalance.cli import options
from aabalance.cli.terminal import wait_for_user
from aabalance.errors import whole_number

PORT, MOST_PORT = 8777, 65535


@click.command()
@click.argument("a", required=False)
@click.argument("b", required=False)
@click.option("--range", "range_in", type=float, metavar="DISTANCE", help="Distance at the start.")
@click.option("--port", default=PORT, show_default=True, metavar="N", help="Port to listen on; 0 picks a free one.")
@click.option("--no-browser", is_flag=True, help="Print the address without opening a browser.")
@options.takes_game
def explore(
    choice: options.Choice, a: str | None, b: str | None, range_in: float | None, port: int, no_browser: bool
) -> None:
    """Open the explorer in the browser, with two units or lists. Ctrl-C ends it.

    It answers only this machine, and loads nothing from elsewhere.
    """
    from aabalance.explorer.scene import Scene
    from aabalance.explorer.server import serve

    def ready(address: str) -> None:
        wait_for_user()
        click.echo(f"{address}  (Ctrl-C ends it)")
        if not no_browser:
            import webbrowser

            webbrowser.open(address)

    serve(Scene.of(choice.game(), a, b, range_in), whole_number("--port", port, 0, MOST_PORT), ready)
