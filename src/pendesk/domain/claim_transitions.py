"""What changes a claim, each once: the records as they are afterwards, and the event that says so.

An operation locks, loads the facts, calls one of these, saves what it returns and records the event.
"""

from typing import NamedTuple

from pendesk.domain.action import Action, ActionState, action_event
from pendesk.domain.claim import (
    ActionFacts,
    Claim,
    Claimant,
    ClaimState,
    check_cap,
    check_claimable,
    check_free,
    check_slots,
    expiry,
    holds,
    is_active,
    is_capped,
)
from pendesk.domain.errors import RuleBroken
from pendesk.domain.event import Event
from pendesk.domain.event_data import ActionClaimedData, ActionMovedData, ActionProgressedData, ActionReleasedData
from pendesk.domain.limits import Limits


class Claimed(NamedTuple):
    """`lost` is the claim that this one took the action from, ended."""

    action: Action
    claim: Claim
    lost: Claim | None
    event: Event


class ClaimEnded(NamedTuple):
    action: Action
    claim: Claim
    event: Event


def is_claimed_again(facts: ActionFacts, user_id: str, now: int, limits: Limits) -> bool:
    """Claiming what the caller holds gives the same claim, up to the cap of its life."""
    return facts.claim is not None and holds(facts.claim, user_id) and not is_capped(facts.claim, now, limits)


def claim_action(facts: ActionFacts, claimant: Claimant, claim_id: str, now: int, limits: Limits) -> Claimed:
    """Take the lease. An expired claim of another, or the caller's own past its cap, is lost by it."""
    check_free(facts, claimant.user_id, now)
    check_claimable(facts, claimant)
    check_slots(claimant.live_claims, limits)
    action = facts.action
    claim = Claim(
        id=claim_id,
        action_id=action.id,
        user_id=claimant.user_id,
        token_id=claimant.token_id,
        agent_model=claimant.agent_model,
        fence=action.fence + 1,
        build_id=facts.build_id,
        state=ClaimState.ACTIVE,
        taken_at=now,
        renewed_at=now,
        expires_at=expiry(now, now, limits),
        ended_at=None,
        told_seq=action.news_seq,
        seen_build_id=None,
        seen_revision=None,
        seen_rev=None,
        last_message=None,
        last_message_at=None,
    )
    lost = _ended(facts.claim, ClaimState.LOST, now) if facts.claim is not None and is_active(facts.claim) else None
    claimed = action._replace(
        state=ActionState.IN_PROGRESS, state_reason=None, fence=claim.fence, claim_id=claim.id, updated_at=now
    )
    event_data = ActionClaimedData(
        before=action.state,
        after=claimed.state,
        fence=claim.fence,
        taken_from=lost.user_id if lost else None,
        lost_claim_id=lost.id if lost else None,
    )
    return Claimed(claimed, claim, lost, action_event(action, "action.claimed", event_data, claim.id))


def renew(claim: Claim, now: int, limits: Limits) -> Claim:
    """A sign of life. It is no event: nothing but the clock of the lease changes."""
    return claim._replace(renewed_at=now, expires_at=expiry(claim.taken_at, now, limits))


def resume(facts: ActionFacts, claim: Claim, live_claims: int, now: int, limits: Limits) -> tuple[Claim, Event]:
    """The holder goes on with an expired lease, where a slot is free and the cap is not reached."""
    check_cap(claim, facts.ref, now, limits)
    check_slots(live_claims, limits)
    return renew(claim, now, limits), action_event(facts.action, "action.resumed", {"fence": claim.fence})


def report_progress(action: Action, claim: Claim, message: str, now: int, limits: Limits) -> tuple[Claim, Event]:
    """The explicit heartbeat."""
    renewed = renew(claim, now, limits)._replace(last_message=message, last_message_at=now)
    return renewed, action_event(action, "action.progressed", ActionProgressedData(message=message))


def release(
    action: Action,
    claim: Claim,
    now: int,
    *,
    message: str | None = None,
    reason: str | None = None,
    by_person: bool | None = None,
) -> ClaimEnded:
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
    ended = _ended(claim, ClaimState.RELEASED, now)
    return ClaimEnded(released, ended, action_event(action, "action.released", event_data, claim.id))


def release_by_person(facts: ActionFacts, now: int, reason: str | None) -> ClaimEnded:
    """The holder's next write is refused."""
    if facts.claim is None or not is_active(facts.claim):
        raise RuleBroken(f"Nobody holds {facts.ref}, so there is nothing to release.", code="not_claimed")
    return release(facts.action, facts.claim, now, reason=reason or None, by_person=True)


def drop(action: Action, claim: Claim, reason: str, now: int) -> ClaimEnded:
    """The holder finds that it should not be done."""
    dropped = action._replace(state=ActionState.WONT_DO, state_reason=reason, updated_at=now)
    event_data = ActionMovedData(before=action.state, after=dropped.state, reason=reason, claim_id=claim.id)
    ended = _ended(claim, ClaimState.DROPPED, now)
    return ClaimEnded(dropped, ended, action_event(action, "action.dropped", event_data))


def submit_claim(claim: Claim, now: int) -> Claim:
    """Submitting ends the lease and frees the slot."""
    return _ended(claim, ClaimState.SUBMITTED, now)


def finish_claim(claim: Claim, now: int) -> Claim:
    """Approved: nothing is left to do."""
    return _ended(claim, ClaimState.DONE, now)


def _ended(claim: Claim, state: ClaimState, now: int) -> Claim:
    return claim._replace(state=state, ended_at=now)
