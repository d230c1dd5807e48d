"""Secrets that must stay readable, because another server asks for them: encrypted under this installation's secret.

AES-256-GCM with a random nonce. Each purpose has a key of its own, derived by HKDF from the installation's secret,
which is not in the database: a dump alone gives nothing away. What a text belongs to is its associated data, so a
value that was copied to another row cannot be decrypted there.
"""

import base64
import binascii
import hashlib
import hmac
import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

# "." is no character of base64, so no text of the first form begins like this.
VERSION_PREFIX = "v2."
NONCE_BYTES = 12
KEY_BYTES = 32
_V1_NONCE_BYTES = 16
_V1_TAG_BYTES = 32


class CannotDecrypt(Exception):
    """Encrypted with another key, for another purpose or owner, or changed since."""


def encrypt(key: bytes, purpose: str, associated_data: str, text: str) -> str:
    nonce = os.urandom(NONCE_BYTES)
    ciphertext = _cipher(key, purpose).encrypt(nonce, text.encode(), associated_data.encode())
    return VERSION_PREFIX + base64.urlsafe_b64encode(nonce + ciphertext).decode()


def decrypt(key: bytes, purpose: str, associated_data: str, encrypted: str) -> str:
    from cryptography.exceptions import InvalidTag

    if not encrypted.startswith(VERSION_PREFIX):
        raise CannotDecrypt
    payload = _from_base64(encrypted.removeprefix(VERSION_PREFIX))
    nonce, ciphertext = payload[:NONCE_BYTES], payload[NONCE_BYTES:]
    try:
        return _cipher(key, purpose).decrypt(nonce, ciphertext, associated_data.encode()).decode()
    except (InvalidTag, ValueError):  # ValueError: too short to hold a nonce
        raise CannotDecrypt from None


def decrypt_v1(key: bytes, associated_data: str, encrypted: str) -> str:
    """The form stored before AES-GCM, a stream of HMAC-SHA256 blocks with an HMAC over it.

    Only reads, and only for operations/sharing/reencrypt_tokens.py: databases and backups of that time hold it.
    """
    payload = _from_base64(encrypted)
    body, tag = payload[:-_V1_TAG_BYTES], payload[-_V1_TAG_BYTES:]
    sign_key, mask_key = (hmac.digest(key, purpose, "sha256") for purpose in (b"vault: sign", b"vault: hide"))
    expected = hmac.digest(sign_key, body + b"\x00" + associated_data.encode(), "sha256")
    if len(body) < _V1_NONCE_BYTES or not hmac.compare_digest(tag, expected):
        raise CannotDecrypt
    nonce, masked = body[:_V1_NONCE_BYTES], body[_V1_NONCE_BYTES:]
    blocks = range(-(-len(masked) // hashlib.sha256().digest_size))
    stream = b"".join(hmac.digest(mask_key, nonce + block.to_bytes(8), "sha256") for block in blocks)
    return bytes(byte ^ mask for byte, mask in zip(masked, stream, strict=False)).decode()


def _cipher(key: bytes, purpose: str) -> "AESGCM":
    # Imported here: most commands never encrypt, and would start later for it.
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    derived = HKDF(SHA256(), KEY_BYTES, salt=None, info=f"pendesk secret box: {purpose}".encode()).derive(key)
    return AESGCM(derived)


def _from_base64(text: str) -> bytes:
    try:
        return base64.b64decode(text, altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        raise CannotDecrypt from None
