"""Issues of GitHub as JSON: what `gh issue list --json ...` prints, or the array of the REST API."""

import re
from collections.abc import Iterator
from typing import Any

from pendesk.domain.errors import BadField
from pendesk.domain.exchange.moments import moment
from pendesk.domain.exchange.plan import (
    Criterion,
    Goal,
    Link,
    Plan,
    Task,
    clean,
    fitting,
    one_line,
    take_criteria,
    titled,
    with_facts,
)
from pendesk.domain.exchange.source import Fields, SourceFile, json_of
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
        for where, told in _issues(file):
            _issue(plan, Fields(where, told), goals)
    plan.goals += [Goal(title, text) for title, text in goals.items()]
    if not plan.tasks:
        plan.warn(files[0].name if files else NAME, "holds no issue.")
    return plan.conclude()


def _issues(file: SourceFile) -> Iterator[tuple[str, Any]]:
    read = json_of(file)
    if not isinstance(read, list):
        raise BadField(file.name, "must be a list of issues, as `gh issue list --json number,title,...` prints it.")
    for place, each in enumerate(read):
        # gh api --paginate --slurp gives a list of pages.
        if isinstance(each, list):
            yield from ((f"{file.name}, [{place}][{below}]", issue) for below, issue in enumerate(each))
        else:
            yield f"{file.name}, [{place}]", each


def _issue(plan: Plan, told: Fields, goals: dict[str, str]) -> None:
    if told.has("pull_request"):
        plan.warn(told.where, f"#{told.text('number')} is a pull request; it is left out.")
        return
    number = told.number("number")
    if number is None or number != int(number):
        raise told.wrong("number", "is required, and a whole number; ask gh for it: --json number,title,body,state,...")
    key = f"#{int(number)}"
    address = told.text("html_url") or told.text("url")
    _note_repository(plan, address)
    labels = [_named(told, "labels", place, each) for place, each in enumerate(told.items("labels"))]
    body = fitting(told.where, "body", told.text("body"), FOREIGN_TEXT_CHARS)
    criteria = _task_list(plan, told.where, key, body)
    state, reason = _state(plan, told)
    facts = {
        "Issue": f"{key} {address}".strip(),
        "Author": _login(told.inner("author") or told.inner("user")),
        "Assignees": ", ".join(_named(told, "assignees", n, each) for n, each in enumerate(told.items("assignees"))),
        "Labels": ", ".join(labels) if len(labels) > 1 else "",
        "Milestone": _milestone(told, goals),
        "Closed at": told.text("closedAt") or told.text("closed_at"),
    }
    text = "\n\n".join(filter(None, (body.strip(), _comments(plan, told))))
    kept, text = take_criteria(plan, told.where, criteria, text)
    label, text = titled(plan, told.where, told.text("title"), text)
    plan.add_task(
        Task(
            key=key,
            where=told.where,
            label=label,
            description=fitting(told.where, "body", with_facts(text, facts)),
            state=state,
            state_reason=reason,
            area=one_line(labels[0])[:AREA_CHARS] if labels else "",
            criteria=kept,
            created_at=moment(told.text("createdAt") or told.text("created_at")),
            updated_at=moment(told.text("updatedAt") or told.text("updated_at")),
        )
    )
    for needed in dict.fromkeys(_NEEDS.findall(body)):
        plan.link(Link(key, f"#{needed}", "depends_on", f"{told.where}, body"))


def _note_repository(plan: Plan, address: str) -> None:
    match = _REPOSITORY.match(address)
    if match and plan.repository_url is None:
        plan.repository_url = match[1]
        plan.name = match[2][:NAME_CHARS]


def _task_list(plan: Plan, where: str, key: str, body: str) -> list[Criterion]:
    """Other issues in the list come before this one; the rest is what it must fulfil."""
    found = []
    for item in _ITEM.finditer(body):
        issue = _ISSUE.match(item[2].rstrip(" \t"))
        if issue:
            plan.link(Link(f"#{issue[1]}", key, "feeds", f"{where}, body"))
        else:
            found.append(Criterion(one_line(item[2]), item[1] != " "))
    return found


def _state(plan: Plan, told: Fields) -> tuple[str, str | None]:
    state = told.text("state", "open").lower()
    reason = (told.text("stateReason") or told.text("state_reason")).lower()
    if state == "closed":
        return ("wont_do", DROPPED[reason]) if reason in DROPPED else ("done", None)
    if state != "open":
        plan.warn(told.where, f"has the state {state[:40]!r}, which is not known; it becomes backlog.")
        return "backlog", None
    return "todo", None


def _milestone(told: Fields, goals: dict[str, str]) -> str:
    milestone = told.inner("milestone")
    if milestone is None:
        return ""
    title = one_line(milestone.required("title"))[:200]
    goals.setdefault(title, fitting(milestone.where, "description", milestone.text("description")))
    return title


def _comments(plan: Plan, told: Fields) -> str:
    if not told.is_list("comments"):
        count = told.number("comments") or 0
        if count:
            plan.warn(
                told.where, f"has {int(count)} comments, which are not in the file; gh prints them: --json comments."
            )
        return ""
    parts = []
    for comment in told.objects("comments"):
        author = _login(comment.inner("author") or comment.inner("user"))
        when = comment.text("createdAt") or comment.text("created_at")
        parts.append(f"**{author}** {when}\n\n{clean(comment.text('body')).strip()}")
    return "\n\n".join(["## Comments", *parts]) if parts else ""


def _login(user: Fields | None) -> str:
    return one_line(user.text("login")) if user else ""


def _named(told: Fields, field: str, place: int, value: Any) -> str:
    """A label or an assignee: an object with a name, or the name itself."""
    if isinstance(value, str):
        return one_line(value)
    inner = Fields(f"{told.where}, {field}[{place}]", value)
    return one_line(inner.text("login") or inner.text("name"))
