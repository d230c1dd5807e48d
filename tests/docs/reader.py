"""Somebody who follows a guide from its first line to its last: a new home, an empty repository, a real server."""

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.clients.drive.form_browser import APPROVE, Browser, BrowserError, Person, go_on, same_place, sign_in_form
from tests.docs.guides import ROOT, Command, matches
from tests.docs.terminal import PATIENCE_S, Terminal

HERE, ELSEWHERE = "http://127.0.0.1:3847", "https://pendesk.example.com"
ADA = Person(email="ada@example.com", password="correct horse battery staple")
PROGRAMS = Path(sys.executable).parent


def environment(home: Path) -> dict[str, str]:
    """A person's own: nothing of the test run's settings, and the next free port instead of the usual one."""
    inherited = {name: value for name, value in os.environ.items() if name in ("LANG", "LC_ALL", "TMPDIR", "USER")}
    git = {f"GIT_{role}_{field}": value for role in ("AUTHOR", "COMMITTER") for field, value in _ADA_FOR_GIT.items()}
    path = f"{PROGRAMS}{os.pathsep}{os.environ['PATH']}"
    return {**inherited, **git, "HOME": str(home), "PATH": path, "PENDESK_PORT": "0"}


_ADA_FOR_GIT = {"NAME": "Ada", "EMAIL": "ada@example.com"}


def prepared(folder: Path) -> Path:
    """A data folder as after the first minute: an owner and the sample project."""
    environ, pendesk = environment(folder), str(PROGRAMS / "pendesk")
    init = [pendesk, "init", "--email", str(ADA.email), "--password-stdin"]
    subprocess.run(init, env=environ, input=ADA.password, text=True, check=True, capture_output=True)
    subprocess.run([pendesk, "demo"], env=environ, check=True, capture_output=True)
    return folder / ".local/share/pendesk"


def _replace_all(text: str, replacements: dict[str, str]) -> str:
    """In one pass: what one of them brings may be what another looks for, as the port of a server of another test."""
    if not replacements:
        return text
    longest_first = sorted(replacements, key=len, reverse=True)
    return re.sub("|".join(map(re.escape, longest_first)), lambda match: replacements[match[0]], text)


class Reader:
    def __init__(self, folder: Path, home_data: Path, filled: dict[str, str]) -> None:
        """`filled` is what stands in a guide for something of the reader's own, and what that is."""
        self.folder, self._data = folder, home_data
        self.home = folder / "home"
        self.repository = self.home / "your/repository"
        self.repository.mkdir(parents=True)
        self.filled = filled
        self.url: str | None = None
        self.printed = ""
        self._elsewhere: Terminal | None = None
        subprocess.run(["git", "init", "-q"], cwd=self.repository, check=True)
        self._git("commit", "-q", "--allow-empty", "-m", "First")
        (folder / "printed").mkdir()
        self.terminal = Terminal(self.repository, environment(self.home), folder / "printed")

    def _git(self, *arguments: str) -> None:
        subprocess.run(["git", *arguments], cwd=self.repository, env=environment(self.home), check=True)

    def start(self) -> None:
        """As one who has read the first page: the server runs, with the sample in it."""
        shutil.copytree(self._data, self.home / ".local/share/pendesk")
        self.url = self.terminal.serve("pendesk serve")

    def close(self) -> None:
        self.terminal.close()
        if self._elsewhere is not None:
            self._elsewhere.close()

    def follow(self, command: Command) -> None:
        text = self.fill(command.text)
        if re.match(r"(make|pendesk) serve\b", text):
            # The clone's own make; the server's address takes the place of the usual one from here on.
            self.url = self.terminal.serve(text.replace("make serve", f"make -C '{ROOT}' serve"))
            return
        code, self.printed = self.terminal.type(text, self._meanwhile(text))
        assert code == 0, f"{command.place}: {text}\n{self.printed}"
        assert '{"error":' not in self.printed, f"{command.place}: {text}\n{self.printed}"
        if command.prints is not None:
            printed = self.as_in_guide(self.printed)
            assert matches(command.prints, printed), f"{command.place} prints\n{printed}\nand not\n{command.prints}"
        if "verification_uri_complete" in text:
            self._allow(self.printed.strip())

    def fill(self, text: str) -> str:
        """What a guide shows, with what is the reader's own."""
        if ELSEWHERE in text and ELSEWHERE not in self.filled:
            self.filled[ELSEWHERE] = self._serve_elsewhere()
        if text == "CODE=...":
            return f"CODE={self._code(self.printed.strip())}"
        return _replace_all(text, self._own())

    def as_in_guide(self, printed: str) -> str:
        return _replace_all(printed, {own: placeholder for placeholder, own in self._own().items()})

    def _own(self) -> dict[str, str]:
        return {**self.filled, **({HERE: self.url} if self.url else {})}

    def _serve_elsewhere(self) -> str:
        """Another machine's server, with a token of its own for whoever wants to paste one."""
        home = self.folder / "elsewhere"
        shutil.copytree(self._data, home / ".local/share/pendesk")
        (self.folder / "printed elsewhere").mkdir()
        self._elsewhere = Terminal(home, environment(home), self.folder / "printed elsewhere")
        url = self._elsewhere.serve("pendesk serve")
        _code, token = self._elsewhere.type("pendesk token create --name x")
        (self.repository / "token.txt").write_text(token)
        return url

    def _meanwhile(self, text: str) -> Callable[[Callable[[], str]], None] | None:
        """A login waits for its browser: somebody opens the address that it shows."""
        if not text.startswith("pendesk login"):
            return None

        def allow(printed: Callable[[], str]) -> None:
            until = time.monotonic() + PATIENCE_S
            while not (match := re.search(r"\(or go to (\S+)\)", printed())):
                assert time.monotonic() < until, printed()
                time.sleep(0.05)
            self._allow(match[1])

        return allow

    def _signed_in(self, address: str) -> Browser:
        browser = Browser()
        page = browser.open(f"{'/'.join(address.split('/')[:3])}/sign-in")
        form = sign_in_form(page)
        assert form is not None
        browser.submit(page, form, None, ADA, None)
        return browser

    def _allow(self, address: str) -> None:
        browser = self._signed_in(address)
        page = browser.open(address)
        while any(form.button(APPROVE) for form in page.forms):
            page = go_on(browser, page, ADA, "http://none")

    def _code(self, address: str) -> str:
        """The page it ends at does not load; its address holds the code."""
        back = parse_qs(urlsplit(address).query)["redirect_uri"][0]
        browser, ended = self._signed_in(address), list[str]()
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
