"""Files of answers: every line accounted for, nothing overwritten, memory that does not grow."""

import json
import os
import subprocess
import sys
import tracemalloc
from pathlib import Path

import pytest

from protocols.judge import Options, Seen, judge_file, verdicts_path
from protocols.success import wilson
from puzzles import make
from puzzles.records import DatasetError
from tests.protocols.judging import instances, judge, mazes, right

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return mazes(tmp_path_factory.mktemp("data"))


def test_every_line_is_accounted_for(tmp_path: Path, data: Path) -> None:
    one, two, three = instances(data / "maze-easy")[:3]
    report, rows = judge(
        tmp_path / "answers.jsonl",
        [
            right(one, model="m", protocol="direct"),
            '{"id": "maze-easy-',
            {"id": "maze-easy-0000000000000000", "response": "up"},
            {"id": two.id, "model": "m"},
            "",
            {"id": two.id, "response": None},
            right(one, model="m", protocol="direct"),
            right(one, model="m", protocol="text-cot"),
            "[1, 2]",
            {"response": "up"},
            {"id": three.id, "response": 7},
            {"id": three.id, "response": "no idea", "model": "m", "protocol": "direct"},
        ],
        data,
    )
    assert [row["line"] for row in rows] == [1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12]
    assert [row["error"] for row in rows] == [
        None,
        "the line is not JSON",
        "unknown id maze-easy-0000000000000000",
        "the line has no response",
        "the line has no response",
        "a second answer for the same id, protocol, model and run",
        None,
        "the line is not a JSON object",
        "the line has neither an id nor an instance",
        "response: Input should be a valid string",
        None,
    ]
    assert [row["reason"] for row in rows if row["error"] is None] == [
        "solved",
        "solved",
        "no_answer",
    ]
    assert rows[3]["id"] == two.id
    assert report.error_count == 8
    assert [line for line, _ in report.errors] == [2, 3, 4, 6, 7, 9, 10, 11]


def test_a_line_of_verdicts_has_the_fields_of_the_spec(tmp_path: Path, data: Path) -> None:
    _, rows = judge(tmp_path / "a.jsonl", [right(instances(data / "maze-easy")[0])], data)
    fields = (
        "id,line,protocol,model,run,family,difficulty,answer,format_ok,feasible,optimal,moves,"
        "optimal_length,legal_moves,at,reason,detail,distance,dead,rounds,stop,reader,drawn,scores,"
        "measured,error"
    )
    assert ",".join(rows[0]) == fields


def test_groups_and_missing_answers(tmp_path: Path, data: Path) -> None:
    easy, medium = instances(data / "maze-easy"), instances(data / "maze-medium")
    lines = [right(i, model="m", run=run) for i in easy for run in (0, 1)]
    lines += [{**right(i, model="m", run=0), "response": "?"} for i in medium[:2]]
    report, _ = judge(tmp_path / "answers.jsonl", lines, data)
    first, second = report.record()["groups"]
    assert (first["difficulty"], first["n"], first["expected"], first["runs"]) == (
        "easy",
        20,
        20,
        2,
    )
    assert first["optimal"] == {
        "count": 20,
        "rate": 1.0,
        "low": pytest.approx(0.8389, abs=1e-4),
        "high": 1.0,
    }
    assert (second["difficulty"], second["n"], second["expected"]) == ("medium", 2, 5)
    assert second["feasible"]["count"] == 0
    assert second["reasons"] == {"no_answer": 2}


def test_wilson_intervals() -> None:
    # Newcombe (1998), table I: 81 of 263, 15 of 148, 0 of 20, 1 of 29.
    for successes, n, low, high in (
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ):
        assert wilson(successes, n) == (pytest.approx(low, abs=5e-5), pytest.approx(high, abs=5e-5))


def test_instances_are_found_beside_the_answers(tmp_path: Path) -> None:
    made = make("maze", "easy", 3, out=tmp_path, images=False)
    report, _ = judge(tmp_path / "answers.jsonl", [right(i) for i in made])
    assert report.record()["judged"] == 3


def test_instances_may_stand_in_the_line(tmp_path: Path) -> None:
    board = {"family": "maze", "board": "S.G", "optimal_length": 2}
    text = '<ANSWER_JSON>["right","right"]</ANSWER_JSON>'
    report, rows = judge(
        tmp_path / "answers.jsonl",
        [
            {"id": "mine-1", "response": text, "instance": board},
            {"response": text, "instance": board},
            {"id": "mine-1", "response": text, "instance": board},
            {"id": "mine-2", "response": text, "instance": {**board, "board": "SSG"}},
            {"id": "mine-3", "response": text, "instance": {**board, "family": "chess"}},
            {"id": "mine-4", "response": text, "instance": {**board, "optimal_length": 3}},
            {"id": "mine-5", "response": text, "instance": {"board": "SG"}},
        ],
    )
    assert [row["optimal"] for row in rows[:2]] == [True, True]
    assert rows[1]["id"].startswith("maze-easy-")
    errors = [row["error"] for row in rows[2:]]
    assert errors[0] == "a second answer for the same id, protocol, model and run"
    assert errors[1].startswith("the instance can't be read: maze: a second agent at (0,1)")
    assert errors[2].startswith("the instance can't be read: unknown family 'chess'")
    assert errors[3].startswith("the board is solved in 2, but the instance says that 3")
    assert errors[4] == "instance.family: Field required"
    assert report.error_count == 5


def test_a_swapped_instance_does_not_pass_for_a_known_one(tmp_path: Path, data: Path) -> None:
    known = instances(data / "maze-medium")[0]
    easy = {"family": "maze", "board": "SG", "optimal_length": 1, "difficulty": "medium"}
    cheat = {"id": known.id, "response": '<ANSWER_JSON>["right"]</ANSWER_JSON>', "instance": easy}
    _, rows = judge(tmp_path / "answers.jsonl", [cheat], data)
    assert rows[0]["error"].startswith("the inline instance is not the one that the data holds")
    _, rows = judge(tmp_path / "answers.jsonl", [cheat])
    assert rows[0]["error"].startswith("the inline instance is not the one that the id")


def test_broken_data_is_named(tmp_path: Path) -> None:
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / "metadata.jsonl").write_text('{"id": "a"}\n')
    (tmp_path / "answers.jsonl").write_text("")
    judge_file(tmp_path / "answers.jsonl", [], tmp_path / "v.jsonl", Options())  # not ours: passed
    (tmp_path / "d" / "dataset.json").write_text("{}")
    with pytest.raises(DatasetError, match=r"d/metadata.jsonl line 1 is not an instance"):
        judge_file(tmp_path / "answers.jsonl", [], tmp_path / "v.jsonl", Options())
    with pytest.raises(DatasetError, match="holds no dataset"):
        judge_file(tmp_path / "answers.jsonl", [tmp_path / "e"], tmp_path / "v.jsonl", Options())


def command(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "cli", *words],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env={**os.environ, **environment},
    )


def test_exit_codes(tmp_path: Path, data: Path) -> None:
    answers = tmp_path / "answers.jsonl"
    answers.write_text(json.dumps(right(instances(data / "maze-easy")[0])) + "\n")
    sound = command("verify", str(answers), "--data", str(data))
    assert (sound.returncode, sound.stderr) == (0, "")
    assert "100.0%" in sound.stdout
    assert "1 of 10" in sound.stdout
    answers.write_text("broken\n" * 30)
    broken = command("verify", str(answers), "--data", str(data), "--json")
    assert broken.returncode == 1
    assert "line 1: the line is not JSON" in broken.stderr
    assert "and 10 more, all in" in broken.stderr
    assert json.loads(broken.stdout)["unjudged"] == 30
    missing = command("verify", str(tmp_path / "nothing.jsonl"))
    assert missing.returncode == 2
    assert missing.stderr == f"puzzles: there is no file {tmp_path / 'nothing.jsonl'}\n"


MEASURE = """
import resource, sys
from pathlib import Path
from protocols.judge import Options, judge_file
judge_file(Path(sys.argv[1]), [Path(sys.argv[2])], Path(sys.argv[3]), Options())
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def test_memory_does_not_grow_with_the_answers(tmp_path: Path, data: Path) -> None:
    peaks = []
    made = instances(data / "maze-easy")
    for runs in (100, 4000):
        path = tmp_path / f"answers-{runs}.jsonl"
        with path.open("w") as file:
            for run in range(runs):
                for instance in made:
                    answer = right(instance, run=run % 3, model=f"m{run // 3}")
                    file.write(json.dumps(answer) + "\n")
        done = subprocess.run(
            [sys.executable, "-c", MEASURE, str(path), str(data), str(tmp_path / "v.jsonl")],
            capture_output=True,
            text=True,
            check=True,
            cwd=ROOT,
        )
        peaks.append(int(done.stdout))
    assert peaks[1] < 1.25 * peaks[0]


@pytest.mark.parametrize("model", ["lora[/]", "qwen[bold]", ":smile:", "a\nb"])
def test_names_are_shown_as_they_are(model: str, tmp_path: Path, data: Path) -> None:
    answers = tmp_path / "answers.jsonl"
    answers.write_text(json.dumps(right(instances(data / "maze-easy")[0], model=model)) + "\n")
    done = command("verify", str(answers), "--data", str(data))
    assert (done.returncode, done.stderr) == (0, "")
    assert model.split("\n")[0] in done.stdout


def test_half_a_surrogate_pair_costs_only_its_line(tmp_path: Path, data: Path) -> None:
    one, two = instances(data / "maze-easy")[:2]
    board = {"family": "maze", "board": "S\ud800G", "optimal_length": 1}
    _, rows = judge(
        tmp_path / "answers.jsonl",
        [
            right(one),
            right(two, model="\ud800"),
            {"id": "\ud800", "response": ""},
            {"id": two.id, "response": '<ANSWER_JSON>["\ud800"]</ANSWER_JSON>'},
            {"response": "", "instance": board},
        ],
        data,
    )
    assert [row["error"] is None for row in rows] == [True, False, False, True, False]
    assert rows[3]["reason"] == "unknown_action"


@pytest.mark.parametrize("name", ["id", "difficulty", "family", "board"])
def test_half_a_surrogate_pair_in_an_inline_instance_is_named(tmp_path: Path, name: str) -> None:
    board = {"family": "maze", "board": "SG", "optimal_length": 1, name: "\ud800"}
    _, rows = judge(tmp_path / "answers.jsonl", [{"response": "", "instance": board}])
    assert rows[0]["error"].startswith(f"the {name} of the instance holds half a surrogate pair")


def test_inline_instances_do_not_fill_a_bucket_of_the_data(tmp_path: Path, data: Path) -> None:
    known = instances(data / "maze-medium")[0]
    board = {"family": "maze", "optimal_length": 1, "difficulty": "medium"}
    inline = [
        {"response": '<ANSWER_JSON>["right"]</ANSWER_JSON>', "instance": {**board, "board": rows}}
        for rows in ("SG", "SG.", "SG..", "SG...")
    ]
    report, _ = judge(tmp_path / "answers.jsonl", [right(known), *inline], data)
    found = [
        (group["difficulty"], group["inline"], group["n"], group["expected"])
        for group in report.record()["groups"]
    ]
    assert found == [("easy", True, 4, None), ("medium", False, 1, 5)]
    shown = command("verify", str(tmp_path / "answers.jsonl"), "--data", str(data)).stdout
    assert "easy (inline)" in shown
    assert "4 of" not in shown


def test_an_inline_difficulty_can_not_hide_another_board(tmp_path: Path) -> None:
    board = {"family": "maze", "board": "SG", "optimal_length": 1}
    name = "maze-hard-0123456789abcdef"
    lines = [
        {"id": name, "response": "", "instance": {**board, "difficulty": difficulty}}
        for difficulty in ("hard", "x-0123456789abcdef", "", "Hard")
    ]
    _, rows = judge(tmp_path / "answers.jsonl", lines)
    assert rows[0]["error"] == f"the inline instance is not the one that the id {name} stands for"
    assert {row["error"] for row in rows[1:]} == {
        "the difficulty of the instance is not a word of letters from a to z"
    }


def test_a_line_that_says_a_thing_twice_is_no_answer(tmp_path: Path, data: Path) -> None:
    one = instances(data / "maze-easy")[0]
    line = json.dumps(right(one)).replace('"response"', '"response":"up","response"')
    _, rows = judge(tmp_path / "answers.jsonl", [line], data)
    assert rows[0]["error"] == "the key 'response' stands twice in one object"


def test_what_the_table_shows_as_one_is_one(tmp_path: Path, data: Path) -> None:
    one, two = instances(data / "maze-easy")[:2]
    lines = [right(one, model=model, protocol=model, run=model) for model in (None, "", "-")]
    lines += [right(two, run=run) for run in (1, "1")]
    report, rows = judge(tmp_path / "answers.jsonl", lines, data)
    assert [row["error"] is None for row in rows] == [True, False, False, True, False]
    (group,) = report.record()["groups"]
    assert (group["n"], group["runs"], group["expected"]) == (2, 2, 20)


def test_progress_counts_answers(tmp_path: Path, data: Path) -> None:
    line = json.dumps(right(instances(data / "maze-easy")[0])) + "\n"
    path, told = tmp_path / "answers.jsonl", []
    path.write_text(line * 600 + "\n \n")
    judge_file(path, [data], tmp_path / "v.jsonl", Options(), lambda *now: told.append(now))
    assert told == [(256, 600), (512, 600), (600, 600)]


@pytest.mark.parametrize("form", [(), ("--json",)])
def test_printing_never_fails(tmp_path: Path, data: Path, form: tuple[str, ...]) -> None:
    answers = tmp_path / "answers.jsonl"
    answers.write_text(json.dumps(right(instances(data / "maze-easy")[0], model="é☃")) + "\n")
    done = command("verify", str(answers), "--data", str(data), *form, PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, "")
    assert "\\u2603" in done.stdout
    if form:
        assert json.loads(done.stdout)["groups"][0]["model"] == "é☃"


def test_a_few_answers_of_many_models_take_little_memory() -> None:
    seen, ordinal = Seen(), 10_000_000
    tracemalloc.start()
    for model in range(1000):
        assert seen.add(ordinal, ("-", str(model), "-"))
        assert not seen.add(ordinal, ("-", str(model), "-"))
        assert seen.add(ordinal + 1, ("-", str(model), "-"))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1_000_000


def test_a_byte_order_mark_is_no_part_of_the_first_line(tmp_path: Path, data: Path) -> None:
    answers = tmp_path / "answers.jsonl"
    line = json.dumps(right(instances(data / "maze-easy")[0]))
    answers.write_bytes(b"\xef\xbb\xbf" + line.encode() + b"\r\n")
    report = judge_file(answers, [data], tmp_path / "verdicts.jsonl", Options())
    assert (report.record()["judged"], report.error_count) == (1, 0)


def test_data_that_contradicts_itself_is_named(tmp_path: Path) -> None:
    made = make("maze", "easy", 1, out=tmp_path / "a", images=False)[0]
    other = made.model_copy(update={"optimal_length": 77})
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "metadata.jsonl").write_text(other.line())
    (tmp_path / "answers.jsonl").write_text("")
    with pytest.raises(DatasetError, match="another instance has the same id"):
        judge_file(tmp_path / "answers.jsonl", [tmp_path], tmp_path / "v.jsonl", Options())


def test_answers_of_like_names_have_verdicts_of_their_own() -> None:
    names = ("gpt-4.1", "gpt-4.5", "a.json", "a.jsonl", "answers.jsonl")
    assert len({verdicts_path(Path(name)) for name in names}) == len(names)


def test_a_bucket_that_one_model_left_out_is_shown(tmp_path: Path, data: Path) -> None:
    easy, medium = instances(data / "maze-easy"), instances(data / "maze-medium")
    lines = [right(i, model="both") for i in easy + medium] + [right(i, model="half") for i in easy]
    report, _ = judge(tmp_path / "answers.jsonl", lines, data)
    found = {
        (g["model"], g["difficulty"]): (g["n"], g["expected"]) for g in report.record()["groups"]
    }
    assert found[("half", "medium")] == (0, 5)
    assert (
        "0 of 5" in command("verify", str(tmp_path / "answers.jsonl"), "--data", str(data)).stdout
    )


def test_options_reach_the_judge(tmp_path: Path, data: Path) -> None:
    instance = instances(data / "maze-medium")[0]
    answers = tmp_path / "answers.jsonl"
    loose = str(instance.answer).replace("ANSWER_JSON", "answer_json")
    answers.write_text(json.dumps({"id": instance.id, "response": loose}) + "\n")
    place = tmp_path / "v.jsonl"
    for flags, reason, distance in (
        ((), "solved", None),
        (("--strict",), "bad_format", None),
        (("--distance",), "solved", 0),
        (("--strict", "--distance"), "bad_format", instance.optimal_length),
    ):
        done = command("verify", str(answers), "--data", str(data), "-o", str(place), *flags)
        assert done.returncode == 0, done.stderr
        row = json.loads(place.read_text())
        assert (row["reason"], row["distance"]) == (reason, distance)
