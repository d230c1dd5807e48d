"""What changed, put into what was there, is the board as it is."""

import pytest

from pendesk.domain.access import Role
from pendesk.domain.errors import NotFound
from pendesk.domain.limits import BOARD_CARDS, BOARD_CHANGES
from tests.desk import MINUTE
from tests.refusals import refused
from tests.workbench import published_spec


@pytest.fixture
async def bo(desk):
    return await desk.person("Bo")


@pytest.fixture
async def work(desk, bo):
    return await published_spec(desk, bo, actions=4, criteria=1, chain=True, participants=(bo,))


class Reader:
    """Somebody who has a board on the screen, and asks for what has changed."""

    def __init__(self, desk, actor, project_id, **narrowed):
        self.desk, self.actor = desk, actor
        self.narrowed = {"project_id": project_id, **narrowed}

    async def read(self):
        position = await self.desk.dispatcher.call(self.actor, "follow_events", {})
        self.known = {"after": position.seq, "read_at": position.now}
        board = await self.desk.call(self.actor, "get_board", **self.narrowed)
        self.columns, self.head = columns_of(board), head_of(board)
        return self

    async def changes(self):
        return await self.desk.call(self.actor, "get_board_changes", **self.narrowed, **self.known)

    async def follow(self):
        """The refs of the cards that came; None where the board was to be read anew. It then is what it should be."""
        changes = await self.changes()
        before = {card["pid"]: card for column in self.columns for card in column["cards"]}
        await self.read()
        if "columns" not in changes:
            return None
        known = before | {card["pid"]: shown(card) for card in changes.get("changed", [])}
        put_together = [
            column | {"cards": [known[place["pid"]] for place in column["cards"]]} for column in changes["columns"]
        ]
        assert put_together == self.columns
        assert head_of(changes) == self.head
        return {card["refCode"] for card in changes.get("changed", [])}


def head_of(board):
    return {name: board.get(name) for name in ("project", "spec", "groups")}


def columns_of(board):
    return [column | {"cards": [shown(card) for card in column["cards"]]} for column in board["columns"]]


def shown(card):
    """What a card says. Who holds it was last seen by calls that leave no event, which it does not say."""
    return {name: value for name, value in card.items() if name != "heldBy"}


async def test_where_nothing_has_changed_no_card_comes(desk, bo, work):
    reader = await Reader(desk, bo, work.project_id).read()
    assert await reader.follow() == set()


async def test_of_progress_only_its_own_card_comes(desk, bo, work):
    first = work.actions[0]
    await desk.call(bo, "claim_action", action_pid=first["pid"])
    reader = await Reader(desk, bo, work.project_id).read()
    desk.clock.forward(MINUTE)
    await desk.call(bo, "update_progress", action_pid=first["pid"], status="started", message="On it.")
    assert await reader.follow() == {first["refCode"]}


async def test_a_card_that_moves_comes_with_those_that_wait_for_it(desk, bo, work):
    reader = await Reader(desk, bo, work.project_id).read()
    await desk.call(bo, "claim_action", action_pid=work.actions[0]["pid"])
    assert await reader.follow() == {action["refCode"] for action in work.actions}
    other = await desk.call(bo, "create_task", project_id=work.project_id, label="Alone")
    assert await reader.follow() == {other["refCode"]}
    await desk.call(bo, "update_task", task_id=other["pid"], status="done")
    assert await reader.follow() == {other["refCode"]}


async def test_the_board_is_right_after_whatever_happens(desk, ada, bo, work):
    """Those who watch it narrowed, or in another order, too."""
    views = [
        {},
        {"order": "newest"},
        {"mark": "blocked"},
        {"mark": "waiting"},
        {"query": "action 2"},
        {"holder": "none"},
        {"spec_id": work.spec_id},
        *({"group": group} for group in ("spec", "agent", "person", "label")),
    ]
    readers = [await Reader(desk, ada, work.project_id, **narrowed).read() for narrowed in views]
    first, second, third, fourth = (action["pid"] for action in work.actions)
    task = await desk.call(bo, "create_task", project_id=work.project_id, label="A task")
    asked = {}

    async def ask():
        asked.update(await desk.call(bo, "request_clarification", action_pid=first, question="Which?"))

    async def answer():
        await desk.call(ada, "answer_question", clarification_pid=asked["pid"], answer="This one.")

    submission = {"pr_url": "https://example.com/1", "summary": "Done."}
    steps = [
        lambda: desk.call(bo, "claim_action", action_pid=first),
        lambda: desk.call(bo, "get_action_brief", action_pid=first),
        ask,
        answer,
        lambda: desk.call(ada, "update_action", action_id=second, label="Action 2 anew", priority=5),
        lambda: desk.call(ada, "update_action", action_id=third, due="2027-01-16", labels=["late"]),
        lambda: desk.call(ada, "update_task", task_id=task["pid"], status="done"),
        lambda: desk.call(ada, "create_criterion", action_id=fourth, text="One more"),
        lambda: desk.call(bo, "submit_for_review", action_pid=first, **submission),
        lambda: desk.call(
            ada,
            *("review_action",),
            action_pid=first,
            verdict="changes_requested",
            summary="Nearly.",
            items=[{"text": "Name it."}],
        ),
        lambda: desk.call(bo, "claim_action", action_pid=first),
        lambda: desk.call(bo, "release_action", action_pid=first),
        lambda: desk.call(ada, "update_action", action_id=fourth, state="wont_do", reason="Not needed."),
        lambda: desk.call(ada, "delete_action", action_id=task["pid"]),
        lambda: desk.call(ada, "update_project", project_id=work.project_id, state="paused"),
    ]
    came = []
    for step in steps:
        desk.clock.forward(MINUTE // 10)
        await step()
        came.append([await reader.follow() for reader in readers])
    assert came[-1] == [None] * len(views)
    assert sum(refs is not None for refs in (each[0] for each in came)) >= 10


@pytest.mark.parametrize("minutes", [3, 6, 16, 31])
async def test_a_lease_that_nobody_renews_changes_its_card_without_an_event(desk, bo, work, minutes):
    """It ages, says quiet at half of it, and when it has run out those that wait for the action come too."""
    await desk.call(bo, "claim_action", action_pid=work.actions[0]["pid"])
    reader = await Reader(desk, bo, work.project_id).read()
    desk.clock.forward(minutes * MINUTE)
    came = await reader.follow()
    assert came is not None
    assert work.actions[0]["refCode"] in came
    assert (len(came) > 1) == (minutes == 31)


async def test_at_midnight_the_board_is_read_anew(desk, bo, work):
    reader = await Reader(desk, bo, work.project_id).read()
    desk.clock.forward(24 * 60 * MINUTE)
    assert await reader.follow() is None


async def test_what_others_do_elsewhere_brings_nothing_and_a_renamed_member_all(desk, bo, work):
    reader = await Reader(desk, bo, work.project_id).read()
    elsewhere = await desk.call(bo, "create_project", name="Elsewhere")
    await desk.call(bo, "create_task", project_id=elsewhere["pid"], label="There")
    assert await reader.follow() == set()
    await desk.call(bo, "rename_user", name="Bo B.")
    assert await reader.follow() is None


async def test_of_a_long_column_the_card_that_comes_up_comes_along(desk, bo):
    tasks = [{"key": f"t{number}", "label": f"Task {number}"} for number in range(BOARD_CARDS + 5)]
    project = await desk.call(bo, "scaffold_project_from_plan", name="Long", tasks=tasks)
    reader = await Reader(desk, bo, project["pid"]).read()
    key = project["key"]
    await desk.call(bo, "update_task", task_id=f"{key}-1", status="done")
    assert await reader.follow() == {f"{key}-1", f"{key}-{BOARD_CARDS + 1}"}


async def test_where_much_has_changed_the_board_is_read_anew(desk, bo):
    tasks = [{"key": f"t{number}", "label": f"Task {number}"} for number in range(BOARD_CHANGES + 1)]
    project = await desk.call(bo, "scaffold_project_from_plan", name="Long", tasks=tasks)
    reader = await Reader(desk, bo, project["pid"], shown="todo:200,in_progress:200").read()
    for number in range(BOARD_CHANGES):
        await desk.call(bo, "update_action", action_id=f"{project['key']}-{number + 1}", priority=2)
    assert len(await reader.follow() or ()) == BOARD_CHANGES
    for number in range(BOARD_CHANGES + 1):
        await desk.call(bo, "update_action", action_id=f"{project['key']}-{number + 1}", priority=3)
    assert await reader.follow() is None


async def test_a_viewer_may_look_and_an_unknown_project_is_not_there(desk, work):
    eve = await desk.person("Eve", Role.VIEWER)
    assert await (await Reader(desk, eve, work.project_id).read()).follow() == set()
    with refused(NotFound):
        await desk.call(eve, "get_board_changes", project_id="NONE", after=0, read_at=0)
