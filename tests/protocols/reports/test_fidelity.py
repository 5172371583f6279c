"""Drawings against the true ones, and whether success goes with their fidelity."""

import json
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from PIL import Image

from protocols.aids import Aids
from protocols.reports.analyses import drawn
from protocols.reports.analyses.drawn import fidelities
from protocols.reports.analyses.fidelity import by_fidelity, correlation, drawings
from protocols.reports.analyses.intervals import pearson
from protocols.reports.sources import Sources
from protocols.reports.tables import markdown
from puzzles import NAMES, family
from puzzles.instance import Instance, identity
from puzzles.replay import initial, optimal_actions
from render.fidelity.lpips import place
from tests.judged import CASES
from tests.protocols.reports.verdicts import verdict, written
from tests.render.test_lpips import made_up

pytestmark = pytest.mark.filterwarnings("error")

CELL = 24
AIDS = Aids(CELL)


def instance(name: str) -> Instance:
    case = CASES[name]
    own = identity(name, "easy", case.board, case.rules)
    return Instance(
        id=own, family=name, difficulty="easy", board=case.board, rules=case.rules,
        optimal_length=case.optimum, answer=case.right,
    )  # fmt: skip


class Made:
    """A folder of answers with drawings, in the making."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.answers: list[dict[str, Any]] = []
        self.verdicts: list[dict[str, Any]] = []
        self._pictures = 0

    def picture(self, png: bytes) -> str:
        name = f"{self._pictures}.png"
        self._pictures += 1
        (self.folder / name).write_bytes(png)
        return name

    def add(self, of: Instance, protocol: str, **answer: Any) -> None:
        at = len(self.answers)
        stop, reason = answer.pop("stop", None), answer.pop("reason", "solved")
        self.answers.append({"id": of.id, "protocol": protocol, "response": "", **answer})
        row = verdict(at, True, protocol=protocol, family=of.family, stop=stop, run=at)
        self.verdicts.append({**row, "id": of.id, "reason": reason})

    def play(self, of: Instance, protocol: str, frames: list[bytes]) -> None:
        room = family(of.family)
        assert room.step is not None
        steps = [
            {"action": json.loads(room.step.format(action, [])), "image": self.picture(frame)}
            for action, frame in zip(optimal_actions(of), frames, strict=True)
        ]
        self.add(of, protocol, steps=steps)

    def measured(self) -> Any:
        from protocols.reports.rows import load

        data = self.folder / "data"
        data.mkdir()
        lines = {of.id: of.line() for of in map(instance, NAMES)}
        (data / "metadata.jsonl").write_text("".join(lines.values()))
        written(self.folder / "answers.jsonl", self.answers)
        path = written(self.folder / "verdicts.jsonl", self.verdicts)
        sources = Sources.beside([path], [data])
        told: list[tuple[int, int]] = []
        found = fidelities(
            load([path]), sources, cell=CELL, workers=1, progress=lambda *done: told.append(done)
        )
        assert told[-1:] == [(len(self.answers), len(self.answers))][: len(told)]
        return found


@pytest.fixture
def made(tmp_path: Path) -> Made:
    return Made(tmp_path)


def changed(png: bytes, change: Callable[[Image.Image], Image.Image], kind: str = "PNG") -> bytes:
    out = BytesIO()
    with Image.open(BytesIO(png)) as image:
        change(image.convert("RGB")).save(out, kind)
    return out.getvalue()


@pytest.mark.parametrize("name", NAMES)
def test_true_drawings_are_perfect(made: Made, name: str) -> None:
    of = instance(name)
    room, actions = family(name), optimal_actions(of)
    states = [initial(of)]
    for action in actions:
        states.append(room.apply(states[-1], action))
    made.add(of, "self-gta", images=[made.picture(AIDS.board(of, states[0], aug=True).png)])
    made.add(of, "self-vr", images=[made.picture(AIDS.solution(of, actions).png)])
    made.play(of, "self-vcot", [AIDS.board(of, state).png for state in states[1:]])
    made.play(of, "self-aug-vcot", [AIDS.board(of, state, aug=True).png for state in states[1:]])
    found = made.measured()
    assert len(found) == 2 + 2 * len(actions)
    assert found["problem"].isna().all()
    assert found["ssim"].tolist() == pytest.approx([1] * len(found))
    assert found["change_f1"].tolist() == [1] * len(found)
    assert found["edge_f1"].tolist() == [1] * len(found)
    assert found[["colour_mean", "colour_p95"]].to_numpy().max() == 0
    assert found["lpips"].isna().all()
    stepwise = found[found["protocol"] == "self-vcot"]
    assert stepwise["round"].tolist() == list(range(1, len(actions) + 1))


@pytest.mark.parametrize("name", NAMES)
def test_a_picture_given_back_as_it_was_changes_nothing(made: Made, name: str) -> None:
    of = instance(name)
    board = AIDS.board(of, initial(of)).png
    made.add(of, "self-gta", images=[made.picture(board)])
    made.add(of, "self-vr", images=[made.picture(board)])
    found = made.measured()
    assert found["change_f1"].tolist() == [0, 0]
    assert (found["ssim"] < 0.9999).all()
    assert found["edge_f1"][0] < 0.95  # the grid is outlines; a solution may follow those there are
    assert (found["colour_mean"] > 0).all()


def test_drawings_are_stretched_to_the_true_size(made: Made) -> None:
    of = instance("sokoban")
    true = AIDS.board(of, initial(of), aug=True).png
    larger = changed(true, lambda image: image.resize((image.width * 3, image.height * 2)))
    jpeg = changed(true, lambda image: image, "JPEG")
    for png in (larger, jpeg):
        made.add(of, "self-gta", images=[made.picture(png)])
    found = made.measured()
    assert (found["ssim"] > 0.9).all()
    assert (found["change_f1"] > 0.9).all()


def test_frames_follow_the_true_state(made: Made) -> None:
    # The second frame repeats the first: it lacks what the second action changes.
    of = instance("maze")
    room = family("maze")
    first = room.apply(initial(of), optimal_actions(of)[0])
    made.play(of, "self-vcot", [AIDS.board(of, first).png] * 2)
    assert made.measured()["change_f1"].tolist() == [1, 0]


def test_what_can_not_be_measured_is_named(made: Made) -> None:
    of, other = instance("maze"), instance("onet")
    board = AIDS.board(of, initial(of)).png
    made.add(of, "self-gta", images=["absent.png"])
    made.add(of, "self-gta", images=[made.picture(b"no picture")])
    made.add(of, "self-gta", images=[made.picture(board[: len(board) // 2])])
    made.add(of, "self-gta")
    made.add(of, "self-vr", images=[7])
    made.add(of, "self-vcot", steps=[{"reply": 3}])
    made.add(of, "self-gta", images=["a.png"])
    made.answers[-1]["id"] = other.id
    made.add(of.model_copy(update={"id": "unknown"}), "self-gta", images=["a.png"])
    found = made.measured()
    assert found["problem"].tolist() == [
        drawn.NO_FILE,
        *[drawn.UNREADABLE] * 2,
        drawn.NOT_DRAWN,
        *[drawn.MALFORMED] * 2,
        drawn.NO_ANSWER,
        drawn.NO_INSTANCE,
    ]
    assert found[list(drawn.MEASURES)].isna().all(axis=None)
    table = drawings(found)
    assert table is not None
    gta = table.frame.set_index("protocol").loc["self-gta"]
    counts = ["drawings", "measured", "missing", "unreadable", "not drawn", "other"]
    assert gta[counts].tolist() == [6, 0, 1, 2, 1, 2]
    assert drawn.NO_INSTANCE in table.note
    assert " nan " not in markdown(table)
    assert by_fidelity(found) is None
    assert correlation(found) is None


def test_a_frame_that_did_not_come_and_one_that_was_not_due(made: Made) -> None:
    of = instance("maze")
    room = family("maze")
    assert room.step is not None
    action = json.loads(room.step.format(optimal_actions(of)[0], []))
    steps = [{"action": action, "image": None}]
    made.add(of, "self-vcot", steps=steps, stop="image", reason="no_image")
    made.add(of, "self-vcot+vgau", steps=steps, stop="detour")
    found = made.measured()
    assert found[["protocol", "problem"]].values.tolist() == [["self-vcot", drawn.NOT_DRAWN]]


def test_what_models_do_not_draw_is_not_looked_at(made: Made) -> None:
    of = instance("maze")
    for protocol in ("text-cot", "oracle-gta", "noise-vcot", "draw-own", "draw-true", "mine"):
        made.add(of, protocol, images=["a.png"])
    found = made.measured()
    assert len(found) == 0
    assert drawings(found) is None
    assert by_fidelity(found) is None
    assert correlation(found) is None


def table(rows: list[tuple[str, int, float, bool]], difficulty: str = "easy") -> Any:
    """Return fidelities of one protocol: id, run, fidelity, success."""
    frame = pd.DataFrame(rows, columns=["id", "run", "ssim", "optimal"])
    frame = frame.assign(family="maze", difficulty=difficulty)
    for name, value in (("model", "m"), ("protocol", "self-gta")):
        frame[name] = pd.Categorical([value] * len(frame))
    return frame.assign(
        ms_ssim=np.nan,
        change_f1=frame["ssim"],
        edge_f1=frame["ssim"],
        colour_mean=1 - frame["ssim"],
        colour_p95=1 - frame["ssim"],
        lpips=np.nan,
        feasible=True,
        problem=None,
        optimal=frame["optimal"].astype("boolean"),
    )


def test_success_by_bins_of_equally_many_answers() -> None:
    success = (False, False, False, True, True, False, True, True)
    found = table([(f"i{at}", 1, at / 10, won) for at, won in enumerate(success)])
    result = by_fidelity(found)
    assert result is not None
    lines = result.frame[result.frame["measure"] == "ssim"]
    assert lines["bin"].tolist() == [f"{at} of 4" for at in (1, 2, 3, 4)]
    assert lines["answers"].tolist() == [2, 2, 2, 2]
    assert lines["optimal"].tolist() == [0, 0.5, 0.5, 1]
    assert lines["mean"].tolist() == pytest.approx([0.05, 0.25, 0.45, 0.65])
    assert lines["feasible"].tolist() == [1] * 4


def test_equal_fidelities_share_a_bin() -> None:
    result = by_fidelity(table([(f"i{at}", 1, 1.0, at % 2 == 0) for at in range(6)]))
    assert result is not None
    lines = result.frame[result.frame["measure"] == "ssim"]
    assert lines[["answers", "optimal"]].values.tolist() == [[6, 0.5]]


def test_frames_of_an_answer_count_by_their_mean() -> None:
    found = pd.concat([table([("a", 1, 0.2, True)]), table([("a", 1, 0.6, True)])])
    result = by_fidelity(found)
    assert result is not None
    assert result.frame.iloc[0][["answers", "mean"]].tolist() == pytest.approx([1, 0.4])


def test_difficulties_that_differ_in_both_show_no_connection() -> None:
    # Easy ones are drawn better and solved more often; within each, fidelity makes no difference.
    wins = {"easy": (True, True, False, True), "hard": (False, False, True, False)}
    parts = [
        table(
            [(f"{name}{at}{won}", 1, base + at / 10, won) for won in wins[name] for at in range(4)],
            name,
        )
        for name, base in (("easy", 0.6), ("hard", 0.0))
    ]
    found = pd.concat(parts, ignore_index=True)
    found["id"] = [f"i{at}" for at in range(len(found))]
    raw = np.corrcoef(found["ssim"], found["optimal"].astype(float))[0, 1]
    assert raw > 0.4
    within, bins = correlation(found), by_fidelity(found)
    assert within is not None
    assert bins is not None
    assert within.frame["optimal"].tolist() == pytest.approx([0] * 5)
    assert bins.frame["optimal"].tolist() == [0.5] * 5 * 4


def test_the_correlation_is_over_instances() -> None:
    # Two runs of each of three instances; success 0, 1/2, 1 at fidelity 0.1, 0.2, 0.3.
    rows = [("a", 1, 0.1, False), ("a", 2, 0.1, False), ("b", 1, 0.2, True), ("b", 2, 0.2, False)]
    rows += [("c", 1, 0.3, True), ("c", 2, 0.3, True)]
    result = correlation(table(rows))
    assert result is not None
    line = result.frame.iloc[0]
    assert line["instances"] == 3
    assert line["optimal"] == pytest.approx(1)
    assert np.isnan(line["feasible"])
    assert " nan " not in markdown(result)


def test_the_interval_of_a_correlation_is_near_fisher_s() -> None:
    rng = np.random.default_rng(11)
    x = rng.normal(size=400)
    y = 0.6 * x + 0.8 * rng.normal(size=400)
    r, low, high = pearson(x, y)
    assert r == pytest.approx(np.corrcoef(x, y)[0, 1])
    fisher = np.tanh(np.arctanh(r) + np.array([-1.96, 1.96]) / np.sqrt(397))
    assert [low, high] == pytest.approx(fisher.tolist(), abs=0.03)


@pytest.mark.parametrize("pair", [([1, 2], [3, 3]), ([1], [1]), ([], [])])
def test_without_variance_there_is_no_correlation(pair: tuple[list[float], list[float]]) -> None:
    assert np.isnan(pearson(*(np.array(side, float) for side in pair))).all()


def test_nothing_stands_in_for_lpips() -> None:
    found = table([("a", 1, 0.5, True)])
    shown = drawings(found)
    assert shown is not None
    assert "lpips" not in shown.frame
    assert "puzzles metrics fetch-lpips" in shown.note
    bins = by_fidelity(found)
    assert bins is not None
    assert "lpips" not in set(bins.frame["measure"])


def test_structure_stands_beside_the_distances() -> None:
    found = table([(str(at), 1, at / 10, at < 4) for at in range(8)])
    found["lpips"] = found["ssim"]
    shown = drawings(found)
    assert shown is not None
    measures = ["ssim", "ms_ssim", "change_f1", "edge_f1", "colour_mean", "colour_p95", "lpips"]
    assert [name for name in shown.frame.columns if name in measures] == measures


def test_the_larger_difference_of_colours_is_in_the_first_bin() -> None:
    bins = by_fidelity(table([(f"i{at}", 1, at / 10, False) for at in range(8)]))
    assert bins is not None
    frame = bins.frame[bins.frame["measure"] == "colour mean"]
    assert frame["mean"].tolist() == pytest.approx([0.95, 0.75, 0.55, 0.35])


def test_small_true_pictures_have_no_multi_scale_similarity(made: Made) -> None:
    of = instance("maze")
    made.add(of, "self-gta", images=[made.picture(AIDS.board(of, initial(of)).png)])
    assert made.measured()["ms_ssim"].isna().all()


def test_lpips_is_a_distance() -> None:
    found = table([(str(at), 1, at / 10, at < 4) for at in range(8)])
    found["lpips"] = found["ssim"]
    shown, bins, together = drawings(found), by_fidelity(found), correlation(found)
    assert shown is not None
    assert bins is not None
    assert together is not None
    assert shown.frame["lpips"].tolist() == pytest.approx([0.35])
    frame = bins.frame[bins.frame["measure"] == "lpips"]
    assert frame["mean"].tolist() == pytest.approx([0.65, 0.45, 0.25, 0.05])
    assert frame["optimal"].tolist() == [0, 0, 1, 1]
    assert (together.frame[together.frame["measure"] == "lpips"]["optimal"] < -0.8).all()


def test_lpips_is_measured_where_its_weights_are(
    made: Made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PUZZLES_CACHE", str(tmp_path))
    np.savez(place(), **made_up())
    of = instance("sokoban")
    for aug in (True, False):
        board = AIDS.board(of, initial(of), aug=aug).png
        made.add(of, "self-gta", images=[made.picture(board)])
    exact, given_back = made.measured()["lpips"]
    assert exact == 0
    assert given_back > 0.01
