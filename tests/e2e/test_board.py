"""The board in a real browser: long columns, many cards at once, by mouse and by keyboard, while agents go on."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.app import REFUSED, App, live, running_app

WIDE = {"width": 1440, "height": 900}


@pytest.fixture(scope="module")
def app(tmp_path_factory):
    with running_app(tmp_path_factory.mktemp("app") / "data") as running:
        yield running


def create(app: App, page: Page, path: str, **fields: Any) -> dict[str, Any]:
    """The person whose page it is makes something, in another tab as it were."""
    answer = page.request.post(f"{app.server.url}/api/v1{path}", data=fields)
    assert answer.ok, answer.text()
    body: dict[str, Any] = answer.json()
    return body


def long_project(app: App, page: Page, tasks: int) -> str:
    named = [{"key": f"t{number}", "label": f"Task {number:03}"} for number in range(tasks)]
    key: str = create(app, page, "/projects/scaffold", name="Long", tasks=named)["key"]
    return key


def test_a_long_column_loads_its_next_cards_by_scrolling_by_keyboard_and_by_its_button(app):
    with app.page("/projects", viewport=WIDE) as page:
        key = long_project(app, page, 120)
        page.goto(f"{app.server.url}/p/{key}?order=ref")
        live(page)
        cards = page.locator("#column-todo .card")
        expect(cards).to_have_count(50)
        expect(page.locator("#column-todo .count")).to_have_text("120")
        expect(page.locator("#more-todo")).to_have_text("Show 70 more")
        cards.nth(49).scroll_into_view_if_needed()
        expect(cards).to_have_count(100)
        expect(page.locator("#more-todo")).to_have_text("Show 20 more")
        assert page.url.endswith(f"/p/{key}?order=ref&shown=todo:100")
        # A change elsewhere is shown, and nothing that was loaded goes.
        create(app, page, f"/projects/{key}/tasks", label="Made meanwhile")
        expect(page.locator("#column-todo .count")).to_have_text("121")
        expect(page.locator("#more-todo")).to_have_text("Show 21 more")
        expect(cards).to_have_count(100)
        # Cold, the address shows the same; the next ones come by walking down, and the focus goes on into them.
        page.reload()
        expect(cards).to_have_count(100)
        live(page)
        page.locator("#more-todo").focus()
        page.keyboard.press("Enter")
        expect(cards).to_have_count(121)
        expect(cards.nth(100).locator("a")).to_be_focused()
        expect(page.locator("#more-todo")).to_have_count(0)
        # A filter begins at the first cards again.
        page.locator(".filters input[name=q]").fill("task 11")
        expect(cards).to_have_count(10)
        assert page.url.endswith(f"/p/{key}?q=task+11&order=ref")


def test_more_cards_can_be_loaded_under_an_open_drawer_and_back_keeps_them(app):
    with app.page("/projects", viewport=WIDE) as page:
        key = long_project(app, page, 60)
        page.goto(f"{app.server.url}/p/{key}")
        live(page)
        page.keyboard.press("j")
        page.keyboard.press("Space")
        expect(page.locator("#drawer h2")).to_be_visible()
        page.locator("#more-todo").evaluate("each => each.click()")
        expect(page.locator("#column-todo .card")).to_have_count(60)
        assert page.url.endswith(f"/a/{key}-1")
        page.go_back()
        expect(page.locator("#drawer")).to_be_hidden()
        expect(page.locator("#column-todo .card")).to_have_count(60)
        assert page.url.endswith(f"/p/{key}?shown=todo:100")


def test_the_keyboard_walks_the_board_peeks_and_comes_back(app):
    with app.page("/p/HRB", viewport=WIDE) as page:
        live(page)
        firsts = page.locator(".column .card:first-child a").evaluate_all(
            "all => all.map(one => one.hash || one.pathname)"
        )
        walked = []
        for key in ("j", "l", "l", "h", "j", "k", "ArrowRight", "ArrowLeft", "ArrowDown", "ArrowUp"):
            page.keyboard.press(key)
            walked.append(page.evaluate("document.activeElement.pathname"))
        backlog, scope, todo = firsts[:3]
        second = page.locator("#column-scope .card:nth-child(2) a").evaluate("each => each.pathname")
        assert walked == [backlog, scope, todo, scope, second, scope, todo, scope, second, scope]
        for opens, closes in (("Space", "Space"), ("Space", "Escape"), ("Enter", "Escape")):
            page.keyboard.press(opens)
            expect(page.locator("#drawer article")).to_be_visible()
            assert page.url == app.server.url + scope
            page.keyboard.press(closes)
            expect(page.locator("#drawer")).to_be_hidden()
            assert page.evaluate("document.activeElement.pathname") == scope
        for opens in ("Control+k", "?", "c", "m"):  # whatever lies on top closes first, and the focus is where it was
            page.keyboard.press(opens)
            expect(page.locator("dialog[open]")).to_have_count(1)
            page.keyboard.press("Escape")
            expect(page.locator("dialog[open]")).to_have_count(0)
            assert page.evaluate("document.activeElement.pathname") == scope
        page.keyboard.press("x")
        expect(page.locator("#chosen")).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.locator("#chosen")).to_be_hidden()


def test_a_refused_drag_goes_back_and_says_what_to_do(app):
    with app.page("/p/HRB", expected=REFUSED, viewport=WIDE) as page:
        live(page)
        card = page.locator("#column-todo #card-HRB-5")
        place = card.evaluate("each => [...each.parentElement.children].indexOf(each)")
        card.drag_to(page.locator("#column-in_progress .cards"))
        toast = page.locator(".toast.bad")
        expect(toast).to_contain_text("HRB-5 was not moved.")
        expect(toast).to_contain_text("It is in progress once someone claims it.")
        expect(card).to_be_visible()
        expect(page.locator("#column-in_progress #card-HRB-5")).to_have_count(0)
        at_place = "place => document.getElementById('card-HRB-5').parentElement.children[place].id === 'card-HRB-5'"
        page.wait_for_function(at_place, arg=place)
        # Two that are dragged together: one may go, the other stays, and undo brings the first one back.
        for ref in ("HRB-24", "HRB-8"):
            page.locator(f"#card-{ref} a").focus()
            page.keyboard.press("x")
        page.locator("#card-HRB-24").drag_to(page.locator("#column-backlog .cards"))
        expect(page.locator("#column-backlog #card-HRB-24")).to_be_visible()
        expect(page.locator("#column-in_progress #card-HRB-8")).to_be_visible()
        expect(toast.last).to_contain_text("HRB-8 was not moved. An agent has this action.")
        page.get_by_role("button", name="Undo").click()
        expect(page.locator("#column-scope #card-HRB-24")).to_be_visible()


def test_typing_goes_on_while_events_pour_in(app):
    """Forty changes of the same action while someone writes an answer and keeps the caret in the middle of it."""
    answer = "Refuse it, as everywhere else."

    def report() -> None:
        for number in range(40):
            app.agent("POST", "/actions/HRB-2/progress", status="started", message=f"Step {number}.")

    with app.page("/a/HRB-2", viewport=WIDE) as page, ThreadPoolExecutor(1) as elsewhere:
        live(page)
        page.get_by_label("Your answer").click()
        page.keyboard.type("()")
        page.keyboard.press("ArrowLeft")
        page.evaluate("document.getElementById('drawer').scrollTo(0, 220)")
        reporting = elsewhere.submit(report)
        page.keyboard.type(answer, delay=30)
        reporting.result()
        expect(page.locator(".claim-message")).to_contain_text("Step 39.")
        field = "[document.activeElement.value, document.activeElement.selectionStart]"
        assert page.evaluate(field) == [f"({answer})", len(answer) + 1]
        assert page.evaluate("document.getElementById('drawer').scrollTop") == 220


def test_an_action_is_made_without_the_mouse_from_any_page_of_the_project(app):
    with app.page("/p/HRB", viewport=WIDE) as page:
        live(page)
        for typed in ("c", "Made by keyboard alone"):
            page.keyboard.type(typed)
        page.keyboard.press("Enter")  # a label is enough
        card = page.locator("#column-todo .card", has_text="Made by keyboard alone")
        expect(card).to_be_visible()
        expect(page.locator("#create-task")).to_be_hidden()
        expect(page.locator(".toast")).to_contain_text("created.")


# Keeps what was marked: the mark itself is gone after a second.
MARKS = """
window.marked = [];
const animate = Element.prototype.animate;
Element.prototype.animate = function (frames, options) {
  if (options.id === "changed") window.marked.push([this.id, frames[0].outline === frames[1].outline]);
  return animate.call(this, frames, options);
};
"""


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_card_tells_all_and_is_marked_when_an_agent_changes_it(app, motion):
    with app.page("/projects", viewport=WIDE, reduced_motion=motion) as page:
        page.add_init_script(MARKS)
        page.goto(f"{app.server.url}/p/HRB")
        live(page)
        card = page.locator("#card-HRB-8")
        for text in ("HRB-8", "ui", "1/", "Working"):
            expect(card).to_contain_text(text)
        expect(card.locator(".avatar.agent .sr")).to_have_text("Agent")
        expect(page.locator("#card-HRB-13 .avatar:not(.agent)")).to_have_attribute("title", "Bo Okafor")
        expect(page.locator("#card-HRB-9")).to_contain_text("Waits for HRB-")
        app.agent("POST", "/actions/HRB-2/progress", status="started", message="Going on.")
        seen = "still => window.marked.some((each) => each[0] === 'card-HRB-2' && each[1] === still)"
        page.wait_for_function(seen, arg=motion == "reduce")
        assert page.evaluate("window.marked.every(([id]) => id === 'card-HRB-2')")


def test_letters_lead_to_every_view_of_the_project_and_a_slash_to_the_search(app):
    with app.page("/p/HRB", viewport=WIDE) as page:
        # Both in one breath: a busy machine may take longer between two presses than a sequence may last.
        press = """keys => {
          for (const key of keys) document.body.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}));
        }"""
        for keys, leads in (("gf", "/flow"), ("gl", "/list"), ("gs", "/specs"), ("gb", "/p/HRB"), ("/", "/search")):
            page.evaluate(press, keys)
            page.wait_for_url(f"**{leads}")
        page.get_by_role("searchbox").first.fill("gb")  # letters that are typed lead nowhere
        assert page.url.endswith("/search")


def test_what_an_agent_does_shows_in_board_flow_list_and_counts(app):
    with app.page("/p/HRB", viewport=WIDE) as page:
        live(page)
        flow, table = page.context.new_page(), page.context.new_page()
        for tab, path in ((flow, "/p/HRB/flow"), (table, "/p/HRB/list")):
            tab.goto(app.server.url + path)
            live(tab)
        counts = {state: page.locator(f"#column-{state} .count") for state in ("todo", "in_progress")}
        before = {state: int(count.inner_text()) for state, count in counts.items()}
        expect(flow.locator("#node-HRB-4.is-in_progress")).to_be_attached()
        app.agent("POST", "/actions/HRB-4/release")
        expect(page.locator("#column-todo #card-HRB-4")).to_be_visible()
        expect(counts["todo"]).to_have_text(str(before["todo"] + 1))
        expect(counts["in_progress"]).to_have_text(str(before["in_progress"] - 1))
        expect(flow.locator("#node-HRB-4.is-todo")).to_be_attached()
        expect(table.locator("#row-HRB-4")).to_contain_text("To do")
