"""A proposal in a real browser: a person accepts half of what an agent drafted, edits it, and nothing typed is lost."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.e2e.app import REFUSED, App, live, running_app
from tests.e2e.axe import violations

NARROW = {"width": 360, "height": 740}
SCOPES = ["desk.read", "desk.write", "specs.write"]
DRAFTED = [
    {
        "key": "db",
        "label": "Store the sessions",
        "area": "backend",
        "description": "One table, with an index by user.",
        "criteria": ["A session is found by its token", "An ended session is refused"],
    },
    {
        "key": "page",
        "label": "Show where one is signed in",
        "criteria": ["Each session can be ended there"],
        "prerequisites": ["db"],
        "paths": ["src/pages/*.py"],
    },
]


@pytest.fixture(scope="module")
def app(tmp_path_factory) -> Iterator[App]:
    with running_app(tmp_path_factory.mktemp("app") / "data") as running:
        yield running


class Drafting:
    """A spec, and an agent with the drafting tools."""

    def __init__(self, app: App, page: Page) -> None:
        self.app, self.page = app, page
        self.token = self.person("/tokens", name="Planner", scopes=SCOPES)["token"]
        self.key = self.person("/projects", name="Sign in work")["key"]
        texts = {"title": "Sign in", "results": ["A session lasts a day", "Signing out ends it"]}
        self.spec = self.person(f"/projects/{self.key}/specs", **texts)["pid"]

    def person(self, path: str, **fields: Any) -> dict[str, Any]:
        answer = self.page.request.post(f"{self.app.server.url}/api/v1{path}", data=fields)
        assert answer.ok, answer.text()
        body: dict[str, Any] = answer.json()
        return body

    def agent(self, path: str, **fields: Any) -> dict[str, Any]:
        url, headers = f"{self.app.server.url}/api/v1{path}", {"authorization": f"Bearer {self.token}"}
        answer = httpx.post(url, json=fields, headers=headers, timeout=30)
        assert answer.status_code < 300, answer.text
        body: dict[str, Any] = answer.json()
        return body

    def read_spec(self) -> dict[str, Any]:
        body: dict[str, Any] = self.page.request.get(f"{self.app.server.url}/api/v1/specs/{self.spec}").json()
        return body


def test_half_of_a_plan_is_accepted_by_keyboard(app):
    with app.page("/") as page:
        drafting = Drafting(app, page)
        page.goto(f"{app.server.url}/specs/{drafting.spec}")
        live(page)
        page.get_by_role("button", name="Ask an agent to draft a plan").click()
        expect(page.locator("#toasts")).to_contain_text(f"{drafting.key}-1 created.")
        draft = drafting.agent("/drafts/plan", spec_id=drafting.spec, approach="Cookies, hashed.", actions=DRAFTED)
        expect(page.locator(".proposal-notice")).to_contain_text("proposes a plan")
        assert violations(page) == []
        page.locator(".proposal-notice a").click()
        expect(page.get_by_role("heading", name="Proposed plan")).to_be_visible()
        expect(page.get_by_text("10 of 10 items selected.")).to_be_visible()
        assert violations(page) == []
        page.locator("#item-a1 [data-select]").focus()
        page.keyboard.press("x")
        expect(page.locator("#item-a2-prerequisites-1")).to_contain_text("Not selected: the connection is left out.")
        expect(page.locator("#decide")).to_contain_text("1 prerequisite cannot be connected")
        page.locator("#item-a2 [data-select]").focus()
        page.keyboard.press("e")
        page.keyboard.press("End")
        page.keyboard.type(" now")
        page.locator("#item-a2 [data-select]").focus()
        page.keyboard.press("m")
        page.keyboard.type("Sessions are stored already.")
        assert violations(page) == []
        page.get_by_role("button", name="Accept selected").press("Enter")
        expect(page.locator(".proposal-head")).to_contain_text("Partly accepted")
        expect(page.locator("#item-a1")).to_contain_text("Not accepted")
        expect(page.locator("#item-a2-prerequisites-1")).to_contain_text("Left out")
        assert violations(page) == []
        spec = drafting.read_spec()
        assert [action["label"] for action in spec["actions"]] == ["Show where one is signed in now"]
        assert spec["buildId"] is None
        task = page.request.get(f"{app.server.url}/api/v1/actions/{drafting.key}-1").json()
        assert task["state"] == "done"
        headers = {"authorization": f"Bearer {drafting.token}"}
        read = httpx.get(f"{app.server.url}/api/v1/drafts/{draft['pid']}", headers=headers, timeout=30).json()
        assert read["remark"] == "Sessions are stored already."


def test_a_spec_that_changes_meanwhile_loses_nothing(app):
    with app.page("/", expected=REFUSED) as page:
        drafting = Drafting(app, page)
        lines = ["A session lasts a week", "Signing out ends it", "A device can be forgotten"]
        draft = drafting.agent("/drafts/spec", spec_id=drafting.spec, summary="People sign in.", results=lines)
        page.goto(f"{app.server.url}/proposals/{draft['pid']}")
        live(page)
        page.locator("#text-summary").fill("People sign in, and out.")
        answer = page.request.patch(
            f"{app.server.url}/api/v1/specs/{drafting.spec}", data={"results": ["A session lasts an hour", lines[1]]}
        )
        assert answer.ok
        expect(page.locator("[data-outdated]")).to_be_visible()
        page.get_by_role("button", name="Accept all").click()
        expect(page.locator("#decide [data-problem]")).to_contain_text("what you typed is still here")
        expect(page.locator("#text-summary")).to_have_value("People sign in, and out.")
        page.locator("[data-outdated] a").click()
        expect(page.locator("#text-summary")).to_have_value("People sign in, and out.")
        expect(page.locator("#item-results-1")).to_contain_text("No longer there")
        assert violations(page) == []
        page.locator("#item-results-1 [data-select]").uncheck()
        page.get_by_role("button", name="Accept selected").click()
        expect(page.locator(".proposal-head")).to_contain_text("Partly accepted")
        spec = drafting.read_spec()
        assert spec["summary"] == "People sign in, and out."
        assert spec["results"] == ["A session lasts an hour", "Signing out ends it", "A device can be forgotten"]


def test_a_rejection_and_a_newer_version_are_seen_without_a_reload(app):
    with app.page("/", viewport=NARROW) as page:
        drafting = Drafting(app, page)
        draft = drafting.agent("/drafts/spec", project_id=drafting.key, title="Search", results=["Words are found"])
        page.goto(app.server.url)
        live(page)
        item = page.locator("#inbox .inbox-item", has_text="proposes a spec: Search")
        expect(item).to_be_visible()
        item.get_by_role("link", name="Open proposal").click()
        expect(page.get_by_role("heading", name="Proposed spec")).to_be_visible()
        live(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]
        drafting.agent("/drafts/spec", draft_id=draft["pid"], title="Search", results=["Words are found at once"])
        expect(page.locator(".proposal-head")).to_contain_text("The agent has sent a newer version.")
        page.get_by_role("link", name="Show it").click()
        expect(page.locator("#text-results-1")).to_have_value("Words are found at once")
        page.get_by_label("Remark for the agent").fill("Not now.")
        page.get_by_role("button", name="Reject").click()
        expect(page.locator(".proposal-head")).to_contain_text("Rejected")
        expect(page.locator(".proposal-head")).to_contain_text("Not now.")
        assert violations(page) == []
