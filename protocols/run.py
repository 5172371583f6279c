"""Episodes carried to a model and back, several at once; no reply is asked for twice."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from threading import Event, Lock, Thread
from time import monotonic
from typing import Any

from protocols.episode import Episode
from protocols.journal import Closed, Journal
from protocols.messages import Reply, counted
from protocols.models import AskError, Model, ModelError, Refused, Stopped
from protocols.replies import Key
from protocols.selection import Job

MOST_IN_A_ROW = 20
"""Requests that fail one after the other before a run is given up."""
GRACE = 1.0
"""Seconds that requests under way are given when a run is told to end."""
_SHOWN = 20


@dataclass
class Totals:
    """What a run has done.

    episodes, kept
        Finished by this run, and found finished.
    failed, failures
        How many episodes could not be carried to their end, and the first of them with the reason.
    cost
        In USD; None where nobody names it.
    """

    episodes: int = 0
    kept: int = 0
    requests: int = 0
    prompt_tokens: float = 0
    completion_tokens: float = 0
    cost: float | None = None
    failed: int = 0
    failures: list[str] = field(default_factory=list)

    def add(self, usage: dict[str, float]) -> None:
        self.requests += 1
        self.prompt_tokens += usage.get("prompt_tokens", 0)
        self.completion_tokens += usage.get("completion_tokens", 0)
        if "cost" in usage:
            self.cost = (self.cost or 0.0) + usage["cost"]


class Runner:
    """Carries episodes between a model and a journal.

    model
        From the number of a run (from 1) to the model that plays it.
    stop
        Set it to end the run early; the same event ends the waiting of endpoints.
    interrupted
        Whether somebody wants the run to end; then ``run`` raises KeyboardInterrupt.
    progress
        Is told, from any thread, that one more episode is through.
    """

    def __init__(
        self,
        journal: Journal,
        model: Callable[[int], Model],
        *,
        stop: Event | None = None,
        interrupted: Callable[[], bool] = lambda: False,
        progress: Callable[[], None] = lambda: None,
    ):
        self.totals = Totals()
        self._journal, self._stop, self._progress = journal, stop or Event(), progress
        self._interrupted = interrupted
        self._make, self._models = model, dict[int, Model]()
        self._mutex = Lock()
        self._jobs: Iterator[Job] = iter(())
        self._in_a_row = 0
        self._fatal: BaseException | None = None

    def run(self, jobs: Iterator[Job], concurrency: int = 8) -> Totals:
        """Play ``jobs`` in order, ``concurrency`` at once; return what has been done.

        Raises ModelError where no request will be answered, and what goes wrong with the files.
        Threads are left behind that wait for a reply which the run has no more use for.
        """
        self._jobs = jobs
        threads = [Thread(target=self._work, daemon=True) for _ in range(concurrency)]
        for thread in threads:
            thread.start()
        try:
            while any(thread.is_alive() for thread in threads) and not self._stop.is_set():
                for thread in threads:
                    thread.join(0.1 / concurrency)
                if self._interrupted():
                    raise KeyboardInterrupt
        finally:
            self._stop.set()
            end = monotonic() + GRACE
            for thread in threads:
                thread.join(max(0.0, end - monotonic()))
        if self._fatal is not None:
            raise self._fatal
        models = {id(model): model for model in self._models.values()}
        for model in models.values():
            getattr(model, "close", lambda: None)()
        return self.totals

    def _work(self) -> None:
        """Play one episode after the other until there are no more."""
        while not self._stop.is_set():
            job = None
            try:
                with self._mutex:
                    job = next(self._jobs, None)
                if job is None:
                    return
                self._play(job)
            except (Stopped, Closed):
                return
            except BaseException as error:  # Ctrl-C goes to the main thread alone
                if job is None or isinstance(error, ModelError | OSError):
                    self._give_up(error)
                else:
                    self._failed(job, error)
            self._progress()

    def _play(self, job: Job) -> None:
        """Play an episode to its end, from where an interrupted run has left it."""
        model = self._model(job.run)
        key = Key(job.instance.id, job.protocol.name, self._journal.model, job.run)
        if not self._journal.claim(key):
            with self._mutex:
                self.totals.kept += 1
            return
        with self._journal.episode(key) as replies:
            episode = Episode(job.instance, job.protocol, job.aids)
            for record in replies.kept():
                episode.take(Reply.of(record))
            while not episode.done:
                reply = self._ask(model, episode)
                replies.append(reply.record())
                self._count(reply)
                episode.take(reply)
            files = self._journal.drawn(key, episode.play.drawings)
            self._journal.finish(_line(episode, key, files))
            replies.remove()
        with self._mutex:
            self.totals.episodes += 1

    def _ask(self, model: Model, episode: Episode) -> Reply:
        if self._stop.is_set():
            raise Stopped
        begin = monotonic()
        reply = model.reply(episode)
        seconds = round(monotonic() - begin, 3)
        return replace(
            reply,
            text=_encodable(reply.text),
            reasoning=_encodable(reply.reasoning),
            finish=_encodable(reply.finish),
            usage={**counted(reply.usage), "seconds": seconds},
        )

    def _count(self, reply: Reply) -> None:
        with self._mutex:
            self._in_a_row = 0
            self.totals.add(reply.usage or {})

    def _model(self, run: int) -> Model:
        with self._mutex:
            if run not in self._models:
                self._models[run] = self._make(run)
            return self._models[run]

    def _failed(self, job: Job, error: BaseException) -> None:
        kind = "" if isinstance(error, ValueError) else f"{type(error).__name__}: "
        text = f"{kind}{error}"
        with self._mutex:
            self.totals.failed += 1
            if len(self.totals.failures) < _SHOWN:
                run = f", run {job.run}" if job.run > 1 else ""
                self.totals.failures.append(f"{job.instance.id}, {job.protocol.name}{run}: {text}")
            self._in_a_row += self._is_bad_sign(error)
            hopeless = self._in_a_row >= MOST_IN_A_ROW
        if hopeless:
            self._give_up(
                ModelError(f"{MOST_IN_A_ROW} requests in a row have failed, the last one: {text}")
            )

    def _is_bad_sign(self, error: BaseException) -> bool:
        """Whether ``error`` makes it likelier that no request will be answered.

        A refusal is one until there has been an answer, in an earlier run too.
        """
        answered = self.totals.requests or self.totals.kept
        return isinstance(error, AskError) and not (answered and isinstance(error, Refused))

    def _give_up(self, error: BaseException) -> None:
        with self._mutex:
            self._fatal = self._fatal or error
        self._stop.set()


def _line(episode: Episode, key: Key, files: list[str]) -> dict[str, Any]:
    """Return what answers.jsonl holds of an episode that is over.

    Reasoning is that of all requests; ``finish`` is said of the last one.
    """
    replies = [reply for _, reply in episode.transcript]
    line = {**episode.answer(files), "model": key.model, "run": key.run}
    reasoning = "\n\n".join(reply.reasoning for reply in replies if reply.reasoning)
    if reasoning:
        line["reasoning"] = reasoning
    if replies and replies[-1].finish:
        line["finish"] = replies[-1].finish
    usage: dict[str, float] = {"requests": len(replies)}
    for name in ("prompt_tokens", "completion_tokens", "cost", "seconds"):
        told = [reply.usage[name] for reply in replies if reply.usage and name in reply.usage]
        if told:
            usage[name] = round(sum(told), 9)
    line["usage"] = usage
    return line


def _encodable(text: str) -> str:
    """Return ``text`` with a replacement character for each half of a surrogate pair."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
