"""Backlog.md's folder: tasks, drafts, documents, decisions and milestones as Markdown files with a head."""

import re

from pendesk.domain.errors import BadField
from pendesk.domain.exchange import front_matter
from pendesk.domain.exchange.front_matter import Head
from pendesk.domain.exchange.plan import (
    PRIORITIES,
    Criterion,
    Document,
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
from pendesk.domain.exchange.source import SourceFile, text_of
from pendesk.domain.exchange.timestamps import parse_time
from pendesk.domain.limits import AREA_CHARS, FOREIGN_TEXT_CHARS, LABEL_CHARS

NAME = "Backlog.md"
CONFIGS = ("config.yml", "config.yaml", "backlog.config.yml")
STATES = {
    "to do": "todo",
    "todo": "todo",
    "in progress": "todo",
    "in review": "todo",
    "review": "todo",
    "blocked": "todo",
    "done": "done",
    "draft": "backlog",
}
UNDER_WAY = ("in progress", "in review", "review", "blocked")
_MARK = re.compile(
    r"(?:^[ \t]*+)?<!-- (?:SECTION:[A-Z_]+|AC|DOD|COMMENTS?)(?::[A-Z_]+)?:(?:BEGIN|END) -->[ \t]*+\n?", re.M
)
_HEADING = re.compile(r"^## +(\S.*)$", re.M)
_ITEM = re.compile(r"^- \[([ xX])\] +(?:#\d+ +)?(\S.*)$", re.M)
# Told by a field or by its place in the folder.
_KNOWN = {
    "id", "title", "status", "labels", "dependencies", "parent_task_id", "priority",
    "created_date", "updated_date", "ordinal", "milestone", "date", "type",
}  # fmt: skip


def read_backlog(files: list[SourceFile]) -> Plan:
    root = _root(files)
    inside = [file._replace(name=file.name.removeprefix(root)) for file in files if file.name.startswith(root)]
    plan = Plan(_project_name(inside) or NAME)
    milestones = _milestones(plan, inside)
    for file in sorted(inside, key=lambda file: _by_number(file.name)):
        folder = file.name.split("/")[0] if "/" in file.name else ""
        if not file.name.endswith(".md"):
            continue
        if folder in ("tasks", "drafts", "completed"):
            _task(plan, file, milestones)
        elif folder in ("docs", "decisions"):
            _document(plan, file, folder)
        elif folder == "archive":
            plan.warn(file.name, "is archived; it is left out.")
        elif folder != "milestones":
            plan.warn(file.name, "is in no folder of Backlog.md; it is left out.")
    return plan.conclude()


def _root(files: list[SourceFile]) -> str:
    """The folder that has tasks/ or the settings in it."""
    marks = [re.match(r"(?:(.*)/)?(?:tasks/[^/]+\.md|config\.ya?ml)\Z", file.name) for file in files]
    roots = [mark[1] or "" for mark in marks if mark]
    if not roots:
        raise BadField("tasks/", "is not there; name the folder of Backlog.md, which has tasks/ and config.yml in it.")
    shortest = min(roots, key=len)
    return f"{shortest}/" if shortest else ""


def _project_name(files: list[SourceFile]) -> str:
    for file in files:
        if file.name in CONFIGS:
            lines = [line for line in text_of(file).split("\n") if line.startswith("project_name:")]
            return one_line(front_matter.read(file.name, lines).text("project_name")) if lines else ""
    return ""


def _milestones(plan: Plan, files: list[SourceFile]) -> dict[str, str]:
    """Id -> title. A milestone becomes a goal."""
    titles: dict[str, str] = {}
    for file in sorted(files, key=lambda file: _by_number(file.name)):
        if not re.match(r"milestones/[^/]+\.md\Z", file.name):
            continue
        head, body = front_matter.split(file.name, check_length(file.name, "", text_of(file), FOREIGN_TEXT_CHARS))
        title, text = split_title(
            plan, file.name, head.text("title") or head.text("id"), _sections(body).get("Description", "")
        )
        titles[head.text("id").lower()] = title
        plan.goals.append(Goal(title, check_length(file.name, "description", text)))
    return titles


def _task(plan: Plan, file: SourceFile, milestones: dict[str, str]) -> None:
    head, body = front_matter.split(file.name, check_length(file.name, "", text_of(file), FOREIGN_TEXT_CHARS))
    key = head.text("id").strip().upper()
    if not key:
        raise BadField(f"{file.name}, line {head.lines.get('id', 1)}, id", "is required.")
    sections = _sections(body)
    criteria = [
        Criterion(one_line(item[2]), item[1] != " ") for item in _ITEM.finditer(sections.pop("Acceptance Criteria", ""))
    ]
    state, facts = _state(plan, file, head)
    facts |= _facts(head, milestones)
    text = "\n\n".join(filter(None, (sections.pop("", ""), sections.pop("Description", ""))))
    text = "\n\n".join(filter(None, (text, *(f"## {name}\n\n{part}" for name, part in sections.items() if part))))
    taken_criteria, text = take_criteria(plan, file.name, criteria, text)
    label, text = split_title(plan, file.name, head.text("title"), text)
    priority = head.text("priority").strip().lower()
    if priority and priority not in PRIORITIES:
        facts["Priority"] = priority
    labels = head.items("labels")
    plan.add_task(
        Task(
            key=key,
            where=file.name,
            label=label,
            description=check_length(file.name, "", with_facts(text, facts)),
            state=state,
            priority=PRIORITIES.get(priority, 0),
            area=one_line(labels[0])[:AREA_CHARS] if labels else "",
            criteria=taken_criteria,
            created_at=parse_time(head.text("created_date")),
            updated_at=parse_time(head.text("updated_date")),
        )
    )
    for needed in head.items("dependencies"):
        where = f"{file.name}, line {head.lines['dependencies']}, dependencies"
        plan.link(Link(key, needed.strip().upper(), "depends_on", where))
    parent = head.text("parent_task_id").strip().upper()
    if parent:
        plan.link(Link(key, parent, "feeds", f"{file.name}, line {head.lines['parent_task_id']}, parent_task_id"))


def _state(plan: Plan, file: SourceFile, head: Head) -> tuple[str, dict[str, str]]:
    text = head.text("status").strip()
    status = text.lower() or "to do"
    where = f"{file.name}, line {head.lines.get('status', 1)}, status"
    if file.name.startswith("drafts/"):
        return "backlog", {}
    if status not in STATES:
        plan.warn(where, f"is {text[:40]!r}, which is not known here; the task becomes backlog.")
        return "backlog", {"Status": text}
    if status in UNDER_WAY:
        plan.warn(where, f"is {text!r}; the task becomes todo, as nobody holds it here.")
        return "todo", {"Status": text}
    return STATES[status], {}


def _facts(head: Head, milestones: dict[str, str]) -> dict[str, str]:
    """What an action has no field for."""
    milestone = head.text("milestone")
    labels = head.items("labels")
    facts = {
        "Milestone": milestones.get(milestone.strip().lower(), milestone),
        "Labels": ", ".join(labels) if len(labels) > 1 or any(len(label) > AREA_CHARS for label in labels) else "",
        "Type": head.text("type"),
    }
    for name in (*head.lists, *head.texts):
        if name not in _KNOWN:
            facts[name.replace("_", " ").capitalize()] = ", ".join(head.items(name))
    return facts


def _document(plan: Plan, file: SourceFile, folder: str) -> None:
    head, body = front_matter.split(file.name, check_length(file.name, "", text_of(file), FOREIGN_TEXT_CHARS))
    name = head.text("title") or file.name.split("/")[-1].removesuffix(".md")
    title, text = split_title(plan, file.name, name, clean(_MARK.sub("", body)).strip())
    facts = {
        field.replace("_", " ").capitalize(): ", ".join(head.items(field))
        for field in (*head.lists, *head.texts)
        if field not in ("id", "title", "status", "created_date", "updated_date")
    }
    status = head.text("status") or ("Decision" if folder == "decisions" else "")
    key = head.text("id").strip().lower() or file.name
    body = check_length(file.name, "", with_facts(text, facts))
    plan.add_document(Document(key, file.name, title, body, one_line(status)[:LABEL_CHARS]))


def _sections(body: str) -> dict[str, str]:
    """Heading -> text, without the marks of Backlog.md; what stands before the first heading has none."""
    text = _MARK.sub("", clean(body))
    places = [*_HEADING.finditer(text)]
    sections = {"": [text[: places[0].start() if places else len(text)].strip()]}
    for place, heading in enumerate(places):
        end = places[place + 1].start() if place + 1 < len(places) else len(text)
        sections.setdefault(heading[1].rstrip(), []).append(text[heading.end() : end].strip())
    return {name: "\n\n".join(parts).strip() for name, parts in sections.items()}


def _by_number(name: str) -> list[tuple[int, str]]:
    """task-10 after task-9, and a folder's files together."""
    parts = re.split(r"(\d{1,18})", name)
    return [(int(part), "") if part.isdecimal() else (0, part) for part in parts]
