"""Several terminals of one user: what each may do with what another one holds, by the real clients."""

import json
import os
import subprocess
import urllib.request
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from tests.clients.agents import (
    PROGRAMS,
    Played,
    connect_repo,
    play_in,
    play_logged_in,
    play_together,
    resume_in,
    session_arguments,
    step,
)
from tests.clients.drive.claude_conversation import run_conversation
from tests.clients.drive.client_session import run_session
from tests.clients.drive.scripted_model import SHELL, Json, Player, Step
from tests.clients.running import Agent, RunningServer, running
from tests.clients.test_oauth_login import EMAIL, PASSWORD, grants, log_in
from tests.clients.test_python_sdk import LEGACY, MODERN

MACHINE = os.uname().nodename.partition(".")[0]
CLAIM_LIMIT = "5"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[RunningServer]:
    with running(tmp_path / "data", live_claims_per_user=CLAIM_LIMIT) as started:
        yield started


@pytest.fixture
def agent(server: RunningServer) -> Agent:
    """Its spec has PEN-1 to PEN-6."""
    created = server.agent("Terminals")
    server.work(created, actions=6)
    return created


@pytest.fixture
def repo(server: RunningServer, agent: Agent, tmp_path: Path, pendesk_on_path: None) -> Path:
    return connect_repo(tmp_path / "repo", server.url, agent.token)


def get_agents(server: RunningServer) -> list[dict[str, Any]]:
    """As a page or a script of a person reads it, over the port."""
    token = server.person("create_token", name="Reader", scopes=["desk.read"])["token"]
    request = urllib.request.Request(f"{server.url}/api/v1/agents", headers={"Authorization": f"Bearer {token}"})
    with urllib.request.urlopen(request) as response:
        agents: list[dict[str, Any]] = json.load(response)["agents"]
    return [agent for agent in agents if agent["pid"] is not None]


def held_by_session(server: RunningServer) -> dict[str, set[str]]:
    return {
        session["name"]: {held["refCode"] for held in session["held"]}
        for agent in get_agents(server)
        for session in agent["sessions"]
    }


def action_events(server: RunningServer, ref: str, kind: str) -> list[dict[str, Any]]:
    return [event for event in server.events(ref) if event["kind"] == kind]


# Four terminals at once


def commit_sha(number: int) -> str:
    return f"{number}" * 40


NOT_RECORDED, LATE = commit_sha(9), commit_sha(8)


def own_ref(number: int) -> str:
    return f"PEN-{number + 2}"


def script_of_terminal(number: int) -> list[Step]:
    """All claim PEN-1, then each its own and writes about it, then about its neighbour's. Two take that over, and their
    neighbours come too late.
    """
    own, neighbours = {"action_pid": own_ref(number)}, {"action_pid": own_ref((number + 1) % 4)}
    steps = [
        step("list_available_specs"),
        step("claim_action", action_pid="PEN-1"),
        step("claim_action", **own),
        step("report_commit", sha=commit_sha(number), message=f"Work of terminal {number}", **own),
        step("report_commit", sha=NOT_RECORDED, message="Not mine", **neighbours),
        step("update_progress", status="started", message="Not mine", **neighbours),
        step("release_action", **neighbours),
    ]
    if number % 2 == 0:
        take_over = [step("claim_action", take_over=True, **neighbours), step("get_action_brief", **neighbours)]
        return [*steps, *take_over, step("release_action", **neighbours)]
    late = step("report_commit", sha=LATE, message="Late", **own)
    return [*steps, step("get_action_brief", **neighbours), late, step("list_available_specs")]


def test_four_terminals_on_one_spec(server: RunningServer, repo: Path):
    def play(number: int, steps: list[Step], person: Any) -> Played:
        return play_in(("claude", "codex")[number % 2], repo, steps, person)

    played = play_together([script_of_terminal(number) for number in range(4)], play)
    terminals = [terminal.answers for terminal in played]
    names = {f"{client} on {MACHINE}{number}" for client in ("Claude Code", "Codex") for number in ("", " #2")}
    assert held_by_session(server).keys() == names
    assert {agent["name"]: agent["machine"] for agent in get_agents(server)} == dict.fromkeys(
        (f"Claude Code on {MACHINE}", f"Codex on {MACHINE}"), MACHINE
    )
    _one_gets_the_action_that_all_want(server, [answers[1] for answers in terminals])
    for number in range(4):
        _only_the_holder_has_written(server, number, terminals)
    for number in (0, 2):
        _taken_over(server, number, terminals)


def _one_gets_the_action_that_all_want(server: RunningServer, answers: list[dict[str, Any]]) -> None:
    refusals = [answer["error"] for answer in answers if "error" in answer]
    assert [(refusal["status"], refusal["code"]) for refusal in refusals] == [(409, "held_by_your_other_session")] * 3
    (holder,) = (name for name, refs in held_by_session(server).items() if "PEN-1" in refs)
    for refusal in refusals:
        assert refusal["agent"] == holder
        assert holder in refusal["message"]
        assert len(refusal["instead"]) == 2
        assert set(refusal["instead"]) < {f"PEN-{number}" for number in range(2, 7)}
        assert f"Claim {' or '.join(refusal['instead'])} instead" in refusal["message"]
        assert "take_over" not in refusal["message"]  # it is at work
        assert "claim" not in refusal


def _only_the_holder_has_written(server: RunningServer, number: int, terminals: list[list[dict[str, Any]]]) -> None:
    own, neighbour = terminals[number], terminals[(number - 1) % 4]
    (claimed,) = (
        event for event in action_events(server, own_ref(number), "action.claimed") if event["data"]["fence"] == 1
    )
    (commit,) = action_events(server, own_ref(number), "commit.reported")
    assert own[3]["sha"] == commit["data"]["sha"] == commit_sha(number)
    assert commit["agent"] == claimed["agent"]
    for refused in neighbour[4:7]:
        assert refused["error"]["code"] == "held_by_your_other_session"
        assert refused["error"]["agent"] == claimed["agent"]
    assert not action_events(server, own_ref(number), "action.progressed")


def _taken_over(server: RunningServer, number: int, terminals: list[list[dict[str, Any]]]) -> None:
    by, loser = terminals[number], terminals[number + 1]
    ref = own_ref(number + 1)
    assert by[7]["claim"]["fence"] == loser[2]["claim"]["fence"] + 1
    assert by[8]["handOver"]["untrusted"]["commits"] == [f"{commit_sha(number + 1)} Work of terminal {number + 1}"]
    first, second = sorted(action_events(server, ref, "action.claimed"), key=lambda event: event["data"]["fence"])
    assert second["data"]["takenOver"]
    assert by[8]["handOver"]["untrusted"]["holder"] == first["agent"]
    assert loser[8]["error"]["code"] == "claim_lost"
    assert f"held by {second['agent']} now" in loser[8]["error"]["message"]
    (late,) = action_events(server, ref, "report.late")
    assert (late["data"]["sha"], late["agent"]) == (LATE, first["agent"])
    assert by[9]["status"] == "not-started"


# Terminals that nothing tells apart


def test_three_terminals_on_one_grant_without_a_mark(server: RunningServer, tmp_path: Path):
    user = server.person("create_user", name="Ada", email=EMAIL)["userId"]
    server.person("set_password", user_pid=user, password=PASSWORD)
    server.work(Agent("Ada", user, ""))
    home = tmp_path / "home"
    assert log_in("claude", server, home)
    first, second = {"action_pid": "PEN-1"}, {"action_pid": "PEN-2"}
    progress = {"status": "started", "message": "On."}
    wait = step("list_available_specs")
    holder = [step("claim_action", **first), step("update_progress", **first, **progress), wait, wait]
    other = [wait, step("claim_action", **second), step("claim_action", **first), wait]
    lenient = [
        wait,
        step("claim_action", **first),
        step("update_progress", **first, **progress),
        step("claim_action", claim_id="$3.claim.id", **first),
    ]
    played = play_together(
        [holder, other, lenient], lambda _number, steps, person: play_logged_in("claude", home, steps, person)
    )
    (claimed, *_), (_, taken, refused, _), (_, strict, written, again) = (terminal.answers for terminal in played)
    assert taken["claim"]["fence"] == 1
    for refusal in (refused["error"], strict["error"]):
        assert (refusal["status"], refusal["code"]) == (409, "held_by_your_other_session")
        assert "If it was this conversation, go on with get_action_brief" in refusal["message"]
    assert strict["error"]["instead"] == ["PEN-2"] or strict["error"]["instead"] == []
    assert written["claim"]["id"] == again["claim"]["id"] == claimed["claim"]["id"]
    assert len(grants(server)) == 1
    assert held_by_session(server) == {"Claude Code": {"PEN-1", "PEN-2"}}


# The protocol's own SDK


@asynccontextmanager
async def sdk_terminal(server: RunningServer, agent: Agent, mode: str, **headers: str) -> AsyncIterator[Client]:
    async with (
        httpx2.AsyncClient(headers={"Authorization": f"Bearer {agent.token}", **headers}) as http,
        Client(streamable_http_client(server.mcp, http_client=http), mode=mode) as client,
    ):
        yield client


async def call(client: Client, tool: str, ref: str, meta: dict[str, Any] | None = None, **args: Any) -> dict[str, Any]:
    result = await client.call_tool(tool, {"action_pid": ref, **args}, meta=meta)  # type: ignore[arg-type]
    answer: dict[str, Any] | None = result.structured_content
    assert answer is not None
    return answer


@pytest.mark.parametrize("mode", [MODERN, LEGACY])
async def test_terminals_of_the_python_sdk(server: RunningServer, agent: Agent, mode: str):
    progress: dict[str, Any] = {"status": "started", "message": "On."}
    given_a, given_b = {"X-Pendesk-Session": "a"}, {"pendesk/session": "b"}
    async with (
        sdk_terminal(server, agent, mode, **given_a) as marked_by_header,
        sdk_terminal(server, agent, mode) as other,
        sdk_terminal(server, agent, mode) as third,
    ):
        claimed = await call(marked_by_header, "claim_action", "PEN-1")
        again = await call(other, "claim_action", "PEN-1", {"pendesk/session": "a"})
        assert again["claim"]["id"] == claimed["claim"]["id"]
        for tool, args in (("claim_action", {}), ("update_progress", progress), ("release_action", {})):
            refused = await call(other, tool, "PEN-1", given_b, **args)
            assert refused["error"]["code"] == "held_by_your_other_session"
            assert "another session of yours" in refused["error"]["message"]
        # Without a mark: strict in claiming, lenient in writing.
        for terminal in (other, third):
            refused = await call(terminal, "claim_action", "PEN-1")
            assert "If it was this conversation, go on with get_action_brief" in refused["error"]["message"]
            assert (await call(terminal, "update_progress", "PEN-1", **progress))["claim"] is not None
        first = await call(other, "claim_action", "PEN-2", {"claudecode/toolUseId": "toolu_1"})
        repeated = await call(third, "claim_action", "PEN-2", {"claudecode/toolUseId": "toolu_1"})
        assert repeated["claim"]["id"] == first["claim"]["id"]
        refused = await call(third, "claim_action", "PEN-2", {"claudecode/toolUseId": "toolu_2"})
        assert refused["error"]["code"] == "held_by_your_other_session"


# One terminal in several processes

CLAIM = step("claim_action", action_pid="PEN-1")
CLAIM_IN_SHELL = step(SHELL, command="pendesk work claim_action PEN-1 --json")


def test_a_session_of_claude_code_after_clear_and_in_another_process(server: RunningServer, repo: Path, tmp_path: Path):
    """Its calls name their process alone. Which session that belongs to only the hook says."""
    home = tmp_path / "home"
    (first, cleared), session = run_conversation(repo, home, ["Build.", "/clear", "Build."], [CLAIM])
    claim = first["claim"]
    assert cleared["claim"] == claim
    _, resumed, in_shell = resume_in(repo, home, session, [CLAIM, CLAIM, CLAIM_IN_SHELL])
    assert resumed["claim"] == in_shell["claim"] == claim

    # A hook that comes late: two sessions turn out to be one.
    (repo / ".claude/settings.local.json").unlink()
    hook = step(SHELL, command="pendesk context --json")
    *_, refused, context, late = resume_in(repo, home, session, [CLAIM, CLAIM, CLAIM_IN_SHELL, CLAIM, hook, CLAIM])
    assert refused["error"]["code"] == "held_by_your_other_session"
    assert [held["refCode"] for held in context["held"]] == ["PEN-1"]
    assert late["claim"] == claim
    assert held_by_session(server) == {f"Claude Code on {MACHINE}": {"PEN-1"}}


def test_codex_with_a_sub_agent_and_the_commands_of_both(server: RunningServer, repo: Path):
    """A sub-agent writes for its session and claims for itself; a command counts as who runs it."""
    # The shell of Codex is a login shell, which sets the PATH anew.
    in_shell = [step(SHELL, command=f"{PROGRAMS}/pendesk work claim_action {ref} --json") for ref in ("PEN-1", "PEN-2")]
    claim_second = step("claim_action", action_pid="PEN-2")
    progress = {"status": "started", "message": "On."}
    log: list[Json] = []
    sub_agent = Player(
        [CLAIM, claim_second, step("update_progress", action_pid="PEN-1", **progress), in_shell[1]],
        "pendesk",
        log.append,
    )
    root_steps = [
        CLAIM,
        step("spawn_agent", message="Do your part."),
        step("wait_agent", targets=["$2.agent_id"], timeout_ms=60_000),
        claim_second,
        step("update_progress", action_pid="PEN-2", **progress),
        in_shell[0],
    ]
    root_log, _finished = run_session(session_arguments("codex", repo=repo), root_steps, sub_agent=sub_agent)
    claimed, spawned, _waited, refused, written, claimed_in_shell = answers_in(root_log)
    refused_to_sub_agent, claimed_by_sub_agent, written_by_sub_agent, sub_agent_in_shell = answers_in(log)
    assert claimed_in_shell["claim"]["id"] == claimed["claim"]["id"]
    assert sub_agent_in_shell["claim"]["id"] == claimed_by_sub_agent["claim"]["id"]
    assert "held by the agent that you work for, in this same session" in refused_to_sub_agent["error"]["message"]
    assert refused["error"]["thread"] == spawned["agent_id"]
    assert f"held by your sub-agent {spawned['agent_id'][-8:]}, in this same session" in refused["error"]["message"]
    assert written_by_sub_agent["claim"]["id"] == claimed["claim"]["id"]
    assert written["claim"]["id"] == claimed_by_sub_agent["claim"]["id"]
    assert held_by_session(server) == {f"Codex on {MACHINE}": {"PEN-1", "PEN-2"}}


def answers_in(log: list[Json]) -> list[Any]:
    return [event["json"] for event in log if event["event"] == "result"]


# A CI job


def test_the_steps_of_a_ci_job_are_one_session(server: RunningServer, agent: Agent, tmp_path: Path):
    first, second = (_ci_job(server, agent, tmp_path, number) for number in ("1", "2"))
    assert first("claim_action", "PEN-1")["claim"]["fence"] == 1
    refused = second("claim_action", "PEN-1")["error"]
    assert refused["code"] == "held_by_your_other_session"
    assert first("report_commit", "PEN-1", "--sha", commit_sha(1), "--message", "Work")["sha"] == commit_sha(1)
    refused = second("submit_for_review", "PEN-1", "--pr-url", "https://git.example.com/1", "--summary", "Not mine")
    assert refused["error"]["code"] == "held_by_your_other_session"
    submitted = first("submit_for_review", "PEN-1", "--pr-url", "https://git.example.com/1", "--summary", "Done")
    assert submitted["status"] == "in-review"


def _ci_job(server: RunningServer, agent: Agent, folder: Path, number: str) -> Any:
    variables = {"GITHUB_RUN_ID": "77", "GITHUB_RUN_ATTEMPT": "1", "GITHUB_JOB": "build", "RUNNER_NAME": number}
    environ = {"PATH": os.environ["PATH"], "HOME": str(folder), "PENDESK_URL": server.url, **variables}

    def run_step(tool: str, *arguments: str) -> dict[str, Any]:
        """A new process each time."""
        command = [str(PROGRAMS / "pendesk"), "work", tool, *arguments, "--json"]
        environment = {**environ, "PENDESK_MCP_TOKEN": agent.token}
        done = subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True, timeout=60)
        answer: dict[str, Any] = json.loads(done.stdout or done.stderr)
        return answer

    return run_step
