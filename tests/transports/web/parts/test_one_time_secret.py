"""What is shown once: the form is answered by a redirect, so that a reload sends nothing again."""

import re
from http.cookies import SimpleCookie

import pytest

from pendesk.transports.web.parts.one_time_secret import COOKIE, FORMS
from tests.sites import SAME
from tests.transports.served import serving

TOKEN = "/settings/mcp/token"
LONGEST_COOKIE_BYTES = 4_096


@pytest.fixture
async def served(tmp_path):
    async with serving(tmp_path) as served:
        await served.http.post("/sign-in", data={"code": (await served.link()).partition("code=")[2]}, headers=SAME)
        yield served


async def post_token_form(served, **fields):
    return await served.http.post(TOKEN, data={"name": "Claude Code", **fields}, headers=SAME)


async def test_a_reload_neither_creates_nor_shows_it_again(served):
    redirect = await post_token_form(served, tools="plan")
    assert (redirect.status_code, redirect.headers["location"]) == (303, TOKEN)
    page = await served.http.get(TOKEN)
    assert re.search(r'id="secret" tabindex="0">pendesk_mcp_\w+<', page.text)
    assert page.headers["cache-control"] == "no-store"
    again = await served.http.get(TOKEN)
    assert (again.status_code, again.headers["location"]) == (303, "/settings/mcp")
    tokens = (await served.call("list_tokens")).tokens
    assert [token.scopes for token in tokens] == [["desk.read", "desk.write", "specs.write"]]


async def test_the_cookie_tells_nothing_and_is_worth_nothing_elsewhere(served):
    redirect = await post_token_form(served)
    cookie = SimpleCookie(redirect.headers["set-cookie"])[COOKIE]
    assert "pendesk_mcp" not in cookie.value
    assert (cookie["httponly"], cookie["samesite"], cookie["max-age"]) == (True, "lax", "60")
    other_form = await served.http.get("/settings/members/invite")
    assert (other_form.status_code, other_form.headers["location"]) == (303, "/settings/members")
    await served.http.post("/sign-in", data={"code": (await served.link()).partition("code=")[2]}, headers=SAME)
    served.http.cookies.set(COOKIE, cookie.value)
    another_sign_in = await served.http.get(TOKEN)
    assert another_sign_in.status_code == 303
    for forged in ("x", "v2.", f"{cookie.value[:-4]}AAAA"):
        served.http.cookies.set(COOKIE, forged)
        assert (await served.http.get(TOKEN)).status_code == 303


async def test_without_a_choice_it_is_for_building_and_exact_scopes_are_taken_instead(served):
    page = (await served.http.get("/settings/mcp")).text
    assert re.findall(r'name="tools" value="(\w*)"( checked)?', page) == [
        ("build", " checked"),
        ("plan", ""),
        ("all", ""),
        ("", ""),
    ]
    await post_token_form(served, tools="build")
    await post_token_form(served, tools="", scopes=["desk.read", "specs.write"])
    refused = await post_token_form(served, tools="all", scopes=["desk.read"])
    assert "set-cookie" not in refused.headers or COOKIE not in refused.headers["set-cookie"]
    tokens = (await served.call("list_tokens")).tokens
    assert sorted(token.scopes for token in tokens) == [["desk.read", "specs.write"], ["specs.read", "builds.write"]]


async def test_what_is_longest_still_fits_into_a_cookie(served):
    url = "https://example.com/".ljust(2_000, "x")
    redirect = await served.http.post("/settings/integrations/webhook", data={"url": url}, headers=SAME)
    assert redirect.status_code == 303, redirect.text
    assert len(redirect.headers["set-cookie"]) <= LONGEST_COOKIE_BYTES
    assert url in (await served.http.get("/settings/integrations/webhook")).text
    name = "\N{GRINNING FACE}" * 100
    assert len((await post_token_form(served, name=name)).headers["set-cookie"]) <= LONGEST_COOKIE_BYTES


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.path)
async def test_who_comes_without_anything_to_see_is_sent_where_the_form_is(served, form):
    page = await served.http.get(form.path)
    assert (page.status_code, page.headers["location"]) == (303, form.page)
