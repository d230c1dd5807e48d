"""record_push: commits that arrived at GitHub, and what a force-push took away."""

from typing import Annotated

import msgspec
from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.action import action_event, ref_code
from pendesk.domain.criterion import Evidence
from pendesk.domain.event import Event
from pendesk.domain.event_data import BranchForcePushedData, CommitPushedData
from pendesk.domain.evidence import stale_reason_for_removed_commit, stale_reason_for_unconfirmed_commit
from pendesk.domain.github import action_numbers_in_commit_and_branch, shas_removed_by_force_push
from pendesk.domain.limits import (
    BRANCH_CHARS,
    BRANCH_LINE_COMMITS,
    COMMIT_PATHS,
    EVENT_LIST_ITEMS,
    EVENT_TEXT_CHARS,
    LIST_ITEMS,
    MESSAGE_CHARS,
    PATH_CHARS,
    PUSH_COMMITS,
)
from pendesk.domain.project import Project
from pendesk.domain.report import Commit
from pendesk.ids import new_id
from pendesk.operations.building.ci_evidence import (
    add_ci_evidence_if_checks_passed,
    mark_evidence_stale,
    reported_head_shas,
)
from pendesk.operations.github.delivery import (
    DeliveryInput,
    Received,
    Sha,
    begin_delivery_unless_repeated,
    repeated_delivery_result,
)
from pendesk.operations.operation import Call, Kind, Operation
from pendesk.store import actions, criteria, overlaps, reports

CommitPath = Annotated[str, Meta(min_length=1, max_length=PATH_CHARS)]


class PushedCommit(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """`distinct`: it is on no other branch yet. `paths`: the first of the files that it touches."""

    sha: Sha
    message: Annotated[str, Meta(max_length=MESSAGE_CHARS)]
    files_changed: Annotated[int, Meta(ge=0, le=1_000_000)] | None = None
    distinct: bool = True
    paths: Annotated[list[CommitPath], Meta(max_length=COMMIT_PATHS)] = []


class RecordPush(DeliveryInput):
    """The oldest commit first, as GitHub lists them."""

    branch: Annotated[str, Meta(min_length=1, max_length=BRANCH_CHARS)]
    before: Sha
    forced: bool
    commits: Annotated[list[PushedCommit], Meta(max_length=PUSH_COMMITS)]


def run(call: Call, args: RecordPush) -> Received:
    opened = begin_delivery_unless_repeated(call, args)
    if opened is None:
        return repeated_delivery_result()
    project = opened.project
    named = _commit_shas_by_mentioned_action_id(call, project, args)
    gone = _evidence_made_stale_with_reasons(call, project, args)
    for action_id in sorted({*named, *(piece.action_id for piece, _ in gone)}):
        actions.lock(call.tx, action_id)
    gone = _evidence_made_stale_with_reasons(call, project, args)  # again: until now someone may have shown more
    ids = _save_commits_returning_id_by_sha(call, project, args)
    for action_id, shas in sorted(named.items()):
        _link_commits_to_action(call, args, action_id, {sha: ids[sha] for sha in shas})
    if args.forced:
        _mark_stale_and_record_force_push(call, project, args, gone)
    return opened.record_outcome(f"{len(ids)} commits on {args.branch}, for {len(named)} actions.")


def _commit_shas_by_mentioned_action_id(call: Call, project: Project, args: RecordPush) -> dict[str, list[str]]:
    """Action id -> the SHAs that name it, by their message, or by the branch that they are new on."""
    shas_by_number: dict[int, list[str]] = {}
    for commit in args.commits:
        in_message, in_branch = action_numbers_in_commit_and_branch(project.key, commit.message, args.branch)
        for number in in_message | (in_branch if commit.distinct else set()):
            shas_by_number.setdefault(number, []).append(commit.sha)
    shas_by_action: dict[str, list[str]] = {}
    for number in sorted(shas_by_number)[:LIST_ITEMS]:
        action_id = actions.resolve_id(call.tx, ref_code(project.key, number))
        if action_id is not None:
            shas_by_action[action_id] = shas_by_number[number]
    return shas_by_action


def _save_commits_returning_id_by_sha(call: Call, project: Project, args: RecordPush) -> dict[str, str]:
    """SHA -> commit id: one record per SHA, whoever brought it first; what the agent's report lacked is filled in."""
    known = reports.commits_by_sha(call.tx, project.id, [commit.sha for commit in args.commits])
    ids = {sha: commit.id for sha, commit in known.items()}
    for commit in args.commits:
        if commit.sha in known:
            reports.fill_missing_fields(call.tx, known[commit.sha], args.branch, commit.files_changed)
        elif commit.sha not in ids:
            ids[commit.sha] = _add_commit_returning_id(call, project, args.branch, commit)
    overlaps.add_commit_paths(call.tx, {ids[commit.sha]: commit.paths for commit in args.commits})
    return ids


def _add_commit_returning_id(call: Call, project: Project, branch: str, pushed: PushedCommit) -> str:
    commit = Commit(
        id=new_id(),
        project_id=project.id,
        sha=pushed.sha,
        message=pushed.message,
        files_changed=pushed.files_changed,
        branch=branch,
        source="webhook",
        reported_by=None,
        reported_at=call.now,
    )
    reports.add_commit(call.tx, commit)
    return commit.id


def _link_commits_to_action(call: Call, args: RecordPush, action_id: str, commit_id_by_sha: dict[str, str]) -> None:
    linked = set(reports.link_unlinked_mentioning_commits(call.tx, action_id, list(commit_id_by_sha.values())))
    facts = actions.facts(call.tx, action_id)
    assert facts is not None
    new = [sha for sha, commit_id in commit_id_by_sha.items() if commit_id in linked]
    if new:
        messages = {commit.sha: commit.message for commit in args.commits}
        data = CommitPushedData(
            by=call.actor.user_name,
            branch=args.branch,
            shas=new[-EVENT_LIST_ITEMS:],
            commits=len(new),
            message=messages[new[-1]][:EVENT_TEXT_CHARS],
        )
        call.record(action_event(facts.action, "commit.pushed", data, commit_id_by_sha[new[-1]]))
    for sha in sorted(reported_head_shas(call, action_id) & set(commit_id_by_sha)):
        add_ci_evidence_if_checks_passed(call, facts, sha)


def _evidence_made_stale_with_reasons(call: Call, project: Project, args: RecordPush) -> list[tuple[Evidence, str]]:
    """The fresh evidence that a force-push makes stale, each with the reason.

    What certainly vanished counts everywhere. GitHub does not tell how far back the branch was rewritten; so for
    actions under way, all that was shown on this branch and did not come with the push has to be shown again.
    """
    if not args.forced:
        return []
    pushed = {commit.sha: commit.message for commit in args.commits}
    line = reports.newest_shas_and_messages_of_branch(call.tx, project.id, args.branch, BRANCH_LINE_COMMITS)
    vanished = shas_removed_by_force_push(line, args.before, pushed)
    certain = criteria.non_stale_evidence_on_shas(call.tx, project.id, sorted(vanished))
    stale = [(piece, stale_reason_for_removed_commit(args.branch, piece.sha or "")) for piece in certain]
    doubtful = criteria.non_stale_evidence_on_branch(call.tx, project.id, args.branch)
    return stale + [
        (piece, stale_reason_for_unconfirmed_commit(args.branch, piece.sha))
        for piece in doubtful
        if piece.sha is not None and piece.sha not in vanished and piece.sha not in pushed
    ]


def _mark_stale_and_record_force_push(
    call: Call, project: Project, args: RecordPush, evidence_and_stale_reasons: list[tuple[Evidence, str]]
) -> None:
    by_reason: dict[str, list[Evidence]] = {}
    for piece, reason in evidence_and_stale_reasons:
        by_reason.setdefault(reason, []).append(piece)
    for reason, pieces in by_reason.items():
        mark_evidence_stale(call, pieces, reason)
    data = BranchForcePushedData(
        by=call.actor.user_name,
        branch=args.branch,
        before=args.before,
        after=args.commits[-1].sha if args.commits else None,
        staled=len(evidence_and_stale_reasons),
    )
    call.record(Event("branch.force_pushed", project.id, project.id, data=data))


OPERATION = Operation(
    name="record_push",
    title="Record a push",
    description=(
        "Commits that were pushed to the project's repository, linked to the actions that they name; a force-push "
        "makes evidence stale. Only a signed webhook does this."
    ),
    input=RecordPush,
    output=Received,
    scope=Scope.WEBHOOK,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
