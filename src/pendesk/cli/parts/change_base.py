"""Where a change begins: the commit of the upstream branch that the work started from."""

from collections.abc import Sequence
from typing import NamedTuple

from pendesk.cli.parts.console import CommandError
from pendesk.cli.parts.git import Git

UPSTREAMS = (
    "refs/remotes/origin/HEAD",
    "refs/remotes/origin/main",
    "refs/remotes/origin/master",
    "refs/heads/main",
    "refs/heads/master",
)
_SHALLOW = "This clone is shallow: its history ends before that. Run `git fetch --unshallow`, or name --base COMMIT."


class Base(NamedTuple):
    """`revisions`: what names the commits after it. `sha` is the empty tree where the first commit belongs to them."""

    sha: str
    revisions: str


def find_head(git: Git) -> str:
    head = find_commit(git, "HEAD")
    if head is None:
        raise CommandError("This repository has no commit yet. Commit the work first.")
    return head


def find_base(git: Git, head: str, option: str | None, reported_commits: Sequence[str]) -> Base:
    """From the option; else from the upstream's default branch; else, where the work is on that branch itself, from the
    commits that were reported.
    """
    if option is not None:
        return _base_of_option(git, head, option)
    upstream = next((ref for ref in UPSTREAMS if find_commit(git, ref)), None)
    base = merge_base(git, upstream, head) if upstream else None
    if base is not None and base != head:
        return Base(base, f"{base}..{head}")
    reported = _base_of_reported_commits(git, head, reported_commits)
    if reported is not None:
        return reported
    raise CommandError(_reason_without_base(git, upstream, base))


def _base_of_option(git: Git, head: str, option: str) -> Base:
    commit = find_commit(git, option)
    if commit is None:
        raise CommandError(f"--base {option}: there is no such commit here. Fetch it, or name another.")
    base = merge_base(git, commit, head)
    if base is None:
        reason = _SHALLOW if _is_shallow(git) else "Name a commit that the work started from."
        raise CommandError(f"--base {option} has no commit in common with HEAD. {reason}")
    if base == head:
        raise CommandError(f"HEAD has no commits after {option}: there is no change to push. Name an earlier --base.")
    return Base(base, f"{base}..{head}")


def _base_of_reported_commits(git: Git, head: str, reported_commits: Sequence[str]) -> Base | None:
    """The parent of the oldest of them: what the parents of all of them have in common."""
    parents = []
    for sha in reported_commits:
        commit = find_commit(git, sha)
        if commit is None or merge_base(git, commit, head) != commit:
            continue  # of another branch, rewritten since, or not here
        parent = find_commit(git, f"{commit}^")
        if parent is None:
            return None if _is_shallow(git) else Base(_empty_tree(git), head)
        parents.append(parent)
    base = git.line("merge-base", "--octopus", *parents) if parents else None
    return Base(base, f"{base}..{head}") if base else None


def _reason_without_base(git: Git, upstream: str | None, base: str | None) -> str:
    if upstream is None:
        known = "There is no branch main or master here, and no remote origin, to compare with."
        return f"{known} Name the commit that the work started from: --base COMMIT."
    name = upstream.removeprefix("refs/remotes/").removeprefix("refs/heads/")
    if base is None:
        return f"HEAD has no commit in common with {name}. {_SHALLOW if _is_shallow(git) else 'Name --base COMMIT.'}"
    return (
        f"HEAD has no commits that {name} has not, and none of the action's commits was reported from here. "
        "Name the commit that the work started from: --base COMMIT."
    )


def find_commit(git: Git, name: str) -> str | None:
    """Its full SHA, if it is in this repository."""
    return git.line("rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")


def merge_base(git: Git, commit: str, head: str) -> str | None:
    return git.line("merge-base", commit, head)


def _is_shallow(git: Git) -> bool:
    return git.line("rev-parse", "--is-shallow-repository") == "true"


def _empty_tree(git: Git) -> str:
    return git.run("hash-object", "-t", "tree", "--stdin").decode().strip()
