"""The commands of docs/import-export.md, as they stand there, one after the other."""

import re
import shlex
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from pendesk.cli import main

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / "tests" / "domain" / "exchange" / "samples"
PAGE = (ROOT / "docs" / "import-export.md").read_text("utf-8")
COMMANDS = [line for block in re.findall(r"```console\n(.*?)```", PAGE, re.S) for line in block.splitlines()]


def test_every_command_of_the_page_works(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PENDESK_DATA", str(tmp_path / "data"))
    monkeypatch.delenv("PENDESK_DATABASE_URL", raising=False)
    shutil.copytree(SAMPLES / "backlog", "backlog")
    Path(".taskmaster/tasks").mkdir(parents=True)
    shutil.copy(SAMPLES / "task_master.json", ".taskmaster/tasks/tasks.json")
    shutil.copy(SAMPLES / "plan_desk_v1.json", "plan-desk-export.json")
    shutil.copy(SAMPLES / "github_gh.json", "issues.json")
    for command in ("pendesk init", "pendesk demo", *COMMANDS):
        done = CliRunner().invoke(main, shlex.split(command)[1:])
        assert done.exit_code == 0, f"{command}\n{done.output}"


@pytest.mark.parametrize("program", ["backlog", "taskmaster", "plandesk", "github"])
def test_every_program_is_shown(program):
    assert any(f"--from {program} " in command for command in COMMANDS)
