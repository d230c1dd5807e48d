"""An action: one claimable unit of work. A task of the planning tools is the same record."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from pendesk.domain.assignee import Assignee
from pendesk.domain.errors import Advice, RuleBroken
from pendesk.domain.event import Event, EventData, EventKind
from pendesk.domain.event_data import ActionMovedData
from pendesk.domain.limits import DEPENDENTS_NAMED
from pendesk.domain.status_words import StatusWord


# A row read from the database holds the text, which equals the member: states are compared with `==`, never with `is`.
class ActionState(StatusWord):
    BACKLOG = "backlog"
    SCOPE = "scope"
    TODO = "todo"
    IN_PROGRESS = "in_progress"
    IN_REVIEW = "in_review"
    CHANGES_REQUESTED = "changes_requested"
    DONE = "done"
    WONT_DO = "wont_do"


class TaskStatus(StatusWord):
    """The words of the planning tools, for which requested changes are part of the review."""

    BACKLOG = "backlog"
    SCOPE = "scope"
    TODO = "todo"
    IN_PROGRESS = "in_progress"
    IN_REVIEW = "in_review"
    DONE = "done"
    WONT_DO = "wont_do"


class ProgressStatus(StatusWord):
    """What the holder of an action may say of it."""

    NOT_STARTED = "not-started"
    STARTED = "started"
    WONT_DO = "wont-do"


NOT_READY = (ActionState.BACKLOG, ActionState.SCOPE)
SUBMITTED = (ActionState.IN_REVIEW, ActionState.CHANGES_REQUESTED)
WITH_AGENT = (ActionState.IN_PROGRESS, *SUBMITTED)
CLOSED = (ActionState.DONE, ActionState.WONT_DO)

# The words the building tools use. What has none is not visible to them.
BUILDING_WORDS = {
    ActionState.TODO: "not-started",
    ActionState.IN_PROGRESS: "started",
    ActionState.IN_REVIEW: "in-review",
    ActionState.CHANGES_REQUESTED: "in-review",
    ActionState.DONE: "complete",
    ActionState.WONT_DO: "wont-do",
}

# Where a person may move an action with criteria: claiming, submitting and reviewing have their own operations. One
# without goes anywhere (task_moves.py).
MOVES: dict[ActionState, tuple[ActionState, ...]] = {
    ActionState.BACKLOG: (ActionState.SCOPE, ActionState.TODO, ActionState.WONT_DO),
    ActionState.SCOPE: (ActionState.BACKLOG, ActionState.TODO, ActionState.WONT_DO),
    ActionState.TODO: (ActionState.BACKLOG, ActionState.SCOPE, ActionState.WONT_DO),
    ActionState.IN_PROGRESS: (),
    ActionState.IN_REVIEW: (),
    ActionState.CHANGES_REQUESTED: (),
    ActionState.DONE: (ActionState.TODO,),
    ActionState.WONT_DO: (ActionState.BACKLOG, ActionState.SCOPE, ActionState.TODO),
}

# What brings an action into these states instead, for a person at the board.
BY_OTHERS = {
    ActionState.IN_PROGRESS: "It is in progress once someone claims it.",
    ActionState.IN_REVIEW: "It is in review once its holder submits it.",
    ActionState.CHANGES_REQUESTED: "Request changes in its review.",
}


class Action(NamedTuple):
    id: str
    project_id: str
    spec_id: str | None
    plan_id: str | None
    ref_number: int
    label: str
    description: str
    area: str
    paths: str
    state: ActionState
    state_reason: str | None
    priority: int
    position: int
    x: float | None
    y: float | None
    fence: int
    claim_id: str | None
    news_event_id: int
    revision: int
    created_by: str
    created_at: int
    updated_at: int
    # Of what is dropped: when a person decided that what waits for it goes on, and who.
    drop_accepted_at: int | None = None
    drop_accepted_by: str | None = None
    # At most one of the two: see domain/assignee.py.
    assignee_user_id: str | None = None
    assignee_agent_id: str | None = None
    due_on: str | None = None
    labels: str | None = None

    @property
    def assignee(self) -> Assignee:
        return Assignee(self.assignee_user_id, self.assignee_agent_id)


def ref_code(project_key: str, ref_number: int) -> str:
    return f"{project_key}-{ref_number}"


def status_for_agents(state: ActionState) -> str:
    return BUILDING_WORDS.get(state, BUILDING_WORDS[ActionState.TODO])


def status_of_task(state: ActionState) -> TaskStatus:
    return TaskStatus.IN_REVIEW if state == ActionState.CHANGES_REQUESTED else TaskStatus(state)


def task_counts_by_status(counts_by_state: Mapping[str, int]) -> dict[str, int]:
    counts: Counter[str] = Counter()
    for state, count in counts_by_state.items():
        counts[status_of_task(ActionState(state))] += count
    return dict(counts)


def states_of_task_status(status: TaskStatus) -> list[ActionState]:
    return [state for state in ActionState if status_of_task(state) == status]


def action_event(
    action: Action, kind: EventKind, data: EventData | Mapping[str, Any], object_id: str | None = None
) -> Event:
    """An event on the timeline of the action; without `object_id` it is about the action itself."""
    return Event(kind, object_id or action.id, action.project_id, action.spec_id, action.id, data)


def check_may_move_to_other_plan(action_ref: str, state: ActionState) -> None:
    if state in WITH_AGENT:
        raise RuleBroken(
            f"An agent has {action_ref}. Release the claim or finish the review, then move it.",
            code="invalid_transition",
        )


class TaskCaller(NamedTuple):
    """What the caller could do with the action by other tools, looked up only for a refusal that says so."""

    holds: Callable[[], bool]
    may_claim: Callable[[], bool]


def check_person_may_change_state(
    action: Action, target: ActionState, criteria_count: int, reason: str | None, caller: TaskCaller
) -> None:
    """May a person set this state of an action with criteria?"""
    if action.state in WITH_AGENT:
        raise _with_agent_refusal(action, caller)
    if target == ActionState.DONE:
        raise _needs_review_refusal(criteria_count, caller)
    if target not in MOVES[action.state]:
        allowed = MOVES[action.state]
        raise RuleBroken(
            f"An action in {action.state} cannot be set to {target}. It may go to: {', '.join(allowed)}.",
            code="invalid_transition",
            person_message=f"It cannot be moved there directly. {BY_OTHERS.get(target, 'Reopen it first.')}",
            advice=_move_advice(action, target, caller),
            allowed=list(allowed),
        )
    if target == ActionState.WONT_DO and not reason:
        raise RuleBroken("Say why this will not be done: give a reason.", code="reason_needed")


def _needs_review_refusal(criteria_count: int, caller: TaskCaller) -> RuleBroken:
    return RuleBroken(
        f"This action has {criteria_count} acceptance criteria, so only a review can make it done.",
        code="needs_review",
        person_message=f"Its {criteria_count} criteria must be met first: it is done once someone has built it and "
        "a person has approved it in review.",
        advice=(
            *_claim_advice(caller, "Claim it with claim_action and submit it, then a person reviews it."),
            Advice("An agent claims it and submits it, then a person reviews it."),
        ),
    )


def _with_agent_refusal(action: Action, caller: TaskCaller) -> RuleBroken:
    if action.state != ActionState.IN_PROGRESS:
        advice = [Advice("A person finishes the review first.")]
    elif caller.holds():
        advice = [Advice("You hold it: release it first with release_action.", ("release_action",))]
    else:
        advice = [Advice("Its holder releases it or submits it, or a person releases the claim.")]
    return RuleBroken(
        "An agent has this action, so it cannot be moved.",
        code="invalid_transition",
        person_message="An agent has this action. Release the claim or finish the review before you move it.",
        advice=advice,
    )


def _move_advice(action: Action, target: ActionState, caller: TaskCaller) -> tuple[Advice, ...]:
    """Towards a state that is nobody's to set."""
    if target == ActionState.IN_REVIEW:
        return (Advice("It is in review once the agent that holds it submits it."),)
    if target != ActionState.IN_PROGRESS:
        return ()
    if action.state != ActionState.TODO:
        return (Advice("Set it to todo first."),)
    by_agent = Advice("It is in progress once an agent claims it.")
    return (*_claim_advice(caller, "Claim it with claim_action."), by_agent)


def _claim_advice(caller: TaskCaller, text: str) -> tuple[Advice, ...]:
    return (Advice(text, ("claim_action",)),) if caller.may_claim() else ()


def change_state_by_person(
    action: Action,
    target: ActionState,
    reason: str | None,
    criteria_count: int,
    caller: TaskCaller,
    now: int,
    dependent_refs: Sequence[str] = (),
) -> tuple[Action, Event]:
    """A move by a person; out of a closed state it reopens the action. Only what is dropped keeps its reason.

    `dependent_refs`: what waits for an action that is dropped.
    """
    check_person_may_change_state(action, target, criteria_count, reason, caller)
    moved = action._replace(
        state=target,
        state_reason=reason if target == ActionState.WONT_DO else None,
        updated_at=now,
        drop_accepted_at=None,
        drop_accepted_by=None,
    )
    kind: EventKind = "action.reopened" if action.state in CLOSED else "action.moved"
    event_data = ActionMovedData(
        before=action.state, after=target, reason=reason, dependents=dependents_in_event(dependent_refs)
    )
    return moved, action_event(action, kind, event_data)


def dependents_in_event(refs: Sequence[str]) -> list[str] | None:
    return list(refs[:DEPENDENTS_NAMED]) or None
