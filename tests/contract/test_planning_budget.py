"""What a planning agent pays in tokens: for all tools together, and for any answer, whatever people wrote."""

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

TOOLS_TOKENS = 8_500
# What 27 may take beside the 13.
DESK_TOKENS = 4_500
DRAFTING_TOKENS = 900
RESULT_TOKENS = 8_000
ROWS = 40


@pytest.fixture(scope="module")
def count():
    encode = Tokenizer.from_pretrained("o200k_base").encode
    return lambda value: len(encode(encode_json(value).decode()))


def test_all_tools_fit_beside_the_work(count):
    for operations, most in ((TOOLS, TOOLS_TOKENS), (DESK, DESK_TOKENS), (DRAFTING, DRAFTING_TOKENS)):
        tools = map(describe_tool, operations)
        shown = [{name: tool[name] for name in ("name", "description", "inputSchema")} for tool in tools]
        assert sum(map(count, shown)) <= most


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
    ],
)
async def test_lists_come_in_pages_that_fit(heavy, count, tool, rows, least):
    project = {} if tool == "list_projects" else heavy.project
    seen: list[str] = []
    cursor = None
    while cursor is not None or not seen:
        page = await heavy.call(tool, **project, **({"cursor": cursor} if cursor else {}))
        assert count(page) <= RESULT_TOKENS
        seen += [one["pid"] for one in page[rows]]
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
