"""Getting a grant from a server: by a browser on this machine, or by a code that is typed on another one."""

import base64
import hashlib
import hmac
import secrets
import socket
import time
import urllib.parse
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

from pendesk.cli.parts.console import Failure
from pendesk.cli.parts.credentials import granted
from pendesk.cli.parts.remote import Refused, Remote

PATH = "/callback"
WAIT_S = 600
DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code"
DONE = "<!doctype html><title>Pendesk</title><p>You are signed in. Close this page and go back to the terminal."
NOT_DONE = "<!doctype html><title>Pendesk</title><p>Nothing was granted. Go back to the terminal."


def by_browser(url: str, scope: str | None, show: Callable[[str], object]) -> dict[str, Any]:
    """Code with PKCE; the answer comes back to a port of this machine."""
    with _Callback() as callback:
        remote, redirect = Remote(url), f"http://127.0.0.1:{callback.server_port}{PATH}"
        client_id = _register(remote)
        verifier, state = secrets.token_urlsafe(48), secrets.token_urlsafe(24)
        challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
        asked = {
            "response_type": "code",
            "client_id": client_id,
            "redirect_uri": redirect,
            "code_challenge": challenge,
            "code_challenge_method": "S256",
            "state": state,
            "resource": f"{url}/mcp",
            **({"scope": scope} if scope else {}),
        }
        show(f"{url}/oauth/authorize?{urllib.parse.urlencode(asked)}")
        code = _code(callback.wait(WAIT_S), state, url)
        told = remote.post_form(
            "/oauth/token",
            grant_type="authorization_code",
            code=code,
            redirect_uri=redirect,
            code_verifier=verifier,
            client_id=client_id,
        )
        return granted(told, client_id)


def by_device(url: str, scope: str | None, show: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
    remote = Remote(url)
    client_id = _register(remote)
    started = remote.post_form(
        "/oauth/device_authorization", client_id=client_id, **({"scope": scope} if scope else {})
    )
    show(started)
    pause, left = float(started["interval"]), float(started["expires_in"])
    while left > 0:
        time.sleep(pause)
        left -= pause
        try:
            told = remote.post_form(
                "/oauth/token", grant_type=DEVICE_GRANT, device_code=started["device_code"], client_id=client_id
            )
            return granted(told, client_id)
        except Refused as refused:
            if refused.error["code"] == "slow_down":
                pause += 5
            elif refused.error["code"] != "authorization_pending":
                raise Failure(f"Nothing was granted: {refused} Run `pendesk login --device` again.") from None
    raise Failure("Nobody entered the code in time. Run `pendesk login --device` again.")


def _register(remote: Remote) -> str:
    """Under a name that the person will recognise on the consent page."""
    name = f"pendesk on {socket.gethostname()[:40]}"
    about = {
        "client_name": name,
        "redirect_uris": [f"http://127.0.0.1{PATH}"],
        "token_endpoint_auth_method": "none",
        "grant_types": ["authorization_code", "refresh_token", DEVICE_GRANT],
    }
    return str(remote.post_json("/oauth/register", about)["client_id"])


def _code(answer: dict[str, str] | None, state: str, url: str) -> str:
    if answer is None:
        raise Failure("Nobody answered in the browser. Run `pendesk login` again, or with --device.")
    if not hmac.compare_digest(answer.get("state", ""), state) or answer.get("iss", url) != url:
        raise Failure("The answer was not for this login. Nothing was kept; run `pendesk login` again.")
    if "code" not in answer:
        raise Failure(
            f"Nothing was granted: {answer.get('error_description') or answer.get('error', 'no reason told')}."
        )
    return answer["code"]


class _Callback(HTTPServer):
    """One answer is waited for; whatever else knocks at the port is sent away."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Page)
        self.answer: dict[str, str] | None = None

    def wait(self, seconds: float) -> dict[str, str] | None:
        until = time.monotonic() + seconds
        while self.answer is None and time.monotonic() < until:
            self.timeout = until - time.monotonic()
            self.handle_request()
        return self.answer


class _Page(BaseHTTPRequestHandler):
    server: _Callback
    timeout = 5

    def do_GET(self) -> None:
        path, _mark, query = self.path.partition("?")
        found = dict(urllib.parse.parse_qsl(query))
        if path != PATH or not ("code" in found or "error" in found):
            self.send_error(404)
            return
        self.server.answer = found
        page = (DONE if "code" in found else NOT_DONE).encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(page)))
        self.end_headers()
        self.wfile.write(page)

    def log_message(self, *_told: object) -> None:
        """The address holds the code: it is written nowhere."""
