"""Settings as each role sees them: what may not be done is not offered."""

import pytest

from tests.sites import SAME
from tests.transports.served import serving


@pytest.mark.parametrize(
    ("role", "github", "outgoing", "share", "end"),
    [
        ("viewer", False, False, False, False),
        ("member", False, False, True, False),
        ("admin", True, True, True, True),
    ],
)
async def test_a_role_is_offered_what_it_may_do(tmp_path, role, github, outgoing, share, end):
    async with serving(tmp_path) as served:
        project = await served.call("create_project", name="Harbour", repository_url="https://github.com/acme/harbour")
        made = await served.call("create_user", name="Vera", email="vera@example.com", role=role)
        link = await served.call("create_sign_in_link", user_pid=made.user_id)
        await served.http.post("/sign-in", data={"code": link.url.partition("code=")[2]}, headers=SAME)
        for address, words in (
            ("/settings/integrations", {"/settings/integrations/github": github, "Outgoing webhooks": outgoing}),
            (f"/p/{project.key}/settings", {"/settings/share": share, "/export": share, "Danger zone": end}),
        ):
            page = await served.http.get(address)
            assert page.status_code == 200, address
            assert {each: each in page.text for each in words} == words


async def test_an_admin_makes_a_token_for_an_agents_account_and_sees_whom_each_speaks_for(tmp_path):
    async with serving(tmp_path) as served:
        await served.http.post("/sign-in", data={"code": (await served.link()).partition("code=")[2]}, headers=SAME)
        agent = await served.call("create_user", name="builder-7", kind="agent")
        members = await served.http.get("/settings/members")
        assert f'href="/settings/mcp?for={agent.user_id}' in members.text
        form = await served.http.get(f"/settings/mcp?for={agent.user_id}")
        assert f'<option value="{agent.user_id}" selected>builder-7</option>' in form.text
        fields = {"name": "Codex", "user_pid": agent.user_id, "scopes": "specs.read", "expires_in_days": "30"}
        made = await served.http.post("/settings/mcp/token", data=fields, headers=SAME)
        assert "pendesk_mcp_" in made.text
        assert "<td>builder-7</td>" in (await served.http.get("/settings/mcp")).text


async def test_people_and_their_workspace_get_the_names_they_want(tmp_path):
    async with serving(tmp_path) as served:
        await served.http.post("/sign-in", data={"code": (await served.link()).partition("code=")[2]}, headers=SAME)
        for operation, name, address in (
            ("rename_workspace", "Harbour & Sons", "/settings/members"),
            ("rename_user", "Ada Lindqvist", "/settings/account"),
        ):
            assert f'action="/do/{operation}"' in (await served.http.get(address)).text
            done = await served.http.post(f"/do/{operation}", data={"name": name}, headers=SAME)
            assert done.status_code == 303
        page = (await served.http.get("/")).text
        assert ("Harbour &amp; Sons" in page, "Ada Lindqvist" in page) == (True, True)
