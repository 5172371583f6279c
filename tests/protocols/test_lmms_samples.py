"""Samples files of lmms-eval, read as answers and judged again."""

import json
from pathlib import Path
from typing import Any

import pytest

from protocols.adapters.lmms_samples import answer_of, target_of
from protocols.judge import Options, judge_file

# The goal is two steps to the right.
CORRIDOR = {"id": "two", "family": "maze", "board": "S.G", "rules": {}, "optimal_length": 2}
RIGHT = '<ANSWER_JSON>["right","right"]</ANSWER_JSON>'
SHORT = '<ANSWER_JSON>["right"]</ANSWER_JSON>'


def sample(response: Any, protocol: str = "direct", **other: Any) -> dict[str, Any]:
    """Return a line as lmms-eval 0.7.3 writes it."""
    return {
        "doc_id": 0,
        "target": target_of(protocol, CORRIDOR),
        "filtered_resps": response,
        "token_counts": [None],
        "doc_hash": "74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b",
        "optimal": 1.0,
        "input": "The picture shows a puzzle.",
        **other,
    }


def verdicts(tmp_path: Path, *lines: dict[str, Any]) -> list[dict[str, Any]]:
    answers, out = tmp_path / "x_samples_y.jsonl", tmp_path / "v.jsonl"
    answers.write_text("".join(json.dumps(line) + "\n" for line in lines))
    judge_file(answers, (), out, Options(images=False))
    return [json.loads(line) for line in out.read_text().splitlines()]


def test_a_sample_holds_an_answer_with_its_instance() -> None:
    assert answer_of(sample(RIGHT)) == {
        "id": "two",
        "protocol": "direct",
        "response": RIGHT,
        "instance": CORRIDOR,
    }


def test_the_answer_that_was_judged_counts_not_the_one_before_the_filters() -> None:
    answer = answer_of(sample(RIGHT, resps=["<think>left</think>" + RIGHT]))
    assert answer is not None
    assert answer["response"] == RIGHT


@pytest.mark.parametrize("response", [[RIGHT, SHORT], [[RIGHT], [SHORT]]])
def test_of_several_replies_the_first_counts(response: Any) -> None:
    answer = answer_of(sample(response))
    assert answer is not None
    assert answer["response"] == RIGHT


def test_a_stepwise_sample_holds_its_steps() -> None:
    steps = [{"reply": '<STEP_JSON>"right"</STEP_JSON>', "legal": True, "probe": "1"}]
    said = json.dumps({"id": "other", "protocol": "direct", "response": SHORT, "steps": steps})
    answer = answer_of(sample(said, "oracle-vcot"))
    assert answer == {
        "id": "two",
        "protocol": "oracle-vcot",
        "response": SHORT,
        "steps": steps,
        "instance": CORRIDOR,
    }


def test_a_reply_that_looks_like_a_record_is_a_reply() -> None:
    answer = answer_of(sample('{"response": "x", "steps": []}'))
    assert answer is not None
    assert answer["response"] == '{"response": "x", "steps": []}'
    assert "steps" not in answer


@pytest.mark.parametrize(
    "record",
    [
        {},
        {"id": "two", "response": RIGHT},
        {**sample(RIGHT), "target": "42"},
        {**sample(RIGHT), "target": 42},
        {**sample(RIGHT), "target": "[]"},
        {**sample(RIGHT), "target": "{"},
        {**sample(RIGHT), "target": "[" * 100_000},
        {**sample(RIGHT), "target": json.dumps({"protocol": "direct"})},
        {**sample(RIGHT), "target": json.dumps({"protocol": 1, "instance": CORRIDOR})},
        {key: value for key, value in sample(RIGHT).items() if key != "filtered_resps"},
        {key: value for key, value in sample(RIGHT).items() if key != "doc_id"},
    ],
)
def test_other_lines_are_none_of_ours(record: dict[str, Any]) -> None:
    assert answer_of(record) is None


@pytest.mark.parametrize(
    "response",
    [None, 7, [], {"text": RIGHT}, "[LMMS_EVAL_REQUEST_FAILED after 3 retries] no route to host"],
)
@pytest.mark.parametrize("protocol", ["direct", "oracle-vcot"])
def test_where_no_reply_has_come_there_is_no_response(
    protocol: str, response: Any, tmp_path: Path
) -> None:
    answer = answer_of(sample(response, protocol))
    assert answer is not None
    assert answer["response"] is None
    [row] = verdicts(tmp_path, sample(response, protocol))
    assert row["error"] == "the line has no response"


def test_a_file_of_samples_is_judged(tmp_path: Path) -> None:
    second = {**sample(SHORT), "target": target_of("text-cot", CORRIDOR)}
    rows = verdicts(tmp_path, sample(RIGHT), second)
    assert [(row["id"], row["protocol"], row["optimal"], row["error"]) for row in rows] == [
        ("two", "direct", True, None),
        ("two", "text-cot", False, None),
    ]


def test_what_the_harness_has_measured_is_not_believed(tmp_path: Path) -> None:
    assert verdicts(tmp_path, sample(SHORT, optimal=1.0))[0]["optimal"] is False


def test_stepwise_samples_are_judged_by_their_rounds(tmp_path: Path) -> None:
    rounds = [
        {"reply": '<STEP_JSON>"right"</STEP_JSON>', "probe": "<answer>1</answer>"},
        {"reply": '<STEP_JSON>"right"</STEP_JSON>', "probe": "<answer>0</answer>"},
    ]
    whole = sample(json.dumps({"response": SHORT, "steps": rounds}), "oracle-vcot")
    half = sample(json.dumps({"response": RIGHT, "steps": rounds[:1]}), "oracle-aug-vcot")
    first, second = verdicts(tmp_path, whole, half)
    assert (first["optimal"], first["stop"]) == (True, "claim")
    assert (second["optimal"], second["stop"]) == (False, "break")
