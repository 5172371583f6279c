"""Drawing and reading of grids of cells; knows pixels, not puzzles."""
