"""The examples of answers in the OpenAPI description, out of a real run: `make answers` writes them.

One project lives through everything on a real store, over the routes themselves. Only what differs from run to run is
put in its place: ids are numbered, secrets cut short. tests/contract/test_answers.py runs it again and compares.
"""

import asyncio
import json
import re
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx

from pendesk.domain.access import ALL_SCOPES, Actor, Role
from pendesk.domain.limits import Limits
from pendesk.domain.session_activity import HookEvent, Step
from pendesk.feed.feed import Feed
from pendesk.main import create_app
from pendesk.operations.registry import BUILDING, OPERATIONS
from pendesk.operations.sessions import save_steps
from pendesk.operations.sessions.save_steps import StepBatch
from pendesk.operations.sessions.step_buffer import StepBuffer
from pendesk.settings import load
from pendesk.store.engine.migrate import migrate
from pendesk.store.engine.sqlite import SqliteStore
from pendesk.store.files import Files
from pendesk.transports.metrics import Metrics
from pendesk.transports.rest.examples import ANSWERS_FILE, BODIES
from pendesk.transports.rest.routes import BASE, TABLE
from pendesk.transports.service import Service
from tests.callers import start_session
from tests.contract.shapes import example
from tests.desk import MINUTE, HandClock, TestDesk
from tests.diffs import modified, packed
from tests.guest_requests import guest_item

ROUTES = {row.operation: row for row in TABLE}
BUILDING_NAMES = {operation.name for operation in BUILDING} | {
    "upload_test_report",
    "attach_evidence",
    "push_change",
    "get_context",
}
# Another server is needed for these.
UNTOLD = {"publish_project", "sync_push", "sync_pull", "fetch_change", "set_github_token", "remove_github_token"}
REPOSITORY = "https://github.com/example/harbour"
SHA = BODIES["report_commit"]["sha"]
NUMBERED = "01a1ded5-7a10-7000-8000-{:012x}"
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}")
_SECRETS = [
    (re.compile(r"(pendesk_[a-z]+_)[A-Za-z0-9]{20,}"), r"\1..."),
    (re.compile(r"(whsec_)[\w+/=-]+"), r"\1..."),
    (re.compile(r"((?:code|signature)=)[\w-]+"), r"\1..."),
    (re.compile(r'("(?:secret|briefRev)": ")[0-9a-f]{16,}'), r"\1..."),
]


class Teller:
    """Calls routes and keeps the first good answer of each. Every call is a minute after the one before."""

    def __init__(self, desk: TestDesk, http: httpx.AsyncClient) -> None:
        self.desk = desk
        self.http = http
        self.session = self.token = self.owner_id = ""
        self.told: dict[str, Any] = {}

    async def ask(self, operation: str, **fields: Any) -> Any:
        """The example of a body is sent as it stands, but for the fields given here; None leaves one out."""
        row = ROUTES[operation]
        self.desk.clock.forward(MINUTE)
        content = fields.pop("content", None)
        asked = {**BODIES.get(operation, {}), **fields}
        rest = {name: v for name, v in asked.items() if f"{{{name}}}" not in row.path and v is not None}
        sent = {"params": rest, "content": content} if row.method in ("GET", "DELETE") or content else {"json": rest}
        headers = self._credential(operation)
        answer = await self.http.request(row.method, BASE + row.path.format(**asked), headers=headers, **sent)
        assert answer.status_code == row.status, f"{operation}: {answer.status_code} {answer.text}"
        told = answer.json()
        self.told.setdefault(operation, told)
        return told

    def _credential(self, operation: str) -> dict[str, str]:
        """The agent builds, with its token; everything else is done by the owner, who is signed in."""
        if operation in BUILDING_NAMES:
            marks = {
                "user-agent": "claude-code/2.1.325 (cli)",
                "x-pendesk-process": "1",
                "x-pendesk-machine": "ada-laptop",
            }
            return {"authorization": f"Bearer {self.token}", **marks}
        return {"sec-fetch-site": "same-origin", "cookie": f"pendesk_session={self.session}"}


async def tell(folder: Path) -> dict[str, Any]:
    """Operation -> an answer of its route."""
    async with _served(folder) as teller:
        await _plan(teller)
        await _build(teller)
        await _steer(teller)
        await _write(teller)
        await _draft(teller)
        await _keep_house(teller)
        await _look(teller)
        await _others(teller)
        return _steady(dict(sorted(teller.told.items())))


@asynccontextmanager
async def _served(folder: Path) -> AsyncIterator[Teller]:
    migrate(folder / "pendesk.db", None)
    clock = HandClock()
    store = SqliteStore(folder / "pendesk.db", clock)
    desk = await TestDesk(store, clock, Limits(requests_per_minute=10_000)).open("Harbour & Sons")
    files = Files(folder / "files")
    desk.installation = desk.dispatcher.installation = desk.installation._replace(files=files)
    settings = load(data_folder=str(folder), options={}, environ={})
    service = Service(
        settings, desk.installation, desk.dispatcher, files, Metrics(), Feed(store), StepBuffer(has_peers=False)
    )
    transport = httpx.ASGITransport(create_app(service), client=("127.0.0.1", 1))
    async with httpx.AsyncClient(transport=transport, base_url=desk.installation.public_url) as http:
        teller = Teller(desk, http)
        ada = await desk.person("Ada", Role.OWNER)
        teller.owner_id = ada.user_id
        link = await desk.call(ada, "create_sign_in_link")
        code = link["url"].partition("code=")[2]
        teller.session = await start_session(desk.dispatcher, code, "Firefox") or ""
        yield teller
    await store.close()


async def _plan(teller: Teller) -> None:
    """A project with a published spec of two actions, and an agent that takes part in it."""
    ask = teller.ask
    await ask("get_first_steps")
    await ask("propose_key", name="Harbour traffic control")
    await ask("create_project", repository_url=REPOSITORY)
    agent = await ask("create_user", name="builder-1", kind="agent", email=None)
    made = await ask("create_token", user_pid=agent["userId"], scopes=["specs.read", "builds.write"])
    teller.token = made["token"]
    goal = (await ask("create_goal", project_id="HRB"))["pid"]
    await ask("update_goal", goal_id=goal)
    spec = (await ask("create_spec", project_id="HRB", goal_id=goal))["pid"]
    await ask("add_participant", spec_id=spec, user_id=agent["userId"])
    plan = (await ask("create_plan", spec_id=spec))["pid"]
    await ask("activate_plan", plan_id=plan)
    await ask("create_action", project_id="HRB", plan_id=plan)
    await ask("create_action", project_id="HRB", plan_id=plan, label="Print the tides", prerequisites=["HRB-1"])
    other = (await ask("create_plan", spec_id=spec, title="By hand"))["pid"]
    await ask("create_action", project_id="HRB", plan_id=other, label="Show the wind")
    await ask("move_action", action_id="HRB-3", plan_id=plan)
    await ask("order_actions", plan_id=plan, action_ids=["HRB-1", "HRB-2", "HRB-3"])
    added = await ask("create_criterion", action_id="HRB-1", text="Times are in UTC")
    criteria = [one["id"] for one in added["criteria"]]
    await ask("update_criterion", criterion_id=criteria[0])
    await ask("order_criteria", action_id="HRB-1", criterion_ids=criteria)
    await ask("update_action", action_id="HRB-1", paths=["src/tides/**"])
    await ask("preview_build", spec_id=spec)
    chart = {"content": b"\x89PNG tides", "spec_pid": spec, "name": "chart.png", "media_type": "image/png"}
    await ask("put_attachment", **chart)
    await ask("publish_build", spec_id=spec)
    await ask("update_spec", spec_id=spec)
    await ask("update_plan", plan_id=plan)
    await ask("publish_build", spec_id=spec)
    await ask("preview_brief", action_id="HRB-1")
    await ask("compare_builds", spec_id=spec, from_build=1, to_build=2)
    await ask("list_builds", spec_id=spec)
    await ask("get_spec_draft", spec_id=spec)
    await ask("compare_revisions", object_id=spec, from_revision=1)
    await ask("list_revisions", object_id=spec)
    await ask("restore_revision", object_id=spec, revision=1)


async def _build(teller: Teller) -> None:
    """The agent does HRB-1, is sent back once, and is done the second time."""
    ask, it = teller.ask, {"action_pid": "HRB-1"}
    found = await ask("list_available_specs")
    told = await ask("get_spec", spec_pid=found["specs"][0]["pid"])
    await ask("get_attachment_url", attachment_pid=told["attachments"][0]["pid"])
    await ask("claim_action", **it)
    await ask("release_action", **it)
    await ask("claim_action", **it)
    brief = await ask("get_action_brief", **it)
    first, second = (one["id"] for one in brief["action"]["acceptanceCriteria"])
    await ask("get_context")
    await ask("update_progress", **it)
    question = await ask("request_clarification", **it)
    await ask("get_inbox")
    await ask("answer_question", clarification_pid=question["pid"])
    await ask("get_clarification", clarification_pid=question["pid"])
    other = await ask("request_clarification", question="Metres or feet?", **it)
    await ask("answer_clarification", clarification_pid=other["pid"], answer="Metres.")
    await ask("report_commit", criterion_ids=[first], **it)
    await ask("report_test_result", criterion_id=first, **it)
    report = b'<testsuite tests="1"><testcase classname="tides" name="AC-2 utc"/></testsuite>'
    await ask("upload_test_report", content=report, format="junit", sha=SHA, **it)
    log = {"content": b"1 passed", "name": "tides.log", "media_type": "text/plain"}
    await ask("attach_evidence", action_id="HRB-1", criterion_id=second, **log)
    await ask("push_change", action_id="HRB-1", content=packed(modified("src/tides.py"), head=SHA))
    await ask("submit_for_review", evidence=[{"criterionId": second, "evidence": "See tests/tides"}], **it)
    await ask("get_review", action_id="HRB-1")
    digest = (await ask("get_change", action_id="HRB-1"))["files"][0]["digest"]
    await ask("get_change_file", action_id="HRB-1", position=0)
    await ask("set_file_viewed", action_id="HRB-1", path="src/tides.py", digest=digest)
    items = [{"text": "Say which day it is."}]
    await ask("review_action", verdict="changes_requested", summary="Nearly.", verdicts=[], items=items, **it)
    brief = await ask("get_action_brief", **it)
    fixed = [{"itemId": brief["review"]["items"][0]["id"], "disposition": "fixed", "note": f"In {SHA[:8]}."}]
    await ask("resubmit_for_review", dispositions=fixed, **it)
    departed = [row["id"] for row in (await ask("get_review", action_id="HRB-1"))["deviations"]]
    await ask("accept_deviations", action_id="HRB-1", deviation_ids=departed)
    confirmed = [{"criterionId": each, "verdict": "confirmed"} for each in (first, second)]
    await ask("review_action", verdicts=confirmed, **it)
    await ask("claim_action", action_pid="HRB-2")
    await ask("release_claim", action_pid="HRB-2")
    await ask("update_action", action_id="HRB-2", state="wont_do", reason="The office shows it.")
    await ask("release_dependents", action_id="HRB-2")
    await ask("update_action", action_id="HRB-2", state="todo")


async def _write(teller: Teller) -> None:
    """Tasks, documents, notes, runs, and what guests send."""
    ask, here = teller.ask, {"project_id": "HRB"}
    task = await ask("create_task", **here)
    await ask("update_task", task_id=task["refCode"])
    await ask("create_task", label="Ring the office", **here)
    await ask("get_next_task", **here)
    await ask("create_edge", from_task_id="HRB-5", to_task_id="HRB-2", label="clarifies", **here)
    await ask("put_canvas", nodes=[{"id": "HRB-5", "x": 40, "y": 200}], **here)
    document = (await ask("create_document", body="High water is 4.2 m above chart datum.", **here))["pid"]
    await ask("update_document", document_id=document)
    parent = (await ask("create_document", title="Tides", **here))["pid"]
    await ask("move_document", document_id=document, parent_id=parent)
    await ask("get_document", document_id=document)
    comment = await ask("add_comment", document_id=document)
    await ask("update_comment", comment_id=comment["pid"])
    await ask("mark_mention_read", comment_id=comment["pid"])
    await ask("resolve_comment", comment_id=comment["pid"])
    note = (await ask("create_note", **here))["pid"]
    await ask("update_note", note_id=note)
    await ask("get_note", note_id=note)
    await ask("set_watch", object_id="HRB-5")
    await ask("list_watchers", object_id="HRB-5")
    await ask("mark_watched_read", object_id="HRB-5")
    run = (await ask("start_agent_run", **here))["pid"]
    await ask("record_agent_progress", run_id=run)
    await ask("complete_agent_run", run_id=run)
    project = await ask("get_project", **here)
    await guest_item(teller.desk, project["pid"], "Could you show the wind too?", "A skipper")
    waiting = await ask("list_submissions", **here)
    await ask("triage_submission", submission_id=waiting["submissions"][0]["pid"])
    await ask("create_share", takes_items=True, **here)
    await ask("scaffold_project_from_plan", name="Lighthouse")
    await ask("load_sample")
    await ask("update_project", **here)


async def _steer(teller: Teller) -> None:
    """Somebody writes to an agent session, which is paused, resumed and stopped."""
    ask = teller.ask
    agents = (await ask("list_agents"))["agents"]
    session = {"agent_session_id": next(session["pid"] for agent in agents for session in agent["sessions"])}
    message = await ask("send_message", action_pid=None, **session)
    await ask("list_messages", **session)
    await ask("cancel_message", message_id=message["pid"])
    tool = {"tool": "Edit", "detail": "src/harbor/berths.py", "tool_use_id": "toolu_01"}
    hooks = HookEvent.USER_PROMPT, HookEvent.BEFORE_TOOL
    desk = teller.desk
    steps = [Step(desk.workspace, session["agent_session_id"], hook, desk.clock(), **tool) for hook in hooks]
    await desk.dispatcher.call_as_server(save_steps.OPERATION, StepBatch(desk.workspace, steps, []))
    await ask("get_session_activity", **session)
    await ask("pause_session", **session)
    await ask("resume_session", **session)
    await ask("stop_session", **session)


async def _draft(teller: Teller) -> None:
    """An agent drafts a spec and its plan, and a person accepts a part."""
    ask = teller.ask
    draft = await ask("draft_spec", project_id="HRB")
    await ask("list_proposals", project_id="HRB")
    await ask("get_proposal", draft_id=draft["pid"])
    spec = (await ask("decide_proposal", draft_id=draft["pid"]))["specId"]
    await ask("get_draft", draft_id=draft["pid"])
    await ask("request_draft", spec_id=spec)
    await ask("draft_plan", spec_id=spec)


async def _keep_house(teller: Teller) -> None:
    """What admins do."""
    ask = teller.ask
    ada = await ask("create_user")
    await ask("change_role", user_pid=ada["userId"])
    await ask("invite_member", email="grace@example.com")
    await ask("create_sign_in_link", user_pid=ada["userId"])
    await ask("set_password", user_pid=None)
    await ask("rename_workspace")
    await ask("set_participation", participation="invitation")
    await ask("get_workspace")
    await ask("get_usage")
    await ask("rename_user", name="Ada L.")
    await ask("set_project_activity", project_id="HRB", keeps_activity=True)
    await ask("set_github_webhook", project_id="HRB")
    hook = (await ask("create_webhook"))["webhook"]["webhookId"]
    await ask("update_webhook", webhook_id=hook)
    sent = await ask("test_webhook", webhook_id=hook)
    await ask("redeliver_webhook", webhook_id=hook, number=sent["number"])
    await ask("list_webhook_deliveries", webhook_id=hook)
    source = "01a1ded5-7a10-7000-8000-00000000f00d"
    placed = await ask("put_picture", source_id=source)
    await teller.http.post(placed["url"], data={"title": "The wind", "body": "Could you show it too?"})
    left = await ask("list_picture_items", source_id=source)
    await ask("acknowledge_items", source_id=source, item_ids=[left["items"][0]["itemId"]])
    await _let_go(teller, ada["userId"])


async def _let_go(teller: Teller, leaver: str) -> None:
    """An admin leaves, and the owner takes over their agent."""
    ada = Actor(teller.desk.workspace, leaver, "Ada", Role.ADMIN, ALL_SCOPES, "web")
    agent = (await teller.desk.call(ada, "create_user", name="Tide builder", kind="agent"))["userId"]
    await teller.desk.call(ada, "create_token", name="CI", user_pid=agent)
    await teller.desk.call(ada, "invite_member", email="linus@example.com")
    await teller.ask("preview_removal", user_pid=leaver)
    removed = await teller.http.delete(
        f"{BASE}/members/{leaver}",
        params={"hand_over_to": teller.owner_id},
        headers=teller._credential("remove_member"),
    )
    assert removed.status_code == 204, removed.text


async def _look(teller: Teller) -> None:
    """Whatever only reads, once there is something to see."""
    here, few = {"project_id": "HRB"}, {"limit": 3}
    for name in PLAIN_LISTS:
        await teller.ask(name)
    for name in LISTS_OF_A_PROJECT:
        await teller.ask(name, **here)
    await teller.ask("get_action", action_id="HRB-1")
    await teller.ask("list_actions", state="done", **here)
    await teller.ask("search", query="tide", **here)
    await teller.ask("get_insights", days=2, **here)
    await teller.ask("get_timeline", **few, **here)
    await teller.ask("list_events", **few, **here)


PLAIN_LISTS = [
    "list_projects",
    "get_overview",
    "list_agents",
    "list_project_cards",
    "list_pictures",
    "list_tokens",
    "list_grants",
    "list_members",
    "list_assignees",
    "list_invites",
    "list_sessions",
    "list_webhooks",
    "get_integrations",
]
LISTS_OF_A_PROJECT = [
    "get_board",
    "get_flow",
    "list_cards",
    "get_canvas",
    "list_documents",
    "list_comments",
    "list_notes",
    "list_agent_runs",
    "list_shares",
    "list_specs",
    "get_github_webhook",
    "get_replay",
    "list_imported_events",
]


async def _convert(teller: Teller) -> None:
    """A criterion comes back after it was removed, becomes an action, and a criterion again."""
    action = await teller.ask("create_action", project_id="HRB", criteria=["It is fast", "It is small"])
    first, second = (criterion["id"] for criterion in action["criteria"])
    headers = teller._credential("remove_criterion")
    assert (await teller.http.delete(f"{BASE}/criteria/{second}", headers=headers)).status_code == 204
    await teller.ask("restore_criterion", criterion_id=second)
    made = await teller.ask("convert_criterion", criterion_id=first)
    await teller.ask("convert_action", action_id=made["refCode"], to_action_id=action["refCode"])


async def _save_view(teller: Teller) -> None:
    view = await teller.ask("create_saved_view", project_id="HRB", query="label=late&group=spec", shared=True)
    await teller.ask("list_saved_views", project_id="HRB")
    await teller.ask("get_saved_view", view_id=view["pid"])
    await teller.ask("update_saved_view", view_id=view["pid"])


async def _others(teller: Teller) -> None:
    """What the story leaves out, called as the types of its input allow. After all else, so that nothing shows it."""
    agent = teller.told["list_agents"]["agents"][0]["pid"]
    await teller.ask("rename_agent", agent_id=agent)
    await teller.ask("revoke_agent_tokens", agent_id=agent)
    await _convert(teller)
    await _save_view(teller)
    ids = {"project": "HRB", "action": "HRB-1", "other action": "HRB-2", "user": teller.owner_id}
    for operation in OPERATIONS:
        row = ROUTES.get(operation.name)
        if row is not None and row.status != 204 and operation.name not in {*teller.told, *UNTOLD}:
            await teller.ask(operation.name, **{**example(operation, ids), **BODIES.get(operation.name, {})})


def _steady(told: dict[str, Any]) -> dict[str, Any]:
    """The same in every run."""
    text = json.dumps(told, ensure_ascii=False)
    for secret, shown in _SECRETS:
        text = secret.sub(shown, text)
    known: dict[str, str] = {}
    numbered = _UUID.sub(lambda found: known.setdefault(found[0], NUMBERED.format(len(known) + 1)), text)
    read: dict[str, Any] = json.loads(numbered)
    return read


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        told = asyncio.run(tell(Path(folder)))
    ANSWERS_FILE.write_text(json.dumps(told, ensure_ascii=False, indent=1) + "\n", "utf-8")
    print(f"Wrote {ANSWERS_FILE.name} with {len(told)} answers, {ANSWERS_FILE.stat().st_size} bytes.")


if __name__ == "__main__":
    main()
