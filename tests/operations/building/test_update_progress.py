import pytest

from pendesk.domain.errors import NotFound, RuleBroken
from tests.desk import MINUTE
from tests.refusals import refused
from tests.workbench import published_spec


@pytest.fixture
async def held(desk):
    ada = await desk.person("Ada")
    work = await published_spec(desk, ada)
    await desk.call(ada, "claim_action", action_pid=work.actions[0]["pid"])
    return ada, work.actions[0]


async def progress(desk, actor, action, status, message="Did a thing."):
    return await desk.call(actor, "update_progress", action_pid=action["pid"], status=status, message=message)


async def test_started_keeps_the_claim_alive(desk, held):
    ada, action = held
    for _ in range(4):
        desk.clock.forward(25 * MINUTE)
        answer = await progress(desk, ada, action, "started")
    assert answer["status"] == "started"
    assert answer["claim"]["expiresAt"] == "2027-01-15T10:10:00.000Z"


async def test_the_message_is_on_the_timeline(desk, held):
    ada, action = held
    await progress(desk, ada, action, "started", "Wrote the failing test.")
    event = (await desk.call(ada, "list_events", action_pid=action["pid"]))["events"][-1]
    assert (event["kind"], event["data"]["message"]) == ("action.progressed", "Wrote the failing test.")


async def test_not_started_gives_the_action_back(desk, held):
    ada, action = held
    answer = await progress(desk, ada, action, "not-started", "Could not begin.")
    assert (answer["status"], answer["claimedBy"]) == ("not-started", None)
    with refused(RuleBroken, "not_claimed"):
        await progress(desk, ada, action, "started")


async def test_wont_do_ends_it_with_the_message_as_reason_and_a_person_may_reopen_it(desk, held):
    ada, action = held
    answer = await progress(desk, ada, action, "wont-do", "The library does this already.")
    assert (answer["status"], answer["claimedBy"]) == ("wont-do", None)
    with refused(RuleBroken, "not_claimable"):
        await desk.call(ada, "claim_action", action_pid=action["pid"])
    await desk.call(ada, "update_action", action_id=action["pid"], state="todo")
    assert (await desk.call(ada, "claim_action", action_pid=action["pid"]))["status"] == "started"


async def test_releasing_twice_is_refused_the_second_time(desk, held):
    ada, action = held
    answer = await desk.call(ada, "release_action", action_pid=action["pid"])
    assert (answer["status"], answer["claimedBy"]) == ("not-started", None)
    with refused(RuleBroken, "not_claimed"):
        await desk.call(ada, "release_action", action_pid=action["pid"])


async def test_another_workspaces_action_is_not_there(desk, held, open_store):
    from tests.desk import TestDesk

    _, action = held
    other = await TestDesk(desk.store, desk.clock).open("Elsewhere")
    eve = await other.person("Eve")
    with refused(NotFound) as foreign:
        await progress(other, eve, action, "started")
    with refused(NotFound) as random:
        await progress(other, eve, {"pid": action["pid"][:-6] + "ffffff"}, "started")
    assert foreign.refusal.message.replace(action["pid"], "") == random.refusal.message.replace(
        action["pid"][:-6] + "ffffff", ""
    )


@pytest.mark.parametrize(("status", "ended"), [("not-started", "released"), ("wont-do", "dropped")])
async def test_the_last_words_of_a_holder_are_in_the_next_ones_hand_over(desk, ada, status, ended):
    grace = await desk.person("Grace")
    work = await published_spec(desk, ada, participants=(grace,))
    about = {"action_pid": work.actions[0]["pid"]}
    await desk.call(grace, "claim_action", **about)
    await desk.call(grace, "update_progress", status="started", message="Half done.", **about)
    answer = await desk.call(grace, "update_progress", status=status, message="Two templates are missing.", **about)
    assert (status == "wont-do") or answer["next_step"].endswith("list_available_specs shows what is next.")
    if status == "wont-do":
        await desk.call(ada, "update_action", action_id=work.actions[0]["pid"], state="todo")
    hand_over = (await desk.call(ada, "get_action_brief", **about))["handOver"]
    assert (hand_over["ended"], hand_over["untrusted"]["lastProgress"]) == (ended, "Two templates are missing.")
