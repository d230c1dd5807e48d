import pytest

from pendesk.domain.access import Role
from pendesk.domain.errors import BadField, NotFound
from pendesk.domain.limits import BOARD_CARDS
from tests.desk import MINUTE
from tests.refusals import refused
from tests.workbench import published_spec


def cards(board, state=None):
    return [card for column in board["columns"] if state in (None, column["state"]) for card in column["cards"]]


def refs(board, state=None):
    return [card["refCode"] for card in cards(board, state)]


@pytest.fixture
async def bo(desk):
    return await desk.person("Bo")


@pytest.fixture
async def work(desk, bo):
    return await published_spec(desk, bo, actions=3, criteria=2, chain=True, participants=(bo,))


async def test_cards_stand_in_the_column_of_their_state(desk, bo, work):
    await desk.call(bo, "create_task", project_id=work.project_id, label="An idea", status="backlog")
    await desk.call(bo, "claim_action", action_pid=work.actions[0]["pid"])
    board = await desk.call(bo, "get_board", project_id=work.project_id)
    assert [column["state"] for column in board["columns"]] == [
        *("backlog", "scope", "todo", "in_progress", "in_review", "changes_requested", "done", "wont_do")
    ]
    counts = {column["state"]: column["count"] for column in board["columns"] if column["count"]}
    assert counts == {"backlog": 1, "todo": 2, "in_progress": 1}
    assert board["columns"][2]["moves"] == ["backlog", "scope", "wont_do"]
    assert board["areas"] == ["backend"]
    assert [spec["pid"] for spec in board["specs"]] == [work.spec_id]


async def test_a_card_tells_who_has_it_and_how_the_lease_is_doing(desk, work, bo):
    agent = await desk.person("builder", kind="agent")
    await desk.call(bo, "add_participant", spec_id=work.spec_id, user_id=agent.user_id)
    await desk.call(agent, "claim_action", action_pid=work.actions[0]["pid"], agent_model="model-x")
    for minutes, pulse in ((0, "live"), (16, "quiet"), (15, "expired")):
        desk.clock.forward(minutes * MINUTE)
        [card] = cards(await desk.call(bo, "get_board", project_id=work.project_id), "in_progress")
        holder = card["holder"]
        assert (holder["name"], holder["kind"], holder["agentModel"]) == ("builder", "agent", "model-x")
        assert holder["pulse"] == pulse


async def test_a_card_tells_criteria_blocks_and_questions(desk, bo, work):
    first, second, _ = work.actions
    await desk.call(bo, "claim_action", action_pid=first["pid"])
    passed = {"criterion_id": first["criteria"][0], "outcome": "passed"}
    await desk.call(bo, "report_test_result", action_pid=first["pid"], **passed)
    await desk.call(bo, "request_clarification", action_pid=first["pid"], question="Which?")
    by_ref = {card["refCode"]: card for card in cards(await desk.call(bo, "get_board", project_id=work.project_id))}
    at_work, waiting = by_ref[first["refCode"]], by_ref[second["refCode"]]
    assert (at_work["criteriaDone"], at_work["criteria"], at_work["waiting"], at_work["blocked"]) == (1, 2, 1, 0)
    assert (waiting["blocked"], waiting["waiting"], waiting["holder"]) == (1, 0, None)
    assert at_work["published"] is True


async def test_what_was_added_after_publishing_is_not_published(desk, bo, work):
    made = await desk.call(bo, "create_action", plan_id=work.plan_id, label="Later", criteria=["It holds"])
    board = await desk.call(bo, "get_board", project_id=work.project_id, query="later")
    assert [(card["refCode"], card["published"]) for card in cards(board)] == [(made["refCode"], False)]


@pytest.mark.parametrize(
    ("narrowed", "expected"),
    [
        ({"query": "action 2"}, [1]),
        ({"query": "ACTION"}, [0, 1, 2]),
        ({"query": "100%"}, []),
        ({"query": "_"}, []),
        ({"area": "backend"}, [0, 1, 2]),
        ({"area": "ui"}, []),
        ({"spec_id": "none"}, []),
        ({"mark": "blocked"}, [1, 2]),
        ({"mark": "waiting"}, [0]),
        ({"mark": "expired"}, []),
        ({"holder": "none"}, [1, 2]),
    ],
)
async def test_it_can_be_narrowed(desk, bo, work, narrowed, expected):
    await desk.call(bo, "claim_action", action_pid=work.actions[0]["pid"])
    await desk.call(bo, "request_clarification", action_pid=work.actions[0]["pid"], question="Which?")
    board = await desk.call(bo, "get_board", project_id=work.project_id, **narrowed)
    assert sorted(refs(board)) == [work.actions[index]["refCode"] for index in expected]
    assert sum(column["count"] for column in board["columns"]) == len(expected)


async def test_by_holder_by_spec_and_by_ref(desk, bo, work):
    first = work.actions[0]
    await desk.call(bo, "claim_action", action_pid=first["pid"])
    for narrowed in ({"holder": bo.user_id}, {"query": first["refCode"].lower()}):
        board = await desk.call(bo, "get_board", project_id=work.project_id, **narrowed)
        assert refs(board) == [first["refCode"]]
    board = await desk.call(bo, "get_board", project_id=work.project_id, spec_id=work.spec_id)
    assert len(refs(board)) == 3
    assert [one["pid"] for one in board["holders"]] == [bo.user_id]


async def test_order_is_by_priority_unless_asked_otherwise(desk, bo):
    project = await desk.call(bo, "create_project", name="Order")
    made = []
    for priority in (0, 5, 1):
        desk.clock.forward(MINUTE)
        task = {"label": f"P{priority}", "priority": priority}
        made.append((await desk.call(bo, "create_task", project_id=project["pid"], **task))["refCode"])
    one, two, three = made
    for order, expected in (("priority", [two, three, one]), ("newest", [three, two, one]), ("ref", made)):
        assert refs(await desk.call(bo, "get_board", project_id=project["pid"], order=order)) == expected


async def test_a_long_column_shows_its_first_cards_and_the_next_ones_when_asked(desk, bo):
    tasks = [{"key": f"t{number}", "label": f"Task {number}"} for number in range(120)]
    project = await desk.call(bo, "scaffold_project_from_plan", name="Long", tasks=tasks)
    for shown, expected, more in (("", BOARD_CARDS, True), ("todo:100", 100, True), ("done:100,todo:150", 120, False)):
        board = await desk.call(bo, "get_board", project_id=project["key"], shown=shown)
        todo = board["columns"][2]
        assert (todo["count"], len(todo["cards"]), todo["more"]) == (120, expected, more)
        assert len(set(refs(board))) == expected


@pytest.mark.parametrize("shown", ["todo", "todo:x", "todo:100,", "nowhere:100", "todo:-1", "todo:100000"])
async def test_what_is_to_be_shown_is_refused_unless_it_is_states_with_numbers(desk, bo, work, shown):
    with refused(BadField, None, "shown"):
        await desk.call(bo, "get_board", project_id=work.project_id, shown=shown)


async def test_a_viewer_may_look_and_an_unknown_project_is_not_there(desk, work):
    eve = await desk.person("Eve", Role.VIEWER)
    assert await desk.call(eve, "get_board", project_id=work.project_id)
    with refused(NotFound):
        await desk.call(eve, "get_board", project_id="NONE")


async def test_a_card_says_which_changes_were_requested_and_by_whom(desk, ada, bo, work):
    about = {"action_pid": work.actions[0]["pid"]}
    await desk.call(bo, "claim_action", **about)
    await desk.call(bo, "submit_for_review", pr_url="https://example.com/1", summary="Done.", **about)
    changes = {"verdict": "changes_requested", "summary": "Nearly.", "items": [{"text": "Name the field."}]}
    await desk.call(ada, "review_action", **changes, **about)
    board = await desk.call(bo, "get_board", project_id=work.project_id)
    (column,) = [column for column in board["columns"] if column["state"] == "changes_requested"]
    assert [card["requested"] for card in column["cards"]] == [{"by": "Ada", "text": "Name the field."}]


async def test_what_is_done_is_never_blocked(desk, ada, bo, work):
    """Its prerequisite was dropped, or opened again, after it was done."""
    tasks = [
        (await desk.call(ada, "create_task", project_id=work.project_id, label=label))["pid"] for label in ("A", "B")
    ]
    await desk.call(ada, "update_task", task_id=tasks[1], status="done")
    await desk.call(
        ada, "create_edge", project_id=work.project_id, from_task_id=tasks[0], to_task_id=tasks[1], label="blocks"
    )
    board = await desk.call(bo, "get_board", project_id=work.project_id)
    done = [card for column in board["columns"] if column["state"] == "done" for card in column["cards"]]
    assert [card["blocked"] for card in done] == [0]
    marked = await desk.call(bo, "get_board", project_id=work.project_id, mark="blocked")
    assert "done" not in {column["state"] for column in marked["columns"] if column["count"]}
