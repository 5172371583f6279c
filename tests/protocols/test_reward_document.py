"""docs/rewards.md does what it says: its first snippet, its table, the files it names."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from protocols.reward import MIX, Score

PAGE = (Path(__file__).parents[2] / "docs" / "rewards.md").read_text()


def test_the_first_snippet(capsys: pytest.CaptureFixture[str]) -> None:
    code = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)[0]
    exec(code, {})
    assert capsys.readouterr().out == "True True True 1.0 1.0\n1.0\n"


def test_the_formula_is_the_default_mix() -> None:
    [line] = re.findall(r"^    mix = (.*)$", PAGE, re.MULTILINE)
    parts = re.findall(r"([\d.]+) (?:r max\(0, )?(\w+)", line)
    told = {name: float(weight) for weight, name in parts}
    assert told == {name: weight for name, weight in vars(MIX).items() if name != "illegal"}
    assert MIX.illegal == 1 / 2


def test_the_limits_of_the_table() -> None:
    def worth(
        feasible: bool, optimal: bool, form: bool, way: float, efficient: float, legal: bool = True
    ) -> float:
        return round(MIX(Score(feasible, optimal, form, way, efficient, legal, "")), 3)

    assert worth(True, True, True, 1, 1) == 1
    assert worth(True, True, False, 1, 1) == 0.95
    assert worth(True, False, False, 1, 0) == 0.65
    assert worth(True, False, True, 1, 1) == 0.85
    assert worth(False, False, True, 1, 0) == 0.2
    assert worth(False, False, True, 1, 0, legal=False) == 0.125
    for number in ("0.95", "0.65 to 0.85", "at most 0.20", "at most 0.125"):
        assert number in PAGE


@pytest.mark.parametrize("name", ["easyr1_reward", "swift_reward"])
def test_files_that_are_named_by_a_command(name: str) -> None:
    module = f"protocols.adapters.{name}"
    assert f"$(python -m {module})" in PAGE
    told = subprocess.run(
        [sys.executable, "-m", module], capture_output=True, text=True, check=True
    )
    path = Path(told.stdout.strip())
    assert path.is_file()
    # Trainers load the file by its path, under a name of their own.
    code = (
        "import importlib.util, sys\n"
        f"spec = importlib.util.spec_from_file_location('custom', {str(path)!r})\n"
        "module = importlib.util.module_from_spec(spec)\n"
        "sys.modules['custom'] = module\n"
        "spec.loader.exec_module(module)\n"
        "assert 'numba' not in sys.modules and 'torch' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_solved_text_is_paid_for_without_a_search() -> None:
    code = (
        "import json, sys\n"
        "from protocols.adapters.verl_reward import compute_score\n"
        "record = json.dumps({'family': 'maze', 'board': 'S.G', 'optimal_length': 2})\n"
        'reply = \'<ANSWER_JSON>["right","right"]</ANSWER_JSON>\'\n'
        "assert compute_score('', reply, record)['score'] == 1\n"
        "heavy = {'numba', 'torch', 'scipy', 'PIL', 'pyarrow'} & {*sys.modules}\n"
        "assert not heavy, heavy\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
