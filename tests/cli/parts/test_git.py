"""git, read without running anything of the repository."""

import os

import pytest

from pendesk.cli.parts.change_reading import Choice, list_uncommitted, read_change
from pendesk.cli.parts.console import CommandError
from pendesk.cli.parts.git import Git, GitFailed, open_repository
from tests.cli.git_repository import GitRepository


@pytest.fixture
def branch(tmp_path):
    return GitRepository(tmp_path / "repo")


def test_a_folder_below_the_top_is_the_same_repository(branch):
    branch.commit("Add", **{"src/app.py": "a\n"})
    assert open_repository(branch.folder / "src").run("ls-files").split() == [b"README.md", b"src/app.py"]


@pytest.mark.parametrize(
    ("make", "problem"),
    [
        (lambda folder: folder.mkdir(), "is not in a git repository"),
        (lambda folder: None, "is not a folder"),
        (lambda folder: Git(folder.parent).run("init", "-q", "--bare", str(folder)), "has no work tree"),
    ],
)
def test_a_folder_without_work_to_read_is_refused(tmp_path, make, problem):
    make(tmp_path / "other")
    with pytest.raises(CommandError, match=problem):
        open_repository(tmp_path / "other")


def test_without_git_it_says_so(branch, monkeypatch):
    monkeypatch.setenv("PATH", "")
    with pytest.raises(CommandError, match="git is not installed"):
        branch.open()


def test_a_failure_has_the_words_of_git(branch):
    with pytest.raises(GitFailed, match="git rev-parse failed: Needed a single revision") as refused:
        branch.open().run("rev-parse", "--verify", "nothing")
    assert refused.value.exit_status == 128
    with pytest.raises(GitFailed, match="took longer"):
        branch.open().run("log", timeout_s=0.0)
    with pytest.raises(GitFailed, match="git log failed"), branch.open().stream("log", "nothing"):
        pass


def test_a_repository_s_own_programs_are_never_run(branch, tmp_path, monkeypatch):
    """Hooks, external diffs, text conversions, filters, file system monitors, pagers, signature programs."""
    ran = tmp_path / "ran"
    program = tmp_path / "program.sh"
    program.write_text(f'#!/bin/sh\necho "$0 $@" >> {ran}\nexec cat\n')
    program.chmod(0o755)
    branch.commit("Attributes", **{".gitattributes": "*.txt diff=own filter=own\n", "a.txt": "one\n"})
    branch.commit("More", **{"a.txt": "one\ntwo\n"})
    branch.commit("Once more", **{"a.txt": "zero\none\ntwo\n"})
    settings = (
        "core.fsmonitor core.pager diff.external diff.own.command diff.own.textconv filter.own.clean filter.own.smudge "
        "filter.own.process gpg.program core.sshCommand core.alternateRefsCommand"
    )
    for setting in settings.split():
        branch.git("config", setting, str(program))
    branch.git("config", "log.showSignature", "true")
    branch.git("config", "filter.own.required", "true")
    for hook in ("post-checkout", "pre-commit", "post-index-change", "reference-transaction", "fsmonitor-watchman"):
        (branch.folder / ".git" / "hooks" / hook).symlink_to(program)
    monkeypatch.setenv("GIT_EXTERNAL_DIFF", str(program))
    monkeypatch.setenv("GIT_PAGER", str(program))
    os.utime(branch.folder / "a.txt", (1, 1))  # so that its content has to be compared
    branch.write("a.txt", "three\n")
    change = read_change(branch.open(), Choice())
    from pendesk.cli.parts.change_packing import pack_local_change

    pack_local_change(branch.open(), change)
    assert list_uncommitted(branch.open()) == ["a.txt"]
    assert [file.entry.path for file in change.files] == [b".gitattributes", b"a.txt"]
    assert not ran.exists(), ran.read_text()


def test_another_repository_in_the_environment_is_not_read(branch, tmp_path, monkeypatch):
    other = GitRepository(tmp_path / "other")
    monkeypatch.setenv("GIT_DIR", str(other.folder / ".git"))
    assert branch.open().line("rev-parse", "--show-toplevel") == str(branch.folder)
