import pytest
from hypothesis import given
from hypothesis import strategies as st

from pendesk.domain.redirect import is_built_in_client_redirect_uri, is_registered_redirect_uri, parse_loopback_uri

GOOD = [
    "http://127.0.0.1",
    "http://127.0.0.1/",
    "http://127.0.0.1:1/callback",
    "http://127.0.0.1:65535/callback",
    "http://localhost:55450/callback",
    "http://localhost/callback/",
    "http://[::1]:8080/oauth/callback",
    "http://[::1]/a.b/c~d_e-f",
]

HOSTILE = [
    "",
    "http://",
    "http:///callback",
    "https://evil.test/cb",
    "http://evil.test/cb",
    # Backslashes: browsers read them as slashes.
    "http://evil.test\\@127.0.0.1/cb",
    "http://127.0.0.1\\@evil.test/cb",
    "http://127.0.0.1\\.evil.test/cb",
    "http:\\\\127.0.0.1/cb",
    "http://127.0.0.1/cb\\..\\x",
    # Userinfo, once and more often.
    "http://127.0.0.1@evil.test/cb",
    "http://evil.test@127.0.0.1/cb",
    "http://a@b@127.0.0.1/cb",
    "http://127.0.0.1:80@evil.test/cb",
    "http://@127.0.0.1/cb",
    "http://localhost:pass@127.0.0.1/cb",
    # Names that begin or end like ours.
    "http://localhost.evil.test/cb",
    "http://127.0.0.1.evil.test/cb",
    "http://evil-localhost/cb",
    "http://127.0.0.1.nip.io/cb",
    "http://xlocalhost/cb",
    "http://localhosts/cb",
    "http://localhost./cb",
    "http://127.0.0.1./cb",
    # Other ways to write the address, which parsers read differently.
    "http://2130706433/",
    "http://0x7f000001/",
    "http://0x7f.1/",
    "http://0177.0.0.1/",
    "http://127.1/",
    "http://127.0.1/",
    "http://127.0.0.2/cb",
    "http://0.0.0.0/cb",
    "http://127.0.0.01/cb",
    "http://127.0.0.1 /cb",
    "http://[::]/cb",
    "http://[0:0:0:0:0:0:0:1]/cb",
    "http://[::ffff:127.0.0.1]/cb",
    "http://[::1%25eth0]/cb",
    "http://[::1/cb",
    "http://::1/cb",
    # Look-alikes outside ASCII.
    "http://\uff11\uff12\uff17.0.0.1/cb",
    "http://127\u30020\u30020\u30021/cb",
    "http://\u246027.0.0.1/cb",
    "http://l\u043ecalhost/cb",
    "http://localhost/cb\u202e",
    "http://\u24dbocalhost/cb",
    "http://127.0.0.1:8\u0966/cb",
    # Escapes.
    "http://127.0.0.1%2eevil.test/cb",
    "http://127.0.0.1%00.evil.test/cb",
    "http://%31%32%37.0.0.1/cb",
    "http://127.0.0.1/%2e%2e/cb",
    "http://127.0.0.1/cb%0d%0aSet-Cookie:x",
    # Ports.
    "http://127.0.0.1:/cb",
    "http://127.0.0.1:0/cb",
    "http://127.0.0.1:00/cb",
    "http://127.0.0.1:080/cb",
    "http://127.0.0.1:65536/cb",
    "http://127.0.0.1:99999/cb",
    "http://127.0.0.1:655350/cb",
    "http://127.0.0.1:-1/cb",
    "http://127.0.0.1:+80/cb",
    "http://127.0.0.1:8 0/cb",
    "http://127.0.0.1:80:80/cb",
    # Schemes.
    "https://127.0.0.1/cb",
    "HTTP://127.0.0.1/cb",
    "//127.0.0.1/cb",
    "javascript://127.0.0.1/%0aalert(1)",
    "data:text/html,x",
    "file://127.0.0.1/etc/passwd",
    "http:127.0.0.1/cb",
    "http:/127.0.0.1/cb",
    "http:///127.0.0.1/cb",
    "view-source:http://127.0.0.1/cb",
    # What follows the path, and what is in it.
    "http://127.0.0.1/cb#fragment",
    "http://127.0.0.1/cb?x=1",
    "http://127.0.0.1?x=1",
    "http://127.0.0.1#@evil.test",
    "http://127.0.0.1/../cb",
    "http://127.0.0.1/a/./cb",
    "http://127.0.0.1//evil.test",
    "http://127.0.0.1/cb;x",
    "http://127.0.0.1/cb\n",
    "http://127.0.0.1/cb\r\nx: y",
    "http://127.0.0.1/cb\x00",
    "http://127.0.0.1/c\tb",
    " http://127.0.0.1/cb",
    "http://127.0.0.1/cb ",
    "http://127.0.0.1/" + "a" * 500,
]


@pytest.mark.parametrize("uri", GOOD)
def test_addresses_on_the_own_machine_are_accepted(uri):
    assert parse_loopback_uri(uri) is not None


@pytest.mark.parametrize("uri", HOSTILE)
def test_everything_else_is_refused(uri):
    assert parse_loopback_uri(uri) is None
    assert not is_registered_redirect_uri(uri, [uri])
    assert not is_built_in_client_redirect_uri(uri)


@given(st.text())
def test_what_is_accepted_begins_with_one_of_three_hosts_and_is_ascii(tail):
    for host in ("127.0.0.1", "localhost", "[::1]"):
        found = parse_loopback_uri(f"http://{host}{tail}")
        if found is not None:
            assert tail.isascii()
            assert tail == "" or tail[0] in ":/"
            assert not set(tail) & set("@\\%?#; \t\r\n\x00")
    found = parse_loopback_uri(tail)
    assert found is None or tail.startswith(("http://127.0.0.1", "http://localhost", "http://[::1]"))


def test_only_the_port_may_differ_from_what_was_registered():
    known = ["http://localhost:3000/callback", "http://127.0.0.1/cb"]
    assert is_registered_redirect_uri("http://localhost:4000/callback", known)
    assert is_registered_redirect_uri("http://localhost/callback", known)
    assert is_registered_redirect_uri("http://127.0.0.1:9/cb", known)
    for other in (
        "http://127.0.0.1:3000/callback",
        "http://[::1]:3000/callback",
        "http://localhost:3000/callback/",
        "http://localhost:3000/Callback",
        "http://localhost:3000/callback/x",
        "http://localhost:3000/",
        "http://localhost:3000",
        "http://127.0.0.1/callback",
    ):
        assert not is_registered_redirect_uri(other, known)
    assert not is_registered_redirect_uri("http://localhost/x", [])
    assert not is_registered_redirect_uri("http://evil.test/cb", ["http://evil.test/cb"])  # however it got there


def test_the_built_in_client_listens_on_callback():
    for good in ("http://127.0.0.1:5/callback", "http://[::1]:1/callback/aB-9_x", "http://localhost/oauth/callback"):
        assert is_built_in_client_redirect_uri(good)
    for bad in ("http://127.0.0.1/", "http://127.0.0.1/callback/a/b", "http://127.0.0.1/callbacks", "http://127.0.0.1"):
        assert not is_built_in_client_redirect_uri(bad)


def test_the_origin_is_what_a_browser_compares():
    found = parse_loopback_uri("http://[::1]:8080/cb")
    assert found is not None
    assert (found.origin, found.host, found.port, found.path) == ("http://[::1]:8080", "[::1]", "8080", "/cb")
