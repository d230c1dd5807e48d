"""Where a change begins."""

import pytest

from pendesk.cli.parts.change_base import Base, find_base, find_head
from pendesk.cli.parts.console import CommandError
from pendesk.cli.parts.git import open_repository
from tests.cli.conftest import git
from tests.cli.git_repository import GitRepository


@pytest.fixture
def branch(tmp_path):
    return GitRepository(tmp_path / "repo")


def base_of(branch, option=None, reported=()):
    repository = branch.open()
    return find_base(repository, find_head(repository), option, reported)


def test_a_branch_begins_where_it_left_main(branch):
    branch.commit("One", a="1\n")
    head = branch.commit("Two", a="2\n")
    branch.git("checkout", "-q", "main")
    branch.commit("Another's", b="1\n")
    branch.git("checkout", "-q", "work")
    assert base_of(branch) == Base(branch.base, f"{branch.base}..{head}")


def test_what_was_merged_in_from_main_is_not_of_the_branch(branch):
    branch.commit("One", a="1\n")
    branch.git("checkout", "-q", "main")
    merged = branch.commit("Another's", b="1\n")
    branch.git("checkout", "-q", "work")
    branch.git("merge", "-q", "--no-edit", "main")
    assert base_of(branch).sha == merged


def test_the_default_branch_of_origin_comes_before_those_here(branch, tmp_path):
    branch.commit("Unpushed", a="1\n")
    git(tmp_path, "clone", "-q", "-b", "main", str(branch.folder), "clone")
    clone = GitRepository.__new__(GitRepository)
    clone.folder = tmp_path / "clone"
    clone.commit("On main itself, not pushed", b="1\n")
    assert base_of(clone).sha == branch.base
    clone.git("checkout", "-q", "--detach")
    assert base_of(clone).sha == branch.base


def test_the_option_wins_and_may_be_a_branch_a_tag_or_a_commit(branch):
    first = branch.commit("One", a="1\n")
    branch.git("tag", "v1")
    branch.commit("Two", a="2\n")
    for option in (first, first[:10], "v1", "HEAD~"):
        assert base_of(branch, option).sha == first


@pytest.mark.parametrize(
    ("option", "problem"),
    [("nothing", "no such commit"), ("--output=x", "no such commit"), ("HEAD", "no commits after HEAD")],
)
def test_an_option_that_names_no_beginning_is_refused(branch, option, problem):
    branch.commit("One", a="1\n")
    with pytest.raises(CommandError, match=problem):
        base_of(branch, option)


def test_unrelated_history_is_refused(branch):
    branch.git("checkout", "-q", "--orphan", "other")
    branch.commit("Alone", a="1\n")
    with pytest.raises(CommandError, match="no commit in common with main"):
        base_of(branch)
    with pytest.raises(CommandError, match="--base main has no commit in common"):
        base_of(branch, "main")


def test_work_on_main_itself_begins_before_its_oldest_reported_commit(branch):
    branch.git("checkout", "-q", "main")
    shas = [branch.commit(f"Commit {number}", a=f"{number}\n") for number in range(4)]
    assert base_of(branch, reported=[shas[3], shas[2], "0" * 40, "not-a-sha"]).sha == shas[1]
    assert base_of(branch, reported=[shas[0]]).sha == branch.base
    with pytest.raises(CommandError, match=r"main has not, and none .* --base COMMIT"):
        base_of(branch)


def test_a_reported_first_commit_begins_with_nothing(branch):
    branch.git("checkout", "-q", "main")
    base = base_of(branch, reported=[branch.base])
    assert base.revisions == branch.base
    assert open_repository(branch.folder).run("ls-tree", base.sha) == b""


def test_a_shallow_clone_says_what_it_lacks(branch, tmp_path):
    branch.commit("One", a="1\n")
    branch.commit("Two", a="2\n")
    git(tmp_path, "clone", "-q", "--depth=1", "--no-single-branch", f"file://{branch.folder}", "shallow")
    clone = GitRepository.__new__(GitRepository)
    clone.folder = tmp_path / "shallow"
    clone.git("remote", "set-head", "origin", "main")
    with pytest.raises(CommandError, match=r"no commit in common with origin/HEAD\. This clone is shallow"):
        base_of(clone)
    clone.git("fetch", "-q", "--unshallow")
    assert base_of(clone).sha == branch.base


def test_a_repository_without_branches_to_compare_needs_the_option(branch):
    branch.git("checkout", "-q", "work")
    branch.git("branch", "-qD", "main")
    with pytest.raises(CommandError, match="no branch main or master"):
        base_of(branch)


def test_a_repository_without_a_commit_has_no_change(tmp_path):
    git(tmp_path, "init", "-q")
    with pytest.raises(CommandError, match="no commit yet"):
        find_head(open_repository(tmp_path))
