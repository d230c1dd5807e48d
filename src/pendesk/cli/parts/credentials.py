"""The logins of `pendesk login`: in the system's keyring if there is one, else in a file that only its owner can read.

One entry per server: a token that a person pasted, or an OAuth grant whose access token is refreshed when it expires.
"""

import importlib
import json
import os
import time
from pathlib import Path
from typing import Any

import platformdirs

from pendesk.cli.binding.record import write_private_file
from pendesk.cli.parts.remote import CallRefused, RemoteClient, ServerUnreachable

SERVICE = "pendesk"
FILE_NAME = "credentials.json"
REFRESH_MARGIN_S = 120  # refresh before it expires during a call


def credentials_file() -> Path:
    return Path(platformdirs.user_config_dir("pendesk")) / FILE_NAME


def read_saved_login(server_url: str) -> dict[str, Any] | None:
    keyring = _load_keyring_module_or_none()
    text = keyring.get_password(SERVICE, server_url) if keyring else None
    entry: dict[str, Any] | None = json.loads(text) if text else _read_credentials_file().get(server_url)
    return entry


def save_login_and_get_file_path(url: str, login: dict[str, Any]) -> str | None:
    """Where it was written, if that is a file; None for the keyring."""
    keyring = _load_keyring_module_or_none()
    if keyring is not None:
        keyring.set_password(SERVICE, url, json.dumps(login))
        return None
    return _write_credentials_file_and_get_path({**_read_credentials_file(), url: login})


def remove_saved_login(url: str) -> None:
    keyring = _load_keyring_module_or_none()
    if keyring is not None and keyring.get_password(SERVICE, url):
        keyring.delete_password(SERVICE, url)
    entries = _read_credentials_file()
    if entries.pop(url, None) is not None:
        _write_credentials_file_and_get_path(entries)


def list_server_urls_in_credentials_file() -> list[str]:
    """The servers in the file; a keyring cannot be listed."""
    return sorted(_read_credentials_file())


def read_or_refresh_access_token(url: str) -> str | None:
    """A valid token; None without a login, or after it ended."""
    entry = read_saved_login(url)
    if entry is None:
        return None
    if entry.get("refresh_token") is None or entry["expires_at"] - REFRESH_MARGIN_S > time.time():
        return str(entry["access_token"])
    return _refresh_access_token_if_due(url)


def _refresh_access_token_if_due(url: str) -> str | None:
    """One process at a time: a refresh token that is used twice ends the login."""
    with _locked():
        entry = read_saved_login(url)
        if entry is None or entry["expires_at"] - REFRESH_MARGIN_S > time.time():
            return str(entry["access_token"]) if entry else None
        try:
            response = RemoteClient(url).post_form(
                "/oauth/token",
                grant_type="refresh_token",
                refresh_token=entry["refresh_token"],
                client_id=entry["client_id"],
            )
        except ServerUnreachable:
            return str(entry["access_token"])
        except CallRefused:
            return None
        save_login_and_get_file_path(url, build_login_from_token_response(response, entry["client_id"]))
        return str(response["access_token"])


def build_login_from_token_response(response: dict[str, Any], client_id: str) -> dict[str, Any]:
    """A response of the token endpoint, as it is saved."""
    return {
        "access_token": response["access_token"],
        "refresh_token": response["refresh_token"],
        "expires_at": time.time() + int(response["expires_in"]),
        "client_id": client_id,
    }


def _load_keyring_module_or_none() -> Any:
    """The keyring package, if it is installed and has a real backend."""
    try:
        keyring = importlib.import_module("keyring")
    except ImportError:
        return None
    return keyring if keyring.get_keyring().priority >= 1 else None


def _read_credentials_file() -> dict[str, Any]:
    try:
        entries = json.loads(credentials_file().read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return entries if isinstance(entries, dict) else {}


def _write_credentials_file_and_get_path(logins_by_url: dict[str, Any]) -> str:
    path = credentials_file()
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    write_private_file(path, json.dumps(logins_by_url, indent=2) + "\n")
    return str(path)


class _locked:
    """A file lock of the operating system, released when the process ends."""

    def __enter__(self) -> None:
        path = credentials_file().with_suffix(".lock")
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._file = path.open("w")
        if os.name == "posix":
            import fcntl

            fcntl.flock(self._file, fcntl.LOCK_EX)

    def __exit__(self, *_exception: object) -> None:
        self._file.close()
