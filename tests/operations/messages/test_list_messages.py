"""Who a message to a project would reach."""

from tests.workbench import published_spec


async def test_of_a_project_it_names_the_sessions_at_work_in_it(desk, ada, terminal):
    await published_spec(desk, ada, actions=2, criteria=1)
    assert "readers" not in await desk.call(ada, "list_messages", project_id="PEN")
    for process, ref in (("1", "PEN-1"), ("2", "PEN-2")):
        await desk.call(terminal(process=process), "claim_action", action_pid=ref)
    page = await desk.call(ada, "list_messages", project_id="PEN")
    assert sorted(page["readers"]) == ["Claude Code on ada-laptop", "Claude Code on ada-laptop #2"]
    sent = await desk.call(ada, "send_message", project_id="PEN", text="To all.")
    assert sorted(delivery["session"] for delivery in sent["deliveries"]) == sorted(page["readers"])
    assert "readers" not in await desk.call(ada, "list_messages", action_pid="PEN-1")
