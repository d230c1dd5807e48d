"""Issues of GitHub as JSON: what `gh issue list --json ...` prints, or the array of the REST API."""

import re
from collections.abc import Iterator
from typing import Any

from pendesk.domain.errors import BadField
from pendesk.domain.exchange.plan import (
    PRIORITIES,
    Criterion,
    Goal,
    ImportPlan,
    Task,
    TaskLink,
    append_fields_as_list,
    collapse_whitespace,
    move_criteria_overflow_to_text,
    move_title_overflow_to_text,
    parse_due_day,
    strip_control_characters,
    strip_controls_and_check_length,
)
from pendesk.domain.exchange.source import ImportFile, JsonObject, decode_json
from pendesk.domain.exchange.timestamps import parse_timestamp_us
from pendesk.domain.label import acceptable_labels
from pendesk.domain.limits import AREA_CHARS, FOREIGN_TEXT_CHARS, NAME_CHARS

NAME = "GitHub issues"
_ITEM = re.compile(r"^[ \t]*[-*+] \[([ xX])\][ \t]+(\S.*)$", re.M)
_ISSUE = re.compile(r"(?:(?:https?://github\.com/[\w.-]+/[\w.-]+/issues/)|#)(\d+)(?: .*)?\Z")
_NEEDS = re.compile(r"\b(?:depends on|blocked by)[ :]+#(\d+)", re.I)
_REPOSITORY = re.compile(r"(https?://[^/\s]+/([\w.-]+/[\w.-]+))/(?:issues|pull)/\d+")
_PRIORITY = re.compile(r"(?:priority[ :/=-]*(critical|urgent|high|medium|low)|(p[0-3]))", re.I)
_NUMBERED_PRIORITIES = {"p0": "urgent", "p1": "high", "p2": "medium", "p3": "low"}
DROPPED = {"not_planned": "Closed as not planned.", "duplicate": "Closed as a duplicate."}


def read_github_issues(files: list[ImportFile]) -> ImportPlan:
    plan = ImportPlan(NAME)
    goals: dict[str, str] = {}
    for file in files:
        for location, value in _iter_issues_with_location(file):
            _add_issue_as_task(plan, JsonObject(location, value), goals)
    plan.goals += [Goal(title, text) for title, text in goals.items()]
    if not plan.tasks:
        plan.add_warning(files[0].name if files else NAME, "holds no issue.")
    return plan.repair_task_links()


def _iter_issues_with_location(file: ImportFile) -> Iterator[tuple[str, Any]]:
    read = decode_json(file)
    if not isinstance(read, list):
        raise BadField(file.name, "must be a list of issues, as `gh issue list --json number,title,...` prints it.")
    for place, item in enumerate(read):
        # gh api --paginate --slurp gives a list of pages.
        if isinstance(item, list):
            yield from ((f"{file.name}, [{place}][{below}]", issue) for below, issue in enumerate(item))
        else:
            yield f"{file.name}, [{place}]", item


def _add_issue_as_task(plan: ImportPlan, issue: JsonObject, description_by_goal_title: dict[str, str]) -> None:
    if issue.has("pull_request"):
        plan.add_warning(issue.location, f"#{issue.text('number')} is a pull request; it is left out.")
        return
    number = issue.number("number")
    if number is None or number != int(number):
        raise issue.field_error("number", "must be a whole number; ask gh for it: --json number,title,body,state,...")
    key = f"#{int(number)}"
    address = issue.text("html_url") or issue.text("url")
    _set_repository_from_issue_url(plan, address)
    labels = _label_or_assignee_names(issue, "labels")
    logins = _label_or_assignee_names(issue, "assignees")
    body = strip_controls_and_check_length(issue.location, "body", issue.text("body"), FOREIGN_TEXT_CHARS)
    criteria = _parse_checklist_and_add_links(plan, issue.location, key, body)
    state, reason = _parse_state_and_reason(plan, issue)
    facts = {
        "Issue": f"{key} {address}".strip(),
        "Author": _login_name(issue.child("author") or issue.child("user")),
        "Assignees": ", ".join(logins) if len(logins) > 1 else "",
        "Labels": ", ".join(labels) if len(acceptable_labels(labels)) < len(labels) else "",
        "Milestone": _add_milestone_and_get_goal_title(issue, description_by_goal_title),
        "Closed at": issue.text("closedAt") or issue.text("closed_at"),
    }
    text = "\n\n".join(filter(None, (body.strip(), _format_comments(plan, issue))))
    taken_criteria, text = move_criteria_overflow_to_text(plan, issue.location, criteria, text)
    label, text = move_title_overflow_to_text(plan, issue.location, issue.text("title"), text)
    plan.add_task(
        Task(
            key=key,
            location=issue.location,
            label=label,
            description=strip_controls_and_check_length(issue.location, "body", append_fields_as_list(text, facts)),
            state=state,
            state_reason=reason,
            area=collapse_whitespace(labels[0])[:AREA_CHARS] if labels else "",
            criteria=taken_criteria,
            created_at=parse_timestamp_us(issue.text("createdAt") or issue.text("created_at")),
            updated_at=parse_timestamp_us(issue.text("updatedAt") or issue.text("updated_at")),
            **_planning_fields(issue, labels),
            group=facts["Milestone"],
        )
    )
    for needed in dict.fromkeys(_NEEDS.findall(body)):
        plan.add_task_link(TaskLink(key, f"#{needed}", "depends_on", f"{issue.location}, body"))


def _set_repository_from_issue_url(plan: ImportPlan, issue_url: str) -> None:
    match = _REPOSITORY.match(issue_url)
    if match and plan.repository_url is None:
        plan.repository_url = match[1]
        plan.name = match[2][:NAME_CHARS]


def _parse_checklist_and_add_links(plan: ImportPlan, location: str, issue_key: str, body: str) -> list[Criterion]:
    """Other issues in the list come before this one; the rest is what it must fulfil."""
    criteria = []
    for item in _ITEM.finditer(body):
        reference = _ISSUE.match(item[2].rstrip(" \t"))
        if reference:
            plan.add_task_link(TaskLink(f"#{reference[1]}", issue_key, "feeds", f"{location}, body"))
        else:
            criteria.append(Criterion(collapse_whitespace(item[2]), item[1] != " "))
    return criteria


def _parse_state_and_reason(plan: ImportPlan, issue: JsonObject) -> tuple[str, str | None]:
    state = issue.text("state", "open").lower()
    reason = (issue.text("stateReason") or issue.text("state_reason")).lower()
    if state == "closed":
        return ("wont_do", DROPPED[reason]) if reason in DROPPED else ("done", None)
    if state != "open":
        plan.add_warning(issue.location, f"has the state {state[:40]!r}, which is not known; it becomes backlog.")
        return "backlog", None
    return "todo", None


def _add_milestone_and_get_goal_title(issue: JsonObject, description_by_goal_title: dict[str, str]) -> str:
    milestone = issue.child("milestone")
    if milestone is None:
        return ""
    title = collapse_whitespace(milestone.required_text("title"))[:200]
    description_by_goal_title.setdefault(
        title, strip_controls_and_check_length(milestone.location, "description", milestone.text("description"))
    )
    return title


def _planning_fields(issue: JsonObject, labels: list[str]) -> dict[str, Any]:
    return {
        "priority": _priority_of_labels(labels),
        "assignee_names": _first_assignee_names(issue),
        "due_on": _milestone_due_day(issue),
        "labels": tuple(labels),
    }


def _milestone_due_day(issue: JsonObject) -> str | None:
    milestone = issue.child("milestone")
    return parse_due_day(milestone.text("dueOn") or milestone.text("due_on")) if milestone else None


def _priority_of_labels(labels: list[str]) -> int:
    """The most urgent that a label says: priority: high, priority/low, P1."""
    words = [(match[1] or match[2]).lower() for label in labels if (match := _PRIORITY.fullmatch(label))]
    return max((PRIORITIES[_NUMBERED_PRIORITIES.get(word, word)] for word in words), default=0)


def _first_assignee_names(issue: JsonObject) -> tuple[str, ...]:
    """Of several the first; all of them are in the text. A member may be known by either name."""
    for index, value in enumerate(issue.list_items("assignees")):
        if isinstance(value, str):
            names = [value]
        else:
            person = JsonObject(f"{issue.location}, assignees[{index}]", value)
            names = [person.text("login"), person.text("name"), person.text("email")]
        return tuple(name for name in (collapse_whitespace(name)[:NAME_CHARS] for name in names) if name)
    return ()


def _format_comments(plan: ImportPlan, issue: JsonObject) -> str:
    if not issue.is_list("comments"):
        count = issue.number("comments") or 0
        if count:
            plan.add_warning(
                issue.location,
                f"has {int(count)} comments, which are not in the file; gh prints them: --json comments.",
            )
        return ""
    parts = []
    for comment in issue.iter_objects_in_list("comments"):
        author = _login_name(comment.child("author") or comment.child("user"))
        when = comment.text("createdAt") or comment.text("created_at")
        parts.append(f"**{author}** {when}\n\n{strip_control_characters(comment.text('body')).strip()}")
    return "\n\n".join(["## Comments", *parts]) if parts else ""


def _login_name(user: JsonObject | None) -> str:
    return collapse_whitespace(user.text("login")) if user else ""


def _label_or_assignee_names(issue: JsonObject, field: str) -> list[str]:
    return [_label_or_assignee_name(issue, field, index, value) for index, value in enumerate(issue.list_items(field))]


def _label_or_assignee_name(issue: JsonObject, field: str, index: int, value: Any) -> str:
    """A label or an assignee: an object with a name, or the name itself."""
    if isinstance(value, str):
        return collapse_whitespace(value)
    inner = JsonObject(f"{issue.location}, {field}[{index}]", value)
    return collapse_whitespace(inner.text("login") or inner.text("name"))
