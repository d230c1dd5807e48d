"""In a real browser: an action made in a spec, moved there with many others, and what no agent can see says so."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.app import App, live, running_app
from tests.e2e.axe import violations

WIDE = {"width": 1440, "height": 900}


@pytest.fixture(scope="module")
def app(tmp_path_factory):
    with running_app(tmp_path_factory.mktemp("app") / "data") as running:
        yield running


def create(app: App, page: Page, path: str, **fields: Any) -> dict[str, Any]:
    answer = page.request.post(f"{app.server.url}/api/v1{path}", data=fields)
    assert answer.ok, answer.text()
    body: dict[str, Any] = answer.json()
    return body


def project_with_spec(app: App, page: Page, name: str, tasks: int) -> tuple[str, str]:
    named = [{"key": f"t{number}", "label": f"Task {number}"} for number in range(tasks)]
    key = create(app, page, "/projects/scaffold", name=name, tasks=named)["key"]
    spec = create(app, page, f"/projects/{key}/specs", title="Tides")["pid"]
    return key, spec


def test_a_new_action_takes_a_spec_and_criteria_and_its_card_leads_to_publishing(app):
    with app.page("/projects", viewport=WIDE) as page:
        key, spec = project_with_spec(app, page, "Harbour", 1)
        page.goto(f"{app.server.url}/p/{key}")
        live(page)
        page.get_by_role("button", name="New action").click()
        dialog = page.locator("#create-task")
        dialog.get_by_label("Title").fill("Show the tides")
        expect(dialog.locator("[data-in-spec]")).to_be_hidden()
        dialog.locator("select[name=spec_id]").select_option(label="Tides")
        expect(dialog.locator("[data-in-spec]")).to_be_visible()
        dialog.get_by_label("Criterion").first.fill("The page shows today's tides")
        dialog.get_by_label("Criterion").nth(1).fill("And tomorrow's")
        expect(dialog.get_by_label("Criterion")).to_have_count(3)
        assert violations(page, "#create-task") == []
        dialog.get_by_role("button", name="Create action").click()
        card = page.locator("#column-todo .card", has_text="Show the tides")
        expect(card).to_contain_text("Not published")
        expect(card).to_contain_text("0/2")
        assert violations(page, "#board") == []
        expect(card.get_by_role("link", name="Publish the spec")).to_have_attribute("href", f"/specs/{spec}/publish")


def test_many_go_into_a_spec_at_once_and_one_out_of_it_again(app):
    with app.page("/projects", viewport=WIDE) as page:
        key, _spec = project_with_spec(app, page, "Import", 3)
        page.goto(f"{app.server.url}/p/{key}?order=ref")
        live(page)
        for place in range(2):
            page.locator("#column-todo .card").nth(place).locator(".card-choose").check()
        page.get_by_role("region", name="Selected actions").get_by_role("button", name="Spec…").click()
        assert violations(page, "#pick-spec") == []
        page.locator("#pick-spec").get_by_role("button", name="Tides").click()
        expect(page.locator(".toast")).to_contain_text("2 actions moved to Tides.")
        cards = page.locator("#column-todo .card")
        expect(cards.filter(has_text="Not published")).to_have_count(2)
        # Nothing that would be refused is offered: first a criterion, then publishing.
        cards.first.get_by_role("link", name="Add a criterion").click()
        drawer = page.locator("#drawer-action")
        drawer.get_by_label(f"Add a criterion to {key}-1").fill("It holds")
        page.keyboard.press("Enter")
        expect(drawer.get_by_role("link", name="Publish the spec")).to_be_visible()
        assert violations(page, "#drawer-action") == []
        drawer.locator("select[name=spec_id]").select_option(label="No spec")
        expect(page.locator(f"#card-{key}-1")).not_to_contain_text("Not published")


def test_a_project_that_is_not_active_says_so_on_its_cards_and_in_the_list(app):
    with app.page("/projects", viewport={"width": 390, "height": 844}) as page:
        key, _spec = project_with_spec(app, page, "Resting", 1)
        answer = page.request.patch(f"{app.server.url}/api/v1/projects/{key}", data={"state": "paused"})
        assert answer.ok
        for address in (f"/p/{key}", f"/p/{key}/list"):
            page.goto(app.server.url + address)
            expect(page.get_by_text("Project not active")).to_be_visible()
            expect(page.get_by_role("link", name="Activate project")).to_have_attribute("href", f"/p/{key}/settings")
