"""get_note: one note, whole."""

from pendesk.domain.access import Role, Scope
from pendesk.operations.agent_answers import truncate_for_agent_or_read_rest
from pendesk.operations.documents.find import find_note
from pendesk.operations.documents.results import NoteResult, note_result
from pendesk.operations.fields import NoteId
from pendesk.operations.operation import Call, Input, Kind, Operation
from pendesk.operations.truncate import RestField


class GetNote(Input):
    note_id: NoteId
    rest: RestField | None = None


def run(call: Call, args: GetNote) -> NoteResult:
    return truncate_for_agent_or_read_rest(call, note_result(call, find_note(call, args.note_id)), args.rest, body="")


OPERATION = Operation(
    name="get_note",
    title="Read a note",
    description="One note with its Markdown body and revision; list_notes has the pids of all.",
    input=GetNote,
    output=NoteResult,
    scope=Scope.DESK_READ,
    role=Role.VIEWER,
    kind=Kind.READ,
    run=run,
)
