"""The page of a spec says how far it is, once it is published."""

from tests.sites import SAME
from tests.transports.served import serving


async def test_a_published_spec_says_how_far_it_is_and_what_waits(tmp_path):
    async with serving(tmp_path) as served:
        await served.http.post("/sign-in", data={"code": (await served.link()).partition("code=")[2]}, headers=SAME)
        project = await served.call("create_project", name="Harbour", key="HRB")
        spec = await served.call("create_spec", project_id=project.pid, title="Sign in", summary="One")
        plan = await served.call("create_plan", spec_id=spec.pid, title="A", approach="So")
        for label in ("The form", "The rule", "The mail"):
            await served.call("create_action", plan_id=plan.pid, label=label, criteria=["It is there"])
        address = f"/specs/{spec.ref_code}"
        assert "actions done" not in (await served.http.get(address)).text
        await served.call("publish_build", spec_id=spec.pid)
        await served.call("update_action", action_id="HRB-3", state="wont_do", reason="No.")
        await served.call("claim_action", action_pid="HRB-1")
        await served.call("request_clarification", action_pid="HRB-1", question="Which colour?")
        page = (await served.http.get(address)).text
        head = page.partition('class="spec-progress"')[2].partition("</section>")[0]
        assert "0 of 2 actions done, 1 in progress" in head
        assert "Question in HRB-1" in head
        assert "1 at work" in head
