"""What `bench flat` calls: every tool, in stories that write on rows of their own, and every page."""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from bench.past import (
    ATTACHMENT,
    DOCUMENT,
    ITEM,
    NOTE,
    SESSION,
    SESSION_ACTIONS,
    SHARE_SECRET,
    agent_at,
    has_spec,
    person,
)
from bench.seed import ACTION, CRITERION, PLAN, SENTENCE, SPEC, SPEC_ACTIONS, USER, ident
from pendesk.transports.web.pages.registry import PAGES

if TYPE_CHECKING:
    from bench.flat import FlatDesk

Story = Callable[["FlatDesk", int], Awaitable[None]]
REPEATED = 3
KEY = "P0"

NOT_CALLED = {
    "publish_project": "needs another server; what it reads is the share page's",
    "sync_push": "the same",
    "sync_pull": "the same",
}
PAGES_NOT_CALLED = {
    "/a/{ref}/change": "needs a pushed change, and reads nothing but that",
    "/a/{ref}/change/file": "the same",
}
CALLED = {
    *("list_available_specs", "get_spec", "claim_action", "get_action_brief", "get_attachment_url", "release_action"),
    *("update_progress", "request_clarification", "answer_clarification", "report_test_result", "report_commit"),
    *("submit_for_review", "resubmit_for_review", "list_projects", "get_project", "create_project", "create_task"),
    *("update_task", "get_next_task", "create_edge", "create_document", "update_document", "get_document"),
    *("list_documents", "create_note", "update_note", "get_note", "list_notes", "list_comments", "add_comment"),
    *("resolve_comment", "start_agent_run", "record_agent_progress", "complete_agent_run"),
    *("scaffold_project_from_plan", "list_submissions", "triage_submission", "list_tasks", "get_task", "search"),
    *("remove_edge", "draft_spec", "draft_plan", "get_draft"),
    *(page.path for page in PAGES if page.path not in PAGES_NOT_CALLED),
}


async def building(desk: "FlatDesk", turn: int) -> None:
    """An action from its claim to its second submission; each turn has one of its own."""
    agent = agent_at()
    free = [n for n in desk.places.open_numbers(0, "todo") if has_spec(n) and (n - 2) % 6]
    number = free[turn]
    pid, criterion = ident(ACTION, number), ident(CRITERION, number)
    await desk.tool(agent, "claim_action", action_pid=pid, agent_model="claude-opus-5")
    await desk.tool(agent, "get_action_brief", action_pid=pid)
    await desk.tool(agent, "update_progress", action_pid=pid, status="started", message="The parser works.")
    asked = await desk.tool(agent, "request_clarification", action_pid=pid, question="Which time zone?")
    question = asked.get("clarificationPid") or await _open_question(desk, pid)
    await desk.tool(agent, "answer_clarification", clarification_pid=question, answer="Use UTC.")
    test = {"criterion_id": criterion, "outcome": "passed", "evidence": "12 passed"}
    await desk.tool(agent, "report_test_result", action_pid=pid, **test)
    sha = f"{turn + 10**12:040x}"
    await desk.tool(agent, "report_commit", action_pid=pid, sha=sha, message="Show it", criterion_ids=[criterion])
    pr = {"pr_url": f"https://github.com/example/p/pull/{10**7 + number}", "summary": "It is shown."}
    await desk.tool(agent, "submit_for_review", action_pid=pid, **pr)
    asked_for: dict[str, Any] = {
        "verdict": "changes_requested",
        "summary": "Not yet.",
        "items": [{"text": "Name the time zone."}],
    }
    await desk.tool(person(), "review_action", action_pid=pid, **asked_for)
    await desk.tool(agent, "claim_action", called="claim_action, changes requested", action_pid=pid)
    brief = await desk.tool(agent, "get_action_brief", called="get_action_brief, changes requested", action_pid=pid)
    items = brief["review"]["items"]
    done = [{"itemId": item.get("pid") or item["id"], "disposition": "fixed", "note": "Named."} for item in items]
    await desk.tool(agent, "resubmit_for_review", action_pid=pid, dispositions=done, **pr)
    await _release(desk, free[turn + 1])


async def _open_question(desk: "FlatDesk", action_pid: str) -> str:
    task = await desk.dispatcher.call(person(), "get_action", {"action_id": action_pid})
    questions: list[Any] = task.clarifications  # type: ignore[attr-defined]
    return str(questions[-1].pid)


async def _release(desk: "FlatDesk", number: int) -> None:
    agent, pid = agent_at(), ident(ACTION, number)
    await desk.dispatcher.call(agent, "claim_action", {"action_pid": pid})
    await desk.tool(agent, "release_action", action_pid=pid)


async def looking_for_work(desk: "FlatDesk", turn: int) -> None:
    agent = agent_at()
    for _ in range(REPEATED):
        await desk.tool(agent, "list_available_specs")
        await desk.tool(agent, "get_context")
        await desk.tool(agent, "get_context", called="get_context, of a project", project_id=KEY)
        await desk.tool(agent, "get_next_task", project_id=KEY)
        await desk.tool(agent, "get_spec", spec_pid=_newest_spec(desk))
        await desk.tool(agent, "get_attachment_url", attachment_pid=ident(ATTACHMENT, 0))
    taken = await desk.tool(agent, "get_next_task", called="get_next_task, taken", project_id=KEY, take=True)
    await _give_back(desk, taken["task"]["refCode"], taken["task"].get("criteria", 0))


async def _give_back(desk: "FlatDesk", ref: str, criteria: int) -> None:
    if criteria:
        await desk.dispatcher.call(agent_at(), "release_action", {"action_pid": ref})
    else:
        await desk.dispatcher.call(agent_at(), "update_task", {"task_id": ref, "status": "todo"})


async def reading(desk: "FlatDesk", turn: int) -> None:
    agent = agent_at()
    for _ in range(REPEATED):
        await desk.tool(agent, "list_projects")
        await desk.tool(agent, "get_project", project_id=KEY)
        await desk.tool(agent, "list_tasks", project_id=KEY)
        await desk.tool(agent, "list_tasks", called="list_tasks, in todo", project_id=KEY, status="todo")
        await desk.tool(agent, "list_tasks", called="list_tasks, done", project_id=KEY, status="done")
        await desk.tool(agent, "list_tasks", called="list_tasks, mine", project_id=KEY, assignee="me")
        await desk.tool(agent, "list_tasks", called="list_tasks, a label", project_id=KEY, label="ui")
        await desk.tool(agent, "list_tasks", called="list_tasks, a rare word", project_id=KEY, text="lighthouse")
        await desk.tool(agent, "list_tasks", called="list_tasks, a common word", project_id=KEY, text="quick")
        await desk.tool(agent, "get_task", task_id=_ref(desk, "todo"))
        await desk.tool(agent, "search", query="lighthouse")
        await desk.tool(agent, "search", called="search, words in every text", query="dispatcher quick")
        await desk.tool(agent, "search", called="search, a beginning", query="disp")
        await desk.tool(agent, "search", called="search, of a project", query="dispatcher quick", project_id=KEY)
        await desk.tool(agent, "list_documents", project_id=KEY)
        await desk.tool(agent, "get_document", document_id=ident(DOCUMENT, 0))
        await desk.tool(agent, "list_notes", project_id=KEY)
        await desk.tool(agent, "get_note", note_id=ident(NOTE, 0))
        await desk.tool(agent, "list_comments", project_id=KEY)
        await desk.tool(agent, "list_submissions", project_id=KEY)


async def planning(desk: "FlatDesk", turn: int) -> None:
    agent = agent_at()
    await desk.tool(agent, "create_project", name=f"Harbour {turn}", description=SENTENCE)
    task = (await desk.tool(agent, "create_task", project_id=KEY, label="Ask for a key", description=SENTENCE))[
        "refCode"
    ]
    other = (await desk.tool(agent, "create_task", project_id=KEY, label="Show it"))["refCode"]
    await desk.tool(agent, "create_edge", project_id=KEY, from_task_id=task, to_task_id=other)
    await desk.tool(agent, "remove_edge", from_task_id=task, to_task_id=other)
    await desk.tool(agent, "update_task", task_id=task, description="Another text.")
    await desk.tool(agent, "update_task", called="update_task, begun", task_id=task, status="in_progress")
    run = (await desk.tool(agent, "start_agent_run", project_id=KEY, label="Ask", task_id=task))["pid"]
    await desk.tool(agent, "record_agent_progress", run_id=run, message="Asked.")
    await desk.tool(agent, "complete_agent_run", run_id=run, status="completed", tokens=1_000)
    await desk.tool(agent, "update_task", called="update_task, done", task_id=task, status="done")
    await desk.tool(agent, "update_task", called="update_task, dropped", task_id=other, status="wont_do", reason="No.")
    item: dict[str, Any] = {
        "submission_id": ident(ITEM, turn),
        "action": "accept",
        "as_task": {"label": "Show the wind"},
    }
    await desk.tool(agent, "triage_submission", **item)


async def scaffolding(desk: "FlatDesk", turn: int) -> None:
    tasks = [{"key": f"t{n}", "label": f"Task {n}"} for n in range(10)]
    edges = [{"from": f"t{n}", "to": f"t{n + 1}"} for n in range(9)]
    await desk.tool(agent_at(), "scaffold_project_from_plan", name=f"Net {turn}", tasks=tasks, edges=edges)


async def writing(desk: "FlatDesk", turn: int) -> None:
    agent = agent_at()
    document = (await desk.tool(agent, "create_document", project_id=KEY, title="Tides", body=SENTENCE))["pid"]
    await desk.tool(agent, "update_document", document_id=document, body=SENTENCE * 2, expected_revision=1)
    comment = (await desk.tool(agent, "add_comment", document_id=document, body="Which datum?"))["pid"]
    await desk.tool(agent, "resolve_comment", comment_id=comment)
    note = (await desk.tool(agent, "create_note", project_id=KEY, title="Call", body=SENTENCE))["pid"]
    await desk.tool(agent, "update_note", note_id=note, body="They answered.", expected_revision=1)
    spec: dict[str, Any] = {"title": "Wind", "summary": "Skippers see the wind.", "results": ["It is shown"]}
    await desk.tool(agent, "draft_spec", project_id=KEY, **spec)
    actions = [{"key": "fetch", "label": "Fetch the wind", "criteria": ["A failed request is tried again"]}]
    plan: dict[str, Any] = {"spec_id": _newest_spec(desk), "approach": "Read it once an hour.", "actions": actions}
    draft = (await desk.tool(agent, "draft_plan", **plan))["pid"]
    for _ in range(REPEATED):
        await desk.tool(agent, "get_draft", draft_id=draft)
    desk.known["proposal"] = draft


async def pages(desk: "FlatDesk", turn: int) -> None:
    names = {
        "key": KEY,
        "ref": _ref(desk, "todo"),
        "spec": _newest_spec(desk),
        "plan": _newest_spec(desk, PLAN),
        "document": ident(DOCUMENT, 0),
        "note": ident(NOTE, 0),
        "proposal": desk.known["proposal"],
        "member": ident(USER, 5),
        "agent_session": ident(SESSION, desk.size // SESSION_ACTIONS - 1),
    }
    queries = {"/search": "?q=lighthouse"}
    refs = {"/a/{ref}/review": _ref(desk, "in_review")}
    for page in PAGES:
        if page.path not in PAGES_NOT_CALLED:
            path = page.path.format(**names | {"ref": refs.get(page.path, names["ref"])})
            for _ in range(REPEATED):
                await desk.page(path + queries.get(page.path, ""), page.path)
    for path in (
        "/p/P0?q=quick",
        "/p/P0?order=ref",
        "/p/P0/list?state=done",
        "/insights?days=365",
        "/timeline?kind=agent",
    ):
        await desk.page(path, path)
    await desk.page(f"/share/{SHARE_SECRET}", "/share/{secret}")


def _newest_spec(desk: "FlatDesk", kind: int = SPEC) -> str:
    """Of the first project."""
    return ident(kind, desk.places.ends[0] // SPEC_ACTIONS - 1)


def _ref(desk: "FlatDesk", state: str) -> str:
    """The last of those, which no story works on."""
    return f"{KEY}-{desk.places.open_numbers(0, state)[-1] + 1}"


STORIES: list[Story] = [looking_for_work, reading, building, planning, scaffolding, writing, pages]
