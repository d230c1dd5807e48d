"""The official conformance suite, through a proxy that adds the token, which the suite's command cannot send."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.clients.drive.authproxy import AuthProxy
from tests.clients.drive.common import client_env, find_client, serving
from tests.clients.running import started

HERE = Path(__file__).parent
REVISIONS = ["2026-07-28", "2025-11-25"]


@pytest.mark.parametrize("revision", REVISIONS)
def test_nothing_fails_but_what_the_list_names(revision: str, tmp_path: Path):
    """An entry that has come to pass fails the run too: the lists only get shorter."""
    data = tmp_path / "data"
    with started([sys.executable, "-m", "tests.clients.conformance_server", str(data)], data, {}) as line:
        result = json.loads(line)
        with serving(AuthProxy(0, result["url"], result["token"])) as proxy:
            command = [
                find_client("conformance"),
                *("server", "--url", f"http://localhost:{proxy.server_port}/mcp"),
                *("--requirements", revision, "--timeout", "10000"),
                *("--expected-failures", str(HERE / f"conformance-{revision}.yml")),
            ]
            completed = subprocess.run(command, env=client_env(tmp_path), cwd=tmp_path, capture_output=True, text=True)
    assert completed.returncode == 0, completed.stdout[-6000:] + completed.stderr[-2000:]
