"""Assignee, due date, priority by name and labels: by every tool that writes an action, on both engines."""

import asyncio
import threading
from typing import Any

import pytest

from pendesk.domain.access import TOKEN_SCOPES, Role
from pendesk.domain.errors import BadField, RuleBroken
from pendesk.operations.actions import update_action
from pendesk.operations.actions.find import find_and_lock_action
from tests.desk import START
from tests.events import events_of
from tests.refusals import refused
from tests.workbench import next_door, published_spec

FIELDS = {"assignee": "Grace", "due": "2026-12-01", "labels": ["UI", "bug"], "priority": "high"}
LOCK_SHOWN_S = 0.5
SHOWN = {"due": "2026-12-01", "labels": ["bug", "ui"], "priority": 200, "priorityName": "high"}


@pytest.fixture
def agent(terminal):
    return terminal(process="1")._replace(scopes=TOKEN_SCOPES)


@pytest.fixture
async def task(desk, ada, grace, project):
    return await desk.call(ada, "create_task", project_id="PEN", label="A task")


def fields_of(answer):
    return {name: answer.get(name) for name in SHOWN}


async def test_a_task_is_created_with_them_and_shows_them(desk, ada, grace, project):
    created = await desk.call(ada, "create_task", project_id="PEN", label="x", **FIELDS)
    assert fields_of(created) == SHOWN
    assert created["assignee"] == {"name": "Grace", "kind": "person"}


async def test_what_is_not_set_is_left_out(desk, ada, task):
    assert not {"assignee", "due", "labels", "priority", "priorityName"} & set(task)


async def test_a_task_is_changed_and_cleared(desk, ada, task):
    changed = await desk.call(ada, "update_task", task_id="PEN-1", **FIELDS)
    assert fields_of(changed) == SHOWN
    assert changed["revision"] == 1
    kept = await desk.call(ada, "update_task", task_id="PEN-1", label="Another")
    assert fields_of(kept) == SHOWN
    cleared = await desk.call(ada, "update_task", task_id="PEN-1", assignee="", due="", labels=[], priority="none")
    assert not {"assignee", "due", "labels", "priority", "priorityName"} & set(cleared)


async def test_an_action_takes_and_shows_them_with_the_assignees_pid(desk, ada, grace, project):
    created = await desk.call(ada, "create_action", project_id="PEN", label="x", **FIELDS)
    read = await desk.call(ada, "get_action", action_id="PEN-1")
    (listed,) = (await desk.call(ada, "list_actions", project_id="PEN"))["actions"]
    for answer in (created, read, listed):
        assert fields_of(answer) == SHOWN
        assert answer["assignee"] == {"name": "Grace", "kind": "person", "pid": grace.user_id}
    none = await desk.call(ada, "update_action", action_id="PEN-1", assignee="none")
    assert "assignee" not in none


async def test_a_plan_takes_them(desk, ada, grace):
    tasks = [{"key": "a", "label": "A", **FIELDS}]
    planned = await desk.call(ada, "scaffold_project_from_plan", name="Planned", tasks=tasks)
    read = await desk.call(ada, "get_action", action_id=planned["key_to_id"]["a"])
    assert fields_of(read) == SHOWN
    assert read["assignee"]["name"] == "Grace"


async def test_a_plan_is_told_all_that_is_wrong_with_them_at_once(desk, ada):
    wrong = {"assignee": "Nobody Known", "due": "soon", "labels": ['"']}
    tasks = [{"key": name, "label": "x", name: value} for name, value in wrong.items()]
    with refused(RuleBroken, "bad_plan") as caught:
        await desk.call(ada, "scaffold_project_from_plan", name="Planned", tasks=tasks)
    faults = [fault["field"] for fault in caught.refusal.details["faults"]]
    assert faults == ["tasks[0].assignee", "tasks[1].due", "tasks[2].labels"]


@pytest.mark.parametrize(("priority", "name"), [("urgent", "urgent"), (0, None), (999, "urgent"), (1, "low")])
async def test_a_priority_is_a_name_or_a_number(desk, ada, task, priority, name):
    assert (await desk.call(ada, "update_task", task_id="PEN-1", priority=priority)).get("priorityName") == name


@pytest.mark.parametrize("priority", ["highest", "", 1001, -1, 1.5])
async def test_another_priority_is_refused(desk, ada, task, priority):
    with refused(BadField) as caught:
        await desk.call(ada, "update_task", task_id="PEN-1", priority=priority)
    assert caught.refusal.details["field"] == "priority"


async def test_an_assignee_is_named_by_name_in_any_case_by_email_or_by_pid(desk, ada, grace, task):
    (email,) = [row["email"] for row in (await desk.call(ada, "list_members"))["members"] if row["name"] == "Grace"]
    for text in ("Grace", " grace ", email.upper(), grace.user_id):
        await desk.call(ada, "update_task", task_id="PEN-1", assignee="none")
        assert (await desk.call(ada, "update_task", task_id="PEN-1", assignee=text))["assignee"]["name"] == "Grace"


async def test_me_is_the_agent_for_an_agent_and_the_person_for_a_person(desk, ada, agent, task):
    by_agent = await desk.call(agent, "update_task", task_id="PEN-1", assignee="me")
    assert by_agent["assignee"] == {"name": "Claude Code on ada-laptop", "kind": "agent"}
    by_person = await desk.call(ada, "update_task", task_id="PEN-1", assignee="me")
    assert by_person["assignee"] == {"name": "Ada", "kind": "person"}


async def test_an_agent_is_named_by_its_name(desk, ada, agent, task):
    await desk.call(agent, "update_task", task_id="PEN-1", label="A first write, which makes the agent known")
    named = await desk.call(ada, "update_task", task_id="PEN-1", assignee="claude code on ADA-laptop")
    assert named["assignee"]["kind"] == "agent"


async def test_an_unknown_name_is_refused_with_names_like_it(desk, ada, task):
    with refused(BadField) as caught:
        await desk.call(ada, "update_task", task_id="PEN-1", assignee="Grase")
    assert "Name one of: Grace" in caught.refusal.message


async def test_a_name_of_two_is_refused_and_each_can_be_named_by_pid(desk, ada, task):
    others = [await desk.person("Alan"), await desk.person("Alan")]
    with refused(BadField) as caught:
        await desk.call(ada, "update_task", task_id="PEN-1", assignee="Alan")
    for other in others:
        assert other.user_id in caught.refusal.message
        await desk.call(ada, "update_task", task_id="PEN-1", assignee=other.user_id)


async def test_nobody_of_another_workspace_can_be_assigned(desk, ada, task):
    stranger = await (await next_door(desk)).person("Stranger")
    for text in ("Stranger", stranger.user_id):
        with refused(BadField) as caught:
            await desk.call(ada, "update_task", task_id="PEN-1", assignee=text)
        assert "Stranger" not in caught.refusal.message.replace(f'"{text}"', "")


async def test_a_change_is_in_the_log_with_ids_and_beside_an_edit_of_texts(desk, ada, grace, task):
    await desk.call(ada, "update_task", task_id="PEN-1", label="New", **FIELDS)
    (event,) = await events_of(desk, ada, "action.edited")
    place = event["data"]["place"]
    assert place["before"] == {"priority": 0, "assignee": None, "due": None, "labels": []}
    assert place["after"] == {"priority": 200, "assignee": grace.user_id, "due": "2026-12-01", "labels": ["bug", "ui"]}
    assert event["data"]["fields"] == ["action.label"]


async def test_a_removed_member_is_assigned_nothing_and_the_log_says_so(desk, ada, grace, project):
    owner = await desk.person("Owner", Role.OWNER)
    done = await desk.call(ada, "create_task", project_id="PEN", label="x", assignee="Grace", status="done")
    await desk.call(ada, "create_task", project_id="PEN", label="y", assignee="Grace")
    await desk.call(owner, "remove_member", user_pid=grace.user_id)
    for ref in (done["refCode"], "PEN-2"):
        assert "assignee" not in await desk.call(ada, "get_action", action_id=ref)
    removals = [event["data"]["place"] for event in await events_of(desk, ada, "action.edited")]
    assert [change["after"] for change in removals] == [{"assignee": None}] * 2
    with refused(BadField):
        await desk.call(ada, "update_task", task_id="PEN-2", assignee=grace.user_id)


async def test_the_agents_of_a_removed_member_are_assigned_nothing(desk, ada, agent, grace, project):
    owner = await desk.person("Owner", Role.OWNER)
    await desk.call(agent, "create_task", project_id="PEN", label="x", assignee="me")
    await desk.call(owner, "remove_member", user_pid=ada.user_id)
    assert "assignee" not in await desk.call(grace, "get_action", action_id="PEN-1")


async def test_many_assigned_actions_do_not_hinder_a_removal(desk, ada, grace, project):
    owner = await desk.person("Owner", Role.OWNER)
    tasks = [{"key": str(number), "label": "x", "assignee": "Grace"} for number in range(30)]
    await desk.call(ada, "scaffold_project_from_plan", name="Many", tasks=tasks)
    await desk.call(owner, "remove_member", user_pid=grace.user_id)
    assert len(await events_of(desk, ada, "action.edited")) == 30


async def test_who_is_assigned_while_they_are_removed_is_not_left_behind(desk, ada, grace, task, monkeypatch):
    """The removal comes between the look at who is assigned and the write; it has to wait for both."""
    if desk.store.engine == "sqlite":
        pytest.skip("one writer at a time: nothing comes between")
    owner = await desk.person("Owner", Role.OWNER)
    looked, removed = threading.Event(), threading.Event()

    def lock_action_after_removal(call, action_id):
        looked.set()
        removed.wait(LOCK_SHOWN_S)  # in vain, if the removal waits for us
        return find_and_lock_action(call, action_id)

    monkeypatch.setattr(update_action, "find_and_lock_action", lock_action_after_removal)
    assigning = asyncio.create_task(desk.call(ada, "update_task", task_id="PEN-1", assignee="Grace"))
    await asyncio.to_thread(looked.wait)
    await desk.call(owner, "remove_member", user_pid=grace.user_id)
    removed.set()
    await assigning
    assert "assignee" not in await desk.call(ada, "get_action", action_id="PEN-1")


async def test_the_next_task_is_the_callers_own_then_nobodys_then_anothers(desk, ada, agent, grace, project):
    for label, assignee in (("others", "Grace"), ("nobodys", ""), ("own", "me")):
        await desk.call(agent, "create_task", project_id="PEN", label=label, assignee=assignee)
    for expected in ("own", "nobodys", "others"):
        answer = await desk.call(agent, "get_next_task", project_id="PEN")
        assert answer["task"]["label"] == expected
        await desk.call(agent, "update_task", task_id=answer["task"]["pid"], status="done")


async def test_available_work_is_in_that_order_and_names_the_assignee(desk, ada, grace, agent):
    work = await published_spec(desk, ada, actions=4)
    refs = [action["refCode"] for action in work.actions]
    await desk.call(ada, "update_action", action_id=refs[0], assignee="Grace")
    await desk.call(ada, "update_action", action_id=refs[2], due="2026-12-01")
    await desk.call(ada, "update_action", action_id=refs[3], assignee="Ada")
    (spec,) = (await desk.call(agent, "list_available_specs"))["specs"]
    assert [row["refCode"] for row in spec["actions"]] == [refs[3], refs[2], refs[1], refs[0]]
    assert spec["actions"][-1]["assignee"] == {"name": "Grace", "kind": "person"}
    assert spec["actions"][1]["due"] == "2026-12-01"


async def test_work_outside_specs_is_in_that_order_even_behind_many_others(desk, ada, agent, project):
    tasks = [{"key": str(number), "label": f"Task {number}"} for number in range(80)]
    await desk.call(ada, "scaffold_project_from_plan", name="Many", tasks=tasks)
    (key,) = [row["key"] for row in (await desk.call(ada, "list_projects"))["projects"] if row["name"] == "Many"]
    await desk.call(agent, "update_task", task_id=f"{key}-79", assignee="me")
    await desk.call(ada, "update_task", task_id=f"{key}-80", assignee="Ada", priority="urgent")
    (group,) = (await desk.call(agent, "list_available_specs"))["otherActions"]
    assert [row["refCode"] for row in group["actions"][:3]] == [f"{key}-80", f"{key}-79", f"{key}-1"]


async def test_what_is_anothers_can_be_claimed_and_the_answer_names_them(desk, ada, grace, agent):
    work = await published_spec(desk, ada, actions=2)
    first, second = (action["refCode"] for action in work.actions)
    await desk.call(ada, "update_action", action_id=first, assignee="Grace")
    await desk.call(ada, "update_action", action_id=second, assignee="Ada")
    others = await desk.call(agent, "claim_action", action_pid=first)
    assert (others["status"], others["assignee"]["name"]) == ("started", "Grace")
    assert others["next_step"].startswith("It is assigned to another")
    own = await desk.call(agent, "claim_action", action_pid=second)
    assert own["next_step"].startswith("Call get_action_brief")


async def test_a_board_and_a_list_are_narrowed_and_sorted_by_them(desk, ada, grace, agent, project):
    day = "2027-01-15"
    assert START == 1_800_000_000_000_000  # on that day
    tasks: dict[str, dict[str, Any]] = {
        "overdue": {"due": "2027-01-14", "assignee": "Grace", "labels": ["bug", "ui_100%"]},
        "today": {"due": day, "assignee": "Ada"},
        "week": {"due": "2027-01-21", "labels": ["bugs"]},
        "later": {"due": "2027-01-22"},
        "bare": {},
    }
    for label, fields in tasks.items():
        await desk.call(ada, "create_task", project_id="PEN", label=label, **fields)
    await desk.call(agent, "update_task", task_id="PEN-4", assignee="me")
    await desk.call(ada, "create_task", project_id="PEN", label="past", due="2020-01-01", status="done")

    async def labels(**filters):
        answer = await desk.call(ada, "list_cards", project_id="PEN", **filters)
        board = await desk.call(ada, "get_board", project_id="PEN", **{**filters, "order": "ref"})
        on_board = {card["label"] for column in board["columns"] for card in column["cards"]}
        assert {card["label"] for card in answer["cards"]} == on_board
        assert answer["count"] == len(on_board)
        return [card["label"] for card in answer["cards"]]

    assert await labels(assignee=grace.user_id) == ["overdue"]
    assert await labels(assignee="me") == ["today"]
    assert await labels(assignee="none") == ["week", "bare", "past"]
    assert await labels(label="bug") == ["overdue"]
    assert await labels(label="Bugs") == ["week"]
    assert await labels(label="ui_100%") == ["overdue"]
    assert await labels(label="%") == []
    assert await labels(due="overdue") == ["overdue"]
    assert await labels(due="week") == ["today", "week"]
    assert await labels(due="none") == ["bare"]
    assert await labels(order="due") == ["past", "overdue", "today", "week", "later", "bare"]


async def test_a_card_shows_them_and_what_a_board_can_be_narrowed_to(desk, ada, grace, agent, project):
    await desk.call(ada, "create_task", project_id="PEN", label="x", **{**FIELDS, "due": "2027-01-14"})
    await desk.call(agent, "create_task", project_id="PEN", label="y", assignee="me", labels=["bug"])
    answer = await desk.call(ada, "list_cards", project_id="PEN")
    first, second = answer["cards"]
    assert (first["due"], first["overdue"], first["labels"]) == ("2027-01-14", True, ["bug", "ui"])
    assert first["assignee"] == {"name": "Grace", "kind": "person", "pid": grace.user_id}
    assert second["assignee"]["kind"] == "agent"
    assert answer["labels"] == ["bug", "ui"]
    assert [row["name"] for row in answer["assignees"]] == ["Grace", "Claude Code on ada-laptop of Ada"]
