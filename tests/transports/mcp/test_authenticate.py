"""Who gets in, and how those who do not are told."""

import asyncio
from itertools import count

import pytest

from tests.mistyped import mistyped
from tests.transports.mcp.wire import LEGACY, Wire, message, token_of
from tests.transports.served import serving

METADATA = 'Bearer resource_metadata="http://127.0.0.1:3847/.well-known/oauth-protected-resource"'
LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}


@pytest.mark.parametrize("sent", [None, "", "Basic YWRhOnBhc3N3b3Jk", "Bearer", "Bearer ", "bearer"])
async def test_without_a_token(served, sent):
    headers = {} if sent is None else {"Authorization": sent}
    answer = await served.http.post("/mcp", json=LIST, headers=headers)
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"].startswith(METADATA)
    assert "error=" not in answer.headers["www-authenticate"]
    assert answer.json()["error"]["status"] == 401


async def test_with_a_token_that_is_none(served, modern):
    revoked = await token_of(served)
    listed = await served.service.dispatcher.call(served.owner, "list_tokens", {})
    newest = max(listed.tokens, key=lambda token: token.token_id)
    await served.service.dispatcher.call(served.owner, "revoke_token", {"token_id": newest.token_id})
    for bad in ("nonsense", "pendesk_mcp_nonsense", mistyped(modern.token), "ü", revoked):
        answer = await served.http.post("/mcp", json=LIST, headers={"Authorization": f"Bearer {bad}".encode()})
        assert answer.status_code == 401, bad
        assert answer.headers["www-authenticate"].startswith(METADATA)
        assert 'error="invalid_token"' in answer.headers["www-authenticate"]
        assert bad not in answer.text
    assert (await Wire(served.http, modern.token, LEGACY).ask("tools/list")).status_code == 200


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT", "PATCH", "HEAD", "OPTIONS"])
async def test_only_post(served, modern, method):
    answer = await served.http.request(method, "/mcp", headers={"Authorization": f"Bearer {modern.token}"})
    assert (answer.status_code, answer.headers["allow"]) == (405, "POST")
    answer = await served.http.request(method, "/mcp")
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"].startswith(METADATA)


@pytest.mark.parametrize(
    "origin",
    [
        "http://evil.test",
        "null",
        "http://127.0.0.1",
        "http://127.0.0.1:3848",
        "http://127.0.0.1:3847.evil.test",
        "http://evil.test\\@127.0.0.1:3847",
        "http://evil@127.0.0.1:3847",
        "http://[::1",
        "http://127.0.0.1:3847/",
        "ftp://127.0.0.1:3847",
    ],
)
async def test_another_sites_page_is_refused(modern, origin):
    answer = await modern.post(LIST, {"Origin": origin})
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "forbidden")


@pytest.mark.parametrize("host", ["127.0.0.1:3847", "localhost:3847"])
async def test_the_servers_own_pages_are_not(modern, host):
    answer = await modern.post(LIST, {"Origin": f"http://{host}", "Host": host})
    assert answer.status_code == 200


@pytest.mark.parametrize("chunked", [False, True])
async def test_a_body_over_a_megabyte_is_413(modern, chunked):
    async def pieces():
        for _ in range(11):
            yield b" " * 100_000

    headers = {"Authorization": f"Bearer {modern.token}"}
    content = pieces() if chunked else b" " * 1_000_001
    answer = await modern.http.post("/mcp", content=content, headers=headers)
    assert (answer.status_code, answer.json()["error"]["code"]) == (413, "too_large")
    assert answer.headers["connection"] == "close"
    assert (await Wire(modern.http, modern.token, LEGACY).ask("ping")).status_code == 200


async def test_a_body_of_just_a_megabyte_is_read(modern):
    body, headers = message(modern.era, "tools/call", name="claim_action", arguments={"action_pid": ""})
    content = str(body).replace("'", '"').encode()
    answer = await modern.post(content + b" " * (1_000_000 - len(content)), headers)
    assert answer.json()["result"]["structuredContent"]["error"]["code"] == "bad_field"


async def test_exactly_60_of_100_get_through(served):
    first, second = [Wire(served.http, await token_of(served), LEGACY) for _ in range(2)]
    answers = await asyncio.gather(*(first.ask("ping") for _ in range(100)))
    assert sorted(answer.status_code for answer in answers) == [200] * 60 + [429] * 40
    refused = next(answer for answer in answers if answer.status_code == 429)
    seconds = int(refused.headers["retry-after"])
    assert 55 <= seconds <= 60
    assert refused.json()["error"]["retryAfter"] == seconds
    assert f"{seconds} seconds" in refused.json()["error"]["message"]
    assert (await second.ask("ping")).status_code == 200


async def test_the_window_moves(served, monkeypatch):
    """No burst at the edge of a minute: each request counts for 60 seconds, whenever it came."""
    moment = [0.0]
    monkeypatch.setattr("pendesk.transports.throttle.time.monotonic_ns", lambda: int(moment[0] * 1e9))
    wire = Wire(served.http, await token_of(served), LEGACY)
    for second in range(60):
        moment[0] = second / 2
        assert (await wire.ask("ping")).status_code == 200
    for at, status in ((30, 429), (59.9, 429), (60, 200), (60.1, 429), (60.5, 200)):
        moment[0] = at
        assert (await wire.ask("ping")).status_code == status, at


async def test_five_hundred_clients_with_id_0_each_get_their_own_answer(tmp_path):
    async with serving(tmp_path / "data", requests_per_minute=100_000) as served:
        token = await token_of(served)
        numbers = count()

        async def one() -> None:
            own = f"tool-{next(numbers)}"
            body, headers = message(LEGACY, "tools/call", 0, name=own)
            answer = (await Wire(served.http, token).post(body, headers)).json()
            assert answer["id"] == 0
            assert repr(own) in answer["error"]["message"]

        await asyncio.gather(*(one() for _ in range(500)))
