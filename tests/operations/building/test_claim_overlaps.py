"""Work on the same files is foreseen: a claim is told of it, the order avoids it, and a project may refuse it."""

import asyncio
import re

import pytest

from pendesk.domain.errors import Refusal, RuleBroken
from pendesk.operations.building.claim_overlaps import OVERLAPS
from tests.desk import MINUTE
from tests.diffs import HEAD, modified, packed, push
from tests.refusals import refused
from tests.workbench import published_spec


class World:
    """Grace and Ada take part in a spec whose actions declare what `declare` says."""

    def __init__(self, desk, ada, grace, work):
        self.desk, self.ada, self.grace, self.work = desk, ada, grace, work
        self.refs = [action["refCode"] for action in work.actions]

    async def declare(self, **paths_by_place):
        for place, paths in paths_by_place.items():
            pid = self.work.actions[int(place[1:])]["pid"]
            await self.desk.call(self.ada, "update_action", action_id=pid, paths=paths)

    async def claim(self, actor, place):
        return await self.desk.call(actor, "claim_action", action_pid=self.refs[place])

    async def refuse_overlap(self):
        settings = {"project_id": self.work.project_id, "refuse_overlap": True}
        assert (await self.desk.call(self.ada, "update_project", **settings))["refuseOverlap"] is True

    async def listed(self, actor):
        specs = (await self.desk.call(actor, "list_available_specs"))["specs"]
        return {row["refCode"]: row for row in specs[0]["actions"]}

    async def card(self, place):
        return await self.desk.call(self.ada, "get_action", action_id=self.refs[place])

    async def submit(self, actor, place):
        code = {"branch": "main", "head_sha": HEAD, "summary": "Done."}
        await self.desk.call(actor, "submit_for_review", action_pid=self.refs[place], **code)


@pytest.fixture
async def world(desk, ada, grace):
    return World(desk, ada, grace, await published_spec(desk, ada, actions=4, criteria=1, participants=(grace,)))


async def test_a_claim_is_told_who_works_on_the_files_that_it_declares(world):
    await world.declare(_0=["src/billing/**"], _1=["src/billing/tax.py", "docs/**"])
    assert "overlaps" not in await world.claim(world.grace, 0)
    answer = await world.claim(world.ada, 1)
    assert answer["overlaps"] == [
        {
            "refCode": world.refs[0],
            "agent": "Grace",
            "basis": "declared",
            "paths": ["src/billing/tax.py"],
            "count": 1,
        }
    ]
    assert answer["advisory"] == OVERLAPS
    assert "get_action_brief" in answer["next_step"]


async def test_what_a_change_has_touched_counts_beside_what_is_declared(world):
    await world.claim(world.grace, 0)
    await push(world.desk, world.grace, world.refs[0], packed(modified("src/part2/a.py"), modified("x.py")))
    (overlap,) = (await world.claim(world.ada, 1))["overlaps"]
    assert (overlap["basis"], overlap["paths"], overlap["count"]) == ("declared", ["src/part2/a.py"], 1)


async def test_of_an_action_that_declares_nothing_the_files_of_its_siblings_are_likely(world):
    await world.declare(_1=[])
    await world.claim(world.grace, 0)
    await push(world.desk, world.grace, world.refs[0], packed(modified("src/app.py")))
    (overlap,) = (await world.claim(world.ada, 1))["overlaps"]
    assert (overlap["refCode"], overlap["basis"], overlap["paths"]) == (world.refs[0], "likely", ["src/app.py"])


async def test_own_work_is_no_overlap_and_an_expired_claim_is_none_any_more(world):
    await world.declare(_0=["src/**"], _1=["src/a.py"], _2=["src/a.py"])
    await world.claim(world.ada, 0)
    assert "overlaps" not in await world.claim(world.ada, 1)
    world.desk.clock.forward(31 * MINUTE)
    assert "overlaps" not in await world.claim(world.grace, 2)


async def test_what_is_submitted_collides_until_it_is_approved(world):
    await world.declare(_0=["src/**"], _1=["src/a.py"], _2=["src/b.py"])
    await world.claim(world.grace, 0)
    await world.submit(world.grace, 0)
    assert [overlap["refCode"] for overlap in (await world.claim(world.ada, 1))["overlaps"]] == [world.refs[0]]
    verdict = {"verdict": "approved", "summary": "Good."}
    confirmed = [{"criterionId": ident, "verdict": "confirmed"} for ident in world.work.actions[0]["criteria"]]
    await world.desk.call(world.ada, "review_action", action_pid=world.refs[0], verdicts=confirmed, **verdict)
    assert "overlaps" not in await world.claim(world.ada, 2)


async def test_work_that_touches_no_files_at_work_comes_first_among_equals(world):
    await world.declare(_0=["src/**"], _1=["src/a.py"], _2=["docs/**"], _3=["docs/a.md"])
    assert list(await world.listed(world.ada)) == world.refs
    await world.claim(world.grace, 0)
    assert list(await world.listed(world.ada)) == [world.refs[place] for place in (2, 3, 1, 0)]
    chosen = await world.desk.call(world.ada, "get_next_task", project_id=world.work.project_id)
    assert chosen["task"]["refCode"] == world.refs[2]
    with refused(Refusal) as caught:
        await world.claim(world.ada, 0)
    assert world.refs[1] not in caught.refusal.details["instead"]
    await world.desk.call(world.ada, "update_action", action_id=world.refs[1], priority=4)
    assert next(iter(await world.listed(world.ada))) == world.refs[1]


async def test_both_cards_are_marked_while_both_are_at_work(world):
    await world.declare(_0=["src/**"], _1=["src/a.py"])
    await world.claim(world.grace, 0)
    await world.claim(world.ada, 1)
    for place, other in ((0, 1), (1, 0)):
        (overlap,) = (await world.card(place))["overlaps"]
        assert (overlap["refCode"], overlap["basis"]) == (world.refs[other], "declared")
    board = await world.desk.call(world.ada, "get_board", project_id=world.work.project_id)
    (held,) = [column["cards"] for column in board["columns"] if column["state"] == "in_progress"]
    assert {card["overlaps"][0]["refCode"] for card in held} == {world.refs[0], world.refs[1]}
    await world.desk.call(world.ada, "release_action", action_pid=world.refs[1])
    assert [(await world.card(place)).get("overlaps", []) for place in (0, 1)] == [[], []]


async def test_a_project_that_refuses_overlaps_says_so_wherever_the_action_stands(world):
    await world.declare(_1=["src/part1/a.py"])
    await world.refuse_overlap()
    await world.claim(world.grace, 0)
    waits = [{"refCode": world.refs[0], "availability": "held", "note": "It works on the same files."}]
    row = (await world.listed(world.ada))[world.refs[1]]
    assert (row["availability"], row["waitsFor"]) == ("blocked", waits)
    card = await world.card(1)
    assert (card["availability"], card["waitsFor"]) == ("blocked", waits)
    with refused(RuleBroken, "overlaps") as caught:
        await world.claim(world.ada, 1)
    text = str(caught.refusal)
    assert f"{world.refs[1]} waits for: {world.refs[0]} (held), which works on the same files." in text
    assert caught.refusal.details["waitingOn"] == [world.refs[0]]
    assert {world.refs[2], world.refs[3]} == set(re.findall(r"PEN-\d+", text.partition("Claim ")[2]))
    await world.desk.call(world.grace, "release_action", action_pid=world.refs[0])
    assert (await world.listed(world.ada))[world.refs[1]]["availability"] == "free"
    await world.claim(world.ada, 1)


async def test_a_guess_refuses_nothing_and_who_holds_both_is_not_refused(world):
    await world.refuse_overlap()
    await world.declare(_0=[], _1=["src/**"], _2=["src/a.py"], _3=["x.py"])
    await world.claim(world.grace, 3)
    await push(world.desk, world.grace, world.refs[3], packed(modified("x.py")))
    assert (await world.claim(world.ada, 0))["overlaps"][0]["basis"] == "likely"
    await world.claim(world.ada, 1)
    assert "overlaps" not in await world.claim(world.ada, 2)


async def test_a_plain_task_that_touches_files_at_work_is_refused_to_agents_and_told_to_people(world, terminal):
    await world.refuse_overlap()
    await world.declare(_0=["src/**"])
    task = {"project_id": world.work.project_id, "label": "Tidy up", "paths": ["src/a.py"]}
    made = await world.desk.call(world.ada, "create_action", **task)
    await world.claim(world.grace, 0)
    take = {"action_id": made["refCode"], "state": "in_progress"}
    agent = terminal(process="1")._replace(scopes=world.ada.scopes - {"person"})
    with refused(RuleBroken, "overlaps"):
        await world.desk.call(agent, "update_action", **take)
    answer = await world.desk.call(world.ada, "update_action", **take)
    assert answer["advisory"] == f"It still waits for {world.refs[0]} (held), which works on the same files."


async def test_of_two_claims_at_the_same_moment_a_refusing_project_accepts_exactly_one(world):
    await world.declare(_0=["src/**"], _1=["src/a.py"])
    await world.refuse_overlap()
    for _round in range(5):
        barrier = asyncio.Barrier(2)

        async def take(actor, place, barrier=barrier):
            await barrier.wait()
            try:
                return await world.claim(actor, place)
            except RuleBroken as refusal:
                return refusal

        answers = await asyncio.gather(take(world.ada, 0), take(world.grace, 1))
        codes = [answer.code for answer in answers if isinstance(answer, Refusal)]
        assert codes == ["overlaps"]
        (place,) = [place for place, answer in enumerate(answers) if not isinstance(answer, Refusal)]
        holder = (world.ada, world.grace)[place]
        await world.desk.call(holder, "release_action", action_pid=world.refs[place])
