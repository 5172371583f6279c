"""The two drivers: one for code that waits for its answers, one for code that awaits them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from typing import Any, Self

import httpx

from oracle.client.asking import Asker, Call, Pause, Plan, Sent, T
from oracle.client.remote import Remote
from oracle.messages import Stepped, Transcript


class Client:
    """A step server, for code that waits for its answers.

    Threads may share it, each with episodes of its own. A request that meets a broken connection,
    a time-out, a status from 500 up, or a 429 that names a time is sent again, later and later;
    the server knows steps again, so none is taken twice.

    timeout
        Seconds for one try.
    patience
        Seconds from the first try, after which the server is given up.

    Its methods, and those of its episodes, raise ServerError with the server's sentence and status.
    """

    def __init__(
        self,
        url: str,
        token: str | None = None,
        *,
        timeout: float = 30.0,
        patience: float = 60.0,
        transport: httpx.BaseTransport | None = None,
    ):
        self._asker = Asker(url, patience)
        self._http = httpx.Client(
            base_url=_checked(url), headers=_headers(token), timeout=timeout, transport=transport
        )

    def open(self, **start: Any) -> RemoteEpisode:
        """Begin an episode.

        start
            The fields of ``oracle.messages.Start``: ``id``; or ``family`` and ``board``; or
            ``family``, ``difficulty``, ``seed``, ``index``; and ``protocol``, ``history``, ...
            Pictures always come with the replies.
        """
        return RemoteEpisode(self, self._carry(self._asker.open(start)), start)

    def transition(self, steps: Sequence[Mapping[str, Any]], **start: Any) -> Stepped:
        """Return the answer to the last of ``steps``, of an episode that is kept nowhere.

        steps
            As the server takes them: ``{"round": 1, "action": {"move": "up"}}``, ...
        """
        return self._carry(self._asker.transition(start, steps))

    def close(self) -> None:
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _carry(self, plan: Plan[T]) -> T:
        sent: Sent = None
        while True:
            try:
                wanted = plan.send(sent)
            except StopIteration as end:
                outcome: T = end.value
                return outcome
            sent = self._done(wanted)

    def _done(self, wanted: Call | Pause) -> Sent:
        if isinstance(wanted, Pause):
            time.sleep(wanted.seconds)
            return None
        try:
            return self._http.request(wanted.method, wanted.path, json=wanted.body)
        except httpx.TransportError as error:
            return error


class RemoteEpisode(Remote):
    """An episode on a server; see ``Client.open``."""

    def __init__(self, client: Client, opened: Any, start: Mapping[str, Any]):
        super().__init__(client._asker, opened, start)
        self._carry = client._carry

    def step(
        self,
        *,
        action: Any = None,
        reply: str | None = None,
        remaining: int | str | None = None,
        drawing: bytes | None = None,
    ) -> Stepped:
        """Send what is due, and perhaps what is due after it; return how it went.

        action
            One action as JSON: ``{"move": "up"}``, ...
        reply
            A model's text, which names the action or the answer.
        remaining
            How many actions remain after this one; 0 ends the episode.
        drawing
            The picture that the model has drawn: the bytes of a file.

        After an error the same step may be sent again.
        """
        return self._carry(self._step(action, reply, remaining, drawing))

    def say(self, text: str) -> Stepped:
        """Send a model's text as what is due: an action, the answer, or the number that remains."""
        return self._carry(self._say(text))

    def transcript(self) -> Transcript:
        """Return all that has happened so far."""
        return self._carry(self._transcript())

    def answer(self, **by: Any) -> dict[str, Any]:
        """Return a line for answers.jsonl with ``by`` (model, run) in it.

        Raises ValueError while the episode goes on.
        """
        return self._carry(self._answer(by))

    def delete(self) -> None:
        """Have the server forget the episode."""
        self._carry(self._delete())


class AsyncClient:
    """``Client`` for asyncio: the same methods, to be awaited; many episodes at a time."""

    def __init__(
        self,
        url: str,
        token: str | None = None,
        *,
        timeout: float = 30.0,
        patience: float = 60.0,
        transport: httpx.AsyncBaseTransport | None = None,
    ):
        self._asker = Asker(url, patience)
        self._http = httpx.AsyncClient(
            base_url=_checked(url), headers=_headers(token), timeout=timeout, transport=transport
        )

    async def open(self, **start: Any) -> AsyncRemoteEpisode:
        return AsyncRemoteEpisode(self, await self._carry(self._asker.open(start)), start)

    async def transition(self, steps: Sequence[Mapping[str, Any]], **start: Any) -> Stepped:
        return await self._carry(self._asker.transition(start, steps))

    async def close(self) -> None:
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def _carry(self, plan: Plan[T]) -> T:
        sent: Sent = None
        while True:
            try:
                wanted = plan.send(sent)
            except StopIteration as end:
                outcome: T = end.value
                return outcome
            sent = await self._done(wanted)

    async def _done(self, wanted: Call | Pause) -> Sent:
        if isinstance(wanted, Pause):
            await asyncio.sleep(wanted.seconds)
            return None
        try:
            return await self._http.request(wanted.method, wanted.path, json=wanted.body)
        except httpx.TransportError as error:
            return error


class AsyncRemoteEpisode(Remote):
    """An episode on a server; its methods are those of ``RemoteEpisode``, to be awaited."""

    def __init__(self, client: AsyncClient, opened: Any, start: Mapping[str, Any]):
        super().__init__(client._asker, opened, start)
        self._carry = client._carry

    async def step(
        self,
        *,
        action: Any = None,
        reply: str | None = None,
        remaining: int | str | None = None,
        drawing: bytes | None = None,
    ) -> Stepped:
        return await self._carry(self._step(action, reply, remaining, drawing))

    async def say(self, text: str) -> Stepped:
        return await self._carry(self._say(text))

    async def transcript(self) -> Transcript:
        return await self._carry(self._transcript())

    async def answer(self, **by: Any) -> dict[str, Any]:
        return await self._carry(self._answer(by))

    async def delete(self) -> None:
        await self._carry(self._delete())


def _checked(url: str) -> str:
    if not url.startswith(("http://", "https://")):
        raise ValueError(f"the server's address begins with http:// or https://, not {url!r}")
    return url


def _headers(token: str | None) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"} if token else {}
