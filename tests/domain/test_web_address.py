"""Addresses that somebody gives and somebody else opens, judged on their raw text."""

import pytest

from pendesk.domain.web_address import authority, is_plain_address, is_private_host, is_public_address


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "127.9.9.9",
        "0.0.0.0",
        "10.0.0.1",
        "172.16.0.1",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "192.0.0.1",
        "192.0.2.1",
        "198.18.0.1",
        "224.0.0.1",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "fe80::1",
        "fe80::1%eth0",
        "fc00::1",
        "fd00::1",
        "ff02::1",
        "::ffff:127.0.0.1",
        "::ffff:8.8.8.8",
        "::127.0.0.1",
        "64:ff9b::7f00:1",
        "64:ff9b:1::1",
        "2002:7f00:1::1",
        "2001::1",
        "2001:db8::1",
        "100::1",
        "4000::1",
    ],
)
def test_private_and_special_addresses_are_not_public(address):
    assert not is_public_address(address)


@pytest.mark.parametrize("address", ["8.8.8.8", "1.1.1.1", "2606:4700:4700::1111", "2a00:1450:4001:81b::200e"])
def test_public_ones_are(address):
    assert is_public_address(address)


@pytest.mark.parametrize(
    "url",
    [
        "https://github.com/acme/harbour/pull/1",
        "https://github.com/acme/harbour/pull/1/files?w=1#diff-a@b",
        "http://git.example.com:8443",
        "https://gitlab.com/a/b/-/merge_requests/7",
        "https://dev.azure.com/o/My%20Project/_git/r/pullrequest/3",
        "https://[2606:4700:4700::1111]/x",
        "http://127.0.0.1:3000/a/b/pulls/1",
        "https://a_b.example/x",
    ],
)
def test_what_everybody_reads_alike_is_plain(url):
    assert is_plain_address(url)


@pytest.mark.parametrize(
    "url",
    [
        "https://github.com@evil.test/acme/harbour/pull/1",
        "https://github.com:pw@evil.test/",
        "https://@evil.test/",
        "https://github.com\\@evil.test/",
        "https://evil.test\\.github.com/",
        "https://github.com%2f@evil.test/",
        "https://github.com?@evil.test/",
        "https://github.com#@evil.test/",
        "https:github.com/x",
        "https:///github.com/x",
        "https://github.com /x",
        "https://github.com/a b",
        "https://github.com/\u202egpj",
        "https://g\u0456thub.com/x",
        "https://\uff11\uff12\uff17.0.0.1/",
        "https://github.com/<script>",
        'https://github.com/"onclick="x',
        "https://.github.com/",
        "https://-/",
        "https://github.com:/x",
        "https://github.com:123456/",
        "javascript:alert(1)//https://github.com/",
        "https://github.com/x\n",
    ],
)
def test_what_somebody_may_read_otherwise_is_not(url):
    assert not is_plain_address(url)


@pytest.mark.parametrize(
    "host",
    [
        "localhost",
        "LOCALHOST:3000",
        "localhost.",
        "a.localhost",
        "printer.local",
        "gitea",
        "git.corp",
        "metadata.google.internal",
        "127.0.0.1",
        "127.0.0.1.",
        "127.1",
        "2130706433",
        "0x7f.0.0.1",
        "0x7f000001",
        "0177.0.0.1",
        "10.0.0.5:8080",
        "192.168.0.1",
        "169.254.169.254",
        "100.64.0.1",
        "0.0.0.0",
        "[::1]",
        "[::1]:3000",
        "[::ffff:127.0.0.1]",
        "[fd00::1]",
        "[fe80::1]",
    ],
)
def test_a_host_on_this_machine_or_in_its_network_is_private(host):
    assert is_private_host(f"http://{host}/a/pull/1")
    assert is_private_host(f"https://{host}")


@pytest.mark.parametrize(
    "host", ["github.com", "1.1.1.1", "[2606:4700:4700::1111]:8443", "localhost.evil.test", "10.0.0.1.example.com"]
)
def test_others_are_not(host):
    assert not is_private_host(f"https://{host}/a/pull/1")


def test_the_authority_is_host_and_port():
    assert authority("https://GitHub.com:8443/a:b") == "github.com:8443"
