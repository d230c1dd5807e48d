"""create_action: one claimable unit of work, with its acceptance criteria and what must be done before it."""

from typing import Annotated, Literal

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.action import Action, ActionState, action_event, ref_code
from pendesk.domain.criterion import Criterion, new_criterion
from pendesk.domain.errors import BadField
from pendesk.domain.event_data import ActionCreatedData
from pendesk.domain.limits import ACTION_CRITERIA, ACTION_EDGES, AREA_CHARS, PLAN_ACTIONS
from pendesk.domain.priority import priority_number
from pendesk.domain.project import Plan, Project, check_count_below_limit
from pendesk.ids import new_id
from pendesk.operations.actions.action_fields import (
    AssigneeField,
    DueField,
    LabelsField,
    labels_of,
    read_planning_fields,
    with_planning_fields,
)
from pendesk.operations.actions.create_edge import find_or_create_edge
from pendesk.operations.actions.find import find_action
from pendesk.operations.actions.results import PlannedAction, to_planned_action
from pendesk.operations.fields import (
    ActionId,
    Coordinate,
    IdempotencyKey,
    IdentOrNone,
    Label,
    Line,
    PathGlobs,
    PlanId,
    Priority,
    ProjectId,
    Text,
)
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.operations.plans.active_plan import find_or_create_active_plan
from pendesk.operations.plans.find import find_plan
from pendesk.operations.projects import search_index
from pendesk.operations.projects.find import find_and_lock_project
from pendesk.operations.revisions import edits, revision_content
from pendesk.operations.specs.find import find_spec
from pendesk.store import actions, criteria, projects
from pendesk.store.engine.json_text import to_json

Area = Annotated[str, Meta(max_length=AREA_CHARS, description="One word for where it belongs, e.g. backend.")]


class CreateAction(Input):
    label: Label
    project_id: ProjectId | None = None
    spec_id: (
        Annotated[IdentOrNone, Meta(description="The spec it belongs to, into its active plan; empty for none.")] | None
    ) = None
    plan_id: Annotated[PlanId, Meta(description="Instead of spec_id: the plan it belongs to.")] | None = None
    description: Annotated[Text, Meta(description="What to do; Markdown.")] = ""
    area: Area = ""
    paths: PathGlobs = []
    state: Annotated[
        Literal["backlog", "scope", "todo"],
        Meta(description="backlog: an idea. scope: needs design. todo: ready."),
    ] = "todo"
    priority: Priority = 0
    x: Coordinate | None = None
    y: Coordinate | None = None
    criteria: Annotated[
        list[Line], Meta(max_length=ACTION_CRITERIA, description="Acceptance criteria, one checkable sentence each.")
    ] = []
    prerequisites: Annotated[
        list[ActionId],
        Meta(max_length=ACTION_EDGES, description="Pids or ref codes of what must be done first."),
    ] = []
    assignee: AssigneeField | None = None
    due: DueField | None = None
    labels: LabelsField | None = None
    idempotency_key: IdempotencyKey | None = None


def run(call: Call, args: CreateAction) -> PlannedAction:
    fields = read_planning_fields(call, args)
    plan, project = _find_plan_and_lock_project(call, args)
    if plan is not None:
        present = actions.count_in_plan(call.tx, plan.id)
        check_count_below_limit(present, PLAN_ACTIONS, "actions in this plan", "Split the work into another spec.")
    first = [find_action(call, ident).action for ident in args.prerequisites]
    action = with_planning_fields(_new_action(call, args, plan, project), fields)
    own_criteria = [new_criterion(new_id(), action.id, place, text) for place, text in enumerate(args.criteria, 1)]
    _save_new_action(call, action, own_criteria, project)
    for prerequisite in first:
        find_or_create_edge(call, project, action, prerequisite, "depends_on")
    return to_planned_action(call, action, project.key, own_criteria)


def _save_new_action(call: Call, action: Action, action_criteria: list[Criterion], project: Project) -> None:
    actions.add(call.tx, action)
    for criterion in action_criteria:
        criteria.add(call.tx, criterion)
    edits.save_first_revision(call, action.id, revision_content.action_content(action, action_criteria))
    search_index.index_action(call, action, action_criteria)
    event_data = ActionCreatedData(
        ref=ref_code(project.key, action.ref_number),
        label=action.label,
        state=action.state,
        criteria=len(action_criteria),
        criterion_ids=[criterion.id for criterion in action_criteria],
        plan_id=action.plan_id,
        priority=action.priority or None,
        assignee=action.assignee_user_id or action.assignee_agent_id,
        due=action.due_on,
        labels=labels_of(action.labels) or None,
    )
    call.record(action_event(action, "action.created", event_data))


def _find_plan_and_lock_project(call: Call, args: CreateAction) -> tuple[Plan | None, Project]:
    """Where it belongs; the project is locked, because it gives out the ref numbers."""
    if not args.plan_id and not args.spec_id:
        if args.project_id is None:
            raise BadField("project_id", "say where it belongs: a project_id, or the spec_id or plan_id of a spec.")
        return None, find_and_lock_project(call, args.project_id)
    if args.plan_id and args.spec_id:
        raise BadField("plan_id", "give either the plan_id or the spec_id.")
    plan = find_plan(call, args.plan_id) if args.plan_id else None
    spec = find_spec(call, plan.spec_id if plan else args.spec_id or "")
    project = find_and_lock_project(call, spec.project_id)
    if args.project_id is not None and args.project_id.strip().lower() not in (project.id, project.key.lower()):
        raise BadField("project_id", f"the spec belongs to {project.key}; leave project_id out, or name that project.")
    return plan or find_or_create_active_plan(call, spec.id), project


def _new_action(call: Call, args: CreateAction, plan: Plan | None, project: Project) -> Action:
    number = projects.allocate_action_ref_number(call.tx, project)
    return Action(
        id=new_id(),
        project_id=project.id,
        spec_id=plan.spec_id if plan else None,
        plan_id=plan.id if plan else None,
        ref_number=number,
        label=args.label,
        description=args.description,
        area=args.area,
        paths=to_json(args.paths),
        state=ActionState(args.state),
        state_reason=None,
        priority=priority_number(args.priority),
        position=number,  # grows with every action of the project, so a new one comes last
        x=args.x,
        y=args.y,
        fence=0,
        claim_id=None,
        news_event_id=0,
        revision=1,
        created_by=call.actor.user_id,
        created_at=call.now,
        updated_at=call.now,
    )


OPERATION = Operation(
    name="create_action",
    title="Create an action",
    description=(
        "Add one claimable unit of work: to a spec (spec_id or plan_id), or to a project, in no spec (project_id). "
        "Give its acceptance criteria and prerequisites in the same call. In a spec it can be claimed after the next "
        "publish_build. Refused: 404 no such spec, plan, project or prerequisite; 422 the plan is full."
    ),
    input=CreateAction,
    output=PlannedAction,
    scope=Scope.DESK_WRITE,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
