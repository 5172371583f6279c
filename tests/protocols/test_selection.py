"""Which episodes a run plays: instances, donors, cells, and what is wrong with a request."""

from io import BytesIO

import PIL.Image
import pytest

from protocols.episode import Episode
from protocols.protocol import named
from protocols.selection import Selection
from puzzles import NAMES
from tests.protocols.playing import CORRIDORS, corridor, puzzles_run, save


def test_a_selection_reads_the_first_of_each_bucket(suite):
    selection = Selection([suite], [named("direct")], 2, 1)
    jobs = list(selection.jobs())
    assert len(jobs) == len(selection) == 2 * len(NAMES)
    assert [job.run for job in jobs] == [1] * len(NAMES) + [2] * len(NAMES)
    assert len({job.instance.id for job in jobs}) == len(NAMES)
    one = Selection([suite, suite / "maze"], [named("direct")], families=["maze"])
    assert len(list(one.jobs())) == len(one) == 2


def test_donors_are_others_of_the_bucket_whatever_their_length(data):
    selection = Selection([data], [named("mismatch-gta")])
    instances = [job.instance for job in selection.jobs()]
    donor = next(selection.jobs()).aids.donor
    donors = {one.id: donor(one).id for one in instances}
    assert all(one != other for one, other in donors.items())
    longer = [one.model_copy(update={"optimal_length": 40, "answer": None}) for one in instances]
    assert {one.id: donor(one).id for one in longer} == donors


def test_a_board_is_no_donor_of_itself(tmp_path):
    board, other, turned = CORRIDORS[0], CORRIDORS[2], CORRIDORS[0].replace("SG.", ".GS")
    for k in range(8):  # whichever follows in the order of the hashes
        instances = [corridor(10 * k + at, b, 1) for at, b in enumerate((board, turned, other))]
        selection = Selection([save(tmp_path / str(k), instances)], [named("mismatch-vr")])
        donor = next(selection.jobs()).aids.donor
        assert [donor(one).board for one in instances] == [other, other, donor(instances[2]).board]
        assert donor(instances[2]).board != other


def test_cells_are_those_of_the_dataset(data):
    (data / "dataset.json").write_text('{"content": {"cell": 24}}')
    given = [next(Selection([data], [named("direct")], cell=cell).jobs()) for cell in (None, 32)]
    sizes = [
        PIL.Image.open(BytesIO(Episode(*job[:2], job.aids).request.images[0].png)).size
        for job in given
    ]
    assert sizes == [(5 * 24, 3 * 24), (5 * 32, 3 * 32)]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--protocol", "direkt"], "did you mean direct"),
        (["--model", "gpt-9"], "--base-url"),
        (["--model", "noisy:2"], "noisy"),
        (["--model", "python:nowhere"], "python:MODULE:CLASS"),
        (["--model", "python:no_such_module:X"], "no_such_module"),
        (["--model", "python:json:loads"], "TypeError"),
        (["--model", "python:collections:Counter"], "no method reply"),
        (["--model", "m", "--base-url", "localhost"], "--base-url is an address"),
        (["--model", "m", "--base-url", "http://127.0.0.1:9/v1"], "nobody listens"),
        (["--family", "chess"], "no instance of family chess"),
        (["--difficulty", "hard"], "no instance of difficulty hard"),
        (["--images", "oil"], "--images is chat or edit or generate"),
        (["--price", "3"], "--price is IN,OUT"),
        (["--extra", "[1]"], "--extra is a JSON object"),
        (["--stopping", "budget"], "stepwise"),
        (["--protocol", "files-gta"], "--aids"),
        (["--data", "/nowhere"], "holds no dataset"),
        (["-o", "/nowhere/a.jsonl"], "there is no folder /nowhere"),
        (["-o", "/dev/null"], "no ordinary file"),
        (["--key-env", "NO_SUCH_KEY", "--model", "m", "--base-url", "http://x/v1"], "NO_SUCH_KEY"),
        (["--cell", "500", "--data", "DATA/wide"], "pixels"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_request_takes_one_sentence(arguments, sentence, data, tmp_path):
    save(data / "wide", [corridor(9, f"{'#' * 99}\n#SG{'.' * 95}#\n" + f"{'#' * 99}\n" * 97, 1)])
    given = {
        "--data": data,
        "--protocol": "direct",
        "--model": "solver",
        "-o": tmp_path / "a.jsonl",
    }
    given |= dict(zip(arguments[::2], arguments[1::2], strict=True))
    given["--data"] = str(given["--data"]).replace("DATA", str(data))
    said = puzzles_run(*(part for pair in given.items() for part in pair), code=2)
    assert sentence in said
    assert said.count("\n") == 1
    assert not list(tmp_path.glob("a.*"))


def test_a_lone_instance_has_no_donor(tmp_path):
    data = save(tmp_path / "one", [corridor(0, CORRIDORS[0], 1)])
    said = puzzles_run(
        *("--data", data, "--protocol", "mismatch-vr", "--model", "solver"),
        *("-o", tmp_path / "a.jsonl"),
        code=2,
    )
    assert "no other of maze easy" in said
