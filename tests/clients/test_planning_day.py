"""A planning day with a real client, in an empty repository that one command connected.

It plans a project from a text, drafts a spec and a plan, of which a person accepts half in a real browser, and
publishes; it takes the next task, builds it and finishes. Beside it a project of tasks alone.
"""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect, sync_playwright
from splintr import Tokenizer

from tests.clients.agents import Played, play_in, step
from tests.clients.drive.scripted_model import Step
from tests.clients.running import RunningServer
from tests.clients.test_connect import pendesk
from tests.e2e.browser import chromium

SHA = "a" * 40
NEXT_TASK_TOKENS = 300
STEP_TOKENS = 500  # of what a day's short texts come to; the brief has the most, 336
PLANNED = {
    "name": "Harbour shop",
    "description": "People order charts of the harbour.",
    "tasks": [
        {"key": "buy", "label": "Buy the paper", "description": "80 g, A2."},
        {"key": "print", "label": "Print a sheet to try", "status": "backlog"},
    ],
    "edges": [{"from": "buy", "to": "print", "label": "blocks"}],
    "documents": [{"title": "Why", "body": "Sailors ask for charts.", "link_to": "print"}],
}
DRAFTED_SPEC = {
    "title": "Order a chart",
    "summary": "A sailor orders a chart and is told when it comes.",
    "results": ["An order has a number", "A parrot says hello"],
    "conditions": ["Prices include tax"],
    "boundaries": ["No returns"],
}
DRAFTED_PLAN = {
    "approach": "One table of orders, one form.",
    "actions": [
        {"key": "form", "label": "Take an order", "criteria": ["An order is stored", "Its number is shown"]},
        {"key": "parrot", "label": "Buy a parrot", "criteria": ["It speaks"]},
    ],
}
PLANNING = [
    step("scaffold_project_from_plan", **PLANNED),
    step("draft_spec", project_id="$1.pid", **DRAFTED_SPEC),
    step("get_draft", draft_id="$2.pid"),
    step("draft_plan", spec_id="$3.specId", **DRAFTED_PLAN),
    step("get_draft", draft_id="$4.pid"),
]
ABOUT = {"action_pid": "$3.task.refCode"}
BUILDING = [
    step("get_next_task", project_id="HS", take=True),
    step("update_task", task_id="$1.task.refCode", status="done"),
    step("get_next_task", project_id="HS", take=True),
    step("get_action_brief", **ABOUT),
    step("report_commit", sha=SHA, message="Take an order", branch="orders", **ABOUT),
    *(
        step(
            "report_test_result",
            criterion_id=f"$4.action.acceptanceCriteria.{place}.id",
            outcome="passed",
            evidence="4/4 in tests/test_orders.py",
            **ABOUT,
        )
        for place in range(2)
    ),
    step("submit_for_review", branch="orders", head_sha=SHA, summary="The form and the table.", **ABOUT),
]
TASKS_ALONE = [
    step("get_next_task", project_id="ERR", take=True),
    step("update_task", task_id="$1.task.refCode", status="done"),
    step("get_next_task", project_id="ERR", take=True),
    step("update_task", task_id="$3.task.refCode", status="done"),
    step("get_next_task", project_id="ERR"),
]


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    folder = tmp_path / "empty"
    folder.mkdir()
    subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
    return folder


@pytest.fixture(scope="module")
def tokens() -> Callable[[Any], int]:
    encode = Tokenizer.from_pretrained("o200k_base").encode
    return lambda value: len(encode(json.dumps(value, separators=(",", ":"), ensure_ascii=False)))


class Person:
    """Decides in the browser about what the client has drafted, before the client goes on."""

    def __init__(self, server: RunningServer) -> None:
        self.server = server

    def __call__(self, tool: str, answer: dict[str, Any]) -> None:
        if tool == "draft_spec":
            self._in_browser(
                lambda page: self._accept_without(page, answer["url"], "#item-results-2", "#item-boundaries-1")
            )
        elif tool == "draft_plan":
            self._in_browser(lambda page: self._accept_without_parrot_and_publish(page, answer))

    def _in_browser(self, act: Callable[[Page], None]) -> None:
        link = self.server.person("create_sign_in_link")["url"]
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
            page = browser.new_page()
            page.goto(link)
            page.get_by_role("button", name="Sign in to Pendesk").click()
            page.get_by_role("heading", name="Inbox", exact=True).wait_for()
            act(page)
            browser.close()

    def _accept_without(self, page: Page, url: str, *left_out: str) -> None:
        page.goto(url)
        for item in left_out:
            page.locator(f"{item} [data-select]").uncheck()
        page.get_by_role("button", name="Accept selected").click()
        expect(page.locator(".proposal-head")).to_contain_text("Partly accepted")

    def _accept_without_parrot_and_publish(self, page: Page, answer: dict[str, Any]) -> None:
        self._accept_without(page, answer["url"], "#item-a2")
        page.goto(f"{self.server.url}/specs/{answer['specId']}")
        page.get_by_role("link", name="Publish", exact=True).click()
        page.get_by_role("button", name="Publish B1").click()
        expect(page.get_by_text("B1").first).to_be_visible()


def check_costs(client: str, steps: list[Step], played: Played, tokens: Callable[[Any], int]) -> None:
    """Of each step what the model writes, with ids as the script has them, and what it reads; `pytest -s` shows it."""
    assert not [answer for answer in played.answers if "error" in answer]
    for planned, answer in zip(steps, played.answers, strict=True):
        print(f"{client} {planned.tool}: {tokens(planned.args)} written, {tokens(answer)} read")
        assert tokens(answer) <= (NEXT_TASK_TOKENS if planned.tool == "get_next_task" else STEP_TOKENS)


def test_a_day_of_planning_and_building(
    server: RunningServer, repo: Path, client: str, tokens: Callable[[Any], int], pendesk_on_path: None
):
    connected = json.loads(pendesk(server, repo, "connect", "--agent", client, "--tools", "plan", "--json"))
    planned = play_in(client, repo, PLANNING, Person(server))
    assert len(planned.tools) == connected["tools"]
    check_costs(client, PLANNING, planned, tokens)
    spec, plan = planned.answers[2], planned.answers[4]
    decisions = {item["text"]: item["decision"] for item in (*spec["items"], *plan["items"])}
    assert (decisions["An order has a number"], decisions["A parrot says hello"]) == ("accepted", "rejected")
    assert (decisions["Take an order"], decisions["Buy a parrot"]) == ("accepted", "rejected")

    pendesk(server, repo, "connect", "--agent", client, "--tools", "all", "--project", "HS")
    built = play_in(client, repo, BUILDING)
    check_costs(client, BUILDING, built, tokens)
    brief, submitted = built.answers[3], built.answers[-1]
    criteria = brief["action"]["acceptanceCriteria"]
    assert brief["spec"]["results"] == ["An order has a number"]
    assert [criterion["text"] for criterion in criteria] == ["An order is stored", "Its number is shown"]
    assert submitted["status"] == "in-review"
    verdicts = [{"criterionId": criterion["id"], "verdict": "confirmed"} for criterion in criteria]
    # Its commit names no criterion, which the reviewer accepts.
    deviations = server.person("get_review", action_id=submitted["refCode"])["deviations"]
    accepted = [deviation["id"] for deviation in deviations]
    server.person("accept_deviations", action_id=submitted["refCode"], deviation_ids=accepted)
    approval = {"verdict": "approved", "summary": "Good.", "verdicts": verdicts}
    approved = server.person("review_action", action_pid=submitted["refCode"], **approval)
    assert approved["status"] == "complete"


def test_a_project_of_tasks_alone_is_taken_and_finished(
    server: RunningServer, repo: Path, client: str, tokens: Callable[[Any], int], pendesk_on_path: None
):
    server.person("create_project", name="Errands", key="ERR")
    for label in ("Buy stamps", "Post the letters"):
        server.person("create_task", project_id="ERR", label=label)
    server.person("create_edge", project_id="ERR", from_task_id="ERR-1", to_task_id="ERR-2", label="blocks")
    pendesk(server, repo, "connect", "--agent", client, "--tools", "plan", "--project", "ERR")
    played = play_in(client, repo, TASKS_ALONE)
    check_costs(client, TASKS_ALONE, played, tokens)
    first, _, second, _, last = played.answers
    assert (first["task"]["refCode"], second["task"]["refCode"]) == ("ERR-1", "ERR-2")
    assert (last["task"], last["reason"]) == (None, "no_todo_tasks")
    assert server.person("get_project", project_id="ERR")["counts"] == {"done": 2}
