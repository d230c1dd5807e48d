"""The OpenID provider that the settings name: what it publishes, the exchange of a code for an ID token, and UserInfo.

Its address comes from whoever runs the server, so it may be a private one; what it answers is bounded all the same.
"""

import base64
import re
import time
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import quote, urlencode

import msgspec

from pendesk.domain.oidc import (
    ExpectedClaims,
    Identity,
    OidcError,
    check_id_token_claims,
    merge_user_info,
    read_identity,
)
from pendesk.settings import Settings
from pendesk.transports.fetch import Fetcher, Unfetchable, is_tls_or_loopback
from pendesk.transports.oidc.id_token import key_matches, read_header, verify_and_decode_claims

FRESH_S = 3600.0
KEYS_AGAIN_S = 10.0  # a key that is not known may be new; but whoever makes key names up must not make us ask
ANSWER_BYTES = 200_000
PATIENCE_S = 10.0
_SAFE = re.compile(r"https://|http://(?:127\.0\.0\.1|localhost|\[::1\])[:/]")


class ProviderConfiguration(msgspec.Struct):
    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str
    userinfo_endpoint: str | None = None
    token_endpoint_auth_methods_supported: tuple[str, ...] = ("client_secret_basic",)


class JwkSet(msgspec.Struct):
    keys: list[dict[str, Any]]


class TokenResponse(msgspec.Struct):
    id_token: str
    access_token: str | None = None
    token_type: str = "Bearer"  # noqa: S105


class Provider:
    def __init__(
        self,
        issuer: str,
        client_id: str,
        client_secret: str | None,
        fetcher: Fetcher,
        *,
        assume_verified: bool,
    ) -> None:
        self.issuer = issuer
        self.client_id = client_id
        self._secret = client_secret
        self._fetcher = fetcher
        self._assume_verified = assume_verified
        self._document: tuple[float, ProviderConfiguration] | None = None
        self._keys: tuple[float, list[dict[str, Any]]] | None = None

    async def configuration(self) -> ProviderConfiguration:
        if self._document is None or time.monotonic() - self._document[0] > FRESH_S:
            url = f"{self.issuer.rstrip('/')}/.well-known/openid-configuration"
            document: ProviderConfiguration = await self._fetch_json(url, ProviderConfiguration)
            if document.issuer != self.issuer:
                raise OidcError("the provider's description is that of another issuer")
            for address in (
                document.authorization_endpoint,
                document.token_endpoint,
                document.jwks_uri,
                document.userinfo_endpoint,
            ):
                if address is not None and not _SAFE.match(address):
                    raise OidcError("the provider's description names an address without TLS")
            self._document = (time.monotonic(), document)
        return self._document[1]

    async def authorization_url(self, redirect_uri: str, state: str, nonce: str, code_challenge: str) -> str:
        query = {
            "response_type": "code",
            "client_id": self.client_id,
            "redirect_uri": redirect_uri,
            "scope": "openid email profile",
            "state": state,
            "nonce": nonce,
            "code_challenge": code_challenge,
            "code_challenge_method": "S256",
        }
        address = (await self.configuration()).authorization_endpoint
        return f"{address}{'&' if '?' in address else '?'}{urlencode(query)}"

    async def exchange_code_for_identity(
        self, code: str, verifier: str, redirect_uri: str, nonce: str, now_s: int
    ) -> Identity:
        """Who has signed in there."""
        redeemed = await self._redeem_code(code, verifier, redirect_uri)
        claims = await self._verify_and_decode_id_token(redeemed.id_token)
        check_id_token_claims(claims, ExpectedClaims(self.issuer, self.client_id, nonce), now_s)
        if not claims.get("email"):  # in the code flow the standard keeps it for UserInfo, and many providers do
            claims = merge_user_info(claims, await self._fetch_user_info(redeemed, claims))
        return read_identity(claims, assume_email_verified=self._assume_verified)

    async def _verify_and_decode_id_token(self, id_token: str) -> dict[str, Any]:
        header = read_header(id_token)
        key = _key_if_only_one(key for key in await self._public_keys(reload=False) if key_matches(header, key))
        if key is None:
            key = _key_if_only_one(key for key in await self._public_keys(reload=True) if key_matches(header, key))
        if key is None:
            raise OidcError("the ID token is signed with a key that the provider does not publish")
        return verify_and_decode_claims(id_token, header, key)

    async def _fetch_user_info(self, tokens: TokenResponse, fallback_claims: dict[str, Any]) -> dict[str, Any]:
        """What the provider says of the person where it is asked; nothing new where it cannot be."""
        address = (await self.configuration()).userinfo_endpoint
        if address is None or tokens.access_token is None:
            return fallback_claims
        if tokens.token_type.lower() != "bearer":
            raise OidcError("the provider's access token is not a Bearer token, and no other can be sent to UserInfo")
        headers = {"Authorization": f"Bearer {tokens.access_token}"}
        info: dict[str, Any] = await self._fetch_json(address, dict[str, Any], headers)
        return info

    async def _redeem_code(self, code: str, verifier: str, redirect_uri: str) -> TokenResponse:
        document = await self.configuration()
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": redirect_uri,
            "code_verifier": verifier,
            "client_id": self.client_id,
        }
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        if self._secret is not None and "client_secret_basic" in document.token_endpoint_auth_methods_supported:
            pair = f"{quote(self.client_id, safe='')}:{quote(self._secret, safe='')}"
            headers["Authorization"] = f"Basic {base64.b64encode(pair.encode()).decode()}"
        elif self._secret is not None:
            form["client_secret"] = self._secret
        redeemed: TokenResponse = await self._fetch_json(
            document.token_endpoint, TokenResponse, headers, method="POST", body=urlencode(form).encode()
        )
        return redeemed

    async def _public_keys(self, *, reload: bool) -> list[dict[str, Any]]:
        age = time.monotonic() - self._keys[0] if self._keys else FRESH_S
        if self._keys is None or age >= (KEYS_AGAIN_S if reload else FRESH_S):
            published: JwkSet = await self._fetch_json((await self.configuration()).jwks_uri, JwkSet)
            self._keys = (time.monotonic(), published.keys)
        return self._keys[1]

    async def _fetch_json(
        self, url: str, decode_as: Any, headers: Mapping[str, str] = {}, *, method: str = "GET", body: bytes = b""
    ) -> Any:
        """The answer, decoded. A redirect is not followed: a code or a secret goes to the address that was named."""
        address = url.partition("?")[0]
        try:
            answer = await self._fetcher.send(method, url, {"Accept": "application/json", **headers}, body)
            if not 200 <= answer.status < 300:
                raise OidcError(f"{address} answered {answer.status}")
            if answer.headers.get("content-type", "").startswith("application/jwt"):
                raise OidcError("the provider answers with a signed token: register this client for plain JSON")
            return msgspec.json.decode(answer.body, type=decode_as)
        except Unfetchable as failure:
            raise OidcError(f"{address} cannot be reached: {failure}") from None
        except (ValueError, RecursionError) as error:
            raise OidcError(f"{address} cannot be understood ({type(error).__name__})") from None


def create_provider(settings: Settings) -> Provider | None:
    if settings.oidc_issuer is None or settings.oidc_client_id is None:
        return None
    return Provider(
        settings.oidc_issuer,
        settings.oidc_client_id,
        settings.oidc_client_secret,
        Fetcher(allowed=is_tls_or_loopback, timeout_s=PATIENCE_S, max_bytes=ANSWER_BYTES),
        assume_verified=settings.oidc_email_verified == "assumed",
    )


def _key_if_only_one(matching_keys: Iterable[dict[str, Any]]) -> dict[str, Any] | None:
    """The key that fits; where a token names no key, it must be the only one."""
    keys = list(matching_keys)
    return keys[0] if len(keys) == 1 else None
