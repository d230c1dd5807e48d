"""headers: the token, and what tells the client that connects from others with the same token."""

import json
import os
import shutil
import sys
from pathlib import Path

import pytest

from pendesk.cli.binding.helper import HEADERS_COMMAND
from tests.cli.conftest import NamedProcess

WITH_PENDESK = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
WITHOUT = str(Path(shutil.which("cat") or "/bin/cat").parent)


@pytest.fixture
def connected(server, repo, ask) -> Path:
    ask("connect", "--agent", "claude")
    folder: Path = repo
    return folder


@pytest.mark.parametrize("path", [WITH_PENDESK, WITHOUT], ids=["with pendesk", "without"])
def test_the_helper_of_claude_code_sends_its_process(connected, pretend_claude, path):
    mark, output = pretend_claude.run(HEADERS_COMMAND, connected, PATH=path)
    assert json.loads(output)["X-Pendesk-Process"] == mark
    assert len(mark) == 32
    other_mark, _ = pretend_claude.run(HEADERS_COMMAND, connected, PATH=path)
    assert other_mark != mark


@pytest.mark.parametrize("path", [WITH_PENDESK, WITHOUT], ids=["with pendesk", "without"])
def test_another_program_is_no_client(connected, tmp_path, path):
    mark, output = NamedProcess(tmp_path / "editor").run(HEADERS_COMMAND, connected, PATH=path)
    assert json.loads(output).get("X-Pendesk-Process") != mark


def test_the_headers_name_no_session_of_the_client_as_that_may_change(connected, pretend_claude):
    _, output = pretend_claude.run(
        HEADERS_COMMAND, connected, PATH=WITH_PENDESK, PENDESK_SESSION="left", CLAUDE_CODE_SESSION_ID="inherited"
    )
    headers = json.loads(output)
    assert (headers["X-Pendesk-Session"], headers["X-Pendesk-Client"]) == ("left", "claude-code")
    assert headers["X-Pendesk-Machine"] == os.uname().nodename.partition(".")[0]
    assert "X-Pendesk-Client-Session" not in headers
