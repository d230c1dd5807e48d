"""create_saved_view: the filters, order and groups of a board or a list under a name."""

from pendesk.domain.access import Role, Scope
from pendesk.domain.event import Event
from pendesk.domain.event_data import TitledData
from pendesk.domain.saved_view import SavedView, ViewPage, check_has_room, saved_query
from pendesk.ids import new_id
from pendesk.operations.fields import Name, ProjectId
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.operations.projects.find import find_project
from pendesk.operations.saved_views.results import SavedViewResult, Shared, ViewQuery, saved_view_result
from pendesk.store import saved_views


class CreateSavedView(Input):
    project_id: ProjectId
    name: Name
    page: ViewPage = ViewPage.BOARD
    query: ViewQuery = ""
    shared: Shared = False


def run(call: Call, args: CreateSavedView) -> SavedViewResult:
    """No event of a personal one: nobody but the caller sees it."""
    project = find_project(call, args.project_id)
    check_has_room(saved_views.count_of_owner(call.tx, project.id, call.actor.user_id))
    view = SavedView(
        id=new_id(),
        project_id=project.id,
        owner_id=call.actor.user_id,
        name=args.name.strip(),
        page=args.page,
        query=saved_query(args.page, args.query),
        shared=int(args.shared),
        created_at=call.now,
        updated_at=call.now,
    )
    saved_views.add(call.tx, view)
    if view.shared:
        call.record(Event("view.created", view.id, project.id, data=TitledData(title=view.name)))
    return saved_view_result(call, view)


OPERATION = Operation(
    name="create_saved_view",
    title="Save a view",
    description=(
        "Save the filters, order and groups of a project's board or list under a name, for yourself or for all of the "
        "project. Refused: 404 no such project, 422 you have too many."
    ),
    input=CreateSavedView,
    output=SavedViewResult,
    scope=Scope.PERSON,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
