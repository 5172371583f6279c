"""Examples that train on the puzzles; each runs as ``python -m examples.NAME`` from the root."""
