"""Who is asked to sign in comes to where they were going, by whatever way they sign in, and never elsewhere."""

from urllib.parse import quote

import pytest

from tests.transports.served import serving


@pytest.fixture
async def served(tmp_path):
    async with serving(tmp_path / "data") as running:
        yield running


async def sign_in_by_link(served, **headers):
    code = (await served.link()).partition("code=")[2]
    return await served.http.post("/sign-in", data={"code": code}, headers=headers)


@pytest.mark.parametrize("path", ["/p/HRB/list?sort=label", "/device?user_code=BCDF-BCDF"])
async def test_a_one_time_link_leads_on_and_only_once(served, path):
    answer = await served.http.get(path, follow_redirects=True)
    [cookie] = [header for header in answer.headers.get_list("set-cookie") if header.startswith("pendesk_then=")]
    assert all(part in cookie for part in ("HttpOnly", "SameSite=lax", "Max-Age=600"))
    assert (await sign_in_by_link(served)).headers["location"] == path
    await served.http.post("/sign-out")
    assert (await sign_in_by_link(served)).headers["location"] == "/"


@pytest.mark.parametrize(
    "address", ["//evil.test", "/\\evil.test", "https://evil.test", "javascript:x", "/\r\nx: y", "/" + "x" * 5_000, "%"]
)
async def test_whatever_the_cookie_says_nobody_is_led_elsewhere(served, address):
    answer = await sign_in_by_link(served, cookie=f"pendesk_then={quote(address, safe='')}")
    assert (answer.status_code, answer.headers["location"]) == (303, "/")


async def test_a_password_leads_on_as_well_and_leaves_no_cookie_behind(served):
    member = await served.call("create_user", name="Bo", email="bo@example.com")
    await served.call("set_password", password="correct horse battery", user_pid=member.user_id)
    address = (await served.http.get("/p/HRB")).headers["location"]
    await served.http.get(address)
    sent = {"email": "bo@example.com", "password": "correct horse battery"}
    answer = await served.http.post(address, data=sent)
    assert (answer.status_code, answer.headers["location"]) == (303, "/p/HRB")
    assert "pendesk_then" not in served.http.cookies


async def test_signing_out_says_so_once_and_may_lead_back_with_another_account(served):
    await sign_in_by_link(served)
    left = await served.http.post("/sign-out?then=%2Fdevice")
    assert left.headers["location"] == "/sign-in?then=%2Fdevice"
    assert "You are signed out." in (await served.http.get("/sign-in?then=%2Fdevice")).text
    assert "You are signed out." not in (await served.http.get("/sign-in")).text
    assert (await sign_in_by_link(served)).headers["location"] == "/device"
    assert (await served.http.post("/sign-out?then=//evil.test")).headers["location"] == "/sign-in"
