"""A data folder written as the task folder that lmms-eval takes: ``python -m`` this, DATA, -o OUT.

OUT holds data/FAMILY_DIFFICULTY.jsonl and, for each protocol, a folder with a task for each of
these, their group, and the few lines that call ``lmms_tasks.Task``.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

from protocols.adapters.documents import CARRIED, METRICS, Document, carried, documents
from protocols.protocol import Protocol
from protocols.stepwise import Walk

_CALLED = ("doc_to_visual", "doc_to_text", "doc_to_target", "process_results")
_KIND = """\
dataset_path: json
test_split: test
output_type: {output_type}
num_fewshot: 0
{functions}
generation_kwargs:
  max_new_tokens: 8192
  temperature: 0
  do_sample: false
  until: []  # else a blank line would end the reply
{more}metric_list:
{metrics}
metadata:
  version: 1.0
"""
_TASK = """\
include: _kind.yaml
task: {task}
dataset_kwargs:
  data_files:
    test: {data}
"""
_GROUP = """\
group: {group}
task:
{tasks}
aggregate_metric_list:
{metrics}
metadata:
  version: 1.0
"""
_FUNCTIONS = """\
\"\"\"Written by protocols.adapters.lmms_folder: what the tasks of this folder call.\"\"\"

from protocols.adapters.lmms_tasks import Task

_task = Task({protocol!r}, files={files!r})
"""


def write_tasks(
    data: Path,
    out: Path,
    protocols: Sequence[str] = (),
    cell: int | None = None,
    files: Path | None = None,
) -> list[str]:
    """Write the task folder ``out`` and return the names of its groups, one for each protocol.

    protocols
        Names; all that the harness carries unless given, without those that want ``files``.
    cell
        Pixels a cell; None for what each dataset was drawn with.
    files
        A folder of another generator's pictures, for the source of that name.

    Raises DatasetError for a folder without data, NotCarried, UnknownProtocol, AidsError, and
    ValueError where ``out`` holds something already.
    """
    chosen = [carried(name) for name in protocols] or [
        carried(name) for name in CARRIED if files or carried(name).source != "files"
    ]
    if out.exists() and any(out.iterdir()):
        raise ValueError(f"{out} holds something already: name a folder that is new or empty")
    given = documents(data, chosen, cell, files)
    buckets = {"_".join(key): list(of) for key, of in groupby(given, lambda one: one.bucket)}
    _write_data(out / "data", buckets)
    return [_write_protocol(out, protocol, buckets, files) for protocol in chosen]


def _write_data(folder: Path, buckets: dict[str, list[Document]]) -> None:
    folder.mkdir(parents=True)
    for bucket, of in buckets.items():
        lines = (json.dumps(one._asdict()) + "\n" for one in of)
        (folder / f"{bucket}.jsonl").write_text("".join(lines), "utf-8")


def _write_protocol(
    out: Path,
    protocol: Protocol,
    buckets: dict[str, list[Document]],
    files: Path | None,
) -> str:
    """Write the tasks of one protocol; return the name of their group."""
    group = "puzzles_" + protocol.name.replace("-", "_").replace("+", "_")
    folder = out / group
    folder.mkdir()
    place = str(files.resolve()) if files else None
    code = _FUNCTIONS.format(protocol=protocol.name, files=place)
    (folder / "functions.py").write_text(
        code + "".join(f"{name} = _task.{name}\n" for name in _CALLED), "utf-8"
    )
    (folder / "_kind.yaml").write_text(_kind(protocol, buckets))
    for bucket in buckets:
        told = {"task": f"{group}_{bucket}", "data": f"../data/{bucket}.jsonl"}
        (folder / f"{bucket}.yaml").write_text(_TASK.format(**told))
    tasks = "\n".join(f"  - {group}_{bucket}" for bucket in buckets)
    metrics = _metrics("    weight_by_size: true\n")
    (folder / "_group.yaml").write_text(_GROUP.format(group=group, tasks=tasks, metrics=metrics))
    return group


def _kind(protocol: Protocol, buckets: dict[str, list[Document]]) -> str:
    """Return what the tasks of one protocol have in common.

    A stepwise one may take as many requests as the longest of its episodes; no model sees that.
    """
    output_type, more = "generate_until", ""
    if protocol.stepwise:
        output_type = "generate_until_agentic"
        caps = (Walk(one.instance, protocol).cap for of in buckets.values() for one in of)
        more = f"  max_agentic_steps: {2 * max(caps)}\n"
    functions = "\n".join(f"{name}: !function functions.{name}" for name in _CALLED)
    metrics = _metrics("    higher_is_better: true\n")
    return _KIND.format(output_type=output_type, functions=functions, more=more, metrics=metrics)


def _metrics(more: str) -> str:
    listed = (f"  - metric: {name}\n    aggregation: mean\n{more}" for name in METRICS)
    return "".join(listed).rstrip("\n")


def main(arguments: Sequence[str] | None = None) -> None:
    """Write a task folder as the command line says."""
    parser = argparse.ArgumentParser(prog="python -m protocols.adapters.lmms_folder")
    parser.add_argument("data", type=Path, help="a folder with datasets in or below it")
    parser.add_argument("-o", "--out", type=Path, required=True, help="the task folder")
    parser.add_argument("--protocol", default="", help="names, separated by commas [default: all]")
    parser.add_argument("--cell", type=int, help="pixels a cell [default: those of the data]")
    parser.add_argument("--aids", type=Path, help="pictures for the source files")
    told = parser.parse_args(arguments)
    names = [name for name in told.protocol.split(",") if name]
    try:
        groups = write_tasks(told.data, told.out, names, told.cell, told.aids)
    except (ValueError, OSError) as error:
        sys.exit(f"puzzles: {error}")
    print(f"lmms-eval --include_path {told.out} --tasks {','.join(groups)}")


if __name__ == "__main__":
    main()
