"""get_next_task: through the dispatcher, on the records as they are."""

import asyncio

from pendesk.domain.access import PLANNING_SCOPES, Role, Scope
from pendesk.domain.edge import Edge
from pendesk.domain.errors import Forbidden, NotFound
from pendesk.domain.limits import BLOCKED_SHOWN, NEXT_TASK_CHARS, WAITING_ON_SHOWN
from pendesk.ids import new_id
from pendesk.operations.actions.next_task_choice import load_task_choices
from pendesk.operations.availability import related_actions
from pendesk.operations.operation import Call
from pendesk.store import actions, edges, projects
from tests.refusals import refused
from tests.workbench import drafted_spec, published_spec


async def tasks(desk, ada, *changes):
    for number, change in enumerate(changes, 1):
        await desk.call(ada, "create_task", project_id="PEN", label=f"Task {number}", **change)


async def after(desk, ada, first, then):
    await desk.call(ada, "create_edge", project_id="PEN", from_task_id=f"PEN-{first}", to_task_id=f"PEN-{then}")


async def ask(desk, ada):
    return await desk.call(ada, "get_next_task", project_id="PEN")


async def test_an_empty_project_has_no_tasks(desk, ada, project):
    told = await ask(desk, ada)
    assert (told["task"], told["reason"], told["blocked"]) == (None, "no_tasks", [])
    assert "scaffold_project_from_plan" in told["why"]


async def test_nothing_is_ready(desk, ada, project):
    await tasks(desk, ada, {"status": "backlog"}, {"status": "done"})
    assert (await ask(desk, ada))["reason"] == "no_todo_tasks"


async def test_one_after_the_other(desk, ada, project):
    await tasks(desk, ada, {}, {"priority": 9, "description": "Second."})
    await after(desk, ada, 1, 2)
    told = await ask(desk, ada)
    assert (told["task"]["refCode"], told["reason"]) == ("PEN-1", "ok")
    assert told["blocked"] == [{"refCode": "PEN-2", "label": "Task 2", "waiting_on": ["PEN-1"]}]
    await desk.call(ada, "update_task", task_id="PEN-1", status="done")
    told = await ask(desk, ada)
    assert (told["task"]["refCode"], told["task"]["description"]) == ("PEN-2", "Second.")
    assert told["why"] == "It is the only task that can begin now."
    assert told["next_step"] == "Take it: call this with take: true, or update_task with status in_progress."


async def test_all_wait_for_what_is_under_way(desk, ada, grace, project):
    await tasks(desk, ada, {}, {})
    await after(desk, ada, 1, 2)
    await desk.call(grace, "claim_action", action_pid="PEN-1")
    told = await ask(desk, ada)
    assert (told["task"], told["reason"], told["blockedCount"]) == (None, "all_blocked", 1)
    assert told["why"] == ("No task can be taken now: 1 wait for others; 1 are held by others.")


async def test_what_frees_most_comes_first(desk, ada, project):
    await tasks(desk, ada, {}, {}, {}, {})
    await after(desk, ada, 2, 3)
    await after(desk, ada, 3, 4)
    told = await ask(desk, ada)
    assert told["task"]["refCode"] == "PEN-2"
    assert "2 tasks wait for it" in told["why"]


async def test_what_is_chosen_can_be_claimed(desk, ada, project):
    await tasks(desk, ada, {}, {}, {"priority": 2})
    await after(desk, ada, 1, 3)
    while (told := await ask(desk, ada))["reason"] == "ok":
        await desk.call(ada, "claim_action", action_pid=told["task"]["pid"])
        await desk.call(ada, "release_action", action_pid=told["task"]["pid"])
        await desk.call(ada, "update_task", task_id=told["task"]["pid"], status="done")
    assert told["reason"] == "no_todo_tasks"


async def test_it_says_when_nobody_can_claim_it_yet(desk, ada):
    work = await drafted_spec(desk, ada, actions=2, chain=True)
    told = await ask(desk, ada)
    assert (told["task"], told["reason"]) == (None, "all_blocked")
    assert "in specs that are not published" in told["why"]
    assert (told["blocked"], told["blockedCount"]) == ([], 0)
    await desk.call(ada, "publish_build", spec_id=work.spec_id)
    assert (await ask(desk, ada))["reason"] == "ok"
    await desk.call(ada, "update_project", project_id="PEN", state="paused")
    assert "until a person activates the project" in (await ask(desk, ada))["why"]


async def test_taking_it_gives_each_caller_another(desk, ada, grace, project):
    await tasks(desk, ada, {"priority": 5}, {}, {})
    refs = []
    for caller in (ada, grace, ada):
        told = await desk.call(caller, "get_next_task", project_id="PEN", take=True)
        refs.append((told["task"]["refCode"], told["task"]["status"], "taken" in told))
    # Who holds one goes on with it.
    assert refs == [("PEN-1", "in_progress", True), ("PEN-2", "in_progress", True), ("PEN-1", "in_progress", False)]


async def test_many_at_once_take_one_each(desk, project, ada):
    await tasks(desk, ada, *[{}] * 8)
    people = [await desk.person(f"Person {number}") for number in range(8)]
    told = await asyncio.gather(*(desk.call(person, "get_next_task", project_id="PEN", take=True) for person in people))
    assert sorted(one["task"]["refCode"] for one in told) == [f"PEN-{number}" for number in range(1, 9)]


async def test_reading_alone_takes_nothing(desk, ada, project):
    viewer = await desk.person("Vera", Role.VIEWER)
    reader = ada._replace(scopes=frozenset({Scope.DESK_READ}))
    await tasks(desk, ada, {})
    for caller in (viewer, reader):
        assert (await ask(desk, caller))["task"]["refCode"] == "PEN-1"
        with refused(Forbidden):
            await desk.call(caller, "get_next_task", project_id="PEN", take=True)
    assert "next_step" not in (await ask(desk, reader))


async def test_who_only_plans_gets_no_action_with_criteria(desk, ada):
    work = await published_spec(desk, ada)
    planner = ada._replace(scopes=PLANNING_SCOPES)
    told = await desk.call(planner, "get_next_task", project_id="PEN", take=True)
    assert (told["task"], told["reason"]) == (None, "all_blocked")
    assert "have criteria, so agents with the building tools claim them" in told["why"]
    told = await desk.call(ada, "get_next_task", project_id="PEN", take=True)
    assert (told["task"]["refCode"], told["taken"]) == (work.actions[0]["refCode"], True)
    assert told["next_step"] == "Read get_action_brief, build it, then submit_for_review."


async def test_the_answer_is_short(desk, ada, project):
    await tasks(desk, ada, *[{"description": "What to do, and why. " * 100}] * 20)
    for number in range(2, 21):
        await after(desk, ada, 1, number)
    told = await ask(desk, ada)
    assert len(told["task"]["description"]) == NEXT_TASK_CHARS + 1
    assert (len(told["blocked"]), told["blockedCount"]) == (BLOCKED_SHOWN, 19)


async def test_no_such_project(desk, ada):
    with refused(NotFound):
        await desk.call(ada, "get_next_task", project_id="PEN")


async def test_five_thousand_tasks(desk, ada, project):
    """Whole through the dispatcher within a second, and the answer stays short."""
    first_task = await desk.call(ada, "create_task", project_id="PEN", label="The first")
    ids = [new_id() for _ in range(5000)]

    def fill(tx):
        facts = actions.facts(tx, first_task["pid"])
        assert facts is not None
        known = facts.action
        for number, each in enumerate(ids, 2):
            actions.add(tx, known._replace(id=each, ref_number=number, label=f"Task {number}"))
        for number, each in enumerate(ids):
            for step in (1, 10, 100):
                if number >= step:
                    first = ids[number - step]
                    edge = Edge(new_id(), known.project_id, first, each, "blocks", None, first, each, ada.user_id, 0)
                    edges.add(tx, edge)

    await desk.store.write(desk.workspace, fill)
    told = await ask(desk, ada)
    assert told["task"]["refCode"] == "PEN-2"
    assert told["blockedCount"] == 4999
    assert len(told["blocked"]) == BLOCKED_SHOWN
    assert all(len(one["waiting_on"]) <= WAITING_ON_SHOWN for one in told["blocked"])


async def test_what_is_chosen_from_stands_as_every_list_says(desk, ada, grace, project, terminal):
    """Read in bulk here, and one by one there; the rule is one."""
    work = await published_spec(desk, ada, actions=6, chain=False)
    agent, other = terminal(process="1"), terminal(process="2")
    first, second, third, *_ = [action["pid"] for action in work.actions]
    await desk.call(agent, "claim_action", action_pid=first)
    await desk.call(other, "claim_action", action_pid=second)
    await desk.call(ada, "add_participant", spec_id=work.spec_id, user_id=grace.user_id)
    await desk.call(grace, "claim_action", action_pid=third)
    for number in range(3):
        await desk.call(ada, "create_task", project_id=work.project_id, label=f"Plain {number}")
    drafted = {"spec_id": work.spec_id, "label": "Not published", "criteria": ["It works"]}
    await desk.call(ada, "create_action", state="todo", **drafted)

    def compare(caller):
        def read(tx):
            call = Call(tx, caller, desk.dispatcher.installation, in_thread=True)
            found = projects.by_id(tx, work.project_id)
            assert found is not None
            chosen_from = load_task_choices(call, found).availability
            return chosen_from, {
                ident: action.availability for ident, action in related_actions(call, list(chosen_from)).items()
            }

        return read

    for caller in (agent, other, grace, ada):
        in_bulk, one_by_one = await desk.store.read(desk.workspace, compare(caller))
        assert in_bulk == one_by_one
        assert len(in_bulk) == 10
