"""list_shares: who may look in from outside; never the links themselves."""

from pendesk.domain.access import Role, Scope
from pendesk.domain.limits import PAGE_ROWS
from pendesk.operations.fields import ProjectId
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.operations.paging import PageCursor, page_and_next_cursor, parse_cursor_after_id
from pendesk.operations.projects.find import find_project
from pendesk.operations.sharing.share_results import ShareView, share_views
from pendesk.store import shares


class ListShares(Input):
    project_id: ProjectId
    cursor: PageCursor | None = None


class Shares(Output):
    shares: list[ShareView]
    next_cursor: str | None = None


def run(call: Call, args: ListShares) -> Shares:
    project = find_project(call, args.project_id)
    rows = shares.page(call.tx, project.id, parse_cursor_after_id(args.cursor), PAGE_ROWS + 1)
    page, next_cursor = page_and_next_cursor(rows, PAGE_ROWS, lambda share: share.id)
    return Shares(shares=share_views(call, page), next_cursor=next_cursor)


OPERATION = Operation(
    name="list_shares",
    title="List shares",
    description=(
        "The shares of a project, oldest first: what they show, until when, and which have ended. Links are not "
        "shown. Refused: 404 no such project."
    ),
    input=ListShares,
    output=Shares,
    scope=Scope.DESK_READ,
    role=Role.VIEWER,
    kind=Kind.READ,
    run=run,
)
