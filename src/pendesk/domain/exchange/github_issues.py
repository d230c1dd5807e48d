"""Issues of GitHub as JSON: what `gh issue list --json ...` prints, or the array of the REST API."""

import re
from collections.abc import Iterator
from typing import Any

from pendesk.domain.errors import BadField
from pendesk.domain.exchange.plan import (
    Criterion,
    Goal,
    Link,
    Plan,
    Task,
    check_length,
    clean,
    one_line,
    split_title,
    take_criteria,
    with_facts,
)
from pendesk.domain.exchange.source import Fields, SourceFile, json_of
from pendesk.domain.exchange.timestamps import parse_time
from pendesk.domain.limits import AREA_CHARS, FOREIGN_TEXT_CHARS, NAME_CHARS

NAME = "GitHub issues"
_ITEM = re.compile(r"^[ \t]*[-*+] \[([ xX])\][ \t]+(\S.*)$", re.M)
_ISSUE = re.compile(r"(?:(?:https?://github\.com/[\w.-]+/[\w.-]+/issues/)|#)(\d+)(?: .*)?\Z")
_NEEDS = re.compile(r"\b(?:depends on|blocked by)[ :]+#(\d+)", re.I)
_REPOSITORY = re.compile(r"(https?://[^/\s]+/([\w.-]+/[\w.-]+))/(?:issues|pull)/\d+")
DROPPED = {"not_planned": "Closed as not planned.", "duplicate": "Closed as a duplicate."}


def read_github_issues(files: list[SourceFile]) -> Plan:
    plan = Plan(NAME)
    goals: dict[str, str] = {}
    for file in files:
        for where, value in _issues(file):
            _issue(plan, Fields(where, value), goals)
    plan.goals += [Goal(title, text) for title, text in goals.items()]
    if not plan.tasks:
        plan.warn(files[0].name if files else NAME, "holds no issue.")
    return plan.conclude()


def _issues(file: SourceFile) -> Iterator[tuple[str, Any]]:
    read = json_of(file)
    if not isinstance(read, list):
        raise BadField(file.name, "must be a list of issues, as `gh issue list --json number,title,...` prints it.")
    for place, item in enumerate(read):
        # gh api --paginate --slurp gives a list of pages.
        if isinstance(item, list):
            yield from ((f"{file.name}, [{place}][{below}]", issue) for below, issue in enumerate(item))
        else:
            yield f"{file.name}, [{place}]", item


def _issue(plan: Plan, issue: Fields, goals: dict[str, str]) -> None:
    if issue.has("pull_request"):
        plan.warn(issue.where, f"#{issue.text('number')} is a pull request; it is left out.")
        return
    number = issue.number("number")
    if number is None or number != int(number):
        raise issue.field_fault("number", "must be a whole number; ask gh for it: --json number,title,body,state,...")
    key = f"#{int(number)}"
    address = issue.text("html_url") or issue.text("url")
    _note_repository(plan, address)
    labels = [_name_of(issue, "labels", place, value) for place, value in enumerate(issue.items("labels"))]
    body = check_length(issue.where, "body", issue.text("body"), FOREIGN_TEXT_CHARS)
    criteria = _task_list(plan, issue.where, key, body)
    state, reason = _state(plan, issue)
    facts = {
        "Issue": f"{key} {address}".strip(),
        "Author": _login(issue.inner("author") or issue.inner("user")),
        "Assignees": ", ".join(
            _name_of(issue, "assignees", n, value) for n, value in enumerate(issue.items("assignees"))
        ),
        "Labels": ", ".join(labels) if len(labels) > 1 else "",
        "Milestone": _milestone(issue, goals),
        "Closed at": issue.text("closedAt") or issue.text("closed_at"),
    }
    text = "\n\n".join(filter(None, (body.strip(), _comments(plan, issue))))
    taken_criteria, text = take_criteria(plan, issue.where, criteria, text)
    label, text = split_title(plan, issue.where, issue.text("title"), text)
    plan.add_task(
        Task(
            key=key,
            where=issue.where,
            label=label,
            description=check_length(issue.where, "body", with_facts(text, facts)),
            state=state,
            state_reason=reason,
            area=one_line(labels[0])[:AREA_CHARS] if labels else "",
            criteria=taken_criteria,
            created_at=parse_time(issue.text("createdAt") or issue.text("created_at")),
            updated_at=parse_time(issue.text("updatedAt") or issue.text("updated_at")),
        )
    )
    for needed in dict.fromkeys(_NEEDS.findall(body)):
        plan.link(Link(key, f"#{needed}", "depends_on", f"{issue.where}, body"))


def _note_repository(plan: Plan, address: str) -> None:
    match = _REPOSITORY.match(address)
    if match and plan.repository_url is None:
        plan.repository_url = match[1]
        plan.name = match[2][:NAME_CHARS]


def _task_list(plan: Plan, where: str, key: str, body: str) -> list[Criterion]:
    """Other issues in the list come before this one; the rest is what it must fulfil."""
    criteria = []
    for item in _ITEM.finditer(body):
        reference = _ISSUE.match(item[2].rstrip(" \t"))
        if reference:
            plan.link(Link(f"#{reference[1]}", key, "feeds", f"{where}, body"))
        else:
            criteria.append(Criterion(one_line(item[2]), item[1] != " "))
    return criteria


def _state(plan: Plan, issue: Fields) -> tuple[str, str | None]:
    state = issue.text("state", "open").lower()
    reason = (issue.text("stateReason") or issue.text("state_reason")).lower()
    if state == "closed":
        return ("wont_do", DROPPED[reason]) if reason in DROPPED else ("done", None)
    if state != "open":
        plan.warn(issue.where, f"has the state {state[:40]!r}, which is not known; it becomes backlog.")
        return "backlog", None
    return "todo", None


def _milestone(issue: Fields, goals: dict[str, str]) -> str:
    milestone = issue.inner("milestone")
    if milestone is None:
        return ""
    title = one_line(milestone.required("title"))[:200]
    goals.setdefault(title, check_length(milestone.where, "description", milestone.text("description")))
    return title


def _comments(plan: Plan, issue: Fields) -> str:
    if not issue.is_list("comments"):
        count = issue.number("comments") or 0
        if count:
            plan.warn(
                issue.where, f"has {int(count)} comments, which are not in the file; gh prints them: --json comments."
            )
        return ""
    parts = []
    for comment in issue.objects("comments"):
        author = _login(comment.inner("author") or comment.inner("user"))
        when = comment.text("createdAt") or comment.text("created_at")
        parts.append(f"**{author}** {when}\n\n{clean(comment.text('body')).strip()}")
    return "\n\n".join(["## Comments", *parts]) if parts else ""


def _login(user: Fields | None) -> str:
    return one_line(user.text("login")) if user else ""


def _name_of(issue: Fields, field: str, place: int, value: Any) -> str:
    """A label or an assignee: an object with a name, or the name itself."""
    if isinstance(value, str):
        return one_line(value)
    inner = Fields(f"{issue.where}, {field}[{place}]", value)
    return one_line(inner.text("login") or inner.text("name"))
