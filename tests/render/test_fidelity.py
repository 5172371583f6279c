"""Fidelity of pictures: values that can be worked out, and what must not count."""

from io import BytesIO

import numpy as np
import pytest
from PIL import Image

from render.fidelity import RGB, change_f1, pixels, ssim


def plain(height: int, width: int, grey: int = 200) -> RGB:
    return np.full((height, width, 3), grey, np.uint8)


def marked(picture: RGB, *boxes: tuple[slice, slice], colour: tuple[int, int, int]) -> RGB:
    out = picture.copy()
    for box in boxes:
        out[box] = colour
    return out


def png(picture: RGB) -> bytes:
    out = BytesIO()
    Image.fromarray(picture).save(out, "PNG")
    return out.getvalue()


def test_equal_pictures_have_the_similarity_one() -> None:
    picture = np.random.default_rng(1).integers(0, 256, (37, 53, 3)).astype(np.uint8)
    assert ssim(picture, picture) == pytest.approx(1)


@pytest.mark.parametrize(("one", "two"), [(200, 100), (255, 0), (10, 20)])
def test_of_flat_pictures_only_the_luminance_counts(one: int, two: int) -> None:
    # Without variance the formula of Wang et al. is (2ab + c) / (a^2 + b^2 + c), c = (0.01 255)^2.
    c = (0.01 * 255) ** 2
    expected = (2 * one * two + c) / (one**2 + two**2 + c)
    assert ssim(plain(21, 34, one), plain(21, 34, two)) == pytest.approx(expected, abs=1e-5)


def test_the_similarity_falls_with_noise() -> None:
    rng = np.random.default_rng(3)
    true = np.kron(rng.integers(0, 2, (6, 9)) * 200, np.ones((16, 16)))[..., None].repeat(3, 2)
    noisy = [
        np.clip(true + rng.normal(0, spread, true.shape), 0, 255).astype(np.uint8)
        for spread in (0, 10, 40, 120)
    ]
    found = [ssim(picture, true.astype(np.uint8)) for picture in noisy]
    assert found == sorted(found, reverse=True)
    assert found[0] == pytest.approx(1)
    assert found[-1] < 0.5


def test_large_pictures_are_compared_as_if_seen_from_farther_away() -> None:
    """Of 768 pixels a side, squares of 3 count as one: what averages out in them is not seen."""
    small = np.random.default_rng(2).integers(0, 256, (256, 256)).astype(np.uint8)
    one = small[..., None].repeat(3, 2)
    other = one[::-1]
    large = [picture.repeat(3, 0).repeat(3, 1) for picture in (one, other)]
    assert ssim(*large) == pytest.approx(ssim(one, other), abs=1e-5)
    inside = np.tile([[0, 90, 180], [90, 180, 0], [180, 0, 90]], (256, 256)).astype(np.uint8)
    assert ssim(inside[..., None].repeat(3, 2), plain(768, 768, 90)) == pytest.approx(1)


def test_of_pictures_smaller_than_the_window_nothing_is_said() -> None:
    assert np.isnan(ssim(plain(10, 40), plain(10, 40)))


def test_places_that_changed_are_compared_whatever_their_colour() -> None:
    before = plain(40, 60)
    box = np.s_[10:20, 10:30]
    true = marked(before, box, colour=(255, 0, 0))
    assert change_f1(true, true, before) == 1
    assert change_f1(marked(before, box, colour=(0, 0, 255)), true, before) == 1
    assert change_f1(before, true, before) == 0
    elsewhere = marked(before, np.s_[30:38, 40:58], colour=(255, 0, 0))
    assert change_f1(elsewhere, true, before) == 0


def test_half_of_what_is_due_and_as_much_that_is_not() -> None:
    # Two bars of 100 pixels are due. One is drawn: precision 1, recall 1/2, so F1 = 2/3.
    # With a third that isn't due: precision 1/2, recall 1/2, so F1 = 1/2.
    before = plain(60, 60)
    one, two, other = np.s_[4:14, 4:14], np.s_[4:14, 40:50], np.s_[40:50, 4:14]
    red = (255, 0, 0)
    true = marked(before, one, two, colour=red)
    assert change_f1(marked(before, one, colour=red), true, before) == pytest.approx(2 / 3)
    both = marked(before, one, other, colour=red)
    assert change_f1(both, true, before) == pytest.approx(1 / 2)


def test_a_line_may_stand_a_little_off() -> None:
    # A tolerance of two pixels goes with sides of 640.
    before = plain(20, 640)
    true = marked(before, np.s_[:, 100:101], colour=(255, 0, 0))
    shifted = [
        marked(before, np.s_[:, 100 + off : 101 + off], colour=(255, 0, 0)) for off in (1, 2, 4)
    ]
    assert [change_f1(picture, true, before) for picture in shifted] == [1, 1, 0]


def test_a_faint_change_of_everything_is_none() -> None:
    before = plain(30, 30)
    true = marked(before, np.s_[5:9, :], colour=(255, 0, 0))
    faint = (true.astype(int) - 20).clip(0, 255).astype(np.uint8)
    assert change_f1(faint, true, before) == 1


@pytest.mark.parametrize("ground", [20, 128, 250])
@pytest.mark.parametrize(("kind", "quality"), [("JPEG", 75), ("JPEG", 95), ("WEBP", 80)])
def test_thin_coloured_lines_survive_compression(ground: int, kind: str, quality: int) -> None:
    before = plain(640, 640, ground)
    for at in range(64, 640, 64):
        before[at - 1 : at + 1] = before[:, at - 1 : at + 1] = (230, 0, 40)
    true = marked(before, np.s_[80:120, 80:120], colour=(0, 90, 255))
    out = BytesIO()
    Image.fromarray(true).save(out, kind, quality=quality)
    assert change_f1(pixels(out.getvalue()), true, before) > 0.95
    bare = marked(plain(640, 640, ground), np.s_[80:120, 80:120], colour=(0, 90, 255))
    assert change_f1(bare, true, before) < 0.3  # without its lines it is another picture
    assert change_f1(before, before, plain(640, 640, ground)) == 1
    assert change_f1(plain(640, 640, ground), before, plain(640, 640, ground)) == 0


def test_where_nothing_is_due_a_change_is_wrong() -> None:
    before = plain(20, 20)
    assert change_f1(before, before, before) == 1
    assert change_f1(plain(20, 20, 0), before, before) == 0


def test_pixels_come_in_the_size_wanted() -> None:
    picture = np.random.default_rng(5).integers(0, 256, (14, 22, 3)).astype(np.uint8)
    assert np.array_equal(pixels(png(picture)), picture)
    assert np.array_equal(pixels(png(picture), (14, 22)), picture)
    assert pixels(png(picture), (7, 33)).shape == (7, 33, 3)
    assert np.array_equal(pixels(png(plain(14, 22)), (9, 5)), plain(9, 5))


def test_what_is_no_picture_is_an_error() -> None:
    with pytest.raises(OSError, match="cannot identify"):
        pixels(b"no picture")
