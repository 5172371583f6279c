"""Colours as a picture's own profile (ICC) means them, in sRGB."""

from __future__ import annotations

from functools import lru_cache
from io import BytesIO
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageCms import ImageCmsTransform

_EQUAL = 2
"""Levels of 255 by which a profile may move the colours of sRGB and still be sRGB."""
_SPACES = {"RGB": "RGB", "GRAY": "L", "CMYK": "CMYK"}
"""What a picture must be for a profile of such a space, by Pillow's name."""
_GREYS = ("1", "L", "LA", "La")


class BrokenProfile(ValueError):
    """The profile of a picture can't be understood."""


def in_srgb(image: Image) -> Image:
    """Return an image of 8 bits in the colours that its profile means.

    What is transparent stays so. Returned as it is where there is no profile, where it is that of
    sRGB, and where it belongs to a picture of another kind (of print colours, say): programs leave
    it in the file when they convert a picture, and viewers pass over it. Raises BrokenProfile.
    """
    profile = image.info.get("icc_profile")
    if not profile:
        return image
    try:
        mode, change = _change(profile)
    except Exception:  # the library raises whatever it stumbles over
        raise BrokenProfile("the picture has a colour profile that is broken") from None
    print_colours = image.mode == "CMYK"
    fits = image.mode in _GREYS if mode == "L" else print_colours == (mode == "CMYK")
    if change is None or not fits:
        return image
    out = change.apply(image.convert(mode))
    if image.has_transparency_data:
        out.putalpha(image.convert("RGBA").getchannel("A"))
    return out


@lru_cache(maxsize=8)
def _change(profile: bytes) -> tuple[str, ImageCmsTransform | None]:
    """Return for which pictures a profile is, and the way from it to sRGB; None if it is sRGB."""
    from PIL.ImageCms import ImageCmsProfile, buildTransform, createProfile

    known = ImageCmsProfile(BytesIO(profile))
    mode = _SPACES.get(known.profile.xcolor_space.strip(), "")
    if not mode:
        return mode, None
    change = buildTransform(known, ImageCmsProfile(createProfile("sRGB")), mode, "RGB")
    return mode, None if mode != "CMYK" and _changes_nothing(change, mode) else change


def _changes_nothing(change: ImageCmsTransform, mode: str) -> bool:
    import numpy as np
    from PIL import Image

    levels = np.arange(0, 256, 15, dtype=np.uint8)
    colours = np.stack(np.meshgrid(levels, levels, levels), axis=-1).reshape(1, -1, 3)
    before = Image.fromarray(colours).convert(mode)
    after = np.asarray(change.apply(before), np.int16)
    return bool(np.abs(after - np.asarray(before.convert("RGB"), np.int16)).max() <= _EQUAL)
