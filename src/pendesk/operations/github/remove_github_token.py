"""remove_github_token: the server reads nothing more of a project's repository."""

from pendesk.domain.access import Role, Scope
from pendesk.domain.errors import NotFound
from pendesk.domain.event import Event
from pendesk.operations.fields import ProjectId
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.operations.projects.find import find_and_lock_project
from pendesk.store import github_fetches


class RemoveGithubToken(Input):
    project_id: ProjectId


class GithubTokenRemoved(Output):
    removed: bool
    project_id: str


def run(call: Call, args: RemoveGithubToken) -> GithubTokenRemoved:
    project = find_and_lock_project(call, args.project_id)
    if github_fetches.token(call.tx, project.id) is None:
        raise NotFound("GitHub token of", project.key)
    github_fetches.remove_token(call.tx, project.id)
    call.record(Event("github_token.removed", project.id, project.id))
    return GithubTokenRemoved(removed=True, project_id=project.id)


OPERATION = Operation(
    name="remove_github_token",
    title="Remove the GitHub token",
    description=(
        "Delete the token with which the server reads the project's repository; what it brought stays. Revoke it at "
        "GitHub as well. Refused: 403 not an admin, 404 there is none."
    ),
    input=RemoveGithubToken,
    output=GithubTokenRemoved,
    scope=Scope.PERSON,
    role=Role.ADMIN,
    kind=Kind.WRITE,
    run=run,
)
