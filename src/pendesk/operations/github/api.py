"""Reads a submission's pull request, checks and change from GitHub's API. No transaction is open meanwhile.

What answers may be anything: it is bounded, checked against what was wanted, and never shown as it is.
"""

import re
from typing import Any, NamedTuple, TypeVar
from urllib.parse import quote

import msgspec

from pendesk.domain.errors import OtherServerSilent, RuleBroken
from pendesk.domain.github import pull_request_url_variants
from pendesk.domain.github_api import ApiProblem, RepositoryApi, api_problem
from pendesk.domain.limits import CHANGE_BYTES, GITHUB_ANSWER_BYTES, GITHUB_PAGES
from pendesk.operations.github.payloads import (
    CheckRun,
    CheckRunEvent,
    Pull,
    StatusEvent,
    operation_call_for_check_run,
    operation_call_for_status,
)
from pendesk.operations.outbound import JSON, Outbound, Reply

T = TypeVar("T")

DIFF = "application/vnd.github.diff"
PER_PAGE = 100
_SHA = re.compile(r"(?:[0-9a-f]{40}|[0-9a-f]{64})\Z")
_UNREADABLE = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
OTHER = ApiProblem("GitHub answered about another repository or pull request than the submission's.")
UNREADABLE = ApiProblem("GitHub's answer could not be read.")
NO_HEAD = ApiProblem("The pull request has no commit that could be read.")


class FetchFailed(Exception):
    def __init__(self, problem: ApiProblem) -> None:
        super().__init__(problem.text)
        self.problem = problem


class ApiAccess(NamedTuple):
    """Where to read, and with what. It holds a token, so it is never shown."""

    api: RepositoryApi
    token: str
    now_s: int


class Named(msgspec.Struct):
    full_name: str = ""


class _Runs(msgspec.Struct):
    check_runs: list[CheckRun] = []


class _Status(msgspec.Struct):
    state: str
    context: str
    target_url: str | None = None
    updated_at: str | None = None


class _Statuses(msgspec.Struct):
    statuses: list[_Status] = []


class CommitText(msgspec.Struct):
    message: str = ""


class ComparedCommit(msgspec.Struct):
    sha: str
    commit: CommitText = msgspec.field(default_factory=CommitText)


class ComparedFile(msgspec.Struct):
    filename: str
    status: str = "modified"
    previous_filename: str | None = None
    additions: int = 0
    deletions: int = 0


class Comparison(msgspec.Struct):
    """The base of what the diff shows is the commit where the branches parted."""

    ahead_by: int
    behind_by: int
    merge_base_commit: ComparedCommit
    status: str = ""
    total_commits: int = 0
    commits: list[ComparedCommit] = []
    files: list[ComparedFile] = []


async def read_json(outbound: Outbound, access: ApiAccess, path: str, shape: type[T]) -> T:
    reply = await _get(outbound, access, path, JSON, GITHUB_ANSWER_BYTES)
    if reply.status != 200:
        raise FetchFailed(api_problem(reply.status, reply.headers, access.now_s))
    try:
        return msgspec.json.decode(reply.body, type=shape)
    except _UNREADABLE:
        raise FetchFailed(UNREADABLE) from None


async def _get(outbound: Outbound, access: ApiAccess, path: str, accept: str, max_bytes: int) -> Reply:
    try:
        return await outbound.send("GET", access.api.url(path), access.token, accept=accept, max_bytes=max_bytes)
    except (RuleBroken, OtherServerSilent) as refusal:  # no answer, or far too long a one
        raise FetchFailed(ApiProblem(refusal.message)) from None


async def read_pull_request(outbound: Outbound, access: ApiAccess, number: int, pr_url: str) -> Pull:
    pull = await read_json(outbound, access, f"/pulls/{number}", Pull)
    if pull.number != number or pr_url.lower() not in pull_request_url_variants(pull.html_url):
        raise FetchFailed(OTHER)
    if not _SHA.match(pull.head.sha):
        raise FetchFailed(NO_HEAD)
    return pull


async def read_checks(outbound: Outbound, access: ApiAccess, sha: str) -> list[dict[str, Any]]:
    """Runs and statuses, each with its fields as record_check takes them; those about another commit are left out."""
    checks: list[dict[str, Any]] = []
    for page in range(1, GITHUB_PAGES + 1):
        path = f"/commits/{sha}/check-runs?per_page={PER_PAGE}&page={page}"
        runs = (await read_json(outbound, access, path, _Runs)).check_runs
        checks += [operation_call_for_check_run(CheckRunEvent(run))[1] for run in runs if run.head_sha == sha]
        if len(runs) < PER_PAGE:
            break
    statuses = await read_json(outbound, access, f"/commits/{sha}/status?per_page={PER_PAGE}", _Statuses)
    return checks + [
        operation_call_for_status(StatusEvent(sha, status.state, status.context, status.target_url, status.updated_at))[
            1
        ]
        for status in statuses.statuses
    ]


async def read_comparison(outbound: Outbound, access: ApiAccess, base: str, head_sha: str) -> Comparison:
    """With all of its commits, as far as they fit on so many pages; files are on the first one only."""
    path = _compare_path(base, head_sha)
    comparison = await read_json(outbound, access, f"{path}?per_page={PER_PAGE}&page=1", Comparison)
    for page in range(2, GITHUB_PAGES + 1):
        if len(comparison.commits) >= comparison.total_commits:
            break
        more = await read_json(outbound, access, f"{path}?per_page={PER_PAGE}&page={page}", Comparison)
        comparison.commits += more.commits
    if not _SHA.match(comparison.merge_base_commit.sha):
        raise FetchFailed(UNREADABLE)
    comparison.commits = [commit for commit in comparison.commits if _SHA.match(commit.sha)]
    return comparison


async def read_diff(outbound: Outbound, access: ApiAccess, base: str, head_sha: str) -> bytes | None:
    """None where it is larger than a change may be, or than GitHub gives out."""
    try:
        reply = await _get(outbound, access, _compare_path(base, head_sha), DIFF, CHANGE_BYTES)
    except FetchFailed:
        return None
    if reply.status in (401, 429):
        raise FetchFailed(api_problem(reply.status, reply.headers, access.now_s))
    return reply.body if reply.status == 200 else None


def _compare_path(base: str, head_sha: str) -> str:
    return f"/compare/{quote(base, safe='')}...{head_sha}"
