"""The commands that the guides give for the clients' own programs, typed as they stand, with the real programs."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.clients.drive.common import client_env, find_client
from tests.clients.running import RunningServer
from tests.docs.elsewhere import CLIENT, reason_not_to_run
from tests.docs.guides import PAGES, commands

MAKES_TOKEN = "pendesk token create"
TYPED = [each for page in PAGES for each in commands(page) if reason_not_to_run(each.text) == CLIENT]


@pytest.mark.parametrize(("client", "shown"), [("claude", "✔ Connected"), ("codex", "PENDESK_MCP_TOKEN")])
def test_a_server_added_by_hand_is_there(server: RunningServer, tmp_path: Path, client: str, shown: str):
    page = next(command.page for command in TYPED if command.text.startswith(client))
    every = [command.text for command in commands(page)]
    mine = [text for text in every if text.startswith(f"{client} mcp")]
    token = every[every.index(mine[0]) - 1]
    assert MAKES_TOKEN in token
    script = "\n".join([token, *mine]).replace("http://127.0.0.1:3847", server.url)
    home = tmp_path / "home"
    home.mkdir()
    path = os.pathsep.join(
        [str(Path(sys.executable).parent), str(Path(find_client(client)).parent), os.environ["PATH"]]
    )
    environ = {**client_env(home), "PATH": path, "PENDESK_DATA": str(server.data)}
    completed = subprocess.run(["bash", "-ec", script], cwd=home, env=environ, capture_output=True, text=True)
    assert completed.returncode == 0, completed.stdout + completed.stderr
    assert f"{server.url}/mcp" in completed.stdout
    assert shown in completed.stdout


def test_every_such_command_is_one_of_theirs():
    assert {command.text.split()[0] for command in TYPED} == {"claude", "codex"}


def test_what_doctor_says_of_a_refused_server_helps(server: RunningServer, tmp_path: Path):
    """Somebody once said no to it in Claude Code; the printed command takes that back."""
    home, repo = tmp_path / "home", tmp_path / "repo"
    for folder in (home, repo):
        folder.mkdir()
    path = os.pathsep.join(
        [str(Path(sys.executable).parent), str(Path(find_client("claude")).parent), os.environ["PATH"]]
    )
    environ = {**client_env(home), "PATH": path, "PENDESK_DATA": str(server.data)}

    def typed(line: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(["bash", "-c", line], cwd=repo, env=environ, capture_output=True, text=True)

    for line in ("git init -q", "pendesk demo", "pendesk connect --agent claude"):
        assert typed(line).returncode == 0
    settings = repo / ".claude/settings.local.json"
    settings.write_text(json.dumps({**json.loads(settings.read_text()), "disabledMcpjsonServers": ["pendesk"]}))
    result = typed("pendesk doctor --repo .")
    assert result.returncode == 1
    (fix,) = [line.split("fix: Run: ")[1] for line in result.stdout.splitlines() if "reset-project-choices" in line]
    assert typed(fix.split(", or ")[0]).returncode == 0
    assert typed("pendesk doctor --repo .").returncode == 0
