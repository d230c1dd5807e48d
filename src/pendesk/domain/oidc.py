"""Signing in at an OpenID provider: what an ID token and UserInfo must say, and what is believed of it."""

import hmac
from collections.abc import Mapping
from typing import Any, NamedTuple

from pendesk.domain.limits import EMAIL_CHARS, NAME_CHARS

SKEW_S = 60  # between the provider's clock and ours
SUBJECT_CHARS = 255
OF_THE_PERSON = ("email", "email_verified", "name")


class OidcError(Exception):
    """What the provider, or somebody in its place, said is not good. The text is for the log."""


class Identity(NamedTuple):
    """The email is in lower case, and there only if it counts as verified; else `no_email` says why, for the log."""

    issuer: str
    subject: str
    email: str | None
    name: str
    no_email: str = ""


class ExpectedClaims(NamedTuple):
    issuer: str
    client_id: str
    nonce: str


def check_id_token_claims(claims: Mapping[str, Any], expected: ExpectedClaims, now_s: int) -> None:
    """Its signature was checked before. OpenID Connect Core, 3.1.3.7."""
    if claims.get("iss") != expected.issuer:
        raise OidcError("the ID token is from another issuer")
    _check_audience(claims, expected.client_id)
    nonce = claims.get("nonce")
    if not isinstance(nonce, str) or not hmac.compare_digest(nonce.encode(), expected.nonce.encode()):
        raise OidcError("the ID token is from another sign-in")
    _check_expiry_and_issued_at(claims, now_s)
    subject = claims.get("sub")
    if not isinstance(subject, str) or not 0 < len(subject) <= SUBJECT_CHARS or not subject.isprintable():
        raise OidcError("the ID token names nobody")


def merge_user_info(claims: Mapping[str, Any], info: Mapping[str, Any]) -> dict[str, Any]:
    """The ID token's claims, with what UserInfo says of the same person. OpenID Connect Core, 5.3.2."""
    if info.get("sub") != claims["sub"]:
        raise OidcError("UserInfo is about another person than the ID token")
    return {**claims, **{name: info[name] for name in OF_THE_PERSON if name in info}}


def read_identity(claims: Mapping[str, Any], *, assume_email_verified: bool) -> Identity:
    """Who the checked claims are about. `assume_email_verified` is for providers that do not say whether an email was
    verified; where one says that it was not, nothing is assumed."""
    email, no_email = _valid_email_claim(claims), ""
    if email is None:
        no_email = "the provider gave no email: let it give this client the email scope, or add the claim"
    elif claims.get("email_verified") is None and not assume_email_verified:
        no_email = "the provider does not say whether the email was verified: see the setting oidc_email_verified"
    elif claims.get("email_verified") not in (None, True, "true"):
        no_email = "the provider says that the email was not verified"
    email, subject = None if no_email else email, claims["sub"]
    name = _read_display_name(claims) or (email or subject).partition("@")[0][:NAME_CHARS]
    return Identity(claims["iss"], subject, email, name, no_email)


def _check_audience(claims: Mapping[str, Any], client_id: str) -> None:
    claim = claims.get("aud")
    audience = claim if isinstance(claim, list) else [claim]
    party = claims.get("azp")
    if client_id not in audience or (len(audience) > 1 and party is None) or party not in (None, client_id):
        raise OidcError("the ID token is for another client")


def _check_expiry_and_issued_at(claims: Mapping[str, Any], now_s: int) -> None:
    if _require_timestamp(claims, "exp") + SKEW_S <= now_s:
        raise OidcError("the ID token has expired")
    if _require_timestamp(claims, "iat") - SKEW_S > now_s:
        raise OidcError("the ID token is from the future")


def _require_timestamp(claims: Mapping[str, Any], claim_name: str) -> float:
    moment = claims.get(claim_name)
    if not isinstance(moment, int | float) or isinstance(moment, bool):
        raise OidcError(f"the ID token has no {claim_name}")
    return moment


def _valid_email_claim(claims: Mapping[str, Any]) -> str | None:
    claim = claims.get("email")
    email = claim.strip().lower() if isinstance(claim, str) else ""
    plain = email.isprintable() and email.isascii() and " " not in email
    return email if plain and email.count("@") == 1 and 3 <= len(email) <= EMAIL_CHARS else None


def _read_display_name(claims: Mapping[str, Any]) -> str:
    name = claims.get("name")
    return (
        " ".join("".join(letter for letter in name if letter.isprintable()).split())[:NAME_CHARS]
        if name and isinstance(name, str)
        else ""
    )
