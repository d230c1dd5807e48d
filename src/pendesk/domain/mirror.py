"""What a guest sees of a project or an action: decided here, and nowhere else.

Never shown: people (names, emails, who holds what), ids, comments, notes, questions, reviews, commits, attachments,
agent runs and what they cost, the timeline, why something was dropped. Documents only where whoever shares chose so.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from pendesk.domain.action import Action, ref_code
from pendesk.domain.criterion import Criterion
from pendesk.domain.document import Document
from pendesk.domain.limits import MIRROR_BYTES, MIRROR_TEXT_CHARS
from pendesk.domain.project import Goal, Plan, Project, Spec

FORMAT = 1  # of a mirror as servers send it to one another


@dataclass(frozen=True, slots=True)
class Heading:
    """A goal or a spec."""

    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Step:
    """An action. `spec` is its spec's title."""

    ref: str
    label: str
    area: str
    status: str
    spec: str
    criteria_done: int
    criteria_total: int


@dataclass(frozen=True, slots=True)
class Link:
    """Between two steps, by their refs."""

    from_ref: str
    to_ref: str
    label: str


@dataclass(frozen=True, slots=True)
class Page:
    title: str
    status_line: str
    body: str


@dataclass(frozen=True, slots=True)
class ProjectMirror:
    """`left_out` counts the actions that are too many to show."""

    name: str
    description: str
    status: str
    counts: dict[str, int]
    goals: list[Heading]
    specs: list[Heading]
    actions: list[Step]
    edges: list[Link]
    documents: list[Page]
    left_out: int


@dataclass(frozen=True, slots=True)
class CriterionMirror:
    text: str
    status: str


@dataclass(frozen=True, slots=True)
class SpecMirror:
    """The spec that an action belongs to."""

    title: str
    summary: str
    results: list[str]
    conditions: list[str]
    boundaries: list[str]


@dataclass(frozen=True, slots=True)
class PrerequisiteMirror:
    ref: str
    label: str
    status: str


@dataclass(frozen=True, slots=True)
class ActionMirror:
    """`first` is what must be done before it."""

    project: str
    ref: str
    label: str
    area: str
    status: str
    description: str
    criteria: list[CriterionMirror]
    spec: SpecMirror | None
    approach: str
    first: list[PrerequisiteMirror]


class MirroredAction(NamedTuple):
    """What a mirror needs to know of an action."""

    ref_number: int
    label: str
    area: str
    state: str
    spec_title: str
    criteria_done: int
    criteria_total: int


class ByteBudget:
    """How much a mirror may hold, in bytes. The most important parts take it first."""

    def __init__(self) -> None:
        self.left = MIRROR_BYTES

    def text(self, text: str) -> str:
        """The text, or as much of it as there is room for."""
        fitting = text if len(text) <= MIRROR_TEXT_CHARS else text[: MIRROR_TEXT_CHARS - 1] + "…"
        size = len(fitting.encode())
        if size > self.left:
            fitting = fitting.encode()[: max(self.left - 3, 0)].decode(errors="ignore") + "…" if self.left > 3 else ""
            size = len(fitting.encode())
        self.left -= size
        return fitting

    def has(self, *texts: str) -> bool:
        """Whether they fit whole; then their room is taken."""
        size = sum(len(text.encode()) for text in texts)
        if size > self.left:
            return False
        self.left -= size
        return True


def draw_project(
    project: Project,
    goals: Iterable[Goal],
    specs: Iterable[tuple[str, str]],
    actions: list[MirroredAction],
    counts: dict[str, int],
    edges: Iterable[tuple[int, int, str]],
    documents: Iterable[Document],
) -> ProjectMirror:
    """`specs` are titles and summaries; `edges` are ref numbers and a label."""
    room = ByteBudget()
    name, description = room.text(project.name), room.text(project.description)
    steps = _steps(project.key, actions, room)
    refs = {step.ref for step in steps}
    links = [
        link
        for source, target, label in edges
        if (link := _link(project.key, source, target, label)).from_ref in refs
        and link.to_ref in refs
        and room.has(link.from_ref, link.to_ref, link.label)
    ]
    return ProjectMirror(
        name=name,
        description=description,
        status=project.state,
        counts=counts,
        goals=[Heading(room.text(goal.title), room.text(goal.description)) for goal in goals],
        specs=[Heading(room.text(title), room.text(summary)) for title, summary in specs],
        actions=steps,
        edges=links,
        documents=[
            Page(room.text(document.title), room.text(document.status_line), room.text(document.body))
            for document in documents
        ],
        left_out=sum(counts.values()) - len(steps),
    )


def _steps(key: str, actions: list[MirroredAction], room: ByteBudget) -> list[Step]:
    steps = []
    for action in actions:
        ref = ref_code(key, action.ref_number)
        if not room.has(ref, action.label, action.area, action.spec_title):
            break
        steps.append(
            Step(
                ref,
                action.label,
                action.area,
                action.state,
                action.spec_title,
                action.criteria_done,
                action.criteria_total,
            )
        )
    return steps


def _link(key: str, source: int, target: int, label: str) -> Link:
    return Link(ref_code(key, source), ref_code(key, target), label)


def draw_action(
    project: Project,
    action: Action,
    criteria: Iterable[Criterion],
    spec: Spec | None,
    lists: dict[str, list[str]],
    plan: Plan | None,
    first: Iterable[tuple[int, str, str]],
) -> ActionMirror:
    """`lists` are the spec's results, conditions and boundaries; `first` are ref numbers, labels and states."""
    room = ByteBudget()
    return ActionMirror(
        project=room.text(project.name),
        ref=ref_code(project.key, action.ref_number),
        label=room.text(action.label),
        area=room.text(action.area),
        status=action.state,
        description=room.text(action.description),
        criteria=[CriterionMirror(room.text(criterion.text), criterion.status) for criterion in criteria],
        spec=_spec_mirror(spec, lists, room) if spec else None,
        approach=room.text(plan.approach) if plan else "",
        first=[
            PrerequisiteMirror(ref_code(project.key, number), room.text(label), state) for number, label, state in first
        ],
    )


def _spec_mirror(spec: Spec, lists: dict[str, list[str]], room: ByteBudget) -> SpecMirror:
    texts = {name: [room.text(line) for line in lines] for name, lines in lists.items()}
    return SpecMirror(room.text(spec.title), room.text(spec.summary), **texts)
