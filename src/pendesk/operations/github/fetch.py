"""A submission, read from GitHub: what is needed for it, the reading, and what becomes of it."""

from typing import Any, NamedTuple

from pendesk.clock import MICROSECONDS
from pendesk.domain.access import github_actor
from pendesk.domain.change import ChangeSource
from pendesk.domain.checks import CiCheck, state_from_conclusion
from pendesk.domain.claim import ActionFacts
from pendesk.domain.errors import RuleBroken
from pendesk.domain.github import PullRequest, pull_request_number
from pendesk.domain.github_api import RepositoryApi, is_pull_request_of, repository_api
from pendesk.domain.limits import CHECKS_PER_SHA
from pendesk.domain.project import Project
from pendesk.domain.review import Submission
from pendesk.operations.changes.overlaps import record_overlaps
from pendesk.operations.changes.save_change import save_change
from pendesk.operations.changes.stored_change import StoredChange
from pendesk.operations.github.api import (
    ApiAccess,
    Comparison,
    read_checks,
    read_comparison,
    read_diff,
    read_pull_request,
)
from pendesk.operations.github.fetched_change import store_fetched_change
from pendesk.operations.github.payloads import Pull, pull_request_fields
from pendesk.operations.github.record_check import save_check
from pendesk.operations.github.record_pull_request import save_pull_request
from pendesk.operations.github.token_box import decrypt_token
from pendesk.operations.operation import Call, Files
from pendesk.operations.outbound import Outbound
from pendesk.secret_box import CannotDecrypt
from pendesk.store import actions, changes, checks, github, github_fetches, projects, reviews


class FetchPlan(NamedTuple):
    """`previous_head`: of the submission before. `wants_change`: nobody pushed it. It holds a token (access)."""

    project: Project
    action_id: str
    submission: Submission
    number: int
    previous_head: str | None
    wants_change: bool
    access: ApiAccess
    token_set_at: int
    files: Files


class Fetched(NamedTuple):
    """`stored`: the change, where it was wanted and there was one."""

    pull: Pull
    checks: list[dict[str, Any]]
    comparison: Comparison | None
    stored: StoredChange | None


def plan_fetch(call: Call, facts: ActionFacts, submission: Submission) -> FetchPlan:
    project = projects.by_id(call.tx, facts.action.project_id)
    assert project is not None
    access, token_set_at = _api_access(call, project)
    number = pull_request_number(submission.pr_url or "")
    if number is None or not is_pull_request_of(access.api, submission.pr_url or ""):
        raise RuleBroken(
            f"The submission of {facts.ref} names no pull request of {access.api.full_name}, so there is nothing to "
            "read from GitHub. Its agent can push the change with `pendesk change push`.",
            code="pull_request_missing",
        )
    newest = reviews.submissions_of(call.tx, facts.action.id, 2)
    return FetchPlan(
        project=project,
        action_id=facts.action.id,
        submission=submission,
        number=number,
        previous_head=newest[1].head_sha if len(newest) > 1 else None,
        wants_change=changes.of_submission(call.tx, submission.id) is None,
        access=access,
        token_set_at=token_set_at,
        files=call.installation.files,
    )


def _api_access(call: Call, project: Project) -> tuple[ApiAccess, int]:
    api = require_api(project)
    row = github_fetches.token(call.tx, project.id)
    if row is None:
        raise RuleBroken(
            f"{project.key} has no GitHub token, so nothing can be read from GitHub. An admin sets one under "
            "Settings, Integrations, or with `pendesk github token`.",
            code="github_token_missing",
        )
    try:
        key, workspace_id = call.installation.signing_key, call.actor.workspace_id
        token = decrypt_token(key, workspace_id, project.id, api, row.sealed_token)
    except CannotDecrypt:
        raise RuleBroken(
            f"The GitHub token of {project.key} was set for another repository, or with another secret of this "
            "server. An admin sets it again under Settings, Integrations.",
            code="github_token_unusable",
        ) from None
    return ApiAccess(api, token, call.now // MICROSECONDS), row.set_at


def require_api(project: Project) -> RepositoryApi:
    api = repository_api(project.repository_url)
    if api is None:
        raise RuleBroken(
            f"{project.key} has no repository that GitHub could be asked about. Set its repository in the project "
            "settings first, as https://github.com/OWNER/NAME.",
            code="repository_missing",
        )
    return api


async def fetch_submission(outbound: Outbound, plan: FetchPlan) -> Fetched:
    """Raises FetchFailed where GitHub does not answer what is needed."""
    access = plan.access
    pull = await read_pull_request(outbound, access, plan.number, plan.submission.pr_url or "")
    head = plan.submission.head_sha or pull.head.sha
    found_checks = await read_checks(outbound, access, head)
    base = _base_to_compare_with(pull)
    if not base:
        return Fetched(pull, found_checks, None, None)
    comparison = await read_comparison(outbound, access, base, head)
    stored = None
    if plan.wants_change and plan.submission.head_sha:
        diff = await read_diff(outbound, access, base, head)
        since = await _read_since(outbound, plan, head) if diff is not None else None
        stored = await store_fetched_change(plan.files, head, pull.head.ref, comparison, diff, since)
    return Fetched(pull, found_checks, comparison, stored)


def _base_to_compare_with(pull: Pull) -> str:
    """Its branch as it is now; once merged that holds the head, and only where it was before shows the change."""
    if pull.base is None:
        return ""
    return pull.base.ref if pull.state == "open" else pull.base.sha


async def _read_since(outbound: Outbound, plan: FetchPlan, head_sha: str) -> tuple[str, bytes] | None:
    """What came on top of the submission before. After a rebase GitHub cannot say it: its diff starts elsewhere."""
    previous = plan.previous_head
    if previous is None or previous == head_sha:
        return None
    comparison = await read_comparison(outbound, plan.access, previous, head_sha)
    if comparison.status != "ahead" or comparison.merge_base_commit.sha != previous:
        return None
    diff = await read_diff(outbound, plan.access, previous, head_sha)
    return (previous, diff) if diff is not None else None


def record_fetched(call: Call, plan: FetchPlan, fetched: Fetched) -> None:
    """As GitHub's own word, whoever asked for it; by the rules of its webhook."""
    as_github = call.in_the_name_of(github_actor(call.actor.workspace_id))
    project_id = plan.project.id
    projects.lock(call.tx, project_id)  # as everyone does who brings a change: see record_overlaps
    github.lock_webhook(call.tx, project_id)
    project = projects.by_id(call.tx, project_id)
    if project is None or project.repository_url != plan.project.repository_url:
        raise RuleBroken(
            "The project's repository was changed meanwhile, so what GitHub answered was left out. Try again.",
            code="repository_changed",
        )
    github_fetches.save_token_checked(call.tx, project_id, plan.token_set_at, None)
    save_pull_request(as_github, _pull_request(project_id, fetched, call.now))
    head = plan.submission.head_sha or fetched.pull.head.sha
    known = {check.name: check for check in checks.of_commit(call.tx, project_id, head)}
    for fields in fetched.checks[:CHECKS_PER_SHA]:
        check = _check(project_id, fields, call.now)
        if known.get(check.name) != check:
            save_check(as_github, check)
    if fetched.stored is not None:
        _save_change_unless_pushed(as_github, plan, fetched.stored)


def _pull_request(project_id: str, fetched: Fetched, now: int) -> PullRequest:
    fields = pull_request_fields(fetched.pull)
    comparison = fetched.comparison
    return PullRequest(
        project_id=project_id,
        **{
            **fields,
            "is_draft": None if fields["is_draft"] is None else int(fields["is_draft"]),
            "updated_at": now if fields["updated_at"] is None else fields["updated_at"],
        },
        ahead=comparison.ahead_by if comparison else None,
        behind=comparison.behind_by if comparison else None,
        heard_at=now,
    )


def _check(project_id: str, fields: dict[str, Any], now: int) -> CiCheck:
    return CiCheck(
        project_id=project_id,
        sha=fields["sha"],
        name=fields["name"],
        state=state_from_conclusion(fields["conclusion"]),
        url=fields["url"],
        updated_at=now if fields["at"] is None else fields["at"],
        conclusion=fields["conclusion"],
    )


def _save_change_unless_pushed(call: Call, plan: FetchPlan, stored: StoredChange) -> None:
    """Whoever wrote it knows more of it: a change that was pushed meanwhile stays."""
    actions.lock(call.tx, plan.action_id)
    facts = actions.facts(call.tx, plan.action_id)
    newest = reviews.newest_submission(call.tx, plan.action_id)
    is_current = newest is not None and newest.id == plan.submission.id
    if facts is not None and is_current and changes.of_submission(call.tx, plan.submission.id) is None:
        save_change(call, facts, None, stored, ChangeSource.GITHUB)
        record_overlaps(call, facts)
