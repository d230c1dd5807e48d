"""claim_action: take the lease on one action."""

from pendesk.domain.access import Role, Scope, check_still_member
from pendesk.domain.claim import ActionFacts, Claimant
from pendesk.domain.claim_transitions import can_reuse_claim, claim_action
from pendesk.ids import new_id
from pendesk.operations.building.claim_guard import (
    lock_caller_and_action_past_scoping,
    renew_or_resume_claim_if_due,
    resume_claim_if_expired,
)
from pendesk.operations.building.results import ActionResult, action_result_with_unread_news
from pendesk.operations.fields import ActionPid, IdempotencyKey, Model
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.store import actions, claims, specs

NEXT = "Call get_action_brief now and work from what it says."
SAME = (
    "You hold this action already; this is the same claim. If another session of yours is at work on it, "
    "take a different action. Otherwise call get_action_brief and go on."
)


class ClaimAction(Input):
    action_pid: ActionPid
    agent_model: Model | None = None
    idempotency_key: IdempotencyKey | None = None


def run(call: Call, args: ClaimAction) -> ActionResult:
    facts = lock_caller_and_action_past_scoping(call, args.action_pid)
    claim = facts.claim
    if claim is not None and can_reuse_claim(facts, call.actor.user_id, call.now, call.limits):
        renewed = renew_or_resume_claim_if_due(call, facts, resume_claim_if_expired(call, facts, claim))
        return action_result_with_unread_news(call, facts._replace(claim=renewed), next_step=SAME)
    claimed = claim_action(facts, _load_claimant(call, facts, args.agent_model), new_id(), call.now, call.limits)
    if claimed.ended_claim is not None:
        claims.save_end(call.tx, claimed.ended_claim)
    claims.add(call.tx, claimed.claim)
    actions.save_state_and_claim(call.tx, claimed.action)
    call.record(claimed.event, args.agent_model)
    held = facts._replace(action=claimed.action, claim=claimed.claim, holder=call.actor.user_name)
    return action_result_with_unread_news(call, held, next_step=NEXT)


def _load_claimant(call: Call, facts: ActionFacts, agent_model: str | None) -> Claimant:
    action = facts.action
    claimant = specs.claim_preconditions(call.tx, action.id, action.spec_id, facts.build_id, call.actor.user_id)
    check_still_member(claimant.member)
    # A task without a spec needs no build, and every member of the workspace may take it.
    without_spec = action.spec_id is None
    return Claimant(
        user_id=call.actor.user_id,
        token_id=call.actor.token_id,
        agent_model=agent_model,
        published=without_spec or claimant.published,
        participant=without_spec or claimant.participant,
        live_claims=claimant.live_claims,
        prerequisites=actions.unfinished_prerequisites(call.tx, action.id) if claimant.waits else [],
    )


OPERATION = Operation(
    name="claim_action",
    title="Claim an action",
    description=(
        "Take one action for yourself, so that no other agent works on it. Call it before any work. Each later call "
        "of yours about the action renews the claim. Next: get_action_brief. Refused: 409 another agent holds it "
        "(pick another, do not retry), 422 it waits for prerequisites, is not published, or you hold 3 already "
        "(submit or release one), 403 you take no part in its spec."
    ),
    input=ClaimAction,
    output=ActionResult,
    scope=Scope.BUILDS_WRITE,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
