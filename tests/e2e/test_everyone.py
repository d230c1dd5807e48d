"""Every page with every dialog, menu and drawer of it, for everyone: by axe in both themes, and on a narrow screen.

What a page says on the console, or asks another host for, fails these tests too.
"""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.addresses import addresses
from tests.e2e.app import REFUSED, App, running_app
from tests.e2e.axe import violations

WIDE = {"width": 1440, "height": 900}
# What is filled when it is opened is opened as people open it.
BY_KEY = {"palette": "Control+k", "help": "?"}


@pytest.fixture(scope="module")
def app(tmp_path_factory):
    with running_app(tmp_path_factory.mktemp("app") / "data") as running:
        yield running


def layers(page: Page, seen: set[str]) -> Iterator[tuple[str, str]]:
    """Opens one after the other whatever lies over the page, each once; its name, and where it is."""
    for name in page.locator("dialog").evaluate_all("all => all.map(one => one.id)"):
        if name in seen:
            continue
        if name in BY_KEY:
            page.keyboard.press(BY_KEY[name])
        else:
            page.locator(f"#{name}").evaluate("each => each.showModal()")
        expect(page.locator(f"#{name}")).to_be_visible()
        yield name, f"#{name}"
        page.keyboard.press("Escape")
        expect(page.locator(f"#{name}")).to_be_hidden()
    for menu in page.locator("details.menu").all():
        name = menu.locator("summary").inner_text() or menu.locator("summary").get_attribute("aria-label") or ""
        kind = name.split(" ")[0]
        if f"menu {kind}" not in seen and menu.is_visible():
            menu.evaluate("each => { each.open = true; each.id ||= 'the-menu'; }")
            yield f"menu {kind}", f"#{menu.get_attribute('id')}"
            menu.evaluate("each => { each.open = false; }")


def unfold(page: Page) -> None:
    folds = page.locator("details:not(.menu):not([open]) > summary")
    folds.evaluate_all("all => all.forEach(one => one.click())")
    expect(page.get_by_text("Loading the text agents get…")).to_have_count(0)


def judge(app: App, page: Page, path: str, seen: set[str]) -> dict[str, list[str]]:
    page.goto(app.server.url + path)
    unfold(page)
    violations_by_layer = {path: violations(page)}
    for name, place in layers(page, seen):
        seen.add(name)
        violations_by_layer[f"{path} {name}"] = violations(page, place)
    return {where: problems for where, problems in violations_by_layer.items() if problems}


def test_axe_finds_nothing_on_any_page_in_either_theme_with_any_layer_open(app):
    seen: set[str] = set()
    with app.page("/", expected=REFUSED, viewport=WIDE) as page:
        violations_by_page = [judge(app, page, path, seen) for path in addresses(page, app.server.url)]
    assert [violations for violations in violations_by_page if violations] == []
    dialogs = {"palette", "help", "ask", "confirm", "pick-state", "pick-labels"} | {
        f"create-{noun}" for noun in ("task", "project", "spec", "goal", "plan", "document", "note")
    }
    assert dialogs <= seen
    assert len(seen - dialogs) >= 2  # the menus


def test_a_narrow_screen_has_everything_and_no_sideways_scroll(app):
    """Also at 200 %: then a wide screen has half its width."""
    wide = "part => [document.querySelector(part).scrollWidth, innerWidth]"
    with app.page("/", expected=REFUSED, viewport={"width": 360, "height": 740}) as page:
        for path in addresses(page, app.server.url):
            page.set_viewport_size({"width": 360, "height": 740})
            page.goto(app.server.url + path)
            for width in (360, 640):
                page.set_viewport_size({"width": width, "height": 740})
                assert [page.evaluate(wide, "html"), page.evaluate(wide, "main")] == [[width, width]] * 2, path
        page.goto(app.server.url + "/")
        page.get_by_role("button", name="Show navigation").click()
        page.locator("#sidebar a", has_text="Harbour").click()
        page.wait_for_url("**/p/HRB")
