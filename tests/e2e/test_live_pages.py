"""How an open page keeps up in a real browser: how often it asks, for what, and when it does not."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, Response, expect

from tests.e2e.app import App, live, running_app

WIDE = {"width": 1440, "height": 900}
# The newest event that the stream has told this page of.
KEEP_HEARD = """window.heard = 0;
  document.addEventListener("live:changes", ({detail}) => { window.heard = detail.seq; });"""
HIDE = """(hidden) => {
  Object.defineProperty(document, "hidden", {value: hidden, configurable: true});
  document.dispatchEvent(new Event("visibilitychange"));
}"""
DRAG = "(card, name) => card.dispatchEvent(new DragEvent(name, {bubbles: true, dataTransfer: new DataTransfer()}))"
# Cards that the page has made itself, or got anew, do not have this.
SIGN = "() => { for (const card of document.querySelectorAll('.card')) card.signed = true; }"
SIGNED = "() => [...document.querySelectorAll('.card')].filter((card) => card.signed).map((card) => card.dataset.ref)"


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    with running_app(tmp_path_factory.mktemp("app") / "data") as running:
        yield running


class Watched:
    """A page whose own clock stands still, and what it asks for."""

    def __init__(self, app: App, page: Page) -> None:
        self.app, self.page = app, page
        self.key = make(app, page, "/projects", name="Kept up")["key"]
        for number in range(1, 6):
            make(app, page, f"/projects/{self.key}/tasks", label=f"Task {number}")
        self.answers: list[Response] = []

    def note(self, response: Response) -> None:
        if "/live?" in response.url:
            self.answers.append(response)

    def open(self, query: str = "") -> None:
        self.open_page(f"/p/{self.key}{query}")

    def open_page(self, path: str) -> None:
        self.page.goto(self.app.server.url + path)
        live(self.page)
        self.page.on("response", self.note)
        self.page.clock.install()
        self.page.clock.pause_at("2030-01-01")
        self.page.evaluate(KEEP_HEARD)
        self.page.evaluate(SIGN)

    def change(self, number: int, label: str) -> None:
        """Somebody writes a label, and the page has heard of it."""
        edit(self.app, self.page, f"{self.key}-{number}", label=label)
        self.wait_until_heard()

    def wait_until_heard(self) -> None:
        """Until the page has been told of all that is in the log now."""
        newest = self.page.request.get(f"{self.app.server.url}/api/v1/timeline?limit=1").json()["events"][0]["seq"]
        while self.page.evaluate("window.heard") < newest:
            self.page.wait_for_timeout(20)

    def pass_ms(self, milliseconds: int) -> None:
        self.page.clock.run_for(milliseconds)

    def card(self, number: int) -> Any:
        return self.page.locator(f"#card-{self.key}-{number}")

    def wait_for_answers(self, count: int) -> None:
        """What is asked for at once is asked for by the page's clock, too."""
        while len(self.answers) < count:
            self.page.wait_for_timeout(20)
            self.pass_ms(1)

    def cards_of_answer(self, number: int) -> tuple[int, int]:
        """How many came filled, and how many are to stay."""
        text = "".join(part["html"] for part in json.loads(self.answers[number].text()) if part)
        return text.count('class="card"'), text.count("data-same")


def make(app: App, page: Page, path: str, **fields: Any) -> dict[str, Any]:
    answer = page.request.post(f"{app.server.url}/api/v1{path}", data=fields)
    assert answer.ok, answer.text()
    body: dict[str, Any] = answer.json()
    return body


def edit(app: App, page: Page, ref: str, **fields: Any) -> None:
    answer = page.request.patch(f"{app.server.url}/api/v1/actions/{ref}", data=fields)
    assert answer.ok, answer.text()


@pytest.fixture
def watched(app: App) -> Iterator[Watched]:
    with app.page("/projects", viewport=WIDE) as page:
        yield Watched(app, page)


def test_the_first_change_is_loaded_at_once_and_a_burst_once_in_a_pause(watched):
    watched.open()
    watched.change(1, "At once")
    watched.pass_ms(100)
    expect(watched.card(1)).to_contain_text("At once")
    for number in range(30):
        watched.change(1 + number % 5, f"In a burst {number}")
    watched.pass_ms(800)
    assert len(watched.answers) == 1
    watched.pass_ms(4200)
    expect(watched.card(5)).to_contain_text("In a burst 29")
    assert len(watched.answers) == 2


def test_only_the_cards_that_changed_are_loaded_and_the_others_are_left_alone(watched):
    watched.open()
    watched.change(2, "Changed alone")
    watched.pass_ms(100)
    expect(watched.card(2)).to_contain_text("Changed alone")
    assert watched.cards_of_answer(0) == (1, 4)
    assert len(watched.page.evaluate(SIGNED)) == 5


def test_a_page_that_nobody_looks_at_asks_for_nothing_and_catches_up_when_it_is_shown(watched):
    watched.open()
    watched.page.evaluate(HIDE, True)
    for number in range(1, 4):
        watched.change(number, f"Unseen {number}")
    watched.pass_ms(60_000)
    assert watched.answers == []
    watched.page.evaluate(HIDE, False)
    watched.pass_ms(100)
    for number in range(1, 4):
        expect(watched.card(number)).to_contain_text(f"Unseen {number}")
    assert len(watched.answers) == 1


def test_a_page_that_becomes_hidden_before_it_has_asked_does_not_ask(watched):
    watched.open()
    watched.change(1, "Too late")
    watched.page.evaluate(HIDE, True)
    watched.pass_ms(5000)
    assert watched.answers == []


def test_cards_that_move_appear_and_go_are_where_they_belong(watched):
    watched.open()
    edit(watched.app, watched.page, f"{watched.key}-3", state="backlog")
    make(watched.app, watched.page, f"/projects/{watched.key}/tasks", label="A new one")
    watched.wait_until_heard()
    watched.pass_ms(100)
    expect(watched.page.locator(f"#column-backlog #card-{watched.key}-3")).to_be_visible()
    expect(watched.page.locator("#column-todo .card")).to_have_count(5)
    expect(watched.page.locator("#column-todo .count")).to_have_text("5")
    assert watched.cards_of_answer(0) == (2, 4)
    answer = watched.page.request.delete(f"{watched.app.server.url}/api/v1/actions/{watched.key}-2")
    assert answer.ok, answer.text()
    watched.wait_until_heard()
    watched.pass_ms(5000)
    expect(watched.card(2)).to_have_count(0)
    expect(watched.page.locator("#column-todo .count")).to_have_text("4")


def test_a_card_that_a_filter_no_longer_lets_through_goes_and_one_that_it_does_comes(watched):
    watched.open("?q=task+2")
    expect(watched.page.locator(".card")).to_have_count(1)
    watched.change(3, "Task 2 as well")
    watched.pass_ms(100)
    expect(watched.card(3)).to_be_visible()
    watched.change(2, "Something else")
    watched.pass_ms(5000)
    expect(watched.card(2)).to_have_count(0)
    expect(watched.page.locator(".card")).to_have_count(1)


def test_where_the_page_lacks_a_card_all_of_the_board_is_loaded(watched):
    watched.open()
    watched.page.evaluate("(id) => document.getElementById(id).remove()", f"card-{watched.key}-4")
    watched.change(1, "Beside what is lacking")
    watched.pass_ms(100)
    watched.wait_for_answers(2)
    expect(watched.card(4)).to_be_visible()
    expect(watched.card(1)).to_contain_text("Beside what is lacking")
    assert [watched.cards_of_answer(number) for number in (0, 1)] == [(1, 4), (5, 0)]


def test_no_card_is_taken_out_of_the_hand(watched):
    watched.open()
    watched.card(2).evaluate(DRAG, "dragstart")
    watched.change(2, "While it is dragged")
    watched.pass_ms(5000)
    assert watched.answers == []
    watched.card(2).evaluate(DRAG, "dragend")
    watched.pass_ms(100)
    expect(watched.card(2)).to_contain_text("While it is dragged")


def test_one_request_brings_all_that_is_due_and_one_without_news_is_answered_with_nothing(watched):
    watched.open()
    make(watched.app, watched.page, f"/projects/{watched.key}/tasks", label="Also counted in the sidebar")
    watched.wait_until_heard()
    watched.pass_ms(100)
    watched.wait_for_answers(1)
    assert watched.answers[0].url.count("part=") == 2
    watched.pass_ms(5000)
    watched.page.evaluate("document.dispatchEvent(new CustomEvent('done', {detail: {}}))")
    watched.pass_ms(10)
    watched.wait_for_answers(2)
    assert watched.answers[1].status == 304


def test_the_inbox_is_looked_at_again_now_and_then_unless_nobody_looks(watched):
    """A claim expires without an event."""
    watched.open_page("/")
    watched.page.evaluate(HIDE, True)
    watched.pass_ms(120_000)
    assert watched.answers == []
    watched.page.evaluate(HIDE, False)
    watched.pass_ms(1100)
    watched.wait_for_answers(1)
    watched.pass_ms(50_000)
    assert len(watched.answers) == 1
    watched.pass_ms(12_000)
    watched.wait_for_answers(2)
