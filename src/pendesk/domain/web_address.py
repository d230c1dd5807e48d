"""Addresses that somebody gives and somebody else opens or asks.

Judged on the raw text by one strict pattern, never on a parsed URL: parsers and browsers disagree about user names,
backslashes and other ways to write a host. What the pattern accepts, all of them read alike.
"""

import ipaddress
import re

_HOST = r"(?:[A-Za-z0-9_](?:[A-Za-z0-9._-]*[A-Za-z0-9_])?\.?|\[[0-9A-Fa-f:.]+\])"
# Printable ASCII without quotes, angle brackets, braces, backslash and the like, which belong escaped.
_REST = r"[!#-;=?-\[\]_a-z~]"
PLAIN_ADDRESS = rf"https?://{_HOST}(?::[0-9]{{1,5}})?(?:/{_REST}*)?"
_PLAIN = re.compile(rf"{PLAIN_ADDRESS}\Z", re.IGNORECASE)
_AUTHORITY = re.compile(r"https?://([^/]*)", re.IGNORECASE)
# A browser takes a name that ends so for an IPv4 address, however short or in which digits.
_NUMBER = re.compile(r"(?:[0-9]+|0[xX][0-9A-Fa-f]*)\Z")
_PRIVATE_NAMES = ("localhost", "local", "internal", "intranet", "lan", "home", "corp", "private", "home.arpa")

_GLOBAL_IPV6 = ipaddress.ip_network("2000::/3")
# Ways to write an IPv4 address in IPv6: what they lead to is not seen by looking at them.
_TUNNELS = [ipaddress.ip_network(text) for text in ("2002::/16", "2001::/32", "64:ff9b::/96")]


def is_plain_address(url: str) -> bool:
    return _PLAIN.match(url) is not None


def authority(url: str) -> str:
    """Host and port of a plain address, in lower case."""
    match = _AUTHORITY.match(url)
    return match[1].lower() if match else ""


def is_private_host(url: str) -> bool:
    """Whether a plain address names this machine or a private network, as far as its text says."""
    host = re.sub(r":[0-9]*\Z", "", authority(url)).rstrip(".")
    if host.startswith("["):
        return not _is_public_or_false(host.strip("[]"))
    if _NUMBER.match(host.rpartition(".")[2]):
        return not _is_public_or_false(host)
    return "." not in host or host.endswith(tuple(f".{name}" for name in _PRIVATE_NAMES))


def _is_public_or_false(text: str) -> bool:
    try:
        return is_public_address(text)
    except ValueError:  # some other way to write an address, which nobody needs
        return False


def is_public_address(address: str) -> bool:
    ip = ipaddress.ip_address(address)
    if not ip.is_global or ip.is_multicast or ip.is_reserved or ip.is_unspecified:
        return False
    if isinstance(ip, ipaddress.IPv6Address):
        return ip in _GLOBAL_IPV6 and not any(ip in tunnel for tunnel in _TUNNELS)
    return True
