"""set_project_activity: whether what agents do in a project is saved."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.event import Event
from pendesk.domain.event_data import ProjectActivityChangedData
from pendesk.operations.fields import ProjectId
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.operations.projects.find import find_and_lock_project
from pendesk.store import projects, session_steps


class SetProjectActivity(Input):
    project_id: ProjectId
    keeps_activity: Annotated[bool, Meta(description="Save tools, files and first words of commands.")]


class ProjectActivity(Output):
    pid: str
    key: str
    keeps_activity: bool


def run(call: Call, args: SetProjectActivity) -> ProjectActivity:
    project = find_and_lock_project(call, args.project_id)
    if project.does_keep_activity != args.keeps_activity:
        projects.set_keeps_activity(call.tx, project.id, keeps=args.keeps_activity)
        data = ProjectActivityChangedData(after="on" if args.keeps_activity else "off")
        call.record(Event("project.activity_changed", project.id, project.id, data=data))
    if not args.keeps_activity:
        session_steps.delete_of_project(call.tx, project.id)
    return ProjectActivity(pid=project.id, key=project.key, keeps_activity=args.keeps_activity)


OPERATION = Operation(
    name="set_project_activity",
    title="Set whether agents' activity is saved",
    description=(
        "Choose whether the steps of agents that work in a project are saved: which tool, which file, the first words "
        "of a command. Without it only whether each works, waits or is idle is known, and what was saved of those that "
        "work in it now is deleted. Refused: 404 no such project."
    ),
    input=SetProjectActivity,
    output=ProjectActivity,
    scope=Scope.PERSON,
    role=Role.MEMBER,
    kind=Kind.LONG_WRITE,
    run=run,
)
