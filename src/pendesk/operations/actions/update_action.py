"""update_action: the texts of an action, its place, and the states that people set."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.action import Action, ActionState, action_event
from pendesk.domain.claim import ActionFacts
from pendesk.domain.criterion import Criterion
from pendesk.domain.prerequisite import check_person_releases
from pendesk.domain.priority import priority_number
from pendesk.domain.revision import build_edit_event_data
from pendesk.domain.task_moves import check_state_may_be_set
from pendesk.operations.actions.action_fields import (
    AssigneeField,
    DueField,
    LabelsField,
    PlanningFields,
    fields_beside_texts,
    read_planning_fields,
    with_planning_fields,
)
from pendesk.operations.actions.change_state import WORKED_ON, change_state, renew_hold
from pendesk.operations.actions.create_action import Area
from pendesk.operations.actions.find import find_action, find_and_lock_action
from pendesk.operations.actions.release_dependents import save_dependents_released
from pendesk.operations.actions.results import PlannedAction, to_planned_action
from pendesk.operations.actions.revised_action import edit_action
from pendesk.operations.building.claim_overlaps import lock_work_of_project
from pendesk.operations.fields import (
    ActionId,
    Coordinate,
    ExpectedRevision,
    IdempotencyKey,
    Label,
    Message,
    PathGlobs,
    Position,
    Priority,
    Text,
)
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.operations.session_news import record_edit
from pendesk.store import actions, criteria


class UpdateAction(Input):
    action_id: ActionId
    label: Label | None = None
    description: Text | None = None
    area: Area | None = None
    paths: PathGlobs | None = None
    state: (
        Annotated[
            ActionState,
            Meta(description="Any, where there are no criteria; else claims, submissions and reviews move it on."),
        ]
        | None
    ) = None
    reason: Annotated[Message, Meta(description="Why it moves; needed for wont_do.")] | None = None
    release_dependents: Annotated[
        bool,
        Meta(description="With wont_do, by a person: what waits for it goes on. Otherwise the inbox asks."),
    ] = False
    priority: Priority | None = None
    position: Annotated[Position, Meta(description="Its place in the plan; lower comes first.")] | None = None
    x: Coordinate | None = None
    y: Coordinate | None = None
    assignee: AssigneeField | None = None
    due: DueField | None = None
    labels: LabelsField | None = None
    expected_revision: ExpectedRevision | None = None
    idempotency_key: IdempotencyKey | None = None


def run(call: Call, args: UpdateAction) -> PlannedAction:
    check_state_may_be_set(args.state)
    return update_action(call, args)


def update_action(call: Call, args: UpdateAction) -> PlannedAction:
    fields = read_planning_fields(call, args)
    if args.state in WORKED_ON and find_action(call, args.action_id).refuses_overlap:
        lock_work_of_project(call, args.action_id)
    facts = find_and_lock_action(call, args.action_id)
    present = criteria.of_action(call.tx, facts.action.id)
    facts, advisory = facts._replace(action=_save_edit(call, facts, args, present, fields)), None
    if args.state is not None and _is_move(facts.action, args.state, present):
        facts, advisory = change_state(call, facts, args.state, args.reason, len(present))
    else:
        renew_hold(call, facts)
    if args.release_dependents:
        check_person_releases(Scope.PERSON in call.actor.scopes, facts.ref)
        facts = facts._replace(action=save_dependents_released(call, facts))
    planned = to_planned_action(call, facts.action, facts.project_key, present)
    planned.advisory = advisory
    return planned


def _is_move(action: Action, target: ActionState, action_criteria: list[Criterion]) -> bool:
    """Who sets a task to in_progress takes it, also where another has it already."""
    return target != action.state or (target == ActionState.IN_PROGRESS and not action_criteria)


def _save_edit(
    call: Call, facts: ActionFacts, args: UpdateAction, action_criteria: list[Criterion], planning: PlanningFields
) -> Action:
    action = facts.action
    fields = {
        "action.label": args.label,
        "action.description": args.description,
        "action.area": args.area,
        "action.paths": args.paths,
    }
    edited, edit = edit_action(call, action, action_criteria, action_criteria, fields, args.expected_revision)
    placed = with_planning_fields(_apply_priority_and_position(edited, args), planning)
    event_data = edit.event_data
    if placed != edited:
        # Where it stands is no text: moving it about makes no revision, and nobody's edit conflicts with it.
        placed = placed._replace(updated_at=call.now)
        actions.update(call.tx, placed)
        changes = build_edit_event_data(fields_beside_texts(action), fields_beside_texts(placed))
        event_data = {**event_data, "place": changes}
    event = action_event(action, "action.edited", event_data)
    if edit.changed:
        record_edit(call, facts, event)
    elif event_data:
        call.record(event)
    return placed


def _apply_priority_and_position(action: Action, args: UpdateAction) -> Action:
    return action._replace(
        priority=action.priority if args.priority is None else priority_number(args.priority),
        position=action.position if args.position is None else args.position,
        x=action.x if args.x is None else args.x,
        y=action.y if args.y is None else args.y,
    )


OPERATION = Operation(
    name="update_action",
    title="Edit or move an action",
    description=(
        "Change an action's texts, its place, or its state; leave out what stays. Without criteria it may be set to "
        "every state: in_progress holds it, todo releases or reopens it, in_review waits for a person. With criteria, "
        "to backlog, scope, todo and wont_do (with a reason). In a spec, agents see new texts after the next "
        "publish_build. Refused: 422 that move is not allowed, 409 someone else holds it, or changed the texts since "
        "expected_revision (the answer has theirs)."
    ),
    input=UpdateAction,
    output=PlannedAction,
    scope=Scope.DESK_WRITE,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
