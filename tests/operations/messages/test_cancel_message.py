"""What no agent has read yet can be taken back, by who wrote it or an admin."""

import pytest

from pendesk.domain.access import Role
from pendesk.domain.errors import RoleForbids, RuleBroken
from tests.operations.messages.test_send_message import claim, listed, texts
from tests.refusals import refused
from tests.workbench import published_spec


@pytest.fixture
async def work(desk, ada):
    return await published_spec(desk, ada, actions=3, criteria=1)


async def test_a_cancelled_message_is_read_by_nobody(desk, ada, work, terminal):
    agent = terminal(process="1")
    await claim(desk, agent, work)
    sent = await desk.call(ada, "send_message", action_pid="PEN-1", text="Use the other API.")
    cancelled = await desk.call(ada, "cancel_message", message_id=sent["pid"])
    assert "cancelledAt" in cancelled
    assert texts(await desk.call(agent, "list_available_specs")) == []
    with refused(RuleBroken, "already_cancelled"):
        await desk.call(ada, "cancel_message", message_id=sent["pid"])


async def test_what_every_agent_has_read_cannot_be_taken_back(desk, ada, work, terminal):
    agent = terminal(process="1")
    await claim(desk, agent, work)
    sent = await desk.call(ada, "send_message", action_pid="PEN-1", text="Use the other API.")
    await desk.call(agent, "list_available_specs")
    with refused(RuleBroken, "already_delivered"):
        await desk.call(ada, "cancel_message", message_id=sent["pid"])


async def test_of_a_project_who_has_read_it_keeps_it_and_the_others_do_not_get_it(desk, ada, work, terminal):
    first, second = terminal(process="1"), terminal(process="2")
    await claim(desk, first, work, 0)
    await claim(desk, second, work, 1)
    sent = await desk.call(ada, "send_message", project_id="PEN", text="Stop merging.")
    assert len(texts(await desk.call(first, "list_available_specs"))) == 1
    await desk.call(ada, "cancel_message", message_id=sent["pid"])
    assert texts(await desk.call(second, "list_available_specs")) == []
    (message,) = await listed(desk, ada, project_id="PEN")
    assert [delivery["state"] for delivery in message["deliveries"]] == ["delivered"]


async def test_another_member_may_not_and_an_admin_may(desk, ada, work, terminal):
    await claim(desk, terminal(process="1"), work)
    grace = await desk.person("Grace", Role.MEMBER)
    linus = await desk.person("Linus", Role.ADMIN)
    sent = await desk.call(ada, "send_message", action_pid="PEN-1", text="Use the other API.")
    with refused(RoleForbids):
        await desk.call(grace, "cancel_message", message_id=sent["pid"])
    assert "cancelledAt" in await desk.call(linus, "cancel_message", message_id=sent["pid"])
