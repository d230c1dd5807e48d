"""release_claim: a person ends the claim of an agent that has stopped."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.claim_transitions import release_claim_by_person
from pendesk.operations.building.claim_guard import find_and_lock_action_past_scoping, save_claim_end
from pendesk.operations.building.results import ActionResult, action_result_with_unread_news
from pendesk.operations.fields import ActionPid, Message
from pendesk.operations.operation import Call, Input, Kind, Operation


class ReleaseClaim(Input):
    action_pid: ActionPid
    reason: Annotated[Message, Meta(description="Why; shown on the timeline.")] | None = None


def run(call: Call, args: ReleaseClaim) -> ActionResult:
    facts = find_and_lock_action_past_scoping(call, args.action_pid)
    released = release_claim_by_person(facts, call.now, args.reason)
    return action_result_with_unread_news(call, save_claim_end(call, facts, released, tells_holder=True))


OPERATION = Operation(
    name="release_claim",
    title="Release a claim",
    description=(
        "End the claim on an action, which goes back to todo. The holder's next write is refused and saved as a late "
        "report. Use it for an agent that has stopped. Refused: 422 nobody holds the action."
    ),
    input=ReleaseClaim,
    output=ActionResult,
    scope=Scope.PERSON,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
