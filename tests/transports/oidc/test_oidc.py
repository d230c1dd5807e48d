"""Signing in at an OpenID provider, a real one over HTTP: who gets in, and every lie that is not believed."""

import hashlib
import hmac
import json
import logging
import time
from urllib.parse import parse_qsl, urlsplit

import httpx
import pytest

from pendesk.domain.access import Role
from pendesk.main import create_app
from pendesk.settings import SettingError, load
from tests.oidc_server import CLIENT, SECRET, EcKey, RsaKey, b64
from tests.transports.oidc.walk import at, browser, sign_in, start
from tests.transports.served import URL


async def test_a_member_signs_in_by_their_verified_address(served, provider):
    page = (await served.http.get("/sign-in")).text
    assert "Sign in with 127.0.0.1" in page
    http = browser(served)
    answer = await sign_in(served, provider, http=http)
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    cookies = answer.headers.get_list("set-cookie")
    assert any(each.startswith("pendesk_session=") and "HttpOnly" in each for each in cookies)
    assert any(each.startswith('pendesk_oidc="";') and "Max-Age=0" in each for each in cookies)
    assert "Ada (member)" in (await http.get("/")).text


async def test_the_subject_counts_from_then_on_whatever_the_address(served, provider):
    await sign_in(served, provider)
    provider.person = {"sub": "ada-1", "email": "ada@elsewhere.example", "email_verified": True}
    assert (await sign_in(served, provider)).status_code == 303
    provider.person = {"sub": "ada-1"}
    assert (await sign_in(served, provider)).status_code == 303
    # The address was given to a new colleague: they do not get the account with it.
    provider.person = {"sub": "ada-2", "email": "ada@example.com", "email_verified": True}
    answer = await sign_in(served, provider)
    assert (answer.status_code, "another person" in answer.text) == (403, True)


async def test_es256_and_a_new_key_are_good(served, provider, monkeypatch):
    await sign_in(served, provider)
    monkeypatch.setattr("pendesk.transports.oidc.provider.KEYS_AGAIN_S", 0.0)
    for key in (EcKey(), RsaKey("another")):
        monkeypatch.setattr(provider, "key", key)
        monkeypatch.setattr(provider, "published", [*provider.published, key.jwk()])
        assert (await sign_in(served, provider)).status_code == 303


async def test_the_first_proof_of_the_address_ends_what_others_may_know(served, provider):
    """Who made the account for the address, and knows its password, is out once its owner has come."""
    asked = {"user_pid": "ada@example.com", "password": "somebody knows this"}
    await served.service.dispatcher.call(served.owner, "set_password", asked)
    form, stranger = {"email": "ada@example.com", "password": "somebody knows this"}, browser(served)
    assert (await stranger.post("/sign-in", data=form)).status_code == 303
    assert (await sign_in(served, provider)).status_code == 303
    assert "Ada (member)" not in (await stranger.get("/")).text
    assert (await stranger.post("/sign-in", data=form)).status_code == 403
    # One that is set from then on is its owner's, and stays.
    await served.service.dispatcher.call(served.owner, "set_password", asked)
    assert (await sign_in(served, provider)).status_code == 303
    assert (await stranger.post("/sign-in", data=form)).status_code == 303


async def test_what_a_provider_may_say_as_well(served, provider):
    now = int(time.time())
    for claims in (
        {"aud": [CLIENT]},
        {"aud": [CLIENT, "another"], "azp": CLIENT},
        {"azp": CLIENT},
        {"exp": now - 30, "iat": now - 300},
        {"iat": now + 30},
        {"email_verified": "true"},
    ):
        provider.claims = claims
        assert (await sign_in(served, provider)).status_code == 303, claims
    provider.reset()
    provider.header = {"kid": None}
    assert (await sign_in(served, provider)).status_code == 303


def lies(provider):
    """What the ID token says, and how it is signed, each wrong in one way."""
    now = int(time.time())
    public = json.dumps(provider.key.jwk()).encode()
    stranger, other = RsaKey(provider.key.kid), EcKey()
    claims = [
        {"iss": "https://evil.test"},
        {"iss": provider.issuer + "/"},
        {"iss": None},
        {"aud": "another"},
        {"aud": []},
        {"aud": None},
        {"aud": [CLIENT, "another"]},
        {"aud": [CLIENT, "another"], "azp": "another"},
        {"azp": "another"},
        {"exp": now - 61},
        {"exp": None},
        {"exp": "tomorrow"},
        {"exp": True},
        {"iat": now + 3600},
        {"iat": None},
        {"nonce": None},
        {"nonce": "0" * 64},
        {"nonce": 1},
        {"sub": None},
        {"sub": ""},
        {"sub": 7},
        {"sub": "x" * 256},
    ]
    yield from (({"claims": each}, str(each)) for each in claims)
    yield {"sign": stranger.sign}, "another key under the same name"
    yield {"sign": lambda _: b""}, "no signature"
    yield {"header": {"alg": "none"}, "sign": lambda _: b""}, "alg none"
    yield {"header": {"alg": "None"}, "sign": lambda _: b""}, "alg None"
    hs256 = lambda data: hmac.digest(public, data, hashlib.sha256)  # noqa: E731
    yield {"header": {"alg": "HS256"}, "sign": hs256}, "the public key as a shared secret"
    yield {"header": {"kid": "unknown"}}, "a key that is not published"
    yield {"header": {"alg": "ES256"}, "sign": other.sign}, "a key of another type"
    yield {"header": {"alg": "RS512"}}, "another algorithm"
    yield {"header": {"crit": ["exp"]}}, "an extension that must be understood"
    yield {"header": {"jwk": stranger.jwk(), "kid": None}, "sign": stranger.sign}, "a key that it brings itself"


async def test_no_lie_is_believed(served, provider, caplog):
    for lie, name in lies(provider):
        provider.reset()
        for part, value in lie.items():
            setattr(provider, part, value)
        http = httpx.AsyncClient(transport=httpx.ASGITransport(create_app(served.service)), base_url=URL)
        answer = await sign_in(served, provider, http=http)
        assert answer.status_code == 403, name
        assert "did not confirm" in answer.text, name
        assert "pendesk_session" not in str(answer.headers), name
    assert "a sign-in at the provider failed" in caplog.text


async def test_what_is_not_verified_is_no_address(served, provider):
    for change in ({"email_verified": False}, {"email_verified": None}, {"email_verified": "yes"}, {"email": None}):
        provider.claims = {"sub": "somebody", **change}
        answer = await sign_in(served, provider)
        assert (answer.status_code, "No account here" in answer.text) == (403, True)


async def test_the_answer_counts_in_the_browser_that_asked_and_once(served, provider):
    mine, other = browser(served), browser(served)
    back = provider.sign_in(await start(mine)).removeprefix(URL)
    await start(other)
    for http in (other, browser(served)):
        asked = len(provider.asked)
        assert (await http.get(back)).status_code == 403
        assert len(provider.asked) == asked, "the code was redeemed for a stranger"
    assert (await mine.get(back)).status_code == 303
    assert (await mine.get(back)).status_code == 403


async def test_answers_that_are_no_answers(served, provider):
    for change in ("&iss=https://evil.test", "&error=access_denied", "&code="):
        http = browser(served)
        back = provider.sign_in(await start(http)).removeprefix(URL)
        query = dict(parse_qsl(urlsplit(back + change).query, keep_blank_values=True))
        assert (await http.get("/sign-in/oidc/callback", params=query)).status_code == 403
    assert (await browser(served).get("/sign-in/oidc/callback")).status_code == 403
    http = browser(served)
    state = dict(parse_qsl(urlsplit(await start(http)).query))["state"]
    answer = await http.get("/sign-in/oidc/callback", params={"state": state, "code": "made up"})
    assert answer.status_code == 403


@pytest.mark.parametrize(
    ("then", "to"),
    [
        ("/oauth/authorize?client_id=x&state=a%20b", "/oauth/authorize?client_id=x&state=a%20b"),
        ("/device", "/device"),
        ("/p/HRB/list?sort=label", "/p/HRB/list?sort=label"),
        ("/device?user_code=BCDF-BCDF", "/device?user_code=BCDF-BCDF"),
        ("https://evil.test", "/"),
        ("//evil.test", "/"),
        ("/\\evil.test", "/"),
        ("/oauth/authorize?\r\nSet-Cookie: a=b", "/"),
        ("/oauth/authorize?" + "x" * 5_000, "/"),
        ("/device.evil.test", "/"),
    ],
)
async def test_it_goes_back_to_pages_of_ours_only(served, provider, then, to):
    answer = await sign_in(served, provider, then)
    assert (answer.status_code, answer.headers["location"]) == (303, to)
    assert "set-cookie: a=b" not in str(answer.headers).lower()


async def test_the_pages_that_ask_to_sign_in_offer_it_and_come_back(served, provider):
    page = (await served.http.get("/device?user_code=BCDF-BCDF")).text
    assert 'href="/sign-in/oidc?then=%2Fdevice%3Fuser_code%3DBCDF-BCDF"' in page


async def test_who_was_removed_stays_out_and_an_agent_has_no_way_in(served, provider, tmp_path):
    assert (await sign_in(served, provider)).status_code == 303
    await served.service.dispatcher.call(served.owner, "remove_member", {"user_pid": "ada@example.com"})
    assert (await sign_in(served, provider)).status_code == 403
    agent = await served.service.dispatcher.call(served.owner, "create_user", {"name": "Bot", "kind": "agent"})
    linked = "INSERT INTO identities (issuer, subject, user_id, linked_at) VALUES (:issuer, 'bot', :user_id, 1)"
    store = served.service.dispatcher.store
    await store.write("", lambda tx: tx.run(linked, issuer=provider.issuer, user_id=agent.user_id))
    provider.person = {"sub": "bot"}
    assert (await sign_in(served, provider)).status_code == 403


async def test_a_verified_address_of_an_allowed_domain_joins_by_itself(provider, tmp_path):
    async with at(provider, tmp_path, oidc_allowed_domains="Example.org, example.com", oidc_role="viewer") as served:
        for email, status in (
            ("eve@example.com.evil.test", 403),
            ("eve@sub.example.com", 403),
            ("eve@evil.test@example.com", 403),
            ("EVE@Example.com", 303),
        ):
            provider.person = {"sub": "eve", "email": email, "email_verified": True, "name": "Eve\n<b>\x1b"}
            assert (await sign_in(served, provider)).status_code == status, email
        provider.person = {"sub": "mallory", "email": "mallory@example.com", "email_verified": False}
        assert (await sign_in(served, provider)).status_code == 403
        told = await served.service.dispatcher.call(served.owner, "list_members", {})
        assert [(each.name, each.email, each.role) for each in told.members][1:] == [
            ("Eve<b>", "eve@example.com", Role.VIEWER.label)
        ]
        # A removed one does not come back by signing in.
        await served.service.dispatcher.call(served.owner, "remove_member", {"user_pid": "eve@example.com"})
        provider.person = {"sub": "eve", "email": "eve@example.com", "email_verified": True}
        assert (await sign_in(served, provider)).status_code == 403


async def test_tries_from_one_address_are_limited_there_too(provider, tmp_path):
    async with at(provider, tmp_path, address_sign_ins_per_minute=2, oidc_allowed_domains="example.com") as served:
        assert (await sign_in(served, provider)).status_code == 303
        answer = await browser(served).get("/sign-in/oidc")
        assert (answer.status_code, "More than 2 tries" in answer.text) == (429, True)


@pytest.mark.parametrize(
    "document",
    [
        {"issuer": "https://evil.test"},
        {"token_endpoint": "http://evil.test/token"},
        {"jwks_uri": "file:///etc/passwd"},
        {"authorization_endpoint": "javascript:alert(1)"},
        {"token_endpoint": None},
    ],
)
async def test_a_provider_that_describes_itself_wrongly_is_not_used(served, provider, document):
    provider.document = document
    answer = await browser(served).get("/sign-in/oidc")
    assert (answer.status_code, "location" in answer.headers) == (403, False)


@pytest.mark.parametrize("address", ["https://169.254.169.254/token", "https://[fe80::1]/token"])
async def test_a_provider_cannot_send_us_where_clouds_keep_credentials(served, provider, caplog, address):
    provider.document = {"token_endpoint": address}
    assert (await sign_in(served, provider)).status_code == 403
    assert f"{address} cannot be reached: its address is not a public one" in caplog.text


async def test_a_redirect_is_not_followed(served, provider, caplog):
    provider.document = {"token_endpoint": f"{provider.issuer}/elsewhere"}
    assert (await sign_in(served, provider)).status_code == 403
    assert "/elsewhere answered 302" in caplog.text
    assert "/token" not in provider.asked[-1]


async def test_a_provider_that_is_away_is_told_and_no_secret_is_logged(served, provider, caplog):
    caplog.set_level(logging.DEBUG)
    http = browser(served)
    back = provider.sign_in(await start(http)).removeprefix(URL)
    flow = http.cookies["pendesk_oidc"].partition(".")[0]
    provider.codes.clear()
    assert (await http.get(back)).status_code == 403
    log = "\n".join(str(vars(record)) for record in caplog.records if not record.name.startswith("http"))
    code = dict(parse_qsl(urlsplit(back).query))["code"]
    for secret in (SECRET, b64(SECRET.encode()), flow, code):
        assert secret not in log


def test_the_settings_belong_together_and_the_secret_is_not_shown(tmp_path):
    for environ in (
        {"PENDESK_OIDC_ISSUER": "https://id.example.com"},
        {"PENDESK_OIDC_CLIENT_ID": "x"},
        {"PENDESK_OIDC_ISSUER": "http://id.example.com", "PENDESK_OIDC_CLIENT_ID": "x"},
        {"PENDESK_OIDC_ISSUER": "https://id.example.com?x", "PENDESK_OIDC_CLIENT_ID": "x"},
        {"PENDESK_OIDC_ALLOWED_DOMAINS": "a@b.example"},
        {"PENDESK_OIDC_ROLE": "owner"},
    ):
        with pytest.raises(SettingError):
            load(data_folder=str(tmp_path), environ=environ)
    good = {"ISSUER": "https://id.example.com/tenant/v2.0", "CLIENT_ID": "x", "CLIENT_SECRET": "hush"}
    settings = load(data_folder=str(tmp_path), environ={f"PENDESK_OIDC_{name}": value for name, value in good.items()})
    assert settings.origins["oidc_client_secret"].shown == "(set)"
