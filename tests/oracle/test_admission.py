"""Drawings that would take long to decode are refused before they are."""

import io
from base64 import b64encode
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from oracle.limits import Limits
from tests.oracle.local import RIGHT, local, opened, refused

SELF = {"protocol": "self-vcot"}


def drawing(kind: str, size: tuple[int, int] = (40, 30), **options: Any) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", size, "white").save(out, kind, **options)
    return out.getvalue()


def step(picture: bytes) -> dict[str, Any]:
    return {"round": 1, "action": RIGHT, "drawing": b64encode(picture).decode(), "remaining": 1}


@pytest.mark.parametrize("kind", ["GIF", "PNG", "WEBP"])
def test_an_animation_is_no_drawing(tmp_path: Path, kind: str) -> None:
    more = [Image.new("RGB", (40, 30), "black")]
    with local(tmp_path) as client:
        place = opened(client, **SELF)
        moving = drawing(kind, save_all=True, append_images=more)
        refused(client.post(f"{place}/steps", json=step(moving)), 422, "animation")
        still = client.post(f"{place}/steps", json=step(drawing(kind)))
        assert still.json()["legal"], still.text


@pytest.mark.parametrize("kind", ["GIF", "PNG", "WEBP", "JPEG", "BMP"])
def test_the_pixels_of_a_drawing(tmp_path: Path, kind: str) -> None:
    with local(tmp_path, limits=Limits(drawing_pixels=1_200)) as client:
        place = opened(client, **SELF)
        large = step(drawing(kind, (40, 31)))
        refused(client.post(f"{place}/steps", json=large), 413, "40x31 pixels", "1,200")
        right = step(drawing(kind))
        assert client.post(f"{place}/steps", json=right).json()["legal"]
        assert client.post(f"{place}/steps", json=right).json()["legal"]


def test_a_photo_with_its_preview_is_no_animation(tmp_path: Path) -> None:
    preview = [Image.new("RGB", (8, 6), "white")]
    with local(tmp_path) as client:
        photo = step(drawing("MPO", save_all=True, append_images=preview))
        assert client.post(f"{opened(client, **SELF)}/steps", json=photo).json()["legal"]


def test_a_jpeg_that_goes_over_its_pixels_again_and_again(tmp_path: Path) -> None:
    """Sixteen bytes a time, so that some megabytes of them would take an hour."""
    photo = drawing("JPEG", (1_000, 1_000), progressive=True)
    last = photo[photo.rfind(b"\xff\xda") : -2]
    with local(tmp_path) as client:
        place = opened(client, **SELF)
        long = photo[:-2] + last * 10_000 + photo[-2:]
        refused(client.post(f"{place}/steps", json=step(long)), 413, "100 scans")
        assert client.post(f"{place}/steps", json=step(photo)).json()["legal"]


def test_what_is_no_picture_is_for_the_protocol_to_judge(tmp_path: Path) -> None:
    with local(tmp_path) as client:
        place = opened(client, **SELF)
        told = client.post(f"{place}/steps", json=step(b"no picture")).json()
        assert told["done"]
        refused(client.post(f"{place}/steps", json={"round": 1, "drawing": "!"}), 422, "base64")
        with local(tmp_path) as other:
            assert other.get(place).json()["done"]
