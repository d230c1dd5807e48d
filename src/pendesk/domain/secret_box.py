"""A secret that must be kept readable, because another server asks for it: locked away under this server's key.

Encrypt, then authenticate: the text is hidden under a stream of HMAC-SHA256 blocks (a pseudorandom function in counter
mode) and the whole is signed, together with what it belongs to, with another key. The keys are derived from the
server's own, which is not in the database: a dump of it alone gives nothing away.
"""

import base64
import binascii
import hashlib
import hmac

NONCE_BYTES = 16
_TAG_BYTES = 32


class CannotDecrypt(Exception):
    """It was locked with another key, belongs to something else, or was changed."""


def encrypt(key: bytes, belongs_to: str, secret: str, nonce: bytes) -> str:
    """`nonce` is random and new each time."""
    assert len(nonce) == NONCE_BYTES
    hidden = _mask(key, nonce, secret.encode())
    return base64.urlsafe_b64encode(nonce + hidden + _tag(key, belongs_to, nonce + hidden)).decode()


def decrypt(key: bytes, belongs_to: str, locked: str) -> str:
    try:
        whole = base64.b64decode(locked, altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        raise CannotDecrypt from None
    body, tag = whole[:-_TAG_BYTES], whole[-_TAG_BYTES:]
    if len(body) < NONCE_BYTES or not hmac.compare_digest(tag, _tag(key, belongs_to, body)):
        raise CannotDecrypt
    return _mask(key, body[:NONCE_BYTES], body[NONCE_BYTES:]).decode()


def _mask(key: bytes, nonce: bytes, text: bytes) -> bytes:
    own = _derived(key, b"vault: hide")
    blocks = range(-(-len(text) // hashlib.sha256().digest_size))
    stream = b"".join(hmac.digest(own, nonce + block.to_bytes(8), "sha256") for block in blocks)
    return bytes(one ^ other for one, other in zip(text, stream, strict=False))


def _tag(key: bytes, belongs_to: str, body: bytes) -> bytes:
    return hmac.digest(_derived(key, b"vault: sign"), body + b"\x00" + belongs_to.encode(), "sha256")


def _derived(key: bytes, purpose: bytes) -> bytes:
    return hmac.digest(key, purpose, "sha256")
