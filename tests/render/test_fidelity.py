"""Fidelity of pictures: values that can be worked out, and what must not count."""

from io import BytesIO

import numpy as np
import pytest
from PIL import Image

from render.fidelity.differences import RGB, change_f1, colour_difference, edge_f1, pixels
from tests.render.patterns import noisy, squares


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


def outlined(*corners: tuple[int, int], ground: int = 210) -> RGB:
    """A plain picture with squares of 40 pixels a side at the corners."""
    boxes = [np.s_[r : r + 40, c : c + 40] for r, c in corners]
    return marked(plain(200, 320, ground), *boxes, colour=(40, 60, 90))


def test_outlines_are_found_whatever_the_colours() -> None:
    true = outlined((40, 40), (100, 200))
    assert edge_f1(true, true) == 1
    assert edge_f1(255 - true, true) == 1
    assert edge_f1((true * 0.8).astype(np.uint8), true) > 0.98
    assert edge_f1(true[..., ::-1], true) > 0.98


def test_half_of_the_outlines_and_as_many_that_are_not_due() -> None:
    # Both squares have outlines of one length. Only one is drawn: precision 1, recall 1/2, F1 2/3;
    # one and another: 1/2 and 1/2.
    true = outlined((40, 40), (100, 200))
    assert edge_f1(outlined((40, 40)), true) == pytest.approx(2 / 3, abs=0.01)
    assert edge_f1(outlined((40, 40), (20, 120)), true) == pytest.approx(1 / 2, abs=0.01)
    assert edge_f1(plain(200, 320), true) == 0


def test_where_no_outline_is_due_one_is_wrong() -> None:
    assert edge_f1(plain(60, 90, 30), plain(60, 90)) == 1
    assert edge_f1(outlined((40, 40)), plain(200, 320)) == 0


def test_a_faint_step_is_no_outline() -> None:
    box = np.s_[40:80, 40:80]
    found = [
        edge_f1(marked(plain(120, 120, 100), box, colour=(100 + by, 100, 100)), plain(120, 120))
        for by in (20, 50, 80, 120)
    ]
    assert found == [1, 1, 0, 0]


def test_outlines_in_one_channel_count() -> None:
    # Of one luminance: 0.299 * 100 is 0.587 * 51 to half a level.
    true = marked(plain(120, 120, 100), np.s_[40:80, 40:80], colour=(200, 49, 100))
    assert edge_f1(plain(120, 120, 100), true) == 0


def test_outlines_drawn_farther_off_are_found_less() -> None:
    true = outlined((40, 40), (100, 200))
    found = [edge_f1(np.roll(true, off, 1), true) for off in (0, 2, 4, 8, 16)]
    assert found[:2] == [1, 1]
    assert found[2:] == sorted(found[2:], reverse=True)
    assert found[-1] < 0.6  # the horizontal ones still overlap


def test_outlines_survive_what_files_do_to_pictures() -> None:
    true = outlined((40, 40), (100, 200))
    for kind, quality in (("JPEG", 60), ("WEBP", 60)):
        out = BytesIO()
        Image.fromarray(true).save(out, kind, quality=quality)
        assert edge_f1(pixels(out.getvalue()), true) > 0.97
    assert edge_f1(noisy(true, 1, 25), true) > 0.97


@pytest.mark.parametrize(
    ("one", "two", "difference"),
    [
        ((255, 255, 255), (0, 0, 0), 100),
        ((255, 0, 0), (0, 0, 255), 52.88),
        ((255, 0, 0), (0, 255, 0), 86.61),
    ],
)
def test_differences_of_colours_are_the_published_ones(
    one: tuple[int, int, int], two: tuple[int, int, int], difference: float
) -> None:
    boards = [marked(plain(9, 14), np.s_[:], colour=colour) for colour in (one, two)]
    found = colour_difference(boards[0], boards[1])
    assert found == pytest.approx((difference, difference), abs=0.01)


@pytest.mark.parametrize(
    ("rows", "cols", "by", "mean", "p95"),
    [(16, 48, 20, 4.6985, 8.6367), (64, 32, 200, 33.8456, 69.0577)],
)
def test_differences_of_pictures_are_those_of_the_package_colour(
    rows: int, cols: int, by: int, mean: float, p95: float
) -> None:
    # By colour-science 0.4.7, of places that each have one colour.
    true = squares(rows, rows, cols)
    drawn = noisy(true[::2, ::2], cols, by).repeat(2, 0).repeat(2, 1)
    assert colour_difference(drawn, true) == pytest.approx((mean, p95), abs=0.01)


def test_a_share_of_a_picture_in_another_colour() -> None:
    # White on black over 1/10 of the places: a mean of 10; of 1/50, the percentile sees nothing.
    black = plain(100, 100, 0)
    tenth = marked(black, np.s_[:10], colour=(255, 255, 255))
    fiftieth = marked(black, np.s_[:2], colour=(255, 255, 255))
    assert colour_difference(tenth, black) == pytest.approx((10, 100))
    assert colour_difference(fiftieth, black) == pytest.approx((2, 0))


@pytest.mark.parametrize("shape", [(1, 1), (2, 5), (37, 53), (641, 223)])
def test_pictures_of_any_size_are_themselves(shape: tuple[int, int]) -> None:
    picture = squares(7, *shape)
    assert edge_f1(picture, picture) == 1
    assert colour_difference(picture, picture) == (0, 0)


def test_noise_and_casts_take_colours_away() -> None:
    true = squares(5, 131, 97)
    for spoilt in (
        [noisy(true, 2, by) for by in (0, 10, 40, 120)],
        [(true * (1 - by)).astype(np.uint8) for by in (0, 0.1, 0.3, 0.6)],
    ):
        found = [colour_difference(picture, true) for picture in spoilt]
        assert found == sorted(found)
        assert [one.p95 for one in found] == sorted({one.p95 for one in found})


def test_pixels_come_in_the_size_wanted() -> None:
    picture = np.random.default_rng(5).integers(0, 256, (14, 22, 3)).astype(np.uint8)
    assert np.array_equal(pixels(png(picture)), picture)
    assert np.array_equal(pixels(png(picture), (14, 22)), picture)
    assert pixels(png(picture), (7, 33)).shape == (7, 33, 3)
    assert np.array_equal(pixels(png(plain(14, 22)), (9, 5)), plain(9, 5))


def test_what_is_no_picture_is_an_error() -> None:
    with pytest.raises(OSError, match="cannot identify"):
        pixels(b"no picture")
