"""What an agent pays in tokens: for the tools, for a row of a list, and for any answer, whatever people wrote.

Counted with o200k, which the tokenizers of today's models are close to. docs/reference/token-budget.md has the numbers.
"""

import random
import re
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from splintr import Tokenizer

from pendesk.clock import now_us
from pendesk.domain.access import ALL_SCOPES, Actor
from pendesk.operations.operation import encode_json
from pendesk.operations.registry import BUILDING, TOOLS
from pendesk.operations.truncate import estimate_token_upper_bound, truncate_json_to_token_limit
from pendesk.store.engine.migrate import migrate
from pendesk.store.engine.sqlite import SqliteStore
from pendesk.transports.mcp.prompts import instructions_for_scopes
from pendesk.transports.mcp.tools import describe_tool
from tests.desk import TestDesk

TOOLS_TOKENS = 3_200
# All of tools/list, output schemas too, by the rule of thumb of four characters to a token: as much for each of 47
# tools as when there were 40 (14,800), and a little for the lengths that stand in their inputs since, and for what a
# submission says of a spec's commands and hears of deviations, for whose words they are, and for what comments are on.
LIST_CHARS = 4 * 18_300
# Claude Code cuts what is longer.
INSTRUCTIONS_CHARS = 2_000
RESULT_TOKENS = 8_000
ROW_TOKENS = 65

Writer = Callable[[int], str]


@pytest.fixture(scope="module")
def count() -> Callable[[Any], int]:
    encode = Tokenizer.from_pretrained("o200k_base").encode

    def tokens(value: Any) -> int:
        return len(encode(value if isinstance(value, str) else encode_json(value).decode()))

    return tokens


def shown(part: str) -> list[Any]:
    return [{name: tool[name] for name in part.split()} for tool in map(describe_tool, BUILDING)]


def test_the_tools_fit_beside_the_work(count):
    assert sum(count(tool) for tool in shown("name description inputSchema")) <= TOOLS_TOKENS


def test_the_whole_list_of_tools_fits_beside_the_work():
    assert len(encode_json({"tools": [describe_tool(operation) for operation in TOOLS]}).decode()) <= LIST_CHARS


def test_the_instructions_reach_the_model_whole():
    assert len(instructions_for_scopes(ALL_SCOPES)) <= INSTRUCTIONS_CHARS


# Texts as people write them, and as nobody does.


def english(chars: int) -> str:
    words = (
        "the reviewer confirms each criterion after reading its evidence; a claim that expired may be taken again "
        "`report_commit` needs a full SHA (40 hex digits), e.g. 9fceb02d0ae598e95dc970b74767f19372d61af8.\n\n- And: "
    )
    return (words * (chars // len(words) + 1))[:chars]


def made_of(alphabet: str) -> Writer:
    def write(chars: int) -> str:
        return "".join(random.Random(chars).choices(alphabet, k=chars))

    return write


def between(first: int, last: int) -> Writer:
    return made_of("".join(map(chr, range(first, last + 1))))


WRITERS: dict[str, Writer] = {
    "english": english,
    "random letters": made_of("abcdefghijklmnopqrstuvwxyz "),
    "base64": made_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/"),
    "punctuation": made_of("!@#$%^&*()-_=+[]{};:'\",.<>/?\\|`~\n\t"),
    "short lines": made_of("a1 \n"),
    "chinese": between(0x4E00, 0x9FFF),
    "russian": made_of("абвгдежзийклмнопрстуфхцчшщыьэюя "),
    "emoji": between(0x1F300, 0x1F6FF),
    "cuneiform": between(0x12000, 0x12399),
    "ethiopic": between(0x1200, 0x137C),
    "accents": made_of("abcde\u0301\u0302\u0315\u0323\u0327"),
}
ONE_LINE = re.compile(r"[\r\n\t]")


@pytest.mark.parametrize("kind", WRITERS)
def test_our_count_is_an_upper_bound(count, kind):
    text = WRITERS[kind](20_000)
    assert count([text]) <= estimate_token_upper_bound(encode_json([text])) * 1.05


class Heavy:
    """A workspace in which every text and list is as long as it may be."""

    def __init__(self, desk: TestDesk, write: Writer, specs: int) -> None:
        self.desk = desk
        self.write = write
        self.specs = specs

    def text(self, chars: int) -> str:
        return self.write(chars)[: chars - 1] + "."

    def line(self, chars: int) -> str:
        return ONE_LINE.sub(" ", self.text(chars))

    async def fill(self) -> "Heavy":
        self.owner = await self.desk.person("Owner")
        self.agent = await self.desk.person("Agent")
        self.first = await self.desk.person("First")
        await self._many_specs()
        await self._one_spec()
        return self

    async def call(self, actor: Actor, operation: str, **arguments: Any) -> dict[str, Any]:
        """As the MCP endpoint answers it."""
        answer = await self.desk.dispatcher.call(actor, operation, arguments)
        told: dict[str, Any] = msgspec.json.decode(truncate_json_to_token_limit(encode_json(answer)))
        return told

    async def _spec(self, **texts: Any) -> str:
        made = await self.call(self.owner, "create_spec", project_id=self.project, title=self.line(200), **texts)
        for person in (self.agent, self.first):
            await self.call(self.owner, "add_participant", spec_id=made["pid"], user_id=person.user_id)
        pid: str = made["pid"]
        return pid

    async def _many_specs(self) -> None:
        self.project = (await self.call(self.owner, "create_project", name="Heavy"))["pid"]
        for _ in range(self.specs):
            spec = await self._spec(summary=self.text(1000))
            plan = (await self.call(self.owner, "create_plan", spec_id=spec, title="Plan"))["pid"]
            for _ in range(3):
                await self._action(plan, criteria=[self.text(100)])
            await self.call(self.owner, "publish_build", spec_id=spec)

    async def _action(self, plan: str, **texts: Any) -> dict[str, Any]:
        area = self.line(40).strip() or "area"
        return await self.call(self.owner, "create_action", plan_id=plan, label=self.line(200), area=area, **texts)

    async def _one_spec(self) -> None:
        lines = [self.text(2000)] * 50
        self.spec = await self._spec(summary=self.text(100_000), results=lines, conditions=lines, boundaries=lines)
        self.approach = self.text(100_000)
        made = await self.call(self.owner, "create_plan", spec_id=self.spec, title="Plan", approach=self.approach)
        self.plan = made["pid"]
        texts = {"description": self.text(100_000), "criteria": lines, "paths": [self.line(250)] * 50}
        self.action = (await self._action(self.plan, **texts))["pid"]
        for _ in range(3):
            await self._action(self.plan, **texts)
        for _ in range(56):
            await self._action(self.plan, criteria=[self.text(100)])
        await self.call(self.owner, "publish_build", spec_id=self.spec)

    async def build(self) -> None:
        """One holder gave it back, the next asks, hands in, is sent back, and the plan is published again."""
        about = {"action_pid": self.action}
        await self.call(self.first, "claim_action", **about)
        for number in range(25):
            await self.call(self.first, "report_commit", sha=f"{number:040x}", message=self.line(4000), **about)
        await self.call(self.first, "update_progress", status="started", message=self.text(4000), **about)
        await self.call(self.first, "release_action", **about)
        await self.call(self.agent, "claim_action", **about)
        brief = await self.call(self.agent, "get_action_brief", **about)
        self.asked = [
            await self.call(self.agent, "request_clarification", question=self.text(4000), **about) for _ in range(12)
        ]
        for one in self.asked:
            answer = self.text(4000)
            await self.call(self.owner, "answer_question", clarification_pid=one["pid"], answer=answer)
        self.submitted = await self.call(
            self.agent, "submit_for_review", pr_url="https://git.example.com/1", summary=self.text(4000), **about
        )
        items = [{"text": f"{number} {self.text(3900)}"} for number in range(50)]
        await self.call(
            self.owner, "review_action", verdict="changes_requested", summary=self.text(4000), items=items, **about
        )
        await self.call(self.owner, "update_plan", plan_id=self.plan, approach=self.approach[::-1])
        await self.call(self.owner, "update_spec", spec_id=self.spec, summary="Short.", results=["One."])
        await self.call(self.owner, "publish_build", spec_id=self.spec)
        self.approach = self.approach[::-1]
        assert brief["briefRev"]


@pytest.fixture(scope="module", params=["english", "random letters", "chinese", "cuneiform"])
async def heavy(request, tmp_path_factory):
    path = tmp_path_factory.mktemp("heavy") / "pendesk.db"
    migrate(path, None)
    store = SqliteStore(path, now_us)
    desk = await TestDesk(store, now_us).open()  # type: ignore[arg-type]
    yield await Heavy(desk, WRITERS[request.param], 300 if request.param == "english" else 20).fill()
    await store.close()


async def test_a_list_of_many_specs_comes_in_pages_that_fit(heavy, count):
    seen: list[str] = []
    cursor = None
    while cursor is not None or not seen:
        page = await heavy.call(heavy.agent, "list_available_specs", **({"cursor": cursor} if cursor else {}))
        assert count(page) <= RESULT_TOKENS
        seen += [spec["pid"] for spec in page["specs"]]
        cursor = page.get("nextCursor")
    assert len(seen) == len(set(seen)) == heavy.specs + 1


async def read_on(heavy: Heavy, count: Any, tool: str, place: str | None, **arguments: Any) -> list[dict[str, Any]]:
    parts = []
    while place is not None:
        answer = await heavy.call(heavy.agent, tool, rest=place, **arguments)
        assert count(answer) <= RESULT_TOKENS
        parts.append(answer["rest"])
        place = answer["rest"].get("next")
    return parts


async def test_the_longest_brief_fits_and_can_be_read_to_its_end(heavy, count):
    await heavy.build()
    about = {"action_pid": heavy.action}
    assert heavy.submitted["news"]
    assert count(heavy.submitted) <= RESULT_TOKENS
    assert max(map(count, heavy.asked)) <= RESULT_TOKENS

    brief = await heavy.call(heavy.agent, "get_action_brief", **about)
    assert count(brief) <= RESULT_TOKENS
    assert "rest" in brief["readOn"]
    assert brief["changes"]
    cut = {place.split(":")[0]: place for place in brief["cut"]}
    assert {"plan.approach", "action.description", "review.items", "action.acceptanceCriteria"} <= set(cut)

    approach = brief["plan"]["approach"].removesuffix("…")
    parts = await read_on(heavy, count, "get_action_brief", cut["plan.approach"], **about)
    assert approach + "".join(part["text"] for part in parts) == heavy.approach

    items = [item["text"].split()[0] for item in brief["review"]["items"]]
    for part in await read_on(heavy, count, "get_action_brief", cut["review.items"], **about):
        items += [item["text"].split()[0] for item in part["items"]]
    assert items == [str(number) for number in range(50)]


async def test_the_longest_spec_fits_and_its_actions_come_in_pages(heavy, count):
    seen, cursor = 0, None
    while cursor is not None or not seen:
        page = await heavy.call(heavy.agent, "get_spec", spec_pid=heavy.spec, **({"cursor": cursor} if cursor else {}))
        assert count(page) <= RESULT_TOKENS
        given = len(page["actions"])
        places = [place for place in page.get("cut", []) if place.split(":")[0] == "actions"]
        for place in places:
            arguments = {"spec_pid": heavy.spec, **({"cursor": cursor} if cursor else {})}
            for part in await read_on(heavy, count, "get_spec", place, **arguments):
                given += len(part["items"])
        seen += given
        cursor = page.get("nextCursor")
    assert seen == 60


async def test_a_place_that_was_not_cut_is_refused(heavy):
    for place in ("", "nonsense", "plan", "plan:0", "action.pid:99", "spec.results.99:0", "review.items:-1"):
        with pytest.raises(Exception, match="rest"):
            await heavy.call(heavy.agent, "get_action_brief", action_pid=heavy.action, rest=place)


async def test_a_row_of_the_list(count):
    row = {
        "pid": "01a1dea7-fa68-7692-8b00-c2f5c5f0a0d9",
        "refCode": "PEN-12",
        "label": "Show errors beside the fields",
        "area": "frontend",
        "status": "not-started",
        "claimedBy": None,
    }
    assert count(row) <= ROW_TOKENS
