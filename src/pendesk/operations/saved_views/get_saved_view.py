"""get_saved_view: one saved view, and the project that it is of."""

from pendesk.domain.access import Role, Scope
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.operations.projects.find import find_project
from pendesk.operations.saved_views.results import (
    SavedViewId,
    SavedViewResult,
    find_saved_view,
    saved_view_result,
)


class GetSavedView(Input):
    view_id: SavedViewId


class SavedViewOfProject(SavedViewResult):
    project_key: str


def run(call: Call, args: GetSavedView) -> SavedViewOfProject:
    view = find_saved_view(call, args.view_id)
    shown = saved_view_result(call, view)
    return SavedViewOfProject(
        pid=shown.pid,
        name=shown.name,
        page=shown.page,
        query=shown.query,
        shared=shown.shared,
        mine=shown.mine,
        project_key=find_project(call, view.project_id).key,
    )


OPERATION = Operation(
    name="get_saved_view",
    title="Read a saved view",
    description="A saved view, with the key of its project. Refused: 404 no such view.",
    input=GetSavedView,
    output=SavedViewOfProject,
    scope=Scope.PERSON,
    role=Role.VIEWER,
    kind=Kind.READ,
    run=run,
)
