"""What every surface says of a submission's code: its pull request, its checks, and how far that can be believed.

A submission is about one commit, its head. Checks are those of that commit, and none is never a good sign. Where the
pull request is at another commit by now, the two have parted. Where GitHub was not heard from, what is known is stale.
"""

from enum import StrEnum
from typing import NamedTuple

from pendesk.domain.checks import CheckTally, Rollup, roll_up
from pendesk.domain.github import PullRequest, pull_request_number
from pendesk.domain.limits import HOUR_US

# An open pull request is stale when nothing was heard of it for so long; checks that run, sooner.
PULL_REQUEST_SILENT_US = 24 * HOUR_US
CHECKS_SILENT_US = 3 * HOUR_US


class MergeState(StrEnum):
    """Whether GitHub would merge it. `dirty`: it has conflicts."""

    CLEAN = "clean"
    DIRTY = "dirty"
    BEHIND = "behind"
    BLOCKED = "blocked"
    UNSTABLE = "unstable"
    UNKNOWN = "unknown"


class Staleness(StrEnum):
    """Why what is known may no longer be so."""

    NOT_CONNECTED = "not_connected"  # the project has neither a webhook nor a token
    NOT_REPORTED = "not_reported"  # GitHub never said a word about the pull request
    SILENT = "silent"
    CHECKS_SILENT = "checks_silent"


class CodeFacts(NamedTuple):
    """Of one submission. `is_connected`: GitHub calls here or is read from here. `is_closed`: nobody waits for it."""

    pr_url: str | None
    head_sha: str | None
    pull_request: PullRequest | None
    checks: CheckTally
    is_connected: bool
    is_closed: bool


class CodeStanding(NamedTuple):
    """`parted`: the pull request's head is another commit than the submitted one."""

    checks: Rollup
    merge_state: MergeState | None
    parted: bool
    stale: Staleness | None


def merge_state_of(word: str | None) -> MergeState | None:
    """GitHub's word. One that is not known here says no more than unknown does."""
    if word is None:
        return None
    if word == "has_hooks":  # it can be merged, and hooks run then
        return MergeState.CLEAN
    if word == "draft":  # an older word for blocked
        return MergeState.BLOCKED
    return MergeState(word) if word in set(MergeState) else MergeState.UNKNOWN


def code_standing(facts: CodeFacts, now: int) -> CodeStanding | None:
    """None where there is nothing to say: no pull request, no checks, and no GitHub."""
    if not (facts.pr_url or facts.is_connected or facts.checks != CheckTally()):
        return None
    pull = facts.pull_request
    is_open = pull is not None and pull.is_open
    return CodeStanding(
        checks=roll_up(facts.checks),
        merge_state=merge_state_of(pull.merge_state) if pull is not None and is_open else None,
        parted=pull is not None and facts.head_sha is not None and pull.head_sha != facts.head_sha,
        stale=None if facts.is_closed else _staleness(facts, now),
    )


def _staleness(facts: CodeFacts, now: int) -> Staleness | None:
    pull, checks = facts.pull_request, facts.checks
    if pull is not None and not pull.is_open:
        return None  # it has ended, and little comes after that
    is_of_github = pull_request_number(facts.pr_url or "") is not None  # others' look different
    if not facts.is_connected:
        return Staleness.NOT_CONNECTED if is_of_github or checks != CheckTally() else None
    if pull is None and is_of_github:
        return Staleness.NOT_REPORTED
    if checks.pending and not checks.failed and now - checks.newest_at > CHECKS_SILENT_US:
        return Staleness.CHECKS_SILENT
    if pull is not None and now - heard_at(pull, checks) > PULL_REQUEST_SILENT_US:
        return Staleness.SILENT
    return None


def heard_at(pull_request: PullRequest, checks: CheckTally) -> int:
    """When GitHub last said something about it: a check of its head is a word about it as well."""
    return max(pull_request.heard_at or pull_request.updated_at, checks.newest_at)
