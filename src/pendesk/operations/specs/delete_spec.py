"""delete_spec: a draft with its plans, actions and attachments."""

from pendesk.domain.access import Role, Scope
from pendesk.domain.deletion import check_spec_unused
from pendesk.domain.event import Event
from pendesk.domain.event_data import TitledData
from pendesk.operations.deleted import Deleted
from pendesk.operations.fields import SpecId
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.operations.projects.find import find_and_lock_project
from pendesk.operations.specs.find import find_and_lock_spec, find_spec
from pendesk.store import purge


class DeleteSpec(Input):
    spec_id: SpecId


def run(call: Call, args: DeleteSpec) -> Deleted:
    find_and_lock_project(call, find_spec(call, args.spec_id).project_id)
    spec = find_and_lock_spec(call, args.spec_id)
    used_actions = purge.run_count_query(call.tx, purge.USED_OF_SPEC, spec.id)
    check_spec_unused(spec.title, spec.build_number, used_actions)
    purge.delete_spec(call.tx, spec.id)
    call.record(Event("spec.deleted", spec.id, spec.project_id, spec.id, data=TitledData(title=spec.title)))
    return Deleted(pid=spec.id)


OPERATION = Operation(
    name="delete_spec",
    title="Delete a spec",
    description=(
        "Delete a spec that was never published, with its plans, actions and attachments. For people: no token can do "
        "this. Refused: 404 no such spec, 422 it was published, or an action of it was claimed (its history is kept)."
    ),
    input=DeleteSpec,
    output=Deleted,
    scope=Scope.PERSON,
    role=Role.MEMBER,
    kind=Kind.LONG_WRITE,
    run=run,
)
