"""request_draft: ask for a draft by an ordinary action, which get_next_task gives to an agent."""

from typing import Annotated

from msgspec import Meta

from pendesk.domain.access import Role, Scope
from pendesk.domain.errors import BadField
from pendesk.domain.limits import LABEL_CHARS
from pendesk.operations.actions import create_action
from pendesk.operations.actions.find import find_action
from pendesk.operations.actions.results import PlannedAction, to_planned_action
from pendesk.operations.documents.find import find_note
from pendesk.operations.fields import IdempotencyKey, NoteId, SpecId
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.operations.projects.find import find_and_lock_project
from pendesk.operations.specs.find import find_spec
from pendesk.store import proposals
from pendesk.store.proposals import DraftRequest


class RequestDraft(Input):
    spec_id: Annotated[SpecId, Meta(description="The spec that needs a plan.")] | None = None
    note_id: Annotated[NoteId, Meta(description="The note to make a spec of.")] | None = None
    idempotency_key: IdempotencyKey | None = None


def run(call: Call, args: RequestDraft) -> PlannedAction:
    if (args.spec_id is None) == (args.note_id is None):
        raise BadField("spec_id", "give either the spec that needs a plan, or the note_id of a note.")
    return _request_plan(call, args.spec_id) if args.spec_id is not None else _request_spec(call, args.note_id or "")


def _request_plan(call: Call, spec_id: str) -> PlannedAction:
    spec = find_spec(call, spec_id)
    find_and_lock_project(call, spec.project_id)
    known = proposals.open_request_id_of_spec(call.tx, spec.id)
    if known is not None:
        return _existing(call, known)
    description = f"Read the spec with get_draft (spec_id {spec.id}), then propose a plan for it with draft_plan."
    action = _create(call, spec.project_id, f"Draft a plan for {spec.title}", description)
    proposals.add_request(call.tx, DraftRequest(action.pid, "plan", spec.id, None))
    return action


def _request_spec(call: Call, note_id: str) -> PlannedAction:
    note = find_note(call, note_id)
    project = find_and_lock_project(call, note.project_id)
    known = proposals.open_request_id_of_note(call.tx, note.id)
    if known is not None:
        return _existing(call, known)
    description = (
        f"Read the note with get_note (note_id {note.id}), then propose a spec in {project.key} with draft_spec."
    )
    action = _create(call, project.id, f"Draft a spec from {note.title}", description)
    proposals.add_request(call.tx, DraftRequest(action.pid, "spec", None, note.id))
    return action


def _create(call: Call, project_id: str, label: str, description: str) -> PlannedAction:
    fields = create_action.CreateAction(project_id=project_id, label=label[:LABEL_CHARS], description=description)
    return create_action.run(call, fields)


def _existing(call: Call, action_id: str) -> PlannedAction:
    """Asked for already: asking again changes nothing."""
    facts = find_action(call, action_id)
    return to_planned_action(call, facts.action, facts.project_key, [])


OPERATION = Operation(
    name="request_draft",
    title="Ask for a draft",
    description=(
        "Create an action that asks an agent to draft a plan for a spec (spec_id), or a spec from a note (note_id). "
        "get_next_task gives it to an agent, whose draft_plan or draft_spec closes it once a person has accepted the "
        "draft. While one is open, that one is the answer. Refused: 404 no such spec or note."
    ),
    input=RequestDraft,
    output=PlannedAction,
    scope=Scope.PERSON,
    role=Role.MEMBER,
    kind=Kind.WRITE,
    run=run,
)
