"""What an import from another program is to make. Readers fill it; nothing of a file is dropped without a word."""

import itertools
import re
from typing import NamedTuple

from pendesk.domain import limits
from pendesk.domain.edge import first_loop, order
from pendesk.domain.errors import BadField, RuleBroken

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
    """`key` is its name in the file it came from, `where` the place in it."""

    key: str
    where: str
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


class Link(NamedTuple):
    source: str
    target: str
    label: str
    where: str
    style: str | None = None


class Goal(NamedTuple):
    title: str
    description: str


class Document(NamedTuple):
    key: str
    where: str
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


class Plan:
    def __init__(self, name: str) -> None:
        self.name = name
        self.description = ""
        self.repository_url: str | None = None
        self.tasks: dict[str, Task] = {}
        self.links: dict[tuple[str, str, str], Link] = {}
        self.goals: list[Goal] = []
        self.documents: dict[str, Document] = {}
        self.notes: list[Note] = []
        self.comments: list[Comment] = []
        self.runs: list[Run] = []
        self.warnings: list[str] = []

    def warn(self, where: str, text: str) -> None:
        if len(self.warnings) <= limits.IMPORT_WARNINGS:  # one more than is told, to say that there are more
            self.warnings.append(f"{where}: {text}")

    def add_task(self, task: Task) -> None:
        if task.key in self.tasks:
            raise BadField(task.where, f"has the id {task.key!r} a second time; give each task its own.")
        if len(self.tasks) == limits.FOREIGN_TASKS:
            raise BadField(task.where, f"is one too many: {limits.FOREIGN_TASKS} tasks is the limit.")
        _check_key(task.where, task.key)
        self.tasks[task.key] = task

    def add_document(self, document: Document) -> None:
        _check_key(document.where, document.key)
        if document.key in self.documents:
            raise BadField(document.where, f"has the id {document.key!r} a second time; give each its own.")
        self.documents[document.key] = document

    def link(self, link: Link) -> None:
        """Both ends may come later; `conclude` looks whether they did."""
        self.links.setdefault((link.source, link.target, link.label), link)
        if len(self.links) > limits.FOREIGN_LINKS:
            raise BadField(link.where, f"is one link too many: {limits.FOREIGN_LINKS} is the limit.")

    def conclude(self) -> "Plan":
        self._drop_loose_links()
        self._loosen_parts()
        loop = first_loop(self._after())
        if loop:
            raise RuleBroken(
                f"These depend on each other in a cycle: {' -> '.join(loop[:12])}. Remove one of the dependencies.",
                code="cycle",
                cycle=loop[:12],
            )
        return self

    def _drop_loose_links(self) -> None:
        for name, link in list(self.links.items()):
            missing = [end for end in (link.source, link.target) if end not in self.tasks]
            if missing:
                self.warn(link.where, f"names {missing[0][:60]!r}, which is not in the files; the link is left out.")
            elif link.source == link.target:
                self.warn(link.where, "is linked with itself; the link is left out.")
            else:
                continue
            del self.links[name]

    def _loosen_parts(self) -> None:
        """A part comes before its whole. Where a part also waits for the whole, only the latter orders them."""
        for part in [link for link in self.links.values() if link.label == "feeds"]:
            if (part.source, part.target, "depends_on") in self.links:
                self._loosen(part)
        for _ in range(LONGER_LOOPS):
            loop = first_loop(self._after())
            part_of_loop = self._part_in(set(itertools.pairwise(loop))) if loop else None
            if part_of_loop is None:
                return
            self._loosen(part_of_loop)

    def _part_in(self, pairs: set[tuple[str, str]]) -> Link | None:
        parts = (link for link in self.links.values() if link.label == "feeds")
        return next((link for link in parts if (link.source, link.target) in pairs), None)

    def _loosen(self, part: Link) -> None:
        del self.links[part.source, part.target, part.label]
        self.link(part._replace(label="supports"))
        self.warn(part.where, f"waits for {part.target!r}, of which it is a part; the two are linked without an order.")

    def _after(self) -> dict[str, list[str]]:
        after: dict[str, list[str]] = {}
        for link in self.links.values():
            first, second = order(link.label, link.source, link.target)
            if first is not None and second is not None:
                after.setdefault(first, []).append(second)
        return after


def _check_key(where: str, key: str) -> None:
    """Keys are told with every fault, and a part's begins with its whole's."""
    if len(key) > limits.FOREIGN_KEY_CHARS:
        raise BadField(where, f"has an id of more than {limits.FOREIGN_KEY_CHARS} characters; shorten it.")


def clean(text: str) -> str:
    """Unix line ends, and no control characters: what the dispatcher would let in."""
    return _CONTROL.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))


def one_line(text: str) -> str:
    return _SPACE.sub(" ", clean(text)).strip()


def split_title(plan: Plan, where: str, title: str, text: str, limit: int = limits.LABEL_CHARS) -> tuple[str, str]:
    """A label that fits, and the text with the whole title where it had to be cut."""
    label = one_line(title)
    if not label:
        plan.warn(where, "has no title.")
        return "(untitled)", text
    if len(label) <= limit:
        return label, text
    plan.warn(where, f"the title is longer than {limit} characters; the text has all of it.")
    return f"{label[: limit - 1]}…", f"{label}\n\n{text}".strip()


def check_length(where: str, field: str, text: str, limit: int = limits.TEXT_CHARS) -> str:
    cleaned = clean(text).strip("\n")
    if len(cleaned) > limit:
        raise BadField(
            f"{where}, {field}" if field else where,
            f"has {len(cleaned)} characters, and {limit} is the limit; shorten it.",
        )
    return cleaned


def with_facts(text: str, facts: dict[str, str]) -> str:
    """What has no field of its own stays readable, below the text."""
    lines = "\n".join(f"- {name}: {one_line(value)}" for name, value in facts.items() if value.strip())
    return f"{text}\n\n---\n\n{lines}".strip() if lines else text


def take_criteria(plan: Plan, where: str, criteria: list[Criterion], text: str) -> tuple[tuple[Criterion, ...], str]:
    """As many as an action holds; the others stay in the text."""
    good = [item for item in criteria if 0 < len(item.text) <= limits.LINE_CHARS]
    first = tuple(good[: limits.ACTION_CRITERIA])
    first_set = set(first)
    overflow = [item for item in criteria if item not in first_set and item.text]
    if overflow:
        plan.warn(where, f"{len(overflow)} acceptance criteria are too long or too many; they are in the description.")
        text = "\n".join([text, "", *(f"- [{'x' if item.met else ' '}] {item.text}" for item in overflow)]).strip()
    return first, text
