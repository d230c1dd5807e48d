"""Signatures of the server over values that it gives out and gets back."""

import hashlib
import hmac


def sign(key: bytes, purpose: str, *parts: str) -> str:
    """The purpose is part of what is signed: a signature for one use is worth nothing for another."""
    text = "\x00".join((purpose, *parts)).encode()
    return hmac.new(key, text, hashlib.sha256).hexdigest()


def is_valid_signature(signature: str, key: bytes, purpose: str, *parts: str) -> bool:
    return hmac.compare_digest(signature.encode(), sign(key, purpose, *parts).encode())


def fingerprint(key: bytes) -> str:
    """Identifies a key without revealing it."""
    return sign(key, "fingerprint")


def is_fingerprint_of(text: str, key: bytes) -> bool:
    return is_valid_signature(text, key, "fingerprint")
