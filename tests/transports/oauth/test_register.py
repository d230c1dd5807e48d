from tests.domain.test_redirect import HOSTILE
from tests.transports.oauth.walk import Walk
from tests.transports.served import serving


async def test_a_client_gets_an_id_and_no_secret(walk):
    sent = {
        "client_name": "Claude Code (pendesk)",
        "redirect_uris": ["http://localhost:55450/callback"],
        "grant_types": ["authorization_code", "refresh_token"],
        "response_types": ["code"],
        "token_endpoint_auth_method": "client_secret_post",
        "scope": "everything",
        "unknown": {"x": 1},
    }
    answer = await walk.http.post("/oauth/register", json=sent)
    told = answer.json()
    assert answer.status_code == 201
    assert answer.headers["cache-control"] == "no-store"
    assert "client_secret" not in told
    assert told["token_endpoint_auth_method"] == "none"
    assert told["redirect_uris"] == sent["redirect_uris"]
    assert told["grant_types"] == ["authorization_code", "refresh_token"]
    assert told["client_name"] == "Claude Code (pendesk)"
    assert abs(told["client_id_issued_at"]) > 1_000_000_000


async def test_no_address_but_the_own_machine(walk):
    for number, uri in enumerate(HOSTILE):
        for uris in ([uri], ["http://127.0.0.1/callback", uri]):
            walk.http._transport.client = (f"198.51.{number}.{len(uris)}", 1)
            answer = await walk.http.post("/oauth/register", json={"redirect_uris": uris})
            assert answer.status_code == 400, uri
            assert answer.json()["error"] in ("invalid_redirect_uri", "invalid_client_metadata")


WRONG = [
    ({}, "invalid_redirect_uri"),
    ({"redirect_uris": []}, "invalid_redirect_uri"),
    ({"redirect_uris": "http://127.0.0.1/"}, "invalid_client_metadata"),
    ({"redirect_uris": [1]}, "invalid_client_metadata"),
    ({"redirect_uris": ["http://127.0.0.1/"] * 11}, "invalid_client_metadata"),
    ({"redirect_uris": ["http://127.0.0.1/"], "client_name": "x" * 1_001}, "invalid_client_metadata"),
    ({"redirect_uris": ["http://127.0.0.1/"], "client_name": 7}, "invalid_client_metadata"),
    ({"redirect_uris": ["http://127.0.0.1/"], "grant_types": ["implicit"]}, "invalid_client_metadata"),
    ({"redirect_uris": ["http://127.0.0.1/"], "response_types": ["token"]}, "invalid_client_metadata"),
    ([], "invalid_client_metadata"),
]


async def test_what_is_wrong_is_named(walk):
    for sent, error in WRONG:
        answer = await walk.http.post("/oauth/register", json=sent)
        assert (answer.status_code, answer.json()["error"]) == (400, error), sent


async def test_garbage_is_no_fault(walk):
    for body in (b"", b"\xff", b"{", b"null", b"[" * 50_000, b'{"client_name": "\\ud800"}', b'{"client_name": "\xff"}'):
        answer = await walk.http.post("/oauth/register", content=body)
        assert answer.status_code == 400
    assert (await walk.http.post("/oauth/register", content=b"x" * 70_000)).status_code == 413


async def test_a_name_that_is_given_twice_is_refused(walk):
    for body in (
        b'{"redirect_uris":["http://127.0.0.1/a"],"redirect_uris":["http://127.0.0.1/b"]}',
        b'{"redirect_uris":["http://127.0.0.1/a"],"client_name":"Good","client_name":"Other"}',
        b'{"redirect_uris":["http://127.0.0.1/a"],"client_name":"Good","client_n\\u0061me":"Other"}',
        b'{"redirect_uris":["http://127.0.0.1/a"],"jwks":{"keys":[{"kid":"a","kid":"b"}]}}',
    ):
        answer = await walk.http.post("/oauth/register", content=body)
        assert (answer.status_code, answer.json()["error"]) == (400, "invalid_client_metadata")
        assert "twice" in answer.json()["error_description"]


async def test_strange_names_are_made_harmless(walk):
    await walk.sign_in()
    for name, shown in (
        ("a\u202eb\x00", "ab"),
        ("\u200b", "A program without a name"),
        ("", "A program without a name"),
    ):
        client = await walk.register(client_name=name)
        page = await walk.authorize(client)
        assert f"<strong>{shown}</strong>" in page.text


async def test_a_flood_is_stopped_by_address_and_others_still_get_in(walk):
    sent = {"redirect_uris": ["http://127.0.0.1/callback"]}
    statuses = [(await walk.http.post("/oauth/register", json=sent)).status_code for _ in range(30)]
    assert statuses == [201] * 20 + [429] * 10
    answer = await walk.http.post("/oauth/register", json=sent)
    assert answer.json()["error"] == "temporarily_unavailable"
    assert 1 <= int(answer.headers["retry-after"]) <= 60
    assert "registrations in a minute from this address" in answer.json()["error_description"]
    walk.http._transport.client = ("192.0.2.7", 1)  # another address
    assert (await walk.http.post("/oauth/register", json=sent)).status_code == 201


async def test_one_household_of_ipv6_is_one_address(tmp_path):
    async with serving(tmp_path, client="2001:db8:1:2::1") as served:
        walk = Walk(served)
        sent = {"redirect_uris": ["http://127.0.0.1/callback"]}
        statuses = []
        for number in range(30):
            walk.http._transport.client = (f"2001:db8:1:2::{number:x}", 1)  # type: ignore[attr-defined]
            statuses.append((await walk.http.post("/oauth/register", json=sent)).status_code)
        assert statuses.count(201) == 20
