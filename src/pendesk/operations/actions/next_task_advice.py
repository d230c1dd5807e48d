"""What get_next_task says beside the task, in the tools that the caller has: how to take it, or why there is none."""

from collections import Counter

from pendesk.domain.access import Scope
from pendesk.domain.availability import Availability, NotReadyReason
from pendesk.operations.operation import Call

NO_TASKS = "The project has no task yet."
NO_TODO_TASKS = "No task is in todo."
# By the outcome, what somebody who may write can do about it.
CURES = {
    "no_tasks": "Create some with create_task or scaffold_project_from_plan.",
    "no_todo_tasks": "Move one from backlog or scope with update_task when it is ready.",
}
CRITERIA = "criteria"
DRAFT = "draft"
NO_SLOT = "no_slot"
# Why those that are in todo cannot be taken, each with how many.
_REASONS = {
    Availability.BLOCKED: "{0} wait for others",
    Availability.HELD: "{0} are held by others",
    Availability.IN_REVIEW: "{0} are for who submitted them",
    NotReadyReason.UNPUBLISHED: "{0} are in specs that are not published",
    NotReadyReason.NOT_A_PARTICIPANT: "{0} are in specs that you take no part in",
    NotReadyReason.PROJECT_NOT_ACTIVE: "{0} cannot begin until a person activates the project",
    CRITERIA: "{0} have criteria, so agents with the building tools claim them",
    DRAFT: "{0} ask for a draft, so agents with the drafting tools (scope specs.write) do them",
    NO_SLOT: "{0} need a claim, and you hold as many as you may: submit or release one",
}


def how_to_take(call: Call, has_criteria: bool) -> str | None:
    """None for a caller who only reads."""
    scopes = call.actor.scopes
    if Scope.DESK_WRITE not in scopes:
        return None
    if has_criteria:
        return "Take it with claim_action, or with take: true." if Scope.BUILDS_WRITE in scopes else None
    return "Take it: call this with take: true, or update_task with status in_progress."


def how_to_take_by_name(call: Call, has_criteria: bool) -> str | None:
    """The same of a task that was read by itself."""
    scopes = call.actor.scopes
    if has_criteria:
        return "Take it with claim_action." if Scope.BUILDS_WRITE in scopes else None
    return "Take it: update_task with status in_progress." if Scope.DESK_WRITE in scopes else None


def how_to_go_on(has_criteria: bool) -> str:
    if has_criteria:
        return "Read get_action_brief, build it, then submit_for_review."
    return "Do it, then update_task with status done; in_review if a person should look; todo releases it."


def why_none(call: Call, outcome: str, refused: Counter[str]) -> str:
    counts = "; ".join(text.format(refused[key]) for key, text in _REASONS.items() if refused[key])
    if outcome == "all_blocked":
        return f"No task can be taken now: {counts}."
    fact = NO_TASKS if outcome == "no_tasks" else f"{NO_TODO_TASKS[:-1]}; {counts}." if counts else NO_TODO_TASKS
    return f"{fact} {CURES[outcome]}" if Scope.DESK_WRITE in call.actor.scopes else fact
