"""How an agent begins with an action that asks for a draft."""

from pendesk.store.proposals import DraftRequest


def drafting_next_step(request: DraftRequest) -> str:
    """Who has no drafting tools is not shown such an action."""
    if request.kind == "plan":
        return (
            f"Read the spec with get_draft (spec_id {request.spec_id}), then send draft_plan with that spec_id and "
            f"this task_id: {request.action_id}."
        )
    return (
        f"Read the note with get_note (note_id {request.note_id}), then send draft_spec with task_id "
        f"{request.action_id}."
    )
