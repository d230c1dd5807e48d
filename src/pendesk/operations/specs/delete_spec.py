"""delete_spec: a draft with its plans, actions and attachments."""

from pendesk.domain.access import Role, Scope
from pendesk.domain.deletion import check_unpublished
from pendesk.domain.event import Event
from pendesk.domain.event_data import TitledData
from pendesk.operations.deleted import Deleted
from pendesk.operations.fields import SpecId
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.operations.projects.find import lock_project
from pendesk.operations.specs.find import find_spec, lock_spec
from pendesk.store import purge


class DeleteSpec(Input):
    spec_id: SpecId


def run(call: Call, args: DeleteSpec) -> Deleted:
    lock_project(call, find_spec(call, args.spec_id).project_id)
    spec = lock_spec(call, args.spec_id)
    check_unpublished(spec.title, spec.build_number)
    purge.spec(call.tx, spec.id)
    call.record(Event("spec.deleted", spec.id, spec.project_id, spec.id, data=TitledData(title=spec.title)))
    return Deleted(pid=spec.id)


OPERATION = Operation(
    name="delete_spec",
    title="Delete a spec",
    description=(
        "Delete a spec that was never published, with its plans, actions and attachments. For people: no token can do "
        "this. Refused: 404 no such spec, 422 it was published (its history is kept)."
    ),
    input=DeleteSpec,
    output=Deleted,
    scope=Scope.PERSON,
    role=Role.MEMBER,
    kind=Kind.LOAD,
    run=run,
)
