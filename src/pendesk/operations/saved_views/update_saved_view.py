"""update_saved_view: its name, its filters, and who sees it."""

from pendesk.domain.access import Role, Scope
from pendesk.domain.event import Event
from pendesk.domain.event_data import TitledData
from pendesk.domain.saved_view import check_may_be_made_personal, saved_query
from pendesk.operations.fields import Name
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.operations.saved_views.results import (
    SavedViewId,
    SavedViewResult,
    Shared,
    ViewQuery,
    find_and_lock_saved_view,
    saved_view_result,
)
from pendesk.store import saved_views


class UpdateSavedView(Input):
    view_id: SavedViewId
    name: Name | None = None
    query: ViewQuery | None = None
    shared: Shared | None = None


def run(call: Call, args: UpdateSavedView) -> SavedViewResult:
    view = find_and_lock_saved_view(call, args.view_id)
    if args.shared is False:
        check_may_be_made_personal(view, call.actor.user_id)
    edited = view._replace(
        name=view.name if args.name is None else args.name.strip(),
        query=view.query if args.query is None else saved_query(view.page, args.query),
        shared=view.shared if args.shared is None else int(args.shared),
    )
    if edited != view:
        edited = edited._replace(updated_at=call.now)
        saved_views.update(call.tx, edited)
        if view.shared or edited.shared:
            call.record(Event("view.edited", view.id, view.project_id, data=TitledData(title=edited.name)))
    return saved_view_result(call, edited)


OPERATION = Operation(
    name="update_saved_view",
    title="Change a saved view",
    description=(
        "Change a view's name, filters, or who sees it; leave out what stays. Every member may change a shared one. "
        "Refused: 404 no such view, 422 only who saved it can make it personal."
    ),
    input=UpdateSavedView,
    output=SavedViewResult,
    scope=Scope.PERSON,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
