import re

import pytest

from tests.sites import OTHER_SITES, SAME
from tests.transports.oauth.walk import hidden

GRANT = "urn:ietf:params:oauth:grant-type:device_code"


async def start(walk, **fields):
    answer = await walk.http.post("/oauth/device_authorization", data={"client_id": "penling-mcp", **fields})
    assert answer.status_code == 200, answer.text
    return answer.json()


async def poll(walk, started, **fields):
    sent = {"grant_type": GRANT, "device_code": started["device_code"], "client_id": "penling-mcp", **fields}
    return await walk.http.post("/oauth/token", data=sent)


async def enter(walk, code):
    return await walk.http.post("/device", data={"user_code": code}, headers=SAME)


async def test_from_start_to_tool_call(walk):
    started = await start(walk, scope="specs.read")
    assert re.fullmatch("[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}", started["user_code"])
    assert started["verification_uri"] == f"{walk.url}/device"
    assert started["verification_uri_complete"] == f"{walk.url}/device?user_code={started['user_code']}"
    assert (started["expires_in"], started["interval"]) == (600, 5)
    pending = await poll(walk, started)
    assert (pending.status_code, pending.json()["error"]) == (400, "authorization_pending")
    assert (await poll(walk, started)).json()["error"] == "slow_down"
    await walk.sign_in()
    page = await walk.http.get("/device", params={"user_code": started["user_code"]})
    assert f'value="{started["user_code"]}"' in page.text
    consent = await enter(walk, started["user_code"].lower())
    assert "Authorize this program?" in consent.text
    assert "Read the published specs" in consent.text
    assert "form-action 'self';" in consent.headers["content-security-policy"]
    done = await walk.decide(consent)
    assert "Access granted" in done.text
    told = (await poll(walk, started)).json()
    assert told["scope"] == "specs.read"
    assert (await walk.mcp(told["access_token"])).status_code == 200
    assert (await poll(walk, started)).json()["error"] == "invalid_grant"


async def test_a_no(walk):
    started = await start(walk)
    await walk.sign_in()
    page = await walk.decide(await enter(walk, started["user_code"]), "deny")
    assert "Access denied" in page.text
    assert (await poll(walk, started)).json()["error"] == "access_denied"


async def test_the_link_alone_lets_nobody_in(walk):
    started = await start(walk)
    await walk.sign_in()
    page = await walk.http.get("/device", params={"user_code": started["user_code"]})
    assert "ticket" not in page.text
    assert (await poll(walk, started)).json()["error"] == "authorization_pending"


async def test_signing_in_comes_first(walk):
    started = await start(walk)
    page = await walk.http.get("/device", params={"user_code": started["user_code"]})
    assert 'name="password"' in page.text
    assert f'action="/device?user_code={started["user_code"]}"' in page.text
    answer = await enter(walk, started["user_code"])
    assert "ticket" not in answer.text


async def test_codes_cannot_be_guessed_at_will(walk):
    started = await start(walk)
    user = await walk.call("create_user", name="Guess", email=f"guess-{id(walk)}@example.com")
    link = await walk.call("create_sign_in_link", user_pid=user.user_id)
    await walk.http.post("/sign-in", data={"code": link.url.partition("code=")[2]})
    statuses = [(await enter(walk, f"BCDF-BCD{letter}")).status_code for letter in "BCDFGHJKLMNP"]
    assert statuses == [403] * 10 + [429] * 2
    assert (await enter(walk, started["user_code"])).status_code == 429


@pytest.mark.parametrize("headers", OTHER_SITES)
async def test_another_site_can_neither_enter_nor_agree(walk, headers):
    started = await start(walk)
    await walk.sign_in()
    answer = await walk.http.post("/device", data={"user_code": started["user_code"]}, headers=headers)
    assert answer.status_code == 403
    page = await enter(walk, started["user_code"])
    answer = await walk.http.post("/device", data={**hidden(page), "decision": "allow"}, headers=headers)
    assert answer.status_code == 403
    assert (await poll(walk, started)).json()["error"] == "authorization_pending"


async def test_a_ticket_of_one_kind_is_no_ticket_of_the_other(walk):
    await walk.sign_in()
    started = await start(walk)
    page = await enter(walk, started["user_code"])
    answer = await walk.http.post("/oauth/authorize", data={**hidden(page), "decision": "allow"}, headers=SAME)
    assert "location" not in answer.headers
    page = await walk.authorize("penling-mcp")
    answer = await walk.http.post("/device", data={**hidden(page), "decision": "allow"}, headers=SAME)
    assert "location" not in answer.headers
    assert answer.status_code == 403


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({"client_id": "nobody"}, "invalid_client"),
        ({"scope": "person"}, "invalid_scope"),
        ({"resource": "https://evil.test"}, "invalid_target"),
        ({"client_id": ""}, "invalid_request"),
    ],
)
async def test_faults_are_named(walk, fields, error):
    answer = await walk.http.post("/oauth/device_authorization", data={"client_id": "penling-mcp", **fields})
    assert answer.json()["error"] == error


async def test_starting_is_limited_by_address(walk):
    sent = {"client_id": "penling-mcp"}
    statuses = [(await walk.http.post("/oauth/device_authorization", data=sent)).status_code for _ in range(25)]
    assert statuses == [200] * 20 + [429] * 5


async def test_what_is_typed_is_escaped(walk):
    await walk.sign_in()
    for typed in ('"><script>', "\u202e", "x" * 5_000, ""):
        page = await walk.http.get("/device", params={"user_code": typed})
        assert page.status_code == 200
        assert "<script" not in page.text


async def test_the_person_chooses_what_the_program_is_for(walk):
    started = await start(walk)
    await walk.sign_in()
    page = await enter(walk, started["user_code"])
    assert "<strong>Plan</strong>" in page.text
    assert "Access granted" in (await walk.decide(page, tools="plan")).text
    assert (await poll(walk, started)).json()["scope"] == "desk.read desk.write specs.write"
