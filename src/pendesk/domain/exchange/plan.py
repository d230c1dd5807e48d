"""What an import from another program is to make. Readers fill it; nothing of a file is dropped without a word."""

import itertools
import re
from typing import NamedTuple

from pendesk.domain import limits
from pendesk.domain.edge import find_any_cycle, predecessor_and_successor
from pendesk.domain.errors import BadField, RuleBroken
from pendesk.domain.exchange.timestamps import parse_timestamp_us
from pendesk.domain.iso_time import to_iso

# Also halves of characters, which JSON can name and no file can hold.
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
_SPACE = re.compile(r"\s+")
# Parts that wait for their wholes by way of others; each is found by a walk through all links.
LONGER_LOOPS = 20
PRIORITIES = {"critical": 300, "urgent": 300, "high": 200, "medium": 100, "low": 50}


class Criterion(NamedTuple):
    text: str
    met: bool


class Task(NamedTuple):
    """`key` is its name in the file it came from, `location` the place in it. `assignee_names`: what the file calls
    the one who is to do it. `state_under_way`: where it goes from its state once it is imported, held by who imports.
    `group`: its milestone, tag or goal.
    """

    key: str
    location: str
    label: str
    description: str
    state: str
    state_reason: str | None = None
    priority: int = 0
    area: str = ""
    criteria: tuple[Criterion, ...] = ()
    x: float | None = None
    y: float | None = None
    created_at: int | None = None
    updated_at: int | None = None
    assignee_names: tuple[str, ...] = ()
    due_on: str | None = None
    labels: tuple[str, ...] = ()
    state_under_way: str | None = None
    group: str = ""


class TaskLink(NamedTuple):
    source: str
    target: str
    label: str
    location: str
    style: str | None = None


class Goal(NamedTuple):
    title: str
    description: str


class PlannedSpec(NamedTuple):
    """`goal` is the title of the goal that its group is in the file, if it is one."""

    title: str
    goal: str
    task_keys: list[str]


class Document(NamedTuple):
    key: str
    location: str
    title: str
    body: str
    status_line: str = ""
    parent: str | None = None
    linked_task: str | None = None


class Note(NamedTuple):
    title: str
    body: str


class Comment(NamedTuple):
    document: str
    body: str
    passage: str | None
    resolved: bool
    created_at: int | None


class Run(NamedTuple):
    label: str
    status: str
    result: str
    started_at: int | None
    ended_at: int | None


class ImportPlan:
    def __init__(self, name: str) -> None:
        self.name = name
        self.description = ""
        self.repository_url: str | None = None
        self.tasks: dict[str, Task] = {}
        self.links: dict[tuple[str, str, str], TaskLink] = {}
        self.goals: list[Goal] = []
        self.specs: list[PlannedSpec] = []
        self.documents: dict[str, Document] = {}
        self.notes: list[Note] = []
        self.comments: list[Comment] = []
        self.runs: list[Run] = []
        self.warnings: list[str] = []
        # A link "feeds" goes from a part to its whole; in a program where people draw such links it need not.
        self.feeds_link_parts = True

    def add_warning(self, location: str, text: str) -> None:
        if len(self.warnings) <= limits.IMPORT_WARNINGS:  # one more than is told, to say that there are more
            self.warnings.append(f"{location}: {text}")

    def add_task(self, task: Task) -> None:
        if task.key in self.tasks:
            raise BadField(task.location, f"has the id {task.key!r} a second time; give each task its own.")
        if len(self.tasks) == limits.FOREIGN_TASKS:
            raise BadField(task.location, f"is one too many: {limits.FOREIGN_TASKS} tasks is the limit.")
        _check_key_length(task.location, task.key)
        self.tasks[task.key] = task

    def distinct_assignees(self) -> list[tuple[str, ...]]:
        return list(dict.fromkeys(task.assignee_names for task in self.tasks.values() if task.assignee_names))

    def add_document(self, document: Document) -> None:
        _check_key_length(document.location, document.key)
        if document.key in self.documents:
            raise BadField(document.location, f"has the id {document.key!r} a second time; give each its own.")
        self.documents[document.key] = document

    def add_task_link(self, task_link: TaskLink) -> None:
        """Both ends may come later; `repair_task_links` looks whether they did."""
        self.links.setdefault((task_link.source, task_link.target, task_link.label), task_link)
        if len(self.links) > limits.FOREIGN_LINKS:
            raise BadField(task_link.location, f"is one link too many: {limits.FOREIGN_LINKS} is the limit.")

    def repair_task_links(self) -> "ImportPlan":
        self._drop_dangling_links()
        self._break_subtask_cycles()
        loop = find_any_cycle(self._successors_by_key())
        if loop:
            raise RuleBroken(
                f"These depend on each other in a cycle: {' -> '.join(loop[:12])}. Remove one of the dependencies.",
                code="cycle",
                cycle=loop[:12],
            )
        return self

    def _drop_dangling_links(self) -> None:
        for name, link in list(self.links.items()):
            missing = [end for end in (link.source, link.target) if end not in self.tasks]
            if missing:
                self.add_warning(
                    link.location, f"names {missing[0][:60]!r}, which is not in the files; the link is left out."
                )
            elif link.source == link.target:
                self.add_warning(link.location, "is linked with itself; the link is left out.")
            else:
                continue
            del self.links[name]

    def _break_subtask_cycles(self) -> None:
        """A part comes before its whole. Where a part also waits for the whole, only the latter orders them."""
        for part in [link for link in self.links.values() if link.label == "feeds"]:
            if (part.source, part.target, "depends_on") in self.links:
                self._make_link_unordered(part)
        for _ in range(LONGER_LOOPS):
            loop = find_any_cycle(self._successors_by_key())
            part_of_loop = self._find_subtask_link(set(itertools.pairwise(loop))) if loop else None
            if part_of_loop is None:
                return
            self._make_link_unordered(part_of_loop)

    def _find_subtask_link(self, key_pairs: set[tuple[str, str]]) -> TaskLink | None:
        parts = (link for link in self.links.values() if link.label == "feeds")
        return next((link for link in parts if (link.source, link.target) in key_pairs), None)

    def _make_link_unordered(self, link: TaskLink) -> None:
        del self.links[link.source, link.target, link.label]
        self.add_task_link(link._replace(label="supports"))
        self.add_warning(
            link.location, f"waits for {link.target!r}, of which it is a part; the two are linked without an order."
        )

    def _successors_by_key(self) -> dict[str, list[str]]:
        after: dict[str, list[str]] = {}
        for link in self.links.values():
            first, second = predecessor_and_successor(link.label, link.source, link.target)
            if first is not None and second is not None:
                after.setdefault(first, []).append(second)
        return after


def parse_due_day(text: str) -> str | None:
    """The day of a date or time as other programs write it; None where there is none in it."""
    moment = parse_timestamp_us(text)
    return to_iso(moment)[:10] if moment is not None else None


def _check_key_length(location: str, key: str) -> None:
    """Keys are told with every fault, and a part's begins with its whole's."""
    if len(key) > limits.FOREIGN_KEY_CHARS:
        raise BadField(location, f"has an id of more than {limits.FOREIGN_KEY_CHARS} characters; shorten it.")


def strip_control_characters(text: str) -> str:
    """Unix line ends, and no control characters: what the dispatcher would let in."""
    return _CONTROL.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))


def collapse_whitespace(text: str) -> str:
    return _SPACE.sub(" ", strip_control_characters(text)).strip()


def move_title_overflow_to_text(
    plan: ImportPlan, location: str, title: str, text: str, limit: int = limits.LABEL_CHARS
) -> tuple[str, str]:
    """A label that fits, and the text with the whole title where it had to be cut."""
    label = collapse_whitespace(title)
    if not label:
        plan.add_warning(location, "has no title.")
        return "(untitled)", text
    if len(label) <= limit:
        return label, text
    plan.add_warning(location, f"the title is longer than {limit} characters; the text has all of it.")
    return f"{label[: limit - 1]}…", f"{label}\n\n{text}".strip()


def strip_controls_and_check_length(location: str, field: str, text: str, limit: int = limits.TEXT_CHARS) -> str:
    cleaned = strip_control_characters(text).strip("\n")
    if len(cleaned) > limit:
        raise BadField(
            f"{location}, {field}" if field else location,
            f"has {len(cleaned)} characters, and {limit} is the limit; shorten it.",
        )
    return cleaned


def append_fields_as_list(text: str, fields_without_counterpart: dict[str, str]) -> str:
    """What has no field of its own stays readable, below the text."""
    lines = "\n".join(
        f"- {name}: {collapse_whitespace(value)}" for name, value in fields_without_counterpart.items() if value.strip()
    )
    return f"{text}\n\n---\n\n{lines}".strip() if lines else text


def move_criteria_overflow_to_text(
    plan: ImportPlan, location: str, criteria: list[Criterion], text: str
) -> tuple[tuple[Criterion, ...], str]:
    """As many as an action holds; the others stay in the text."""
    good = [item for item in criteria if 0 < len(item.text) <= limits.LINE_CHARS]
    first = tuple(good[: limits.ACTION_CRITERIA])
    first_set = set(first)
    overflow = [item for item in criteria if item not in first_set and item.text]
    if overflow:
        plan.add_warning(
            location, f"{len(overflow)} acceptance criteria are too long or too many; they are in the description."
        )
        text = "\n".join([text, "", *(f"- [{'x' if item.met else ' '}] {item.text}" for item in overflow)]).strip()
    return first, text
