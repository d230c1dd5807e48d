"""update_progress: a milestone for the people who watch, and the explicit heartbeat of the claim."""

from typing import Annotated, Literal

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.claim import renewed
from pendesk.operations.building.claim_guard import about, hold
from pendesk.operations.building.release_action import release
from pendesk.operations.building.results import ActionResult, action_result
from pendesk.operations.fields import ActionPid, BriefRev, ClaimId, IdempotencyKey, Message
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.store import actions, claims
from pendesk.store.actions import ActionFacts


class UpdateProgress(Input):
    action_pid: ActionPid
    status: Annotated[
        Literal["not-started", "started", "wont-do"],
        Meta(description="started: at work. not-started: give it back. wont-do: drop it; message says why."),
    ]
    message: Annotated[Message, Meta(description="One sentence, past tense: what just happened.")]
    claim_id: ClaimId | None = None
    brief_rev: BriefRev | None = None
    idempotency_key: IdempotencyKey | None = None


def run(call: Call, args: UpdateProgress) -> ActionResult:
    late: dict[str, object] = {"status": args.status, "message": args.message}
    facts = hold(call, args.action_pid, args.claim_id, ("action.progressed", late))
    if args.status == "started":
        facts = _progress(call, facts, args.message)
    elif args.status == "not-started":
        facts = release(call, facts, {"message": args.message})
    else:
        facts = _drop(call, facts, args.message)
    return action_result(call, facts, brief_rev=args.brief_rev)


def _progress(call: Call, facts: ActionFacts, message: str) -> ActionFacts:
    assert facts.claim is not None
    claim = renewed(facts.claim, call.now, call.limits)
    claims.save_progress(call.tx, claim, message)
    call.record(about(facts, "action.progressed", {"message": message}), claim.agent_model)
    return facts._replace(claim=claim)


def _drop(call: Call, facts: ActionFacts, reason: str) -> ActionFacts:
    action, claim = facts.action, facts.claim
    assert claim is not None
    claims.end(call.tx, claim.id, "dropped")
    actions.set_state(call.tx, action.id, "wont_do", reason)
    data: dict[str, object] = {"before": action.state, "after": "wont_do", "reason": reason}
    call.record(about(facts, "action.dropped", data), claim.agent_model)
    return facts._replace(
        action=action._replace(state="wont_do", state_reason=reason), claim=claim._replace(state="dropped")
    )


OPERATION = Operation(
    name="update_progress",
    title="Report progress",
    description=(
        "Tell the people who watch what just happened, and keep your claim alive. Call it at each milestone and at "
        "least every 20 minutes; not for commits and tests, which have their own tools. Returns the action with claim; "
        "act on advisory and news in it. Refused: 422 you do not hold the action (claim it), 409 your claim was lost "
        "(stop; your message is kept)."
    ),
    input=UpdateProgress,
    output=ActionResult,
    scope=Scope.BUILDS_WRITE,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
