"""The states of a project's actions as the tables hold them: what folding the log must give."""

from pendesk.domain.action import ActionState
from pendesk.domain.claim import ClaimState
from pendesk.domain.clarification import QuestionState
from pendesk.domain.criterion import LEVEL_RANK, CriterionStatus, EvidenceLevel
from pendesk.domain.fold import FoldedAction, FoldedActions, FoldedClaim, FoldedCriterion, FoldedSubmission
from pendesk.domain.review import Verdict
from pendesk.store.engine.tx import Tx

ACTIONS = """
SELECT id, spec_id, plan_id, state, fence, claim_id, drop_accepted_at FROM actions
WHERE workspace_id = :workspace AND project_id = :project_id
"""

_OF_PROJECT = "WHERE a.workspace_id = :workspace AND a.project_id = :project_id"

CLAIMS = f"""
SELECT c.action_id, c.id, c.user_id, c.fence, c.state FROM actions a CROSS JOIN claims c
{_OF_PROJECT} AND c.workspace_id = a.workspace_id AND c.action_id = a.id
"""

CRITERIA = f"""
SELECT c.action_id, c.id, c.status, c.removed_at FROM actions a CROSS JOIN criteria c
{_OF_PROJECT} AND c.workspace_id = a.workspace_id AND c.action_id = a.id
"""

EVIDENCE = f"""
SELECT e.action_id, e.criterion_id, e.level, max(CASE WHEN e.stale_reason IS NULL THEN 1 ELSE 0 END)
FROM actions a CROSS JOIN evidence e
{_OF_PROJECT} AND e.workspace_id = a.workspace_id AND e.action_id = a.id
GROUP BY e.action_id, e.criterion_id, e.level
"""

SUBMISSIONS = f"""
SELECT s.action_id, s.id, s.number, r.verdict FROM actions a CROSS JOIN submissions s
LEFT JOIN reviews r ON r.workspace_id = s.workspace_id AND r.submission_id = s.id
{_OF_PROJECT} AND s.workspace_id = a.workspace_id AND s.action_id = a.id
"""

QUESTIONS = f"""
SELECT q.action_id, q.id, CASE WHEN q.answer IS NULL THEN 'open' ELSE 'answered' END
FROM actions a CROSS JOIN clarifications q
{_OF_PROJECT} AND q.workspace_id = a.workspace_id AND q.action_id = a.id
"""


def project_action_states_from_tables(tx: Tx, project_id: str) -> FoldedActions:
    actions: FoldedActions = {}
    for action_id, spec_id, plan_id, state, fence, claim_id, drop_accepted_at in tx.all(ACTIONS, project_id=project_id):
        actions[action_id] = FoldedAction(
            project_id=project_id,
            spec_id=spec_id,
            plan_id=plan_id,
            state=ActionState(state),
            fence=fence,
            claim_id=claim_id,
            drop_accepted=drop_accepted_at is not None,
        )
    for action_id, claim_id, user_id, fence, state in tx.all(CLAIMS, project_id=project_id):
        actions[action_id].claims[claim_id] = FoldedClaim(user_id, fence, ClaimState(state))
    for action_id, submission_id, number, verdict in tx.all(SUBMISSIONS, project_id=project_id):
        review_verdict = Verdict(verdict) if verdict else None
        actions[action_id].submissions[submission_id] = FoldedSubmission(number, review_verdict)
    for action_id, question_id, state in tx.all(QUESTIONS, project_id=project_id):
        actions[action_id].questions[question_id] = QuestionState(state)
    _load_criteria_into(tx, project_id, actions)
    return actions


def _load_criteria_into(tx: Tx, project_id: str, actions: FoldedActions) -> None:
    levels: dict[str, list[tuple[EvidenceLevel, bool]]] = {}
    for _, criterion_id, level, is_fresh in tx.all(EVIDENCE, project_id=project_id):
        levels.setdefault(criterion_id, []).append((EvidenceLevel(level), bool(is_fresh)))
    for action_id, criterion_id, status, removed_at in tx.all(CRITERIA, project_id=project_id):
        known = levels.get(criterion_id, [])
        actions[action_id].criteria[criterion_id] = FoldedCriterion(
            CriterionStatus(status),
            fresh=_highest_evidence_level([level for level, is_fresh in known if is_fresh]),
            best=_highest_evidence_level([level for level, _ in known]),
            removed=removed_at is not None,
        )


def _highest_evidence_level(levels: list[EvidenceLevel]) -> EvidenceLevel | None:
    return max(levels, key=LEVEL_RANK.__getitem__, default=None)
