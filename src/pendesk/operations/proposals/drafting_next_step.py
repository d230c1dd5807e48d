"""How an agent begins with an action that asks for a draft."""

from pendesk.operations.operation import Call
from pendesk.store import proposals


def drafting_next_step(call: Call, action_id: str) -> str | None:
    """None for any other action; who has no drafting tools is not shown one."""
    request = proposals.request_of_action(call.tx, action_id)
    if request is None:
        return None
    if request.kind == "plan":
        return (
            f"Read the spec with get_draft (spec_id {request.spec_id}), then send draft_plan with that spec_id and "
            f"this task_id: {action_id}."
        )
    return f"Read the note with get_note (note_id {request.note_id}), then send draft_spec with task_id {action_id}."
