"""Task Master's `tasks.json`: tags with tasks, subtasks and dependencies. An old file without tags is one tag."""

from pendesk.domain.errors import BadField
from pendesk.domain.exchange.plan import PRIORITIES, Link, Plan, Task, check_length, split_title, with_facts
from pendesk.domain.exchange.source import Fields, SourceFile, json_of
from pendesk.domain.exchange.timestamps import parse_time
from pendesk.domain.limits import AREA_CHARS

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


def read_task_master(files: list[SourceFile]) -> Plan:
    file = _tasks_file(files)
    top = Fields(file.name, json_of(file))
    plan = Plan(NAME)
    for tag, holder in _tags(top):
        for task in holder.objects("tasks"):
            _task(plan, tag, task, None)
        holder.skip("metadata")
    if not plan.tasks:
        plan.warn(file.name, "holds no task.")
    return plan.conclude()


def _tasks_file(files: list[SourceFile]) -> SourceFile:
    if len(files) == 1:
        return files[0]
    matches = [file for file in files if file.name.split("/")[-1] == "tasks.json"]
    if not matches:
        raise BadField("tasks.json", "is not among the files; name the file, such as .taskmaster/tasks/tasks.json.")
    return min(matches, key=lambda file: len(file.name))


def _tags(top: Fields) -> list[tuple[str, Fields]]:
    if top.has("tasks"):
        return [(DEFAULT_TAG, top)]
    tags = []
    for tag in top.unread_fields():
        holder = top.inner(tag)
        assert holder is not None
        if not holder.has("tasks"):
            raise BadField(f"{top.where}, {tag[:60]}", "has no tasks; this is not a tasks.json of Task Master.")
        tags.append((tag, holder))
    return tags


def _task(plan: Plan, tag: str, task: Fields, parent: str | None) -> None:
    number = task.required("id")
    key = f"{parent}.{number}" if parent else (number if tag == DEFAULT_TAG else f"{tag}:{number}")
    status = task.text("status", "pending").strip().lower()
    facts = {"Status": status if status not in STATES or status in UNDER_WAY else ""}
    if status not in STATES:
        plan.warn(task.where, f"has the status {status[:40]!r}, which is not known; it becomes backlog.")
    elif status in UNDER_WAY:
        plan.warn(task.where, f"is {status}; it becomes todo, as nobody holds it here.")
    priority = task.text("priority").strip().lower()
    if priority and priority not in PRIORITIES:
        plan.warn(task.where, f"has the priority {priority[:40]!r}, which is not known.")
        facts["Priority"] = priority
    text = "\n\n".join(
        part
        for part in (
            task.text("description"),
            task.text("details"),
            _headed("Test strategy", task.text("testStrategy")),
        )
        if part.strip()
    )
    task.skip("subtasks", "dependencies", "parentTaskId", "parentId", "createdAt", "updatedAt", "parentTask")
    extra_facts = {**facts, **task.unread_fields()}
    title = task.text("title")
    label, text = split_title(plan, task.where, title, text)
    plan.add_task(
        Task(
            key=key,
            where=task.where,
            label=label,
            description=check_length(
                task.where, "description", with_facts(text, {k: v for k, v in extra_facts.items() if k != "title"})
            ),
            state=STATES.get(status, "backlog"),
            state_reason=f"Cancelled in {NAME}." if status == "cancelled" else None,
            priority=PRIORITIES.get(priority, plan.tasks[parent].priority if parent else 0),
            area="" if tag == DEFAULT_TAG else tag[:AREA_CHARS],
            created_at=parse_time(task.text("createdAt")),
            updated_at=parse_time(task.text("updatedAt")),
        )
    )
    _links(plan, tag, task, key, parent)
    for subtask in task.objects("subtasks"):
        _task(plan, tag, subtask, key)


def _links(plan: Plan, tag: str, task: Fields, key: str, parent: str | None) -> None:
    if parent is not None:
        plan.link(Link(key, parent, "feeds", task.where))
    for place, needed in enumerate(task.items("dependencies")):
        where = f"{task.where}, dependencies[{place}]"
        if isinstance(needed, bool) or not isinstance(needed, str | int):
            raise BadField(where, "must be the id of a task.")
        plan.link(Link(key, _dependency_key(tag, str(needed), parent), "depends_on", where))


def _dependency_key(tag: str, needed: str, parent: str | None) -> str:
    """Among subtasks a bare number is a sibling; `3.1` is a subtask and anything else a task of the same tag."""
    if parent is not None and "." not in needed:
        return f"{parent}.{needed}"
    return needed if tag == DEFAULT_TAG else f"{tag}:{needed}"


def _headed(title: str, text: str) -> str:
    return f"## {title}\n\n{text}" if text.strip() else ""
