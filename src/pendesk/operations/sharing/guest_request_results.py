"""What guests sent in, as the planning operations tell of it."""

from pendesk.clock import to_iso
from pendesk.domain.guest_request import InboxItem
from pendesk.operations.actions.task_results import Task
from pendesk.operations.operation import Output, iso


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
    """task: what was made of it, where it was accepted. The guest's words are not repeated."""

    pid: str
    project_id: str
    status: str
    triaged_at: str
    task_id: str | None = None
    task: Task | None = None


def submission_row(item: InboxItem) -> SubmissionRow:
    return SubmissionRow(
        pid=item.id,
        project_id=item.project_id,
        status=item.status,
        created_at=to_iso(item.created_at),
        untrusted=GuestText(guest_name=item.guest_name, body=item.body, title=item.title),
        task_id=item.action_id,
        triaged_at=iso(item.triaged_at),
    )
