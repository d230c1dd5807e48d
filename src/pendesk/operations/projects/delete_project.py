"""delete_project: an archived project, with everything in it."""

from pendesk.domain.access import Role, Scope
from pendesk.domain.deletion import check_project_deletable
from pendesk.domain.event import Event
from pendesk.domain.event_data import ProjectDeletedData
from pendesk.operations.deleted import Deleted
from pendesk.operations.fields import ProjectId
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.operations.projects.find import find_and_lock_project
from pendesk.store import purge


class DeleteProject(Input):
    project_id: ProjectId


def run(call: Call, args: DeleteProject) -> Deleted:
    project = find_and_lock_project(call, args.project_id)
    live_claims = purge.run_count_query(call.tx, purge.LIVE_CLAIMS_OF_PROJECT, project.id)
    check_project_deletable(project.key, project.state, live_claims)
    purge.delete_project(call.tx, project.id)
    data = ProjectDeletedData(key=project.key, name=project.name)
    call.record(Event("project.deleted", project.id, project.id, data=data))
    return Deleted(pid=project.id)


OPERATION = Operation(
    name="delete_project",
    title="Delete a project",
    description=(
        "Delete an archived project with everything in it, for good; the log keeps what happened. For admins in "
        "person: no token can do this. Refused: 404 no such project, 422 it is not archived, or agents hold work of it."
    ),
    input=DeleteProject,
    output=Deleted,
    scope=Scope.PERSON,
    role=Role.ADMIN,
    kind=Kind.LONG_WRITE,
    run=run,
)
