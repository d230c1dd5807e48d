"""A change that touches files of another agent's work: both hear of it, once, and both cards say so."""

import asyncio

import pytest

from pendesk.domain.access import BUILDING_SCOPES
from pendesk.operations.building.claim_overlaps import OVERLAPS, lock_work_of_project
from pendesk.operations.changes import push_change
from pendesk.operations.changes.overlaps import record_overlaps
from tests.diffs import HEAD, NEXT_HEAD, modified, packed, push, renamed
from tests.events import events_of
from tests.operations.changes.together import Held, entering_together, meet
from tests.workbench import published_spec


class World:
    def __init__(self, desk, author, agents, work):
        self.desk, self.author, self.agents = desk, author, agents
        self.refs = [action["refCode"] for action in work.actions]
        self.pids = [action["pid"] for action in work.actions]

    async def push(self, place, *files, head=HEAD):
        return await push(self.desk, self.agents[place], self.pids[place], packed(*files, head=head))

    async def news(self, place):
        answer = await self.desk.call(
            self.agents[place], "update_progress", action_pid=self.pids[place], status="started", message="On it."
        )
        return [item for item in answer.get("news", []) if item["kind"] == "action.overlapped"]

    async def marked(self, place):
        action = await self.desk.call(self.author, "get_action", action_id=self.pids[place])
        return [(overlap["refCode"], overlap["basis"], overlap["paths"]) for overlap in action.get("overlaps", [])]


@pytest.fixture
async def world(desk):
    """Three agents, each with a token and an action of its own."""
    author = await desk.person("Author")
    agents = []
    for name in ("Ada", "Eve", "Mia"):
        person = await desk.person(name)
        token = await desk.call(person, "create_token", name=f"{name}'s laptop", scopes=["specs.read", "builds.write"])
        agents.append(person._replace(via="mcp", scopes=BUILDING_SCOPES, token_id=token["tokenId"]))
    work = await published_spec(desk, author, actions=3, criteria=1, participants=tuple(agents))
    for agent, action in zip(agents, work.actions, strict=True):
        await desk.call(agent, "claim_action", action_pid=action["pid"])
    return World(desk, author, agents, work)


async def test_both_agents_hear_of_files_that_both_changed_and_both_cards_say_it(world):
    assert "overlaps" not in await world.push(0, modified("a.py"), modified("b.py"))
    pushed = await world.push(1, modified("b.py"), modified("c.py"))
    (overlap,) = pushed["overlaps"]
    assert (overlap["refCode"], overlap["basis"], overlap["paths"], overlap["count"]) == (
        world.refs[0],
        "changed",
        ["b.py"],
        1,
    )
    assert "Ada" in overlap["agent"]
    assert pushed["advisory"] == OVERLAPS
    (item,) = await world.news(0)
    text = f"{world.refs[1]} touches files that your {world.refs[0]} touches too: keep to your part. Files: b.py"
    assert (item["text"], item["refCode"]) == (text, world.refs[0])
    assert await world.news(0) == await world.news(1) == []
    assert await world.marked(0) == [(world.refs[1], "changed", ["b.py"])]
    assert await world.marked(1) == [(world.refs[0], "changed", ["b.py"])]
    assert await world.marked(2) == []


async def test_the_same_files_are_told_once_and_more_of_them_again(world):
    await world.push(0, modified("a.py"), modified("b.py"))
    await world.push(1, modified("b.py"))
    await world.push(1, modified("b.py"), head=NEXT_HEAD)
    pushed = await world.push(0, modified("a.py"), modified("b.py"), head=NEXT_HEAD)
    assert [item["kind"] for item in pushed["news"]] == ["action.overlapped"]
    assert await world.news(0) == await world.news(1) == []
    await world.push(1, modified("a.py"), modified("b.py"))
    (item,) = await world.news(0)
    assert item["text"].endswith("Files: a.py, b.py")


async def test_a_push_that_leaves_the_files_alone_ends_the_overlap(world):
    await world.push(0, modified("a.py"))
    await world.push(1, modified("a.py"))
    assert "overlaps" not in await world.push(1, modified("c.py"), head=NEXT_HEAD)
    assert await world.marked(0) == await world.marked(1) == []


async def test_a_renamed_file_is_touched_under_both_names(world):
    await world.push(0, modified("old.py"))
    (overlap,) = (await world.push(1, renamed("old.py", "new.py")))["overlaps"]
    assert overlap["paths"] == ["old.py"]


async def test_files_that_another_only_declares_are_told_as_well(world):
    (overlap,) = (await world.push(0, modified("src/part2/a.py")))["overlaps"]
    assert (overlap["refCode"], overlap["basis"]) == (world.refs[1], "declared")
    assert len(await world.news(1)) == 1


async def test_who_holds_it_hears_when_a_person_pushes_for_them(world):
    await world.push(0, modified("a.py"))
    await push(world.desk, world.author, world.pids[1], packed(modified("a.py")))
    for place in (0, 1):
        assert len(await world.news(place)) == 1


async def test_of_two_pushes_at_the_same_moment_the_second_sees_the_first(world):
    for number in range(4):
        barrier = asyncio.Barrier(2)

        async def send(place, number=number, barrier=barrier):
            await barrier.wait()
            return await world.push(place, modified(f"shared{number}.py"))

        answers = await asyncio.gather(send(0), send(1))
        assert sorted(len(answer.get("overlaps", [])) for answer in answers) == [0, 1]
        assert sorted([len(await world.news(0)), len(await world.news(1))]) == [0, 1]
        assert await world.marked(0) == [(world.refs[1], "changed", [f"shared{number}.py"])]


async def test_of_two_pushes_inside_of_their_transactions_both_agents_hear_and_both_cards_are_marked_once(
    world, monkeypatch
):
    """Both are inside before either locks; then the second waits for the lock until the first has recorded all."""
    for number in range(3):
        shared, held = f"shared{number}.py", Held(record_overlaps)
        with entering_together(world.desk, monkeypatch), monkeypatch.context() as patch:
            patch.setattr(push_change, "lock_work_of_project", meet(lock_work_of_project))
            patch.setattr(push_change, "record_overlaps", held)
            answers = await asyncio.gather(*(world.push(place, modified(shared)) for place in (0, 1)))
        # Who was second has it in the answer, and who was first with the next.
        assert sorted(len(answer.get("overlaps", [])) for answer in answers) == [0, 1]
        for place, answer in enumerate(answers):
            told = [*answer.get("overlaps", []), *await world.news(place)]
            assert len(told) == 1
            assert await world.news(place) == []
            assert await world.marked(place) == [(world.refs[1 - place], "changed", [shared])]
        events = await events_of(world.desk, world.author, "action.overlapped")
        assert sorted(event["actionId"] for event in events) == sorted(world.pids[:2] * (number + 1))
        assert held.other_waited == ([True] if world.desk.store.engine == "postgres" else [])
