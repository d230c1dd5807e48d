"""The card of a project: how far it is, what waits, who is at work."""

import pytest

from pendesk.operations.overview import list_project_cards
from tests.desk import MINUTE
from tests.workbench import published_spec


@pytest.fixture
async def ada(desk):
    return await desk.person("Ada")


async def cards(desk, person):
    listed = await desk.call(person, "list_project_cards")
    return {card["key"]: card for card in listed["projects"]}


async def test_a_card_says_how_far_a_project_is_and_who_is_at_work(desk, ada):
    grace = await desk.person("Grace")
    work = await published_spec(desk, ada, actions=4, participants=(grace,))
    await desk.call(ada, "create_project", name="Empty", key="EMP")
    await desk.call(ada, "update_action", action_id="PEN-4", state="wont_do", reason="No.")
    await desk.call(grace, "claim_action", action_pid="PEN-1")
    await desk.call(ada, "claim_action", action_pid="PEN-2")
    first = (await cards(desk, ada))["PEN"]
    assert (first["total"], first["done"], first["inProgress"], first["inReview"], first["waiting"]) == (3, 0, 2, 0, 0)
    assert (first["atWorkCount"], first["atWork"]) == (
        2,
        [{"name": "Ada", "kind": "person"}, {"name": "Grace", "kind": "person"}],
    )
    for criterion in work.actions[0]["criteria"]:
        await desk.call(grace, "report_test_result", action_pid="PEN-1", criterion_id=criterion, outcome="passed")
    pr = "https://github.com/pendesk/pendesk/pull/1"
    await desk.call(grace, "submit_for_review", action_pid="PEN-1", pr_url=pr, summary="Done.")
    await desk.call(ada, "request_clarification", action_pid="PEN-2", question="Which colour?")
    second = (await cards(desk, ada))["PEN"]
    assert (second["inProgress"], second["inReview"], second["waiting"], second["atWorkCount"]) == (1, 1, 2, 1)
    verdicts = [{"criterionId": each, "verdict": "confirmed"} for each in work.actions[0]["criteria"]]
    await desk.call(ada, "review_action", action_pid="PEN-1", verdict="approved", summary="Good.", verdicts=verdicts)
    third = await cards(desk, ada)
    assert (third["PEN"]["done"], third["PEN"]["inReview"], third["PEN"]["waiting"]) == (1, 0, 1)
    assert (third["EMP"]["total"], third["EMP"]["waiting"], third["EMP"]["atWork"]) == (0, 0, [])


async def test_whoever_gave_no_sign_for_long_is_not_at_work_and_waits_for_people(desk, ada):
    await published_spec(desk, ada, actions=1)
    await desk.call(ada, "claim_action", action_pid="PEN-1")
    desk.clock.forward(24 * 60 * MINUTE)
    card = (await cards(desk, ada))["PEN"]
    assert (card["atWorkCount"], card["waiting"]) == (0, 1)


async def test_of_many_at_work_the_first_are_named(desk, ada, monkeypatch):
    monkeypatch.setattr(list_project_cards, "WORKERS_SHOWN", 1)
    grace = await desk.person("Grace")
    await published_spec(desk, ada, actions=2, participants=(grace,))
    await desk.call(ada, "claim_action", action_pid="PEN-1")
    await desk.call(grace, "claim_action", action_pid="PEN-2")
    card = (await cards(desk, ada))["PEN"]
    assert (card["atWorkCount"], [worker["name"] for worker in card["atWork"]]) == (2, ["Ada"])
