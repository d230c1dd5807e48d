import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from pendesk.cli import main

Run = Callable[..., Result]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def run(data: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
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
