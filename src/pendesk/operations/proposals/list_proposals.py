"""list_proposals: what agents drafted for a project or a spec, and nobody has decided about yet."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.errors import BadField
from pendesk.domain.limits import OPEN_PROPOSALS
from pendesk.operations.fields import ProjectId, SpecId
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.operations.projects.find import find_project
from pendesk.operations.proposals.results import ProposalRow, proposal_rows
from pendesk.operations.specs.find import find_spec
from pendesk.store import proposals


class ListProposals(Input):
    project_id: ProjectId | None = None
    spec_id: Annotated[SpecId, Meta(description="Only those for this spec.")] | None = None


class Proposals(Output):
    proposals: list[ProposalRow]


def run(call: Call, args: ListProposals) -> Proposals:
    if args.spec_id is not None:
        rows = proposals.open_of_spec(call.tx, find_spec(call, args.spec_id).id, OPEN_PROPOSALS)
    elif args.project_id is not None:
        rows = proposals.open_of_project(call.tx, find_project(call, args.project_id).id, OPEN_PROPOSALS)
    else:
        raise BadField("project_id", "say of which project, or give the spec_id of a spec.")
    return Proposals(proposals=proposal_rows(call, rows))


OPERATION = Operation(
    name="list_proposals",
    title="List proposals",
    description=(
        "The specs and plans that agents drafted for a project, or for one spec, and that wait for a person; the "
        "oldest first. Next: get_proposal. Refused: 404 no such project or spec."
    ),
    input=ListProposals,
    output=Proposals,
    scope=Scope.DESK_READ,
    role=Role.VIEWER,
    kind=Kind.READ,
    run=run,
)
