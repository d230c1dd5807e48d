"""The signature of an ID token: RS256 or ES256, by a key that the provider publishes. Nothing else is a signature."""

import base64
import binascii
from collections.abc import Mapping
from typing import Any

import msgspec

from pendesk.domain.oidc import OidcError

TOKEN_CHARS = 20_000
RSA_BITS = (2048, 8192)
EC_BYTES = 32


class Header(msgspec.Struct):
    alg: str
    kid: str | None = None
    crit: list[str] | None = None


def read_header(id_token: str) -> Header:
    if len(id_token) > TOKEN_CHARS or id_token.count(".") != 2:
        raise OidcError("the ID token is no signed token")
    try:
        header = msgspec.json.decode(_decode_base64url(id_token.partition(".")[0]), type=Header)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        raise OidcError("the ID token's header cannot be read") from None
    if header.alg not in VERIFY or header.crit is not None:
        raise OidcError("the ID token is signed in a way that is not accepted")
    return header


def verify_and_decode_claims(id_token: str, header: Header, key: Mapping[str, Any]) -> dict[str, Any]:
    """What the token says, once its signature is good. `key` is one of the provider's, as a JWK."""
    signed, _, signature = id_token.rpartition(".")
    VERIFY[header.alg](key, _decode_base64url(signature), signed.encode())
    try:
        claims = msgspec.json.decode(_decode_base64url(signed.partition(".")[2]))
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        raise OidcError("the ID token cannot be read") from None
    if not isinstance(claims, dict):
        raise OidcError("the ID token cannot be read")
    return claims


def key_matches(header: Header, key: Mapping[str, Any]) -> bool:
    """Whether a published key is meant for this signature: by its name, its type and its use."""
    return (
        key.get("kty") == {"RS256": "RSA", "ES256": "EC"}[header.alg]
        and key.get("use") in (None, "sig")
        and key.get("alg") in (None, header.alg)
        and (header.kid is None or key.get("kid") == header.kid)
    )


def _verify_rsa_signature(key: Mapping[str, Any], signature: bytes, signed_bytes: bytes) -> None:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicNumbers
    from cryptography.hazmat.primitives.hashes import SHA256

    modulus, exponent = _decode_jwk_integer(key, "n"), _decode_jwk_integer(key, "e")
    if not RSA_BITS[0] <= modulus.bit_length() <= RSA_BITS[1]:
        raise OidcError("the provider's key is too short or too long")
    try:
        RSAPublicNumbers(exponent, modulus).public_key().verify(signature, signed_bytes, PKCS1v15(), SHA256())
    except (InvalidSignature, ValueError):
        raise OidcError("the ID token's signature is wrong") from None


def _verify_ec_signature(key: Mapping[str, Any], signature: bytes, signed_bytes: bytes) -> None:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ec import ECDSA, SECP256R1, EllipticCurvePublicNumbers
    from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
    from cryptography.hazmat.primitives.hashes import SHA256

    if key.get("crv") != "P-256" or len(signature) != 2 * EC_BYTES:
        raise OidcError("the ID token's signature is wrong")
    halves = (int.from_bytes(signature[:EC_BYTES]), int.from_bytes(signature[EC_BYTES:]))
    try:
        point = EllipticCurvePublicNumbers(_decode_jwk_integer(key, "x"), _decode_jwk_integer(key, "y"), SECP256R1())
        point.public_key().verify(encode_dss_signature(*halves), signed_bytes, ECDSA(SHA256()))
    except (InvalidSignature, ValueError):
        raise OidcError("the ID token's signature is wrong") from None


VERIFY = {"RS256": _verify_rsa_signature, "ES256": _verify_ec_signature}


def _decode_jwk_integer(key: Mapping[str, Any], name: str) -> int:
    text = key.get(name)
    if not isinstance(text, str):
        raise OidcError("the provider's key cannot be read")
    return int.from_bytes(_decode_base64url(text))


def _decode_base64url(text: str) -> bytes:
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        raise OidcError("it is not base64url") from None
