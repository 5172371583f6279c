"""The samples files that lmms-eval writes, read as answers."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from protocols.protocol import UnknownProtocol, named

ANSWER_FIELDS = ("response", "problem", "steps")
"""What a stepwise task says in its response, which is a line of answers.jsonl."""

_NOT_REPLIED = ("[LMMS_EVAL_REQUEST_FAILED", "[LMMS_EVAL_BUDGET_EXCEEDED]")
"""What the harness writes in place of a reply that has not come."""


def answer_of(record: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return what a line of answers.jsonl would hold; None if this is no sample of our tasks.

    record
        A line of lmms-eval's ``*_samples_*.jsonl``. The harness drops the document; ``target``
        holds the protocol and the instance (see ``target_of``), ``filtered_resps`` what was judged.

    Neither the model nor the run is in the line. Where no reply has come the response is None, so
    that the line is unjudged: a request that failed is no failure of the model's.
    """
    target = _object(record.get("target"))
    if target is None or "doc_id" not in record or "filtered_resps" not in record:
        return None
    protocol, instance = target.get("protocol"), target.get("instance")
    if not isinstance(protocol, str) or not isinstance(instance, dict):
        return None
    response = _text(record["filtered_resps"])
    answer = {"id": instance.get("id", ""), "protocol": protocol, "response": response}
    if _is_stepwise(protocol):
        said = _object(response) or {"response": None}
        answer |= {name: said[name] for name in ANSWER_FIELDS if name in said}
    return answer | {"instance": instance}


def _is_stepwise(protocol: str) -> bool:
    try:
        return named(protocol).stepwise
    except UnknownProtocol:
        return False


def target_of(protocol: str, instance: Mapping[str, Any]) -> str:
    """Return the target of a sample: all that judging it takes, as JSON."""
    return json.dumps({"protocol": protocol, "instance": instance}, separators=(",", ":"))


def replied(text: str) -> bool:
    """Whether ``text`` is the model's, not a note of the harness that none has come."""
    return not text.startswith(_NOT_REPLIED)


def _text(responses: Any) -> str | None:
    """Return the response: the only one, or the first of several runs."""
    while isinstance(responses, list) and responses:
        responses = responses[0]
    return responses if isinstance(responses, str) and replied(responses) else None


def _object(text: Any) -> dict[str, Any] | None:
    """Return the JSON object that ``text`` is, or None."""
    if not isinstance(text, str):
        return None
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
