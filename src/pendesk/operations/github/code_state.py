"""What is said of the code of actions' newest submissions, for many actions at once: see domain/code_state.py."""

from typing import NamedTuple

from pendesk.clock import to_iso
from pendesk.domain.action import CLOSED
from pendesk.domain.checks import CheckTally
from pendesk.domain.code_state import CodeFacts, CodeStanding, code_standing, heard_at
from pendesk.domain.github import PullRequest, pull_request_number, pull_request_url_variants
from pendesk.domain.review import Submission
from pendesk.operations.operation import Call, Output
from pendesk.store import checks, github


class PullRequestState(Output):
    """state: open, closed or merged. mergeState, while it is open: clean, dirty (conflicts), behind, blocked, unstable
    or unknown. ahead and behind: of its base, in commits.
    """

    number: int
    url: str
    state: str
    head_sha: str
    heard_at: str
    draft: bool = False
    base_branch: str | None = None
    merge_state: str | None = None
    ahead: int | None = None
    behind: int | None = None


class ChecksState(Output):
    """state: passed, failed, pending or none, of the submitted commit."""

    state: str
    passed: int = 0
    failed: int = 0
    pending: int = 0


class CodeState(Output):
    """parted: the pull request's head is another commit than the submitted one. stale: why this may no longer be so:
    not_connected, not_reported, silent or checks_silent.
    """

    checks: ChecksState
    pr_url: str | None = None
    head_sha: str | None = None
    pull_request: PullRequestState | None = None
    parted: bool = False
    stale: str | None = None


class _Submitted(NamedTuple):
    project_id: str
    submission: Submission
    pull_request: PullRequest | None
    is_closed: bool

    @property
    def checked_sha(self) -> str | None:
        """An agent may name the pull request alone; then its head is what the reviewer sees."""
        pull = self.pull_request
        return self.submission.head_sha or (pull.head_sha if pull else None)


def code_state_by_action_id(call: Call, action_ids: list[str]) -> dict[str, CodeState]:
    """Four statements for any number of actions; of those without a submission there is nothing to say."""
    submitted = _submissions_with_pull_requests(call, action_ids)
    if not submitted:
        return {}
    connected = github.connected_project_ids(call.tx, sorted({entry.project_id for entry in submitted}))
    tallies = checks.tallies_by_project_and_sha(
        call.tx, {(entry.project_id, entry.checked_sha) for entry in submitted if entry.checked_sha}
    )
    states = {
        entry.submission.action_id: _code_state(
            entry,
            tallies.get((entry.project_id, entry.checked_sha or ""), CheckTally()),
            call.now,
            is_connected=entry.project_id in connected,
        )
        for entry in submitted
    }
    return {action_id: state for action_id, state in states.items() if state is not None}


def _submissions_with_pull_requests(call: Call, action_ids: list[str]) -> list[_Submitted]:
    newest = github.newest_submissions(call.tx, action_ids)
    numbers = [pull_request_number(entry.submission.pr_url or "") for entry in newest]
    pulls = github.pull_requests_by_project_and_number(
        call.tx,
        {(entry.project_id, number) for entry, number in zip(newest, numbers, strict=True) if number is not None},
    )
    submitted = []
    for entry, number in zip(newest, numbers, strict=True):
        pull = pulls.get((entry.project_id, number or 0))
        submitted.append(
            _Submitted(
                entry.project_id,
                entry.submission,
                pull if is_named_by(entry.submission, pull) else None,
                entry.action_state in CLOSED,
            )
        )
    return submitted


def is_named_by(submission: Submission, pull: PullRequest | None) -> bool:
    """The number alone may be that of another repository's."""
    return pull is not None and (submission.pr_url or "").lower() in pull_request_url_variants(pull.url)


def _code_state(entry: _Submitted, tally: CheckTally, now: int, *, is_connected: bool) -> CodeState | None:
    submission, pull = entry.submission, entry.pull_request
    standing = code_standing(
        CodeFacts(
            pr_url=submission.pr_url,
            head_sha=submission.head_sha,
            pull_request=pull,
            checks=tally,
            is_connected=is_connected,
            is_closed=entry.is_closed,
        ),
        now,
    )
    if standing is None:
        return None
    return CodeState(
        checks=ChecksState(state=standing.checks, passed=tally.passed, failed=tally.failed, pending=tally.pending),
        pr_url=submission.pr_url,
        head_sha=entry.checked_sha,
        pull_request=_pull_request_state(pull, standing, tally) if pull else None,
        parted=standing.parted,
        stale=standing.stale,
    )


def _pull_request_state(pull: PullRequest, standing: CodeStanding, tally: CheckTally) -> PullRequestState:
    is_open = pull.state == "open"
    return PullRequestState(
        number=pull.number,
        url=pull.url,
        state=pull.state,
        head_sha=pull.head_sha,
        heard_at=to_iso(heard_at(pull, tally)),
        draft=is_open and bool(pull.is_draft),
        base_branch=pull.base_branch,
        merge_state=standing.merge_state,
        ahead=pull.ahead if is_open else None,
        behind=pull.behind if is_open else None,
    )
