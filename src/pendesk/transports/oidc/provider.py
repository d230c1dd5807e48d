"""The OpenID provider that the settings name: what it publishes, the exchange of a code for an ID token, and UserInfo.

Its address comes from whoever runs the server, so it may be a private one; what it answers is bounded all the same.
"""

import asyncio
import base64
import re
import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from typing import Any
from urllib.parse import quote, urlencode

import msgspec

from pendesk.domain.oidc import Expected, Identity, NotBelieved, add_user_info, check_id_token, read_identity
from pendesk.settings import SettingError, Settings
from pendesk.transports.oidc.id_token import fits, read_header, verified_claims

FRESH_S = 3600.0
KEYS_AGAIN_S = 10.0  # a key that is not known may be new; but whoever makes key names up must not make us ask
ANSWER_BYTES = 200_000
PATIENCE_S = 10.0
_SAFE = re.compile(r"https://|http://(?:127\.0\.0\.1|localhost|\[::1\])[:/]")


class Document(msgspec.Struct):
    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str
    userinfo_endpoint: str | None = None
    token_endpoint_auth_methods_supported: tuple[str, ...] = ("client_secret_basic",)


class Keys(msgspec.Struct):
    keys: list[dict[str, Any]]


class Redeemed(msgspec.Struct):
    id_token: str
    access_token: str | None = None
    token_type: str = "Bearer"  # noqa: S105


class Provider:
    def __init__(
        self, issuer: str, client_id: str, client_secret: str | None, *, assume_verified: bool = False
    ) -> None:
        self.issuer = issuer
        self.client_id = client_id
        self._secret = client_secret
        self._assume_verified = assume_verified
        self._document: tuple[float, Document] | None = None
        self._keys: tuple[float, list[dict[str, Any]]] | None = None

    async def document(self) -> Document:
        if self._document is None or time.monotonic() - self._document[0] > FRESH_S:
            url = f"{self.issuer.rstrip('/')}/.well-known/openid-configuration"
            told = await _fetch(url, Document)
            if told.issuer != self.issuer:
                raise NotBelieved("the provider's description is that of another issuer")
            named = (told.authorization_endpoint, told.token_endpoint, told.jwks_uri, told.userinfo_endpoint)
            for address in named:
                if address is not None and not _SAFE.match(address):
                    raise NotBelieved("the provider's description names an address without TLS")
            self._document = (time.monotonic(), told)
        return self._document[1]

    async def address_to_sign_in(self, redirect_uri: str, state: str, nonce: str, challenge: str) -> str:
        asked = {
            "response_type": "code",
            "client_id": self.client_id,
            "redirect_uri": redirect_uri,
            "scope": "openid email profile",
            "state": state,
            "nonce": nonce,
            "code_challenge": challenge,
            "code_challenge_method": "S256",
        }
        address = (await self.document()).authorization_endpoint
        return f"{address}{'&' if '?' in address else '?'}{urlencode(asked)}"

    async def identify(self, code: str, verifier: str, redirect_uri: str, nonce: str, now_s: int) -> Identity:
        """Who has signed in there."""
        redeemed = await self._redeem(code, verifier, redirect_uri)
        claims = await self._verified(redeemed.id_token)
        check_id_token(claims, Expected(self.issuer, self.client_id, nonce), now_s)
        if not claims.get("email"):  # in the code flow the standard keeps it for UserInfo, and many providers do
            claims = add_user_info(claims, await self._user_info(redeemed, claims))
        return read_identity(claims, assume_verified=self._assume_verified)

    async def _verified(self, id_token: str) -> dict[str, Any]:
        header = read_header(id_token)
        key = _only(each for each in await self._published(fresh=False) if fits(header, each))
        if key is None:
            key = _only(each for each in await self._published(fresh=True) if fits(header, each))
        if key is None:
            raise NotBelieved("the ID token is signed with a key that the provider does not publish")
        return verified_claims(id_token, header, key)

    async def _user_info(self, redeemed: Redeemed, claims: dict[str, Any]) -> dict[str, Any]:
        """What the provider says of the person where it is asked; nothing new where it cannot be."""
        address = (await self.document()).userinfo_endpoint
        if address is None or redeemed.access_token is None:
            return claims
        if redeemed.token_type.lower() != "bearer":
            raise NotBelieved("the provider's access token is not a Bearer token, and no other can be sent to UserInfo")
        headers = {"Authorization": f"Bearer {redeemed.access_token}"}
        info: dict[str, Any] = await _fetch(address, dict[str, Any], headers=headers)
        return info

    async def _redeem(self, code: str, verifier: str, redirect_uri: str) -> Redeemed:
        document = await self.document()
        sent = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": redirect_uri,
            "code_verifier": verifier,
            "client_id": self.client_id,
        }
        headers = {}
        if self._secret is not None and "client_secret_basic" in document.token_endpoint_auth_methods_supported:
            pair = f"{quote(self.client_id, safe='')}:{quote(self._secret, safe='')}"
            headers["Authorization"] = f"Basic {base64.b64encode(pair.encode()).decode()}"
        elif self._secret is not None:
            sent["client_secret"] = self._secret
        redeemed: Redeemed = await _fetch(document.token_endpoint, Redeemed, urlencode(sent).encode(), headers)
        return redeemed

    async def _published(self, *, fresh: bool) -> list[dict[str, Any]]:
        age = time.monotonic() - self._keys[0] if self._keys else FRESH_S
        if self._keys is None or age >= (KEYS_AGAIN_S if fresh else FRESH_S):
            told = await _fetch((await self.document()).jwks_uri, Keys)
            self._keys = (time.monotonic(), told.keys)
        return self._keys[1]


def open_provider(settings: Settings) -> Provider | None:
    if settings.oidc_issuer is None or settings.oidc_client_id is None:
        return None
    if find_spec("cryptography") is None:
        raise SettingError("The setting oidc_issuer needs a library to check signatures: install pendesk[oidc].")
    return Provider(
        settings.oidc_issuer,
        settings.oidc_client_id,
        settings.oidc_client_secret,
        assume_verified=settings.oidc_email_verified == "assumed",
    )


def _only(found: Any) -> dict[str, Any] | None:
    """One that fits; where a token names no key, it must be the only one."""
    keys: list[dict[str, Any]] = list(found)
    return keys[0] if len(keys) == 1 else None


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_args: Any) -> None:
        """A code or a secret goes to the address that was named, and to no other."""


# Threads of their own: a provider that hangs must not hold up what else needs one.
_FETCHERS = ThreadPoolExecutor(4, thread_name_prefix="pendesk-oidc")
_OPENER = urllib.request.build_opener(_NoRedirect)


async def _fetch(url: str, shape: Any, body: bytes | None = None, headers: dict[str, str] | None = None) -> Any:
    if not _SAFE.match(url):
        raise NotBelieved("the provider's address has no TLS")
    where = url.partition("?")[0]
    request = urllib.request.Request(url, body, {"Accept": "application/json", **(headers or {})})  # noqa: S310
    try:
        async with asyncio.timeout(PATIENCE_S):
            read = await asyncio.get_running_loop().run_in_executor(_FETCHERS, _read, request)
        return msgspec.json.decode(read, type=shape)
    except urllib.error.HTTPError as error:
        error.close()
        raise NotBelieved(f"{where} answered {error.code}") from None
    except (OSError, ValueError, RecursionError) as error:
        raise NotBelieved(f"{where} cannot be reached or understood ({type(error).__name__})") from None


def _read(request: urllib.request.Request) -> bytes:
    with _OPENER.open(request, timeout=PATIENCE_S) as answer:
        if answer.headers.get_content_type() == "application/jwt":
            raise NotBelieved("the provider answers with a signed token: register this client for plain JSON")
        read: bytes = answer.read(ANSWER_BYTES + 1)
    if len(read) > ANSWER_BYTES:
        raise ValueError("too long")
    return read
