"""Assignee, due date and labels of an action: as callers write them, and as answers show them."""

from collections.abc import Iterable
from typing import Annotated, NamedTuple, Protocol

from msgspec import Meta

from pendesk.domain import limits
from pendesk.domain.action import Action
from pendesk.domain.assignee import ME, NOBODY, UNASSIGNED, Assignable, Assignee, CallerIdentity, choose_assignable
from pendesk.domain.due_date import parse_due_date
from pendesk.domain.label import normalize_labels
from pendesk.operations.caller_session import agent_of_caller, find_session
from pendesk.operations.nearest_names import nearest_names
from pendesk.operations.operation import Call, Output
from pendesk.store import assignees, people
from pendesk.store.engine.json_text import from_json, to_json

AssigneeField = Annotated[str, Meta(max_length=limits.EMAIL_CHARS, description='Name, email or me; "" clears.')]
LabelName = Annotated[str, Meta(max_length=limits.LABEL_CHARS)]
DueField = Annotated[str, Meta(max_length=limits.DATE_CHARS, description='YYYY-MM-DD; "" clears.')]
LabelsField = Annotated[
    list[LabelName],
    Meta(max_length=limits.LIST_ITEMS, description="Replaces all."),
]


class AssigneeResult(Output):
    """kind: person or agent."""

    name: str
    kind: str
    pid: str | None = None


class PlanningFields(NamedTuple):
    """None: it stays as it is. An empty text, list or assignee clears it."""

    assignee: Assignee | None = None
    due_on: str | None = None
    labels: list[str] | None = None


class _PlanningInput(Protocol):
    assignee: str | None
    due: str | None
    labels: list[str] | None


def read_planning_fields(call: Call, args: _PlanningInput) -> PlanningFields:
    """Read before anything else is locked: who is assigned must not leave in the same moment."""
    return PlanningFields(
        resolve_assignee(call, args.assignee) if args.assignee is not None else None,
        parse_due_date(args.due) if args.due is not None else None,
        normalize_labels(args.labels) if args.labels is not None else None,
    )


def with_planning_fields(action: Action, fields: PlanningFields) -> Action:
    if fields.assignee is not None:
        action = action._replace(assignee_user_id=fields.assignee.user_id, assignee_agent_id=fields.assignee.agent_id)
    if fields.due_on is not None:
        action = action._replace(due_on=fields.due_on or None)
    if fields.labels is not None:
        action = action._replace(labels=labels_to_column(fields.labels))
    return action


def fields_beside_texts(action: Action) -> dict[str, object]:
    """What an edit changes without a new revision, as the log has it. Members and agents are named by id."""
    return {
        "priority": action.priority,
        "position": action.position,
        "x": action.x,
        "y": action.y,
        "assignee": action.assignee_user_id or action.assignee_agent_id,
        "due": action.due_on,
        "labels": labels_of(action.labels),
    }


def labels_to_column(labels: list[str]) -> str | None:
    return to_json(labels) if labels else None


def labels_of(action_labels: str | None) -> list[str]:
    labels: list[str] = from_json(action_labels) if action_labels else []
    return labels


def resolve_assignee(call: Call, text: str) -> Assignee:
    name = " ".join(text.split())
    if name.lower() in NOBODY:
        return UNASSIGNED
    if name.lower() == ME:
        caller = caller_identity(call)
        return Assignee(agent_id=caller.agent_id) if caller.agent_id else Assignee(user_id=caller.user_id)
    chosen = find_assignable(call, name)
    people.lock_member(call.tx, chosen.member_id)
    return find_assignable(call, name).assignee


def find_assignable(call: Call, name: str) -> Assignable:
    matches = assignees.named(call.tx, name)
    if matches:
        return choose_assignable(name, matches, [])
    known = assignees.all_assignable(call.tx, limits.ASSIGNABLE_COMPARED)
    matches = [assignable for assignable in known if assignable.name.casefold() == name.casefold()]
    return choose_assignable(name, matches, nearest_names(name, {assignable.name for assignable in known}))


def caller_identity(call: Call) -> CallerIdentity:
    """Of an agent that has never written anything only its user is known."""
    actor = call.actor
    session = call.agent_session or find_session(call.tx, actor)
    if session is not None:
        return CallerIdentity(actor.user_id, session.agent_id)
    if actor.token_id is None:
        return CallerIdentity(actor.user_id)
    agent, is_new = agent_of_caller(call.tx, actor, actor.token_id)
    return CallerIdentity(actor.user_id, None if is_new else agent.id)


def assignee_results(call: Call, assigned: Iterable[Assignee], *, with_pid: bool) -> dict[Assignee, AssigneeResult]:
    """Names by who is assigned; nobody is not among them."""
    names = assignees.by_assignee(call.tx, set(assigned) - {UNASSIGNED})
    return {assignee: _assignee_result(assignable, with_pid) for assignee, assignable in names.items()}


def assignee_result(call: Call, assignee: Assignee, *, with_pid: bool) -> AssigneeResult | None:
    if assignee == UNASSIGNED:
        return None
    return assignee_results(call, [assignee], with_pid=with_pid).get(assignee)


def _assignee_result(assignable: Assignable, with_pid: bool) -> AssigneeResult:
    return AssigneeResult(name=assignable.name, kind=assignable.kind, pid=assignable.pid if with_pid else None)
