"""What is read of GitHub's payloads, and which operation each becomes. Everything else in them is left alone.

Texts are cut and cleaned here: a commit message is whatever someone typed, and must not make a delivery fail.
"""

import re
from collections.abc import Callable
from typing import Any

import msgspec

from pendesk.clock import from_iso
from pendesk.domain.github import NO_COMMIT
from pendesk.domain.limits import BRANCH_CHARS, CHECK_NAME_CHARS, LABEL_CHARS, MESSAGE_CHARS, PUSH_COMMITS, URL_CHARS

_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_URL = re.compile(r"https?://[^\s/]\S*\Z")

Call = tuple[str, dict[str, Any]]


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


class Push(msgspec.Struct):
    ref: str
    before: str
    after: str
    commits: list[PushCommit]
    forced: bool = False
    deleted: bool = False


class Head(msgspec.Struct):
    sha: str
    ref: str = ""


class Pull(msgspec.Struct):
    number: int
    html_url: str
    state: str
    head: Head
    title: str | None = None
    merged: bool = False
    merged_at: str | None = None
    updated_at: str | None = None


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


def push(told: Push) -> Call | None:
    """Tags, and branches that are removed, bring nothing."""
    kind, _, branch = told.ref.partition("refs/heads/")
    if kind or not branch or told.deleted or told.after == NO_COMMIT:
        return None
    commits = [
        {
            "sha": commit.id,
            "message": _text(commit.message, MESSAGE_CHARS),
            "files_changed": len({*commit.added, *commit.removed, *commit.modified}),
            "distinct": commit.distinct,
        }
        for commit in told.commits[-PUSH_COMMITS:]
    ]
    branch = _line(branch, BRANCH_CHARS)
    return "record_push", {"branch": branch, "before": told.before, "forced": told.forced, "commits": commits}


def pull_request(told: PullRequestEvent) -> Call:
    one = told.pull_request
    closed = "merged" if one.merged or one.merged_at else "closed"
    return "record_pull_request", {
        "number": one.number,
        "url": one.html_url,
        "title": _line(one.title or "", LABEL_CHARS),
        "state": "open" if one.state == "open" else closed,
        "branch": _line(one.head.ref, BRANCH_CHARS),
        "head_sha": one.head.sha,
        "merged_at": _moment(one.merged_at),
        "updated_at": _moment(one.updated_at),
    }


def check_run(told: CheckRunEvent) -> Call:
    """One workflow run is one suite: the same job of two runs is two checks, and the green one hides no red one."""
    one = told.check_run
    suite = f" #{one.check_suite.id}" if one.check_suite and one.check_suite.id is not None else ""
    name = f"{_app(one.app)}: {one.name}{suite}"
    return _check(one.head_sha, name, one.status, one.conclusion, one.html_url, one.completed_at or one.started_at)


def check_suite(told: CheckSuiteEvent) -> Call | None:
    """Only its end: every installed app gets a suite, and many never run anything in it."""
    one = told.check_suite
    if one.status != "completed":
        return None
    suite = f" #{one.id}" if one.id is not None else ""
    return _check(one.head_sha, f"{_app(one.app)} suite{suite}", one.status, one.conclusion, None, one.updated_at)


def workflow_run(told: WorkflowRunEvent) -> Call:
    one = told.workflow_run
    name = f"workflow {one.name or one.workflow_id or ''} ({one.event or 'run'})"
    return _check(one.head_sha, name, one.status, one.conclusion, one.html_url, one.updated_at)


def status(told: StatusEvent) -> Call:
    conclusion = None if told.state == "pending" else told.state
    name = f"status {told.context}"
    return _check(told.sha, name, "completed", conclusion, told.target_url, told.updated_at)


# Event -> what is read of it, and what it becomes.
EVENTS: dict[str, tuple[type[Any], Callable[[Any], Call | None]]] = {
    "push": (Push, push),
    "pull_request": (PullRequestEvent, pull_request),
    "check_run": (CheckRunEvent, check_run),
    "check_suite": (CheckSuiteEvent, check_suite),
    "workflow_run": (WorkflowRunEvent, workflow_run),
    "status": (StatusEvent, status),
}


def _check(sha: str, name: str, state: str | None, conclusion: str | None, url: str | None, at: str | None) -> Call:
    """What runs again may still carry the conclusion of the last time."""
    return "record_check", {
        "sha": sha,
        "name": _line(name, CHECK_NAME_CHARS),
        "conclusion": _line(conclusion, 40) if conclusion and state == "completed" else None,
        "url": url if url is not None and len(url) <= URL_CHARS and _URL.match(url) else None,
        "at": _moment(at),
    }


def _app(app: App | None) -> str:
    return (app.slug or str(app.id or "")) if app else "check"


def _moment(text: str | None) -> int | None:
    return from_iso(text) if text else None


def _text(text: str, chars: int) -> str:
    return _CONTROL.sub("", text)[:chars]


def _line(text: str, chars: int) -> str:
    return " ".join(_text(text, chars).split())
