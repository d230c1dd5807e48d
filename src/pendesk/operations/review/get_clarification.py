"""get_clarification: one question and its answer, where there is one."""

from pendesk.domain.access import Role, Scope
from pendesk.domain.errors import NotFound
from pendesk.ids import parse_id
from pendesk.operations.building.request_clarification import NEXT
from pendesk.operations.building.results import ClarificationResult, clarification_result
from pendesk.operations.fields import Ident
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.store import clarifications


class GetClarification(Input):
    clarification_pid: Ident


def run(call: Call, args: GetClarification) -> ClarificationResult:
    pid = parse_id(args.clarification_pid)
    clarification = clarifications.by_id(call.tx, pid) if pid else None
    if clarification is None:
        raise NotFound("clarification", args.clarification_pid)
    return clarification_result(call, clarification, NEXT if clarification.answer is None else None)


OPERATION = Operation(
    name="get_clarification",
    title="Read a question",
    description="One question that was asked on an action, with its answer where there is one.",
    input=GetClarification,
    output=ClarificationResult,
    scope=Scope.SPECS_READ,
    role=Role.VIEWER,
    kind=Kind.READ,
    run=run,
)
