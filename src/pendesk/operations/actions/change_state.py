"""Moving an action by its status: a person's move of one with criteria, or a plain task, which goes anywhere."""

from typing import NamedTuple

from pendesk.domain.access import Scope
from pendesk.domain.action import ActionState, TaskCaller, change_state_by_person
from pendesk.domain.agent_session import Relation
from pendesk.domain.availability import Wait
from pendesk.domain.claim import (
    ActionFacts,
    Claim,
    ClaimKind,
    has_live_lease,
    is_held_even_if_expired,
    is_writable_by_caller,
)
from pendesk.domain.claim_refusals import check_not_held_by_other
from pendesk.domain.claim_transitions import EndedClaim, hold_task
from pendesk.domain.claimable import blocked_refusal
from pendesk.domain.clarification import check_no_open_questions
from pendesk.domain.criterion import EvidenceLevel
from pendesk.domain.evidence import AddedEvidence
from pendesk.domain.review import SubmittedCode
from pendesk.domain.review_transitions import submit_action
from pendesk.domain.task_moves import (
    NO_SUMMARY,
    TaskMove,
    blocked_task_refusal,
    check_task_may_move_to,
    held_from_person_refusal,
    is_held_by_other,
    move_advisory,
    move_task,
)
from pendesk.ids import new_id
from pendesk.operations.actions.release_dependents import open_dependent_refs
from pendesk.operations.building.claim_guard import (
    claim_taker,
    free_refs,
    load_claimant,
    refusal_of_claim,
    renew_or_resume_claim_if_due,
    save_claim,
    save_claim_end,
    with_relation_to_caller,
)
from pendesk.operations.building.claim_overlaps import record_work_on_same_files
from pendesk.operations.building.submission import next_submission
from pendesk.operations.operation import Call
from pendesk.store import actions, claims, clarifications, criteria, reviews

# What an agent begins, or says that it did, while something is to be done first.
WORKED_ON = (ActionState.IN_PROGRESS, ActionState.IN_REVIEW, ActionState.DONE)


class ChangedState(NamedTuple):
    """`advisory` warns a person of what an agent would be refused for."""

    facts: ActionFacts
    advisory: str | None = None


def change_state(
    call: Call, facts: ActionFacts, target: ActionState, reason: str | None, criteria_count: int
) -> ChangedState:
    """The action is locked, and its state is another."""
    facts = with_relation_to_caller(call, facts)
    if criteria_count:
        return ChangedState(_change_state_by_person(call, facts, target, reason, criteria_count))
    check_task_may_move_to(target, reason)
    if target == facts.action.state and _is_held_by_caller(facts) and facts.relation == Relation.SAME:
        renew_hold(call, facts)
        return ChangedState(facts)
    _check_not_held_by_other(call, facts, target)
    needs_start = target in WORKED_ON and not _is_held_by_caller(facts)
    waits = _check_not_blocked(call, facts) if needs_start else []
    advisory = move_advisory(facts.action.state, target, waits)
    return ChangedState(_move_task(call, facts, target, reason), advisory)


def renew_hold(call: Call, facts: ActionFacts) -> None:
    """A call of the holder about the task, or about its run, is a sign of life."""
    claim = facts.claim
    # An expired lease is resumed by its own tools, which count the slots.
    if claim is not None and (claim.kind != ClaimKind.LEASE or has_live_lease(claim, call.now)):
        renew_or_resume_claim_if_due(call, with_relation_to_caller(call, facts), claim)


def take_task(call: Call, facts: ActionFacts) -> tuple[ActionFacts, Claim]:
    """In progress, held by the caller. The action is locked; that nobody else has it was checked."""
    kind = ClaimKind.PERSON if call.actor.token_id is None else ClaimKind.TASK
    taker = claim_taker(call, facts, None, False)._replace(kind=kind)
    taken = hold_task(facts, taker, new_id(), call.now, call.limits)
    held = save_claim(call, facts, taken)
    record_work_on_same_files(call, held)
    return held, taken.claim


def _change_state_by_person(
    call: Call, facts: ActionFacts, target: ActionState, reason: str | None, criteria_count: int
) -> ActionFacts:
    waiting = open_dependent_refs(call, facts.action.id) if target == ActionState.WONT_DO else []
    caller = TaskCaller(
        lambda: is_writable_by_caller(facts, None),
        lambda: refusal_of_claim(call, facts) is None,
    )
    action, event = change_state_by_person(facts.action, target, reason, criteria_count, caller, call.now, waiting)
    actions.save_state_and_claim(call.tx, facts.action, action)
    call.record(event)
    return facts._replace(action=action)


def _check_not_held_by_other(call: Call, facts: ActionFacts, target: ActionState) -> None:
    if call.actor.token_id is None:
        if is_held_by_other(facts, call.now):
            raise held_from_person_refusal(facts, call.now)
    elif is_held_by_other(facts, call.now) or (
        target == ActionState.IN_PROGRESS and facts.relation == Relation.UNKNOWN
    ):
        # Taking it is as strict as a claim: where nothing tells two terminals apart, the second is refused.
        check_not_held_by_other(facts, False, call.now, call.limits, lambda: free_refs(call, facts))


def _check_not_blocked(call: Call, facts: ActionFacts) -> list[Wait]:
    """What it waits for, where a person may go on all the same."""
    claimant = load_claimant(call, facts, claim_taker(call, facts, None, False))
    if not claimant.waits or call.actor.token_id is None:
        return claimant.waits
    if Scope.BUILDS_WRITE in call.actor.scopes:
        raise blocked_refusal(facts, claimant)
    raise blocked_task_refusal(facts, claimant.waits, _first_takeable_ref(call, claimant.waits))


def _first_takeable_ref(call: Call, waits: list[Wait]) -> str | None:
    """Of what can be started, the first that has no criteria: planning tools take no other."""
    ids = {ref: actions.resolve_id(call.tx, ref) for wait in waits if (ref := wait.claimable_ref)}
    with_criteria = criteria.action_ids_with_criteria(call.tx, [ident for ident in ids.values() if ident])
    return next((ref for ref, ident in ids.items() if ident not in with_criteria), None)


def _is_held_by_caller(facts: ActionFacts) -> bool:
    return is_held_even_if_expired(facts.claim) and facts.is_callers


def _move_task(call: Call, facts: ActionFacts, target: ActionState, reason: str | None) -> ActionFacts:
    if target == ActionState.IN_PROGRESS:
        return take_task(call, facts)[0]
    if target == ActionState.IN_REVIEW:
        return _submit_task(call, facts, reason)
    waiting = open_dependent_refs(call, facts.action.id) if target == ActionState.WONT_DO else []
    if reason and facts.claim is not None and _is_held_by_caller(facts):
        # What the next holder's hand-over says of this one.
        last = facts.claim._replace(last_message=reason, last_message_at=call.now)
        claims.save_renewal_and_progress_message(call.tx, last)
    return save_task_move(call, facts, move_task(facts, target, reason, call.now, waiting))


def save_task_move(call: Call, facts: ActionFacts, move: TaskMove) -> ActionFacts:
    action, claim, event = move
    if claim is not None:
        return save_claim_end(call, facts, EndedClaim(action, claim, event), tells_holder=not facts.is_callers)
    actions.save_state_and_claim(call.tx, facts.action, action)
    call.record(event)
    return facts._replace(action=action)


def _submit_task(call: Call, facts: ActionFacts, summary: str | None) -> ActionFacts:
    """What waits for a person's review has a submission, and who submitted it held it."""
    check_no_open_questions(clarifications.of_action(call.tx, facts.action.id))
    claim = facts.claim
    if claim is None or not _is_held_by_caller(facts):
        facts, claim = take_task(call, facts)
    submission = next_submission(call, facts, claim, summary or NO_SUMMARY, SubmittedCode(None, None, None))
    reviews.add_submission(call.tx, submission)
    no_evidence = AddedEvidence(EvidenceLevel.CLAIMED, [])
    submitted = submit_action(facts.action, claim, submission, [], no_evidence, call.now)
    return save_claim_end(call, facts, EndedClaim(*submitted))
