import asyncio

import pytest

from tests.transports.oauth.walk import BACK, VERIFIER


@pytest.fixture
async def client(walk):
    await walk.sign_in()
    return await walk.register()


async def test_a_code_gives_an_access_token_for_an_hour(walk, client):
    answer = await walk.redeem(client, await walk.code(client))
    told = answer.json()
    assert set(told) == {"access_token", "token_type", "expires_in", "refresh_token", "scope"}
    assert (told["token_type"], told["expires_in"], told["scope"]) == ("Bearer", 3600, "specs.read builds.write")
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["content-type"] == "application/json"
    tools = (await walk.mcp(told["access_token"])).json()["result"]["tools"]
    assert len(tools) == 13


async def test_json_is_taken_too(walk, client):
    sent = {
        "grant_type": "authorization_code",
        "code": await walk.code(client),
        "client_id": client,
        "redirect_uri": BACK,
        "code_verifier": VERIFIER,
    }
    answer = await walk.http.post("/oauth/token", json={**sent, "resource": [f"{walk.url}/mcp", walk.url]})
    assert answer.status_code == 200
    refresh = {"grant_type": "refresh_token", "refresh_token": answer.json()["refresh_token"], "client_id": client}
    assert (await walk.http.post("/oauth/token", json=refresh)).status_code == 200


@pytest.mark.parametrize("scope", ["specs.read", "desk.read desk.write", "builds.write"])
async def test_the_scopes_that_were_agreed_to(walk, client, scope):
    told = await walk.tokens(client, scope=scope)
    assert told["scope"] == scope


async def test_no_scope_means_what_is_advertised(walk, client):
    assert (await walk.tokens(client, scope=None))["scope"] == "specs.read builds.write"


async def test_resource_may_be_left_out_or_written_in_four_ways(walk, client):
    for asked in (None, walk.url, f"{walk.url}/", f"{walk.url}/mcp/"):
        code = await walk.code(client, resource=asked)
        assert (await walk.redeem(client, code, resource=f"{walk.url}/mcp")).status_code == 200


ERRORS = [
    ({"code_verifier": "w" * 64}, "invalid_grant"),
    ({"code_verifier": "short"}, "invalid_grant"),
    ({"redirect_uri": "http://127.0.0.1:5001/callback"}, "invalid_grant"),
    ({"client_id": "penling-mcp"}, "invalid_grant"),
    ({"resource": "https://elsewhere.example.com"}, "invalid_target"),
    ({"code_verifier": ""}, "invalid_request"),
    ({"redirect_uri": ""}, "invalid_request"),
    ({"code": ""}, "invalid_request"),
    ({"client_id": ""}, "invalid_request"),
    ({"grant_type": "password"}, "unsupported_grant_type"),
    ({"grant_type": "client_credentials"}, "unsupported_grant_type"),
    ({"grant_type": ""}, "invalid_request"),
    ({"code": "pendesk_oac_" + "0" * 49}, "invalid_grant"),
    ({"code": "\x00"}, "invalid_request"),
]


async def test_errors_have_the_form_of_the_rfc(walk, client):
    for changes, error in ERRORS:
        answer = await walk.redeem(client, await walk.code(client), **changes)
        assert (answer.status_code, answer.json()["error"]) == (400, error), changes
        assert isinstance(answer.json()["error_description"], str)
        assert answer.headers["cache-control"] == "no-store"


async def test_an_unknown_client_is_told_to_register_again(walk, client):
    answer = await walk.redeem("01a1debb-c229-7ab7-a132-2f6fb56127e3", "x")
    assert (answer.status_code, answer.json()["error"]) == (401, "invalid_client")


async def test_a_code_is_redeemed_once_by_http_too(walk, client):
    code = await walk.code(client)
    answers = await asyncio.gather(*(walk.redeem(client, code) for _ in range(40)))
    good = [answer for answer in answers if answer.status_code == 200]
    assert len(good) == 1
    assert (await walk.mcp(good[0].json()["access_token"])).status_code == 401


async def test_refresh_and_reuse(walk, client):
    told = await walk.tokens(client)
    fresh = (await walk.refresh(client, told["refresh_token"])).json()
    assert (await walk.mcp(fresh["access_token"])).status_code == 200
    reused = await walk.refresh(client, told["refresh_token"])
    assert (reused.status_code, reused.json()["error"]) == (400, "invalid_grant")
    assert (await walk.mcp(fresh["access_token"])).status_code == 401
    assert (await walk.refresh(client, fresh["refresh_token"])).status_code == 400


async def test_codes_tokens_and_refresh_tokens_are_not_taken_for_one_another(walk, client):
    told = await walk.tokens(client)
    code = await walk.code(client)
    for wrong in (told["access_token"], code):
        assert (await walk.refresh(client, wrong)).json()["error"] == "invalid_grant"
    for wrong in (told["access_token"], told["refresh_token"]):
        assert (await walk.redeem(client, wrong)).json()["error"] == "invalid_grant"
    for wrong in (told["refresh_token"], code):
        assert (await walk.mcp(wrong)).status_code == 401


FORM, JSON = "application/x-www-form-urlencoded", "application/json"
GARBAGE = [
    (b"", FORM),
    (b"\xff", FORM),
    (b"grant_type=refresh_token&grant_type=x", FORM),
    (b"&".join([b"a=b"] * 100), FORM),
    (b"[]", JSON),
    (b"{", JSON),
    (b'{"grant_type": 1}', JSON),
    (b'{"grant_type": "refresh_token", "grant_type": "refresh_token"}', JSON),
    (b'{"grant_type": "\\u0000"}', JSON),
    (b'{"grant_type": "\\ud800"}', JSON),
    (b'{"a": ' + b"9" * 5_000 + b"}", JSON),
    (b'{"a": NaN}', JSON),
    (b"[" * 50_000, JSON),
    (b'{"a":' * 10_000, JSON),
    (b'[["grant_type", "refresh_token"]]', JSON),
    (b"\xff\xfe", JSON),
]


@pytest.mark.parametrize("path", ["/oauth/token", "/oauth/revoke", "/oauth/device_authorization"])
async def test_garbage_is_an_invalid_request(walk, path):
    for content, media_type in GARBAGE:
        answer = await walk.http.post(path, content=content, headers={"content-type": media_type})
        assert (answer.status_code, answer.json()["error"]) == (400, "invalid_request"), content[:80]


async def test_a_large_body_is_refused(walk):
    answer = await walk.http.post("/oauth/token", content=b"x" * 70_000)
    assert (answer.status_code, answer.json()["error"]) == (413, "invalid_request")


async def test_only_post(walk):
    for path in ("/oauth/token", "/oauth/register", "/oauth/revoke", "/oauth/device_authorization"):
        assert (await walk.http.get(path)).status_code == 405


async def test_the_rate_limit_counts_the_grant_not_the_token(walk, client):
    told = await walk.tokens(client)
    statuses = [(await walk.mcp(told["access_token"], "ping")).status_code for _ in range(35)]
    told = (await walk.refresh(client, told["refresh_token"])).json()
    statuses += [(await walk.mcp(told["access_token"], "ping")).status_code for _ in range(35)]
    assert statuses.count(200) == 60
    assert statuses[-10:] == [429] * 10
