"""Exporting and importing in tests, through the dispatcher; and a project that has lived."""

import io
import json
import os
from pathlib import Path
from typing import Any

import msgspec

from pendesk.domain.access import Actor, Role
from pendesk.domain.guest_request import GuestRequest
from pendesk.ids import new_id
from pendesk.operations.attachments.receipts import make_signed_file_receipt
from pendesk.operations.exchange.import_flow import run_import
from pendesk.operations.exchange.staging import stage_import_from_export
from pendesk.operations.operation import encode_json
from pendesk.store import guest_requests
from pendesk.store.engine.tx import Tx
from tests.desk import MINUTE, TestDesk
from tests.workbench import published_spec

SHA = "a1" * 20
SHARE = """
INSERT INTO shares (workspace_id, id, project_id, hash, created_by, created_at)
VALUES (:workspace, :id, :project_id, :hash, :user_id, :now)
"""
CHECK = """
INSERT INTO checks (workspace_id, project_id, sha, name, state, url, updated_at, conclusion)
VALUES (:workspace, :project_id, :sha, :name, 'passed', NULL, :now, 'success')
"""
PULL_REQUEST = """
INSERT INTO pull_requests (workspace_id, project_id, number, url, title, state, branch, head_sha, merged_at, updated_at)
VALUES (:workspace, :project_id, 1, 'https://example.com/pr/1', 'One', 'open', 'one', :sha, NULL, :now)
"""


async def exported(desk: TestDesk, actor: Actor, project: str) -> bytes:
    """The file's bytes; nothing stays on the disk."""
    answer = await desk.call(actor, "export_project", project_id=project)
    key = answer["receipt"].partition(".")[0]
    handle = desk.installation.files.open_fd(key)
    assert handle is not None
    with os.fdopen(handle, "rb") as file:
        result = file.read()
    desk.installation.files.remove(key)
    assert len(result) == answer["sizeBytes"]
    return result


async def import_file(
    desk: TestDesk, actor: Actor, told: bytes, *, as_copy: bool = False, **asked: Any
) -> dict[str, Any]:
    def stage() -> Any:
        return stage_import_from_export(
            desk.installation.files,
            io.BytesIO(told),
            as_copy=as_copy,
            keep_attachments=not asked.get("dry_run"),
            max_attachment_bytes=1_000_000,
        )

    answer = await run_import(desk.dispatcher, actor, stage, now=desk.clock(), **asked)
    read: dict[str, Any] = msgspec.json.decode(encode_json(answer))
    return read


async def attach(desk: TestDesk, actor: Actor, spec_id: str, name: str, content: bytes) -> dict[str, Any]:
    with desk.installation.files.start_upload(1_000_000) as upload:
        upload.write(content)
        received = upload.save()
    receipt = make_signed_file_receipt(desk.installation, actor, received, desk.clock())
    return await desk.call(actor, "put_attachment", spec_pid=spec_id, name=name, receipt=receipt)


def folder_of(desk: TestDesk) -> set[str]:
    folder: Path = desk.installation.files.folder
    return set(os.listdir(folder)) if folder.is_dir() else set()


async def lived_through(desk: TestDesk) -> tuple[Actor, str]:
    """A project that went through the whole loop: something in every table that an export has."""
    ada = await desk.person("Ada", Role.OWNER)
    agent = await desk.person("Robo", kind="agent")
    work = await published_spec(desk, ada, actions=3, criteria=2, chain=True, participants=(agent,))
    first, second, third = work.actions
    project, spec = work.project_id, work.spec_id
    goal = await desk.call(ada, "create_goal", project_id=project, title="A goal", description="Why.")
    await desk.call(ada, "update_spec", spec_id=spec, summary="Changed, with „quotes“ and\nlines.", goal_id=goal["pid"])
    await attach(desk, ada, spec, "sketch.png", b"\x89PNG" + bytes(range(256)) * 400)
    shown = await attach(desk, ada, spec, "run.log", b"")
    await desk.store.write(desk.workspace, lambda tx: _make_evidence(tx, shown["pid"], first["criteria"][1]))
    gone = await attach(desk, ada, spec, "old.txt", b"old")
    await attach(desk, ada, spec, "empty.txt", b"")
    await desk.call(ada, "remove_attachment", attachment_pid=gone["pid"])
    await desk.call(agent, "claim_action", action_pid=first["pid"], agent_model="some-model")
    await desk.call(agent, "get_action_brief", action_pid=first["pid"])
    answer = await desk.call(agent, "request_clarification", action_pid=first["pid"], question="Which form?")
    await desk.call(ada, "answer_question", clarification_pid=answer["pid"], answer="The small one.")
    desk.clock.forward(MINUTE)
    await desk.call(agent, "update_progress", action_pid=first["pid"], status="started", message="Half of it")
    await desk.call(
        agent, "report_commit", action_pid=first["pid"], sha=SHA, message="Begin", criterion_ids=first["criteria"]
    )
    for criterion in first["criteria"]:
        await desk.call(agent, "report_test_result", action_pid=first["pid"], criterion_id=criterion, outcome="passed")
    handed = {"action_pid": first["pid"], "pr_url": "https://example.com/pr/1", "summary": "Done."}
    await desk.call(
        agent, "report_test_result", action_pid=first["pid"], criterion_id=first["criteria"][0], outcome="failed"
    )
    unmet = [{"criterionId": first["criteria"][0], "reason": "It flickers."}]
    await desk.call(agent, "submit_for_review", **handed, unmet=unmet)
    await desk.call(
        ada,
        "review_action",
        action_pid=first["pid"],
        verdict="changes_requested",
        summary="Not yet.",
        items=[{"text": "Name it better"}],
    )
    item = (await desk.call(agent, "get_action_brief", action_pid=first["pid"]))["review"]["items"][0]
    await desk.call(
        agent,
        "resubmit_for_review",
        **handed,
        unmet=unmet,
        dispositions=[{"itemId": item["id"], "disposition": "fixed", "note": SHA}],
    )
    verdicts = [{"criterionId": entry, "verdict": "confirmed", "note": "Seen."} for entry in first["criteria"]]
    await desk.call(
        ada, "review_action", action_pid=first["pid"], verdict="approved", summary="Good.", verdicts=verdicts
    )
    await desk.call(agent, "claim_action", action_pid=second["pid"])
    await desk.call(ada, "publish_build", spec_id=spec)
    plan = await desk.call(ada, "create_document", project_id=project, title="Plan", body="One\n\nTwo")
    below = await desk.call(
        ada, "create_document", project_id=project, title="Below", parent_id=plan["pid"], linked_task_id=third["pid"]
    )
    comment = await desk.call(ada, "add_comment", document_id=plan["pid"], body="Why two?", passage="Two")
    await desk.call(ada, "resolve_comment", comment_id=comment["pid"])
    for commented in (first["pid"], spec):
        said = await desk.call(ada, "add_comment", document_id=commented, body="Not so quick")
        await desk.call(ada, "update_comment", comment_id=said["pid"], body="Not so quickly")
    await desk.call(ada, "delete_comment", comment_id=said["pid"])
    await desk.call(ada, "update_document", document_id=below["pid"], body="More", expected_revision=1)
    await desk.call(ada, "create_note", project_id=project, title="A note", body="Remember")
    task = await desk.call(ada, "create_task", project_id=project, label="An idea", status="backlog", x=10.5, y=-3)
    await desk.call(ada, "update_task", task_id=task["pid"], assignee="me", due="2026-12-01", labels=["bug", "ui"])
    await desk.call(
        ada, "create_edge", project_id=project, from_task_id=task["pid"], to_task_id=third["pid"], label="supports"
    )
    run = await desk.call(agent, "start_agent_run", project_id=project, label="A run", model="some-model")
    await desk.call(agent, "record_agent_progress", run_id=run["pid"], message="Going")
    await desk.call(agent, "complete_agent_run", run_id=run["pid"], status="completed", tokens=10, cost=0.5)
    await desk.store.write(desk.workspace, lambda tx: _from_outside(tx, project, ada.user_id))
    return ada, project


def _make_evidence(tx: Tx, attachment_id: str, criterion_id: str) -> None:
    """A file of the spec becomes one of a criterion, as if it had been uploaded there."""
    tx.run(
        "UPDATE attachments SET spec_id = NULL, criterion_id = :criterion_id "
        "WHERE workspace_id = :workspace AND id = :id",
        id=attachment_id,
        criterion_id=criterion_id,
    )


def _from_outside(tx: Tx, project_id: str, user_id: str) -> None:
    """What guests and GitHub send."""
    share = new_id()
    values = {"project_id": project_id, "sha": SHA, "now": tx.now}
    tx.run(SHARE, id=share, user_id=user_id, hash=new_id(), **values)
    guest_requests.add(
        tx, GuestRequest(new_id(), project_id, share, "Guest", "Hm.", "pending", tx.now, None, None, None, "T", None)
    )
    for name in ("Zoo", "apple", "äpple", "Apple"):
        tx.run(CHECK, name=name, **values)
    tx.run(PULL_REQUEST, **values)


def with_line(told: bytes, number: int, change: bytes | None) -> bytes:
    """The file with one line (counted from 1) changed; a change to None takes it out."""
    lines: list[bytes | None] = [*told.splitlines()]
    lines[number - 1] = change
    return b"\n".join(line for line in lines if line is not None) + b"\n"


def with_row(told: bytes, word: str, change: dict[str, Any], which: int = 0) -> tuple[bytes, int]:
    """The file with fields of a row changed, and the number of that line."""
    lines = told.splitlines()
    places = [place for place, line in enumerate(lines) if line.startswith(f'{{"{word}":'.encode())]
    row = json.loads(lines[places[which]])
    row[word].update(change)
    lines[places[which]] = json.dumps(row).encode()
    return b"\n".join(lines) + b"\n", places[which] + 1


def ids(told: bytes, word: str) -> list[str]:
    return [row[word]["id"] for row in map(json.loads, told.splitlines()) if word in row]
