import re

import pytest

from pendesk.transports.web.parts.assets import asset_url_path
from tests.sites import OTHER_SITES, SAME
from tests.transports.served import serving


@pytest.fixture
async def served(tmp_path):
    async with serving(tmp_path / "data") as running:
        yield running


def code_in(page):
    match = re.search(r'name="code" value="([^"]+)"', page)
    return match and match[1]


async def test_the_link_shows_a_button_and_the_button_signs_in_once(served):
    link = await served.link()
    for _ in range(3):  # scanners and previews fetch it too
        page = await served.http.get(link)
        assert page.status_code == 200
        assert "set-cookie" not in page.headers
    sent = {"code": code_in(page.text)}
    answer = await served.http.post("/sign-in", data=sent)
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith("pendesk_session=")
    assert all(part in cookie for part in ("HttpOnly", "SameSite=lax", "Path=/", "Max-Age=2592000"))
    assert "Secure" not in cookie
    second = await served.http.post("/sign-in", data=sent)
    assert second.status_code == 403
    assert "no longer works" in second.text


async def test_the_cookie_is_bound_to_the_host_on_https(tmp_path):
    async with serving(tmp_path, url="https://pendesk.example.com") as served:
        code = (await served.link()).partition("code=")[2]
        answer = await served.http.post("/sign-in", data={"code": code})
        assert answer.headers["set-cookie"].startswith("__Host-pendesk_session=")
        assert "Secure" in answer.headers["set-cookie"]


async def test_home_tells_who_you_are_escaped(served):
    assert (await served.http.get("/")).headers["location"] == "/sign-in"
    await served.http.post("/sign-in", data={"code": (await served.link()).partition("code=")[2]})
    page = (await served.http.get("/")).text
    assert "Ada &lt;i&gt; (owner)" in page
    assert "&lt;b&gt;Desk&lt;/b&gt;" in page
    assert re.findall("<script[^>]*>", page) == [f'<script src="{asset_url_path("pendesk.js")}" defer>']
    assert "style=" not in page
    await served.http.post("/sign-out")
    assert (await served.http.get("/")).status_code == 303


async def test_signing_out_ends_the_session_itself(served):
    await served.http.post("/sign-in", data={"code": (await served.link()).partition("code=")[2]})
    secret = served.http.cookies["pendesk_session"]
    await served.http.post("/sign-out")
    page = await served.http.get("/", headers={"cookie": f"pendesk_session={secret}"})
    assert page.headers["location"] == "/sign-in"


@pytest.mark.parametrize("headers", OTHER_SITES)
async def test_another_sites_form_is_refused_and_burns_nothing(served, headers):
    code = (await served.link()).partition("code=")[2]
    answer = await served.http.post("/sign-in", data={"code": code}, headers=headers)
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "cross_site")
    answer = await served.http.post("/sign-in", data={"code": code}, headers=SAME)
    assert answer.status_code == 303


@pytest.mark.parametrize("code", ['"><script>alert(1)</script>', "x" * 10_000, "%00", "\u202e"])
async def test_what_stands_in_the_link_is_escaped(served, code):
    page = await served.http.get("/sign-in", params={"code": code})
    assert page.status_code == 200
    assert "<script" not in page.text
    assert len(page.text) < 3_000
    assert (await served.http.post("/sign-in", data={"code": code})).status_code == 403


async def test_garbage_for_a_form_is_a_bad_link(served):
    for content in (b"", b"\xff\xfe", b"code", b"code=%ff", b'{"code": 1}'):
        assert (await served.http.post("/sign-in", content=content)).status_code == 403
    assert (await served.http.post("/sign-in", content=b"&".join([b"a=b"] * 100))).status_code < 500


async def test_garbage_for_a_cookie_is_nobody(served):
    for value in ("x", "x" * 4_000, "%00", '"'):
        page = await served.http.get("/", headers={"cookie": f"pendesk_session={value}"})
        assert (page.status_code, page.headers["location"]) == (303, "/sign-in")


async def test_after_signing_in_you_are_where_you_wanted_to_go(served):
    location = (await served.http.get("/p/HRB?area=ui")).headers["location"]
    assert location == "/sign-in?then=%2Fp%2FHRB%3Farea%3Dui"
    assert 'action="/sign-in?then=%2Fp%2FHRB%3Farea%3Dui"' in (await served.http.get(location)).text


@pytest.mark.parametrize(
    "address", ["//evil.test", "/\\evil.test", "https://evil.test", "javascript:x", "/\t/evil.test"]
)
async def test_signing_in_leads_to_no_other_site(served, address):
    page = await served.http.get("/sign-in", params={"then": address})
    assert 'action="/sign-in"' in page.text


async def test_the_first_is_asked_for_a_name_and_is_called_by_it(served):
    link = await served.link()
    page = (await served.http.get(link)).text
    assert 'name="name" type="text" value="Ada &lt;i&gt;" required' in page
    await served.http.post("/sign-in", data={"code": code_in(page), "name": "Ada Lovelace"})
    assert "Ada Lovelace (owner)" in (await served.http.get("/")).text


async def test_whoever_comes_later_is_not_asked_and_cannot_take_another_name_with_a_link(served):
    await served.http.post("/sign-in", data={"code": (await served.link()).partition("code=")[2]})
    await served.http.post("/sign-out")
    page = (await served.http.get(await served.link())).text
    assert 'name="name"' not in page
    await served.http.post("/sign-in", data={"code": code_in(page), "name": "Mallory"})
    assert "Ada &lt;i&gt; (owner)" in (await served.http.get("/")).text


@pytest.mark.parametrize("name", ["x" * 101, "two\nlines", "   "])
async def test_a_name_that_is_none_is_said_at_its_field_and_the_link_still_works(served, name):
    code = (await served.link()).partition("code=")[2]
    refused = await served.http.post("/sign-in", data={"code": code, "name": name})
    assert refused.status_code == 422
    assert "Enter your name, in one line of at most 100 characters." in refused.text
    assert code_in(refused.text) == code
    assert (await served.http.post("/sign-in", data={"code": code, "name": "Ada"})).status_code == 303
