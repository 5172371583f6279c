"""A real server under schemathesis: every phase it has, boards made and settled on the way."""

import subprocess
import sys
from pathlib import Path

import pytest

from puzzles import NAMES
from puzzles.content import Content
from puzzles.dataset import checked, write
from puzzles.generate import Recipe
from tests.oracle.serving import Server

pytestmark = pytest.mark.integration

UNFIT = [
    "positive_data_acceptance",  # a schema can't say which ids and families there are
    "allow_header_conformance",  # Starlette names the methods of one of an address's routes
    "unsupported_method",  # a POST that isn't JSON is refused wherever it goes
]


@pytest.mark.parametrize("seed", [1, 2])
def test_no_request_is_a_mistake_of_ours(tmp_path: Path, seed: int) -> None:
    for name in NAMES:
        write(Content(checked(Recipe(name, lengths=(2, 3))), 2, None), tmp_path / "data" / name)
    token = tmp_path / "token"
    token.write_text("t")
    token.chmod(0o600)
    words = ["--data", tmp_path / "data", "--token-file", token, "--stateless"]
    with Server(tmp_path, *words, "--limit", "seconds=2") as server:
        command = [sys.executable, "-m", "schemathesis.cli", "run", f"{server.url}/openapi.json"]
        command += ["--header", "Authorization: Bearer t", "--seed", str(seed)]
        command += ["--max-examples", "60", "--exclude-checks", ",".join(UNFIT)]
        done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert done.returncode == 0, done.stdout
    assert "Stateful" in done.stdout
    assert "Traceback" not in server.log.read_text()
