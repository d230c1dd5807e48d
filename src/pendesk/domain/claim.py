"""A claim is a lease on an action. Everything that decides who may work on what is here.

The holder is a user. A claim is live until it expires; once expired its holder may take it up again as long as
nobody else took the action. Each claim has a fence, larger than every earlier one of the action.
"""

from typing import Literal, NamedTuple

from pendesk.domain.action import BUILDING_WORDS, Action
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

ClaimState = Literal["active", "submitted", "released", "lost", "dropped", "done"]
Pulse = Literal["live", "quiet", "expired"]


class Claim(NamedTuple):
    id: str
    action_id: str
    user_id: str
    token_id: str | None
    agent_model: str | None
    fence: int
    build_id: str | None
    state: str
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
    state: str


def pulse(claim: Claim, now: int) -> Pulse:
    return pulse_at(claim.renewed_at, claim.expires_at, now)


def pulse_at(renewed_at: int, expires_at: int, now: int) -> Pulse:
    if now >= expires_at:
        return "expired"
    return "quiet" if 2 * (now - renewed_at) >= expires_at - renewed_at else "live"


def is_live(claim: Claim | None, now: int) -> bool:
    return claim is not None and claim.state == "active" and now < claim.expires_at


def expiry(taken_at: int, now: int, limits: Limits) -> int:
    """A lease runs from the last sign of life, but never past the cap counted from when it was taken."""
    return min(now + limits.lease_us, taken_at + limits.lease_cap_us)


def renewal_due(claim: Claim, now: int, limits: Limits) -> bool:
    return now - claim.renewed_at >= limits.lease_us // RENEWAL_GRAIN


def renewed(claim: Claim, now: int, limits: Limits) -> Claim:
    return claim._replace(renewed_at=now, expires_at=expiry(claim.taken_at, now, limits))


def is_capped(claim: Claim, now: int, limits: Limits) -> bool:
    """No lease lives longer than the cap, however often it is renewed."""
    return now >= claim.taken_at + limits.lease_cap_us


def check_cap(claim: Claim, ref: str, now: int, limits: Limits) -> None:
    if is_capped(claim, now, limits):
        raise RuleBroken(
            f"Your claim on {ref} has reached its longest life. Claim the action again with claim_action.",
            code="claim_expired",
        )


def check_claimable(
    action: Action,
    ref: str,
    project_state: str,
    published: bool,
    participant: bool,
    prerequisites: list[Prerequisite],
) -> None:
    """The rules of claiming that do not depend on who holds the action now."""
    if project_state != "active":
        raise RuleBroken(
            f"The project of {ref} is {project_state}. Pick an action of an active project.",
            code="project_not_active",
        )
    if not participant:
        raise NotParticipant(
            f"You are not a participant of {ref}'s spec. Ask a member who can edit the spec to add you."
        )
    if action.state == "in_review":
        raise RuleBroken(
            f"{ref} is in review. If you submitted it and changes are asked for, get_action_brief has them: make them, "
            "then resubmit_for_review. Otherwise pick another action.",
            code="not_claimable",
        )
    if action.state != "todo" and action.state != "in_progress":
        raise RuleBroken(
            f"{ref} is {BUILDING_WORDS.get(action.state, action.state)} and cannot be claimed. "
            "list_available_specs shows what can.",
            code="not_claimable",
        )
    if not published:
        raise RuleBroken(
            f"{ref} is not part of a published build, so it cannot be claimed yet. "
            "A person publishes the plan; list_available_specs shows what can be claimed now.",
            code="not_published",
        )
    if prerequisites:
        waiting = ", ".join(f"{each.ref} ({BUILDING_WORDS.get(each.state, each.state)})" for each in prerequisites[:5])
        raise RuleBroken(
            f"{ref} waits for: {waiting}. Claim one of those, or another action.",
            code="prerequisites_open",
            waitingOn=[each.ref for each in prerequisites],
        )


def check_free(claim: Claim | None, ref: str, holder: str, now: int) -> None:
    """Someone else's live claim stands in the way; an expired one does not."""
    if claim is not None and is_live(claim, now):
        raise AlreadyClaimed(
            f"{ref} is held by {holder}. Pick another action from list_available_specs; "
            "do not try this one again until it is released.",
            claimedBy=claim.user_id,
            holder=holder,
        )


def check_slots(live_claims: int, limits: Limits) -> None:
    if live_claims >= limits.live_claims_per_user:
        raise RuleBroken(
            f"You hold {live_claims} actions, and {limits.live_claims_per_user} is the limit. "
            "Submit or release one first.",
            code="claim_limit",
            limit=limits.live_claims_per_user,
        )


class Holding(NamedTuple):
    """How a caller stands to an action at the moment of a write."""

    action: Action
    ref: str
    claim: Claim | None
    holder: str
    caller_id: str
    held_before: bool


def check_held(holding: Holding, claim_id: str | None, late: Event | None) -> Claim:
    """The caller's claim, live or expired, if it may write; else the refusal that fits.

    `late` is what a former holder sent.
    """
    claim = holding.claim
    current = claim is not None and claim.state == "active"
    if claim is not None and current and claim.user_id == holding.caller_id and claim_id in (None, claim.id):
        return claim
    raise _why_not_held(holding, claim_id, late)


def check_same(holding: Holding, claim_id: str | None, late: Event | None) -> None:
    """A caller who names a claim must name the one that counts, also where it has ended by submitting."""
    if holding.claim is not None and claim_id not in (None, holding.claim.id):
        raise _why_not_held(holding, claim_id, late)


def _why_not_held(holding: Holding, claim_id: str | None, late: Event | None) -> Refusal:
    claim, ref = holding.claim, holding.ref
    taken = claim is not None and claim.state == "active"
    mine_ended = claim is not None and claim.user_id == holding.caller_id and claim_id in (None, claim.id)
    if holding.action.state == "in_review" and mine_ended:
        return RuleBroken(
            f"{ref} is in review and locked. Use resubmit_for_review when the review asks for changes.",
            code="in_review",
        )
    if holding.held_before and (taken or claim_id is not None):
        now_held = f"It is held by {holding.holder} now." if taken else "Nobody holds it now."
        return ClaimLost(
            f"Your claim on {ref} has ended. {now_held} What you sent is kept on the timeline as a late report. "
            "Stop working on it; pick another action, or claim this one again once it is free.",
            late=late,
            holder=holding.holder if taken else None,
            claimedBy=claim.user_id if claim is not None and taken else None,
            fence=holding.action.fence,
        )
    if taken:
        return HeldByAnother(
            f"{ref} is held by {holding.holder}, so you cannot write to it. Claim another action.",
            holder=holding.holder,
        )
    return RuleBroken(
        f"You do not hold {ref}. Claim it first with claim_action, then do this again.", code="not_claimed"
    )
