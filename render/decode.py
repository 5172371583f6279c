"""Pictures that a model has drawn, or another generator: checked, and brought into one form."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

from render.colour_profile import BrokenProfile, in_srgb
from render.whole import is_whole

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from PIL.Image import Image as Opened

    Source = bytes | str | PathLike[str] | Opened | NDArray[Any]
    """A picture: its bytes, its file, opened with Pillow, or as pixels."""

MOST_BYTES = 64 * 1024 * 1024
MOST_PIXELS = 4096 * 4096
MOST_FRAMES, MOST_FRAME_PIXELS = 1000, 1 << 30
"""Of an animation: its pictures, and their pixels taken together."""
MOST_SCANS = 100
"""Of a JPEG; programs write ten, and each of hundreds of thousands would be decoded."""
LONGEST_SIDE = 2048
"""Larger pictures are made smaller before they are kept and shown."""
FORMATS = ("PNG", "JPEG", "WEBP", "GIF", "BMP")
"""Others are not tried: some start programs (EPS), and no endpoint sends them."""


class UnusablePicture(ValueError):
    """The bytes are no picture that can be shown; the message says why."""


class Header(NamedTuple):
    """What a picture tells of itself before it is decoded.

    scans
        How often a JPEG goes over all its pixels, each time for a few bytes only if it likes; 0
        where that can't be.
    """

    width: int
    height: int
    animated: bool
    scans: int


def header(data: bytes) -> Header | None:
    """Return what is known of a picture at once; None where ``opened`` couldn't make it either."""
    from PIL import Image

    try:
        with Image.open(BytesIO(data), formats=FORMATS) as image:
            photo = image.format in ("JPEG", "MPO")  # what follows in an MPO is its preview
            animated = not photo and getattr(image, "is_animated", False)
            return Header(*image.size, animated, _scans(image, data))
    except Exception:  # decoders raise whatever they stumble over
        return None


def _scans(image: Opened, data: bytes) -> int:
    return data.count(b"\xff\xda") if image.format in ("JPEG", "MPO") else 0


def received(data: bytes) -> bytes:
    """Return the picture in ``data``, as ``opened`` makes it, as a PNG; raise UnusablePicture."""
    out = BytesIO()
    opened(data).save(out, "PNG", compress_level=1)
    return out.getvalue()


def rgb(source: Source) -> NDArray[np.uint8]:
    """Return the pixels (H, W, 3) of a picture, as ``opened`` makes it; raise UnusablePicture.

    source
        Its bytes, the path of its file, a Pillow image, or an array: (H, W) greys or (H, W, 3 or
        4), of 8 or 16 bits, or floats from 0 to 1.
    """
    import numpy as np
    from PIL import Image

    if isinstance(source, bytes):
        return np.asarray(opened(source))
    if isinstance(source, (str, PathLike)):
        with file_of(source) as file:
            return np.asarray(opened(file.read(MOST_BYTES + 1)))
    if isinstance(source, Image.Image):
        return np.asarray(shown(source))
    try:
        pixels = np.asarray(source)
    except ValueError:
        raise UnusablePicture("lists of different lengths are no picture") from None
    plain = pixels.dtype == np.uint8 and pixels.shape[2:] == (3,) and pixels.size > 0
    if plain and max(pixels.shape) <= LONGEST_SIDE:
        return pixels
    return np.asarray(shown(_of_pixels(pixels)))


@contextmanager
def file_of(source: str | PathLike[str]) -> Iterator[BinaryIO]:
    """Open a file of a picture; raise UnusablePicture, also for what fails while it is open.

    What is no file is not opened: nothing may ever come out of a pipe, and of a device no end.
    """
    name = str(source)
    try:
        if "\0" in name or (Path(name).exists() and not Path(name).is_file()):
            raise UnusablePicture(f"{name}: it is no file")
        with Path(name).open("rb") as file:
            yield file
    except OSError as error:
        raise UnusablePicture(f"{name}: {error.strerror}") from None


def opened(data: bytes) -> Opened:
    """Return the picture in ``data`` in RGB, of at most LONGEST_SIDE a side.

    What is transparent is laid on white, a photo is turned upright, colours are those that its
    profile means, and of an animation the last picture counts. Raises UnusablePicture.
    """
    with held(data) as image:
        _seek_last(image)
        return shown(image)


@contextmanager
def held(data: bytes) -> Iterator[Opened]:
    """Open the picture in ``data``; raise UnusablePicture, also for what fails while it is held."""
    from PIL import Image, UnidentifiedImageError

    if not data:
        raise UnusablePicture("the picture is empty")
    if len(data) > MOST_BYTES:
        raise UnusablePicture(f"the picture has more than {MOST_BYTES:,} bytes")
    if not is_whole(data):
        raise UnusablePicture("the picture is cut off: the end of its file is missing")
    try:
        with Image.open(BytesIO(data), formats=FORMATS) as image:
            check_size(*image.size)
            if _scans(image, data) > MOST_SCANS:
                raise UnusablePicture(f"the picture is a JPEG of more than {MOST_SCANS} scans")
            yield image
    except UnusablePicture:
        raise
    except UnidentifiedImageError:
        known = ", ".join(FORMATS)
        raise UnusablePicture(f"the picture is not an image that can be read ({known})") from None
    except Image.DecompressionBombError:
        raise UnusablePicture(f"the picture has more than {MOST_PIXELS:,} pixels") from None
    except Exception as error:  # decoders raise whatever they stumble over
        raise UnusablePicture(f"the picture is damaged: {error}") from None


def shown(image: Opened) -> Opened:
    """Return what a viewer shows of an opened image, in RGB, of at most LONGEST_SIDE a side.

    Raises UnusablePicture where its colour profile is broken.
    """
    from PIL import ImageOps

    try:
        upright = in_srgb(_eight_bits(ImageOps.exif_transpose(image)))
    except BrokenProfile as error:
        raise UnusablePicture(str(error)) from None
    flat = _on_white(upright) if upright.has_transparency_data else upright.convert("RGB")
    if max(flat.size) > LONGEST_SIDE:
        flat.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
    flat.info.pop("icc_profile", None)  # else it would be saved, and applied once more
    return flat


def _of_pixels(pixels: NDArray[Any]) -> Opened:
    """Return an array as an image; raise UnusablePicture where it is none."""
    import numpy as np
    from PIL import Image

    if (
        pixels.ndim not in (2, 3)
        or not pixels.size
        or pixels.shape[2:] not in ((), (1,), (3,), (4,))
    ):
        raise UnusablePicture(f"an array of shape {pixels.shape} is no picture")
    if pixels.dtype.kind == "f":
        pixels = (np.nan_to_num(pixels).clip(0, 1) * 255 + 0.5).astype(np.uint8)
    elif pixels.dtype == np.uint16:
        pixels = (pixels >> 8).astype(np.uint8)
    elif pixels.dtype != np.uint8:
        raise UnusablePicture(f"pixels of type {pixels.dtype} are none of 8 or 16 bits, or floats")
    return Image.fromarray(pixels[..., 0] if pixels.shape[2:] == (1,) else pixels)


def _on_white(image: Opened) -> Opened:
    from PIL import Image

    ground = Image.new("RGBA", image.size, "white")
    return Image.alpha_composite(ground, image.convert("RGBA")).convert("RGB")


def check_size(width: int, height: int) -> None:
    """Raise UnusablePicture where a picture has too many pixels to be decoded."""
    if width * height > MOST_PIXELS:
        raise UnusablePicture(
            f"the picture has {width}x{height} pixels, more than {MOST_PIXELS:,} in all"
        )


def _seek_last(image: Opened) -> None:
    """Go to the last picture of an animation."""
    for _ in played(image):
        pass


def played(image: Opened) -> Iterator[Opened]:
    """Yield an open animation at each of its pictures in turn, a still picture once.

    Raises UnusablePicture where there are too many.
    """
    yield image
    if image.format == "MPO":  # what follows a photo is its preview
        return
    most = min(MOST_FRAMES, MOST_FRAME_PIXELS // (image.width * image.height))
    for frame in range(1, most + 1):
        try:
            image.seek(frame)
        except EOFError:
            return
        if frame < most:
            yield image
    raise UnusablePicture(f"the animation has more than {most:,} pictures of its size")


def _eight_bits(image: Opened) -> Opened:
    """Return greys of 16 bits with 8; old versions of Pillow would cut them off at 255."""
    from PIL import Image

    if not image.mode.startswith("I"):
        return image
    import numpy as np

    out = Image.fromarray((np.asarray(image) >> 8).clip(0, 255).astype(np.uint8))
    out.info = dict(image.info)
    return out
