"""Which server is called, and with which token."""

import os
from typing import NamedTuple

DEFAULT_URL = "http://127.0.0.1:3847"
DEFAULT_TIMEOUT_S = 30.0
DEFAULT_RETRIES = 4


class Server(NamedTuple):
    url: str
    token: str


def find_server(url: str | None, token: str | None) -> Server:
    url = (url or os.environ.get("PENDESK_URL") or DEFAULT_URL).rstrip("/")
    token = token or os.environ.get("PENDESK_MCP_TOKEN")
    if not token:
        raise ValueError("No token. Pass token=..., or set PENDESK_MCP_TOKEN; `pendesk token create` creates one.")
    if not url.startswith(("http://", "https://")):
        raise ValueError(f"{url!r} is not the URL of a server: it must start with http:// or https://.")
    return Server(url, token)
