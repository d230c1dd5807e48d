"""Where the ID token has no email: what UserInfo says, of whom, and how it is asked."""

import logging

import pytest

from tests.oidc_server import write_jwt
from tests.transports.oidc.walk import at, browser, sign_in

KNOWN = {"email": "ada@example.com", "email_verified": True, "name": "Ada"}


@pytest.fixture(autouse=True)
def no_email_in_the_id_token(provider):
    provider.person = {"sub": "ada-1"}


async def test_the_email_is_asked_for_where_the_id_token_has_none(served, provider):
    provider.info = {"sub": "ada-1", **KNOWN}
    http = browser(served)
    assert (await sign_in(served, provider, http=http)).status_code == 303
    assert "Ada (member)" in (await http.get("/")).text


async def test_nobody_is_asked_where_the_id_token_has_it(served, provider):
    provider.person = {"sub": "ada-1", **KNOWN}
    provider.info = {"sub": "somebody else", "email": "eve@example.com", "email_verified": True}
    before = len(provider.asked)
    assert (await sign_in(served, provider)).status_code == 303
    assert "/token" in provider.asked[before:]
    assert "/userinfo" not in provider.asked[before:]


async def test_the_name_of_who_joins_comes_from_there_too(provider, tmp_path):
    provider.info = {"sub": "ada-1", **KNOWN, "name": "Ada Lovelace"}
    async with at(provider, tmp_path, oidc_allowed_domains="example.com") as served:
        assert (await sign_in(served, provider)).status_code == 303
        members = (await served.service.dispatcher.call(served.owner, "list_members", {})).members
        assert [(member.name, member.email) for member in members][1:] == [("Ada Lovelace", "ada@example.com")]


@pytest.mark.parametrize("sub", ["eve-1", "ADA-1", "ada-1 ", "", None, 7, ["ada-1"]], ids=lambda sub: repr(sub))
async def test_what_is_said_of_another_person_is_not_used(served, provider, caplog, sub):
    provider.info = {"sub": sub, **KNOWN}
    answer = await sign_in(served, provider)
    assert (answer.status_code, "did not confirm" in answer.text) == (403, True)
    assert "UserInfo is about another person" in caplog.text
    provider.info = KNOWN
    assert (await sign_in(served, provider)).status_code == 403


async def test_only_what_is_about_the_person_is_taken(served, provider):
    """Whatever else it says, the ID token's issuer, audience and subject count."""
    provider.info = {"sub": "ada-1", **KNOWN, "iss": "https://evil.test", "aud": "another", "exp": 0}
    assert (await sign_in(served, provider)).status_code == 303
    linked = "SELECT issuer, subject FROM identities"
    assert await served.service.dispatcher.store.read("", lambda tx: tx.all(linked)) == [(provider.issuer, "ada-1")]


async def test_a_signed_answer_is_refused_with_its_reason(served, provider, caplog):
    provider.info = write_jwt(
        {"alg": "RS256", "kid": provider.key.kid}, {"sub": "ada-1", **KNOWN}, provider.key.sign
    ).encode()
    provider.info_type = "application/jwt; charset=utf-8"
    assert (await sign_in(served, provider)).status_code == 403
    assert "register this client for plain JSON" in caplog.text


@pytest.mark.parametrize("info", [b"[]", b"null", b"<html>", b"", b"[" * 100_000, b'{"x":' * 30_000, b" " * 300_000])
async def test_an_answer_that_is_none_is_refused(served, provider, caplog, info):
    provider.info = info
    assert (await sign_in(served, provider)).status_code == 403
    assert f"{provider.issuer}/userinfo cannot be" in caplog.text


@pytest.mark.parametrize(
    ("token", "reason"),
    [
        ({"token_type": "DPoP"}, "not a Bearer token"),
        ({"access_token": "made up"}, "/userinfo answered 401"),
        ({"access_token": "two\r\nlines: x"}, "/userinfo cannot be"),
        ({"access_token": "\N{SNOWMAN}"}, "/userinfo cannot be"),
        ({"access_token": None}, "gave no email"),
    ],
)
async def test_only_a_bearer_token_that_was_given_is_sent(served, provider, caplog, token, reason):
    provider.info, provider.token = {"sub": "ada-1", **KNOWN}, token
    assert (await sign_in(served, provider)).status_code == 403
    assert reason in caplog.text


async def test_a_bearer_token_by_any_case(served, provider):
    provider.info = {"sub": "ada-1", **KNOWN}
    for token in ({"token_type": "bearer"}, {"token_type": None}):
        provider.token = token
        assert (await sign_in(served, provider)).status_code == 303


@pytest.mark.parametrize("address", ["http://evil.test/userinfo", "file:///etc/passwd", "//evil.test"])
async def test_it_is_asked_over_tls_alone(served, provider, address):
    provider.document = {"userinfo_endpoint": address}
    assert (await browser(served).get("/sign-in/oidc")).status_code == 403


@pytest.mark.parametrize(
    ("info", "reason"),
    [
        (None, "gave no email"),
        ({}, "gave no email"),
        ({"email": "no address"}, "gave no email"),
        ({"email": "ada@example.com"}, "the setting oidc_email_verified"),
        ({"email": "ada@example.com", "email_verified": False}, "the email was not verified"),
    ],
)
async def test_the_log_names_what_is_missing_and_no_secret(served, provider, caplog, info, reason):
    caplog.set_level(logging.DEBUG)
    provider.info = None if info is None else {"sub": "ada-1", **info}
    answer = await sign_in(served, provider)
    assert (answer.status_code, "No account here" in answer.text) == (403, True)
    assert reason in caplog.text
    log = "\n".join(str(vars(record)) for record in caplog.records if not record.name.startswith("http"))
    assert not [access for access in provider.granted if access in log]


async def test_who_is_known_needs_no_email_and_nothing_is_complained_of(served, provider, caplog):
    provider.info = {"sub": "ada-1", **KNOWN}
    await sign_in(served, provider)
    provider.info = {"sub": "ada-1"}
    assert (await sign_in(served, provider)).status_code == 303
    assert not caplog.text


@pytest.mark.parametrize("place", ["id token", "user info"])
@pytest.mark.parametrize(
    ("verified", "required", "assumed"),
    [
        ({}, 403, 303),
        ({"email_verified": None}, 403, 303),
        ({"email_verified": True}, 303, 303),
        ({"email_verified": False}, 403, 403),
        ({"email_verified": "false"}, 403, 403),
        ({"email_verified": "unknown"}, 403, 403),
        ({"email_verified": 0}, 403, 403),
    ],
    ids=str,
)
async def test_whether_an_email_counts_as_verified(provider, tmp_path, place, verified, required, assumed):
    said = {"email": "ada@example.com", **verified}
    if place == "id token":
        provider.person = {"sub": "ada-1", **said}
    else:
        provider.info = {"sub": "ada-1", **said}
    for setting, status in (("required", required), ("assumed", assumed)):
        joins = {"oidc_allowed_domains": "example.com", "oidc_email_verified": setting}
        async with at(provider, tmp_path / setting, **joins) as served:
            assert (await sign_in(served, provider)).status_code == status, setting


async def test_a_false_in_the_id_token_counts_where_user_info_does_not_say(provider, tmp_path):
    provider.person = {"sub": "ada-1", "email_verified": False}
    provider.info = {"sub": "ada-1", "email": "ada@example.com"}
    async with at(provider, tmp_path, oidc_allowed_domains="example.com", oidc_email_verified="assumed") as served:
        assert (await sign_in(served, provider)).status_code == 403
