"""What is read of GitHub's payloads, and which operation each becomes. Everything else in them is left alone.

A webhook brings them, and GitHub's API answers with the same objects (api.py). Texts are cut and cleaned here: a commit
message is whatever someone typed, and must not make a delivery fail.
"""

import re
from collections.abc import Callable
from typing import Any

import msgspec

from pendesk.clock import parse_iso_time_us
from pendesk.domain.github import NO_COMMIT
from pendesk.domain.limits import (
    BRANCH_CHARS,
    CHECK_NAME_CHARS,
    COMMIT_PATHS,
    LABEL_CHARS,
    MESSAGE_CHARS,
    PATH_CHARS,
    PUSH_COMMITS,
    URL_CHARS,
)
from pendesk.domain.web_address import is_plain_address

_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")

OperationCall = tuple[str, dict[str, Any]]


class Repository(msgspec.Struct):
    full_name: str = ""
    html_url: str = ""


class Envelope(msgspec.Struct):
    """Every payload: whose it is, and what happened."""

    repository: Repository = msgspec.field(default_factory=Repository)


class PushCommit(msgspec.Struct):
    id: str
    message: str
    distinct: bool = True
    added: list[str] = []
    removed: list[str] = []
    modified: list[str] = []


class PushEvent(msgspec.Struct):
    ref: str
    before: str
    after: str
    commits: list[PushCommit]
    forced: bool = False
    deleted: bool = False


class Head(msgspec.Struct):
    sha: str
    ref: str = ""


class Base(msgspec.Struct):
    ref: str = ""
    sha: str = ""


class Pull(msgspec.Struct):
    number: int
    html_url: str
    state: str
    head: Head
    title: str | None = None
    merged: bool = False
    merged_at: str | None = None
    updated_at: str | None = None
    base: Base | None = None
    draft: bool | None = None
    mergeable_state: str | None = None


class PullRequestEvent(msgspec.Struct):
    pull_request: Pull


class App(msgspec.Struct):
    slug: str | None = None
    id: int | None = None


class Suite(msgspec.Struct):
    head_sha: str = ""
    id: int | None = None
    status: str | None = None
    conclusion: str | None = None
    updated_at: str | None = None
    app: App | None = None


class CheckRun(msgspec.Struct):
    name: str
    head_sha: str
    status: str | None = None
    conclusion: str | None = None
    html_url: str | None = None
    started_at: str | None = None
    completed_at: str | None = None
    app: App | None = None
    check_suite: Suite | None = None


class CheckRunEvent(msgspec.Struct):
    check_run: CheckRun


class CheckSuiteEvent(msgspec.Struct):
    check_suite: Suite


class WorkflowRun(msgspec.Struct):
    head_sha: str
    name: str | None = None
    workflow_id: int | None = None
    event: str | None = None
    status: str | None = None
    conclusion: str | None = None
    html_url: str | None = None
    updated_at: str | None = None


class WorkflowRunEvent(msgspec.Struct):
    workflow_run: WorkflowRun


class StatusEvent(msgspec.Struct):
    sha: str
    state: str
    context: str
    target_url: str | None = None
    updated_at: str | None = None


def operation_call_for_push(event: PushEvent) -> OperationCall | None:
    """Tags, and branches that are removed, bring nothing."""
    kind, _, branch = event.ref.partition("refs/heads/")
    if kind or not branch or event.deleted or event.after == NO_COMMIT:
        return None
    commits = [
        {
            "sha": commit.id,
            "message": _strip_control_chars_and_truncate(commit.message, MESSAGE_CHARS),
            "files_changed": len(files),
            "paths": sorted(filter(_is_storable_path, files))[:COMMIT_PATHS],
            "distinct": commit.distinct,
        }
        for commit in event.commits[-PUSH_COMMITS:]
        for files in [{*commit.added, *commit.removed, *commit.modified}]
    ]
    branch = _truncate_to_single_line(branch, BRANCH_CHARS)
    return "record_push", {"branch": branch, "before": event.before, "forced": event.forced, "commits": commits}


def operation_call_for_pull_request(event: PullRequestEvent) -> OperationCall:
    return "record_pull_request", pull_request_fields(event.pull_request)


def pull_request_fields(pull: Pull) -> dict[str, Any]:
    closed = "merged" if pull.merged or pull.merged_at else "closed"
    return {
        "number": pull.number,
        "url": pull.html_url,
        "title": _truncate_to_single_line(pull.title or "", LABEL_CHARS),
        "state": "open" if pull.state == "open" else closed,
        "branch": _truncate_to_single_line(pull.head.ref, BRANCH_CHARS),
        "head_sha": pull.head.sha,
        "merged_at": _parse_iso_time_us(pull.merged_at),
        "updated_at": _parse_iso_time_us(pull.updated_at),
        "base_branch": _truncate_to_single_line(pull.base.ref, BRANCH_CHARS) if pull.base else None,
        "is_draft": pull.draft,
        "merge_state": _truncate_to_single_line(pull.mergeable_state or "", 40) or None,
    }


def operation_call_for_check_run(event: CheckRunEvent) -> OperationCall:
    """One workflow run is one suite: the same job of two runs is two checks, and the green one hides no red one."""
    run = event.check_run
    suite = f" #{run.check_suite.id}" if run.check_suite and run.check_suite.id is not None else ""
    name = f"{_app_name(run.app)}: {run.name}{suite}"
    return _build_record_check_operation_call(
        run.head_sha, name, run.status, run.conclusion, run.html_url, run.completed_at or run.started_at
    )


def operation_call_for_check_suite(event: CheckSuiteEvent) -> OperationCall | None:
    """Only its end: every installed app gets a suite, and many never run anything in it."""
    suite = event.check_suite
    if suite.status != "completed":
        return None
    number = f" #{suite.id}" if suite.id is not None else ""
    name = f"{_app_name(suite.app)} suite{number}"
    return _build_record_check_operation_call(
        suite.head_sha, name, suite.status, suite.conclusion, None, suite.updated_at
    )


def operation_call_for_workflow_run(event: WorkflowRunEvent) -> OperationCall:
    run = event.workflow_run
    name = f"workflow {run.name or run.workflow_id or ''} ({run.event or 'run'})"
    return _build_record_check_operation_call(
        run.head_sha, name, run.status, run.conclusion, run.html_url, run.updated_at
    )


def operation_call_for_status(event: StatusEvent) -> OperationCall:
    conclusion = None if event.state == "pending" else event.state
    name = f"status {event.context}"
    return _build_record_check_operation_call(
        event.sha, name, "completed", conclusion, event.target_url, event.updated_at
    )


# Event -> what is read of it, and what it becomes.
EVENTS: dict[str, tuple[type[Any], Callable[[Any], OperationCall | None]]] = {
    "push": (PushEvent, operation_call_for_push),
    "pull_request": (PullRequestEvent, operation_call_for_pull_request),
    "check_run": (CheckRunEvent, operation_call_for_check_run),
    "check_suite": (CheckSuiteEvent, operation_call_for_check_suite),
    "workflow_run": (WorkflowRunEvent, operation_call_for_workflow_run),
    "status": (StatusEvent, operation_call_for_status),
}


def _build_record_check_operation_call(
    sha: str, name: str, state: str | None, conclusion: str | None, url: str | None, reported_at: str | None
) -> OperationCall:
    """What runs again may still carry the conclusion of the last time."""
    return "record_check", {
        "sha": sha,
        "name": _truncate_to_single_line(name, CHECK_NAME_CHARS),
        "conclusion": _truncate_to_single_line(conclusion, 40) if conclusion and state == "completed" else None,
        "url": url if url is not None and len(url) <= URL_CHARS and is_plain_address(url) else None,
        "at": _parse_iso_time_us(reported_at),
    }


def _app_name(app: App | None) -> str:
    return (app.slug or str(app.id or "")) if app else "check"


def _parse_iso_time_us(text: str | None) -> int | None:
    return parse_iso_time_us(text) if text else None


def _strip_control_chars_and_truncate(text: str, max_chars: int) -> str:
    return _CONTROL.sub("", text)[:max_chars]


def _truncate_to_single_line(text: str, max_chars: int) -> str:
    return " ".join(_strip_control_chars_and_truncate(text, max_chars).split())


def _is_storable_path(path: str) -> bool:
    return 0 < len(path) <= PATH_CHARS and not _CONTROL.search(path)
