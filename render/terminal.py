"""Pictures in a terminal: half blocks in true colour, two pixels a character."""

from collections.abc import Iterator

import numpy as np

from render.canvas import Picture


def lines(picture: Picture, width: int) -> Iterator[str]:
    """Yield the lines that show ``picture`` at most ``width`` characters wide."""
    step = max(1, -(-picture.pixels.shape[1] // max(1, min(width, 100))))
    rows, columns = (n // step for n in picture.pixels.shape)
    pixels = picture.palette[picture.pixels[: rows * step, : columns * step]].astype(np.uint32)
    small = pixels.reshape(rows, step, columns, step, 3).mean(axis=(1, 3)).astype(np.uint8)
    for row in range(0, rows - 1, 2):
        yield (
            "".join(
                f"\x1b[38;2;{u[0]};{u[1]};{u[2]};48;2;{d[0]};{d[1]};{d[2]}m▀"
                for u, d in zip(small[row], small[row + 1], strict=True)
            )
            + "\x1b[0m"
        )
