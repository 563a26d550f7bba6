"""``python -m aabalance``: the command line."""

from aabalance.cli import main

main(prog_name="aabalance")
