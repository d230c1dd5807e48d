"""Settings as each role sees them: what may not be done is not offered."""

import re

import pytest

from pendesk.domain.access import Role
from pendesk.domain.oauth import Grant
from pendesk.ids import new_id
from pendesk.store import grants
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
        member = await served.call("create_user", name="Vera", email="vera@example.com", role=role)
        link = await served.call("create_sign_in_link", user_pid=member.user_id)
        await served.http.post("/sign-in", data={"code": link.url.partition("code=")[2]}, headers=SAME)
        for address, words in (
            ("/settings/integrations", {"/settings/integrations/github": github, "Outgoing webhooks": outgoing}),
            (f"/p/{project.key}/settings", {"/settings/share": share, "/export": share, "Danger zone": end}),
        ):
            page = await served.http.get(address)
            assert page.status_code == 200, address
            assert {word: word in page.text for word in words} == words


async def test_an_admin_makes_a_token_for_an_agents_account_and_sees_whom_each_speaks_for(tmp_path):
    async with serving(tmp_path) as served:
        await served.http.post("/sign-in", data={"code": (await served.link()).partition("code=")[2]}, headers=SAME)
        agent = await served.call("create_user", name="builder-7", kind="agent")
        members = await served.http.get("/settings/members")
        assert f'href="/settings/mcp?for={agent.user_id}' in members.text
        form = await served.http.get(f"/settings/mcp?for={agent.user_id}")
        assert f'<option value="{agent.user_id}" selected>builder-7</option>' in form.text
        fields = {"name": "Codex", "user_pid": agent.user_id, "scopes": "specs.read", "expires_in_days": "30"}
        await served.http.post("/settings/mcp/token", data=fields, headers=SAME)
        assert "pendesk_mcp_" in (await served.http.get("/settings/mcp/token")).text
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


async def test_an_admin_chooses_who_takes_part_and_the_spec_says_so(tmp_path):
    async with serving(tmp_path) as served:
        await served.http.post("/sign-in", data={"code": (await served.link()).partition("code=")[2]}, headers=SAME)
        project = await served.call("create_project", name="Harbour")
        spec = await served.call("create_spec", project_id=project.pid, title="Tides")
        for choice, invited in (("invitation", True), ("everyone", False)):
            done = await served.http.post("/do/set_participation", data={"participation": choice}, headers=SAME)
            assert done.status_code == 303
            settings = (await served.http.get("/settings/members")).text
            assert f'name="participation" value="{choice}" checked' in settings
            page = (await served.http.get(f"/specs/{spec.ref_code}")).text
            assert ("Add participant…" in page or "Remove participant" in page) == invited
            assert ("Everyone takes part" in page) != invited


async def test_what_a_member_owns_is_on_the_page_that_removes_them(tmp_path):
    async with serving(tmp_path) as served:
        await served.http.post("/sign-in", data={"code": (await served.link()).partition("code=")[2]}, headers=SAME)
        mara = await served.call("create_user", name="Mara", email="mara@example.com", role="admin")
        page = (await served.http.get(f"/settings/members/{mara.user_id}/remove")).text
        assert "Mara owns nothing that needs a new owner" in page
        actor = served.owner._replace(user_id=mara.user_id, role=Role.ADMIN)
        await served.service.dispatcher.call(actor, "create_webhook", {"url": "https://e.com/x"})
        page = (await served.http.get(f"/settings/members/{mara.user_id}/remove")).text
        assert "1 outgoing webhook" in page
        assert f'<option value="{served.owner.user_id}">Transfer to Ada &lt;i&gt; (owner)</option>' in page
        role = await served.http.get(f"/settings/members/{mara.user_id}/role?role=member")
        assert "The role member cannot own 1 outgoing webhook." in role.text
        inline = await served.http.post(
            "/do/change_role", data={"user_pid": mara.user_id, "role": "member"}, headers={**SAME, "hx-request": "true"}
        )
        assert inline.status_code == 422
        assert "Change role in the menu" in inline.json()["error"]["message"]
        fields = {"user_pid": mara.user_id, "role": "member", "end_owned": "true", "hand_over_to": ""}
        assert (await served.http.post("/do/change_role", data=fields, headers=SAME)).status_code == 303
        assert (await served.call("list_webhooks")).webhooks == []
        sent = {"user_pid": mara.user_id, "hand_over_to": ""}
        assert (await served.http.post("/do/remove_member", data=sent, headers=SAME)).status_code == 303
        assert (await served.http.get(f"/settings/members/{mara.user_id}/remove")).status_code == 404


async def test_the_page_offers_no_longer_life_than_tokens_may_have(tmp_path):
    async with serving(tmp_path, token_max_days=60) as served:
        await served.http.post("/sign-in", data={"code": (await served.link()).partition("code=")[2]}, headers=SAME)
        page = (await served.http.get("/settings/mcp")).text
        assert re.findall(r'<option value="(\d*)"[^>]*>(In [^<]*|Never)</option>', page) == [
            ("30", "In 30 days"),
            ("", "In 60 days (maximum)"),
        ]
        for days in ("30", ""):
            fields = {"name": "x", "scopes": "specs.read", "expires_in_days": days}
            await served.http.post("/settings/mcp/token", data=fields, headers=SAME)
            assert "pendesk_mcp_" in (await served.http.get("/settings/mcp/token")).text


async def test_an_owner_sees_the_agents_that_members_signed_in_and_revokes_them(tmp_path):
    async with serving(tmp_path) as served:
        mara = await served.call("create_user", name="Mara", email="mara@example.com", role="member")
        given = Grant(new_id(), mara.user_id, "c", "Codex", "specs.read builds.write", "x", 1, 1, 2**52, None)
        await served.service.dispatcher.store.write(served.owner.workspace_id, lambda tx: grants.add(tx, given))
        link = await served.call("create_sign_in_link", user_pid=mara.user_id)
        for code, sees_names in ((link.url, False), (await served.link(), True)):
            await served.http.post("/sign-in", data={"code": code.partition("code=")[2]}, headers=SAME)
            page = (await served.http.get("/settings/mcp")).text
            row = page.partition(f'id="grant-{given.id}"')[2].partition("</tr>")[0]
            assert ("Codex" in row, "Build" in row, "Never used" in row) == (True, True, True)
            assert ("<td>Mara</td>" in row) == sees_names
        done = await served.http.post("/do/revoke_grant", data={"grant_id": given.id}, headers=SAME)
        assert done.status_code == 303
        assert given.id not in (await served.http.get("/settings/mcp")).text


async def test_the_usage_page_says_what_is_stored_and_what_may_be(tmp_path):
    async with serving(tmp_path, workspace_file_bytes=5_000_000) as served:
        await served.http.post("/sign-in", data={"code": (await served.link()).partition("code=")[2]}, headers=SAME)
        page = (await served.http.get("/settings/usage")).text
        assert [limit in page for limit in ("0 Bytes of 5.0 MB", "0 Bytes of 20.0 GB", "0 Bytes of 200.0 MB")] == [
            True
        ] * 3


async def test_the_commands_hold_the_token_that_was_created_and_nothing_stands_for_it_before(tmp_path):
    async with serving(tmp_path) as served:
        await served.http.post("/sign-in", data={"code": (await served.link()).partition("code=")[2]}, headers=SAME)
        page = (await served.http.get("/settings/mcp")).text
        assert ">pendesk connect</pre>" in page
        assert "pendesk_mcp_" not in page
        await served.http.post("/settings/mcp/token", data={"name": "Claude Code"}, headers=SAME)
        created = (await served.http.get("/settings/mcp/token")).text
        (token,) = set(re.findall(r"pendesk_mcp_\w+", created))
        for command in (
            f"echo {token} | pendesk connect --url http://127.0.0.1:3847 --token-stdin",
            f"Authorization: Bearer {token}",
            f"PENDESK_MCP_TOKEN={token}",
        ):
            assert command in created


async def test_on_another_computer_pendesk_signs_in_before_it_connects(tmp_path):
    async with serving(tmp_path, url="https://pendesk.example.com") as served:
        await served.http.post("/sign-in", data={"code": (await served.link()).partition("code=")[2]}, headers=SAME)
        commands = "pendesk login --url https://pendesk.example.com\npendesk connect --url https://pendesk.example.com"
        assert commands in (await served.http.get("/settings/mcp")).text
