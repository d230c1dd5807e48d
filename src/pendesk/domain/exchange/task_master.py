"""Task Master's `tasks.json`: tags with tasks, subtasks and dependencies. An old file without tags is one tag."""

from typing import Any

from pendesk.domain.errors import BadField
from pendesk.domain.exchange.plan import (
    PRIORITIES,
    ImportPlan,
    Task,
    TaskLink,
    append_fields_as_list,
    collapse_whitespace,
    move_title_overflow_to_text,
    parse_due_day,
    strip_controls_and_check_length,
)
from pendesk.domain.exchange.source import ImportFile, JsonObject, decode_json
from pendesk.domain.exchange.timestamps import parse_timestamp_us
from pendesk.domain.limits import AREA_CHARS, NAME_CHARS

NAME = "Task Master"
DEFAULT_TAG = "master"
STATES = {
    "pending": "todo",
    "in-progress": "todo",
    "review": "todo",
    "blocked": "todo",
    "done": "done",
    "completed": "done",
    "deferred": "backlog",
    "cancelled": "wont_do",
}
# What is under way there is in nobody's hands here.
UNDER_WAY = ("in-progress", "review", "blocked")


def read_task_master_file(files: list[ImportFile]) -> ImportPlan:
    file = _find_tasks_json(files)
    top = JsonObject(file.name, decode_json(file))
    plan = ImportPlan(NAME)
    for tag, holder in _tags_and_objects_with_tasks(top):
        for task in holder.iter_objects_in_list("tasks"):
            _add_task(plan, tag, task, None)
        holder.ignore_fields("metadata")
    if not plan.tasks:
        plan.add_warning(file.name, "holds no task.")
    return plan.repair_task_links()


def _find_tasks_json(files: list[ImportFile]) -> ImportFile:
    if len(files) == 1:
        return files[0]
    matches = [file for file in files if file.name.split("/")[-1] == "tasks.json"]
    if not matches:
        raise BadField("tasks.json", "is not among the files; name the file, such as .taskmaster/tasks/tasks.json.")
    return min(matches, key=lambda file: len(file.name))


def _tags_and_objects_with_tasks(root_object: JsonObject) -> list[tuple[str, JsonObject]]:
    if root_object.has("tasks"):
        return [(DEFAULT_TAG, root_object)]
    tags = []
    for tag in root_object.unread_fields_as_text():
        holder = root_object.child(tag)
        assert holder is not None
        if not holder.has("tasks"):
            raise BadField(
                f"{root_object.location}, {tag[:60]}", "has no tasks; this is not a tasks.json of Task Master."
            )
        tags.append((tag, holder))
    return tags


def _add_task(plan: ImportPlan, tag: str, task: JsonObject, parent_key: str | None) -> None:
    number = task.required_text("id")
    key = f"{parent_key}.{number}" if parent_key else (number if tag == DEFAULT_TAG else f"{tag}:{number}")
    status = task.text("status", "pending").strip().lower()
    facts = {"Status": status if status not in STATES or status in UNDER_WAY else ""}
    if status not in STATES:
        plan.add_warning(task.location, f"has the status {status[:40]!r}, which is not known; it becomes backlog.")
    elif status in UNDER_WAY:
        plan.add_warning(task.location, f"is {status}; it becomes todo, as nobody holds it here.")
    priority = task.text("priority").strip().lower()
    if priority and priority not in PRIORITIES:
        plan.add_warning(task.location, f"has the priority {priority[:40]!r}, which is not known.")
        facts["Priority"] = priority
    test_strategy = _render_markdown_section("Test strategy", task.text("testStrategy"))
    parts = (task.text("description"), task.text("details"), test_strategy)
    text = "\n\n".join(part for part in parts if part.strip())
    task.ignore_fields("subtasks", "dependencies", "parentTaskId", "parentId", "createdAt", "updatedAt", "parentTask")
    planning = _planning_fields(task, facts)
    extra_facts = {**facts, **task.unread_fields_as_text()}
    title = task.text("title")
    label, text = move_title_overflow_to_text(plan, task.location, title, text)
    plan.add_task(
        Task(
            key=key,
            location=task.location,
            label=label,
            description=strip_controls_and_check_length(
                task.location,
                "description",
                append_fields_as_list(text, {k: v for k, v in extra_facts.items() if k != "title"}),
            ),
            state=STATES.get(status, "backlog"),
            state_reason=f"Cancelled in {NAME}." if status == "cancelled" else None,
            priority=PRIORITIES.get(priority, plan.tasks[parent_key].priority if parent_key else 0),
            area="" if tag == DEFAULT_TAG else tag[:AREA_CHARS],
            created_at=parse_timestamp_us(task.text("createdAt")),
            updated_at=parse_timestamp_us(task.text("updatedAt")),
            **planning,
            group="" if tag == DEFAULT_TAG else collapse_whitespace(tag),
        )
    )
    _add_task_links(plan, tag, task, key, parent_key)
    for subtask in task.iter_objects_in_list("subtasks"):
        _add_task(plan, tag, subtask, key)


def _planning_fields(task: JsonObject, facts_to_fill: dict[str, str]) -> dict[str, Any]:
    """What newer versions and other tools write; a due date that is none stays in the text."""
    assignee = "" if task.is_list("assignee") else collapse_whitespace(task.text("assignee"))[:NAME_CHARS]
    due = task.text("dueDate") or task.text("due_date")
    due_on = parse_due_day(due)
    facts_to_fill["Due"] = due if due_on is None else ""
    labels = [str(name) for field in ("labels", "tags") if task.is_list(field) for name in task.list_items(field)]
    return {"assignee_names": (assignee,) if assignee else (), "due_on": due_on, "labels": tuple(labels)}


def _add_task_links(plan: ImportPlan, tag: str, task: JsonObject, key: str, parent_key: str | None) -> None:
    if parent_key is not None:
        plan.add_task_link(TaskLink(key, parent_key, "feeds", task.location))
    for place, needed in enumerate(task.list_items("dependencies")):
        location = f"{task.location}, dependencies[{place}]"
        if isinstance(needed, bool) or not isinstance(needed, str | int):
            raise BadField(location, "must be the id of a task.")
        plan.add_task_link(TaskLink(key, _dependency_key(tag, str(needed), parent_key), "depends_on", location))


def _dependency_key(tag: str, dependency_id: str, parent_key: str | None) -> str:
    """Among subtasks a bare number is a sibling; `3.1` is a subtask and anything else a task of the same tag."""
    if parent_key is not None and "." not in dependency_id:
        return f"{parent_key}.{dependency_id}"
    return dependency_id if tag == DEFAULT_TAG else f"{tag}:{dependency_id}"


def _render_markdown_section(title: str, text: str) -> str:
    return f"## {title}\n\n{text}" if text.strip() else ""
