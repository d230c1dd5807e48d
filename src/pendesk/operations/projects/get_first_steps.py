"""get_first_steps: what a new workspace has still to do before an agent can work."""

from pendesk.domain.access import Role, Scope
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.store import first_steps


class GetFirstSteps(Input):
    pass


class FirstSteps(Output):
    """connected: an agent has called with a token of this workspace. done: nothing is left to do.

    projectKey and draftId are where to go on: the first project, and the first spec that is not published.
    """

    project: bool
    spec: bool
    published: bool
    connected: bool
    project_key: str | None
    draft_id: str | None
    done: bool


def run(call: Call, _args: GetFirstSteps) -> FirstSteps:
    steps = first_steps.first_steps_progress(call.tx)
    return FirstSteps(**steps._asdict(), done=all(steps[:4]))


OPERATION = Operation(
    name="get_first_steps",
    title="See the first steps",
    description=(
        "How far the workspace has come: is there a project, a spec, a published build, and has an agent called? "
        "Changes nothing."
    ),
    input=GetFirstSteps,
    output=FirstSteps,
    scope=Scope.DESK_READ,
    role=Role.VIEWER,
    kind=Kind.READ,
    run=run,
)
