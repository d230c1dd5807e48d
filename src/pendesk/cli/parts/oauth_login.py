"""Signs in at a server: with a browser on this machine, or with a code entered on another one."""

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

from pendesk.cli.parts.console import CommandError
from pendesk.cli.parts.credentials import build_login_from_token_response
from pendesk.cli.parts.remote import CallRefused, RemoteClient

CALLBACK_PATH = "/callback"
WAIT_S = 600
DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code"
SIGNED_IN_PAGE = (
    "<!doctype html><title>Pendesk</title><p>You are signed in. Close this page and return to the terminal."
)
FAILED_PAGE = "<!doctype html><title>Pendesk</title><p>You are not signed in. Return to the terminal."


def login_with_browser(url: str, scope: str | None, open_url: Callable[[str], object]) -> dict[str, Any]:
    """Authorization code with PKCE; the callback comes to a port of this machine."""
    with _CallbackServer() as callback:
        remote, redirect = RemoteClient(url), f"http://127.0.0.1:{callback.server_port}{CALLBACK_PATH}"
        client_id = _register_oauth_client(remote)
        verifier, state = secrets.token_urlsafe(48), secrets.token_urlsafe(24)
        challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
        query = {
            "response_type": "code",
            "client_id": client_id,
            "redirect_uri": redirect,
            "code_challenge": challenge,
            "code_challenge_method": "S256",
            "state": state,
            "resource": f"{url}/mcp",
            **({"scope": scope} if scope else {}),
        }
        open_url(f"{url}/oauth/authorize?{urllib.parse.urlencode(query)}")
        code = _authorization_code_from_callback(callback.wait_for_callback_query(WAIT_S), state, url)
        response = remote.post_form(
            "/oauth/token",
            grant_type="authorization_code",
            code=code,
            redirect_uri=redirect,
            code_verifier=verifier,
            client_id=client_id,
        )
        return build_login_from_token_response(response, client_id)


def login_with_device_code(
    url: str, scope: str | None, show_device_code: Callable[[dict[str, Any]], object]
) -> dict[str, Any]:
    remote = RemoteClient(url)
    client_id = _register_oauth_client(remote)
    authorization = remote.post_form(
        "/oauth/device_authorization", client_id=client_id, **({"scope": scope} if scope else {})
    )
    show_device_code(authorization)
    pause_s, remaining_s = float(authorization["interval"]), float(authorization["expires_in"])
    while remaining_s > 0:
        time.sleep(pause_s)
        remaining_s -= pause_s
        try:
            response = remote.post_form(
                "/oauth/token", grant_type=DEVICE_GRANT, device_code=authorization["device_code"], client_id=client_id
            )
            return build_login_from_token_response(response, client_id)
        except CallRefused as refused:
            if refused.error["code"] == "slow_down":
                pause_s += 5
            elif refused.error["code"] != "authorization_pending":
                raise CommandError(f"The sign-in failed: {refused} Run `pendesk login --device` again.") from None
    raise CommandError("The code was not entered in time. Run `pendesk login --device` again.")


def _register_oauth_client(remote: RemoteClient) -> str:
    """With a name that the person recognizes on the consent page."""
    name = f"pendesk on {socket.gethostname()[:40]}"
    client_metadata = {
        "client_name": name,
        "redirect_uris": [f"http://127.0.0.1{CALLBACK_PATH}"],
        "token_endpoint_auth_method": "none",
        "grant_types": ["authorization_code", "refresh_token", DEVICE_GRANT],
    }
    return str(remote.post_json("/oauth/register", client_metadata)["client_id"])


def _authorization_code_from_callback(callback_query: dict[str, str] | None, expected_state: str, url: str) -> str:
    if callback_query is None:
        raise CommandError("The sign-in was not completed in the browser. Run `pendesk login` again, or with --device.")
    if (
        not hmac.compare_digest(callback_query.get("state", ""), expected_state)
        or callback_query.get("iss", url) != url
    ):
        raise CommandError(
            "The response does not belong to this sign-in. Nothing was saved; run `pendesk login` again."
        )
    if "code" not in callback_query:
        reason = callback_query.get("error_description") or callback_query.get("error", "no reason given")
        raise CommandError(f"The sign-in failed: {reason}.")
    return callback_query["code"]


class _CallbackServer(HTTPServer):
    """Waits for one callback; any other request gets a 404."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _CallbackHandler)
        self.callback: dict[str, str] | None = None

    def wait_for_callback_query(self, seconds: float) -> dict[str, str] | None:
        until = time.monotonic() + seconds
        while self.callback is None and time.monotonic() < until:
            self.timeout = until - time.monotonic()
            self.handle_request()
        return self.callback


class _CallbackHandler(BaseHTTPRequestHandler):
    server: _CallbackServer
    timeout = 5

    def do_GET(self) -> None:
        path, _mark, query = self.path.partition("?")
        query_fields = dict(urllib.parse.parse_qsl(query))
        if path != CALLBACK_PATH or not ("code" in query_fields or "error" in query_fields):
            self.send_error(404)
            return
        self.server.callback = query_fields
        page = (SIGNED_IN_PAGE if "code" in query_fields else FAILED_PAGE).encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(page)))
        self.end_headers()
        self.wfile.write(page)

    def log_message(self, *_arguments: object) -> None:
        """The URL contains the code, so it is not logged."""
