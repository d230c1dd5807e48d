"""What an agent does once it has ended with an action: go on with what it holds, or look for more."""

from pendesk.domain.agent_session import Relation
from pendesk.operations.building.you import held_by_user
from pendesk.operations.operation import Call

RELEASED = "Released: any agent can claim it, and gets what you reported."
LOOK_FOR_MORE = "list_available_specs shows what is next."


def next_work_text(call: Call) -> str:
    held = [action.standing.ref for action in held_by_user(call) if action.live and action.relation == Relation.SAME]
    return f"Go on with {held[0]}, which you hold." if held else LOOK_FOR_MORE
