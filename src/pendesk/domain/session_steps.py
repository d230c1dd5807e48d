"""Steps of an agent session as they are saved: the run of a tool is one record, from the hook before to the hook after.

The hooks of one session may reach different processes, which save them in any order. So the id of a tool's record
follows from the tool use: whichever hook is saved second completes it. Hooks that do not say which tool they mean end
whatever is open in their thread.
"""

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from pendesk.domain.session_activity import ENDS_TOOLS, HookEvent, Step

_OF_ONE_TOOL = frozenset({HookEvent.BEFORE_TOOL, HookEvent.AFTER_TOOL, HookEvent.AFTER_TOOL_FAILURE})
# After them no tool of the thread runs on, whether or not its own hook was called: it may have been interrupted.
_ENDS_TURN = frozenset({HookEvent.USER_PROMPT, HookEvent.STOP, HookEvent.SUBAGENT_STOP, HookEvent.SESSION_END})


class StepRecord(NamedTuple):
    session_id: str
    id: str
    thread: str
    thread_kind: str
    event: str
    tool: str
    detail: str
    started_at: int
    ended_at: int | None


class OpenStep(NamedTuple):
    session_id: str
    id: str
    thread: str
    started_at: int


def names_tool_use(step: Step) -> bool:
    return bool(step.tool_use_id) and step.event in _OF_ONE_TOOL


def ends_open_steps(step: Step) -> bool:
    """All of its thread."""
    return step.event in _ENDS_TURN or (step.event in ENDS_TOOLS and not names_tool_use(step))


class StepEnds:
    """When what is open in a thread ended."""

    def __init__(self, steps: Iterable[Step]) -> None:
        self._by_session: dict[str, list[Step]] = defaultdict(list)
        for step in sorted(filter(ends_open_steps, steps), key=lambda step: step.at):
            self._by_session[step.session_id].append(step)

    @property
    def session_ids(self) -> list[str]:
        return list(self._by_session)

    def first_after(self, session_id: str, thread: str, started_at: int) -> int | None:
        for step in self._by_session.get(session_id, ()):
            if step.at >= started_at and (step.thread == thread or step.event == HookEvent.SESSION_END):
                return step.at
        return None


def step_records(steps: Sequence[Step], ends: StepEnds, new_id: Callable[[], str]) -> list[StepRecord]:
    """The steps are in their order; each record comes once."""
    records: dict[tuple[str, str], StepRecord] = {}
    for step in steps:
        if not names_tool_use(step) and step.event in ENDS_TOOLS:
            continue  # it only ends others
        record = _record(step, new_id)
        key = record.session_id, record.id
        records[key] = _merge(records[key], record) if key in records else record
    return [
        record._replace(ended_at=ends.first_after(record.session_id, record.thread, record.started_at))
        if record.ended_at is None
        else record
        for record in records.values()
    ]


def _record(step: Step, new_id: Callable[[], str]) -> StepRecord:
    is_failure = step.event == HookEvent.AFTER_TOOL_FAILURE
    return StepRecord(
        session_id=step.session_id,
        id=_id_of_tool_use(step.tool_use_id) if names_tool_use(step) else new_id(),
        thread=step.thread,
        thread_kind=step.thread_kind,
        event=HookEvent.BEFORE_TOOL if step.event in _OF_ONE_TOOL and not is_failure else step.event,
        tool=step.tool,
        detail=step.detail,
        started_at=step.at,
        ended_at=None if step.event == HookEvent.BEFORE_TOOL else step.at,
    )


def _merge(first: StepRecord, second: StepRecord) -> StepRecord:
    """As store/session_steps.py does with what is saved already."""
    return first._replace(
        event=second.event if second.event == HookEvent.AFTER_TOOL_FAILURE else first.event,
        tool=first.tool or second.tool,
        detail=first.detail or second.detail,
        started_at=min(first.started_at, second.started_at),
        ended_at=first.ended_at if second.ended_at is None else second.ended_at,
    )


def _id_of_tool_use(tool_use_id: str) -> str:
    return hashlib.sha256(tool_use_id.encode()).hexdigest()[:32]
