"""python -m cli: the same as the command puzzles."""

from cli import main

main()
