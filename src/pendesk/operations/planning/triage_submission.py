"""triage_submission: a guest's item becomes a task, or is turned away; once."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.errors import BadField
from pendesk.domain.event import Event
from pendesk.domain.inbox import InboxItem, ItemStatus, check_pending, task_description, task_label
from pendesk.operations.fields import IdempotencyKey, Ident, Label, Markdown
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.operations.planning.create_task import CreateTask, make_task
from pendesk.operations.planning.find import lock_submission
from pendesk.operations.planning.submission_results import Triaged, submission_row
from pendesk.operations.planning.task_results import Task
from pendesk.store import inbox, people


class AsTask(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """The task to make of it, in the words of whoever takes it in."""

    label: Annotated[Label, Meta(description="One line, in your own words.")]
    description: Markdown = ""


class TriageSubmission(Input):
    submission_id: Annotated[Ident, Meta(description="The submission's pid.")]
    action: Annotated[Literal["accept", "reject"], Meta(description="accept: it becomes a task in scope.")]
    as_task: (
        Annotated[
            AsTask, Meta(description="For accept: the task in your words; else the guest's are quoted as they are.")
        ]
        | None
    ) = None
    idempotency_key: IdempotencyKey | None = None


def run(call: Call, asked: TriageSubmission) -> Triaged:
    if asked.as_task is not None and asked.action == "reject":
        raise BadField("as_task", "goes with accept only; leave it out to reject.")
    item = lock_submission(call, asked.submission_id)
    check_pending(item, people.names(call.tx, [item.triaged_by]).get(item.triaged_by, "") if item.triaged_by else "")
    task = _task(call, item, asked.as_task) if asked.action == "accept" else None
    status: ItemStatus = "accepted" if task else "rejected"
    action_id = task.pid if task else None
    inbox.triage(call.tx, item.id, status, call.actor.user_id, action_id)
    told: dict[str, object] = {"status": status}
    call.record(Event("submission.triaged", item.id, item.project_id, action_id=action_id, data=told))
    return _answer(item._replace(status=status, triaged_at=call.now, action_id=action_id), task)


def _task(call: Call, item: InboxItem, words: AsTask | None) -> Task:
    return make_task(
        call,
        CreateTask(
            project_id=item.project_id,
            label=words.label if words else task_label(item),
            description=words.description if words else task_description(item),
            status="scope",
        ),
    )


def _answer(item: InboxItem, task: Task | None) -> Triaged:
    row = submission_row(item)
    # Its text stands beside it already: as the guest's own words, or as what the caller has just sent.
    short = msgspec.structs.replace(task, description="") if task else None
    return Triaged(**{name: getattr(row, name) for name in row.__struct_fields__}, task=short)


OPERATION = Operation(
    name="triage_submission",
    title="Triage a guest's submission",
    description=(
        "Decide on one guest's submission: accept makes a task in scope, so that nobody builds it before someone has "
        "designed it; reject files it away. Ask the user unless they told you how to decide. Gives the submission and "
        "the task. Refused: 404 no such submission; 422 it is triaged already: go on."
    ),
    input=TriageSubmission,
    output=Triaged,
    scope=Scope.DESK_WRITE,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
