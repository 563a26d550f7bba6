"""The command line: what ``aabalance`` and ``python -m aabalance`` run."""

import sys


def main() -> None:
    """Run a command; an interrupt while its modules are imported is quiet, with the exit code of any other."""
    try:
        from aabalance import cli
    except KeyboardInterrupt:
        sys.exit(130)
    cli.main(prog_name="aabalance")


if __name__ == "__main__":
    main()
