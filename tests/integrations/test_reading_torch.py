"""Boards of many pictures read by torch: what the other reader sees, on any device."""

import re
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

try:
    import torch
except ModuleNotFoundError:
    pytest.skip("torch is no part of this environment", allow_module_level=True)

from benchmarks.disturbances import ALL, PAIRS, SINGLES, disturbed
from puzzles import NAMES, family
from puzzles.generate import Recipe, generate
from puzzles.reading import looks, read_cells
from puzzles.reading_torch import fidelity, read_batch
from puzzles.replay import initial, optimal_actions
from render.boards import align_torch, decode_torch, place_torch, tint
from render.boards.looks import UNKNOWN
from render.boards.looks_torch import TorchLooks, cut, lab
from render.read import UnreadableImage

pytestmark = pytest.mark.integration

DEVICES = ["cpu", *(["cuda"] if torch.cuda.is_available() else [])]
SEED = 20260711
RGB = NDArray[np.uint8]


@lru_cache
def boards(name: str, count: int = 3) -> tuple[Any, ...]:
    """States along solutions, all of one size."""
    room, out = family(name), []
    for number in range(count):
        instance = generate(Recipe(family=name, difficulty="medium", seed=SEED), number).instance
        actions = optimal_actions(instance)
        state = initial(instance)
        for action in actions[: number * len(actions) // count]:
            state = room.apply(state, action)
        out.append(state)
    return tuple(out)


def drawn(name: str, state: Any, cell: int) -> RGB:
    picture = family(name).draw(state, cell)
    return picture.palette[picture.pixels]


def batch(name: str, states: Sequence[Any], cell: int, device: str = "cpu") -> torch.Tensor:
    return torch.tensor(np.stack([drawn(name, state, cell) for state in states])).to(device)


def parts_of(name: str, states: Sequence[Any]) -> NDArray[np.int16]:
    reading = family(name).reading
    assert reading is not None
    return np.stack([reading.parts(state) for state in states])


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("cell", [32, 64, 100])
@pytest.mark.parametrize("name", NAMES)
def test_what_is_drawn_is_read(name: str, cell: int, device: str) -> None:
    room, states = family(name), boards(name)
    images = batch(name, states, cell, device)
    true = parts_of(name, states)
    rules = room.rules_of(states[0])
    seen = read_batch(room, images, true.shape[1:], rules, fallback=False)
    assert seen.parts.dtype == torch.int16
    assert seen.parts.device == seen.confidence.device == images.device
    assert (seen.parts.cpu().numpy() == true).all()
    other = [
        read_cells(room, drawn(name, s, cell), size=true.shape[1:], rules=rules) for s in states
    ]
    apart = np.abs(seen.confidence.cpu().numpy() - [each.confidence for each in other])
    assert apart[np.stack([each.confidence for each in other]) > 0.9].max(initial=0) < 0.1


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("name", NAMES)
def test_the_mild_ladder_is_read_as_by_the_other_reader(name: str, device: str) -> None:
    """Exactly, by either, and without the other's help: no cell is unknown, and none is wrong.

    Single disturbances and all at once in both strengths, pairs of them in one each.
    """
    room, states = family(name), boards(name, 2)
    true = parts_of(name, states)
    size, rules = true.shape[1:], room.rules_of(states[0])
    rungs = [(names, strength) for names in (*SINGLES, ALL) for strength in (1, 2)]
    rungs += [(names, 1 + number % 2) for number, names in enumerate(PAIRS)]
    for number, (names, strength) in enumerate(rungs):
        at, random = number // 2 % 2, np.random.default_rng([SEED, number])
        pixels = disturbed(drawn(name, states[at], 64), names, strength, random)
        other = read_cells(room, pixels, size=size, rules=rules)
        seen = read_batch(room, torch.tensor(pixels)[None].to(device), size, rules, fallback=False)
        assert (other.parts == true[at]).all(), (names, strength)
        assert (seen.parts[0].cpu().numpy() == true[at]).all(), (names, strength)


@pytest.mark.parametrize("device", DEVICES)
def test_colours_are_brought_into_line_as_by_the_other_reader(device: str) -> None:
    """Those of plain boards, too, which could be taken for any other."""
    random = np.random.default_rng(SEED)
    varied, plain = drawn("maze", boards("maze", 1)[0], 8), np.full((80, 80, 3), (232, 222, 204))
    for board in (varied, plain.astype(np.uint8)):
        for levels in (0, -20, 40, -70):
            noisy = board + random.normal(levels, 2, board.shape)
            image = np.clip(noisy + 0.5, 0, 255).astype(np.uint8)
            seen, true = (
                torch.tensor(one).to(device).permute(2, 0, 1)[None].float()
                for one in (image, board)
            )
            own = align_torch.fitted(seen, true)[0].permute(1, 2, 0).cpu().numpy()
            assert np.abs(own - tint.fitted(image, board)).max() <= 1, levels


@pytest.mark.parametrize("device", DEVICES)
def test_forms_of_a_batch_are_read_alike(device: str) -> None:
    states = boards("maze")
    images = batch("maze", states, 48, device)
    due = read_batch(family("maze"), images)
    first = images.permute(0, 3, 1, 2)
    forms = [first, first.contiguous(), first / 255, images.double() / 255, images.half() / 255]
    for form in forms:
        seen = read_batch(family("maze"), form)
        assert torch.equal(seen.parts, due.parts)
        assert torch.allclose(seen.confidence, due.confidence, atol=1e-3)
    empty = read_batch(family("maze"), images[:0])
    assert empty.parts.shape == empty.confidence.shape == (0, 10, 10)


@pytest.mark.parametrize("device", DEVICES)
def test_a_picture_is_read_alike_in_any_company(device: str) -> None:
    states = boards("sokoban")
    random = np.random.default_rng(5)
    plain = [drawn("sokoban", state, 48) for state in states]
    turned = [disturbed(one, ("rotation", "cast"), 2, random) for one in plain]
    images = torch.tensor(np.stack([*plain, *turned] * 7)).to(device)  # 42: more than at once
    together = read_batch(family("sokoban"), images)
    alone = [read_batch(family("sokoban"), image[None]) for image in images[:6]]
    for at, seen in enumerate(alone * 7):
        assert torch.equal(seen.parts[0], together.parts[at])
        # Sums of other batches are rounded otherwise, which may make a step more or less worth it.
        assert torch.allclose(seen.confidence[0], together.confidence[at], atol=0.02)
    again = read_batch(family("sokoban"), images)
    assert torch.equal(again.confidence, together.confidence)


@pytest.mark.parametrize("device", DEVICES)
def test_no_setting_makes_it_less_exact(device: str) -> None:
    images = batch("path", boards("path", 2), 40, device)
    due = read_batch(family("path"), images)
    before = torch.get_float32_matmul_precision()
    try:
        torch.set_float32_matmul_precision("medium")
        with torch.autocast(device, dtype=torch.bfloat16):
            seen = read_batch(family("path"), images)
        assert torch.get_float32_matmul_precision() == "medium"
    finally:
        torch.set_float32_matmul_precision(before)
    assert torch.equal(seen.parts, due.parts)
    assert torch.equal(seen.confidence, due.confidence)


@pytest.mark.parametrize("device", DEVICES)
def test_a_reward_for_frames(device: str) -> None:
    name, room = "maze", family("maze")
    small = room.parse("#####\n#S.G#\n#####", {})
    states = [*boards(name, 2), boards(name, 2)[1]]
    images = batch(name, states, 64, device)
    true = torch.tensor(parts_of(name, states))
    off = (true[2] != true[0]).float().mean().item()
    images[2] = images[0]
    images[1, :64, :64] = 128
    earned = fidelity(room, images, states)
    assert earned.device == images.device
    assert earned.tolist() == pytest.approx([1, 0.99, 1 - off])
    assert 0 < off < 1
    policy = torch.ones(3, device=device, requires_grad=True)
    (policy * earned).sum().backward()  # what is earned may be multiplied by what is learned
    assert torch.equal(policy.grad, earned)
    wide = torch.tensor(drawn(name, small, 64))[None].to(device)
    assert fidelity(room, wide, [small]).tolist() == [1]


def test_what_the_page_shows_runs() -> None:
    page = (Path(__file__).parents[2] / "docs" / "reading.md").read_text()
    [code] = [one for one in re.findall(r"```python\n(.*?)```", page, re.DOTALL) if "torch" in one]
    space: dict[str, Any] = {}
    exec(code, space)
    assert (space["seen"].parts.numpy() == parts_of("maze", space["states"])).all()
    assert space["earned"].tolist() == [1, 1, 1, 1]


def test_boards_of_other_sizes_share_a_batch() -> None:
    room = family("onet")
    small = room.parse("ABBA\nBAAB\nCDDC\nCDDC", {})
    large = room.parse("\n".join(["ABCDEFGH", "HGFEDCBA"] * 4), {})
    pictures = [drawn("onet", state, cell) for state, cell in ((small, 96), (large, 48))]
    images = torch.tensor(np.stack([pictures[0], pictures[1], pictures[1]]))
    assert fidelity(room, images, [small, large, small]).tolist() == [1, 1, 0]


def test_a_border_is_no_board() -> None:
    states = boards("klotski", 2)
    images = batch("klotski", states, 64)
    size = parts_of("klotski", states).shape[1:]
    for border in ((20, 20, 20, 20), (0, 0, 60, 60)):
        wide = torch.nn.functional.pad(images.permute(0, 3, 1, 2), border, value=255)
        seen = read_batch(family("klotski"), wide, size)
        assert (seen.parts.numpy() == parts_of("klotski", states)).all()


def test_pictures_of_another_shape_without_a_border_are_unknown() -> None:
    states = boards("klotski", 2)
    size = parts_of("klotski", states).shape[1:]
    images = batch("klotski", states, 64).permute(0, 3, 1, 2)
    wide = torch.nn.functional.pad(images, (0, 0, 60, 60), value=255)
    wide[0] = torch.randint(0, 256, wide[0].shape, generator=torch.manual_seed(3))
    for fallback in (False, True):
        seen = read_batch(family("klotski"), wide, size, fallback=fallback)
        assert (seen.parts[0] == UNKNOWN).all()
        assert (seen.confidence[0] == 0).all()
        assert (seen.parts[1].numpy() == parts_of("klotski", states)[1]).all()


@pytest.mark.parametrize("device", DEVICES)
def test_the_other_reader_is_asked_what_can_not_be_told(device: str) -> None:
    name, room, states = "klotski", family("klotski"), boards("klotski")
    size, rules = parts_of(name, states).shape[1:], room.rules_of(states[0])
    random = np.random.default_rng(11)
    pixels = [disturbed(drawn(name, s, 48), ("jpeg", "noise"), 4, random) for s in states]
    pixels.append(random.integers(0, 256, pixels[0].shape, np.uint8))
    images = torch.tensor(np.stack(pixels)).to(device)
    own = read_batch(room, images, size, rules, fallback=False)
    due = list(zip(own.parts.cpu().numpy(), own.confidence.cpu().numpy(), strict=True))
    asked = [at for at, (parts, _) in enumerate(due) if (parts == UNKNOWN).any()]
    assert 3 in asked
    for at in asked:
        try:
            other = read_cells(room, pixels[at], size=size, rules=rules)
            due[at] = other.parts, other.confidence
        except UnreadableImage:
            due[at] = np.full(size, UNKNOWN), np.zeros(size)
    for form in (images, images.permute(0, 3, 1, 2) / 255):
        seen = read_batch(room, form, size, rules)
        assert seen.parts.device == seen.confidence.device == images.device
        for at, (parts, sure) in enumerate(due):
            assert (seen.parts[at].cpu().numpy() == parts).all()
            assert seen.confidence[at].cpu().numpy() == pytest.approx(sure, abs=1e-3)


def test_what_makes_no_board_is_doubted_as_by_the_other_reader() -> None:
    room, (state,) = family("maze"), boards("maze", 1)
    pixels = drawn("maze", state, 48).copy()
    true = parts_of("maze", [state])[0]
    (agent,), spare = np.argwhere(true == ord("S")), np.argwhere(true == ord("."))[-1]
    (r, c), (r2, c2) = agent * 48, spare * 48
    pixels[r2 : r2 + 48, c2 : c2 + 48] = pixels[r : r + 48, c : c + 48]
    random = np.random.default_rng(3)
    for names in ((), ("blur", "noise"), ("jpeg", "cast")):
        image = disturbed(pixels, names, 2, random)
        due = read_cells(room, image, size=true.shape)
        seen = read_batch(room, torch.tensor(image)[None], true.shape, fallback=False)
        assert (seen.parts[0].numpy() == due.parts).all()
        assert seen.confidence[0].numpy() == pytest.approx(due.confidence, abs=0.1)
        assert due.parts[tuple(agent)] == due.parts[tuple(spare)]


@pytest.mark.parametrize("name", NAMES)
def test_boards_beneath_a_grid_are_read_as_by_the_other_reader(name: str) -> None:
    room, (state,) = family(name), boards(name, 1)
    aid = room.draw_aid(state, 64)
    pixels = aid.palette[aid.pixels]
    (true,), rules = parts_of(name, [state]), room.rules_of(state)
    seen = read_batch(room, torch.tensor(pixels)[None], true.shape, rules, fallback=False)
    parts = seen.parts[0].numpy()
    assert (parts == read_cells(room, pixels, size=true.shape, rules=rules).parts).all()
    assert (parts == true).mean() > 0.8


def test_what_can_not_be_told_is_unknown() -> None:
    room, states = family("sokoban"), boards("sokoban", 2)
    images = batch("sokoban", states, 48)
    images[0, 48:96, 96:144] = torch.tensor([200, 30, 200], dtype=torch.uint8)
    images[1] = torch.randint(0, 256, images[1].shape, generator=torch.manual_seed(3))
    seen = read_batch(room, images, parts_of("sokoban", states).shape[1:])
    true = torch.tensor(parts_of("sokoban", states[:1]))
    true[0, 1, 2] = UNKNOWN
    assert torch.equal(seen.parts[:1], true)
    assert (seen.parts[1] == UNKNOWN).all()
    assert (seen.confidence[1] == 0).all()


PICTURES = torch.zeros(2, 3, 320, 320)


@pytest.mark.parametrize(
    ("images", "said"),
    [
        (np.zeros((2, 3, 320, 320)), "as a torch tensor, not as ndarray"),
        (PICTURES[0], r"not \(3, 320, 320\)"),
        (PICTURES[:, :1], r"batch \(N, 3, H, W\) or \(N, H, W, 3\), not \(2, 1, 320, 320\)"),
        (PICTURES.long(), "uint8, or floats from 0 to 1, not torch.int64"),
        (PICTURES + 255, "floats go from 0 to 1, not from 255 to 255"),
        (PICTURES * torch.nan, "floats go from 0 to 1, not from nan to nan"),
        (PICTURES[..., :20], "20x320 pixels, too few to be read"),
        (
            PICTURES[..., :200],
            "200x320 pixels, which is not the shape of a board of 10 r",
        ),
    ],
)
def test_what_is_no_batch_is_refused_in_a_sentence(images: Any, said: str) -> None:
    with pytest.raises(ValueError, match=said) as error:
        read_batch(family("maze"), images)
    assert "\n" not in str(error.value)
    assert isinstance(error.value, UnreadableImage) == ("pixels" in said)


def test_pictures_without_a_state_each_are_refused() -> None:
    with pytest.raises(ValueError, match="there are 1 states, but 2 pictures"):
        fidelity(family("maze"), PICTURES, boards("maze", 1))


def test_nothing_leaves_the_device_on_the_way() -> None:
    # Tensors on a device without values: to mix devices, or to wait for a value, raises.
    device = torch.device("meta")
    held = TorchLooks(looks("maze", "{}"), device)
    seen = torch.empty(2, 3, 160, 160, device=device)
    place, bend = align_torch.whole(2, device), torch.empty(2, 2, 21, 21, device=device)
    shown, dim = torch.ones(2, 160, 160, device=device), align_torch.grey(seen)
    patches, look = cut(lab(seen), held.detail), torch.zeros(2, 100, device=device).long()
    results = [
        decode_torch.resized(torch.empty(2, 640, 640, 3, device=device), (160, 160)),
        decode_torch.resized(torch.empty(2, 3, 500, 510, device=device), (160, 160)),
        place_torch.warped(seen, place, (80, 80), bend),
        place_torch.bent(dim, dim, shown, bend),
        align_torch.register(dim, dim, shown, place),
        align_torch.fitted(seen, seen),
        align_torch.stretched(seen, held.tiles),
        align_torch.bordered(seen, (640, 640), (10, 10))[0],
        held.gap(patches, look),
        held.mosaic(look, (10, 10)),
    ]
    assert {result.device.type for result in results} == {"meta"}
