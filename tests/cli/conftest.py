import json
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from pendesk.cli import main
from tests.clients.running import RunningServer, running

Run = Callable[..., Result]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def run(data: Path, monkeypatch: pytest.MonkeyPatch, own_logging: None) -> Run:
    """Run a command on a data folder of the test's own."""
    for variable in ("PENDESK_DATABASE_URL", "PENDESK_PORT", "PENDESK_CHROMIUM"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("PENDESK_DATA", str(data))

    def run(*arguments: str, stdin: str | None = None) -> Result:
        result = CliRunner().invoke(main, arguments, input=stdin)
        # SystemExit is how a command ends; anything else has escaped.
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
        return result

    return run


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
