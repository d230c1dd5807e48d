"""get_replay: how the actions of a project went from state to state, to be played again."""

from collections.abc import Iterator
from typing import Annotated, NamedTuple

from msgspec import Meta

from pendesk.clock import to_iso
from pendesk.domain.access import Role, Scope
from pendesk.domain.action import ref_code
from pendesk.domain.limits import REPLAY_MOVES
from pendesk.operations.fields import ProjectId
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.operations.projects.find import find_project
from pendesk.store import actions, timeline
from pendesk.store.engine.json_text import from_json
from pendesk.store.engine.tx import Row


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


class Step(NamedTuple):
    seq: int
    at: int
    action_id: str
    state: str | None


class Replay(Output):
    moves: list[Move]
    next_cursor: int | None = None


def run(call: Call, args: GetReplay) -> Replay:
    project = find_project(call, args.project_id)
    found = timeline.moves(call.tx, project.id, args.after, REPLAY_MOVES + 1)
    page = found[:REPLAY_MOVES]
    begun = [] if args.after else list(_brought_in(call, project.id))
    steps = begun + [step for step in map(_step, page) if step]
    numbers = actions.ref_numbers(call.tx, list(dict.fromkeys(step.action_id for step in steps)))
    moves = [
        Move(
            seq=step.seq,
            at=to_iso(step.at),
            action_id=step.action_id,
            ref_code=ref_code(project.key, numbers[step.action_id]) if step.action_id in numbers else None,
            state=step.state,
        )
        for step in steps
    ]
    return Replay(moves=moves, next_cursor=page[-1][0] if len(found) > REPLAY_MOVES else None)


def _brought_in(call: Call, project_id: str) -> Iterator[Step]:
    """Where imported actions stood when they came: what is before their first move here."""
    for action_id, at, state, first in timeline.brought_in(call.tx, project_id):
        yield Step(0, at, action_id, from_json(first)["before"] if first else state)


def _step(row: Row) -> Step | None:
    seq, at, action_id, kind, data = row
    told = from_json(data)
    state = told.get("state") if kind == "action.created" else told.get("after")
    if state is None and kind != "action.deleted":
        return None  # handed in again, or sent back: it is in review before and after
    return Step(seq, at, action_id, state)


OPERATION = Operation(
    name="get_replay",
    title="Play a project again",
    description=(
        "Every move of an action from state to state, the oldest first: enough to draw the board as it was at any "
        "moment. What was imported begins with seq 0. Refused: 404 no such project."
    ),
    input=GetReplay,
    output=Replay,
    scope=Scope.DESK_READ,
    role=Role.VIEWER,
    kind=Kind.SCAN,
    run=run,
)
