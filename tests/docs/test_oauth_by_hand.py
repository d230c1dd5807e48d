"""The curl commands of docs/connect.md, as they stand there, against a real server."""

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.clients.drive.form_browser import APPROVE, Browser, BrowserError, Person, go_on, same_place, sign_in_form
from tests.clients.running import RunningServer, running

PAGE = Path(__file__).parents[2] / "docs" / "connect.md"
PASSWORD = "correct horse battery staple"
ADA = Person(email="ada@example.com", password=PASSWORD)

pytestmark = pytest.mark.skipif(not all(map(shutil.which, ("curl", "jq", "openssl"))), reason="curl, jq or openssl")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with running(tmp_path_factory.mktemp("oauth") / "data") as started:
        made = started.person("create_user", name="Ada", kind="person", email=ADA.email)
        started.person("set_password", user_pid=made["userId"], password=PASSWORD)
        yield started


class Shell:
    """Lines of the page, typed one after the other."""

    def __init__(self, folder: Path, url: str) -> None:
        self.folder, self.typed = folder, [f"U={url}"]

    def type(self, lines: str) -> str:
        script = "\n".join([*self.typed, "echo ----", lines])
        done = subprocess.run(["sh", "-ec", script], cwd=self.folder, capture_output=True, text=True, check=True)
        return done.stdout.split("----\n", 1)[1]

    def keep(self, name: str, value: str) -> None:
        self.typed.append(f"{name}='{value}'")


def blocks() -> list[str]:
    text = PAGE.read_text("utf-8").split("## Your own agent, by OAuth")[1].split("\n## ")[0]
    return re.findall(r"```sh\n(.*?)```", text, re.DOTALL)


def signed_in(server: RunningServer) -> Browser:
    browser = Browser()
    page = browser.open(f"{server.url}/sign-in")
    form = sign_in_form(page)
    assert form is not None
    browser.submit(page, form, None, ADA, None)
    return browser


def test_the_page_works_as_it_stands(server, tmp_path):
    by_device, by_code, refresh = blocks()
    shell = Shell(tmp_path, server.url)
    before, _open, after = re.split(r"(jq -r \.verification_uri_complete.*)\n", by_device)
    lines = before.split("\n", 1)[1]
    register, device = lines.split("curl -s $U/oauth/device")
    shell.keep("C", shell.type(register + "echo $C").strip())
    shell.type("curl -s $U/oauth/device" + device)

    browser = signed_in(server)
    page = browser.open(json.loads((tmp_path / "device.json").read_text())["verification_uri_complete"])
    while any(form.button(APPROVE) for form in page.forms):
        page = go_on(browser, page, ADA, "http://none")
    answer = json.loads(shell.type(after))
    assert answer["result"]["structuredContent"] == {"specs": []}

    asking, redeeming = re.split(r"CODE=.*\n", by_code)
    *make, show = asking.strip().split("\n")
    told = shell.type("\n".join([*make, 'echo "$V"', 'echo "$R"', show])).split()
    verifier, back, address = told
    shell.keep("V", verifier)
    shell.keep("R", back)
    shell.keep("CODE", _code(signed_in(server), address, back))
    shell.type(redeeming)
    assert json.loads((tmp_path / "grant.json").read_text())["expires_in"] == 3600
    assert json.loads(shell.type(refresh))["token_type"] == "Bearer"


def _code(browser: Browser, address: str, back: str) -> str:
    """The page it ends at does not load; its address holds the code."""
    ended: list[str] = []
    load = browser._request

    def request(url: str, *more: object) -> object:
        if same_place(url, back):
            ended.append(url)
            raise BrowserError(url)
        return load(url, *more)  # type: ignore[arg-type]

    browser._request = request  # type: ignore[method-assign, assignment]
    page = browser.open(address)
    with pytest.raises(BrowserError):
        go_on(browser, page, ADA, back)
    return parse_qs(urlsplit(ended[0]).query)["code"][0]
