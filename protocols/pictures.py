"""Pictures that a model has drawn, or another generator: checked, and brought into one form."""

from __future__ import annotations

from io import BytesIO

MOST_BYTES = 64 * 1024 * 1024
MOST_PIXELS = 4096 * 4096
LONGEST_SIDE = 2048
"""Larger pictures are made smaller before they are kept and shown."""


class UnusablePicture(ValueError):
    """The bytes are no picture that can be shown; the message says why."""


def received(data: bytes) -> bytes:
    """Return the picture in ``data`` as a PNG in RGB of at most LONGEST_SIDE a side.

    What is transparent is laid on white, a photo is turned upright, and of an animation the last
    picture counts. Raises UnusablePicture.
    """
    from PIL import Image, ImageOps, UnidentifiedImageError

    if not data:
        raise UnusablePicture("the picture is empty")
    if len(data) > MOST_BYTES:
        raise UnusablePicture(f"the picture has {len(data):,} bytes, more than {MOST_BYTES:,}")
    try:
        with Image.open(BytesIO(data)) as image:
            width, height = image.size
            if width * height > MOST_PIXELS:
                raise UnusablePicture(
                    f"the picture has {width}x{height} pixels, more than {MOST_PIXELS:,} in all"
                )
            image.seek(getattr(image, "n_frames", 1) - 1)
            upright = ImageOps.exif_transpose(image)
            rgba = upright.convert("RGBA")
    except UnusablePicture:
        raise
    except (UnidentifiedImageError, Image.DecompressionBombError):
        raise UnusablePicture("the reply's picture is not an image that can be read") from None
    except (OSError, ValueError, SyntaxError, EOFError, MemoryError) as error:
        raise UnusablePicture(f"the picture is damaged: {error}") from None
    ground = Image.new("RGBA", rgba.size, "white")
    flat = Image.alpha_composite(ground, rgba).convert("RGB")
    flat.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
    out = BytesIO()
    flat.save(out, "PNG", compress_level=1)
    return out.getvalue()
