"""What CI says about an action's reported head becomes evidence, whichever comes first: the report or the run."""

from itertools import groupby

from pendesk.domain.checks import CiCheck, Rollup, roll_up_checks
from pendesk.domain.claim import ActionFacts
from pendesk.domain.criterion import Evidence, EvidenceLevel
from pendesk.domain.evidence import (
    ci_evidence_added_event,
    ci_evidence_text,
    criteria_needing_ci_evidence,
    stale_evidence_event,
    stale_reason_for_failed_check,
)
from pendesk.operations.building.evidence import add_evidence, published_criteria_by_id
from pendesk.operations.operation import Call
from pendesk.store import actions, checks, criteria, reports, reviews


def add_ci_evidence_if_checks_passed(call: Call, facts: ActionFacts, sha: str | None) -> None:
    """Every implemented criterion gets it where all checks of the head are green. The action is locked."""
    if sha is None:
        return
    action = facts.action
    head_checks = checks.of_commit(call.tx, action.project_id, sha)
    if roll_up_checks(head_checks) != Rollup.PASSED:
        return
    published = published_criteria_by_id(call, facts)
    as_published = [entry.criterion for entry in published.values() if not entry.is_reworded_since_publish]
    covered = criteria_needing_ci_evidence(as_published, criteria.non_stale_ci_evidence(call.tx, action.id, sha), sha)
    text = ci_evidence_text(head_checks)
    evidence = [(published[criterion.id], text, sha) for criterion in covered]
    added = add_evidence(call, EvidenceLevel.CI, sha, evidence)
    if added.pieces:
        call.record(ci_evidence_added_event(action, added.pieces, sha))


def reported_head_shas(call: Call, action_id: str) -> set[str]:
    """What the agent says its work is: the newest reported commit, and the submitted one."""
    submission = reviews.newest_submission(call.tx, action_id)
    heads = (reports.newest_commit_sha_of_action(call.tx, action_id), submission.head_sha if submission else None)
    return {sha for sha in heads if sha is not None}


def mark_ci_evidence_stale(call: Call, facts: ActionFacts, failed_check: CiCheck) -> None:
    """A red check after a green one: the evidence stays, and says why it no longer counts."""
    pieces = criteria.non_stale_ci_evidence(call.tx, facts.action.id, failed_check.sha)
    mark_evidence_stale(call, pieces, stale_reason_for_failed_check(failed_check))


def mark_evidence_stale(call: Call, pieces: list[Evidence], reason: str) -> None:
    """`pieces` are in the order of their actions, which are locked; the log of each action gets an event."""
    criteria.mark_evidence_stale(call.tx, pieces, reason)
    for action_id, of_action in groupby(pieces, key=lambda piece: piece.action_id):
        facts = actions.facts(call.tx, action_id)
        assert facts is not None
        remaining = [
            piece
            for newest in criteria.newest_of_each_level_by_criterion(call.tx, action_id).values()
            for piece in newest
        ]
        call.record(stale_evidence_event(facts.action, list(of_action), remaining, reason))
