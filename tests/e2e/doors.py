"""Every page outside of the app's shell, and how one comes to see it: for pictures and for tests.

Asked of a desk with one person, who has a password. The server's limits hold, so each is opened once.
"""

from collections.abc import Callable
from typing import Any, NamedTuple
from urllib.parse import urlencode

from playwright.sync_api import BrowserContext, Page

from tests.operations.oauth.granting import CHALLENGE

EMAIL, PASSWORD = "ada@example.com", "correct horse battery"
BACK = "http://127.0.0.1:5173/callback"
TRIES = 10  # in a minute for one account


class Doors:
    """The way to each page. `page` is in a browser of its own; `ada` is one in which she is signed in."""

    def __init__(self, url: str, ada: BrowserContext) -> None:
        self.url = url
        self.ada = ada
        told = {"client_name": "Claude Code", "redirect_uris": [BACK]}
        self.client_id: str = self._post("/oauth/register", data=told).json()["client_id"]

    def _post(self, path: str, **sent: Any) -> Any:
        answer = self.ada.request.post(self.url + path, **sent)
        assert answer.ok, answer.text()
        return answer

    def asking(self, **changes: str) -> str:
        asked = {"response_type": "code", "client_id": self.client_id, "redirect_uri": BACK, "state": "x"}
        asked |= {"code_challenge": CHALLENGE, "code_challenge_method": "S256", **changes}
        return f"{self.url}/oauth/authorize?{urlencode(asked)}"

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
        page.locator(".rail-me").click()
        page.get_by_role("button", name="Sign out").click()
        page.get_by_text("You are signed out.").wait_for()

    def link(self, page: Page) -> None:
        page.goto(f"{self.url}/sign-in?code=used")

    def used_link(self, page: Page) -> None:
        self.link(page)
        page.get_by_role("button", name="Sign in to Pendesk").click()

    def invite(self, page: Page) -> None:
        sent = {"email": f"bo{len(self.ada.pages)}@example.com", "role": "member"}
        made = self._post("/settings/members/invite", form=sent).text()
        page.goto(made.partition('id="made" tabindex="0">')[2].partition("<")[0])

    def bad_invite(self, page: Page) -> None:
        self.invite(page)
        page.get_by_label("Choose a password").evaluate("each => each.removeAttribute('minlength')")
        page.get_by_label("Your name").fill("Bo Okafor")
        page.get_by_label("Choose a password").fill("short")
        page.get_by_role("button", name="Join").click()

    def used_invite(self, page: Page) -> None:
        page.goto(f"{self.url}/invite?code=used")

    def password(self, page: Page) -> None:
        """At the dispatcher of the authorization server."""
        page.goto(self.asking())

    def consent(self, page: Page) -> None:
        page.goto(self.asking(scope="specs.read builds.write desk.read desk.write"))

    def error(self, page: Page) -> None:
        page.goto(self.asking(client_id="nobody"))

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


class Dispatcher(NamedTuple):
    """heading: what the page is called. by_ada: whether its reader is signed in."""

    name: str
    heading: str
    open: Callable[[Doors, Page], None]
    by_ada: bool = False


DOORS = [
    Dispatcher("sign-in", "Sign in", Doors.sign_in),
    Dispatcher("sign-in-wrong", "Sign in", Doors.wrong_password),
    Dispatcher("sign-in-throttled", "Sign in", Doors.throttled),
    Dispatcher("signed-out", "Sign in", Doors.signed_out),
    Dispatcher("sign-in-link", "Sign in", Doors.link),
    Dispatcher("sign-in-link-used", "This link no longer works", Doors.used_link),
    Dispatcher("invite", "Join Fernhill", Doors.invite),
    Dispatcher("invite-wrong", "Join Fernhill", Doors.bad_invite),
    Dispatcher("invite-used", "This invite no longer works", Doors.used_invite),
    Dispatcher("password", "Sign in", Doors.password),
    Dispatcher("consent", "Authorize this program?", Doors.consent, True),
    Dispatcher("error", "This program is not known", Doors.error, True),
    Dispatcher("device-code", "Connect a device", Doors.device, True),
    Dispatcher("device-wrong", "Connect a device", Doors.bad_device, True),
    Dispatcher("device-confirm", "Authorize this program?", Doors.device_confirm, True),
    Dispatcher("device-done", "The program is let in", Doors.device_done, True),
    Dispatcher("device-denied", "The program was turned away", Doors.device_denied, True),
    Dispatcher("refused", "Page not found", Doors.refused),
    Dispatcher("offline", "The server cannot be reached", Doors.offline),
]
