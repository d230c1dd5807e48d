"""delete_saved_view: one of the caller's own, or a shared one."""

from pendesk.domain.access import Role, Scope
from pendesk.domain.event import Event
from pendesk.domain.event_data import TitledData
from pendesk.operations.deleted import Deleted
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.operations.saved_views.results import SavedViewId, find_and_lock_saved_view
from pendesk.store import saved_views


class DeleteSavedView(Input):
    view_id: SavedViewId


def run(call: Call, args: DeleteSavedView) -> Deleted:
    view = find_and_lock_saved_view(call, args.view_id)
    saved_views.delete(call.tx, view.id)
    if view.shared:
        call.record(Event("view.deleted", view.id, view.project_id, data=TitledData(title=view.name)))
    return Deleted(pid=view.id)


OPERATION = Operation(
    name="delete_saved_view",
    title="Delete a saved view",
    description="Delete a saved view of yours, or a shared one. No action changes. Refused: 404 no such view.",
    input=DeleteSavedView,
    output=Deleted,
    scope=Scope.PERSON,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
