"""get_replay: how the actions of a project went from state to state, to be played again."""

from collections.abc import Iterator
from typing import Annotated, NamedTuple

from msgspec import Meta

from pendesk.clock import to_iso
from pendesk.domain.access import Role, Scope
from pendesk.domain.action import ref_code
from pendesk.domain.event_data import ActionCreatedData, ActionMovedData
from pendesk.domain.limits import REPLAY_MOVES
from pendesk.domain.project import Project
from pendesk.operations.fields import ProjectId
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.operations.projects.find import find_project
from pendesk.store import actions, timeline
from pendesk.store.engine.json_text import from_json
from pendesk.store.engine.tx import Row


class GetReplay(Input):
    project_id: ProjectId
    after: Annotated[int, Meta(ge=0, le=2**53, description="nextCursor of the part before.")] = 0
    newest: Annotated[int, Meta(ge=1, le=REPLAY_MOVES, description="Only so many moves, the newest.")] | None = None


class Move(Output):
    """From this moment on the action is in this state; null: it is gone."""

    seq: int
    at: str
    action_id: str
    ref_code: str | None
    state: str | None


class StateChange(NamedTuple):
    seq: int
    at: int
    action_id: str
    state: str | None


class Replay(Output):
    moves: list[Move]
    next_cursor: int | None = None


def run(call: Call, args: GetReplay) -> Replay:
    project = find_project(call, args.project_id)
    if args.newest is not None:
        rows = timeline.newest_state_change_event_rows(call.tx, project.id, args.newest + 1)
        if len(rows) > args.newest:
            page = rows[1:]
            return Replay(moves=_moves(call, project, [*_states_before(page), *_state_changes(page)]))
    rows = timeline.action_state_change_event_rows(call.tx, project.id, args.after, REPLAY_MOVES + 1)
    page = rows[:REPLAY_MOVES]
    imported = [] if args.after else list(_imported_initial_states(call, project.id, args.newest or REPLAY_MOVES))
    moves = _moves(call, project, [*imported, *_state_changes(page)])
    return Replay(moves=moves, next_cursor=page[-1][0] if len(rows) > REPLAY_MOVES else None)


def _moves(call: Call, project: Project, steps: list[StateChange]) -> list[Move]:
    numbers = actions.ref_number_by_id(call.tx, list(dict.fromkeys(step.action_id for step in steps)))
    return [
        Move(
            seq=step.seq,
            at=to_iso(step.at),
            action_id=step.action_id,
            ref_code=ref_code(project.key, numbers[step.action_id]) if step.action_id in numbers else None,
            state=step.state,
        )
        for step in steps
    ]


def _state_changes(rows: list[Row]) -> list[StateChange]:
    return [step for step in map(_to_state_change, rows) if step]


def _states_before(rows: list[Row]) -> Iterator[StateChange]:
    """Where those that were there already stood before the first of these moves."""
    seen: set[str] = set()
    for _, _, action_id, kind, text in rows:
        if action_id not in seen and kind not in ("action.created", "action.deleted"):
            yield StateChange(0, rows[0][1], action_id, _parse_move_data(text).before or "in_review")
        seen.add(action_id)


def _imported_initial_states(call: Call, project_id: str, limit: int) -> Iterator[StateChange]:
    """The state that imported actions came with: the one before their first move here."""
    for action_id, at, state, first in timeline.imported_actions_first_state_change(call.tx, project_id, limit):
        # Only resubmitting did not say what was before: it was in review.
        yield StateChange(0, at, action_id, (_parse_move_data(first).before or "in_review") if first else state)


def _to_state_change(row: Row) -> StateChange | None:
    seq, at, action_id, kind, text = row
    if kind == "action.deleted":
        return StateChange(seq, at, action_id, None)
    created = kind == "action.created"
    state = ActionCreatedData.from_wire(from_json(text)).state if created else _parse_move_data(text).after
    return StateChange(seq, at, action_id, state) if state else None


def _parse_move_data(text: str) -> ActionMovedData:
    """Whatever moved it, the states before and after have the same names."""
    return ActionMovedData.from_wire(from_json(text))


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
    kind=Kind.HEAVY_READ,
    run=run,
)
