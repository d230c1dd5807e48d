"""Actions and criteria as people plan them."""

from collections.abc import Mapping

from pendesk.clock import to_iso
from pendesk.domain.action import Action, ref_code
from pendesk.domain.assignee import Assignee
from pendesk.domain.criterion import Criterion
from pendesk.domain.priority import priority_level
from pendesk.operations.actions.action_fields import AssigneeResult, assignee_results, labels_of
from pendesk.operations.attachments.evidence_files import EvidenceFile
from pendesk.operations.operation import Call, Output
from pendesk.store.engine.json_text import from_json


class EvidencePiece(Output):
    """The best there is for a criterion; stale says why it no longer counts as fresh."""

    level: str
    text: str
    sha: str | None
    given_at: str
    stale: str | None = None


class CriterionResult(Output):
    """Only where an operation shows them: evidence; evidence_state, how it stands for a person; files, what was
    attached as evidence; accepts_evidence, whether it is part of the published build, so that more can be attached.
    """

    id: str
    text: str
    status: str
    revision: int
    evidence_state: str | None = None
    evidence: EvidencePiece | None = None
    files: list[EvidenceFile] = []
    accepts_evidence: bool = False


class PlannedAction(Output):
    """advisory: what a person should know who moved it all the same."""

    pid: str
    ref_code: str
    project_id: str
    spec_id: str | None
    plan_id: str | None
    label: str
    description: str
    area: str
    paths: list[str]
    state: str
    state_reason: str | None
    priority: int
    position: int
    x: float | None
    y: float | None
    revision: int
    criteria: list[CriterionResult]
    created_at: str
    updated_at: str
    priority_name: str = "none"
    assignee: AssigneeResult | None = None
    due: str | None = None
    labels: list[str] = []
    advisory: str | None = None


def criterion_result(criterion: Criterion) -> CriterionResult:
    return CriterionResult(id=criterion.id, text=criterion.text, status=criterion.status, revision=criterion.revision)


def to_planned_action(
    call: Call,
    action: Action,
    project_key: str,
    criteria: list[Criterion],
    assignees: Mapping[Assignee, AssigneeResult] | None = None,
) -> PlannedAction:
    """`assignees`: their names, where many actions are shown and one query gives them all."""
    if assignees is None:
        assignees = assignee_results(call, [action.assignee], with_pid=True)
    return PlannedAction(
        pid=action.id,
        ref_code=ref_code(project_key, action.ref_number),
        project_id=action.project_id,
        spec_id=action.spec_id,
        plan_id=action.plan_id,
        label=action.label,
        description=action.description,
        area=action.area,
        paths=from_json(action.paths),
        state=action.state,
        state_reason=action.state_reason,
        priority=action.priority,
        position=action.position,
        x=action.x,
        y=action.y,
        revision=action.revision,
        criteria=[criterion_result(criterion) for criterion in criteria],
        created_at=to_iso(action.created_at),
        updated_at=to_iso(action.updated_at),
        priority_name=priority_level(action.priority),
        assignee=assignees.get(action.assignee),
        due=action.due_on,
        labels=labels_of(action.labels),
    )
