"""What changes a claim, each once: the records as they are afterwards, and the event that says so.

An operation locks, loads the facts, calls one of these, saves what it returns and records the event.
"""

from collections.abc import Sequence
from typing import NamedTuple

from pendesk.domain.action import Action, ActionState, action_event, dependents_in_event
from pendesk.domain.agent_session import CallOrigin, Relation
from pendesk.domain.claim import (
    ActionFacts,
    Claim,
    Claimant,
    ClaimKind,
    ClaimState,
    ClaimTaker,
    check_below_max_duration,
    claim_expiry,
    has_live_lease,
    has_reached_max_duration,
    is_held_even_if_expired,
)
from pendesk.domain.claim_refusals import (
    FindHeld,
    changes_requested_of_other_refusal,
    check_claim_limit,
    check_not_held_by_other,
)
from pendesk.domain.claimable import check_claimable, check_rework_claimable
from pendesk.domain.errors import RuleBroken
from pendesk.domain.event import Event
from pendesk.domain.event_data import ActionClaimedData, ActionMovedData, ActionProgressedData, ActionReleasedData
from pendesk.domain.limits import Limits


class ClaimResult(NamedTuple):
    """`ended_claim` is the claim that this one took the action from, ended."""

    action: Action
    claim: Claim
    ended_claim: Claim | None
    event: Event


class EndedClaim(NamedTuple):
    action: Action
    claim: Claim
    event: Event


def can_reuse_claim(facts: ActionFacts, claim_id: str | None, origin: CallOrigin, now: int, limits: Limits) -> bool:
    """The same session gets the same claim, up to the cap of its life; so does a call that proves to be its repeat."""
    claim = facts.claim
    if claim is None or claim.state != ClaimState.ACTIVE or facts.relation == Relation.OTHER_USER:
        return False
    same_session = facts.relation == Relation.SAME and (claim.thread_id or "") == origin.thread
    same_call = bool(origin.tool_use_id) and claim.tool_use_id == origin.tool_use_id
    return (same_session or same_call or claim.id == claim_id) and not has_reached_max_duration(claim, now, limits)


def claim_action(facts: ActionFacts, claimant: Claimant, claim_id: str, now: int, limits: Limits) -> ClaimResult:
    """Take the lease. An expired claim of another, or the caller's own past its cap, is lost by it."""
    check_not_held_by_other(facts, claimant.taker.take_over, now, limits, claimant.taker.find_free)
    check_claimable(facts, claimant)
    check_claim_limit(claimant.live_claims, limits, claimant.find_held)
    claim, before = _new_claim(facts, claimant.taker, claim_id, now, limits), facts.claim
    ended = _end_claim(before, ClaimState.LOST, now) if before is not None and is_held_even_if_expired(before) else None
    return _claimed(facts, claim, ended, now, has_live_lease(before, now))


def take_rework(facts: ActionFacts, taker: ClaimTaker, claim_id: str, now: int, limits: Limits) -> ClaimResult:
    """Requested changes are claimed by any session of who submitted, whatever else their user holds.

    The session that had it last has its claim back, with its id and fence; another gets one of its own.
    """
    before = facts.claim
    if before is None or facts.relation == Relation.OTHER_USER:
        raise changes_requested_of_other_refusal(facts, taker.find_free)
    check_not_held_by_other(facts, taker.take_over, now, limits, taker.find_free)
    check_rework_claimable(facts)
    if facts.is_callers:
        claim = renew_lease(before._replace(state=ClaimState.ACTIVE, taken_at=now, ended_at=None), now, limits)
        return _claimed(facts, claim, None, now, False)
    claim = _new_claim(facts, taker, claim_id, now, limits)
    ended = _end_claim(before, ClaimState.LOST, now) if is_held_even_if_expired(before) else None
    return _claimed(facts, claim, ended, now, has_live_lease(before, now))


def hold_task(facts: ActionFacts, taker: ClaimTaker, claim_id: str, now: int, limits: Limits) -> ClaimResult:
    """A plain task is taken in whatever status it is; that nobody else holds it was checked. Who holds it goes on."""
    before = facts.claim
    if before is not None and is_held_even_if_expired(before) and facts.relation == Relation.SAME:
        return _claimed(facts, renew_lease(before, now, limits), None, now, False, ActionState.IN_PROGRESS)
    claim = _new_claim(facts, taker, claim_id, now, limits)
    ended = _end_claim(before, ClaimState.LOST, now) if before is not None and is_held_even_if_expired(before) else None
    return _claimed(facts, claim, ended, now, False, ActionState.IN_PROGRESS)


def _claimed(
    facts: ActionFacts,
    claim: Claim,
    ended: Claim | None,
    now: int,
    taken_over: bool,
    state: ActionState | None = None,
) -> ClaimResult:
    """Without a `state`, requested changes stay that until they are resubmitted."""
    action = facts.action
    if state is None:
        rework = action.state == ActionState.CHANGES_REQUESTED
        state = ActionState.CHANGES_REQUESTED if rework else ActionState.IN_PROGRESS
    claimed = action._replace(
        state=state,
        state_reason=None,
        fence=claim.fence,
        claim_id=claim.id,
        updated_at=now,
        drop_accepted_at=None,
        drop_accepted_by=None,
    )
    event_data = ActionClaimedData(
        before=action.state,
        after=claimed.state,
        fence=claim.fence,
        taken_from=ended.user_id if ended else None,
        lost_claim_id=ended.id if ended else None,
        taken_over=taken_over or None,
    )
    return ClaimResult(claimed, claim, ended, action_event(action, "action.claimed", event_data, claim.id))


def _new_claim(facts: ActionFacts, taker: ClaimTaker, claim_id: str, now: int, limits: Limits) -> Claim:
    action = facts.action
    return Claim(
        id=claim_id,
        action_id=action.id,
        user_id=taker.user_id,
        token_id=taker.token_id,
        agent_model=taker.agent_model,
        fence=max(action.fence, limits.fence_floor) + 1,
        build_id=facts.build_id,
        state=ClaimState.ACTIVE,
        taken_at=now,
        renewed_at=now,
        expires_at=claim_expiry(taker.kind, now, now, limits),
        ended_at=None,
        told_event_id=action.news_event_id,
        seen_build_id=None,
        seen_revision=None,
        seen_rev=None,
        last_message=None,
        last_message_at=None,
        session_id=taker.session_id,
        thread_id=taker.origin.thread or None,
        tool_use_id=taker.origin.tool_use_id or None,
        kind=taker.kind,
    )


def renew_lease(claim: Claim, now: int, limits: Limits) -> Claim:
    """A sign of life. It is no event: nothing but the clock of the lease changes."""
    return claim._replace(renewed_at=now, expires_at=claim_expiry(claim.kind, claim.taken_at, now, limits))


def resume_expired_lease(
    facts: ActionFacts, claim: Claim, live_claims: int, find_held: FindHeld, now: int, limits: Limits
) -> tuple[Claim, Event]:
    """The holder goes on with an expired lease, where a slot is free and the cap is not reached."""
    # The limit first: what the cap of its life advises, a new claim, needs a slot too.
    if claim.kind == ClaimKind.LEASE:
        check_claim_limit(live_claims, limits, find_held)
    check_below_max_duration(claim, facts.ref, now, limits)
    return renew_lease(claim, now, limits), action_event(facts.action, "action.resumed", {"fence": claim.fence})


def report_progress(action: Action, claim: Claim, message: str, now: int, limits: Limits) -> tuple[Claim, Event]:
    """The explicit heartbeat."""
    renewed = renew_lease(claim, now, limits)._replace(last_message=message, last_message_at=now)
    return renewed, action_event(action, "action.progressed", ActionProgressedData(message=message))


def release_claim(
    action: Action,
    claim: Claim,
    now: int,
    *,
    message: str | None = None,
    reason: str | None = None,
    by_person: bool | None = None,
) -> EndedClaim:
    """Back to todo, unfinished; by its holder with a message, or by a person with a reason."""
    released = action._replace(state=ActionState.TODO, state_reason=None, updated_at=now)
    event_data = ActionReleasedData(
        before=action.state,
        after=released.state,
        holder=claim.user_id,
        message=message,
        reason=reason,
        by_person=by_person,
    )
    ended = _end_claim(claim, ClaimState.RELEASED, now)
    return EndedClaim(released, ended, action_event(action, "action.released", event_data, claim.id))


def release_claim_by_person(facts: ActionFacts, now: int, reason: str | None) -> EndedClaim:
    """The holder's next write is refused. What changes were requested of goes to another agent, with the remarks."""
    rework = facts.action.state == ActionState.CHANGES_REQUESTED
    if facts.claim is None or not (is_held_even_if_expired(facts.claim) or rework):
        raise RuleBroken(f"Nobody holds {facts.ref}, so there is nothing to release.", code="not_claimed")
    return release_claim(facts.action, facts.claim, now, reason=reason or None, by_person=True)


def mark_wont_do(action: Action, claim: Claim, reason: str, now: int, dependent_refs: Sequence[str] = ()) -> EndedClaim:
    """The holder finds that it should not be done; `dependent_refs` wait for it."""
    dropped = action._replace(state=ActionState.WONT_DO, state_reason=reason, updated_at=now)
    event_data = ActionMovedData(
        before=action.state,
        after=dropped.state,
        reason=reason,
        claim_id=claim.id,
        dependents=dependents_in_event(dependent_refs),
    )
    ended = _end_claim(claim, ClaimState.DROPPED, now)
    return EndedClaim(dropped, ended, action_event(action, "action.dropped", event_data))


def mark_claim_submitted(claim: Claim, now: int) -> Claim:
    """Submitting ends the lease and frees the slot."""
    return _end_claim(claim, ClaimState.SUBMITTED, now)


def mark_claim_done(claim: Claim, now: int) -> Claim:
    """Approved: nothing is left to do."""
    return _end_claim(claim, ClaimState.DONE, now)


def _end_claim(claim: Claim, state: ClaimState, now: int) -> Claim:
    return claim._replace(state=state, ended_at=now)
