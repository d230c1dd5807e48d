"""set_github_token: with it the server reads a project's repository on GitHub. It is tried first, and never shown."""

from typing import Annotated, NamedTuple

from msgspec import Meta

from pendesk.clock import MICROSECONDS
from pendesk.domain.access import Role, Scope
from pendesk.domain.errors import OtherServerSilent, RuleBroken
from pendesk.domain.event import Event
from pendesk.domain.github_api import GithubToken
from pendesk.domain.limits import GITHUB_TOKEN_CHARS
from pendesk.operations.fields import ProjectId
from pendesk.operations.github.api import ApiAccess, FetchFailed, Named, read_json
from pendesk.operations.github.fetch import require_api
from pendesk.operations.github.token_box import encrypt_token
from pendesk.operations.operation import Call, Input, Kind, Operation, Output, RemoteOperation
from pendesk.operations.outbound import Outbound, no_op_finish
from pendesk.operations.projects.find import find_and_lock_project, find_project
from pendesk.store import github, github_fetches


class SetGithubToken(Input):
    """There is no idempotency_key here: calling again is safe."""

    project_id: ProjectId
    token: Annotated[
        str,
        Meta(
            min_length=8,
            max_length=GITHUB_TOKEN_CHARS,
            pattern=r"\A[!-~]+\Z",
            description="A GitHub token that may read the repository; a fine-grained one for it alone is best.",
        ),
    ]


class GithubTokenSet(Output):
    """repository: what it is used for, as host/owner/name."""

    project_id: str
    repository: str


class Trial(NamedTuple):
    """It holds the token, so it is never shown."""

    access: ApiAccess
    key: str


def prepare(call: Call, args: SetGithubToken) -> Trial:
    project = find_project(call, args.project_id)
    return Trial(ApiAccess(require_api(project), args.token, call.now // MICROSECONDS), project.key)


async def send(outbound: Outbound, trial: Trial) -> None:
    try:
        repository = await read_json(outbound, trial.access, "", Named)
    except FetchFailed as failed:
        text = f"{failed.problem.text} The token was not saved."
        if failed.problem.is_final:
            raise RuleBroken(text, code="github_refused") from None
        raise OtherServerSilent(text, code="github_refused") from None
    if repository.full_name.lower() != trial.access.api.full_name.lower():
        raise RuleBroken(
            f"GitHub answered about another repository than {trial.access.api.full_name}: it may have been renamed. "
            "Set its present address in the project settings. The token was not saved.",
            code="repository_changed",
        )


def record(call: Call, args: SetGithubToken, trial: Trial, _answer: None) -> GithubTokenSet:
    project = find_and_lock_project(call, args.project_id)
    api = require_api(project)
    if api.identity != trial.access.api.identity:
        raise RuleBroken(
            f"The repository of {project.key} was changed meanwhile. The token was not saved; set it again.",
            code="repository_changed",
        )
    replaced = github_fetches.token(call.tx, project.id) is not None
    sealed = encrypt_token(call.installation.signing_key, call.actor.workspace_id, project.id, api, args.token)
    github_fetches.save_token(
        call.tx, GithubToken(project.id, sealed, call.actor.user_id, call.now, checked_at=call.now, problem=None)
    )
    github.add_removed_webhook_if_none(call.tx, project.id, call.actor.user_id)
    github_fetches.queue_reviews_of_project(call.tx, project.id)
    call.record(Event("github_token.set", project.id, project.id, data={"replaced": replaced}))
    return GithubTokenSet(project_id=project.id, repository=api.identity)


OPERATION = Operation(
    name="set_github_token",
    title="Set the GitHub token",
    description=(
        "Set or replace the token with which the server reads the project's repository on GitHub: pull requests, "
        "checks, and the changes that nobody pushed. It is tried before it is saved, kept encrypted for this "
        "repository alone, and never shown. Refused: 403 not an admin, 404 no such project, 422 no repository, or "
        "GitHub refuses the token, 502 GitHub does not answer."
    ),
    input=SetGithubToken,
    output=GithubTokenSet,
    scope=Scope.PERSON,
    role=Role.ADMIN,
    kind=Kind.WRITE,
    run=RemoteOperation(prepare=prepare, send=send, record=record, finish=no_op_finish),
)
