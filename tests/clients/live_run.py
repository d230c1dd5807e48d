"""A session of a real client with its hooks: what people do between its steps, and what its model then reads."""

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from types import MappingProxyType
from typing import Any, NamedTuple

from tests.clients.agents import TIMEOUT_S, session_arguments
from tests.clients.drive.client_session import Finished, run_session
from tests.clients.drive.scripted_model import Json, ModelRequest, Player, Step

# What people do after a step, with its answer at hand.
Act = Callable[[Any], None]
NOTHING: Mapping[int, Act] = MappingProxyType({})


class LiveRun(NamedTuple):
    """`session_id` is the client's own."""

    session_id: str
    requests: list[ModelRequest]
    log: list[Json]
    finished: Finished

    def steps_before(self, text: str) -> int | None:
        """How many steps the model had done when it first read the text; None: it never did."""
        return next((request.steps_done for request in self.requests if text in request.text), None)

    def times_read(self, text: str) -> int:
        """How often the whole conversation, as the model last saw it, has the text."""
        return max(request.text.count(text) for request in self.requests)

    def answer(self, step: int) -> Any:
        return next(event["json"] for event in self.log if event["event"] == "result" and event["step"] == step)

    @property
    def steps_executed(self) -> list[int]:
        return [event["step"] for event in self.log if event["event"] == "result" and event["executed"]]


def run_live(
    client: str,
    repo: Path,
    home: Path,
    steps: list[Step],
    acts: Mapping[int, Act] = NOTHING,
    *,
    trusts_hooks: bool = True,
    resume: str | None = None,
    sub_agent: Player | None = None,
) -> LiveRun:
    """`acts` are what people do after a step, by its number: the model gets the next one when they are done."""

    failures: list[Exception] = []

    def watch(event: Json) -> None:
        if event["event"] == "result" and event["step"] in acts:
            try:
                acts[event["step"]](event["json"])
            except Exception as failure:  # else the client would ask its model once more, and the test go on
                failures.append(failure)

    requests: list[ModelRequest] = []
    arguments = session_arguments(client, repo=repo, home=home, trusts_hooks=trusts_hooks, resume=resume)
    log, finished = run_session(arguments, steps, watch, sub_agent, requests)
    if failures:
        raise failures[0]
    assert finished.status == 0, f"{client}: {finished.stderr[-2000:]}\n{log}"
    return LiveRun(_session_id(finished), requests, log, finished)


def run_both(
    client: str, repo: Path, homes: tuple[Path, Path], scripts: tuple[list[Step], list[Step]], acts: Mapping[int, Act]
) -> list[LiveRun]:
    """Two sessions at once in one folder: people act when both have done the step, and neither has begun the next."""
    waiting = {number: _act_together(act) for number, act in acts.items()}
    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(lambda home, steps: run_live(client, repo, home, steps, waiting), homes, scripts))


def _act_together(act: Act) -> Act:
    barrier = Barrier(2, action=lambda: act(None), timeout=TIMEOUT_S)

    def wait(_answer: Any) -> None:
        barrier.wait()

    return wait


def _session_id(finished: Finished) -> str:
    events = finished.events
    return str(next(event.get("session_id") or event["thread_id"] for event in events if _names_session(event)))


def _names_session(event: Json) -> bool:
    return event.get("subtype") == "init" or event.get("type") == "thread.started"
