"""get_overview: what the frame of every page shows."""

from pendesk.clock import to_iso
from pendesk.domain.access import Role, Scope
from pendesk.domain.limits import PAGE_ROWS
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.operations.review.get_inbox import NeedCounts, inbox_counts_with_totals
from pendesk.store import events, needs, overview, people


class GetOverview(Input):
    pass


class ProjectAtWork(Output):
    """active: how many actions are in someone's hands or wait for a review."""

    pid: str
    key: str
    name: str
    state: str
    active: int


class Overview(Output):
    """seq: the newest event's number. What comes after it is not in this answer."""

    workspace: str
    user_id: str
    user_name: str
    role: str
    projects: list[ProjectAtWork]
    needs: NeedCounts
    seq: int
    now: str


def run(call: Call, args: GetOverview) -> Overview:
    workspace = people.workspace_of_transaction(call.tx)
    return Overview(
        workspace=workspace.name if workspace else "",
        user_id=call.actor.user_id,
        user_name=call.actor.user_name,
        role=call.actor.role.label,
        projects=[
            ProjectAtWork(
                pid=project.id, key=project.key, name=project.name, state=project.state, active=project.active
            )
            for project in overview.projects_with_active_action_counts(call.tx, PAGE_ROWS)
        ],
        needs=inbox_counts_with_totals(call, needs.inbox_counts(call.tx, call.actor.user_id, call.limits)),
        seq=events.last_seq(call.tx),
        now=to_iso(call.now),
    )


OPERATION = Operation(
    name="get_overview",
    title="See the desk at a glance",
    description=(
        "Who you are here, the projects with how much is under way in each, how many things wait for people, and the "
        "number of the newest event. Changes nothing."
    ),
    input=GetOverview,
    output=Overview,
    scope=Scope.DESK_READ,
    role=Role.VIEWER,
    kind=Kind.READ,
    run=run,
)
