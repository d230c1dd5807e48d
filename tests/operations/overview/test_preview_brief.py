import pytest

from pendesk.domain.access import Role
from pendesk.domain.errors import NotFound
from tests.desk import MINUTE
from tests.refusals import refused
from tests.workbench import published_spec


@pytest.fixture
async def ada(desk):
    return await desk.person("Ada")


@pytest.fixture
async def work(desk, ada):
    return await published_spec(desk, ada, participants=(ada,))


def texts(brief):
    """Without what depends on who reads it."""
    return {name: value for name, value in brief.items() if name not in ("availability", "next_step")}


async def test_it_is_word_for_word_what_an_agent_reads(desk, ada, work):
    ref = work.actions[0]["refCode"]
    viewer = await desk.person("Vera", Role.VIEWER)
    looked = await desk.call(viewer, "preview_brief", action_id=ref)
    assert looked == texts(await desk.call(ada, "get_action_brief", action_pid=ref))
    assert looked["spec"]["boundaries"] == ["No single sign-on"]
    assert looked["plan"]["approach"] == "Begin with the form."


async def test_looking_is_not_reading_also_for_who_holds_it(desk, ada, work):
    """Their agent has the same account: it must still be told what it has not read."""
    action = work.actions[0]
    claim = await desk.call(ada, "claim_action", action_pid=action["pid"])
    asked = await desk.call(ada, "request_clarification", action_pid=action["pid"], question="Which?")
    other = await desk.person("Bo")
    await desk.call(other, "answer_question", clarification_pid=asked["pid"], answer="This one.")
    desk.clock.forward(5 * MINUTE)
    looked = await desk.call(ada, "preview_brief", action_id=action["pid"])
    assert {one["status"] for one in looked["action"]["acceptanceCriteria"]} == {"pending"}
    assert [one["answer"] for one in looked["answeredClarifications"]] == ["This one."]
    held = (await desk.call(ada, "get_action", action_id=action["pid"]))["claim"]
    assert held["expiresAt"] == claim["claim"]["expiresAt"]
    told = await desk.call(ada, "update_progress", action_pid=action["pid"], status="started", message="Going on.")
    assert [one["text"] for one in told["news"]] == ["Bo answered your question on PEN-1: This one."]


async def test_it_tells_what_the_holder_before_left(desk, ada, work):
    pid = work.actions[0]["pid"]
    await desk.call(ada, "claim_action", action_pid=pid)
    await desk.call(ada, "update_progress", action_pid=pid, status="started", message="Half of it stands.")
    await desk.call(ada, "release_action", action_pid=pid)
    looked = await desk.call(ada, "preview_brief", action_id=pid)
    assert looked["handOver"]["untrusted"]["holder"] == "Ada"
    grace = await desk.person("Grace")
    await desk.call(ada, "add_participant", spec_id=work.spec_id, user_id=grace.user_id)
    assert looked == texts(await desk.call(grace, "get_action_brief", action_pid=pid))


async def test_what_agents_do_not_see_has_no_brief(desk, ada, work):
    idea = await desk.call(ada, "create_task", project_id=work.project_id, label="An idea", status="backlog")
    for ident in (idea["pid"], "NONE-1"):
        with refused(NotFound):
            await desk.call(ada, "preview_brief", action_id=ident)
