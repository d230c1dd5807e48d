"""A claim is a lease on an action. Everything that decides who may work on what is here.

The holder is an agent session of a user, or a person. A claim is live until it expires; once expired its holder may
resume it as long as nobody else took the action. Each claim has a fence, larger than every earlier one of the action.
What changes a claim is in claim_transitions.py; what is said to whoever may not have it, in claim_refusals.py.
"""

from collections.abc import Callable
from enum import StrEnum
from typing import Literal, NamedTuple

from pendesk.domain.action import Action, ActionState, ref_code
from pendesk.domain.agent_session import AgentSession, CallOrigin, Relation
from pendesk.domain.availability import Wait
from pendesk.domain.errors import Advice, HeldByAnother, RuleBroken
from pendesk.domain.iso_time import to_iso
from pendesk.domain.limits import RENEWAL_GRAIN, Limits


class ClaimState(StrEnum):
    ACTIVE = "active"
    SUBMITTED = "submitted"
    RELEASED = "released"
    LOST = "lost"
    DROPPED = "dropped"
    DONE = "done"


class ClaimKind(StrEnum):
    """How it lives: a building agent's lease is short, is capped and takes a slot. An agent holds a plain task longer,
    and a person without any clock; neither takes a slot.
    """

    LEASE = "lease"
    TASK = "task"
    PERSON = "person"


Pulse = Literal["live", "quiet", "expired"]
# How old the last sign of life of a live claim is, for people who look.
SignAge = Literal["fresh", "aging", "stale"]
# What has no clock expires after everything else: the largest whole number that every JSON reader has.
NO_EXPIRY_US = 2**53 - 1


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
    told_event_id: int
    seen_build_id: str | None
    seen_revision: int | None
    seen_rev: str | None
    last_message: str | None
    last_message_at: int | None
    # The agent session that took it, and in it the sub-agent; null where a person did.
    session_id: str | None
    thread_id: str | None
    tool_use_id: str | None
    kind: ClaimKind = ClaimKind.LEASE


class SessionLease(NamedTuple):
    """What the steps of its session can keep. `last_call_at` is null where `renewed_at` was a call about the action."""

    id: str
    session_id: str
    action_id: str
    taken_at: int
    renewed_at: int
    expires_at: int
    last_call_at: int | None


class ActionFacts(NamedTuple):
    """An action with what decides about it: its project, its spec's current build and its last claim.

    `holder` is the user of that claim, `holder_session` the agent session, and `relation` how the caller is related to
    both. `refuses_overlap`: the project does.
    """

    action: Action
    project_key: str
    project_state: str
    build_id: str | None
    build_number: int | None
    claim: Claim | None
    holder: str
    holder_session: AgentSession | None = None
    relation: Relation | None = None
    refuses_overlap: bool = False

    @property
    def is_callers(self) -> bool:
        """Nothing says that the newest claim, live or ended, is not the caller's own."""
        return self.relation in (Relation.SAME, Relation.UNKNOWN)

    @property
    def holder_label(self) -> str:
        """The agent, with the person behind it where that is somebody else; a person who took it in person."""
        agent = self.holder_session.label if self.holder_session else None
        return holder_label(self.holder, agent, is_callers_user=self.relation != Relation.OTHER_USER)

    @property
    def last_sign_at(self) -> int:
        seen = self.holder_session.last_seen_at if self.holder_session else 0
        return max(seen, self.claim.renewed_at if self.claim else 0)

    @property
    def ref(self) -> str:
        return ref_code(self.project_key, self.action.ref_number)

    @property
    def in_active_project(self) -> bool:
        return self.project_state == "active"


def holder_label(user: str, agent: str | None, *, is_callers_user: bool) -> str:
    if agent is None:
        return user
    return agent if is_callers_user else f"{agent} ({user})"


class HeldClaim(NamedTuple):
    """One of the actions that a user holds, and by which agent; whether that is the session that calls."""

    ref: str
    holder: str
    is_callers: bool = False


class ClaimTaker(NamedTuple):
    """Whose a claim will be. `find_free` finds the refs of what may be claimed instead, for a refusal that says it."""

    user_id: str
    token_id: str | None
    session_id: str | None
    origin: CallOrigin
    agent_model: str | None
    take_over: bool
    find_free: Callable[[], list[str]]
    kind: ClaimKind = ClaimKind.LEASE


class Claimant(NamedTuple):
    """Who wants to claim an action, and what decides whether they may.

    `live_claims` are those of the user, without one that is taken over; `find_held` finds them for a refusal.
    """

    taker: ClaimTaker
    published: bool
    participant: bool
    live_claims: int
    waits: list[Wait]
    find_held: Callable[[], list[HeldClaim]]


def claim_liveness(claim: Claim, now: int) -> Pulse:
    return lease_liveness(claim.renewed_at, claim.expires_at, now)


def lease_liveness(renewed_at: int, expires_at: int, now: int) -> Pulse:
    if now >= expires_at:
        return "expired"
    return "quiet" if 2 * (now - renewed_at) >= expires_at - renewed_at else "live"


def sign_age(renewed_at: int, now: int, limits: Limits) -> SignAge:
    silence = now - renewed_at
    if silence >= limits.working_amber_us:
        return "stale"
    return "aging" if silence >= limits.working_neutral_us else "fresh"


def expiry_iso(expires_at: int) -> str | None:
    """None where there is no clock."""
    return to_iso(expires_at) if expires_at < NO_EXPIRY_US else None


def is_held_even_if_expired(claim: Claim | None) -> bool:
    """Held, whether its lease is live or has expired."""
    return claim is not None and claim.state == ClaimState.ACTIVE


def has_live_lease(claim: Claim | None, now: int) -> bool:
    return claim is not None and claim.state == ClaimState.ACTIVE and now < claim.expires_at


def may_read_brief_as_holder(facts: ActionFacts) -> bool:
    """Also whoever submitted it: what the review says is for them."""
    claim = facts.claim
    return claim is not None and facts.is_callers and claim.state in (ClaimState.ACTIVE, ClaimState.SUBMITTED)


def may_see_as_holder(facts: ActionFacts) -> bool:
    """Every session of the user who has it, or submitted it, sees it, whoever takes part in its spec."""
    claim = facts.claim
    return (
        claim is not None
        and facts.relation != Relation.OTHER_USER
        and claim.state in (ClaimState.ACTIVE, ClaimState.SUBMITTED)
    )


def claim_expiry(kind: ClaimKind, taken_at: int, now: int, limits: Limits) -> int:
    """From the last sign of life; a lease never lives past the cap counted from when it was taken."""
    if kind == ClaimKind.PERSON:
        return NO_EXPIRY_US
    if kind == ClaimKind.TASK:
        return now + limits.task_hold_us
    return min(now + limits.lease_us, taken_at + limits.lease_cap_us)


def expiry_kept_by_steps(lease: SessionLease, now: int, limits: Limits) -> int | None:
    """A step of its session is a sign of life of a live lease, for so long past the last call about the action.

    None where nothing is to be saved: it was renewed a moment ago, or its life cannot be prolonged.
    """
    if now - lease.renewed_at < limits.lease_us // RENEWAL_GRAIN:
        return None
    last_call_at = lease.renewed_at if lease.last_call_at is None else lease.last_call_at
    expires_at = min(claim_expiry(ClaimKind.LEASE, lease.taken_at, now, limits), last_call_at + limits.step_lease_us)
    return expires_at if expires_at > lease.expires_at else None


def expiry_while_paused(lease: SessionLease, limits: Limits) -> int:
    """Its session gives no sign of life because a person paused it."""
    return max(lease.expires_at, lease.taken_at + limits.lease_cap_us)


def is_renewal_due(claim: Claim, now: int, limits: Limits) -> bool:
    return now - claim.renewed_at >= limits.lease_us // RENEWAL_GRAIN


def has_reached_max_duration(claim: Claim, now: int, limits: Limits) -> bool:
    """No lease lives longer than the cap, however often it is renewed."""
    return claim.kind == ClaimKind.LEASE and now >= claim.taken_at + limits.lease_cap_us


def check_below_max_duration(claim: Claim, action_ref: str, now: int, limits: Limits) -> None:
    if has_reached_max_duration(claim, now, limits):
        raise RuleBroken(
            f"Your claim on {action_ref} has reached its longest life.",
            code="claim_expired",
            advice=(Advice("Claim it again with claim_action.", ("claim_action",)),),
        )


def stands_in_the_way(facts: ActionFacts, take_over: bool, now: int) -> bool:
    """A live claim that is not the caller's own; of the same user, it may be taken over."""
    return has_live_lease(facts.claim, now) and (facts.relation == Relation.OTHER_USER or not take_over)


def is_writable_by_caller(facts: ActionFacts, claim_id: str | None, *, any_session: bool = False) -> bool:
    """The caller's claim, live or expired. Who names a claim of their user by its id has it from its session.

    With `any_session` every session of the holder's user may write.
    """
    claim = facts.claim
    held = is_held_even_if_expired(claim) or (any_session and facts.action.state == ActionState.CHANGES_REQUESTED)
    if claim is None or facts.relation == Relation.OTHER_USER or not held:
        return False
    return claim_id == claim.id or (claim_id is None and (any_session or facts.is_callers))


def is_open_rework(facts: ActionFacts, now: int) -> bool:
    """Changes were requested of the caller's user, and none of their sessions works on them now."""
    return (
        facts.action.state == ActionState.CHANGES_REQUESTED
        and facts.claim is not None
        and facts.relation != Relation.OTHER_USER
        and not has_live_lease(facts.claim, now)
    )


def check_may_relay_answer(facts: ActionFacts, now: int) -> None:
    """While a user's agent works on the action, only that user's agents relay answers to it."""
    if has_live_lease(facts.claim, now) and facts.relation == Relation.OTHER_USER:
        raise HeldByAnother(
            f"{facts.ref} is held by {facts.holder_label}; only they relay answers to it. "
            "A person may answer it in the web app.",
            holder=facts.holder_label,
        )
