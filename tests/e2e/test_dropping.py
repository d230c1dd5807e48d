"""Won't do, in a real browser: a person is asked what becomes of the actions that wait, at once or in the inbox."""

from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.app import App, live, running_app
from tests.e2e.axe import violations

# All columns are in view, so that a card can be dragged from one to any other.
WIDE = {"width": 2600, "height": 900}


@pytest.fixture(scope="module")
def app(tmp_path_factory):
    with running_app(tmp_path_factory.mktemp("app") / "data") as running:
        yield running


def create(app: App, page: Page, path: str, **fields: Any) -> dict[str, Any]:
    answer = page.request.post(f"{app.server.url}/api/v1{path}", data=fields)
    assert answer.ok, answer.text()
    body: dict[str, Any] = answer.json()
    return body


def project_of_three(app: App, page: Page) -> str:
    """The second and the third action wait for the first."""
    tasks = [{"key": key, "label": f"Lay the {key}"} for key in ("keel", "deck", "mast")]
    edges = [{"from": "keel", "to": key} for key in ("deck", "mast")]
    key: str = create(app, page, "/projects/scaffold", name="Boat", tasks=tasks, edges=edges)["key"]
    return key


def inbox_item(page: Page, ref: str) -> Locator:
    return page.locator("#inbox .inbox-item").filter(has=page.locator(".inbox-item-what .ref", has_text=ref))


def test_a_drag_asks_what_becomes_of_those_that_wait_and_the_inbox_keeps_asking(app):
    with app.page("/projects", viewport=WIDE) as page:
        key = project_of_three(app, page)
        page.goto(f"{app.server.url}/p/{key}")
        live(page)
        card = page.locator(f"#card-{key}-1")
        card.drag_to(page.locator("#column-wont_do .cards"))
        dialog = page.locator("#drop")
        expect(dialog.locator("h2")).to_have_text(f"Move {key}-1 to Won't do")
        expect(dialog.locator("legend")).to_have_text(f"2 actions wait for this: {key}-2, {key}-3")
        assert violations(page, "#drop") == []
        dialog.get_by_label("Reason").fill("Bought one.")
        dialog.get_by_role("button", name="Move to Won't do").click()
        expect(dialog).to_be_visible()  # nothing is chosen for them
        dialog.get_by_label("Keep them waiting").check()
        dialog.get_by_role("button", name="Move to Won't do").click()
        expect(page.locator(f"#column-wont_do #card-{key}-1")).to_be_visible()
        expect(page.locator(f"#card-{key}-2")).to_contain_text("Waits for")
        expect(page.locator(f"#card-{key}-1")).not_to_contain_text("Waits for")
        page.goto(app.server.url)
        live(page)
        item = inbox_item(page, f"{key}-1")
        expect(item).to_contain_text("2 actions wait for it:")
        expect(item).to_contain_text("Lay the deck")
        expect(item).to_contain_text("Bought one.")
        assert violations(page) == []
        item.get_by_role("button", name="Release 2 actions").click()
        expect(item).to_have_count(0)
        expect(page.locator("#toasts")).to_contain_text(f"Actions that wait for {key}-1 released.")
        page.goto(f"{app.server.url}/p/{key}")
        expect(page.locator(f"#column-todo #card-{key}-2")).not_to_contain_text("Waits for")


def test_several_at_once_are_asked_about_once_and_not_of_each_other(app):
    with app.page("/projects", viewport=WIDE) as page:
        key = project_of_three(app, page)
        page.goto(f"{app.server.url}/p/{key}")
        live(page)
        for number in (1, 2):
            page.locator(f"#card-{key}-{number} a").focus()
            page.keyboard.press("x")
        page.keyboard.press("m")
        page.keyboard.press("8")
        dialog = page.locator("#drop")
        expect(dialog.locator("h2")).to_have_text("Move 2 actions to Won't do")
        expect(dialog.locator("legend")).to_have_text(f"1 action waits for these: {key}-3")
        expect(dialog.get_by_label("Reason")).to_be_focused()
        page.keyboard.type("Bought one.")
        dialog.get_by_label("Release them").check()
        page.keyboard.press("Enter")
        expect(page.locator("#column-wont_do .card")).to_have_count(2)
        expect(page.locator(f"#card-{key}-3")).not_to_contain_text("Waits for")
        page.get_by_role("button", name="Undo").click()
        expect(page.locator("#column-todo .card")).to_have_count(3)
        expect(page.locator(f"#card-{key}-3")).to_contain_text("Waits for")


def test_a_dialog_that_is_closed_moves_nothing_and_where_nothing_waits_only_the_reason_is_asked_for(app):
    with app.page("/projects", viewport=WIDE) as page:
        key = project_of_three(app, page)
        page.goto(f"{app.server.url}/p/{key}")
        live(page)
        page.locator(f"#card-{key}-1").drag_to(page.locator("#column-wont_do .cards"))
        expect(page.locator("#drop")).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.locator("#drop")).to_be_hidden()
        expect(page.locator("#column-todo .card")).to_have_count(3)
        page.locator(f"#card-{key}-3").drag_to(page.locator("#column-wont_do .cards"))
        expect(page.locator("#drop")).to_be_visible()
        expect(page.locator("#drop fieldset")).to_be_hidden()
        page.keyboard.type("Later.")
        page.keyboard.press("Enter")
        expect(page.locator(f"#column-wont_do #card-{key}-3")).to_be_visible()


def test_the_page_of_an_action_asks_the_same_and_releases_later(app):
    with app.page("/projects", viewport=WIDE) as page:
        key = project_of_three(app, page)
        page.goto(f"{app.server.url}/a/{key}-1")
        live(page)
        page.get_by_text("Won't do…").click()
        form = page.locator("#drawer-action form", has=page.get_by_label("Reason"))
        expect(form.locator("legend")).to_have_text(f"2 actions wait for this: {key}-2, {key}-3")
        form.get_by_label("Reason").fill("Bought one.")
        form.get_by_label("Keep them waiting").check()
        form.get_by_role("button", name="Move to Won't do").click()
        expect(page.locator("#waiting-name")).to_have_text("2 actions wait for this")
        assert violations(page) == []
        page.get_by_role("button", name="Release 2 actions").click()
        expect(page.locator("#drawer-action")).to_contain_text("Released what waited for this")
        page.goto(f"{app.server.url}/a/{key}-2")
        expect(page.locator("#drawer-action")).not_to_contain_text("a person decides")


def test_what_an_agent_drops_is_reopened_by_a_key_in_the_inbox(app):
    with app.page("/projects", viewport=WIDE) as page:
        key = project_of_three(app, page)
        app.agent("POST", f"/actions/{key}-1/claim")
        progress = {"status": "wont-do", "message": "The yard sells it."}
        result = app.agent("POST", f"/actions/{key}-1/progress", **progress)
        assert result["next_step"].startswith(f"{key}-2, {key}-3 wait for it. A person decides")
        page.goto(f"{app.server.url}/a/{key}-2")
        expect(page.locator("#drawer-action")).to_contain_text("a person decides whether it goes on")
        page.goto(f"{app.server.url}/?kind=dropped")
        live(page)
        item = inbox_item(page, f"{key}-1")
        item.locator("[data-item]").focus()
        page.keyboard.press("o")
        expect(item).to_have_count(0)
        page.goto(f"{app.server.url}/p/{key}")
        expect(page.locator(f"#column-todo #card-{key}-1")).to_be_visible()


def test_the_menu_of_an_action_in_its_spec_asks_too(app):
    with app.page("/projects", viewport=WIDE) as page:
        create(app, page, "/projects", name="Pier", key="PIR")
        spec = create(app, page, "/projects/PIR/specs", title="Planks")["pid"]
        plan = create(app, page, f"/specs/{spec}/plans", title="Plan A")["pid"]
        for label, before in (("Saw", []), ("Nail", ["PIR-1"])):
            create(app, page, "/projects/PIR/actions", plan_id=plan, label=label, prerequisites=before)
        page.goto(f"{app.server.url}/specs/{spec}")
        live(page)
        page.get_by_label("More options for PIR-1").click()
        page.get_by_role("button", name="Move to Won't do").first.click()
        dialog = page.locator("#drop")
        expect(dialog.locator("legend")).to_have_text("1 action waits for this: PIR-2")
        dialog.get_by_label("Reason").fill("Cut already.")
        dialog.get_by_label("Release them").check()
        dialog.get_by_role("button", name="Move to Won't do").click()
        expect(dialog).to_be_hidden()
        page.goto(f"{app.server.url}/a/PIR-1")
        expect(page.locator("#drawer-action")).to_contain_text("Released what waited for this")


def test_a_plain_action_is_dragged_anywhere_and_a_person_is_warned_of_what_it_waits_for(app):
    with app.page("/projects", viewport=WIDE) as page:
        key = project_of_three(app, page)
        page.goto(f"{app.server.url}/p/{key}")
        live(page)
        page.locator(f"#card-{key}-3").drag_to(page.locator("#column-in_progress .cards"))
        expect(page.locator(".toast").filter(has_text=f"It still waits for {key}-")).to_be_visible()
        expect(page.locator(f"#column-in_progress #card-{key}-3 .card-holder .avatar")).to_be_visible()
        page.locator(f"#card-{key}-3").drag_to(page.locator("#column-in_review .cards"))
        expect(page.locator(".toast").filter(has_text=f"{key}-3 moved to In review.")).to_be_visible()
        page.goto(f"{app.server.url}/a/{key}-3/review")
        expect(page.get_by_role("heading", level=1)).to_contain_text("Lay the mast")
        page.goto(f"{app.server.url}/a/{key}-3")
        live(page)
        page.get_by_role("group", name=f"Move {key}-3").get_by_role("button", name="Done", exact=True).click()
        expect(page.locator(".toast").filter(has_text=f"{key}-3 moved to Done.")).to_be_visible()
