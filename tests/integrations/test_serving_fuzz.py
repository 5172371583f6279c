"""A real server under schemathesis: every phase it has, boards made and settled on the way."""

import subprocess
import sys
from pathlib import Path

import pytest

from puzzles import NAMES
from puzzles.asked import checked
from puzzles.content import Content
from puzzles.dataset import write
from puzzles.generate import Recipe
from tests.oracle.serving import Server

pytestmark = pytest.mark.integration

UNFIT = [
    "positive_data_acceptance",  # a schema can't say which ids and families there are
    "allow_header_conformance",  # Starlette names the methods of one of an address's routes
    "unsupported_method",  # a POST that isn't JSON is refused wherever it goes
]

# What is wrong with a request may be found out only after it has been found too large, or too slow.
REFUSALS = """
[checks.negative_data_rejection]
expected-statuses = [400, 401, 404, 405, 408, 409, 413, 415, 422, 429]
"""


@pytest.mark.parametrize("seed", [1, 2])
def test_no_request_is_a_mistake_of_ours(tmp_path: Path, seed: int) -> None:
    for name in NAMES:
        write(Content(checked(Recipe(name, lengths=(2, 3))), 2, None), tmp_path / "data" / name)
    token = tmp_path / "token"
    token.write_text("t")
    token.chmod(0o600)
    (tmp_path / "schemathesis.toml").write_text(REFUSALS)
    words = ["--data", tmp_path / "data", "--token-file", token, "--stateless"]
    with Server(tmp_path, *words, "--limit", "seconds=2") as server:
        command = [sys.executable, "-m", "schemathesis.cli", "run", f"{server.url}/openapi.json"]
        command += ["--header", "Authorization: Bearer t", "--seed", str(seed)]
        command += ["--max-examples", "60", "--exclude-checks", ",".join(UNFIT)]
        done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    said = "\n".join(line[:300] for line in done.stdout.splitlines())  # bodies have megabytes
    assert done.returncode == 0, said
    assert "Stateful" in done.stdout
    assert "Traceback" not in server.log.read_text()
