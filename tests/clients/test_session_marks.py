"""What tells the agents of one token apart, as the real clients send it."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest

from tests.clients.agents import PROGRAMS, connect_repo, play_in, resume_in, step
from tests.clients.drive.common import serving
from tests.clients.drive.recording_proxy import RecordedRequest, RecordingProxy
from tests.clients.drive.scripted_model import SHELL
from tests.clients.running import RunningServer

TOGETHER_S = 60
LIST, WORK = step("list_available_specs"), step(SHELL, command="pendesk work list_available_specs --json")


@pytest.fixture
def proxy(server: RunningServer) -> Iterator[RecordingProxy]:
    with serving(RecordingProxy(server.url)) as recording:
        yield recording


@pytest.fixture
def repo(server: RunningServer, proxy: RecordingProxy, tmp_path: Path, pendesk_on_path: None) -> Path:
    """Connected through the proxy, with one token for all who work in it."""
    agent = server.agent("Terminals")
    server.work(agent)
    folder = connect_repo(tmp_path / "repo", proxy.url, agent.token)
    proxy.requests.clear()
    return folder


def tool_calls(requests: list[RecordedRequest], *, of_command_line: bool) -> list[RecordedRequest]:
    return [
        request
        for request in requests
        if request.tool == LIST.tool and request.is_of_our_command_line is of_command_line
    ]


def test_two_terminals_of_claude_code_differ_and_each_agrees_with_itself(
    repo: Path, proxy: RecordingProxy, tmp_path: Path
):
    both = Barrier(2)
    homes = [tmp_path / "first", tmp_path / "second"]

    def play(home: Path) -> str:
        # Neither goes on before the other has connected.
        played = play_in("claude", repo, [LIST, WORK], lambda tool, answer: _wait_once(both, tool), home)
        opening = next(event for event in played.events if event.get("subtype") == "init")
        return str(opening["session_id"])

    with ThreadPoolExecutor(2) as pool:
        sessions = list(pool.map(play, homes))
    connections = tool_calls(proxy.requests, of_command_line=False)
    processes = {request.marks["process"] for request in connections}
    assert len(processes) == 2
    assert all(request.marks.keys() == {"process", "client", "machine"} for request in connections)
    hooks = [request for request in proxy.requests if request.path == "/api/v1/context"]
    shells = tool_calls(proxy.requests, of_command_line=True)
    for requests in (hooks, shells):
        assert {request.marks["client-session"] for request in requests} == {
            f"claude-code:{session}" for session in sessions
        }
        assert {request.marks["process"] for request in requests} == processes
    pairs = {(request.marks["process"], request.marks["client-session"]) for request in (*hooks, *shells)}
    assert len(pairs) == 2

    proxy.requests.clear()
    resume_in(repo, homes[0], sessions[0], [LIST, WORK, LIST])
    (connection,) = tool_calls(proxy.requests, of_command_line=False)
    (hook,) = [request for request in proxy.requests if request.path == "/api/v1/context"]
    assert hook.marks["client-session"] == f"claude-code:{sessions[0]}"
    assert hook.marks["process"] == connection.marks["process"]
    assert connection.marks["process"] not in processes


def _wait_once(both: Barrier, tool: str) -> None:
    if tool == LIST.tool:
        both.wait(TOGETHER_S)


def test_a_command_of_codex_names_the_session_of_its_calls(repo: Path, proxy: RecordingProxy):
    # Its shell is a login shell, which sets the PATH anew.
    play_in("codex", repo, [LIST, step(SHELL, command=f"{PROGRAMS}/{WORK.args['command']}")])
    (call,) = tool_calls(proxy.requests, of_command_line=False)
    (command,) = tool_calls(proxy.requests, of_command_line=True)
    assert command.marks["client-session"] == f"codex:{call.message['params']['_meta']['sessionId']}"
    assert call.marks.keys() == {"client", "machine"}
    assert command.marks.keys() == {"client-session", "client", "machine"}
    assert call.marks["client"] == command.marks["client"] == "codex"
