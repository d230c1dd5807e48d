"""Backlog.md's folder: tasks, drafts, documents, decisions and milestones as Markdown files with a head."""

import re
from typing import Any

from pendesk.domain.errors import BadField
from pendesk.domain.exchange import front_matter
from pendesk.domain.exchange.front_matter import FrontMatter
from pendesk.domain.exchange.plan import (
    PRIORITIES,
    Criterion,
    Document,
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
from pendesk.domain.exchange.source import ImportFile, decode_text
from pendesk.domain.exchange.timestamps import parse_timestamp_us
from pendesk.domain.label import acceptable_labels
from pendesk.domain.limits import AREA_CHARS, FOREIGN_TEXT_CHARS, LABEL_CHARS, NAME_CHARS

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
    "created_date", "updated_date", "ordinal", "milestone", "date", "type", "assignee", "due_date",
}  # fmt: skip


def read_backlog_md_folder(files: list[ImportFile]) -> ImportPlan:
    root = _find_backlog_md_folder(files)
    inside = [file._replace(name=file.name.removeprefix(root)) for file in files if file.name.startswith(root)]
    plan = ImportPlan(_read_project_name(inside) or NAME)
    milestones = _add_goals_and_get_milestone_titles(plan, inside)
    for file in sorted(inside, key=lambda file: _natural_sort_key(file.name)):
        folder = file.name.split("/")[0] if "/" in file.name else ""
        if not file.name.endswith(".md"):
            continue
        if folder in ("tasks", "drafts", "completed"):
            _add_task(plan, file, milestones)
        elif folder in ("docs", "decisions"):
            _add_document(plan, file, folder)
        elif folder == "archive":
            plan.add_warning(file.name, "is archived; it is left out.")
        elif folder != "milestones":
            plan.add_warning(file.name, "is in no folder of Backlog.md; it is left out.")
    return plan.repair_task_links()


def _find_backlog_md_folder(files: list[ImportFile]) -> str:
    """The folder that has tasks/ or the settings in it."""
    marks = [re.match(r"(?:(.*)/)?(?:tasks/[^/]+\.md|config\.ya?ml)\Z", file.name) for file in files]
    roots = [mark[1] or "" for mark in marks if mark]
    if not roots:
        raise BadField("tasks/", "is not there; name the folder of Backlog.md, which has tasks/ and config.yml in it.")
    shortest = min(roots, key=len)
    return f"{shortest}/" if shortest else ""


def _read_project_name(files: list[ImportFile]) -> str:
    for file in files:
        if file.name in CONFIGS:
            lines = [line for line in decode_text(file).split("\n") if line.startswith("project_name:")]
            return (
                collapse_whitespace(front_matter.parse_front_matter(file.name, lines).text("project_name"))
                if lines
                else ""
            )
    return ""


def _add_goals_and_get_milestone_titles(plan: ImportPlan, files: list[ImportFile]) -> dict[str, str]:
    """Id -> title. A milestone becomes a goal."""
    titles: dict[str, str] = {}
    for file in sorted(files, key=lambda file: _natural_sort_key(file.name)):
        if not re.match(r"milestones/[^/]+\.md\Z", file.name):
            continue
        head, body = front_matter.split_front_matter_and_body(
            file.name, strip_controls_and_check_length(file.name, "", decode_text(file), FOREIGN_TEXT_CHARS)
        )
        title, text = move_title_overflow_to_text(
            plan,
            file.name,
            head.text("title") or head.text("id"),
            _split_sections_by_heading(body).get("Description", ""),
        )
        titles[head.text("id").lower()] = title
        plan.goals.append(Goal(title, strip_controls_and_check_length(file.name, "description", text)))
    return titles


def _add_task(plan: ImportPlan, file: ImportFile, title_by_milestone_id: dict[str, str]) -> None:
    head, body = front_matter.split_front_matter_and_body(
        file.name, strip_controls_and_check_length(file.name, "", decode_text(file), FOREIGN_TEXT_CHARS)
    )
    key = head.text("id").strip().upper()
    if not key:
        raise BadField(f"{file.name}, line {head.line_by_key.get('id', 1)}, id", "is required.")
    sections = _split_sections_by_heading(body)
    criteria = [
        Criterion(collapse_whitespace(item[2]), item[1] != " ")
        for item in _ITEM.finditer(sections.pop("Acceptance Criteria", ""))
    ]
    state, facts = _parse_state_and_unmapped_fields(plan, file, head)
    facts |= _fields_without_counterpart(head, title_by_milestone_id)
    text = "\n\n".join(filter(None, (sections.pop("", ""), sections.pop("Description", ""))))
    text = "\n\n".join(filter(None, (text, *(f"## {name}\n\n{part}" for name, part in sections.items() if part))))
    taken_criteria, text = move_criteria_overflow_to_text(plan, file.name, criteria, text)
    label, text = move_title_overflow_to_text(plan, file.name, head.text("title"), text)
    if (priority := head.text("priority").strip().lower()) and priority not in PRIORITIES:
        facts["Priority"] = priority
    labels = head.list_items("labels")
    plan.add_task(
        Task(
            key=key,
            location=file.name,
            label=label,
            description=strip_controls_and_check_length(file.name, "", append_fields_as_list(text, facts)),
            state=state,
            priority=PRIORITIES.get(priority, 0),
            area=collapse_whitespace(labels[0])[:AREA_CHARS] if labels else "",
            criteria=taken_criteria,
            created_at=parse_timestamp_us(head.text("created_date")),
            updated_at=parse_timestamp_us(head.text("updated_date")),
            **_planning_fields(head),
            group=collapse_whitespace(facts["Milestone"]),
        )
    )
    for needed in head.list_items("dependencies"):
        location = f"{file.name}, line {head.line_by_key['dependencies']}, dependencies"
        plan.add_task_link(TaskLink(key, needed.strip().upper(), "depends_on", location))
    parent = head.text("parent_task_id").strip().upper()
    if parent:
        plan.add_task_link(
            TaskLink(key, parent, "feeds", f"{file.name}, line {head.line_by_key['parent_task_id']}, parent_task_id")
        )


def _planning_fields(head: FrontMatter) -> dict[str, Any]:
    """Of several assignees the first; the text has all of them."""
    people = [collapse_whitespace(name).lstrip("@")[:NAME_CHARS] for name in head.list_items("assignee")]
    return {
        "assignee_names": tuple(name for name in people[:1] if name),
        "due_on": parse_due_day(head.text("due_date")),
        "labels": tuple(collapse_whitespace(name) for name in head.list_items("labels")),
    }


def _parse_state_and_unmapped_fields(
    plan: ImportPlan, file: ImportFile, task_front_matter: FrontMatter
) -> tuple[str, dict[str, str]]:
    text = task_front_matter.text("status").strip()
    status = text.lower() or "to do"
    location = f"{file.name}, line {task_front_matter.line_by_key.get('status', 1)}, status"
    if file.name.startswith("drafts/"):
        return "backlog", {}
    if status not in STATES:
        plan.add_warning(location, f"is {text[:40]!r}, which is not known here; the task becomes backlog.")
        return "backlog", {"Status": text}
    if status in UNDER_WAY:
        plan.add_warning(location, f"is {text!r}; the task becomes todo, as nobody holds it here.")
        return "todo", {"Status": text}
    return STATES[status], {}


def _fields_without_counterpart(
    task_front_matter: FrontMatter, title_by_milestone_id: dict[str, str]
) -> dict[str, str]:
    """What an action has no field for."""
    milestone = task_front_matter.text("milestone")
    labels = task_front_matter.list_items("labels")
    facts = {
        "Milestone": title_by_milestone_id.get(milestone.strip().lower(), milestone),
        "Labels": ", ".join(labels) if len(acceptable_labels(labels)) < len(labels) else "",
        "Assignee": ", ".join(people) if len(people := task_front_matter.list_items("assignee")) > 1 else "",
        "Type": task_front_matter.text("type"),
    }
    for name in (*task_front_matter.lists, *task_front_matter.texts):
        if name not in _KNOWN:
            facts[name.replace("_", " ").capitalize()] = ", ".join(task_front_matter.list_items(name))
    return facts


def _add_document(plan: ImportPlan, file: ImportFile, source_folder: str) -> None:
    head, body = front_matter.split_front_matter_and_body(
        file.name, strip_controls_and_check_length(file.name, "", decode_text(file), FOREIGN_TEXT_CHARS)
    )
    name = head.text("title") or file.name.split("/")[-1].removesuffix(".md")
    title, text = move_title_overflow_to_text(
        plan, file.name, name, strip_control_characters(_MARK.sub("", body)).strip()
    )
    facts = {
        field.replace("_", " ").capitalize(): ", ".join(head.list_items(field))
        for field in (*head.lists, *head.texts)
        if field not in ("id", "title", "status", "created_date", "updated_date")
    }
    status = head.text("status") or ("Decision" if source_folder == "decisions" else "")
    key = head.text("id").strip().lower() or file.name
    body = strip_controls_and_check_length(file.name, "", append_fields_as_list(text, facts))
    plan.add_document(Document(key, file.name, title, body, collapse_whitespace(status)[:LABEL_CHARS]))


def _split_sections_by_heading(body: str) -> dict[str, str]:
    """Heading -> text, without the marks of Backlog.md; what stands before the first heading has none."""
    text = _MARK.sub("", strip_control_characters(body))
    places = [*_HEADING.finditer(text)]
    sections = {"": [text[: places[0].start() if places else len(text)].strip()]}
    for place, heading in enumerate(places):
        end = places[place + 1].start() if place + 1 < len(places) else len(text)
        sections.setdefault(heading[1].rstrip(), []).append(text[heading.end() : end].strip())
    return {name: "\n\n".join(parts).strip() for name, parts in sections.items()}


def _natural_sort_key(name: str) -> list[tuple[int, str]]:
    """task-10 after task-9, and a folder's files together."""
    parts = re.split(r"(\d{1,18})", name)
    return [(int(part), "") if part.isdecimal() else (0, part) for part in parts]
