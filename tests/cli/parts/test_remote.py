"""What the commands send to a server beside the call itself."""

import os
import sys
from pathlib import Path

import pytest

from pendesk import __version__
from pendesk.cli.parts.agent_marks import AgentMarks
from pendesk.cli.parts.remote import RemoteClient

PENDESK = f"{Path(sys.executable).with_name('pendesk')}"


@pytest.mark.parametrize("command", ["work list_available_specs", "context", "whoami"])
def test_every_command_sends_the_marks_of_its_session(repo, recording, pretend_claude, command):
    mark, _ = pretend_claude.run(
        f"{PENDESK} {command}",
        repo,
        PENDESK_SESSION="left",
        CLAUDE_CODE_SESSION_ID="77cef054",
    )
    assert recording.requests != []
    for request in recording.requests:
        assert request.headers["user-agent"] == f"pendesk-cli/{__version__}"
        assert request.marks == {
            "session": "left",
            "process": mark,
            "client-session": "claude-code:77cef054",
            "client": "claude-code",
            "machine": os.uname().nodename.partition(".")[0],
        }


def test_without_a_token_nothing_is_marked(recording):
    RemoteClient(recording.url, marks=AgentMarks(session="left")).get("/api/v1/health")
    (request,) = recording.requests
    assert request.marks == {}
