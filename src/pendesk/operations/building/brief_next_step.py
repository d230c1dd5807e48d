"""What a brief says first: whether the caller holds the action, who does if not, and what to do."""

from pendesk.domain.access import Role, Scope, check_permission
from pendesk.domain.action import CLOSED, ActionState, status_for_agents
from pendesk.domain.availability import Availability, AvailabilityFacts, availability, not_ready_reason
from pendesk.domain.claim import (
    ActionFacts,
    Claimant,
    has_live_lease,
    is_held_even_if_expired,
    may_read_brief_as_holder,
)
from pendesk.domain.claim_refusals import duration_words
from pendesk.domain.errors import Refusal
from pendesk.domain.scope_rules import read_rules
from pendesk.operations.availability import held_by, waits_for
from pendesk.operations.building.brief_results import Brief
from pendesk.operations.building.claim_guard import claim_taker, load_claimant, refusal_of_claim
from pendesk.operations.building.next_work import next_work_text
from pendesk.operations.operation import Call

BUILD = "Build it, report_commit each commit, report_test_result each criterion, then submit_for_review."
ASK = "First the open questions, which block a submission: ask your user, then answer_clarification."
CHECKED = "Braces that end a condition or boundary are checked then: send what {run: ...} gave as commands."
REWORK = "Make the changes of review.items, then resubmit_for_review with a disposition for each."
IN_REVIEW = "A person reviews it: nothing to do until the verdict. resubmit_for_review replaces what you submitted."


def add_availability_and_next_step(call: Call, facts: ActionFacts, brief: Brief) -> None:
    """Once a lease that was due is renewed. What only whoever has no claim needs is loaded only then."""
    claim, claimant = facts.claim, None
    deciding = AvailabilityFacts(
        state=facts.action.state,
        project_active=facts.in_active_project,
        published=True,
        participant=True,
        waits=False,
        relation=facts.relation,
        held=is_held_even_if_expired(claim),
        live=brief.claim is not None or has_live_lease(claim, call.now),
    )
    state = availability(deciding)
    if state == Availability.FREE:
        claimant = load_claimant(call, facts, claim_taker(call, facts, None, False))
        deciding = deciding._replace(
            published=claimant.published, participant=claimant.participant, waits=bool(claimant.waits)
        )
        state = availability(deciding)
    if claimant is not None and state == Availability.BLOCKED:
        brief.waits_for = waits_for(claimant.waits)
    brief.availability = state
    brief.not_ready_reason = not_ready_reason(deciding) if state == Availability.NOT_READY else None
    if claim is not None and state == Availability.HELD:
        brief.held_by = held_by(facts.holder_label, facts.relation, claim.taken_at, facts.last_sign_at)
    brief.next_step = _next_step(call, facts, brief, state, claimant)


def _next_step(call: Call, facts: ActionFacts, brief: Brief, state: Availability, claimant: Claimant | None) -> str:
    if brief.claim is not None:
        return _as_holder(call, facts, brief, is_surely_own=state == Availability.MINE)
    if facts.action.state in CLOSED:
        return f"{facts.ref} is {status_for_agents(facts.action.state)}: nothing is left to do. {next_work_text(call)}"
    if state == Availability.IN_REVIEW and may_read_brief_as_holder(facts):
        return IN_REVIEW
    refusal = _refusal_of_a_claim(call, facts, claimant)
    if refusal is not None:
        return str(refusal)
    if facts.action.state == ActionState.CHANGES_REQUESTED:
        return f"A reviewer requested changes: claim {facts.ref} with claim_action. {REWORK}"
    if state == Availability.MINE:
        return f"Your claim on {facts.ref} has expired: claim it again with claim_action before you change anything."
    return f"Free: claim {facts.ref} with claim_action before you change anything."


def _as_holder(call: Call, facts: ActionFacts, brief: Brief, *, is_surely_own: bool) -> str:
    assert brief.claim is not None
    work = ASK if brief.open_clarifications else BUILD
    if brief.spec is not None and read_rules([*brief.spec.conditions, *brief.spec.boundaries]):
        work = f"{work} {CHECKED}"
    if facts.action.state == ActionState.CHANGES_REQUESTED:
        work = ASK if brief.open_clarifications else REWORK
    until = f" until {brief.claim.expires_at[11:16]} UTC" if brief.claim.expires_at else ""
    if is_surely_own:
        return f"You hold {facts.ref}{until}. {work}"
    taken_at = facts.claim.taken_at if facts.claim else call.now
    return (
        f"{facts.ref} was claimed {duration_words(call.now - taken_at)} ago by you or another terminal of "
        f"yours,{until}. If it was not this conversation, leave it and see list_available_specs. Else: {work}"
    )


def _refusal_of_a_claim(call: Call, facts: ActionFacts, claimant: Claimant | None) -> Refusal | None:
    """In the words of claim_action, so that nothing is advised that it does not accept."""
    try:
        check_permission(call.actor, Scope.BUILDS_WRITE, Role.MEMBER)
    except Refusal as refusal:
        return refusal
    return refusal_of_claim(call, facts, claimant)
