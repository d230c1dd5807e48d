"""release_dependents: a person decides that what waits for a dropped action goes on."""

from pendesk.domain import prerequisite
from pendesk.domain.access import Role, Scope
from pendesk.domain.action import Action
from pendesk.domain.claim import ActionFacts
from pendesk.operations.actions.find import find_and_lock_action
from pendesk.operations.actions.results import PlannedAction, to_planned_action
from pendesk.operations.fields import ActionId, IdempotencyKey
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.store import actions, criteria, prerequisites


class ReleaseDependents(Input):
    action_id: ActionId
    idempotency_key: IdempotencyKey | None = None


def run(call: Call, args: ReleaseDependents) -> PlannedAction:
    facts = find_and_lock_action(call, args.action_id)
    action = save_dependents_released(call, facts)
    return to_planned_action(call, action, facts.project_key, criteria.of_action(call.tx, action.id))


def save_dependents_released(call: Call, facts: ActionFacts) -> Action:
    """The action is locked."""
    waiting = open_dependent_refs(call, facts.action.id)
    action, event = prerequisite.release_dependents(facts.action, facts.ref, waiting, call.actor.user_id, call.now)
    actions.save_state_and_claim(call.tx, facts.action, action)
    call.record(event)
    return action


def open_dependent_refs(call: Call, action_id: str) -> list[str]:
    return [dependent.ref for dependent in prerequisites.open_dependents(call.tx, action_id)]


OPERATION = Operation(
    name="release_dependents",
    title="Release what waits for a dropped action",
    description=(
        "Decide that the actions that wait for a dropped one go on without it: it holds them back no longer. To decide "
        "otherwise, reopen it with update_action. Reopening takes this decision back. For people: no token can do "
        "this. Refused: 422 the action is not wont_do, or this was decided already."
    ),
    input=ReleaseDependents,
    output=PlannedAction,
    scope=Scope.PERSON,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
