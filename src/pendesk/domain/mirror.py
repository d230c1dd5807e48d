"""What a guest sees of a project or an action: decided here, and nowhere else.

Never shown: people (names, emails, who holds what), ids, comments, notes, questions, reviews, commits, attachments,
agent runs and what they cost, the timeline, why something was dropped. Documents only where whoever shares chose so.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from pendesk.domain.action import Action, ActionState, ref_code, status_of_task, task_counts_by_status
from pendesk.domain.document import Document
from pendesk.domain.evidence import CriteriaCounts
from pendesk.domain.limits import MIRROR_BYTES, MIRROR_TEXT_CHARS
from pendesk.domain.project import Goal, Plan, Project, Spec

FORMAT = 1  # of a mirror as servers send it to one another


@dataclass(frozen=True, slots=True)
class Heading:
    """A goal or a spec."""

    title: str
    text: str


@dataclass(frozen=True, slots=True)
class ActionSummary:
    """An action. `spec` is its spec's title; `drop_accepted`: dropped, and it holds nothing back any more."""

    ref: str
    label: str
    area: str
    status: str
    spec: str
    criteria_done: int
    criteria_total: int
    drop_accepted: bool


@dataclass(frozen=True, slots=True)
class EdgeMirror:
    """Between two steps, by their refs."""

    from_ref: str
    to_ref: str
    label: str


@dataclass(frozen=True, slots=True)
class DocumentMirror:
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
    actions: list[ActionSummary]
    edges: list[EdgeMirror]
    documents: list[DocumentMirror]
    left_out: int


@dataclass(frozen=True, slots=True)
class CriterionMirror:
    """status: how it stands (confirmed, claimed, failing, ...); what has no evidence shows how far the work is."""

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
    drop_accepted_at: int | None = None
    criteria: CriteriaCounts = CriteriaCounts()


class ByteBudget:
    """How much a mirror may hold, in bytes. The most important parts take it first."""

    def __init__(self) -> None:
        self.left = MIRROR_BYTES

    def truncate_and_reserve(self, text: str) -> str:
        """The text, or as much of it as there is room for."""
        fitting = text if len(text) <= MIRROR_TEXT_CHARS else text[: MIRROR_TEXT_CHARS - 1] + "…"
        size = len(fitting.encode())
        if size > self.left:
            fitting = fitting.encode()[: max(self.left - 3, 0)].decode(errors="ignore") + "…" if self.left > 3 else ""
            size = len(fitting.encode())
        self.left -= size
        return fitting

    def try_reserve(self, *texts: str) -> bool:
        """Whether they fit whole; then their room is taken."""
        size = sum(len(text.encode()) for text in texts)
        if size > self.left:
            return False
        self.left -= size
        return True


def assemble_project_mirror(
    project: Project,
    goals: Iterable[Goal],
    spec_titles_and_summaries: Iterable[tuple[str, str]],
    actions: list[MirroredAction],
    action_count_by_state: dict[str, int],
    edge_ref_numbers_and_labels: Iterable[tuple[int, int, str]],
    documents: Iterable[Document],
) -> ProjectMirror:
    room = ByteBudget()
    name, description = room.truncate_and_reserve(project.name), room.truncate_and_reserve(project.description)
    steps = _action_summaries(project.key, actions, room)
    refs = {step.ref for step in steps}
    links = [
        link
        for source, target, label in edge_ref_numbers_and_labels
        if (link := _edge_mirror(project.key, source, target, label)).from_ref in refs
        and link.to_ref in refs
        and room.try_reserve(link.from_ref, link.to_ref, link.label)
    ]
    return ProjectMirror(
        name=name,
        description=description,
        status=project.state,
        counts=task_counts_by_status(action_count_by_state),
        goals=[
            Heading(room.truncate_and_reserve(goal.title), room.truncate_and_reserve(goal.description))
            for goal in goals
        ],
        specs=[
            Heading(room.truncate_and_reserve(title), room.truncate_and_reserve(summary))
            for title, summary in spec_titles_and_summaries
        ],
        actions=steps,
        edges=links,
        documents=[
            DocumentMirror(
                room.truncate_and_reserve(document.title),
                room.truncate_and_reserve(document.status_line),
                room.truncate_and_reserve(document.body),
            )
            for document in documents
        ],
        left_out=sum(action_count_by_state.values()) - len(steps),
    )


def _action_summaries(project_key: str, actions: list[MirroredAction], budget: ByteBudget) -> list[ActionSummary]:
    steps = []
    for action in actions:
        ref = ref_code(project_key, action.ref_number)
        if not budget.try_reserve(ref, action.label, action.area, action.spec_title):
            break
        steps.append(
            ActionSummary(
                ref,
                action.label,
                action.area,
                status_of_task(ActionState(action.state)),
                action.spec_title,
                action.criteria.confirmed,
                action.criteria.total,
                action.drop_accepted_at is not None,
            )
        )
    return steps


def _edge_mirror(project_key: str, source_ref_number: int, target_ref_number: int, label: str) -> EdgeMirror:
    return EdgeMirror(ref_code(project_key, source_ref_number), ref_code(project_key, target_ref_number), label)


def assemble_action_mirror(
    project: Project,
    action: Action,
    criteria_texts_and_states: Iterable[tuple[str, str]],
    spec: Spec | None,
    spec_items_by_field: dict[str, list[str]],
    plan: Plan | None,
    prerequisite_refs_labels_states: Iterable[tuple[int, str, str]],
) -> ActionMirror:
    """`spec_items_by_field` are the spec's results, conditions and boundaries."""
    room = ByteBudget()
    return ActionMirror(
        project=room.truncate_and_reserve(project.name),
        ref=ref_code(project.key, action.ref_number),
        label=room.truncate_and_reserve(action.label),
        area=room.truncate_and_reserve(action.area),
        status=status_of_task(action.state),
        description=room.truncate_and_reserve(action.description),
        criteria=[CriterionMirror(room.truncate_and_reserve(text), state) for text, state in criteria_texts_and_states],
        spec=_spec_mirror(spec, spec_items_by_field, room) if spec else None,
        approach=room.truncate_and_reserve(plan.approach) if plan else "",
        first=[
            PrerequisiteMirror(
                ref_code(project.key, number), room.truncate_and_reserve(label), status_of_task(ActionState(state))
            )
            for number, label, state in prerequisite_refs_labels_states
        ],
    )


def _spec_mirror(spec: Spec, spec_items_by_field: dict[str, list[str]], budget: ByteBudget) -> SpecMirror:
    texts = {name: [budget.truncate_and_reserve(line) for line in lines] for name, lines in spec_items_by_field.items()}
    return SpecMirror(budget.truncate_and_reserve(spec.title), budget.truncate_and_reserve(spec.summary), **texts)
