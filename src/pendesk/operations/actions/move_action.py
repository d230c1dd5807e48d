"""move_action: into a spec or out of it, from one spec to another, or to another plan of the same spec."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.action import Action, action_event, check_may_move_to_other_plan
from pendesk.domain.errors import BadField
from pendesk.domain.limits import PLAN_ACTIONS
from pendesk.domain.project import Plan, Project, check_count_below_limit
from pendesk.operations.actions.find import find_action, find_and_lock_action
from pendesk.operations.actions.results import PlannedAction, to_planned_action
from pendesk.operations.fields import ActionId, IdempotencyKey, IdentOrNone, PlanId
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.operations.plans.active_plan import find_or_create_active_plan
from pendesk.operations.plans.find import find_plan
from pendesk.operations.projects.find import find_and_lock_project
from pendesk.operations.specs.find import find_spec
from pendesk.store import actions, criteria


class MoveAction(Input):
    action_id: ActionId
    spec_id: (
        Annotated[IdentOrNone, Meta(description="The spec it goes to, into its active plan; empty: out of its spec.")]
        | None
    ) = None
    plan_id: Annotated[PlanId, Meta(description="Instead of spec_id: the plan it goes to.")] | None = None
    idempotency_key: IdempotencyKey | None = None


def run(call: Call, args: MoveAction) -> PlannedAction:
    # Locked as create_action does: a plan is filled by one at a time.
    project = find_and_lock_project(call, find_action(call, args.action_id).action.project_id)
    plan = _find_target_plan(call, args, project)
    facts = find_and_lock_action(call, args.action_id)
    action = facts.action
    if (plan.id if plan else None) != action.plan_id:
        check_may_move_to_other_plan(facts.ref, action.state)
        action = _move_to_plan(call, action, plan)
    return to_planned_action(call, action, facts.project_key, criteria.of_action(call.tx, action.id))


def _find_target_plan(call: Call, args: MoveAction, project: Project) -> Plan | None:
    """None: out of its spec."""
    if (args.spec_id is None) == (args.plan_id is None):
        raise BadField("spec_id", "say where it goes: a spec_id (empty: out of its spec), or else a plan_id.")
    if args.spec_id == "":
        return None
    if args.plan_id is not None:
        plan = find_plan(call, args.plan_id)
        _check_spec_in_project(call, plan.spec_id, project, "plan_id")
        return plan
    assert args.spec_id is not None
    _check_spec_in_project(call, args.spec_id, project, "spec_id")
    return find_or_create_active_plan(call, args.spec_id)


def _check_spec_in_project(call: Call, spec_id: str, project: Project, input_field: str) -> None:
    if find_spec(call, spec_id).project_id != project.id:
        raise BadField(input_field, f"belongs to another project; name one of {project.key}.")


def _move_to_plan(call: Call, action: Action, plan: Plan | None) -> Action:
    position = action.ref_number
    if plan is not None:
        present = actions.count_in_plan(call.tx, plan.id)
        check_count_below_limit(present, PLAN_ACTIONS, "actions in this plan", "Split the work into another spec.")
        position = actions.last_position_in_plan(call.tx, plan.id) + 1
    moved = action._replace(
        spec_id=plan.spec_id if plan else None,
        plan_id=plan.id if plan else None,
        position=position,
        updated_at=call.now,
    )
    actions.set_spec_and_plan(call.tx, moved)
    event_data = {"plan": {"before": action.plan_id, "after": moved.plan_id}}
    if moved.spec_id != action.spec_id:
        event_data["spec"] = {"before": action.spec_id, "after": moved.spec_id}
    call.record(action_event(moved, "action.edited", event_data))
    return moved


OPERATION = Operation(
    name="move_action",
    title="Move an action to another spec or plan",
    description=(
        "Move an action into a spec of its project, out of its spec, or to another plan; its ref, criteria and edges "
        "stay. In a spec, agents see it after the next publish_build (with at least one criterion); out of a spec, at "
        "once. Refused: 404 no such action, spec or plan, 422 of another project, a full plan, or an agent has it or "
        "it is in review."
    ),
    input=MoveAction,
    output=PlannedAction,
    scope=Scope.DESK_WRITE,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
