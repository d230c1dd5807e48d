"""load_project: a whole project from one description, all of it or nothing.

It runs the other operations of this room in one transaction, so that what it makes is what a person would have
made, rule by rule and event by event.
"""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from pendesk.domain import limits
from pendesk.domain.access import Role, Scope
from pendesk.domain.errors import BadField
from pendesk.operations.fields import Ident, Label, Line, Lines, Name, PathGlobs, Priority, StatusLine, Text, Url
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.operations.planning import (
    create_action,
    create_document,
    create_goal,
    create_note,
    create_plan,
    create_project,
    create_spec,
    publish_build,
)

Keys = Annotated[list[Ident], Meta(max_length=limits.ACTION_EDGES)]


class _Part(msgspec.Struct, forbid_unknown_fields=True, kw_only=True, rename="camel"):
    """A part of the description."""


class ProjectPart(_Part):
    name: Name
    key: Ident | None = None
    description: Text = ""
    repository_url: Url | None = None


class GoalPart(_Part):
    key: Ident
    title: Label
    description: Text = ""


class PlanPart(_Part):
    title: Label
    approach: Text = ""


class ActionPart(_Part):
    key: Ident
    label: Label
    description: Text = ""
    area: Annotated[str, Meta(max_length=limits.AREA_CHARS)] = ""
    paths: PathGlobs = []
    priority: Priority = 0
    criteria: Annotated[list[Line], Meta(max_length=limits.ACTION_CRITERIA)] = []
    after: Keys = []


class SpecPart(_Part):
    key: Ident
    title: Label
    goal: Ident | None = None
    summary: Text = ""
    results: Lines = []
    conditions: Lines = []
    boundaries: Lines = []
    plan: PlanPart | None = None
    actions: Annotated[list[ActionPart], Meta(max_length=limits.PLAN_ACTIONS)] = []
    publish: bool = False


class TaskPart(_Part):
    key: Ident
    label: Label
    description: Text = ""
    state: Literal["backlog", "scope", "todo"] = "todo"
    area: Annotated[str, Meta(max_length=limits.AREA_CHARS)] = ""
    after: Keys = []


class DocumentPart(_Part):
    title: Label
    body: Text = ""
    status_line: StatusLine = ""
    parent: Annotated[str, Meta(max_length=limits.LABEL_CHARS)] | None = None
    link_to: Ident | None = None


class NotePart(_Part):
    title: Label
    body: Text = ""


class LoadProject(Input):
    project: ProjectPart
    goals: Annotated[list[GoalPart], Meta(max_length=50)] = []
    specs: Annotated[list[SpecPart], Meta(max_length=50)] = []
    tasks: Annotated[list[TaskPart], Meta(max_length=500)] = []
    documents: Annotated[list[DocumentPart], Meta(max_length=200)] = []
    notes: Annotated[list[NotePart], Meta(max_length=200)] = []


class ProjectLoaded(Output):
    pid: str
    key: str
    specs: int
    actions: int
    published: int
    key_to_id: dict[str, str] = msgspec.field(name="key_to_id")


class Made:
    """What was made so far, by the keys of the description."""

    def __init__(self) -> None:
        self.ids: dict[str, str] = {}
        self.documents: dict[str, str] = {}

    def add(self, field: str, key: str, made: str) -> None:
        if key in self.ids:
            raise BadField(field, f"the key {key!r} stands twice; give each part its own.")
        self.ids[key] = made

    def find(self, field: str, key: str) -> str:
        if key not in self.ids:
            raise BadField(field, f"there is no {key!r} before this; name a part that stands earlier.")
        return self.ids[key]


def run(call: Call, asked: LoadProject) -> ProjectLoaded:
    made = Made()
    project = create_project.run(
        call,
        create_project.CreateProject(
            name=asked.project.name,
            key=asked.project.key,
            description=asked.project.description,
            repository_url=asked.project.repository_url,
        ),
    )
    for index, goal in enumerate(asked.goals):
        one = create_goal.CreateGoal(project_id=project.pid, title=goal.title, description=goal.description)
        made.add(f"goals[{index}].key", goal.key, create_goal.run(call, one).pid)
    specs = [_spec(call, made, project.pid, f"specs[{index}]", spec) for index, spec in enumerate(asked.specs)]
    for index, task in enumerate(asked.tasks):
        _task(call, made, project.pid, f"tasks[{index}]", task)
    for index, document in enumerate(asked.documents):
        _document(call, made, project.pid, f"documents[{index}]", document)
    for note in asked.notes:
        create_note.run(call, create_note.CreateNote(project_id=project.pid, title=note.title, body=note.body))
    # Last, so that every dependency is there when agents first see the work.
    published = [spec for spec, part in zip(specs, asked.specs, strict=True) if part.publish]
    for spec in published:
        publish_build.run(call, publish_build.PublishBuild(spec_id=spec))
    return ProjectLoaded(
        pid=project.pid,
        key=project.key,
        specs=len(specs),
        actions=sum(len(part.actions) for part in asked.specs) + len(asked.tasks),
        published=len(published),
        key_to_id=made.ids,
    )


def _spec(call: Call, made: Made, project_id: str, field: str, part: SpecPart) -> str:
    spec = create_spec.run(
        call,
        create_spec.CreateSpec(
            project_id=project_id,
            title=part.title,
            summary=part.summary,
            results=part.results,
            conditions=part.conditions,
            boundaries=part.boundaries,
            goal_id=made.find(f"{field}.goal", part.goal) if part.goal else None,
        ),
    )
    made.add(f"{field}.key", part.key, spec.pid)
    if part.plan is None:
        if part.actions:
            raise BadField(f"{field}.plan", "is needed: a spec's actions belong to its plan.")
        return spec.pid
    wanted = create_plan.CreatePlan(spec_id=spec.pid, title=part.plan.title, approach=part.plan.approach)
    plan = create_plan.run(call, wanted)
    for index, action in enumerate(part.actions):
        _action(call, made, plan.pid, f"{field}.actions[{index}]", action)
    return spec.pid


def _action(call: Call, made: Made, plan_id: str, field: str, part: ActionPart) -> None:
    action = create_action.run(
        call,
        create_action.CreateAction(
            plan_id=plan_id,
            label=part.label,
            description=part.description,
            area=part.area,
            paths=part.paths,
            priority=part.priority,
            criteria=part.criteria,
            prerequisites=[made.find(f"{field}.after", key) for key in part.after],
        ),
    )
    made.add(f"{field}.key", part.key, action.pid)


def _task(call: Call, made: Made, project_id: str, field: str, part: TaskPart) -> None:
    task = create_action.run(
        call,
        create_action.CreateAction(
            project_id=project_id,
            label=part.label,
            description=part.description,
            state=part.state,
            area=part.area,
            prerequisites=[made.find(f"{field}.after", key) for key in part.after],
        ),
    )
    made.add(f"{field}.key", part.key, task.pid)


def _document(call: Call, made: Made, project_id: str, field: str, part: DocumentPart) -> None:
    if part.parent is not None and part.parent not in made.documents:
        raise BadField(f"{field}.parent", f"there is no document {part.parent!r} before this.")
    document = create_document.run(
        call,
        create_document.CreateDocument(
            project_id=project_id,
            title=part.title,
            body=part.body,
            status_line=part.status_line,
            parent_id=made.documents[part.parent] if part.parent else None,
            linked_task_id=made.find(f"{field}.linkTo", part.link_to) if part.link_to else None,
        ),
    )
    made.documents[part.title] = document.pid


OPERATION = Operation(
    name="load_project",
    title="Load a project",
    description=(
        "Make a whole project from one description: goals, specs with plans, actions and criteria, tasks, documents "
        "and notes, with dependencies by key. All of it is made or nothing. Refused: 422 with the field that is wrong."
    ),
    input=LoadProject,
    output=ProjectLoaded,
    scope=Scope.DESK_WRITE,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
