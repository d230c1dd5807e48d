"""The Inspector's command line, in both protocol eras."""

import json
import subprocess
from pathlib import Path

import pytest

from tests.clients.drive.common import client_env, find_client
from tests.clients.running import RunningServer

ERAS = ["legacy", "modern"]
OK, BAD_TOKEN, TOOL_ERROR = 0, 3, 5


@pytest.fixture(params=ERAS)
def inspect(request: pytest.FixtureRequest, server: RunningServer, tmp_path: Path):
    agent = server.agent("Inspector")
    server.work(agent)

    def run(*arguments: str, token: str = agent.token) -> subprocess.CompletedProcess[str]:
        command = [find_client("inspector"), "--cli", server.mcp, "--protocol-era", request.param]
        command += ["--header", f"Authorization: Bearer {token}", *arguments]
        return subprocess.run(command, env=client_env(tmp_path), cwd=tmp_path, capture_output=True, text=True)

    return run


def test_it_lists_calls_and_tells_refusals_apart(inspect):
    listed = inspect("--method", "tools/list", "--strict")
    assert listed.returncode == OK, listed.stderr
    assert len(json.loads(listed.stdout)["tools"]) == 13

    called = inspect("--method", "tools/call", "--tool-name", "claim_action", "--tool-arg", "action_pid=PEN-1")
    assert called.returncode == OK, called.stderr
    assert json.loads(called.stdout)["structuredContent"]["status"] == "started"

    refused = inspect("--method", "tools/call", "--tool-name", "claim_action", "--tool-arg", "action_pid=PEN-99")
    assert refused.returncode == TOOL_ERROR, refused.stderr
    assert "404" in refused.stdout

    prompted = inspect("--method", "prompts/get", "--prompt-name", "build", "--prompt-args", "action=PEN-1")
    assert prompted.returncode == OK, prompted.stderr
    assert "PEN-1" in prompted.stdout

    shut_out = inspect("--method", "tools/list", token="pendesk_mcp_nonsense")
    assert shut_out.returncode == BAD_TOKEN, shut_out.stderr
