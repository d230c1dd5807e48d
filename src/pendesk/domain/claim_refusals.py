"""What a caller hears who may not have an action, or write to it, because of who holds it.

Each says who has it, and what to do next: what to claim instead is looked for only where it is said.
"""

from collections.abc import Callable
from typing import Any

from pendesk.domain.action import ActionState
from pendesk.domain.agent_session import Relation, is_silent
from pendesk.domain.claim import (
    ActionFacts,
    Claim,
    HeldClaim,
    has_live_lease,
    is_held_even_if_expired,
    stands_in_the_way,
)
from pendesk.domain.errors import (
    AlreadyClaimed,
    ClaimLost,
    HeldByAnother,
    HeldByYourOtherSession,
    Refusal,
    RuleBroken,
)
from pendesk.domain.event import Event
from pendesk.domain.iso_time import to_iso
from pendesk.domain.limits import HOUR_US, MINUTE_US, Limits

FindFree = Callable[[], list[str]]
FindHeld = Callable[[], list[HeldClaim]]

EXPIRED = "Its lease has expired: claim it first with claim_action."
TAKE_OVER = (
    " Only if your user says that session is gone, claim it with take_over: true; it then starts with what was left."
)


def duration_words(microseconds: int) -> str:
    if microseconds < MINUTE_US:
        return "less than a minute"
    if microseconds < 2 * HOUR_US:
        return f"{microseconds // MINUTE_US} min"
    return f"{microseconds // HOUR_US} h"


def check_not_held_by_other(facts: ActionFacts, take_over: bool, now: int, limits: Limits, find_free: FindFree) -> None:
    if facts.claim is not None and stands_in_the_way(facts, take_over, now):
        raise _held_by_other_refusal(facts, facts.claim, now, limits, find_free())


def check_claim_limit(live_claims: int, limits: Limits, find_held: FindHeld) -> None:
    if live_claims >= limits.live_claims_per_user:
        raise _claim_limit_refusal(find_held(), limits)


def _claim_limit_refusal(held: list[HeldClaim], limits: Limits) -> Refusal:
    listed = ", ".join(f"{claim.ref} ({claim.holder})" for claim in held)
    return RuleBroken(
        f"You hold {len(held)} actions, and {limits.live_claims_per_user} is the limit for all your agents together: "
        f"{listed}. Submit or release one that this session holds. If it holds none, tell your user: the others are "
        "not yours to release.",
        code="claim_limit",
        limit=limits.live_claims_per_user,
        held=[claim._asdict() for claim in held],
    )


def claim_instead_text(free_refs: list[str]) -> str:
    if not free_refs:
        return "Nothing else in its spec is free now; list_available_specs shows all there is."
    return f"Claim {' or '.join(free_refs)} instead."


def _held_by_other_refusal(facts: ActionFacts, claim: Claim, now: int, limits: Limits, free: list[str]) -> Refusal:
    if facts.relation == Relation.OTHER_USER:
        return AlreadyClaimed(
            f"{facts.ref} is held by {facts.holder_label}, {_since_text(facts, claim, now)}. "
            f"{claim_instead_text(free)} Do not try this one again until it is released.",
            claimedBy=claim.user_id,
            holder=facts.holder_label,
            instead=free,
            **_holder_details(facts, claim),
        )
    if facts.relation == Relation.SAME:
        return _held_by_thread_refusal(facts, claim, free)
    instead = claim_instead_text(free)
    if facts.relation == Relation.UNKNOWN:
        text = (
            f"{facts.ref} was claimed {duration_words(now - claim.taken_at)} ago by you or another terminal of yours. "
            f"If it was this conversation, go on with get_action_brief. If not, {instead[0].lower()}{instead[1:]}"
        )
        return _other_session_refusal(facts, claim, text, now, limits, free)
    text = f"{_other_session_text(facts, claim, now)} {instead}"
    return _other_session_refusal(facts, claim, text, now, limits, free)


def not_held_refusal(
    facts: ActionFacts,
    claim_id: str | None,
    held_before: bool,
    late_report_event: Event | None,
    now: int,
    limits: Limits,
) -> Refusal:
    """Writing about what the caller does not hold."""
    claim, ref, taken = facts.claim, facts.ref, is_held_even_if_expired(facts.claim)
    if facts.action.state == ActionState.CHANGES_REQUESTED and facts.relation == Relation.OTHER_USER:
        return changes_requested_of_other_refusal(facts)
    mine_ended = claim is not None and facts.relation != Relation.OTHER_USER and claim_id in (None, claim.id)
    if facts.action.state == ActionState.IN_REVIEW and mine_ended:
        return RuleBroken(
            f"{ref} is in review and locked. To change what was submitted, use resubmit_for_review.",
            code="in_review",
        )
    if held_before and (taken or claim_id is not None):
        holder = f"It is held by {facts.holder_label} now." if taken else "Nobody holds it now."
        saved = "" if late_report_event is None else " What you sent is saved on the timeline as a late report."
        return ClaimLost(
            f"Your claim on {ref} has ended. {holder}{saved} "
            "Stop working on it; pick another action, or claim this one again once it is free.",
            late=late_report_event,
            holder=facts.holder_label if taken else None,
            claimedBy=claim.user_id if claim is not None and taken else None,
            fence=facts.action.fence,
        )
    if taken and claim is not None and facts.relation == Relation.OTHER_SESSION:
        advice = "Claim another action." if has_live_lease(claim, now) else EXPIRED
        text = f"{_other_session_text(facts, claim, now)} What you sent was not recorded. {advice}"
        return _other_session_refusal(facts, claim, text, now, limits, None)
    if taken:
        return HeldByAnother(
            f"{ref} is held by {facts.holder_label}, so you cannot write to it. Claim another action.",
            holder=facts.holder_label,
        )
    return RuleBroken(f"You do not hold {ref}. To work on it, claim it with claim_action first.", code="not_claimed")


def require_resubmittable_claim(
    facts: ActionFacts, claim_id: str | None, late_report_event: Event, now: int, limits: Limits
) -> Claim:
    claim = facts.claim
    if facts.action.state != ActionState.IN_REVIEW or claim is None:
        raise RuleBroken(
            f"{facts.ref} is not in review. Use submit_for_review to submit it the first time.", code="not_in_review"
        )
    if facts.relation == Relation.OTHER_USER:
        raise HeldByAnother(
            f"{facts.ref} was submitted by {facts.holder_label}; only they may resubmit it.", holder=facts.holder_label
        )
    if claim_id not in (None, claim.id):
        raise not_held_refusal(facts, claim_id, True, late_report_event, now, limits)
    return claim


def changes_requested_of_other_refusal(facts: ActionFacts) -> Refusal:
    return HeldByAnother(
        f"A reviewer requested changes of {facts.ref}, which {facts.holder_label} submitted; they work on it. A person "
        "may hand it to another agent. Claim another action.",
        holder=facts.holder_label,
    )


def check_not_rework(facts: ActionFacts) -> None:
    if facts.action.state == ActionState.CHANGES_REQUESTED:
        raise RuleBroken(
            f"{facts.ref} was submitted before, and a reviewer requested changes. Use resubmit_for_review.",
            code="changes_requested",
        )


def _held_by_thread_refusal(facts: ActionFacts, claim: Claim, free_refs: list[str]) -> Refusal:
    holder = f"your sub-agent {claim.thread_id[-8:]}" if claim.thread_id else "the agent that you work for"
    return HeldByYourOtherSession(
        f"{facts.ref} is held by {holder}, in this same session. Leave it to that one. {claim_instead_text(free_refs)}",
        holder=facts.holder_label,
        thread=claim.thread_id,
        instead=free_refs,
    )


def _other_session_text(facts: ActionFacts, claim: Claim, now: int) -> str:
    if facts.holder_session is None:
        return f"{facts.ref} is held by {facts.holder} in person, {_since_text(facts, claim, now)}."
    return f"{facts.ref} is held by {facts.holder_label}, another session of yours, {_since_text(facts, claim, now)}."


def _other_session_refusal(
    facts: ActionFacts, claim: Claim, text: str, now: int, limits: Limits, free_refs: list[str] | None
) -> Refusal:
    session = facts.holder_session
    silent = session is not None and is_silent(session, facts.last_sign_at, now, limits.take_over_after_us)
    # Only claiming can take over, and only then is it said: no advice that does not fit the call.
    hint = TAKE_OVER if silent and free_refs is not None else ""
    details: dict[str, Any] = _holder_details(facts, claim)
    if free_refs is not None:
        details["instead"] = free_refs
    return HeldByYourOtherSession(text + hint, holder=facts.holder_label, **details)


def _since_text(facts: ActionFacts, claim: Claim, now: int) -> str:
    return (
        f"claimed {duration_words(now - claim.taken_at)} ago, "
        f"last sign of life {duration_words(max(now - facts.last_sign_at, 0))} ago"
    )


def _holder_details(facts: ActionFacts, claim: Claim) -> dict[str, Any]:
    session = facts.holder_session
    return {
        "agent": session.label if session else None,
        "model": claim.agent_model or (session.model if session else None),
        "since": to_iso(claim.taken_at),
        "lastSign": to_iso(facts.last_sign_at),
    }
