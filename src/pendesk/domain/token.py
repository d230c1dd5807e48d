"""Secrets that are shown once and stored as a hash: their form, their check, their digest."""

import hashlib
import re
import zlib

PREFIX = "pendesk_mcp_"  # a personal token
ACCESS_PREFIX = "pendesk_oat_"
REFRESH_PREFIX = "pendesk_ort_"
CODE_PREFIX = "pendesk_oac_"
SHARE_PREFIX = "pendesk_shr_"  # in the link of a share
DEVICE_PREFIX = "pendesk_odc_"
_ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
RANDOM_BYTES = 32
_RANDOM_CHARS = 43  # 62**43 > 256**32
_CHECK_CHARS = 6  # 62**6 > 2**32
_FORM = re.compile(rf"(pendesk_[a-z]{{3}}_)[0-9A-Za-z]{{{_RANDOM_CHARS + _CHECK_CHARS}}}\Z")

# Whatever looks like one of ours, whole or in part: for what must not show any.
SECRET = re.compile(r"pendesk_[a-z]{3}_[0-9A-Za-z]{8,}")


def make_token(random_bytes: bytes, prefix: str = PREFIX) -> str:
    """A token from random bytes; the checksum at its end lets scanners and the server tell it from noise."""
    body = prefix + _encode_base62(int.from_bytes(random_bytes), _RANDOM_CHARS)
    return body + _checksum(body)


def has_token_format(text: str, *prefixes: str) -> bool:
    """Whether the text can be a token at all: a typing error or a guess costs no look into the database."""
    match = _FORM.match(text)
    if match is None or match[1] not in (prefixes or (PREFIX,)):
        return False
    return _checksum(text[:-_CHECK_CHARS]) == text[-_CHECK_CHARS:]


def make_link_or_cookie_secret(random_bytes: bytes) -> str:
    """A secret for a link or a cookie."""
    return _encode_base62(int.from_bytes(random_bytes), _RANDOM_CHARS)


def hash_secret(secret: str) -> str:
    """What is stored. The secrets are long and random, so a plain hash cannot be reversed by guessing."""
    return hashlib.sha256(secret.encode()).hexdigest()


def _checksum(body: str) -> str:
    return _encode_base62(zlib.crc32(body.encode()), _CHECK_CHARS)


def _encode_base62(number: int, width: int) -> str:
    digits = []
    for _ in range(width):
        number, digit = divmod(number, 62)
        digits.append(_ALPHABET[digit])
    return "".join(reversed(digits))
