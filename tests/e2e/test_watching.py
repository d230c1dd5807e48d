"""People see what agents do, and speak to them while they work: in a real browser, with terminals that report steps."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect, sync_playwright

from pendesk.main import open_service
from pendesk.settings import load
from tests.e2e.agent_terminal import AgentTerminal
from tests.e2e.app import App, live
from tests.e2e.axe import violations
from tests.e2e.browser import chromium
from tests.e2e.scene import create_workspace
from tests.e2e.server import RunningServer

WIDE = {"width": 1440, "height": 900}
WATCHED, STEERED, FREE, UNSEEN = "HRB-1", "HRB-2", "HRB-3", "HRB-4"


async def seed(data: Path) -> str:
    """A project with work that anybody can claim; the token of an agent."""
    async with open_service(load(data_folder=str(data), environ={}), "http://127.0.0.1:3847") as service:
        scene = await create_workspace(service)
        await scene.call(scene.owner, "create_project", name="Harbour", key="HRB")
        for label in ("Watch it", "Steer it", "Leave it", "Do it unseen"):
            await scene.call(
                scene.owner, "create_action", project_id="HRB", label=label, state="todo", criteria=["It holds"]
            )
        token: str = (await scene.call(scene.owner, "create_token", name="Claude Code on ada-laptop"))["token"]
        return token


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    data = tmp_path_factory.mktemp("watching") / "data"
    token = asyncio.run(seed(data))
    with RunningServer(data) as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        app = App(server.ready(), browser, token)
        app.sign_in()
        yield app
        browser.close()


@pytest.fixture(scope="module")
def terminal(app: App) -> AgentTerminal:
    """It holds an action."""
    agent = AgentTerminal(app, "watched")
    agent.hook("UserPromptSubmit")
    agent.call("POST", f"/actions/{WATCHED}/claim", agent_model="claude-opus-5")
    return agent


def session_on_agents_page(page: Page) -> Locator:
    return page.locator(".agent-session", has_text=WATCHED)


def run_command(page: Page, name: str) -> None:
    page.keyboard.press("Control+k")
    page.keyboard.type(name)
    expect(page.locator("#option-0")).to_have_text(name)
    page.keyboard.press("Enter")


def test_what_an_agent_does_is_on_the_agents_page_within_its_step(app, terminal):
    with app.page("/agents", viewport=WIDE) as page:
        live(page)
        session = session_on_agents_page(page)
        for event, step, text in [
            ("PreToolUse", {"tool": "Edit", "file": "src/app.py", "tool_use_id": "1"}, "Editing src/app.py"),
            ("PostToolBatch", {}, "Thinking"),
            (
                "PreToolUse",
                {"tool": "Bash", "command": "pytest tests -k 'secret'", "tool_use_id": "2"},
                "Running pytest tests",
            ),
            ("PermissionRequest", {"tool": "Bash", "command": "pytest tests"}, "Waiting for permission since"),
            ("Stop", {}, "Waiting for permission since"),  # it is asked about its claim, so its turn goes on
            ("Stop", {}, "Waiting for its person since"),
        ]:
            terminal.hook(event, **step)
            expect(session.locator(".activity-now").last).to_contain_text(text)
        assert "secret" not in page.content()
        session.get_by_role("link", name="Session").click()
        page.wait_for_url("**/agents/*")
        steps = page.locator(".activity-step")
        expect(steps.first).to_contain_text("Ended its turn")
        expect(page.get_by_text("Edited src/app.py")).to_be_visible()
        terminal.hook("PreToolUse", tool="Read", file="docs/a.md", agent="a1", agent_type="Explore", tool_use_id="3")
        expect(steps.first).to_contain_text("Explore Reading docs/a.md")
        assert violations(page) == []


def test_an_agent_without_hooks_has_the_cure_beside_it(app, terminal):
    AgentTerminal(app, "unseen").call("POST", f"/actions/{UNSEEN}/claim")
    with app.page("/agents", viewport=WIDE) as page:
        cure = page.locator(".agent-session", has_text="No hooks: only its calls are seen").first
        expect(cure).to_contain_text("Run pendesk connect in its repository")


def test_a_message_is_typed_while_steps_come_and_goes_all_its_way(app, terminal):
    with app.page(f"/a/{WATCHED}", viewport=WIDE) as page:
        live(page)
        field = page.get_by_role("textbox", name="Tell the agent")
        run_command(page, "Tell the agent…")
        expect(field).to_be_focused()
        page.keyboard.type("Keep the od name.")
        for _ in range(6):
            page.keyboard.press("ArrowLeft")
        for number in range(10):  # the drawer is loaded anew meanwhile
            terminal.hook("PreToolUse", tool="Read", file=f"src/part{number}.py", tool_use_id=f"p{number}")
            terminal.hook("PostToolBatch")
        expect(page.locator("#holder-activity")).to_contain_text("Read src/part9.py")
        page.keyboard.press("ArrowLeft")
        page.keyboard.type("l")
        expect(field).to_have_value("Keep the old name.")
        page.keyboard.press("Control+Enter")
        message = page.locator(".message", has_text="Keep the old name.")
        expect(message).to_contain_text("Queued")
        expect(field).to_have_value("")
        answer = terminal.hook("PostToolBatch")
        assert "Keep the old name." in answer["hookSpecificOutput"]["additionalContext"]
        expect(message).to_contain_text("Delivered")
        expect(message).to_contain_text("at its next step")
        terminal.call("POST", f"/actions/{WATCHED}/progress", status="started", message="The name stays.")
        expect(message).to_contain_text("Acknowledged")
        expect(message).to_contain_text("The name stays.")
        assert violations(page, "#drawer") == []


def test_a_message_on_an_action_that_nobody_holds_waits_and_can_be_cancelled(app):
    with app.page(f"/a/{FREE}", viewport=WIDE) as page:
        live(page)
        expect(page.get_by_text(f"Waits for the next agent that claims {FREE}.")).to_be_visible()
        page.get_by_role("textbox", name="Tell the agent").fill("Begin with the tests.")
        page.get_by_role("button", name="Send message").click()
        message = page.locator(".message", has_text="Begin with the tests.")
        expect(message).to_contain_text(f"waits for the next agent that claims {FREE}")
        message.get_by_role("button", name="Cancel message").click()
        expect(message).to_contain_text("Cancelled")


def test_a_word_to_all_agents_says_how_many_it_reaches(app, terminal):
    with app.page("/p/HRB", viewport=WIDE) as page:
        page.get_by_role("link", name="Tell all agents").click()
        page.wait_for_url("**/p/HRB/messages")
        live(page)
        reached = page.locator(".tell .field-hint")
        expect(reached).to_contain_text("at work in HRB")
        page.get_by_role("textbox", name="Message").fill("The freeze begins at noon.")
        page.keyboard.press("Control+Enter")
        dialog = page.locator("#confirm")
        expect(dialog).to_contain_text("Send this message to")
        dialog.get_by_role("button", name="Send message").click()
        message = page.locator(".message", has_text="The freeze begins at noon.")
        count = int(reached.inner_text().split()[1])
        expect(message.locator(".delivery")).to_have_count(count)
        terminal.hook("PostToolBatch")
        expect(message.locator(".delivery", has_text="Delivered")).to_have_count(1)


def test_pause_resume_and_stop_say_what_they_do_and_do_it(app):
    agent = AgentTerminal(app, "steered")
    agent.hook("UserPromptSubmit")
    agent.call("POST", f"/actions/{STEERED}/claim")
    with app.page(f"/a/{STEERED}", viewport=WIDE) as page:
        live(page)
        run_command(page, "Pause agent")
        dialog = page.locator("#ask")
        expect(dialog).to_contain_text("Claude Code ends its turn at its next step.")
        assert violations(page, "#ask") == []
        dialog.locator("input").fill("The spec changes.")
        dialog.get_by_role("button", name="Pause agent").click()
        activity = page.locator("#holder-activity")
        expect(activity).to_contain_text("Pause requested by Ada Lindqvist")
        assert agent.hook("PostToolBatch")["continue"] is False
        expect(activity).to_contain_text("Paused by Ada Lindqvist")
        page.get_by_role("button", name="Resume agent").click()
        expect(page.get_by_text("It continues with the next prompt in its terminal.")).to_be_visible()
        page.get_by_role("link", name="Show session").click()
        page.wait_for_url("**/agents/*")
        live(page)
        page.get_by_role("button", name="Stop agent").click()
        expect(dialog).to_contain_text(
            f"The claim on {STEERED} is released at once, with a hand-over for the next agent."
        )
        dialog.get_by_role("button", name="Stop agent").click()
        expect(page.get_by_text("Stop requested by Ada Lindqvist")).to_be_visible()
        expect(page.get_by_text("Not working on any action.")).to_be_visible()
