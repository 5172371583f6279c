"""Pictures as models send them: brought into one form, or refused in a sentence."""

import io
import os
import random
import struct
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from render import decode
from render.decode import UnusablePicture, received
from render.video import frames, is_video

RED, BLUE = (255, 0, 0), (0, 0, 255)


def saved(image: Image.Image, kind: str = "PNG", **how: Any) -> bytes:
    out = io.BytesIO()
    image.save(out, kind, **how)
    return out.getvalue()


def shown(data: bytes) -> Image.Image:
    """Return what is kept of ``data``: always a PNG in RGB."""
    image = Image.open(io.BytesIO(received(data)))
    image.load()
    assert (image.format, image.mode) == ("PNG", "RGB")
    return image


def corner(data: bytes) -> Any:
    return shown(data).getpixel((0, 0))


def plain(mode: str = "RGB", colour: Any = RED, size: tuple[int, int] = (7, 5)) -> Image.Image:
    return Image.new(mode, size, colour)


def test_a_picture_of_the_usual_form_keeps_its_pixels() -> None:
    pixels = np.random.default_rng(0).integers(0, 256, (33, 47, 3), np.uint8)
    assert (np.asarray(shown(saved(Image.fromarray(pixels)))) == pixels).all()


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP", "GIF", "BMP"])
def test_all_formats_that_are_sent_are_read(kind: str) -> None:
    image = shown(saved(plain(), kind))
    assert image.size == (7, 5)
    assert np.abs(np.asarray(image).astype(int) - RED).max() <= 2


def test_what_is_transparent_lies_on_white() -> None:
    assert corner(saved(plain("RGBA", (*RED, 0)))) == (255, 255, 255)
    assert corner(saved(plain("RGBA", (*RED, 128)))) == (255, 127, 127)
    assert corner(saved(plain("RGBA", (*RED, 255)))) == RED
    assert corner(saved(plain("LA", (10, 0)))) == (255, 255, 255)
    assert corner(saved(plain("RGB", RED), transparency=RED)) == (255, 255, 255)


def test_a_palette_becomes_colours() -> None:
    image = plain().quantize(4)
    assert corner(saved(image)) == RED
    assert corner(saved(image, transparency=0)) == (255, 255, 255)


def test_sixteen_bits_become_eight_and_black_and_white_stay() -> None:
    grey = np.array([[0, 0x7F00, 0xFFFF]], np.uint16)
    assert np.asarray(shown(saved(Image.fromarray(grey))))[0, :, 0].tolist() == [0, 0x7F, 0xFF]
    assert corner(saved(plain("1", 1))) == (255, 255, 255)


def test_a_photo_is_turned_upright() -> None:
    image = plain(colour=BLUE, size=(40, 20))
    image.paste(RED, (0, 0, 20, 20))
    exif = Image.Exif()
    exif[0x0112] = 6  # turned by a quarter clockwise: what is left comes to the top
    turned = shown(saved(image, "JPEG", exif=exif, quality=95))
    assert turned.size == (20, 40)
    pixels = np.asarray(turned)
    assert pixels[5, 10, 0] > 200
    assert pixels[35, 10, 2] > 200


def test_print_colours_become_screen_colours() -> None:
    assert corner(saved(plain("CMYK", (0, 255, 255, 0)), "JPEG")) == RED


@pytest.mark.parametrize("kind", ["GIF", "WEBP", "PNG"])
def test_of_an_animation_the_last_picture_counts(kind: str) -> None:
    frames = [plain(colour=colour) for colour in (RED, (0, 255, 0), BLUE)]
    data = saved(frames[0], kind, save_all=True, append_images=frames[1:])
    red, _, blue = corner(data)
    assert blue > 200 > 50 > red


def test_an_animation_without_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decode, "MOST_FRAMES", 5)
    frames = [plain(colour=(shade, 0, 0)) for shade in range(6)]
    assert shown(saved(frames[0], "GIF", save_all=True, append_images=frames[1:5])).size == (7, 5)
    with pytest.raises(UnusablePicture, match="the animation has more than 5 pictures"):
        received(saved(frames[0], "GIF", save_all=True, append_images=frames[1:]))
    monkeypatch.setattr(decode, "MOST_FRAME_PIXELS", 3 * 35)
    with pytest.raises(UnusablePicture, match="the animation has more than 3 pictures"):
        received(saved(frames[0], "GIF", save_all=True, append_images=frames[1:5]))


def test_a_large_picture_is_made_smaller() -> None:
    assert shown(saved(plain("L", 7, size=(4096, 1024)))).size == (2048, 512)
    assert shown(saved(plain("L", 7, size=(1, 65000)))).size == (1, 2048)
    assert shown(saved(plain("L", 7, size=(2048, 2048)))).size == (2048, 2048)


def test_forty_megapixels_are_too_many() -> None:
    with pytest.raises(UnusablePicture, match=r"8000x5000 pixels, more than 16,777,216 in all"):
        received(saved(plain("L", 0, size=(8000, 5000))))


def test_a_decompression_bomb_is_not_unpacked() -> None:
    with pytest.raises(UnusablePicture, match="more than 16,777,216 pixels"):
        received(png(60_000, 60_000, b"\0" * 100))


def test_too_many_bytes_are_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    data = saved(plain())
    monkeypatch.setattr(decode, "MOST_BYTES", len(data))
    assert corner(data) == RED
    with pytest.raises(UnusablePicture, match=r"has more than [0-9,]+ bytes"):
        received(data + b"\0")


@pytest.mark.parametrize(
    "data",
    [
        b"I can't draw.",
        b"<svg xmlns='http://www.w3.org/2000/svg'/>",
        b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n%%EndComments\n",
        b"\0" * 100,
    ],
)
def test_what_is_no_image_is_said_to_be_none(data: bytes) -> None:
    with pytest.raises(UnusablePicture, match=r"not an image that can be read \(PNG, JPEG, WEBP"):
        received(data)


def test_nothing_is_no_image() -> None:
    with pytest.raises(UnusablePicture, match="the picture is empty"):
        received(b"")


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "GIF", "WEBP", "BMP"])
def test_a_picture_that_is_cut_off_is_refused_however_little_is_missing(kind: str) -> None:
    data = saved(Image.effect_noise((64, 64), 50).convert("RGB"), kind)
    received(data + b"\0 and what some programs add")
    for left in (len(data) // 2, len(data) - 200, len(data) - 2, len(data) - 1):
        with pytest.raises(UnusablePicture, match=r"cut off|damaged"):
            received(data[:left])


def test_an_animation_that_is_cut_off_is_not_taken_for_a_shorter_one() -> None:
    frames = [Image.effect_noise((20, 20), 50 + k) for k in range(3)]
    for kind in ("GIF", "PNG"):
        data = saved(frames[0], kind, save_all=True, append_images=frames[1:])
        received(data)
        for left in range(len(data) // 2, len(data)):
            with pytest.raises(UnusablePicture, match="cut off"):
                received(data[:left])


@pytest.mark.filterwarnings("ignore::PIL.Image.DecompressionBombWarning")
def test_whatever_comes_there_is_a_picture_or_a_sentence() -> None:
    draws, said = random.Random(5), ""
    good = [saved(plain(), kind) for kind in ("PNG", "JPEG", "WEBP", "GIF", "BMP")]
    usable = 0
    for _ in range(1000):
        data = bytearray(draws.choice(good))
        for _ in range(draws.randint(1, 6)):
            data[draws.randrange(len(data))] = draws.randrange(256)
        try:
            usable += shown(bytes(data)).width > 0
        except UnusablePicture as error:
            said += str(error)
    assert 0 < usable < 1000
    assert said
    assert "\n" not in said


def test_a_jpeg_that_goes_over_its_pixels_again_and_again_is_not_decoded() -> None:
    """A few bytes a time, so that a file of some megabytes would take an hour."""
    photo = saved(Image.new("RGB", (1_000, 1_000), RED), "JPEG", progressive=True)
    last = photo[photo.rfind(b"\xff\xda") : -2]
    assert received(photo)
    with pytest.raises(UnusablePicture, match="more than 100 scans"):
        received(photo[:-2] + last * 10_000 + photo[-2:])


def png(width: int, height: int, pixels: bytes) -> bytes:
    """Return a PNG of one bit a pixel, whatever its pixels are."""

    def chunk(name: bytes, data: bytes) -> bytes:
        check = struct.pack(">I", zlib.crc32(name + data))
        return struct.pack(">I", len(data)) + name + data + check

    header = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0))
    body = chunk(b"IDAT", zlib.compress(pixels)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + header + body


def test_what_is_no_file_is_not_waited_for(tmp_path: Path) -> None:
    """Nothing comes out of a pipe that nobody writes to, and of a device there is no end."""
    os.mkfifo(tmp_path / "pipe.png")
    for place in (tmp_path / "pipe.png", tmp_path, "/dev/zero", "a\0b"):
        with pytest.raises(UnusablePicture, match=r"it is no file$"):
            decode.rgb(place)
        with pytest.raises(UnusablePicture, match=r"it is no file$"):
            list(frames(place))
        assert not is_video(place)
