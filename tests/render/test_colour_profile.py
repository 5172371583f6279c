"""Pictures with a colour profile: the colours that it means count."""

import io
import struct
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageCms

from render.decode import UnusablePicture, opened, received

RED, TURNED = (255, 0, 48), (48, 0, 255)
SRGB = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()


def swapped() -> bytes:
    """A profile in which red and blue have changed places."""
    data, at = bytearray(SRGB), {}
    for k in range(struct.unpack_from(">I", SRGB, 128)[0]):
        name, start, length = struct.unpack_from(">4sII", SRGB, 132 + 12 * k)
        at[name] = slice(start, start + length)
    data[at[b"rXYZ"]], data[at[b"bXYZ"]] = SRGB[at[b"bXYZ"]], SRGB[at[b"rXYZ"]]
    return bytes(data)


def saved(image: Image.Image, kind: str = "PNG", **how: Any) -> bytes:
    out = io.BytesIO()
    image.save(out, kind, **how)
    return out.getvalue()


def test_the_profile_of_srgb_changes_no_pixel() -> None:
    pixels = np.random.default_rng(3).integers(0, 256, (30, 40, 3), np.uint8)
    data = saved(Image.fromarray(pixels), icc_profile=SRGB)
    assert (np.asarray(opened(data)) == pixels).all()


@pytest.mark.parametrize("mode", ["RGB", "RGBA", "P"])
@pytest.mark.parametrize("kind", ["PNG", "WEBP", "JPEG"])
def test_another_profile_is_applied_once(kind: str, mode: str) -> None:
    if kind == "JPEG":
        mode = "RGB"
    image = Image.new("RGB", (20, 10), RED).convert(mode)
    data = saved(image, kind, icc_profile=swapped())
    for seen in (opened(data), opened(received(data))):
        assert seen.mode == "RGB"
        assert np.abs(np.asarray(seen)[5, 5].astype(int) - TURNED).max() <= 3
        assert "icc_profile" not in seen.info


def test_what_is_transparent_stays_so() -> None:
    image = Image.new("RGBA", (2, 1), (*RED, 255))
    image.putpixel((0, 0), (*RED, 0))
    seen = opened(saved(image, icc_profile=swapped()))
    assert [seen.getpixel((x, 0)) for x in (0, 1)] == [(255, 255, 255), TURNED]


def test_a_profile_for_pictures_of_another_kind_is_passed_over() -> None:
    """As viewers do: programs leave it there when they convert a picture."""
    for mode in ("L", "LA", "1"):
        image = Image.new("RGB", (9, 9), (90, 90, 90)).convert(mode)
        assert opened(saved(image, icc_profile=swapped())).getpixel((4, 4)) == opened(
            saved(image)
        ).getpixel((4, 4))
    ink = Image.new("CMYK", (16, 16), (0, 255, 255, 0))
    assert opened(saved(ink, "JPEG", icc_profile=swapped())).getpixel((4, 4)) == (255, 0, 0)


def test_a_broken_profile_is_said_to_be_one() -> None:
    for profile in (b"garbage" * 20, SRGB[:200], b"\0" * 128):
        with pytest.raises(UnusablePicture, match=r"^the picture has a colour profile that is"):
            opened(saved(Image.new("RGB", (9, 9)), icc_profile=profile))
