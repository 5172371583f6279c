"""Structural similarity: published values, another implementation, and what must make it fall."""

from math import isnan, prod

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image
from scipy.signal import convolve2d
from skimage import metrics

from render.fidelity.differences import RGB
from render.fidelity.similarity import LEAST, WEIGHTS, ms_ssim, ssim
from tests.render.patterns import noisy, squares

Values = NDArray[np.float64]


def plain(height: int, width: int, grey: int = 200) -> RGB:
    return np.full((height, width, 3), grey, np.uint8)


def grey(picture: RGB) -> Values:
    return np.asarray(Image.fromarray(picture).convert("L"), np.float64)


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


@pytest.mark.parametrize(("rows", "cols"), [(11, 11), (37, 53), (200, 383)])
def test_the_similarity_is_that_of_scikit_image(rows: int, cols: int) -> None:
    true = squares(3, rows, cols)
    drawn = noisy(true, 4, 60)
    expected = metrics.structural_similarity(
        grey(drawn),
        grey(true),
        data_range=255,
        gaussian_weights=True,
        sigma=1.5,
        use_sample_covariance=False,
    )
    assert ssim(drawn, true) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(
    ("rows", "cols", "by", "value"),
    [(176, 256, 20, 0.980765), (256, 320, 60, 0.904864), (640, 640, 120, 0.795625)],
)
def test_multi_scale_values_are_those_of_pytorch_msssim(
    rows: int, cols: int, by: int, value: float
) -> None:
    # By pytorch-msssim 1.0.0 in double precision, of the luminance.
    true = squares(rows, rows, cols)
    assert ms_ssim(noisy(true, cols, by), true) == pytest.approx(value, abs=2e-6)


def plainly(one: Values, two: Values) -> float:
    """The formulas of Wang, Simoncelli and Bovik (2003), in two dimensions, step by step."""
    line = np.exp(-0.5 * (np.arange(-5, 6) / 1.5) ** 2)
    window = np.outer(line, line) / line.sum() ** 2
    one_steady, two_steady = (0.01 * 255) ** 2, (0.03 * 255) ** 2
    luminances, structures = [], []
    for _ in WEIGHTS:
        m1, m2, s1, s2, both = (
            convolve2d(values, window, "valid") for values in (one, two, one**2, two**2, one * two)
        )
        structure = (2 * (both - m1 * m2) + two_steady) / (s1 - m1**2 + s2 - m2**2 + two_steady)
        luminance = (2 * m1 * m2 + one_steady) / (m1**2 + m2**2 + one_steady)
        structures.append(structure.mean())
        luminances.append((luminance * structure).mean())
        one, two = (
            convolve2d(
                np.pad(values, [(0, values.shape[0] % 2), (0, values.shape[1] % 2)], "edge"),
                np.full((2, 2), 0.25),
                "valid",
            )[::2, ::2]
            for values in (one, two)
        )
    means = [*structures[:-1], luminances[-1]]
    return float(prod(mean**weight for mean, weight in zip(means, WEIGHTS, strict=True)))


@pytest.mark.parametrize(("rows", "cols"), [(176, 176), (179, 201), (255, 190)])
def test_odd_sizes_are_halved_as_they_should_be(rows: int, cols: int) -> None:
    true = squares(rows, rows, cols)
    drawn = noisy(true, 9, 90)
    assert ms_ssim(drawn, true) == pytest.approx(plainly(grey(drawn), grey(true)), abs=1e-6)


def test_five_scales_need_176_pixels() -> None:
    assert LEAST == 176
    for rows, cols in ((175, 400), (400, 175), (1, 1)):
        assert isnan(ms_ssim(plain(rows, cols), plain(rows, cols)))
    assert ms_ssim(plain(176, 400), plain(176, 400)) == pytest.approx(1)


def test_a_negative_picture_has_no_multi_scale_similarity() -> None:
    picture = squares(2, 190, 201)
    assert ssim(255 - picture, picture) < 0
    assert ms_ssim(255 - picture, picture) == 0


def test_multi_scale_similarity_falls_with_noise_shift_and_blur() -> None:
    true = squares(8, 193, 301)
    spoilt = (
        [noisy(true, 1, by) for by in (0, 10, 40, 120)],
        [np.roll(true, off, 1) for off in (0, 1, 3, 6)],
        [
            np.asarray(Image.fromarray(true).reduce(by).resize((301, 193)))  # bicubic
            for by in (1, 2, 4, 8)
        ],
    )
    for pictures in spoilt:
        found = [ms_ssim(picture, true) for picture in pictures]
        assert found[0] == pytest.approx(1)
        assert found == sorted(set(found), reverse=True)
        assert found[-1] < 0.93


def test_it_is_the_same_both_ways() -> None:
    one, two = squares(1, 181, 240), squares(2, 181, 240)
    assert ms_ssim(one, two) == pytest.approx(ms_ssim(two, one))
