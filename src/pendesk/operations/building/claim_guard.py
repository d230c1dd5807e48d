"""What every building operation does first: lock the action, check who holds it, keep the lease alive."""

import contextlib
from collections.abc import Callable

from pendesk.domain.access import Scope, check_still_member
from pendesk.domain.action import NOT_READY, ActionState, action_event
from pendesk.domain.agent_session import AgentSession, Relation, rotate_by_caller
from pendesk.domain.claim import (
    ActionFacts,
    Claim,
    Claimant,
    ClaimTaker,
    HeldClaim,
    has_live_lease,
    is_held_even_if_expired,
    is_open_rework,
    is_renewal_due,
    is_writable_by_caller,
)
from pendesk.domain.claim_refusals import Alternatives, not_held_refusal, not_ready_refusal
from pendesk.domain.claim_transitions import (
    ClaimResult,
    EndedClaim,
    can_reuse_claim,
    claim_action,
    renew_lease,
    resume_expired_lease,
    take_rework,
)
from pendesk.domain.errors import NotFound, Refusal, RuleBroken
from pendesk.domain.event import Event, EventData, EventKind
from pendesk.domain.event_data import LateReportData
from pendesk.ids import new_id
from pendesk.operations.availability import waits_of
from pendesk.operations.building.claim_overlaps import overlap_waits
from pendesk.operations.building.open_work import free_refs_near
from pendesk.operations.caller_session import find_or_create_session, relate_caller_to_claim
from pendesk.operations.messages.deliver import read_ahead_messages_waiting_on_action, take_messages_waiting_on_action
from pendesk.operations.nearest_refs import nearest_refs
from pendesk.operations.operation import Call
from pendesk.operations.session_news import tell_holder
from pendesk.store import actions, claims, overlaps, participants, people, projects, specs

LateReport = tuple[EventKind, EventData]
LockFirst = Callable[[Call, str], None]
FREE_REFS_NAMED = 2
FREE_REFS_LOOKED_AT = 10  # what callers are spread over


def find_and_lock_action_past_scoping(call: Call, action_id_or_ref: str) -> ActionFacts:
    """The action as the building tools see it, locked until the commit."""
    action_id = actions.resolve_id(call.tx, action_id_or_ref)
    if action_id is not None:
        actions.lock(call.tx, action_id)
    return _require_past_scoping(call, action_id, action_id_or_ref)


def find_action_past_scoping(call: Call, action_id_or_ref: str) -> ActionFacts:
    """The same for a look: unlocked, it may be another's a moment later."""
    return _require_past_scoping(call, actions.resolve_id(call.tx, action_id_or_ref), action_id_or_ref)


def _require_past_scoping(call: Call, action_id: str | None, id_as_sent: str) -> ActionFacts:
    """A refusal has the id as it was sent: the pid behind a ref would tell that something is hidden there."""
    facts = actions.facts(call.tx, action_id) if action_id is not None else None
    if facts is not None and facts.action.state not in NOT_READY:
        return with_relation_to_caller(call, facts)
    if facts is not None and Scope.DESK_READ in call.actor.scopes:
        raise not_ready_refusal(facts)
    raise action_not_found_refusal(call, id_as_sent)


def action_not_found_refusal(call: Call, action_id_or_ref: str) -> NotFound:
    return NotFound("action", action_id_or_ref, nearest_refs(call, action_id_or_ref, planning=False))


def with_relation_to_caller(call: Call, facts: ActionFacts) -> ActionFacts:
    return facts._replace(relation=relate_caller_to_claim(call.tx, call.actor, call.agent_session, facts))


def may_see_spec(call: Call, spec_id: str | None) -> bool:
    """A builder sees the specs they take part in; whoever may read the whole workspace sees every one."""
    return (
        spec_id is None
        or Scope.DESK_READ in call.actor.scopes
        or participants.is_participant(call.tx, spec_id, call.actor.user_id)
    )


def lock_caller_and_action_past_scoping(
    call: Call, action_id_or_ref: str, lock_first: LockFirst | None = None
) -> ActionFacts:
    """The same where a lease may be taken or resumed: that counts the caller's claims, so their member row is locked
    too, and first, as everywhere.
    """
    people.lock_member(call.tx, call.actor.user_id)
    if lock_first is not None:
        lock_first(call, action_id_or_ref)
    return find_and_lock_action_past_scoping(call, action_id_or_ref)


def lock_caller_and_seen_action(call: Call, action_id_or_ref: str, seen: ActionFacts) -> ActionFacts:
    """The same for an action that was looked at without a lock: read again where it may have changed since."""
    if call.tx.writes_alone:
        return seen
    action = seen.action
    people.lock_member(call.tx, call.actor.user_id)
    if seen.refuses_overlap:
        projects.lock(call.tx, action.project_id)
    actions.lock(call.tx, action.id)
    # What a claim reads next, once the locks are taken; by what was seen, which is nearly always so still.
    specs.read_ahead_claim_preconditions(call.tx, action.id, action.spec_id, seen.build_id, call.actor.user_id)
    read_ahead_messages_waiting_on_action(call, action.id)
    overlaps.read_ahead_at_work(call.tx, action.project_id)
    return _require_past_scoping(call, action.id, action_id_or_ref)


def restart_with_caller_locked(call: Call, action_id_or_ref: str, lock_first: LockFirst | None = None) -> ActionFacts:
    """Few calls find that they have to count: only they lock the member, and they begin again for it."""
    call.tx.rollback()
    call.agent_session = find_or_create_session(call.tx, call.actor)
    return lock_caller_and_action_past_scoping(call, action_id_or_ref, lock_first)


def find_and_lock_held_action(
    call: Call,
    action_id_or_ref: str,
    claim_id: str | None,
    late_report: LateReport | None = None,
    lock_first: LockFirst | None = None,
    any_session: bool = False,
) -> tuple[ActionFacts, Claim]:
    """The action with the caller's claim on it, or the refusal that fits.

    `late_report` is what to record if a former holder sent it. `lock_first` locks what comes before the action. The
    first write about requested changes claims them. With `any_session` whatever calls for the holder's user may write;
    it is no sign of life of the holder's.
    """
    if lock_first is not None:
        lock_first(call, action_id_or_ref)
    facts = find_and_lock_action_past_scoping(call, action_id_or_ref)
    if may_resume_expired(call, facts):
        facts = restart_with_caller_locked(call, action_id_or_ref, lock_first)
    return require_held_claim(call, facts, claim_id, late_report, any_session)


def may_resume_expired(call: Call, facts: ActionFacts) -> bool:
    """Which is counted; claiming requested changes is not."""
    return (
        facts.action.state != ActionState.CHANGES_REQUESTED
        and is_held_even_if_expired(facts.claim)
        and facts.relation != Relation.OTHER_USER
        and not has_live_lease(facts.claim, call.now)
    )


def require_held_claim(
    call: Call,
    facts: ActionFacts,
    claim_id: str | None,
    late_data: LateReport | None = None,
    any_session: bool = False,
) -> tuple[ActionFacts, Claim]:
    """The same for an action that is locked; with its member, where its lease has expired."""
    claim = facts.claim
    if is_open_rework(facts, call.now) and not any_session and claim_id in (None, claim.id if claim else None):
        return claim_rework(call, facts, claim_taker(call, facts, claim.agent_model if claim else None, False))
    if claim is None or not is_writable_by_caller(facts, claim_id, any_session=any_session):
        late_report = late_report_event(facts, late_data) if late_data is not None else None
        held_before = has_caller_held(call, facts, claim_id)
        raise not_held_refusal(facts, claim_id, held_before, late_report, call.now, alternatives(call, facts))
    if claim_id is not None:
        facts = facts._replace(relation=Relation.SAME)  # only its session has that id
    if facts.relation == Relation.UNKNOWN and facts.holder_session is not None:
        # Nothing says that it is another: what it writes is the holder's.
        write_as_session(call, facts.holder_session)
    if is_held_even_if_expired(claim) and facts.is_callers:
        claim = resume_claim_if_expired(call, facts, claim)
    return facts._replace(claim=claim), claim


def claim_taker(call: Call, facts: ActionFacts, agent_model: str | None, take_over: bool) -> ClaimTaker:
    return ClaimTaker(
        user_id=call.actor.user_id,
        token_id=call.actor.token_id,
        session_id=call.agent_session.id if call.agent_session else None,
        origin=call.actor.origin,
        agent_model=agent_model or call.actor.origin.model,
        take_over=take_over,
        find_free=lambda: free_refs(call, facts),
    )


def load_claimant(call: Call, facts: ActionFacts, taker: ClaimTaker) -> Claimant:
    action = facts.action
    claimant = specs.claim_preconditions(call.tx, action.id, action.spec_id, facts.build_id, call.actor.user_id)
    check_still_member(claimant.member)
    # A task without a spec needs no build, and every member of the workspace may take it.
    without_spec = action.spec_id is None
    return Claimant(
        taker=taker,
        published=without_spec or claimant.published,
        participant=without_spec or claimant.participant,
        live_claims=claimant.live_claims - _freed_claims(call, facts),
        waits=waits_of(call, action.id) if claimant.waits else overlap_waits(call, facts),
        find_held=lambda: held_claims(call),
    )


def _freed_claims(call: Call, facts: ActionFacts) -> int:
    """A live claim of the same user that this one takes over does not count."""
    return int(has_live_lease(facts.claim, call.now) and facts.relation != Relation.OTHER_USER)


def refusal_of_claim(call: Call, facts: ActionFacts, claimant: Claimant | None = None) -> Refusal | None:
    """What claim_action would say, for whatever would advise it; None where it would accept."""
    taker = claim_taker(call, facts, None, False)
    try:
        if can_reuse_claim(facts, None, call.actor.origin, call.now, call.limits):
            _check_resumable(call, facts)
        elif facts.action.state == ActionState.CHANGES_REQUESTED:
            take_rework(facts, taker, "", call.now, call.limits)
        else:
            claim_action(facts, claimant or load_claimant(call, facts, taker), "", call.now, call.limits)
    except Refusal as refusal:
        return refusal
    return None


def _check_resumable(call: Call, facts: ActionFacts) -> None:
    claim = facts.claim
    if claim is not None and not has_live_lease(claim, call.now):
        live_claims = claims.count_live_leases_of_user(call.tx, call.actor.user_id)
        resume_expired_lease(facts, claim, live_claims, lambda: held_claims(call), call.now, call.limits)


def alternatives(call: Call, facts: ActionFacts) -> Alternatives:
    return Alternatives(lambda: free_refs(call, facts), lambda: refusal_of_claim(call, facts))


def free_refs(call: Call, facts: ActionFacts) -> list[str]:
    """None where the caller has no slot left: they could claim none of them."""
    if claims.count_live_leases_of_user(call.tx, call.actor.user_id) >= call.limits.live_claims_per_user:
        return []
    refs = free_refs_near(call, facts.action.id, facts.action.spec_id, FREE_REFS_LOOKED_AT)
    return rotate_by_caller(refs, call.actor.origin)[:FREE_REFS_NAMED]


def claim_rework(call: Call, facts: ActionFacts, taker: ClaimTaker) -> tuple[ActionFacts, Claim]:
    claimed = take_rework(facts, taker, new_id(), call.now, call.limits)
    return save_claim(call, facts, claimed), claimed.claim


def save_claim(call: Call, facts: ActionFacts, claimed: ClaimResult) -> ActionFacts:
    """The claim is the caller's; one that they had before and have again is in the table already."""
    claim, before = claimed.claim, facts.claim
    if claimed.ended_claim is not None:
        claims.save_end(call.tx, claimed.ended_claim)
    if before is not None and before.id == claim.id:
        claims.save_reopened(call.tx, claim)
        session = facts.holder_session
        write_as_session(call, session)
    else:
        claims.add(call.tx, claim)
        session = call.agent_session
    actions.save_state_and_claim(call.tx, facts.action, claimed.action)
    _record_claim(call, claimed)
    take_messages_waiting_on_action(call, claimed.action.id)
    return facts._replace(
        action=claimed.action,
        claim=claim,
        holder=call.actor.user_name,
        holder_session=session,
        relation=Relation.SAME,
    )


def _record_claim(call: Call, claimed: ClaimResult) -> None:
    """It is news to the session that lost the action by it."""
    claim, lost = claimed.claim, claimed.ended_claim
    if lost is not None and lost.session_id not in (None, claim.session_id):
        tell_holder(call, lost, call.record_returning_id(claimed.event, claim.agent_model))
    else:
        call.record(claimed.event, claim.agent_model)


def write_as_session(call: Call, session: AgentSession | None) -> None:
    """What the caller's own session has not read yet stays with it; where this is the same one, that is known of it."""
    caller = call.agent_session
    if caller is None or session is None or caller.id != session.id:
        call.agent_session = session


def has_caller_held(call: Call, facts: ActionFacts, claim_id: str | None) -> bool:
    """Another session of the same user has held it only if that very session did, or has the id of a claim."""
    action_id, user_id = facts.action.id, call.actor.user_id
    if facts.is_callers:
        return True
    if facts.relation == Relation.OTHER_SESSION:
        session_id = call.agent_session.id if call.agent_session else None
        return claims.has_session_held(call.tx, action_id, user_id, session_id) or (
            claim_id is not None and claims.is_of_user(call.tx, claim_id, action_id, user_id)
        )
    return claims.has_ever_held(call.tx, action_id, user_id)


def resume_claim_if_expired(call: Call, facts: ActionFacts, claim: Claim) -> Claim:
    """Go on with an expired lease; one that is live stays as it is. The member row is locked."""
    if has_live_lease(claim, call.now):
        return claim
    live_claims = claims.count_live_leases_of_user(call.tx, call.actor.user_id)
    resumed, event = resume_expired_lease(facts, claim, live_claims, lambda: held_claims(call), call.now, call.limits)
    claims.save_renewal(call.tx, resumed)
    call.record(event, claim.agent_model)
    return resumed


def held_claims(call: Call) -> list[HeldClaim]:
    """All that the caller's user holds, by whichever agent."""
    held = claims.live_leases_of_user_with_holder(call.tx, call.actor.user_id, call.limits.live_claims_per_user)
    own_session_id = call.agent_session.id if call.agent_session else None
    return [HeldClaim(ref, holder, session_id == own_session_id) for ref, holder, session_id in held]


def renew_or_resume_claim_if_due(call: Call, facts: ActionFacts, claim: Claim) -> Claim:
    """Any call of the holder about the action renews the claim; an expired one only where it may be resumed."""
    if not is_held_even_if_expired(claim) or not facts.is_callers:
        return claim
    if not has_live_lease(claim, call.now):
        if facts.action.state == ActionState.CHANGES_REQUESTED or facts.relation != Relation.SAME:
            return claim  # claimed again by a claim or a write, not by looking at it; nor by who may be another
        with contextlib.suppress(RuleBroken):
            return resume_claim_if_expired(call, facts, claim)
        return claim
    if not is_renewal_due(claim, call.now, call.limits):
        return claim
    renewed = renew_lease(claim, call.now, call.limits)
    claims.save_renewal(call.tx, renewed)
    return renewed


def save_claim_end(call: Call, facts: ActionFacts, ended: EndedClaim, *, tells_holder: bool = False) -> ActionFacts:
    """Released or dropped; by another than its holder, it is news to that one."""
    claims.save_end(call.tx, ended.claim)
    actions.save_state_and_claim(call.tx, facts.action, ended.action)
    if tells_holder:
        tell_holder(call, ended.claim, call.record_returning_id(ended.event, ended.claim.agent_model))
    else:
        call.record(ended.event, ended.claim.agent_model)
    return facts._replace(action=ended.action, claim=ended.claim)


def late_report_event(facts: ActionFacts, late_report: LateReport) -> Event:
    kind, sent = late_report
    return action_event(facts.action, "report.late", LateReportData(report=kind, sent=sent))
