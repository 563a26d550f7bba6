"""The command that checks claims on balance. Imports nothing but click."""

from __future__ import annotations

from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING

import click

from aabalance.cli import options
from aabalance.cli.paths import as_output, as_path
from aabalance.cli.sweeps import takes_sweep
from aabalance.cli.terminal import BAD, print_block, print_json, print_table, print_unusual, progress
from aabalance.errors import UsageError, counted

if TYPE_CHECKING:
    from aabalance.definitions.gate import Gate
    from aabalance.game import Game

FAILED = 1


@click.command()
@click.argument("spec", required=False, metavar="[SPEC]")
@click.option(
    "--baseline",
    callback=as_path,
    metavar="DIR",
    help="Folder of accepted numbers.  [default: in baseline/, next to SPEC]",
)
@click.option("--update-baseline", "update", is_flag=True, help="Accept the present numbers; judge nothing.")
@click.option(
    "--undecided",
    type=click.Choice(["pass", "fail"]),
    help="Whether the gate passes or fails undecided claims.  [default: SPEC's]",
)
@click.option("--junit", callback=as_output(), metavar="FILE", help="Also write JUnit XML.")
@click.option("--markdown", callback=as_output(), metavar="FILE", help="Also write a summary in Markdown.")
@click.option("--github", is_flag=True, help="Also print GitHub annotations that point at cards.")
@options.seed_option("the dice")
@takes_sweep
@options.takes_game
@options.takes_boards
@options.json_option
@click.pass_context
def gate(
    ctx: click.Context,
    choice: options.Choice,
    spec: str | None,
    baseline: Path | None,
    update: bool,
    undecided: str | None,
    junit: Path | None,
    markdown: Path | None,
    github: bool,
    seed: int,
    as_json: bool,
) -> None:
    """Check whether the cards keep the claims about balance in a file.

    SPEC is a gate file, or the name of a shipped gate. The default is the game's own. Exit code 1: a claim is broken
    and isn't marked as known. Exit code 2: a file is wrong, or accepted numbers are missing; all other claims are
    still judged.
    """
    from aabalance import files
    from aabalance.errors import whole_number
    from aabalance.gate import outputs
    from aabalance.gate.baseline import missing_baseline, read_baseline
    from aabalance.gate.judge import judge, read
    from aabalance.play.sample import MOST_SEED

    seed = whole_number("seed", seed, 0, MOST_SEED)
    asked = None if spec and not choice.named else choice.name
    meant, game = read(spec, asked, lambda name: choice._replace(name=name).game())
    folder = baseline or meant.path.parent / "baseline" / meant.name
    if update:
        if choice.changes:
            raise UsageError("--set: found a what-if, expected none: --update-baseline accepts the cards")
        verdicts = {"undecided": undecided, "junit": junit, "markdown": markdown, "github": github, "json": as_json}
        if told := next((name for name, value in verdicts.items() if value), ""):
            raise UsageError(f"--{told}: found it with --update-baseline, which judges nothing, expected one of them")
        _update(meant, game, folder, seed)
        return
    wanted = {path: write for path, write in ((junit, outputs.junit), (markdown, outputs.markdown)) if path}
    if len(wanted) < (junit is not None) + (markdown is not None):
        raise UsageError(f"--markdown: found {markdown}, where --junit goes, expected another file")
    numbers = read_baseline(meant, game, folder)
    with progress(len(meant.claims), "claims") as advance:
        judged = judge(meant, game, numbers, seed=seed, advance=advance)
    run = outputs.Run(meant, game, judged, undecided or meant.undecided, seed)
    files.write_all({path: write(run) for path, write in wanted.items()})
    token = token_hex()
    if github:  # names in what follows may be somebody's who wants to silence or forge annotations
        click.echo(f"::stop-commands::{token}", err=as_json)
    if as_json:
        print_json(outputs.json_of(run))
    else:
        print_unusual(game)
        print_table(outputs.HEADER, outputs.rows(run))
        click.echo()
        for one in outputs.told(run):
            print_block(f"{one.status}: {one.claim.says} ({one.id})", outputs.details(run, one))
        click.echo(run.summary)
    if github:
        for line in (f"::{token}::", *outputs.github(run)):
            click.echo(line, err=as_json)
    if missing := missing_baseline(meant, folder):
        click.echo(f"error: {missing}", err=True)
    if run.failed:
        ctx.exit(FAILED if run.broken else BAD)


def _update(meant: Gate, game: Game, folder: Path, seed: int) -> None:
    """Write the numbers as they are now as the accepted ones."""
    from aabalance import files
    from aabalance.gate.baseline import baseline_paths, written_baseline
    from aabalance.gate.evidence import Evidence, known

    paths = baseline_paths(meant, folder)
    if not paths:
        raise UsageError(f"--update-baseline: found no claim of kind 'baseline' in {meant.path}, expected one at least")
    files.probe_all(paths.values())
    evidence = Evidence(game, seed)
    now = {measure: evidence.kept(measure) for measure in paths}
    files.write_all(written_baseline(meant, game, folder, now))
    for measure, path in paths.items():
        click.echo(f"{path}: {counted(len(known(now[measure])), 'number')}")
