"""Every command of the guides is typed, in order, page by page, and prints what the guide shows."""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.docs.elsewhere import ELSEWHERE, beginnings, reason_not_to_run
from tests.docs.guides import OTHERS, PAGES, ROOT, SHELL, Command, blocks, commands, matches
from tests.docs.reader import Reader, prepared
from tests.postgres import PostgresCluster

SAMPLES = ROOT / "tests/domain/exchange/samples"
COMMANDS = {str(page.relative_to(ROOT)): commands(page) for page in PAGES}
RUN = [name for name, typed in COMMANDS.items() if any(reason_not_to_run(command.text) is None for command in typed)]
# These begin with nothing, and start the server themselves.
FROM_NOTHING = ("README.md", "docs/index.md")


def other_programs_files(reader: Reader) -> None:
    shutil.copytree(SAMPLES / "backlog", reader.repository / "backlog")
    (reader.repository / ".taskmaster/tasks").mkdir(parents=True)
    shutil.copy(SAMPLES / "task_master.json", reader.repository / ".taskmaster/tasks/tasks.json")
    shutil.copy(SAMPLES / "plan_desk_v1.json", reader.repository / "plan-desk-export.json")
    shutil.copy(SAMPLES / "github_gh.json", reader.repository / "issues.json")


def claimed_with_a_report(reader: Reader) -> None:
    report = '<testsuite name="a"><testcase name="AC-1 works"/></testsuite>'
    (reader.repository / "junit.xml").write_text(report)
    for typed in ("pendesk connect", "pendesk work claim_action HRB-1"):
        assert reader.terminal.type(typed)[0] == 0


def connected(reader: Reader) -> None:
    assert reader.terminal.type("pendesk connect")[0] == 0


def in_the_clone(reader: Reader) -> None:
    assert reader.terminal.type(f"cd '{ROOT}'")[0] == 0


def committed_on_a_branch(reader: Reader) -> None:
    """Everything is committed: the connection on main, two lines on the branch work."""
    commit = "git add -A && git commit -qm"
    branch = "git branch -M main && git checkout -qb work && printf 'one\\ntwo\\n' > app.py"
    for typed in ("pendesk connect", f"{commit} Connect", branch, f"{commit} Add", "pendesk work claim_action HRB-1"):
        assert reader.terminal.type(typed)[0] == 0


# What a page takes for granted beside a server that runs: files and states of the reader's own.
BEFORE: dict[str, Callable[[Reader], None]] = {
    "README.md": in_the_clone,
    "docs/index.md": in_the_clone,
    "docs/change.md": committed_on_a_branch,
    "docs/import-export.md": other_programs_files,
    "docs/github.md": claimed_with_a_report,
    "docs/run-a-build.md": connected,
    "docs/troubleshooting.md": connected,
}


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    missing = [name for name in ("bash", "curl", "git", "make") if shutil.which(name) is None]
    assert not missing, f"The guides use {', '.join(missing)}: scripts/ensure_programs.sh installs it."
    return prepared(tmp_path_factory.mktemp("prepared"))


@pytest.fixture
def reader(tmp_path: Path, data: Path, postgres: PostgresCluster, monkeypatch: pytest.MonkeyPatch) -> Iterator[Reader]:
    # pg_dump must be as new as the server.
    monkeypatch.setenv("PATH", f"{Path(postgres.bin('pg_dump')).parent}{os.pathsep}{os.environ['PATH']}")
    postgres.drop_database("guide")
    safe = tmp_path / "safe"
    safe.mkdir()
    filled = {
        "postgresql://user:password@host/pendesk": postgres.create_database("guide"),
        "/mnt/safe": str(safe),
    }
    person = Reader(tmp_path, data, filled)
    yield person
    person.close()


@pytest.mark.parametrize("page", RUN)
def test_a_reader_can_type_every_command_of_the_page(page: str, reader: Reader) -> None:
    if page not in FROM_NOTHING:
        reader.start()
    if page in BEFORE:
        BEFORE[page](reader)
    for command in COMMANDS[page]:
        if reason_not_to_run(command.text) is None:
            reader.follow(command)
    if page in FROM_NOTHING:
        assert "/sign-in?code=" in reader.terminal.welcome


def test_no_reason_is_left_over() -> None:
    """The table says why a command is not run; an entry that no guide needs would hide a new one."""
    every = [command.text for typed in COMMANDS.values() for command in typed]
    used = {fitting[0] for text in every if (fitting := beginnings(text))}
    assert used == set(ELSEWHERE)


def test_preparations_are_of_pages_that_are_run() -> None:
    assert {*BEFORE, *FROM_NOTHING} <= set(RUN)


@pytest.mark.parametrize("page", PAGES, ids=[str(page.relative_to(ROOT)) for page in PAGES])
def test_no_command_hides_in_another_kind_of_block(page: Path) -> None:
    for block in blocks(page):
        assert block.language in (SHELL, *OTHERS), f"{page.name}:{block.line} has a block of {block.language!r}"
    outside, inside = [], False
    for line in page.read_text("utf-8").splitlines():
        inside ^= line.startswith("```")
        outside += [line] if not inside else []
    before = ["", *outside]
    indented = [line for former, line in zip(before, outside, strict=False) if not former and line.startswith("    ")]
    assert not indented, f"{page.name}: put it into a fence, so that it is run: {indented}"


@pytest.mark.parametrize(
    ("expected", "printed", "same"),
    [
        ("one\ntwo\n", "one\ntwo\n", True),
        ("one ... three\n", "one two three\n", True),
        ("one\n...\nfour\n", "one\ntwo\nthree\nfour\n", True),
        ("one\n...\n", "one\n", True),
        ("one\n", "one\ntwo\n", False),
        ("one ...\n", "two one\n", False),
        ("a+b\n", "aab\n", False),
    ],
)
def test_what_is_shown_is_compared_with_what_is_printed(expected: str, printed: str, same: bool) -> None:
    assert matches(expected, printed) is same


def test_a_command_goes_on_until_it_is_whole(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    typed = "# a remark\nf() {\n  echo 'a\n b'\n}\n\ncurl -s \\\n  x   # y\n"
    page.write_text(f'```sh\n{typed}```\n\n```text title="prints"\nz\n```\n')
    read = [(command.line, command.text, command.prints) for command in commands(page)]
    assert read == [(3, "f() {\n  echo 'a\n b'\n}", None), (8, "curl -s \\\n  x   # y", "z\n")]


def test_there_are_many() -> None:
    assert sum(map(len, COMMANDS.values())) > 100
    assert isinstance(next(iter(COMMANDS["README.md"])), Command)


def test_two_servers_on_neighbouring_ports_are_not_mistaken_for_each_other(data, tmp_path):
    """Beside other tests the reader's server may have the port after the usual one, and the other server that one."""
    reader = Reader(tmp_path, data, {"https://pendesk.example.com": "http://127.0.0.1:3847"})
    reader.url = "http://127.0.0.1:3848"
    guide = "http://127.0.0.1:3847/mcp https://pendesk.example.com/mcp"
    own = "http://127.0.0.1:3848/mcp http://127.0.0.1:3847/mcp"
    assert (reader.fill(guide), reader.as_in_guide(own)) == (own, guide)
    reader.close()
