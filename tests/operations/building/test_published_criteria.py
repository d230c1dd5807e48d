"""Between two builds people go on writing; an agent is only asked for what it was told."""

import pytest

from pendesk.domain.errors import RuleBroken
from tests.refusals import refused
from tests.workbench import published_spec


@pytest.fixture
async def held(desk):
    ada = await desk.person("Ada")
    work = await published_spec(desk, ada, actions=1, criteria=1)
    action = work.actions[0]
    await desk.call(ada, "claim_action", action_pid=action["pid"])
    added = await desk.call(ada, "create_criterion", action_id=action["pid"], text="Said after publishing")
    new = next(one["id"] for one in added["criteria"] if one["text"] == "Said after publishing")
    return ada, work, action, new


async def report(desk, actor, action, criterion):
    return await desk.call(
        actor, "report_test_result", action_pid=action["pid"], criterion_id=criterion, outcome="passed"
    )


async def submit(desk, actor, action):
    return await desk.call(
        actor, "submit_for_review", action_pid=action["pid"], pr_url="https://example.com/pr/1", summary="Done."
    )


async def approve(desk, actor, action, criteria):
    return await desk.call(
        actor,
        "review_action",
        action_pid=action["pid"],
        verdict="approved",
        summary="Good.",
        verdicts=[{"criterionId": one, "verdict": "confirmed"} for one in criteria],
    )


async def test_a_criterion_that_is_not_published_is_unknown_to_the_agent(desk, held):
    ada, _, action, new = held
    with refused(RuleBroken, "unknown_criterion"):
        await report(desk, ada, action, new)


async def test_an_approval_does_not_wait_for_what_was_never_published(desk, held):
    ada, _, action, _ = held
    await submit(desk, ada, action)
    assert (await approve(desk, ada, action, action["criteria"]))["status"] == "complete"


async def test_once_published_it_counts(desk, held):
    ada, work, action, new = held
    await desk.call(ada, "publish_build", spec_id=work.spec_id)
    await report(desk, ada, action, new)
    await submit(desk, ada, action)
    with refused(RuleBroken, "criteria_not_confirmed"):
        await approve(desk, ada, action, action["criteria"])


async def test_evidence_for_a_criterion_that_was_reworded_since_the_build_is_stale_from_the_start(desk, held):
    ada, _, action, _ = held
    await desk.call(ada, "update_criterion", criterion_id=action["criteria"][0], text="Reworded")
    await report(desk, ada, action, action["criteria"][0])
    whole = await desk.call(ada, "get_action", action_id=action["pid"])
    assert "reworded" in whole["criteria"][0]["evidence"]["stale"]
