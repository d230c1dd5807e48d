"""The run of a tool is one record, whichever of its hooks comes first."""

from itertools import count

from pendesk.domain.session_activity import HookEvent, Step
from pendesk.domain.session_steps import StepEnds, StepRecord, step_records


def step(event: HookEvent, at: int, tool_use_id: str = "", thread: str = "", tool: str = "Bash") -> Step:
    return Step("workspace", "session", event, at, thread=thread, tool=tool, tool_use_id=tool_use_id)


def records(*steps: Step) -> list[StepRecord]:
    numbers = count(1)
    return step_records(steps, StepEnds(steps), lambda: f"id-{next(numbers)}")


def times(*steps: Step) -> list[tuple[int, int | None]]:
    return [(record.started_at, record.ended_at) for record in records(*steps)]


def test_a_tool_ends_with_the_hook_that_names_it() -> None:
    before = step(HookEvent.BEFORE_TOOL, 1, "a"), step(HookEvent.BEFORE_TOOL, 2, "b")
    assert times(*before) == [(1, None), (2, None)]
    assert times(*before, step(HookEvent.AFTER_TOOL, 5, "b")) == [(1, None), (2, 5)]


def test_the_end_may_be_reported_before_the_beginning() -> None:
    ended = records(step(HookEvent.AFTER_TOOL, 5, "a", tool=""), step(HookEvent.BEFORE_TOOL, 1, "a"))
    assert [(row.tool, row.started_at, row.ended_at, row.event) for row in ended] == [("Bash", 1, 5, "PreToolUse")]


def test_that_a_tool_failed_is_seen() -> None:
    failed = records(step(HookEvent.BEFORE_TOOL, 1, "a"), step(HookEvent.AFTER_TOOL_FAILURE, 5, "a"))
    assert [(row.event, row.ended_at) for row in failed] == [("PostToolUseFailure", 5)]


def test_a_hook_that_names_no_tool_ends_all_of_its_thread() -> None:
    opened = (
        step(HookEvent.BEFORE_TOOL, 1, "a"),
        step(HookEvent.BEFORE_TOOL, 2),
        step(HookEvent.BEFORE_TOOL, 3, "c", thread="sub"),
        step(HookEvent.BEFORE_TOOL, 9, "d"),
    )
    for end in (HookEvent.AFTER_TOOLS, HookEvent.AFTER_TOOL, HookEvent.AFTER_TOOL_FAILURE):
        assert times(*opened, step(end, 8)) == [(1, 8), (2, 8), (3, None), (9, None)]
    assert times(*opened, step(HookEvent.AFTER_TOOLS, 8, thread="sub")) == [(1, None), (2, None), (3, 8), (9, None)]


def test_no_tool_outlives_the_turn_or_the_session() -> None:
    opened = step(HookEvent.BEFORE_TOOL, 1, "a"), step(HookEvent.BEFORE_TOOL, 2, "b", thread="sub")
    assert times(*opened, step(HookEvent.STOP, 8))[:2] == [(1, 8), (2, None)]
    assert times(*opened, step(HookEvent.SUBAGENT_STOP, 8, thread="sub"))[:2] == [(1, None), (2, 8)]
    assert times(*opened, step(HookEvent.SESSION_END, 8))[:2] == [(1, 8), (2, 8)]


def test_what_is_no_tool_has_ended_when_it_is_reported() -> None:
    kinds = HookEvent.USER_PROMPT, HookEvent.PERMISSION, HookEvent.SUBAGENT_START, HookEvent.STOP
    reported = records(*(step(kind, at, "a") for at, kind in enumerate(kinds)))
    assert [(row.event, row.started_at, row.ended_at) for row in reported] == [
        (kind, at, at) for at, kind in enumerate(kinds)
    ]
    assert len({row.id for row in reported}) == 4
