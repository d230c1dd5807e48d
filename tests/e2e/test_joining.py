"""Joining by invite and signing in at another site, in a real browser: its rules for cookies and forms are the test."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, sync_playwright

from pendesk.transports.web.parts import critical_css
from tests.e2e.browser import chromium
from tests.e2e.server import RunningServer, pendesk
from tests.oidc_server import CLIENT, SECRET, OidcServer


@pytest.fixture
def page() -> Iterator[Page]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        page = browser.new_page()
        complaints: list[str] = []
        page.on("console", lambda message: complaints.append(message.text))
        yield page
        browser.close()
        assert complaints == []


def see_who_i_am(page: Page, name: str) -> None:
    page.locator(".sidebar-me").click()
    page.get_by_text(name).wait_for()


def test_joining_by_an_invite_then_signing_in_by_password(tmp_path, page):
    data = tmp_path / "data"
    with RunningServer(data) as server:
        server.ready()
        page.goto(pendesk(data, "user", "invite", "ada@example.com", "--role", "viewer").strip())
        page.get_by_label("Your name").fill("Ada")
        page.get_by_label("A password").fill("correct horse battery")
        page.get_by_role("button", name="Join").click()
        see_who_i_am(page, "Ada (viewer)")
        page.get_by_role("button", name="Sign out").click()
        page.get_by_label("Email").fill("ada@example.com")
        page.get_by_label("Password").fill("correct horse battery")
        page.get_by_role("button", name="Sign in").click()
        see_who_i_am(page, "Ada (viewer)")
        page.goto("about:blank")  # before the server goes, of which it would complain


def test_signing_in_at_a_provider_that_is_another_site(tmp_path, page):
    with OidcServer("localhost") as provider:
        settings = {
            "PENDESK_OIDC_ISSUER": provider.issuer,
            "PENDESK_OIDC_CLIENT_ID": CLIENT,
            "PENDESK_OIDC_CLIENT_SECRET": SECRET,
            "PENDESK_OIDC_ALLOWED_DOMAINS": "example.com",
        }
        with RunningServer(tmp_path / "data", **settings) as server:
            server.ready()
            page.goto(f"{server.url}/device?user_code=BCDF-BCDF")
            page.get_by_role("link", name="Sign in with localhost").click()
            page.get_by_label("Code").wait_for()
            assert page.url == f"{server.url}/device?user_code=BCDF-BCDF"
            page.goto(server.url)
            see_who_i_am(page, "Ada L. (member)")
            page.goto("about:blank")
        cookies = {cookie["name"]: cookie["value"] for cookie in page.context.cookies() if cookie["value"]}
        del cookies[critical_css.COOKIE]  # the hash in a style sheet's address
        for secret in (SECRET, *cookies.values()):
            assert secret not in server.log
