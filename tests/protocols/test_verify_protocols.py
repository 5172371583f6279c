"""Lines of answers of every protocol: rounds, drawings, recorded judgements, other harnesses."""

import json
import time
from pathlib import Path
from typing import Any

import pytest

from protocols.aids import Aids
from protocols.episode import Episode
from protocols.judge import AnswersError, Options, judge_file, verdicts_path
from protocols.messages import Reply
from protocols.protocol import PROTOCOLS
from protocols.success import Report
from protocols.verdicts import FIELDS
from puzzles import Instance, make
from tests.protocols.test_stepwise import moves
from tests.protocols.test_verify import command

# The goal is two steps to the right, or four around below.
BOARD = {"family": "maze", "board": "#####\n#S.G#\n#...#\n#####", "optimal_length": 2}
RIGHT = '<ANSWER_JSON>["right","right"]</ANSWER_JSON>'
SHORT, LONG = "r1 r0", "d3 r2 r1 u0"


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    make("maze", "easy", 4, out=folder, images=False)
    return folder


def line(name: int | str, protocol: str | None = None, **more: Any) -> dict[str, Any]:
    return {"id": f"b{name}", "protocol": protocol, "instance": BOARD, **more}


def judge(folder: Path, lines: list[Any], **options: bool) -> tuple[list[dict[str, Any]], Report]:
    path = folder / "answers.jsonl"
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    report = judge_file(path, [], verdicts_path(path), Options(**options))
    rows = verdicts_path(path).read_text().splitlines()
    return [json.loads(row) for row in rows], report


def of(rows: list[dict[str, Any]], *names: str) -> list[tuple[Any, ...]]:
    return [tuple(row[name] for name in names) for row in rows]


def test_variants_in_another_order_are_the_same_protocol(tmp_path: Path) -> None:
    names = ["oracle-vcot+budget+last", "oracle-vcot+last+budget", "oracle-vcot+last+budget+last"]
    rows, report = judge(tmp_path, [line(1, name, steps=moves("r r")) for name in names])
    assert of(rows, "protocol", "feasible") == [
        (names[0], True),
        (names[0], None),
        (names[0], None),
    ]
    assert "second answer" in rows[1]["error"]
    assert [group.protocol for group, _ in report.groups()] == names[:1]


def test_rounds_are_judged_from_what_was_said(tmp_path: Path) -> None:
    rows, report = judge(
        tmp_path,
        [
            line(1, "oracle-vcot", response="", steps=moves(SHORT)),
            line(2, "oracle-vcot+last", steps=moves(LONG)),  # needs no response
            line(3, "oracle-vcot", response=RIGHT, steps=moves("u1")),  # steps decide
            line(4, "oracle-vcot+budget", response="", steps=moves("r r")),
            line(5, "oracle-vcot+vgau", response="", steps=moves(LONG)),
            line(6, "mine", response="", steps=moves(SHORT)),  # by the default rules
            line(7, None, response="", steps=moves("r1 r1")),
            line(8, "oracle-vcot", response=RIGHT),  # no steps: judged by its response
            line(9, "oracle-vcot", response=RIGHT, steps=[]),
        ],
    )
    assert of(rows, "reason", "stop", "rounds", "optimal") == [
        ("solved", "claim", 2, True),
        ("solved", "claim", 4, False),
        ("hits_wall", "action", 1, False),
        ("solved", "cap", 2, True),
        ("unsolved", "detour", 1, False),
        ("solved", "claim", 2, True),
        ("claim_too_late", "break", 2, False),
        ("solved", None, None, True),
        ("solved", None, None, True),
    ]
    assert {(row["family"], row["difficulty"], row["error"]) for row in rows} == {
        ("maze", "easy", None)
    }
    assert report.error_count == 0


def test_steps_that_are_none(tmp_path: Path) -> None:
    rows, report = judge(
        tmp_path,
        [
            line(1, "oracle-vcot", response=RIGHT, steps="right, right"),
            line(2, "oracle-vcot", response=RIGHT, steps=["right"]),
            line(3, "oracle-vcot", response=RIGHT, steps=[{"reply": 7}]),
            line(4, "mine", response=RIGHT, steps=[{"reply": "right", "probe": {}}]),
            line(5, "oracle-vcot"),
            line(6, "mine", steps=["I look", "I think"]),
            # Names of fields are not ours alone: what can't be rounds is left alone.
            line(7, "text-cot", response=RIGHT, steps=["I look", "I think"]),
            line(8, "mine", response=RIGHT, steps=12),
            line(9, None, response=RIGHT, steps=[{"thought": "right"}]),
            line(10, "direct", response=RIGHT, steps=moves("u1")),
        ],
    )
    assert [row["error"] for row in rows[:6]] == [
        "steps: it is not a list of rounds",
        "steps: round 1 is not an object",
        "steps: reply of round 1 is not text",
        "steps: probe of round 1 is not text",
        "the line has no response",
        "the line has no response",
    ]
    assert of(rows[6:], "optimal", "stop") == [(True, None)] * 4
    assert report.error_count == 6


def test_a_line_of_a_million_rounds(tmp_path: Path) -> None:
    step = json.dumps(moves("d1 u1"))[1:-1]
    text = json.dumps(line(1, "oracle-vcot", response="")).removesuffix("}")
    path = tmp_path / "answers.jsonl"
    path.write_text(f'{text}, "steps": [{", ".join([step] * 100_000)}]}}\n')
    started = time.process_time()
    judge_file(path, [], tmp_path / "v.jsonl", Options())
    assert json.loads((tmp_path / "v.jsonl").read_text())["reason"] == "round_cap"
    assert time.process_time() - started < 5


def test_the_published_rules_for_all_rounds(tmp_path: Path) -> None:
    lines = [
        line(1, "oracle-vcot", response="", steps=moves(SHORT)),
        line(2, "mine", response="", steps=moves(LONG)),
        line(3, "oracle-vcot+budget", response="", steps=moves(SHORT)),
        line(4, "oracle-vcot+budget", response="", steps=moves("r r")),
        line(5, "text-cot", response=RIGHT),
    ]
    rows, _ = judge(tmp_path, lines, vgau_rules=True)
    assert of(rows, "reason", "stop") == [
        ("solved", "claim"),
        ("unsolved", "detour"),
        ("solved", "claim"),
        ("claim_too_late", "break"),
        ("solved", None),
    ]
    assert [row["reason"] for row in judge(tmp_path, lines)[0]] == ["solved"] * 5


def test_a_picture_that_was_due_first(tmp_path: Path) -> None:
    rows, _ = judge(
        tmp_path,
        [
            line(1, "self-gta", response="", problem="the reply holds no picture"),
            line(2, "self-vr", response=" \n"),
            line(3, "self-gta", response="", images=["images/1.png"]),
            line(4, "self-vr", response=RIGHT),
            line(5, "oracle-gta", response="", problem="none of ours"),
            line(6, "draw-own", response="", problem="the reply holds no picture"),
            line(7, "draw-own", response=RIGHT, problem="the reply holds no picture"),
            line(8, "self-vcot", response="", steps=moves(SHORT), problem="the picture is empty"),
            line(9, "self-gta", response="", problem={"of": "another kind"}, images=0),
        ],
        distance=True,
    )
    missing = "The picture that was asked for did not come, or can't be used."
    assert of(rows, "reason", "detail", "distance")[:2] == [
        ("no_image", "the reply holds no picture", 2),
        ("no_image", missing, 2),
    ]
    assert [row["reason"] for row in rows[2:7]] == [
        *("no_answer", "solved", "no_answer", "no_answer", "solved")
    ]
    assert of(rows[7:], "reason", "stop", "detail") == [
        ("no_image", "image", "the picture is empty"),
        ("no_image", None, missing),
    ]
    assert not any(row["error"] for row in rows)
    drawn = [False, False, True, False, None, False, False, None, False]
    assert [row["drawn"] for row in rows] == drawn


def test_drawings_are_counted_and_have_no_verdict(tmp_path: Path) -> None:
    lines = [
        line(1, "draw-true", response="", images=["images/1.png"], model="m"),
        line(2, "draw-true", problem="the picture is empty", model="m"),
        line(2, "draw-true", response=RIGHT, model="m"),
        line(3, "text-cot", response=RIGHT, model="m"),
    ]
    rows, report = judge(tmp_path, lines)
    told = ("id", "line", "protocol", "model", "run", "family", "difficulty", "drawn", "measured")
    for row in rows[:2]:
        assert all(row[name] is None for name in FIELDS if name not in told)
    assert [row["drawn"] for row in rows] == [True, False, None, None]
    assert rows[0]["measured"]["drawing"]["reason"] == "no_file"
    assert [row["measured"] for row in rows[1:]] == [None] * 3
    assert rows[2]["error"] == "a second answer for the same id, protocol, model and run"
    record = report.record()
    assert (record["answers"], record["judged"], record["drawings"]) == (4, 1, 2)
    drawn, said = record["groups"]
    assert (drawn["n"], drawn["drawings"], drawn["optimal"]["rate"]) == (0, 2, None)
    assert (said["n"], said["drawings"], said["optimal"]["rate"]) == (1, 0, 1.0)
    done = command("verify", str(tmp_path / "answers.jsonl"))
    assert done.returncode == 1
    assert "2 drawings" in done.stdout


SCORES = {
    "rubric": {"visual_quality": 4, "structural_alignment": 3.5, "reasoning_correctness": 0},
    "checklist": {"instruction_following": "good", "rule_coherence": "bad"},
    "result": {"background_consistency": True, "reasoning_success": False},
    "process": {"visual_quality": 99.5},
    "pass": True,
}


def test_recorded_judgements_are_carried_over(tmp_path: Path) -> None:
    rows, _ = judge(
        tmp_path,
        [
            line(1, "draw-true", response="", images=["1.png"], scores=SCORES),
            line(2, "direct", response=RIGHT, scores={"pass": False}),
            line(3, "direct", response=RIGHT, scores=None),
            line(4, "direct", response=RIGHT),
        ],
    )
    assert [row["scores"] for row in rows] == [SCORES, {"pass": False}, None, None]
    assert [row["optimal"] for row in rows] == [None, True, True, True]


@pytest.mark.parametrize(
    ("scores", "place"),
    [
        (4, "scores"),
        ({"rubrik": {}}, "scores.rubrik"),
        ({"rubric": {"beauty": 3}}, "scores.rubric.beauty"),
        ({"rubric": {"visual_quality": 5.1}}, "scores.rubric.visual_quality"),
        ({"rubric": {"visual_quality": True}}, "scores.rubric.visual_quality"),
        ({"rubric": {"visual_quality": "4"}}, "scores.rubric.visual_quality"),
        ({"process": {"visual_quality": -1}}, "scores.process.visual_quality"),
        ({"process": {"visual_quality": float("nan")}}, "scores.process.visual_quality"),
        ({"checklist": {"rule_coherence": "Good"}}, "scores.checklist.rule_coherence"),
        ({"result": {"rule_obedience": 1}}, "scores.result.rule_obedience"),
        ({"pass": "yes"}, "scores.pass"),
    ],
)
def test_judgements_of_another_shape_are_errors(tmp_path: Path, scores: Any, place: str) -> None:
    rows, _ = judge(tmp_path, [line(1, "direct", response=RIGHT, scores=scores)])
    assert rows[0]["error"].startswith(f"{place}: ")
    assert rows[0]["scores"] is None


def test_verdicts_of_older_versions_are_replaced(tmp_path: Path) -> None:
    lines = [line(1, "direct", response=RIGHT)]
    new = ("family", "difficulty", "rounds", "stop", "drawn", "scores")
    for names in (FIELDS, [name for name in FIELDS if name not in new]):
        (tmp_path / "verdicts.jsonl").write_text(json.dumps(dict.fromkeys(names)) + "\n")
        assert judge(tmp_path, lines)[0][0]["optimal"]
    for names in ([*FIELDS, "mine"], ["id", "line", "error"]):
        (tmp_path / "verdicts.jsonl").write_text(json.dumps(dict.fromkeys(names)) + "\n")
        with pytest.raises(AnswersError, match="something other than verdicts"):
            judge(tmp_path, lines)


def test_the_same_answers_give_the_same_bytes(tmp_path: Path) -> None:
    lines = [
        line(1, "oracle-vcot", response="", steps=moves(LONG)),
        line(2, "draw-true", response="", scores=SCORES),
        line(3, "self-gta", response="", problem="the picture is empty"),
        line(4, "text-cot", response=RIGHT),
        line(5),
    ]
    judge(tmp_path, lines)
    first = (tmp_path / "verdicts.jsonl").read_bytes()
    judge(tmp_path, lines)
    assert (tmp_path / "verdicts.jsonl").read_bytes() == first


def test_the_reader_stands_in_the_verdict(tmp_path: Path) -> None:
    thought = f"<think>{RIGHT}</think>"
    lines = [
        line(1, "text-cot", response=thought),
        line(2, "oracle-vcot", response="", steps=moves(SHORT)),
    ]
    ours, _ = judge(tmp_path, lines)
    theirs, _ = judge(tmp_path, lines, vgau_reader=True)
    assert of(ours, "reason", "reader") == [("no_answer", "2"), ("solved", "2")]
    assert of(theirs, "reason", "reader") == [("solved", "2+vgau"), ("solved", "2")]


def test_the_options_of_the_command(tmp_path: Path) -> None:
    judge(tmp_path, [line(1, "oracle-vcot", response="", steps=moves(LONG))])
    answers = str(tmp_path / "answers.jsonl")
    shown = json.loads(command("verify", answers, "--rules", "vgau", "--json").stdout)
    assert shown["groups"][0]["reasons"] == {"unsolved": 1}
    assert command("verify", answers, "--reader", "vgau").returncode == 0
    both = command("verify", answers, "--reader", "vgau", "--strict")
    assert both.returncode == 2
    assert both.stderr.startswith("puzzles: --strict is about our answer format")
    assert command("verify", answers, "--rules", "ours").returncode == 2


def test_samples_of_lmms_eval_are_read(tmp_path: Path) -> None:
    from protocols.adapters.lmms_samples import target_of

    board = Instance(**BOARD)
    sample = {
        "doc_id": 0,
        "target": target_of("text-cot", board.model_dump(mode="json")),
        "filtered_resps": [f"So: {RIGHT}"],
        "doc_hash": "0",
    }
    path = tmp_path / "m_samples_maze.jsonl"
    silent = {**sample, "filtered_resps": [None]}
    other = {"doc_id": 1, "target": "B", "filtered_resps": ["A"]}
    path.write_text("".join(f"{json.dumps(line)}\n" for line in (sample, silent, other)))
    out = verdicts_path(path)
    assert out.name == "m_samples_maze.verdicts.jsonl"
    judge_file(path, [], out, Options())
    rows = [json.loads(row) for row in out.read_text().splitlines()]
    assert of(rows, "protocol", "optimal", "error") == [
        ("text-cot", True, None),
        ("text-cot", None, "the line has no response"),
        (None, None, "the line has no response"),
    ]


def test_pictures_without_a_response_are_told_what_to_say(tmp_path: Path, data: Path) -> None:
    path = tmp_path / "answers.jsonl"
    path.write_text(json.dumps({"id": "maze-easy-0123456789abcdef", "images": ["1.png"]}) + "\n")
    done = command("verify", str(path), "--data", str(data))
    told = 'the line has no response; of pictures alone it is ""'
    assert done.stderr == f"{path} line 1: {told}\n"


def test_answers_to_another_data_set(tmp_path: Path, data: Path) -> None:
    path = tmp_path / "answers.jsonl"
    name = "maze-easy-0123456789abcdef"
    lines = [{"id": name, "response": RIGHT, "run": run, "scores": SCORES} for run in range(3)]
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    done = command("verify", str(path), "--data", str(data))
    assert done.returncode == 1
    assert done.stderr.splitlines() == [f"{path} line {n}: unknown id {name}" for n in (1, 2, 3)]
    assert "no answers to: maze easy (4)" in done.stdout
    rows = [json.loads(row) for row in (tmp_path / "verdicts.jsonl").read_text().splitlines()]
    assert of(rows, "id", "reason", "scores") == [(name, None, None)] * 3


def test_control_characters_and_long_texts(tmp_path: Path) -> None:
    million = "\x1b[2J" * 250_000
    lines = [
        line(1, "text-cot", response=f"{million}{RIGHT}{million}", model="red\x1b[31m"),
        line(2, "oracle-vcot", steps=[{"reply": million, "probe": million}], model="red\x1b[31m"),
        line(3, "text-cot", response="\x00\x07\r" + RIGHT, model="red\x1b[31m"),
        {"id": "\x1b[2J", "response": RIGHT},
        {"id": million, "response": RIGHT},
    ]
    started = time.process_time()
    rows, _ = judge(tmp_path, lines)
    assert time.process_time() - started < 3
    assert [row["reason"] for row in rows] == ["solved", "no_answer", "solved", None, None]
    done = command("verify", str(tmp_path / "answers.jsonl"))
    assert "\x1b" not in done.stdout + done.stderr
    assert r"red\x1b[31m" in done.stdout
    assert r"unknown id \x1b[2J" in done.stderr
    assert len(done.stderr) < 2000


@pytest.mark.parametrize("name", [name for name in PROTOCOLS if not name.startswith("files")])
def test_a_line_is_judged_as_its_episode_was(name: str, tmp_path: Path) -> None:
    """Whatever is replied: the file of verdicts says what the episode said."""
    from tests.protocols.test_episode import picture

    board = Instance(**BOARD, id="maze-easy-0000000000000000", difficulty="easy", answer=RIGHT)
    replies = [
        Reply(RIGHT, (picture(),)),
        Reply('<STEP_JSON>{"move":"right"}</STEP_JSON>', (picture(),)),
        Reply("<answer>0</answer>", (b"no image",)),
        Reply("<answer>1</answer>"),
        Reply(),
    ]
    lines, expected = [], []
    for k in range(25):
        episode = Episode(board, name, Aids(cell=16, donor=lambda instance: instance))
        for turn in range(99):
            if episode.request is None:
                break
            episode.take(replies[(k // 5**turn + turn) % 5])
        files = [f"{at}.png" for at, _ in enumerate(episode.play.drawings)]
        own = board.model_dump(mode="json", exclude={"id", "difficulty"})
        lines.append({**episode.answer(files), "id": f"b{k}", "instance": own})
        expected.append(episode.verdict())
    rows, report = judge(tmp_path, lines)
    assert report.error_count == 0
    for row, verdict in zip(rows, expected, strict=True):
        said = ("reason", "feasible", "optimal", "rounds", "stop", "detail", "format_ok", "answer")
        assert {n: row[n] for n in said} == {n: getattr(verdict, n, None) for n in said}
