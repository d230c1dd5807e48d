"""A real server with a furnished desk and a real browser, for tests of the pages.

Whatever a page complains of, asks another host for, or does against its policy, fails the test that showed it.
"""

import asyncio
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from pendesk.domain.action import ActionState
from pendesk.main import open_service
from pendesk.settings import load
from pendesk.transports.web.parts.board_columns import COOKIE
from tests.callers import find_local_actor
from tests.e2e.browser import chromium
from tests.e2e.scene import CLAUDE, furnish
from tests.e2e.server import RunningServer, own_port

# A busy machine is no failure: whatever is waited for may take its time.
expect.set_options(timeout=60_000)
# Whoever drives the page asks lines for their place that are not on the screen, which our scripts do not.
MEASURED_BY_THE_TEST = "Rendering was performed in a subtree hidden by content-visibility."

# The browser's own notes on what a test asked for: an answer that refuses, a server that is away.
REFUSED = "the server responded with a status of 4"
AWAY = "net::ERR|htmx:error|Failed to fetch"

# A reader who has unfolded every column of the board.
UNFOLDED = "|".join(f"{state}:open" for state in ActionState)


def meanwhile(data: Path, operation: str, **fields: Any) -> None:
    """The owner does something at the folder itself, while no server runs."""

    async def run() -> None:
        async with open_service(load(data_folder=str(data), environ={}), "http://127.0.0.1:3847") as service:
            owner = await find_local_actor(service.dispatcher)
            assert owner is not None
            await service.dispatcher.call(owner, operation, fields)

    with ThreadPoolExecutor(1) as elsewhere:  # the browser has the loop of this thread
        elsewhere.submit(lambda: asyncio.run(run())).result()


def furnish_folder(data: Path) -> str:
    """A data folder with work in it; the token of Claude Code."""

    async def run() -> str:
        async with open_service(load(data_folder=str(data), environ={}), "http://127.0.0.1:3847") as service:
            return (await furnish(service)).tokens[CLAUDE]

    return asyncio.run(run())


class App:
    def __init__(self, server: RunningServer, browser: Browser, token: str) -> None:
        self.server = server
        self.browser = browser
        self.token = token
        self.state: Any = None

    def sign_in(self) -> None:
        page = self.browser.new_page()
        page.goto(self.server.link)
        page.get_by_role("button", name="Sign in to Pendesk").click()
        page.get_by_role("heading", name="Inbox", exact=True).wait_for()
        page.context.add_cookies([{"name": COOKIE, "value": UNFOLDED, "url": self.server.url}])
        self.state = page.context.storage_state()
        page.context.close()

    def agent(self, method: str, path: str, **fields: Any) -> dict[str, Any]:
        """Claude Code does something, by REST."""
        headers = {"authorization": f"Bearer {self.token}"}
        answer = httpx.request(method, f"{self.server.url}/api/v1{path}", json=fields, headers=headers, timeout=30)
        assert answer.status_code < 300, answer.text
        body: dict[str, Any] = answer.json()
        return body

    def call_mcp(self, token: str) -> None:
        """The first thing that an agent does with its token."""
        ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
        headers = {"authorization": f"Bearer {token}", "accept": "application/json, text/event-stream"}
        assert httpx.post(f"{self.server.url}/mcp", json=ping, headers=headers, timeout=30).status_code == 200

    @contextmanager
    def page(self, path: str, *, expected: str = "nothing", **options: Any) -> Iterator[Page]:
        """A page of someone who is signed in; `expected` is a pattern of what the browser may note."""
        context: BrowserContext = self.browser.new_context(storage_state=self.state, **options)
        page = context.new_page()
        wrong: list[str] = []
        page.on("console", lambda message: wrong.append(message.text) if message.text != MEASURED_BY_THE_TEST else None)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("request", lambda request: None if self._is_ours(request.url) else wrong.append(request.url))
        page.goto(self.server.url + path)
        yield page
        context.close()
        wrong = [message for message in wrong if not re.search(expected, message)]
        assert not wrong, wrong

    def _is_ours(self, url: str) -> bool:
        return url.startswith((self.server.url, "data:", "blob:"))


@contextmanager
def running_app(data: Path) -> Iterator[App]:
    """The app of a folder that is made and furnished for it."""
    token = furnish_folder(data)
    with RunningServer(data, "--port", own_port()) as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        app = App(server.ready(), browser, token)
        app.sign_in()
        yield app
        browser.close()
    assert "Traceback" not in server.log


def live(page: Page) -> None:
    """Wait until it hears of changes."""
    expect(page.locator("#connection")).to_have_attribute("data-state", "connected")
