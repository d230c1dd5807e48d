"""login, logout, whoami: through the server's own pages, as a person goes through them."""

import json
import stat
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pendesk.cli.parts import credentials
from pendesk.cli.parts.remote import CallRefused, RemoteClient
from tests.clients.drive.form_browser import APPROVE, Browser, Person, authorize, go_on
from tests.clients.running import RunningServer

PASSWORD = "correct horse battery staple"


@pytest.fixture
def ada(server: RunningServer, monkeypatch: pytest.MonkeyPatch) -> Person:
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.delenv("SSH_CONNECTION", raising=False)
    if "ada@example.com" not in str(server.person("list_members")):
        created = server.person("create_user", name="Ada", kind="person", email="ada@example.com")
        server.person("set_password", user_pid=created["userId"], password=PASSWORD)
    return Person(email="ada@example.com", password=PASSWORD)


class Forging(Browser):
    """Changes the address on its way back to the program."""

    def __init__(self, change: Callable[[str], str]) -> None:
        super().__init__()
        self.change = change

    def _request(self, url: str, *more: Any) -> Any:
        return super()._request(self.change(url) if "/callback?" in url else url, *more)


@pytest.fixture
def browse(monkeypatch: pytest.MonkeyPatch, ada: Person):
    """What happens where a browser opens."""

    def arrange(person: Person = ada, change: Any = lambda address: address) -> None:
        def walk(address: str) -> None:
            authorize(Forging(change), address, person)

        launch = lambda address: threading.Thread(target=walk, args=(address,), daemon=True).start()  # noqa: E731
        monkeypatch.setattr("click.launch", launch)

    return arrange


def test_by_browser(server, repo, browse, ask, run):
    browse()
    result = ask("login", "--url", server.url)
    assert result["user"] == "Ada"
    file = Path(result["keptIn"])
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert ask("whoami")["scopes"] == ["specs.read", "builds.write"]
    assert "Ada (member)" in run("whoami").stdout
    token = credentials.read_or_refresh_access_token(server.url)
    assert ask("logout")["revoked"] is True
    assert credentials.read_saved_login(server.url) is None
    with pytest.raises(CallRefused) as refused:
        RemoteClient(server.url, token).list_tools()
    assert refused.value.http_status == 401
    assert run("whoami").exit_code == 1
    assert "not signed in" in run("logout").stderr


def test_what_the_agents_are_for_is_asked_for_and_told(server, repo, browse, ask, run):
    browse()
    assert ask("login", "--url", server.url, "--tools", "plan")["scopes"] == ["desk.read", "desk.write", "specs.write"]
    assert ask("whoami")["user"] == "Ada"
    refused = run("connect", "--url", server.url, "--project", "HAR", "--tools", "build")
    assert "pendesk login" in refused.stderr
    assert ask("connect", "--url", server.url, "--project", "HAR")["toolSet"] == "plan"
    assert run("login", "--url", server.url, "--tools", "plan", "--scope", "desk.read").exit_code == 2


def test_a_no_and_a_forged_answer_leave_nothing(server, repo, browse, run, ada):
    browse(Person(email=ada.email, password=ada.password, approves=False))
    assert "The sign-in failed" in run("login", "--url", server.url).stderr
    browse(change=lambda address: address.replace("state=", "state=x"))
    assert "does not belong to this sign-in" in run("login", "--url", server.url).stderr
    browse(change=lambda address: address.replace("iss=http", "iss=https"))
    assert "does not belong to this sign-in" in run("login", "--url", server.url).stderr
    assert credentials.read_saved_login(server.url) is None


def test_by_a_code_on_another_machine(server, repo, ada, ask, run, monkeypatch):
    monkeypatch.setenv("SSH_CONNECTION", "somewhere")
    waits: list[float] = []
    person = ada

    def enter(started: dict[str, Any]) -> None:
        browser = Browser()
        page = browser.open(f"{server.url}/sign-in")
        (form,) = [form for form in page.forms if "password" in form.questions]
        browser.submit(page, form, None, person, "http://none")
        page = browser.open(started["verification_uri_complete"])
        while any(form.button(APPROVE) for form in page.forms):
            page = go_on(browser, page, person, "http://none")

    monkeypatch.setattr("pendesk.cli.commands.login._show_device_code", enter)
    monkeypatch.setattr("pendesk.cli.parts.oauth_login.time.sleep", waits.append)
    assert ask("login", "--url", server.url)["user"] == "Ada"
    assert waits == [5.0]


def test_an_access_token_that_ran_out_is_renewed_and_its_grant_lives_on(server, repo, browse, ask):
    browse()
    ask("login", "--url", server.url)
    entry = credentials.read_saved_login(server.url)
    assert entry is not None
    credentials.save_login_and_get_file_path(server.url, {**entry, "expires_at": time.time() - 1})
    renewed = credentials.read_or_refresh_access_token(server.url)
    assert renewed not in (None, entry["access_token"])
    assert credentials.read_or_refresh_access_token(server.url) == renewed
    assert len(RemoteClient(server.url, renewed).list_tools()) == 13


def test_a_repository_is_connected_by_a_login_and_keeps_no_token(server, repo, browse, ask, tmp_path, monkeypatch):
    browse()
    ask("login", "--url", server.url)
    monkeypatch.setenv("PENDESK_DATA", str(tmp_path / "another machine"))
    ask("connect", "--url", server.url, "--project", "HAR")
    assert not (repo / ".pendesk/token").exists()
    token = credentials.read_or_refresh_access_token(server.url)
    assert ask("headers")["Authorization"] == f"Bearer {token}"
    assert ask("whoami")["user"] == "Ada"
    ask("disconnect")
    assert not (repo / ".pendesk").exists()


def test_with_a_token(server, repo, ask, run):
    token = ask("token", "create", "--name", "x")["token"]
    assert ask("login", "--url", server.url, "--with-token", stdin=token)["url"] == server.url
    assert json.loads(credentials.credentials_file().read_text())[server.url]["access_token"] == token
    assert ask("logout")["revoked"] is False
    assert run("login", "--url", server.url, "--with-token", stdin="x").exit_code == 1


def test_no_login_over_an_open_network(run, repo, monkeypatch):
    refused = run("login", "--url", "http://192.0.2.1:3847")
    assert refused.exit_code == 1
    assert "https" in refused.stderr


class FakeKeyring:
    """A keyring as the package shows itself."""

    priority = 5

    def __init__(self) -> None:
        self.passwords: dict[tuple[str, str], str] = {}

    def get_keyring(self) -> "FakeKeyring":
        return self

    def get_password(self, service: str, name: str) -> str | None:
        return self.passwords.get((service, name))

    def set_password(self, service: str, name: str, secret: str) -> None:
        self.passwords[service, name] = secret

    def delete_password(self, service: str, name: str) -> None:
        del self.passwords[service, name]


def test_a_keyring_is_used_where_there_is_one(server, repo, ask, monkeypatch):
    import sys

    keyring = FakeKeyring()
    monkeypatch.setitem(sys.modules, "keyring", keyring)
    token = ask("token", "create", "--name", "x")["token"]
    assert ask("login", "--url", server.url, "--with-token", stdin=token)["keptIn"] == "keyring"
    assert not credentials.credentials_file().exists()
    assert ask("whoami", "--url", server.url)["url"] == server.url
    ask("logout", "--url", server.url)
    assert keyring.passwords == {}
