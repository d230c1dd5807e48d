from pendesk.transports.authenticate import authenticate_bearer_token
from tests.workbench import drafted_spec


async def test_each_step_ticks_itself(desk):
    ada = await desk.person("Ada")
    ticks = {"project": False, "spec": False, "published": False, "connected": False, "done": False}
    nothing: dict[str, object] = {**ticks, "projectKey": None, "draftId": None}
    assert await desk.call(ada, "get_first_steps") == nothing
    work = await drafted_spec(desk, ada)
    assert await desk.call(ada, "get_first_steps") == nothing | {
        "project": True,
        "spec": True,
        "projectKey": "PEN",
        "draftId": work.spec_id,
    }
    await desk.call(ada, "publish_build", spec_id=work.spec_id)
    published = await desk.call(ada, "get_first_steps")
    assert (published["published"], published["draftId"]) == (True, None)
    token = await desk.call(ada, "create_token", name="Claude Code")
    assert not (await desk.call(ada, "get_first_steps"))["connected"]
    await authenticate_bearer_token(desk.dispatcher, f"Bearer {token['token']}", "mcp")
    assert (await desk.call(ada, "get_first_steps"))["done"]
