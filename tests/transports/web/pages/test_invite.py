import re

import httpx
import pytest

from pendesk.main import create_app
from tests.desk import HandClock, TestDesk
from tests.sites import OTHER_SITES, SAME
from tests.transports.served import URL, serving

FIELDS = {"name": "Bob <b>", "password": "correct horse battery"}


@pytest.fixture
async def served(tmp_path):
    async with serving(tmp_path / "data") as running:
        yield running


async def invited(served, email="bob@example.com"):
    invite = await served.service.dispatcher.call(served.owner, "invite_member", {"email": email})
    return invite.url.removeprefix(URL), invite.url.partition("code=")[2]


async def test_the_link_shows_a_form_and_the_form_makes_a_member_once(served):
    link, code = await invited(served)
    for _ in range(3):
        page = await served.http.get(link)
        assert page.status_code == 200
        assert "set-cookie" not in page.headers
    assert "bob@example.com" in page.text
    assert "&lt;b&gt;Desk&lt;/b&gt;" in page.text
    assert "<script" not in page.text
    assert re.findall(r'name="code" value="([^"]+)"', page.text) == [code]
    answer = await served.http.post("/invite", data={**FIELDS, "code": code}, headers=SAME)
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    assert "HttpOnly" in answer.headers["set-cookie"]
    assert "Bob &lt;b&gt; (member)" in (await served.http.get("/")).text
    for refused in (await served.http.get(link), await served.http.post("/invite", data={"code": code}, headers=SAME)):
        assert refused.status_code == 403


async def test_what_is_wrong_is_told_on_the_form_and_burns_nothing(served):
    _, code = await invited(served)
    for change, words in (
        ({"password": "short"}, "Use 10 to"),
        ({"name": ""}, "Enter your name"),
        ({"name": "x" * 200}, "Enter your name"),
        ({"name": "", "password": "short"}, "Use 10 to"),
    ):
        answer = await served.http.post("/invite", data={**FIELDS, "code": code, **change}, headers=SAME)
        assert (answer.status_code, 'class="problem"' in answer.text, words in answer.text) == (422, True, True)
        assert "correct horse" not in answer.text
    assert (await served.http.post("/invite", data={**FIELDS, "code": code}, headers=SAME)).status_code == 303


async def test_another_sites_form_is_refused(served):
    _, code = await invited(served)
    sent = {**FIELDS, "code": code}
    for headers in OTHER_SITES:
        answer = await served.http.post("/invite", data=sent, headers=headers)
        assert (answer.status_code, answer.json()["error"]["code"]) == (403, "cross_site")
    assert (await served.http.post("/invite", data=sent, headers=SAME)).status_code == 303


async def test_who_has_an_account_signs_in_and_keeps_it(served):
    _, code = await invited(served)
    await served.http.post("/invite", data={**FIELDS, "code": code}, headers=SAME)
    link, code = await _invited_elsewhere(served)
    stranger = httpx.AsyncClient(transport=httpx.ASGITransport(create_app(served.service)), base_url=URL)
    answer = await stranger.post("/invite", data={**FIELDS, "code": code}, headers=SAME)
    assert (answer.status_code, "has an account here" in answer.text) == (422, True)
    assert "signed in as Bob &lt;b&gt;" in (await served.http.get(link)).text
    answer = await served.http.post("/invite", data={"code": code}, headers=SAME)
    assert (answer.status_code, "You joined the workspace" in answer.text) == (200, True)


async def _invited_elsewhere(served):
    other = TestDesk(served.service.dispatcher.store, HandClock())
    await other.open("Elsewhere")
    invite = await other.call(
        await other.person("Zoe", type(served.owner.role).OWNER), "invite_member", email="bob@example.com"
    )
    return invite["url"].removeprefix(URL), invite["url"].partition("code=")[2]


@pytest.mark.parametrize("code", ['"><script>alert(1)</script>', "x" * 10_000, "%00", "\u202e", ""])
async def test_garbage_is_no_invite(served, code):
    page = await served.http.get("/invite", params={"code": code})
    assert page.status_code == 403
    assert "<script" not in page.text
    assert (await served.http.post("/invite", data={**FIELDS, "code": code}, headers=SAME)).status_code == 403
