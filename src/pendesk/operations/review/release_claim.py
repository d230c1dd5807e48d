"""release_claim: a person takes an action out of its holder's hands."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.errors import RuleBroken
from pendesk.operations.building.claim_guard import find_action
from pendesk.operations.building.release_action import release
from pendesk.operations.building.results import ActionResult, action_result
from pendesk.operations.fields import ActionPid, Message
from pendesk.operations.operation import Call, Input, Kind, Operation


class ReleaseClaim(Input):
    action_pid: ActionPid
    reason: Annotated[Message, Meta(description="Why; kept on the timeline.")] | None = None


def run(call: Call, args: ReleaseClaim) -> ActionResult:
    facts = find_action(call, args.action_pid)
    if facts.claim is None or facts.claim.state != "active":
        raise RuleBroken(f"Nobody holds {facts.ref}, so there is nothing to release.", code="not_claimed")
    why = {"reason": args.reason} if args.reason else {}
    return action_result(call, release(call, facts, {**why, "byPerson": True}))


OPERATION = Operation(
    name="release_claim",
    title="Release a claim",
    description=(
        "Take an action out of its holder's hands and put it back into the pool. The holder's next write is refused "
        "and kept as a late report. Use it for an agent that has stopped. Refused: 422 nobody holds the action."
    ),
    input=ReleaseClaim,
    output=ActionResult,
    scope=Scope.PERSON,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
