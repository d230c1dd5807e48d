"""Specs and documents in a real browser: written by keyboard, by two people at once, over a reload."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, expect, sync_playwright

from tests.e2e.axe import violations
from tests.e2e.browser import chromium
from tests.e2e.server import RunningServer

expect.set_options(timeout=30_000)  # a busy machine is slow, not wrong
BODY = "# Why\n\nThe checker reads every page *twice*. The limit is three.\n\n- [ ] Cache answers\n- [x] Refuse keys\n"


class Installation:
    """One running server with a browser that is signed in; `complaints` is what any page said to the console."""

    def __init__(self, server: RunningServer, browser: Browser, playwright: Playwright) -> None:
        self.server = server
        self.browser = browser
        self.complaints: list[str] = []
        first = self._open(browser.new_context())
        first.goto(server.link)
        first.get_by_role("button", name="Sign in to Pendesk").click()
        first.wait_for_url(server.url + "/")
        self.state = first.context.storage_state()
        self.http = playwright.request.new_context(base_url=server.url, storage_state=self.state)
        self.project = self.create("projects", name="Harbour")

    def _open(self, context: BrowserContext) -> Page:
        page = context.new_page()
        page.on("console", lambda message: self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        return page

    def page(self, address: str, **options: Any) -> Page:
        """In a browser of its own, as another person would open it."""
        page = self._open(self.browser.new_context(storage_state=self.state, reduced_motion="reduce", **options))
        page.goto(self.server.url + address)
        expect(page.locator("#connection")).to_have_attribute("data-state", "connected")
        return page

    def create(self, path: str, **fields: Any) -> dict[str, Any]:
        answer = self.http.post(f"{self.server.url}/api/v1/{path}", data=fields)
        assert answer.ok, answer.text()
        body: dict[str, Any] = answer.json()
        return body

    def spec(self, **fields: Any) -> str:
        pid: str = self.create(f"projects/{self.project['pid']}/specs", **{"title": "Sign in", **fields})["pid"]
        return pid


@pytest.fixture(scope="module")
def desk(tmp_path_factory) -> Iterator[Installation]:
    with RunningServer(tmp_path_factory.mktemp("desk") / "data") as server, sync_playwright() as playwright:
        server.ready()
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        yield Installation(server, browser, playwright)
        browser.close()


@pytest.fixture(autouse=True)
def closed_pages(desk: Installation) -> Iterator[None]:
    """A person has only so many streams: those of a test end with it, and so do complaints about that."""
    yield
    for context in desk.browser.contexts:
        context.close()
    desk.complaints.clear()


def test_a_spec_is_written_from_nothing_to_published_without_a_mouse(desk):
    page = desk.page(f"/p/{desk.project['key']}")
    keys = page.keyboard
    keys.type("gs")
    page.wait_for_url("**/specs")
    keys.type("c")
    keys.type("Sign in with a passkey")
    keys.press("Enter")
    expect(page.get_by_role("heading", name="Sign in with a passkey")).to_be_visible()
    keys.type("jj")
    keys.press("Enter")
    keys.type("People sign in **without** a password.")
    keys.press("Control+Enter")
    expect(page.locator("#part-summary strong")).to_have_text("without")
    page.get_by_label("Add to results").focus()
    keys.type("A person signs in with a passkey")
    keys.press("Enter")
    expect(page.locator("#part-results li")).to_have_count(1)
    expect(page.get_by_label("Add to results")).to_be_focused()
    for text in ("A lost passkey is replaced by a link", ""):
        keys.type(text)
        keys.press("Enter")
    keys.type("Works in Firefox 128 and later")
    for _ in range(2):
        keys.press("Enter")
    keys.type("No single sign-on")
    for _ in range(2):
        keys.press("Enter")
    expect(page.locator("#part-results li")).to_have_count(2)
    keys.press("Enter")
    expect(page.get_by_label("Add an action")).to_be_focused()
    for label, criterion in (
        ("The form", "The form shows an error for an unknown passkey"),
        ("The store", "A key is kept as bytes"),
    ):
        keys.type(label)
        keys.press("Tab")
        expect(page.get_by_label("Add a criterion to").last).to_be_focused()
        keys.type(criterion)
        keys.press("Enter")
        expect(page.get_by_text(criterion)).to_be_visible()
        keys.press("Enter")
        expect(page.get_by_label("Add an action")).to_be_focused()
    keys.press("Escape")
    keys.type("p")
    page.wait_for_url("**/publish")
    expect(page.get_by_text("The plan has no approach")).to_be_visible()
    expect(page.get_by_role("button", name="Publish B1")).to_be_focused()
    keys.press("Enter")
    expect(page.get_by_text("B1 published")).to_be_visible()
    expect(page.locator(".drafted")).to_have_count(2)
    page.locator(".drafted-menu summary").first.click()
    page.get_by_role("button", name="Set paths").first.click()
    keys.type("src/form/** docs/form.md")
    keys.press("Enter")
    expect(page.locator(".drafted").first.locator("code")).to_have_text(["src/form/**", "docs/form.md"])
    assert desk.complaints == []


def outline(page: Page) -> list[tuple[str, list[str]]]:
    """Every action of the plan, with its criteria."""
    script = """items => items.map(item => [
        item.querySelector(".label strong").textContent,
        [...item.querySelectorAll(".drafted-criteria .editable-view")].map(view => view.textContent.trim())])"""
    return [tuple(row) for row in page.locator(".drafted").evaluate_all(script)]


def shows(page: Page, expected: list[tuple[str, list[str]]]) -> None:
    for _ in range(100):
        if outline(page) == expected:
            return
        page.wait_for_timeout(100)
    assert outline(page) == expected


def planned(desk: Installation, **actions: list[str]) -> str:
    """A spec whose plan has these actions with these criteria."""
    pid = desk.spec()
    plan = desk.create(f"specs/{pid}/plans", title="Plan A")["pid"]
    for label, criteria in actions.items():
        desk.create(f"projects/{desk.project['pid']}/actions", plan_id=plan, label=label, criteria=criteria)
    return pid


def test_enter_stays_among_actions_or_criteria_and_tab_goes_from_one_to_the_other(desk):
    page = desk.page(f"/specs/{planned(desk, First=[])}")
    keys = page.keyboard
    page.get_by_label("Add an action").focus()
    for label in ("Second", "Third"):
        keys.type(label)
        keys.press("Enter")
        expect(page.get_by_label("Add an action")).to_be_focused()
    shows(page, [("First", []), ("Second", []), ("Third", [])])
    keys.press("Tab")
    expect(page.get_by_label("Add a criterion to").last).to_be_focused()
    for text in ("Third a", "Third b"):
        keys.type(text)
        keys.press("Enter")
    keys.type("Third c")
    keys.press("Shift+Tab")
    expect(page.get_by_label("Add an action")).to_be_focused()
    keys.type("Fourth")
    keys.press("Tab")
    keys.type("Fourth a")  # perhaps before its field is there
    keys.press("Enter")
    shows(page, [("First", []), ("Second", []), ("Third", ["Third a", "Third b", "Third c"]), ("Fourth", ["Fourth a"])])
    # Tab is the browser's own again where nothing was just added.
    page.get_by_label("Add an action").focus()
    keys.press("Tab")
    expect(page.get_by_label("Add a criterion to").last).not_to_be_focused()
    assert desk.complaints == []


def test_several_pasted_lines_become_several_items(desk):
    page = desk.page(f"/specs/{planned(desk, First=['One'])}")
    page.get_by_label("Add to results").evaluate(PASTE_TEXT, "- Seen\n\n- Heard\r\n3. Felt")
    expect(page.locator("#part-results li")).to_have_text(["Seen", "Heard", "Felt"])
    page.get_by_label("Add a criterion to").evaluate(PASTE_TEXT, "Two\nThree")
    expect(page.get_by_text("2 criteria added")).to_be_visible()
    page.get_by_label("Add an action").evaluate(PASTE_TEXT, "* Second\n  * Two a\n  * Two b\n* Third")
    shows(page, [("First", ["One", "Two", "Three"]), ("Second", ["Two a", "Two b"]), ("Third", [])])
    # Into an item that is open, they come below it.
    page.get_by_role("button", name="Edit result 1").click(force=True)
    page.locator("form.editor textarea").evaluate(PASTE_TEXT, "!\nSmelt\nTasted")
    expect(page.locator("#part-results li")).to_have_count(5)
    page.locator("form.editor textarea").press("Enter")
    expect(page.locator("#part-results li")).to_have_text(["Seen!", "Smelt", "Tasted", "Heard", "Felt"])
    assert all("409" in message for message in desk.complaints)  # the open one goes on from what was pasted
    desk.complaints.clear()


def test_a_removed_line_or_criterion_comes_back_where_it_stood(desk):
    pid = planned(desk, First=["One", "Two", "Three"])
    page = desk.page(f"/specs/{pid}")
    page.get_by_label("Add to results").evaluate(PASTE_TEXT, "Seen\nHeard")
    page.get_by_role("button", name="Edit result 1").click(force=True)
    page.get_by_role("button", name="Remove", exact=True).click()
    expect(page.locator("#part-results li")).to_have_text(["Heard"])
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#part-results li")).to_have_text(["Seen", "Heard"])
    page.get_by_role("button", name="Edit criterion 2 of").focus()
    page.keyboard.press("Delete")
    shows(page, [("First", ["One", "Three"])])
    expect(page.get_by_role("button", name="Edit criterion 1 of")).to_be_focused()
    page.get_by_role("button", name="Undo").click()
    shows(page, [("First", ["One", "Two", "Three"])])
    assert desk.complaints == []


def test_a_criterion_becomes_an_action_and_an_action_a_criterion(desk):
    page = desk.page(f"/specs/{planned(desk, First=['One', 'Two'], Last=[])}")
    keys = page.keyboard
    page.get_by_role("button", name="Edit criterion 1 of").focus()
    keys.press("Alt+ArrowLeft")
    shows(page, [("First", ["Two"]), ("One", []), ("Last", [])])
    expect(page.get_by_role("button", name="Edit title of").nth(1)).to_be_focused()
    keys.press("Alt+ArrowRight")
    shows(page, [("First", ["Two", "One"]), ("Last", [])])
    expect(page.get_by_role("button", name="Edit criterion 2 of")).to_be_focused()
    page.get_by_role("button", name="Undo").last.click()
    shows(page, [("First", ["Two"]), ("One", []), ("Last", [])])
    page.get_by_role("button", name="Edit criterion 1 of").click(force=True)
    page.locator("form.editor textarea").fill("Two, really")
    page.get_by_role("button", name="Make action").click()
    shows(page, [("First", []), ("Two, really", []), ("One", []), ("Last", [])])
    page.get_by_role("button", name="Undo").last.click()
    shows(page, [("First", ["Two, really"]), ("One", []), ("Last", [])])
    page.locator(".drafted-menu summary").nth(1).click()
    page.get_by_role("button", name="Make criterion of").click()
    shows(page, [("First", ["Two, really", "One"]), ("Last", [])])
    assert desk.complaints == []


def test_what_an_action_depends_on_is_picked_by_typing_and_taken_back(desk):
    pid = planned(desk, Base=[], Walls=[], Roof=[])
    page = desk.page(f"/specs/{pid}")
    keys = page.keyboard
    roof = page.locator(".drafted").nth(2)
    chips = roof.locator(".depends-chip .depends-name")
    roof.get_by_role("combobox").focus()
    keys.type("wal")
    expect(roof.get_by_role("option", selected=True)).to_contain_text("Walls")
    keys.press("Enter")
    expect(chips).to_have_text(["Walls"])
    expect(roof.get_by_role("combobox")).to_be_focused()
    keys.press("ArrowDown")
    expect(roof.get_by_role("option", selected=True)).to_contain_text("Base")
    keys.press("Escape")
    expect(roof.get_by_role("listbox")).to_be_hidden()
    keys.type(page.locator(".drafted .ref").first.inner_text().lower())
    keys.press("Enter")
    expect(chips).to_have_text(["Base", "Walls"])
    roof.get_by_title("Remove").last.click()
    expect(chips).to_have_text(["Base"])
    page.get_by_role("button", name="Undo").click()
    expect(chips).to_have_text(["Base", "Walls"])
    assert violations(page, "main") == []
    # What would close a circle is not offered.
    base = page.locator(".drafted").nth(0).get_by_role("combobox")
    base.fill("roof")
    expect(page.get_by_text("No matching action")).to_be_visible()
    base.press("Escape")
    assert desk.complaints == []


def test_the_drawer_and_the_dialog_for_a_new_action_have_the_same_row(desk):
    planned(desk, Mast=[], Sail=[])
    key = desk.project["key"]
    page = desk.page(f"/p/{key}")
    keys = page.keyboard
    keys.press("c")
    dialog = page.get_by_role("dialog")
    keys.type("Set out")
    for word in ("mast", "sail"):
        dialog.get_by_role("combobox", name="Add what it depends on").press_sequentially(word)
        expect(dialog.locator(".depends-option[aria-selected=true]")).to_contain_text(word.capitalize())
        keys.press("Enter")
    expect(dialog.locator(".depends-chip")).to_have_count(2)
    assert violations(page, "#create-task") == []
    keys.press("Control+Enter")
    expect(dialog).to_be_hidden()
    page.get_by_role("link", name="Set out").first.click()
    drawer = page.locator("#drawer-action")
    expect(drawer.locator(".depends-name")).to_have_text(["Mast", "Sail"])
    drawer.get_by_title("Remove").first.click()
    expect(drawer.locator(".depends-name")).to_have_text(["Sail"])
    drawer.get_by_role("combobox", name="Add what").press_sequentially("mast")
    drawer.get_by_role("option", name="Mast").first.click()
    expect(drawer.locator(".depends-name")).to_have_text(["Mast", "Sail"])
    assert violations(page, "#drawer-action") == []
    assert desk.complaints == []


def test_a_new_plans_first_action_has_the_focus_even_if_the_stream_shows_the_plan_before_the_answer_comes(desk):
    page = desk.page(f"/specs/{desk.spec()}")
    held = []
    page.route("**/do/create_plan", lambda route: held.append((route, route.fetch())))
    page.get_by_role("button", name="Create plan").press("Enter")
    expect(page.get_by_label("Add an action")).to_be_visible()  # by the stream
    [(route, answer)] = held
    route.fulfill(response=answer)
    expect(page.get_by_label("Add an action")).to_be_focused()
    assert desk.complaints == []


def test_who_comes_second_is_shown_the_words_that_differ_and_nothing_is_lost(desk):
    pid = desk.spec(summary="Every check is told.")
    mine, theirs = desk.page(f"/specs/{pid}"), desk.page(f"/specs/{pid}")
    edit(mine, "Edit summary", "Every check is told at once.")
    # What is changed elsewhere comes in around the open editor; the same words are for people to decide.
    edit(theirs, "Edit title", "Sign in, quickly", "Enter")
    expect(mine.get_by_role("heading", name="Sign in, quickly")).to_be_visible()
    edit(theirs, "Edit summary", "Every check is recorded.", "Control+Enter")
    expect(theirs.locator("#part-summary .editable-view")).to_have_text("Every check is recorded.")
    expect(mine.locator("form.editor textarea")).to_have_value("Every check is told at once.")
    mine.keyboard.press("Control+Enter")
    expect(mine.locator(".conflict del")).to_have_text("recorded")
    expect(mine.locator(".conflict ins")).to_have_text("told at once")
    assert violations(mine, ".conflict") == []
    mine.get_by_role("button", name="Save my version").click()
    expect(theirs.locator("#part-summary .editable-view")).to_have_text("Every check is told at once.")
    mine.goto(f"{desk.server.url}/specs/{pid}/revisions?revision=3")
    expect(mine.locator(".diff ins").first).to_have_text("recorded")
    # Lines of one list that two people add do not meet.
    mine.goto(f"{desk.server.url}/specs/{pid}")
    for page, line in ((mine, "Mine holds"), (theirs, "Theirs holds")):
        page.get_by_label("Add to results").fill(line)
    for page in (mine, theirs):
        page.get_by_label("Add to results").press("Enter")
    expect(mine.locator("#part-results li")).to_have_count(2)
    assert all("409" in message for message in desk.complaints)
    desk.complaints.clear()


def test_typed_text_outlives_a_reload_and_escape_puts_it_back(desk):
    page = desk.page(f"/specs/{desk.spec(summary='As it was.')}")
    edit(page, "Edit summary", "Typed, not saved.")
    page.get_by_label("Add to boundaries").fill("Half a line")
    page.reload()
    expect(page.locator("form.editor textarea")).to_have_value("Typed, not saved.")
    expect(page.get_by_label("Add to boundaries")).to_have_value("Half a line")
    page.locator("form.editor textarea").press("Escape")
    expect(page.locator("#part-summary .editable-view")).to_have_text("As it was.")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("form.editor textarea")).to_have_value("Typed, not saved.")


FORMATS = [
    ("Bold", "Control+B", "a [word] here", "a **[word]** here"),
    ("Bold", "Control+B", "a **[word]** here", "a [word] here"),
    ("Italic", "Control+I", "a []b", "a *[]*b"),
    ("Code", "Control+E", "[one\ntwo]", "```\none\ntwo\n```[]"),
    ("Code", "Control+E", "a [word]", "a `[word]`"),
    ("Link", "Control+Shift+L", "see [it]", "see [it]([https://])"),
    ("Quote", "Control+Shift+Period", "a\n[b]", "a\n> b[]"),
    ("List", "Control+Shift+8", "[a\nb]", "[- a\n- b]"),
    ("List", "Control+Shift+8", "[- a\n- b]", "[a\nb]"),
    ("Numbered list", "Control+Shift+7", "[- a\n- b]", "[1. a\n2. b]"),
    ("Task list", "Control+Shift+9", "x []", "- [ ] x []"),
    ("Heading", "", "a[]", "## a[]"),
]


def test_a_bar_and_its_keys_format_a_text_and_the_browser_undoes_it(desk):
    page = desk.page(f"/specs/{desk.spec(summary='Words.')}")
    edit(page, "Edit summary", "")
    area = page.locator("form.editor textarea")
    for name, keys, before, after in FORMATS:
        for by_button in [True, False] if keys else [True]:
            area.evaluate(SELECT_IN, before)
            if by_button:
                page.get_by_role("toolbar").get_by_role("button", name=name, exact=True).click()
            else:
                page.keyboard.press(keys)
            assert area.evaluate(SELECTED) == after, (name, before)
    page.keyboard.press("Control+Z")
    expect(area).to_have_value("a")
    area.evaluate(SELECT_IN, "see [this page]")
    area.evaluate(PASTE_OVER, "https://example.com/a")
    expect(area).to_have_value("see [this page](https://example.com/a)")
    page.keyboard.press("Shift+Tab")
    expect(page.get_by_role("button", name="Heading")).to_be_focused()
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_role("button", name="Task list")).to_be_focused()
    assert violations(page, "#part-summary") == []
    assert desk.complaints == []


def test_a_dropped_picture_is_attached_and_shown(desk):
    page = desk.page(f"/specs/{desk.spec()}")
    page.evaluate(DROP)
    expect(page.locator("#attachments").get_by_text("a shot.png", exact=True)).to_be_visible()
    expect(page.locator(".file-picture img")).to_have_js_property("naturalWidth", 6)
    page.get_by_role("button", name="Remove a shot.png").click()
    page.get_by_role("dialog").get_by_role("button", name="Remove a shot.png").click()
    expect(page.locator(".file")).to_have_count(0)
    assert desk.complaints == []


def test_a_picture_pasted_into_a_document_stands_in_its_text(desk):
    document = desk.create(f"projects/{desk.project['pid']}/documents", title="Shots")
    page = desk.page(f"/documents/{document['pid']}", viewport={"width": 1440, "height": 900})
    edit(page, "Edit text", "Before\n\n")
    page.locator("form.editor textarea").evaluate(PASTE)
    expect(page.locator(".editor-preview img")).to_have_js_property("naturalWidth", 6)
    page.keyboard.press("Control+Enter")
    expect(page.locator(".editable-view .prose img")).to_have_attribute("alt", "a shot.png")
    assert desk.complaints == []


def test_words_of_a_document_are_commented_on_and_may_lose_their_place(desk):
    document = desk.create(f"projects/{desk.project['pid']}/documents", title="Links", body=BODY)
    page = desk.page(f"/documents/{document['pid']}", viewport={"width": 1440, "height": 900})
    page.evaluate(SELECT)
    page.locator("[data-quotes]").click()
    page.keyboard.type("Is that needed?")
    page.keyboard.press("Control+Enter")
    expect(page.locator(".comment .quoted")).to_have_text("reads every page *twice*")
    assert page.evaluate("[...CSS.highlights.get('quoted')].map(String)") == ["reads every page twice"]
    edit(page, "Edit text", BODY.replace("reads every page *twice*", "reads once"), "Control+Enter")
    expect(page.get_by_text("Outdated")).to_be_visible()
    page.get_by_role("button", name="Resolve comment").click()
    expect(page.locator(".comment")).to_have_count(0)
    page.goto(f"{desk.server.url}/documents/{document['pid']}/revisions?revision=1")
    restored = page.get_by_role("region", name="What restoring revision 1 changes")
    expect(restored.locator("del")).to_have_text("once")
    assert violations(page, "#history") == []
    page.get_by_role("button", name="Restore revision 1").click()
    expect(page.get_by_text("Revision 1 restored as revision 3.")).to_be_visible()
    expect(page.locator(".prose em")).to_have_text("twice")
    assert desk.complaints == []


def test_lines_criteria_and_actions_are_put_in_order_by_mouse_and_by_keyboard(desk):
    pid = desk.spec(results=["One", "Two", "Three"])
    plan = desk.create(f"specs/{pid}/plans", title="Plan A")["pid"]
    for label in ("First", "Second"):
        criteria = [f"{label} a", f"{label} b"]
        desk.create(f"projects/{desk.project['pid']}/actions", plan_id=plan, label=label, criteria=criteria)
    page = desk.page(f"/specs/{pid}", viewport={"width": 1440, "height": 1400})

    def stored() -> list[list[str]]:
        draft = desk.http.get(f"{desk.server.url}/specs/{pid}.json").json()["spec"]
        criteria = [criterion["text"] for criterion in draft["actions"][0]["criteria"]]
        return [draft["results"], [action["label"] for action in draft["actions"]], criteria]

    lines = page.locator("#part-results li")
    lines.nth(0).locator(".bullet").drag_to(lines.nth(2), target_position={"x": 30, "y": 20})
    expect(lines).to_have_text(["Two", "Three", "One"])
    expect(page.locator("#part-results ul")).to_have_attribute("data-revision", "2")
    lines.nth(2).locator("[data-item]").focus()
    page.keyboard.press("Alt+ArrowUp")
    expect(lines).to_have_text(["Two", "One", "Three"])
    expect(page.locator("#part-results ul")).to_have_attribute("data-revision", "3")
    drafted = page.locator(".drafted strong")
    grips, first = page.locator(".drafted .grip"), page.locator(".drafted").nth(0)
    grips.nth(1).drag_to(first, target_position={"x": 60, "y": 4})
    expect(drafted).to_have_text(["Second", "First"])
    marks = page.locator(".drafted").nth(0).locator(".drafted-criteria li")
    expect(marks).to_have_text(["Second a", "Second b"])
    marks.nth(0).locator("[data-item]").focus()
    page.keyboard.press("Alt+ArrowDown")
    expect(marks).to_have_text(["Second b", "Second a"])
    expect(marks.nth(1).locator("[data-item]")).to_be_focused()  # it goes on from where it was put
    page.reload()
    expect(drafted).to_have_text(["Second", "First"])
    assert stored() == [["Two", "One", "Three"], ["Second", "First"], ["Second b", "Second a"]]
    assert desk.complaints == []


def test_a_spec_on_paper_is_its_text_alone(desk):
    page = desk.page(f"/specs/{desk.spec(summary='Words.', results=['One'])}", color_scheme="dark")
    page.emulate_media(media="print")
    for selector in ("h1", "#part-summary .prose", "#part-results li"):
        expect(page.locator(selector).first).to_be_visible()
    for gone in (".sidebar", ".bar", ".sheet-side", ".adds", ".editable-open"):
        assert not page.locator(gone).first.is_visible(), gone
    script = "each => [getComputedStyle(each).overflowY, getComputedStyle(each).color]"
    overflow, colour = page.locator("main").evaluate(script)
    assert overflow == "visible"  # all of it is printed, not what the window shows
    assert sum(int(part) for part in colour[4:-1].split(",")) < 200  # dark on white, whatever the theme is
    assert len(page.pdf()) > 1_000
    assert desk.complaints == []


def test_every_page_of_writing_can_be_used_by_everyone(desk):
    pid = desk.spec(summary="Words.", results=["One"], boundaries=["None"])
    plan = desk.create(f"specs/{pid}/plans", title="Plan A", approach="# Begin\n\n```python\nprint(1)\n```")
    desk.create(
        f"projects/{desk.project['pid']}/actions",
        plan_id=plan["pid"],
        label="The form",
        criteria=["It is there, and blue"],
    )
    desk.create(f"specs/{pid}/builds")
    document = desk.create(f"projects/{desk.project['pid']}/documents", title="Links", body=BODY)["pid"]
    note = desk.create(f"projects/{desk.project['pid']}/notes", title="Ask", body="| a |\n|---|\n| b |")["pid"]
    page = desk.page(f"/specs/{pid}")
    assert violations(page) == []
    for opens in ("create-plan", "ask", "confirm"):
        page.evaluate("id => document.getElementById(id).showModal()", opens)
        assert violations(page, f"#{opens}") == []
        page.keyboard.press("Escape")
    page.get_by_label("More options for").click()
    edit(page, "Edit approach", "Longer.")
    page.get_by_role("button", name="Preview").click()
    assert violations(page, "#plan") == []
    key = desk.project["key"]
    for address in (
        f"/p/{key}/specs",
        f"/specs/{pid}/publish?action={key}-1",
        f"/specs/{pid}/builds",
        f"/specs/{pid}/revisions",
        f"/p/{key}/documents",
        f"/documents/{document}",
        f"/p/{key}/notes",
        f"/notes/{note}",
    ):
        page.goto(desk.server.url + address)
        assert violations(page, "main") == []
    page.set_viewport_size({"width": 360, "height": 740})
    for address in (f"/specs/{pid}", f"/documents/{document}"):
        page.goto(desk.server.url + address)
        assert violations(page, "main") == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def edit(page: Page, button: str, text: str, key: str = "") -> None:
    page.get_by_role("button", name=button).click(force=True)
    page.locator("form.editor textarea").fill(text)
    if key:
        page.keyboard.press(key)


SHOT = """
  const canvas = Object.assign(document.createElement("canvas"), { width: 6, height: 4 });
  const blob = await new Promise((done) => canvas.toBlob(done));
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File([blob], "a shot.png", { type: "image/png" }));
"""
DROP = f"""async () => {{{SHOT}
  document.body.dispatchEvent(new DragEvent("drop", {{ dataTransfer, bubbles: true }}));
}}"""
PASTE = f"""async (text) => {{{SHOT}
  text.dispatchEvent(new ClipboardEvent("paste", {{ clipboardData: dataTransfer, bubbles: true }}));
}}"""
# A text with what is selected of it in brackets: the last pair of them.
SELECT_IN = """(area, marked) => {
  const start = marked.lastIndexOf("["), end = marked.lastIndexOf("]");
  area.focus();
  area.value = marked.slice(0, start) + marked.slice(start + 1, end) + marked.slice(end + 1);
  area.setSelectionRange(start, end - 1);
}"""
SELECTED = """({ value, selectionStart: start, selectionEnd: end }) =>
  `${value.slice(0, start)}[${value.slice(start, end)}]${value.slice(end)}`"""
PASTE_OVER = """(field, text) => {
  const clipboardData = new DataTransfer();
  clipboardData.setData("text/plain", text);
  field.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
}"""
PASTE_TEXT = """(field, text) => {
  const clipboardData = new DataTransfer();
  clipboardData.setData("text/plain", text);
  field.focus();
  if (field.value) field.setSelectionRange(field.value.length, field.value.length);
  field.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
}"""

SELECT = """() => {
  const words = document.querySelector(".prose p").firstChild;
  const range = document.createRange();
  range.setStart(words, "The checker ".length);
  range.setEndAfter(document.querySelector(".prose em"));
  getSelection().removeAllRanges();
  getSelection().addRange(range);
}"""


def test_an_action_is_talked_about_by_keyboard_and_another_page_hears_it(desk):
    task = desk.create(f"projects/{desk.project['pid']}/tasks", label="The form")
    page, other = desk.page(f"/a/{task['refCode']}"), desk.page(f"/a/{task['refCode']}")
    page.keyboard.press("w")
    page.keyboard.type(f"Is *that* all of {task['refCode']}?")
    page.keyboard.press("Control+Enter")
    comment = other.locator(".comment")
    expect(comment.locator("em")).to_have_text("that")
    expect(comment.get_by_role("link", name=task["refCode"])).to_be_visible()
    mine = page.locator(".comment")
    mine.get_by_text("Edit", exact=True).click()
    mine.locator("textarea").fill("Is it?")
    mine.get_by_role("button", name="Save comment").click()
    expect(comment.locator(".prose")).to_have_text("Is it?")
    expect(comment).to_contain_text("edited")
    expect(mine.locator("details")).not_to_have_attribute("open", "")
    mine.get_by_role("button", name="Delete comment").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(comment).to_contain_text("Deleted by")
    expect(comment.locator(".prose")).to_have_count(0)
    assert desk.complaints == []


def test_somebody_is_mentioned_by_typing_a_part_of_their_name(desk):
    task = desk.create(f"projects/{desk.project['pid']}/tasks", label="The address")
    desk.create("members", name="Grace Hopper", email="grace@example.com")
    page = desk.page(f"/a/{task['refCode']}")
    page.keyboard.press("w")
    page.keyboard.type("Is it right, @hop")
    option = page.get_by_role("option", name="Grace Hopper person")
    expect(option).to_have_attribute("aria-selected", "true")
    assert violations(page) == []
    page.keyboard.press("Enter")
    page.keyboard.type("by now?")
    expect(page.locator(".mention-list")).to_have_count(0)
    page.keyboard.press("Control+Enter")
    expect(page.locator(".comment .prose strong")).to_have_text("@Grace Hopper")
    expect(page.locator(".comment .prose")).to_have_text("Is it right, @Grace Hopper by now?")
    assert desk.complaints == []


def test_an_action_is_unwatched_and_watched_again(desk):
    task = desk.create(f"projects/{desk.project['pid']}/tasks", label="The quay")
    page = desk.page(f"/a/{task['refCode']}")
    line = page.locator(".watching")
    expect(line).to_contain_text("You watch this action: you wrote it.")
    line.get_by_role("button", name="Unwatch action").click()
    expect(line).to_contain_text("You do not watch this action.")
    line.get_by_role("button", name="Watch action").click()
    expect(line).to_contain_text("you chose to")
    assert desk.complaints == []
