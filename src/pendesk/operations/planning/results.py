"""What the planning operations answer with."""

from pendesk.clock import to_iso
from pendesk.domain.action import Action, ref_code
from pendesk.domain.criterion import Criterion
from pendesk.domain.document import Document, Note
from pendesk.domain.project import Goal, Plan, Project, Spec
from pendesk.operations.fitting import Fitted
from pendesk.operations.operation import Output
from pendesk.store.json_text import from_json


class ProjectResult(Fitted):
    pid: str
    key: str
    name: str
    description: str
    state: str
    repository_url: str | None
    revision: int
    created_at: str
    updated_at: str


class GoalResult(Output):
    pid: str
    project_id: str
    title: str
    description: str
    position: int
    revision: int


class SpecResult(Output):
    pid: str
    project_id: str
    goal_id: str | None
    title: str
    summary: str
    results: list[str]
    conditions: list[str]
    boundaries: list[str]
    active_plan_id: str | None
    build: str | None
    revision: int
    created_at: str
    updated_at: str


class PlanResult(Output):
    pid: str
    spec_id: str
    title: str
    approach: str
    active: bool
    revision: int
    created_at: str
    updated_at: str


class EvidencePiece(Output):
    """The best there is for a criterion; stale says why it no longer counts as fresh."""

    level: str
    text: str
    sha: str | None
    given_at: str
    stale: str | None = None


class CriterionResult(Output):
    """evidence: only where an operation shows it."""

    id: str
    text: str
    status: str
    revision: int
    evidence: EvidencePiece | None = None


class PlannedAction(Output):
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


def project_result(project: Project) -> ProjectResult:
    return ProjectResult(
        pid=project.id,
        key=project.key,
        name=project.name,
        description=project.description,
        state=project.state,
        repository_url=project.repository_url,
        revision=project.revision,
        created_at=to_iso(project.created_at),
        updated_at=to_iso(project.updated_at),
    )


def goal_result(goal: Goal) -> GoalResult:
    return GoalResult(
        pid=goal.id,
        project_id=goal.project_id,
        title=goal.title,
        description=goal.description,
        position=goal.position,
        revision=goal.revision,
    )


def build_name(number: int) -> str | None:
    return f"B{number}" if number else None


def spec_result(spec: Spec) -> SpecResult:
    return SpecResult(
        pid=spec.id,
        project_id=spec.project_id,
        goal_id=spec.goal_id,
        title=spec.title,
        summary=spec.summary,
        results=from_json(spec.results),
        conditions=from_json(spec.conditions),
        boundaries=from_json(spec.boundaries),
        active_plan_id=spec.active_plan_id,
        build=build_name(spec.build_number),
        revision=spec.revision,
        created_at=to_iso(spec.created_at),
        updated_at=to_iso(spec.updated_at),
    )


def plan_result(plan: Plan, spec: Spec) -> PlanResult:
    return PlanResult(
        pid=plan.id,
        spec_id=plan.spec_id,
        title=plan.title,
        approach=plan.approach,
        active=spec.active_plan_id == plan.id,
        revision=plan.revision,
        created_at=to_iso(plan.created_at),
        updated_at=to_iso(plan.updated_at),
    )


def criterion_result(criterion: Criterion) -> CriterionResult:
    return CriterionResult(id=criterion.id, text=criterion.text, status=criterion.status, revision=criterion.revision)


def planned_action(action: Action, project_key: str, criteria: list[Criterion]) -> PlannedAction:
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
        criteria=[criterion_result(one) for one in criteria],
        created_at=to_iso(action.created_at),
        updated_at=to_iso(action.updated_at),
    )


class DocumentResult(Fitted):
    pid: str
    project_id: str
    parent_id: str | None
    linked_task_id: str | None
    title: str
    body: str
    status_line: str
    revision: int
    created_at: str
    updated_at: str


class NoteResult(Fitted):
    pid: str
    project_id: str
    title: str
    body: str
    revision: int
    created_at: str
    updated_at: str


def document_result(document: Document) -> DocumentResult:
    return DocumentResult(
        pid=document.id,
        project_id=document.project_id,
        parent_id=document.parent_id,
        linked_task_id=document.linked_action_id,
        title=document.title,
        body=document.body,
        status_line=document.status_line,
        revision=document.revision,
        created_at=to_iso(document.created_at),
        updated_at=to_iso(document.updated_at),
    )


def note_result(note: Note) -> NoteResult:
    return NoteResult(
        pid=note.id,
        project_id=note.project_id,
        title=note.title,
        body=note.body,
        revision=note.revision,
        created_at=to_iso(note.created_at),
        updated_at=to_iso(note.updated_at),
    )
