import base64
import hashlib

import pytest

from pendesk.domain import oauth
from pendesk.domain.errors import OAuthRefused
from pendesk.domain.limits import CLIENT_NAME_CHARS
from tests.refusals import refused

ORIGIN = "https://pendesk.example.com"
VERIFIER = "a" * 43


def challenge_of(verifier):
    return base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()


def test_scopes_come_once_and_in_order():
    assert oauth.normalize_scopes("builds.write specs.read builds.write", "") == "specs.read builds.write"
    assert oauth.normalize_scopes("", "specs.read") == "specs.read"
    assert oauth.normalize_scopes("desk.write  desk.read", "") == "desk.read desk.write"


@pytest.mark.parametrize("asked", ["person", "webhook", "specs.read person", "admin", "specs.read,builds.write", "*"])
def test_no_other_scope_can_be_asked_for(asked):
    with refused(OAuthRefused, "invalid_scope"):
        oauth.normalize_scopes(asked, "specs.read")


def test_scopes_can_be_narrowed_only():
    oauth.check_scopes_granted("specs.read", "specs.read builds.write")
    with refused(OAuthRefused, "invalid_scope"):
        oauth.check_scopes_granted("desk.read", "specs.read builds.write")


def test_the_resource_is_this_server_however_clients_write_it():
    for asked in ([], [ORIGIN], [f"{ORIGIN}/"], [f"{ORIGIN}/mcp"], [f"{ORIGIN}/mcp/"], [ORIGIN, f"{ORIGIN}/mcp"]):
        assert oauth.require_this_server_as_resource(asked, ORIGIN) == f"{ORIGIN}/mcp"


@pytest.mark.parametrize(
    "asked",
    ["https://evil.test", f"{ORIGIN}.evil.test", f"{ORIGIN}/mcp/x", f"{ORIGIN}//", f"{ORIGIN}:444", ORIGIN.upper(), ""],
)
def test_no_other_resource(asked):
    with refused(OAuthRefused, "invalid_target"):
        oauth.require_this_server_as_resource([f"{ORIGIN}/mcp", asked], ORIGIN)


def test_a_verifier_proves_its_challenge_only():
    challenge = challenge_of(VERIFIER)
    assert oauth.matches_pkce_challenge(VERIFIER, challenge)
    for wrong in (
        "b" * 43,
        "a" * 42,
        "a" * 44,
        "",
        challenge,
        "a" * 129,
        "\u00e4" * 43,
        "a" * 42 + "\n",
        "a" * 42 + "=",
    ):
        assert not oauth.matches_pkce_challenge(wrong, challenge)


def test_the_example_of_the_rfc():
    assert oauth.matches_pkce_challenge(
        "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
    )


@pytest.mark.parametrize("method", ["plain", "", "s256", "S512", "none"])
def test_no_challenge_method_but_s256(method):
    with refused(OAuthRefused, "invalid_request"):
        oauth.check_is_s256_pkce_challenge(challenge_of(VERIFIER), method)


@pytest.mark.parametrize("challenge", ["", "a" * 42, "a" * 44, "a" * 42 + "=", "a" * 42 + "+", "a" * 42 + "\n"])
def test_a_challenge_has_its_form(challenge):
    with refused(OAuthRefused, "invalid_request"):
        oauth.check_is_s256_pkce_challenge(challenge, "S256")


def test_a_name_shows_what_it_says_and_is_short():
    assert oauth.sanitize_client_name("  Claude\n\tCode ") == "Claude Code"
    assert oauth.sanitize_client_name("a\u202egp\u2066.exe\u200b\x00\x1b[31m") == "agp.exe[31m"
    assert oauth.sanitize_client_name("\ud800x\ue000") == "x"
    assert oauth.sanitize_client_name("\u200b\u2060") == ""
    long = oauth.sanitize_client_name("x" * 500)
    assert long == "x" * CLIENT_NAME_CHARS + "…"


def test_only_a_plain_https_address_names_a_client():
    assert oauth.is_client_metadata_url("https://claude.ai/oauth/claude-code-client-metadata")
    assert oauth.is_client_metadata_url("https://chatgpt.com/oauth/codex/client.json")
    for bad in (
        "http://claude.ai/x",
        "https://claude.ai",
        "https://claude.ai/",
        "https://user@claude.ai/x",
        "https://claude.ai:8443/x",
        "https://claude.ai/x?y",
        "https://claude.ai/x#y",
        "https://claude.ai/../x",
        "https://claude.ai\\@evil.test/x",
        "https://[::1]/x",
        "https://cl\u0430ude.ai/x",
        "https://claude.ai/%2e%2e/x",
        "https://CLAUDE.ai/x",
        "https://claude.ai/x\n",
        "https://-x/x",
        "https://a/" + "x" * 300,
    ):
        assert not oauth.is_client_metadata_url(bad), bad


def test_user_codes_are_read_as_people_type_them():
    code = oauth.make_user_code(bytes(range(16)))
    assert len(code) == 8
    assert set(code) <= set("BCDFGHJKLMNPQRSTVWXZ")
    shown = oauth.format_user_code(code)
    assert shown[4] == "-"
    for typed in (shown, shown.lower(), code, f" {shown} ", shown.replace("-", " ")):
        assert oauth.normalize_user_code(typed) == code
    assert oauth.normalize_user_code("A" * 10_000 + "B") == ""


def test_all_letters_come_about_equally_often():
    counts = dict.fromkeys("BCDFGHJKLMNPQRSTVWXZ", 0)
    for number in range(2_000):
        for letter in oauth.make_user_code(hashlib.sha256(str(number).encode()).digest()[:16]):
            counts[letter] += 1
    assert min(counts.values()) > 600
    assert max(counts.values()) < 1_000
