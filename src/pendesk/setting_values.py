"""How the text of a setting is read: each parser gives the value, or a ValueError that says what it must be."""

import re
from collections.abc import Callable

from pendesk.domain.access import TOKEN_SCOPES, join_scopes

_ORIGIN = re.compile(r"https?://[A-Za-z0-9.-]+(?::[0-9]{1,5})?\Z|https?://\[[0-9A-Fa-f:.]+\](?::[0-9]{1,5})?\Z")
# Without TLS only on this machine; a provider may have a path of its own.
_ISSUER = re.compile(
    r"(?:https://[A-Za-z0-9.-]+|http://(?:127\.0\.0\.1|localhost|\[::1\]))(?::[0-9]{1,5})?(?:/[\w.~/-]*)?\Z"
)
_HOST = re.compile(r"\A[A-Za-z0-9.:-]+\Z")
_CREDENTIAL = re.compile(r"\A[\x21-\x7e]{1,500}\Z")
_DOMAIN = re.compile(r"[a-z0-9-]+(?:\.[a-z0-9-]+)+\Z")
SHORTEST_SECRET_CHARS = 32


def integer_parser(low: int, high: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        if not re.fullmatch(r"[0-9]{1,15}", text) or not low <= int(text) <= high:
            raise ValueError(f"must be a whole number from {low} to {high}")
        return int(text)

    return read


def pattern_parser(pattern: re.Pattern[str], problem: str) -> Callable[[str], str]:
    def read(text: str) -> str:
        if not pattern.match(text):
            raise ValueError(problem)
        return text

    return read


def choice_parser(*words: str) -> Callable[[str], str]:
    def read(text: str) -> str:
        if text not in words:
            raise ValueError(f"must be one of: {', '.join(words)}")
        return text

    return read


def parse_database_url(text: str) -> str:
    if not text.startswith(("postgresql://", "postgres://")):
        raise ValueError("must start with postgresql:// (leave it out to use SQLite in the data folder)")
    return text


def parse_origin(text: str) -> str:
    if not _ORIGIN.match(text.rstrip("/")):
        raise ValueError("must be an address without a path, such as https://pendesk.example.com")
    return text.rstrip("/")


def parse_secret_key(text: str) -> str:
    if len(text) < SHORTEST_SECRET_CHARS:
        raise ValueError(f"must have {SHORTEST_SECRET_CHARS} characters or more; leave it out to have one made")
    return text


def normalize_token_scopes(text: str) -> str:
    if not (words := set(text.replace(",", " ").split())) or not words <= TOKEN_SCOPES:
        raise ValueError("must be one or more of: specs.read, builds.write, desk.read, desk.write, specs.write")
    return join_scopes(words)


parse_host = pattern_parser(_HOST, "must be an address or a host name to listen on, such as 127.0.0.1")
parse_oidc_issuer = pattern_parser(
    _ISSUER, "must be the provider's https address, as it writes it itself, such as https://id.example.com"
)
parse_oidc_credential = pattern_parser(_CREDENTIAL, "must be a plain text without spaces")


def parse_domains(text: str) -> str:
    words = text.lower().replace(",", " ").split()
    if not all(_DOMAIN.match(word) for word in words):
        raise ValueError("must be mail domains, such as example.com")
    return " ".join(words)
