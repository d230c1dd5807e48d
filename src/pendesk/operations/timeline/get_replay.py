"""get_replay: how the actions of a project went from state to state, to be played again."""

from typing import Annotated

from msgspec import Meta

from pendesk.clock import to_iso
from pendesk.domain.access import Role, Scope
from pendesk.domain.action import ref_code
from pendesk.domain.limits import REPLAY_MOVES
from pendesk.operations.fields import ProjectId
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.operations.planning.find import find_project
from pendesk.store import actions, timeline
from pendesk.store.json_text import from_json


class GetReplay(Input):
    project_id: ProjectId
    after: Annotated[int, Meta(ge=0, le=2**53, description="nextCursor of the part before.")] = 0


class Move(Output):
    """From this moment on the action is in this state; null: it is gone."""

    seq: int
    at: str
    action_id: str
    ref_code: str | None
    state: str | None


class Replay(Output):
    moves: list[Move]
    next_cursor: int | None = None


def run(call: Call, asked: GetReplay) -> Replay:
    project = find_project(call, asked.project_id)
    found = timeline.moves(call.tx, project.id, asked.after, REPLAY_MOVES + 1)
    page = found[:REPLAY_MOVES]
    numbers = actions.ref_numbers(call.tx, list(dict.fromkeys(action_id for _, _, action_id, _, _ in page)))
    moves = []
    for seq, at, action_id, kind, data in page:
        told = from_json(data)
        state = told.get("state") if kind == "action.created" else told.get("after")
        if state is None and kind != "action.deleted":
            continue  # handed in again, or sent back: it is in review before and after
        ref = ref_code(project.key, numbers[action_id]) if action_id in numbers else None
        moves.append(Move(seq=seq, at=to_iso(at), action_id=action_id, ref_code=ref, state=state))
    return Replay(moves=moves, next_cursor=page[-1][0] if len(found) > REPLAY_MOVES else None)


OPERATION = Operation(
    name="get_replay",
    title="Play a project again",
    description=(
        "Every move of an action from state to state, the oldest first: enough to draw the board as it was at any "
        "moment. Refused: 404 no such project."
    ),
    input=GetReplay,
    output=Replay,
    scope=Scope.DESK_READ,
    role=Role.VIEWER,
    kind=Kind.SCAN,
    run=run,
)
