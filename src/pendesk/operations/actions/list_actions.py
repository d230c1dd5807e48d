"""list_actions: the actions of a project, or those in one state."""

from pendesk.domain.access import Role, Scope
from pendesk.domain.action import Action, ActionState, ref_code
from pendesk.domain.limits import PAGE_ROWS
from pendesk.domain.priority import priority_level
from pendesk.operations.actions.action_fields import AssigneeResult, assignee_results, labels_of
from pendesk.operations.fields import ProjectId
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.operations.paging import PageCursor, page_and_next_cursor, parse_cursor_after_id
from pendesk.operations.projects.find import find_project
from pendesk.store import actions


class ListActions(Input):
    project_id: ProjectId
    state: ActionState | None = None
    cursor: PageCursor | None = None


class ActionRow(Output):
    pid: str
    ref_code: str
    spec_id: str | None
    plan_id: str | None
    label: str
    area: str
    state: str
    priority: int
    position: int
    x: float | None
    y: float | None
    revision: int
    priority_name: str = "none"
    assignee: AssigneeResult | None = None
    due: str | None = None
    labels: list[str] = []


class Actions(Output):
    actions: list[ActionRow]
    next_cursor: str | None = None


def run(call: Call, args: ListActions) -> Actions:
    project = find_project(call, args.project_id)
    rows = actions.page(
        call.tx,
        project.id,
        [args.state] if args.state is not None else None,
        parse_cursor_after_id(args.cursor),
        PAGE_ROWS + 1,
    )
    page, next_cursor = page_and_next_cursor(rows, PAGE_ROWS, lambda action: action.id)
    assigned = assignee_results(call, [action.assignee for action in page], with_pid=True)
    listed = [action_row(action, project.key, assigned.get(action.assignee)) for action in page]
    return Actions(actions=listed, next_cursor=next_cursor)


def action_row(action: Action, project_key: str, assignee: AssigneeResult | None) -> ActionRow:
    return ActionRow(
        pid=action.id,
        ref_code=ref_code(project_key, action.ref_number),
        spec_id=action.spec_id,
        plan_id=action.plan_id,
        label=action.label,
        area=action.area,
        state=action.state,
        priority=action.priority,
        position=action.position,
        x=action.x,
        y=action.y,
        revision=action.revision,
        priority_name=priority_level(action.priority),
        assignee=assignee,
        due=action.due_on,
        labels=labels_of(action.labels),
    )


OPERATION = Operation(
    name="list_actions",
    title="List actions",
    description=(
        "The actions and tasks of a project, in the order they were made, without their texts; state narrows it. "
        "get_action has everything about one. Refused: 404 no such project."
    ),
    input=ListActions,
    output=Actions,
    scope=Scope.DESK_READ,
    role=Role.VIEWER,
    kind=Kind.READ,
    run=run,
)
