"""The disturbances do what their table says, the same for the same random stream."""

from itertools import pairwise

import numpy as np
import pytest

from benchmarks import disturbances
from benchmarks.disturbances import ALL, DISTURBANCES, PAIRS, RGB, STRENGTHS, disturbed

SIDE = 320


def stream(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def busy() -> RGB:
    """A picture with edges, plain parts and all colours."""
    blocks = stream(5).integers(0, 256, (8, 10, 3), dtype=np.uint8)
    return blocks.repeat(40, axis=0).repeat(32, axis=1)


def plain(level: int = 128) -> RGB:
    return np.full((SIDE, SIDE, 3), level, np.uint8)


def dots(*places: tuple[int, int]) -> RGB:
    """Soft dots on black, which may move by parts of pixels."""
    y, x = np.mgrid[:SIDE, :SIDE]
    light = sum(np.exp(-((y - r) ** 2 + (x - c) ** 2) / 50) for r, c in places)
    return np.repeat(np.asarray(255 * light)[..., None], 3, axis=2).astype(np.uint8)


def centre(pixels: RGB, left: int = 0, right: int | None = None) -> np.ndarray:
    """Where the light of some columns lies: row and column."""
    part = pixels[:, left:right, 0].astype(float)
    part[part < 20] = 0  # what has come into view beyond the edge is dark, or cut away
    y, x = np.mgrid[: part.shape[0], : part.shape[1]]
    return np.array([(part * y).sum(), (part * x).sum()]) / part.sum() + [0, left]


@pytest.mark.parametrize("strength", STRENGTHS)
@pytest.mark.parametrize("name", DISTURBANCES)
def test_the_same_stream_gives_the_same_pixels(name: str, strength: int) -> None:
    before = busy()
    first, second = (DISTURBANCES[name](before, strength, stream(3)) for _ in range(2))
    assert np.array_equal(before, busy())
    assert np.array_equal(first, second)
    assert first.dtype == np.uint8
    assert first.shape[2:] == (3,)
    assert first.shape != before.shape or (first != before).any()


@pytest.mark.parametrize("name", ["warp", "rotation", "shift", "cast", "blur", "noise", "jpeg"])
def test_stronger_is_further_from_what_was_drawn(name: str) -> None:
    gaps = [
        np.mean(
            [
                np.abs(DISTURBANCES[name](busy(), strength, stream(k)).astype(int) - busy()).mean()
                for k in range(6)
            ]
        )
        for strength in STRENGTHS
    ]
    assert all(a < b for a, b in pairwise(gaps))


@pytest.mark.parametrize("strength", STRENGTHS)
def test_a_warp_moves_points_smoothly_and_as_far_as_it_says(strength: int) -> None:
    slope = np.tile(np.linspace(0, 255, SIDE), (SIDE, 1))
    pixels = np.stack([slope, slope.T, slope], axis=-1).astype(np.uint8)
    moved = disturbances.warp(pixels, strength, stream(1))[..., :2].astype(float)
    away = (moved - pixels[..., :2]) * SIDE / 255  # in pixels, whole levels apart
    away = away[16:-16, 16:-16]
    most = np.hypot(*away.transpose(2, 0, 1)).max()
    amplitude = disturbances.WARP[strength - 1]
    assert 0.4 * amplitude - 1.3 <= most <= amplitude + 2.6
    assert np.abs(np.diff(away, axis=0)).max() < 3.9  # no tears: three levels at most


@pytest.mark.parametrize("strength", STRENGTHS)
def test_a_shift_is_as_long_as_it_says(strength: int) -> None:
    for seed in range(4):
        moved = disturbances.shift(dots((160, 160)), strength, stream(seed))[40:-40, 40:-40]
        far = np.hypot(*(centre(moved) + 40 - 160))
        assert far == pytest.approx(disturbances.SHIFT[strength - 1], abs=0.15)


@pytest.mark.parametrize("strength", STRENGTHS)
def test_a_rotation_is_as_large_as_it_says_and_about_the_middle(strength: int) -> None:
    for seed in range(4):
        pixels = disturbances.rotation(dots((159, 80), (160, 240)), strength, stream(seed))
        pixels = pixels.copy()
        pixels[:30] = pixels[-30:] = 0
        pixels[:, :30] = pixels[:, -30:] = 0
        left, right = centre(pixels, 0, 160), centre(pixels, 160)
        down, across = right - left
        before = np.degrees(np.arctan2(1, 160))
        turned = np.degrees(np.arctan2(down, across)) - before
        assert abs(turned) == pytest.approx(disturbances.ROTATION[strength - 1], abs=0.08)
        assert (left + right) / 2 == pytest.approx([159.5, 160], abs=0.3)


@pytest.mark.parametrize("strength", STRENGTHS)
def test_a_crop_cuts_no_more_than_it_says(strength: int) -> None:
    shapes = [disturbances.crop(busy(), strength, stream(k)).shape for k in range(12)]
    most = 2 * disturbances.CROP[strength - 1]
    assert busy().shape in shapes  # brought back to size
    assert any(shape != busy().shape for shape in shapes)
    for height, width, _ in shapes:
        assert 0 <= SIDE - height <= most
        assert 0 <= SIDE - width <= most


@pytest.mark.parametrize("strength", STRENGTHS)
def test_sizes_and_shapes_stay_within_bounds(strength: int) -> None:
    low, high, off = disturbances.SIZE[strength - 1]
    shapes = [disturbances.size(plain(), strength, stream(k)).shape for k in range(12)]
    longest = [max(shape) for shape in shapes]
    assert low <= min(longest) < max(longest) <= high
    assert max(longest) > 1.3 * min(longest)
    for height, width, _ in shapes:
        assert abs(np.log(width / height)) <= off + 1 / low


@pytest.mark.parametrize("strength", STRENGTHS)
def test_noise_is_as_strong_as_it_says(strength: int) -> None:
    gaps = disturbances.noise(plain(), strength, stream()).astype(float) - 128
    assert gaps.std() == pytest.approx(disturbances.NOISE[strength - 1], rel=0.03)
    assert abs(gaps.mean()) < 0.6


@pytest.mark.parametrize("name", ["warp", "blur", "jpeg", "size", "crop"])
def test_a_plain_picture_stays_plain(name: str) -> None:
    came = DISTURBANCES[name](plain(77), 4, stream())
    assert np.abs(came.astype(int) - 77).max() <= 1


@pytest.mark.parametrize("strength", STRENGTHS)
def test_a_blur_spreads_an_edge_as_far_as_it_says(strength: int) -> None:
    step = plain(0)
    step[:, SIDE // 2 :] = 255
    profile = disturbances.blur(step, strength, stream())[SIDE // 2, :, 0] / 255
    mean = (np.diff(profile) * np.arange(1, SIDE)).sum()
    spread = np.sqrt((np.diff(profile) * (np.arange(1, SIDE) - mean) ** 2).sum())
    assert spread == pytest.approx(disturbances.BLUR[strength - 1], rel=0.2)


@pytest.mark.parametrize("strength", STRENGTHS)
def test_a_cast_is_the_same_everywhere_and_bounded(strength: int) -> None:
    before, came = busy(), disturbances.cast(busy(), strength, stream())
    for k in range(3):
        changed = list(zip(before[..., k].flat, came[..., k].flat, strict=True))
        table = dict(changed)
        assert all(table[level] == became for level, became in changed)
        assert [table[level] for level in sorted(table)] == sorted(table.values())
    gain, offset, _ = disturbances.CAST[strength - 1]
    for level in (0, 255):
        ends = disturbances.cast(plain(level), strength, stream())[0, 0].astype(int)
        assert np.abs(ends - level).max() <= level * gain + offset + 1


def test_pairs_are_all_pairs_and_come_in_one_order() -> None:
    assert len(set(PAIRS)) == len(ALL) * (len(ALL) - 1) // 2
    both = disturbed(busy(), ("jpeg", "warp"), 2, stream(1))
    assert np.array_equal(both, disturbed(busy(), ("warp", "jpeg"), 2, stream(1)))
    random = stream(1)
    by_hand = disturbances.jpeg(disturbances.warp(busy(), 2, random), 2, random)
    assert np.array_equal(both, by_hand)
    assert np.array_equal(disturbed(busy(), (), 1, stream()), busy())
