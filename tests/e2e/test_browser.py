"""The pages in a real browser: they work under the strict policy, and nothing is missing or refused."""

import pytest
from playwright.sync_api import sync_playwright

from tests.e2e.browser import chromium
from tests.e2e.server import RunningServer


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_signing_in_by_the_link(tmp_path, scheme):
    with RunningServer(tmp_path / "data") as server, sync_playwright() as playwright:
        server.ready()
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        page = browser.new_page(color_scheme=scheme)
        complaints: list[str] = []
        page.on("console", lambda message: complaints.append(message.text))
        page.goto(server.link)
        page.get_by_role("button", name="Sign in to Pendesk").click()
        page.get_by_role("heading", name="Inbox", exact=True).wait_for()
        assert page.url == server.url + "/"
        background = page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert background == {"light": "rgb(251, 251, 252)", "dark": "rgb(16, 17, 19)"}[scheme]
        page.locator("summary", has_text="account and settings").click()
        page.get_by_role("button", name="Sign out").click()
        page.get_by_role("heading", name="Sign in", exact=True).wait_for()
        assert complaints == []
        browser.close()
        assert server.stop() == 0
