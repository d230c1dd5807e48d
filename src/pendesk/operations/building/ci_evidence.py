"""What CI says about an action's reported head becomes evidence, whichever comes first: the report or the run."""

from itertools import groupby

from pendesk.domain.checks import Check, rollup
from pendesk.domain.criterion import Evidence
from pendesk.domain.evidence import ci_text, covered_by_ci, failed_check_reason
from pendesk.domain.limits import EVENT_LIST_ITEMS
from pendesk.operations.building.claim_guard import about
from pendesk.operations.building.evidence import give_evidence, told_criteria
from pendesk.operations.operation import Call
from pendesk.store import actions, checks, criteria, reports, reviews
from pendesk.store.actions import ActionFacts


def give_ci_evidence(call: Call, facts: ActionFacts, sha: str | None) -> None:
    """Every implemented criterion gets it where all checks of the head are green. The action is locked."""
    if sha is None:
        return
    action = facts.action
    said = checks.of_sha(call.tx, action.project_id, sha)
    if rollup(said) != "passed":
        return
    told = told_criteria(call, facts)
    as_told = [one.criterion for one in told.values() if one.revision == one.criterion.revision]
    covered = covered_by_ci(as_told, criteria.fresh_ci_evidence(call.tx, action.id, sha), sha)
    for criterion in covered:
        give_evidence(call, told[criterion.id], "ci", sha, ci_text(said), sha)
    if covered:
        data: dict[str, object] = {"level": "ci", "sha": sha, "criterionIds": [one.id for one in covered]}
        call.record(about(facts, "evidence.added", data))


def reported_heads(call: Call, action_id: str) -> set[str]:
    """What the agent says its work is: the newest reported commit, and the one that was handed in."""
    submission = reviews.newest_submission(call.tx, action_id)
    found = (reports.head_sha(call.tx, action_id), submission.head_sha if submission else None)
    return {sha for sha in found if sha is not None}


def take_ci_evidence_back(call: Call, facts: ActionFacts, failed: Check) -> None:
    """A red check after a green one: the evidence stays, and says why it no longer counts."""
    pieces = criteria.fresh_ci_evidence(call.tx, facts.action.id, failed.sha)
    mark_stale(call, pieces, failed_check_reason(failed))


def mark_stale(call: Call, pieces: list[Evidence], reason: str) -> None:
    """`pieces` are in the order of their actions, which are locked; each action's log tells."""
    criteria.stale(call.tx, pieces, reason)
    for action_id, of_action in groupby(pieces, key=lambda piece: piece.action_id):
        facts = actions.facts(call.tx, action_id)
        assert facts is not None
        found = list(of_action)
        told: dict[str, object] = {
            "reason": reason,
            "criterionIds": list(dict.fromkeys(piece.criterion_id for piece in found)),
            "shas": list(dict.fromkeys(piece.sha for piece in found))[:EVENT_LIST_ITEMS],
        }
        call.record(about(facts, "evidence.staled", told))
