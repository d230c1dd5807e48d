"""triage_submission: a guest's request becomes a task or is rejected; once."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from pendesk.clock import to_iso
from pendesk.domain.access import Role, Scope
from pendesk.domain.action import TaskStatus
from pendesk.domain.errors import BadField
from pendesk.domain.event import Event
from pendesk.domain.event_data import TriagedData
from pendesk.domain.guest_request import (
    GuestRequest,
    GuestRequestStatus,
    build_task_description,
    build_task_label,
    check_guest_request_is_pending,
)
from pendesk.domain.limits import SUMMARY_LISTED_CHARS
from pendesk.operations.actions.create_task import CreateTask, create_task
from pendesk.operations.actions.task_results import Task
from pendesk.operations.agent_answers import UNTRUSTED, is_agent_call, truncate_echoed_field_for_agent
from pendesk.operations.fields import IdempotencyKey, Ident, Label, Markdown
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.operations.sharing.find import find_and_lock_guest_request
from pendesk.operations.sharing.guest_request_results import Triaged, guest_text
from pendesk.operations.truncate import MARK
from pendesk.store import guest_requests, people


class AsTask(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """For accept, in your words; else the guest's are quoted."""

    label: Annotated[Label, Meta(description="One line.")]
    description: Markdown = ""


class TriageSubmission(Input):
    submission_id: Annotated[Ident, Meta(description="Its pid.")]
    action: Annotated[Literal["accept", "reject"], Meta(description="Your decision.")]
    as_task: AsTask | None = None
    idempotency_key: IdempotencyKey | None = None


def run(call: Call, args: TriageSubmission) -> Triaged:
    if args.as_task is not None and args.action == "reject":
        raise BadField("as_task", "goes with accept only; leave it out to reject.")
    guest_request = find_and_lock_guest_request(call, args.submission_id)
    triaged_by = guest_request.triaged_by
    check_guest_request_is_pending(
        guest_request, people.names_by_user_id(call.tx, [triaged_by]).get(triaged_by, "") if triaged_by else ""
    )
    task = _create_task(call, guest_request, args.as_task) if args.action == "accept" else None
    status: GuestRequestStatus = "accepted" if task else "rejected"
    action_id = task.pid if task else None
    guest_requests.triage(call.tx, guest_request.id, status, call.actor.user_id, action_id)
    project_id = guest_request.project_id
    call.record(
        Event("submission.triaged", guest_request.id, project_id, action_id=action_id, data=TriagedData(status=status))
    )
    return Triaged(
        pid=guest_request.id,
        project_id=project_id,
        status=status,
        created_at=to_iso(guest_request.created_at),
        triaged_at=to_iso(call.now),
        triaged_by=call.actor.user_name,
        untrusted=guest_text(_shortened_for_agent(call, guest_request)),
        notice=UNTRUSTED,
        task_id=action_id,
        task=truncate_echoed_field_for_agent(call, task, "description") if task else None,
    )


def _shortened_for_agent(call: Call, guest_request: GuestRequest) -> GuestRequest:
    """It has just read the whole text in list_submissions."""
    body = guest_request.body
    is_long = is_agent_call(call) and len(body) > SUMMARY_LISTED_CHARS
    return guest_request._replace(body=body[:SUMMARY_LISTED_CHARS] + MARK) if is_long else guest_request


def _create_task(call: Call, guest_request: GuestRequest, task_texts: AsTask | None) -> Task:
    return create_task(
        call,
        CreateTask(
            project_id=guest_request.project_id,
            label=task_texts.label if task_texts else build_task_label(guest_request),
            description=(task_texts.description if task_texts else "") or build_task_description(guest_request),
            status=TaskStatus.SCOPE,
        ),
    )


OPERATION = Operation(
    name="triage_submission",
    title="Triage a guest's submission",
    description=(
        "Decide on a guest's submission: accept creates a task in scope, reject closes it. Ask the user unless "
        "they told you how. Refused: 422 triaged already."
    ),
    input=TriageSubmission,
    output=Triaged,
    scope=Scope.DESK_WRITE,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
