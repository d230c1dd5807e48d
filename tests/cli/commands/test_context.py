"""context: for the start of a session. It never fails."""

import json
import socket
import sys
from pathlib import Path

import pytest

from pendesk.cli.binding.helper import CONTEXT_COMMAND
from tests.clients.running import RunningServer


@pytest.fixture
def work(server: RunningServer):
    return server.work()


def test_it_tells_what_is_held_what_is_open_and_what_is_next(server, repo, work, ask, run):
    first, second = (action["refCode"] for action in work.actions)
    ask("connect", "--project", first.split("-")[0])
    assert f"Claim next: {first}" in run("context").stdout
    ask("work", "claim_action", first)
    ask("work", "request_clarification", first, "--question", "Which\ncolour?")
    output = run("context").stdout
    # A shell sends no mark that tells it from another terminal of the same token.
    assert f"You or another terminal of yours holds {first}" in output
    assert "Open question: Which colour?" in output
    assert f"Claim next: {second}" in output
    assert ask("context")["mayHold"][0]["refCode"] == first


def test_an_unconnected_folder_a_bad_token_and_a_missing_server_are_no_failure(server, repo, work, ask, run):
    assert (run("context").exit_code, "pendesk connect" in run("context").stdout) == (0, True)
    ask("connect", "--project", work.actions[0]["refCode"].split("-")[0])
    (repo / ".pendesk/token").write_text("nonsense")
    assert run("context").exit_code == 0
    assert ask("context")["reachable"] is False
    config = json.loads((repo / ".pendesk/config.json").read_text())
    for broken in (json.dumps({**config, "url": "http://127.0.0.1:1"}), '{"format": 99}', "[]", "{"):
        (repo / ".pendesk/config.json").write_text(broken)
        assert run("context").exit_code == 0


def test_a_server_that_is_silent_is_not_waited_for(repo, run, monkeypatch):
    monkeypatch.setattr("pendesk.cli.commands.context.LIMIT_S", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        monkeypatch.setenv("PENDESK_URL", f"http://127.0.0.1:{silent.getsockname()[1]}")
        monkeypatch.setenv("PENDESK_MCP_TOKEN", "x")
        result = run("context")
    assert result.exit_code == 0
    assert result.stdout.startswith("Pendesk: ")


def test_a_hook_says_which_session_its_process_has_begun(repo, recording, pretend_claude):
    (hook,) = json.loads((repo / ".claude/settings.local.json").read_text())["hooks"]["SessionStart"]
    assert hook["hooks"][0]["command"] == CONTEXT_COMMAND
    command = CONTEXT_COMMAND.replace("pendesk", str(Path(sys.executable).with_name("pendesk")), 1)
    marks = []
    for source in hook["matcher"].split("|"):
        stdin = json.dumps({"session_id": f"of {source}", "source": source, "hook_event_name": "SessionStart"})
        mark, output = pretend_claude.run(command, repo, stdin=stdin, CLAUDE_CODE_SESSION_ID="of before")
        assert output.startswith("Pendesk, project")
        marks.append(mark)
    sent = [(request.marks["process"], request.marks["client-session"]) for request in recording.requests]
    sources = ("startup", "resume", "clear", "compact")
    assert sent == [(mark, f"claude-code:of {source}") for mark, source in zip(marks, sources, strict=True)]


def test_the_hook_at_the_end_of_a_terminal_reports_it(repo, recording, pretend_claude):
    command_hook, tool_hook = json.loads((repo / ".claude/settings.local.json").read_text())["hooks"]["SessionEnd"]
    assert command_hook["hooks"][0]["command"] == CONTEXT_COMMAND
    assert not set(command_hook["matcher"].split("|")) & set(tool_hook["matcher"].split("|"))
    command = CONTEXT_COMMAND.replace("pendesk", str(Path(sys.executable).with_name("pendesk")), 1)
    stdin = json.dumps({"session_id": "mine", "reason": "prompt_input_exit", "hook_event_name": "SessionEnd"})
    mark, output = pretend_claude.run(command, repo, stdin=stdin)
    assert output == "Pendesk: the end of the session is reported.\n"
    (request,) = recording.requests
    assert request.tool == "session_event"
    assert request.message["params"]["arguments"] == {"event": "SessionEnd", "session": "mine"}
    assert request.marks["client-session"] == "claude-code:mine"
    assert request.marks["process"] == mark


def test_an_agent_that_plans_is_told_the_next_task(server, repo, ask, run):
    key = server.person("create_project", name="Tasks")["key"]
    task = server.person("create_task", project_id=key, label="Measure", status="todo")
    try:
        for tools, line in (("plan", f"Next task: {task['refCode']}: Measure"), ("all", "Claim next: ")):
            ask("connect", "--project", key, "--tools", tools)
            output = run("context").stdout
            assert line in output
            assert output.count(task["refCode"]) == 1
        server.person("update_task", task_id=task["pid"], status="done")
        ask("connect", "--tools", "plan")
        assert "No task is in todo." in run("context").stdout
    finally:
        server.person("update_project", project_id=key, state="archived")
