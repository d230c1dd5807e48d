"""A claim is a lease on an action. Everything that decides who may work on what is here.

The holder is a user. A claim is live until it expires; once expired its holder may resume it as long as nobody else
took the action. Each claim has a fence, larger than every earlier one of the action. What changes a claim is in
claim_transitions.py.
"""

from enum import StrEnum
from typing import Literal, NamedTuple

from pendesk.domain.action import BUILDING_WORDS, Action, ActionState, has_changes_requested, ref_code
from pendesk.domain.errors import (
    AlreadyClaimed,
    ClaimLost,
    HeldByAnother,
    NotParticipant,
    Refusal,
    RuleBroken,
)
from pendesk.domain.event import Event
from pendesk.domain.limits import RENEWAL_GRAIN, Limits


class ClaimState(StrEnum):
    ACTIVE = "active"
    SUBMITTED = "submitted"
    RELEASED = "released"
    LOST = "lost"
    DROPPED = "dropped"
    DONE = "done"


Pulse = Literal["live", "quiet", "expired"]


class Claim(NamedTuple):
    id: str
    action_id: str
    user_id: str
    token_id: str | None
    agent_model: str | None
    fence: int
    build_id: str | None
    state: ClaimState
    taken_at: int
    renewed_at: int
    expires_at: int
    ended_at: int | None
    told_seq: int
    seen_build_id: str | None
    seen_revision: int | None
    seen_rev: str | None
    last_message: str | None
    last_message_at: int | None


class Prerequisite(NamedTuple):
    """An action that must be done first, and is not."""

    ref: str
    label: str
    state: ActionState


class ActionFacts(NamedTuple):
    """An action with what decides about it: its project, its spec's current build and its last claim."""

    action: Action
    project_key: str
    project_state: str
    build_id: str | None
    build_number: int | None
    claim: Claim | None
    holder: str

    @property
    def ref(self) -> str:
        return ref_code(self.project_key, self.action.ref_number)

    @property
    def in_active_project(self) -> bool:
        return self.project_state == "active"


class Claimant(NamedTuple):
    """Who wants to claim an action, and what decides whether they may."""

    user_id: str
    token_id: str | None
    agent_model: str | None
    published: bool
    participant: bool
    live_claims: int
    prerequisites: list[Prerequisite]


def claim_liveness(claim: Claim, now: int) -> Pulse:
    return lease_liveness(claim.renewed_at, claim.expires_at, now)


def lease_liveness(renewed_at: int, expires_at: int, now: int) -> Pulse:
    if now >= expires_at:
        return "expired"
    return "quiet" if 2 * (now - renewed_at) >= expires_at - renewed_at else "live"


def is_held_even_if_expired(claim: Claim | None) -> bool:
    """Held, whether its lease is live or has expired."""
    return claim is not None and claim.state == ClaimState.ACTIVE


def has_live_lease(claim: Claim | None, now: int) -> bool:
    return claim is not None and claim.state == ClaimState.ACTIVE and now < claim.expires_at


def is_held_by(claim: Claim | None, user_id: str) -> bool:
    return claim is not None and claim.state == ClaimState.ACTIVE and claim.user_id == user_id


def may_read_brief_as_holder(claim: Claim | None, user_id: str) -> bool:
    """Also whoever submitted it: what the review says is for them."""
    return claim is not None and claim.user_id == user_id and claim.state in (ClaimState.ACTIVE, ClaimState.SUBMITTED)


def lease_expiry(taken_at: int, now: int, limits: Limits) -> int:
    """A lease runs from the last sign of life, but never past the cap counted from when it was taken."""
    return min(now + limits.lease_us, taken_at + limits.lease_cap_us)


def is_renewal_due(claim: Claim, now: int, limits: Limits) -> bool:
    return now - claim.renewed_at >= limits.lease_us // RENEWAL_GRAIN


def has_reached_max_duration(claim: Claim, now: int, limits: Limits) -> bool:
    """No lease lives longer than the cap, however often it is renewed."""
    return now >= claim.taken_at + limits.lease_cap_us


def check_below_max_duration(claim: Claim, action_ref: str, now: int, limits: Limits) -> None:
    if has_reached_max_duration(claim, now, limits):
        raise RuleBroken(
            f"Your claim on {action_ref} has reached its longest life. Claim the action again with claim_action.",
            code="claim_expired",
        )


def check_claimable(facts: ActionFacts, claimant: Claimant) -> None:
    """The rules of claiming that do not depend on who holds the action now."""
    action, ref = facts.action, facts.ref
    if not facts.in_active_project:
        raise RuleBroken(
            f"The project of {ref} is {facts.project_state}. Pick an action of an active project.",
            code="project_not_active",
        )
    if not claimant.participant:
        raise NotParticipant(
            f"You are not a participant of {ref}'s spec. Ask a member who can edit the spec to add you."
        )
    if action.state == ActionState.IN_REVIEW:
        raise RuleBroken(
            f"{ref} is in review. If you submitted it and the review requests changes, get_action_brief has them: make "
            "them, then resubmit_for_review. Otherwise pick another action.",
            code="not_claimable",
        )
    if action.state not in (ActionState.TODO, ActionState.IN_PROGRESS):
        raise RuleBroken(
            f"{ref} is {BUILDING_WORDS.get(action.state, action.state)} and cannot be claimed. "
            "list_available_specs shows what can.",
            code="not_claimable",
        )
    if not claimant.published:
        raise RuleBroken(
            f"{ref} is not part of a published build, so it cannot be claimed yet. "
            "A person publishes the plan; list_available_specs shows what can be claimed now.",
            code="not_published",
        )
    if claimant.prerequisites:
        waiting = ", ".join(f"{first.ref} ({_state_label(first.state)})" for first in claimant.prerequisites[:5])
        raise RuleBroken(
            f"{ref} waits for: {waiting}. Claim one of those, or another action.",
            code="prerequisites_open",
            waitingOn=[first.ref for first in claimant.prerequisites],
        )


def _state_label(state: ActionState) -> str:
    return BUILDING_WORDS.get(state, state)


def check_not_held_by_other(facts: ActionFacts, user_id: str, now: int) -> None:
    """Someone else's live claim stands in the way; an expired one does not, nor does the caller's own."""
    claim = facts.claim
    if claim is not None and has_live_lease(claim, now) and not is_held_by(claim, user_id):
        raise AlreadyClaimed(
            f"{facts.ref} is held by {facts.holder}. Pick another action from list_available_specs; "
            "do not try this one again until it is released.",
            claimedBy=claim.user_id,
            holder=facts.holder,
        )


def check_claim_limit(live_claim_count: int, limits: Limits) -> None:
    if live_claim_count >= limits.live_claims_per_user:
        raise RuleBroken(
            f"You hold {live_claim_count} actions, and {limits.live_claims_per_user} is the limit. "
            "Submit or release one first.",
            code="claim_limit",
            limit=limits.live_claims_per_user,
        )


def require_writable_claim(
    facts: ActionFacts,
    user_id: str,
    claim_id: str | None,
    user_held_before: bool,
    late_report_event: Event | None,
    *,
    allow_after_review: bool = False,
) -> Claim:
    """The caller's claim, live or expired, if it may write; else the refusal that fits.

    `late_report_event` records what a former holder sent. With `allow_after_review` the submitter may go on
    reporting once changes were requested, although the claim has ended.
    """
    claim = facts.claim
    may_write = is_held_even_if_expired(claim) or (allow_after_review and has_changes_requested(facts.action))
    if may_write and claim is not None and claim.user_id == user_id and claim_id in (None, claim.id):
        return claim
    raise _not_held_refusal(facts, user_id, claim_id, user_held_before, late_report_event)


def require_resubmittable_claim(
    facts: ActionFacts, user_id: str, claim_id: str | None, late_report_event: Event
) -> Claim:
    claim = facts.claim
    if facts.action.state != ActionState.IN_REVIEW or claim is None:
        raise RuleBroken(
            f"{facts.ref} is not in review. Use submit_for_review to submit it the first time.", code="not_in_review"
        )
    if claim.user_id != user_id:
        raise HeldByAnother(
            f"{facts.ref} was submitted by {facts.holder}; only they may resubmit it.", holder=facts.holder
        )
    if claim_id not in (None, claim.id):
        raise _not_held_refusal(facts, user_id, claim_id, True, late_report_event)
    return claim


def check_may_relay_answer(facts: ActionFacts, relayed_by: str, now: int) -> None:
    """While somebody works on the action, only they relay answers to it."""
    claim = facts.claim
    if has_live_lease(claim, now) and not is_held_by(claim, relayed_by):
        raise HeldByAnother(
            f"{facts.ref} is held by {facts.holder}; only they relay answers to it. "
            "A person may answer it in the web app.",
            holder=facts.holder,
        )


def _not_held_refusal(
    facts: ActionFacts, user_id: str, claim_id: str | None, user_held_before: bool, late_report_event: Event | None
) -> Refusal:
    claim, ref, taken = facts.claim, facts.ref, is_held_even_if_expired(facts.claim)
    mine_ended = claim is not None and claim.user_id == user_id and claim_id in (None, claim.id)
    if facts.action.state == ActionState.IN_REVIEW and mine_ended:
        return RuleBroken(
            f"{ref} is in review and locked. Use resubmit_for_review when the review requests changes.",
            code="in_review",
        )
    if user_held_before and (taken or claim_id is not None):
        holder = f"It is held by {facts.holder} now." if taken else "Nobody holds it now."
        return ClaimLost(
            f"Your claim on {ref} has ended. {holder} What you sent is saved on the timeline as a late report. "
            "Stop working on it; pick another action, or claim this one again once it is free.",
            late=late_report_event,
            holder=facts.holder if taken else None,
            claimedBy=claim.user_id if claim is not None and taken else None,
            fence=facts.action.fence,
        )
    if taken:
        return HeldByAnother(
            f"{ref} is held by {facts.holder}, so you cannot write to it. Claim another action.",
            holder=facts.holder,
        )
    return RuleBroken(
        f"You do not hold {ref}. Claim it first with claim_action, then do this again.", code="not_claimed"
    )
