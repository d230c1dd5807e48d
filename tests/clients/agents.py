"""A real client plays a script: what a test says, and what it reads of the outcome."""

import subprocess
import sys
from argparse import Namespace
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any, NamedTuple

from tests.clients.drive.client_session import Finished, run_session
from tests.clients.drive.scripted_model import Json, Step
from tests.clients.running import Agent, RunningServer

CLIENTS = ["claude", "codex"]
TIMEOUT_S = 120
PROGRAMS = Path(sys.executable).parent

Person = Callable[[str, dict[str, Any]], object]


class Played(NamedTuple):
    """The tools that the model was shown, each step's answer as it saw it, and the client's own events."""

    tools: set[str]
    answers: list[dict[str, Any]]
    events: list[Json]


def step(tool: str, **args: Any) -> Step:
    """An argument "$2.pid" is that field of the second step's answer."""
    return Step(tool, args)


def play(
    client: str, server: RunningServer, agent: Agent, steps: list[Step], person: Person = lambda tool, answer: None
) -> Played:
    """Every step must reach the server; a refusal is an answer like any other.

    `person` is called with each tool and its answer, before the client goes on to the next step.
    """
    return _play(client, steps, person, url=server.mcp, token=agent.token)


def play_in(
    client: str, repo: Path, steps: list[Step], person: Person = lambda tool, answer: None, home: Path | None = None
) -> Played:
    """The same, with the server that the repository's own files name."""
    return _play(client, steps, person, repo=repo, home=home)


def play_logged_in(client: str, home: Path, steps: list[Step], person: Person) -> Played:
    """The same, with what an OAuth login left in the client's home folder."""
    return _play(client, steps, person, home=home)


def resume_in(repo: Path, home: Path, session: str, steps: list[Step]) -> list[dict[str, Any]]:
    """Claude Code continues a session, and the script after the steps that the session had. All answers are given."""
    log, finished = run_session(session_arguments("claude", repo=repo, home=home, resume=session), steps)
    assert finished.status == 0, finished.stderr[-2000:]
    return [event["json"] for event in log if event["event"] == "result"]


def play_together(scripts: list[list[Step]], play_script: Callable[[int, list[Step], Person], Played]) -> list[Played]:
    """Several clients at once: none goes on to its next step before all have the answer to this one.

    `play_script` is called with the script's number, the script and the person that it has to pass on.
    """
    answered = Barrier(len(scripts), timeout=TIMEOUT_S)

    def play_numbered(number: int) -> Played:
        return play_script(number, scripts[number], lambda tool, answer: answered.wait())

    with ThreadPoolExecutor(len(scripts)) as pool:
        return list(pool.map(play_numbered, range(len(scripts))))


def connect_repo(folder: Path, url: str, token: str, *options: str) -> Path:
    """A repository as `pendesk connect` leaves it, for both clients."""
    folder.mkdir()
    command = ["pendesk", "connect", "--agent", "claude", "--agent", "codex", "--url", url, "--token-stdin"]
    subprocess.run([*command, *options], cwd=folder, input=token, text=True, check=True, stdout=subprocess.DEVNULL)
    return folder


def _play(client: str, steps: list[Step], person: Person, **where: Any) -> Played:
    def watch(event: dict[str, Any]) -> None:
        if event["event"] == "result" and event["json"] is not None:
            person(event["tool"], event["json"])

    log, finished = run_session(session_arguments(client, **where), steps, watch)
    results = [event for event in log if event["event"] == "result"]
    result = f"{client} exit {finished.status}: {finished.stderr[-2000:]}\n{log}"
    assert finished.status == 0, result
    assert [event["tool"] for event in results if event["executed"]] == [step.tool for step in steps], result
    return Played(_tools(client, finished, log), [event["json"] for event in results], finished.events)


def session_arguments(client: str, **where: Any) -> Namespace:
    """What `run_session` needs to know, as its command line would give it."""
    defaults = dict.fromkeys(("url", "token", "repo", "home", "resume", "bin"))
    return Namespace(
        **{**defaults, "trusts_hooks": False, **where}, client=client, server="pendesk", env=[], timeout=TIMEOUT_S
    )


def _tools(client: str, finished: Finished, log: list[Json]) -> set[str]:
    if client == "codex":
        return set(next(event["tools"] for event in log if event["event"] == "offered"))
    opening = next(event for event in finished.events if event.get("subtype") == "init")
    return {name.removeprefix("mcp__pendesk__") for name in opening["tools"] if name.startswith("mcp__pendesk__")}
