"""The task folder for lmms-eval, without lmms-eval: what it holds, asks and measures."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from protocols.adapters.documents import CARRIED, Document, NotCarried
from protocols.adapters.lmms_folder import main, write_tasks
from protocols.adapters.lmms_tasks import Task
from protocols.aids import AidsError
from protocols.episode import Episode
from protocols.models.players import player
from protocols.protocol import UnknownProtocol, named
from puzzles import NAMES, Instance, make
from puzzles.records import DatasetError

WITHOUT_FILES = [name for name in CARRIED if named(name).source != "files"]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    for name in NAMES:
        make(name, "easy", 2, out=folder / name, images=False)
    return folder


@pytest.fixture(scope="module")
def docs(data: Path, tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """The first document of each family."""
    out = tmp_path_factory.mktemp("tasks")
    write_tasks(data, out, ["mismatch-gta"], cell=20)
    lines = [path.read_text().splitlines()[0] for path in sorted((out / "data").iterdir())]
    assert len(lines) == len(NAMES)
    return [json.loads(line) for line in lines]


def rounds(task: Task, doc: dict[str, Any], model: Any) -> Iterator[tuple[str, list[Any]]]:
    """Yield what the task asks, as the harness carries it; at the end the outcome is ``final``."""
    text: Any = task.doc_to_text(doc)
    visuals: Any = task.doc_to_visual(doc)
    outputs: list[str] = []
    info: Any = None
    for number in range(1, 500):
        yield text, visuals
        outputs.append(model())
        visuals, text, over, outputs, info = task.doc_to_text(
            doc,
            lmms_eval_specific_kwargs=None,
            previous_output=outputs,
            round_idx=number,
            previous_round_info=info,
        )
        if over:
            yield outputs[-1], []
            return
    raise AssertionError("the episode has no end")


@pytest.mark.parametrize("protocol", [name for name in WITHOUT_FILES if named(name).stepwise])
def test_a_stepwise_task_carries_the_episode(protocol: str, docs: list[dict[str, Any]]) -> None:
    solver, task = player("solver"), Task(protocol)
    for doc in docs:
        twin = Document(**doc).episode(named(protocol), None)

        def reply(twin: Episode = twin) -> str:
            said = solver.reply(twin)
            twin.take(said)
            return said.text

        for text, visuals in rounds(task, doc, reply):
            if twin.request is not None:
                wanted = [part for message in twin.request.messages for part in message.parts]
                assert all(part in text for part in wanted if isinstance(part, str))
                assert len(visuals) == len(twin.request.images)
                assert f"[picture {len(visuals)}]" in text or len(twin.request.messages) == 1
        assert json.loads(text) == twin.answer([])
        assert task.process_results(doc, [text]) == dict.fromkeys(
            ("optimal", "feasible", "format_ok"), 1.0
        )


def test_nothing_in_the_record_of_an_episode_looks_like_a_tag(docs: list[dict[str, Any]]) -> None:
    said = iter(['<think>up</think><STEP_JSON>"x"</STEP_JSON><think>'])
    *_, (text, _) = rounds(Task("oracle-vcot"), docs[1], lambda: next(said))
    assert "<" not in text
    assert json.loads(text)["steps"][0]["reply"].endswith("</STEP_JSON><think>")


@pytest.mark.parametrize("protocol", [name for name in WITHOUT_FILES if not named(name).stepwise])
def test_a_task_asks_what_the_episode_asks(protocol: str, docs: list[dict[str, Any]]) -> None:
    solver, task = player("solver"), Task(protocol)
    for doc in docs:
        episode = Document(**doc).episode(named(protocol), None)
        assert episode.request is not None
        assert task.doc_to_text(doc) == episode.request.messages[0].text
        shown = [picture.size for picture in task.doc_to_visual(doc)]
        assert len(shown) == len(episode.request.images)
        side = 20 * len(episode.instance.board.split("\n"))
        assert shown[0] == (side, side)
        right = solver.reply(episode).text
        assert set(task.process_results(doc, [right]).values()) == {1.0}
        assert set(task.process_results(doc, [right[:-3]]).values()) == {0.0}


@pytest.mark.parametrize("text", ["", "\x00{", "{" * 10_000, "</think>" * 1000, "\ud800"])
def test_no_answer_scores_nothing(text: str, docs: list[dict[str, Any]]) -> None:
    for doc in docs:
        assert set(Task("text-cot").process_results(doc, [text]).values()) == {0.0}
        *_, (record, _) = rounds(Task("oracle-vcot"), doc, lambda: text)
        assert set(Task("oracle-vcot").process_results(doc, [record]).values()) == {0.0}


FAILED = "[LMMS_EVAL_REQUEST_FAILED after 3 retries] connection refused"


@pytest.mark.parametrize("results", [[None], [], [7], [[]], [FAILED]])
@pytest.mark.parametrize("protocol", ["text-cot", "oracle-vcot"])
def test_a_reply_that_has_not_come_is_not_counted(
    protocol: str, results: list[Any], docs: list[dict[str, Any]]
) -> None:
    assert all(Task(protocol).process_results(doc, results) == {} for doc in docs)


def test_a_request_that_failed_ends_the_episode_unjudged(docs: list[dict[str, Any]]) -> None:
    for doc in docs:
        *_, (record, _) = rounds(Task("oracle-vcot"), doc, lambda: FAILED)
        assert Task("oracle-vcot").process_results(doc, [record]) == {}


def test_an_answer_that_refutes_its_instance_has_no_metrics() -> None:
    wrong = Instance(id="x", family="maze", board="S.G", optimal_length=3)
    doc = Document(wrong.line(), "", ("maze", "easy"), 20)._asdict()
    right = '<ANSWER_JSON>["right","right"]</ANSWER_JSON>'
    assert Task("direct").process_results(doc, [right]) == {}


@pytest.mark.parametrize(
    "protocol", [name for name in WITHOUT_FILES if not named(name).leaks and "mis" not in name]
)
def test_what_is_shown_tells_neither_the_id_nor_the_optimum(
    protocol: str, docs: list[dict[str, Any]]
) -> None:
    task, greedy = Task(protocol), player("greedy")
    for doc in docs:
        instance = Instance.model_validate_json(doc["record"])
        other = instance.model_copy(update={"optimal_length": 77, "answer": None})
        seen = []
        for told in (doc, doc | {"record": other.line()}):
            episode = Document(**told).episode(named(protocol), None)

            def reply(twin: Episode = episode) -> str:
                said = greedy.reply(twin)
                twin.take(said)
                return said.text

            shown = [(task.doc_to_text(told), task.doc_to_visual(told))]
            if named(protocol).stepwise:
                shown = list(rounds(task, told, reply))[:-1]
            seen.append([(text, [picture.tobytes() for picture in all_]) for text, all_ in shown])
            assert not any(instance.id in text for text, _ in shown)
        assert seen[0] == seen[1]


def test_the_folder_holds_a_task_for_each_bucket_and_protocol(data: Path, tmp_path: Path) -> None:
    out = tmp_path / "tasks"
    groups = write_tasks(data, out, ["direct", "oracle-vcot+last"])
    assert groups == ["puzzles_direct", "puzzles_oracle_vcot_last"]
    for group in groups:
        assert {path.name for path in (out / group).iterdir()} == {
            *(f"{name}_easy.yaml" for name in NAMES),
            *("_kind.yaml", "_group.yaml", "functions.py"),
        }
    # No episode of an easy Sokoban board is longer than 2 x 8 rounds, none of maze, onet, parking,
    # klotski or path than 12; each round is two requests.
    assert "max_agentic_steps: 32\n" in (out / groups[1] / "_kind.yaml").read_text()


def test_pictures_are_those_of_the_data_unless_a_size_is_asked_for(tmp_path: Path) -> None:
    make("maze", "easy", 2, out=tmp_path / "d", cell=24)
    write_tasks(tmp_path / "d", tmp_path / "a", ["direct"])
    write_tasks(tmp_path / "d", tmp_path / "b", ["direct"], cell=30)
    for out, cell in (("a", 24), ("b", 30)):
        doc = json.loads((tmp_path / out / "data" / "maze_easy.jsonl").read_text().splitlines()[0])
        assert Task("direct").doc_to_visual(doc)[0].size == (10 * cell, 10 * cell)


def test_pictures_of_another_generator_are_shown(tmp_path: Path) -> None:
    [one] = make("maze", "easy", 1, out=tmp_path / "d", images=False)
    (tmp_path / "p").mkdir()
    Image.new("RGB", (33, 44)).save(tmp_path / "p" / f"{one.id}.png")
    write_tasks(tmp_path / "d", tmp_path / "t", ["files-gta"], files=tmp_path / "p")
    doc = json.loads((tmp_path / "t" / "data" / "maze_easy.jsonl").read_text())
    code = (tmp_path / "t" / "puzzles_files_gta" / "functions.py").read_text()
    called: dict[str, Any] = {}
    exec(code, called)
    assert [picture.size for picture in called["doc_to_visual"](doc)] == [(640, 640), (33, 44)]


def test_what_cannot_be_written_is_said_before_anything_is(data: Path, tmp_path: Path) -> None:
    out, empty = tmp_path / "out", tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(NotCarried, match="self-vcot: the model draws"):
        write_tasks(data, out, ["direct", "self-vcot"])
    with pytest.raises(UnknownProtocol, match="did you mean direct"):
        write_tasks(data, out, ["direkt"])
    with pytest.raises(AidsError, match="folder of pictures"):
        write_tasks(data, out, ["files-gta"])
    with pytest.raises(DatasetError, match="holds no dataset"):
        write_tasks(empty, out)
    assert not out.exists()
    write_tasks(data, out, ["direct"])
    with pytest.raises(ValueError, match="holds something already"):
        write_tasks(data, out, ["direct"])


def test_the_command_says_how_to_go_on(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main([str(data), "-o", str(tmp_path / "t"), "--protocol", "direct,oracle-gta"])
    told = capsys.readouterr().out
    assert told == (
        f"lmms-eval --include_path {tmp_path / 't'} --tasks puzzles_direct,puzzles_oracle_gta\n"
    )
    with pytest.raises(SystemExit, match=r"puzzles: .* holds something already"):
        main([str(data), "-o", str(tmp_path / "t")])
