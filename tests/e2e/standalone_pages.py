"""Every page outside of the app's shell, and how to open it: for pictures and for tests.

On a server with one person, who has a password. Its limits apply, so each page is opened once.
"""

from collections.abc import Callable
from typing import Any, NamedTuple
from urllib.parse import urlencode

from playwright.sync_api import BrowserContext, Page

from tests.operations.oauth.granting import CHALLENGE

EMAIL, PASSWORD = "ada@example.com", "correct horse battery"
BACK = "http://127.0.0.1:5173/callback"
TRIES = 10  # in a minute for one account


class Visits:
    """How to open each page. `page` is in a browser of its own; `ada` is one in which she is signed in."""

    def __init__(self, url: str, ada: BrowserContext) -> None:
        self.url = url
        self.ada = ada
        client = {"client_name": "Claude Code", "redirect_uris": [BACK]}
        self.client_id: str = self._post("/oauth/register", data=client).json()["client_id"]

    def _post(self, path: str, **sent: Any) -> Any:
        answer = self.ada.request.post(self.url + path, **sent)
        assert answer.ok, answer.text()
        return answer

    def authorize_url(self, **changes: str) -> str:
        query = {"response_type": "code", "client_id": self.client_id, "redirect_uri": BACK, "state": "x"}
        query |= {"code_challenge": CHALLENGE, "code_challenge_method": "S256", **changes}
        return f"{self.url}/oauth/authorize?{urlencode(query)}"

    def sign_in(self, page: Page) -> None:
        page.goto(f"{self.url}/sign-in?then=/p/HRB")

    def wrong_password(self, page: Page) -> None:
        page.goto(f"{self.url}/sign-in")
        self._try(page, EMAIL, "wrong")

    def throttled(self, page: Page) -> None:
        for _ in range(TRIES):
            page.request.post(f"{self.url}/sign-in", form={"email": "bo@example.com", "password": "wrong"})
        page.goto(f"{self.url}/sign-in")
        self._try(page, "bo@example.com", "wrong")

    def _try(self, page: Page, email: str, password: str) -> None:
        page.get_by_label("Email").fill(email)
        page.get_by_label("Password").fill(password)
        page.get_by_role("button", name="Sign in", exact=True).click()

    def signed_out(self, page: Page) -> None:
        page.goto(f"{self.url}/sign-in")
        self._try(page, EMAIL, PASSWORD)
        page.locator(".sidebar-me").click()
        page.get_by_role("button", name="Sign out").click()
        page.get_by_text("You are signed out.").wait_for()

    def link(self, page: Page) -> None:
        page.goto(f"{self.url}/sign-in?code=used")

    def used_link(self, page: Page) -> None:
        self.link(page)
        page.get_by_role("button", name="Sign in to Pendesk").click()

    def invite(self, page: Page) -> None:
        sent = {"email": f"bo{len(self.ada.pages)}@example.com", "role": "member"}
        created = self._post("/settings/members/invite", form=sent).text()
        page.goto(created.partition('id="secret" tabindex="0">')[2].partition("<")[0])

    def bad_invite(self, page: Page) -> None:
        self.invite(page)
        page.get_by_label("Choose a password").evaluate("field => field.removeAttribute('minlength')")
        page.get_by_label("Your name").fill("Bo Okafor")
        page.get_by_label("Choose a password").fill("short")
        page.get_by_role("button", name="Join").click()

    def used_invite(self, page: Page) -> None:
        page.goto(f"{self.url}/invite?code=used")

    def password(self, page: Page) -> None:
        """At the authorization server."""
        page.goto(self.authorize_url())

    def consent(self, page: Page) -> None:
        page.goto(self.authorize_url(scope="specs.read builds.write desk.read desk.write"))

    def error(self, page: Page) -> None:
        page.goto(self.authorize_url(client_id="nobody"))

    def device(self, page: Page) -> None:
        page.goto(f"{self.url}/device")

    def bad_device(self, page: Page) -> None:
        page.goto(f"{self.url}/device?user_code=BCDF-BCDF")
        page.get_by_role("button", name="Continue").click()

    def device_confirm(self, page: Page) -> None:
        started = self._post("/oauth/device_authorization", form={"client_id": "penling-mcp"}).json()
        page.goto(started["verification_uri_complete"])
        page.get_by_role("button", name="Continue").click()

    def device_done(self, page: Page) -> None:
        self.device_confirm(page)
        page.get_by_role("button", name="Allow").click()

    def device_denied(self, page: Page) -> None:
        self.device_confirm(page)
        page.get_by_role("button", name="Deny").click()

    def refused(self, page: Page) -> None:
        page.goto(f"{self.url}/nothing/here")

    def offline(self, page: Page) -> None:
        page.route("**/api/v1/health", lambda route: route.abort())
        page.goto(f"{self.url}/offline")


class StandalonePage(NamedTuple):
    """heading: what the page is called. by_ada: whether its reader is signed in."""

    name: str
    heading: str
    open: Callable[[Visits, Page], None]
    by_ada: bool = False


STANDALONE_PAGES = [
    StandalonePage("sign-in", "Sign in", Visits.sign_in),
    StandalonePage("sign-in-wrong", "Sign in", Visits.wrong_password),
    StandalonePage("sign-in-throttled", "Sign in", Visits.throttled),
    StandalonePage("signed-out", "Sign in", Visits.signed_out),
    StandalonePage("sign-in-link", "Sign in", Visits.link),
    StandalonePage("sign-in-link-used", "This link no longer works", Visits.used_link),
    StandalonePage("invite", "Join Fernhill", Visits.invite),
    StandalonePage("invite-wrong", "Join Fernhill", Visits.bad_invite),
    StandalonePage("invite-used", "This invite no longer works", Visits.used_invite),
    StandalonePage("password", "Sign in", Visits.password),
    StandalonePage("consent", "Authorize this program?", Visits.consent, True),
    StandalonePage("error", "This program is not known", Visits.error, True),
    StandalonePage("device-code", "Connect a device", Visits.device, True),
    StandalonePage("device-wrong", "Connect a device", Visits.bad_device, True),
    StandalonePage("device-confirm", "Authorize this program?", Visits.device_confirm, True),
    StandalonePage("device-done", "Access granted", Visits.device_done, True),
    StandalonePage("device-denied", "Access denied", Visits.device_denied, True),
    StandalonePage("refused", "Page not found", Visits.refused),
    StandalonePage("offline", "The server cannot be reached", Visits.offline),
]
