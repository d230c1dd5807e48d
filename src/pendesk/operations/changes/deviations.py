"""Deviations of a submission: recorded when it is submitted, and again when its change is pushed afterwards."""

import msgspec

from pendesk.domain.action import action_event
from pendesk.domain.change import Change, ChangeCommit, ChangeFile
from pendesk.domain.claim import ActionFacts
from pendesk.domain.dependencies import AddedDependency, added_dependencies, lists_dependencies
from pendesk.domain.deviation import (
    Deviation,
    DeviationState,
    ServedCommit,
    SubmittedScope,
    departures,
    describe_deviations,
    require_deviations,
    to_deviations,
)
from pendesk.domain.event_data import DeviationsData
from pendesk.domain.limits import (
    ACCEPTED_DEVIATIONS,
    CHANGE_COMMITS,
    DEVIATION_RULE_CHARS,
    DEVIATION_SUBJECTS_TOLD,
)
from pendesk.domain.review import Submission
from pendesk.domain.scope_rules import FIELDS, RuleKind, ScopeRule, read_rules
from pendesk.ids import new_id
from pendesk.operations.building.brief_texts import published_or_current_brief_texts
from pendesk.operations.changes.patches import read_patch
from pendesk.operations.operation import Call, Output
from pendesk.store import changes, deviations, reports

ADVISORY = (
    "This departs from what was agreed; the reviewer sees it first. Fix what deviations names and "
    "resubmit_for_review, or say in the summary why it has to be."
)
_decode_commits = msgspec.json.Decoder(list[ChangeCommit]).decode


class DeviationResult(Output):
    """rule: the boundary or condition. subjects: the first of count."""

    kind: str
    subjects: list[str]
    count: int
    rule: str | None = None


def record_deviations(call: Call, facts: ActionFacts, submission: Submission, change: Change | None) -> list[Deviation]:
    """The action is locked, so that a push and a submission at once leave one set. What a person decided stays where
    the subjects are the same. An event is recorded where anything changed.
    """
    change = change or _change_of_same_head(call, submission)
    present = deviations.of_submission(call.tx, submission.id)
    accepted = deviations.accepted_of_action(call.tx, facts.action.id, ACCEPTED_DEVIATIONS)
    scope = _submitted_scope(call, facts, submission, change)
    recorded = to_deviations(facts.action.id, submission.id, departures(scope), present, accepted, new_id)
    if recorded != present:
        deviations.replace(call.tx, submission.id, recorded)
        data = DeviationsData(number=submission.number, what=describe_deviations(recorded))
        call.record(action_event(facts.action, "deviations.recorded", data, submission.id))
    return recorded


def _change_of_same_head(call: Call, submission: Submission) -> Change | None:
    """The same code submitted again is checked by the change that an earlier submission keeps."""
    newest = changes.newest_of(call.tx, submission.action_id)
    return newest if newest is not None and newest.head_sha == submission.head_sha else None


def _submitted_scope(call: Call, facts: ActionFacts, submission: Submission, change: Change | None) -> SubmittedScope:
    """The paths, rules and criteria are those of the published build, as the brief shows them."""
    texts = published_or_current_brief_texts(call, facts)
    rules = read_rules([text for field in FIELDS for text in texts.spec.get(field, [])])
    scope = SubmittedScope(
        paths=texts.action["paths"],
        rules=rules,
        commands=deviations.commands_of(call.tx, submission.id),
        commits=_commits(call, facts, change) if texts.action["criteria"] else None,
    )
    if change is None:
        return scope
    files = changes.files_of(call.tx, change.id)
    if scope.paths or rules:
        call.require_worker_thread()
    added, unread = _dependencies(call, change, files, rules)
    return scope._replace(files=files, dependencies=added, unread=unread)


def _commits(call: Call, facts: ActionFacts, change: Change | None) -> list[ServedCommit]:
    """Those of the change, the oldest first; and those that were reported and are not in it."""
    linked = reports.linked_commits(call.tx, facts.action.id, CHANGE_COMMITS)
    criteria_by_sha = {entry.commit.sha: entry.criteria for entry in linked}
    in_change = [commit.sha for commit in _decode_commits(change.commits)] if change else []
    reported = [entry.commit.sha for entry in reversed(linked)]
    return [ServedCommit(sha, criteria_by_sha.get(sha, ())) for sha in dict.fromkeys([*in_change, *reported])]


def _dependencies(
    call: Call, change: Change, files: list[ChangeFile], rules: list[ScopeRule]
) -> tuple[list[AddedDependency], list[str]]:
    """Those that are added; and the files that list dependencies and came without their lines."""
    if not any(rule.kind == RuleKind.NO_DEPENDENCIES for rule in rules):
        return [], []
    added: list[AddedDependency] = []
    unread: list[str] = []
    for file in files:
        if not lists_dependencies(file.path):
            continue
        if file.length:
            added += added_dependencies(file.path, read_patch(call, change, file).hunks)
        elif file.omitted is not None:
            unread.append(file.path)
    return added, unread


def deviation_results(recorded: list[Deviation]) -> list[DeviationResult]:
    """For the agent: what nobody has accepted yet."""
    return [
        DeviationResult(
            kind=entry.kind,
            subjects=entry.subject_list[:DEVIATION_SUBJECTS_TOLD],
            count=entry.total,
            rule=entry.rule[:DEVIATION_RULE_CHARS] if entry.rule else None,
        )
        for entry in recorded
        if entry.state != DeviationState.ACCEPTED
    ]


def apply_deviation_requests(call: Call, submission: Submission, deviation_ids: list[str]) -> None:
    """What a reviewer makes a request of is decided by that."""
    if deviation_ids:
        chosen = require_deviations(deviations.of_submission(call.tx, submission.id), deviation_ids)
        deviations.decide(call.tx, [entry.id for entry in chosen], DeviationState.REQUESTED, call.actor.user_id)
