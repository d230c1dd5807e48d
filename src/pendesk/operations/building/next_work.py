"""What an agent does once it has ended with an action: go on with what it holds, or look for more."""

from pendesk.domain.agent_session import Relation
from pendesk.operations.building.you import held_by_user
from pendesk.operations.operation import Call

RELEASED = "Released: any agent can claim it, and gets what you reported."
LOOK_FOR_MORE = "list_available_specs shows what is next."


def next_work_text(call: Call, but_action_id: str | None = None) -> str:
    """`but_action_id`: what it has just ended with."""
    held_by_session = (
        action.standing.ref
        for action in held_by_user(call, but_action_id)
        if action.live and action.relation == Relation.SAME
    )
    held = list(held_by_session)
    return f"Go on with {held[0]}, which you hold." if held else LOOK_FOR_MORE
