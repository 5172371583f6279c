"""Boards read from the files that image models return: of any size, mode and rotation."""

import io
import zlib
from collections.abc import Callable
from struct import pack

import numpy as np
import pytest
from PIL import Image

from benchmarks.ladder import cases
from puzzles import NAMES, family
from puzzles.reading import read

SEED = 40961
"""Its boards are not those on which anything was tuned."""


def saved(image: Image.Image, form: str = "PNG", **options: object) -> bytes:
    out = io.BytesIO()
    image.save(out, form, **options)
    return out.getvalue()


def sized(image: Image.Image, longest: int) -> Image.Image:
    width, height = (round(side * longest / max(image.size)) for side in image.size)
    return image.resize((width, height), Image.Resampling.BICUBIC)


def sixteen_bits(image: Image.Image) -> bytes:
    """Pillow writes no RGB of 16 bits, so the PNG is put together here."""
    levels = np.asarray(image).astype(">u2") * 257
    rows = b"".join(b"\0" + row.tobytes() for row in levels)

    def chunk(kind: bytes, data: bytes) -> bytes:
        return pack(">I", len(data)) + kind + data + pack(">I", zlib.crc32(kind + data))

    head = pack(">IIBBBBB", image.width, image.height, 16, 2, 0, 0, 0)
    body = chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + body


def photographed(image: Image.Image) -> bytes:
    """Lying on its side, and the file says so."""
    exif = Image.Exif()
    exif[0x0112] = 6
    return saved(image.transpose(Image.Transpose.ROTATE_90), "JPEG", quality=90, exif=exif)


def on_nothing(image: Image.Image) -> bytes:
    """With a border that is transparent."""
    out = Image.new("RGBA", (image.width + 60, image.height + 60), (0, 0, 0, 0))
    out.paste(image, (30, 30))
    return saved(out)


def framed(image: Image.Image) -> bytes:
    out = Image.new("RGB", (image.width + 50, image.height + 50), "black")
    out.paste(image, (25, 25))
    return saved(out, "JPEG", quality=80)


FORMS: dict[str, Callable[[Image.Image], bytes]] = {
    "256 pixels": lambda image: saved(sized(image, 256)),
    "2048 pixels, jpeg of quality 40": lambda i: saved(sized(i, 2048), "JPEG", quality=40),
    "1024 pixels, webp": lambda image: saved(sized(image, 1024), "WEBP", quality=70),
    "wider": lambda i: saved(i.resize((i.width * 104 // 100, i.height), Image.Resampling.BICUBIC)),
    "a palette": lambda image: saved(image.quantize(64)),
    "16 bits": sixteen_bits,
    "a photo on its side": photographed,
    "a transparent border": on_nothing,
    "a black border": framed,
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", NAMES)
def test_a_board_is_read_from_any_form_of_file(name: str, form: str) -> None:
    room, (case,) = family(name), cases(name, 1, SEED)
    picture = room.draw(case.state, 64)
    data = FORMS[form](Image.fromarray(picture.palette[picture.pixels]))
    seen = read(room, data, case.before)
    assert room.reading
    assert (room.reading.parts(seen) == room.reading.parts(case.state)).all()
