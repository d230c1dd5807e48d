"""An OpenID provider on a real port, with real keys: small, strict about its clients, and able to lie when told to."""

import base64
import hashlib
import json
import secrets
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self
from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit

from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256

CLIENT, SECRET = "pendesk", "the-secret/+"
Json = dict[str, Any]


def b64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class RsaKey:
    alg = "RS256"

    def __init__(self, kid: str = "rsa", bits: int = 2048) -> None:
        self.kid = kid
        self._key = rsa.generate_private_key(65537, bits)

    def jwk(self) -> Json:
        numbers = self._key.public_key().public_numbers()
        told = {"n": numbers.n, "e": numbers.e}
        sizes = {name: b64(value.to_bytes((value.bit_length() + 7) // 8)) for name, value in told.items()}
        return {"kty": "RSA", "kid": self.kid, "use": "sig", "alg": "RS256", **sizes}

    def sign(self, data: bytes) -> bytes:
        return self._key.sign(data, padding.PKCS1v15(), SHA256())


class EcKey:
    alg = "ES256"

    def __init__(self, kid: str = "ec") -> None:
        self.kid = kid
        self._key = ec.generate_private_key(ec.SECP256R1())

    def jwk(self) -> Json:
        numbers = self._key.public_key().public_numbers()
        point = {"x": b64(numbers.x.to_bytes(32)), "y": b64(numbers.y.to_bytes(32))}
        return {"kty": "EC", "crv": "P-256", "kid": self.kid, "use": "sig", **point}

    def sign(self, data: bytes) -> bytes:
        r, s = decode_dss_signature(self._key.sign(data, ec.ECDSA(SHA256())))
        return r.to_bytes(32) + s.to_bytes(32)


def write_jwt(header: Json, claims: Json, sign: Callable[[bytes], bytes]) -> str:
    signed = f"{b64(json.dumps(header).encode())}.{b64(json.dumps(claims).encode())}"
    return f"{signed}.{b64(sign(signed.encode()))}"


class OidcServer:
    """`person` is who signs in next. What a test sets in `claims`, `header` or `sign` is put into the ID token; in
    `info`, what UserInfo answers (there is none without), and in `token`, what comes beside the ID token."""

    def __init__(self, host: str = "127.0.0.1") -> None:
        self.host = host
        self.key: Any = RsaKey()
        self.published = [self.key.jwk()]
        self.person: Json = {"sub": "ada-1", "email": "ada@example.com", "email_verified": True, "name": "Ada L."}
        self.reset()
        self.codes: dict[str, Json] = {}
        self.granted: set[str] = set()
        self.asked: list[str] = []

    def reset(self) -> None:
        self.claims: Json = {}
        self.header: Json = {}
        self.document: Json = {}
        self.token: Json = {}
        self.info: Json | bytes | None = None
        self.info_type = "application/json"
        self.sign: Callable[[bytes], bytes] | None = None

    def __enter__(self) -> Self:
        provider = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                provider.asked.append(self.path)
                if self.path.startswith("/authorize?"):  # a browser: the person is signed in there, and agrees
                    self.send_response(302)
                    self.send_header("location", provider.sign_in(f"{provider.issuer}{self.path}"))
                    self.end_headers()
                    return
                if urlsplit(self.path).path == "/userinfo":
                    self._answer(*provider.tell_user_info(self.headers.get("authorization", "")))
                    return
                told = {
                    "/.well-known/openid-configuration": provider.describe,
                    "/jwks": lambda: {"keys": provider.published},
                }.get(urlsplit(self.path).path)
                self._answer(200 if told else 404, told() if told else {})

            def do_POST(self) -> None:
                provider.asked.append(self.path)
                sent = parse_qs(self.rfile.read(int(self.headers["content-length"])).decode())
                if self.path == "/elsewhere":
                    self.send_response(302)
                    self.send_header("location", f"{provider.issuer}/token")
                    self.end_headers()
                    return
                form = {name: values[0] for name, values in sent.items()}
                self._answer(*provider.redeem(form, self.headers.get("authorization", "")))

            def _answer(self, status: int, told: Json | bytes, kind: str = "application/json") -> None:
                body = told if isinstance(told, bytes) else json.dumps(told).encode()
                self.send_response(status)
                self.send_header("content-type", kind)
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_args: Any) -> None: ...

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.issuer = f"http://{self.host}:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_args: object) -> None:
        self.server.shutdown()
        self.server.server_close()

    def describe(self) -> Json:
        return {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token",
            "jwks_uri": f"{self.issuer}/jwks",
            **({} if self.info is None else {"userinfo_endpoint": f"{self.issuer}/userinfo"}),
            **self.document,
        }

    def sign_in(self, address: str) -> str:
        """The person agrees at the address they were sent to; where their browser goes next."""
        assert address.startswith(f"{self.issuer}/authorize?")
        asked = dict(parse_qsl(urlsplit(address).query))
        assert asked["response_type"] == "code"
        assert asked["client_id"] == CLIENT
        assert asked["code_challenge_method"] == "S256"
        assert "openid" in asked["scope"].split()
        code = secrets.token_urlsafe(16)
        self.codes[code] = asked
        return f"{asked['redirect_uri']}?{urlencode({'code': code, 'state': asked['state']})}"

    def redeem(self, form: Json, authorization: str) -> tuple[int, Json]:
        asked = self.codes.pop(form.get("code", ""), None)
        expected = f"Basic {base64.b64encode(f'{CLIENT}:the-secret%2F%2B'.encode()).decode()}"
        good = asked is not None and authorization == expected
        if not good or asked is None or form["redirect_uri"] != asked["redirect_uri"]:
            return 400, {"error": "invalid_grant"}
        if b64(hashlib.sha256(form["code_verifier"].encode()).digest()) != asked["code_challenge"]:
            return 400, {"error": "invalid_grant"}
        self.granted.add(access := secrets.token_urlsafe(16))
        told = {"access_token": access, "token_type": "Bearer", "id_token": self.id_token(asked["nonce"]), **self.token}
        return 200, {name: value for name, value in told.items() if value is not None}

    def tell_user_info(self, authorization: str) -> tuple[int, Json | bytes, str]:
        scheme, _, access = authorization.partition(" ")
        if scheme != "Bearer" or access not in self.granted or self.info is None:
            return 401, {"error": "invalid_token"}, "application/json"
        return 200, self.info, self.info_type

    def id_token(self, nonce: str) -> str:
        now = int(time.time())
        usual = {"iss": self.issuer, "aud": CLIENT, "iat": now, "exp": now + 300, "nonce": nonce, **self.person}
        claims = {name: value for name, value in {**usual, **self.claims}.items() if value is not None}
        header = {"alg": self.key.alg, "kid": self.key.kid, "typ": "JWT", **self.header}
        return write_jwt(
            {name: value for name, value in header.items() if value is not None}, claims, self.sign or self.key.sign
        )
