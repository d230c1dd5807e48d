"""What a caller hears who may not have an action, or write to it, because of who holds it.

Each says who has it, and what to do next: what to claim instead is looked for only where it is said.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from pendesk.domain.action import ActionState
from pendesk.domain.agent_session import Relation, is_silent
from pendesk.domain.claim import (
    ActionFacts,
    Claim,
    HeldClaim,
    has_live_lease,
    is_held_even_if_expired,
    is_writable_by_caller,
    stands_in_the_way,
)
from pendesk.domain.claim_advice import claim_first_advice, claim_instead_advice, resume_or_claim_instead_advice
from pendesk.domain.errors import (
    Advice,
    AlreadyClaimed,
    ClaimLost,
    HeldByAnother,
    HeldByYourOtherSession,
    NotReady,
    Refusal,
    RuleBroken,
)
from pendesk.domain.event import Event
from pendesk.domain.iso_time import to_iso
from pendesk.domain.limits import HOUR_US, MINUTE_US, Limits

FindFree = Callable[[], list[str]]
FindHeld = Callable[[], list[HeldClaim]]


class Alternatives(NamedTuple):
    """What a caller could do instead, looked up only for a refusal that says so.

    `find_free` finds refs to claim, `find_claim_refusal` what claim_action would say, None where it would accept.
    """

    find_free: FindFree
    find_claim_refusal: Callable[[], Refusal | None]


CLAIM_FIRST = "To work on it, claim it with claim_action first."
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
    own = next((claim.ref for claim in held if claim.is_callers), None)
    if own is None:
        advice = (Advice("This session holds none of them, so tell your user: they are not yours to release."),)
    else:
        advice = (Advice(f"Submit {own}, or release it with release_action.", ("release_action",)),)
    return RuleBroken(
        f"You hold {len(held)} actions, and {limits.live_claims_per_user} is the limit for all your agents together: "
        f"{listed}.",
        code="claim_limit",
        advice=advice,
        limit=limits.live_claims_per_user,
        held=[{"ref": claim.ref, "holder": claim.holder} for claim in held],
    )


def _held_by_other_refusal(facts: ActionFacts, claim: Claim, now: int, limits: Limits, free: list[str]) -> Refusal:
    if facts.relation == Relation.OTHER_USER:
        return AlreadyClaimed(
            f"{facts.ref} is held by {facts.holder_label}, {_since_text(facts, claim, now)}.",
            advice=claim_instead_advice(free, then=" Do not try this one again until it is released."),
            claimedBy=claim.user_id,
            holder=facts.holder_label,
            instead=free,
            **_holder_details(facts, claim),
        )
    if facts.relation == Relation.SAME:
        return _held_by_thread_refusal(facts, claim, free)
    if facts.relation == Relation.UNKNOWN:
        text = (
            f"{facts.ref} was claimed {duration_words(now - claim.taken_at)} ago by you or another terminal of yours."
        )
        return _other_session_refusal(facts, claim, text, now, limits, free)
    return _other_session_refusal(facts, claim, _other_session_text(facts, claim, now), now, limits, free)


def not_held_refusal(
    facts: ActionFacts,
    claim_id: str | None,
    held_before: bool,
    late_report_event: Event | None,
    now: int,
    alternatives: Alternatives,
) -> Refusal:
    """Writing about what the caller does not hold. What a former holder sent is saved, whatever they are told."""
    refusal = _not_held_refusal(facts, claim_id, held_before, now, alternatives)
    if held_before:
        refusal.save_late_report(late_report_event)
    return refusal


def _not_held_refusal(
    facts: ActionFacts, claim_id: str | None, held_before: bool, now: int, alternatives: Alternatives
) -> Refusal:
    claim, ref, taken = facts.claim, facts.ref, is_held_even_if_expired(facts.claim)
    if facts.action.state == ActionState.CHANGES_REQUESTED and facts.relation == Relation.OTHER_USER:
        return changes_requested_of_other_refusal(facts, alternatives.find_free)
    mine_ended = claim is not None and facts.relation != Relation.OTHER_USER and claim_id in (None, claim.id)
    if facts.action.state == ActionState.IN_REVIEW and mine_ended:
        return RuleBroken(
            f"{ref} is in-review and locked.",
            code="in_review",
            advice=(Advice("To change what was submitted, use resubmit_for_review.", ("resubmit_for_review",)),),
        )
    if held_before and (taken or claim_id is not None):
        return _claim_lost_refusal(facts, taken, alternatives.find_claim_refusal())
    expired = "Its lease has expired: claim it first with claim_action."
    if taken and claim is not None and facts.relation == Relation.OTHER_SESSION:
        text = f"{_other_session_text(facts, claim, now)} What you sent was not recorded."
        if has_live_lease(claim, now):
            return HeldByYourOtherSession(
                text, advice=claim_instead_advice(alternatives.find_free()), **_other_session_details(facts, claim)
            )
        advice = claim_first_advice(alternatives.find_claim_refusal(), expired)
        return HeldByYourOtherSession(text, advice=advice, **_other_session_details(facts, claim))
    if taken:
        return HeldByAnother(
            f"{ref} is held by {facts.holder_label}, so you cannot write to it.",
            advice=claim_first_advice(alternatives.find_claim_refusal(), expired),
            holder=facts.holder_label,
        )
    refusal = alternatives.find_claim_refusal()
    advice = claim_first_advice(refusal, CLAIM_FIRST)
    return RuleBroken(f"You do not hold {ref}.{_why_not_claimable(refusal)}", code="not_claimed", advice=advice)


def _why_not_claimable(claim_refusal: Refusal | None) -> str:
    return f" {claim_refusal.statement}" if claim_refusal is not None else ""


def _claim_lost_refusal(facts: ActionFacts, taken: bool, claim_refusal: Refusal | None) -> Refusal:
    if taken and facts.relation == Relation.SAME:
        return _earlier_claim_refusal(facts)
    holder = f"it is held by {facts.holder_label} now, so stop working on it" if taken else "nobody holds it now"
    closed = "" if taken else _why_not_claimable(claim_refusal)
    return ClaimLost(
        f"Your claim on {facts.ref} has ended: {holder}.{closed}",
        advice=claim_first_advice(claim_refusal, "To go on with it, claim it again with claim_action."),
        holder=facts.holder_label if taken else None,
        claimedBy=facts.claim.user_id if facts.claim is not None and taken else None,
        fence=facts.action.fence,
    )


def _earlier_claim_refusal(facts: ActionFacts) -> Refusal:
    """The caller's own session named a claim that it had before the one it has now."""
    return ClaimLost(
        f"You hold {facts.ref}, but by a newer claim than the one you named.",
        advice=(
            Advice(
                "Send it again with the claim.id of your last claim_action, or without claim_id.", ("claim_action",)
            ),
        ),
        holder=facts.holder_label,
        fence=facts.action.fence,
    )


def not_ready_refusal(facts: ActionFacts) -> Refusal:
    """For a caller who sees it by the planning tools: to others it is not there."""
    return NotReady(
        f"{facts.ref} is in {facts.action.state}, which the building tools do not see.",
        advice=(
            Advice("When it is ready to be built, set it to todo with update_task.", ("update_task",)),
            Advice("A person moves it to To do when it is ready to be built."),
        ),
    )


def require_resubmittable_claim(
    facts: ActionFacts,
    claim_id: str | None,
    held_before: bool,
    late_report_event: Event,
    now: int,
    alternatives: Alternatives,
) -> Claim:
    claim = facts.claim
    if facts.action.state != ActionState.IN_REVIEW or claim is None:
        refusal = _not_in_review_refusal(facts, claim_id, alternatives)
    elif facts.relation == Relation.OTHER_USER:
        refusal = HeldByAnother(
            f"{facts.ref} was submitted by {facts.holder_label}; only they may resubmit it.",
            advice=claim_instead_advice(alternatives.find_free()),
            holder=facts.holder_label,
        )
    elif claim_id not in (None, claim.id):
        raise not_held_refusal(facts, claim_id, True, late_report_event, now, alternatives)
    else:
        return claim
    if held_before and not is_writable_by_caller(facts, claim_id):
        refusal.save_late_report(late_report_event)
    raise refusal


def _not_in_review_refusal(facts: ActionFacts, claim_id: str | None, alternatives: Alternatives) -> Refusal:
    if is_writable_by_caller(facts, claim_id):
        return RuleBroken(
            f"{facts.ref} is not in-review.",
            code="not_in_review",
            advice=(Advice("Submit it the first time with submit_for_review.", ("submit_for_review",)),),
        )
    if facts.action.state == ActionState.DONE:
        return RuleBroken(
            f"{facts.ref} is complete: a person has approved it, and nothing is left to submit.",
            code="not_in_review",
            advice=claim_instead_advice(alternatives.find_free()),
        )
    refusal = alternatives.find_claim_refusal()
    return RuleBroken(
        f"{facts.ref} is not in-review.{_why_not_claimable(refusal)}",
        code="not_in_review",
        advice=claim_first_advice(refusal, CLAIM_FIRST),
    )


def changes_requested_of_other_refusal(facts: ActionFacts, find_free: FindFree) -> Refusal:
    return HeldByAnother(
        f"A reviewer requested changes of {facts.ref}, which {facts.holder_label} submitted; they work on it unless a "
        "person hands it to another agent.",
        advice=claim_instead_advice(find_free()),
        holder=facts.holder_label,
    )


def check_not_rework(facts: ActionFacts) -> None:
    if facts.action.state == ActionState.CHANGES_REQUESTED:
        raise RuleBroken(
            f"{facts.ref} was submitted before, and a reviewer requested changes.",
            code="changes_requested",
            advice=(Advice("Use resubmit_for_review.", ("resubmit_for_review",)),),
        )


def _held_by_thread_refusal(facts: ActionFacts, claim: Claim, free_refs: list[str]) -> Refusal:
    holder = f"your sub-agent {claim.thread_id[-8:]}" if claim.thread_id else "the agent that you work for"
    return HeldByYourOtherSession(
        f"{facts.ref} is held by {holder}, in this same session. Leave it to that one.",
        advice=claim_instead_advice(free_refs),
        holder=facts.holder_label,
        thread=claim.thread_id,
        instead=free_refs,
    )


def _other_session_text(facts: ActionFacts, claim: Claim, now: int) -> str:
    if facts.holder_session is None:
        return f"{facts.ref} is held by {facts.holder} in person, {_since_text(facts, claim, now)}."
    return f"{facts.ref} is held by {facts.holder_label}, another session of yours, {_since_text(facts, claim, now)}."


def _other_session_refusal(
    facts: ActionFacts, claim: Claim, text: str, now: int, limits: Limits, free_refs: list[str]
) -> Refusal:
    """Only claiming can take over, so only a claim is told so."""
    session = facts.holder_session
    silent = session is not None and is_silent(session, facts.last_sign_at, now, limits.take_over_after_us)
    instead = claim_instead_advice(free_refs, then=TAKE_OVER if silent else "")
    return HeldByYourOtherSession(
        text,
        advice=resume_or_claim_instead_advice(instead) if facts.relation == Relation.UNKNOWN else instead,
        instead=free_refs,
        **_other_session_details(facts, claim),
    )


def _other_session_details(facts: ActionFacts, claim: Claim) -> dict[str, Any]:
    return {"holder": facts.holder_label, **_holder_details(facts, claim)}


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
