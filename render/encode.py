"""Pictures as PNG bytes, Pillow images and animations."""

import struct
import zlib
from collections.abc import Sequence
from io import BytesIO
from typing import TYPE_CHECKING

import numpy as np
from isal import isal_zlib

from render.canvas import Picture

if TYPE_CHECKING:
    from PIL.Image import Image

_SIGNATURE = b"\x89PNG\r\n\x1a\n"


def png(picture: Picture) -> bytes:
    """An 8-bit palette PNG, unfiltered, compressed for speed."""
    height, width = picture.pixels.shape
    lines = np.empty((height, width + 1), np.uint8)
    lines[:, 0] = 0
    lines[:, 1:] = picture.pixels
    return b"".join(
        (
            _SIGNATURE,
            _chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)),
            _chunk(b"PLTE", picture.palette.tobytes()),
            _chunk(b"IDAT", isal_zlib.compress(lines, 1)),
            _chunk(b"IEND", b""),
        )
    )


def image(picture: Picture) -> "Image":
    """A Pillow image of mode "P"."""
    from PIL import Image

    height, width = picture.pixels.shape
    out = Image.frombytes("P", (width, height), picture.pixels.tobytes())
    out.putpalette(picture.palette.tobytes(), "RGB")
    return out


def gif(pictures: Sequence[Picture], ms: int) -> bytes:
    """An animation that loops, each picture shown for ``ms`` milliseconds.

    The first and the last stay four times as long, so that a reader sees where it begins and ends.
    """
    if not pictures:
        raise ValueError("an animation needs at least one picture")
    first, *rest = [image(picture) for picture in pictures]
    buffer = BytesIO()
    times = [ms] * len(pictures)
    times[0] = times[-1] = 4 * ms
    first.save(buffer, "GIF", save_all=True, append_images=rest, duration=times, loop=0)
    return buffer.getvalue()


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
