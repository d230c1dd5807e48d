"""From an empty repository to an agent at work in it, by `pendesk connect`, and back."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.clients.agents import play_in, step
from tests.clients.drive.client_session import trust_for_claude
from tests.clients.drive.common import client_env, find_client
from tests.clients.running import RunningServer

PROGRAMS = Path(sys.executable).parent


def pendesk(server: RunningServer, repo: Path, *arguments: str) -> str:
    environ = {name: value for name, value in os.environ.items() if not name.startswith("PENDESK_")}
    command = [str(PROGRAMS / "pendesk"), *arguments, "--data", str(server.data)]
    return subprocess.run(command, cwd=repo, env=environ, capture_output=True, text=True, check=True).stdout


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    folder = tmp_path / "repo"
    folder.mkdir()
    subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
    return folder


@pytest.mark.parametrize("on_path", [True, False], ids=["pendesk on PATH", "pendesk not on PATH"])
def test_a_connected_repository_is_worked_in_and_clean_again(
    server: RunningServer, repo: Path, client: str, on_path: bool, monkeypatch: pytest.MonkeyPatch
):
    paths = [path for path in os.environ["PATH"].split(os.pathsep) if Path(path) != PROGRAMS]
    monkeypatch.setenv("PATH", os.pathsep.join([str(PROGRAMS), *paths] if on_path else paths))
    pendesk(server, repo, "demo")
    result = json.loads(pendesk(server, repo, "connect", "--agent", client, "--json"))
    assert result["tools"] == 13
    played = play_in(
        client,
        repo,
        [step("list_available_specs"), step("claim_action", action_pid="$1.specs.0.actions.0.pid")],
    )
    assert len(played.tools) == 13
    listed, claimed = played.answers
    assert claimed["pid"] == listed["specs"][0]["actions"][0]["pid"]
    pendesk(server, repo, "disconnect", "--revoke")
    status = subprocess.run(["git", "status", "--porcelain", "--ignored"], cwd=repo, capture_output=True, check=True)
    assert status.stdout == b""


def test_claude_code_itself_says_connected(server: RunningServer, repo: Path, tmp_path: Path):
    pendesk(server, repo, "demo")
    pendesk(server, repo, "connect", "--agent", "claude", "--unattended")
    home = tmp_path / "home"
    home.mkdir()
    trust_for_claude(home / ".claude.json", repo)
    listed = subprocess.run(
        [find_client("claude"), "mcp", "list"],
        cwd=repo,
        env=client_env(home),
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert f"pendesk: {server.mcp}" in listed
    assert "Connected" in listed


def test_claude_code_starts_with_the_context_and_knows_the_skill(
    server: RunningServer, repo: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("PATH", os.pathsep.join([str(PROGRAMS), os.environ["PATH"]]))
    pendesk(server, repo, "demo")
    pendesk(server, repo, "connect", "--agent", "claude", "--hooks")
    played = play_in("claude", repo, [step("list_available_specs")])
    (hook,) = [event for event in played.events if event.get("subtype") == "hook_response"]
    assert hook["hook_event"] == "SessionStart"
    assert hook["exit_code"] == 0
    assert "project HRB" in hook["stdout"]
    assert "Claim next: HRB-" in hook["stdout"]
    opening = next(event for event in played.events if event.get("subtype") == "init")
    assert "pendesk" in opening["skills"]
    pendesk(server, repo, "disconnect", "--revoke")
    assert not (repo / ".claude").exists()
