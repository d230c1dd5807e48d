"""release_action: give an action back, unfinished."""

from pendesk.domain.access import Role, Scope
from pendesk.operations.building.claim_guard import about, hold
from pendesk.operations.building.results import ActionResult, action_result
from pendesk.operations.fields import ActionPid, BriefRev, ClaimId, IdempotencyKey
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.store import actions, claims
from pendesk.store.actions import ActionFacts


class ReleaseAction(Input):
    action_pid: ActionPid
    claim_id: ClaimId | None = None
    brief_rev: BriefRev | None = None
    idempotency_key: IdempotencyKey | None = None


def run(call: Call, args: ReleaseAction) -> ActionResult:
    facts = hold(call, args.action_pid, args.claim_id)
    return action_result(call, release(call, facts, {}), brief_rev=args.brief_rev)


def release(call: Call, facts: ActionFacts, told: dict[str, object]) -> ActionFacts:
    """End the claim and put the action back; who does so and why is in the event."""
    action, claim = facts.action, facts.claim
    assert claim is not None
    claims.end(call.tx, claim.id, "released")
    actions.set_state(call.tx, action.id, "todo")
    data = {"before": action.state, "after": "todo", "holder": claim.user_id, **told}
    call.record(about(facts, "action.released", data, claim.id), claim.agent_model)
    return facts._replace(
        action=action._replace(state="todo"), claim=claim._replace(state="released", ended_at=call.now)
    )


OPERATION = Operation(
    name="release_action",
    title="Release an action",
    description=(
        "Give an action you hold back, unfinished. Use it when you cannot go on; not when it is done "
        "(submit_for_review) or waits for an answer. Returns the action, not-started; your claim ends, and what you "
        "reported is kept for whoever takes it next. Refused: 422 you do not hold it, 409 your claim was lost (nothing "
        "left to do)."
    ),
    input=ReleaseAction,
    output=ActionResult,
    scope=Scope.BUILDS_WRITE,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
