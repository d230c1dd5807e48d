"""Many actions changed at once, on the board and in the list, and one in place."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.app import REFUSED, App, live, running_app
from tests.e2e.axe import violations

WIDE = {"width": 1440, "height": 900}
PHONE = {"width": 360, "height": 740}


@pytest.fixture(scope="module")
def app(tmp_path_factory):
    with running_app(tmp_path_factory.mktemp("app") / "data") as running:
        yield running


def project(app: App, page: Page, name: str) -> str:
    """Of four tasks; its key."""
    tasks = [{"key": f"t{number}", "label": f"Task {number}"} for number in range(1, 5)]
    answer = page.request.post(f"{app.server.url}/api/v1/projects/scaffold", data={"name": name, "tasks": tasks})
    assert answer.ok, answer.text()
    key: str = answer.json()["key"]
    return key


def action(app: App, page: Page, ref: str) -> dict[str, Any]:
    answer = page.request.get(f"{app.server.url}/api/v1/actions/{ref}")
    body: dict[str, Any] = answer.json() if answer.ok else {}
    return body


def select(page: Page, *refs: str) -> None:
    for ref in refs:
        page.locator(f"[data-ref={ref}] [data-item]").focus()
        page.keyboard.press("x")


@pytest.mark.parametrize("path", ["", "/list"])
def test_many_get_a_priority_an_assignee_labels_and_a_due_date_and_undo_takes_it_back(app, path):
    with app.page("/projects", viewport=WIDE) as page:
        key = project(app, page, "Bulk")
        refs = [f"{key}-1", f"{key}-2"]
        page.goto(f"{app.server.url}/p/{key}{path}")
        live(page)
        toasts = page.locator("#toasts")
        for field, press, words in (
            ("priority", "1", "2 actions set to priority Urgent."),
            ("assignee", "", "2 actions assigned to Ada Lindqvist."),
        ):
            select(page, *refs)
            page.keyboard.press({"priority": "p", "assignee": "a"}[field])
            dialog = page.locator(f"#pick-{field}")
            expect(dialog).to_be_visible()
            assert violations(page, f"#pick-{field}") == []
            if press:
                page.keyboard.press(press)
            else:
                dialog.get_by_role("button", name="Ada Lindqvist", exact=True).click()
            expect(toasts).to_contain_text(words)
        select(page, *refs)
        page.get_by_role("region", name="Selected actions").get_by_role("button", name="Labels").click()
        page.get_by_label("Add labels").fill("late, ui")
        page.keyboard.press("Enter")
        expect(toasts).to_contain_text("2 actions labelled.")
        select(page, refs[0])
        page.keyboard.press("d")
        page.locator("#pick-due input").fill("2031-05-06")
        page.keyboard.press("Enter")
        expect(toasts).to_contain_text(f"{refs[0]} set to be due on 2031-05-06.")
        row = page.locator(f"[data-ref={refs[0]}]")
        for words in ("Urgent", "late", "ui", "6 May"):
            expect(row).to_contain_text(words)
        now = action(app, page, refs[0])
        assert (now["labels"], now["assignee"]["name"], now["due"]) == (["late", "ui"], "Ada Lindqvist", "2031-05-06")
        page.locator(".toast", has_text="priority Urgent").get_by_role("button", name="Undo").click()
        expect(row).not_to_contain_text("Urgent")
        assert action(app, page, refs[1])["priority"] == 0
        # Of two that differ, the label of one is kept where nobody touches it.
        select(page, refs[0], f"{key}-3")
        page.keyboard.press("t")
        boxes = page.locator("#pick-labels [name=label]")
        assert boxes.evaluate_all("all => all.map(box => [box.value, box.indeterminate])") == [
            ["late", True],
            ["ui", True],
        ]
        boxes.first.click()
        page.get_by_role("button", name="Save labels").click()
        expect(page.locator(f"[data-ref={key}-3]")).to_contain_text("late")
        assert action(app, page, f"{key}-3")["labels"] == ["late"]
        assert action(app, page, refs[0])["labels"] == ["late", "ui"]


def test_what_is_refused_is_told_action_by_action(app):
    with app.page("/p/HRB/list", expected=REFUSED, viewport=WIDE) as page:
        live(page)
        select(page, "HRB-2", "HRB-8", "HRB-24")
        page.keyboard.press("m")
        page.keyboard.press("1")
        expect(page.locator(".toast.good")).to_contain_text("HRB-24 moved to Backlog.")
        refused = page.locator(".toast.bad")
        expect(refused).to_contain_text("HRB-2 was not moved. An agent has this action.")
        expect(refused).to_contain_text("HRB-8 was not moved. An agent has this action.")
        page.locator(".toast.good").get_by_role("button", name="Undo").click()
        expect(page.locator("#row-HRB-24")).to_contain_text("Scoping")


def test_deleted_actions_come_back_with_undo_and_are_gone_without(app):
    with app.page("/projects", viewport=WIDE) as page:
        key = project(app, page, "Deleted")
        page.goto(f"{app.server.url}/p/{key}")
        live(page)
        bar = page.get_by_role("region", name="Selected actions")
        select(page, f"{key}-1", f"{key}-2")
        bar.get_by_role("button", name="Delete").click()
        expect(page.locator("#column-todo .card:visible")).to_have_count(2)
        page.get_by_role("button", name="Undo").click()
        expect(page.locator("#column-todo .card:visible")).to_have_count(4)
        assert action(app, page, f"{key}-1")["label"] == "Task 1"
        select(page, f"{key}-3")
        bar.get_by_role("button", name="Delete").click()
        page.goto(f"{app.server.url}/p/{key}")  # who leaves has decided
        expect(page.locator("#column-todo .card")).to_have_count(3)
        assert action(app, page, f"{key}-3") == {}


def test_shift_selects_up_to_a_card_and_the_box_of_the_list_all(app):
    with app.page("/projects", viewport=WIDE) as page:
        key = project(app, page, "Range")
        page.goto(f"{app.server.url}/p/{key}/list")
        live(page)
        boxes = page.locator(".card-row .card-choose")
        boxes.nth(0).click()
        boxes.nth(2).click(modifiers=["Shift"])
        expect(page.locator("#chosen")).to_contain_text("3 selected")
        page.get_by_label("Select all shown").click()
        expect(page.locator("#chosen")).to_contain_text("4 selected")
        assert violations(page) == []
        page.keyboard.press("Escape")
        expect(page.locator("#chosen")).to_be_hidden()


def test_a_row_of_the_list_is_edited_where_it_stands(app):
    with app.page("/projects", viewport=WIDE) as page:
        key = project(app, page, "In place")
        page.goto(f"{app.server.url}/p/{key}/list")
        live(page)
        row = page.locator(f"#row-{key}-2")
        row.locator("[data-sets-field=priority]").click()
        dialog = page.locator("#pick-priority")
        expect(dialog.locator("h2")).to_have_text(f"Priority of {key}-2")
        cell, at = row.locator("[data-sets-field=priority]").bounding_box(), dialog.bounding_box()
        assert cell is not None
        assert at is not None
        assert abs(at["x"] - cell["x"]) < 20
        dialog.get_by_role("button", name="High").click()
        expect(row).to_contain_text("High")
        row.locator("[data-item]").focus()
        page.keyboard.press("e")
        title = page.get_by_label(f"Title of {key}-2")
        title.fill("Renamed")
        # What happens meanwhile waits until it is written.
        with page.expect_response(lambda answer: "/live?" in answer.url):
            assert page.request.post(f"{app.server.url}/api/v1/projects/{key}/tasks", data={"label": "Elsewhere"}).ok
        expect(title).to_have_value("Renamed")
        page.keyboard.press("Enter")
        expect(row.locator("[data-item]")).to_have_text("Renamed")
        expect(row.locator("[data-item]")).to_be_focused()
        expect(page.locator(f"#row-{key}-5")).to_contain_text("Elsewhere")
        page.locator(".toast", has_text="renamed").get_by_role("button", name="Undo").click()
        expect(row.locator("[data-item]")).to_have_text("Task 2")


def test_the_drawer_is_edited_where_it_stands_over_any_page(app):
    with app.page("/projects", viewport=WIDE) as page:
        key = project(app, page, "Drawer")
        page.goto(f"{app.server.url}/p/{key}/flow")  # which has no script for editing of its own
        live(page)
        page.locator(f"#node-{key}-1").focus()
        page.keyboard.press("Enter")
        drawer = page.locator("#drawer-action")
        drawer.get_by_label("Priority").select_option(label="High")
        expect(page.locator(".toast")).to_contain_text(f"{key}-1 saved.")
        drawer.get_by_label("Labels").fill("one, two")
        page.keyboard.press("Enter")
        expect(drawer).to_have_attribute("data-labels", "one,two")
        expect(drawer.get_by_label("Priority")).to_have_value("200")
        drawer.locator(".sheet-title").click()
        drawer.get_by_label("Title", exact=True).fill("Another title")
        page.keyboard.press("Enter")
        expect(drawer.locator(".sheet-title")).to_have_text("Another title")
        drawer.get_by_role("button", name="Edit description").click()
        drawer.get_by_role("textbox", name="Description", exact=True).fill("What it is about")
        page.keyboard.press("Control+Enter")
        expect(drawer.locator(".prose", has_text="What it is about")).to_be_visible()
        assert violations(page, "#drawer-action") == []


def test_the_palette_begins_with_what_is_about_the_selection_or_the_open_action(app):
    with app.page("/p/HRB", viewport=WIDE) as page:
        live(page)
        options = page.locator("#palette-list .option-text")
        page.keyboard.press("Control+k")
        expect(options.first).to_have_text("Go to inbox")
        page.keyboard.press("Escape")
        select(page, "HRB-5", "HRB-6")
        page.keyboard.press("Control+k")
        expect(options.first).to_have_text("Move 2 actions")
        page.keyboard.press("Escape")
        page.keyboard.press("Escape")
        page.locator("#card-HRB-7 a").first.focus()
        page.keyboard.press("Enter")
        expect(page.locator("#drawer h2").first).to_be_visible()
        page.keyboard.press("Control+k")
        expect(options.first).to_have_text("Move HRB-7")
        expect(options).to_contain_text(["Edit HRB-7", "Go to inbox"])
        page.keyboard.type("priority")
        expect(options.first).to_have_text("Set priority of HRB-7")
        page.keyboard.press("Enter")
        expect(page.locator("#pick-priority h2")).to_have_text("Priority of HRB-7")


def test_on_a_phone_the_bar_of_the_selection_and_its_dialogs_fit(app):
    with app.page("/p/HRB/list", viewport=PHONE) as page:
        live(page)
        page.locator(".card-row .card-choose").first.click()
        for part in (page.locator("#chosen"), page.locator("#pick-labels")):
            if part.get_attribute("id") == "pick-labels":
                page.locator("#chosen").get_by_role("button", name="Labels").click()
            box = part.bounding_box()
            assert box is not None
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= 360
        assert violations(page) == []
