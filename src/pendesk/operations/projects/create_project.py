"""create_project: a bounded piece of work, with the key that its ref codes begin with."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.event import Event
from pendesk.domain.event_data import ProjectCreatedData
from pendesk.domain.limits import ID_CHARS
from pendesk.domain.project import Project, ProjectState, parse_new_project_key, propose_project_key
from pendesk.ids import new_id
from pendesk.operations.fields import IdempotencyKey, Name, Text, Url
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.operations.projects.results import ProjectResult, project_result
from pendesk.operations.revisions import edits, revision_content
from pendesk.store import projects


class CreateProject(Input):
    name: Annotated[Name, Meta(description="One line.")]
    description: Annotated[Text, Meta(description="Markdown.")] = ""
    key: (
        Annotated[
            str,
            Meta(min_length=1, max_length=ID_CHARS, description="2-10 capitals or digits, e.g. PEN; else proposed."),
        ]
        | None
    ) = None
    repository_url: Annotated[Url, Meta(description="Where the code lives.")] | None = None
    state: Annotated[ProjectState, Meta(description="Work is claimed in active ones only.")] = "active"
    idempotency_key: IdempotencyKey | None = None


def run(call: Call, args: CreateProject) -> ProjectResult:
    existing_keys = projects.keys(call.tx)
    project = Project(
        id=new_id(),
        key=parse_new_project_key(args.key, existing_keys)
        if args.key is not None
        else propose_project_key(args.name, existing_keys),
        name=args.name,
        description=args.description,
        state=args.state,
        repository_url=args.repository_url,
        last_ref=0,
        revision=1,
        created_by=call.actor.user_id,
        created_at=call.now,
        updated_at=call.now,
    )
    projects.add(call.tx, project)
    edits.save_first_revision(call, project.id, revision_content.project_content(project))
    data = ProjectCreatedData(key=project.key, name=project.name, state=project.state)
    call.record(Event("project.created", project.id, project.id, data=data))
    return project_result(project)


OPERATION = Operation(
    name="create_project",
    title="Create a project",
    description=(
        "Start an empty project; scaffold_project_from_plan creates one with its tasks at once. Refused: 422 the "
        "key is taken: choose another."
    ),
    input=CreateProject,
    output=ProjectResult,
    scope=Scope.DESK_WRITE,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
