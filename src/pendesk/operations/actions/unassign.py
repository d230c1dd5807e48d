"""What was assigned to a member who leaves, or to their agents, is nobody's again."""

from pendesk.domain.action import action_event
from pendesk.domain.limits import UNASSIGNED_ON_LOOP
from pendesk.domain.revision import build_edit_event_data
from pendesk.operations.actions.action_fields import fields_beside_texts
from pendesk.operations.operation import Call
from pendesk.store import actions, assignees


def unassign_all_of(call: Call, user_id: str) -> None:
    """Closed ones too: an assignee is always somebody who is here."""
    assigned = assignees.assigned_to_user_or_their_agents(call.tx, user_id)
    if len(assigned) > UNASSIGNED_ON_LOOP:
        call.require_worker_thread()
    for action in assigned:
        actions.lock(call.tx, action.id)
        assignees.unassign(call.tx, action.id)
        unassigned = action._replace(assignee_user_id=None, assignee_agent_id=None)
        changes = build_edit_event_data(fields_beside_texts(action), fields_beside_texts(unassigned))
        call.record(action_event(action, "action.edited", {"place": changes}))
