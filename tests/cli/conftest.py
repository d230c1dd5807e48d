import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from pendesk.cli import main
from pendesk.cli.parts.ci_job import CI_JOB_VARIABLES
from pendesk.cli.parts.process_ancestry import _process_from_proc, process_mark
from tests.clients.drive.common import serving
from tests.clients.drive.recording_proxy import RecordingProxy
from tests.clients.running import RunningServer, running

Run = Callable[..., Result]


class NamedProcess:
    """A process that is named after its file and runs one command, as clients do, in a shell."""

    def __init__(self, program: Path) -> None:
        self._program = program
        program.symlink_to(os.path.realpath(sys.executable))

    def run(self, command: str, folder: Path, *, stdin: str = "", **environ: str) -> tuple[str | None, str]:
        """The mark of the process, and what the command printed."""
        process = subprocess.Popen(
            [self._program, "-c", "import subprocess, sys; subprocess.run(sys.argv[1:])", "/bin/sh", "-c", command],
            cwd=folder,
            env={"PATH": os.environ["PATH"], "HOME": str(folder.parent), **environ},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert process.stdin is not None
        assert process.stdout is not None
        with process.stdin, process.stdout:
            process.stdin.write(stdin)
            process.stdin.close()
            output = process.stdout.read()
        entry = _process_from_proc(process.pid)  # until it is waited for, the system knows it
        assert process.wait() == 0
        assert entry is not None
        return process_mark(entry), output


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def run(data: Path, monkeypatch: pytest.MonkeyPatch, own_logging: None) -> Run:
    """Run a command on a data folder of the test's own."""
    for variable in ("PENDESK_DATABASE_URL", "PENDESK_PORT", "PENDESK_CHROMIUM", *variables_of_agents_and_ci()):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("PENDESK_DATA", str(data))

    def run(*arguments: str, stdin: str | None = None) -> Result:
        result = CliRunner().invoke(main, arguments, input=stdin)
        # SystemExit is how a command ends; anything else has escaped.
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
        return result

    return run


def variables_of_agents_and_ci() -> list[str]:
    """Whoever runs the tests may be an agent, or CI."""
    prefixes = ("CLAUDE", "CODEX_", "CURSOR_", "GEMINI_", "AI_AGENT", "PENDESK_SESSION")
    of_ci = {name for names in CI_JOB_VARIABLES.values() for name in names}
    return [name for name in os.environ if name.startswith(prefixes) or name in of_ci]


@pytest.fixture
def ask(run: Run) -> Callable[..., Any]:
    """The same, in JSON, which must succeed."""

    def ask(*arguments: str, stdin: str | None = None) -> Any:
        result = run("--json", *arguments, stdin=stdin)
        assert result.exit_code == 0, result.stderr
        return json.loads(result.stdout)

    return ask


@pytest.fixture(scope="module")
def module_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with running(tmp_path_factory.mktemp("server") / "data", requests_per_minute="100000") as started:
        started.person("create_project", name="Harbour")
        yield started


@pytest.fixture
def server(module_server: RunningServer, monkeypatch: pytest.MonkeyPatch, run: object) -> RunningServer:
    monkeypatch.setenv("PENDESK_DATA", str(module_server.data))
    return module_server


@pytest.fixture
def recording(server: RunningServer, repo: Path, ask: Callable[..., Any]) -> Iterator[RecordingProxy]:
    """A proxy in front of the server that keeps what is sent; the repository is connected through it."""
    token = server.person("create_token", name="Claude Code")["token"]
    with serving(RecordingProxy(server.url)) as proxy:
        ask("connect", "--agent", "claude", "--project", "HAR", "--url", proxy.url, "--token-stdin", stdin=token)
        proxy.requests.clear()
        yield proxy


@pytest.fixture
def pretend_claude(tmp_path: Path) -> NamedProcess:
    return NamedProcess(tmp_path / "claude")


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A committed repository, in which the command runs; the home folder is elsewhere."""
    folder, home = tmp_path / "repo", tmp_path / "home"
    folder.mkdir()
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / ".config"))
    for variable in ("PENDESK_MCP_TOKEN", "PENDESK_URL", "CLAUDE_PROJECT_DIR"):
        monkeypatch.delenv(variable, raising=False)
    (folder / "README.md").write_text("# Mine\n")
    git(folder, "init", "-q")
    commit(folder)
    monkeypatch.chdir(folder)
    return folder


def git(folder: Path, *arguments: str) -> str:
    identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com"]
    completed = subprocess.run(
        ["git", "-C", str(folder), *identity, *arguments], capture_output=True, text=True, check=True
    )
    return completed.stdout


def commit(folder: Path) -> None:
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "x")
