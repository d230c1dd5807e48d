"""list_saved_views: the caller's own views of a project, and those that are shared."""

from pendesk.domain.access import Role, Scope
from pendesk.domain.limits import SAVED_VIEWS_LISTED
from pendesk.operations.fields import ProjectId
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.operations.projects.find import find_project
from pendesk.operations.saved_views.results import SavedViewResult, saved_view_result
from pendesk.store import saved_views


class ListSavedViews(Input):
    project_id: ProjectId


class SavedViews(Output):
    views: list[SavedViewResult]


def run(call: Call, args: ListSavedViews) -> SavedViews:
    project = find_project(call, args.project_id)
    visible = saved_views.visible(call.tx, project.id, call.actor.user_id, SAVED_VIEWS_LISTED)
    return SavedViews(views=[saved_view_result(call, view) for view in visible])


OPERATION = Operation(
    name="list_saved_views",
    title="List saved views",
    description="Your saved views of a project's board and list, and those that are shared, by name.",
    input=ListSavedViews,
    output=SavedViews,
    scope=Scope.PERSON,
    role=Role.VIEWER,
    kind=Kind.READ,
    run=run,
)
