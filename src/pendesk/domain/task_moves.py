"""Setting the status of a plain task, an action without criteria: from every status to every status.

In progress it is held, in review it waits for a person, and any other status ends both. An action with criteria gets
there by claims, submissions and reviews instead (action.py).
"""

from collections.abc import Sequence
from typing import NamedTuple

from pendesk.domain.action import CLOSED, NOT_READY, Action, ActionState, action_event, dependents_in_event
from pendesk.domain.agent_session import Relation
from pendesk.domain.availability import Wait
from pendesk.domain.claim import ActionFacts, Claim, ClaimState, has_live_lease, is_held_even_if_expired
from pendesk.domain.claim_refusals import duration_words
from pendesk.domain.claim_transitions import mark_wont_do, release_claim
from pendesk.domain.claimable import overlap_refusal, shares_files, waits_text
from pendesk.domain.errors import Advice, AlreadyClaimed, HeldByYourOtherSession, Refusal, RuleBroken
from pendesk.domain.event import Event, EventKind
from pendesk.domain.event_data import ActionMovedData

NO_SUMMARY = "Set to in review without a summary."


class TaskMove(NamedTuple):
    """`claim` is the one that ended with it, None where none did."""

    action: Action
    claim: Claim | None
    event: Event


def task_states_from(state: ActionState) -> tuple[ActionState, ...]:
    """All but its own, and requested changes, which a review makes."""
    return tuple(target for target in ActionState if target not in (state, ActionState.CHANGES_REQUESTED))


def check_state_may_be_set(target: ActionState | None) -> None:
    if target == ActionState.CHANGES_REQUESTED:
        raise RuleBroken(
            "A review requests changes; nobody sets that state.",
            code="invalid_transition",
            person_message="Open its review and request changes there.",
        )


def check_task_may_move_to(target: ActionState, reason: str | None) -> None:
    if target == ActionState.WONT_DO and not reason:
        raise RuleBroken("Say why this will not be done: give a reason.", code="reason_needed")


def is_held_by_other(facts: ActionFacts, now: int) -> bool:
    """Where nothing tells the caller from the holder, a write is the holder's."""
    return has_live_lease(facts.claim, now) and not facts.is_callers


def held_from_person_refusal(facts: ActionFacts, now: int) -> Refusal:
    """For a person, who may release what another holds."""
    assert facts.claim is not None
    held = f"{facts.ref} has been held by {facts.holder_label} for {duration_words(now - facts.claim.taken_at)}."
    refusal = AlreadyClaimed if facts.relation == Relation.OTHER_USER else HeldByYourOtherSession
    return refusal(
        f"{held} Release the claim first.",
        person_message=f"{held} Release the claim before you move it.",
        holder=facts.holder_label,
    )


def blocked_task_refusal(facts: ActionFacts, waits: list[Wait], takeable_ref: str | None) -> Refusal:
    """For an agent that plans; `takeable_ref` is what it can take to get on with it."""
    take_first = (
        (Advice(f"Set {takeable_ref} to in_progress with update_task first.", ("update_task",)),)
        if takeable_ref
        else ()
    )
    next_task = Advice("get_next_task gives what can be started now.", ("get_next_task",))
    if shares_files(waits):
        return overlap_refusal(facts, waits, (next_task,))
    return RuleBroken(
        f"{facts.ref} waits for: {waits_text(waits)}.",
        code="prerequisites_open",
        advice=(*take_first, next_task),
        waitingOn=[wait.ref for wait in waits if wait.ref is not None],
    )


def move_advisory(before: ActionState, target: ActionState, waits: list[Wait]) -> str | None:
    """A person is warned of what an agent is refused for; both hear that what was closed is open again."""
    if waits:
        return f"It still waits for {waits_text(waits)}."
    reopened = before in CLOSED and target not in (*CLOSED, *NOT_READY)
    return f"It was {before}: this reopened it." if reopened else None


def move_task(
    facts: ActionFacts, target: ActionState, reason: str | None, now: int, dependent_refs: Sequence[str] = ()
) -> TaskMove:
    """To a status in which nobody has it. What is held or submitted ends."""
    action, claim = facts.action, facts.claim
    if claim is not None and is_held_even_if_expired(claim):
        if target == ActionState.TODO:
            return TaskMove(*release_claim(action, claim, now, message=reason))
        if target == ActionState.WONT_DO:
            return TaskMove(*mark_wont_do(action, claim, reason or "", now, dependent_refs))
    ended = _end_claim(claim, target, now)
    moved = action._replace(
        state=target,
        state_reason=reason if target == ActionState.WONT_DO else None,
        updated_at=now,
        drop_accepted_at=None,
        drop_accepted_by=None,
    )
    kind: EventKind = "action.reopened" if action.state in CLOSED else "action.moved"
    event_data = ActionMovedData(
        before=action.state,
        after=target,
        reason=reason,
        claim_id=ended.id if ended else None,
        dependents=dependents_in_event(dependent_refs),
    )
    return TaskMove(moved, ended, action_event(action, kind, event_data))


def ended_claim_state(target: str) -> ClaimState:
    """What becomes of a claim when its task is moved."""
    return ClaimState.DONE if target == ActionState.DONE else ClaimState.RELEASED


def _end_claim(claim: Claim | None, target: ActionState, now: int) -> Claim | None:
    if claim is None or claim.state not in (ClaimState.ACTIVE, ClaimState.SUBMITTED):
        return None
    return claim._replace(state=ended_claim_state(target), ended_at=now)
