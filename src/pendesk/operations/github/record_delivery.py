"""record_delivery: GitHub called, and there was nothing to do: a ping, or an event that is not used here."""

from pendesk.domain.access import Role, Scope
from pendesk.operations.github.delivery import Delivered, Received, open_delivery, repeated
from pendesk.operations.operation import Call, Kind, Operation


class RecordDelivery(Delivered):
    pass


def run(call: Call, args: RecordDelivery) -> Received:
    opened = open_delivery(call, args)
    if opened is None:
        return repeated()
    return opened.close("The webhook works." if args.event == "ping" else "Not used here.")


OPERATION = Operation(
    name="record_delivery",
    title="Record a delivery",
    description="Keep in the list of deliveries that GitHub called. Only a signed webhook does this.",
    input=RecordDelivery,
    output=Received,
    scope=Scope.WEBHOOK,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
