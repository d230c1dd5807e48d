"""What every building operation does first: find the action, see who holds it, keep the lease alive."""

import contextlib

from pendesk.domain.access import Scope
from pendesk.domain.claim import (
    Claim,
    Holding,
    check_cap,
    check_held,
    check_slots,
    is_live,
    renewal_due,
    renewed,
)
from pendesk.domain.errors import NotFound, RuleBroken
from pendesk.domain.event import Event, EventKind
from pendesk.operations.operation import Call
from pendesk.store import actions, claims, people, specs
from pendesk.store.actions import ActionFacts

HIDDEN_STATES = ("backlog", "scope")


def find_action(call: Call, ident: str) -> ActionFacts:
    """The action as the building tools see it, locked until the commit."""
    action_id = actions.resolve(call.tx, ident)
    if action_id is not None:
        actions.lock(call.tx, action_id)
        facts = actions.facts(call.tx, action_id)
        if facts is not None and facts.action.state not in HIDDEN_STATES:
            return facts
    raise NotFound("action", ident)


def sees_spec(call: Call, spec_id: str | None) -> bool:
    """A builder sees the specs they take part in; whoever may read the whole workspace sees every one."""
    return (
        spec_id is None
        or Scope.DESK_READ in call.actor.scopes
        or specs.is_participant(call.tx, spec_id, call.actor.user_id)
    )


def find_as_holder(call: Call, ident: str) -> ActionFacts:
    """The same where a lease may be taken or taken up again: that counts the caller's claims, so their member row is
    locked too, and first, as everywhere.
    """
    people.lock_member(call.tx, call.actor.user_id)
    return find_action(call, ident)


def hold(
    call: Call,
    ident: str,
    claim_id: str | None,
    late: tuple[EventKind, dict[str, object]] | None = None,
    after_review: bool = False,
) -> ActionFacts:
    """The action with the caller's claim on it, or the refusal that fits.

    `late` is what to keep if a former holder sent it. With `after_review` the submitter of work that was sent back
    may go on reporting, although the claim has ended.
    """
    return held(call, find_as_holder(call, ident), claim_id, late, after_review)


def held(
    call: Call,
    facts: ActionFacts,
    claim_id: str | None,
    late: tuple[EventKind, dict[str, object]] | None = None,
    after_review: bool = False,
) -> ActionFacts:
    """The same for an action that was found as its holder."""
    action, claim = facts.action, facts.claim
    sent_back = action.state == "in_review" and action.state_reason == "changes_requested"
    mine = claim if claim is not None and claim.user_id == call.actor.user_id else None
    if after_review and sent_back and mine is not None and claim_id in (None, mine.id):
        return facts
    held_before = mine is not None or claims.held_before(call.tx, action.id, call.actor.user_id)
    holding = Holding(action, facts.ref, claim, facts.holder, call.actor.user_id, held_before)
    kept = check_held(holding, claim_id, late_event(facts, late))
    return facts._replace(claim=revive(call, facts, kept))


def revive(call: Call, facts: ActionFacts, claim: Claim) -> Claim:
    """An expired lease is taken up again by its holder, where a slot is free and the cap is not reached.

    The action was found as its holder: the member row is locked.
    """
    if is_live(claim, call.now):
        return claim
    check_cap(claim, facts.ref, call.now, call.limits)
    check_slots(claims.live_of_user(call.tx, call.actor.user_id), call.limits)
    again = renewed(claim, call.now, call.limits)
    claims.save_renewal(call.tx, again)
    call.record(about(facts, "action.resumed", {"fence": claim.fence}), claim.agent_model)
    return again


def keep_alive(call: Call, facts: ActionFacts, claim: Claim) -> Claim:
    """Any call of the holder about the action renews the claim; an expired one only where it may be taken up again."""
    if claim.state != "active":
        return claim
    if not is_live(claim, call.now):
        with contextlib.suppress(RuleBroken):
            return revive(call, facts, claim)
        return claim
    if not renewal_due(claim, call.now, call.limits):
        return claim
    again = renewed(claim, call.now, call.limits)
    claims.save_renewal(call.tx, again)
    return again


def about(facts: ActionFacts, kind: EventKind, data: dict[str, object], object_id: str | None = None) -> Event:
    action = facts.action
    return Event(kind, object_id or action.id, action.project_id, action.spec_id, action.id, data)


def late_event(facts: ActionFacts, late: tuple[EventKind, dict[str, object]] | None) -> Event | None:
    if late is None:
        return None
    kind, data = late
    return about(facts, "report.late", {"report": kind, **data})
