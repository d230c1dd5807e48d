"""The states of a project's actions as the tables hold them: what folding the log must give."""

from collections.abc import Callable, Iterator
from functools import partial

from pendesk.domain.action import ActionState
from pendesk.domain.claim import ClaimState
from pendesk.domain.clarification import QuestionState
from pendesk.domain.criterion import LEVEL_RANK, CriterionStatus, EvidenceLevel
from pendesk.domain.fold import FoldedAction, FoldedActions, FoldedClaim, FoldedCriterion, FoldedSubmission
from pendesk.domain.review import Verdict
from pendesk.store.engine.json_text import to_json
from pendesk.store.engine.tx import Row, Tx

_ACTIONS = """
SELECT a.id, a.project_id, a.spec_id, a.plan_id, a.state, a.fence, a.claim_id, a.drop_accepted_at FROM actions a
WHERE a.workspace_id = :workspace AND {chosen}
"""

_CLAIMS = """
SELECT c.action_id, c.id, c.user_id, c.fence, c.state FROM actions a CROSS JOIN claims c
WHERE a.workspace_id = :workspace AND {chosen} AND c.workspace_id = a.workspace_id AND c.action_id = a.id
"""

_CRITERIA = """
SELECT c.action_id, c.id, c.status, c.removed_at FROM actions a CROSS JOIN criteria c
WHERE a.workspace_id = :workspace AND {chosen} AND c.workspace_id = a.workspace_id AND c.action_id = a.id
"""

_EVIDENCE = """
SELECT e.action_id, e.criterion_id, e.level, max(CASE WHEN e.stale_reason IS NULL THEN 1 ELSE 0 END)
FROM actions a CROSS JOIN evidence e
WHERE a.workspace_id = :workspace AND {chosen} AND e.workspace_id = a.workspace_id AND e.action_id = a.id
GROUP BY e.action_id, e.criterion_id, e.level
"""

_SUBMISSIONS = """
SELECT s.action_id, s.id, s.number, r.verdict FROM actions a CROSS JOIN submissions s
LEFT JOIN reviews r ON r.workspace_id = s.workspace_id AND r.submission_id = s.id
WHERE a.workspace_id = :workspace AND {chosen} AND s.workspace_id = a.workspace_id AND s.action_id = a.id
"""

_QUESTIONS = """
SELECT q.action_id, q.id, CASE WHEN q.answer IS NULL THEN 'open' ELSE 'answered' END
FROM actions a CROSS JOIN clarifications q
WHERE a.workspace_id = :workspace AND {chosen} AND q.workspace_id = a.workspace_id AND q.action_id = a.id
"""

_ALL = {
    "actions": _ACTIONS,
    "claims": _CLAIMS,
    "submissions": _SUBMISSIONS,
    "questions": _QUESTIONS,
    "evidence": _EVIDENCE,
    "criteria": _CRITERIA,
}
OF_PROJECT = {name: sql.format(chosen="a.project_id = :project_id") for name, sql in _ALL.items()}
OF_ACTIONS = {name: sql.format(chosen="a.id IN (EACH :ids)") for name, sql in _ALL.items()}
IDS_OF_PROJECT = "SELECT id FROM actions WHERE workspace_id = :workspace AND project_id = :project_id"
ACTIONS_AT_ONCE = 1_000


def project_action_states_from_tables(tx: Tx, project_id: str) -> FoldedActions:
    return _states(lambda name: tx.all(OF_PROJECT[name], project_id=project_id))


def iter_project_action_states(tx: Tx, project_id: str) -> Iterator[FoldedActions]:
    """The same in the order of their ids, some at a time: all at once would keep the collector of garbage busy."""
    ids = sorted(row[0] for row in tx.all(IDS_OF_PROJECT, project_id=project_id))
    for start in range(0, max(1, len(ids)), ACTIONS_AT_ONCE):
        chosen = to_json(ids[start : start + ACTIONS_AT_ONCE])
        yield _states(partial(_rows_of_actions, tx, chosen))


def _rows_of_actions(tx: Tx, ids_json: str, name: str) -> list[Row]:
    return tx.all(OF_ACTIONS[name], ids=ids_json)


def _states(rows: Callable[[str], list[Row]]) -> FoldedActions:
    actions: FoldedActions = {}
    for action_id, project_id, spec_id, plan_id, state, fence, claim_id, drop_accepted_at in rows("actions"):
        actions[action_id] = FoldedAction(
            project_id=project_id,
            spec_id=spec_id,
            plan_id=plan_id,
            state=ActionState(state),
            fence=fence,
            claim_id=claim_id,
            drop_accepted=drop_accepted_at is not None,
        )
    for action_id, claim_id, user_id, fence, state in rows("claims"):
        actions[action_id].claims[claim_id] = FoldedClaim(user_id, fence, ClaimState(state))
    for action_id, submission_id, number, verdict in rows("submissions"):
        review_verdict = Verdict(verdict) if verdict else None
        actions[action_id].submissions[submission_id] = FoldedSubmission(number, review_verdict)
    for action_id, question_id, state in rows("questions"):
        actions[action_id].questions[question_id] = QuestionState(state)
    _add_criteria(rows, actions)
    return actions


def _add_criteria(rows: Callable[[str], list[Row]], actions: FoldedActions) -> None:
    levels: dict[str, list[tuple[EvidenceLevel, bool]]] = {}
    for _, criterion_id, level, is_fresh in rows("evidence"):
        levels.setdefault(criterion_id, []).append((EvidenceLevel(level), bool(is_fresh)))
    for action_id, criterion_id, status, removed_at in rows("criteria"):
        known = levels.get(criterion_id, [])
        actions[action_id].criteria[criterion_id] = FoldedCriterion(
            CriterionStatus(status),
            fresh=_highest_evidence_level([level for level, is_fresh in known if is_fresh]),
            best=_highest_evidence_level([level for level, _ in known]),
            removed=removed_at is not None,
        )


def _highest_evidence_level(levels: list[EvidenceLevel]) -> EvidenceLevel | None:
    return max(levels, key=LEVEL_RANK.__getitem__, default=None)
