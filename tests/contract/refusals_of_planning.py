"""Every refusal that a planning agent can meet, each brought about in a situation of its own."""

import re
from typing import Any

from pendesk.domain.access import Role
from pendesk.domain.limits import ACTION_EDGES, GUEST_REQUESTS_WAITING, THREAD_COMMENTS
from pendesk.ids import new_id
from pendesk.operations.outbound import Reply
from tests.contract.refusal_world import (
    PLANNING_SCOPES,
    SUBMITTED,
    Arguments,
    Attempt,
    Row,
    World,
    adding_to,
)
from tests.contract.refusals_of_building import held
from tests.guest_requests import fill_inbox, guest_item
from tests.other_desk import TOKEN, URL

ROWS: list[Row] = []
refused_at = adding_to(ROWS)


def move(task: str, status: str, **more: Any) -> Arguments:
    return {"task_id": task, "status": status, **more}


# Tasks.

MOVING = "domain/action.py:check_person_may_change_state"
RELEASING = {"release_action": lambda _world, attempt, _message: [{"action_pid": attempt.arguments["task_id"]}]}
NEXT_TASK = {"get_next_task": lambda world, *_: [{"project_id": world.plain}]}
STARTING = {
    "update_task": lambda _world, _attempt, message: [
        {"task_id": ref, "status": "in_progress"} for ref in re.findall(r"Set ([A-Z0-9]+-\d+) to in_progress", message)
    ]
}


HELD = "domain/claim_refusals.py:_held_by_other_refusal"
TASK = "domain/task_moves.py:check_task_may_move_to"
BLOCKED_TASK = "domain/task_moves.py:blocked_task_refusal"


async def with_criteria(world: World, state: str = "todo") -> str:
    if state != "todo":
        await world.do(world.ada, "update_task", task_id=world.refs[0], status=state)
    ref: str = world.refs[0]
    return ref


async def waiting_task(world: World, first: str) -> str:
    ref = await world.task("Second")
    await world.do(world.ada, "create_edge", project_id=world.plain, from_task_id=first, to_task_id=ref)
    return ref


@refused_at(HELD, "already_claimed", follow=NEXT_TASK)
async def move_what_an_agent_holds(world: World) -> Attempt:
    ref = await world.task()
    await world.task("Another")
    await world.do(world.stranger, "claim_action", action_pid=ref)
    return Attempt(world.planner, "update_task", move(ref, "done"))


@refused_at("domain/action.py:_with_agent_refusal", "invalid_transition", follow=RELEASING)
async def move_what_the_caller_holds(world: World) -> Attempt:
    ref = await with_criteria(world)
    await world.do(world.both, "claim_action", action_pid=ref)
    return Attempt(world.both, "update_task", move(ref, "backlog"))


@refused_at("domain/action.py:_with_agent_refusal", "invalid_transition", person="person")
async def move_what_is_in_review(world: World) -> Attempt:
    ref = await held(world)
    await world.do(world.builder, "submit_for_review", action_pid=ref, **SUBMITTED)
    return Attempt(world.planner, "update_task", move(ref, "todo"))


@refused_at(MOVING, "invalid_transition", person="agent")
async def start_an_action_with_criteria_with_a_planning_token(world: World) -> Attempt:
    return Attempt(world.planner, "update_task", move(await with_criteria(world), "in_progress"))


@refused_at(MOVING, "invalid_transition")
async def start_an_action_with_criteria_with_both(world: World) -> Attempt:
    return Attempt(world.both, "update_task", move(await with_criteria(world), "in_progress"))


@refused_at(MOVING, "invalid_transition", retry={"status": "todo"})
async def start_a_backlog_action_with_both(world: World) -> Attempt:
    return Attempt(world.both, "update_task", move(await with_criteria(world, "backlog"), "in_progress"))


@refused_at(MOVING, "invalid_transition", person="agent")
async def submit_a_task_with_a_planning_token(world: World) -> Attempt:
    return Attempt(world.planner, "update_task", move(world.refs[0], "in_review"))


@refused_at("domain/action.py:_needs_review_refusal", "needs_review", person="agent")
async def finish_a_task_with_criteria(world: World) -> Attempt:
    return Attempt(world.planner, "update_task", move(world.refs[0], "done"))


@refused_at("domain/action.py:_needs_review_refusal", "needs_review")
async def finish_a_task_with_criteria_with_both(world: World) -> Attempt:
    return Attempt(world.both, "update_task", move(world.refs[0], "done"))


@refused_at(MOVING, "reason_needed", retry={"reason": "Not needed."})
async def drop_an_action_with_criteria_without_a_reason(world: World) -> Attempt:
    return Attempt(world.planner, "update_task", move(world.refs[0], "wont_do"))


@refused_at(TASK, "reason_needed", retry={"reason": "Not needed."})
async def drop_a_task_without_a_reason(world: World) -> Attempt:
    return Attempt(world.planner, "update_task", move(await world.task(), "wont_do"))


@refused_at(BLOCKED_TASK, "prerequisites_open", follow=STARTING)
async def start_what_waits_with_a_planning_token(world: World) -> Attempt:
    ref = await waiting_task(world, await world.task("First"))
    return Attempt(world.planner, "update_task", move(ref, "in_progress"))


@refused_at(BLOCKED_TASK, "prerequisites_open", follow=NEXT_TASK)
async def start_what_waits_for_what_is_held_with_a_planning_token(world: World) -> Attempt:
    first = await world.task("First")
    ref = await waiting_task(world, first)
    await world.do(world.stranger, "claim_action", action_pid=first)
    return Attempt(world.planner, "update_task", move(ref, "in_progress"))


@refused_at("domain/claimable.py:blocked_refusal", "prerequisites_open")
async def start_what_waits_with_both(world: World) -> Attempt:
    ref = await waiting_task(world, await world.task("First"))
    return Attempt(world.both, "update_task", move(ref, "in_progress"))


def named_refs(_world: World, _attempt: Attempt, message: str) -> list[Arguments]:
    return [{"task_id": ref} for ref in re.findall(r"Nearest: ([A-Z0-9]+-\d+)", message)]


@refused_at("operations/actions/find.py:find_action", "not_found", retry=named_refs)
async def edit_a_task_that_never_was(world: World) -> Attempt:
    return Attempt(world.planner, "get_task", {"task_id": f"{world.key}-99"})


@refused_at(
    "operations/actions/find.py:find_task_of_project",
    "bad_field",
    follow={"start_agent_run": {}},
    retry=lambda world, *_: [{"task_id": world.refs[0]}],
)
async def run_on_a_task_of_another_project(world: World) -> Attempt:
    return Attempt(world.planner, "start_agent_run", {"project_id": world.key, "task_id": await world.task()})


@refused_at("domain/revision.py:revision_conflict", "revision_conflict", retry={"expected_revision": 2})
async def edit_an_old_revision(world: World) -> Attempt:
    ref = await world.task()
    await world.do(world.ada, "update_task", task_id=ref, label="Another")
    return Attempt(world.planner, "update_task", {"task_id": ref, "label": "A third", "expected_revision": 1})


@refused_at("operations/actions/update_task.py:_check_changes_something", "nothing_to_change", retry={"status": "done"})
async def read_a_task_with_update_task(world: World) -> Attempt:
    return Attempt(world.planner, "update_task", {"task_id": await world.task()})


@refused_at(
    "domain/revision.py:check_replaced_text_was_read",
    "bad_field",
    retry={"expected_revision": 1},
    follow={"get_document": lambda _world, attempt, _message: [{"document_id": attempt.arguments["document_id"]}]},
)
async def replace_a_text_unread(world: World) -> Attempt:
    document = await world.do(world.ada, "create_document", project_id=world.key, title="Why", body="One.")
    return Attempt(world.planner, "update_document", {"document_id": document["pid"], "body": "Two."})


@refused_at("domain/search.py:query_words", "bad_field", retry={"query": "letters"})
async def search_for_no_word(world: World) -> Attempt:
    return Attempt(world.planner, "search", {"query": "..."})


@refused_at("operations/projects/search.py:_user_id", "bad_field", retry={"user_pid": "me"})
async def search_for_what_nobody_did(world: World) -> Attempt:
    return Attempt(world.planner, "search", {"query": "letters", "user_pid": "01a1ded5-7a10-7000-8000-00000000f00d"})


@refused_at("domain/assignee.py:choose_assignable", "bad_field", retry={"assignee": "me"})
async def assign_to_nobody_known(world: World) -> Attempt:
    return Attempt(world.planner, "update_task", {"task_id": await world.task(), "assignee": "Nobody Known"})


@refused_at("domain/due_date.py:parse_due_date", "bad_field", retry={"due": "2026-11-30"})
async def set_a_day_in_words(world: World) -> Attempt:
    return Attempt(world.planner, "update_task", {"task_id": await world.task(), "due": "tomorrow"})


@refused_at("domain/label.py:normalize_labels", "bad_field", retry={"labels": ["bug"]})
async def set_a_label_with_quotes(world: World) -> Attempt:
    return Attempt(world.planner, "update_task", {"task_id": await world.task(), "labels": ['a "bug"']})


# Projects.


@refused_at("operations/projects/find.py:find_project", "not_found")
async def read_a_project_that_never_was(world: World) -> Attempt:
    return Attempt(world.planner, "get_project", {"project_id": f"{world.key}X"})


@refused_at("domain/project.py:parse_new_project_key", "bad_field", retry={"key": "HRB2"})
async def create_a_project_with_a_malformed_key(world: World) -> Attempt:
    return Attempt(world.planner, "create_project", {"name": "Harbour", "key": "1"})


@refused_at("domain/project.py:parse_new_project_key", "key_taken", retry={"key": None})
async def create_a_project_with_a_taken_key(world: World) -> Attempt:
    return Attempt(world.planner, "create_project", {"name": "Harbour", "key": world.key})


@refused_at("domain/plan_errors.py:invalid_plan_error", "bad_plan", retry={"edges": []})
async def scaffold_a_cycle(world: World) -> Attempt:
    tasks = [{"key": key, "label": key} for key in "ab"]
    edges = [{"from": "a", "to": "b"}, {"from": "b", "to": "a"}]
    return Attempt(world.planner, "scaffold_project_from_plan", {"name": "Harbour", "tasks": tasks, "edges": edges})


# Edges.


async def two_tasks(world: World) -> tuple[str, str]:
    return await world.task("First"), await world.task("Second")


def edge(world: World, source: str, target: str) -> Arguments:
    return {"project_id": world.plain, "from_task_id": source, "to_task_id": target}


def turned_round(_world: World, attempt: Attempt, _message: str) -> list[Arguments]:
    source, target = attempt.arguments["from_task_id"], attempt.arguments["to_task_id"]
    return [{"from_task_id": target, "to_task_id": source}]


def edge_in_the_way(_world: World, _attempt: Attempt, message: str) -> list[Arguments]:
    return [
        {"from_task_id": source, "to_task_id": target}
        for source, target in re.findall(r"remove ([A-Z0-9]+-\d+) -> ([A-Z0-9]+-\d+) first", message)
    ]


@refused_at(
    "domain/edge.py:check_edge_closes_no_cycle", "cycle", retry=turned_round, follow={"remove_edge": edge_in_the_way}
)
async def close_a_cycle(world: World) -> Attempt:
    first, second = await two_tasks(world)
    third = await world.task("Third")
    await world.do(world.ada, "create_edge", **edge(world, first, second))
    await world.do(world.ada, "create_edge", **edge(world, second, third))
    return Attempt(world.planner, "create_edge", edge(world, third, first))


def named_edges(_world: World, _attempt: Attempt, message: str) -> list[Arguments]:
    ids = re.findall(r"\(([0-9a-f-]{36})\)", message)
    return [{"from_task_id": None, "to_task_id": None, "edge_id": ids[0]}]


@refused_at("domain/edge.py:choose_only_edge", "several_edges", retry=named_edges)
async def remove_one_of_two_edges(world: World) -> Attempt:
    first, second = await two_tasks(world)
    for label in ("blocks", "supports"):
        await world.do(world.ada, "create_edge", **edge(world, first, second), label=label)
    return Attempt(world.planner, "remove_edge", {"from_task_id": first, "to_task_id": second})


@refused_at("operations/actions/remove_edge.py:_find_edge_by_id", "not_found")
async def remove_an_edge_that_never_was(world: World) -> Attempt:
    return Attempt(world.planner, "remove_edge", {"edge_id": new_id()})


@refused_at("operations/actions/remove_edge.py:_find_edge_by_ends", "not_found")
async def remove_an_edge_that_is_not_there(world: World) -> Attempt:
    first, second = await two_tasks(world)
    return Attempt(world.planner, "remove_edge", {"from_task_id": first, "to_task_id": second})


@refused_at(
    "operations/actions/remove_edge.py:_find_edge",
    "bad_field",
    retry=lambda world, *_: [{"to_task_id": world.notes["second"]}],
)
async def remove_an_edge_by_one_end(world: World) -> Attempt:
    first, world.notes["second"] = await two_tasks(world)
    await world.do(world.ada, "create_edge", **edge(world, first, world.notes["second"]))
    return Attempt(world.planner, "remove_edge", {"from_task_id": first})


@refused_at(
    "domain/edge.py:check_distinct_actions_of_project",
    "self_edge",
    retry=lambda world, *_: [{"to_task_id": world.notes["second"]}],
)
async def connect_a_task_with_itself(world: World) -> Attempt:
    first, world.notes["second"] = await two_tasks(world)
    return Attempt(world.planner, "create_edge", edge(world, first, first))


@refused_at(
    "domain/edge.py:check_distinct_actions_of_project",
    "other_project",
    retry=lambda world, *_: [{"to_task_id": world.notes["second"]}],
)
async def connect_tasks_of_two_projects(world: World) -> Attempt:
    first, world.notes["second"] = await two_tasks(world)
    return Attempt(world.planner, "create_edge", edge(world, first, world.refs[0]))


@refused_at("domain/project.py:check_count_below_limit", "too_many", person="a person")
async def draw_too_many_edges(world: World) -> Attempt:
    tasks = [{"key": f"t{number}", "label": "T"} for number in range(ACTION_EDGES + 2)]
    edges = [{"from": "t0", "to": f"t{number + 1}"} for number in range(ACTION_EDGES)]
    plan = await world.do(world.ada, "scaffold_project_from_plan", name="Wide", tasks=tasks, edges=edges)
    ids = plan["key_to_id"]
    arguments = {"project_id": plan["pid"], "from_task_id": ids["t0"], "to_task_id": ids[tasks[-1]["key"]]}
    return Attempt(world.planner, "create_edge", arguments)


# Documents, notes, comments.


async def document(world: World, project: str | None = None) -> str:
    body = {"title": "Design", "body": "The harbour opens at six."}
    created = await world.do(world.ada, "create_document", project_id=project or world.key, **body)
    pid: str = created["pid"]
    return pid


@refused_at("operations/documents/find.py:find_document", "not_found")
async def read_a_document_that_never_was(world: World) -> Attempt:
    return Attempt(world.planner, "get_document", {"document_id": new_id()})


@refused_at("operations/documents/find.py:find_note", "not_found")
async def read_a_note_that_never_was(world: World) -> Attempt:
    return Attempt(world.planner, "get_note", {"note_id": new_id()})


@refused_at("operations/comments/find.py:find_subject", "not_found")
async def comment_on_what_never_was(world: World) -> Attempt:
    return Attempt(world.planner, "add_comment", {"document_id": new_id(), "body": "When?"})


@refused_at("operations/comments/find.py:find_and_lock_comment", "not_found")
async def resolve_a_comment_that_never_was(world: World) -> Attempt:
    return Attempt(world.planner, "resolve_comment", {"comment_id": new_id()})


@refused_at(
    "operations/documents/create_document.py:_resolve_parent_id_in_project",
    "bad_field",
    retry={"parent_id": None},
)
async def create_a_document_under_one_of_another_project(world: World) -> Attempt:
    await world.task()
    arguments = {"project_id": world.plain, "title": "Below", "parent_id": await document(world)}
    return Attempt(world.planner, "create_document", arguments)


@refused_at("operations/comments/list_comments.py:_find_thread_in_project", "bad_field", retry={"document_id": None})
async def list_comments_on_a_document_of_another_project(world: World) -> Attempt:
    await world.task()
    arguments = {"project_id": world.plain, "document_id": await document(world)}
    return Attempt(world.planner, "list_comments", arguments)


@refused_at("operations/paging.py:parse_cursor_after_id", "bad_field", retry={"cursor": None})
async def list_documents_with_a_wrong_cursor(world: World) -> Attempt:
    return Attempt(world.planner, "list_documents", {"project_id": world.key, "cursor": "x"})


@refused_at(
    "domain/comment.py:find_passage",
    "passage_not_found",
    retry={"passage": None},
    follow={"get_document": lambda _world, attempt, _message: [{"document_id": attempt.arguments["document_id"]}]},
)
async def comment_on_words_that_are_not_there(world: World) -> Attempt:
    arguments = {"document_id": await document(world), "body": "When?", "passage": "closes at ten"}
    return Attempt(world.planner, "add_comment", arguments)


@refused_at("operations/comments/add_comment.py:_new_comment", "bad_field", retry={"passage": None})
async def quote_a_passage_of_a_task(world: World) -> Attempt:
    task = await world.task()
    return Attempt(world.planner, "add_comment", {"document_id": task, "body": "When?", "passage": "closes"})


@refused_at("domain/comment.py:check_comment_is_unresolved", "already_resolved", person="nothing left to do")
async def resolve_a_comment_twice(world: World) -> Attempt:
    comment = await world.do(world.ada, "add_comment", document_id=await document(world), body="When?")
    await world.do(world.ada, "resolve_comment", comment_id=comment["pid"])
    return Attempt(world.planner, "resolve_comment", {"comment_id": comment["pid"]})


@refused_at(
    "domain/project.py:check_count_below_limit",
    "too_many",
    follow={"create_document": lambda world, *_: [{"project_id": world.key, "title": "More"}]},
)
async def write_too_many_comments(world: World) -> Attempt:
    pid = await document(world)
    comment = await world.do(world.ada, "add_comment", document_id=pid, body="When?")
    copy = """INSERT INTO comments
      (workspace_id, id, project_id, document_id, body, passage_lost, author_id, created_at)
      SELECT workspace_id, :id, project_id, document_id, body, 0, author_id, created_at FROM comments
      WHERE workspace_id = :workspace AND id = :from_id"""

    def fill(tx: Any) -> None:
        for _ in range(THREAD_COMMENTS - 1):
            tx.run(copy, id=new_id(), from_id=comment["pid"])

    await world.desk.store.write(world.desk.workspace, fill)
    return Attempt(world.planner, "add_comment", {"document_id": pid, "body": "One more."})


# Runs.


@refused_at("operations/runs/find.py:find_and_lock_agent_run", "not_found")
async def report_on_a_run_that_never_was(world: World) -> Attempt:
    return Attempt(world.planner, "record_agent_progress", {"run_id": new_id(), "message": "At work."})


async def run_of(world: World, actor: Any) -> str:
    run = await world.do(actor, "start_agent_run", project_id=world.key, label="Plan")
    pid: str = run["pid"]
    return pid


@refused_at("domain/run.py:_check_running", "run_ended")
async def report_on_a_run_that_ended(world: World) -> Attempt:
    pid = await run_of(world, world.planner)
    await world.do(world.planner, "complete_agent_run", run_id=pid, status="completed")
    return Attempt(world.planner, "record_agent_progress", {"run_id": pid, "message": "At work."})


@refused_at("domain/run.py:check_may_report_progress", "held_by_another")
async def report_on_a_run_of_another_user(world: World) -> Attempt:
    pid = await run_of(world, world.stranger_planner)
    return Attempt(world.planner, "record_agent_progress", {"run_id": pid, "message": "At work."})


@refused_at("domain/run.py:check_user_may_complete_run", "held_by_another", person="Leave it to them")
async def complete_a_run_of_another_user(world: World) -> Attempt:
    pid = await run_of(world, world.stranger_planner)
    return Attempt(world.planner, "complete_agent_run", {"run_id": pid, "status": "completed"})


# Guests' submissions.


@refused_at("operations/sharing/find.py:find_and_lock_guest_request", "not_found")
async def triage_what_never_was(world: World) -> Attempt:
    return Attempt(world.planner, "triage_submission", {"submission_id": new_id(), "action": "reject"})


@refused_at("domain/guest_request.py:check_guest_request_is_pending", "already_triaged")
async def triage_twice(world: World) -> Attempt:
    arguments = {"submission_id": await guest_item(world.desk, world.work.project_id), "action": "reject"}
    await world.do(world.ada, "triage_submission", **arguments)
    return Attempt(world.planner, "triage_submission", arguments)


@refused_at("operations/sharing/triage_submission.py:run", "bad_field", retry={"as_task": None})
async def reject_as_a_task(world: World) -> Attempt:
    item = await guest_item(world.desk, world.work.project_id)
    arguments = {"submission_id": item, "action": "reject", "as_task": {"label": "A task"}}
    return Attempt(world.planner, "triage_submission", arguments)


# Another server.

PLACE = {"server_url": URL, "sync_token": TOKEN}
PUBLISHING = {"publish_project": lambda world, *_: [{"project_id": world.key, **PLACE}]}


async def published(world: World) -> Any:
    other = await world.other_server()
    await world.do(world.ada, "publish_project", project_id=world.key, **PLACE)
    return other


@refused_at("operations/sharing/outgoing_mirror.py:_require_publication", "not_published", follow=PUBLISHING)
async def push_before_publishing(world: World) -> Attempt:
    await world.other_server()
    return Attempt(world.planner, "sync_push", {"project_id": world.key})


@refused_at("operations/sharing/outgoing_mirror.py:_require_publication", "not_published", follow=PUBLISHING)
async def pull_before_publishing(world: World) -> Attempt:
    await world.other_server()
    return Attempt(world.planner, "sync_pull", {"project_id": world.key})


@refused_at(
    "domain/publication.py:check_not_published_elsewhere",
    "published_elsewhere",
    follow={"sync_push": lambda world, *_: [{"project_id": world.key}]},
)
async def publish_in_a_second_place(world: World) -> Attempt:
    await published(world)
    return Attempt(
        world.planner, "publish_project", {"project_id": world.key, **PLACE, "server_url": "https://b.example"}
    )


@refused_at("domain/publication.py:normalize_server_origin", "bad_field", retry={"server_url": URL})
async def publish_with_a_path(world: World) -> Attempt:
    await world.other_server()
    return Attempt(world.planner, "publish_project", {"project_id": world.key, **PLACE, "server_url": f"{URL}/desk"})


@refused_at("domain/publication.py:strip_and_check_sync_token", "bad_field", retry={"sync_token": TOKEN})
async def publish_with_a_broken_token(world: World) -> Attempt:
    await world.other_server()
    return Attempt(world.planner, "publish_project", {"project_id": world.key, **PLACE, "sync_token": "abc"})


@refused_at("operations/sharing/outgoing_mirror.py:build_mirror_target", "token_unreadable", follow=PUBLISHING)
async def push_after_the_key_changed(world: World) -> Attempt:
    await published(world)
    installation = world.desk.installation._replace(signing_key=b"another key")
    world.desk.dispatcher.installation = installation
    return Attempt(world.planner, "sync_push", {"project_id": world.key})


@refused_at("domain/publication.py:check_guest_request_limit", "inbox_full")
async def pull_into_a_full_inbox(world: World) -> Attempt:
    await published(world)
    shares = (await world.do(world.ada, "list_shares", project_id=world.key))["shares"]
    await fill_inbox(world.desk, world.work.project_id, shares[0]["shareId"], GUEST_REQUESTS_WAITING)
    listed = await world.do(world.ada, "list_submissions", project_id=world.key)
    world.notes["item"] = listed["submissions"][0]["pid"]
    return Attempt(world.planner, "sync_pull", {"project_id": world.key})


ROWS[-1].follow["triage_submission"] = lambda world, *_: [{"submission_id": world.notes["item"], "action": "reject"}]


def answered(status: int, body: bytes = b"") -> Any:
    async def push(world: World) -> Attempt:
        other = await published(world)
        await world.do(world.ada, "create_task", project_id=world.key, label="New")
        other.fails["PUT"] = Reply(status, body)
        world.notes["other"] = other
        return Attempt(world.planner, "sync_push", {"project_id": world.key})

    push.__name__ = f"push_to_a_server_that_answers_{status}"
    return push


def repaired(world: World, *_: Any) -> list[Arguments]:
    world.notes["other"].fails.clear()
    return [{"project_id": world.key, **PLACE}]


THERE = "operations/sharing/remote_server.py:_raise_for_error_status"
AGAIN: dict[str, Any] = {"publish_project": repaired}
refused_at(THERE, "token_refused", follow=AGAIN)(answered(401))
refused_at(THERE, "token_scope_missing", follow=AGAIN)(answered(403))
refused_at(THERE, "removed_there", follow=AGAIN)(answered(404))
refused_at(THERE, "too_large_there", person="who runs it")(answered(413))
refused_at(THERE, "refused_there", person="who runs")(answered(418))
refused_at("operations/sharing/remote_server.py:_raise_unavailable", "server_busy", person="try again")(answered(503))
refused_at("operations/sharing/remote_server.py:_raise_unexpected_answer", "not_a_pendesk_server", person="who runs")(
    answered(200, b"{}")
)


@refused_at(
    "operations/sharing/remote_server.py:check_server_compatible", "not_a_pendesk_server", person="Check the address"
)
async def publish_on_another_kind_of_server(world: World) -> Attempt:
    (await world.other_server()).greeting = {"server": "apache", "pictureFormats": []}
    return Attempt(world.planner, "publish_project", {"project_id": world.key, **PLACE})


@refused_at("operations/sharing/remote_server.py:check_server_compatible", "version_mismatch", person="Update")
async def publish_on_another_version(world: World) -> Attempt:
    (await world.other_server()).greeting = {"server": "pendesk", "pictureFormats": [99]}
    return Attempt(world.planner, "publish_project", {"project_id": world.key, **PLACE})


@refused_at("operations/outbound.py:send", "unavailable", person="running server")
async def publish_from_a_process_without_a_network(world: World) -> Attempt:
    return Attempt(world.planner, "publish_project", {"project_id": world.key, **PLACE})


@refused_at("domain/access.py:check_permission", "role_forbids", person="Ask an owner")
async def create_a_task_as_a_viewer(world: World) -> Attempt:
    viewer = await world.agent(world.ben, PLANNING_SCOPES)
    return Attempt(viewer._replace(role=Role.VIEWER), "create_task", {"project_id": world.key, "label": "A task"})
