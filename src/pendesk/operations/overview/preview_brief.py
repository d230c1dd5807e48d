"""preview_brief: the brief of an action as agents read it, for people to look at."""

from pendesk.domain.access import Role, Scope
from pendesk.domain.action import NOT_READY
from pendesk.domain.errors import NotFound
from pendesk.operations.actions.find import find_action
from pendesk.operations.building.brief_results import Brief
from pendesk.operations.building.get_action_brief import preview_brief
from pendesk.operations.fields import ActionId
from pendesk.operations.operation import Call, Input, Kind, Operation


class PreviewBrief(Input):
    action_id: ActionId


def run(call: Call, args: PreviewBrief) -> Brief:
    facts = find_action(call, args.action_id)
    if facts.action.state in NOT_READY:
        raise NotFound("action that agents can see", args.action_id)
    return preview_brief(call, facts)


OPERATION = Operation(
    name="preview_brief",
    title="Preview a brief",
    description=(
        "What get_action_brief gives to whoever claims the action next, word for word, without what depends on who "
        "reads it (availability, next_step); looking at it renews no lease and marks nothing as seen. Refused: 404 no "
        "such action, or one in backlog or scope, which agents do not see."
    ),
    input=PreviewBrief,
    output=Brief,
    scope=Scope.DESK_READ,
    role=Role.VIEWER,
    kind=Kind.READ,
    run=run,
)
