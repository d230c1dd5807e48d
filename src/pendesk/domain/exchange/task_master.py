"""Task Master's `tasks.json`: tags with tasks, subtasks and dependencies. An old file without tags is one tag."""

from pendesk.domain.errors import BadField
from pendesk.domain.exchange.moments import moment
from pendesk.domain.exchange.plan import PRIORITIES, Link, Plan, Task, fitting, titled, with_facts
from pendesk.domain.exchange.source import Fields, SourceFile, json_of
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
    found = [file for file in files if file.name.split("/")[-1] == "tasks.json"]
    if not found:
        raise BadField("tasks.json", "is not among the files; name the file, such as .taskmaster/tasks/tasks.json.")
    return min(found, key=lambda file: len(file.name))


def _tags(top: Fields) -> list[tuple[str, Fields]]:
    if top.has("tasks"):
        return [(DEFAULT_TAG, top)]
    found = []
    for tag in top.others():
        holder = top.inner(tag)
        assert holder is not None
        if not holder.has("tasks"):
            raise BadField(f"{top.where}, {tag[:60]}", "has no tasks; this is not a tasks.json of Task Master.")
        found.append((tag, holder))
    return found


def _task(plan: Plan, tag: str, told: Fields, parent: str | None) -> None:
    number = told.required("id")
    key = f"{parent}.{number}" if parent else (number if tag == DEFAULT_TAG else f"{tag}:{number}")
    status = told.text("status", "pending").strip().lower()
    facts = {"Status": status if status not in STATES or status in UNDER_WAY else ""}
    if status not in STATES:
        plan.warn(told.where, f"has the status {status[:40]!r}, which is not known; it becomes backlog.")
    elif status in UNDER_WAY:
        plan.warn(told.where, f"is {status}; it becomes todo, as nobody holds it here.")
    priority = told.text("priority").strip().lower()
    if priority and priority not in PRIORITIES:
        plan.warn(told.where, f"has the priority {priority[:40]!r}, which is not known.")
        facts["Priority"] = priority
    text = "\n\n".join(
        part
        for part in (
            told.text("description"),
            told.text("details"),
            _headed("Test strategy", told.text("testStrategy")),
        )
        if part.strip()
    )
    told.skip("subtasks", "dependencies", "parentTaskId", "parentId", "createdAt", "updatedAt", "parentTask")
    others = {**facts, **told.others()}
    title = told.text("title")
    label, text = titled(plan, told.where, title, text)
    plan.add_task(
        Task(
            key=key,
            where=told.where,
            label=label,
            description=fitting(
                told.where, "description", with_facts(text, {k: v for k, v in others.items() if k != "title"})
            ),
            state=STATES.get(status, "backlog"),
            state_reason=f"Cancelled in {NAME}." if status == "cancelled" else None,
            priority=PRIORITIES.get(priority, plan.tasks[parent].priority if parent else 0),
            area="" if tag == DEFAULT_TAG else tag[:AREA_CHARS],
            created_at=moment(told.text("createdAt")),
            updated_at=moment(told.text("updatedAt")),
        )
    )
    _links(plan, tag, told, key, parent)
    for subtask in told.objects("subtasks"):
        _task(plan, tag, subtask, key)


def _links(plan: Plan, tag: str, told: Fields, key: str, parent: str | None) -> None:
    if parent is not None:
        plan.link(Link(key, parent, "feeds", told.where))
    for place, needed in enumerate(told.items("dependencies")):
        where = f"{told.where}, dependencies[{place}]"
        if isinstance(needed, bool) or not isinstance(needed, str | int):
            raise BadField(where, "must be the id of a task.")
        plan.link(Link(key, _meant(tag, str(needed), parent), "depends_on", where))


def _meant(tag: str, needed: str, parent: str | None) -> str:
    """Among subtasks a bare number is a sibling; `3.1` is a subtask and anything else a task of the same tag."""
    if parent is not None and "." not in needed:
        return f"{parent}.{needed}"
    return needed if tag == DEFAULT_TAG else f"{tag}:{needed}"


def _headed(title: str, text: str) -> str:
    return f"## {title}\n\n{text}" if text.strip() else ""
