"""claim_action: take the lease on one action."""

from pendesk.domain.access import Role, Scope, check_still_member
from pendesk.domain.claim import Claim, check_claimable, check_free, check_slots, expiry, is_capped
from pendesk.ids import new_id
from pendesk.operations.building.claim_guard import about, find_as_holder, keep_alive, revive
from pendesk.operations.building.results import ActionResult, action_result
from pendesk.operations.fields import ActionPid, IdempotencyKey, Model
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.store import actions, claims, specs
from pendesk.store.actions import ActionFacts

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
    facts = find_as_holder(call, args.action_pid)
    claim = facts.claim
    if claim is not None and claim.state == "active" and claim.user_id == call.actor.user_id:
        if not is_capped(claim, call.now, call.limits):
            kept = keep_alive(call, facts, revive(call, facts, claim))
            return action_result(call, facts._replace(claim=kept), next_step=SAME)
    else:
        check_free(claim, facts.ref, facts.holder, call.now)
    _check(call, facts)
    return action_result(call, _take(call, facts, args.agent_model), next_step=NEXT)


def _check(call: Call, facts: ActionFacts) -> None:
    action = facts.action
    claimant = specs.claim_facts(call.tx, action.id, action.spec_id, facts.build_id, call.actor.user_id)
    check_still_member(claimant.member)
    # A task without a spec needs no build, and every member of the workspace may take it.
    free = action.spec_id is None
    check_claimable(
        action,
        facts.ref,
        facts.project_state,
        free or claimant.published,
        free or claimant.participant,
        actions.open_prerequisites(call.tx, action.id) if claimant.waits else [],
    )
    check_slots(claimant.live_claims, call.limits)


def _take(call: Call, facts: ActionFacts, agent_model: str | None) -> ActionFacts:
    action, former = facts.action, facts.claim
    claim = Claim(
        id=new_id(),
        action_id=action.id,
        user_id=call.actor.user_id,
        token_id=call.actor.token_id,
        agent_model=agent_model,
        fence=action.fence + 1,
        build_id=facts.build_id,
        state="active",
        taken_at=call.now,
        renewed_at=call.now,
        expires_at=expiry(call.now, call.now, call.limits),
        ended_at=None,
        told_seq=action.news_seq,
        seen_build_id=None,
        seen_revision=None,
        seen_rev=None,
        last_message=None,
        last_message_at=None,
    )
    taken_from = former.user_id if former is not None and former.state == "active" else None
    if former is not None and former.state == "active":
        claims.end(call.tx, former.id, "lost")
    claims.add(call.tx, claim)
    actions.set_claim(call.tx, action.id, claim)
    event = about(
        facts,
        "action.claimed",
        {"before": action.state, "after": "in_progress", "fence": claim.fence, "takenFrom": taken_from},
        claim.id,
    )
    call.record(event, agent_model)
    return facts._replace(
        action=action._replace(state="in_progress", fence=claim.fence, claim_id=claim.id),
        claim=claim,
        holder=call.actor.user_name,
    )


OPERATION = Operation(
    name="claim_action",
    title="Claim an action",
    description=(
        "Take one action for yourself, so that no other agent works on it. Call it before any work, once you have "
        "chosen. Returns the action, started, with claim {id, fence, expiresAt}; each later call of yours about the "
        "action renews it. Then call get_action_brief. Refused: 409 another holds it (pick another, do not retry), 422 "
        "it waits for prerequisites, is not published, or you hold 3 already (submit or release one), 403 you take no "
        "part in its spec."
    ),
    input=ClaimAction,
    output=ActionResult,
    scope=Scope.BUILDS_WRITE,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
