"""A worker that plays many episodes at once and tells of each step that was answered.

``python -m tests.oracle.sturdy STORE COUNT`` begins COUNT episodes, or goes on with those that are
there. Another of its kind may play the same ones at the same time.
"""

import asyncio
import json
import sys
from functools import lru_cache
from typing import Any

from oracle.limits import Limits
from oracle.messages import Step
from oracle.service import Service
from oracle.session import Opening
from oracle.store import Store
from oracle.workshop import Workshop
from puzzles import Instance

KIND = "sturdy"
LENGTH = 8


@lru_cache
def corridor(number: int) -> Opening:
    """Return an opening of a corridor whose goal is eight steps away, at the right or the left."""
    floor = "." * (LENGTH - 1)
    row = f"#S{floor}G#" if number % 2 else f"#G{floor}S#"
    wall = "#" * len(row)
    board = f"{wall}\n{row}\n{wall}"
    one = Instance(family="maze", difficulty="medium", board=board, optimal_length=LENGTH)
    return Opening(one, "oracle-vcot", cell=16)


def step(opening: dict[str, Any], number: int) -> Step:
    action = {"move": "right" if "#S" in opening["instance"]["board"] else "left"}
    return Step(round=number, action=action, remaining=LENGTH - number)


async def begin(store: Store, count: int) -> list[str]:
    """Begin what is missing of ``count`` episodes; return the names of all."""
    service = _service(store)
    names = [name for name, _ in store.all(KIND)]
    for number in range(len(names), count):
        name, _ = await service.episodes.begin(corridor(number))
        store.put(KIND, name, {}, float(number))
        names.append(name)
    return names


def _service(store: Store) -> Service:
    return Service(store, Workshop(Limits()), Limits())


async def go_on(store: Store, names: list[str], *, tell: bool = False) -> list[Any]:
    """Play the episodes to their ends, all at once, and return what the last steps brought."""
    service = _service(store)

    async def play(name: str) -> Any:
        opening = store.opening(name) or {}
        for number in range(1, LENGTH + 1):  # those that are known are answered again
            stepped = await service.step(name, step(opening, number))
            assert stepped.legal
            if tell:
                print(name, number, flush=True)
            await asyncio.sleep(0)
        return stepped.verdict

    return await asyncio.gather(*map(play, names))


def main() -> None:
    place, count = sys.argv[1:3]
    store = Store(place)
    names = asyncio.run(begin(store, int(count)))
    verdicts = asyncio.run(go_on(store, names, tell=True))
    print(json.dumps(verdicts), file=sys.stderr)


if __name__ == "__main__":
    main()
