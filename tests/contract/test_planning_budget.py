"""What a planning agent pays in tokens: for all tools together, and for any answer, whatever people wrote."""

import re
from functools import cache

import pytest
from splintr import Tokenizer

from pendesk.clock import now_us
from pendesk.domain.limits import MESSAGE_CHARS, PASSAGE_CHARS, SCAFFOLD_TASKS, TEXT_CHARS
from pendesk.operations.operation import encode_json
from pendesk.operations.registry import DESK, DRAFTING, TOOLS
from pendesk.store.engine.migrate import migrate
from pendesk.store.engine.sqlite import SqliteStore
from pendesk.transports.mcp.tools import describe_tool
from tests.contract.test_token_budget import ONE_LINE, WRITERS
from tests.desk import TestDesk
from tests.guest_requests import guest_item

TOOLS_TOKENS = 8_800
# The 27 planning tools and the four reading tools beside them.
DESK_TOKENS = 4_800
DRAFTING_TOKENS = 900
RESULT_TOKENS = 8_000
NEXT_TASK_TOKENS = 300
ROWS = 40
ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


@pytest.fixture(scope="module")
def count():
    """The same for the same answer: ids, which are drawn, take a few tokens more or less."""
    encode = Tokenizer.from_pretrained("o200k_base").encode
    return lambda value: len(encode(ID.sub("01a1e9af-ffea-7b49-a9fd-f6ea9d8a1186", encode_json(value).decode())))


def test_all_tools_fit_beside_the_work(count):
    for operations, most in ((TOOLS, TOOLS_TOKENS), (DESK, DESK_TOKENS), (DRAFTING, DRAFTING_TOKENS)):
        tools = map(describe_tool, operations)
        shown = [{name: tool[name] for name in ("name", "description", "inputSchema")} for tool in tools]
        assert sum(map(count, shown)) <= most


@pytest.mark.parametrize("take", [False, True])
async def test_the_next_task_is_short(count, tmp_path, take):
    """As people write: labels of ten words, a paragraph to each, and much that waits."""
    migrate(tmp_path / "pendesk.db", None)
    store = SqliteStore(tmp_path / "pendesk.db", now_us)
    desk = await TestDesk(store, now_us).open()  # type: ignore[arg-type]
    agent = (await desk.person("Ada"))._replace(via="mcp")
    await desk.call(agent, "create_project", name="Shop", key="PEN")
    text = "Each order has lines, a customer and a state; write the migration, the queries and their tests. " * 9
    for number in range(1, 31):
        label = f"Add the table of orders with its indexes, part {number}"
        fields = {"priority": "high", "due": "2027-01-20", "assignee": "me", "description": text}
        await desk.call(agent, "create_task", project_id="PEN", label=label, **fields)
        if number > 1:
            await desk.call(agent, "create_edge", project_id="PEN", from_task_id="PEN-1", to_task_id=f"PEN-{number}")
    assert count(await desk.call(agent, "get_next_task", project_id="PEN", take=take)) <= NEXT_TASK_TOKENS
    await store.close()


class Heavy:
    """A project in which every text and list is as long as it may be, and an agent who reads it."""

    def __init__(self, desk, write):
        self.desk = desk
        self.write = cache(write)

    def text(self, chars):
        return self.write(chars)[: chars - 1] + "."

    def line(self, chars):
        return ONE_LINE.sub(" ", self.text(chars))

    async def call(self, operation, **arguments):
        return await self.desk.call(self.agent, operation, **arguments)

    async def fill(self):
        self.owner = await self.desk.person(self.line(100))
        self.agent = self.owner._replace(via="mcp")
        made = await self.call("create_project", name=self.line(100), key="PEN", description=self.text(TEXT_CHARS))
        self.project = {"project_id": made["pid"]}
        body = self.text(TEXT_CHARS)
        self.document = await self.call("create_document", title=self.line(200), body=body, **self.project)
        self.note = await self.call("create_note", title=self.line(200), body=body, **self.project)
        for _ in range(20):
            await self.desk.call(self.owner, "create_goal", title=self.line(200), description=body, **self.project)
        for _ in range(ROWS):
            await self._row()
        for number in range(2, ROWS):
            edge = {"from_task_id": f"PEN-{number}", "to_task_id": f"PEN-{number + 1}", **self.project}
            await self.call("create_edge", style=self.line(100), **edge)
        return self

    async def _row(self):
        title, message = {"title": self.line(200)}, self.text(MESSAGE_CHARS)
        await self.call("create_project", name=self.line(100), description=message)
        await self.call("create_task", label=self.line(200), description=self.text(TEXT_CHARS), **self.project)
        parent = {"parent_id": self.document["pid"], "linked_task_id": "PEN-1"}
        await self.call("create_document", status_line=self.line(200), **title, **parent, **self.project)
        await self.call("create_note", **title, **self.project)
        passage = self.text(TEXT_CHARS)[: PASSAGE_CHARS - 1]
        await self.call("add_comment", document_id=self.document["pid"], body=message, passage=passage)
        run = await self.call(
            "start_agent_run", label=self.line(200), task_id="PEN-1", model=self.line(100), **self.project
        )
        await self.call("complete_agent_run", run_id=run["pid"], status="failed", result=message)
        self.item = await guest_item(self.desk, self.project["project_id"], message, self.line(100))


@pytest.fixture(scope="module", params=["english", "cuneiform"])
async def heavy(request, tmp_path_factory):
    path = tmp_path_factory.mktemp("heavy") / "pendesk.db"
    migrate(path, None)
    store = SqliteStore(path, now_us)
    yield await Heavy(await TestDesk(store, now_us).open(), WRITERS[request.param]).fill()  # type: ignore[arg-type]
    await store.close()


@pytest.mark.parametrize(
    ("tool", "rows", "least"),
    [
        ("list_projects", "projects", ROWS + 1),
        ("list_documents", "documents", ROWS + 1),
        ("list_notes", "notes", ROWS + 1),
        ("list_comments", "comments", ROWS),
        ("list_submissions", "submissions", ROWS),
        ("get_project", "tasks", ROWS),
        ("list_tasks", "tasks", ROWS),
    ],
)
async def test_lists_come_in_pages_that_fit(heavy, count, tool, rows, least):
    project = {} if tool == "list_projects" else heavy.project
    seen: list[str] = []
    cursor = None
    while cursor is not None or not seen:
        page = await heavy.call(tool, **project, **({"cursor": cursor} if cursor else {}))
        assert count(page) <= RESULT_TOKENS
        seen += [row.get("pid") or row["refCode"] for row in page[rows]]
        assert not [place for place in page.get("cut", []) if place.startswith(f"{rows}:")]
        cursor = page.get("nextCursor")
    assert len(seen) == len(set(seen)) >= least


async def test_long_texts_are_read_to_their_end_in_parts_that_fit(heavy, count):
    for tool, field, about in (
        ("get_document", "body", {"document_id": heavy.document["pid"]}),
        ("get_note", "body", {"note_id": heavy.note["pid"]}),
        ("get_project", "description", heavy.project),
        ("get_task", "description", {"task_id": "PEN-1"}),
    ):
        first = await heavy.call(tool, **about)
        assert count(first) <= RESULT_TOKENS
        read = first[field].removesuffix("…")
        place = next(each for each in first["cut"] if each.startswith(f"{field}:"))
        while place is not None:
            part = await heavy.call(tool, rest=place, **about)
            assert count(part) <= RESULT_TOKENS
            read += part["rest"]["text"]
            place = part["rest"].get("next")
        assert read == heavy.text(TEXT_CHARS)


async def test_what_is_next_fits(heavy, count):
    told = await heavy.call("get_next_task", **heavy.project)
    assert (told["reason"], told["blockedCount"]) == ("ok", ROWS - 2)
    assert count(told) <= RESULT_TOKENS


async def test_answers_to_writes_fit(heavy, count):
    body = heavy.text(TEXT_CHARS)[::-1]
    written = {"document_id": heavy.document["pid"], "title": "Other", "body": body, "expected_revision": 1}
    for told in (
        await heavy.call("update_document", **written),
        await heavy.call("update_note", note_id=heavy.note["pid"], body=body, expected_revision=1),
        await heavy.call("update_task", task_id="PEN-2", description=body),
        await heavy.call("triage_submission", submission_id=heavy.item, action="accept"),
        await heavy.call("record_agent_progress", run_id=await run(heavy), message=heavy.text(MESSAGE_CHARS)),
    ):
        assert count(told) <= RESULT_TOKENS


async def run(heavy):
    return (await heavy.call("start_agent_run", label=heavy.line(200), **heavy.project))["pid"]


async def test_the_ids_of_the_largest_plan_fit(heavy, count):
    tasks = [{"key": f"a-key-as-agents-choose-them-{number}", "label": "x"} for number in range(SCAFFOLD_TASKS)]
    assert count(await heavy.call("scaffold_project_from_plan", name="Large", tasks=tasks)) <= RESULT_TOKENS


async def test_a_comment_that_alone_is_too_long_can_be_read_on(heavy, count):
    page = await heavy.call("list_comments", **heavy.project)
    body = page["comments"][0]["untrusted"]["body"]
    place = next((each for each in page.get("cut", []) if each.startswith("comments.0.untrusted.body:")), None)
    while place is not None:
        part = await heavy.call("list_comments", rest=place, **heavy.project)
        assert count(part) <= RESULT_TOKENS
        body = body.removesuffix("…") + part["rest"]["text"]
        place = part["rest"].get("next")
    assert body == heavy.text(MESSAGE_CHARS)


async def test_what_is_found_fits(heavy, count):
    answer = await heavy.call("search", query=heavy.line(200)[:3], **heavy.project)
    assert answer["results"]
    assert count(answer) <= RESULT_TOKENS


# What a call costs in a project as people have them: 30 tasks with labels of five words, a text of two sentences.
ANSWER_TOKENS = {
    "list_projects": 130,
    "get_project": 1_570,
    "get_next_task": 300,
    "list_tasks": 900,
    "get_task": 250,
    "search": 335,
    "create_task": 170,
    "update_task": 170,
    "create_edge": 200,
    "remove_edge": 200,
    "create_document": 160,
    "update_document": 160,
    "get_document": 160,
    "list_documents": 90,
    "create_note": 140,
    "update_note": 140,
    "get_note": 140,
    "list_notes": 70,
    "add_comment": 120,
    "list_comments": 150,
    "resolve_comment": 150,
    "start_agent_run": 160,
    "record_agent_progress": 160,
    "complete_agent_run": 190,
    "list_submissions": 150,
    "triage_submission": 380,
    "create_project": 120,
    "scaffold_project_from_plan": 1_050,
}
USUAL_TEXT = "The form says what is wrong with an address. Nothing is sent before it is right."


class Usual:
    """A project of ordinary size, used once by an agent with every planning tool."""

    def __init__(self, desk):
        self.desk = desk
        self.answers = {}

    async def call(self, operation, **arguments):
        answer = await self.desk.call(self.agent, operation, **arguments)
        self.answers[operation] = answer
        return answer

    async def plan(self):
        self.agent = (await self.desk.person("Ada Lovelace"))._replace(via="mcp")
        tasks = [{"key": f"task-{number}", "label": "Show errors beside the fields"} for number in range(1, 31)]
        edges = [{"from": f"task-{number}", "to": f"task-{number + 1}"} for number in range(10, 20)]
        more = {"tasks": tasks, "edges": edges, "description": USUAL_TEXT}
        created = await self.call("scaffold_project_from_plan", name="Harbour", **more)
        self.project, self.key = {"project_id": created["key"]}, created["key"]
        await self.call("create_project", name="Other", description=USUAL_TEXT)
        fields = {"assignee": "me", "due": "2026-12-01", "labels": ["bug", "frontend"], "priority": "high"}
        await self.call(
            "create_task", label="Show errors beside the fields", description=USUAL_TEXT, **fields, **self.project
        )
        await self.call("update_task", task_id=f"{self.key}-31", status="backlog")
        edge = await self.call("create_edge", from_task_id=f"{self.key}-9", to_task_id=f"{self.key}-31", **self.project)
        await self.call("get_task", task_id=f"{self.key}-31")
        await self.call("remove_edge", edge_id=edge["pid"])

    async def write(self):
        text = {"title": "Why the form is so", "body": USUAL_TEXT}
        document = {"document_id": (await self.call("create_document", **text, **self.project))["pid"]}
        await self.call("update_document", body=USUAL_TEXT + " Ever.", expected_revision=1, **document)
        await self.call("get_document", **document)
        note = {"note_id": (await self.call("create_note", **text, **self.project))["pid"]}
        await self.call("update_note", body=USUAL_TEXT + " Ever.", expected_revision=1, **note)
        await self.call("get_note", **note)
        comment = await self.call("add_comment", body="Is it?", passage="is right", **document)
        await self.call("list_comments", **self.project)
        await self.call("resolve_comment", comment_id=comment["pid"])
        run = {"run_id": (await self.call("start_agent_run", task_id=f"{self.key}-1", **self.project))["pid"]}
        await self.call("record_agent_progress", message="Began with the form.", **run)
        await self.call("complete_agent_run", status="completed", tokens=9_000, cost=0.25, **run)

    async def read(self):
        pid = (await self.desk.call(self.agent, "get_project", **self.project))["pid"]
        item = await guest_item(self.desk, pid, USUAL_TEXT, "A skipper")
        for tool in ("list_projects", "search"):
            await self.call(tool, **({"query": "errors"} if tool == "search" else {}))
        for tool in ("get_project", "get_next_task", "list_tasks", "list_documents", "list_notes", "list_submissions"):
            await self.call(tool, **self.project)
        await self.call("triage_submission", submission_id=item, action="accept")


async def test_what_a_usual_call_costs(desk, count):
    usual = Usual(desk)
    await usual.plan()
    await usual.write()
    await usual.read()
    costs = {tool: count(answer) for tool, answer in usual.answers.items()}
    assert costs.keys() == ANSWER_TOKENS.keys()
    assert {tool: cost for tool, cost in costs.items() if cost > ANSWER_TOKENS[tool]} == {}
