"""The load on a step server: a process that plays planned episodes, as cheaply as it can.

python -m benchmarks.load PLAN.json      reads a ``Plan`` as JSON, prints what ``measured`` returns

It speaks just enough HTTP for a server on loopback, so that its own share of the cores is small.
"""

import asyncio
import json
import resource
import sys
import time
from collections import deque
from typing import Any, NamedTuple


class Plan(NamedTuple):
    """What is played.

    episodes
        For each the body that opens it, and the bodies of its steps.
    accept
        What the steps ask for: application/json or image/png.
    """

    port: int
    clients: int
    accept: str
    episodes: list[tuple[dict[str, Any], list[dict[str, Any]]]]


class Connection(asyncio.Protocol):
    """One request at a time over a connection that stays open."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._missing = -1  # bytes of the body that have not come; -1 while the head has not
        self._reply: asyncio.Future[bytes] | None = None

    def connection_made(self, transport: Any) -> None:
        self._transport = transport

    async def ask(self, request: bytes) -> bytes:
        """Send a request; return the response, head and body."""
        self._parts, self._missing = [], -1
        self._reply = asyncio.get_running_loop().create_future()
        self._transport.write(request)
        return await self._reply

    def data_received(self, data: bytes) -> None:
        self._parts.append(data)
        if self._missing < 0:
            data = b"".join(self._parts)
            head, end, body = data.partition(b"\r\n\r\n")
            if not end:
                return
            length = head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0]
            self._missing = int(length) - len(body)
        else:
            self._missing -= len(data)
        if self._missing == 0 and self._reply is not None:
            self._reply.set_result(b"".join(self._parts))

    def connection_lost(self, error: Exception | None) -> None:
        if self._reply is not None and not self._reply.done():
            self._reply.set_exception(error or ConnectionError("the server has hung up"))


def request(path: str, body: dict[str, Any], accept: str) -> bytes:
    content = json.dumps(body).encode()
    head = f"POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
    return f"{head}accept: {accept}\r\ncontent-length: {len(content)}\r\n\r\n".encode() + content


def checked(response: bytes, episode: dict[str, Any], kind: bytes = b"application/json") -> bytes:
    head, _, body = response.partition(b"\r\n\r\n")
    if not (head.startswith(b"HTTP/1.1 20") and kind in head):
        raise RuntimeError(f"{episode}: {response[:1000].decode(errors='replace')}")
    return body


async def measured(plan: Plan) -> dict[str, Any]:
    """Open all episodes, then play them; return steps, seconds, latencies, our own CPU seconds."""
    loop = asyncio.get_running_loop()
    connections = [
        (await loop.create_connection(Connection, "127.0.0.1", plan.port))[1]
        for _ in range(plan.clients)
    ]
    games: deque[list[bytes]] = deque()
    for opening, steps in plan.episodes:
        opened = await connections[0].ask(request("/episodes", opening, "application/json"))
        name = json.loads(checked(opened, opening))["episode"]
        games.append([request(f"/episodes/{name}/steps", step, plan.accept) for step in steps])
    latencies: list[float] = []

    async def play(connection: Connection) -> None:
        while games:
            for step in games.popleft():
                started = time.perf_counter()
                response = await connection.ask(step)
                latencies.append(time.perf_counter() - started)
                checked(response, {}, plan.accept.encode())

    started, cpu = time.perf_counter(), time.process_time()
    await asyncio.gather(*map(play, connections))
    took, cpu = time.perf_counter() - started, time.process_time() - cpu
    latencies.sort()
    return {
        "steps": len(latencies),
        "seconds": took,
        "p50": latencies[len(latencies) // 2],
        "p99": latencies[len(latencies) * 99 // 100],
        "cpu": cpu,
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        print(json.dumps(asyncio.run(measured(Plan(**json.load(file))))))
