"""record_delivery: GitHub called, and there was nothing to do: a ping, or an event that is not used here."""

from pendesk.domain.access import Role, Scope
from pendesk.operations.github.delivery import (
    DeliveryInput,
    Received,
    begin_delivery_unless_repeated,
    repeated_delivery_result,
)
from pendesk.operations.operation import Call, Kind, Operation


class RecordDelivery(DeliveryInput):
    pass


def run(call: Call, args: RecordDelivery) -> Received:
    opened = begin_delivery_unless_repeated(call, args)
    if opened is None:
        return repeated_delivery_result()
    return opened.record_outcome("The webhook works." if args.event == "ping" else "Not used here.")


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
