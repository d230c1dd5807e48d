"""A plain task goes from every status to every status, by agents and by people, and is held while in progress."""

from itertools import product

import pytest

from pendesk.domain.access import PLANNING_SCOPES, TOKEN_SCOPES
from pendesk.domain.action import ActionState, TaskStatus
from pendesk.domain.agent_session import CallOrigin, MarkKind, make_mark
from pendesk.domain.errors import AlreadyClaimed, HeldByYourOtherSession, RuleBroken
from tests.desk import MINUTE
from tests.events import events_of
from tests.folding import check_fold
from tests.refusals import refused
from tests.workbench import published_spec

STATUSES = [status.value for status in TaskStatus]
HOUR = 60 * MINUTE


@pytest.fixture
async def planner(desk, ada):
    """A planning agent's terminal of Ada's, by a name."""
    token = (await desk.call(ada, "create_token", name="Planner", scopes=["desk.read", "desk.write"]))["tokenId"]

    def make(process, person=ada, token_id=token, scopes=PLANNING_SCOPES):
        marks = frozenset({make_mark(MarkKind.PROCESS, process)}) if process else frozenset()
        return person._replace(
            via="mcp", scopes=scopes, token_id=token_id, origin=CallOrigin(client="claude-code", marks=marks)
        )

    return make


async def agent_of(desk, planner, person, process="9"):
    token = (await desk.call(person, "create_token", name="Other", scopes=["desk.write"]))["tokenId"]
    return planner(process, person, token)


async def create(desk, caller, *labels, **fields):
    return [await desk.call(caller, "create_task", project_id="PEN", label=label, **fields) for label in labels]


async def set_status(desk, caller, status, ref="PEN-1"):
    reason = {"reason": "Because."} if status in ("wont_do", "in_review") else {}
    return await desk.call(caller, "update_task", task_id=ref, status=status, **reason)


async def action(desk, ada, ref="PEN-1"):
    return await desk.call(ada, "get_action", action_id=ref)


@pytest.mark.parametrize("caller", ["agent", "person"])
async def test_every_status_is_reached_from_every_status(desk, ada, project, planner, caller):
    mover = planner("1") if caller == "agent" else ada
    for number, (before, after) in enumerate(product(STATUSES, STATUSES), 1):
        ref = f"PEN-{number}"
        await create(desk, mover, f"{before} to {after}")
        assert (await set_status(desk, mover, before, ref))["status"] == before
        task = await set_status(desk, mover, after, ref)
        assert (task["status"], task.get("statusReason")) == (after, "Because." if after == "wont_do" else None)
        shown = await action(desk, ada, ref)
        held = shown["claim"] is not None and shown["claim"]["state"] == "active"
        assert held == (after == "in_progress"), (before, after)
        assert bool(shown["submissions"]) == ("in_review" in (before, after))
    await check_fold(desk)


@pytest.mark.parametrize("status", STATUSES)
async def test_a_task_is_created_in_every_status(desk, ada, project, planner, status):
    (task,) = await create(desk, planner("1"), "A task", status=status)
    assert task["status"] == status
    answer = await desk.call(
        planner("1"), "scaffold_project_from_plan", name="Second", tasks=[{"key": "a", "label": "A", "status": status}]
    )
    assert (await desk.call(ada, "get_project", project_id=answer["pid"]))["counts"] == {status: 1}


async def test_a_persons_hold_has_no_clock(desk, ada, grace, project):
    await create(desk, ada, "A task")
    await desk.call(ada, "update_action", action_id="PEN-1", state="in_progress")
    desk.clock.forward(400 * 24 * HOUR)
    shown = await action(desk, ada)
    assert (shown["availability"], shown["claim"]["pulse"], shown["claim"]["expiresAt"]) == ("mine", "live", None)
    with refused(AlreadyClaimed) as caught:
        await set_status(desk, grace, "done")
    assert "Ada" in caught.refusal.message


async def test_an_agents_hold_lives_a_day_after_its_last_call(desk, ada, project, planner):
    await create(desk, ada, "A task")
    agent = planner("1")
    await set_status(desk, agent, "in_progress")
    run = await desk.call(agent, "start_agent_run", project_id="PEN", task_id="PEN-1")
    calls = [
        lambda: desk.call(agent, "update_task", task_id="PEN-1", priority=2),
        lambda: desk.call(agent, "record_agent_progress", run_id=run["pid"], message="Half of it."),
        lambda: desk.call(agent, "start_agent_run", project_id="PEN", task_id="PEN-1"),
    ]
    for call in calls:
        desk.clock.forward(23 * HOUR)
        await call()
    desk.clock.forward(23 * HOUR)
    assert (await action(desk, ada))["availability"] == "held"
    desk.clock.forward(HOUR)
    assert (await action(desk, ada))["availability"] == "free"


async def test_what_was_left_for_a_day_is_taken_by_another(desk, ada, grace, project, planner):
    await create(desk, ada, "A task")
    await set_status(desk, planner("1"), "in_progress")
    desk.clock.forward(24 * HOUR)
    assert (await set_status(desk, grace, "in_progress"))["status"] == "in_progress"
    assert (await action(desk, grace))["availability"] == "mine"
    with refused(AlreadyClaimed):
        await set_status(desk, planner("1"), "done")


async def test_its_holder_goes_on_after_a_day(desk, ada, project, planner):
    await create(desk, ada, "A task")
    await set_status(desk, planner("1"), "in_progress")
    fence = (await action(desk, ada))["claim"]["fence"]
    desk.clock.forward(30 * HOUR)
    await set_status(desk, planner("1"), "in_progress")
    assert (await action(desk, ada))["claim"]["fence"] == fence
    assert (await set_status(desk, planner("1"), "done"))["status"] == "done"


@pytest.mark.parametrize("status", STATUSES)
async def test_what_another_session_holds_is_refused(desk, ada, grace, project, planner, status):
    await create(desk, ada, "A task")
    await set_status(desk, planner("1"), "in_progress")
    with refused(HeldByYourOtherSession):
        await set_status(desk, planner("2"), status)
    with refused(HeldByYourOtherSession) as caught:
        await set_status(desk, ada, status)
    assert "Release the claim" in caught.refusal.message_for_person
    for other in (grace, await agent_of(desk, planner, grace)):
        with refused(AlreadyClaimed):
            await set_status(desk, other, status)
    assert (await action(desk, ada))["state"] == "in_progress"


async def test_taking_is_strict_and_writing_is_not_where_nothing_tells_two_terminals_apart(desk, ada, project, planner):
    await create(desk, ada, "A task")
    unmarked = planner("")
    await set_status(desk, unmarked, "in_progress")
    with refused(HeldByYourOtherSession) as caught:
        await set_status(desk, unmarked, "in_progress")
    assert "by you or another terminal of yours" in caught.refusal.message
    assert (await set_status(desk, unmarked, "done"))["status"] == "done"


async def test_taking_it_again_changes_nothing(desk, ada, project, planner):
    await create(desk, ada, "A task")
    await set_status(desk, planner("1"), "in_progress")
    await set_status(desk, planner("1"), "in_progress")
    assert len(await events_of(desk, ada, "action.claimed")) == 1


@pytest.mark.parametrize("status", ["in_progress", "in_review", "done"])
async def test_what_waits_for_others_refuses_an_agent_and_warns_a_person(desk, ada, project, planner, status):
    await create(desk, ada, "First", "Second")
    await desk.call(ada, "create_edge", project_id="PEN", from_task_id="PEN-1", to_task_id="PEN-2")
    with refused(RuleBroken, "prerequisites_open") as caught:
        await set_status(desk, planner("1"), status, "PEN-2")
    assert caught.refusal.message == "PEN-2 waits for: PEN-1 (free). Set PEN-1 to in_progress with update_task first."
    both = planner("1", scopes=TOKEN_SCOPES)
    with refused(RuleBroken, "prerequisites_open") as caught:
        await set_status(desk, both, status, "PEN-2")
    assert caught.refusal.message == "PEN-2 waits for: PEN-1 (free). Claim PEN-1 first."
    moved = await set_status(desk, ada, status, "PEN-2")
    assert (moved["status"], moved["advisory"]) == (status, "It still waits for PEN-1 (free).")


async def test_an_agent_is_not_sent_to_what_its_tools_cannot_take(desk, ada, planner):
    work = await published_spec(desk, ada)
    first = work.actions[0]["refCode"]
    (task,) = await create(desk, ada, "After it")
    await desk.call(ada, "create_edge", project_id="PEN", from_task_id=first, to_task_id=task["pid"])
    with refused(RuleBroken, "prerequisites_open") as caught:
        await set_status(desk, planner("1"), "in_progress", task["pid"])
    assert caught.refusal.message == (
        f"{task['refCode']} waits for: {first} (free). get_next_task gives what can be started now."
    )


async def test_who_holds_a_task_finishes_it_whatever_was_put_before_it_since(desk, ada, project, planner):
    await create(desk, ada, "First", "Second")
    await set_status(desk, planner("1"), "in_progress", "PEN-2")
    await desk.call(ada, "create_edge", project_id="PEN", from_task_id="PEN-1", to_task_id="PEN-2")
    assert (await set_status(desk, planner("1"), "done", "PEN-2"))["status"] == "done"


async def test_holds_take_no_slot(desk, ada, project, planner):
    await create(desk, ada, *(f"Task {number}" for number in range(8)))
    both = planner("1", scopes=TOKEN_SCOPES)
    for number in range(1, 6):
        await set_status(desk, both, "in_progress", f"PEN-{number}")
    you = (await desk.call(both, "list_available_specs"))["you"]
    assert (you["slots"], len(you["holds"])) == (3, 5)
    for number in (6, 7, 8):
        await desk.call(both, "claim_action", action_pid=f"PEN-{number}")
    desk.clock.forward(25 * HOUR)
    await set_status(desk, both, "in_progress", "PEN-1")  # resumed, whatever else is held


async def test_the_building_tools_write_to_a_held_task_too(desk, ada, project, planner):
    await create(desk, ada, "A task")
    both = planner("1", scopes=TOKEN_SCOPES)
    await set_status(desk, both, "in_progress")
    assert (await desk.call(both, "claim_action", action_pid="PEN-1"))["status"] == "started"
    await desk.call(both, "update_progress", action_pid="PEN-1", status="started", message="Began.")
    await desk.call(both, "submit_for_review", action_pid="PEN-1", summary="Done.", pr_url="https://example.com/1")
    assert (await action(desk, ada))["state"] == "in_review"


async def test_in_review_a_person_reviews_it(desk, ada, project, planner):
    await create(desk, ada, "A task")
    agent = planner("1")
    await set_status(desk, agent, "in_progress")
    await desk.call(agent, "update_task", task_id="PEN-1", status="in_review", reason="Look at the colours.")
    (item,) = (await desk.call(ada, "get_inbox"))["items"]
    assert (item["kind"], item["refCode"], item["text"]) == ("review", "PEN-1", "Look at the colours.")
    await desk.call(
        ada, "review_action", action_pid="PEN-1", verdict="changes_requested", summary="Brighter.", items=[]
    )
    following = await desk.call(agent, "get_next_task", project_id="PEN", take=True)
    assert following["why"] == "Ada requested changes: Brighter."
    assert [news["kind"] for news in following["news"]] == ["action.reviewed"]
    whole = await desk.call(agent, "get_task", task_id="PEN-1")
    assert whole["requestedChanges"] == {"by": "Ada", "text": "Brighter."}
    assert (following["task"]["refCode"], following["task"]["status"], following["taken"]) == (
        "PEN-1",
        "in_progress",
        True,
    )
    await set_status(desk, agent, "in_review")
    await desk.call(ada, "review_action", action_pid="PEN-1", verdict="approved", summary="Good.")
    assert (await action(desk, ada))["state"] == "done"


async def test_what_became_of_its_submission_is_news_to_the_agent(desk, ada, project, planner):
    await create(desk, ada, "A task")
    both = planner("1", scopes=TOKEN_SCOPES)
    await set_status(desk, both, "in_review")
    await set_status(desk, ada, "done")
    (news,) = (await desk.call(both, "list_available_specs"))["news"]
    assert news["text"] == "Ada set PEN-1 to done: nothing of it is left to you."


async def test_requested_changes_are_a_reviews(desk, ada, project):
    await create(desk, ada, "A task")
    with refused(RuleBroken, "invalid_transition"):
        await desk.call(ada, "update_action", action_id="PEN-1", state="changes_requested")


async def test_with_criteria_the_tools_that_lead_there_are_named(desk, ada, planner):
    work = await published_spec(desk, ada)
    ref = work.actions[0]["refCode"]
    with refused(RuleBroken, "invalid_transition") as caught:
        await set_status(desk, planner("1", scopes=TOKEN_SCOPES), "in_progress", ref)
    assert "Claim it with claim_action." in caught.refusal.message


async def test_where_a_person_may_put_it(desk, ada, grace, project):
    await create(desk, ada, "A task")
    others = [state.value for state in ActionState if state not in ("todo", "changes_requested")]
    assert (await action(desk, ada))["moves"] == others
    board = await desk.call(ada, "get_board", project_id="PEN")
    (todo,) = (column for column in board["columns"] if column["state"] == "todo")
    assert (todo["taskMoves"], todo["moves"]) == (others, ["backlog", "scope", "wont_do"])
    await set_status(desk, grace, "in_progress")
    assert (await action(desk, ada))["moves"] == []


async def test_what_was_closed_is_said_to_be_open_again(desk, ada, project, planner):
    await create(desk, ada, "A task", status="done")
    assert (await set_status(desk, planner("1"), "in_progress"))["advisory"] == "It was done: this reopened it."
    assert "advisory" not in await set_status(desk, planner("1"), "done")


async def test_the_last_words_of_who_released_it_are_there_for_the_next(desk, ada, grace, project, planner):
    await create(desk, ada, "A task")
    await set_status(desk, planner("1"), "in_progress")
    await desk.call(planner("1"), "update_task", task_id="PEN-1", status="todo", reason="The key is missing.")
    task = await desk.call(grace, "get_task", task_id="PEN-1")
    assert task["leftBehind"] == {"agent": "Claude Code (Ada)", "text": "The key is missing."}


async def test_the_list_says_who_holds_what_and_what_waits_for_what(desk, ada, project, planner):
    await create(desk, ada, "First", "Second")
    await desk.call(ada, "create_edge", project_id="PEN", from_task_id="PEN-1", to_task_id="PEN-2")
    await set_status(desk, planner("1"), "in_progress")
    first, second = (await desk.call(planner("2"), "list_tasks", project_id="PEN"))["tasks"]
    assert (first["availability"], first["heldBy"]) == ("held", "Claude Code")
    assert (second["availability"], second["waitsFor"]) == ("blocked", ["PEN-1"])


async def test_news_comes_once_with_any_planning_call(desk, ada, project, planner):
    await create(desk, ada, "A task", "Another")
    agent = planner("1")
    await set_status(desk, agent, "in_review")
    await desk.call(ada, "review_action", action_pid="PEN-1", verdict="approved", summary="Good.")
    assert "news" not in await desk.call(planner("2"), "list_tasks", project_id="PEN")
    (news,) = (await desk.call(agent, "list_tasks", project_id="PEN"))["news"]
    assert news["text"] == "PEN-1 was approved by Ada. Good."
    assert "news" not in await desk.call(agent, "get_task", task_id="PEN-2")
