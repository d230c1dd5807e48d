"""People see what agents do and speak to them while they work: by the real clients and the hooks that connect writes.

Nothing here is about time: a person acts between two steps, and the next request to the model has it or has it not.
"""

import time
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from tests.clients.agents import connect_repo, step
from tests.clients.drive.codex_hook_trust import list_hooks, trust_hooks
from tests.clients.drive.common import serving
from tests.clients.drive.round_robin import RoundRobin
from tests.clients.drive.scripted_model import SAY, SHELL, START_AGENT, WRITE_FILE, Player
from tests.clients.live_run import LiveRun, run_both, run_live
from tests.clients.running import Agent, RunningServer, running, running_on
from tests.clients.test_oauth_login import EMAIL, PASSWORD, log_in
from tests.e2e.server import own_port
from tests.patience import PATIENCE_S
from tests.postgres import PostgresCluster
from tests.workbench import Work

WORD, OTHER_WORD = "Use the blue one instead.", "Leave the tests alone."
QUESTION = "You still hold PEN-1"
LOOK = step(SHELL, command="echo a look around")
SHA = "a" * 40


@pytest.fixture
def agent(server: RunningServer) -> Agent:
    return server.agent("Terminals")


@pytest.fixture
def work(server: RunningServer, agent: Agent) -> Work:
    """Its spec has PEN-1 to PEN-3."""
    return server.work(agent, actions=3, criteria=1)


@pytest.fixture
def repo(server: RunningServer, agent: Agent, work: Work, tmp_path: Path, pendesk_on_path: None) -> Path:
    return connect_repo(tmp_path / "repo", server.url, agent.token)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


def claim(ref: str) -> Any:
    return step("claim_action", action_pid=ref)


def session_that_holds(server: RunningServer, ref: str) -> dict[str, Any]:
    sessions = [session for agent in server.person("list_agents")["agents"] for session in agent["sessions"]]
    holder: dict[str, Any]
    (holder,) = (session for session in sessions if ref in {held["refCode"] for held in session["held"]})
    return holder


def send_to_session(server: RunningServer, ref: str, text: str, _answer: Any = None) -> None:
    """To the session that holds it."""
    server.person("send_message", agent_session_id=session_that_holds(server, ref)["pid"], text=text)


def deliveries(server: RunningServer, ref: str) -> list[dict[str, Any]]:
    messages = server.person("list_messages", agent_session_id=session_that_holds(server, ref)["pid"])["messages"]
    return [delivery for message in messages for delivery in message["deliveries"]]


# A word


def test_a_word_reaches_one_of_two_sessions_in_a_folder_at_its_next_step(
    server: RunningServer, client: str, repo: Path, tmp_path: Path
):
    def say(_answer: Any) -> None:
        send_to_session(server, "PEN-1", WORD)
        server.person("send_message", action_pid="PEN-2", text=OTHER_WORD)

    scripts = ([claim("PEN-1"), LOOK, LOOK], [claim("PEN-2"), LOOK, LOOK])
    first, second = run_both(client, repo, (tmp_path / "first", tmp_path / "second"), scripts, {1: say})
    assert (first.steps_before(WORD), second.steps_before(WORD)) == (2, None)
    assert (first.steps_before(OTHER_WORD), second.steps_before(OTHER_WORD)) == (None, 2)
    assert (first.times_read(WORD), second.times_read(OTHER_WORD)) == (1, 1)
    assert [delivery["by"] for delivery in deliveries(server, "PEN-1")] == ["hook"]


def test_answers_and_verdicts_come_with_the_next_step_of_the_agents_own(
    server: RunningServer, client: str, repo: Path, home: Path
):
    def answer(question: dict[str, Any]) -> None:
        server.person("answer_question", clarification_pid=question["pid"], answer="Seven days.")

    def review(_answer: Any) -> None:
        server.person("review_action", action_pid="PEN-1", verdict="changes_requested", summary="Not yet.", verdicts=[])

    steps = [
        claim("PEN-1"),
        step("request_clarification", action_pid="PEN-1", question="For how many days?"),
        LOOK,
        step("submit_for_review", action_pid="PEN-1", branch="main", head_sha=SHA, summary="Built."),
        step(WRITE_FILE, path=str(repo / "notes.txt"), content="One line."),
        LOOK,
    ]
    run = run_live(client, repo, home, steps, {2: answer, 4: review})
    assert run.steps_before("Seven days.") == 3
    # Codex has no hook after a change of a file; the one before its next step has it.
    assert run.steps_before("requested changes on PEN-1") in (5, 6)
    assert (run.times_read("Seven days."), run.times_read("requested changes on PEN-1")) == (1, 1)


# Pause, stop, and the question at the end


def test_pause_ends_a_run_of_claude_code_and_it_can_be_resumed(server: RunningServer, repo: Path, home: Path):
    def pause(_answer: Any) -> None:
        server.person("pause_session", agent_session_id=session_that_holds(server, "PEN-1")["pid"], reason="Lunch.")

    steps = [claim("PEN-1"), LOOK, LOOK, step("release_action", action_pid="PEN-1")]
    run = run_live("claude", repo, home, steps, {2: pause})
    assert run.requests[-1].steps_done == 2
    assert run.finished.events[-1]["terminal_reason"] == "hook_stopped"
    held = session_that_holds(server, "PEN-1")
    server.person("resume_session", agent_session_id=held["pid"])
    resumed = run_live("claude", repo, home, steps, resume=run.session_id)
    assert resumed.session_id == run.session_id
    assert resumed.answer(4)["status"] == "not-started"


def test_codex_is_denied_its_tools_while_it_is_paused(server: RunningServer, repo: Path, home: Path):
    def pause(_answer: Any) -> None:
        server.person("pause_session", agent_session_id=session_that_holds(server, "PEN-1")["pid"], reason="Lunch.")

    steps = [claim("PEN-1"), step(SHELL, command="touch not-written"), step(SAY, text="I wait.")]
    run = run_live("codex", repo, home, steps, {1: pause})
    assert run.steps_before("Lunch.") == 2
    assert not (repo / "not-written").exists()


def test_stop_ends_the_run_and_the_next_agent_gets_a_hand_over(server: RunningServer, repo: Path, tmp_path: Path):
    def stop(_answer: Any) -> None:
        server.person(
            "stop_session", agent_session_id=session_that_holds(server, "PEN-1")["pid"], reason="Wrong branch."
        )

    commit = step("report_commit", action_pid="PEN-1", sha=SHA, message="Half of it")
    run = run_live("claude", repo, tmp_path / "first", [claim("PEN-1"), commit, LOOK, LOOK], {2: stop})
    assert run.requests[-1].steps_done == 2
    assert run.finished.events[-1]["terminal_reason"] == "hook_stopped"
    brief = step("get_action_brief", action_pid="PEN-1")
    release = step("release_action", action_pid="PEN-1")
    following = run_live("codex", repo, tmp_path / "second", [claim("PEN-1"), brief, release])
    assert following.answer(2)["handOver"]["untrusted"]["commits"] == [f"{SHA} Half of it"]


def test_who_ends_its_turn_with_a_claim_is_asked_once(server: RunningServer, client: str, repo: Path, home: Path):
    steps = [claim("PEN-1"), step(SAY, text="Done."), step(SAY, text="I wait for you."), LOOK]
    run = run_live(client, repo, home, steps)
    # The last request to the model: its second end of the turn is accepted.
    assert [request.steps_done for request in run.requests if QUESTION in request.text] == [2]
    assert run.requests[-1].steps_done == 2


# Sub-agents


def test_the_steps_of_a_sub_agent_stand_under_its_parent(server: RunningServer, repo: Path, home: Path):
    progress = step("update_progress", action_pid="PEN-1", status="started", message="By the sub-agent.")
    sub_agent = Player([step(SHELL, command="echo of the sub-agent"), progress], "pendesk", lambda event: None)
    steps = [claim("PEN-1"), step(START_AGENT, prompt="Do your part."), step("release_action", action_pid="PEN-1")]
    expected = {("general-purpose", "Bash"), ("general-purpose", "mcp__pendesk__update_progress")}
    seen: set[tuple[str | None, str | None]] = set()

    def look(_answer: Any) -> None:
        """Until it is saved, a moment after the hook was answered."""
        session = session_that_holds(server, "PEN-1")["pid"]
        deadline = time.monotonic() + PATIENCE_S
        while not expected <= seen and time.monotonic() < deadline:
            steps_taken = server.person("get_session_activity", agent_session_id=session)["steps"]
            of_sub_agent = [taken for taken in steps_taken if taken.get("subagent")]
            seen.update((taken.get("subagentKind"), taken.get("tool")) for taken in of_sub_agent)

    run = run_live("claude", repo, home, steps, {2: look}, sub_agent=sub_agent)
    assert run.answer(3)["status"] == "not-started"
    assert expected <= seen


# The trust of Codex


def test_codex_without_trust_reads_a_word_with_its_next_call(server: RunningServer, repo: Path, home: Path):
    steps = [claim("PEN-1"), LOOK, step("list_available_specs"), step("release_action", action_pid="PEN-1")]
    run = run_live("codex", repo, home, steps, {1: partial(send_to_session, server, "PEN-1", WORD)}, trusts_hooks=False)
    assert run.steps_before(WORD) == 3
    assert run.answer(3)["news"][0]["text"].count(WORD) == 1


def test_codex_reads_a_word_by_hooks_that_its_person_trusted(server: RunningServer, repo: Path, home: Path):
    assert {hook["trustStatus"] for hook in list_hooks(home, repo)} == {"untrusted"}
    trust_hooks(home, repo)
    steps = [claim("PEN-1"), LOOK, step("release_action", action_pid="PEN-1")]
    run = run_live("codex", repo, home, steps, {1: partial(send_to_session, server, "PEN-1", WORD)}, trusts_hooks=False)
    assert run.steps_before(WORD) == 2


# Other ways to be connected


def test_a_word_by_oauth(server: RunningServer, client: str, repo: Path, work: Work, home: Path):
    user = server.person("create_user", name="Ada", email=EMAIL)["userId"]
    server.person("set_password", user_pid=user, password=PASSWORD)
    server.person("add_participant", spec_id=work.spec_id, user_id=user)
    assert log_in(client, server, home)
    (repo / ".mcp.json").unlink()
    (repo / ".codex/config.toml").unlink()
    steps = [claim("PEN-1"), LOOK, step("release_action", action_pid="PEN-1")]
    run = run_live(client, repo, home, steps, {1: partial(send_to_session, server, "PEN-1", WORD)})
    assert run.steps_before(WORD) == 2


@pytest.fixture
def four_processes(postgres: PostgresCluster, tmp_path: Path) -> Iterator[tuple[RunningServer, RoundRobin]]:
    database = postgres.create_database(f"live_{uuid4().hex}")
    with serving(RoundRobin()) as proxy, ExitStack() as processes:
        settings = {"database_url": database, "public_url": proxy.url}
        ports = [int(own_port()) for _ in range(4)]
        servers = [processes.enter_context(running_on(port, tmp_path / "data", **settings)) for port in ports]
        proxy.lead_to([f"http://127.0.0.1:{port}" for port in ports])
        yield servers[0], proxy


def test_a_word_through_four_processes(
    four_processes: tuple[RunningServer, RoundRobin], tmp_path: Path, pendesk_on_path: None, home: Path
):
    server, proxy = four_processes
    agent = server.agent("Terminals")
    server.work(agent)
    repo = connect_repo(tmp_path / "repo", proxy.url, agent.token)
    for client, ref in (("claude", "PEN-1"), ("codex", "PEN-2")):
        proxy.served.clear()
        steps = [claim(ref), LOOK, LOOK, step("release_action", action_pid=ref)]
        run = run_live(client, repo, home, steps, {1: partial(send_to_session, server, ref, WORD)})
        assert (run.steps_before(WORD), run.times_read(WORD)) == (2, 1)
        assert {number for tool, number in proxy.served if tool == "session_event"} == {0, 1, 2, 3}
        claimed = [tool for tool, _number in proxy.served].index("claim_action")
        (hook, number_of_hook), (_claim, number_of_claim) = proxy.served[claimed - 1 : claimed + 1]
        assert hook == "session_event"
        assert number_of_hook != number_of_claim


def test_the_run_goes_on_without_the_server_and_the_word_comes_when_it_is_back(
    client: str, tmp_path: Path, pendesk_on_path: None, home: Path
):
    with ExitStack() as processes:
        server = processes.enter_context(running(tmp_path / "data"))
        agent = server.agent("Terminals")
        server.work(agent)
        repo = connect_repo(tmp_path / "repo", server.url, agent.token)

        def start_again(_answer: Any) -> None:
            send_to_session(server, "PEN-1", WORD)
            processes.enter_context(running_on(server.port, tmp_path / "data"))

        steps = [claim("PEN-1"), LOOK, LOOK, LOOK, LOOK]
        run = run_live(client, repo, home, steps, {1: lambda _answer: processes.close(), 3: start_again})
    assert run.steps_executed == [1, 2, 3, 4, 5]
    assert run.steps_before(WORD) in (4, 5)


def test_nothing_of_this_is_in_the_list_of_tools(server: RunningServer, client: str, repo: Path, home: Path):
    run: LiveRun = run_live(client, repo, home, [step("list_available_specs")])
    assert run.steps_before("session_event") is None
