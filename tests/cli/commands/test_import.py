"""pendesk export and import, as people run them."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from pendesk.operations.exchange.load_sample import sample_project_path

SAMPLES = Path("tests/domain/exchange/samples").absolute()


@pytest.fixture
def sample(ask):
    ask("init")
    ask("demo")


def test_out_and_in_again_as_a_copy(run, ask, sample, tmp_path):
    file = tmp_path / "harbour.pendesk.jsonl"
    assert "27 actions" in run("export", "--project", "HRB", "--out", str(file)).stdout
    first = file.read_bytes()
    assert json.loads(first.splitlines()[0]) == {"format": "pendesk", "version": 1}
    result = ask("export", "--project", "HRB", "--out", str(file))
    assert (result["file"], result["counts"]["action"], "receipt" in result) == (str(file), 27, False)
    assert file.read_bytes() == first
    refused = run("import", "--in", str(file))
    assert refused.exit_code == 1
    assert "--as-copy" in refused.stderr
    created = run("import", "--in", str(file), "--as-copy")
    assert created.exit_code == 0
    assert "Created Harbour (copy) (HRB2): 3 goals, 4 specs" in created.stdout


def test_into_another_folder_with_the_same_ids(run, ask, sample, tmp_path, monkeypatch):
    file = tmp_path / "out.jsonl"
    first = ask("export", "--project", "HRB", "--out", str(file))
    monkeypatch.setenv("PENDESK_DATA", str(tmp_path / "other"))
    ask("init")
    result = ask("import", "--in", str(file), "--dry-run")
    assert (result["dryRun"], result["counts"]) == (True, first["counts"])
    assert ask("import", "--in", str(file))["key"] == "HRB"
    assert ask("export", "--project", "HRB", "--out", str(tmp_path / "again.jsonl"))["sha256"] == first["sha256"]


@pytest.mark.parametrize(
    ("program", "path", "words"),
    [
        ("backlog", "backlog", "Created Tide tables (TT): 1 goal, 6 actions, 4 criteria, 4 edges, 2 documents"),
        ("taskmaster", "task_master.json", "Created Task Master (TM): 6 actions, 6 edges"),
        ("plandesk", "plan_desk_v1.json", "Created Lighthouse (LIG): 3 actions, 2 edges, 1 document, 1 run"),
        ("github", "github_gh.json", "Created example/lighthouse (EL): 1 goal, 3 actions, 2 criteria, 2 edges"),
    ],
)
def test_from_other_programs(run, ask, program, path, words):
    ask("init")
    dry = run("import", "--from", program, str(SAMPLES / path), "--dry-run")
    assert words.replace("Created", "Would create") in dry.stdout
    created = run("import", "--from", program, str(SAMPLES / path))
    assert created.exit_code == 0
    assert words in created.stdout


@pytest.mark.parametrize(
    ("path", "recognized", "created"),
    [
        ("backlog", "Backlog.md's folder", "Created Tide tables (TT): 1 goal, 6 actions"),
        ("task_master.json", "Task Master's tasks", "Created Task Master (TM): 6 actions"),
        ("plan_desk_v1.json", "a Plan Desk export", "Created Lighthouse (LIG): 3 actions"),
        ("github_gh.json", "GitHub's issues", "Created example/lighthouse (EL): 1 goal, 3 actions"),
    ],
)
def test_another_programs_files_are_recognized(run, ask, path, recognized, created):
    ask("init")
    result = run("import", "--in", str(SAMPLES / path))
    assert result.exit_code == 0, result.stderr
    assert f"Recognized {recognized}." in result.stdout
    assert created in result.stdout


def test_what_is_not_recognized_names_the_option(run, ask, tmp_path):
    ask("init")
    (tmp_path / "mine.json").write_text('{"a": 1}')
    refused = run("import", "--in", str(tmp_path / "mine.json"))
    assert refused.exit_code == 1
    assert "--from backlog" in refused.stderr
    assert run("import", "--in", str(SAMPLES / "github_gh.json"), "--as-copy").exit_code == 2


def test_groups_become_specs(run, ask):
    ask("init")
    created = run("import", "--from", "backlog", str(SAMPLES / "backlog"), "--specs")
    assert "2 specs, 2 participants, 2 plans" in created.stdout
    assert "can be published once these have an acceptance criterion: TASK-2.2." in created.stdout


def test_a_fault_names_the_file_and_the_place(run, ask, tmp_path):
    ask("init")
    (tmp_path / "tasks.json").write_text('{"tasks": [{"title": "no id"}]}')
    refused = run("import", "--from", "taskmaster", str(tmp_path / "tasks.json"))
    assert refused.exit_code == 1
    assert "tasks.json, tasks[0], id: is required." in refused.stderr
    in_json = run("--json", "import", "--from", "taskmaster", str(tmp_path / "tasks.json"))
    assert json.loads(in_json.stderr)["error"]["code"] == "bad_field"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "Use either --in PATH, or --from"),
        (("--from", "github"), "belong together"),
        (("--in", "pyproject.toml", "--from", "github", "pyproject.toml"), "Use either"),
        (("--from", "github", "pyproject.toml", "--as-copy"), "for exports of Pendesk"),
        (("--in", "examples/harbour.pendesk.jsonl", "--specs"), "has its specs in it"),
        (("--from", "jira", "pyproject.toml"), "'jira' is not one of"),
        (("--in", "nowhere.jsonl"), "does not exist"),
    ],
)
def test_wrong_usage_is_told(run, arguments, words):
    refused = run("import", *arguments)
    assert refused.exit_code == 2
    assert words in refused.stderr


def test_a_folder_that_is_not_there_is_told_and_nothing_is_written(run, ask, sample, tmp_path, data):
    before = sorted((data / "attachments").iterdir()) if (data / "attachments").is_dir() else []
    refused = run("export", "--project", "HRB", "--out", str(tmp_path / "no" / "file.jsonl"))
    assert refused.exit_code == 1
    assert "does not exist" in refused.stderr
    missing = run("export", "--project", "NONE", "--out", str(tmp_path / "file.jsonl"))
    assert missing.exit_code == 1
    assert not (tmp_path / "file.jsonl").exists()
    assert (sorted((data / "attachments").iterdir()) if (data / "attachments").is_dir() else []) == before


KILLED = """
import os, signal, sys
from pendesk.cli import main
from pendesk.store.portable import rows

written, add = [], rows.add

def add_and_die(tx, table, row):
    add(tx, table, row)
    written.append(row)
    if len(written) == 150:
        os.kill(os.getpid(), signal.SIGKILL)

rows.add = add_and_die
main(sys.argv[1:])
"""


def test_an_import_that_is_killed_leaves_no_row_and_can_be_repeated(run, ask, data):
    ask("init")
    sample = str(sample_project_path())
    completed = subprocess.run([sys.executable, "-c", KILLED, "import", "--in", sample], env=os.environ, check=False)
    assert completed.returncode == -signal.SIGKILL
    # Its staged file is left, under no name that anyone knows; the server's sweeper removes it after a day.
    assert len(list((data / "attachments").iterdir())) == 1
    result = ask("import", "--in", sample)
    assert (result["key"], result["counts"]["action"]) == ("HRB", 27)
    assert run("verify").exit_code == 0
