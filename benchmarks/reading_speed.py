"""How many pictures of boards are read a second; see benchmarks/bench.py.

python -m benchmarks.reading_speed [--without-opencv] [FAMILY ...]

From the bytes of a PNG of 640 x 640 pixels, or as many as fit the cells, to the state, with the
size known; a second of processor time. What is learned once a process, the looks of a family and
how they are softened, is a row of its own.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from io import BytesIO

from PIL import Image

from benchmarks.disturbances import disturbed
from benchmarks.ladder import cases, stream
from puzzles import NAMES, family
from puzzles.reading import looks, read
from render.boards import warping
from render.encode import png
from render.read import UnreadableImage

SIDE, BOARDS, SEED = 640, 12, 2607
ALIGNED = ("rotation", "shift")
"""What is done, in strength 2, to pictures that have to be brought into line."""
FLOORS = {"undisturbed": "100 /s", "aligned": "15 /s"}


def pictures(name: str) -> dict[str, list[bytes]]:
    """Return PNGs of a family's boards, undisturbed and to be aligned."""
    out: dict[str, list[bytes]] = {kind: [] for kind in FLOORS}
    for case in cases(name, BOARDS, SEED):
        drawn = family(name).draw(case.state, SIDE // max(family(name).size))
        out["undisturbed"].append(png(drawn))
        random = stream("speed", name, case.name)
        moved = BytesIO()
        Image.fromarray(disturbed(drawn.palette[drawn.pixels], ALIGNED, 2, random)).save(
            moved, "PNG"
        )
        out["aligned"].append(moved.getvalue())
    return out


def rates(name: str, span: float = 1.0) -> dict[str, float]:
    """Return pictures read a second of processor time, by what was done to them.

    Then the seconds of processor time for what is learned once.
    """
    learned = _seconds(lambda: looks(name, "{}"))
    chosen = pictures(name)
    first = sum(_seconds(partial(read_all, name, some)) for some in chosen.values())
    out = {}
    for kind, some in chosen.items():
        started, done = time.process_time(), 0
        while time.process_time() - started < span:
            done += read_all(name, some)
        out[kind] = done / (time.process_time() - started)
    again = sum(len(some) / out[kind] for kind, some in chosen.items())
    return out | {"learned": learned + max(0.0, first - again)}


def _seconds(work: Callable[[], object]) -> float:
    started = time.process_time()
    work()
    return time.process_time() - started


def read_all(name: str, chosen: Sequence[bytes]) -> int:
    """Read pictures; return how many."""
    for data in chosen:
        try:
            read(family(name), data, size=family(name).size)
        except UnreadableImage:
            continue  # what can't be told takes its time too
    return len(chosen)


def rows() -> Iterator[tuple[str, str, str]]:
    """Yield rows of the table; with and without OpenCV are processes of their own."""
    for name in NAMES:
        came = {}
        for words in ((), ("--without-opencv",)):
            command = [sys.executable, "-m", "benchmarks.reading_speed", *words, name]
            said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
            came[words] = json.loads(said)[name]
        with_it, without = came.values()
        what = f"read {name}, 640 px a side"
        yield f"{what}, undisturbed", f"{with_it['undisturbed']:,.0f} /s", FLOORS["undisturbed"]
        yield f"{what}, turned and moved", f"{with_it['aligned']:,.0f} /s", FLOORS["aligned"]
        yield f"{what}, turned and moved, without OpenCV", f"{without['aligned']:,.0f} /s", ""
        yield f"what is learned to read {name}, once a process", f"{with_it['learned']:.1f} s", ""


def main(words: Sequence[str]) -> None:
    if "--without-opencv" in words:
        warping.opencv = False
    names = [word for word in words if not word.startswith("--")] or NAMES
    print(json.dumps({name: rates(name) for name in names}))


if __name__ == "__main__":
    main(sys.argv[1:])
