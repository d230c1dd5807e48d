"""What guests sent in, as the planning operations tell of it."""

from pendesk.clock import to_iso
from pendesk.domain.guest_request import GuestRequest
from pendesk.operations.actions.task_results import Task
from pendesk.operations.operation import Output, to_iso_or_none


class GuestText(Output):
    """Written by someone from outside, under a name they chose themselves."""

    guest_name: str
    body: str
    title: str = ""


class SubmissionRow(Output):
    pid: str
    project_id: str
    status: str
    created_at: str
    untrusted: GuestText
    task_id: str | None = None
    triaged_at: str | None = None


class Triaged(Output):
    """The submission as it is stored now. task: what was made of it, where it was accepted."""

    pid: str
    project_id: str
    status: str
    created_at: str
    triaged_at: str
    triaged_by: str
    untrusted: GuestText
    notice: str
    task_id: str | None = None
    task: Task | None = None


def guest_text(guest_request: GuestRequest) -> GuestText:
    return GuestText(guest_name=guest_request.guest_name, body=guest_request.body, title=guest_request.title)


def guest_request_row(guest_request: GuestRequest) -> SubmissionRow:
    return SubmissionRow(
        pid=guest_request.id,
        project_id=guest_request.project_id,
        status=guest_request.status,
        created_at=to_iso(guest_request.created_at),
        untrusted=guest_text(guest_request),
        task_id=guest_request.action_id,
        triaged_at=to_iso_or_none(guest_request.triaged_at),
    )
