"""claim_action: take the lease on one action."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.action import Action, ActionState
from pendesk.domain.agent_session import Relation
from pendesk.domain.assignee import Assignment, assignment_to_caller
from pendesk.domain.claim import ActionFacts, is_open_rework
from pendesk.domain.claim_refusals import check_not_held_by_other
from pendesk.domain.claim_transitions import can_reuse_claim, claim_action
from pendesk.ids import new_id
from pendesk.operations.actions.action_fields import assignee_result, caller_identity
from pendesk.operations.building.claim_guard import (
    claim_rework,
    claim_taker,
    find_action_past_scoping,
    free_refs,
    load_claimant,
    lock_caller_and_seen_action,
    renew_or_resume_claim_if_due,
    resume_claim_if_expired,
    save_claim,
)
from pendesk.operations.building.claim_overlaps import OVERLAPS, record_work_on_same_files
from pendesk.operations.building.results import ActionResult, action_result_with_unread_news
from pendesk.operations.fields import ActionPid, ClaimId, IdempotencyKey, Model
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.operations.overlap_results import OverlapResult

# A constant, as every next step: names that people gave stand in fields of their own.
ASSIGNED_TO_OTHER = "It is assigned to another (see assignee) and yours now: tell your user."
NEXT = "Call get_action_brief now and work from what it says."
SAME = "You hold this action already; this is the same claim. Call get_action_brief and go on."
REWORK = "A reviewer requested changes. Call get_action_brief, make them, then resubmit_for_review."


class ClaimAction(Input):
    action_pid: ActionPid
    agent_model: Model | None = None
    take_over: Annotated[bool, Meta(description="Take it from a session of yours that your user says is gone.")] = False
    claim_id: ClaimId | None = None
    idempotency_key: IdempotencyKey | None = None


class ClaimedAction(ActionResult):
    overlaps: list[OverlapResult] = []


def run(call: Call, args: ClaimAction) -> ClaimedAction:
    answer, taken = _claim(call, args)
    overlaps = record_work_on_same_files(call, taken) if taken is not None else []
    if overlaps:
        answer.advisory = f"{answer.advisory} {OVERLAPS}" if answer.advisory else OVERLAPS
    fields = {name: getattr(answer, name) for name in answer.__struct_fields__}
    return ClaimedAction(**fields, overlaps=overlaps)


def _claim(call: Call, args: ClaimAction) -> tuple[ActionResult, ActionFacts | None]:
    """With the action as it was before it was taken; None where the caller had it already."""
    # What is held is refused before anything is locked, so that many who want one action do not wait for each other.
    seen = find_action_past_scoping(call, args.action_pid)
    _refuse_if_held(call, seen, args)
    facts = lock_caller_and_seen_action(call, args.action_pid, seen)
    claim = facts.claim
    reusable = can_reuse_claim(facts, args.claim_id, call.actor.origin, call.now, call.limits)
    if claim is not None and reusable and not is_open_rework(facts, call.now):
        renewed = renew_or_resume_claim_if_due(call, facts, resume_claim_if_expired(call, facts, claim))
        held = facts._replace(claim=renewed, relation=Relation.SAME)
        return action_result_with_unread_news(call, held, next_step=SAME), None
    taker = claim_taker(call, facts, args.agent_model, args.take_over)
    if facts.action.state == ActionState.CHANGES_REQUESTED:
        held, _claim = claim_rework(call, facts, taker)
        return action_result_with_unread_news(call, held, next_step=REWORK), facts
    claimed = claim_action(facts, load_claimant(call, facts, taker), new_id(), call.now, call.limits)
    answer = action_result_with_unread_news(call, save_claim(call, facts, claimed), next_step=NEXT)
    return _with_assignee(call, facts.action, answer), facts


def _with_assignee(call: Call, action: Action, answer: ActionResult) -> ActionResult:
    """That it is another's to do stops nobody, but who claims it knows."""
    answer.assignee = assignee_result(call, action.assignee, with_pid=False)
    is_others = assignment_to_caller(action.assignee, caller_identity(call)) == Assignment.TO_OTHER
    if answer.assignee is not None and is_others:
        answer.next_step = f"{ASSIGNED_TO_OTHER} {NEXT}"
    return answer


def _refuse_if_held(call: Call, facts: ActionFacts, args: ClaimAction) -> None:
    if not can_reuse_claim(facts, args.claim_id, call.actor.origin, call.now, call.limits):
        check_not_held_by_other(facts, args.take_over, call.now, call.limits, lambda: free_refs(call, facts))


OPERATION = Operation(
    name="claim_action",
    title="Claim an action",
    description=(
        "Take one action for yourself, so that no other agent works on it. Call it before any work. Each later call of "
        "yours about the action renews the claim. Next: get_action_brief. Refused: 409 another agent or another "
        "session of yours holds it (claim what the refusal names; do not retry), 422 it waits for prerequisites, is "
        "not published, or you hold 3 already (submit or release one), 403 you take no part in its spec."
    ),
    input=ClaimAction,
    output=ClaimedAction,
    scope=Scope.BUILDS_WRITE,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
