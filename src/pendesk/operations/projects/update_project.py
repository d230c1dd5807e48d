"""update_project: its name, description, state, repository, and what it refuses."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.event import Event
from pendesk.domain.project import ProjectState
from pendesk.operations.fields import ExpectedRevision, IdempotencyKey, Name, ProjectId, Text, UrlOrNone
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.operations.projects.find import find_and_lock_project
from pendesk.operations.projects.results import ProjectResult, project_result
from pendesk.operations.revisions import edits, revision_content
from pendesk.store import projects


class UpdateProject(Input):
    project_id: ProjectId
    name: Name | None = None
    description: Text | None = None
    state: Annotated[ProjectState, Meta(description="Only actions of an active project can be claimed.")] | None = None
    repository_url: Annotated[UrlOrNone, Meta(description="Where the code lives; empty for none.")] | None = None
    require_evidence: (
        Annotated[bool, Meta(description="Refuse submissions without evidence for every criterion.")] | None
    ) = None
    refuse_overlap: (
        Annotated[bool, Meta(description="Refuse claims of actions that touch files that others work on.")] | None
    ) = None
    expected_revision: ExpectedRevision | None = None
    idempotency_key: IdempotencyKey | None = None


class UpdatedProject(ProjectResult):
    refuse_overlap: bool = False


def run(call: Call, args: UpdateProject) -> UpdatedProject:
    project = find_and_lock_project(call, args.project_id)
    changes = {
        "name": args.name,
        "description": args.description,
        "state": args.state,
        "repositoryUrl": args.repository_url,
        "requireEvidence": None if args.require_evidence == bool(project.require_evidence) else args.require_evidence,
        "refuseOverlap": None if args.refuse_overlap == bool(project.refuse_overlap) else args.refuse_overlap,
    }
    present = revision_content.project_content(project)
    edit = edits.apply_edit_and_add_revision(
        call, project.id, project.revision, present, changes, args.expected_revision
    )
    if edit.changed:
        project = project._replace(
            name=edit.content["name"],
            description=edit.content["description"],
            state=edit.content["state"],
            repository_url=edit.content["repositoryUrl"] or None,
            require_evidence=1 if edit.content.get("requireEvidence") else None,
            refuse_overlap=1 if edit.content.get("refuseOverlap") else None,
            revision=edit.revision,
            updated_at=call.now,
        )
        projects.update(call.tx, project)
        call.record(Event("project.edited", project.id, project.id, data=edit.event_data))
    summary = project_result(project)
    return UpdatedProject(
        **{name: getattr(summary, name) for name in summary.__struct_fields__},
        refuse_overlap=bool(project.refuse_overlap),
    )


OPERATION = Operation(
    name="update_project",
    title="Edit a project",
    description=(
        "Change a project's name, description, state, repository, require_evidence or refuse_overlap; leave out what "
        "stays. The key never changes: ref codes begin with it. Refused: 409 someone changed it since "
        "expected_revision (the answer has their text)."
    ),
    input=UpdateProject,
    output=UpdatedProject,
    scope=Scope.DESK_WRITE,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
