"""What every building operation does first: lock the action, check who holds it, keep the lease alive."""

import contextlib

from pendesk.domain.access import Scope
from pendesk.domain.action import NOT_READY, action_event
from pendesk.domain.claim import (
    ActionFacts,
    Claim,
    has_live_lease,
    is_held_even_if_expired,
    is_renewal_due,
    require_writable_claim,
)
from pendesk.domain.claim_transitions import EndedClaim, renew_lease, resume_expired_lease
from pendesk.domain.errors import NotFound, RuleBroken
from pendesk.domain.event import Event, EventData, EventKind
from pendesk.domain.event_data import LateReportData
from pendesk.operations.operation import Call
from pendesk.store import actions, claims, people, specs

LateReport = tuple[EventKind, EventData]


def find_and_lock_action_past_scoping(call: Call, action_id_or_ref: str) -> ActionFacts:
    """The action as the building tools see it, locked until the commit."""
    action_id = actions.resolve_id(call.tx, action_id_or_ref)
    if action_id is not None:
        actions.lock(call.tx, action_id)
        facts = actions.facts(call.tx, action_id)
        if facts is not None and facts.action.state not in NOT_READY:
            return facts
    raise NotFound("action", action_id_or_ref)


def may_see_spec(call: Call, spec_id: str | None) -> bool:
    """A builder sees the specs they take part in; whoever may read the whole workspace sees every one."""
    return (
        spec_id is None
        or Scope.DESK_READ in call.actor.scopes
        or specs.is_participant(call.tx, spec_id, call.actor.user_id)
    )


def lock_caller_and_action_past_scoping(call: Call, action_id_or_ref: str) -> ActionFacts:
    """The same where a lease may be taken or resumed: that counts the caller's claims, so their member row is locked
    too, and first, as everywhere.
    """
    people.lock_member(call.tx, call.actor.user_id)
    return find_and_lock_action_past_scoping(call, action_id_or_ref)


def find_and_lock_held_action(
    call: Call,
    action_id_or_ref: str,
    claim_id: str | None,
    late_report: LateReport | None = None,
    allow_after_review: bool = False,
) -> tuple[ActionFacts, Claim]:
    """The action with the caller's claim on it, or the refusal that fits.

    `late_report` is what to record if a former holder sent it. With `allow_after_review` the submitter may go on
    reporting once changes were requested, although the claim has ended.
    """
    return require_held_claim(
        call, lock_caller_and_action_past_scoping(call, action_id_or_ref), claim_id, late_report, allow_after_review
    )


def require_held_claim(
    call: Call,
    facts: ActionFacts,
    claim_id: str | None,
    late_data: LateReport | None = None,
    allow_after_review: bool = False,
) -> tuple[ActionFacts, Claim]:
    """The same for an action that is locked together with its member."""
    user_id = call.actor.user_id
    is_mine = facts.claim is not None and facts.claim.user_id == user_id
    held_before = is_mine or claims.has_ever_held(call.tx, facts.action.id, user_id)
    late_report = late_report_event(facts, late_data) if late_data is not None else None
    claim = require_writable_claim(
        facts, user_id, claim_id, held_before, late_report, allow_after_review=allow_after_review
    )
    if is_held_even_if_expired(claim):
        claim = resume_claim_if_expired(call, facts, claim)
    return facts._replace(claim=claim), claim


def resume_claim_if_expired(call: Call, facts: ActionFacts, claim: Claim) -> Claim:
    """Go on with an expired lease; one that is live stays as it is. The member row is locked."""
    if has_live_lease(claim, call.now):
        return claim
    live_claims = claims.count_live_of_user(call.tx, call.actor.user_id)
    resumed, event = resume_expired_lease(facts, claim, live_claims, call.now, call.limits)
    claims.save_renewal(call.tx, resumed)
    call.record(event, claim.agent_model)
    return resumed


def renew_or_resume_claim_if_due(call: Call, facts: ActionFacts, claim: Claim) -> Claim:
    """Any call of the holder about the action renews the claim; an expired one only where it may be resumed."""
    if not is_held_even_if_expired(claim):
        return claim
    if not has_live_lease(claim, call.now):
        with contextlib.suppress(RuleBroken):
            return resume_claim_if_expired(call, facts, claim)
        return claim
    if not is_renewal_due(claim, call.now, call.limits):
        return claim
    renewed = renew_lease(claim, call.now, call.limits)
    claims.save_renewal(call.tx, renewed)
    return renewed


def save_claim_end(call: Call, facts: ActionFacts, ended: EndedClaim) -> ActionFacts:
    """Released or dropped, by whomever."""
    claims.save_end(call.tx, ended.claim)
    actions.save_state_and_claim(call.tx, ended.action)
    call.record(ended.event, ended.claim.agent_model)
    return facts._replace(action=ended.action, claim=ended.claim)


def late_report_event(facts: ActionFacts, late_report: LateReport) -> Event:
    kind, sent = late_report
    return action_event(facts.action, "report.late", LateReportData(report=kind, sent=sent))
