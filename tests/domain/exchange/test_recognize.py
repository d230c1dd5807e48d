"""Every sample is recognized by its content alone; what is nobody's, or may be two programs', is refused."""

import json
from pathlib import Path

import pytest

from pendesk.domain.errors import BadField
from pendesk.domain.exchange.recognize import recognize_program
from pendesk.domain.exchange.source import ImportFile
from pendesk.operations.exchange.source_files import read_import_files_from_path

SAMPLES = Path("tests/domain/exchange/samples").absolute()
PROGRAMS = {"backlog": "backlog", "task_master": "taskmaster", "plan_desk": "plandesk", "github": "github"}


def program_of_sample(path: Path) -> str:
    return next(program for start, program in PROGRAMS.items() if path.name.startswith(start))


def json_file(value: object, name: str = "x.json") -> ImportFile:
    return ImportFile(name, json.dumps(value).encode())


@pytest.mark.parametrize("path", sorted(SAMPLES.iterdir()), ids=lambda path: path.name)
def test_every_sample(path):
    assert recognize_program(read_import_files_from_path(path)) == program_of_sample(path)


@pytest.mark.parametrize(
    "files",
    [
        [],
        [ImportFile("README.md", b"# Mine")],
        [ImportFile("x", b"{")],
        [json_file({"version": 3, "tasks": []})],
        [json_file([])],
        [json_file([[]])],
        [json_file([1])],
        [json_file({})],
        [json_file({"name": "mine", "scripts": {}}, "package.json")],
    ],
)
def test_what_nobody_wrote(files):
    with pytest.raises(BadField, match=r"No other program's files are recognized in this.*--from backlog"):
        recognize_program(files)


def test_two_programs_in_one_folder_are_both_named():
    files = [ImportFile("backlog/tasks/1.md", b""), json_file({"tasks": []}, ".taskmaster/tasks/tasks.json")]
    with pytest.raises(BadField, match=r"Task Master's tasks or Backlog.md's folder. Say which: --from"):
        recognize_program(files)


def test_other_json_beside_it_does_not_matter():
    files = [json_file({"name": "mine"}, "package.json"), json_file({"master": {"tasks": []}}, "tasks.json")]
    assert recognize_program(files) == "taskmaster"
