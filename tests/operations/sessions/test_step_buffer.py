"""What a process has heard of hooks and not saved yet: bounded, however much is reported."""

from pendesk.domain.limits import STEP_ENDS_REPEATED_AFTER_US, STEPS_PER_SAVE
from pendesk.domain.session_activity import HookEvent, Step
from pendesk.operations.sessions.step_buffer import StepBuffer


def step(at: int, session: str = "s", workspace: str = "w", event: HookEvent = HookEvent.BEFORE_TOOL) -> Step:
    return Step(workspace, session, event, at)


def times(buffer: StepBuffer, session: str = "s") -> list[int]:
    return [step.at for batch in buffer.drain(0) for step in batch.steps if step.session_id == session]


def test_a_flood_of_one_session_drops_its_own_oldest() -> None:
    buffer = StepBuffer(has_peers=False, limit_per_session=3)
    for at in range(10):
        buffer.add(step(at))
    buffer.add(step(1, "quiet"))
    assert (len(buffer), buffer.dropped) == (4, 7)
    assert [[step.at for step in batch.steps] for batch in buffer.drain(0)] == [[1, 7, 8, 9]]
    assert len(buffer) == 0
    assert buffer.drain(0) == []


def test_a_flood_of_sessions_leaves_what_came_before_it() -> None:
    buffer = StepBuffer(has_peers=False, limit=5)
    for at in range(5):
        buffer.add(step(at))
    for number in range(100):
        buffer.add(step(100, f"other-{number}"))
    buffer.add(step(5))
    assert (len(buffer), buffer.dropped) == (5, 101)
    assert times(buffer) == [1, 2, 3, 4, 5]


def test_batches_are_of_one_workspace_in_order_and_not_too_large() -> None:
    buffer = StepBuffer(has_peers=False, limit_per_session=10_000)
    for at in reversed(range(STEPS_PER_SAVE + 1)):
        buffer.add(step(at))
    buffer.add(step(0, "x", "other"))
    batches = buffer.drain(0)
    assert sorted((batch.workspace_id, len(batch.steps)) for batch in batches) == [
        ("other", 1),
        ("w", 1),
        ("w", STEPS_PER_SAVE),
    ]
    own = [step.at for batch in batches if batch.workspace_id == "w" for step in batch.steps]
    assert own == list(range(STEPS_PER_SAVE + 1))


def test_what_could_not_be_saved_comes_with_the_next_batch() -> None:
    buffer = StepBuffer(has_peers=False)
    buffer.add(step(1))
    (batch,) = buffer.drain(0)
    buffer.add(step(2))
    buffer.put_back(batch)
    assert times(buffer) == [1, 2]


def test_ends_come_once_more_where_others_save_too() -> None:
    end = step(1, event=HookEvent.AFTER_TOOLS)
    alone, buffer = StepBuffer(has_peers=False), StepBuffer(has_peers=True)
    for filled in (alone, buffer):
        filled.add(end)
        filled.add(step(2))
        assert [batch.recent_ends for batch in filled.drain(2)] == [[]]
    assert alone.drain(3) == []
    assert buffer.drain(STEP_ENDS_REPEATED_AFTER_US) == []
    again = buffer.drain(1 + STEP_ENDS_REPEATED_AFTER_US)
    assert [(batch.steps, batch.recent_ends) for batch in again] == [([], [end])]
    assert buffer.drain(2 + STEP_ENDS_REPEATED_AFTER_US) == []
